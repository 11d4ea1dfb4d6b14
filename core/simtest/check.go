package simtest

import (
	"fmt"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Check lists every invariant that the trace of a run on p breaks (design: I1 to I6, I8, I9).
// forks says that the policy runs forked copies, whose gangs may have any size on one node.
func Check(p *model.Problem, t *trace.Trace, forks bool) []string {
	var bad []string
	fail := func(format string, a ...any) { bad = append(bad, fmt.Sprintf(format, a...)) }
	checkCapacity(p, t, fail)
	checkSpans(p, t, forks, fail)
	checkJobs(p, t, fail)
	checkReasons(p, t, fail)
	return bad
}

// checkCapacity sweeps each slot's holdings over time (I1). A gang of several members counts once,
// for the member with the least id.
func checkCapacity(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	type edge struct {
		at unit.Tick
		n  int32
	}
	edges := make([][]edge, len(t.Slots))
	for i := range t.Spans.Len() {
		if w := t.Spans.With[i]; w >= 0 && w < t.Spans.Job[i] {
			continue
		}
		for _, sh := range t.Spans.At(i) {
			edges[sh.Slot] = append(edges[sh.Slot], edge{t.Spans.From[i], sh.N}, edge{t.Spans.To[i], -sh.N})
		}
	}
	for s, es := range edges {
		slices.SortFunc(es, func(a, b edge) int {
			if a.at != b.at {
				return int(a.at - b.at)
			}
			return int(a.n - b.n) // ends before starts
		})
		held := int32(0)
		for _, e := range es {
			if held += e.n; held > t.Slots[s].Cap {
				fail("I1: slot %d holds %d of %d GPUs at %d ms", s, held, t.Slots[s].Cap, e.at)
				break
			}
		}
	}
}

func checkSpans(p *model.Problem, t *trace.Trace, forks bool, fail func(string, ...any)) {
	sp := &t.Spans
	last := unit.Tick(0)
	type key struct{ job, gang int32 }
	free := map[key]unit.Tick{}
	for i := range sp.Len() {
		job := &p.Jobs[sp.Job[i]]
		if sp.From[i] >= sp.To[i] || sp.To[i] < last && sp.Kind[i] != trace.Stall {
			fail("I5: span %d runs from %d to %d after one that ended at %d", i, sp.From[i], sp.To[i], last)
		}
		last = max(last, sp.To[i])
		k := key{sp.Job[i], sp.Gang[i]}
		if sp.From[i] < free[k] {
			fail("I3: job %s holds its gang %d twice at %d", job.Name, sp.Gang[i], sp.From[i])
		}
		free[k] = sp.To[i]
		if row := &t.Jobs[sp.Job[i]]; sp.From[i] < row.Arrive || row.Finish >= 0 && sp.To[i] > row.Finish {
			fail("I3: job %s holds GPUs outside its life, %d to %d", job.Name, sp.From[i], sp.To[i])
		}
		size := int32(0)
		nodes, types := map[int32]bool{}, map[int32]bool{}
		for _, sh := range sp.At(i) {
			size += sh.N
			nodes[t.Slots[sh.Slot].Node] = true
			types[t.Slots[sh.Slot].Type] = true
		}
		s := job.Shape
		if (!forks || len(nodes) > 1) && (size < s.Min || size > s.Max) || s.OneNode && len(nodes) > 1 || s.OneType && len(types) > 1 || size == 0 {
			fail("I2: job %s holds %d GPUs on %d nodes", job.Name, size, len(nodes))
		}
	}
}

func checkJobs(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	done := make([]float64, len(p.Jobs))
	fastest := make([]float64, len(p.Jobs))
	segments := make([]float64, len(p.Jobs))
	for i := range t.Spans.Len() {
		j := t.Spans.Job[i]
		done[j] += float64(unit.Rate(t.Spans.Rate[i]).Over(t.Spans.To[i] - t.Spans.From[i]))
		fastest[j] = max(fastest[j], t.Spans.Rate[i])
		segments[j]++
	}
	for j := range t.Jobs {
		r := &t.Jobs[j]
		if r.Start >= 0 && r.Start < r.Arrive || r.Finish >= 0 && (r.Start < 0 || r.Finish < r.Start) {
			fail("I4: job %s arrives %d, starts %d, finishes %d", r.Name, r.Arrive, r.Start, r.Finish)
		}
		// A finish is the first tick at which the work is done; a quota likewise ends on a whole tick,
		// so each span may overshoot by a tick's work.
		work := float64(p.Jobs[j].Work)
		slack := float64(fastest[j]/1000*(segments[j]+1)) + float64(work*1e-9)
		lost := len(p.Changes) > 0 && p.Costs[j].CheckpointEvery > 0 // a fault may have cost work
		if r.Finish >= 0 && (done[j] < work-slack || done[j] > work+slack && !lost) {
			fail("I6: job %s finished with %v of %v steps", r.Name, done[j], work)
		}
		if r.Finish < 0 && done[j] > work+slack && !lost {
			fail("I6: job %s did %v of %v steps and goes on", r.Name, done[j], work)
		}
		if t.Outcome == trace.Done && r.Finish < 0 {
			fail("I3: the run is done and job %s is not", r.Name)
		}
	}
}

// checkReasons: every start and stop, and every spell of waiting that saw a decision, has a reason (I9).
func checkReasons(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	placed, stopped, waits := map[int32]int32{}, map[int32]int32{}, map[int32]int32{}
	for i := range t.Reasons {
		switch r := &t.Reasons[i]; {
		case r.Code == trace.NoReason:
			fail("I9: reason %d has no code", i)
		case r.Code == trace.Placed:
			placed[r.Job]++
		case r.Code == trace.Preempted:
			stopped[r.Job]++
		case r.Code.Waits():
			waits[r.Job]++
		}
	}
	for j := range t.Jobs {
		r, id := &t.Jobs[j], int32(j)
		if placed[id] != r.Starts {
			fail("I9: job %s started %d times, %d have a reason", r.Name, r.Starts, placed[id])
		}
		waited := int32(0)
		if len(t.Rounds) > 0 {
			k := t.RoundAt(r.Arrive)
			if k < 0 || t.Rounds[k].At < r.Arrive {
				k++
			}
			if k < len(t.Rounds) && (r.Start < 0 || t.Rounds[k].At < r.Start) {
				waited = 1
			}
		}
		if waits[id] < waited+stopped[id] {
			fail("I9: job %s waited %d times, %d have a reason", r.Name, waited+stopped[id], waits[id])
		}
	}
}
