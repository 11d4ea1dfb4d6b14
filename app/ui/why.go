package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
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
	Embed  bool // nothing can be forced
	Sort   state.Sort
}

func whyOf(s *state.Lab) *Why {
	v := &s.View
	w := &Why{Result: s.Result, Boot: s.Boot, Moment: v.Moment, Job: v.Job,
		Lane: min(max(v.WhyLane, 0), len(s.Result.Lanes)-1), Known: s.Asks.At(s.Result, v.Moment), Fresh: s.Fresh(),
		Asked: s.Learn.Asked(), Embed: s.Embed, Sort: v.Sort}
	if w.Job == "" {
		return w
	}
	if f := s.Flip.At(s.Result, w.Lane, v); f != nil {
		asked := *f
		w.Flip = &asked
	}
	return w
}

// render draws the panel.
func (w *Why) render() app.UI {
	r, lane := w.Result, w.Lane
	if w.Job == "" {
		return el("section")
	}
	round := r.Round(lane, w.Moment)
	e := w.Known[lane].E
	c := state.Choice(e, w.Job)
	kids := []app.UI{w.says(r, lane, c, w.Known[lane].Problem), w.others(r, lane), w.rhythm(r)}
	if c != nil {
		kids = append(kids, w.details(r, lane, e, c)...)
	}
	kids = append(kids, w.formula(r.Lanes[lane]), w.flip(lane, round, c != nil), w.command(r, lane, round))
	lanes := each(len(r.Lanes), func(i int) app.UI {
		return on(set(txt("button|type=button|data-test=why-lane", r.Lanes[i].Title), "aria-pressed", onoff(i == lane),
			"data-lane", edit.LaneLetter(i)), "click", act(state.WhyLane{Lane: i}), itoa(i))
	})
	pad := el("div.pad", kids...)
	if w.Asked {
		pad = el("details.asked|data-test=why-asked", say("summary", "Show Why"), pad)
	}
	return set(el("section.panel why|data-test=why|tabindex=-1|data-scroll=1|aria-labelledby=h-why",
		el("header", txt("h2|id=h-why", words.F("Why: {0} in round {1}", w.Job, itoa(w.Moment+1))),
			el("span.seg|role=group|aria-label=Explain which lane", lanes...)),
		pad),
		"data-job", w.Job, "data-round", itoa(round), "data-policy", r.Lanes[lane].Policy.ID,
		"data-known", onoff(c != nil))
}

// says is the decision in a sentence: the engine's, or what the picture shows while that is not known.
func (w *Why) says(r *run.Result, lane int, c *message.JobChoice, problem string) app.UI {
	claim, rest := "", w.plain(r, lane)
	if c != nil {
		claim, rest = lead(c.Sentence)
	} else if problem != "" {
		rest += " " + words.F("The engine says: {0}", problem)
	}
	return el("p.lead", laneTag(lane), text(" "+w.title(r, lane, c != nil)+": "), chip(r, w.Job),
		el("span|data-test=why-sentence", append([]app.UI{text(" "), bold(claim)}, defined(rest)...)...))
}

// title is a lane's, with the time at which it has decided where that is an earlier one.
func (w *Why) title(r *run.Result, lane int, decided bool) string {
	l := r.Lanes[lane]
	if m, ok := r.Moment(w.Moment); ok && decided && l.Trace != nil {
		if made, earlier := findings.Earlier(l.Trace, r.Round(lane, w.Moment), m.At); earlier {
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
	return findings.Standing(words.Now(), l.Trace, l.Chart, j, m.At, r.Axis.Unit)
}

// rhythm says of the lanes which decided at another time than the cursor's, or before their round was over.
func (w *Why) rhythm(r *run.Result) app.UI {
	var notes []app.UI
	m, _ := r.Moment(w.Moment)
	for i, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		if s := findings.Rhythm(words.Now(), l.Trace, l.Chart, r.Round(i, w.Moment), m.At, r.Axis.Unit,
			l.Title); s != "" {
			notes = append(notes, txt("div", s))
		}
	}
	return set(el("div.xs soft|data-test=why-rhythm", notes...), "hidden", flag(notes == nil))
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
		return txt("td.verdict", says)
	}
	return el("td.verdict", text(says), w.forceButton(lane, gangs...))
}

// gang is GPUs by type and node, in marks.
func gang(types []string, shards []message.Shard) []app.UI {
	return each(len(shards), func(i int) app.UI {
		sh := &shards[i]
		plus := ""
		if i > 0 {
			plus = "+ "
		}
		return set(el("span.gpu", text(plus), markOf(types, sh.Type), text(itoa(sh.Count)), txt("span.mute", sh.Node)),
			"title", words.F("{0} {1} on {2}", itoa(sh.Count), figure.TypeTitle(sh.Type), sh.Node))
	})
}

// formula is the rule behind the numbers, where it is from, and the way to all of the policy.
func (w *Why) formula(l *run.Lane) app.UI {
	info := w.Boot.Policy(l.Policy.ID)
	if info == nil {
		return el("span|hidden=true")
	}
	return el("details.command|data-test=why-formula", say("summary", "In the formula"),
		el("p.equation", defined(words.T(info.Formula)+".")...),
		el("p.mute xs", say("span", info.Source), text(". "),
			set(say("a|target=_blank", "All about this policy"), "href", "/docs/policies#"+info.ID)))
}

// others is what the other lanes did at the same instant.
func (w *Why) others(r *run.Result, lane int) app.UI {
	var out []app.UI
	for i, l := range r.Lanes {
		if i == lane {
			continue
		}
		c, s := state.Choice(w.Known[i].E, w.Job), w.plain(r, i)
		if c != nil {
			s = c.Sentence
		}
		claim, rest := lead(s)
		out = append(out, set(el("p|data-test=why-other", laneTag(i), text(" "+w.title(r, i, c != nil)+": "),
			bold(claim), el("span", defined(rest)...)),
			"data-policy", l.Policy.ID, "data-known", onoff(c != nil)))
	}
	return el("div.other", append(out, w.elsewhere(r))...)
}

// command is how to get the same numbers without a page.
func (w *Why) command(r *run.Result, lane, round int) app.UI {
	if round < 0 {
		return el("div")
	}
	return el("details.command", say("summary", "The same numbers on the command line"),
		txt("code", "hadarlab explain --policy "+r.Lanes[lane].CommandID()+" --round "+itoa(round)+" --job "+w.Job+
			" SCENARIO"),
		say("p.mute xs", "Rounds count from 0 there and from 1 here. SCENARIO is a saved file, or the link of Share."))
}
