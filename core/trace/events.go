package trace

import (
	"cmp"
	"io"
	"slices"
	"strings"

	"hadarlab/core/unit"
)

// event is something that happened to a job, in the order in which things of one instant are told.
type event struct {
	at   unit.Tick
	kind eventKind
	job  int32
	held []int32 // GPUs by slot
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
	events := t.events(all)
	rows := make([][]string, len(events))
	for i, e := range events {
		gpus, where := int32(0), []string{}
		for slot, n := range e.held {
			if s := t.Slots[slot]; n > 0 {
				gpus += n
				where = append(where, t.Nodes[s.Node]+"/"+t.Types[s.Type]+"="+whole(n))
			}
		}
		rows[i] = []string{seconds(e.at), eventNames[e.kind], cell(t.Jobs[e.job].Name), "", ""}
		if e.kind != arrived {
			rows[i][3], rows[i][4] = whole(gpus), cell(strings.Join(where, " "))
		}
	}
	return table(w, eventColumns, rows)
}

func (t *Trace) events(all []Placement) []event {
	var out []event
	slot := t.slotOfGPU()
	for i, held := range byJob(t, all) {
		j := &t.Jobs[i]
		if j.Arrive <= t.End {
			out = append(out, event{at: j.Arrive, kind: arrived, job: int32(i)})
		}
		out = append(out, t.changes(int32(i), held, slot)...)
	}
	unit.Sort(out, func(a, b event) int {
		return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.kind, b.kind), cmp.Compare(a.job, b.job))
	})
	return out
}

// changes are the events that a job's placements make.
func (t *Trace) changes(job int32, held []*Placement, slotOf []int32) (out []event) {
	type edge struct {
		at unit.Tick
		p  *Placement
		by int32
	}
	var edges []edge
	for _, p := range held {
		edges = append(edges, edge{p.From, p, 1}, edge{p.To, p, -1})
	}
	unit.Sort(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	now := make([]int32, len(t.Slots))
	for i := 0; i < len(edges); {
		at, before := edges[i].at, slices.Clone(now)
		for ; i < len(edges) && edges[i].at == at; i++ {
			for _, g := range edges[i].p.GPUs {
				now[slotOf[g]] += edges[i].by
			}
		}
		e := event{at: at, job: job, held: slices.Clone(now)}
		none := func(v []int32) bool { return !slices.ContainsFunc(v, func(n int32) bool { return n > 0 }) }
		switch {
		case slices.Equal(before, now) || t.cut(job, at):
			continue
		case t.Jobs[job].Finish == at:
			e.kind, e.held = finished, before
		case none(before):
			e.kind = started
		case none(now):
			e.kind, e.held = preempted, before
		default:
			e.kind = moved
		}
		out = append(out, e)
	}
	return out
}
