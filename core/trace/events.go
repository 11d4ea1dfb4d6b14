package trace

import (
	"cmp"
	"io"
	"slices"
	"strconv"

	"hadarlab/core/csv"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

type eventKind uint8

const (
	finished eventKind = iota
	preempted
	arrived
	started
	moved
)

var eventNames = [...]string{"finish", "preempt", "arrival", "start", "move"}

var eventColumns = []string{"time_s", "event", "job", "gpus", "placement"}

// EventsCSV writes a row an event: arrival, start (from nothing to some GPUs), move (other nodes or
// counts without a break), preempt (to nothing, unfinished) and finish. gpus and placement, as in
// "n1/v100=2 n2/p100=1", are what the job holds after a start or move, and what it gives up at a
// preempt or finish. Copies of a forked job count together. Rows come by instant, then kind, then job.
func EventsCSV(w io.Writer, t *Trace, all []Placement) error {
	e := events{t: t, all: all, out: csv.NewWriter(w), slot: t.slotOfGPU(), now: make([][]model.Shard, len(t.Jobs)),
		was: make([][]model.Shard, len(t.Jobs)), touched: make([]bool, len(t.Jobs))}
	e.out.Row(eventColumns...)
	e.run()
	return e.out.Flush()
}

// events goes through a run from instant to instant. It knows what each job holds and keeps no event: there are more
// than a million in a long run.
type events struct {
	t        *Trace
	all      []Placement
	out      *csv.Writer
	slot     []int32         // of each GPU
	now, was [][]model.Shard // what each job holds, by slot; and held before the instant, if it is touched
	touched  []bool
	jobs     []int32 // that are touched
	where    []byte
}

// run writes the events in order.
func (e *events) run() {
	t := e.t
	edges, arrive := make([]unit.Tick, 0, 2*len(e.all)), make([]unit.Tick, len(t.Jobs))
	for i := range e.all {
		t.Pace.Did(1)
		edges = append(edges, e.all[i].From, e.all[i].To)
	}
	for i := range t.Jobs {
		arrive[i] = t.Jobs[i].Arrive
	}
	byTime, come := unit.ByTick(edges, t.Pace), unit.ByTick(arrive, t.Pace)
	for len(byTime)+len(come) > 0 {
		at := unit.Never
		if len(byTime) > 0 {
			at = edges[byTime[0]]
		}
		if len(come) > 0 {
			at = min(at, arrive[come[0]])
		}
		for ; len(byTime) > 0 && edges[byTime[0]] == at; byTime = byTime[1:] {
			e.take(byTime[0])
		}
		slices.Sort(e.jobs)
		for kind := range eventKind(len(eventNames)) {
			if kind == arrived {
				for ; len(come) > 0 && arrive[come[0]] == at; come = come[1:] {
					if t.Pace.Did(1); at <= t.End {
						e.row(at, arrived, come[0], nil)
					}
				}
			}
			for _, job := range e.jobs {
				t.Pace.Did(1)
				if k, held := e.change(job, at); k == kind && !slices.Equal(e.was[job], e.now[job]) &&
					!t.cut(job, at) && !e.row(at, kind, job, held) {
					return
				}
			}
		}
		for _, job := range e.jobs {
			e.touched[job] = false
		}
		e.jobs = e.jobs[:0]
	}
}

// take has a placement begin or end: its edges are numbered in turn.
func (e *events) take(edge int32) {
	p, by := &e.all[edge/2], int32(1)
	if edge%2 == 1 {
		by = -1
	}
	for k := range 2 + len(p.Others) {
		job := p.Job
		switch {
		case k > 1:
			job = p.Others[k-2]
		case k > 0:
			job = p.With
		}
		if job < 0 {
			continue
		}
		e.t.Pace.Did(1)
		if !e.touched[job] {
			e.touched[job] = true
			e.jobs = append(e.jobs, job)
			e.was[job] = append(e.was[job][:0], e.now[job]...)
		}
		for _, g := range p.GPUs {
			e.now[job] = hold(e.now[job], model.SlotID(e.slot[g]), by)
		}
	}
}

// change is what a touched job's change at an instant is, and what is told of it.
func (e *events) change(job int32, at unit.Tick) (eventKind, []model.Shard) {
	switch was, now := e.was[job], e.now[job]; {
	case e.t.Jobs[job].Finish == at:
		return finished, was
	case len(was) == 0:
		return started, now
	case len(now) == 0:
		return preempted, was
	default:
		return moved, now
	}
}

// row writes an event.
func (e *events) row(at unit.Tick, kind eventKind, job int32, shards []model.Shard) bool {
	t, gpus := e.t, int32(0)
	e.where = e.where[:0]
	for i, sh := range shards {
		if i > 0 {
			e.where = append(e.where, ' ')
		}
		s := t.Slots[sh.Slot]
		gpus += sh.N
		e.where = append(append(append(e.where, t.Nodes[s.Node]...), '/'), t.Types[s.Type]...)
		e.where = strconv.AppendInt(append(e.where, '='), int64(sh.N), 10)
	}
	held := ""
	if kind != arrived {
		held = whole(gpus)
	}
	return e.out.Row(seconds(at), eventNames[kind], t.Jobs[job].Name, held, string(e.where))
}

// hold changes how many GPUs of a slot are held; of a slot without any there is no entry.
func hold(held []model.Shard, slot model.SlotID, by int32) []model.Shard {
	i, found := slices.BinarySearchFunc(held, slot, func(sh model.Shard, slot model.SlotID) int {
		return cmp.Compare(sh.Slot, slot)
	})
	if !found {
		held = slices.Insert(held, i, model.Shard{Slot: slot})
	}
	if held[i].N += by; held[i].N == 0 {
		return slices.Delete(held, i, i+1)
	}
	return held
}
