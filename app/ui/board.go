package ui

import (
	"slices"
	"strings"

	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/state"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/class"
	"hadarlab/core/message"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// boardScreen is the board, or the page that begins a class, in place of the lab.
func boardScreen(s *state.State) app.UI {
	var head, main, over app.UI
	if s.Room == room.Board && s.Board.Class != nil {
		b := boardOf(&s.Board)
		head, main, over = part(&BoardHead{b}), part(boardMainOf(&s.Board, b)), part(&BoardSheets{b, s.Spoken})
	} else {
		head, main, over = part(&TeachHead{}), part(teachOf(&s.Board, s.Share.Copied)), el("div.layers")
	}
	return set(el("div.page",
		say("a.skip|href=#main", "Skip to the main part"),
		app.Raw(hatches), app.Raw(fairly), head, main,
		el("div.meaning|id=meaning|popover=manual|role=tooltip"),
		over,
		txt("div.vh|role=status|aria-live=polite|data-test=spoken", s.Spoken)),
		"data-large", flag(s.Board.Large))
}

// Board is a class and what of it is looked at: the parts of its page are drawn from it.
type Board struct {
	*teach.Board
	board.View
	Boot     *room.Boot
	Defaults scenario.Defaults
	Lost     bool     // the server has not been reached for a while
	Over     bool     // the class is gone
	KeyStays bool     // the address holds the key
	Problem  string   // why the last thing that was asked for was not done
	Notes    []string // what came of files that were handed in, latest first
	Origin   string   // the page's own address
}

func boardOf(t *board.Model) *Board {
	return &Board{t.Class, t.View, t.Boot, t.Defaults, t.Lost(), t.Over, t.KeyStays, t.Problem, t.Notes, origin()}
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
	BoardMain   struct{ PhasesBar }
	BoardSheets struct {
		*Board
		Spoken string // what a screen reader is told
	}
)

func boardMainOf(t *board.Model, b *Board) *BoardMain {
	m := &BoardMain{PhasesBar{Board: b}}
	if b.Assignment != nil {
		m.Left, m.Timed = b.Board.Left(t.ServerMS())
	}
	return m
}

// fairly is the pattern of the middle of three confidences.
const fairly = `<svg class="defs" width="0" height="0" aria-hidden="true" focusable="false"><defs><pattern id="hatch-fairly" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path data-hatch="fairly" d="M0 0V7" stroke-width="2.200"></path></pattern></defs></svg>`

// origin is the page's own address; "" where there is no browser yet.
func origin() string {
	if page.root == nil {
		return ""
	}
	return platform.Home()
}

// opens is the button that opens a dialog of the board.
func opens(label, name string) app.UI {
	return set(button(".btn|data-kind=quiet", label, "sheet-"+name,
		board.OpenSheet{Name: name}), "data-test",
		"sheet-"+name)
}

func shutSheet() app.EventHandler {
	return act(board.OpenSheet{})
}

// boardHead is the bar of the board.
func (b *BoardHead) render() app.UI {
	title := words.T("Board")
	if b.Assignment != nil {
		title = teach.Say(b.Assignment.Title)
	}
	condition, says := "ready", words.F("{0} joined", itoa(b.Tally.Joined))
	switch {
	case b.Lost:
		condition, says = "error", words.T("Not connected")
	case b.Assignment == nil && !b.Local():
		condition, says = "loading", words.T("Loading the class")
	case b.Local():
		says = words.F("{0} handed in", itoa(b.Tally.Joined))
	}
	acts := []app.UI{set(txt("span.state", says), "data-state", condition)}
	if b.Assignment != nil && !b.Over {
		if !b.Local() {
			acts = append(acts, b.lock())
		}
		large := button(".btn|data-test=present", "Presentation", "large",
			board.ToggleLarge{})
		acts = append(acts, opens("Students", "students"), opens("Export", "out"),
			set(large, "aria-pressed", onoff(b.Large)))
	}
	acts = append(acts, nextLanguage(),
		on(say("button.btn|type=button|data-kind=quiet|data-test=theme", "Light or dark"),
			"click", func(app.Context, app.Event) { platform.ToggleTheme() }, "theme"))
	return el("header.top", txt("a.brand|href=/", "Hadarlab"),
		el("div.open", txt("h1", title)), el("div.acts", acts...))
}

// oldClass says that what stands on the board was found by another version, and offers a class of today's.
func (b *Board) oldClass() app.UI {
	says := txt("div", words.F(
		"This class began with version {0}, and this one, {1}, may decide otherwise. What is right and every score stay as that version found them.",
		b.State.Engine, b.Boot.Engine))
	var acts []app.UI
	if !b.Local() {
		acts = append(acts, button(".btn|data-test=class-afresh", words.T("Start a fresh class with this assignment"),
			"afresh", board.StartAgain{}))
	}
	return set(note("warning", says, acts...), "data-test", "class-old")
}

// lock is the button by which nobody can join any more.
func (b *Board) lock() app.UI {
	label := words.T("Lock")
	if b.State.Locked {
		label = words.T("Locked")
	}
	other := !b.State.Locked
	return set(button(".btn|data-test=lock|title=Nobody can join while the class is locked", label, "lock",
		board.SetClass{Settings: class.Settings{Locked: &other}}), "aria-pressed", onoff(b.State.Locked))
}

// render draws what stands on the board.
func (m *BoardMain) render() app.UI {
	b := m.Board
	kids := b.notes()
	if b.Assignment != nil && !b.Over {
		if b.Local() {
			kids = append(kids, part(&FilesPanel{b}))
		} else {
			kids = append(kids, part(&m.PhasesBar), part(&JoinPanel{b}))
		}
		if b.State.Phase == class.Lobby {
			kids = append(kids, part(&Lobby{b}))
		} else {
			kids = append(kids, part(&AnswersPanel{b}), part(&TriesPanel{b}), part(&IdeasPanel{b}),
				part(&ChangedPanel{b}))
		}
	} else if b.Local() && !b.Over {
		kids = append(kids, part(&FilesPanel{b}))
	}
	if b.Sheet == "out" && b.Assignment != nil {
		kids = append(kids, part(&ClassReport{b}))
	}
	condition := "ready"
	if b.Assignment == nil {
		condition = "loading"
	}
	return set(el("main.board|id=main|data-test=board|tabindex=-1", kids...), "data-state", condition, "data-phase",
		string(b.State.Phase), "data-local", flag(b.Local()))
}

// notes say what stands in the way of the board.
func (b *Board) notes() (notes []app.UI) {
	if b.Lost {
		notes = append(notes, set(note("warning", say("div",
			"The server cannot be reached. The board shows what it had and goes on by itself when the network is back; answers of students are kept by their pages until then.")),
			"data-test", "board-lost"))
	}
	if b.Problem != "" {
		notes = append(notes, set(note("error", txt("div", b.Problem)), "data-test", "board-problem"))
	}
	if b.KeyStays {
		notes = append(notes, set(note("warning", say("div",
			"This browser keeps nothing: the address of this page holds the class’s key. Do not show it to the class, and do not lose it.")),
			"data-test", "board-key"))
	}
	if b.Over {
		notes = append(notes, el("p", say("a.btn|href=/#teach", "Start a class")))
	}
	if b.State.Old && b.Assignment != nil && !b.Over {
		notes = append(notes, b.oldClass())
	}
	if b.Unproved && b.Assignment != nil {
		notes = append(notes, set(note("note", el("div", say("b",
			"That predictions came before the run is not proved here."), text(" "+words.T(
			"The work came as files, and their times are those of the students’ own devices. Results are run again by this page.")))),
			"data-test", "unproved"))
	}
	return notes
}

// phases are the phases of the plan as one bar, the time that is left, and the way to the next one.
func (b *PhasesBar) render() app.UI {
	a, now := b.Assignment, b.State.Phase
	steps := each(len(a.Plan), func(i int) app.UI {
		p := &a.Plan[i]
		here := ""
		if p.Phase == now {
			here = "step"
		}
		phase := p.Phase
		return set(on(el("button.phase|type=button|data-test=phase", txt("b", teach.PhaseTitle(phase)),
			txt("span", words.F("{0} min", edit.FormatNumber(p.Minutes)))), "click",
			act(board.SetClass{Settings: class.Settings{Phase: &phase}}), string(phase)), "aria-current", here,
			"data-phase", string(phase))
	})
	kids := []app.UI{set(el("div.steps|role=group|aria-label=Phase of the class", steps...), "data-n", itoa(len(steps)))}
	if left := b.Left; b.Timed {
		more := float64(max(left, 0))/60 + 1
		kids = append(kids, set(el("div.timer|data-test=timer",
			set(txt("b", teach.Clock(left)), "title", words.T("Left of this phase")),
			set(button(".btn|data-kind=quiet|data-test=timer-more", "+ 1 min", "more",
				board.SetClass{Settings: class.Settings{Minutes: &more}}), "aria-label", words.T("One minute more"))),
			"data-over", flag(left < 0)))
	}
	if now != class.Closed {
		next := a.Next(now)
		kids = append(kids, on(el("button.btn next|type=button|data-kind=primary|data-test=next-phase",
			text(words.F("Next: {0}", teach.PhaseTitle(next))), icon("forward")), "click",
			act(board.SetClass{Settings: class.Settings{Phase: &next}}), "next"))
	}
	return el("div.phases", kids...)
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

// joinPanel says how one joins, and how many have done what.
func (b *JoinPanel) render() app.UI {
	origin := b.Origin
	if loopback(origin) && len(b.Joins) > 0 { // the teacher's own machine is the server
		origin = b.Joins[0]
	}
	kids := []app.UI{el("h2.soft|id=h-join", text(words.T("Join at")+" "), txt("b|data-test=join-address",
		address(origin))),
		set(txt("p.codeword|data-test=code", inFours(b.Code)), "aria-label",
			words.F("Code of the class: {0}", strings.Join(strings.Split(b.Code, ""), " "))),
		app.Raw(qrSVG(origin + "/join#" + b.Code))}
	if loopback(origin) {
		kids = append(kids, say("p.warn", "Only this computer can open this address: the server was started for it alone. Start it without --addr 127.0.0.1, and phones can join."))
	}
	count := func(n int, test, label string) app.UI {
		return el("div", set(txt("b", itoa(n)), "data-test", "count-"+test), txt("span", label))
	}
	t := &b.Tally
	kids = append(kids, el("div.counts", count(t.Joined, "joined", words.T("joined")),
		count(t.Committed, "committed", words.T("answered")),
		count(t.Submitted, "submitted", words.T("submitted"))))
	if s := b.Step(); s != nil && s.Teacher != "" && !b.Large {
		kids = append(kids, el("details.hint|data-test=hint|open=true", say("summary", "For you"), txt("p",
			teach.Say(s.Teacher))))
		if task := b.Assignment.Task; task != nil && s.Phase == class.Change && len(task.Works) > 0 {
			kids = append(kids, el("details.hint|data-test=works", say("summary", "Changes that work"),
				el("ul", each(len(task.Works), func(i int) app.UI {
					return txt("li", b.values().Edits(task.Works[i:i+1]))
				})...)))
		}
	}
	return el("section.panel join|aria-labelledby=h-join", kids...)
}

// lobby is what a class reads while it gathers.
func (b *Lobby) render() app.UI {
	a := b.Assignment
	return el("section.panel lobby|aria-labelledby=h-lobby",
		el("header", txt("h2|id=h-lobby", teach.Say(a.Title))),
		el("div.pad", txt("p.situation", teach.Say(a.Situation)),
			el("ol.ways-in", say("li", "Open the address or point a phone’s camera at the picture."),
				say("li", "You get a name. Nobody types one; a tag only who was given one."),
				say("li", "Answer alone first. What the class answered is shown when everybody has.")),
			el("h3", text(words.T("Students who have joined"))),
			el("ul.names|data-test=names", b.names()...)))
}

// names are those of the students, latest first.
func (b *Board) names() (out []app.UI) {
	for i := len(b.Students) - 1; i >= 0; i-- {
		if s := &b.Students[i]; !s.Removed {
			out = append(out, txt("li", s.Name))
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
func (b *AnswersPanel) render() app.UI {
	a, v := b.Assignment, &b.View
	if len(a.Questions) == 0 {
		return el("section.panel answers|hidden=true")
	}
	n := min(v.Question, len(a.Questions)-1)
	q, t := &a.Questions[n], &b.Tally.Questions[n]
	open := b.Revealed(q.ID)
	label, kind := words.T("Reveal"), "primary"
	switch {
	case b.Early() && v.Sure == q.ID:
		label, kind = words.T("Reveal anyway"), ""
	case b.Early():
		label, kind = words.F("Reveal {0} of {1}…", itoa(b.Tally.Committed), itoa(b.Tally.Joined)), ""
	}
	reveal := set(button(".btn|data-test=reveal", label, "reveal", board.RevealAnswers{Question: q.ID, On: true}),
		"data-kind", kind)
	if open {
		reveal = button(".btn|data-test=hide", "Hide again", "hide", board.RevealAnswers{Question: q.ID})
	}
	tabs := each(len(a.Questions), func(i int) app.UI {
		return set(on(txt("button|type=button|data-test=question", itoa(i+1)), "click",
			act(board.ShowQuestion{At: i}), itoa(i)), "aria-pressed", onoff(i == n),
			"aria-label",
			words.F("Question {0}: {1}", itoa(i+1), teach.Say(a.Questions[i].Text)))
	})
	head := el("header", txt("h2|id=h-answers", teach.Say(q.Text)), el("div.seg", tabs...),
		reveal)
	return el("section.panel answers|aria-labelledby=h-answers", head, b.answers(q, t, open, v.Tables[0]))
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
		if b.Sure == q.ID && b.Early() {
			stay = words.T("Not all have answered. Press again to reveal.")
		} else if b.Local() {
			stay = words.T("The answers stay hidden until you reveal them.")
		}
		return el("div.pad hidden|data-test=answers-hidden",
			el("p.big", bold(itoa(b.Tally.Committed)), text(" "+words.F("of {0} have answered", itoa(joined)))),
			set(el("progress|aria-hidden=true"), "max", itoa(max(joined, 1)), "value", itoa(b.Tally.Committed)),
			txt("p.soft", stay))
	}
	twin := set(button(".btn|data-kind=quiet|data-test=answers-table", "Table", "table",
		board.ToggleTwin{Which: 0}), "aria-pressed", onoff(asTable))
	if asTable {
		return el("div.pad", b.answersTable(q, t), el("div.under", twin))
	}

	most := 1
	for i := range t.Options {
		most = max(most, t.Options[i].Count(), t.Options[i].Votes())
	}
	rows := each(len(q.Options), func(i int) app.UI {
		o, n := &q.Options[i], &t.Options[i]
		name := teach.Say(o.Text)
		by, again := confidences(n.Sure), confidences(n.Vote)
		voted := t.Voted > 0
		title := words.F("{0}: {1}, of them {2} sure, {3} fairly sure, {4} guess", name, itoa(n.Count()), itoa(by[0]),
			itoa(by[1]), itoa(by[2]))
		says := itoa(n.Count())
		if voted {
			title += ". " + words.F("In the second vote {0}", itoa(n.Votes()))
			says = words.F("{0}, then {1}", itoa(n.Count()), itoa(n.Votes()))
		}
		right := []app.UI{txt("b", name), txt("span.soft", teach.Say(o.Note)), txt("b.said", says)}
		if t.Right == o.ID {
			right = append(right, say("b.right", "✓ right"))
		}
		return set(el("li", el("p", right...), app.Raw(draw.AnswerSVG(words.Now(), &draw.Answer{Sure: by[0],
			Fairly: by[1],
			Guess:  by[2],
			Again:  again, Voted: voted}, most, title))), "data-right", flag(t.Right == o.ID))
	})
	kids := []app.UI{el("ul.options|data-test=options", rows...), el("div.under", shades(), twin)}
	if !b.State.Phase.Tells() {
		kids = append(kids, say("p.soft", "What is right is shown from the run on."))
	}
	if t.Voted > 0 {
		m := b.Moves(t)
		parts := []app.UI{say("b", "Second vote"), txt("span", words.F("{0} of {1} in", itoa(m.Voted),
			itoa(b.Tally.Committed)))}
		for i := range q.Options {
			if m.To[i] > 0 {
				parts = append(parts, txt("span", words.F("moved to {0}: {1}", teach.Say(q.Options[i].Text),
					itoa(m.To[i]))))
			}
		}
		kids = append(kids, el("p.moves|data-test=moves", append(parts, txt("span", words.F("stayed: {0}",
			itoa(m.Stayed))))...))
	}
	return el("div.pad", kids...)
}

func (b *Board) answersTable(q *class.Question, t *class.QuestionTally) app.UI {
	rows := each(len(q.Options), func(i int) app.UI {
		n := &t.Options[i]
		by := confidences(n.Sure)
		mark := ""
		if t.Right == q.Options[i].ID {
			mark = " ✓"
		}
		return el("tr", txt("th|scope=row", teach.Say(q.Options[i].Text)+mark), tdNum(itoa(by[0])), tdNum(itoa(by[1])),
			tdNum(itoa(by[2])),
			tdNum(itoa(n.Count())), tdNum(itoa(n.Votes())))
	})
	return table(".rows|data-test=answers-twin", "Answers by confidence", []app.UI{th("Answer"), thNum("Sure"),
		thNum("Fairly"),
		thNum("Guess"), thNum("All"), thNum("Second vote")}, rows)
}

// winner names the lane that the task wants to win.
func (b *Board) winner() string {
	if b.Assignment.Task == nil {
		return ""
	}
	return b.Boot.PolicyTitle(b.Assignment.Task.Winner)
}

// triesPanel is the picture of all submissions.
func (b *TriesPanel) render() app.UI {
	a, v := b.Assignment, &b.View
	if a.Task == nil {
		return el("section.panel tries|hidden=true")
	}
	toggle := board.ToggleTries{}
	show := button(".btn|data-test=tries-show", "Show", "tries", toggle)
	if v.Tries {
		show = button(".btn|data-test=tries-hide", "Hide again", "untries", toggle)
	}
	head := el("header", txt("h2|id=h-tries", words.Count(len(b.Tally.Tries),
		"One number changed: {0} submission",
		"One number changed: {0} submissions")),
		set(button(".btn|data-kind=quiet|data-test=tries-table", "Table", "table",
			board.ToggleTwin{Which: 1}), "aria-pressed", onoff(v.Tables[1]),
			"hidden",
			flag(!v.Tries)), show)
	if !v.Tries {
		return el("section.panel tries|aria-labelledby=h-tries", head, el("div.pad hidden",
			el("p.big", bold(itoa(b.Tally.Submitted)), text(" "+words.F("of {0} have submitted",
				itoa(b.Tally.Joined)))),
			txt("p", teach.Say(a.Task.Text)),
			say("p.soft", "What was changed stays hidden until you show it, so that nobody copies it.")))
	}
	dots := b.Dots(b.values())
	s := draw.Spots{Zone: words.F("{0} wins", b.winner()), Wins: -message.Tie}
	if b.Above() {
		s.Wins = message.Tie
	}
	one, base := b.Sides(b.Boot.WholeTitle)
	axes := words.F("{0} against {1}: {2} →, {3} ↑", one, base, metricBrief(a.Task.Metric),
		metricBrief(teach.Second(a.Task)))
	for i := range dots {
		d := &dots[i]
		s.Of = append(s.Of, draw.Spot{Label: d.Label, X: d.X, Y: d.Y, People: d.People, Base: d.Base, Front: d.Front,
			Works: d.Works, Picked: 1 + slices.IndexFunc(v.Pick[:],
				func(seq int64) bool { return slices.Contains(d.Seqs, seq) })})
	}
	says := b.Lesson(b.values(), b.winner())
	ran := says
	if !b.Large {
		ran += " " + b.verdictWords()
	}
	body := el("div", app.Raw(draw.SpotsSVG(words.Now(), &s, axes+". "+says)), txt("p.soft", axes))
	if v.Tables[1] {
		body = b.triesTable(dots)
	}
	return el("section.panel tries|aria-labelledby=h-tries", head, el("div.pad",
		txt("p.soft|data-test=lesson-says", ran), body, b.pickTwo(dots)))
}

func (b *Board) triesTable(dots []teach.Dot) app.UI {
	rows := each(len(dots), func(i int) app.UI {
		d := &dots[i]
		works, people := words.T("no"), itoa(d.People)
		if d.Works {
			works = "✓"
		}
		if d.Base {
			works, people = "", ""
		}
		return el("tr", txt("th|scope=row", d.Label), tdNum(people), tdNum(teach.Signed(d.X)), tdNum(teach.Signed(d.Y)),
			td(works))
	})
	return table(".rows|data-test=tries-twin", "All submissions", []app.UI{th("Changed"), thNum("People"),
		set(thNum("Mean"), "title", metricBrief(b.Assignment.Task.Metric)),
		set(thNum("Last"), "title", metricBrief(teach.Second(b.Assignment.Task))), th("Works")}, rows)
}

// pickTwo chooses two submissions that are laid side by side.
func (b *Board) pickTwo(dots []teach.Dot) app.UI {
	v := &b.View
	pick := func(k int, label string) app.UI {
		options := []app.UI{option("", words.T("choose…"), true)}
		for i := range dots {
			if d := &dots[i]; len(d.Seqs) > 0 {
				options = append(options, option(itoa(int(d.Seqs[0])), d.Label, v.Pick[k] == d.Seqs[0]))
			}
		}
		return given(set(el("select.field", options...), "aria-label", label, "data-test", "pick-"+itoa(k+1)),
			"change",
			func(value string) state.Action {
				return board.PickSubmission{Place: k, Seq: int64(wholeNumber(value))}
			}, itoa(k))
	}
	ready := v.Pick[0] > 0 && v.Pick[1] > 0
	return el("div.picks", say("span.soft", "Side by side"), pick(0, words.T("First submission")),
		pick(1, words.T("Second submission")),
		set(button(".btn|data-test=lay-together", "Lay together", "pair", board.LayTogether{}), "disabled",
			flag(!ready)))
}

// ideasPanel are the ideas behind answers that were sure and wrong.
func (b *IdeasPanel) render() app.UI {
	ideas, people, open := b.Ideas()
	title := words.T("Sure but wrong")
	var body app.UI
	switch {
	case !open:
		body = say("p.soft", "It is counted from the run on, when a question is revealed.")
	case len(ideas) == 0:
		body = say("p.soft", "Nobody was sure of an answer that shows a known idea and is wrong.")
	default:
		title = words.F("Sure but wrong: {0} of {1}", itoa(people), itoa(b.Tally.Committed))
		rows := each(min(len(ideas), 4), func(i int) app.UI {
			link := el("td.num")
			if to, name := b.presetLink(ideas[i].Preset); to != "" {
				link = el("td.num", set(txt("a|target=_blank|data-test=idea-preset", name), "href", to))
			}
			return el("tr", txt("td.num count", itoa(ideas[i].People)), txt("th|scope=row", teach.Say(ideas[i].Idea)),
				link)
		})
		body = table(".rows|data-test=ideas", "Ideas behind answers that were sure and wrong",
			[]app.UI{thNum("People"), th("Idea"),
				thNum("Preset that tests it")}, rows)
	}
	return el("section.panel ideas|aria-labelledby=h-ideas", el("header", txt("h2|id=h-ideas", title),
		opens("Show sentences", "sentences")), el("div.pad", body))
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
func (b *ChangedPanel) render() app.UI {
	if b.Assignment.Task == nil {
		return el("section.panel changed|hidden=true")
	}
	one, base := b.Sides(b.Boot.WholeTitle)
	head := el("header", say("h2|id=h-changed", "What was changed"), txt("span.soft",
		words.F("{0} against {1}", one, base)))
	if !b.Tries || len(b.Tally.Changes) == 0 {
		return el("section.panel changed|aria-labelledby=h-changed", head, el("div.pad", say("p.soft",
			"The ranking appears when submissions are shown.")))
	}
	all := b.Changed(b.values())
	most := 1
	for _, c := range all {
		most = max(most, c.People)
	}
	shown := all[:min(len(all), 5)]
	rows := each(len(shown), func(i int) app.UI {
		c := &shown[i]
		mark, works := "", ""
		if c.Wins {
			mark, works = " ✓", "true"
		}
		change := []app.UI{text(c.Says)}
		if c.Smallest {
			change = append(change, text(" "), set(say("span.smallest", "smallest"), "title",
				words.T("The smallest change that works")))
		}
		return set(el("tr", txt("th|scope=row", c.Name), el("td.nowrap soft", change...),
			el("td.bar", el("span", txt("b", itoa(c.People)),
				app.Raw(`<svg width="100%" height="10" aria-hidden="true"><rect data-role="meter" width="`+
					itoa(100*c.People/most)+`%" height="10"></rect></svg>`))), txt("td.num nowrap", c.Gap+mark)),
			"data-works", works)
	})
	kids := []app.UI{table(".rows|data-test=changed", "What was changed, what most did first", []app.UI{th("Value"),
		th("Change"),
		th("People"), thNum("✓ = wins")}, rows)}
	if n := len(all) - len(shown); n > 0 {
		kids = append(kids, txt("p.soft", words.F("and {0} more", itoa(n))))
	}
	return el("section.panel changed|aria-labelledby=h-changed", head, el("div.pad", kids...))
}

// verdictWords say how many submissions were run again, and with what result.
func (b *Board) verdictWords() string {
	n := b.Verdicts()
	out := []string{words.F("{0} verified", itoa(n[class.Verified]))}
	for _, k := range []struct{ verdict, says string }{{class.Pending, words.F("{0} still to be run again",
		itoa(n[class.Pending]))},
		{class.Differs, words.F("{0} came out otherwise and do not count", itoa(n[class.Differs]))},
		{class.Other, words.F("{0} of another engine version", itoa(n[class.Other]))}} {
		if n[k.verdict] > 0 {
			out = append(out, k.says)
		}
	}
	return strings.Join(out, ", ") + "."
}
