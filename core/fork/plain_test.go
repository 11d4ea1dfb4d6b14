package fork

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"hadarlab/core/assign"
	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/unit"
)

// TestPlanIsThatOfThePlainMethod plays rounds of random problems and compares all that is decided and told, to the bit,
// with the planner that looks at every job with every node.
func TestPlanIsThatOfThePlainMethod(t *testing.T) {
	for seed := range uint64(800) {
		rng := unit.Stream(seed, "plain")
		c := &model.Cluster{}
		types := 1 + rng.IntN(4)
		for range types {
			c.Types = append(c.Types, model.GPUType{})
		}
		mixed := rng.IntN(3) == 0
		var slots []model.Slot
		for n := range 1 + rng.IntN(24) {
			c.Nodes = append(c.Nodes, model.Node{})
			typ := rng.IntN(types)
			slots = append(slots, model.Slot{Node: model.NodeID(n), Type: model.TypeID(typ),
				Cap: int32(1 + rng.IntN(2))})
			if mixed && rng.IntN(2) == 0 {
				slots = append(slots, model.Slot{Node: model.NodeID(n), Type: model.TypeID(rng.IntN(types)), Cap: 2})
			}
		}
		if rng.IntN(4) == 0 {
			rng.Shuffle(len(slots), func(i, j int) { slots[i], slots[j] = slots[j], slots[i] })
		}
		c.Slots = slots
		var tables []*model.Throughput
		even := rng.IntN(2) == 0 // speeds and lengths that make ties
		for range 1 + rng.IntN(5) {
			x := model.NewThroughput("toy", types, 2)
			for typ := range types {
				for g := int32(1); g <= 2; g++ {
					r := unit.Rate(float64(g) * (0.1 + 9*rng.Float64()))
					if even {
						r = unit.Rate(g * int32(1+rng.IntN(3)))
					}
					if rng.IntN(8) > 0 {
						x.Set(model.TypeID(typ), g, r, r, r)
					}
				}
			}
			tables = append(tables, &x)
		}
		p := &Problem{Round: 360 * unit.Second, Cluster: c}
		for s := range c.Slots {
			p.Usable = append(p.Usable, c.Slots[s].Cap)
		}
		shared := rng.IntN(3) == 0
		free := rng.IntN(3) == 0 // moving costs as much as staying
		set := Settings{Whole: true}
		set.Effective = rng.IntN(4) == 0
		if rng.IntN(4) == 0 {
			set.Eta, set.Horizon = 5, 86400*unit.Second
		}
		var pl, plainly Planner
		var plain plainPlanner
		most := 1 + rng.IntN(40)
		for round := range 12 {
			for range rng.IntN(most) {
				j := Job{ID: model.JobID(len(p.Jobs)), Arrive: p.Now, Total: unit.Work(100 + 5000*rng.Float64()),
					Speed: tables[rng.IntN(len(tables))], Keep: unit.Tick(rng.IntN(40)) * unit.Second}
				if even {
					j.Total = unit.Work(1000 * (1 + rng.IntN(3)))
				}
				if j.Move = j.Keep; !free {
					j.Move += unit.Tick(rng.IntN(90)) * unit.Second
				}
				j.Remaining = j.Total
				p.Jobs = append(p.Jobs, j)
			}
			if rng.IntN(3) == 0 {
				s := rng.IntN(len(p.Usable))
				p.Usable[s] = int32(rng.IntN(int(c.Slots[s].Cap) + 1))
			}
			got, want := pl.Plan(p, set), plain.Plan(p, set)
			from, to := &got.Constants, &want.Constants // where the prices come from
			to.Serial, to.Demand, to.Bounds = from.Serial, from.Demand, from.Bounds
			pl.Weigh()
			set.Plain = true
			other := plainly.Plan(p, set)
			set.Plain = false
			plainly.Weigh()
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", other); a != b {
				t.Fatalf("seed %d, round %d:\n%s\nby the plain form:\n%s", seed, round, a, b)
			}
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
				t.Fatalf("seed %d, round %d:\n%s\nplain:\n%s", seed, round, a, b)
			}
			for j := range p.Jobs {
				var all []Copy
				for n := range c.Nodes {
					if o := plain.Offer(j, n); o.Rate > 0 {
						all = append(all, o)
					}
				}
				if got := pl.Offers(j); !slices.Equal(got, all) {
					t.Fatalf("seed %d, round %d: %+v are offered, %+v plainly", seed, round, got, all)
				}
			}
			var left []Job
			for j := range p.Jobs {
				job := p.Jobs[j]
				job.Held = nil
				for _, k := range got.Copies[j] {
					job.Held = append(job.Held, k.Node)
					job.Remaining -= k.Steps
				}
				if shared && rng.IntN(2) == 0 { // as after choices that were forced
					job.Held = append(job.Held, model.NodeID(rng.IntN(len(c.Nodes))))
					slices.Sort(job.Held)
				}
				if job.Remaining > 0 {
					left = append(left, job)
				}
			}
			p.Jobs, p.Now = left, p.Now+p.Round
		}
	}
}

// plainPlanner is the planner without anything that is kept or looked at once for many: the reference.
type plainPlanner struct {
	prob  *Problem
	set   Settings
	speed []plainSpot // by job and node
	best  []unit.Rate
	worst []unit.Rate
	scale []float64
	total []unit.Rate
	moved []bool
	value []float64
	res   Result
}

type plainSpot struct {
	slot model.SlotID
	gpus int32
	left int32
	rate unit.Rate
}

func (pl *plainPlanner) Plan(p *Problem, set Settings) *Result {
	pl.prob, pl.set = p, set
	pl.spots()
	pl.constants()
	pl.assign()
	pl.fill()
	pl.split()
	return &pl.res
}

// spots finds the copy that each job could run on each node: the largest gang with a speed, of the
// job's fastest type on the node. The rest of the node stays idle, because a copy owns its node
// (4.2, ours).
func (pl *plainPlanner) spots() {
	p := pl.prob
	nodes := len(p.Cluster.Nodes)
	pl.clear(len(p.Jobs), nodes)
	for j := range p.Jobs {
		row := pl.speed[j*nodes : (j+1)*nodes]
		for s := range p.Cluster.Slots {
			sl := &p.Cluster.Slots[s]
			x := &row[sl.Node]
			for m := p.Usable[s]; m > 0; m-- {
				r := p.Jobs[j].Speed.Rate(sl.Type, m, model.OneNode)
				if r <= 0 {
					continue
				}
				if r > x.rate {
					*x = plainSpot{model.SlotID(s), m, 0, r}
				}
				break
			}
		}
		pl.speeds(j, row)
	}
	for s := range p.Cluster.Slots {
		for j := range p.Jobs {
			pl.speed[j*nodes+int(p.Cluster.Slots[s].Node)].left += p.Usable[s]
		}
	}
	for i := range pl.speed {
		pl.speed[i].left -= pl.speed[i].gpus
	}
}

// clear empties all that the last round has left, and makes room for this one's jobs and nodes.
func (pl *plainPlanner) clear(jobs, nodes int) {
	pl.speed = grow(pl.speed, nodes*jobs)
	pl.best, pl.worst, pl.scale = grow(pl.best, jobs), grow(pl.worst, jobs), grow(pl.scale, jobs)
	pl.total, pl.moved = grow(pl.total, jobs), grow(pl.moved, jobs)
	pl.res.Owner, pl.res.Used = grow(pl.res.Owner, nodes), grow(pl.res.Used, len(pl.prob.Cluster.Slots))
	clear(pl.res.Used)
	pl.res.Gifts = nil
	pl.res.Copies, pl.res.Stall = grow(pl.res.Copies, jobs), grow(pl.res.Stall, jobs)
	pl.res.Ends = grow(pl.res.Ends, jobs)
	clear(pl.speed)
	clear(pl.total)
	clear(pl.moved)
	for n := range pl.res.Owner {
		pl.res.Owner[n] = -1
	}
	for j := range pl.res.Copies {
		pl.res.Copies[j] = pl.res.Copies[j][:0]
	}
}

// speeds notes the best and the worst speed of job j over the nodes on which it can run.
func (pl *plainPlanner) speeds(j int, row []plainSpot) {
	pl.best[j], pl.worst[j] = 0, 0
	for n := range row {
		if r := row[n].rate; r > 0 {
			pl.best[j] = max(pl.best[j], r)
			if pl.worst[j] == 0 || r < pl.worst[j] {
				pl.worst[j] = r
			}
		}
	}
}

// constants are Hadar's price constants with a node as the unit, that is c = 1 and W = 1: the
// most and the least that a round on a node can be worth, η, the horizon and α. Utilities are in
// 1/s of lifetime or in steps per second, as the settings say.
func (pl *plainPlanner) constants() {
	p, r := pl.prob, &pl.res.Constants
	uMin, uMax := 0.0, 0.0
	serial := int64(0)
	for j := range p.Jobs {
		serial += rounds(p.Jobs[j].Remaining, pl.worst[j], p.Round)
		pl.scale[j] = float64(p.Jobs[j].Total)
		if !pl.set.Effective && pl.best[j] > 0 {
			pl.scale[j] = max(pl.scale[j]/float64(pl.best[j]), p.Round.Seconds())
		}
	}
	r.Horizon = p.Now + unit.Tick(serial)*p.Round
	if pl.set.Horizon > p.Now {
		r.Horizon = pl.set.Horizon
	}
	left := float64(r.Horizon-p.Now) / float64(p.Round)
	r.Eta, r.Alpha = pl.set.Eta, 1
	low := -1.0
	for j := range p.Jobs {
		worst := float64(rounds(p.Jobs[j].Remaining, pl.worst[j], p.Round))
		if worst == 0 {
			continue
		}
		if pl.set.Eta <= 0 {
			r.Eta = max(r.Eta, float64(left*float64(len(p.Cluster.Nodes)))/worst)
		}
		uMax = max(uMax, pl.utility(j, p.Now.Seconds()+float64(p.Jobs[j].Remaining)/float64(pl.best[j])))
		if u := pl.utility(j, r.Horizon.Seconds()) / worst; low < 0 || u < low {
			low = u
		}
	}
	if uMax > 0 {
		uMin = low / float64(4*r.Eta)
		if !(uMin < uMax) || uMin <= 0 {
			uMin = uMax / 2.718281828459045
		}
		r.Alpha = max(1, unit.Log(uMax)-unit.Log(uMin))
	}
	r.UMin, r.UMax = []float64{uMin}, []float64{uMax}
}

// rounds is n, the rounds that a job with w steps left needs at a speed; 0 without a speed.
func rounds(w unit.Work, rate unit.Rate, round unit.Tick) int64 {
	per := float64(rate.Over(round))
	if per <= 0 {
		return 0
	}
	return max(1, unit.CeilRounds(float64(w)/per))
}

// utility is U_j of job j if it finishes at f seconds: its best possible time, or its steps, over
// its lifetime.
func (pl *plainPlanner) utility(j int, f float64) float64 {
	d := f - pl.prob.Jobs[j].Arrive.Seconds()
	if !pl.set.Effective { // it has its nodes for a whole round, so no time counts as less
		d = max(d, pl.prob.Round.Seconds())
	}
	if d <= 0 {
		return 0
	}
	return pl.scale[j] / d
}

// at is the utility of job j if it went on at a rate from now to its end. It stalls first: as for a
// move if moves is set, since one of its nodes is then new to it, and as for a merge otherwise.
func (pl *plainPlanner) at(j int, rate unit.Rate, moves bool) float64 {
	if rate <= 0 {
		return 0
	}
	p := pl.prob
	stall := p.Jobs[j].Keep
	if moves {
		stall = p.Jobs[j].Move
	}
	return pl.utility(j, (p.Now+stall).Seconds()+float64(p.Jobs[j].Remaining)/float64(rate))
}

// worth is what one round is worth to job j: the utility of its whole remaining life over the
// rounds that this takes. Jobs compete for the nodes of one round, and a figure for the whole life
// would send the longest job first after a wait.
func (pl *plainPlanner) worth(j int, rate unit.Rate, moves bool) float64 {
	if rate <= 0 {
		return 0
	}
	return pl.at(j, rate, moves) / float64(rounds(pl.prob.Jobs[j].Remaining, rate, pl.prob.Round))
}

// isNewNode says whether node n is new to job j, so that going there costs a move.
func (pl *plainPlanner) isNewNode(j, n int) bool {
	_, held := slices.BinarySearch(pl.prob.Jobs[j].Held, model.NodeID(n))
	return !held
}

// assign is phase 1 (hadar.md): distinct jobs get distinct nodes so that the sum of their payoffs per
// round, at the price of an empty node, is the greatest. Of sums alike within 1e-9 the one on
// faster nodes wins. A job whose payoff is negative on a node does not get it in this phase.
func (pl *plainPlanner) assign() {
	p, r := pl.prob, &pl.res
	nodes, jobs := len(p.Cluster.Nodes), len(p.Jobs)
	pl.value = grow(pl.value, nodes*jobs)
	for i := range pl.value {
		j := i / nodes
		pl.value[i] = 0
		if x := &pl.speed[i]; x.rate > 0 {
			payoff := pl.worth(j, x.rate, pl.isNewNode(j, i%nodes)) - r.Constants.UMin[0]
			pl.value[i] = even(max(0, payoff+float64(payoff*1e-9*float64(x.rate/pl.best[j]))), r.Constants.UMax[0])
		}
	}
	r.Payoff = 0
	for j, n := range assign.Hungarian(pl.value, jobs, nodes) {
		if n < 0 || pl.value[j*nodes+int(n)] <= 0 {
			continue
		}
		c := pl.Offer(j, int(n))
		r.Payoff += c.Payoff / float64(c.Rounds)
		pl.give(j, int(n), c)
	}
}

// Offer is what phase 1 weighed of job j on node n: the copy and its payoff at the price of an empty node.
// Its Rate is 0 where the job cannot run. It holds until the next Plan.
func (pl *plainPlanner) Offer(j, n int) Copy {
	p := pl.prob
	x := &pl.speed[j*len(p.Cluster.Nodes)+n]
	c := Copy{Node: model.NodeID(n), Slot: x.slot, GPUs: x.gpus, Rate: x.rate, Left: x.left, Phase: 1}
	if x.rate > 0 {
		c.Rounds = rounds(p.Jobs[j].Remaining, x.rate, p.Round)
		c.Utility, c.Cost = pl.at(j, x.rate, pl.isNewNode(j, n)), float64(float64(c.Rounds)*pl.res.Constants.UMin[0])
		c.Payoff = c.Utility - c.Cost
	}
	return c
}

// fill is phase 2: each idle node, in index order, goes to the job whose round it makes worth most
// more, with what moving costs. It goes whatever the payoff is: the utilisation theorem (hadar.md) rests
// on no node staying idle.
func (pl *plainPlanner) fill() {
	nodes := len(pl.prob.Cluster.Nodes)
	for n := range nodes {
		if pl.res.Owner[n] >= 0 {
			continue
		}
		best, gain := -1, 0.0
		gains := make([]float64, len(pl.prob.Jobs))
		for j := range pl.prob.Jobs {
			x := &pl.speed[j*nodes+n]
			if gains[j] = math.NaN(); x.rate <= 0 {
				continue
			}
			g := pl.worth(j, pl.total[j]+x.rate, pl.moved[j] || pl.isNewNode(j, n)) - pl.worth(j, pl.total[j],
				pl.moved[j])
			gains[j] = g
			if best < 0 || g > gain {
				best, gain = j, g
			}
		}
		if best >= 0 {
			pl.give(best, n, Copy{Phase: 2, Deal: primaldual.Deal{Utility: gain, Payoff: gain}})
			pl.res.Gifts = append(pl.res.Gifts, Gift{model.NodeID(n), pl.speed[best*nodes+n].slot, int32(best), gains})
		}
	}
}

// give adds a copy of job j on node n to the plan, with the copies in order of their nodes.
func (pl *plainPlanner) give(j, n int, c Copy) {
	x := &pl.speed[j*len(pl.prob.Cluster.Nodes)+n]
	c.Node, c.Slot, c.GPUs, c.Rate, c.Left = model.NodeID(n), x.slot, x.gpus, x.rate, x.left
	pl.res.Owner[n] = int32(j)
	pl.res.Used[x.slot] += x.gpus
	pl.total[j] += x.rate
	pl.moved[j] = pl.moved[j] || pl.isNewNode(j, n)
	list := append(pl.res.Copies[j], c)
	for i := len(list) - 1; i > 0 && list[i-1].Node > list[i].Node; i-- {
		list[i-1], list[i] = list[i], list[i-1]
	}
	pl.res.Copies[j] = list
}

// split gives each copy its steps of the round (hadar.md, Tracker). The stall comes first, for the whole job:
// copies are merged before any of them goes on.
func (pl *plainPlanner) split() {
	p := pl.prob
	for j := range p.Jobs {
		copies := pl.res.Copies[j]
		pl.res.Stall[j] = p.Jobs[j].Move
		if sameNodes(copies, p.Jobs[j].Held) {
			pl.res.Stall[j] = p.Jobs[j].Keep
		}
		remaining := p.Jobs[j].Remaining
		if p.Jobs[j].Outlived {
			remaining = unlimited
		}
		pl.res.Ends[j] = Split(copies, remaining, p.Round-pl.res.Stall[j])
	}
}

// TestAssignmentIsThatOfThePlainMethod draws worths of columns of few kinds, many of them equal, with overrides.
func TestAssignmentIsThatOfThePlainMethod(t *testing.T) {
	var m matcher
	for seed := range uint64(4000) {
		rng := unit.Stream(seed, "assignment")
		w := worths{rows: 1 + rng.IntN(60), columns: 1 + rng.IntN(60), from: []int32{0}}
		w.kinds = 1 + rng.IntN(min(4, w.columns))
		for j := range w.columns {
			w.kind = append(w.kind, int32(rng.IntN(min(j+1, w.kinds))))
			if j < w.kinds {
				w.kind[j] = int32(j)
			}
		}
		coarse, odds := rng.IntN(3), rng.IntN(4)
		draw := func(of float64) float64 {
			switch {
			case coarse == 0:
				return float64(rng.IntN(4))
			case coarse == 1 && of > 0:
				return max(0, of+float64(rng.IntN(3)-1)*0x1p-45)
			}
			return even(rng.Float64()/float64(1+rng.IntN(40)), 4)
		}
		for range w.rows * w.kinds {
			w.value = append(w.value, draw(0))
		}
		value := make([]float64, w.rows*w.columns)
		for i := range w.rows {
			for j := range w.columns {
				v := w.row(i)[w.kind[j]]
				if odds > 0 && rng.IntN(12*odds) == 0 {
					if o := draw(v); o > v {
						v = o
						w.overrides = append(w.overrides, override{int32(j), v})
					}
				}
				value[i*w.columns+j] = v
			}
			w.from = append(w.from, int32(len(w.overrides)))
		}
		got, want := m.solve(w), assign.Hungarian(value, w.rows, w.columns)
		if !slices.EqualFunc(got, want, func(a int32, b int) bool { return int(a) == b }) {
			t.Fatalf("seed %d: %v, plainly %v", seed, got, want)
		}
	}
}
