// Package why draws why a policy decided as it did: its reasons and their numbers, why a job waits, what else it
// could have chosen, and what other lanes did.
package why

import (
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/message"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Why explains one lane's decision for the selected job at the cursor, and sets the other lanes' beside it.
type Why struct {
	Result *run.Result
	Boot   *room.Boot
	Moment int
	Job    string
	Lane   int
	Known  []state.Explained // of each lane
	Flip   *state.Flip       // what would change the decision, nil = nobody asked
	Fresh  bool
	Asked  bool // a lesson's question is open, whose answer may stand here
	Leads  bool // it is about what the question on the screen asks, whose answer comes first
	Answer *Answer
	Embed  bool // nothing can be forced
	Sort   state.Sort
}

func Of(s *state.Lab) *Why {
	v := &s.View
	w := &Why{Result: s.Result, Boot: s.Boot, Moment: v.Moment, Job: v.Job,
		Lane: min(max(v.WhyLane, 0), len(s.Result.Lanes)-1), Known: s.Asks.At(s.Result, v.Moment), Fresh: s.Fresh(),
		Asked: s.Learn.Asked(), Embed: s.Embed, Sort: v.Sort}
	if w.Job == "" {
		return w
	}
	job, lane, moment := s.Result.TellingJob(), s.Result.Tells, s.Result.Diff.Reason()
	answer := AnswerOf(s)
	if answer != nil {
		job, lane, moment = answer.Job, answer.Lane, answer.Moment
	}
	if w.Leads = !s.Predict.Covered && w.Moment == moment && w.Job == job && w.Lane == lane; w.Leads {
		w.Answer = answer
	}
	if f := s.Flip.At(s.Result, w.Lane, v); f != nil {
		asked := *f
		w.Flip = &asked
	}
	return w
}

// Render draws the panel.
func (w *Why) Render() app.UI {
	r, lane := w.Result, w.Lane
	if w.Job == "" {
		return El("section")
	}
	round := r.Round(lane, w.Moment)
	e := w.Known[lane].E
	c := state.ChoiceFor(e, w.Job)
	kids := append(w.lead(r, w.says(r, lane, c, w.Known[lane].Problem)), w.others(r, lane), w.rhythm(r))
	if c != nil {
		kids = append(kids, w.details(r, lane, e, c)...)
	}
	kids = append(kids, w.formula(r.Lanes[lane]), w.flip(lane, round, c != nil), w.command(r, lane, round))
	lanes := Each(len(r.Lanes), func(i int) app.UI {
		return elm.On(Set(Txt("button|type=button|data-test=why-lane", r.Lanes[i].Title), "aria-pressed",
			OnOff(i == lane), "data-lane", edit.LaneLetter(i)), "click", Act(state.ExplainLane{Lane: i}), Itoa(i))
	})
	pad := El("div.pad", kids...)
	if w.Asked {
		pad = El("details.asked|data-test=why-asked", Say("summary", "Show Why"), pad)
	}
	return Set(El("section.panel why|data-test=why|tabindex=-1|data-scroll=1|aria-labelledby=h-why",
		El("header", Txt("h2|id=h-why", words.F("Why: {0} in round {1}", w.Job, Itoa(w.Moment+1))),
			El("span.seg|role=group|aria-label=Explain which lane", lanes...),
			Tool("|data-kind=quiet|data-closes=1|data-test=why-close", "close", "Close (Esc)", "why-close", state.CloseWhy{})),
		pad),
		"data-job", w.Job, "data-round", Itoa(round), "data-policy", r.Lanes[lane].Policy.ID,
		"data-lane", string(rune('A'+lane)),
		"data-known", OnOff(c != nil))
}

// lead begins with the answer of the first screen, in its words and numbers: the decision and its check, or what comes
// of all decisions and then this one.
func (w *Why) lead(r *run.Result, says app.UI) []app.UI {
	switch {
	case !w.Leads || w.Answer == nil && r.Finding.Claim == "":
		return []app.UI{says}
	case w.Answer != nil:
		return []app.UI{says, w.Answer.proof()}
	}
	return []app.UI{El("p.lead|data-test=why-finding", Bold(r.Finding.Claim), Text(" "+r.Finding.Because)), says}
}

// says is the decision in a sentence: the engine's, or what the picture shows while that is not known.
func (w *Why) says(r *run.Result, lane int, c *message.JobChoice, problem string) app.UI {
	claim, rest := "", w.plain(r, lane)
	if c != nil {
		claim, rest = Lead(c.Sentence)
	} else if problem != "" {
		rest += " " + words.F("The engine says: {0}", problem)
	}
	return El("p.lead", LaneTag(lane), Text(" "+w.title(r, lane, c != nil)+": "), Chip(r, w.Job),
		El("span|data-test=why-sentence", append([]app.UI{Text(" "), Bold(claim)}, Defined(rest)...)...))
}

// title is a lane's, with the time at which it has decided where that is an earlier one.
func (w *Why) title(r *run.Result, lane int, decided bool) string {
	l := r.Lanes[lane]
	if m, ok := r.Moment(w.Moment); ok && decided && l.Trace != nil {
		if made, earlier := insights.Earlier(l.Trace, r.Round(lane, w.Moment), m.At); earlier {
			return l.Title + ", " + r.Axis.Unit.At(words.Now(), made)
		}
	}
	return l.Title
}

// plain is what the lane's picture shows of the job at the cursor.
func (w *Why) plain(r *run.Result, lane int) string {
	l := r.Lanes[lane]
	m, ok := r.Moment(w.Moment)
	j, known := r.Jobs[w.Job]
	if l.Refused() {
		return words.T("This policy cannot run the scenario; its lane says why.")
	}
	if l.Trace == nil || !ok || !known || int(j) >= len(l.Trace.Jobs) {
		return words.F("{0} has nothing to say about {1} here.", l.Title, w.Job)
	}
	return insights.Standing(words.Now(), l.Trace, l.Chart, j, m.At, r.Axis.Unit)
}

// rhythm says of the lanes which decided at another time than the cursor's, or before their round was over.
func (w *Why) rhythm(r *run.Result) app.UI {
	var notes []app.UI
	m, _ := r.Moment(w.Moment)
	for i, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		if s := insights.Rhythm(words.Now(), l.Trace, l.Chart, r.Round(i, w.Moment), m.At, r.Axis.Unit,
			l.Title); s != "" {
			notes = append(notes, Txt("div", s))
		}
	}
	return Set(El("div.xs soft|data-test=why-rhythm", notes...), "hidden", Flag(notes == nil))
}

// made says who made a choice that holds.
func made(c *message.JobChoice, holds bool) string {
	switch {
	case !holds:
		return ""
	case c.Reason == "forced":
		return words.T("forced by you")
	}
	return words.T("chosen")
}

// verdict is the cell that says what became of a choice, with the way to force it unless it is what the job has.
func (w *Why) verdict(lane int, says string, held bool, gangs ...[]message.Shard) app.UI {
	if w.Embed || held || len(gangs) == 0 {
		return Txt("td.verdict", says)
	}
	return El("td.verdict", Text(says), w.forceButton(lane, gangs...))
}

// gang is GPUs by type and node, in marks.
func gang(types []string, shards []message.Shard) []app.UI {
	return Each(len(shards), func(i int) app.UI {
		sh := &shards[i]
		plus := ""
		if i > 0 {
			plus = "+ "
		}
		return Set(El("span.gpu", Text(plus), MarkOf(types, sh.Type), Text(Itoa(sh.Count)), Txt("span.mute", sh.Node)),
			"title", words.F("{0} {1} on {2}", Itoa(sh.Count), figure.TypeTitle(sh.Type), sh.Node))
	})
}

// formula is the rule behind the numbers, where it is from, and the way to all of the policy.
func (w *Why) formula(l *run.Lane) app.UI {
	info := w.Boot.Policy(l.Policy.ID)
	if info == nil || info.Recorded {
		return El("span|hidden=true")
	}
	return El("details.command|data-test=why-formula", Say("summary", "In the formula"),
		El("p.equation", Defined(words.T(info.Formula)+".")...),
		El("p.mute xs", Say("span", info.Source), Text(". "),
			Say("span", "The formula is that of the default parameters."), Text(" "),
			Set(Say("a|target=_blank", "All about this policy"), "href", "/docs/policies#"+info.ID)))
}

// others is what the other lanes did at the same instant.
func (w *Why) others(r *run.Result, lane int) app.UI {
	var out []app.UI
	for i, l := range r.Lanes {
		if i == lane {
			continue
		}
		c, s := state.ChoiceFor(w.Known[i].E, w.Job), w.plain(r, i)
		if c != nil {
			s = c.Sentence
		}
		claim, rest := Lead(s)
		out = append(out, Set(El("p|data-test=why-other", LaneTag(i), Text(" "+w.title(r, i, c != nil)+": "),
			Bold(claim), El("span", Defined(rest)...)),
			"data-policy", l.Policy.ID, "data-known", OnOff(c != nil)))
	}
	return El("div.other", append(out, w.elsewhere(r))...)
}

// command is how to get the same numbers without a page.
func (w *Why) command(r *run.Result, lane, round int) app.UI {
	if round < 0 {
		return El("div")
	}
	return El("details.command", Say("summary", "The same numbers on the command line"),
		Txt("code", "hadarlab explain --policy "+r.Lanes[lane].CommandID()+" --round "+Itoa(round)+" --job "+w.Job+
			" SCENARIO"),
		Say("p.mute xs", "Rounds there are the policy’s own decisions, counted from 0; here, from 1, those of the compared lanes together. SCENARIO is a saved file, or the link of Share."))
}

// Brief is the strip with the reason's first sentence.
func (w *Why) Brief() app.UI {
	lane := w.Lane
	says := w.plain(w.Result, lane)
	if c := state.ChoiceFor(w.Known[lane].E, w.Job); c != nil {
		says = c.Sentence
	}
	claim, rest := Lead(says)
	return El("aside.peek|data-test=peek|aria-label=Why, in brief",
		El("p", LaneTag(lane), Text(" "), Chip(w.Result, w.Job), Text(" "), Bold(claim), Text(rest)),
		El("div.ways", Button(".btn|data-kind=primary|data-test=peek-why", "Why in full", "peek-why",
			state.ShowWhy{}),
			Tool("|data-kind=quiet", "close", "Close", "peek-close", state.ClosePeek{})))
}
