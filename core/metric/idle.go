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

// edge is a change at one instant: of a slot's idle GPUs, of its usable ones, or of a job's gangs.
type edge struct {
	at   unit.Tick
	kind edgeKind
	of   int32 // slot or job
	n    int32
}

type edgeKind uint8

const (
	heldGPUs edgeKind = iota
	usableGPUs
	jobGangs
	jobActive
)

// sweep follows idle GPUs and waiting jobs through time.
type sweep struct {
	p       *model.Problem
	t       *trace.Trace
	usable  []int32 // by slot
	free    []int32 // by slot
	freeOf  []int32 // by type
	down    int32
	gangs   []int32 // open spans by job
	active  []bool
	class   []int32 // by job
	classes []waitClass
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
	edges := s.edges()
	m := &r.Metrics
	var nobody, fits, misfit, waited unit.Tick
	byType := make([]unit.Tick, len(t.Types))
	jobs := make([]unit.Tick, len(t.Jobs)) // minus the start of each wait, plus its end
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
			if j, d := s.apply(&edges[i]); d != 0 && now <= end {
				jobs[j] -= unit.Tick(d) * now
			}
		}
	}
	for j := range jobs {
		if s.active[j] && s.gangs[j] == 0 { // unfinished, and waits at the end
			jobs[j] += end
		}
		r.Jobs[j].WaitS = jobs[j].Seconds()
		waited += jobs[j]
	}
	m.AvgWaitS = waited.Seconds() / float64(len(jobs))
	m.IdleNobodyGPUS, m.IdleFitsGPUS, m.IdleMisfitGPUS, m.DownGPUS = nobody.Seconds(), fits.Seconds(), misfit.Seconds(),
		r.Down.Seconds()
	for k, g := range byType {
		m.IdleKWh += float64(float64(g.Seconds()/3600)*float64(p.Cluster.Types[k].Watts*idlePower)) / 1000
	}
}

func newSweep(p *model.Problem, t *trace.Trace) *sweep {
	s := &sweep{p: p, t: t, gangs: make([]int32, len(t.Jobs)), active: make([]bool, len(t.Jobs)),
		class: make([]int32, len(t.Jobs))}
	s.freeOf = make([]int32, len(t.Types))
	for i := range t.Slots {
		s.usable = append(s.usable, t.Slots[i].Cap)
		s.freeOf[t.Slots[i].Type] += t.Slots[i].Cap
	}
	s.free = slices.Clone(s.usable)
	index := map[classKey]int32{}
	for j := range p.Jobs {
		key := classKey{p.Jobs[j].Phases[0].Tables[0], p.Jobs[j].Shape}
		c, ok := index[key]
		if !ok {
			c = int32(len(s.classes))
			index[key] = c
			s.classes = append(s.classes, waitClass{shape: key.shape, tab: &p.Tables[key.tab]})
		}
		s.class[j] = c
	}
	return s
}

// edges lists every change by time. GPUs shared by several members count once.
func (s *sweep) edges() []edge {
	var out []edge
	sp := &s.t.Spans
	for i := range sp.Len() {
		out = append(out, edge{sp.From[i], jobGangs, sp.Job[i], 1}, edge{sp.To[i], jobGangs, sp.Job[i], -1})
		if sp.With[i] >= 0 && sp.With[i] < sp.Job[i] {
			continue
		}
		for _, sh := range sp.At(i) {
			out = append(out, edge{sp.From[i], heldGPUs, int32(sh.Slot), sh.N},
				edge{sp.To[i], heldGPUs, int32(sh.Slot), -sh.N})
		}
	}
	for j := range s.t.Jobs {
		row := &s.t.Jobs[j]
		if row.Arrive > s.t.End {
			continue
		}
		out = append(out, edge{row.Arrive, jobActive, int32(j), 1})
		if row.Finish >= 0 {
			out = append(out, edge{row.Finish, jobActive, int32(j), -1})
		}
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
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
}

// apply takes an edge in. When it makes a job begin or stop waiting it returns the job and +1 or −1.
func (s *sweep) apply(e *edge) (job int32, d int) {
	if e.kind < jobGangs {
		switch {
		case e.of < 0:
		case e.kind == heldGPUs:
			s.free[e.of] -= e.n
			s.freeOf[s.t.Slots[e.of].Type] -= e.n
		default:
			more := e.n - s.usable[e.of]
			s.free[e.of] += more
			s.freeOf[s.t.Slots[e.of].Type] += more
			s.usable[e.of] = e.n
			s.down -= more
		}
		return 0, 0
	}
	before := s.active[e.of] && s.gangs[e.of] == 0
	if e.kind == jobGangs {
		s.gangs[e.of] += e.n
	} else {
		s.active[e.of] = e.n > 0
	}
	after := s.active[e.of] && s.gangs[e.of] == 0
	switch {
	case after && !before:
		d = 1
	case before && !after:
		d = -1
	}
	s.waiting += d
	s.classes[s.class[e.of]].waiting += d
	return e.of, d
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

// fits: a gang of the least size on one node, or over several where the shape and the speeds allow that.
func (s *sweep) fits(c *waitClass) bool {
	slots := s.p.Cluster.Slots
	all := func(t model.TypeID) int32 { return s.freeOf[t] }
	if c.shape.Min > 1 && s.enough(c, true, all) {
		return true
	}
	if !s.enough(c, false, all) {
		return false
	}
	for from := 0; from < len(slots); {
		to := from
		for to < len(slots) && slots[to].Node == slots[from].Node {
			to++
		}
		if s.enough(c, false, func(t model.TypeID) (n int32) {
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
func (s *sweep) enough(c *waitClass, spread bool, gpus func(model.TypeID) int32) bool {
	size, sum := c.shape.Min, int32(0)
	for t := range s.freeOf {
		if c.tab.Rate(model.TypeID(t), size, spread) > 0 {
			sum += gpus(model.TypeID(t))
		}
	}
	return sum >= size
}
