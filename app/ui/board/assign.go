package board

import (
	"math"
	"slices"
	"strconv"
	"strings"

	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/core/message"
	diagnostics "hadarlab/core/text"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Writing is the editor of an own assignment.
type Writing struct {
	Draft  *state.AssignmentDraft // nil = none is being written
	Ready  []*class.Assignment    // from which one may begin
	Title  string                 // of the scenario in the lab, from which one may, too
	Boot   *state.Boot
	Origin string // the page's own address
	Copied string // the text that is on the clipboard
}

func writingOf(s *state.State) *Writing {
	return &Writing{s.Teach.Draft, state.ShippedAssignments(), s.Title(), s.Boot, origin(), s.Share.Copied}
}

// writer draws the draft: each field with what is wrong beside it.
type writer struct {
	*Writing
	d     *state.AssignmentDraft
	shown map[int]bool // diagnostics that stand beside a field
}

type change = func(*class.Assignment)

func (w *writer) change(f change) app.EventHandler { return Act(state.ChangeAssignment{Change: f}) }

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

// told is a message with what would help.
func told(g *diagnostics.Diagnostic) string {
	return Sentence(g.Message.In(words.Now()) + ": " + g.Fix.In(words.Now()))
}

// field is a labelled field; the label is in the reader's language. what is "text", "area" or "number".
func (w *writer) field(what, label, path, value string, put func(a *class.Assignment, value string)) app.UI {
	in := El("input.field|type=text|autocomplete=off")
	if what == "area" {
		in = El("textarea.field|rows=3")
	} else if what == "number" {
		in = El("input.field|type=number|step=any")
	}
	return w.labelled(in, label, path, value, put)
}

func (w *writer) labelled(in app.UI, label, path, value string, put func(a *class.Assignment, value string)) app.UI {
	says := w.wrong(path)
	id := "a" + strings.ReplaceAll(path, "/", "-")
	kids := []app.UI{Txt("span", label), Given(Set(in, "value", value, "data-at", path, "aria-invalid",
		Flag(says != ""),
		"aria-describedby", id), "change", func(v string) state.Action {
		return state.ChangeAssignment{Change: func(a *class.Assignment) { put(a, v) }}
	}, path)}
	return El("label.afield", append(kids, Set(Txt("span.error", says), "id", id, "hidden", Flag(says == "")))...)
}

// pick is a labelled choice, as value and title in turn.
func (w *writer) pick(label, path, value string, put func(a *class.Assignment, value string),
	options ...string) app.UI {
	var kids []app.UI
	known := false
	for i := 0; i+1 < len(options); i += 2 {
		known = known || options[i] == value
		kids = append(kids, Option(options[i], options[i+1], options[i] == value))
	}
	if !known {
		kids = append(kids, Option(value, value, true))
	}
	return w.labelled(El("select.field", kids...), label, path, value, put)
}

func (w *writer) check(label string, on bool, put func(a *class.Assignment, on bool)) app.UI {
	return El("label.check", Checked(El("input|type=checkbox"), on, func(on bool) state.Action {
		return state.ChangeAssignment{Change: func(a *class.Assignment) { put(a, on) }}
	}), Text(" "+label))
}

// ways are the buttons that move an entry of a list up and down, and take it out.
func (w *writer) ways(what string, move func(a *class.Assignment, by int), drop change) app.UI {
	way := func(sign, label string, f change) app.UI {
		return elm.On(Set(Txt("button.btn icon|type=button|data-kind=quiet", sign), "aria-label", label, "title", label),
			"click", w.change(f), sign, what)
	}
	return El("div.ways", way("↑", words.F("Move up: {0}", what), func(a *class.Assignment) { move(a, -1) }),
		way("↓", words.F("Move down: {0}", what), func(a *class.Assignment) { move(a, 1) }),
		way("×", words.F("Take out: {0}", what), drop))
}

func (w *writer) add(label, test string, f change) app.UI {
	return Set(elm.On(El("button.btn|type=button", Icon("plus"), Text(label)), "click", w.change(f), test), "data-test",
		test)
}

func decimal(v string) float64 {
	f, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(v), ",", ".", 1), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0 // what is wrong with that is said, where it is
	}
	return f
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
				state.WriteAssignment{}),
				"aria-label", words.F("From the scenario in the lab: {0}", v.Title))}
		for _, a := range v.Ready {
			kids = append(kids, elm.On(Set(Txt("button.btn|type=button", teach.Say(a.Title)),
				"data-test", "write-"+a.ID), "click",
				Act(state.WriteAssignment{ID: a.ID}), a.ID))
		}
		kids = append(kids, elm.On(Say("button.btn|type=button", "Open a file…"), "click", Picks(ClassFiles), "file"))
		return El("section.panel own|aria-labelledby=h-own",
			El("header", Say("h2|id=h-own", "An assignment of your own")),
			El("div.pad", El("div.ways", kids[1:]...), kids[0]))
	}
	w := &writer{v, v.Draft, map[int]bool{}}
	a := w.d.A
	kids := []app.UI{
		w.field("text", words.T("Title"), "/title", a.Title, func(a *class.Assignment, v string) { a.Title = v }),
		w.field("text", words.T("Id"), "/id", a.ID, func(a *class.Assignment, v string) { a.ID = v }),
		w.field("area", words.T("What students know afterwards"), "/goal", a.Goal, func(a *class.Assignment,
			v string) {
			a.Goal = v
		}),
		w.field("area", words.T("Situation: what they read before they predict"), "/situation", a.Situation,
			func(a *class.Assignment, v string) { a.Situation = v })}
	for i := range a.Questions {
		kids = append(kids, w.question(i))
	}
	kids = append(kids, w.add(words.T("Add a question"), "add-question", func(a *class.Assignment) {
		a.Questions = append(a.Questions, class.Question{ID: "q" + Itoa(len(a.Questions)+1), Kind: class.Fixed,
			Right:   "a",
			Options: []class.Option{{ID: "a"}, {ID: "b"}}})
	}), w.field("area", words.T("What to explain in a sentence, empty = nothing"), "/explain", a.Explain,
		func(a *class.Assignment, v string) { a.Explain = v }), w.task(), w.open(), w.plan())
	return El("section.panel own|data-test=writing|aria-labelledby=h-own",
		El("header", Say("h2|id=h-own", "An assignment of your own")),
		El("div.pad", append([]app.UI{w.out()}, append(kids, w.rest())...)...))
}

// out are the ways from the draft: to students, to a file, to a class.
func (w *writer) out() app.UI {
	ok := w.d.Parsed != nil
	kids := []app.UI{Set(Button(".btn|data-kind=primary|data-test=start-own", "Start the class", "startown",
		state.StartOwn{}),
		"disabled", Flag(!ok || platform.Site())),
		Set(Button(".btn|data-test=find-right", "Find the right answers", "right",
			state.FindRight{}), "disabled",
			Flag(!ok)), Button(".btn|data-test=save-assignment", "Save as a file", "saveown", state.SaveAssignment{})}
	if ok {
		link := state.JoinLink(w.d.Parsed)
		kids = append(kids, Set(Say("a.btn|target=_blank|data-test=preview-own", "See it as a student"), "href", link),
			CopyRow("link-own", words.T("Link of the assignment"), w.Origin+link, "", w.Copied), Local(w.Origin))
	} else {
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
	kids := []app.UI{El("legend", Text(name)),
		w.ways(name, func(a *class.Assignment, by int) { a.Questions = state.MoveIn(a.Questions, i, by) },
			func(a *class.Assignment) { a.Questions = slices.Delete(a.Questions, i, i+1) }),
		w.field("text", words.T("Question"), at+"/text", q.Text, func(a *class.Assignment,
			v string) {
			a.Questions[i].Text = v
		}),
		w.pick(words.T("What is right"), at+"/kind", q.Kind, func(a *class.Assignment,
			v string) {
			a.Questions[i].Kind = v
		},
			class.Less, words.T("the run says: which lane has least"),
			class.Share, words.T("the run says: by how much two lanes differ"),
			class.Loses, words.T("the run says: which job loses most"), class.Fixed, words.T("I say it"))}
	if q.Kind == class.Fixed {
		var options []string
		for _, o := range q.Options {
			options = append(options, o.ID, o.Text)
		}
		kids = append(kids, w.pick(words.T("Right answer"), at+"/right", q.Right,
			func(a *class.Assignment, v string) { a.Questions[i].Right = v }, options...))
	} else if q.Kind != class.Loses {
		kids = append(kids, w.pick(words.T("Of which figure"), at+"/metric", q.Metric,
			func(a *class.Assignment, v string) { a.Questions[i].Metric = v }, metrics()...))
	}
	if q.Kind == class.Less {
		kids = append(kids, w.field("number", words.T("Same up to this share, as 0.02"), at+"/within",
			written(q.Within),
			func(a *class.Assignment, v string) { a.Questions[i].Within = decimal(v) }))
	}
	kids = append(kids, w.check(words.T("Ask it again after the discussion"), q.Again,
		func(a *class.Assignment, on bool) { a.Questions[i].Again = on }))
	for k := range q.Options {
		kids = append(kids, w.option(i, k))
	}
	if says := w.wrong(at + "/options"); says != "" {
		kids = append(kids, Txt("p.error", says))
	}
	kids = append(kids, w.add(words.T("Add an answer"), "add-option-"+Itoa(i), func(a *class.Assignment) {
		q := &a.Questions[i]
		q.Options = append(q.Options, class.Option{ID: "o" + Itoa(len(q.Options)+1)})
	}))
	return El("fieldset", kids...)
}

func (w *writer) option(i, k int) app.UI {
	q := &w.d.A.Questions[i]
	o, at := &q.Options[k], "/questions/"+Itoa(i)+"/options/"+Itoa(k)
	put := func(f func(o *class.Option, v string)) func(*class.Assignment, string) {
		return func(a *class.Assignment, v string) { f(&a.Questions[i].Options[k], v) }
	}
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
	kids := []app.UI{El("div.ahead", append(head, w.ways(name,
		func(a *class.Assignment, by int) {
			a.Questions[i].Options = state.MoveIn(a.Questions[i].Options, k, by)
		},
		func(a *class.Assignment) { a.Questions[i].Options = slices.Delete(a.Questions[i].Options, k, k+1) }))...),
		w.field("text", words.T("Answer"), at+"/text", o.Text, put(func(o *class.Option, v string) { o.Text = v })),
		w.field("text", words.T("Id: a policy, a job, same, none"), at+"/id", o.ID, put(func(o *class.Option,
			v string) {
			o.ID = v
		})),
		w.field("text", words.T("Note"), at+"/note", o.Note, put(func(o *class.Option, v string) { o.Note = v })),
		w.field("text", words.T("Idea behind it, if it is wrong"), at+"/idea", o.Idea, put(func(o *class.Option,
			v string) {
			o.Idea = v
		})),
		w.pick(words.T("Preset that tests it"), at+"/preset", o.Preset, put(func(o *class.Option,
			v string) {
			o.Preset = v
		}),
			presets...)}
	if q.Kind == class.Share {
		kids = append(kids, w.field("number", words.T("From, %"), at, written(o.From), put(func(o *class.Option,
			v string) {
			o.From = decimal(v)
		})),
			w.field("number", words.T("To, %, 0 = no end"), at+"/to", written(o.To), put(func(o *class.Option,
				v string) {
				o.To = decimal(v)
			})))
	}
	return El("div.aoption", kids...)
}

func (w *writer) task() app.UI {
	a := w.d.A
	kids := []app.UI{Say("legend", "Task"), w.check(words.T("There is a task"), a.Task != nil,
		func(a *class.Assignment, on bool) {
			a.Task = nil
			a.Plan = slices.DeleteFunc(a.Plan, func(s class.Step) bool { return !on && s.Phase == class.Change })
			if on {
				a.Task = &class.Task{Metric: "avg_jct_s", Changes: 1}
			}
		})}
	if t := a.Task; t != nil {
		var lanes, titles []string
		for _, k := range w.d.Lanes() {
			titles = append(titles, w.Boot.WholeTitle(k))
		}
		titles = run.Apart(titles...)
		for i, k := range w.d.Lanes() {
			lanes = append(lanes, k, titles[i])
		}
		kids = append(kids, w.field("area", words.T("What they do"), "/task/text", t.Text, func(a *class.Assignment,
			v string) {
			a.Task.Text = v
		}),
			w.pick(words.T("Who shall win"), "/task/winner", t.Winner, func(a *class.Assignment,
				v string) {
				a.Task.Winner = v
			}, lanes...),
			w.pick(words.T("Of which figure"), "/task/metric", t.Metric, func(a *class.Assignment,
				v string) {
				a.Task.Metric = v
			}, metrics()...),
			w.field("number", words.T("By so many changes"), "/task/changes", Itoa(t.Changes),
				func(a *class.Assignment, v string) {
					a.Task.Changes = int(decimal(v))
				}))
	}
	return El("fieldset", kids...)
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
			w.pick(words.T("Value"), at, o.Path, func(a *class.Assignment, v string) { a.Open[i].Path = v }, names...),
			w.field("number", words.T("From"), at+"/from", written(o.From), func(a *class.Assignment,
				v string) {
				a.Open[i].From = decimal(v)
			}),
			w.field("number", words.T("To"), at+"/to", written(o.To), func(a *class.Assignment,
				v string) {
				a.Open[i].To = decimal(v)
			}),
			w.ways(o.Path, func(a *class.Assignment, by int) { a.Open = state.MoveIn(a.Open, i, by) },
				func(a *class.Assignment) { a.Open = slices.Delete(a.Open, i, i+1) })))
	}
	kids = append(kids, w.add(words.T("Open a value"), "add-open", func(a *class.Assignment) {
		for i := range w.d.Opens {
			k := &w.d.Opens[i]
			if !slices.ContainsFunc(a.Open, func(o class.Open) bool { return o.Path == k.Path }) {
				a.Open = append(a.Open, class.Open{Path: k.Path, From: max(k.Range.Min, 0), To: max(2*k.Value, 1)})
				return
			}
		}
	}))
	return El("fieldset", kids...)
}

func (w *writer) plan() app.UI {
	kids := []app.UI{Say("legend", "Plan")}
	for i, s := range w.d.A.Plan {
		at := "/plan/" + Itoa(i)
		kids = append(kids, El("div.aoption", Txt("b", state.PhaseTitle(s.Phase)),
			w.field("number", words.T("Minutes"), at+"/minutes", edit.FormatNumber(s.Minutes),
				func(a *class.Assignment, v string) {
					a.Plan[i].Minutes = decimal(v)
				}), w.field("text", words.T("Hint for you"), at+"/teacher", s.Teacher, func(a *class.Assignment,
				v string) {
				a.Plan[i].Teacher = v
			})))
	}
	return El("fieldset", kids...)
}
