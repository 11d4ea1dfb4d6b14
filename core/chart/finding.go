package chart

import (
	"math"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Finding is what a comparison shows: the claim and, after it, what stands behind it.
type Finding struct {
	Claim, Because string
	Side           int // of the compared runs the one that the second sentence begins with
}

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
		return Finding{Claim: Count(len(d.Moments), "Both policies decide alike in all {0} round.", "Both policies decide alike in all {0} rounds."), Because: words.T("Change a number to see them part.")}
	}
	claim, better := claimOf(&a, &b)
	if better < 0 {
		claim, better = words.F("{0} and {1} end alike.", a.Title, b.Title), 0
	}
	sides := [2]*Side{&a, &b}
	return Finding{claim, d.because(sides[better], sides[1-better], better), better}
}

// claimOf compares by the number of jobs that finish, then by the last finish, then by mean completion; the first
// that differs counts, times by half a per cent. Where the last finish is sooner and the mean completion longer, the
// claim says both. better is the run that does better, -1 = neither.
func claimOf(a, b *Side) (claim string, better int) {
	u := UnitFor(max(a.Trace.End, b.Trace.End))
	sides := [2]*Side{a, b}
	if na, nb := len(a.Lane.Dones), len(b.Lane.Dones); na != nb {
		better = pick(na > nb)
		return Count(max(na, nb)-min(na, nb), "{1} finishes {0} job more.", "{1} finishes {0} jobs more.", sides[better].Title), better
	}
	apart := func(x, y float64) bool { return math.Abs(x-y) > 0.005*max(x, y) }
	length := func(x, y float64) string { return u.apart(unit.Seconds(math.Abs(x - y))) }
	if x, y := a.Metrics.MakespanS, b.Metrics.MakespanS; apart(x, y) {
		better = pick(x < y)
		win, lose := sides[better], sides[1-better]
		if mine, theirs := win.Metrics.AvgJCTS, lose.Metrics.AvgJCTS; mine > theirs && apart(mine, theirs) {
			return words.F("{0} ends {1} sooner, but its mean completion is {2} longer.", win.Title, length(x, y), Percent(mine/theirs-1)), better
		}
		return words.F("{0} ends {1} sooner.", win.Title, length(x, y)), better
	}
	if x, y := a.Metrics.AvgJCTS, b.Metrics.AvgJCTS; apart(x, y) {
		better = pick(x < y)
		return words.F("{0} finishes its jobs {1} sooner on average.", sides[better].Title, length(x, y)), better
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
	round := itoa(d.First + 1)
	if d.Job < 0 {
		return words.F("They first differ in round {0}.", round)
	}
	job := win.Trace.Jobs[d.Job].Name
	switch {
	case len(theirs) == 0 && len(mine) > 0 && d.Spare[1-w]:
		return words.F("They first differ in round {0}: {1} runs {2} on {3} that {4} leaves idle.", round, win.Title, job, GangWords(win.Trace, mine, true), lose.Title)
	case len(theirs) == 0 && len(mine) > 0:
		return words.F("They first differ in round {0}: {1} gives {2} to {3}, {4} makes it wait.", round, win.Title, GangWords(win.Trace, mine, false), job, lose.Title)
	case len(mine) == 0 && len(theirs) > 0 && d.Spare[w]:
		return words.F("They first differ in round {0}: {1} lets {2} wait and leaves idle what {3} gives it, {4}.", round, win.Title, job, lose.Title, GangWords(lose.Trace, theirs, false))
	case len(mine) == 0 && len(theirs) > 0:
		return words.F("They first differ in round {0}: {1} lets {2} wait, {3} gives it {4}.", round, win.Title, job, lose.Title, GangWords(lose.Trace, theirs, false))
	}
	x, y := GangWords(win.Trace, mine, false), GangWords(lose.Trace, theirs, false)
	if x == y {
		x, y = placeWords(win.Trace, mine), placeWords(lose.Trace, theirs)
	}
	return words.F("They first differ in round {0}: {1} gives {2} to {3}, {4} gives it {5}.", round, win.Title, x, job, lose.Title, y)
}

// GangWords is a gang's GPUs by type, as 2 V100 and 1 P100; with articles, as a V100 plus a P100.
func GangWords(t *trace.Trace, shards []trace.Shard, articles bool) string {
	count := make([]int32, len(t.Types))
	for _, sh := range shards {
		count[t.Slots[sh.Slot].Type] += sh.N
	}
	s := ""
	for i := range count {
		typ := len(count) - 1 - i // types are sorted by name: v100 before p100 before k80 reads best
		if count[typ] == 0 {
			continue
		}
		name := TypeTitle(t.Types[typ])
		one := itoa(count[typ]) + " " + name
		switch {
		case articles && count[typ] == 1 && vowel(name):
			one = words.F("an {0}", name)
		case articles && count[typ] == 1:
			one = words.F("a {0}", name)
		}
		switch {
		case s == "":
			s = one
		case articles:
			s = words.F("{0} plus {1}", s, one)
		default:
			s = words.F("{0} and {1}", s, one)
		}
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
		slot := t.Slots[sh.Slot]
		one := words.F("{0} {1} on {2}", itoa(sh.N), TypeTitle(t.Types[slot.Type]), t.Nodes[slot.Node])
		if i > 0 {
			one = words.F("{0} and {1}", s, one)
		}
		s = one
	}
	return s
}

// Standing says in words what a job does at an instant.
func Standing(t *trace.Trace, l *Lane, job int32, at unit.Tick, u Unit) string {
	j := &t.Jobs[job]
	switch {
	case at < j.Arrive:
		return words.F("{0} has not arrived yet: it comes at {1}.", j.Name, u.At(j.Arrive))
	case j.Finish >= 0 && at >= j.Finish:
		return words.F("{0} is done since {1}.", j.Name, u.At(j.Finish))
	}
	for i := range l.Holdings {
		if h := &l.Holdings[i]; h.Job == job && h.From <= at && at < h.To {
			return words.F("{0} holds {1}, since {2}.", j.Name, placeWords(t, h.Shards), u.At(h.From))
		}
	}
	for i := range l.Waits {
		if w := &l.Waits[i]; w.Job == job && w.From <= at && at < w.To {
			return words.F("{0} waits since {1}.", j.Name, u.At(w.From))
		}
	}
	return words.F("{0} holds nothing.", j.Name)
}
