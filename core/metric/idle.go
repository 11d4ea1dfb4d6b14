package metric

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// idlePower is the part of its board power that an idle GPU draws (ours).
const idlePower = 0.15

// sweep follows idle GPUs, progressing nodes and waiting jobs through time.
type sweep struct {
	p       *model.Problem
	t       *trace.Trace
	usable  []int32 // by slot
	free    []int32 // by slot
	freeOf  []int32 // by type
	down    int32
	running []int32     // shards that progress, by node
	since   []unit.Tick // when the first of them began
	ran     unit.Tick   // all nodes together, of those that do not run now
	first   unit.Tick   // what is before counts for nothing
	classes []waitClass
	index   map[classKey]int32 // in classes
	waiting int
}

// waitClass is jobs that fit alike.
type waitClass struct {
	size      int32
	near, far []bool // by type: whether such a gang has a speed there on one node, and however far apart
	waiting   int
}

type classKey struct {
	tab   int32
	shape model.Shape
}

// idle splits what is neither held nor down by whether jobs wait and fit, adds up what is down, gives each job's time
// without GPUs, and for how long nodes had a progressing GPU, all together.
func (r *Report) idle(p *model.Problem, t *trace.Trace, o *order, end unit.Tick) (ran unit.Tick) {
	s := newSweep(p, t)
	s.first = r.first
	waits := o.waits(t)
	m := &r.Metrics
	var nobody, fits, misfit, waited unit.Tick
	byType := make([]unit.Tick, len(t.Types))
	at := r.first
	s.changes(o, waits, func(next unit.Tick) {
		now := min(next, end)
		if now <= at {
			return
		}
		d := now - at
		at = now
		free := int32(0)
		for k, n := range s.freeOf {
			free += n
			byType[k] += unit.Tick(n) * d
		}
		r.Down += unit.Tick(s.down) * d
		g := unit.Tick(free) * d
		switch {
		case s.waiting == 0:
			nobody += g
		case free > 0 && s.anyFits():
			fits += g
		default:
			misfit += g
		}
	})
	jobs := make([]unit.Tick, len(t.Jobs))
	for _, w := range waits {
		jobs[w.Job] += w.To - w.From
		if r.of.Has(model.JobID(w.Job)) {
			waited += w.To - w.From
		}
	}
	for j := range jobs {
		r.Jobs[j].WaitS = jobs[j].Seconds()
	}
	m.AvgWaitS = waited.Seconds() / float64(r.of.To-r.of.From)
	m.IdleNobodyGPUS, m.IdleFitsGPUS, m.IdleMisfitGPUS, m.DownGPUS = nobody.Seconds(), fits.Seconds(), misfit.Seconds(),
		r.Down.Seconds()
	for k, g := range byType {
		m.IdleKWh += float64(float64(g.Seconds()/3600)*float64(p.Cluster.Types[k].Watts*idlePower)) / 1000
	}
	return s.ran
}

func newSweep(p *model.Problem, t *trace.Trace) *sweep {
	s := &sweep{p: p, t: t, index: map[classKey]int32{}, freeOf: make([]int32, len(t.Types)),
		running: make([]int32, len(t.Nodes)), since: make([]unit.Tick, len(t.Nodes))}
	for i := range t.Slots {
		s.usable = append(s.usable, t.Slots[i].Cap)
		s.freeOf[t.Slots[i].Type] += t.Slots[i].Cap
	}
	s.free = slices.Clone(s.usable)
	return s
}

// class is the class of a job that waits in a phase.
func (s *sweep) class(job, phase int32) int32 {
	j := &s.p.Jobs[job]
	key := classKey{j.Phases[phase].Tables[0], j.Shape}
	c, ok := s.index[key]
	if !ok {
		c = int32(len(s.classes))
		s.index[key] = c
		w, tab := waitClass{size: j.Shape.Size}, &s.p.Tables[key.tab]
		for t := range s.freeOf {
			w.near = append(w.near, tab.Rate(model.TypeID(t), w.size, model.OneNode) > 0)
			w.far = append(w.far, tab.Rate(model.TypeID(t), w.size, model.Network) > 0)
		}
		s.classes = append(s.classes, w)
	}
	return c
}

// Lost is what a fault takes from a job: steps since its last checkpoint.
type Lost struct {
	At    unit.Tick // when the run told of it: no later than the job's next start
	Job   int32
	Steps float64
}

// Losses are what faults took, by job and then by time.
func Losses(t *trace.Trace) (out []Lost) {
	for k := range t.Rounds {
		end, at, told := len(t.Reasons), t.Rounds[k].At, false
		if k+1 < len(t.Rounds) {
			end = int(t.Rounds[k+1].Reason)
		}
		for _, r := range t.Reasons[t.Rounds[k].Reason:end] {
			if r.Code != trace.Failed {
				told = true
				continue
			}
			if told { // after what the last decision said: at the end of the run
				at = t.End
			}
			out = append(out, Lost{at, r.Job, r.Num[1]})
		}
	}
	unit.Sort(out, func(a, b Lost) int { return cmp.Or(cmp.Compare(a.Job, b.Job), cmp.Compare(a.At, b.At)) })
	return out
}

// phasesOf gives the phase that each wait's job is in: by the steps of its spans until then, less what faults took.
// These add up to what the run knew within a tick's work a span.
func phasesOf(p *model.Problem, t *trace.Trace, o *order, waits []Wait) []int32 {
	out := make([]int32, len(waits))
	if !slices.ContainsFunc(p.Jobs, func(j model.Job) bool { return len(j.Phases) > 1 }) {
		return out
	}
	s, gone, spans := &t.Spans, Losses(t), o.ofBegan
	job, done := int32(-1), 0.0
	for i, w := range waits {
		if w.Job != job {
			job, done = w.Job, 0
		}
		for ; len(spans) > 0; spans = spans[1:] {
			k := spans[0]
			if s.Job[k] > job || s.Job[k] == job && s.From[k] >= w.From {
				break
			}
			if s.Job[k] == job {
				done += float64(s.Rate[k] * (s.To[k] - s.From[k]).Seconds())
			}
		}
		for ; len(gone) > 0; gone = gone[1:] {
			g := &gone[0]
			if g.Job > job || g.Job == job && g.At > w.To {
				break
			}
			if g.Job == job {
				done -= g.Steps
			}
		}
		phases := p.Jobs[job].Phases
		close := float64(float64(p.Jobs[job].Work) * 1e-9)
		for int(out[i])+1 < len(phases) && done >= float64(phases[out[i]+1].From)-close {
			out[i]++
		}
	}
	return out
}

// changes goes through the run from instant to instant, and calls before each takes what changes in.
func (s *sweep) changes(o *order, waits []Wait, before func(next unit.Tick)) {
	sp, changes := &s.t.Spans, s.t.Capacity
	began, ended := o.began, o.ended
	class, from, to := make([]int32, len(waits)), make([]unit.Tick, len(waits)), make([]unit.Tick, len(waits))
	for i, phase := range phasesOf(s.p, s.t, o, waits) {
		w := &waits[i]
		class[i], from[i], to[i] = s.class(w.Job, phase), w.From, w.To
	}
	come, leave := unit.ByTick(from, nil), unit.ByTick(to, nil)
	for over := false; ; {
		now := unit.Never
		if !over {
			now = s.t.End
		}
		if len(began) > 0 {
			now = min(now, sp.From[began[0]])
		}
		if len(ended) > 0 {
			now = min(now, sp.To[ended[0]])
		}
		if len(come) > 0 {
			now = min(now, from[come[0]])
		}
		if len(leave) > 0 {
			now = min(now, to[leave[0]])
		}
		if len(changes) > 0 && changes[0].At <= s.t.End {
			now = min(now, changes[0].At)
		}
		if now == unit.Never {
			return
		}
		before(now)
		over = over || now == s.t.End
		for ; len(began) > 0 && sp.From[began[0]] == now; began = began[1:] {
			s.hold(began[0], 1, now)
		}
		for ; len(ended) > 0 && sp.To[ended[0]] == now; ended = ended[1:] {
			s.hold(ended[0], -1, now)
		}
		for ; len(come) > 0 && from[come[0]] == now; come = come[1:] {
			s.wait(class[come[0]], 1)
		}
		for ; len(leave) > 0 && to[leave[0]] == now; leave = leave[1:] {
			s.wait(class[leave[0]], -1)
		}
		for ; len(changes) > 0 && changes[0].At == now; changes = changes[1:] {
			s.use(changes[0].Slot, changes[0].Cap)
		}
	}
}

// hold takes in that a span begins, by 1, or ends, by -1. GPUs shared by several members count once.
func (s *sweep) hold(span, by int32, now unit.Tick) {
	sp := &s.t.Spans
	if sp.With[span] >= 0 && sp.With[span] < sp.Job[span] {
		return
	}
	for _, sh := range sp.At(int(span)) {
		slot := &s.t.Slots[sh.Slot]
		s.free[sh.Slot] -= by * sh.N
		s.freeOf[slot.Type] -= by * sh.N
		if sp.Kind[span] != trace.Run {
			continue
		}
		if s.running[slot.Node] == 0 {
			s.since[slot.Node] = max(now, s.first)
		}
		if s.running[slot.Node] += by; s.running[slot.Node] == 0 {
			s.ran += max(0, now-s.since[slot.Node])
		}
	}
}

// wait takes in that a job of a class begins to wait, by 1, or ends that, by -1.
func (s *sweep) wait(class int32, by int) {
	s.waiting += by
	s.classes[class].waiting += by
}

// use takes in how many GPUs of a slot can be used from now on.
func (s *sweep) use(slot, n int32) {
	more := n - s.usable[slot]
	s.free[slot] += more
	s.freeOf[s.t.Slots[slot].Type] += more
	s.usable[slot] = n
	s.down -= more
}

// anyFits says whether some waiting job could start on the idle GPUs.
func (s *sweep) anyFits() bool {
	for i := range s.classes {
		if s.classes[i].waiting > 0 && s.fits(&s.classes[i]) {
			return true
		}
	}
	return false
}

// fits: a gang of the size asked for on one node, or over several where the shape and the speeds allow that.
func (s *sweep) fits(c *waitClass) bool {
	if c.size > 1 && s.enough(c.far, c.size) {
		return true
	}
	if !s.enough(c.near, c.size) {
		return false
	}
	slots := s.p.Cluster.Slots
	for k := 0; k < len(slots); {
		node, sum := slots[k].Node, int32(0)
		for ; k < len(slots) && slots[k].Node == node; k++ {
			if c.near[slots[k].Type] {
				sum += s.free[k]
			}
		}
		if sum >= c.size {
			return true
		}
	}
	return false
}

// enough says whether the types have so many idle GPUs, all added up.
func (s *sweep) enough(types []bool, size int32) bool {
	sum := int32(0)
	for t, n := range s.freeOf {
		if types[t] {
			sum += n
		}
	}
	return sum >= size
}
