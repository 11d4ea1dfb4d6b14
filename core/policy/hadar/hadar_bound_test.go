package hadar_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestHadarsBoundsHoldForTheGangsAskedFor: the bound on a whole run and the dual bound of its first decision hold for
// every policy's run in which jobs have only the gangs that they ask for. They do not hold for HadarE's copies, so that
// they may not be said of every schedule.
func TestHadarsBoundsHoldForTheGangsAskedFor(t *testing.T) {
	held, dual, beaten := 0, 0, 0
	for seed := range uint64(120) {
		p := simtest.Random(unit.Stream(seed, "asked"))
		if seed%2 == 0 {
			for i := range p.Jobs {
				p.Jobs[i].Arrive = 0
			}
		}
		together := p.Jobs[len(p.Jobs)-1].Arrive == 0
		r := simtest.Start(t, p, "hadar", nil, sim.Options{MaxEvents: 1e5})
		r.Explain(0)
		for r.Rounds() == 0 && r.Step() {
		}
		first := map[string]float64{}
		if r.Rounds() > 0 {
			for _, s := range r.Explained().Sections {
				for _, k := range s.Terms {
					first[k.Key] = k.Value
				}
			}
		}
		simtest.Finish(t, p, r)
		most := 0.0
		for _, m := range r.Measured() {
			if m.Name == "bound on the value of schedules of only the gangs asked for" {
				most = m.Value
			}
		}
		if most == 0 {
			continue
		}
		for _, s := range policy.All() {
			if s.Unmet(p) != nil {
				continue
			}
			tr := simtest.Run(t, p, s.ID, nil)
			got, until := worthOf(p, tr, unit.Never), worthOf(p, tr, unit.Seconds(first["constants/horizon_s"]))
			switch over := got > most*(1+1e-9); {
			case asked(p, tr) && over:
				t.Errorf("seed %d: %s is worth %v, bound %v", seed, s.ID, got, most)
			case asked(p, tr):
				held++
			case over:
				beaten++
			}
			if bound, says := first["dual_bound"]; together && says && asked(p, tr) {
				if dual++; until > bound*(1+1e-9) {
					t.Errorf("seed %d: %s is worth %v until T, dual bound %v", seed, s.ID, until, bound)
				}
			}
		}
	}
	if held < 500 || dual < 300 || beaten < 3 {
		t.Errorf("%d runs held to the bound, %d to the dual one, %d of another kind beat it: too few",
			held, dual, beaten)
	}
}

// asked says whether jobs have one gang of the size asked for, which shares no GPU.
func asked(p *model.Problem, tr *trace.Trace) bool {
	for i := range tr.Spans.Len() {
		size := int32(0)
		for _, sh := range tr.Spans.At(i) {
			size += sh.N
		}
		if tr.Spans.Gang[i] > 0 || tr.Spans.With[i] >= 0 || size != p.Jobs[tr.Spans.Job[i]].Shape.Size {
			return false
		}
	}
	return true
}

// worthOf is the sum of normalised utilities of the jobs that end by an instant: the best possible time ÷ the time from
// arrival to finish, none shorter than a round.
func worthOf(p *model.Problem, tr *trace.Trace, by unit.Tick) (sum float64) {
	for i := range tr.Jobs {
		row := &tr.Jobs[i]
		if row.Finish < 0 || row.Finish > by {
			continue
		}
		least := p.Duration(&p.Jobs[i], func(tab *model.Throughput) (best unit.Rate) {
			for k := range p.Cluster.Types {
				for tier := range model.Tier(model.Tiers) {
					best = max(best, tab.Rate(model.TypeID(k), p.Jobs[i].Shape.Size, tier))
				}
			}
			return best
		})
		round := p.Round.Seconds()
		sum += math.Max(least, round) / math.Max((row.Finish-row.Arrive).Seconds(), round)
	}
	return sum
}
