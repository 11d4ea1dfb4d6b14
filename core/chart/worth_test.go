package chart

import (
	"math"
	"testing"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// learning is a problem of two profiled jobs and a plain one, on two nodes of two GPUs. Both jobs begin with batches of
// 100 examples and ask for 200; the noise scale of the first is 300, and of the second 0 and then infinite.
func learning() *model.Problem {
	p := simtest.Build(60, []simtest.Node{{"v100": 2}, {"v100": 2}}, []simtest.Job{
		{GPUs: 2, Steps: 1000, Rates: map[string]float64{"v100": 1}},
		{GPUs: 1, Steps: 1000, Rates: map[string]float64{"v100": 1}},
		{GPUs: 1, Steps: 1000, Rates: map[string]float64{"v100": 1}}}, model.Costs{})
	perf := []model.Perf{{AlphaC: 0.1, BetaC: 0.001, AlphaN: 0.1, BetaN: 0.01, AlphaR: 0.05, BetaR: 0.01, Gamma: 2}}
	b := model.Batches{Init: 100, Max: 6400, Low: 10, High: 400}
	rigid := func(n int32) model.Shape { return model.Shape{Size: n, Min: n, Max: n, Step: 1, Gangs: 2} }
	simtest.Profiled(p, 0, perf, b, []float64{300}, rigid(2))
	simtest.Profiled(p, 1, perf, b, []float64{0, math.Inf(1)}, rigid(1))
	return p
}

func within(a, b float64) bool { return math.Abs(a-b) <= 1e-4*math.Abs(b) }

func TestWorthOfFixedBatches(t *testing.T) {
	p := learning()
	run := simtest.Run(t, p, "fifo", nil)
	w := NewWorth(run, p, 0)
	// A fifth of 200 examples brings nothing at a noise scale of 300: (300 + 100) / (300 + 200) = 0.8.
	pt, _ := p.Tables[p.Jobs[0].Phases[0].Tables[0]].Point(0, 2, model.OneNode)
	speed := 200 / goodput.Iteration(pt)
	if got := w.Read.At(run.Jobs[0].Start); pt.Total(2) != 200 || !within(got, speed) {
		t.Errorf("it reads %v examples/s with batches of %d, want %v", got, pt.Total(2), speed)
	}
	if got := w.Worth.At(run.Jobs[0].Start); !within(got, 0.8*speed) {
		t.Errorf("they are worth %v examples/s, want %v", got, 0.8*speed)
	}
	if !within(w.Sum.Lost(), 0.2) || !within(w.Sum.Worth, 1000*100) {
		t.Errorf("it loses %v of its examples, which are worth %v in all", w.Sum.Lost(), w.Sum.Worth)
	}
	// Of the second job, the first half of the work takes twice as many examples, and in the second half all count.
	if got := w.Jobs[1]; !within(got.Worth, 1000*100) || !within(got.Read, 1.5*1000*100) {
		t.Errorf("the examples of two phases are %+v", got)
	}
	if w.Jobs[2] != (Amount{}) {
		t.Errorf("a job without a profile has %+v", w.Jobs[2])
	}
	if end := w.Read.V[len(w.Read.V)-1]; end != 0 {
		t.Errorf("after its end it reads %v", end)
	}
	all := NewWorth(run, p, -1)
	if !within(all.Sum.Read, w.Jobs[0].Read+w.Jobs[1].Read) || all.Read.Max() <= w.Read.Max() {
		t.Errorf("all together read %+v, and up to %v a second", all.Sum, all.Read.Max())
	}
}

// TestWorthOfBatchesThatAdapt: the speed in the trace tells that the best batch was taken, and what comes out is that
// point's.
func TestWorthOfBatchesThatAdapt(t *testing.T) {
	p := learning()
	p.Jobs = p.Jobs[:1]
	p.Costs = p.Costs[:1]
	p.Jobs[0].Shape = model.Shape{Size: 2, Min: 1, Max: 2, Step: 1, Gangs: 2}
	run := simtest.Run(t, p, "pollux", nil)
	w := NewWorth(run, p, -1)
	at := run.Spans.From[run.Spans.Len()-1]
	n := int32(0)
	for _, sh := range run.Spans.At(run.Spans.Len() - 1) {
		n += sh.N
	}
	pt, _ := p.Tables[p.Jobs[0].Phases[0].Tables[1]].Point(0, n, model.OneNode)
	if want := float64(pt.Total(n)) / goodput.Iteration(pt); pt.Total(n) == 200 || !within(w.Read.At(at), want) {
		t.Errorf("on %d GPUs with batches of %d it reads %v examples/s, want %v", n, pt.Total(n), w.Read.At(at), want)
	}
}

// TestWorthAfterAFault: a job that a fault sends back to an earlier stretch of its training trains there as before, and
// its examples bring as little.
func TestWorthAfterAFault(t *testing.T) {
	p := learning()
	for i := range p.Costs {
		p.Costs[i].CheckpointEvery = 1e6 * unit.Second
	}
	slot := model.SlotID(1)
	calm := simtest.Run(t, p, "fifo", nil)
	at := calm.Jobs[1].Start + (calm.Jobs[1].Finish-calm.Jobs[1].Start)*9/10
	for i := range calm.Spans.Len() {
		if calm.Spans.Job[i] == 1 {
			slot = calm.Spans.At(i)[0].Slot
		}
	}
	p.Changes = []model.CapacityChange{{At: at, Slot: slot}, {At: at + 10*unit.Second, Slot: slot, Cap: 2}}
	run := simtest.Run(t, p, "fifo", nil)
	before, after := NewWorth(calm, p, 1), NewWorth(run, p, 1)
	again := run.Jobs[1].Finish - (calm.Jobs[1].Finish - calm.Jobs[1].Start)
	if run.Jobs[1].Starts != 2 {
		t.Fatalf("it starts %d times", run.Jobs[1].Starts)
	}
	for _, d := range []unit.Tick{unit.Second, (calm.Jobs[1].Finish - calm.Jobs[1].Start) * 8 / 10} {
		x, y := before.Read.At(calm.Jobs[1].Start+d), after.Read.At(again+d)
		v, w := before.Worth.At(calm.Jobs[1].Start+d), after.Worth.At(again+d)
		if !within(y, x) || !within(w, v) {
			t.Errorf("after %v ticks it reads %v examples/s that are worth %v, before the fault %v and %v", d, y, w, x, v)
		}
	}
}
