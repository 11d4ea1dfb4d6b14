package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Layout lays a run out in slices of work, so that whoever asks decides when to yield, and may give up at any time. The
// work grows as the trace does: spans, decisions and reasons are each looked at a few times, however many there are.
type Layout struct {
	Lane   *Lane // whole once Spend says that there is no more
	stages []stage
	done   int
	all    int // about what done will be
}

// stage works on at least so many entries of a trace, if there are as many, and says how many it were.
type stage func(least int) (done int, more bool)

// each is a stage that handles entries one by one and adds up what they cost. Their number is asked for when it begins,
// since earlier stages may make them.
func each(count func() int, handle func(i int) (cost int)) stage {
	i := 0
	return func(least int) (done int, more bool) {
		n := count()
		for ; i < n && done < least; i++ {
			done += handle(i)
		}
		return done, i < n
	}
}

// whole is a stage of few or cheap entries, which is not divided.
func whole(work func() (cost int)) stage {
	return func(int) (int, bool) { return work(), false }
}

// Lay begins to lay a run out.
func Lay(t *trace.Trace) *Layout {
	y := layHoldings(t)
	l, idle := y.Lane, idler{}
	y.all += 2*t.Spans.Len() + len(t.Reasons)
	y.stages = append(y.stages,
		whole(func() int { return l.findForks(t) }),
		whole(func() int { return l.findWaits(t) }),
		whole(func() int { return l.nameWaits(t) }),
		whole(func() int { idle = l.newIdler(t); return len(l.Waits) }),
		each(func() int { return len(l.Bars) }, func(i int) int { return idle.occupy(&l.Bars[i]) }),
		each(func() int { return len(l.Rows) }, func(r int) int { return idle.row(int32(r)) }),
		whole(func() int { return l.findDones(t) }))
	return y
}

// layHoldings lays out as much as exports need: rows, holdings and the bars of each.
func layHoldings(t *trace.Trace) *Layout {
	l, join := &Lane{End: t.End}, joiner{t: t, last: -1}
	var order, first []int32
	var place *assigner
	return &Layout{Lane: l, all: 3*t.Spans.Len() + 1, stages: []stage{
		whole(func() int {
			l.Looks, first = LooksOf(t), l.layRows(t)
			return len(t.Jobs) + len(l.Rows)
		}),
		whole(func() int {
			order, join.forked = spansByGang(t), forked(t)
			return len(order)
		}),
		each(t.Spans.Len, func(i int) int { return join.take(order[i]) }),
		whole(func() int {
			l.Holdings = join.out
			unit.SortByTick(l.Holdings, func(h *Holding) unit.Tick { return h.From })
			l.markForks()
			place = l.newAssigner(t, first)
			return len(l.Holdings)
		}),
		each(func() int { return len(l.Holdings) }, func(i int) int { return l.assign(place, int32(i)) }),
		whole(func() int {
			l.putDown(place, t.End)
			return len(l.Downs)
		}),
	}}
}

// Spend works on about so many entries; more is false when the lane is whole.
func (y *Layout) Spend(entries int) (more bool) {
	for end := y.done + entries; len(y.stages) > 0 && y.done < end; {
		done, more := y.stages[0](end - y.done)
		if y.done += done; !more {
			y.stages = y.stages[1:]
		}
	}
	return len(y.stages) > 0
}

// Share is about how much of the work is done, 0 to 1.
func (y *Layout) Share() float64 { return min(1, float64(y.done)/float64(y.all)) }

// NewLane lays a run out at once. GPUs of a slot are interchangeable: a holding takes rows that are free at its start,
// so that rows never overlap.
func NewLane(t *trace.Trace) *Lane { return atOnce(Lay(t)) }

// Placed is a lane as far as exports of where jobs were need it: without forks, waits, idle stretches and ends.
func Placed(t *trace.Trace) *Lane { return atOnce(layHoldings(t)) }

func atOnce(y *Layout) *Lane {
	for y.Spend(1 << 30) {
	}
	return y.Lane
}
