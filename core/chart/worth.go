package chart

import (
	"math"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Worth is how many examples profiled jobs of a run train on a second, and how many of their initial batch would bring
// as much (throughput and goodput; Pollux, OSDI 2021, 3.1). What lies between brings nothing.
type Worth struct {
	Read, Worth Series   // examples/s
	Jobs        []Amount // in all, by job
	Sum         Amount   // of those that are followed
}

// Amount is a number of examples, and what they are worth in examples of the initial batch.
type Amount struct{ Read, Worth float64 }

// Lost is the part of the examples that brings nothing; below 0 where smaller batches than the initial one bring more.
func (a Amount) Lost() float64 { return 1 - a.Worth/max(a.Read, math.SmallestNonzeroFloat64) }

// NewWorth follows one job of a run of a problem, or all of them, -1. Jobs without a profile count nothing: what an
// example of theirs brings is not known.
//
// The trace has the speed of a span and not the batch. A job has two ways to run on a gang, with its batch as asked for
// and with the best, so that its speed tells which; it also holds what a partner or a fault slows.
func NewWorth(t *trace.Trace, p *model.Problem, job int32) Worth {
	w := Worth{Jobs: make([]Amount, len(p.Jobs))}
	done := make([]float64, len(p.Jobs)) // steps
	lost := lostBy(t)
	var steps []worthStep
	s := &t.Spans
	for i := range s.Len() {
		t.Pace.Did(1)
		j := s.Job[i]
		if s.Kind[i] != trace.Run || p.Jobs[j].Profile < 0 {
			continue
		}
		for len(lost[j]) > 0 && lost[j][0].At <= s.From[i] {
			done[j], lost[j] = done[j]-lost[j][0].Steps, lost[j][1:]
		}
		seconds := (s.To[i] - s.From[i]).Seconds()
		made := float64(s.Rate[i] * seconds)
		worth, part := worthOf(p, j, s.At(i), s.Rate[i], done[j]+float64(made/2))
		done[j] += made
		rate := Amount{worth / part, worth}
		w.Jobs[j].Read += float64(rate.Read * seconds)
		w.Jobs[j].Worth += float64(rate.Worth * seconds)
		if job < 0 || j == job {
			steps = append(steps, worthStep{s.From[i], 1, rate},
				worthStep{s.To[i], -1, Amount{-rate.Read, -rate.Worth}})
		}
	}
	for j, of := range w.Jobs {
		if job < 0 || int32(j) == job {
			w.Sum.Read, w.Sum.Worth = w.Sum.Read+of.Read, w.Sum.Worth+of.Worth
		}
	}
	w.curves(steps, t.End, t.Pace)
	return w
}

// lostBy is what faults took from each job, in the order of time.
func lostBy(t *trace.Trace) map[int32][]metric.Lost {
	by := map[int32][]metric.Lost{}
	for _, l := range metric.Losses(t) {
		by[l.Job] = append(by[l.Job], l)
	}
	return by
}

// worthStep is a span that begins or ends.
type worthStep struct {
	at unit.Tick
	by int // spans
	Amount
}

func (w *Worth) curves(steps []worthStep, end unit.Tick, pace unit.Pace) {
	unit.SortByTickPaced(steps, func(s *worthStep) unit.Tick { return s.at }, pace)
	for _, c := range [...]*Series{&w.Read, &w.Worth} {
		*c = Series{T: []unit.Tick{0}, V: []float64{0}, End: end}
	}
	n, now := 0, Amount{}
	for i := 0; i < len(steps); {
		at := steps[i].at
		for ; i < len(steps) && steps[i].at == at; i++ {
			pace.Did(1)
			n, now.Read, now.Worth = n+steps[i].by, now.Read+steps[i].Read, now.Worth+steps[i].Worth
		}
		if n == 0 {
			now = Amount{} // without what was lost in rounding
		}
		w.Read.add(at, now.Read)
		w.Worth.add(at, now.Worth)
	}
}

// worthOf is the goodput in examples/s of a job that runs on a gang at a rate, with so many steps done, and the part of
// its examples that this is.
func worthOf(p *model.Problem, j int32, gang []model.Shard, rate, done float64) (worth, part float64) {
	job, size, tier := &p.Jobs[j], int32(0), model.OneNode
	for _, sh := range gang {
		size += sh.N
		if p.Cluster.Slots[sh.Slot].Node != p.Cluster.Slots[gang[0].Slot].Node {
			tier = model.OneRack // a profile knows one node and several
		}
	}
	phase := &job.Phases[0]
	for k := range job.Phases {
		if float64(job.Phases[k].From) <= done {
			phase = &job.Phases[k]
		}
	}
	part, off := 1.0, math.Inf(1)
	for _, of := range phase.Tables {
		table, slow := &p.Tables[of], math.Inf(1)
		var pt model.Point
		var init float64
		for _, sh := range gang { // of several types the slowest sets the pace
			typ := p.Cluster.Slots[sh.Slot].Type
			if at, ok := table.Point(typ, size, tier); ok && float64(table.Rate(typ, size, tier)) < slow {
				pt, slow = at, float64(table.Rate(typ, size, tier))
				init = float64(p.Profiles[job.Profile].Batches[typ].Init)
			}
		}
		if by := math.Abs(slow - rate); by < off {
			off, part = by, model.Efficiency(pt.Phi, init, float64(pt.Total(size)))
			worth = float64(rate * init)
		}
	}
	return worth, part
}
