package metric

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// idlePower is the part of its board power that an idle GPU draws (the notes' estimate).
const idlePower = 0.15

// edge is a change at one instant: of a slot's held GPUs by n, of its usable ones to n, or of the waiting jobs of a
// class by n.
type edge struct {
	at   unit.Tick
	kind edgeKind
	of   int32 // slot or class
	n    int32
}

type edgeKind uint8

const (
	heldGPUs edgeKind = iota
	usableGPUs
	jobWaits
)

// sweep follows idle GPUs and waiting jobs through time.
type sweep struct {
	p       *model.Problem
	t       *trace.Trace
	usable  []int32 // by slot
	free    []int32 // by slot
	freeOf  []int32 // by type
	down    int32
	classes []waitClass
	index   map[classKey]int32 // in classes
	waiting int
}

// waitClass is jobs that fit alike.
type waitClass struct {
	shape   model.Shape
	tab     *model.Throughput
	waiting int
}

type classKey struct {
	tab   int32
	shape model.Shape
}

// idle splits what is neither held nor down by whether jobs wait and fit, adds up what is down, and gives each
// job's time without GPUs.
func (r *Report) idle(p *model.Problem, t *trace.Trace, first, end unit.Tick) {
	s := newSweep(p, t)
	waits := Waits(t)
	edges := s.edges(waits)
	m := &r.Metrics
	var nobody, fits, misfit, waited unit.Tick
	byType := make([]unit.Tick, len(t.Types))
	at := first
	for i := 0; i < len(edges); {
		if now := min(edges[i].at, end); now > at {
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
		}
		for now := edges[i].at; i < len(edges) && edges[i].at == now; i++ {
			s.apply(&edges[i])
		}
	}
	jobs := make([]unit.Tick, len(t.Jobs))
	for _, w := range waits {
		jobs[w.Job] += w.To - w.From
		waited += w.To - w.From
	}
	for j := range jobs {
		r.Jobs[j].WaitS = jobs[j].Seconds()
	}
	m.AvgWaitS = waited.Seconds() / float64(len(jobs))
	m.IdleNobodyGPUS, m.IdleFitsGPUS, m.IdleMisfitGPUS, m.DownGPUS = nobody.Seconds(), fits.Seconds(), misfit.Seconds(),
		r.Down.Seconds()
	for k, g := range byType {
		m.IdleKWh += float64(float64(g.Seconds()/3600)*float64(p.Cluster.Types[k].Watts*idlePower)) / 1000
	}
}

func newSweep(p *model.Problem, t *trace.Trace) *sweep {
	s := &sweep{p: p, t: t, index: map[classKey]int32{}, freeOf: make([]int32, len(t.Types))}
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
		s.classes = append(s.classes, waitClass{shape: key.shape, tab: &s.p.Tables[key.tab]})
	}
	return c
}

// lost is what a fault takes from a job: steps since its last checkpoint.
type lost struct {
	at    unit.Tick // when the run told of it: no later than the job's next start
	job   int32
	steps float64
}

// losses are what faults took, by job and then by time.
func losses(t *trace.Trace) (out []lost) {
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
			out = append(out, lost{at, r.Job, r.Num[1]})
		}
	}
	unit.Sort(out, func(a, b lost) int { return cmp.Or(cmp.Compare(a.job, b.job), cmp.Compare(a.at, b.at)) })
	return out
}

// phasesOf gives the phase that the job of each wait is in: by the steps of its spans until then, less what faults
// took. These add up to what the run knew within a tick's work a span.
func phasesOf(p *model.Problem, t *trace.Trace, waits []Wait) []int32 {
	out := make([]int32, len(waits))
	if !slices.ContainsFunc(p.Jobs, func(j model.Job) bool { return len(j.Phases) > 1 }) {
		return out
	}
	s, gone := &t.Spans, losses(t)
	spans := unit.Order(s.Len(), func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.Job[a], s.Job[b]), cmp.Compare(s.From[a], s.From[b]))
	})
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
			if g.job > job || g.job == job && g.at > w.To {
				break
			}
			if g.job == job {
				done -= g.steps
			}
		}
		phases := p.Jobs[job].Phases
		slack := float64(float64(p.Jobs[job].Work) * 1e-9)
		for int(out[i])+1 < len(phases) && done >= float64(phases[out[i]+1].From)-slack {
			out[i]++
		}
	}
	return out
}

// edges lists every change by time. GPUs shared by several members count once.
func (s *sweep) edges(waits []Wait) []edge {
	var out []edge
	sp := &s.t.Spans
	for i := range sp.Len() {
		if sp.With[i] >= 0 && sp.With[i] < sp.Job[i] {
			continue
		}
		for _, sh := range sp.At(i) {
			out = append(out, edge{sp.From[i], heldGPUs, int32(sh.Slot), sh.N},
				edge{sp.To[i], heldGPUs, int32(sh.Slot), -sh.N})
		}
	}
	for i, phase := range phasesOf(s.p, s.t, waits) {
		w := waits[i]
		c := s.class(w.Job, phase)
		out = append(out, edge{w.From, jobWaits, c, 1}, edge{w.To, jobWaits, c, -1})
	}
	for _, c := range s.p.Changes {
		if c.At <= s.t.End {
			out = append(out, edge{c.At, usableGPUs, int32(c.Slot), c.Cap})
		}
	}
	out = append(out, edge{at: s.t.End, kind: usableGPUs, of: model.None})
	byTime(out)
	return out
}

func byTime(edges []edge) {
	unit.Sort(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
}

// apply takes an edge in.
func (s *sweep) apply(e *edge) {
	switch {
	case e.of < 0: // it only marks the end
	case e.kind == heldGPUs:
		s.free[e.of] -= e.n
		s.freeOf[s.t.Slots[e.of].Type] -= e.n
	case e.kind == usableGPUs:
		more := e.n - s.usable[e.of]
		s.free[e.of] += more
		s.freeOf[s.t.Slots[e.of].Type] += more
		s.usable[e.of] = e.n
		s.down -= more
	default:
		s.waiting += int(e.n)
		s.classes[e.of].waiting += int(e.n)
	}
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
	slots := s.p.Cluster.Slots
	all := func(t model.TypeID) int32 { return s.freeOf[t] }
	if c.shape.Size > 1 && s.enough(c, model.Network, all) {
		return true
	}
	if !s.enough(c, model.OneNode, all) {
		return false
	}
	for from := 0; from < len(slots); {
		to := from
		for to < len(slots) && slots[to].Node == slots[from].Node {
			to++
		}
		if s.enough(c, model.OneNode, func(t model.TypeID) (n int32) {
			for k := from; k < to; k++ {
				if slots[k].Type == t {
					n += s.free[k]
				}
			}
			return n
		}) {
			return true
		}
		from = to
	}
	return false
}

// enough says whether the types on which a gang of the class has a speed have GPUs for it, all added up.
func (s *sweep) enough(c *waitClass, tier model.Tier, gpus func(model.TypeID) int32) bool {
	size, sum := c.shape.Size, int32(0)
	for t := range s.freeOf {
		if c.tab.Rate(model.TypeID(t), size, tier) > 0 {
			sum += gpus(model.TypeID(t))
		}
	}
	return sum >= size
}
