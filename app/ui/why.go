package ui

import (
	"math"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/findings"
	"hadarlab/core/message"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Why explains one lane's decision for the selected job at the cursor, and sets the other lanes' beside it.
type Why struct {
	H      *Host
	Result int64
	Moment int
	Job    string
	Lane   int
	Known  int64
	Flip   int64
	Fresh  bool
	Asked  bool // a lesson's question is open, whose answer may stand here
	Engine state.EngineState
	Sort   state.Sort
}

// render draws the panel.
func (w *Why) render() app.UI {
	h, r := w.H, w.H.S.Result
	if r == nil || w.Job == "" {
		return el("section")
	}
	lane := min(max(w.Lane, 0), len(r.Lanes)-1)
	round := r.Round(lane, w.Moment)
	e, problem := h.S.Explanation(lane)
	c := state.Choice(e, w.Job)
	kids := []app.UI{w.says(r, lane, c, problem), w.others(r, lane), w.rhythm(r)}
	if c != nil {
		kids = append(kids, w.details(r, lane, e, c)...)
	}
	kids = append(kids, w.formula(r.Lanes[lane]), w.flip(lane, round, c != nil), w.command(r, lane, round))
	lanes := each(len(r.Lanes), func(i int) app.UI {
		return on(set(txt("button|type=button|data-test=why-lane", r.Lanes[i].Title), "aria-pressed", onoff(i == lane),
			"data-lane", edit.LaneLetter(i)), "click", h.on(state.WhyLane{Lane: i}), itoa(i))
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
	return el("p.lead", laneTag(lane), text(" "+w.title(r, lane, c != nil)+": "), w.H.chip(w.Job),
		el("span|data-test=why-sentence", text(" "), bold(claim), text(rest)))
}

// title is a lane's, with the time at which it has decided where that is an earlier one.
func (w *Why) title(r *run.Result, lane int, decided bool) string {
	l := r.Lanes[lane]
	if m, ok := r.Moment(w.Moment); ok && decided && l.Trace != nil {
		if made, earlier := findings.Earlier(l.Trace, r.Round(lane, w.Moment), m.At); earlier {
			return l.Title + ", " + r.Axis.Unit.At(made)
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
		return words.T("cannot run this scenario; its lane says why.")
	}
	if l.Trace == nil || !ok || !known || int(j) >= len(l.Trace.Jobs) {
		return words.F("{0} has nothing to say about {1} here.", l.Title, w.Job)
	}
	return findings.Standing(l.Trace, l.Chart, j, m.At, r.Axis.Unit)
}

// rhythm says of the lanes which decided at another time than the cursor's, or before their round was over.
func (w *Why) rhythm(r *run.Result) app.UI {
	var notes []app.UI
	m, _ := r.Moment(w.Moment)
	for i, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		if s := findings.Rhythm(l.Trace, l.Chart, r.Round(i, w.Moment), m.At, r.Axis.Unit, l.Title); s != "" {
			notes = append(notes, txt("div", s))
		}
	}
	return set(el("div.xs soft|data-test=why-rhythm", notes...), "hidden", flag(notes == nil))
}

// details are the numbers behind the sentence, as the policy has them.
func (w *Why) details(r *run.Result, lane int, e *message.Explanation, c *message.JobChoice) []app.UI {
	var out []app.UI
	if c.Utility != nil {
		out = append(out, w.payoff(e, c))
	}
	forked := len(c.Copies) > 0 || len(c.Candidates) > 0 && c.Candidates[0].Phase > 0
	switch {
	case forked:
		out = append(out, w.phases(r, lane, e, c)...)
	case len(c.Candidates) > 0:
		out = append(out, w.candidates(r, lane, e, c, c.Candidates))
	}
	if len(c.Shares) > 0 {
		out = append(out, w.shares(r, lane, c))
	}
	if at, round := chart.Positions(e, c); len(at) > 0 && !forked {
		out = append(out, w.prices(e, c, at, round))
	}
	var lists [2][]message.NamedValue // of the decision, of the solver
	for _, t := range append(c.Terms[:len(c.Terms):len(c.Terms)], e.Terms...) {
		at := 0
		if t.Solver {
			at = 1
		}
		lists[at] = append(lists[at], t)
	}
	out = append(out, terms(lists[0]),
		set(el("details.solver|data-test=why-solver", say("summary", "Solver figures"), terms(lists[1])),
			"hidden", flag(lists[1] == nil)))
	if len(e.Order) > 1 {
		out = append(out, w.order(e, c))
	}
	if len(c.Candidates) == 0 && !forked {
		out = append(out, w.forcible(r, lane, c))
	}
	return out
}

// payoff is what the placement is worth, what it costs and the difference: of one round where the policy compares
// rounds, with the figures of the job's whole remaining life below.
func (w *Why) payoff(e *message.Explanation, c *message.JobChoice) app.UI {
	n := *c.Rounds
	worth, cost, gain := e.Of(*c.Utility, n), e.Of(*c.Cost, n), e.Of(*c.Payoff, n)
	lead, whole := words.T("worth"), ""
	if e.PerRound {
		lead = words.T("a round there is worth")
		whole = words.F("Over the {0} that it still needs: utility {1} − cost {2} = payoff {3}.",
			figure.Plural(int(n), "round"), figure.Sig(*c.Utility, 4), figure.Sig(*c.Cost, 4), figure.Signed(*c.Payoff))
	}
	return set(el("div.terms|data-test=why-payoff", app.Raw("<div>"+draw.PayoffSVG(worth, cost)+"</div>"),
		el("p.equation", text(lead+" "), bold(figure.Sig(worth, 4)), text(" "+words.T("− cost")+" "),
			bold(figure.Sig(cost, 4)),
			text(" "+words.T("= difference")+" "), bold(figure.Signed(gain)),
			txt("span.mute", ", "+findings.PriceUnit(e.Unit))),
		txt("p.xs soft", whole)),
		"data-utility", exact(*c.Utility), "data-cost", exact(*c.Cost), "data-payoff", exact(*c.Payoff))
}

// exact writes a number so that it reads back as itself; what is none, as a figure of nothing, is left out.
func exact(v float64) string {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}

func (w *Why) candidates(r *run.Result, lane int, e *message.Explanation, c *message.JobChoice,
	list []message.Candidate) app.UI {
	types := typesOf(r.Lanes[lane].Trace)
	head, what, scale := []string{"Placement", "#Worth", "#Cost", "#Payoff", "Verdict"}, "", 1.0
	if e.PerRound {
		head, what = []string{"Placement", "#Worth", "#Cost", "#Gain", "Verdict"},
			words.T("Worth and cost of one round:")
		if thousandths(e, list) {
			what, scale = words.T("Worth and cost of one round, in thousandths:"), 1000
		}
	}
	var numbers [][]float64
	rows := each(len(list), func(i int) app.UI {
		k := &list[i]
		worth, cost, gain := e.Of(k.Utility, k.Rounds), e.Of(k.Cost, k.Rounds), e.Of(k.Payoff, k.Rounds)
		numbers = append(numbers, []float64{worth, cost, gain})
		held := k.Verdict == words.T("chosen") || k.Verdict == words.T("forced by you")
		rate := txt("span.rate", figure.Sig(k.RatePerS, 4)+" "+words.T("steps/s"))
		return set(el("tr", el("th|scope=row", append(gang(types, k.Gang), rate)...),
			tdNum(figure.Sig(scale*worth, 3)), tdNum(readable(scale*cost)),
			set(el("td.num|data-test=why-candidate", bold(figure.Signed(scale*gain))), "data-value", exact(k.Payoff),
				"data-gain", exact(gain)),
			w.verdict(lane, k.Verdict, held, k.Gang)), "aria-selected", onoff(held))
	})
	waits := len(c.Gangs) == 0
	numbers = append(numbers, []float64{0, 0, 0})
	rows = append(rows, set(el("tr", say("th|scope=row", "wait"), tdNum("0"), tdNum("0"), tdNum("0"),
		w.verdict(lane, made(c, waits), waits, nil)), "aria-selected", onoff(waits)))
	return el("div", txt("p.xs soft", what),
		w.sorted("|data-test=why-candidates", words.F("Placements weighed for {0}", w.Job), head, rows, numbers))
}

// readable is a number in a table of numbers up to some hundreds: what is too small beside them is said to be so. The
// exact ones are in the exports.
func readable(v float64) string {
	if v > 0 && v < 0.001 {
		return "<" + figure.Point("0.001")
	}
	return figure.Sig(v, 3)
}

// thousandths says whether no placement's round is worth a tenth.
func thousandths(e *message.Explanation, list []message.Candidate) bool {
	for i := range list {
		if math.Abs(e.Of(list[i].Utility, list[i].Rounds)) >= 0.1 {
			return false
		}
	}
	return true
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
	if w.H.S.Embed || held {
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

func (w *Why) shares(r *run.Result, lane int, c *message.JobChoice) app.UI {
	types := typesOf(r.Lanes[lane].Trace)
	held := ""
	if len(c.Gangs) > 0 && len(c.Gangs[0]) > 0 {
		held = c.Gangs[0][0].Type
	}
	note := ""
	var numbers [][]float64
	rows := each(len(c.Shares), func(i int) app.UI {
		s := &c.Shares[i]
		numbers = append(numbers, []float64{s.Target, s.Received, s.Priority, s.RatePerS})
		if s.RatePerS == 0 {
			note = words.T("0 steps/s: the type has fewer GPUs than the gang needs, or its speed there is not known.") +
				" "
		}
		return set(el("tr", el("th|scope=row", typeMark(types, s.Type)), tdNum(figure.Percent(s.Target)),
			tdNum(figure.Percent(s.Received)),
			set(txt("td.num|data-test=why-priority", figure.Fixed(s.Priority, 2)), "data-type", s.Type,
				"data-value", exact(s.Priority)),
			tdNum(figure.Sig(s.RatePerS, 4))), "aria-selected", onoff(s.Type == held))
	})
	head := []string{"GPU type", "#Target", "#Received", "#Priority", "#Steps/s"}
	return el("div.phases", w.sorted("|data-test=why-shares", words.F("Shares of time of {0}", w.Job), head, rows,
		numbers),
		txt("p.xs soft", note+findings.ReceivedNote()))
}

// prices shows where the gang stood on the price curve of its dearest slot.
func (w *Why) prices(e *message.Explanation, c *message.JobChoice, at []chart.PricePosition, round float64) app.UI {
	p := at[0]
	for _, q := range at {
		if q.Price > p.Price {
			p = q
		}
	}
	svg := draw.PriceCurveSVG(e.Constants.UMin[p.Type], e.Constants.UMax[p.Type], p,
		words.F("{0} pays {1}", w.Job, figure.Sig(p.Price, 4)))
	sum := ""
	if c.Cost != nil && c.Rounds != nil && math.Abs(float64(round*float64(*c.Rounds))-*c.Cost) <= 1e-6**c.Cost {
		for i, q := range at {
			if i > 0 {
				sum += " + "
			}
			sum += itoa(q.Count) + " " + figure.TypeTitle(q.Type) + " × " + figure.Sig(q.Price, 4)
		}
		if len(at) > 1 {
			sum = "(" + sum + ")"
		}
		if e.PerRound {
			sum = words.F("a round: {0}", sum+" = "+figure.Sig(round, 4))
		} else {
			sum = figure.Plural(int(*c.Rounds), "round") + " × " + sum + " = " + figure.Sig(*c.Cost, 4)
		}
	}
	return el("div.curve",
		txt("h3", words.F("Price of a {0} on {1} as it fills, log scale", figure.TypeTitle(p.Type), p.Node)),
		app.Raw("<div>"+svg+"</div>"), txt("p.xs soft", sum))
}

func terms(list []message.NamedValue) app.UI {
	return el("dl.named", each(len(list), func(i int) app.UI {
		unit := list[i].Unit
		if unit != "" {
			unit = " " + words.T(unit)
		}
		return el("div", say("dt", list[i].Name), set(txt("dd", figure.Sig(list[i].Value, 4)+unit),
			"data-value", exact(list[i].Value)))
	})...)
}

// formula is the rule behind the numbers, where it is from, and the way to all of the policy.
func (w *Why) formula(l *run.Lane) app.UI {
	info := w.H.S.Boot.Policy(l.Policy.ID)
	if info == nil {
		return el("span|hidden=true")
	}
	return el("details.command|data-test=why-formula", say("summary", "In the formula"),
		txt("p.equation", words.T(info.Formula)+"."),
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
		e, _ := w.H.S.Explanation(i)
		c, s := state.Choice(e, w.Job), w.plain(r, i)
		if c != nil {
			s = c.Sentence
		}
		claim, rest := lead(s)
		out = append(out, set(el("p|data-test=why-other", laneTag(i), text(" "+w.title(r, i, c != nil)+": "),
			bold(claim), text(rest)),
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
