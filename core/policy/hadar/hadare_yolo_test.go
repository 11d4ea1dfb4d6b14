package hadar_test

import (
	"os"
	"testing"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestYoloAlone: one job of four T4 with batch 64 on sixteen nodes of four. 512 examples at most train at once, so that
// eight copies run. Each does 64 examples in two passes of 8 a GPU, and the eight are worth one batch of 512 under the
// noise of the phase. The first round of 60 s begins with a start of 30 s, every other with a merge of 20 s: the rates
// of the ten phases, worked off in what is left, give the end, but for whole steps in the last round.
func TestYoloAlone(t *testing.T) {
	const trial = "../../../../shared/fixtures/trials/yolo-alone.json"
	data, err := os.ReadFile(trial)
	if err != nil {
		t.Skip("needs " + trial)
	}
	d, found := scenario.Parse(data, scenario.FileLimits)
	if d == nil {
		t.Fatal(found)
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(found)
	}
	s := &d.Scenario
	var f *scenario.Profile
	for i := range s.Throughputs.Profiles {
		if s.Throughputs.Profiles[i].Model == "yolov3" {
			f = &s.Throughputs.Profiles[i]
		}
	}
	x := f.Types[0]
	perf := model.Perf{AlphaC: x.AlphaC, BetaC: x.BetaC, AlphaN: x.AlphaN, BetaN: x.BetaN, AlphaR: x.AlphaR,
		BetaR: x.BetaR, Gamma: x.Gamma}
	const copies, each, batch, round, start, merge = 8, 64, 512, 60.0, 30.0, 20.0
	none := model.Alike(0)
	pass := goodput.Iteration(goodput.At(&perf, &none, 4, 8, 1, false))
	samples := copies * each / pass
	steps, done, at, left := s.Jobs[0].Steps, 0.0, start, round-start
	for _, ph := range f.Noise {
		phi := ph.Phi["512"]
		rate := samples * model.Efficiency(phi, float64(f.InitBatch), batch) / float64(f.InitBatch)
		for end := min(ph.Until, 1) * steps; done < end; {
			if left == 0 {
				at, left = at+merge, round-merge
			}
			part := min(left, (end-done)/rate)
			if at, left, done = at+part, left-part, done+part*rate; end-done < 1e-9*steps {
				done = end
			}
		}
	}
	tr := simtest.Run(t, p, "hadare", nil)
	simtest.Near(t, "end", tr.Jobs[0].Finish.Seconds(), at, 0.2)
	if on := held(tr, 0, 30*unit.Second); len(on) != copies {
		t.Errorf("copies on %d nodes, want %d", len(on), copies)
	}
	whole := simtest.Run(t, p, "hadare", policy.Values{"copy": "node"})
	simtest.Near(t, "end with whole nodes, which these copies are", whole.Jobs[0].Finish.Seconds(), at, 0.2)
}
