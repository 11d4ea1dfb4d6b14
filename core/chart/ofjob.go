package chart

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// facts are what a page asks of a lane at every step of the cursor: none may go through a whole run.
type facts struct {
	held, waits                  byJob // holdings and waits
	forked, left, resizes, timed bool
}

// find notes what is asked of the lane often.
func (l *Lane) find(t *trace.Trace) {
	f := &l.facts
	f.held = groupByJob(len(t.Jobs), len(l.Holdings), func(i int32) (job, with int32) {
		f.forked = f.forked || l.Holdings[i].Forked
		return l.Holdings[i].Job, l.Holdings[i].With
	}, t.Pace)
	wait := func(i int32) (job, with int32) { return l.Waits[i].Job, -1 }
	f.waits = groupByJob(len(t.Jobs), len(l.Waits), wait, t.Pace)
	f.left = slices.ContainsFunc(l.Idles, func(d Idle) bool { return d.By >= 0 })
	f.resizes = l.sizesDiffer()
	f.timed = Timed(t)
}

// Forked says whether any job of the lane trains in copies that are merged.
func (l *Lane) Forked() bool { return l.facts.forked }

// Left says whether a copy that has its node to itself leaves GPUs there idle.
func (l *Lane) Left() bool { return l.facts.left }

// Resizes says whether a job of the run holds gangs of different sizes; copies that a job is forked into are not
// counted together.
func (l *Lane) Resizes() bool { return l.facts.resizes }

// Timed says whether jobs of the lane wait by timers.
func (l *Lane) Timed() bool { return l.facts.timed }

// HoldingsOf are the holdings that a job is a member of, by start.
func (l *Lane) HoldingsOf(job int32) []int32 { return l.facts.held.of(job) }

// WaitsOf are the waits of a job, by start.
func (l *Lane) WaitsOf(job int32) []int32 { return l.facts.waits.of(job) }

// BarsOf are the bars of a job, in order; not those of gangs that are drawn for another member.
func (l *Lane) BarsOf(job int32) (bars []int32) {
	for _, h := range l.HoldingsOf(job) {
		if l.Holdings[h].Job != job {
			continue
		}
		at, _ := slices.BinarySearchFunc(l.Bars, h, func(b Bar, h int32) int { return int(b.Holding - h) })
		for ; at < len(l.Bars) && l.Bars[at].Holding == h; at++ {
			bars = append(bars, int32(at))
		}
	}
	return bars
}

// byJob are numbers of a list's entries by job, those of a job in the list's order.
type byJob struct {
	first []int32 // of each job in list, and the end
	list  []int32
}

// groupByJob groups n entries; jobs gives the job of one, and another that it is of as well, -1 = none.
func groupByJob(count, n int, jobs func(i int32) (job, with int32), pace unit.Pace) (g byJob) {
	g.first = make([]int32, count+1)
	for i := range int32(n) {
		pace.Did(1)
		job, with := jobs(i)
		g.first[job+1]++
		if with >= 0 {
			g.first[with+1]++
		}
	}
	for j := range count {
		g.first[j+1] += g.first[j]
	}
	g.list = make([]int32, g.first[count])
	next := slices.Clone(g.first)
	put := func(job, i int32) {
		g.list[next[job]] = i
		next[job]++
	}
	for i := range int32(n) {
		pace.Did(1)
		job, with := jobs(i)
		if put(job, i); with >= 0 {
			put(with, i)
		}
	}
	return g
}

// of are the entries of a job; none where nothing was grouped.
func (g *byJob) of(job int32) []int32 {
	if job < 0 || int(job)+1 >= len(g.first) {
		return nil
	}
	return g.list[g.first[job]:g.first[job+1]]
}
