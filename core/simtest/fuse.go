package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Array makes an array of jobs that have the same first throughput table, and adds the tables of several to p.
func Array(p *model.Problem, members []model.JobID, at unit.Tick, curve model.Gain) model.Array {
	a := model.Array{Members: members, At: at, Curve: curve}
	own := p.Jobs[members[0]].Phases[0].Tables[0]
	for k := range members {
		if k == 0 {
			a.Tables = append(a.Tables, own)
			continue
		}
		by := slices.Repeat([]float64{1 / curve.Stretch(k+1)}, len(p.Cluster.Types))
		a.Tables = append(a.Tables, int32(len(p.Tables)))
		p.Tables = append(p.Tables, p.Tables[own].Scaled(by))
		if p.Know.Tables != nil {
			p.Know.Tables = append(p.Know.Tables, p.Know.Tables[own].Scaled(by))
		}
	}
	return a
}

// arrayOf is the array that a job is in; nil = it trains for itself, also where the run did not fuse.
func arrayOf(p *model.Problem, j model.JobID) *model.Array {
	if p.Fusion == nil {
		return nil
	}
	for i := range p.Fusion.Arrays {
		if slices.Contains(p.Fusion.Arrays[i].Members, j) {
			return &p.Fusion.Arrays[i]
		}
	}
	return nil
}

// beside are the members of a job's array that have not ended by an instant, or the job itself.
func beside(p *model.Problem, t *trace.Trace, j model.JobID, at unit.Tick) []model.JobID {
	a := arrayOf(p, j)
	if a == nil {
		return []model.JobID{j}
	}
	var out []model.JobID
	for _, m := range a.Members {
		if f := t.Jobs[m].Finish; f < 0 || f > at {
			out = append(out, m)
		}
	}
	return out
}

// decisionOf is the instant of the decision at which a reason was told, or the end of the run.
func decisionOf(t *trace.Trace, reason int) unit.Tick {
	at := t.End
	for _, d := range t.Rounds {
		if int(d.Reason) <= reason {
			at = d.At
		}
	}
	return at
}

// standsFor is the oldest member of a job's array, or the job: reasons are told of the oldest that has not ended, one
// after another.
func standsFor(p *model.Problem, j model.JobID) int32 {
	if a := arrayOf(p, j); a != nil {
		j = a.Members[0]
	}
	return int32(j)
}

// longest is that member of a job's array which is in it to the end, or the job.
func longest(p *model.Problem, j int32) model.JobID {
	last := model.JobID(j)
	if a := arrayOf(p, last); a != nil {
		for _, m := range a.Members {
			if p.Jobs[m].Work > p.Jobs[last].Work {
				last = m
			}
		}
	}
	return last
}

// checkFused: members of an array hold the same GPU at the same times, each until it ends, with so many others as have
// not, at the speed that the curve gives so many; and none before the array is released (I18).
// What they have to do of their own, I6 says. The speeds of slow nodes, hosts and links are left to I13 to I15.
func checkFused(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	if p.Fusion == nil {
		return
	}
	spans := make([][]int, len(p.Jobs))
	for i := range t.Spans.Len() {
		spans[t.Spans.Job[i]] = append(spans[t.Spans.Job[i]], i)
	}
	for k := range p.Fusion.Arrays {
		a := &p.Fusion.Arrays[k]
		last := longest(p, int32(a.Members[0]))
		for _, m := range a.Members {
			if len(spans[m]) > 0 && t.Spans.From[spans[m][0]] < a.At {
				fail("I18: job %s trains at %d, and is held until %d", t.Jobs[m].Name, t.Spans.From[spans[m][0]], a.At)
			}
			for n, i := range spans[m] {
				if n >= len(spans[last]) {
					fail("I18: job %s has more spans than %s, which has more work", t.Jobs[m].Name, t.Jobs[last].Name)
					break
				}
				o := spans[last][n]
				if t.Spans.From[i] != t.Spans.From[o] || t.Spans.To[i] != t.Spans.To[o] ||
					!slices.Equal(t.Spans.At(i), t.Spans.At(o)) || t.Spans.Rate[i] != t.Spans.Rate[o] {
					fail("I18: job %s does not train as %s does at %d", t.Jobs[m].Name, t.Jobs[last].Name,
						t.Spans.From[i])
					break
				}
			}
		}
		checkArray(p, t, a, spans[last], fail)
	}
}

// checkArray holds the speed of an array, by the spans of the member that is in it to the end, to the curve.
func checkArray(p *model.Problem, t *trace.Trace, a *model.Array, spans []int, fail func(string, ...any)) {
	for _, i := range spans {
		n := 0.0
		for _, m := range a.Members {
			if f := t.Jobs[m].Finish; f < 0 || f > t.Spans.From[i] {
				n++
			}
		}
		if with := t.Spans.With[i]; n > 1 && (with < 0 || !slices.Contains(a.Members, model.JobID(with))) {
			fail("I18: job %s trains at %d without the others", t.Jobs[t.Spans.Job[i]].Name, t.Spans.From[i])
		}
		if t.Spans.Kind[i] != trace.Run || p.Speeds != nil || p.Needs != nil || n == 1 && t.Spans.With[i] >= 0 {
			continue
		}
		typ := p.Cluster.Slots[t.Spans.At(i)[0].Slot].Type
		alone := float64(p.Tables[p.Jobs[a.Members[0]].Phases[0].Tables[0]].Rate(typ, 1, model.OneNode))
		step := 1 / alone * math.Max(math.Max(1, 1+float64(a.Curve.Beta*(n-1))), float64(n*a.Curve.Use))
		if math.Abs(float64(t.Spans.Rate[i]*step)-1) > 1e-9 {
			fail("I18: %v fused models run at %v steps/s at %d; the curve gives %v", n, t.Spans.Rate[i],
				t.Spans.From[i], 1/step)
		}
	}
}
