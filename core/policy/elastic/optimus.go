package elastic

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Optimus gives one GPU after the other to the job whose remaining time it shortens most, from time to time and from
// the beginning. It knows how many steps a job has left and how fast it is on any number of GPUs: its oracle form, as
// later work compares with. Jobs keep the batch that they ask for.
//
// Its cluster has one GPU type. Here a job starts on the type on which it is fastest among those with room, and stays
// there (ours). Jobs of a fixed size have that size or wait, and one that no type can hold gets mixed GPUs (ours).
func init() {
	policy.Register(&policy.Spec{
		ID: "optimus", Title: "Optimus", Rev: 1,
		Summary: "Resizes jobs from time to time: jobs in order of arrival get their least number of GPUs while there are some, then each further GPU goes to the job whose remaining time it shortens most.",
		Source:  "Optimus (EuroSys 2018) in the oracle form of Pollux's artifact (OSDI 2021): jobs keep their batch; its model of convergence and its parameter servers are left out. Threshold of resizing, least sizes in order of arrival, several GPU types and fixed sizes ours",
		Formula: "gain of a GPU = (steps left ÷ speed on n GPUs − steps left ÷ speed on m) ÷ (m − n), m its next size, as close together as can be; the largest goes first, while it is above 0",
		Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
			return sim.Cadence{Every: unit.Seconds(v.Float("every_s"))}
		},
		Needs: policy.Needs{Lengths: true, Elastic: true},
		Params: []policy.Param{
			{Name: "every_s", Title: "Interval", Kind: policy.Float, Unit: "s", Default: 600.0, Min: 1, Max: 1e7,
				Help: "How often GPUs are shared out anew."},
			{Name: "threshold", Title: "Least gain of growing", Kind: policy.Float, Default: 2.0, Min: 0, Max: 1e6,
				Help: "A running job grows only if that saves it so many times the stall of its restart. 0 = always."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &optimus{cluster: m.Cluster, threshold: v.Float("threshold")}, nil
		},
	})
}

// optimus keeps nothing between decisions but memory to reuse: what a job holds says its type and size.
type optimus struct {
	cluster   *model.Cluster
	threshold float64

	node, rack []int32 // by type: most usable GPUs of a node and of a rack
	room       []int32 // by type: GPUs that nobody has been given
	jobs       []sized // by age
	order      []int32 // in which they are placed
	given      []given
}

// sized is a job and the GPUs that it gets.
type sized struct {
	job   model.JobID
	typ   model.TypeID // None = it gets GPUs of several types, or none
	size  int32        // 0 = it waits
	held  int32        // of its type, 0 = it does not run or has several types
	next  int32        // the next larger size with a speed, 0 = none
	gain  float64      // s that each GPU of it would save
	last  float64      // s that each of the GPUs given last saves
	put   bool         // it has its GPUs under the plan
	meant int32        // its size as GPUs were shared out, 0 = it is the one that it has: why it stays as it is
}

// given is a gift of GPUs after the first: at whose, and the gain of each.
type given struct {
	job  model.JobID
	size int32
	gain float64
}

// Clone copies the parameters.
func (o *optimus) Clone() sim.Policy { return &optimus{cluster: o.cluster, threshold: o.threshold} }

// Decide sizes the jobs, and places those whose size changes.
func (o *optimus) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	o.survey(v)
	o.start(v)
	o.grow(v)
	o.settle(v)
	if !o.state(v, p, true) {
		// What stays is in the way of a gang that does not run spread over nodes: all are placed anew, oldest first.
		p.Undo(0)
		o.state(v, p, false)
	}
	free := int32(0)
	for t := range o.room {
		free += p.FreeOf(model.TypeID(t))
	}
	for i := range o.jobs {
		switch x := &o.jobs[i]; {
		case x.put:
			w.Chose(x.job, x.last, o.left(v, x.job, x.typ, x.size), x.gain)
		case x.size > 0 || free >= v.Shape(x.job).Min:
			w.Wait(x.job, trace.WaitShape, float64(v.Shape(x.job).Min), float64(free), 0)
		default:
			w.Wait(x.job, trace.WaitFull, float64(v.Shape(x.job).Min), float64(free), 0)
		}
	}
	if sim.Explains && w.Detail != nil {
		o.explain(v, p, w)
	}
}

// survey counts what is usable of each type, on one node, in one rack and in all.
func (o *optimus) survey(v sim.View) {
	c := o.cluster
	n := len(c.Types)
	o.node, o.rack, o.room = make([]int32, n), make([]int32, n), make([]int32, n)
	racks := make([]int32, n*len(c.Racks))
	for s, slot := range c.Slots {
		usable := max(v.Capacity(model.SlotID(s)), 0)
		at := int(slot.Type)*len(c.Racks) + int(c.Nodes[slot.Node].Rack)
		racks[at] += usable
		o.node[slot.Type] = max(o.node[slot.Type], usable)
		o.rack[slot.Type] = max(o.rack[slot.Type], racks[at])
		o.room[slot.Type] += usable
	}
}

// left is how long j still takes on n GPUs of a type packed on as few nodes as can be, in s; 0 = it cannot run so. Of
// a gang of mixed types nothing is foretold.
func (o *optimus) left(v sim.View, j model.JobID, t model.TypeID, n int32) float64 {
	if t < 0 {
		return 0
	}
	tier := model.Network
	if n <= o.node[t] {
		tier = model.OneNode
	} else if n <= o.rack[t] {
		tier = model.OneRack
	}
	rate := float64(v.Speed(j, 0).Rate(t, n, tier))
	if rate <= 0 {
		return 0
	}
	steps, _ := v.Remaining(j)
	return float64(steps) / rate
}

// above is the least of j's sizes above n with a speed on a type; 0 = there is none.
func (o *optimus) above(v sim.View, j model.JobID, t model.TypeID, n int32) int32 {
	s := v.Shape(j)
	m := s.Min
	if n >= m {
		m = n + max(s.Step, 1)
	}
	for ; m <= s.Max && m <= v.CapacityOf(t); m += max(s.Step, 1) {
		if o.left(v, j, t, m) > 0 {
			return m
		}
	}
	return 0
}

// start gives every job its least number of GPUs while there are some, in order of arrival: of the type that it is on,
// else of the one on which that is fastest.
func (o *optimus) start(v sim.View) {
	o.jobs, o.given = o.jobs[:0], o.given[:0]
	for _, j := range v.Active() {
		x := sized{job: j, typ: model.None}
		on := model.TypeID(model.None)
		if v.Holds(j) {
			gang := v.Gang(j, 0)
			on = o.cluster.Slots[gang[0].Slot].Type
			for _, sh := range gang {
				x.held += sh.N
				if o.cluster.Slots[sh.Slot].Type != on {
					on = model.None
				}
			}
			if on < 0 {
				x.held = 0
			}
		}
		best, single := 0.0, false
		for t := range o.cluster.Types {
			typ := model.TypeID(t)
			n := o.above(v, j, typ, 0)
			single = single || n > 0
			if n == 0 || n > o.room[t] {
				continue
			}
			if left := o.left(v, j, typ, n); best == 0 || left < best || typ == on {
				if best = left; typ == on {
					best = unit.Tiny // nothing is better
				}
				x.typ, x.size = typ, n
			}
		}
		if x.typ != on {
			x.held = 0
		}
		if x.typ >= 0 {
			o.room[x.typ] -= x.size
			o.foresee(v, &x)
		} else if !single {
			x.size = o.mixed(v, j)
		}
		o.jobs = append(o.jobs, x)
	}
}

// mixed takes GPUs of several types for a job that no type can hold, fastest types first; 0 = there are too few.
func (o *optimus) mixed(v sim.View, j model.JobID) int32 {
	size := v.Shape(j).Min
	if o.take(v, j, size, false) < size {
		return 0
	}
	o.take(v, j, size, true)
	return size
}

// take counts how many GPUs of the types that run j in a gang of size it can have, up to that; it takes them if asked.
func (o *optimus) take(v sim.View, j model.JobID, size int32, takes bool) (n int32) {
	for _, t := range o.cluster.BySpeed {
		if v.Speed(j, 0).Rate(t, size, model.Network) > 0 || v.Speed(j, 0).Rate(t, size, model.OneNode) > 0 {
			k := min(size-n, o.room[t])
			if n += k; takes {
				o.room[t] -= k
			}
		}
	}
	return n
}

// foresee computes what more GPUs would save.
func (o *optimus) foresee(v sim.View, x *sized) {
	x.gain = 0
	if x.next = o.above(v, x.job, x.typ, x.size); x.next > 0 {
		x.gain = (o.left(v, x.job, x.typ, x.size) - o.left(v, x.job, x.typ, x.next)) / float64(x.next-x.size)
	}
}

// grow gives GPUs to the largest gain, of equals to the older job, while that is above 0 and there are some.
func (o *optimus) grow(v sim.View) {
	for {
		best := -1
		for i := range o.jobs {
			x := &o.jobs[i]
			if x.next > 0 && x.gain > 0 && x.next-x.size <= o.room[x.typ] && (best < 0 || x.gain > o.jobs[best].gain) {
				best = i
			}
		}
		if best < 0 {
			return
		}
		x := &o.jobs[best]
		o.room[x.typ] -= x.next - x.size
		x.size, x.last = x.next, x.gain
		o.given = append(o.given, given{x.job, x.size, x.gain})
		o.foresee(v, x)
	}
}

// settle leaves running jobs as they are whose growing would not pay for the restart and, as far as the GPUs that this
// spares reach, those that others would have shrunk.
func (o *optimus) settle(v sim.View) {
	if o.threshold <= 0 {
		return
	}
	for i := range o.jobs {
		x := &o.jobs[i]
		saved := o.left(v, x.job, x.typ, x.held) - o.left(v, x.job, x.typ, x.size)
		if x.held > 0 && x.size > x.held && saved < float64(o.threshold*v.Charge(x.job, nil).Seconds()) {
			o.room[x.typ] += x.size - x.held
			x.meant, x.size = x.size, x.held
		}
	}
	for i := range o.jobs {
		if x := &o.jobs[i]; x.held > x.size && x.size > 0 && x.held-x.size <= o.room[x.typ] {
			o.room[x.typ] -= x.held - x.size
			x.meant, x.size = x.size, x.held
		}
	}
}

// state puts the sizes into the plan. If keeps is set, whoever has its size stays where it is and the others follow,
// smallest first; otherwise all are placed anew, oldest first. false = a gang had no speed where it came to lie.
func (o *optimus) state(v sim.View, p *sim.Plan, keeps bool) bool {
	p.Clear()
	o.order = o.order[:0]
	for i := range o.jobs {
		x := &o.jobs[i]
		wide := x.typ < 0 && x.size > 0 && v.Holds(x.job)
		if x.put = keeps && (x.size == x.held && x.held > 0 || wide) && p.Keep(x.job); !x.put && x.size > 0 {
			o.order = append(o.order, int32(i))
		}
	}
	if keeps {
		slices.SortStableFunc(o.order, func(a, b int32) int { return int(o.jobs[a].size - o.jobs[b].size) })
	}
	all := true
	for _, i := range o.order {
		x := &o.jobs[i]
		p.Open(x.job, 0)
		need := x.size
		for _, t := range o.cluster.BySpeed {
			if x.typ == t || x.typ < 0 && (v.Speed(x.job, 0).Rate(t, x.size, model.Network) > 0 ||
				v.Speed(x.job, 0).Rate(t, x.size, model.OneNode) > 0) {
				need -= o.spread(p, t, need)
			}
		}
		x.put = need == 0 && p.Close()
		all = all && x.put
	}
	return all
}

// spread adds up to n GPUs of a type to the open gang, from the nodes with most free ones, and gives how many.
func (o *optimus) spread(p *sim.Plan, t model.TypeID, n int32) (taken int32) {
	var used []model.SlotID
	for taken < n {
		best, most := model.SlotID(model.None), int32(0)
		for s := range o.cluster.Slots {
			id := model.SlotID(s)
			if free := p.Free(id); o.cluster.Slots[s].Type == t && free > most && !slices.Contains(used, id) {
				best, most = id, free
			}
		}
		if best < 0 {
			break
		}
		used = append(used, best)
		p.Take(best, min(most, n-taken))
		taken += min(most, n-taken)
	}
	return taken
}
