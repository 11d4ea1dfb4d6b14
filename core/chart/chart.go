// Package chart lays traces out as plain data: a row for every GPU with bars, waits and idle stretches,
// one time axis, the rounds in which two runs differ, step curves, prices, shares and spreads. The page,
// the first paint and exports use the same code.
//
// It refuses to draw, to keep state, and to know policies: what it lays out is in the trace.
//
// Flow: trace.Trace → Lane, Diff, Series → chart/draw makes SVG text or a canvas's numbers of them.
package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Lane is one run laid out on rows, one for each GPU.
type Lane struct {
	Rows     []Row
	Bands    []Band    // nodes, in the trace's order; nodes without a GPU have none
	Holdings []Holding // by start, then job
	Bars     []Bar     // by holding, then row
	Waits    []Wait    // by start, then job
	WaitRows int32     // rows that the waits need when none may overlap
	Idles    []Idle    // by row, then start
	Downs    []Down    // by start
	Slows    []Slow    // by start
	Dones    []Done    // by time, then job
	Counted  int       // how many of these are of jobs that are measured: all of them but with a window
	Forks    []Fork    // by start, then job
	Looks    []Look    // by job
	End      unit.Tick // the last instant simulated
	facts    facts
}

// Row is one GPU.
type Row struct {
	Slot  int32
	Index int32 // which GPU of the slot, from 0
}

// Band is the rows of one node.
type Band struct {
	Node         int32
	First, Count int32 // rows
}

// Holding is a job's gang from the moment it takes a set of GPUs until it gives it up. Changes of
// speed and stalls inside are pauses or nothing at all.
type Holding struct {
	Job      int32
	With     int32   // the next other member of the gang, -1 = alone
	Others   []int32 // further members of an array (model.Array)
	Fused    bool    // as an array
	From, To unit.Tick
	Size     int32         // GPUs of the whole gang
	Shards   []model.Shard // by slot
	Pauses   []Pause
	Forked   bool   // a copy of a job whose copies are merged at every decision
	Parts    []Part // what a copy does, by round; none for other gangs
}

// Numbered says that bars of copies carry their steps, round by round.
func (l *Lane) Numbered() bool {
	for i := range l.Holdings {
		if len(l.Holdings[i].Parts) > 0 {
			return true
		}
	}
	return false
}

// Pause is a stretch of a holding without progress.
type Pause struct {
	Kind     trace.Kind // Stall or Hold
	From, To unit.Tick
	Merge    bool // a stall in which copies are merged, not a start or restart
}

// Bar is the part of a holding on adjacent rows of one slot.
type Bar struct {
	Holding int32
	Slot    int32
	Row, N  int32 // first row, number of rows
	Shard   int32 // GPUs that the gang holds in this slot
}

// maxBars is how many bars are drawn each as an element.
const maxBars = 500

// Many says that a lane has more bars than are drawn each as an element: it is painted.
func (l *Lane) Many() bool { return len(l.Bars) > maxBars }

// Wait is a stretch in which an arrived, unfinished job holds nothing.
type Wait struct {
	Job      int32
	From, To unit.Tick
	Row      int32
	Why      trace.Code // reason of its first round, NoReason when the run has none
}

// Idle is a stretch in which adjacent GPUs of one slot are held by no one.
type Idle struct {
	Slot     int32
	Row, N   int32
	From, To unit.Tick
	Waste    bool  // a job waits all the while
	By       int32 // job whose forked copy on the node has no larger gang to use it, -1 = none
}

// Done is the end of a job.
type Done struct {
	Job int32
	At  unit.Tick
}

// NewLane lays a run out, in the trace's pace. GPUs of a slot are interchangeable: a holding takes rows that are free
// at its start, so that rows never overlap. The work grows as the trace does: spans, decisions and reasons are each
// looked at a few times, however many there are.
func NewLane(t *trace.Trace) *Lane {
	l := Placed(t)
	l.findForks(t)
	l.findWaits(t)
	l.nameWaits(t)
	l.findIdles(t)
	l.findDones(t)
	l.Slows = l.slows(t)
	l.find(t)
	return l
}

// Placed is a lane as far as exports of where jobs were need it: without forks, waits, idle stretches and ends.
func Placed(t *trace.Trace) *Lane {
	l := &Lane{End: t.End, Looks: LooksOf(t)}
	first := l.layRows(t)
	l.findHoldings(t)
	l.assignAll(t, first)
	return l
}

// layRows makes a row for each GPU and returns each slot's first row.
func (l *Lane) layRows(t *trace.Trace) []int32 {
	first := make([]int32, len(t.Slots))
	for n := range t.Nodes {
		band := Band{Node: int32(n), First: int32(len(l.Rows))}
		for s := range t.Slots {
			if t.Slots[s].Node != int32(n) {
				continue
			}
			first[s] = int32(len(l.Rows))
			for k := range t.Slots[s].Cap {
				l.Rows = append(l.Rows, Row{int32(s), k})
			}
		}
		if band.Count = int32(len(l.Rows)) - band.First; band.Count > 0 {
			l.Bands = append(l.Bands, band)
		}
	}
	return first
}

// spansByGang are the spans by job, gang and start. A trace has them by end, so that those of a job that holds one gang
// at a time are in order already.
func spansByGang(t *trace.Trace) []int32 {
	s := &t.Spans
	jobs := groupByJob(len(t.Jobs), s.Len(), func(i int32) (job, with int32) { return s.Job[i], -1 }, t.Pace)
	by := func(a, b int32) int {
		t.Pace.Did(1)
		return cmp.Or(cmp.Compare(s.Gang[a], s.Gang[b]), cmp.Compare(s.From[a], s.From[b]))
	}
	for j := range t.Jobs {
		if of := jobs.of(int32(j)); !slices.IsSortedFunc(of, by) {
			slices.SortStableFunc(of, by)
		}
	}
	return jobs.list
}

// joiner joins the spans of one gang on unchanged GPUs to holdings. A gang of several members is drawn once, for its
// lowest member.
type joiner struct {
	t      *trace.Trace
	forked []bool // by job
	last   int32  // the last span that is drawn, -1 = none
	others map[beginning][]int32
	fused  map[int32]bool // jobs that have stood for an array of several
	out    []Holding
}

// beginning is when a job's span begins.
type beginning struct {
	job int32
	at  unit.Tick
}

// findOthers finds the members of arrays beyond the two that a span names: theirs name its job. It is nil where there
// are none.
func (z *joiner) findOthers() {
	s := &z.t.Spans
	for i := range z.t.Reasons {
		if r := &z.t.Reasons[i]; r.Code == trace.Fused && r.Num[0] > 1 {
			if z.fused == nil {
				z.fused = map[int32]bool{}
			}
			z.fused[r.Job] = true
		}
	}
	for i, with := range s.With {
		if z.t.Pace.Did(1); with < 0 || with > s.Job[i] {
			continue
		}
		if z.others == nil {
			z.others = map[beginning][]int32{}
		}
		k := beginning{with, s.From[i]}
		z.others[k] = append(z.others[k], s.Job[i])
	}
}

// besides are the members of a span's array beyond the two that it names, by id.
func (z *joiner) besides(i int32) []int32 {
	if s := &z.t.Spans; s.With[i] >= 0 {
		if all := z.others[beginning{s.Job[i], s.From[i]}]; len(all) > 1 {
			return all[1:]
		}
	}
	return nil
}

// findHoldings makes the spans holdings.
func (l *Lane) findHoldings(t *trace.Trace) {
	order := spansByGang(t)
	z := joiner{t: t, forked: forked(t), last: -1}
	z.findOthers()
	parts, begun := make([]part, len(order)), 0
	for k, i := range order {
		t.Pace.Did(1)
		if parts[k] = z.next(i); parts[k] == begins {
			begun++
		}
	}
	z.out = make([]Holding, 0, begun) // to make it longer as it fills up takes a fifth of a second at a time
	for k, i := range order {
		t.Pace.Did(1)
		z.take(i, parts[k])
	}
	unit.SortByTickPaced(z.out, func(h *Holding) unit.Tick { return h.From }, t.Pace)
	l.Holdings = z.out
	l.markForks(t)
}

// part is what a span is to the holding that it belongs to.
type part byte

const (
	hidden part = iota // it is not drawn
	begins
	goesOn // with the holding of the one before
)

// next says what the next span is.
func (z *joiner) next(i int32) part {
	s := &z.t.Spans
	if s.From[i] >= s.To[i] || s.With[i] >= 0 && s.With[i] < s.Job[i] {
		return hidden
	}
	last := z.last
	z.last = i
	if last >= 0 && s.Job[last] == s.Job[i] && s.Gang[last] == s.Gang[i] && s.With[last] == s.With[i] &&
		s.To[last] == s.From[i] && slices.Equal(s.At(int(last)), s.At(int(i))) &&
		slices.Equal(z.besides(last), z.besides(i)) {
		return goesOn
	}
	return begins
}

// take joins the next span, by job, gang and start.
func (z *joiner) take(i int32, as part) {
	s := &z.t.Spans
	switch as {
	case hidden:
		return
	case begins:
		z.begin(i)
	}
	h := &z.out[len(z.out)-1]
	h.To = s.To[i]
	if s.Kind[i] == trace.Run {
		if h.Forked {
			h.addSteps(z.t, s.From[i], s.To[i], s.Rate[i])
		}
		return
	}
	if n := len(h.Pauses); n > 0 && h.Pauses[n-1].Kind == s.Kind[i] && h.Pauses[n-1].To == s.From[i] {
		h.Pauses[n-1].To = s.To[i]
	} else {
		h.Pauses = append(h.Pauses, Pause{Kind: s.Kind[i], From: s.From[i], To: s.To[i]})
	}
}

// begin begins a holding with a span.
func (z *joiner) begin(i int32) {
	s := &z.t.Spans
	h := Holding{Job: s.Job[i], With: s.With[i], Others: z.besides(i), Fused: s.With[i] >= 0 && z.fused[s.Job[i]],
		From: s.From[i], Shards: s.At(int(i)), Forked: z.forked[s.Job[i]]}
	bySlot := func(a, b model.Shard) int { return cmp.Compare(a.Slot, b.Slot) }
	if !slices.IsSortedFunc(h.Shards, bySlot) {
		h.Shards = slices.Clone(h.Shards)
		unit.Sort(h.Shards, bySlot)
	}
	for _, sh := range h.Shards {
		h.Size += sh.N
	}
	z.out = append(z.out, h)
}

// Ahead orders two runs by how well they did: by jobs that finish, then by mean completion, which is given. It is
// negative where a did better.
func Ahead(a, b *Lane, aMean, bMean float64) int {
	return cmp.Or(cmp.Compare(b.Counted, a.Counted), cmp.Compare(aMean, bMean))
}

// findDones lists the ends of jobs, by time.
func (l *Lane) findDones(t *trace.Trace) {
	w := t.Measured()
	for i := range t.Jobs {
		if t.Jobs[i].Finish < 0 {
			continue
		}
		l.Dones = append(l.Dones, Done{int32(i), t.Jobs[i].Finish})
		if w.Has(model.JobID(i)) {
			l.Counted++
		}
	}
	unit.SortByTick(l.Dones, func(d *Done) unit.Tick { return d.At })
}
