package ui

import (
	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// phases are what a policy that decides in two phases weighed: whole nodes at a price, then the leftover
// ones.
func (w *Why) phases(r *run.Result, lane int, e *message.Explanation, c *message.JobChoice) []app.UI {
	var kids []app.UI
	if len(c.Copies) > 0 {
		kids = append(kids, w.copies(r, lane, c))
	}
	at := 0
	for at < len(c.Candidates) && c.Candidates[at].Phase == 1 {
		at++
	}
	kids = append(kids, el("div.phase", say("h3", "Phase 1: one node for each job, at the price of an empty node"),
		w.candidates(r, lane, e, c, c.Candidates[:at])))
	if at == len(c.Candidates) {
		kids = append(kids, txt("p.xs soft|data-test=why-phase2",
			words.F("Phase 2: phase 1 left no node over that {0} could use.", w.Job)))
	} else {
		kids = append(kids, el("div.phase|data-test=why-phase2",
			say("h3", "Phase 2: each leftover node goes to the job to which it adds most a round; nothing is charged"),
			w.leftover(r, lane, c, c.Candidates[at:])))
	}
	return []app.UI{el("div.phases", kids...), w.nodePrice(e, c)}
}

// copies are the job's copies in the coming round.
func (w *Why) copies(r *run.Result, lane int, c *message.JobChoice) app.UI {
	types := typesOf(r.Lanes[lane].Trace)
	left := ""
	rows := each(len(c.Copies), func(i int) app.UI {
		k := &c.Copies[i]
		if k.Left > 0 {
			left += words.F(
				"On {0} it leaves {1}: a copy runs on one GPU type of its node, in the largest gang its speeds know.",
				k.Node, figure.Plural(k.Left, "GPU")) + " "
		}
		return set(el("tr", el("th|scope=row",
			gang(types, []message.Shard{{Node: k.Node, Type: k.Type, Count: k.Count}})...), tdNum(itoa(k.Phase)),
			tdNum(figure.Sig(k.RatePerS, 4)),
			el("td.num", bold(figure.Sig(k.Quota, 6)), txt("span.mute", " "+words.F("of {0}", figure.Sig(k.Most, 6)))),
			tdNum(figure.Sig(k.Weight, 3))),
			"data-test", "why-copy", "data-node", k.Node, "data-quota", exact(k.Quota), "data-weight", exact(k.Weight),
			"data-rate", exact(k.RatePerS))
	})
	return el("div.phase", say("h3", "Copies this round; the merge weighs them by their steps"),
		table(".rows", words.F("Copies of {0}", w.Job), []app.UI{th("Copy on"), thNum("Phase"), thNum("Steps/s"),
			thNum("Quota, steps"), thNum("Weight")}, rows),
		set(txt("p.xs soft", left), "hidden", flag(left == "")))
}

// nodePrice is what phase 1 charged: HadarE prices whole nodes, which are empty or taken. It is empty for a
// job without a node of phase 1.
func (w *Why) nodePrice(e *message.Explanation, c *message.JobChoice) app.UI {
	if e.Constants == nil || c.Cost == nil || c.Rounds == nil {
		return el("div")
	}
	for _, k := range c.Copies {
		if k.Phase != 1 {
			continue
		}
		lo, hi := e.Constants.UMin[k.Type], e.Constants.UMax[k.Type]
		at := chart.PricePosition{Node: k.Node, Type: k.Type, Capacity: 1, Count: 1, Price: lo}
		return el("div.curve", txt("h3", words.F("Price of the node {0}, empty and taken, log scale", k.Node)),
			app.Raw("<div>"+draw.PriceCurveSVG(lo, hi, at,
				words.F("{0} pays {1}", w.Job, figure.Sig(lo, 4)))+"</div>"),
			txt("p.xs soft", words.F("a round: {0}", figure.Sig(lo, 4))))
	}
	return el("div")
}

// leftover are the nodes of phase 2, with what each would have brought the job. One that it did not get can be forced
// beside the copies that it has.
func (w *Why) leftover(r *run.Result, lane int, c *message.JobChoice, list []message.Candidate) app.UI {
	types := typesOf(r.Lanes[lane].Trace)
	var numbers [][]float64
	rows := each(len(list), func(i int) app.UI {
		k := &list[i]
		numbers = append(numbers, []float64{k.RatePerS, k.Utility})
		all, held := [][]message.Shard{k.Gang}, false
		for _, g := range c.Gangs {
			all, held = append(all, g), held || g[0].Node == k.Gang[0].Node
		}
		return set(el("tr", el("th|scope=row", gang(types, k.Gang)...), tdNum(figure.Sig(k.RatePerS, 4)),
			set(el("td.num|data-test=why-gain", bold(figure.Signed(k.Utility))), "data-value", exact(k.Utility)),
			w.verdict(lane, k.Verdict, held, all...)), "aria-selected", onoff(k.Verdict == words.T("chosen")))
	})
	head := []string{"Node", "#Steps/s", "#Gain a round", "Verdict"}
	return w.sorted("", words.F("Leftover nodes for {0}", w.Job), head, rows, numbers)
}
