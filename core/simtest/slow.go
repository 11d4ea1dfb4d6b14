package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// slowed is at what part of the speed that its table says a gang of j runs where each node runs at a part of its speed:
// found by trying which members a step could do with. It shares no code with core/model and core/sim. rate is the speed
// of the gang if all its GPUs were of a type.
func slowed(p *model.Problem, j model.JobID, shards []model.Shard, speed []float64,
	rate func(model.TypeID) unit.Rate) float64 {
	if !slices.ContainsFunc(shards, func(sh model.Shard) bool { return speed[p.Cluster.Slots[sh.Slot].Node] < 1 }) {
		return 1
	}
	job := &p.Jobs[j]
	var members []float64
	full, least := math.Inf(1), 1.0
	for _, sh := range shards {
		s := p.Cluster.Slots[sh.Slot]
		full, least = min(full, float64(rate(s.Type))), min(least, speed[s.Node])
		for range sh.N {
			members = append(members, float64(rate(s.Type))*speed[s.Node])
		}
	}
	if job.Shape.Split != nil {
		return least
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

// checkSlow: where nodes are slow for a while, each gang runs at all times as its nodes let it (I14). Those that share
// a link or a GPU, and copies that share a batch, the reference engine looks after.
func checkSlow(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	if len(p.Speeds) == 0 || p.Links != nil {
		return
	}
	s := &t.Spans
	for i := range s.Len() {
		job := &p.Jobs[s.Job[i]]
		if s.Kind[i] != trace.Run || s.With[i] >= 0 || job.Profile >= 0 || Learns(job) {
			continue
		}
		at := []unit.Tick{s.From[i]}
		for _, c := range p.Speeds {
			if c.At > s.From[i] && c.At < s.To[i] {
				at = append(at, c.At)
			}
		}
		tab := &p.Tables[job.Phases[0].Tables[0]]
		shards := s.At(i)
		told := float64(sim.GangRate(tab, &p.Cluster, shards, job.Shape.Split))
		for _, now := range at {
			part := slowed(p, model.JobID(s.Job[i]), shards, speedsAt(p, now), plainRates(p, tab, shards))
			want := float64(told * part)
			if math.Abs(s.Rate[i]-want) > 1e-9*told {
				fail("I14: job %s runs at %v steps/s at %d; its nodes let it run at %v, of %v", job.Name, s.Rate[i], now,
					want, told)
			}
		}
	}
}
