package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// paced is at what part of the speed that its table says a gang of j runs whose shards run at parts of theirs: found by
// trying which members a step could do with. It shares no code with core/model and core/sim. rate is the speed of the
// gang if all its GPUs were of a type.
func paced(p *model.Problem, j model.JobID, shards []model.Shard, parts []float64,
	rate func(model.TypeID) unit.Rate) float64 {
	if slices.Min(parts) >= 1 {
		return 1
	}
	job := &p.Jobs[j]
	var members []float64
	full := math.Inf(1)
	for k, sh := range shards {
		v := float64(rate(p.Cluster.Slots[sh.Slot].Type))
		full = min(full, v)
		for range sh.N {
			members = append(members, v*parts[k])
		}
	}
	if job.Shape.Split != nil || full <= 0 {
		return slices.Min(parts)
	}
	return min(1, Needed(job.Shape.Redundancy, int(job.Shape.Size), members)/full)
}

// Needed is the speed of a gang with redundancy whose members would go at so many speeds: of all sets of members that
// have what a step needs, the one whose slowest is fastest. Groups that are dynamic may be any.
func Needed(r model.Redundancy, size int, members []float64) float64 {
	n, best := len(members), 0.0
	orders := [][]int{nil}
	coded := r.Fold > 1 && n == size
	if coded && r.Dynamic {
		orders = permutations(n)
	}
	for _, order := range orders {
		for set := range 1 << n {
			has := func(i int) bool {
				if order != nil {
					i = order[i]
				}
				return set>>i&1 > 0
			}
			if slowest, enough := slowestOf(members, set), sufficient(r, size, n, coded, has); enough {
				best = max(best, slowest)
			}
		}
	}
	return best
}

// sufficient says whether the members that has tells of have what a step needs.
func sufficient(r model.Redundancy, size, n int, coded bool, has func(int) bool) bool {
	count := func(from, to int) (k int) {
		for i := from; i < to; i++ {
			if has(i) {
				k++
			}
		}
		return k
	}
	if !coded {
		need := n
		if r.Backup > 0 {
			need = min(n, size-int(r.Backup))
		}
		return count(0, n) >= need
	}
	groups := max(int(r.Groups), 1)
	of := n / groups
	for g := range groups {
		if count(g*of, (g+1)*of) < of-int(r.Fold)+1 {
			return false
		}
	}
	return true
}

func slowestOf(members []float64, set int) float64 {
	least := math.Inf(1)
	for i, v := range members {
		if set>>i&1 > 0 {
			least = min(least, v)
		}
	}
	return least
}

func permutations(n int) (out [][]int) {
	if n == 0 {
		return [][]int{{}}
	}
	for _, p := range permutations(n - 1) {
		for at := range n {
			out = append(out, slices.Insert(slices.Clone(p), at, n-1))
		}
	}
	return out
}

// speedsAt are the parts of their speeds at which the nodes run at an instant.
func speedsAt(p *model.Problem, now unit.Tick) []float64 {
	speed := slices.Repeat([]float64{1}, len(p.Cluster.Nodes))
	for _, c := range p.Speeds {
		if c.At <= now {
			speed[c.Node] = c.Speed
		}
	}
	return speed
}

// plainRates gives the speed of a gang on the shards if all its GPUs were of a type.
func plainRates(p *model.Problem, tab *model.Throughput, shards []model.Shard) func(model.TypeID) unit.Rate {
	size, tier := sim.Measure(&p.Cluster, shards)
	return func(t model.TypeID) unit.Rate { return tab.Rate(t, size, tier) }
}

// linkRates is plainRates for a gang that has a share of its links.
func linkRates(p *model.Problem, tab *model.Throughput, shards []model.Shard,
	share float64) func(model.TypeID) unit.Rate {
	return func(t model.TypeID) unit.Rate {
		q := *p
		q.Cluster.Slots = slices.Clone(p.Cluster.Slots)
		for i := range q.Cluster.Slots {
			q.Cluster.Slots[i].Type = t
		}
		return sim.SharedRate(&q, tab, shards, nil, share)
	}
}

// partsOf gives the part of its speed at which each of the spans that are open at an instant runs on each of its
// shards: that of the node, and of what it gets of the host.
func partsOf(p *model.Problem, t *trace.Trace, open []int, now unit.Tick) [][]float64 {
	var lodgers []lodger
	for _, i := range open {
		with := 1
		if t.Spans.With[i] >= 0 {
			with = 2
		}
		lodgers = append(lodgers, lodger{model.JobID(t.Spans.Job[i]), t.Spans.At(i), with})
	}
	parts := feed(p, lodgers)
	speed := speedsAt(p, now)
	for k := range lodgers {
		for s, sh := range lodgers[k].shards {
			parts[k][s] *= speed[p.Cluster.Slots[sh.Slot].Node]
		}
	}
	return parts
}

// instants are those at which a span begins or ends, or a node's speed changes.
func instants(p *model.Problem, t *trace.Trace) (at []unit.Tick) {
	for i := range t.Spans.Len() {
		at = append(at, t.Spans.From[i], t.Spans.To[i])
	}
	for _, c := range p.Speeds {
		if c.At <= t.End {
			at = append(at, c.At)
		}
	}
	slices.Sort(at)
	return slices.Compact(at)
}

// openAt are the spans that are open at an instant.
func openAt(t *trace.Trace, now unit.Tick) (open []int) {
	for i := range t.Spans.Len() {
		if t.Spans.From[i] <= now && now < t.Spans.To[i] {
			open = append(open, i)
		}
	}
	return open
}

// checkPaces: where nodes are slow for a while or jobs share hosts, each gang runs at all times as its nodes let it,
// and what it gets of them beside those that hold GPUs then (I14, I15). A gang that learns how to split its batch is no
// faster than with the best split on its GPUs as they are. Gangs that share a link are those of checkLinks; who shares
// a GPU, and copies that share a batch, the reference engine looks after.
func checkPaces(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	if len(p.Speeds) == 0 && p.Needs == nil {
		return
	}
	s := &t.Spans
	for _, now := range instants(p, t) {
		open := openAt(t, now)
		for k, parts := range partsOf(p, t, open, now) {
			i := open[k]
			j := model.JobID(s.Job[i])
			job := &p.Jobs[j]
			if s.Kind[i] != trace.Run || s.With[i] >= 0 || job.Profile >= 0 ||
				p.Links != nil && crosses(p, j, s.At(i)) {
				continue
			}
			tab, shards := &p.Tables[job.Phases[0].Tables[0]], s.At(i)
			full := float64(sim.GangRate(tab, &p.Cluster, shards, job.Shape.Split))
			want := float64(full * paced(p, j, shards, parts, plainRates(p, tab, shards)))
			switch {
			case Learns(job) && len(shards) > 1:
				if best := bestSplit(p, job, shards, parts, plainRates(p, tab, shards)); s.Rate[i] > best*(1+1e-9) {
					fail("I14: job %s runs at %v steps/s at %d; the best split gives %v", job.Name, s.Rate[i],
						now, best)
				}
			case math.Abs(s.Rate[i]-want) > 1e-9*full:
				fail("I14, I15: job %s runs at %v steps/s at %d; its nodes and what it gets of them give %v of %v",
					job.Name, s.Rate[i], now, want, full)
			}
		}
	}
}

// bestSplit is the speed of a gang whose shards run at parts of their speed with the best split of its batch.
func bestSplit(p *model.Problem, job *model.Job, shards []model.Shard, parts []float64,
	rate func(model.TypeID) unit.Rate) float64 {
	best := *job.Shape.Split
	best.Learned = false
	var of []model.Part
	for k, sh := range shards {
		typ := p.Cluster.Slots[sh.Slot].Type
		v := float64(rate(typ)) * parts[k]
		if v <= 0 {
			return 0
		}
		of = append(of, model.Part{Type: typ, GPUs: float64(sh.N), Rate: v, Share: 1})
	}
	return float64(best.Settled(of))
}
