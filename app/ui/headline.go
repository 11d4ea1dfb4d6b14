package ui

import (
	"slices"

	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/state"
	"hadarlab/app/student"
	"hadarlab/app/words"
	"hadarlab/core/findings"
	jsontext "hadarlab/core/text"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Headline is the finding in one sentence, and whatever must be said before it.
type Headline struct {
	Notice   *room.Notice
	Failure  string
	Server   string // why the server has not done a run
	Lineage  *share.Lineage
	Question string // "" = none, or it may tell who does better while that is to be predicted
	Finding  findings.Finding
	Fresh    bool
	Predict  learn.Predict
	Task     bool // a class is doing its task
}

func headlineOf(s *state.Lab, m *student.Model) *Headline {
	v := &Headline{Notice: s.Notice, Failure: failureText(s), Server: s.Server.Problem, Lineage: s.Lineage,
		Question: s.Question(), Finding: s.Result.Finding, Fresh: s.Fresh(), Predict: s.Predict,
		Task: m.Changing()}
	// A preset's question may tell who does better; an author who lets a link be predicted has chosen the question.
	if s.Predict.Covered && slices.ContainsFunc(s.Boot.Presets,
		func(p learn.Preset) bool { return p.Question == s.Doc.Meta.Question }) {
		v.Question = ""
	}
	return v
}

// render draws the sentence.
func (l *Headline) render() app.UI {
	var kids []app.UI
	if l.Notice != nil {
		kids = append(kids, notice(l.Notice))
	}
	if l.Failure != "" {
		kids = append(kids, note("error", el("div", bold(words.T("The run failed.")+" "), text(sentence(l.Failure))),
			button(".btn", "Run again", "again", state.RunNow{})))
	}
	if l.Server != "" {
		kids = append(kids, serverProblem(l.Server))
	}
	if l.Lineage != nil {
		kids = append(kids, lineage(l.Lineage))
	}
	kids = append(kids, el("div.finding",
		el("div.says",
			set(txt("p.question", l.Question), "hidden", flag(l.Question == "")),
			set(el("p.claim|data-test=finding", txt("strong", l.Finding.Claim), text(" "+l.Finding.Because)),
				"data-stale", onoff(!l.Fresh))),
		el("div.invites",
			set(button(".btn|data-test=why-here", "Why here?", "why", state.WhyHere{}),
				"disabled", flag(l.Predict.Covered)),
			set(button(".btn alters|data-kind=primary|data-test=change-one", "Change one thing", "change", state.ChangeOne{}),
				"hidden", flag(l.Task)), // which has this button
			set(button(".btn alters|data-test=predict-first", "Predict first", "predict", state.TogglePredict{}),
				"aria-pressed", onoff(l.Predict.On)))))
	if l.Predict.On {
		kids = append(kids, predict(&l.Predict))
	}
	return el("section.head", kids...)
}

// note is a message with its sign and its ways out.
func note(level string, body app.UI, ways ...app.UI) app.UI {
	role := "note"
	if level == "error" {
		role = "alert"
	}
	return set(el("div.note", icon(level), body, el("div.ways", ways...)), "data-level", level, "role", role)
}

// notice says why something could not be opened.
func notice(n *room.Notice) app.UI {
	kids := []app.UI{bold(n.Title), faults(n.Diags)}
	if n.Raw != "" {
		kids = append(kids, el("details", say("summary", "Show what arrived"), txt("pre.raw", n.Raw)))
	}
	ways := []app.UI{button(".btn", "Close", "close", room.CloseNotice{})}
	if n.Broke {
		ways = append([]app.UI{button(".btn|data-test=save-steps|title=A file of the scenario and your last steps, to be sent with a report; no codes of classes",
			"Save what led to it", "session", state.SaveSession{})}, ways...)
	}
	if n.Trace {
		ways = append([]app.UI{button(".btn|data-test=notice-format", "Choose its format…", "format",
			state.Choose{})}, ways...)
	}
	return set(note("error", el("div", kids...), ways...), "data-test", "notice")
}

// faults lists diagnostics with place and way out, at most eight.
func faults(diags jsontext.Diagnostics) app.UI {
	const most = 8
	kids := each(min(len(diags), most), func(i int) app.UI {
		d := &diags[i]
		where := d.Path
		if d.Line > 0 {
			where = words.F("line {0} {1}", itoa(d.Line), d.Path)
		}
		return set(el("li", text(sentence(d.Message.In(words.Now()))+" "+d.Fix.In(words.Now())+" "),
			txt("span.mute mono", where)), "data-code", d.Code)
	})
	if len(diags) > most {
		kids = append(kids, txt("li", words.F("and {0} more", itoa(len(diags)-most))))
	}
	return el("ul.findings", kids...)
}

// sentence ends a message as a sentence.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if last := s[len(s)-1]; last != '.' && last != '!' && last != '?' {
		s += "."
	}
	return s
}
