package ui

import (
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/state"
	"hadarlab/app/student"
	"hadarlab/app/ui/editor"
	. "hadarlab/app/ui/html"
	"hadarlab/app/ui/lesson"
	"hadarlab/app/ui/why"
	"hadarlab/app/words"
	"hadarlab/core/insights"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Headline is the finding in one sentence, and whatever must be said before it.
type Headline struct {
	Notice   *room.Notice
	Faults   *editor.Problems // of the scenario, nil = none, or the editor says them
	Failure  string
	Server   string // why the server has not done a run
	Lineage  *share.Lineage
	Question string // "" = none, or it may tell who does better while that is to be predicted
	Finding  insights.Finding
	Fresh    bool
	Predict  learn.Predict
	Ask      *lesson.Ask // about what is covered, nil = nothing is
	Task     bool        // a class is doing its task
	Why      bool        // the question is for reasons
	Answer   *why.Answer
}

func headlineOf(s *state.Lab, m *student.Model) *Headline {
	v := &Headline{Notice: s.Notice, Failure: failureText(s), Server: s.Server.Problem, Lineage: s.Lineage,
		Question: compare.Question(s.Doc), Finding: s.Result.Finding, Fresh: s.Fresh(), Predict: s.Predict,
		Task: m.Changing(), Why: compare.AsksWhy(s.Doc)}
	// A preset's question may tell who does better; an author who lets a link be predicted has chosen the question.
	if s.Predict.Covered && slices.ContainsFunc(s.Boot.Presets,
		func(p learn.Preset) bool { return p.Question == s.Doc.Meta.Question }) {
		v.Question = ""
	}
	if s.Faults() > 0 && !s.View.Editing && !s.Embed {
		v.Faults = editor.ProblemsOf(s)
	}
	if s.Predict.Covered {
		v.Ask = lesson.AskOf(s)
	} else {
		v.Answer = why.AnswerOf(s)
	}
	return v
}

// failureText is why the last run gave nothing.
func failureText(s *state.Lab) string {
	if s.Run.Failure == nil {
		return ""
	}
	return s.Run.Failure.Why().In(words.Now())
}

// Render draws the sentence.
func (l *Headline) Render() app.UI {
	var kids []app.UI
	if l.Notice != nil {
		kids = append(kids, notice(l.Notice))
	}
	if l.Faults != nil {
		kids = append(kids, l.Faults.Render())
	}
	if l.Failure != "" {
		kids = append(kids, Note("error", El("div", Bold(words.T("The run failed.")+" "),
			Text(words.Sentence(l.Failure))),
			Button(".btn", "Run again", "again", state.RunNow{})))
	}
	if l.Server != "" {
		kids = append(kids, serverProblem(l.Server))
	}
	if l.Lineage != nil {
		kids = append(kids, lineage(l.Lineage))
	}
	answer := El("div|hidden=true")
	if l.Ask != nil {
		answer = l.Ask.Render()
	} else if l.Answer != nil {
		answer = l.Answer.Render()
	}
	kids = append(kids, El("div.finding",
		El("div.says",
			Set(Txt("p.question", l.Question), "hidden", Flag(l.Question == "")),
			answer,
			Set(El("p.claim|data-test=finding", Txt("strong", l.Finding.Claim), Text(" "+l.Finding.Because)),
				"data-stale", OnOff(!l.Fresh), "data-answered", Flag(l.Answer != nil))),
		El("div.invites",
			Set(Button(".btn|data-test=why-here", "Why here?", "why", state.WhyHere{}),
				"disabled", Flag(l.Predict.Covered), "data-kind", filled(l.Why)),
			Set(Button(".btn alters|data-minor=1|data-test=change-one", "Change one thing", "change", state.ChangeOne{}),
				"hidden", Flag(l.Task), "data-kind", filled(!l.Why)), // the class's task has this button
			Set(Button(".btn alters|data-test=predict-first", "Predict first", "predict", state.TogglePredict{}),
				"aria-pressed", OnOff(l.Predict.On)))))
	if l.Predict.On {
		kids = append(kids, lesson.Predict(&l.Predict))
	}
	return El("section.head", kids...)
}

// filled is the kind of the button that is meant to be pressed next.
func filled(on bool) string {
	if on {
		return "primary"
	}
	return "plain"
}

// notice says why something could not be opened.
func notice(n *room.Notice) app.UI {
	kids := []app.UI{Bold(n.Title), Faults(n.Diags)}
	if n.Raw != "" {
		kids = append(kids, El("details", Say("summary", "Show what arrived"), Txt("pre.raw", n.Raw)))
	}
	ways := []app.UI{Button(".btn", "Close", "close", room.CloseNotice{})}
	if n.Broke {
		ways = append([]app.UI{Button(".btn|data-test=save-steps|title=A file of the scenario and your last steps, to be sent with a report; no codes of classes",
			"Save what led to it", "session", state.SaveSession{})}, ways...)
	}
	if n.Trace {
		ways = append([]app.UI{Button(".btn|data-test=notice-format", "Choose its format…", "format",
			state.Choose{})}, ways...)
	}
	return Set(Note("error", El("div", kids...), ways...), "data-test", "notice")
}

// serverProblem says why a run on the server gave nothing, or not all.
func serverProblem(problem string) app.UI {
	return Set(Note("error", Txt("div", problem),
		Button(".btn|data-test=run-here", words.T("Run it here"), "here", state.RunNow{}),
		Button(".btn|data-test=server-again", words.T("Try the server again"), "again", state.RunOnServer{})),
		"data-test", "server-problem")
}
