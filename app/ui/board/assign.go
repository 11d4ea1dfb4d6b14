package board

import (
	"strconv"
	"strings"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/figure"
	diagnostics "hadarlab/core/jsondoc"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Writing is the editor of an own assignment.
type Writing struct {
	Draft   *board.Draft        // nil = none is being written
	Dropped string              // the title of the one that can be put back
	Undo    bool                // there is one
	Ready   []*class.Assignment // from which one may begin
	Title   string              // of the scenario in the lab, from which one may, too
	Boot    *room.Boot
	Origin  string // the page's own address
	Copied  string // the text that is on the clipboard
}

func writingOf(t *board.Model, copied string) *Writing {
	w := &Writing{Draft: t.Draft, Ready: t.Shipped(), Title: t.FromLab(), Boot: t.Boot,
		Origin: origin(), Copied: copied}
	if t.Dropped != nil {
		w.Undo, w.Dropped = true, t.Dropped.Title
	}
	return w
}

// undo puts back what was discarded, or what another assignment has replaced.
func (v *Writing) undo() app.UI {
	return Set(Note("info", Txt("div", words.F("“{0}” is discarded.", v.Dropped)),
		Button(".btn|data-test=put-own-back", "Put it back", "putback", board.PutDraftBack{})), "hidden", Flag(!v.Undo))
}

// writer draws the draft: each field with what is wrong beside it.
type writer struct {
	*Writing
	d     *board.Draft
	shown map[int]bool // diagnostics that stand beside a field
	texts heldTexts
}

// heldTexts are texts by the pointers of their fields.
type heldTexts [][2]string

// After keeps each field at its text: as an attribute it would lose the space at its end while it is being typed.
func (all heldTexts) After() {
	for _, t := range all {
		field := app.Window().Get("document").Call("querySelector", `[data-at="`+t[0]+`"]`)
		if field.Truthy() && field.Get("value").String() != t[1] {
			field.Set("value", t[1])
		}
	}
}

// wrong are the messages about a value.
func (w *writer) wrong(path string) (says string) {
	for i := range w.d.Diags {
		if g := &w.d.Diags[i]; g.Path == path {
			w.shown[i] = true
			says = strings.TrimSpace(says + " " + told(g))
		}
	}
	return says
}

// near are the warnings about a value; they keep nothing from beginning.
func (w *writer) near(path string) (says string) {
	for i := range w.d.Near {
		if g := &w.d.Near[i]; g.Path == path {
			says = told(g)
		}
	}
	return says
}

// told is a message with what would help.
func told(g *diagnostics.Diagnostic) string {
	return words.Sentence(g.Message.In(words.Now()) + ": " + g.Fix.In(words.Now()))
}

// field is a labelled field; the label is in the reader's language. what is "text", "area" or "number".
func (w *writer) field(what, label, path, value string) app.UI {
	if what == "number" { // half a number is another one
		return w.labelled(El("input.field|type=number|step=any"), "change", label, path, value)
	}
	in := El("input.field|type=text|autocomplete=off")
	if what == "area" {
		in = El("textarea.field|rows=3")
	}
	w.texts = append(w.texts, [2]string{path, value})
	return w.labelled(in, "input", label, path, value)
}

// labelled writes what a field holds after an event: of a text each keystroke, as the page may be gone after it.
func (w *writer) labelled(in app.UI, event, label, path, value string) app.UI {
	says := w.wrong(path)
	id := "a" + strings.ReplaceAll(path, "/", "-")
	kids := []app.UI{Txt("span", label), Given(Set(in, "value", value, "data-at", path, "aria-invalid",
		Flag(says != ""),
		"aria-describedby", id), event, func(v string) state.Action {
		return board.WriteValue{Path: path, Text: v}
	}, path)}
	kids = append(kids, Set(Txt("span.error", Upper(says)), "id", id, "hidden", Flag(says == "")))
	if near := w.near(path); near != "" {
		kids = append(kids, Txt("span.warn|data-test=near-edge", Upper(near)))
	}
	return El("label.afield", kids...)
}

// pick is a labelled choice, as value and title in turn.
func (w *writer) pick(label, path, value string, options ...string) app.UI {
	var kids []app.UI
	known := false
	for i := 0; i+1 < len(options); i += 2 {
		known = known || options[i] == value
		kids = append(kids, Option(options[i], options[i+1], options[i] == value))
	}
	if !known {
		kids = append(kids, Option(value, value, true))
	}
	return w.labelled(El("select.field", kids...), "change", label, path, value)
}

func (w *writer) check(label, path string, on bool) app.UI {
	return El("label.check", Checked(El("input|type=checkbox"), on, func(on bool) state.Action {
		return board.SetSwitch{Path: path, On: on}
	}), Text(" "+label))
}

// ways are the buttons that move an entry of a list up and down, and take it out.
func (w *writer) ways(what, path string) app.UI {
	way := func(sign, label string, a state.Action) app.UI {
		return elm.On(Set(Txt("button.btn icon|type=button|data-kind=quiet", sign), "aria-label", label, "title", label),
			"click", Act(a), sign, what)
	}
	return El("div.ways", way("↑", words.F("Move up: {0}", what), board.MoveEntry{Path: path, By: -1}),
		way("↓", words.F("Move down: {0}", what), board.MoveEntry{Path: path, By: 1}),
		way("×", words.F("Take out: {0}", what), board.DropEntry{Path: path}))
}

func (w *writer) add(label, test, list string) app.UI {
	return Set(elm.On(El("button.btn|type=button", Icon("plus"), Text(label)), "click", Act(board.AddEntry{Path: list}),
		test), "data-test", test)
}

func written(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }

// metrics are the metrics that a class may ask for and what they are called, in turn, after the first choices.
func metrics(first ...string) []string {
	for _, m := range class.MetricNames {
		first = append(first, m, metricBrief(m))
	}
	return first
}

// metricBrief is what sentences call a metric.
func metricBrief(metric string) string { return words.T(message.FindMetric(metric).Brief) }

// Render draws the editor, or the ways into it.
func (v *Writing) Render() app.UI {
	if v.Draft == nil {
		kids := []app.UI{Say("p", "Start from one of the assignments, or from the scenario that stands in the lab. A file or a link opens here, too."),
			Set(Button(".btn|data-kind=primary|data-test=write-own", "From the scenario in the lab", "own",
				board.WriteAssignment{}),
				"aria-label", words.F("From the scenario in the lab: {0}", v.Title))}
		for _, a := range v.Ready {
			kids = append(kids, elm.On(Set(Txt("button.btn|type=button", teach.Say(a.Title)),
				"data-test", "write-"+a.ID), "click",
				Act(board.WriteAssignment{ID: a.ID}), a.ID))
		}
		kids = append(kids, elm.On(Say("button.btn|type=button", "Open a file…"), "click", Picks(ClassFiles), "file"))
		return El("section.panel own|aria-labelledby=h-own",
			El("header", Say("h2|id=h-own", "An assignment of your own")),
			El("div.pad", v.undo(), El("div.ways", kids[1:]...), kids[0]))
	}
	w := &writer{Writing: v, d: v.Draft, shown: map[int]bool{}}
	a := w.d.A
	kids := []app.UI{
		w.field("text", words.T("Title"), "/title", a.Title),
		w.field("text", words.T("Id"), "/id", a.ID),
		w.field("area", words.T("What students know afterwards"), "/goal", a.Goal),
		w.field("area", words.T("Situation: what they read before they predict"), "/situation", a.Situation)}
	for i := range a.Questions {
		kids = append(kids, w.question(i))
	}
	kids = append(kids, w.add(words.T("Add a question"), "add-question", "/questions"),
		w.field("area", words.T("What to explain in a sentence, empty = nothing"), "/explain", a.Explain),
		w.task(), w.open(), w.plan())
	return El("section.panel own|data-test=writing|aria-labelledby=h-own",
		El("header", Say("h2|id=h-own", "An assignment of your own")),
		El("div.pad", append([]app.UI{v.undo(), w.out(), Say("p.mute",
			"This browser keeps it until you discard it.")}, append(kids, w.rest(), elm.Hook(w.texts))...)...))
}

// out are the ways from the draft: to students, to a file, to a class.
func (w *writer) out() app.UI {
	ok := w.d.Parsed != nil
	kids := []app.UI{Set(asks(".btn|data-kind=primary|data-test=start-own", words.T("Start the class"), board.Own, ""),
		"disabled", Flag(!ok || platform.Site())),
		Set(Button(".btn|data-test=find-right", "Find the right answers", "right",
			board.FindRight{}), "disabled",
			Flag(!ok)), Button(".btn|data-test=save-assignment", "Save as a file", "saveown", board.SaveAssignment{}),
		Button(".btn|data-kind=quiet|data-test=discard-own", "Discard", "dropown", board.DropDraft{})}
	switch {
	case ok && w.d.Parsed.Races():
		kids = append(kids, needsServer())
	case ok:
		link := board.JoinLink(w.d.Parsed)
		kids = append(kids, Set(Say("a.btn|target=_blank|data-test=preview-own", "See it as a student"), "href", link),
			CopyRow("link-own", words.T("Link of the assignment"), w.Origin+link, "", w.Copied), Local(w.Origin))
	default:
		kids = append(kids, Txt("span.error|role=status|data-test=own-errors", words.F("{0} to correct",
			Itoa(len(w.d.Diags.Errors())))))
	}
	return El("div.ways", kids...)
}

// rest are the messages that no field has taken.
func (w *writer) rest() app.UI {
	var items []app.UI
	for i := range w.d.Diags {
		if g := &w.d.Diags[i]; !w.shown[i] {
			items = append(items, Txt("li.error", g.Path+": "+told(g)))
		}
	}
	return El("ul.log", items...)
}

func (w *writer) question(i int) app.UI {
	q, at := &w.d.A.Questions[i], "/questions/"+Itoa(i)
	name := words.F("Question {0}", Itoa(i+1))
	kids := []app.UI{El("legend", Text(name)), w.ways(name, at),
		w.field("text", words.T("Question"), at+"/text", q.Text),
		w.pick(words.T("What is right"), at+"/kind", q.Kind,
			class.Less, words.T("the run says: which lane has least"),
			class.Share, words.T("the run says: by how much two lanes differ"),
			class.Loses, words.T("the run says: which job loses most"), class.Fixed, words.T("I say it"))}
	if q.Kind == class.Fixed {
		var options []string
		for _, o := range q.Options {
			options = append(options, o.ID, o.Text)
		}
		kids = append(kids, w.pick(words.T("Right answer"), at+"/right", q.Right, options...))
	} else if q.Kind != class.Loses {
		kids = append(kids, w.pick(words.T("Of which figure"), at+"/metric", q.Metric, metrics()...))
	}
	if q.Kind == class.Less {
		kids = append(kids, w.field("number", words.T("Same up to this share, as 0.02"), at+"/within",
			written(q.Within)))
	}
	kids = append(kids, w.check(words.T("Ask it again after the discussion"), at+"/again", q.Again))
	for k := range q.Options {
		kids = append(kids, w.option(i, k))
	}
	if says := w.wrong(at + "/options"); says != "" {
		kids = append(kids, Txt("p.error", Upper(says)))
	}
	kids = append(kids, w.add(words.T("Add an answer"), "add-option-"+Itoa(i), at+"/options"))
	return El("fieldset", kids...)
}

func (w *writer) option(i, k int) app.UI {
	q := &w.d.A.Questions[i]
	o, at := &q.Options[k], "/questions/"+Itoa(i)+"/options/"+Itoa(k)
	name := words.F("Answer {0} of question {1}", Itoa(k+1), Itoa(i+1))
	head := []app.UI{Txt("b", name)}
	if right, ok := w.d.Truth[q.ID]; ok && right == o.ID {
		head = append(head, Say("b.right", "✓ right"))
	}
	presets := []string{"", words.T("none")}
	for n := range w.Boot.Presets {
		p := &w.Boot.Presets[n]
		presets = append(presets, p.Name, words.T(p.Title))
	}
	kids := []app.UI{El("div.ahead", append(head, w.ways(name, at))...),
		w.field("text", words.T("Answer"), at+"/text", o.Text),
		w.field("text", words.T("Id: a policy, a job, same, none"), at+"/id", o.ID),
		w.field("text", words.T("Note"), at+"/note", o.Note),
		w.field("text", words.T("Idea behind it, if it is wrong"), at+"/idea", o.Idea),
		w.pick(words.T("Preset that tests it"), at+"/preset", o.Preset, presets...)}
	if q.Kind == class.Share {
		kids = append(kids, w.field("number", words.T("From, %"), at, written(o.From)),
			w.field("number", words.T("To, %, 0 = no end"), at+"/to", written(o.To)))
	}
	return El("div.aoption", kids...)
}

func (w *writer) task() app.UI {
	a := w.d.A
	kids := []app.UI{Say("legend", "Task"), w.check(words.T("There is a task"), "/task", a.Task != nil)}
	if t := a.Task; t != nil {
		var lanes, titles []string
		for _, k := range w.d.Lanes() {
			titles = append(titles, w.Boot.WholeTitle(k))
		}
		titles = run.Apart(titles...)
		for i, k := range w.d.Lanes() {
			lanes = append(lanes, k, titles[i])
		}
		kids = append(kids, w.field("area", words.T("What they do"), "/task/text", t.Text),
			w.pick(words.T("Who shall win"), "/task/winner", t.Winner, lanes...),
			w.pick(words.T("Of which figure"), "/task/metric", t.Metric, metrics()...))
		if t.Race == nil {
			kids = append(kids, w.field("number", words.T("By so many changes"), "/task/changes", Itoa(t.Changes)))
		}
		kids = append(kids, w.check(words.T("A race: they write that lane, and nothing else"), "/task/race", t.Race != nil))
		if t.Race != nil {
			kids = append(kids, w.race(t.Race)...)
		}
	}
	return El("fieldset", kids...)
}

// race is what a race allows, and where else what is written is run.
func (w *writer) race(r *class.Race) []app.UI {
	kids := []app.UI{w.field("number", words.T("Attempts, 1 to 20"), "/task/race/attempts", Itoa(r.Tries()))}
	for i := range r.Bounds {
		b, at := &r.Bounds[i], "/task/race/bounds/"+Itoa(i)
		kids = append(kids, El("div.aoption", w.pick(words.T("Figure that may not be above"), at+"/metric", b.Metric,
			metrics()...), w.field("number", words.T("This"), at+"/most", written(b.Most)),
			w.ways(metricBrief(b.Metric), at)))
	}
	kids = append(kids, w.add(words.T("Add a bound"), "add-bound", "/task/race/bounds"))
	presets := []string{"", words.T("choose…")}
	for n := range w.Boot.Presets {
		p := &w.Boot.Presets[n]
		presets = append(presets, p.Name, words.T(p.Title))
	}
	for i := range r.Scenarios {
		title := w.d.Titles[i]
		kids = append(kids, El("div.aoption", Txt("b", title), w.ways(title, "/task/race/scenarios/"+Itoa(i))))
	}
	return append(kids, Say("p.soft", "What they write also runs on these, which nobody sees until the class is closed."),
		w.pick(words.T("Add a scenario"), "/task/race/scenarios", "", presets...),
		Set(Txt("p.soft", raceTakes(r)), "data-test", "race-takes"))
}

// raceTakes is what the server may have to compute of a race at most.
func raceTakes(r *class.Race) string {
	const students = 30
	time := func(n int) string { return figure.Say(words.Now(), r.Seconds(n), "s") }
	return words.F("The server computes up to {0} for a student and {1} for {2}, if programs use all that they may.",
		time(1), time(students), words.Plural(students, "student"))
}

// open are the values that students may change.
func (w *writer) open() app.UI {
	a := w.d.A
	names := []string{}
	for i := range w.d.Opens {
		k := &w.d.Opens[i]
		names = append(names, k.Path, k.Group+": "+k.Name)
	}
	kids := []app.UI{Say("legend", "What students may change"), Say("p.soft", "Nothing in the list means every number.")}
	for i := range a.Open {
		o, at := &a.Open[i], "/open/"+Itoa(i)
		kids = append(kids, El("div.aoption",
			w.pick(words.T("Value"), at, o.Path, names...),
			w.field("number", words.T("From"), at+"/from", written(o.From)),
			w.field("number", words.T("To"), at+"/to", written(o.To)),
			w.ways(o.Path, at)))
	}
	kids = append(kids, w.add(words.T("Open a value"), "add-open", "/open"))
	return El("fieldset", kids...)
}

func (w *writer) plan() app.UI {
	kids := []app.UI{Say("legend", "Plan")}
	for i, s := range w.d.A.Plan {
		at := "/plan/" + Itoa(i)
		kids = append(kids, El("div.aoption", Txt("b", teach.PhaseTitle(s.Phase)),
			w.field("number", words.T("Minutes"), at+"/minutes", edit.FormatNumber(s.Minutes)),
			w.field("text", words.T("Hint for you"), at+"/teacher", s.Teacher)))
	}
	return El("fieldset", kids...)
}
