package chart

import (
	"math"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Finding is what a comparison shows: the claim and, after it, what stands behind it.
type Finding struct{ Claim, Because string }

// Side is one of the two compared runs.
type Side struct {
	Title   string
	Trace   *trace.Trace
	Lane    *Lane
	Metrics *message.Metrics
}

// Find says in words who does better and by what, and where the two part. Everything in it comes from
// the results.
func Find(a, b Side, d *Diff) Finding {
	if d.First < 0 {
		return Finding{"Both policies decide alike in all " + Count(len(d.Moments), "round") + ".", "Change a number to see them part."}
	}
	win, lose, w := a, b, 0
	claim, better := claimOf(&a, &b)
	if better == 1 {
		win, lose, w = b, a, 1
	}
	if better < 0 {
		claim = a.Title + " and " + b.Title + " end alike:"
	}
	return Finding{claim, d.because(&win, &lose, w)}
}

// claimOf compares by the last finish, then by mean completion, then by GPUs at work; the first that
// differs by half a per cent counts. better is the run that does better, -1 = neither.
func claimOf(a, b *Side) (claim string, better int) {
	u := UnitFor(max(a.Trace.End, b.Trace.End))
	if na, nb := len(a.Lane.Dones), len(b.Lane.Dones); na != nb {
		better = pick(na > nb)
		return [2]*Side{a, b}[better].Title + " finishes " + Count(max(na, nb)-min(na, nb), "job") + " more:", better
	}
	length := func(x, y float64) string { return u.Long(unit.Seconds(math.Abs(x - y))) }
	for _, m := range []struct {
		x, y  float64
		words func(by string) string
	}{
		{a.Metrics.MakespanS, b.Metrics.MakespanS, func(by string) string { return " ends " + by + " sooner:" }},
		{a.Metrics.AvgJCTS, b.Metrics.AvgJCTS, func(by string) string { return " finishes its jobs " + by + " sooner on average:" }},
	} {
		if math.Abs(m.x-m.y) > 0.005*max(m.x, m.y) {
			better = pick(m.x < m.y)
			return [2]*Side{a, b}[better].Title + m.words(length(m.x, m.y)), better
		}
	}
	return "", -1
}

func pick(first bool) int {
	if first {
		return 0
	}
	return 1
}

// because tells the first disagreement from the winner's side.
func (d *Diff) because(win, lose *Side, w int) string {
	mine, theirs := d.Holds[w], d.Holds[1-w]
	when := " in round " + itoa(d.First+1)
	if d.Job < 0 {
		return "they first differ" + when + "."
	}
	job := win.Trace.Jobs[d.Job].Name
	switch {
	case len(theirs) == 0 && len(mine) > 0 && d.Spare[1-w]:
		return "it runs " + job + " on " + GangWords(win.Trace, mine, true) + " that " + lose.Title + " leaves idle."
	case len(theirs) == 0 && len(mine) > 0:
		return "it gives " + GangWords(win.Trace, mine, false) + " to " + job + when + ", where " + lose.Title + " makes it wait."
	case len(mine) == 0 && len(theirs) > 0 && d.Spare[w]:
		return "it lets " + job + " wait" + when + " and leaves idle what " + lose.Title + " gives it, " + GangWords(lose.Trace, theirs, false) + "."
	case len(mine) == 0 && len(theirs) > 0:
		return "it lets " + job + " wait" + when + ", where " + lose.Title + " gives it " + GangWords(lose.Trace, theirs, false) + "."
	}
	x, y := GangWords(win.Trace, mine, false), GangWords(lose.Trace, theirs, false)
	if x == y {
		x, y = placeWords(win.Trace, mine), placeWords(lose.Trace, theirs)
	}
	return "it gives " + x + " to " + job + when + ", where " + lose.Title + " gives it " + y + "."
}

// GangWords is a gang's GPUs by type, as 2 V100 and 1 P100; with articles, as a V100 plus a P100.
func GangWords(t *trace.Trace, shards []trace.Shard, articles bool) string {
	count := make([]int32, len(t.Types))
	kinds := 0
	for _, sh := range shards {
		typ := t.Slots[sh.Slot].Type
		if count[typ] == 0 {
			kinds++
		}
		count[typ] += sh.N
	}
	s, done := "", 0
	for i := range count {
		typ := len(count) - 1 - i // types are sorted by name: v100 before p100 before k80 reads best
		if count[typ] == 0 {
			continue
		}
		if done > 0 && articles {
			s += " plus "
		} else if done > 0 {
			s += " and "
		}
		name := TypeTitle(t.Types[typ])
		switch {
		case articles && count[typ] == 1 && vowel(name):
			s += "an " + name
		case articles && count[typ] == 1:
			s += "a " + name
		default:
			s += itoa(count[typ]) + " " + name
		}
		done++
	}
	return s
}

func vowel(s string) bool {
	return s != "" && (s[0] == 'A' || s[0] == 'E' || s[0] == 'I' || s[0] == 'O')
}

// placeWords is a gang's GPUs by node.
func placeWords(t *trace.Trace, shards []trace.Shard) string {
	s := ""
	for i, sh := range shards {
		if i > 0 {
			s += " and "
		}
		slot := t.Slots[sh.Slot]
		s += itoa(sh.N) + " " + TypeTitle(t.Types[slot.Type]) + " on " + t.Nodes[slot.Node]
	}
	return s
}

// Standing says in words what a job does at an instant.
func Standing(t *trace.Trace, l *Lane, job int32, at unit.Tick, u Unit) string {
	j := &t.Jobs[job]
	switch {
	case at < j.Arrive:
		return j.Name + " has not arrived yet: it comes at " + u.At(j.Arrive) + "."
	case j.Finish >= 0 && at >= j.Finish:
		return j.Name + " is done since " + u.At(j.Finish) + "."
	}
	for i := range l.Holdings {
		if h := &l.Holdings[i]; h.Job == job && h.From <= at && at < h.To {
			return j.Name + " holds " + placeWords(t, h.Shards) + ", since " + u.At(h.From) + "."
		}
	}
	for i := range l.Waits {
		if w := &l.Waits[i]; w.Job == job && w.From <= at && at < w.To {
			return j.Name + " waits since " + u.At(w.From) + "."
		}
	}
	return j.Name + " holds nothing."
}
