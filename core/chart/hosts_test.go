package chart

import (
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/host"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestHostUseByHand: on a node of 4 GPUs and 12 CPUs an image model that can use 6 CPUs a GPU has two GPUs, and a
// language model that can use one has the others and is done after 96 s. By GPUs they have 6 CPUs each, and the second
// uses 2 of them. Tuned, it has 2 and the first 10, and all 12 from 96 s on.
func TestHostUseByHand(t *testing.T) {
	image := &model.Need{CPUs: model.Curve{{PerGPU: 3, Speed: 0.5}, {PerGPU: 6, Speed: 1}}}
	language := &model.Need{CPUs: model.Curve{{PerGPU: 1, Speed: 1}}}
	cpus := func(n float64) host.Share { return host.Share{CPUs: n} }
	for tuned, want := range map[bool][]HostStep{
		false: {{0, cpus(12), cpus(8), 1}, {96_000, cpus(6), cpus(6), 1}, {200_000, cpus(0), cpus(0), 0}},
		true:  {{0, cpus(12), cpus(12), 1}, {96_000, cpus(12), cpus(12), 0}, {116_000, cpus(0), cpus(0), 0}},
	} {
		p := simtest.Build(100, []simtest.Node{{"a": 4}}, []simtest.Job{
			{GPUs: 2, Steps: 1200, Rates: map[string]float64{"a": 6}},
			{GPUs: 2, Steps: 960, Rates: map[string]float64{"a": 5}}}, model.Costs{})
		p.Tuned, p.Needs, p.Cluster.Nodes[0].Host.CPUs = tuned, []*model.Need{image, language}, 12
		uses := NewHostUses(simtest.Run(t, p, "fifo", nil), p)
		if len(uses) != 1 || !slices.Equal(uses[0].Steps, want) {
			t.Errorf("tuned %v: %+v, by hand %+v", tuned, uses, want)
		}
	}
}

// TestHostUseOfRandomRuns: no node gives more than it has, nobody uses more than is given, and where nobody is slowed
// every job that is alone on its GPUs runs at its full speed.
func TestHostUseOfRandomRuns(t *testing.T) {
	slowed := 0
	for seed := range uint64(60) {
		rng := rand.New(rand.NewPCG(seed, 34))
		p := simtest.Random(rng)
		p.Tuned, p.Needs = seed%2 == 0, make([]*model.Need, len(p.Jobs))
		for i := range p.Needs {
			p.Needs[i] = &model.Need{CPUs: model.Curve{{PerGPU: 1 + 6*rng.Float64(), Speed: 1}}}
		}
		for i := range p.Cluster.Nodes {
			p.Cluster.Nodes[i].Host = model.Host{CPUs: float64(1 + rng.IntN(16))}
		}
		tr := simtest.Run(t, p, []string{"fifo", "las", "hadar"}[seed%3], nil)
		for _, of := range NewHostUses(tr, p) {
			for i, now := range of.Steps {
				until := of.End
				if i+1 < len(of.Steps) {
					until = of.Steps[i+1].At
				}
				if now.Given.CPUs > of.Host.CPUs*(1+1e-9) || now.Used.CPUs > now.Given.CPUs*(1+1e-9) {
					t.Fatalf("%d: %+v of %v", seed, now, of.Host)
				}
				slowed += int(now.Slowed)
				if until > now.At && now.Slowed == 0 {
					fullSpeed(t, p, tr, of.Node, now.At)
				}
			}
		}
	}
	if slowed < 100 {
		t.Errorf("only %d times was a job slowed", slowed)
	}
}

// fullSpeed checks the gangs of an instant that lie on one node alone.
func fullSpeed(t *testing.T, p *model.Problem, tr *trace.Trace, node int32, at unit.Tick) {
	t.Helper()
	s := &tr.Spans
	for i := range s.Len() {
		if s.Kind[i] != trace.Run || s.From[i] > at || s.To[i] <= at || len(s.At(i)) > 1 ||
			int32(p.Cluster.Slots[s.At(i)[0].Slot].Node) != node {
			continue
		}
		sh := s.At(i)[0]
		if full := p.Tables[p.Jobs[s.Job[i]].Phases[0].Tables[0]].Rate(p.Cluster.Slots[sh.Slot].Type, sh.N,
			model.OneNode); unit.Rate(s.Rate[i]) != full {
			t.Fatalf("job %d runs at %v of %v at %d", s.Job[i], s.Rate[i], full, at)
		}
	}
}
