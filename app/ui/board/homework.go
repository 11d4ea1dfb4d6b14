package board

import (
	"hadarlab/app/board"
	teach "hadarlab/app/class"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/class"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// when is a time in words, by the reader's own clock.
func when(ms int64) string { return platform.When(ms, words.Tag()) }

// moment is a field for a time; act is told it as Unix ms, 0 = none is chosen.
func moment(test, label string, ms int64, act func(ms int64) state.Action) app.UI {
	field := Set(El("input.field|type=datetime-local"), "id", test, "data-test", test, "value", platform.Local(ms))
	return El("label.moment", Txt("span", label), Given(field, "change", func(value string) state.Action {
		return act(platform.Moment(value))
	}, test))
}

// asks is the button that asks how a class with an assignment is to begin.
func asks(spec, label string, with board.Source, id string) app.UI {
	return elm.On(Say("button"+spec+"|type=button", label), "click", func(app.Context, app.Event) {
		Do(board.AskStart{With: with, ID: id, At: platform.Millis()})
	}, "ask"+string(with)+id)
}

// StartSheet asks how a class is to begin.
type StartSheet struct {
	board.Start
	Site         bool // there is no server
	Announcement string
}

// startSheet is the open one, none where nothing is asked.
func startSheet(t *board.Model) app.UI {
	if t.Start == nil {
		return El("div.layers")
	}
	return elm.Part(&StartSheet{*t.Start, platform.Site(), t.Announcement})
}

// Render draws the dialog.
func (s *StartSheet) Render() app.UI {
	way := func(homework bool, test, label, says string) app.UI {
		in := Set(El("input|type=radio|name=start-as"), "id", "start-"+test, "data-test", "start-"+test, "checked",
			OnOff(s.Homework == homework))
		return El("label.manner", elm.On(in, "change", Act(board.StartAs{Homework: homework}), test),
			El("span", Txt("b", label), Txt("span.soft", says)))
	}
	kids := []app.UI{Txt("p", teach.Say(s.Title)), El("fieldset.manners", Say("legend.vh", "How the class works"),
		way(false, "now", words.T("Now, together"), words.T("You lead it from the board, phase by phase.")),
		way(true, "homework", words.T("As homework"),
			words.T("Each student goes at their own pace: predict, run, change, write. You release the feedback.")))}
	problem := ""
	if s.Homework {
		hours := s.Hours
		hours.OpensMS = max(hours.OpensMS, s.NowMS)
		problem = teach.HoursProblem(hours, s.NowMS)
		kids = append(kids, El("div.moments",
			moment("start-opens", words.T("Opens"), s.OpensMS, func(ms int64) state.Action {
				return board.StartHours{Opens: true, Ms: ms}
			}), moment("start-closes", words.T("Closes"), s.ClosesMS, func(ms int64) state.Action {
				return board.StartHours{Ms: ms}
			})), Say("p.soft|data-test=start-kept",
			"Students may join before it opens. The server keeps everything for 120 days from today, at least 64 days after it closes, so that you can grade it."))
	}
	var begin state.Action = board.StartClass{ID: s.ID}
	switch s.With {
	case board.Own:
		begin = board.StartOwn{}
	case board.Same:
		begin = board.StartAgain{}
	}
	label := words.T("Start the class")
	if s.Homework {
		label = words.T("Give the homework")
	}
	kids = append(kids, Set(Txt("p.error|role=status|data-test=start-problem", words.Sentence(Upper(problem))),
		"hidden", Flag(problem == "")),
		El("div.ways", Set(Button(".btn|data-kind=primary|data-test=start-go|autofocus=true", label, "go", begin),
			"disabled", Flag(problem != "" || s.Site)),
			Button(".btn|data-test=start-cancel", "Cancel", "cancel", board.CloseStart{})))
	return El("div.layers", Dialog("Start a class", "start", s.Announcement, Act(board.CloseStart{}), kids...))
}

// HomeworkBar is when a homework opens and closes, and what its teacher does about that.
type HomeworkBar struct {
	*Board
	Ahead, Open bool
}

// Render draws the bar.
func (b *HomeworkBar) Render() app.UI {
	st := &b.State
	now := int64(1) // a time that is past is now
	says, acts := "", []app.UI{}
	longer := opens("Longer…", "longer")
	press := func(kind, test, label string, to class.Settings) app.UI {
		return Set(Button(".btn|data-test="+test, label, test, board.SetClass{Settings: to}), "data-kind", kind)
	}
	switch {
	case st.Phase == class.Closed:
		says = words.T("The feedback is released: everybody sees what is right, and what their change came to.")
	case b.Ahead:
		says = words.F("It opens {0} and closes {1}.", when(st.OpensMS), when(st.ClosesMS))
		acts = append(acts, press("", "homework-open", words.T("Open now"), class.Settings{OpensMS: &now}), longer)
	case b.Open:
		says = words.F("It opened {0} and closes {1}.", when(st.OpensMS), when(st.ClosesMS))
		acts = append(acts, longer, press("", "homework-close", words.T("Close now"), class.Settings{ClosesMS: &now}))
	default:
		says = words.F("It closed {0}. What is right is told when you release the feedback.", when(st.ClosesMS))
		acts = append(acts, longer, Button(".btn|data-kind=primary|data-test=homework-release", "Release feedback…",
			"release", board.OpenSheet{Name: "release"}))
	}
	if b.Assists() {
		acts = nil // the hours are the teacher's
	}
	if st.Phase != class.Closed {
		acts = append(acts, opens("Show sentences", "sentences"))
	}
	return El("section.phases homework|data-test=homework|aria-label=Homework", El("div.hours", Say("b", "Homework"),
		Txt("span|data-test=homework-says", says)), El("div.ways", acts...))
}

// longer chooses another closing time for a homework.
func (b *Board) longer() []app.UI {
	problem := teach.HoursProblem(class.Hours{OpensMS: b.State.OpensMS, ClosesMS: b.Closes}, b.State.NowMS)
	return []app.UI{moment("longer-closes", words.T("Closes"), b.Closes, func(ms int64) state.Action {
		return board.ChooseCloses{Ms: ms}
	}), Set(Txt("p.error|role=status", words.Sentence(Upper(problem))), "hidden", Flag(problem == "")),
		El("div.ways", Set(Button(".btn|data-kind=primary|data-test=longer-go", "Set the closing time", "longer",
			board.SetCloses{}), "disabled", Flag(problem != "")))}
}

// release asks whether the feedback of a homework is to be released.
func (b *Board) release() []app.UI {
	return []app.UI{Say("p", "Everybody sees what is right, and whether their own change does what the task asks. Nothing more is taken then, and nothing takes the feedback back."),
		El("div.ways", Button(".btn|autofocus=true|data-test=release-keep", "Not yet", "keep", board.OpenSheet{}),
			Button(".btn|data-kind=primary|data-test=release-now", "Release the feedback", "release",
				board.ReleaseFeedback{}))}
}

// hours say on a wall when a homework opens and closes, and how many have handed in.
func (w *Wall) hours() app.UI {
	st := &w.Of.State
	if st.Phase != class.Homework {
		return El("p|hidden=true")
	}
	says := words.F("It closes {0}.", when(st.ClosesMS))
	switch {
	case w.Ahead:
		says = words.F("It opens {0} and closes {1}.", when(st.OpensMS), when(st.ClosesMS))
	case w.Past:
		says = words.F("It closed {0}.", when(st.ClosesMS))
	}
	return Txt("p.hours|data-test=wall-hours", says)
}

// homeworkWords are how many have handed in what.
func homeworkWords(n class.Counts) string {
	return words.F("{0} joined, {1} predicted, {2} changed, {3} written", Itoa(n.Joined), Itoa(n.Committed),
		Itoa(n.Submitted), Itoa(n.Explained))
}
