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

// event is something that happened to a job, in the order in which things of one instant are told.
type event struct {
	at   unit.Tick
	kind eventKind
	job  int32
	held []model.Shard // by slot
}

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
// preempt or finish. Copies of a forked job count together.
func EventsCSV(w io.Writer, t *Trace, all []Placement) error {
	out := csv.NewWriter(w)
	out.Row(eventColumns...)
	var where []byte
	for _, e := range t.events(all) {
		gpus := int32(0)
		where = where[:0]
		for i, sh := range e.held {
			if i > 0 {
				where = append(where, ' ')
			}
			s := t.Slots[sh.Slot]
			gpus += sh.N
			where = append(append(append(where, t.Nodes[s.Node]...), '/'), t.Types[s.Type]...)
			where = strconv.AppendInt(append(where, '='), int64(sh.N), 10)
		}
		held := ""
		if e.kind != arrived {
			held = whole(gpus)
		}
		if !out.Row(seconds(e.at), eventNames[e.kind], t.Jobs[e.job].Name, held, string(where)) {
			break
		}
	}
	return out.Flush()
}

func (t *Trace) events(all []Placement) []event {
	var out []event
	slot := t.slotOfGPU()
	for i, held := range byJob(t, all) {
		j := &t.Jobs[i]
		if j.Arrive <= t.End {
			out = append(out, event{at: j.Arrive, kind: arrived, job: int32(i)})
		}
		out = t.changes(out, int32(i), held, slot)
	}
	// By instant, then kind, then job, as they are already: the last order first, since each leaves equals as they are.
	unit.SortByTick(out, func(e *event) unit.Tick { return unit.Tick(e.kind) })
	unit.SortByTick(out, func(e *event) unit.Tick { return e.at })
	return out
}

// changes adds the events that a job's placements make.
func (t *Trace) changes(out []event, job int32, held []*Placement, slotOf []int32) []event {
	type edge struct {
		at unit.Tick
		p  *Placement
		by int32
	}
	edges := make([]edge, 0, 2*len(held))
	for _, p := range held {
		edges = append(edges, edge{p.From, p, 1}, edge{p.To, p, -1})
	}
	unit.SortByTick(edges, func(e *edge) unit.Tick { return e.at })
	var now []model.Shard // what the job holds, by slot
	for i := 0; i < len(edges); {
		at, before := edges[i].at, now
		now = slices.Clone(now)
		for ; i < len(edges) && edges[i].at == at; i++ {
			for _, g := range edges[i].p.GPUs {
				now = hold(now, model.SlotID(slotOf[g]), edges[i].by)
			}
		}
		now = slices.DeleteFunc(now, func(sh model.Shard) bool { return sh.N == 0 })
		e := event{at: at, job: job, held: now}
		switch {
		case slices.Equal(before, now) || t.cut(job, at):
			continue
		case t.Jobs[job].Finish == at:
			e.kind, e.held = finished, before
		case len(before) == 0:
			e.kind = started
		case len(now) == 0:
			e.kind, e.held = preempted, before
		default:
			e.kind = moved
		}
		out = append(out, e)
	}
	return out
}

// hold changes how many GPUs of a slot are held.
func hold(held []model.Shard, slot model.SlotID, by int32) []model.Shard {
	i, found := slices.BinarySearchFunc(held, slot, func(sh model.Shard, slot model.SlotID) int {
		return cmp.Compare(sh.Slot, slot)
	})
	if !found {
		held = slices.Insert(held, i, model.Shard{Slot: slot})
	}
	held[i].N += by
	return held
}
