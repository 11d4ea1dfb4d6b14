package chart

import (
	"slices"

	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Moment is an instant at which at least one of the compared runs decided. It lasts until the next. What is decided
// where both runs end, as at a horizon, lasts for no instant and is none.
type Moment struct {
	At, End unit.Tick
	Round   [2]int32 // each run's round that is then in force, -1 = none yet
	Differ  int32    // GPUs whose owner differs right after the decision
}

// Diff compares two runs of one scenario.
type Diff struct {
	GPUs    int32
	Moments []Moment
	First   int // index of the first moment at which the runs differ, -1 = never
	// At the first disagreement: the job that tells it best and what it holds in each run. Job is -1
	// without a disagreement.
	Job   int32
	Holds [2][]model.Shard
	// Spare says for each run that GPUs which the other run gives the job lie idle here.
	Spare [2]bool
	// Where the job is complete in one run by then: the moment from which on it is faster there on the same GPUs, -1 =
	// none, and its speed in each run, in steps/s. What made it faster was decided there.
	Since int
	Pace  [2]float64
}

// Reason is the moment of the decisions that part the runs: that from which on one job is faster, else the first at
// which GPUs go to others; -1 = none.
func (d *Diff) Reason() int {
	if d.Since >= 0 {
		return d.Since
	}
	return d.First
}

// Compare finds the moments of two runs and at which of them they disagree. Equal GPUs of a slot are
// interchangeable: what counts is how many GPUs of each slot each job holds. A nil b gives the moments
// of a alone. Decisions of the two runs closer than a twentieth of a round are one moment, since whole
// steps let one policy's rounds end milliseconds before another's. It goes in the pace of a.
func Compare(a, b *trace.Trace, la, lb *Lane) *Diff {
	d := &Diff{GPUs: a.GPUs(), First: -1, Job: -1, Since: -1}
	d.findMoments(a, b)
	if b == nil || len(a.Slots) != len(b.Slots) {
		return d
	}
	o := newOwners(a, [2]*Lane{la, lb})
	for i := range d.Moments {
		a.Pace.Did(1)
		m := &d.Moments[i]
		o.advance(m.At)
		m.Differ = o.total
		if m.Differ > 0 && d.First < 0 {
			d.First = i
			d.Job, d.Holds = o.telling(min(len(a.Jobs), len(b.Jobs)))
			for run := range 2 {
				d.Spare[run] = len(d.Holds[1-run]) > 0 && o.spare(run, d.Holds[1-run])
			}
			d.findPace([2]*trace.Trace{a, b})
		}
	}
	return d
}

// findPace finds since when the job is faster in the run that is done with it at the first disagreement. Until then
// both runs give every job the same GPUs.
func (d *Diff) findPace(runs [2]*trace.Trace) {
	at := d.Moments[d.First].At
	over := func(run int) bool {
		return d.Job >= 0 && runs[run].Jobs[d.Job].Finish >= 0 && runs[run].Jobs[d.Job].Finish <= at
	}
	if d.Job < 0 || over(0) == over(1) {
		return
	}
	var of [2][]int
	for run, t := range runs {
		for i := range t.Spans.Len() {
			runs[0].Pace.Did(1)
			switch s := &t.Spans; {
			case s.Job[i] != d.Job || s.Kind[i] != trace.Run || s.From[i] >= at:
			case s.Gang[i] > 0:
				return // copies, which progress together
			default:
				of[run] = append(of[run], i)
			}
		}
	}
	x, y, done := &runs[0].Spans, &runs[1].Spans, 1
	if over(0) {
		done = 0
	}
	for i, k := 0, 0; i < len(of[0]) && k < len(of[1]); {
		p, q := of[0][i], of[1][k]
		from, to := max(x.From[p], y.From[q]), min(x.To[p], y.To[q])
		pace := [2]float64{x.Rate[p], y.Rate[q]}
		if from < to && message.Against(pace[done], pace[1-done]) > message.Tie {
			d.Since, d.Pace = d.At(from), pace
			return
		}
		if x.To[p] <= y.To[q] {
			i++
		} else {
			k++
		}
	}
}

func (d *Diff) findMoments(a, b *trace.Trace) {
	runs := [2]*trace.Trace{a, b}
	near := near(a.Round)
	var next [2]int
	end := a.End
	if b != nil {
		end = max(end, b.End)
	}
	upcoming := func(r, skip int) unit.Tick {
		if t := runs[r]; t != nil && next[r]+skip < len(t.Rounds) {
			if at := t.Rounds[next[r]+skip].At; at < end || len(d.Moments) == 0 {
				return at
			}
		}
		return unit.Never
	}
	for {
		a.Pace.Did(1)
		at := min(upcoming(0, 0), upcoming(1, 0))
		if at == unit.Never {
			break
		}
		m := Moment{At: at}
		for r := range runs {
			if t := upcoming(r, 0); t <= at+near {
				m.At = max(m.At, t)
			}
		}
		// A decision that its own run replaces before the other run decides is a moment of its own.
		if min(upcoming(0, 1), upcoming(1, 1)) <= m.At {
			m.At = at
		}
		for r := range runs {
			for upcoming(r, 0) <= m.At {
				next[r]++
			}
			m.Round[r] = int32(next[r] - 1)
		}
		if n := len(d.Moments); n > 0 {
			d.Moments[n-1].End = m.At
		}
		d.Moments = append(d.Moments, m)
	}
	if n := len(d.Moments); n > 0 {
		d.Moments[n-1].End = max(end, d.Moments[n-1].At+1)
	}
}

// At is the index of the moment in force at an instant; 0 before the first.
func (d *Diff) At(t unit.Tick) int {
	i, _ := slices.BinarySearchFunc(d.Moments, t, func(m Moment, at unit.Tick) int {
		if m.At <= at {
			return -1
		}
		return 1
	})
	return max(i-1, 0)
}

// Next is the nearest moment after (step 1) or before (step -1) i at which the runs differ, -1 = none.
func (d *Diff) Next(i, step int) int {
	for i += step; i >= 0 && i < len(d.Moments); i += step {
		if d.Moments[i].Differ > 0 {
			return i
		}
	}
	return -1
}

// owners follows who holds the GPUs of each slot in both runs.
type owners struct {
	pace   unit.Pace
	slots  []trace.Slot
	events []event // by time
	next   int
	of     [][]share // per slot: jobs that hold GPUs in either run
	differ []int32   // per slot
	dirty  []bool    // per slot: changed at this instant
	total  int32
}

type event struct {
	at   unit.Tick
	slot int32
	job  int32
	run  int32
	n    int32
}

type share struct {
	job int32
	n   [2]int32
}

func newOwners(t *trace.Trace, lanes [2]*Lane) *owners {
	o := &owners{pace: t.Pace, slots: t.Slots, of: make([][]share, len(t.Slots)), differ: make([]int32, len(t.Slots)),
		dirty: make([]bool, len(t.Slots))}
	for run, l := range lanes {
		for i := range l.Holdings {
			h := &l.Holdings[i]
			for _, sh := range h.Shards {
				o.pace.Did(1)
				o.events = append(o.events, event{h.From, int32(sh.Slot), h.Job, int32(run), sh.N},
					event{h.To, int32(sh.Slot), h.Job, int32(run), -sh.N})
			}
		}
	}
	unit.SortByTickPaced(o.events, func(e *event) unit.Tick { return e.at }, o.pace)
	return o
}

// advance applies all changes up to and at an instant.
func (o *owners) advance(at unit.Tick) {
	var touched []int32
	for ; o.next < len(o.events) && o.events[o.next].at <= at; o.next++ {
		o.pace.Did(1)
		e := &o.events[o.next]
		list := o.of[e.slot]
		i := slices.IndexFunc(list, func(s share) bool { return s.job == e.job })
		if i < 0 {
			i = len(list)
			list = append(list, share{job: e.job})
		}
		list[i].n[e.run] += e.n
		o.of[e.slot] = list
		if !o.dirty[e.slot] {
			o.dirty[e.slot] = true
			touched = append(touched, e.slot)
		}
	}
	for _, s := range touched {
		o.dirty[s] = false
		o.recount(s)
	}
}

// recount drops jobs that hold nothing and counts the GPUs that cannot be matched to an equal owner.
func (o *owners) recount(slot int32) {
	list := slices.DeleteFunc(o.of[slot], func(s share) bool { return s.n == [2]int32{} })
	same, held := int32(0), [2]int32{}
	for _, s := range list {
		same += min(s.n[0], s.n[1])
		held[0] += s.n[0]
		held[1] += s.n[1]
	}
	most := o.slots[slot].Cap
	same += max(0, min(most-held[0], most-held[1])) // idle in both
	o.of[slot] = list
	o.total += most - same - o.differ[slot]
	o.differ[slot] = most - same
}

// telling picks the job whose difference explains most: one that runs in one run only before one that
// runs elsewhere, more GPUs before fewer, then the earlier job.
func (o *owners) telling(jobs int) (int32, [2][]model.Shard) {
	held, apart := make([][2]int32, jobs), make([]int32, jobs)
	for _, list := range o.of {
		for _, s := range list {
			if int(s.job) >= jobs {
				continue
			}
			held[s.job][0] += s.n[0]
			held[s.job][1] += s.n[1]
			apart[s.job] += max(s.n[0], s.n[1]) - min(s.n[0], s.n[1])
		}
	}
	best, score := int32(-1), int32(0)
	for j := range held {
		s := apart[j]
		if s > 0 && (held[j][0] == 0 || held[j][1] == 0) {
			s += 1 << 24
		}
		if s > score {
			best, score = int32(j), s
		}
	}
	var holds [2][]model.Shard
	for slot, list := range o.of {
		for _, s := range list {
			for run := range 2 {
				if s.job == best && s.n[run] > 0 {
					holds[run] = append(holds[run], model.Shard{Slot: model.SlotID(slot), N: s.n[run]})
				}
			}
		}
	}
	return best, holds
}

// spare says whether all of these GPUs lie idle in a run.
func (o *owners) spare(run int, shards []model.Shard) bool {
	for _, sh := range shards {
		idle := o.slots[sh.Slot].Cap
		for _, s := range o.of[sh.Slot] {
			idle -= s.n[run]
		}
		if idle < sh.N {
			return false
		}
	}
	return true
}
