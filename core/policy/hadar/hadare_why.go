package hadar

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// explain gives the numbers of both phases. There is no dual bound: phase 2 gives nodes away whatever they are worth.
func (h *hadare) explain(v sim.View, d *sim.Detail, r *fork.Result) {
	h.planner.Weigh()
	primal := 0.0
	for i := range h.prob.Jobs {
		c := d.Of(h.prob.Jobs[i].ID)
		h.explainJob(c, v, r, i)
		for _, k := range r.Copies[i] {
			if k.Phase == 1 {
				primal += k.Utility
			}
		}
	}
	all := &r.Constants
	uMin, uMax := all.UMin[0], all.UMax[0]
	prices := &sim.Table{Key: "prices", Title: words.Say("Prices after the decision"), Columns: priceColumns}
	if h.set.Whole {
		prices.Columns = nodeColumns
	}
	for s, slot := range h.cluster.Slots {
		taken := h.taken(r, model.SlotID(s))
		prices.Rows = append(prices.Rows, sim.Row{Cells: []any{slot.Node, slot.Type, r.Used[s], h.prob.Usable[s],
			h.planner.Price(model.SlotID(s), taken)}})
	}
	whole := []sim.Term{keyed("total_payoff", "Sum of the gains of phase 1, the largest that was found", r.Payoff,
		unit.Worth),
		keyed("primal", "Sum of the utilities of the first copies", primal, unit.Worth),
		keyed("constants/eta", "η, which the lowest price is divided by", all.Eta, ""),
		keyed("constants/alpha", "α, the logarithm of U_max ÷ U_min, at least 1", all.Alpha, ""),
		keyed("constants/horizon_s", "horizon T", all.Horizon.Seconds(), unit.Instant),
	}
	if h.set.Whole {
		whole = append(whole, sim.Named("price of an empty node", uMin, unit.Worth),
			sim.Named("price of a taken node", uMax, unit.Worth))
	} else {
		whole = append(whole, sim.Named("price of a GPU on an empty node", uMin, unit.Worth),
			sim.Named("price of a GPU on a full node", uMax, unit.Worth))
	}
	for t := range h.cluster.Types {
		name := h.cluster.Types[t].Name
		whole = append(whole, keyed("constants/u_min/"+name, "", uMin, ""),
			keyed("constants/u_max/"+name, "", uMax, ""))
	}
	d.Sections = []*sim.Section{{Title: words.Say("All prices"), Folded: true, Table: prices},
		{Title: words.Say("The whole decision"), Folded: true, Formula: h.sources(r), Terms: whole}}
}

// sources are the sums behind the constants.
func (h *hadare) sources(r *fork.Result) []words.Text {
	from := priceSource{now: h.prob.Now, round: h.prob.Round, fixedEta: h.set.Eta > 0, fixedHorizon: h.set.Horizon,
		c: &r.Constants, job: func(i int) model.JobID { return h.prob.Jobs[i].ID }}
	says := from.lines()
	if r.Constants.UMax[0] > 0 {
		says = append(says, from.bounds(0)...)
	}
	return says
}

// explainJob says of job i what its copy of phase 1 is worth, what each further one adds, and which placements it did
// not get.
func (h *hadare) explainJob(c *sim.Choice, v sim.View, r *fork.Result, i int) {
	offers, gains := h.offers(r, i), h.gains(r, i)
	for _, k := range r.Copies[i] {
		if k.Phase != 1 {
			continue
		}
		n := float64(max(1, k.Rounds))
		shard := []model.Shard{{Slot: k.Slot, N: k.GPUs}}
		c.Says = words.Say("{0} there is worth {1} and costs {2}", words.Say("a round"), sim.Worth(k.Utility/n),
			sim.Worth(k.Cost/n))
		if len(r.Copies[i]) > 1 {
			c.Says = words.Say("a round of its copy on {0} is worth {1} and costs {2}", k.Node, sim.Worth(k.Utility/n),
				sim.Worth(k.Cost/n))
		}
		c.Sections = append(c.Sections, &sim.Section{Weighed: []sim.Weighed{{Who: words.Say("{0} on {1}", c.Job, shard),
			Worth: k.Utility / n, Cost: k.Cost / n, Utility: k.Utility, Rounds: int64(n)}}}, h.curve(c, &k),
			h.numbers(r, c, i, offers), &sim.Section{Terms: []sim.Term{{Key: "utility", Value: k.Utility},
				{Key: "cost", Value: k.Cost}, {Key: "payoff", Value: k.Payoff},
				{Key: "rounds", Value: float64(k.Rounds)}}})
	}
	for _, g := range gains {
		switch {
		case g.to != c.Job:
		case c.Says.IsZero():
			c.Says = words.Say("a copy on {0} adds {1} a round", g.Node, sim.Worth(g.gain))
		default:
			c.Says = words.Say("{0}; the copy on {1} adds {2}", c.Says, g.Node, sim.Worth(g.gain))
		}
	}
	if len(r.Copies[i]) == 0 {
		c.Says = h.none(r, i, offers)
	}
	if len(r.Copies[i]) > 0 {
		c.Sections = append(c.Sections, h.copies(r, i))
		if t := h.together(r, i); t != nil {
			c.Sections = append(c.Sections, t)
		}
		if h.shifts(v, r, i) {
			c.Sections = append(c.Sections, &sim.Section{Note: words.Say(
				"{0} changes its GPUs and stalls for {1}, as for a move; its gains count a merge, {2}.", c.Job,
				sim.Seconds(h.prob.Jobs[i].Move.Seconds()), sim.Seconds(h.prob.Jobs[i].Keep.Seconds()))})
		}
	}
	first := &sim.Section{Title: words.Say("Phase 1: one copy of each job, at the price that it finds"),
		Table: h.firstPhase(c, offers)}
	second := &sim.Section{Title: words.Say(
		"Phase 2: what is left goes to the job to which a copy adds most a round for each GPU; nothing is charged")}
	if h.set.Whole {
		first.Title = words.Say("Phase 1: one node for each job, at the price of an empty node")
		second.Title = words.Say(
			"Phase 2: each leftover node goes to the job to which it adds most a round; nothing is charged")
	}
	if len(gains) == 0 {
		second.Title = words.Text{}
		second.Note = words.Say("Phase 2: phase 1 left nothing over that {0} could use.", c.Job)
	} else {
		second.Table = h.secondPhase(c, r.Copies[i], gains)
	}
	c.Sections = append(c.Sections, first, second)
}

// curve is the price of what a copy of phase 1 takes: of its node, empty and taken, or of one of its GPUs by how many
// are.
func (h *hadare) curve(c *sim.Choice, k *fork.Copy) *sim.Section {
	if h.set.Whole {
		return &sim.Section{Title: words.Say("Price of the node {0}, empty and taken", k.Node),
			Curve: &sim.Curve{Along: "node taken", Unit: unit.Worth,
				Values: []float64{h.planner.Price(k.Slot, 0), h.planner.Price(k.Slot, 1)}, To: 1,
				Says: words.Say("{0} pays {1} a round", c.Job, sim.Worth(h.planner.Price(k.Slot, 0)))}}
	}
	slot := h.cluster.Slots[k.Slot]
	curve := &sim.Curve{Along: "GPUs taken", Unit: unit.Worth, From: int(k.Used), To: int(k.Used + k.GPUs),
		Says: words.Say("{0} pays {1} a GPU and round", c.Job, sim.Worth(h.planner.Price(k.Slot, k.Used)))}
	for n := range h.prob.Usable[k.Slot] + 1 {
		curve.Values = append(curve.Values, h.planner.Price(k.Slot, n))
	}
	return &sim.Section{Title: words.Say("Price of one {0} of {1} as it fills", slot.Type, slot.Node), Curve: curve}
}

// numbers are the sums behind job i's copy of phase 1, by itself: beside others of its job it may run at another speed.
func (h *hadare) numbers(r *fork.Result, c *sim.Choice, i int, offers []*nodeOffer) *sim.Section {
	j, k := &h.prob.Jobs[i], &offers[slices.IndexFunc(offers, func(o *nodeOffer) bool { return o.chosen })].Copy
	best, stall := h.planner.Sums(i, k)
	n, units, price := float64(k.Rounds), k.GPUs, h.planner.Price(k.Slot, k.Used)
	out := bestTimeSums(j.Total, j.Remaining, best, k.Rate, h.prob.Now-j.Arrive, stall, h.prob.Round, k.Rounds,
		!h.set.Effective, true, j.Keep > 0, k.Utility)
	if h.set.Whole {
		units = 1 // the node
	} else if uMin := r.Constants.UMin[0]; uMin > 0 {
		out = append(out, priceLine(uMin, r.Constants.UMax[0], k.Used, h.prob.Usable[k.Slot]))
	}
	_, cost := policy.CloseBy(k.Utility/n, k.Cost/n)
	return &sim.Section{Title: words.Say("In numbers: {0} on {1}", c.Job, []model.Shard{{Slot: k.Slot, N: k.GPUs}}),
		Folded: true, Table: h.pricesUsed(r, c, k), Formula: append(out,
			roundPrice([]int32{units}, []float64{price}, cost.N), worthLine(k.Utility, n),
			roundGainLine(k.Utility, k.Cost, n))}
}

// pricesUsed are the price that a copy of phase 1 finds, beside that after the decision.
func (h *hadare) pricesUsed(r *fork.Result, c *sim.Choice, k *fork.Copy) *sim.Table {
	return &sim.Table{Title: words.Say("Prices that {0} finds", c.Job), Columns: usedColumns, Rows: []sim.Row{{
		Cells: []any{[]model.Shard{{Slot: k.Slot, N: k.GPUs}}, k.Used, h.planner.Price(k.Slot, k.Used), r.Used[k.Slot],
			h.planner.Price(k.Slot, h.taken(r, k.Slot))}}}}
}

// shifts says whether job i stalls for longer than its copies are valued with: none of its nodes is new to it, but it
// does not go on with the very GPUs that it held.
func (h *hadare) shifts(v sim.View, r *fork.Result, i int) bool {
	j, copies := &h.prob.Jobs[i], r.Copies[i]
	if j.Move <= j.Keep || len(j.Held) == 0 {
		return false
	}
	same := len(copies) == len(j.Held)
	for _, c := range copies {
		if !slices.Contains(j.Held, c.Node) {
			return false
		}
		held := false
		for k := range j.Held {
			held = held || slices.Equal(v.Gang(j.ID, k), []model.Shard{{Slot: c.Slot, N: c.GPUs}})
		}
		same = same && held
	}
	return !same
}

// together says what an example of a profiled job's copies is worth, as they train with the batch of all.
func (h *hadare) together(r *fork.Result, i int) *sim.Section {
	job := &h.prob.Jobs[i]
	var all model.Together
	for _, k := range r.Copies[i] {
		typ := h.cluster.Slots[k.Slot].Type
		all.Add(job.Speed, typ, k.GPUs, job.Speed.Rate(typ, k.GPUs, model.OneNode))
	}
	if all.Batch() == 0 || len(r.Copies[i]) < 2 {
		return nil
	}
	return &sim.Section{Note: words.Say(
		"Their batches add up to {0} examples, in which one is worth {1} of one in the initial batch.", all.Batch(),
		sim.Worth(all.Efficiency()))}
}

// none says why a job has no copy: what its best placement would bring it, and to whom that went.
func (h *hadare) none(r *fork.Result, i int, offers []*nodeOffer) words.Text {
	for _, o := range offers {
		if o.to >= 0 {
			if t := h.outdone(r, i, o); !t.IsZero() {
				return t
			}
			break
		}
	}
	return h.noNode(r, i)
}

// noNode says why there is no node for a job that could have none of those that others have.
func (h *hadare) noNode(r *fork.Result, i int) words.Text {
	can := false // it can use a GPU that is in service
	for s, slot := range h.cluster.Slots {
		for n := range h.prob.Usable[s] {
			can = can || (h.set.Whole || n < max(1, h.prob.Jobs[i].GPUs)) &&
				h.prob.Jobs[i].Speed.Rate(slot.Type, n+1, model.OneNode) > 0
		}
	}
	serve, given := map[model.NodeID]bool{}, 0
	for s, slot := range h.cluster.Slots {
		if n := slot.Node; h.prob.Usable[s] > 0 && !serve[n] {
			if serve[n] = true; r.Owner[n] >= 0 {
				given++
			}
		}
	}
	switch {
	case len(serve) == 0:
		return words.Say("no GPU is in service")
	case !can:
		return words.Say("no GPU that it can use is in service")
	case !h.set.Whole:
		return words.Say("no node on which it can run has room left for what it asked for")
	case given < len(serve):
		return words.Say("it can run on no node that is left")
	case given < len(h.cluster.Nodes):
		return words.Count(given,
			"the {0} node in service goes to another job",
			"the {0} nodes in service go to other jobs")
	}
	return words.Count(given, "the {0} node goes to other jobs", "all {0} nodes go to other jobs")
}

// outdone says what a placement would bring the job and what it brings the one that is there.
func (h *hadare) outdone(r *fork.Result, i int, o *nodeOffer) words.Text {
	mine, own := sim.Worth(o.Utility/float64(max(1, o.Rounds))), h.prob.Jobs[i].ID
	for k := range r.Copies {
		if h.prob.Jobs[k].ID != o.to {
			continue
		}
		for c := range r.Copies[k] {
			if c := &r.Copies[k][c]; c.Node == o.Node && c.Phase == 1 {
				return outdoneFirst(own, o, mine, c)
			} else if c.Node == o.Node {
				return h.outdoneSecond(r, i, o, mine, c)
			}
		}
	}
	return words.Text{}
}

// outdoneFirst is outdone where phase 1 gave the place away, to copy c.
func outdoneFirst(own model.JobID, o *nodeOffer, mine sim.Worth, c *fork.Copy) words.Text {
	theirs := sim.Worth(c.Utility / float64(max(1, c.Rounds)))
	if o.GPUs != c.GPUs && !larger(float64(mine), float64(theirs)) && !larger(float64(theirs), float64(mine)) {
		return words.Say(
			"a round on {0} is worth {1} to {2}, which gets it with {5}, and as much to {4}, which needs {6}",
			o.Node, theirs, o.to, mine, own, policy.GPUCount(c.GPUs), policy.GPUCount(o.GPUs))
	}
	if !larger(float64(mine), float64(theirs)) { // always where all gangs are equal
		return words.Say(
			"a round on {0} is worth {1} to {2}, which gets it, and {3} to {4}: they still need {5} and {6} there",
			o.Node, theirs, o.to, mine, own, roundCount(c.Rounds), roundCount(o.Rounds))
	}
	return words.Say(
		"on {0} a round would be worth {1} to it and is worth {2} to {3}, which was put there; as gangs differ in size, not all ways to place them are compared",
		o.Node, mine, theirs, o.to)
}

// outdoneSecond is outdone where phase 2 gave the place away as copy c.
func (h *hadare) outdoneSecond(r *fork.Result, i int, o *nodeOffer, mine sim.Worth, c *fork.Copy) words.Text {
	own, theirs := h.prob.Jobs[i].ID, sim.Worth(c.Utility)
	for _, g := range r.Gifts {
		if h.prob.Jobs[g.Job].ID == o.to && g.Node == o.Node && math.IsNaN(g.Gains[i]) {
			return words.Say(
				"on {0} a round would be worth {1} to it, but what phase 1 left there is too little for it and goes to {2}",
				o.Node, mine, o.to)
		}
	}
	if mine <= theirs {
		return words.Say("a copy on {0} adds {1} a round to {2}, which gets it, and would add {3} to {4}",
			o.Node, theirs, o.to, mine, own)
	}
	return words.Say(
		"a copy on {0} would add {1} a round to it, {2} for each GPU, and adds {3} for each to {4}, which gets it",
		o.Node, mine, mine/sim.Worth(o.GPUs), theirs/sim.Worth(c.GPUs), o.to)
}

// The columns of the tables of copies and of both phases.
var (
	phaseColumn = sim.Column{Key: "phase"}
	gainColumns = []sim.Column{{Key: "gang", Name: "Placement"}, {Key: "rate_per_s"}, {Name: "Gain", Unit: unit.Worth},
		{Key: "utility"}, {Key: "cost"}, {Key: "payoff"}, {Key: "rounds"}, phaseColumn}
	copyColumns = []sim.Column{{Name: "Copy on"}, {Key: "phase", Name: "Phase"}, {Key: "rate_per_s", Name: "Steps/s"},
		{Key: "quota_steps", Name: "Steps"}, {Key: "most_steps", Name: "of at most"},
		{Key: "merge_weight", Name: "Weight"}, {Key: "left_gpus", Name: "GPUs idle"}, {Key: "node"}, {Key: "type"},
		{Key: "count"}}
)

// copies are the job's copies in the coming round.
func (h *hadare) copies(r *fork.Result, i int) *sim.Section {
	var steps []unit.Work
	for _, c := range r.Copies[i] {
		steps = append(steps, c.Steps)
	}
	weights := fork.Weights(steps, false)
	t := &sim.Table{Key: "copies", Title: words.Say("Copies of {0}", h.prob.Jobs[i].ID), Columns: copyColumns}
	s := &sim.Section{Title: words.Say("Copies this round; the merge weighs them by their steps"), Table: t}
	for k, c := range r.Copies[i] {
		t.Rows = append(t.Rows, sim.Row{Cells: []any{[]model.Shard{{Slot: c.Slot, N: c.GPUs}}, c.Phase, float64(c.Rate),
			float64(c.Steps), float64(c.Rate.WholeSteps(h.round - r.Stall[i])), weights[k], c.Left, c.Node,
			h.cluster.Slots[c.Slot].Type, c.GPUs}})
		if c.Left > 0 {
			s.Note = words.Say("A copy runs on one GPU type of its node, in the largest gang that its speeds know.")
		}
	}
	return s
}

// firstPhase are the nodes that phase 1 weighed for a job.
func (h *hadare) firstPhase(c *sim.Choice, offers []*nodeOffer) *sim.Table {
	t := &sim.Table{Key: "candidates", Choices: true, Title: words.Say("Placements weighed for {0}", c.Job),
		Columns: append(placementColumns[:len(placementColumns):len(placementColumns)], phaseColumn)}
	most, priced := 0.0, 0 // of the chosen one, and how many have a price so far
	if len(offers) > 0 && offers[0].chosen {
		most = offers[0].brings()
	}
	for _, o := range offers {
		n, gang := float64(max(1, o.Rounds)), o.gang()
		row := sim.Row{Gangs: [][]model.Shard{gang}, Chosen: o.chosen, Cells: []any{atRate(gang, o.Rate),
			float64(o.Rate), o.Utility / n,
			o.Cost / n, o.Payoff / n, o.Utility, o.Cost, o.Payoff, o.Rounds, 1}}
		if h.set.Whole || o.room {
			priced++
		} else { // behind those that are there is no place with a price
			for _, k := range []int{3, 4, 6, 7} {
				row.Cells[k] = nil
			}
		}
		switch mine, near := o.brings(), float64(unit.Rounding*math.Abs(most)); {
		case o.chosen:
		case o.to == c.Job:
			row.Verdict = words.Say("its own in phase 2")
		case o.to >= 0 && !o.room:
			row.Verdict = words.Say("goes to {0}", o.to)
		case o.Payoff <= 0:
			row.Verdict = words.Say("not worth its price")
		case !offers[0].chosen:
			row.Verdict = words.Say("left out by the search")
		case mine > most+near:
			row.Verdict = words.Say("more for all together, but not found")
		case mine >= most-near:
			row.Verdict = words.Say("equal payoff")
		case priced == 2:
			row.Verdict = words.Say("second best")
		default:
			row.Verdict = words.Say("lower payoff")
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// secondPhase are the nodes that phase 2 gave away, with what each would have brought the job. One that it did not get
// can be had beside the copies that it has.
func (h *hadare) secondPhase(c *sim.Choice, copies []fork.Copy, gains []*nodeOffer) *sim.Table {
	t := &sim.Table{Key: "candidates", Choices: true, Title: words.Say("Leftover GPUs for {0}", c.Job),
		Columns: gainColumns}
	for _, o := range gains {
		gang := o.gang()
		row := sim.Row{Chosen: o.chosen, Gangs: [][]model.Shard{gang},
			Cells: []any{atRate(gang, o.Rate), float64(o.Rate), o.gain, o.gain, 0, o.gain, 0, 2}}
		if !o.chosen {
			row.Verdict = words.Say("goes to {0}", o.to)
			for _, k := range copies {
				if k.Node != o.Node {
					row.Gangs = append(row.Gangs, []model.Shard{{Slot: k.Slot, N: k.GPUs}})
				}
			}
		}
		t.Rows = append(t.Rows, row)
	}
	return t
}

// nodeOffer is a placement that was weighed for a job: what a copy there would do, what it would gain in phase 2, who
// got it or, of several whom phase 1 put there, the one to whom it is worth least of those who alone make room, and
// whether there was room beside them in phase 1.
type nodeOffer struct {
	fork.Copy
	gain         float64
	to           model.JobID
	chosen, room bool
}

func (o *nodeOffer) gang() []model.Shard { return []model.Shard{{Slot: o.Slot, N: o.GPUs}} }

// brings is what phase 1 adds up for it.
func (o *nodeOffer) brings() float64 { return o.Payoff / float64(max(1, o.Rounds)) }

// offers are the placements that phase 1 weighed for job i, best first.
func (h *hadare) offers(r *fork.Result, i int) (out []*nodeOffer) {
	for _, c := range h.planner.Offers(i) {
		o := &nodeOffer{Copy: c, to: model.None, room: !h.set.Whole && c.Used+c.GPUs <= h.prob.Usable[c.Slot]}
		lack, least, rank := c.GPUs-h.leftBy(r, c.Slot), 0.0, 4
		for k := range r.Copies {
			for _, at := range r.Copies[k] {
				if at.Node != c.Node || !h.set.Whole && at.Slot != c.Slot {
					continue
				}
				of := at.Phase + 1 // its own before those of phase 1 before those of phase 2
				switch worth := at.Utility / float64(max(1, at.Rounds)); {
				case k == i:
					of = 0
				case of == 2 && (h.set.Whole || at.GPUs >= lack):
					if of = 1; rank == 1 && worth >= least {
						continue
					}
					least = worth
				}
				if of < rank || of == 1 && rank == 1 {
					rank, o.to, o.chosen = of, h.prob.Jobs[k].ID, k == i && at.Phase == 1
				}
			}
		}
		out = append(out, o)
	}
	return bestFew(out, (*nodeOffer).brings)
}

// leftBy is how many GPUs of a slot phase 1 has given to nobody.
func (h *hadare) leftBy(r *fork.Result, slot model.SlotID) int32 {
	left := h.prob.Usable[slot]
	for _, copies := range r.Copies {
		for _, c := range copies {
			if c.Slot == slot && c.Phase == 1 {
				left -= c.GPUs
			}
		}
	}
	return left
}

// gains are what phase 2 gave away.
func (h *hadare) gains(r *fork.Result, i int) (out []*nodeOffer) {
	speed := h.prob.Jobs[i].Speed
	offers := h.planner.Offers(i)
	for _, g := range r.Gifts {
		if math.IsNaN(g.Gains[i]) {
			continue
		}
		for _, c := range offers {
			if c.Node != g.Node || !h.set.Whole && c.Slot != g.Slot {
				continue
			}
			c.Rate = speed.Rate(h.cluster.Slots[c.Slot].Type, c.GPUs, model.OneNode)
			out = append(out, &nodeOffer{Copy: c, gain: g.Gains[i], to: h.prob.Jobs[g.Job].ID, chosen: int(g.Job) == i})
		}
	}
	return bestFew(out, func(o *nodeOffer) float64 { return o.gain })
}

// bestFew keeps the chosen ones and the best of the others; of equals the lower node comes first.
func bestFew(all []*nodeOffer, value func(*nodeOffer) float64) []*nodeOffer {
	unit.Sort(all, func(a, b *nodeOffer) int {
		switch {
		case a.chosen && !b.chosen:
			return -1
		case b.chosen && !a.chosen:
			return 1
		}
		return cmp.Compare(value(b), value(a))
	})
	return all[:min(len(all), policy.MostPlaced)]
}
