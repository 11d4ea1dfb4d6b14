package simtest

import (
	"slices"
	"testing"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// windowed is p with a window of its middle third.
func windowed(p *model.Problem) *model.Problem {
	q, n := *p, model.JobID(len(p.Jobs))
	q.Window = model.Window{From: n / 3, To: n/3 + max(1, n/3)}
	return &q
}

// TestPolicyWindow: a run with a window is the run without it as far as it goes, it ends with the last finish of the
// window, whoever else is there, and the reference engine and a run of snapshots agree.
func TestPolicyWindow(t *testing.T) {
	left := 0
	all := eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		q := windowed(p)
		pub := q.Public()
		v, _ := s.Check(nil)
		pol, err := s.New(pub, v)
		if err != nil {
			t.Fatal(err)
		}
		rec, c := &Recorder{Policy: pol}, s.Cadence(pub, v)
		whole, tr := Run(t, p, s.ID, nil), Finish(t, q, StartWith(t, q, rec, c, sim.Options{MaxEvents: 1e6}))
		last := unit.Tick(-1)
		for j := range tr.Jobs {
			a, b := &tr.Jobs[j], &whole.Jobs[j]
			if in := q.Window.Has(model.JobID(j)); in {
				last = max(last, a.Finish)
			} else if a.Finish < 0 && a.Arrive <= tr.End {
				left++
			}
			if b.Finish >= 0 && b.Finish <= tr.End && a.Finish != b.Finish || b.Finish > tr.End && a.Finish >= 0 ||
				b.Start >= 0 && b.Start < tr.End && a.Start != b.Start {
				t.Errorf("job %s runs from %d to %d, without a window from %d to %d", a.Name, a.Start, a.Finish, b.Start,
					b.Finish)
			}
		}
		if tr.Outcome == trace.Done && tr.End != last || tr.Outcome != trace.Done && tr.Outcome != whole.Outcome {
			t.Errorf("the run ends %v at %d, the window's last finish is %d; without a window it ends %v", tr.Outcome,
				tr.End, last, whole.Outcome)
		}
		if again := Snapshots(t, q, s.ID); again.Hash() != tr.Hash() {
			t.Error("I7: snapshots change the run")
		}
		if tr.End > 6*3600*unit.Second || tr.Outcome != trace.Done {
			return // the reference is slow
		}
		finish := Reference(q, rec, tr.End+refStep, c.Merge)[q.Window.From:q.Window.To]
		if d := slices.Max(finish) - tr.End; slices.Min(finish) < 0 || d > refStep || -d > refStep {
			t.Errorf("the window ends at %d, in the reference engine its jobs end at %d", tr.End, finish)
		}
	})
	if all && left < 500 {
		t.Errorf("%d jobs were cut off: too few to trust the test", left)
	}
}

// TestPolicyWindowIgnoresWhatComesLater: jobs that arrive after the window's last finish change no figure of it. The
// policies are told the same of how long jobs are.
func TestPolicyWindowIgnoresWhatComesLater(t *testing.T) {
	eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		q, pub := windowed(p), p.Public()
		v, _ := s.Check(nil)
		run := func(p *model.Problem) *trace.Trace {
			pol, err := s.New(pub, v)
			if err != nil {
				t.Fatal(err)
			}
			return Finish(t, p, StartWith(t, p, pol, s.Cadence(pub, v), sim.Options{MaxEvents: 1e6}))
		}
		a := run(q)
		if a.Outcome != trace.Done || q.Horizon != unit.Never {
			return
		}
		more := *q
		more.Jobs = slices.DeleteFunc(slices.Clone(q.Jobs), func(j model.Job) bool { return j.Arrive > a.End })
		n := len(more.Jobs)
		for k := range 5 {
			j := q.Jobs[k%len(q.Jobs)]
			j.Name, j.Arrive = "later"+string(rune('a'+k)), a.End+1+unit.Tick(k*k)
			more.Jobs = append(more.Jobs, j)
		}
		more.Costs = slices.Repeat([]model.Costs{q.Costs[0]}, len(more.Jobs))
		copy(more.Costs, q.Costs[:n])
		if f := q.Know.LengthFactor; f != nil {
			more.Know.LengthFactor = append(slices.Clone(f[:n]), 1, 1, 1, 1, 1)
		}
		b := run(&more)
		x, y := metric.Compute(q, a), metric.Compute(&more, b)
		if x.Metrics != y.Metrics || !sameRows(x, y, n) {
			t.Errorf("with other jobs later the figures are\n%+v, were\n%+v", y.Metrics, x.Metrics)
		}
		if m, n := metric.Bounds(q, a), metric.Bounds(&more, b); (m == nil) != (n == nil) || m != nil && *m != *n {
			t.Errorf("with other jobs later the bounds are %+v, were %+v", n, m)
		} else if m != nil && (m.MakespanS > x.Metrics.MakespanS+1e-9 || m.AvgJCTS > x.Metrics.AvgJCTS+1e-9) {
			t.Errorf("the figures %+v are below their bounds %+v", x.Metrics, m)
		}
	})
}

// sameRows compares rows, whose times are pointers.
func sameRows(a, b *metric.Report, n int) bool {
	at := func(p *float64) float64 {
		if p == nil {
			return -1
		}
		return *p
	}
	for j := range n {
		x, y := a.Jobs[j], b.Jobs[j]
		if at(x.StartS) != at(y.StartS) || at(x.FinishS) != at(y.FinishS) || x.GPUS != y.GPUS || x.FTF != y.FTF ||
			x.WaitS != y.WaitS || x.StalledS != y.StalledS {
			return false
		}
	}
	return true
}
