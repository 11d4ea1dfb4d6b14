package board

import (
	"slices"
	"strings"
	"time"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/class"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Render draws the dialog of the board that is open.
func (b *BoardSheets) Render() app.UI { return El("div.layers", b.open()...) }

func (b *BoardSheets) open() []app.UI {
	spoken := b.Announcement
	if b.Assignment == nil {
		return nil
	}
	switch b.Sheet {
	case "students":
		return []app.UI{Dialog("Students", "students", spoken, shutSheet(), b.students()...)}
	case "tags":
		return []app.UI{Dialog("Only tags of a list join", "tags", spoken, shutSheet(), b.tags()...)}
	case "assistants":
		return []app.UI{Dialog("Assistants", "assistants", spoken, shutSheet(), b.assistants()...)}
	case "since":
		return []app.UI{Dialog("Remove all who joined since then?", "since", spoken, shutSheet(),
			b.removeSince()...)}
	case "sentences":
		return []app.UI{Dialog("What they say", "sentences", spoken, shutSheet(), b.sentences()...)}
	case "out":
		return []app.UI{Dialog("Export the class", "out", spoken, shutSheet(), b.out()...)}
	case "delete":
		return []app.UI{Dialog("Delete the class now?", "delete", spoken, shutSheet(), b.deleteNow()...)}
	case "longer":
		return []app.UI{Dialog("Until when is the homework open?", "longer", spoken, shutSheet(), b.longer()...)}
	case "release":
		return []app.UI{Dialog("Release the feedback now?", "release", spoken, shutSheet(), b.release()...)}
	case "larger":
		return []app.UI{Dialog("A larger run", "larger", spoken, shutSheet(), b.larger()...)}
	case "pair":
		return []app.UI{Dialog("Two submissions side by side", "pair", spoken, shutSheet(), b.pair()...)}
	}
	return nil
}

// hour is a time of day in the reader's own zone.
func hour(ms int64) string {
	if ms == 0 {
		return ""
	}
	return time.UnixMilli(ms).Format("15:04")
}

// students are who is in the class, what each has done, and the class's log.
func (b *Board) students() (kids []app.UI) {
	if b.Pass != nil {
		kids = append(kids, Set(Note("note", El("div", Txt("p", words.F("One-time code for {0}, for 5 minutes:",
			b.nameOf(b.For))),
			Txt("p.codeword|data-test=pass", inFours(b.Pass.Code)), Say("p.soft",
				"Enter it on the join page of the other phone. The old one is signed out then."))), "data-test", "pass-note"))
	}
	done := map[int]map[string]bool{}
	for i := range b.Entries {
		e := &b.Entries[i]
		if done[e.Student] == nil {
			done[e.Student] = map[string]bool{}
		}
		done[e.Student][e.Kind] = true
	}
	tick := func(s *class.Student, kind string) app.UI {
		if done[s.N][kind] {
			return Td("✓")
		}
		return Td("")
	}
	var rows []app.UI
	for i := range b.Students {
		s := &b.Students[i]
		if s.Removed {
			continue
		}
		who := []app.UI{Txt("th|scope=row", s.Name), Td(s.Tag), Td(hour(s.JoinedMS)), tick(s, class.Answers), tick(s,
			class.Vote),
			tick(s, class.Sentence), tick(s, class.Submission)}
		var ways []app.UI
		if !b.Local() && !b.Assists() {
			ways = append(ways, Set(Button(".btn|data-kind=quiet|data-test=give-pass", "New code", "pass"+Itoa(s.N),
				board.GivePass{N: s.N}), "aria-label", words.F("One-time code for {0}", s.Name)))
		}
		if !b.Assists() {
			ways = append(ways, Set(Button(".btn|data-kind=quiet|data-test=remove", "Remove", "remove"+Itoa(s.N),
				board.RemoveStudent{N: s.N}), "aria-label", words.F("Remove {0}", s.Name)))
		}
		rows = append(rows, Set(El("tr", append(who, El("td", El("div.ways", ways...)))...), "data-student", Itoa(s.N)))
	}
	if !b.Local() {
		list := []app.UI{opens("Only tags of a list join…", "tags")}
		if !b.Assists() {
			list = append(list, opens("Assistants…", "assistants"))
		}
		kids = append(kids, El("div.ways", list...))
	}
	kids = append(kids, Say("p.soft", "Names are given by the server. A new code lets a student come back whose phone is lost."),
		El("div.scroll", Table(".rows|data-test=students", "Students", []app.UI{Th("Name"), Th("Tag"), Th("Joined"),
			Th("Answered"),
			Th("Voted"), Th("Explained"), Th("Submitted"), Th("")}, rows)))
	if !b.Local() && !b.Assists() {
		kids = append(kids, b.sinceWhen()...)
	}
	return append(kids, b.classLog()...)
}

// sinceWhen chooses the moment since which all who joined are to be removed, as when somebody has filled the class.
func (b *Board) sinceWhen() []app.UI {
	since := b.Since
	options := []app.UI{Option("", words.T("choose…"), since == 0)}
	for _, a := range b.Arrivals() {
		label := hour(a.SinceMS) + " (" + words.Plural(a.Students, "student") + ")"
		options = append(options, Option(Itoa(int(a.SinceMS)), label, since == a.SinceMS))
	}
	if len(options) == 1 {
		return nil
	}
	label := words.T("All who joined since")
	choose := Given(Set(El("select.field|data-test=since", options...), "aria-label", label), "change",
		func(value string) state.Action {
			return board.ChooseSince{Ms: int64(WholeNumber(value))}
		})
	return []app.UI{El("div.picks", Txt("span.soft", label), choose,
		Set(Button(".btn|data-kind=quiet|data-test=since-remove", "Remove them…", "since",
			board.OpenSheet{Name: "since"}), "disabled", Flag(since == 0)))}
}

// removeSince asks whether all who joined since the chosen moment are to be removed.
func (b *Board) removeSince() []app.UI {
	since, n := b.Since, 0
	for _, a := range b.Arrivals() {
		if a.SinceMS >= since {
			n = a.Students
		}
	}
	return []app.UI{Txt("p", words.F("{0} joined at {1} or later. What they handed in counts no more, and their devices are signed out. Nothing brings them back; who belongs here joins anew.",
		words.Plural(n, "student"), hour(since))),
		El("div.ways", Button(".btn|autofocus=true|data-test=since-keep", "Keep them", "keep",
			board.KeepSince{}),
			Button(".btn|data-kind=danger|data-test=since-now", "Remove them now", "remove", board.RemoveSince{}))}
}

func (b *Board) nameOf(n int) string {
	i := slices.IndexFunc(b.Students, func(s class.Student) bool { return s.N == n })
	if i < 0 {
		return words.F("Student {0}", Itoa(n))
	}
	return b.Students[i].Name
}

// classLog is what was done to students, latest first.
func (b *Board) classLog() []app.UI {
	var rows []app.UI
	for i := len(b.Entries) - 1; i >= 0; i-- {
		e := &b.Entries[i]
		if e.Kind != class.Log {
			continue
		}
		says := e.Text
		switch e.Text {
		case class.Recovered:
			says = words.T("came back with a one-time code; the old device is signed out")
		case class.Removed:
			says = words.T("was removed")
		case class.TagAgain:
			says = words.T("somebody else wanted to join with this tag")
		}
		rows = append(rows, Txt("li", hour(e.AtMS)+" "+b.nameOf(e.Student)+" "+says))
	}
	if len(rows) == 0 {
		return nil
	}
	return []app.UI{Say("h3", "Log"), El("ul.log|data-test=class-log", rows...)}
}

// sentences are what students wrote, as text and without names: equal ones as one, each to be put on the wall or
// hidden.
func (b *BoardSheets) sentences() []app.UI {
	all := b.Tally.Voices()
	var rows []app.UI
	hidden, people := 0, 0
	for i := range all {
		v := &all[i]
		people += v.People
		if slices.Contains(b.Hidden, v.Text) {
			hidden++
			continue
		}
		if !strings.Contains(strings.ToLower(v.Text), strings.ToLower(b.Filter)) {
			continue
		}
		says := words.F("{0} of {1} right", Itoa(v.Right), Itoa(len(b.Truth)))
		if v.People > 1 {
			says = words.F("{0} people, at most {1} of {2} right", Itoa(v.People), Itoa(v.Right), Itoa(len(b.Truth)))
		}
		wall := class.Wall{Shows: class.SentencePicture, Sentence: v.Text, Larger: b.State.Wall.Larger}
		rows = append(rows, El("li", Txt("span", "“"+v.Text+"”"), Txt("span.mute", " "+says),
			El("div.ways", Set(Button(".btn|data-test=sentence-up", "On the wall", "up"+v.Text,
				board.PutUp{Wall: wall}), "aria-pressed", OnOff(b.State.Wall.Shows == wall.Shows &&
				b.State.Wall.Sentence == wall.Sentence), "disabled",
				Flag(!b.State.Tells())),
				Button(".btn|data-kind=quiet|data-test=sentence-hide", "Hide", "hide"+v.Text,
					board.HideSentence{Text: v.Text}))))
	}
	kids := []app.UI{Given(Set(El("input.field|type=search|placeholder=Only those with the word…|aria-label=Only those with the word…|data-test=sentences-filter|autofocus=true"),
		"value", b.Filter), "input", func(value string) state.Action {
		return board.FilterSentences{Text: value}
	}), Txt("p.soft|role=status|data-test=sentences-count",
		words.F("{0} shown, written by {1}", Itoa(len(rows)), words.Count(people, "{0} person", "{0} people")))}
	if hidden > 0 {
		kids = append(kids, Button(".btn|data-kind=quiet|data-test=sentences-all", words.F("Show the {0} that are hidden",
			Itoa(hidden)), "unhide", board.HideSentence{}))
	}
	return append(kids, El("ul.sentences|data-test=sentences-list", rows...))
}

// hands is the button that hands out a file of the class.
func hands(label, what string) app.UI {
	return Set(Button(".btn", label, what, board.ExportClass{What: what}), "data-test", "export-"+what)
}

// out are the files of the class, print, and the end of what is kept.
func (b *Board) out() []app.UI {
	kids := []app.UI{El("label.check", Checked(El("input|type=checkbox|data-test=export-names"), b.Names,
		func(on bool) state.Action { return board.NamesOut{On: on} }),
		Text(" "+words.T("With given names and tags"))),
		El("div.ways", hands("One row a student, CSV", "students"), hands("One row an attempt, CSV", "attempts"),
			hands("Who moved where, CSV", "moves"), hands("Everything, JSON", "record"),
			hands("Print a report…", "print")), b.grades(),
		Say("p.soft", "The CSV files open in spreadsheets and course systems: no cell is taken for a formula. The JSON file opens here again as a board.")}
	if !platform.Site() {
		kids = append(kids, asks(".btn|data-kind=quiet|data-test=same-again",
			words.T("Start again with this assignment…"), board.Same, ""))
	}
	if b.Local() {
		return append(kids, Say("p.soft", "This board is kept nowhere. Save everything as JSON before you close the page."))
	}
	kids = append(kids, Txt("p.soft", words.F("The server deletes everything on {0} by itself.",
		time.UnixMilli(b.GoneMS).Format("2006-01-02"))))
	if b.Assists() {
		return kids
	}
	return append(kids, opens("Delete everything now…", "delete"))
}

func (b *Board) deleteNow() []app.UI {
	return []app.UI{Txt("p", words.F("Code {0}, {1} and everything that they handed in are deleted on the server at once. Only an earlier copy of its database keeps them.",
		inFours(b.Code), words.Plural(b.Tally.Joined, "student"))),
		El("div.ways", Button(".btn|autofocus=true|data-test=delete-keep", "Keep the class", "keep",
			board.OpenSheet{}),
			Button(".btn|data-kind=danger|data-test=delete-now", "Delete everything now", "delete", board.DeleteClass{}))}
}

// pair are two submissions on one time axis: every lane of the one above every lane of the other.
func (b *Board) pair() []app.UI {
	if len(b.Pair) < 2 {
		return []app.UI{Say("p|role=status", "Both are being run…")}
	}
	end, round := unit.Tick(1), unit.Tick(0)
	for _, p := range b.Pair {
		for _, l := range p.Lanes {
			end, round = max(end, l.Trace.End), l.Trace.Round
		}
	}
	axis := chart.NewAxis(end, round)
	sides := Each(len(b.Pair), func(k int) app.UI {
		p := &b.Pair[k]
		title := Text(Itoa(k+1) + ". " + b.values().Edits(p.Edits) + " ")
		kids := []app.UI{El("h3", title, Set(Say("a|target=_blank|data-test=pair-open",
			"Open in the lab"), "href", p.Link))}
		for _, l := range p.Lanes {
			kids = append(kids, pairLane(l, &axis))
		}
		return El("section", append(kids, El("div.pairaxis",
			app.Raw(draw.AxisSVG(words.Now(), &axis, &chart.Diff{First: -1, Job: -1}, pairWide, ""))))...)
	})
	return []app.UI{Say("p.soft", "All lanes stand on one time axis, so that lengths can be compared."),
		El("div.pair", sides...)}
}

// pairWide is the width in px for which the lanes of two submissions are laid out.
const pairWide = 470

func pairLane(l *run.Lane, axis *chart.Axis) app.UI {
	frame := chart.NewFrame(l.Chart, pairWide)
	p := &draw.Picture{In: words.Now(), Lane: l.Chart, Trace: l.Trace, Axis: axis, Frame: frame,
		Policy: l.Meta.Policy, Title: l.Title}
	p.FitEnds()
	m, u := &l.Meta.Metrics, axis.Unit
	fact := func(name string, s float64) app.UI {
		return El("span", Text(words.T(name)+" "), Bold(u.Seconds(words.Now(), s)+" "+u.Short))
	}
	facts := El("div.facts")
	if m.AvgJCTS > 0 { // a job has finished
		facts = El("div.facts", fact("mean", m.AvgJCTS), fact("last", m.MakespanS))
	}
	return El("section.lane|data-test=pair-lane", El("header", Txt("h4", l.Title), facts),
		El("div.grid", El("div", app.Raw(draw.GutterSVG(words.Now(), l.Chart, l.Trace, frame, 92))),
			El("div.stack", app.Raw(p.SVG()))))
}

// handInPanel takes the files of a class that has no server.
func (b *FilesPanel) Render() app.UI {
	notes := Each(min(len(b.Notes), 6), func(i int) app.UI { return Txt("li", b.Notes[i]) })
	kids := []app.UI{Say("h2|id=h-files", "Board from files"),
		Say("p.soft", "Drop the hand-in files of the students on the page, all at once, or paste their links, one a line. A saved class or an assignment opens too. Nothing leaves this browser."),
		El("div.ways", elm.On(Say("button.btn|type=button|data-kind=primary|data-test=board-files", "Choose files…"), "click",
			Picks(ClassFiles), "files")),
		El("label", Say("span", "Links or hand-ins"), elm.On(elm.On(El("textarea.field|rows=3|id=paste|data-test=board-paste|spellcheck=false"),
			"change", takePaste), "input", func(ctx app.Context, e app.Event) {
			if strings.HasPrefix(e.Get("inputType").String(), "insertFrom") { // what is typed waits for its end
				takePaste(ctx, e)
			}
		})),
		elm.On(Say("button.btn|type=button|data-test=board-add", "Add"), "click", takePaste, "add")}
	if b.Assignment != nil {
		kids = append(kids, Say("p.soft|data-test=board-server-keeps", "When a homework opens and closes, and which tags alone may join, is kept by the server: no file holds it."))
	}
	if len(notes) > 0 {
		kids = append(kids, El("ul.log|data-test=board-notes", notes...))
	}
	return El("section.panel join files|aria-labelledby=h-files", kids...)
}

// takePaste takes what stands in the field, and empties it.
func takePaste(app.Context, app.Event) {
	field := app.Window().GetElementByID("paste")
	text := field.Get("value").String()
	field.Set("value", "")
	Do(board.BoardPaste{Text: text})
}

// report is the class on paper.
func (b *ClassReport) Render() app.UI {
	a := b.Assignment
	n := &b.Tally
	kids := []app.UI{Txt("h1", teach.Say(a.Title)), Txt("p", teach.Say(a.Situation)),
		Txt("p", board.CountWords(class.Counts{Joined: n.Joined, Committed: n.Committed, Submitted: n.Submitted}))}
	for i := range a.Questions {
		kids = append(kids, Txt("h2", teach.Say(a.Questions[i].Text)), b.answersTable(&a.Questions[i], &n.Questions[i]),
			b.moves(&a.Questions[i], &n.Questions[i]))
	}
	if len(n.Ideas) > 0 {
		kids = append(kids, Say("h2", "Sure but wrong"), El("ul", Each(len(n.Ideas), func(i int) app.UI {
			return Txt("li", Itoa(n.Ideas[i].People)+": "+teach.Say(n.Ideas[i].Idea))
		})...))
	}
	if a.Task != nil {
		kids = append(kids, Txt("h2", teach.Say(a.Task.Text)), Txt("p", b.Lesson(b.values(),
			b.winner())+" "+b.verdictWords()),
			b.triesTable(b.Dots(b.values())))
	}
	if len(n.Sentences) > 0 {
		kids = append(kids, Say("h2", "What they say"), El("ul", Each(len(n.Sentences), func(i int) app.UI {
			return Txt("li", n.Sentences[i].Text)
		})...))
	}
	r := b.Record(b.Boot.Engine, b.Defaults, b.Names)
	scores := r.Scores()
	var rows []app.UI
	for _, s := range r.Students {
		if s.Removed {
			continue
		}
		name := s.Name
		if !b.Names {
			name = words.F("Student {0}", Itoa(s.N))
		}
		score := scores[s.N]
		first := Itoa(score.First)
		if score.Practice {
			first = words.T("practice")
		}
		rows = append(rows, El("tr", Txt("th|scope=row", name), Td(s.Tag), TdNum(first), TdNum(Itoa(score.Second)),
			TdNum(Itoa(score.Task)), TdNum(words.F("{0} of {1}", Itoa(score.Sum()), Itoa(score.Most)))))
	}
	kids = append(kids, Table(".rows", "Students", []app.UI{Th("Name"), Th("Tag"), ThNum("First votes"),
		ThNum("Second vote"), ThNum("Task"), ThNum("Score")}, rows),
		Say("p", "The score is a point for each right first answer and one for the task. The second vote is shown and scores nothing."))
	if b.Unproved {
		kids = append(kids, Say("p", "That predictions came before the run is not proved here."))
	}
	return El("section.report|data-test=report", kids...)
}

// TeachHead is the bar of the page that begins a class.
type TeachHead struct{}

func (*TeachHead) Render() app.UI {
	return El("header.top", Txt("a.brand|href=/", "Hadarlab"), El("div.open", Say("h1", "Start a class")),
		El("div.acts", Say("a.btn|href=/join|data-test=teach-join", "Join a class"),
			Say("a.btn|data-kind=quiet|href=/docs/teach|hreflang=en", "For teachers"), NextLanguage(),
			elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"), "click",
				func(app.Context, app.Event) { platform.ToggleTheme() }, "theme")))
}

// Teach is the page that begins a class.
type Teach struct {
	Problem  string              // why the last thing that was asked for was not done
	Starting string              // the assignment with which a class is being begun, "" = none
	Ready    []*class.Assignment // that come with the page, none = they are yet to come
	Lost     bool                // they could not be had
	Origin   string              // the page's own address
	Copied   string              // the text that is on the clipboard
	Writing  *Writing
}

func TeachOf(t *board.Model, copied string) *Teach {
	return &Teach{t.Problem, t.Starting, t.Shipped(), t.Untaught, origin(), copied, writingOf(t, copied)}
}

func (t *Teach) Render() app.UI {
	list := t.Ready
	var kids []app.UI
	if t.Problem != "" {
		kids = append(kids, Set(Note("warning", Txt("div", t.Problem)), "data-test", "teach-problem"))
	}
	if platform.Site() {
		kids = append(kids, Note("warning", Say("div|data-test=teach-no-server", "This site has no server, so that no class can begin here. Give students the link of an assignment and make the board from their files, or start a server: hadarlab serve --class.")))
	}
	ready := Untaught(t.Lost)
	if len(list) > 0 {
		ready = El("div.assignments",
			Each(len(list), func(i int) app.UI { return t.assignment(list[i], i == 0) })...)
	}
	kids = append(kids, Say("p.lead",
		"Choose what the class does. It joins by a code or a picture, without accounts; you see what it thinks, and when the answers are shown is up to you."),
		El("p.soft", Say("a|href=/docs/networks|hreflang=en|data-test=networks", "Before the first lesson: networks and phones")),
		ready,
		elm.Part(t.Writing),
		El("section.panel kept|aria-labelledby=h-kept",
			El("header", Say("h2|id=h-kept", "What is kept, and how long")), El("div.pad",
				El("ul.plain", Say("li", "Given names such as “quiet heron”, answers, sentences, changed numbers, and the server’s times."),
					Say("li", "A tag only where a student types one that you handed out. No name, no address, no account."),
					Say("li", "The server deletes everything after 120 days. The board deletes it at once when you say so, and hands out CSV and JSON before.")))),
		El("section.panel kept|aria-labelledby=h-alone", El("header", Say("h2|id=h-alone", "Without a server")), El("div.pad",
			Say("p", "Give students the link of an assignment, in a course system or a mail. Each hands in a file or a link at the end. Your browser makes the same board from them."),
			El("p", Say("a.btn|href=/#board|data-test=board-local", "Board from files")))))
	return Set(El("main.board teach|id=main|data-test=teach|tabindex=-1", kids...), "data-state", "ready")
}

// assignment is one that a class can be given.
func (t *Teach) assignment(a *class.Assignment, first bool) app.UI {
	label, kind := words.T("Start the class"), ""
	if t.Starting == a.ID {
		label = words.T("Starting…")
	}
	if first {
		kind = "primary"
	}
	steps := Each(len(a.Plan), func(i int) app.UI {
		p := &a.Plan[i]
		return El("tr", Txt("th|scope=row", teach.PhaseTitle(p.Phase)), TdNum(words.F("{0} min",
			edit.FormatNumber(p.Minutes))),
			Td(teach.Say(p.Teacher)))
	})
	link := t.Origin + board.JoinLink(a)
	alone := El("details|data-test=link", Say("summary", "Without a server: the link for students"),
		CopyRow("link-"+a.ID, words.T("Link of the assignment"), link, "", t.Copied), Local(link),
		Set(Say("a|target=_blank|data-test=preview", "See it as a student"), "href", board.JoinLink(a)))
	if a.Races() {
		alone = needsServer()
	}
	return Set(El("article.panel assignment", El("header", Txt("h2", teach.Say(a.Title)), Txt("span.soft",
		words.F("{0} min", edit.FormatNumber(a.Minutes())))),
		El("div.pad", Txt("p", teach.Say(a.Goal)), Txt("p.soft", teach.Say(a.Situation)),
			El("details|data-test=plan", Say("summary", "Plan, minute by minute"),
				Table(".rows", "Plan, minute by minute", []app.UI{Th("Phase"), ThNum("Time"), Th("For you")}, steps)),
			El("p", Set(Say("a|hreflang=en|data-test=handout", "Page to teach from, and to print"), "href",
				"/docs/teach/"+a.ID)),
			El("div.ways", Set(asks(".btn|data-test=start-class", label, board.Shipped, a.ID),
				"data-kind", kind, "disabled", Flag(t.Starting != "" || platform.Site()),
				"aria-label", words.F("Start the class: {0}",
					teach.Say(a.Title)))),
			alone)), "data-assignment", a.ID)
}

// needsServer says why a race is handed out by no link.
func needsServer() app.UI {
	return Say("p.soft|data-test=needs-server",
		"A race needs a server: it runs what is written where nobody sees it.")
}
