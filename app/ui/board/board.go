// Package board draws what a teacher has before a class: the board with its sheets, the page that begins a class, and
// the editor of an assignment.
package board

import (
	"cmp"
	"slices"
	"strings"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/learn"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/class"
	"hadarlab/core/message"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Screen is the board, or the page that begins a class, in place of the lab.
func Screen(s *state.State) app.UI {
	var head, main, over app.UI
	if s.Board.Walls() && s.Board.Class != nil {
		return El("div.page", append([]app.UI{Say("a.skip|href=#main", "Skip to the main part"), app.Raw(Hatches),
			app.Raw(fairly)}, wallScreen(&s.Board)...)...)
	}
	if s.Room == room.Board && s.Board.Class != nil {
		b := boardOf(&s.Board, s.Share.Copied)
		head, main = elm.Part(&BoardHead{b}), elm.Part(boardMainOf(&s.Board, b))
		over = elm.Part(&BoardSheets{b, s.Announcement})
	} else {
		head, main, over = elm.Part(&TeachHead{}), elm.Part(TeachOf(&s.Board, s.Share.Copied)), El("div.layers")
	}
	if s.Board.Start != nil {
		over = startSheet(&s.Board)
	}
	return El("div.page",
		Say("a.skip|href=#main", "Skip to the main part"),
		app.Raw(Hatches), app.Raw(fairly), head, main,
		El("div.meaning|id=meaning|popover=manual|role=tooltip"),
		over,
		Txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Announcement))
}

// Board is a class and what of it is looked at: the parts of its page are drawn from it.
type Board struct {
	*teach.Board
	board.View
	Larger   board.Larger
	Boot     *room.Boot
	Defaults scenario.Defaults
	Lost     bool     // the server has not been reached for a while
	Over     bool     // the class is gone
	KeyStays bool     // the address holds the key
	Problem  string   // why the last thing that was asked for was not done
	Notes    []string // what came of files that were handed in, latest first
	Origin   string   // the page's own address
	Copied   string   // the text that is on the clipboard
}

func boardOf(t *board.Model, copied string) *Board {
	return &Board{t.Class, t.View, t.Larger, t.Boot, t.Defaults, t.Lost(), t.Over, t.KeyStays, t.Problem,
		t.Notes, origin(), copied}
}

// values names the values of the assignment.
func (b *Board) values() teach.Values { return b.Boot.Values(b.Assignment) }

// The parts of the board's page.
type (
	BoardHead    struct{ *Board }
	JoinPanel    struct{ *Board }
	Lobby        struct{ *Board }
	AnswersPanel struct{ *Board }
	TriesPanel   struct{ *Board }
	IdeasPanel   struct{ *Board }
	ChangedPanel struct{ *Board }
	FilesPanel   struct{ *Board }
	ClassReport  struct{ *Board }
	PhasesBar    struct {
		*Board
		Left  int64 // s of the phase
		Timed bool  // it has a time
	}
	BoardMain struct {
		PhasesBar
		Homework HomeworkBar
		Remote   Remote
	}
	BoardSheets struct {
		*Board
		Announcement string // what a screen reader is told
	}
)

func boardMainOf(t *board.Model, b *Board) *BoardMain {
	now := t.ServerMS()
	m := &BoardMain{PhasesBar: PhasesBar{Board: b}, Remote: *RemoteOf(t),
		Homework: HomeworkBar{b, b.State.Ahead(now), b.State.Open(now)}}
	if b.Assignment != nil {
		m.Left, m.Timed = b.Board.Left(t.ServerMS())
	}
	return m
}

// fairly is the pattern of the middle of three confidences.
const fairly = `<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs><pattern id="hatch-fairly" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="fairly" d="M0 0V7" stroke-width="2.200"></path></pattern></defs></svg>`

// origin is the page's own address; "" where there is no browser yet.
func origin() string {
	if !elm.Stands() {
		return ""
	}
	return platform.Home()
}

// opens is the button that opens a dialog of the board.
func opens(label, name string) app.UI {
	return Set(Button(".btn|data-kind=quiet", label, "sheet-"+name,
		board.OpenSheet{Name: name}), "data-test",
		"sheet-"+name)
}

func shutSheet() app.EventHandler {
	return Act(board.OpenSheet{})
}

// boardHead is the bar of the board.
func (b *BoardHead) Render() app.UI {
	title := words.T("Board")
	if b.Assignment != nil {
		title = teach.Say(b.Assignment.Title)
	}
	condition, says := "ready", words.F("{0} joined", Itoa(b.Tally.Joined))
	switch {
	case b.Lost:
		condition, says = "error", words.T("Not connected")
	case b.Assignment == nil && !b.Local():
		condition, says = "loading", words.T("Loading the class")
	case b.Local():
		says = words.F("{0} handed in", Itoa(b.Tally.Joined))
	}
	acts := []app.UI{Set(Txt("span.state", says), "data-state", condition)}
	if b.Assignment != nil && !b.Over {
		if !b.Local() && !b.Assists() {
			acts = append(acts, b.lock())
		}
		if !b.Local() && b.State.Tells() && !b.Assists() {
			acts = append(acts, opens("A larger run", "larger"))
		}
		acts = append(acts, opens("Students", "students"), opens("Export", "out"))
	}
	acts = append(acts, NextLanguage(),
		elm.On(Say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"),
			"click", func(app.Context, app.Event) { platform.ToggleTheme() }, "theme"))
	return El("header.top", Txt("a.brand|href=/", "Hadarlab"),
		El("div.open", Txt("h1", title)), El("div.acts", acts...))
}

// oldClass says that what stands on the board was found by another version, and offers a class of today's.
func (b *Board) oldClass() app.UI {
	says := Txt("div", words.F(
		"This class began with version {0}, and this one, {1}, may decide otherwise. What is right stays as that version found it; the task is solved by more than 2 %, as today.",
		b.State.Engine, b.Boot.Engine))
	var acts []app.UI
	if !b.Local() && !b.Assists() {
		acts = append(acts, Button(".btn|data-test=class-afresh", words.T("Start a fresh class with this assignment"),
			"afresh", board.StartAgain{}))
	}
	return Set(Note("warning", says, acts...), "data-test", "class-old")
}

// lock is the button by which nobody can join any more.
func (b *Board) lock() app.UI {
	label := words.T("Lock")
	if b.State.Locked {
		label = words.T("Locked")
	}
	other := !b.State.Locked
	return Set(Button(".btn|data-test=lock|title=Nobody can join while the class is locked", label, "lock",
		board.SetClass{Settings: class.Settings{Locked: &other}}), "aria-pressed", OnOff(b.State.Locked))
}

// labLock says what a lock of the lab keeps and what it cannot, until the run.
func (b *Board) labLock() app.UI {
	label, says := words.T("Lock the lab until the run"), words.T("The class’s lab is open: who has answered can run the scenario there now.")
	if b.State.LabLocked {
		label = words.T("Open the lab before the run")
		says = words.T("The class’s own lab is locked until the run.")
	}
	other := !b.State.LabLocked
	return El("details.hint|data-test=lab-lock-hint", Say("summary", "What phones can find out"),
		Txt("p", says+" "+words.T("The server tells nobody what is right before. But a phone that goes to a lab of its own can run the scenario by itself.")),
		Set(Button(".btn|data-test=lab-lock", label, "lab-lock",
			board.SetClass{Settings: class.Settings{LabLocked: &other}}), "aria-pressed", OnOff(b.State.LabLocked)))
}

// Render draws what stands on the board.
func (m *BoardMain) Render() app.UI {
	b := m.Board
	kids := b.notes()
	if b.Assignment != nil && !b.Over {
		switch {
		case b.Local():
			kids = append(kids, elm.Part(&m.Remote), elm.Part(&FilesPanel{b}))
		case b.State.Homework():
			kids = append(kids, elm.Part(&m.Homework), elm.Part(&m.Remote), elm.Part(&JoinPanel{b}))
		default:
			kids = append(kids, elm.Part(&m.PhasesBar), elm.Part(&m.Remote), elm.Part(&JoinPanel{b}))
		}
		if b.State.Phase == class.Lobby || b.State.Phase == class.Homework {
			kids = append(kids, elm.Part(&Lobby{b}))
		} else {
			kids = append(kids, elm.Part(&AnswersPanel{b}), elm.Part(&TriesPanel{b}), elm.Part(&IdeasPanel{b}),
				elm.Part(&ChangedPanel{b}))
		}
	} else if b.Local() && !b.Over {
		kids = append(kids, elm.Part(&FilesPanel{b}))
	}
	if b.Sheet == "out" && b.Assignment != nil {
		kids = append(kids, elm.Part(&ClassReport{b}))
	}
	condition := "ready"
	if b.Assignment == nil {
		condition = "loading"
	}
	return Set(El("main.board|id=main|data-test=board|tabindex=-1", kids...), "data-state", condition, "data-phase",
		string(b.State.Phase), "data-local", Flag(b.Local()))
}

// notes say what stands in the way of the board.
func (b *Board) notes() (notes []app.UI) {
	if b.Lost {
		notes = append(notes, Set(Note("warning", Say("div",
			"The server cannot be reached. The board shows what it had and goes on by itself when the network is back; answers of students are kept by their pages until then.")),
			"data-test", "board-lost"))
	}
	if b.Problem != "" {
		notes = append(notes, Set(Note("error", Txt("div", b.Problem)), "data-test", "board-problem"))
	}
	if b.KeyStays {
		notes = append(notes, Set(Note("warning", Say("div",
			"This browser keeps nothing: the address of this page holds the class’s key. Do not show it to the class, and do not lose it.")),
			"data-test", "board-key"))
	}
	if b.Over {
		notes = append(notes, El("p", Say("a.btn|href=/#teach", "Start a class")))
	}
	if b.State.Old && b.Assignment != nil && !b.Over {
		notes = append(notes, b.oldClass())
	}
	if b.Unproved && b.Assignment != nil {
		notes = append(notes, Set(Note("note", El("div", Say("b",
			"That predictions came before the run is not proved here."), Text(" "+words.T(
			"The work came as files, and their times are those of the students’ own devices. Results are run again by this page.")))),
			"data-test", "unproved"))
	}
	return notes
}

// phases are the phases of the plan as one bar, the time that is left, and the way to the next one.
func (b *PhasesBar) Render() app.UI {
	a, now := b.Assignment, b.State.Phase
	sure, asks := b.Leap.Sure(now), 0
	if sure != "" {
		asks = b.Out(sure)
	}
	steps := Each(len(a.Plan), func(i int) app.UI {
		p := &a.Plan[i]
		here := ""
		if p.Phase == now {
			here = "step"
		}
		title := teach.PhaseTitle(p.Phase)
		if asks > 0 && sure == p.Phase {
			title = words.F("{0} anyway", title)
		}
		return Set(elm.On(El("button.phase|type=button|data-test=phase", Txt("b", title),
			Txt("span", words.F("{0} min", edit.FormatNumber(p.Minutes)))), "click",
			Act(board.GoTo{Phase: p.Phase}), string(p.Phase)), "aria-current", here,
			"data-phase", string(p.Phase), "disabled", Flag(b.Assists()))
	})
	kids := []app.UI{Set(El("div.steps|role=group|aria-label=Phase of the class", steps...), "data-n", Itoa(len(steps)))}
	if left := b.Left; b.Timed {
		more := float64(max(left, 0))/60 + 1
		clock := []app.UI{Set(Txt("b", teach.Clock(left)), "title", words.T("Left of this phase"))}
		if !b.Assists() {
			clock = append(clock, Set(Button(".btn|data-kind=quiet|data-test=timer-more", "+ 1 min", "more",
				board.SetClass{Settings: class.Settings{Minutes: &more}}), "aria-label", words.T("One minute more")))
		}
		kids = append(kids, Set(El("div.timer|data-test=timer", clock...), "data-over", Flag(left < 0)))
	}
	if now != class.Closed && !b.Assists() {
		next := a.Next(now)
		label, kind, out := nextLabel(b.Board.Board, sure == next)
		kids = append(kids, Set(elm.On(El("button.btn next|type=button|data-test=next-phase",
			Text(label), Icon("forward")), "click", Act(board.GoTo{Phase: next}), "next"), "data-kind", kind, "title",
			out))
		if asks > 0 {
			kids = append(kids, Txt("p.warn|data-test=next-asks", teach.OutSays(asks)))
		}
	}
	return El("div.phases", kids...)
}

// nextLabel is what the way to the next phase is called, its kind, and what says how many answers that the phase ends
// are out, "" = none.
func nextLabel(b *teach.Board, sure bool) (label, kind, out string) {
	next := b.Assignment.Next(b.State.Phase)
	if n := b.Out(next); n > 0 {
		if out = teach.OutSays(n); sure {
			return words.F("{0} anyway", teach.PhaseTitle(next)), "", out
		}
	}
	return words.F("Next: {0}", teach.PhaseTitle(next)), "primary", out
}

// address is the address that students type, without what browsers add by themselves.
func address(origin string) string {
	_, host, _ := strings.Cut(origin, "://")
	return host + "/join"
}

// inFours is a code in two groups of four.
func inFours(code string) string {
	if len(code) != 8 {
		return code
	}
	return code[:4] + " " + code[4:]
}

// home is the address at which others reach this page.
func (b *Board) home() string {
	if Loopback(b.Origin) && len(b.Joins) > 0 { // the teacher's own machine is the server
		return b.Joins[0]
	}
	return b.Origin
}

// joinPanel says how one joins, and how many have done what.
func (b *JoinPanel) Render() app.UI {
	origin := b.home()
	kids := []app.UI{El("h2.soft|id=h-join", Text(words.T("Join at")+" "), Txt("b|data-test=join-address",
		address(origin))),
		Set(Txt("p.codeword|data-test=code", inFours(b.Code)), "aria-label",
			words.F("Code of the class: {0}", strings.Join(strings.Split(b.Code, ""), " "))),
		app.Raw(QRCode(origin + "/join#" + b.Code))}
	if Loopback(origin) {
		kids = append(kids, Say("p.warn", "Only this computer can open this address: the server was started for it alone. Start it without --addr 127.0.0.1, and phones can join."))
	}
	count := func(n int, test, label string) app.UI {
		return El("div", Set(Txt("b", Itoa(n)), "data-test", "count-"+test), Txt("span", label))
	}
	t := &b.Tally
	last := count(t.Submitted, "submitted", words.T("submitted"))
	if !b.State.Tells() {
		last = count(t.Voted, "voted", words.T("again"))
	}
	counts := []app.UI{count(t.Joined, "joined", words.T("joined")),
		count(t.Committed, "committed", words.T("answered")), last}
	if phase := b.State.Phase; phase != class.Lobby && phase != class.Predict && phase != class.Closed {
		counts = append(counts, Set(count(b.State.Counts.Ready, "ready", words.T("ready")), "title",
			words.T("Devices that have the lab’s program. Go on when you like: the others see the runs without it.")))
	}
	if b.State.Phase == class.Homework {
		counts = []app.UI{count(t.Joined, "joined", words.T("joined")),
			count(t.Committed, "committed", words.T("predicted")), count(t.Submitted, "submitted", words.T("changed")),
			count(t.Explained, "explained", words.T("written"))}
	}
	kids = append(kids, El("div.counts", counts...), b.roll())
	if s := b.Step(); s != nil && s.Teacher != "" {
		kids = append(kids, El("details.hint|data-test=hint|open=true", Say("summary", "For you"), Txt("p",
			teach.Say(s.Teacher))))
		if task := b.Assignment.Task; task != nil && s.Phase == class.Change && len(task.Works) > 0 {
			kids = append(kids, El("details.hint|data-test=works", Say("summary", "Changes that work"),
				El("ul", Each(len(task.Works), func(i int) app.UI {
					return Txt("li", b.values().Edits(task.Works[i:i+1]))
				})...)))
		}
	}
	if !b.State.Tells() && b.State.Phase != class.Homework && !b.Assists() {
		kids = append(kids, b.labLock())
	}
	return El("section.panel join|aria-labelledby=h-join", kids...)
}

// lobby is what a class reads while it gathers.
func (b *Lobby) Render() app.UI {
	a := b.Assignment
	last := Say("li", "Answer alone first. What is right comes with the run, for all at one time.")
	if b.State.Homework() {
		last = Say("li", "Work alone, when you like. What is right comes with the feedback.")
	}
	return El("section.panel lobby|aria-labelledby=h-lobby",
		El("header", Txt("h2|id=h-lobby", teach.Say(a.Title))),
		El("div.pad", Txt("p.situation", teach.Say(a.Situation)),
			El("ol.ways-in", Say("li", "Open the address or point a phone’s camera at the picture."),
				Say("li", "You get a name. Type nothing but a tag, if you were given one."),
				last),
			El("h3", Text(words.T("Students who have joined"))),
			El("ul.names|data-test=names", b.names()...)))
}

// names are those of the students, latest first.
func (b *Board) names() (out []app.UI) {
	for i := len(b.Students) - 1; i >= 0; i-- {
		if s := &b.Students[i]; !s.Removed {
			out = append(out, Txt("li", s.Name))
		}
	}
	return out
}

// shades are the three confidences in the legend of answers.
func shades() app.UI {
	swatch := func(conf string) string {
		fill := ""
		if conf == "2" {
			fill = ` fill="url(#hatch-fairly)"`
		}
		return `<svg width="16" height="14" aria-hidden="true"><rect data-conf="` + conf +
			`" x="1" y="1" width="14" height="12"></rect><rect data-conf="hatch" x="1" y="1" width="14" height="12"` + fill +
			`></rect></svg>`
	}
	return app.Raw(markup.Swatches("shades", swatch("3"), words.T("sure, 4 or 5"), swatch("2"), words.T("fairly, 3"),
		swatch("1"),
		words.T("a guess, 1 or 2")))
}

// answersPanel are the answers to one question, hidden until they are revealed.
func (b *AnswersPanel) Render() app.UI {
	a, v := b.Assignment, &b.View
	if len(a.Questions) == 0 {
		return El("section.panel answers|hidden=true")
	}
	n := min(v.Question, len(a.Questions)-1)
	q, t := &a.Questions[n], &b.Tally.Questions[n]
	open := b.Revealed(q.ID)
	label, kind := words.T("Reveal"), "primary"
	switch {
	case b.Early() && v.Sure == q.ID:
		label, kind = words.T("Reveal anyway"), ""
	case b.Early():
		label, kind = words.F("Reveal {0} of {1}…", Itoa(b.Tally.Committed), Itoa(b.Tally.Joined)), ""
	}
	reveal := Set(Button(".btn|data-test=reveal", label, "reveal", board.RevealAnswers{Question: q.ID, On: true}),
		"data-kind", kind)
	if open {
		reveal = Button(".btn|data-test=hide", "Hide again", "hide", board.RevealAnswers{Question: q.ID})
	}
	if b.Assists() {
		reveal = El("span|hidden=true")
	}
	tabs := Each(len(a.Questions), func(i int) app.UI {
		return Set(elm.On(Txt("button|type=button|data-test=question", Itoa(i+1)), "click",
			Act(board.ShowQuestion{At: i}), Itoa(i)), "aria-pressed", OnOff(i == n),
			"aria-label",
			words.F("Question {0}: {1}", Itoa(i+1), teach.Say(a.Questions[i].Text)))
	})
	head := El("header", Txt("h2|id=h-answers", teach.Say(q.Text)), El("div.seg", tabs...),
		reveal)
	return El("section.panel answers|aria-labelledby=h-answers", head, b.answers(q, t, open, v.Tables[0]))
}

// confidences are first answers by shade: sure, fairly, a guess.
func confidences(sure [5]int) (out [3]int) {
	for i, n := range sure {
		switch {
		case i+1 >= class.SureFrom:
			out[0] += n
		case i+1 >= class.FairlyFrom:
			out[1] += n
		default:
			out[2] += n
		}
	}
	return out
}

func (b *Board) answers(q *class.Question, t *class.QuestionTally, open, asTable bool) app.UI {
	joined := b.Tally.Joined
	if !open {
		stay := words.T("The answers stay hidden until you reveal them, here and on every student’s screen.")
		if !b.State.Tells() {
			stay = words.T("First answers stay hidden until you reveal them, as bars without what is right; the run reveals them at the latest.")
		}
		if b.Sure == q.ID && b.Early() {
			stay = words.T("Not all have answered. Press again to reveal.")
		} else if b.Local() {
			stay = words.T("The answers stay hidden until you reveal them.")
		}
		return El("div.pad hidden|data-test=answers-hidden",
			El("p.big", Bold(Itoa(b.Tally.Committed)), Text(" "+words.Count(b.Tally.Committed,
				"of {1} has answered", "of {1} have answered", Itoa(joined)))),
			Set(El("progress|aria-hidden=true"), "max", Itoa(max(joined, 1)), "value", Itoa(b.Tally.Committed)),
			Txt("p.soft", stay))
	}
	twin := Set(Button(".btn|data-kind=quiet|data-test=answers-table", "Table", "table",
		board.ToggleTwin{Which: 0}), "aria-pressed", OnOff(asTable))
	if asTable {
		return El("div.pad", b.answersTable(q, t), b.moves(q, t), El("div.under", twin))
	}

	most := 1
	for i := range t.Options {
		most = max(most, t.Options[i].Count(), t.Options[i].Votes())
	}
	rows := Each(len(q.Options), func(i int) app.UI {
		o, n := &q.Options[i], &t.Options[i]
		name := teach.Say(o.Text)
		by, again := confidences(n.Sure), confidences(n.Vote)
		voted := t.Voted > 0
		title := words.F("{0}: {1}, of them {2} sure, {3} fairly sure, {4} guess", name, Itoa(n.Count()), Itoa(by[0]),
			Itoa(by[1]), Itoa(by[2]))
		says := Itoa(n.Count())
		if voted {
			title += ". " + words.F("In the second vote {0}", Itoa(n.Votes()))
			says = words.F("{0}, then {1}", Itoa(n.Count()), Itoa(n.Votes()))
		}
		right := []app.UI{Txt("b", name), Txt("span.soft", teach.Say(o.Note)), Txt("b.said", says)}
		if t.Right == o.ID {
			right = append(right, Say("b.right", "✓ right"))
		}
		return Set(El("li", El("p", right...), app.Raw(draw.AnswerSVG(words.Now(), &draw.Answer{Sure: by[0],
			Fairly: by[1],
			Guess:  by[2],
			Again:  again, Voted: voted}, most, title))), "data-right", Flag(t.Right == o.ID))
	})
	kids := []app.UI{El("ul.options|data-test=options", rows...), El("div.under", shades(), twin)}
	if !b.State.Tells() {
		kids = append(kids, Say("p.soft", "What is right, and the second votes, are shown from the run on."))
	}
	if t.Voted > 0 {
		m := b.Moves(t)
		parts := []app.UI{Txt("b|data-test=gained", cmp.Or(b.Gained(t), words.T("Second vote"))),
			Txt("span", words.F("{0} of {1} in", Itoa(m.Voted), Itoa(b.Tally.Committed)))}
		for i := range q.Options {
			if m.To[i] > 0 {
				parts = append(parts, Txt("span", words.F("moved to {0}: {1}", teach.Say(q.Options[i].Text),
					Itoa(m.To[i]))))
			}
		}
		kids = append(kids, El("p.moves|data-test=moves", append(parts, Txt("span", words.F("stayed: {0}",
			Itoa(m.Stayed))))...))
	}
	if n := b.Tally.Practised; n > 0 {
		kids = append(kids, Txt("p.soft|data-test=practised", words.F(
			"After the reveal {0} answered: practice, which is not in these numbers.", Itoa(n))))
	}
	return El("div.pad", kids...)
}

// moves is who chose which option first and which in the second vote: a row an option chosen first.
func (b *Board) moves(q *class.Question, t *class.QuestionTally) app.UI {
	if t.Voted == 0 {
		return El("p|hidden=true")
	}
	head := []app.UI{Th("First answer")}
	for i := range q.Options {
		head = append(head, Txt("th.num|scope=col", "→ "+teach.Say(q.Options[i].Text)))
	}
	rows := Each(len(t.Moved), func(from int) app.UI {
		return El("tr", append([]app.UI{Txt("th|scope=row", teach.Say(q.Options[from].Text))},
			Each(len(q.Options), func(to int) app.UI { return TdNum(Itoa(t.Moved[from][to])) })...)...)
	})
	return El("div", Say("h3", "Who moved where"),
		Table(".rows moved|data-test=moves-twin", "Who moved where", head, rows))
}

func (b *Board) answersTable(q *class.Question, t *class.QuestionTally) app.UI {
	rows := Each(len(q.Options), func(i int) app.UI {
		n := &t.Options[i]
		by := confidences(n.Sure)
		mark := ""
		if t.Right == q.Options[i].ID {
			mark = " ✓"
		}
		return El("tr", Txt("th|scope=row", teach.Say(q.Options[i].Text)+mark), TdNum(Itoa(by[0])), TdNum(Itoa(by[1])),
			TdNum(Itoa(by[2])),
			TdNum(Itoa(n.Count())), TdNum(Itoa(n.Votes())))
	})
	return Table(".rows|data-test=answers-twin", "Answers by confidence", []app.UI{Th("Answer"), ThNum("Sure"),
		ThNum("Fairly"),
		ThNum("Guess"), ThNum("All"), ThNum("Second vote")}, rows)
}

// winner names the lane that the task wants to win.
func (b *Board) winner() string {
	if b.Assignment.Task == nil {
		return ""
	}
	return b.Boot.PolicyTitle(b.Assignment.Task.Winner)
}

// triesPanel is the picture of all submissions.
func (b *TriesPanel) Render() app.UI {
	a, v := b.Assignment, &b.View
	if a.Task == nil {
		return El("section.panel tries|hidden=true")
	}
	if b.Assignment.Races() {
		return b.race()
	}
	toggle := board.ToggleTries{}
	show := Button(".btn|data-test=tries-show", "Show", "tries", toggle)
	if v.Tries {
		show = Button(".btn|data-test=tries-hide", "Hide again", "untries", toggle)
	}
	head := El("header", Txt("h2|id=h-tries", words.Count(len(b.Tally.Tries),
		"One number changed: {0} submission",
		"One number changed: {0} submissions, a dot each")),
		Set(Button(".btn|data-kind=quiet|data-test=tries-table", "Table", "table",
			board.ToggleTwin{Which: 1}), "aria-pressed", OnOff(v.Tables[1]),
			"hidden",
			Flag(!v.Tries)), show)
	if !v.Tries {
		return El("section.panel tries|aria-labelledby=h-tries", head, El("div.pad hidden",
			El("p.big", Bold(Itoa(b.Tally.Submitted)), Text(" "+words.Count(b.Tally.Submitted,
				"of {1} has submitted", "of {1} have submitted", Itoa(b.Tally.Joined)))),
			Txt("p", teach.Say(a.Task.Text)),
			Say("p.soft", "What was changed stays hidden until you show it, so that nobody copies it.")))
	}
	dots := b.Dots(b.values())
	s := draw.Spots{Zone: words.F("{0} wins", b.winner()), Wins: -message.Tie}
	if b.Above() {
		s.Wins = message.Tie
	}
	one, base := b.Sides(b.Boot.WholeTitle)
	axes := words.F("{0} against {1}: {2} →, {3} ↑", one, base, metricBrief(a.Task.Metric),
		metricBrief(teach.Second(a.Task)))
	brief, byRounds := teach.RoundEffect()
	note := teach.SmallestMeans() + " " + Upper(brief) + ": " + byRounds
	var of []picked
	for i := range dots {
		d := &dots[i]
		if len(d.Seqs) > 0 {
			of = append(of, picked{d.Seqs[0], d.Label})
		}
		label := d.Label
		if d.Rounds {
			label += " (" + brief + ")"
		}
		s.Of = append(s.Of, draw.Spot{Label: label, X: d.X, Y: d.Y, People: d.People, Base: d.Base, Front: d.Front,
			Works: d.Works, Picked: 1 + slices.IndexFunc(v.Pick[:],
				func(seq int64) bool { return slices.Contains(d.Seqs, seq) })})
	}
	says := b.Lesson(b.values(), b.winner())
	ran := says + " " + b.verdictWords()
	body := El("div", app.Raw(draw.SpotsSVG(words.Now(), &s, axes+". "+says)), Txt("p.soft", axes))
	if v.Tables[1] {
		body = b.triesTable(dots)
	}
	return El("section.panel tries|aria-labelledby=h-tries", head, El("div.pad",
		Set(Txt("p.soft|data-test=lesson-says", ran), "title", note), body, b.pickTwo(of)))
}

func (b *Board) triesTable(dots []teach.Dot) app.UI {
	rows := Each(len(dots), func(i int) app.UI {
		d := &dots[i]
		works, people := words.T("no"), Itoa(d.People)
		if d.Works {
			works = "✓"
		}
		if d.Rounds {
			brief, _ := teach.RoundEffect()
			works += " " + brief
		}
		if d.Base {
			works, people = "", ""
		}
		return El("tr", Txt("th|scope=row", d.Label), TdNum(people), TdNum(teach.Signed(d.X)), TdNum(teach.Signed(d.Y)),
			Td(works))
	})
	return Table(".rows|data-test=tries-twin", "All submissions", []app.UI{Th("Changed"), ThNum("People"),
		Txt("th.num|scope=col", Upper(metricBrief(b.Assignment.Task.Metric))),
		Txt("th.num|scope=col", Upper(metricBrief(teach.Second(b.Assignment.Task)))), Th("Works")}, rows)
}

// picked is a submission that can be laid beside another.
type picked struct {
	Seq   int64
	Label string
}

// pickTwo chooses two submissions that are laid side by side.
func (b *Board) pickTwo(of []picked) app.UI {
	v := &b.View
	pick := func(k int, label string) app.UI {
		options := []app.UI{Option("", words.T("choose…"), true)}
		for _, p := range of {
			options = append(options, Option(Itoa(int(p.Seq)), p.Label, v.Pick[k] == p.Seq))
		}
		return Given(Set(El("select.field", options...), "aria-label", label, "data-test", "pick-"+Itoa(k+1)),
			"change",
			func(value string) state.Action {
				return board.PickSubmission{Place: k, Seq: int64(WholeNumber(value))}
			}, Itoa(k))
	}
	ready := v.Pick[0] > 0 && v.Pick[1] > 0
	return El("div.picks", Say("span.soft", "Side by side"), pick(0, words.T("First submission")),
		pick(1, words.T("Second submission")),
		Set(Button(".btn|data-test=lay-together", "Lay together", "pair", board.LayTogether{}), "disabled",
			Flag(!ready)))
}

// ideasPanel are the ideas behind answers that were sure and wrong.
func (b *IdeasPanel) Render() app.UI {
	ideas, people, open := b.Ideas()
	title := words.T("Sure but wrong")
	var body app.UI
	switch {
	case !open:
		body = Say("p.soft", "It is counted from the run on, when a question is revealed.")
	case len(ideas) == 0:
		body = Say("p.soft", "Nobody was sure of an answer that shows a known idea and is wrong.")
	default:
		title = words.F("Sure but wrong: {0} of {1}", Itoa(people), Itoa(b.Tally.Committed))
		rows := Each(min(len(ideas), 4), func(i int) app.UI {
			link := El("td.num")
			if to, name := b.presetLink(ideas[i].Preset); to != "" {
				link = El("td.num", Set(Txt("a|target=_blank|data-test=idea-preset", name), "href", to))
			}
			return El("tr", Txt("td.num count", Itoa(ideas[i].People)), Txt("th|scope=row", teach.Say(ideas[i].Idea)),
				link)
		})
		body = Table(".rows|data-test=ideas", "Ideas behind answers that were sure and wrong",
			[]app.UI{ThNum("People"), Th("Idea"),
				ThNum("Preset that tests it")}, rows)
	}
	return El("section.panel ideas|aria-labelledby=h-ideas", El("header", Txt("h2|id=h-ideas", title),
		opens("Show sentences", "sentences")), El("div.pad", body))
}

// presetLink is where a preset opens, and its title; "" where there is none.
func (b *Board) presetLink(name string) (link, title string) {
	i := slices.IndexFunc(b.Boot.Presets, func(p learn.Preset) bool { return p.Name == name })
	if i < 0 {
		return "", ""
	}
	p := &b.Boot.Presets[i]
	return b.Boot.PresetLink(i, b.Defaults), words.T(p.Title)
}

// changedPanel ranks what was changed.
func (b *ChangedPanel) Render() app.UI {
	if b.Assignment.Task == nil || b.Assignment.Races() {
		return El("section.panel changed|hidden=true")
	}
	one, base := b.Sides(b.Boot.WholeTitle)
	sides := words.F("{0} against {1}", one, base)
	head := func(says string) app.UI {
		return El("header", Say("h2|id=h-changed", "What was changed"), Txt("span.soft", says))
	}
	if !b.Tries || len(b.Tally.Changes) == 0 {
		return El("section.panel changed|aria-labelledby=h-changed", head(sides), El("div.pad", Say("p.soft",
			"The ranking appears when submissions are shown.")))
	}
	all := b.Changed(b.values())
	brief, byRounds := teach.RoundEffect()
	shown := all[:min(len(all), 5)]
	rows := Each(len(shown), func(i int) app.UI {
		c := &shown[i]
		mark, works := "", ""
		if c.Wins {
			mark, works = " ✓", "true"
		}
		change := []app.UI{Txt("span.nowrap", c.Says), Text(" "), Txt("b.nowrap", "× "+Itoa(c.Same))}
		if c.Smallest {
			change = append(change, Text(" "), Set(Say("span.smallest", "smallest"), "title", teach.SmallestMeans()))
		}
		if c.Rounds {
			change = append(change, Text(" "), Set(Txt("span.smallest|data-test=by-rounds", brief), "title", byRounds))
		}
		return Set(El("tr", Txt("th|scope=row", c.Name), El("td.soft", change...), Txt("td.num nowrap", c.Gap+mark),
			Txt("td.num nowrap", words.F("{0}, {1} won", Itoa(c.People), Itoa(c.Works)))), "data-works", works)
	})
	table := Table(".rows|data-test=changed", "What was changed, what most did first", []app.UI{Th("Value"),
		Set(Th("Change × people"), "title", teach.SmallestMeans()), ThNum("✓ = wins"), ThNum("Tried")}, rows)
	if n := len(all) - len(shown); n > 0 {
		sides += ", " + words.F("and {0} more", Itoa(n))
	}
	return El("section.panel changed|aria-labelledby=h-changed", head(sides), El("div.pad", table))
}

// verdictWords say how many submissions were run again, and with what result.
func (b *Board) verdictWords() string {
	n := b.Verdicts()
	out := []string{words.F("{0} verified", Itoa(n[class.Verified]))}
	for _, k := range []struct{ verdict, says string }{{class.Pending, words.F("{0} still to be run again",
		Itoa(n[class.Pending]))},
		{class.Differs, words.F("{0} came out otherwise and do not count", Itoa(n[class.Differs]))},
		{class.Other, words.F("{0} of another engine version", Itoa(n[class.Other]))}} {
		if n[k.verdict] > 0 {
			out = append(out, k.says)
		}
	}
	return strings.Join(out, ", ") + "."
}
