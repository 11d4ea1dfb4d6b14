package sim_test

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// An image model runs at half its speed on 3 CPUs a GPU and at all of it on 6, a language model needs one.
var (
	image    = &model.Need{CPUs: model.Curve{{PerGPU: 3, Speed: 0.5}, {PerGPU: 6, Speed: 1}}}
	language = &model.Need{CPUs: model.Curve{{PerGPU: 1, Speed: 1}}}
)

// hosted is nodes of so many GPUs and CPUs with jobs of two GPUs; on those 12 steps/s are a job's full speed, or 10
// where it is a language model.
func hosted(tuned bool, hosts []model.Host, gpus []int32, needs []*model.Need, steps ...float64) *model.Problem {
	var nodes []simtest.Node
	for _, n := range gpus {
		nodes = append(nodes, simtest.Node{"a": n})
	}
	var jobs []simtest.Job
	for i, s := range steps {
		rate := 6.0
		if needs[i] == language {
			rate = 5
		}
		jobs = append(jobs, simtest.Job{GPUs: 2, Steps: s, Rates: map[string]float64{"a": rate}})
	}
	p := simtest.Build(100, nodes, jobs, model.Costs{})
	p.Tuned, p.Needs = tuned, needs
	for i := range hosts {
		p.Cluster.Nodes[i].Host = hosts[i]
	}
	return p
}

// TestHostsByHand works on paper out when jobs end that share hosts.
func TestHostsByHand(t *testing.T) {
	onOne := func(j model.JobID, p *sim.Plan) { p.Take(0, 2) }
	overTwo := func(j model.JobID, p *sim.Plan) { p.Take(0, 1); p.Take(1, 1) }
	for _, c := range []struct {
		what     string
		p        *model.Problem
		take     func(model.JobID, *sim.Plan)
		finishes []unit.Tick
	}{
		// Of 12 CPUs each has 6, which is 3 a GPU: the image model does 6 steps/s, before and after the other ends.
		{"by GPUs", hosted(false, []model.Host{{CPUs: 12}}, []int32{4}, []*model.Need{image, language}, 1200, 960),
			onOne, []unit.Tick{200_000, 96_000}},
		// The language model takes 2 and leaves 10, which is 5 a GPU: 0.5 + 0.5 · 2/3 of 12 are 10 steps/s, 960 by
		// 96 s. Then the image model has all 12, and does the other 240 at 12 in 20 s.
		{"tuned", hosted(true, []model.Host{{CPUs: 12}}, []int32{4}, []*model.Need{image, language}, 1200, 960),
			onOne, []unit.Tick{116_000, 96_000}},
		// A GPU on each of two nodes, with 6 CPUs for each GPU of the first and 3 for each of the second: both go at
		// the second's pace, 6 steps/s.
		{"two nodes", hosted(false, []model.Host{{CPUs: 12}, {CPUs: 6}}, []int32{2, 2}, []*model.Need{image}, 1200),
			overTwo, []unit.Tick{200_000}},
		// Tuned it has all 6 of the second.
		{"two nodes, tuned", hosted(true, []model.Host{{CPUs: 12}, {CPUs: 6}}, []int32{2, 2}, []*model.Need{image},
			1200), overTwo, []unit.Tick{100_000}},
		// CPUs enough, but of 160 GB only half, where each GPU needs 60: 40 of 60, 8 steps/s.
		{"memory", hosted(false, []model.Host{{CPUs: 24, MemoryGB: 160}}, []int32{4},
			[]*model.Need{{CPUs: image.CPUs, MemoryGB: model.Curve{{PerGPU: 60, Speed: 1}}}}, 1200), onOne,
			[]unit.Tick{150_000}},
		// A node that says nothing of its host has as much as anybody can use.
		{"unknown host", hosted(false, []model.Host{{}}, []int32{4}, []*model.Need{image}, 1200), onOne,
			[]unit.Tick{100_000}},
	} {
		tr := play(t, c.p, sim.Cadence{On: sim.Arrival | sim.Finish}, func(_ int, v sim.View, p *sim.Plan, _ *sim.Why) {
			p.Clear()
			for _, j := range v.Active() {
				p.Open(j, 0)
				c.take(j, p)
				if !p.Close() {
					t.Fatal("no gang")
				}
			}
		})
		for j, want := range c.finishes {
			if got := tr.Jobs[j].Finish; got != want {
				t.Errorf("%s: job %d ends at %d ms, by hand %d", c.what, j+1, got, want)
			}
		}
	}
}

// TestHostsCutNoSpanInVain: a job whose part of its host does not change when another comes or goes keeps its span.
func TestHostsCutNoSpanInVain(t *testing.T) {
	p := hosted(false, []model.Host{{CPUs: 12}}, []int32{4}, []*model.Need{image, language}, 1200, 960)
	tr := play(t, p, sim.Cadence{On: sim.Arrival | sim.Finish}, func(n int, v sim.View, p *sim.Plan, _ *sim.Why) {
		if n > 0 {
			return
		}
		for _, j := range v.Active() {
			p.Open(j, 0)
			p.Take(0, 2)
			p.Close()
		}
	})
	runs := 0
	for i := range tr.Spans.Len() {
		if tr.Spans.Job[i] == 0 && tr.Spans.Kind[i] == trace.Run {
			runs++
		}
	}
	if runs != 1 {
		t.Errorf("job 1 has %d spans, want one", runs)
	}
}
