package hadar

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// mostRivals is how many of the running jobs are compared with one that waits, those that make least of their GPUs.
const mostRivals = 16

// explain says of each job what a round on its placement is worth and costs, and of one that no placement is left for,
// which running job makes more of the GPUs that it could have.
func (h *hadar) explain(d *sim.Detail, r *primaldual.Result) {
	for _, i := range r.Order {
		d.Order = append(d.Order, h.prob.Jobs[i].ID)
	}
	d.Sections = h.whole(r)
	rivals := h.rivals(r)
	for i := range h.prob.Jobs {
		h.explainJob(d.Of(h.prob.Jobs[i].ID), r, i, rivals)
	}
}

// per is a figure over the job's remaining life as the dual subroutine compares it: of a round unless set otherwise.
func (h *hadar) per(v float64, rounds int64) float64 {
	if h.set.LifetimeValue || rounds <= 0 {
		return v
	}
	return v / float64(rounds)
}

// weighed is a job's offer as what it is worth and costs.
func (h *hadar) weighed(job model.JobID, o *primaldual.Offer) sim.Weighed {
	w := sim.Weighed{Who: words.Say("{0} on {1}", job, o.Shards), Worth: h.per(o.Utility, o.Rounds),
		Cost: h.per(o.Cost, o.Rounds)}
	if !h.set.LifetimeValue {
		w.Utility, w.Rounds = o.Utility, o.Rounds
	}
	return w
}

// explainJob is the explanation of job i.
func (h *hadar) explainJob(c *sim.Choice, r *primaldual.Result, i int, rivals []int32) {
	o, runs := &r.Chosen[i], len(r.Chosen[i].Shards) > 0
	if !runs {
		o = &r.Best[i]
	}
	weighed, lost, sums := &sim.Section{}, []sim.Row(nil), []*sim.Section(nil)
	if len(o.Shards) > 0 {
		c.Says = h.says(o, runs)
		weighed.Weighed = []sim.Weighed{h.weighed(c.Job, o)}
	} else {
		c.Says, weighed.Weighed, lost, sums = h.outdone(r, i, rivals)
		if c.Says.IsZero() && h.set.Homogeneous &&
			len(h.solver.Candidates(i, make([]int32, len(h.cluster.Slots)))) == 0 {
			c.Says = h.noType(i)
		}
	}
	weighed.Note = h.mixes(weighed.Weighed)
	c.Sections = append(c.Sections, weighed, &sim.Section{Table: h.placements(r, i, o, runs, lost)})
	if len(o.Shards) > 0 {
		sums = []*sim.Section{h.curve(i, o, runs), h.values(i, o, h.solver.Before(i))}
		sums[1].Terms = []sim.Term{{Key: "utility", Value: o.Utility}, {Key: "cost", Value: o.Cost},
			{Key: "payoff", Value: o.Payoff}, {Key: "rounds", Value: float64(o.Rounds)}}
	}
	c.Sections = append(c.Sections, sums...)
	if a := &r.Alone[i]; len(a.Shards) > 0 {
		at := func(key string, v float64) sim.Term {
			return sim.Term{Key: "empty_cluster/" + key, Value: v}
		}
		c.Sections = append(c.Sections, &sim.Section{Terms: []sim.Term{at("utility", a.Utility), at("cost", a.Cost),
			at("payoff", a.Payoff), at("rounds", float64(a.Rounds)), at("rate_per_s", float64(a.Rate))}})
	}
}

// noType says why a job whose GPUs must be of one type can run on none, were the cluster empty.
func (h *hadar) noType(i int) words.Text {
	job, usable := &h.prob.Jobs[i], make([]int32, len(h.cluster.Types))
	for s, n := range h.prob.Usable {
		usable[h.cluster.Slots[s].Type] += n
	}
	for t, n := range usable {
		if n >= job.GPUs && job.Speed.Rate(model.TypeID(t), job.GPUs, model.OneNode) > 0 {
			return words.Say("its GPUs must be of one type, and the {0} lie on several nodes, over which it has no speed",
				model.TypeID(t))
		}
	}
	return words.Say("its GPUs must be of one type, and no type has {0} in service that it can use", job.GPUs)
}

// mixes says what becomes of gangs of several types that are weighed.
func (h *hadar) mixes(weighed []sim.Weighed) (note words.Text) {
	for _, x := range weighed {
		if h.types(x.Who.Args()[1].([]model.Shard)) < 2 {
			continue
		}
		who := x.Who.Args()[0].(model.JobID)
		k := slices.IndexFunc(h.prob.Jobs, func(j primaldual.Job) bool { return j.ID == who })
		switch split := h.prob.Jobs[k].Split; {
		case split == nil:
		case !split.Perfect():
			return words.Say("Hadar may give a job GPUs of several types; {0} splits its batch by their speeds as far as it can, and is reckoned with at the speed at which that settles.",
				who)
		default:
			return words.Say("Hadar may give a job GPUs of several types; {0} splits its batch by their speeds, so that none waits for the slowest.",
				who)
		}
		note = words.Say("Hadar may give a job GPUs of several types, which then all run at the pace of the slowest; policies that share time, such as Gavel, keep it on one type at a time.")
	}
	return note
}

// says is the sentence about a placement that is free for the job.
func (h *hadar) says(o *primaldual.Offer, runs bool) words.Text {
	worth, cost := h.amount(o.Utility, o.Rounds), h.amount(o.Cost, o.Rounds)
	if h.set.RoundCost {
		return h.saysRound(o, runs, worth)
	}
	switch {
	case runs && o.Payoff > 0:
		return words.Say("{0} there is worth {1} and costs {2}", h.what(), worth, cost)
	case runs:
		return words.Say(
			"{0} there is worth only {1} and costs {2}, but no GPU may stand idle beside a waiting job that fits on it",
			h.what(), worth, cost)
	case o.Payoff > 0:
		return words.Say(
			"{3} on {0}, still free, would be worth {1} and cost {2}, but the search left the job out, and no residual pass follows",
			o.Shards, worth, cost, h.what())
	}
	return words.Say("{0} on {1}, the best placement weighed, costs {3} and is worth only {2}", h.what(), o.Shards, worth, cost)
}

// saysRound is says where this round alone is charged to all that the job still needs.
func (h *hadar) saysRound(o *primaldual.Offer, runs bool, worth sim.Worth) words.Text {
	cost := words.Say("only this round is charged, {0}", sim.Worth(o.Cost))
	if !h.set.LifetimeValue {
		cost = words.Count(int(o.Rounds), "the price of this round, {1}, is all that it pays",
			"the price of this round, {1}, spread over {0} rounds is {2}",
			sim.Worth(o.Cost), h.amount(o.Cost, o.Rounds))
	}
	switch {
	case runs && o.Payoff > 0:
		return words.Say("{0} there is worth {1}; {2}", h.what(), worth, cost)
	case runs:
		return words.Say(
			"{0} there is worth only {1}; {2}, but no GPU may stand idle beside a waiting job that fits on it",
			h.what(), worth, cost)
	case o.Payoff > 0:
		return words.Say(
			"{3} on {0}, still free, would be worth {1}; {2}; but the search left the job out, and no residual pass follows",
			o.Shards, worth, cost, h.what())
	}
	return words.Say("{0} on {1}, the best placement weighed, is worth only {2}; {3}", h.what(), o.Shards, worth, cost)
}

// what is that by which placements are compared.
func (h *hadar) what() words.Text {
	if h.set.LifetimeValue {
		return words.Say("to finish")
	}
	return words.Say("a round")
}

// amount is a worth or cost, in the terms in which placements are compared.
func (h *hadar) amount(v float64, rounds int64) sim.Worth {
	return sim.Worth(h.per(v, rounds))
}

// rivals are the positions of the jobs that run, those first that make least of a GPU.
func (h *hadar) rivals(r *primaldual.Result) (out []int32) {
	for i := range r.Chosen {
		if len(r.Chosen[i].Shards) > 0 {
			out = append(out, int32(i))
		}
	}
	dense := func(i int32) float64 {
		return h.per(r.Chosen[i].Payoff, r.Chosen[i].Rounds) / float64(h.prob.Jobs[i].GPUs)
	}
	slices.SortStableFunc(out, func(a, b int32) int { return cmp.Compare(dense(a), dense(b)) })
	return out[:min(len(out), mostRivals)]
}

// outdone says of a job for which no placement is left which running job makes more of the GPUs that it could have: of
// those whose GPUs it could use, the one that makes least of them, with the placement in question as a row of a table.
// It is empty when no single job is in its way.
func (h *hadar) outdone(r *primaldual.Result, i int, rivals []int32) (words.Text, []sim.Weighed, []sim.Row,
	[]*sim.Section) {
	own := h.prob.Jobs[i].ID
	for _, k := range rivals {
		mine, theirs, rival := h.solver.Instead(i, int(k)), &r.Chosen[k], h.prob.Jobs[k].ID
		if len(mine.Shards) == 0 {
			continue
		}
		b := h.amount(theirs.Utility, theirs.Rounds)
		weighed := []sim.Weighed{h.weighed(rival, theirs), h.weighed(own, &mine)}
		same, lost := slices.Equal(mine.Shards, theirs.Shards), h.placement(&mine, false)
		lost.Gangs, lost.Verdict = nil, words.Say("needs GPUs that go to {0}", rival)
		if same {
			lost.Verdict = words.Say("goes to {0}, to which it is worth {1}", rival, b)
		}
		row := []sim.Row{lost}
		without := slices.Clone(r.Used)
		for _, sh := range theirs.Shards {
			without[sh.Slot] -= sh.N
		}
		sums := []*sim.Section{h.values(int(k), theirs, h.solver.Before(int(k))), h.values(i, &mine, without)}
		return h.lostTo(i, int(k), &mine, theirs), weighed, row, sums
	}
	return words.Text{}, nil, nil, nil
}

// lostTo says why job k has its GPUs, theirs, and job i does not run on mine.
func (h *hadar) lostTo(i, k int, mine, theirs *primaldual.Offer) words.Text {
	own, rival, same := h.prob.Jobs[i].ID, h.prob.Jobs[k].ID, slices.Equal(mine.Shards, theirs.Shards)
	a, b := h.amount(mine.Utility, mine.Rounds), h.amount(theirs.Utility, theirs.Rounds)
	need, needs := roundCount(mine.Rounds), roundCount(theirs.Rounds)
	switch {
	case larger(h.solver.Exchanged(i, k, mine.Shards), h.solver.Sum()):
		return words.Say(
			"{3} on {0} would be worth {1} to it and would make the sum of all gains larger, but the search, which does not compare all sets of placements, left the GPUs to {2}",
			mine.Shards, a, rival, h.what())
	case same && !larger(float64(a), float64(b)) && !larger(float64(b), float64(a)):
		return words.Say("{0} on {1} is worth {2} to {3}, which gets it, and as much to {4}", h.what(), mine.Shards,
			b, rival, own)
	case a > b:
		return words.Say("{3} on {0} would be worth {1} to it, but all placements together bring no less with {2} there",
			mine.Shards, a, rival, h.what())
	case same:
		return words.Say(
			"{0} on {1} is worth {2} to {3}, which gets it and still needs {6} there, and {4} to {5}, which needs {7}",
			h.what(), mine.Shards, b, rival, a, own, needs, need)
	}
	return words.Say(
		"{0} on {1} would be worth {2} to it, which still needs {6} there, but {3}, which needs {7}, gets {4}, where it is worth {5}",
		h.what(), mine.Shards, a, rival, theirs.Shards, b, need, needs)
}

// types counts the GPU types of a gang.
func (h *hadar) types(gang []model.Shard) int {
	seen := map[model.TypeID]bool{}
	for _, sh := range gang {
		seen[h.cluster.Slots[sh.Slot].Type] = true
	}
	return len(seen)
}

// placements lists what was weighed for job i when its turn came, best first, then the one that it lost to another job,
// and then what there would have been on an empty cluster, with the GPUs that are missing now.
func (h *hadar) placements(r *primaldual.Result, i int, o *primaldual.Offer, runs bool, lost []sim.Row) *sim.Table {
	t := &sim.Table{Key: "candidates", Choices: true,
		Title: words.Say("Placements weighed for {0}", h.prob.Jobs[i].ID), Columns: placementColumns}
	if h.set.RoundCost && !h.set.LifetimeValue {
		t.Columns = slices.Clone(placementColumns)
		t.Columns[3] = sim.Column{Name: "Price of this round ÷ rounds", Unit: unit.Worth}
	}
	used := h.solver.Before(i)
	weighed := h.solver.Candidates(i, used)
	second := runs // nothing but the chosen one was as good so far
	for at, x := range weighed[:min(len(weighed), policy.MostPlaced)] {
		chosen := runs && slices.Equal(x.Shards, o.Shards)
		row := h.placement(&x, chosen)
		switch near := float64(unit.Rounding * math.Abs(o.Payoff)); {
		case chosen:
		case x.Payoff <= 0:
			row.Verdict = words.Say("not worth its price")
		case x.Payoff > o.Payoff+near:
			row.Verdict, second = h.passed(i, &x), false
		case !runs && at == 0: // it is o
			row.Verdict = words.Say("left out by the search")
		case x.Payoff >= o.Payoff-near: // ties go by cost, nodes, speed and what the job has
			row.Verdict, second = words.Say("equal payoff"), false
		case larger(h.per(x.Payoff, x.Rounds), h.per(o.Payoff, o.Rounds)): // the table has a round's, it chose by all
			row.Verdict, second = words.Say("less over all the rounds that it needs"), false
		case second:
			row.Verdict, second = words.Say("second best"), false
		default:
			row.Verdict = words.Say("lower payoff")
		}
		t.Rows = append(t.Rows, row)
	}
	t.Rows = append(t.Rows, lost...)
	left := mostBlocked
	for _, x := range h.solver.Candidates(i, make([]int32, len(used))) {
		if lacks, blocked := h.lacks(&x, used); blocked && left > 0 && !isRow(lost, x.Shards) {
			row := h.placement(&x, false)
			row.Gangs, row.Verdict, left = nil, lacks, left-1
			for k := 3; k < len(row.Cells); k++ {
				row.Cells[k] = nil // prices would be those of an empty cluster
			}
			t.Rows = append(t.Rows, row)
		}
	}
	return t
}

// passed says why job i, which runs, does not have a placement with a larger payoff.
func (h *hadar) passed(i int, x *primaldual.Offer) words.Text {
	switch sum := h.solver.Exchanged(i, i, x.Shards); {
	case math.IsInf(sum, -1):
		return words.Say("left to others")
	case larger(sum, h.solver.Sum()):
		return words.Say("more for all together, but not found")
	}
	return words.Say("no more for all together")
}

// isRow says whether a placement is one of rows.
func isRow(rows []sim.Row, gang []model.Shard) bool {
	return slices.ContainsFunc(rows, func(r sim.Row) bool {
		return slices.Equal(r.Cells[0].(sim.Noted).Cell.([]model.Shard), gang)
	})
}

// placementColumns are those of a table of placements.
var placementColumns = []sim.Column{{Key: "gang", Name: "Placement"}, {Key: "rate_per_s"},
	{Name: "Worth", Unit: unit.Worth}, {Name: "Cost", Unit: unit.Worth}, {Name: "Gain", Unit: unit.Worth},
	{Key: "utility"}, {Key: "cost"}, {Key: "payoff"}, {Key: "rounds"}}

// placement is a row of that table.
func (h *hadar) placement(x *primaldual.Offer, chosen bool) sim.Row {
	gang := slices.Clone(x.Shards)
	return sim.Row{Gangs: [][]model.Shard{gang}, Chosen: chosen, Cells: []any{atRate(gang, x.Rate), float64(x.Rate),
		h.per(x.Utility, x.Rounds), h.per(x.Cost, x.Rounds), h.per(x.Payoff, x.Rounds), x.Utility, x.Cost, x.Payoff,
		x.Rounds}}
}

// atRate is a placement with the speed that the job has there.
func atRate(gang []model.Shard, rate unit.Rate) sim.Noted {
	return sim.Noted{Cell: gang, Note: words.Say("{0}", rate)}
}

// lacks says which GPUs of a placement are taken already.
func (h *hadar) lacks(x *primaldual.Offer, used []int32) (words.Text, bool) {
	for _, sh := range x.Shards {
		if free := h.prob.Usable[sh.Slot] - used[sh.Slot]; free < sh.N {
			slot := h.cluster.Slots[sh.Slot]
			if free == 0 {
				return words.Say("no {0} of {1} is free", slot.Type, slot.Node), true
			}
			return words.Say("{1} has only {2} {0} free", slot.Type, slot.Node, free), true
		}
	}
	return words.Text{}, false
}

// curve is the price of the placement's dearest GPU by how many of its node are taken.
func (h *hadar) curve(i int, o *primaldual.Offer, runs bool) *sim.Section {
	used, at, price, least := h.solver.Before(i), o.Shards[0], -1.0, math.Inf(1)
	for _, sh := range o.Shards {
		p := h.price(sh.Slot, used[sh.Slot])
		if least = min(least, p); p > price {
			at, price = sh, p
		}
	}
	own, pays := h.prob.Jobs[i].ID, sim.Worth(price)
	says := words.Say("{0} pays {1} a GPU and round", own, pays)
	switch {
	case !runs && least < price:
		says = words.Say("{0} would pay {1} a round for each of these, the dearest of its GPUs", own, pays)
	case !runs:
		says = words.Say("{0} would pay {1} a GPU and round", own, pays)
	case least < price:
		says = words.Say("{0} pays {1} a round for each of these, the dearest of its GPUs", own, pays)
	}
	slot := h.cluster.Slots[at.Slot]
	c := &sim.Curve{Along: "GPUs taken", Unit: unit.Worth, From: int(used[at.Slot]), To: int(used[at.Slot] + at.N),
		Says: says}
	for n := range h.prob.Usable[at.Slot] + 1 {
		c.Values = append(c.Values, h.price(at.Slot, n))
	}
	return &sim.Section{Title: words.Say("Price of one {0} of {1} as it fills", slot.Type, slot.Node), Curve: c}
}

// price is that of a GPU of a slot of which so many are taken.
func (h *hadar) price(s model.SlotID, used int32) float64 {
	c, typ := &h.solver.Result().Constants, h.cluster.Slots[s].Type
	return primaldual.Price(c.UMin[typ], c.UMax[typ], used, h.prob.Usable[s])
}

// values are the sums behind a placement of job i, when so many GPUs of each slot are taken: each line uses what those
// before it have found.
func (h *hadar) values(i int, o *primaldual.Offer, used []int32) *sim.Section {
	s := &sim.Section{Title: words.Say("In numbers: {0} on {1}", h.prob.Jobs[i].ID, o.Shards), Folded: true,
		Formula: h.utility(i, o), Table: h.pricesUsed(i, o, used)}
	add := func(t words.Text) { s.Formula = append(s.Formula, t) }
	var counts []int32
	var prices []float64
	c := &h.solver.Result().Constants
	for k := 0; k < len(o.Shards); { // of equal prices together
		typ, p, n := h.cluster.Slots[o.Shards[k].Slot].Type, h.price(o.Shards[k].Slot, used[o.Shards[k].Slot]), int32(0)
		for at := k; k < len(o.Shards) && h.price(o.Shards[k].Slot, used[o.Shards[k].Slot]) == p; k++ {
			if n += o.Shards[k].N; k == at && c.UMin[typ] > 0 && len(s.Formula) < policy.MostLines {
				add(priceLine(c.UMin[typ], c.UMax[typ], used[o.Shards[k].Slot], h.prob.Usable[o.Shards[k].Slot]))
			}
		}
		counts, prices = append(counts, n), append(prices, p)
	}
	n, total := float64(o.Rounds), 0.0
	for k, p := range prices {
		total += float64(float64(counts[k]) * p)
	}
	var shown int // digits of the price of a round, as the lines below use it
	switch _, cost := policy.CloseBy(o.Utility, o.Cost); {
	case h.set.LifetimeValue && h.set.RoundCost:
		shown = cost.N
	case h.set.LifetimeValue:
		shown = policy.Enough(4, cost.N, o.Cost, func(as func(float64) float64) float64 { return n * as(total) })
	default:
		_, cost = policy.CloseBy(o.Utility/n, o.Cost/n)
		shown = cost.N
	}
	add(roundPrice(counts, prices, shown))
	switch {
	case h.set.LifetimeValue && h.set.RoundCost:
		add(gainLine("gain, this round’s price charged = {0} − {1} = {2}", o.Utility, o.Cost))
	case h.set.LifetimeValue:
		add(words.Say("cost until its end = rounds × price of a round = {0} × {1} = {2}", policy.Four(n),
			sim.Digits{Value: total, N: shown}, policy.Four(o.Cost)))
		add(gainLine("gain until its end = utility − cost = {0} − {1} = {2}", o.Utility, o.Cost))
	default:
		add(worthLine(o.Utility, n))
		if h.set.RoundCost {
			add(policy.Line("this round’s price, spread over all rounds = {0} ÷ {1} = {2}", total, n, o.Cost/n))
		}
		add(roundGainLine(o.Utility, o.Cost, n))
	}
	return s
}

// utility is how the utility of a placement of job i is made, by its configured kind, and how many rounds it needs.
func (h *hadar) utility(i int, o *primaldual.Offer) (out []words.Text) {
	j, scale, best := &h.prob.Jobs[i], h.solver.Scale(i), h.solver.Best(i)
	stall, waited := h.solver.Stall(i, o), h.prob.Now-j.Arrive
	kind := h.set.Utility
	far := policy.OutOfReach(h.cluster, j.GPUs, float64(best), func(t model.TypeID) float64 {
		return float64(h.solver.BestOn(i, t))
	})
	if kind == primaldual.Normalised || kind == primaldual.Effective {
		out = bestTimeSums(j.Total, j.Remaining, best, o.Rate, waited, stall, h.prob.Round, o.Rounds,
			kind == primaldual.Normalised, false, false, o.Utility)
		if kind == primaldual.Normalised {
			out = slices.Insert(out, 1, far...)
		}
		return out
	}
	life, d := lifetime(waited, stall, j.Remaining, o.Rate)
	switch kind {
	case primaldual.AvgJCT:
		out = append(out, policy.Line("time common to all, D = {0} s", scale))
	case primaldual.Makespan:
		out = append(out, policy.Line("work left = steps left × GPUs ÷ best speed now = {0} × {1} ÷ {2} = {3} GPU-s",
			float64(j.Remaining), float64(j.GPUs), float64(best), scale))
		out = append(out, far...)
		life, d = lifeLine("from now to its end = stall + steps left ÷ speed = {0} + {1} + {2} ÷ {3} = {4} s", 0,
			stall, j.Remaining, o.Rate)
	case primaldual.FTF:
		out = append(out, policy.Line("time on an equal share × unfairness so far = {0} s", scale))
		out = append(out, policy.ShareOutOfReach(h.cluster, j.GPUs, func(t model.TypeID) float64 {
			return float64(j.Speed.Rate(t, j.GPUs, model.OneNode))
		})...)
	}
	switch out = append(out, life); {
	case kind == primaldual.AvgJCT && o.Utility > 0:
		out = append(out, words.Say("utility = {0} − {1} = {2}", sim.Digits{Value: scale, N: 12},
			sim.Digits{Value: d, N: 12}, policy.Four(o.Utility)))
	case o.Utility > 0:
		out = append(out, policy.Line("utility = {0} ÷ {1} = {2}", scale, d, o.Utility))
	}
	return append(out, roundsLine(j.Remaining, o.Rate, h.prob.Round, o.Rounds))
}

// pricesUsed are the prices that job i finds for a placement, beside those after the decision.
func (h *hadar) pricesUsed(i int, o *primaldual.Offer, used []int32) *sim.Table {
	r := h.solver.Result()
	t := &sim.Table{Title: words.Say("Prices that {0} finds", h.prob.Jobs[i].ID), Columns: usedColumns}
	for k, sh := range o.Shards[:min(len(o.Shards), policy.MostPlaced)] {
		t.Rows = append(t.Rows, sim.Row{Cells: []any{o.Shards[k : k+1], used[sh.Slot], h.price(sh.Slot, used[sh.Slot]),
			r.Used[sh.Slot], r.Prices[sh.Slot]}})
	}
	return t
}

// usedColumns are those of the prices that a job finds.
var usedColumns = []sim.Column{{Name: "GPUs"}, {Name: "Taken before"}, {Name: "Price used", Unit: unit.Worth},
	{Name: "Taken after"}, {Name: "Price after", Unit: unit.Worth}}

// whole are the figures of the whole decision: the queue, prices, constants and sums.
func (h *hadar) whole(r *primaldual.Result) []*sim.Section {
	queue := &sim.Table{Title: words.Say("Jobs in the order in which they were considered"), Columns: queueColumns}
	dense := h.set.Order == primaldual.ByDensity || h.set.Order == primaldual.ByLifetimeDensity
	title := words.Say("The order in which jobs were considered")
	if dense {
		title = words.Say("Jobs are considered by their gain for each GPU, worth less cost, as if the cluster were empty")
	} else {
		queue.Columns = queueColumns[:1:1]
	}
	for _, i := range r.Order {
		row := sim.Row{Cells: []any{h.prob.Jobs[i].ID}}
		if a := &r.Alone[i]; dense {
			gain, gpus := 0.0, h.prob.Jobs[i].GPUs
			if len(a.Shards) > 0 { // else it fits nowhere, which counts as 0, and a's figures are nobody's
				gain = a.Payoff
			}
			if h.set.Order == primaldual.ByDensity && a.Rounds > 0 {
				gain /= float64(a.Rounds)
			}
			row.Cells = append(row.Cells, gain, gpus, gain/float64(gpus))
		}
		queue.Rows = append(queue.Rows, row)
	}
	used := &sim.Table{Key: "prices", Title: words.Say("Prices after the decision"), Columns: priceColumns}
	for s, price := range r.Prices {
		slot := h.cluster.Slots[s]
		used.Rows = append(used.Rows, sim.Row{Cells: []any{slot.Node, slot.Type, r.Used[s], h.prob.Usable[s], price}})
	}
	gains := keyed("total_payoff", "Sum of the gains, the largest that was found", r.Payoff, unit.Worth)
	if slices.Contains(r.Late[:len(h.prob.Jobs)], true) {
		gains = keyed("total_payoff", "Sum of the gains that the search found, without those of jobs admitted after it",
			r.Payoff, unit.Worth)
	}
	sums := []sim.Term{gains,
		keyed("primal", "Sum of the utilities of the jobs that run", r.Primal, unit.Worth)}
	if h.set.Horizon == 0 {
		sums = append(sums, keyed("dual_bound",
			"At the speeds of now and for the work left, as believed, no schedule of the present jobs with only the gangs asked for, on the GPUs in service and until the horizon T, reaches more than",
			r.Dual, unit.Worth))
	}
	return []*sim.Section{{Title: title, Table: queue}, {Title: words.Say("All prices"), Folded: true, Table: used},
		{Title: words.Say("The whole decision"), Folded: true, Formula: h.sources(&r.Constants),
			Terms: append(sums, h.constants(&r.Constants)...)}}
}

// sources are the sums behind the constants; bounds that all types share stand once.
func (h *hadar) sources(c *primaldual.Constants) []words.Text {
	from := priceSource{now: h.prob.Now, round: h.prob.Round, fixedEta: h.set.Eta > 0, fixedHorizon: h.set.Horizon,
		c: c, job: func(i int) model.JobID { return h.prob.Jobs[i].ID }}
	says := from.lines()
	differ := slices.ContainsFunc(c.Bounds, func(b primaldual.Bounds) bool { return b != c.Bounds[0] })
	for k, t := range h.cluster.BySpeed {
		if c.UMax[t] <= 0 || !differ && k > 0 {
			continue
		}
		for _, l := range from.bounds(t) {
			if differ {
				l = words.Say("{0}: {1}", t, l)
			}
			says = append(says, l)
		}
	}
	return says
}

// queueColumns are those of the jobs in order, with the number that puts them in it.
var queueColumns = []sim.Column{{Name: "Job"}, {Name: "Gain", Unit: unit.Worth}, {Name: "GPUs"},
	{Name: "Gain a GPU", Unit: unit.Worth}}

// priceColumns are those of the prices of all slots, nodeColumns of the nodes that these lie on.
var priceColumns = []sim.Column{{Key: "node", Name: "Node"}, {Key: "type", Name: "GPU type"},
	{Key: "used", Name: "Taken"}, {Key: "capacity", Name: "of"}, {Key: "price", Name: "Price of a GPU",
		Unit: unit.Worth}}

var nodeColumns = append(priceColumns[:4:4], sim.Column{Key: "price", Name: "Price of the node", Unit: unit.Worth})

// constants are what the prices are made of, by GPU type.
func (h *hadar) constants(c *primaldual.Constants) []sim.Term {
	out := []sim.Term{keyed("constants/eta", "η, which the lowest price is divided by", c.Eta, ""),
		keyed("constants/alpha", "α, half the bound on the competitive ratio", c.Alpha, ""),
		keyed("constants/horizon_s", "horizon T", c.Horizon.Seconds(), unit.Instant)}
	for _, t := range h.cluster.BySpeed {
		name := h.cluster.Types[t].Name
		out = append(out, bound("constants/u_min/"+name, "price of a {0}, node empty (U_min)", t, c.UMin[t]),
			bound("constants/u_max/"+name, "price of a {0}, node full (U_max)", t, c.UMax[t]))
	}
	return out
}

// keyed is a term that is exported under a name.
func keyed(key, name string, v float64, unit string) sim.Term {
	return sim.Term{Key: key, Name: name, Value: v, Unit: unit}
}

// bound is one end of a GPU type's price curve.
func bound(key, name string, t model.TypeID, v float64) sim.Term {
	return sim.Term{Key: key, Name: name, Of: t, Value: v, Unit: unit.Worth}
}

// mostBlocked is how many placements are listed that others leave no room for.
const mostBlocked = 4
