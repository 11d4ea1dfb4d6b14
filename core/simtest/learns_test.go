package simtest

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// refLearner is what the reference engine knows of a learned split. It measures the GPUs of each shard where nodes may
// be slow or short of something, and those of each type elsewhere.
type refLearner struct {
	of      []refPart
	share   []float64 // by part
	left    unit.Tick // of training until the next check
	settled bool
	checks  int
	rates   []float64 // by part, of the last step
	fed     []float64 // by shard, as of the last step
	shares  float64   // of links, as of the last step
}

// refPart is GPUs that are measured together: those of a type, or of a slot.
type refPart struct {
	typ  model.TypeID
	slot model.SlotID // None = of any
	n    float64
}

// learner is that of a gang whose job learns its split, nil of others, and of gangs of GPUs that are all measured
// together.
func (r *reference) learner(g *refGang) *refLearner {
	j := g.Members[0].Job
	split := r.p.Jobs[j].Shape.Split
	if split == nil || !split.Learned || len(g.Members) > 1 || r.finish[j] >= 0 {
		return nil
	}
	var of []refPart
	for _, sh := range g.Shards {
		part := refPart{r.p.Cluster.Slots[sh.Slot].Type, model.None, float64(sh.N)}
		if r.p.Speeds != nil || r.p.Needs != nil {
			part.slot = sh.Slot
		}
		at := slices.IndexFunc(of, func(o refPart) bool { return o.typ == part.typ && o.slot == part.slot })
		if at < 0 {
			of = append(of, part)
		} else {
			of[at].n += part.n
		}
	}
	if len(of) < 2 {
		return nil
	}
	slices.SortFunc(of, func(a, b refPart) int {
		return cmp.Or(cmp.Compare(a.slot, b.slot), cmp.Compare(a.typ, b.typ))
	})
	if l := r.learns[j]; l == nil || !slices.Equal(l.of, of) {
		r.learns[j] = &refLearner{of: of, share: slices.Repeat([]float64{1}, len(of)), left: split.Check}
	}
	return r.learns[j]
}

func (l *refLearner) gpus() (all float64) {
	for _, o := range l.of {
		all += o.n
	}
	return all
}

// measure gives the speed that the GPUs of each part would give a gang of them alone, and how long they take for their
// part of a step; ok is false where it cannot run.
func (l *refLearner) measure(r *reference, tab *model.Throughput, g *refGang) (rates, times []float64, ok bool) {
	rate := plainRates(r.p, tab, g.Shards)
	if l.shares > 0 {
		rate = linkRates(r.p, tab, g.Shards, l.shares)
	}
	h, parts := r.p.Jobs[g.Members[0].Job].Shape.Split.Overhead, r.parts(g, l.fed)
	for i, o := range l.of {
		v := float64(rate(o.typ))
		if o.slot >= 0 {
			v *= parts[slices.IndexFunc(g.Shards, func(sh model.Shard) bool { return sh.Slot == o.slot })]
		}
		rates, times = append(rates, v), append(times, (h+float64((1-h)*l.share[i]))/v)
	}
	return rates, times, slices.Min(rates) > 0
}

// speed is the gang's with the shares of now; a GPU that is faster or slower than it was is a reason to look again.
func (l *refLearner) speed(r *reference, tab *model.Throughput, g *refGang) unit.Rate {
	rates, times, ok := l.measure(r, tab, g)
	if l.settled && !slices.EqualFunc(rates, l.rates, func(a, b float64) bool { return math.Abs(a-b) <= 1e-12*a }) {
		l.settled, l.left, l.checks = false, r.p.Jobs[g.Members[0].Job].Shape.Split.Check, 0
	}
	if l.rates = rates; !ok {
		return 0
	}
	return unit.Rate(1 / slices.Max(times))
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
		l.speed(r, tab, g)
		_, times, ok := l.measure(r, tab, g)
		if l.settled = true; !ok || l.checks >= model.MostChecks {
			continue
		}
		mean := 0.0
		for i, o := range l.of {
			mean += o.n * times[i] / l.gpus()
		}
		want, moved := slices.Clone(l.share), false
		for t := range want {
			if math.Abs(times[t]-mean) >= (split.Band-1e-9)*mean {
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
			for i, o := range l.of {
				share[i] = min(most, max(split.Least, level*want[i]))
				all += o.n * share[i]
			}
			return share, all
		}
		lo, hi := 0.0, 1e9
		for range 200 {
			if mid := (lo + hi) / 2; mid > lo && mid < hi {
				if _, all := at(mid); all <= l.gpus() {
					lo = mid
				} else {
					hi = mid
				}
			}
		}
		share, _ := at(lo)
		moved = false
		for t := range share {
			moved = moved || math.Abs(share[t]-l.share[t]) >= model.LeastChange
		}
		if moved {
			l.share = share
			r.changed = true
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
	count := func(p *model.Problem, tr *trace.Trace) { learned += speedUps(p, tr) }
	if eachPolicyWith(t, splits, count) && learned < 60 {
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
	return p
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
