package simtest

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Check lists every invariant that the trace of a run on p breaks (ARCHITECTURE.md: I1 to I6, I8, I9, I13 to I15, I17,
// I18).
// forks says that the policy runs forked copies, whose gangs may have any size on one node.
func Check(p *model.Problem, t *trace.Trace, forks bool) []string {
	if p.Fusion != nil && !slices.ContainsFunc(t.Reasons, func(r trace.Reason) bool { return r.Code == trace.Fused }) {
		alone := *p // a lane in which each job trains for itself, or nobody has come
		alone.Fusion, p = nil, &alone
	}
	var bad []string
	fail := func(format string, a ...any) { bad = append(bad, fmt.Sprintf(format, a...)) }
	checkCapacity(p, t, fail)
	checkSpans(p, t, forks, fail)
	checkJobs(p, t, fail)
	checkReasons(p, t, fail)
	checkAccount(p, t, fail)
	checkLinks(p, t, fail)
	checkPaces(p, t, fail)
	checkCloud(p, t, fail)
	checkFused(p, t, fail)
	if !forks {
		checkStarts(t, fail)
	}
	return bad
}

// checkStarts counts in the spans how often each job's GPUs become others, from none too: it started and moved as often
// at least, and its restarts, as metrics have them, are all of these but the first start. One that a job does not
// outlast by an instant, since it ends or another decision of that instant stops it, leaves no span.
func checkStarts(t *trace.Trace, fail func(string, ...any)) {
	for j, n := range Changes(t) {
		if r := &t.Jobs[j]; r.Starts+r.Moved < n {
			fail("I9: job %s is said to start %d times and move %d times, its spans change %d times", r.Name, r.Starts,
				r.Moved, n)
		}
	}
}

// Changes counts in the spans of each job, which has one gang at a time, how often its GPUs become others.
func Changes(t *trace.Trace) []int32 {
	last, changes := make([]int, len(t.Jobs)), make([]int32, len(t.Jobs))
	for i := range t.Spans.Len() {
		j := t.Spans.Job[i]
		before := last[j] - 1
		if last[j] = i + 1; before < 0 || t.Spans.To[before] != t.Spans.From[i] ||
			!slices.Equal(t.Spans.At(before), t.Spans.At(i)) {
			changes[j]++
		}
	}
	return changes
}

// checkCapacity sweeps each slot's holdings over time (I1), against what is usable of it at each
// instant. A gang of several members counts once, for the member with the least id.
func checkCapacity(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	type edge struct {
		at    unit.Tick
		order int8 // at one instant: ends, then capacity, then starts
		n     int32
	}
	edges := make([][]edge, len(t.Slots))
	for i := range t.Spans.Len() {
		if w := t.Spans.With[i]; w >= 0 && w < t.Spans.Job[i] {
			continue
		}
		for _, sh := range t.Spans.At(i) {
			edges[sh.Slot] = append(edges[sh.Slot], edge{t.Spans.From[i], 2, sh.N}, edge{t.Spans.To[i], 0, -sh.N})
		}
	}
	for _, c := range t.Capacity {
		edges[c.Slot] = append(edges[c.Slot], edge{c.At, 1, c.Cap})
	}
	for s, es := range edges {
		slices.SortStableFunc(es,
			func(a, b edge) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.order, b.order)) })
		held, usable := int32(0), t.Slots[s].Cap
		for i, e := range es {
			if e.order == 1 {
				usable = e.n
			} else {
				held += e.n
			}
			if last := i+1 == len(es) || es[i+1].at > e.at; last && held > usable || held > t.Slots[s].Cap {
				fail("I1: slot %d holds %d of %d GPUs at %d ms", s, held, usable, e.at)
				break
			}
		}
	}
}

// checkAccount adds up slot by slot what is held, what is out of service and what is left of it, and compares that with
// the report's account of the whole cluster (I8): from the first arrival to the last finish, or the end of a run that
// left jobs unfinished, with a window those of its jobs. It holds for every policy: a gang of several members counts
// once, copies each by itself.
func checkAccount(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	r := metric.Compute(p, t)
	first, end := t.FirstArrival(), t.End
	if t.Outcome == trace.Done {
		end = t.LastFinish()
	}
	if len(t.Jobs) == 0 || end <= first {
		return
	}
	within := func(from, to unit.Tick) unit.Tick { return max(0, min(to, end)-max(from, first)) }
	var held [3]unit.Tick // by kind of span
	of := make([]unit.Tick, len(t.Slots))
	for i := range t.Spans.Len() {
		if w := t.Spans.With[i]; w >= 0 && w < t.Spans.Job[i] {
			continue
		}
		for _, sh := range t.Spans.At(i) {
			d := unit.Tick(sh.N) * within(t.Spans.From[i], t.Spans.To[i])
			held[t.Spans.Kind[i]] += d
			of[sh.Slot] += d
		}
	}
	down, idle := unit.Tick(0), unit.Tick(0)
	for s := range t.Slots {
		full, at, out := t.Slots[s].Cap, unit.Tick(0), unit.Tick(0)
		usable := full
		for _, c := range t.Capacity {
			if int(c.Slot) == s {
				out += unit.Tick(full-usable) * within(at, c.At)
				usable, at = c.Cap, c.At
			}
		}
		out += unit.Tick(full-usable) * within(at, end)
		left := unit.Tick(full)*(end-first) - out - of[s]
		if left < 0 {
			fail("I8: slot %d is held and out of service %d ms longer than it is there", s, -left)
		}
		down, idle = down+out, idle+left
	}
	if r.Idle != idle || r.Down != down || r.Stalled != held[trace.Stall] || r.Held != held[trace.Hold] ||
		r.Busy != held[trace.Run] {
		fail("I8: reported are idle %d, down %d, stalled %d, held %d, busy %d; the spans give %d, %d, %d, %d, %d",
			r.Idle, r.Down, r.Stalled, r.Held, r.Busy, idle, down, held[trace.Stall], held[trace.Hold],
			held[trace.Run])
	}
	m := &r.Metrics
	near := func(a, b float64) bool { return math.Abs(a-b) < 1e-6*max(1, math.Abs(b)) }
	if !near(m.IdleNobodyGPUS+m.IdleFitsGPUS+m.IdleMisfitGPUS, r.Idle.Seconds()) ||
		!near(m.StallStartGPUS+m.StallRestartGPUS+m.StallMergeGPUS, m.StalledGPUS) {
		fail("I8: the parts of idle or stalled do not add up: %+v", m)
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
		nodes := map[int32]bool{}
		for _, sh := range sp.At(i) {
			size += sh.N
			nodes[t.Slots[sh.Slot].Node] = true
		}
		s := job.Shape
		if (!forks || len(nodes) > 1) && (size < s.Min || size > s.Max) || size == 0 {
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
	lost := make([]float64, len(p.Jobs)) // to faults
	for i := range t.Reasons {
		if r := &t.Reasons[i]; r.Code == trace.Failed {
			for _, m := range beside(p, t, model.JobID(r.Job), decisionOf(t, i)) {
				lost[m] += r.Num[1]
			}
		}
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
		kept := done[j] - lost[j]
		if r.Finish >= 0 && (kept < work-slack || kept > work+slack) {
			fail("I6: job %s finished with %v of %v steps", r.Name, kept, work)
		}
		if r.Finish < 0 && kept > work+slack {
			fail("I6: job %s did %v of %v steps and goes on", r.Name, kept, work)
		}
		if t.Outcome == trace.Done && r.Finish < 0 && t.Measured().Has(model.JobID(j)) {
			fail("I3: the run is done and job %s is not", r.Name)
		}
	}
}

// checkReasons: every start has a reason, and so has every spell of waiting that saw a decision (I9).
func checkReasons(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	placed := map[int32]int32{}
	waits := make([][]unit.Tick, len(t.Jobs)) // decisions that say why the job waits
	for k, d := range t.Rounds {
		end := int32(len(t.Reasons))
		if k+1 < len(t.Rounds) {
			end = t.Rounds[k+1].Reason
		}
		for _, r := range t.Reasons[d.Reason:end] {
			switch {
			case r.Code == trace.NoReason:
				fail("I9: a reason of decision %d has no code", k)
			case r.Code == trace.Placed:
				placed[standsFor(p, model.JobID(r.Job))]++
			case r.Code.Waits():
				of := standsFor(p, model.JobID(r.Job))
				waits[of] = append(waits[of], d.At)
			}
		}
	}
	for j, spells := range idle(t) {
		r, id := &t.Jobs[j], standsFor(p, model.JobID(j))
		first := longest(p, id) == model.JobID(j)
		if first && placed[id] != r.Starts {
			fail("I9: job %s started %d times, %d have a reason", r.Name, r.Starts, placed[id])
		}
		for _, s := range spells {
			in := func(at unit.Tick) bool { return s[0] <= at && at < s[1] }
			if first && slices.ContainsFunc(t.Rounds, func(d trace.Decision) bool { return in(d.At) }) &&
				!slices.ContainsFunc(waits[id], in) {
				fail("I9: job %s waits from %d to %d without a reason", r.Name, s[0], s[1])
			}
		}
	}
}

// idle gives when each job has arrived, is unfinished and holds nothing.
func idle(t *trace.Trace) [][][2]unit.Tick {
	held := make([][][2]unit.Tick, len(t.Jobs))
	for i := range t.Spans.Len() {
		j := t.Spans.Job[i]
		held[j] = append(held[j], [2]unit.Tick{t.Spans.From[i], t.Spans.To[i]})
	}
	out := make([][][2]unit.Tick, len(t.Jobs))
	for j := range t.Jobs {
		at, end := t.Jobs[j].Arrive, t.Jobs[j].Finish
		if end < 0 {
			end = t.End
		}
		slices.SortFunc(held[j], func(a, b [2]unit.Tick) int { return cmp.Compare(a[0], b[0]) })
		for _, h := range append(held[j], [2]unit.Tick{end, end}) {
			if h[0] > at {
				out[j] = append(out[j], [2]unit.Tick{at, h[0]})
			}
			at = max(at, h[1])
		}
	}
	return out
}
