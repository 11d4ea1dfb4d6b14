package queues

import (
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// YARN's capacity scheduler is the baseline without any knowledge of deep learning: one queue, no
// preemption, and locality as a hard wish. It shows what gangs do to a plain queue: the head waits for
// GPUs that sit together, and everybody waits for the head.
func init() {
	policy.Register(&policy.Spec{
		ID: "yarn-cs", Title: "YARN-CS", Rev: 1,
		Summary: "One queue in order of arrival, no preemption, and gangs only where they sit together: the head blocks until it does.",
		Source:  "YARN capacity scheduler as the baseline of the cited papers; reconstructed, one queue",
		Formula: "arrival time, earliest first; gangs on one node, or on idle nodes of the largest size and one for the rest, in one rack; nobody passes",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Params: []policy.Param{
			{Name: "backfill", Title: "Start later jobs that fit", Kind: policy.Bool, Default: false,
				Help: "Off: head-of-line blocking."},
			{Name: "relax_s", Title: "Accept any nodes after waiting", Kind: policy.Float, Unit: "s", Default: 0.0,
				Min:  0,
				Max:  1e7,
				Help: "Locality relaxation in the manner of Philly. 0 = never."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &yarn{cluster: m.Cluster, backfill: v.Bool("backfill"), relax: unit.Seconds(v.Float("relax_s"))}, nil
		},
	})
}

// yarn keeps nothing between decisions: the queue is the order of arrival.
type yarn struct {
	cluster  *model.Cluster
	backfill bool
	relax    unit.Tick
	placer   place.Placer
	gang     []model.Shard
	best     []model.Shard
}

// Clone copies the parameters.
func (y *yarn) Clone() sim.Policy {
	return &yarn{cluster: y.cluster, backfill: y.backfill, relax: y.relax}
}

// Decide starts jobs in order of arrival; without backfill the first that finds no place blocks the
// rest.
func (y *yarn) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	head := model.JobID(model.None)
	for _, j := range v.Waiting() {
		if head >= 0 && !y.backfill {
			break
		}
		if y.place(v, p, j) {
			w.Chose(j, 0, 0, 0)
			continue
		}
		policy.WaitForRoom(y.cluster, v, p, w, j)
		if head < 0 {
			head = j
		}
		if at := v.Arrive(j) + y.relax; y.relax > 0 && at > v.Now() {
			p.WakeAt(at)
		}
	}
	if head >= 0 && !y.backfill {
		block(v, w, younger(v, w, head), head, 0)
	}
	if sim.Explains && w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, v.Waiting()...)
		var order []ranked
		for _, j := range v.Active() {
			order = append(order, ranked{job: j})
		}
		m := byArrival(v)
		m.room = func(j model.JobID) words.Text { return y.room(v, p, j) }
		explainQueue(y.cluster, v, p, w, order, head, m)
	}
}

// room says what is free for a job, which takes its GPUs together only.
func (y *yarn) room(v sim.View, p *sim.Plan, j model.JobID) words.Text {
	size, all, most := v.Shape(j).Size, int32(0), int32(0)
	node, speed := make([]int32, len(y.cluster.Types)), v.Speed(j, 0) // the largest in service, by type
	for s, slot := range y.cluster.Slots {
		free := max(p.Free(model.SlotID(s)), 0)
		all += free
		if speed.Rate(slot.Type, size, model.OneNode) > 0 {
			most, node[slot.Type] = max(most, free), max(node[slot.Type], v.Capacity(model.SlotID(s)))
		}
	}
	one, rack := false, false // types of which a node may hold it, or several
	for t, n := range node {
		one = one || n >= size
		rack = rack || n > 0 && n < size && v.CapacityOf(model.TypeID(t)) >= size &&
			speed.Rate(model.TypeID(t), size, model.OneRack) > 0
	}
	waits := v.Arrive(j) + y.relax - v.Now() // until any nodes will do
	says := words.Say("it needs {0} GPUs of one type in one rack: idle nodes of the largest size, and one node more for the rest; {1} are free, but not so",
		size, all)
	switch {
	case y.relax > 0 && waits <= 0 || all < size || size == 1 || most >= size || !one && !rack:
		return policy.Room(y.cluster, v, p, j)
	case !rack:
		says = words.Say("it needs {0} GPUs of one type on one node; {1} are free, at most {2} so that it can use them",
			size, all, most)
	case one:
		says = words.Say("it needs {0} GPUs of one type: on one node, or, of a type without so large a node, in one rack: idle nodes of the largest size, and one node more for the rest; {1} are free, but not so",
			size, all)
	}
	if y.relax > 0 {
		return words.Say("{0}; in {1} any nodes of one type will do", says, sim.Seconds(waits.Seconds()))
	}
	return says
}

// place starts j on the type on which it runs fastest among those whose nodes take the gang. After
// relax of waiting any nodes will do.
func (y *yarn) place(v sim.View, p *sim.Plan, j model.JobID) bool {
	loose := y.relax > 0 && v.Now()-v.Arrive(j) >= y.relax
	best, on := unit.Rate(0), model.TypeID(0)
	for _, t := range y.placer.Types(y.cluster, v, j) {
		if t.Top < best || t.Top == best && t.Type > on {
			continue // it cannot be faster, and of equals the first counts
		}
		if !y.together(v, p, j, t.Type) && !(loose && y.anywhere(p, v.Shape(j).Size, t.Type)) {
			continue
		}
		if r := v.Rate(j, 0, y.gang); r > best || r == best && t.Type < on {
			best, on = r, t.Type
			y.best = append(y.best[:0], y.gang...)
		}
	}
	if best == 0 {
		return false
	}
	return place.Put(p, j, 0, y.best)
}

// together fills y.gang with GPUs of one node, the fullest that has enough. A gang larger than any node
// gets wholly idle nodes and one for the rest, all in one rack, as YARN's locality asks for.
func (y *yarn) together(v sim.View, p *sim.Plan, j model.JobID, t model.TypeID) bool {
	size, largest := v.Shape(j).Size, int32(0)
	y.gang = append(y.gang[:0], y.placer.OnType(y.cluster, p, size, t)...)
	if len(y.gang) <= 1 {
		return len(y.gang) == 1
	}
	for s := range y.cluster.Slots {
		if y.cluster.Slots[s].Type == t {
			largest = max(largest, v.Capacity(model.SlotID(s)))
		}
	}
	if size <= largest || largest == 0 {
		return false
	}
	for rack := range y.cluster.Racks {
		y.gang = y.gang[:0]
		want, rest := size/largest*largest, size%largest
		for s := range y.cluster.Slots {
			slot := y.cluster.Slots[s]
			if slot.Type != t || y.cluster.Nodes[slot.Node].Rack != int32(rack) {
				continue
			}
			free := p.Free(model.SlotID(s))
			switch idle := free == v.Capacity(model.SlotID(s)); {
			case want > 0 && idle && free == largest:
				y.gang = append(y.gang, model.Shard{Slot: model.SlotID(s), N: free})
				want -= free
			case rest > 0 && free >= rest:
				y.gang = append(y.gang, model.Shard{Slot: model.SlotID(s), N: rest})
				rest = 0
			}
		}
		if want == 0 && rest == 0 {
			return true
		}
	}
	return false
}

// anywhere fills y.gang with free GPUs of the type, node after node.
func (y *yarn) anywhere(p *sim.Plan, size int32, t model.TypeID) (ok bool) {
	y.gang, ok = place.FirstFree(y.gang, y.cluster, p, t, size, 0)
	return ok
}
