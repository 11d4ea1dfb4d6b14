package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/host"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// HostUse is how the jobs on one node share its CPUs and memory.
type HostUse struct {
	Node  int32
	Host  model.Host
	Steps []HostStep
	End   unit.Tick
	// Of the time from the first arrival to the last finish (Usage.Share):
	Slowed float64 // the part in which a job is slower for what it gets
	Lost   float64 // the mean part of its CPUs that lie with jobs that cannot use them
}

// HostStep holds until the next one.
type HostStep struct {
	At     unit.Tick
	Given  host.Share // to all of its jobs
	Used   host.Share // the part of it that they can use
	Slowed int32      // jobs that would be faster with more
}

// seat is a member of a gang on a node, for a while.
type seat struct {
	job  int32
	from unit.Tick
	to   unit.Tick
	host.Tenant
}

// NewHostUses are the uses of the nodes of a run of p that jobs share, in order; nil where no job needs any.
func NewHostUses(t *trace.Trace, p *model.Problem) (out []HostUse) {
	if p.Needs == nil {
		return nil
	}
	from, to := t.FirstArrival(), t.LastFinish()
	if t.Outcome != trace.Done { // as figures have it
		to = t.End
	}
	gpus := make([]float64, len(p.Cluster.Nodes))
	for _, s := range p.Cluster.Slots {
		gpus[s.Node] += float64(s.Cap)
	}
	for n, seats := range seatsOf(t, p) {
		h := p.Cluster.Nodes[n].Host
		if len(seats) == 0 || h == (model.Host{}) {
			continue
		}
		of := HostUse{Node: int32(n), Host: h, End: t.End}
		var at []unit.Tick
		for _, s := range seats {
			at = append(at, s.from, s.to)
		}
		unit.SortByTickPaced(at, func(t *unit.Tick) unit.Tick { return *t }, t.Pace)
		open := 0 // seats before it are over
		for _, now := range slices.Compact(at) {
			var tenants []seat
			for i := open; i < len(seats) && seats[i].from <= now; i++ {
				t.Pace.Did(1)
				if seats[i].to > now {
					tenants = append(tenants, seats[i])
				} else if i == open {
					open++
				}
			}
			of.step(now, tenants, gpus[n], p.Tuned)
		}
		of.sum(from, to)
		out = append(out, of)
	}
	return out
}

// seatsOf are the members of gangs on each node, by when they begin.
func seatsOf(t *trace.Trace, p *model.Problem) [][]seat {
	seats, s := make([][]seat, len(p.Cluster.Nodes)), &t.Spans
	for i := range s.Len() {
		t.Pace.Did(1)
		if s.From[i] >= s.To[i] {
			continue
		}
		with := 1.0
		if s.With[i] >= 0 {
			with = 2
		}
		before := model.NodeID(model.None)
		for _, sh := range s.At(i) { // in slot order, which is by node
			n, g := p.Cluster.Slots[sh.Slot].Node, float64(sh.N)/with
			if n == before {
				seats[n][len(seats[n])-1].GPUs += g // of another type there
				continue
			}
			before = n
			seats[n] = append(seats[n], seat{s.Job[i], s.From[i], s.To[i],
				host.Tenant{GPUs: g, Need: p.Needs[s.Job[i]]}})
		}
	}
	for _, of := range seats {
		unit.Sort(of, func(a, b seat) int { return cmp.Compare(a.from, b.from) })
	}
	return seats
}

// step notes what the tenants of a moment get.
func (of *HostUse) step(now unit.Tick, seats []seat, gpus float64, tuned bool) {
	unit.Sort(seats, func(a, b seat) int { return cmp.Compare(a.job, b.job) })
	tenants := make([]host.Tenant, len(seats))
	for i := range seats {
		tenants[i] = seats[i].Tenant
	}
	if len(of.Steps) == 0 && now > 0 {
		of.Steps = append(of.Steps, HostStep{})
	}
	s := HostStep{At: now}
	for i, share := range host.Split(&of.Host, gpus, tenants, tuned) {
		best := tenants[i].Best(&of.Host)
		s.Given.CPUs += share.CPUs
		s.Given.MemoryGB += share.MemoryGB
		s.Used.CPUs += min(share.CPUs, best.CPUs)
		s.Used.MemoryGB += min(share.MemoryGB, best.MemoryGB)
		if share.Speed(&of.Host, &tenants[i]) < 1 {
			s.Slowed++
		}
	}
	if n := len(of.Steps); n == 0 || of.Steps[n-1] != (HostStep{of.Steps[n-1].At, s.Given, s.Used, s.Slowed}) {
		of.Steps = append(of.Steps, s)
	}
}

// sum fills in what holds of a whole stretch.
func (of *HostUse) sum(from, to unit.Tick) {
	if to <= from {
		return
	}
	slowed := of.Curve(func(s *HostStep) float64 { return float64(min(s.Slowed, 1)) })
	of.Slowed = slowed.integral(from, to) / float64(to-from)
	if of.Host.CPUs > 0 {
		lost := of.Curve(func(s *HostStep) float64 { return s.Given.CPUs - s.Used.CPUs })
		of.Lost = lost.integral(from, to) / float64(to-from) / of.Host.CPUs
	}
}

// Curve is something of a node's host as a step curve.
func (of *HostUse) Curve(what func(s *HostStep) float64) Series {
	c := Series{End: of.End}
	for i := range of.Steps {
		c.add(of.Steps[i].At, what(&of.Steps[i]))
	}
	return c
}

// HostCounters are the parts of all nodes' CPUs and memory that jobs have, and that they use, for exports.
func HostCounters(t *trace.Trace, p *model.Problem) (out []trace.Counter) {
	uses := NewHostUses(t, p)
	of := func(name string, has func(h *model.Host) float64, what func(s *HostStep) float64) {
		var at []unit.Tick
		all := 0.0
		for n := range p.Cluster.Nodes {
			all += has(&p.Cluster.Nodes[n].Host)
		}
		if all == 0 {
			return
		}
		for i := range uses {
			for k := range uses[i].Steps {
				at = append(at, uses[i].Steps[k].At)
			}
		}
		slices.Sort(at)
		c := trace.Counter{Name: name, Unit: "ratio", Slot: -1, T: slices.Compact(at)}
		c.V = make([]float64, len(c.T))
		for i := range uses {
			now := -1 // the step that holds
			for k, tick := range c.T {
				for now+1 < len(uses[i].Steps) && uses[i].Steps[now+1].At <= tick {
					now++
				}
				if now >= 0 {
					c.V[k] += what(&uses[i].Steps[now]) / all
				}
			}
		}
		out = append(out, c)
	}
	if len(uses) > 0 {
		cpus := func(h *model.Host) float64 { return h.CPUs }
		gb := func(h *model.Host) float64 { return h.MemoryGB }
		of("cpus of jobs", cpus, func(s *HostStep) float64 { return s.Given.CPUs })
		of("cpus in use", cpus, func(s *HostStep) float64 { return s.Used.CPUs })
		of("memory of jobs", gb, func(s *HostStep) float64 { return s.Given.MemoryGB })
		of("memory in use", gb, func(s *HostStep) float64 { return s.Used.MemoryGB })
	}
	return out
}

// mostHosts is how many nodes are drawn.
const mostHosts = 6

// Hungriest are the nodes on which jobs are slowed longest in some run of one scenario, then those that lose most, in
// the order of the cluster: the ones that are drawn.
func Hungriest(runs [][]HostUse) []HostUse {
	var all []HostUse
	for _, uses := range runs {
		for i := range uses {
			of := &uses[i]
			k := slices.IndexFunc(all, func(a HostUse) bool { return a.Node == of.Node })
			if k < 0 {
				k, all = len(all), append(all, HostUse{Node: of.Node, Host: of.Host})
			}
			all[k].Slowed, all[k].Lost = max(all[k].Slowed, of.Slowed), max(all[k].Lost, of.Lost)
		}
	}
	unit.Sort(all, func(a, b HostUse) int {
		return cmp.Or(cmp.Compare(b.Slowed, a.Slowed), cmp.Compare(b.Lost, a.Lost), cmp.Compare(a.Node, b.Node))
	})
	all = all[:min(len(all), mostHosts)]
	unit.Sort(all, func(a, b HostUse) int { return cmp.Compare(a.Node, b.Node) })
	return all
}
