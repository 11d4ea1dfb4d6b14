package simtest

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// refLearner is what the reference engine knows of a learned split.
type refLearner struct {
	count, share []float64 // by type
	left         unit.Tick // of training until the next check
	settled      bool
	checks       int
	rate         unit.Rate // of the last step
}

// learner is that of a gang of several types whose job learns its split, nil of others.
func (r *reference) learner(g *refGang) *refLearner {
	j := g.Members[0].Job
	split := r.p.Jobs[j].Shape.Split
	if split == nil || !split.Learned || len(g.Members) > 1 || r.finish[j] >= 0 {
		return nil
	}
	count, share := make([]float64, len(r.p.Cluster.Types)), make([]float64, len(r.p.Cluster.Types))
	for _, sh := range g.Shards {
		t := r.p.Cluster.Slots[sh.Slot].Type
		count[t], share[t] = count[t]+float64(sh.N), 1
	}
	if sum(share) < 2 {
		return nil
	}
	if l := r.learns[j]; l == nil || !slices.Equal(l.count, count) {
		r.learns[j] = &refLearner{count: count, share: share, left: split.Check}
	}
	return r.learns[j]
}

func sum(x []float64) (all float64) {
	for _, v := range x {
		all += v
	}
	return all
}

// times are how long the GPUs of each type take for their part of a step, 0 of types that the gang has not; ok is false
// where it cannot run.
func (l *refLearner) times(p *model.Problem, tab *model.Throughput, g *refGang) (out []float64, ok bool) {
	size, tier := sim.Measure(&p.Cluster, g.Shards)
	h := p.Jobs[g.Members[0].Job].Shape.Split.Overhead
	out = make([]float64, len(l.count))
	for t, n := range l.count {
		if n > 0 {
			v := float64(tab.Rate(model.TypeID(t), size, tier))
			if v <= 0 {
				return nil, false
			}
			out[t] = (h + float64((1-h)*l.share[t])) / v
		}
	}
	return out, true
}

// speed is the gang's with the shares of now; one that is another than it was is a reason to look again.
func (l *refLearner) speed(p *model.Problem, tab *model.Throughput, g *refGang) unit.Rate {
	rate := unit.Rate(0)
	if times, ok := l.times(p, tab, g); ok {
		rate = unit.Rate(1 / slices.Max(times))
	}
	if l.settled && math.Abs(float64(rate-l.rate)) > 1e-12*float64(rate) {
		l.settled, l.left, l.checks = false, p.Jobs[g.Members[0].Job].Shape.Split.Check, 0
	}
	l.rate = rate
	return rate
}

// checks are those that are due: with the level found by halving.
func (r *reference) checks(now unit.Tick) {
	for i := range r.held {
		g := &r.held[i]
		l := r.learner(g)
		if l == nil || l.settled || l.left > 0 || !r.works(i, 0, now) {
			continue
		}
		j := g.Members[0].Job
		split, tab := r.p.Jobs[j].Shape.Split, &r.p.Tables[r.p.Jobs[j].Phases[r.phase(j)].Tables[g.Members[0].Config]]
		l.speed(r.p, tab, g)
		times, ok := l.times(r.p, tab, g)
		if l.settled = true; !ok || l.checks >= model.MostChecks {
			continue
		}
		mean := 0.0
		for t, n := range l.count {
			mean += n * times[t] / sum(l.count)
		}
		want, moved := slices.Clone(l.share), false
		for t := range want {
			if times[t] > 0 && math.Abs(times[t]-mean) >= split.Band*mean {
				want[t] *= mean / times[t]
				moved = true
			}
		}
		if !moved {
			continue
		}
		most := split.Most
		if most == 0 {
			most = math.Inf(1)
		}
		at := func(level float64) (share []float64, all float64) {
			share = slices.Clone(want)
			for t, n := range l.count {
				if n > 0 {
					share[t] = min(most, max(split.Least, level*want[t]))
					all += n * share[t]
				}
			}
			return share, all
		}
		lo, hi := 0.0, 1e9
		for range 200 {
			if mid := (lo + hi) / 2; mid > lo && mid < hi {
				if _, all := at(mid); all <= sum(l.count) {
					lo = mid
				} else {
					hi = mid
				}
			}
		}
		share, _ := at(lo)
		moved = false
		for t := range share {
			moved = moved || math.Abs(share[t]-l.share[t]) > 2e-9
		}
		if l.share = share; moved {
			l.settled, l.left, l.checks = false, split.Check, l.checks+1
			if split.Change > 0 {
				r.stall[j] = now + split.Change
			}
		}
	}
}

// TestPolicySplits holds invariants and reference engine where jobs split their batches in all ways that there are.
func TestPolicySplits(t *testing.T) {
	learned := 0
	all := eachPolicyOn(t, max(10, *scenarios/10), func(seed uint64) *model.Problem {
		rng := unit.Stream(seed, "splits")
		if seed%3 == 0 {
			p := Wild(rng)
			SomeSplits(rng, p)
			return p
		}
		return wildMixed(rng)
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) {
		learned += speedUps(p, invariant(t, p, s))
		refers(t, p, s)
	})
	if all && learned < 60 {
		t.Errorf("only %d times did a gang become faster by learning", learned)
	}
}

// wildMixed draws a problem whose jobs need GPUs of several types: of each there are few.
func wildMixed(rng *rand.Rand) *model.Problem {
	types := []string{"a", "b", "c"}
	nodes := make([]Node, 1+rng.IntN(2))
	most := int32(0)
	for i := range nodes {
		nodes[i] = Node{}
		for _, typ := range types[:2+rng.IntN(2)] {
			nodes[i][typ] = 1 + rng.Int32N(2)
			most += nodes[i][typ]
		}
	}
	jobs, at := make([]Job, 1+rng.IntN(5)), 0
	for i := range jobs {
		jobs[i] = Job{Arrive: float64(at) / 10, GPUs: min(2+rng.Int32N(4), most), Rates: map[string]float64{},
			Steps: float64(1000+rng.IntN(30000)) / 10, Spread: []float64{0, 0.5}[rng.IntN(2)]}
		for _, typ := range types {
			jobs[i].Rates[typ] = float64(5+rng.IntN(80)) / 10
		}
		at += rng.IntN(3000)
	}
	p := Build(60, nodes, jobs, []model.Costs{{}, {Load: 3 * unit.Second, Save: unit.Second}}[rng.IntN(2)])
	if rng.IntN(2) == 0 {
		wildChanges(rng, p)
	}
	wildKnowledge(rng, p)
	SomeSplits(rng, p)
	return p
}

// TestPolicySplitsOverLinks holds the invariants where gangs share links, too.
func TestPolicySplitsOverLinks(t *testing.T) {
	eachPolicyOn(t, max(10, *scenarios/30), func(seed uint64) *model.Problem {
		rng := unit.Stream(seed, "splits over links")
		p := wildLinks(rng)
		SomeSplits(rng, p)
		return p
	}, func(t *testing.T, p *model.Problem, s *policy.Spec) { invariant(t, p, s) })
}

// speedUps counts how often a gang of a job that learns its split goes on at a greater speed on the same GPUs.
func speedUps(p *model.Problem, t *trace.Trace) (n int) {
	last := make([]int, len(t.Jobs))
	for i := range t.Spans.Len() {
		j := t.Spans.Job[i]
		if t.Spans.Kind[i] != trace.Run {
			continue
		}
		before := last[j] - 1
		split := p.Jobs[j].Shape.Split
		if last[j] = i + 1; before >= 0 && split != nil && split.Learned && len(p.Jobs[j].Phases) == 1 &&
			slices.Equal(t.Spans.At(before), t.Spans.At(i)) && t.Spans.With[before] < 0 && t.Spans.With[i] < 0 &&
			t.Spans.Rate[i] > t.Spans.Rate[before] {
			n++
		}
	}
	return n
}
