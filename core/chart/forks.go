package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Fork is a round in which a job trains in several copies on separate nodes.
type Fork struct {
	Job      int32
	From, To unit.Tick
	Bars     []int32 // of the copies, by row
}

// Part is what a copy does from one decision to the next.
type Part struct {
	From, To unit.Tick
	Steps    float64
}

// forked says for each job whether its copies are merged at every decision.
func forked(t *trace.Trace) []bool {
	out := make([]bool, len(t.Jobs))
	for _, p := range t.Points(&trace.Merge) {
		t.Pace.Did(1)
		out[p.Of] = true
	}
	return out
}

// roundEnd is when round k gives way to the next.
func roundEnd(t *trace.Trace, k int) unit.Tick {
	if k+1 < len(t.Rounds) {
		return t.Rounds[k+1].At
	}
	return max(t.End, t.Rounds[k].At)
}

// addSteps adds a span of progress to the rounds it touches; spans of a copy come in order of time.
func (h *Holding) addSteps(t *trace.Trace, from, to unit.Tick, rate float64) {
	for k := max(0, t.RoundAt(from)); k < len(t.Rounds) && from < to; k++ {
		t.Pace.Did(1)
		end := min(to, roundEnd(t, k))
		if n := len(h.Parts); n == 0 || h.Parts[n-1].To <= t.Rounds[k].At {
			h.Parts = append(h.Parts, Part{From: max(h.From, t.Rounds[k].At)})
		}
		p := &h.Parts[len(h.Parts)-1]
		p.To = roundEnd(t, k)
		p.Steps += float64(rate * (end - from).Seconds())
		from = end
	}
}

// markForks tells merges from other stalls: where a copy of the job comes or goes the others stall with it, as for a
// move, unless that takes no longer than a merge.
func (l *Lane) markForks(t *trace.Trace) {
	type change struct {
		job int32
		at  unit.Tick
	}
	changes, merge := map[change]bool{}, map[int32]unit.Tick{}
	for _, p := range t.Points(&trace.Merge) {
		merge[p.Of] = unit.Seconds(p.Value)
	}
	for i := range l.Holdings {
		t.Pace.Did(1)
		if h := &l.Holdings[i]; h.Forked {
			changes[change{h.Job, h.From}], changes[change{h.Job, h.To}] = true, true
		}
	}
	for i := range l.Holdings {
		t.Pace.Did(1)
		h := &l.Holdings[i]
		if !h.Forked {
			continue
		}
		for k := range h.Pauses {
			p := &h.Pauses[k]
			p.Merge = p.Kind == trace.Stall && p.From > h.From &&
				(!changes[change{h.Job, p.From}] || p.To-p.From <= merge[h.Job])
		}
		if n := len(h.Parts); n > 0 {
			h.Parts[n-1].To = min(h.Parts[n-1].To, h.To)
		}
	}
}

// findForks finds the rounds in which a job holds more than one gang at once. Bars are by start.
func (l *Lane) findForks(t *trace.Trace) {
	of := make([][]int32, len(t.Jobs)) // bars of a forked job
	for i := range l.Bars {
		t.Pace.Did(1)
		if h := &l.Holdings[l.Bars[i].Holding]; h.Forked {
			of[h.Job] = append(of[h.Job], int32(i))
		}
	}
	for j := range of {
		if len(of[j]) > 1 {
			l.forksOf(t, int32(j), of[j])
		}
	}
	unit.SortByTickPaced(l.Forks, func(f *Fork) unit.Tick { return f.From }, t.Pace)
}

// forksOf walks through the rounds of one job with its bars, which are in order of their start.
func (l *Lane) forksOf(t *trace.Trace, job int32, bars []int32) {
	var now []int32 // bars that stand
	begins := func() int { return t.RoundAt(l.Holdings[l.Bars[bars[0]].Holding].From) }
	for k := max(0, begins()); k < len(t.Rounds) && len(bars)+len(now) > 0; k++ {
		if len(now) == 0 { // rounds in which it holds nothing are many
			k = max(k, begins())
		}
		t.Pace.Did(1 + len(now))
		at := t.Rounds[k].At
		for ; len(bars) > 0 && l.Holdings[l.Bars[bars[0]].Holding].From <= at; bars = bars[1:] {
			now = append(now, bars[0])
		}
		now = slices.DeleteFunc(now, func(i int32) bool { return l.Holdings[l.Bars[i].Holding].To <= at })
		f := Fork{Job: job, From: at, To: at}
		gangs := int32(0)
		for _, i := range now {
			h := l.Bars[i].Holding
			f.To = max(f.To, min(roundEnd(t, k), l.Holdings[h].To))
			if h != l.Bars[now[0]].Holding {
				gangs++
			}
		}
		if gangs > 0 {
			f.Bars = slices.Clone(now)
			unit.Sort(f.Bars, func(a, b int32) int { return cmp.Compare(l.Bars[a].Row, l.Bars[b].Row) })
			l.Forks = append(l.Forks, f)
		}
	}
}

// Copies is how many copies holding i's job has at an instant, and which of them it is, from 1, by row.
func (l *Lane) Copies(i int32, at unit.Tick) (nth, of int) {
	// A fork lasts a round at most: those in force began with the last round before.
	after, _ := slices.BinarySearchFunc(l.Forks, at, func(f Fork, at unit.Tick) int {
		if f.From <= at {
			return -1
		}
		return 1
	})
	for k := after - 1; k >= 0 && l.Forks[k].From == l.Forks[after-1].From; k-- {
		f := &l.Forks[k]
		if f.Job != l.Holdings[i].Job || at >= f.To {
			continue
		}
		last := int32(-1)
		for _, b := range f.Bars {
			if h := l.Bars[b].Holding; h != last {
				of, last = of+1, h
				if h == i {
					nth = of
				}
			}
		}
		return nth, of
	}
	return 1, 1
}

// leavers are, by node, when a forked copy runs there and of which job, if copies have their nodes to themselves: what
// else the node has is left by the copy. The policy says so; beside a copy that shares its node anybody may run.
func (l *Lane) leavers(t *trace.Trace) [][]leaver {
	out := make([][]leaver, len(t.Nodes))
	own := make([]bool, len(t.Nodes))
	for _, p := range t.Points(&trace.Left) {
		t.Pace.Did(1)
		own[t.Slots[p.Of].Node] = true
	}
	for i := range l.Holdings { // by start
		t.Pace.Did(1)
		if h := &l.Holdings[i]; h.Forked && len(h.Shards) > 0 {
			n := t.Slots[h.Shards[0].Slot].Node
			if !own[n] {
				continue
			}
			ended := h.To
			if k := len(out[n]); k > 0 {
				ended = max(ended, out[n][k-1].ended)
			}
			out[n] = append(out[n], leaver{h.From, h.To, ended, h.Job})
		}
	}
	return out
}

type leaver struct {
	from, to unit.Tick
	ended    unit.Tick // when it and all before it are over
	job      int32
}

// cut splits an idle stretch where copies on its node come and go; by is in order of their start.
func cut(d Idle, by []leaver) []Idle {
	var out []Idle
	for _, c := range by {
		if d.To <= c.from {
			break
		}
		if c.to <= d.From {
			continue
		}
		if c.from > d.From {
			before := d
			before.To = c.from
			out, d.From = append(out, before), c.from
		}
		mine := d
		mine.To, mine.By = min(d.To, c.to), c.job
		out, d.From = append(out, mine), mine.To
		if d.From >= d.To {
			return out
		}
	}
	return append(out, d)
}

// MergeAt is the middle of the stall with which a fork's round begins.
func (l *Lane) MergeAt(f *Fork) unit.Tick {
	if p := l.Holdings[l.Bars[f.Bars[0]].Holding].pauseAt(f.From); p != nil && p.Kind == trace.Stall &&
		p.From == f.From {
		return p.From + (min(p.To, f.To)-p.From)/2
	}
	return f.From
}

// Works is when a copy begins to progress in a round.
func (h *Holding) Works(part Part) unit.Tick {
	if p := h.pauseAt(part.From); p != nil && p.Kind == trace.Stall && part.From < p.To {
		return min(p.To, part.To)
	}
	return part.From
}

// pauseAt is the last pause that has begun by an instant, nil = none.
func (h *Holding) pauseAt(at unit.Tick) *Pause {
	i, _ := slices.BinarySearchFunc(h.Pauses, at, func(p Pause, at unit.Tick) int {
		if p.From <= at {
			return -1
		}
		return 1
	})
	if i == 0 {
		return nil
	}
	return &h.Pauses[i-1]
}

// StepWords lists a copy's steps by round, the first few of many.
func (h *Holding) StepWords(in words.Catalogue) string {
	const most = 6
	s := ""
	for i, part := range h.Parts[:min(len(h.Parts), most)] {
		if i > 0 {
			s += " + "
		}
		s += figure.Fixed(in, part.Steps, 0)
	}
	if len(h.Parts) > most {
		s += " + …"
	}
	if len(h.Parts) > 1 {
		return figure.Count(in, len(h.Parts), "{1} steps in {0} round", "{1} steps in {0} rounds", s)
	}
	return in.F("{0} steps", s)
}

// Merges is how often the copy of holding i is merged with others while it holds its GPUs, and how long all that takes;
// and how often its job is charged for a merge while it has one copy, which is as long.
func (l *Lane) Merges(i int32) (merged, charged Stalls) {
	h := &l.Holdings[i]
	for _, pause := range h.Pauses {
		if !pause.Merge {
			continue
		}
		s := &charged
		if _, of := l.Copies(i, pause.From-1); of > 1 { // those of the round before become one
			s = &merged
		}
		s.N, s.For = s.N+1, s.For+pause.To-pause.From
	}
	return merged, charged
}

// Stalls are how many, and how long all together.
type Stalls struct {
	N   int
	For unit.Tick
}
