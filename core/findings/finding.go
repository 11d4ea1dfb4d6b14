// Package findings says in sentences what runs show: who does better and by what, where two part, what each chart of a
// result tells, what a job does at an instant. A finding is a claim and what stands behind it.
//
// It refuses to draw and to measure: every number in a sentence comes from a result or from package chart. Sentences
// are in the language of the catalogue that is handed in.
package findings

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
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
	Lane    *chart.Lane
	Metrics *message.Metrics
}

// Find says in words who does better and by what, and where the two part. Everything in it comes from
// the results.
func Find(in words.Catalogue, a, b Side, d *chart.Diff) Finding {
	if d.First < 0 {
		return Finding{Claim: figure.Count(in, len(d.Moments), "Both policies decide alike in the only round.",
			"Both policies decide alike in all {0} rounds."), Because: in.T("Change a number to see where they part.")}
	}
	claim, better := claimOf(in, &a, &b)
	if better < 0 {
		claim, better = in.F("{0} and {1} end alike.", a.Title, b.Title), 0
	}
	sides := [2]*Side{&a, &b}
	return Finding{claim, because(in, d, sides[better], sides[1-better], better), better}
}

// claimOf compares by the number of jobs that finish, then by the last finish, then by mean completion; the first
// that differs counts, times by half a per cent. Where the last finish is sooner and the mean completion longer, the
// claim says both. better is the run that does better, -1 = neither.
func claimOf(in words.Catalogue, a, b *Side) (claim string, better int) {
	u := figure.UnitFor(max(a.Trace.End, b.Trace.End))
	sides := [2]*Side{a, b}
	if na, nb := len(a.Lane.Dones), len(b.Lane.Dones); na != nb {
		better = pick(na > nb)
		return figure.Count(in, max(na, nb)-min(na, nb), "{1} finishes {0} job more.", "{1} finishes {0} jobs more.",
			sides[better].Title), better
	}
	apart := func(x, y float64) bool { return math.Abs(x-y) > 0.005*max(x, y) }
	length := func(x, y float64) string { return u.Apart(in, unit.Seconds(math.Abs(x-y))) }
	if x, y := a.Metrics.MakespanS, b.Metrics.MakespanS; apart(x, y) {
		better = pick(x < y)
		win, lose := sides[better], sides[1-better]
		if mine, theirs := win.Metrics.AvgJCTS, lose.Metrics.AvgJCTS; mine > theirs && apart(mine, theirs) {
			return in.F("{0} ends {1} sooner, but its mean completion is {2} longer.", win.Title, length(x, y),
				figure.Percent(in, mine/theirs-1)), better
		}
		return in.F("{0} ends {1} sooner.", win.Title, length(x, y)), better
	}
	if x, y := a.Metrics.AvgJCTS, b.Metrics.AvgJCTS; apart(x, y) {
		better = pick(x < y)
		return in.F("{0} finishes its jobs {1} sooner on average.", sides[better].Title, length(x, y)), better
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
func because(in words.Catalogue, d *chart.Diff, win, lose *Side, w int) string {
	mine, theirs := d.Holds[w], d.Holds[1-w]
	round := figure.Int(d.First + 1)
	if d.Job < 0 {
		return in.F("They first differ in round {0}.", round)
	}
	job := win.Trace.Jobs[d.Job].Name
	switch {
	case len(theirs) == 0 && len(mine) > 0 && d.Spare[1-w]:
		return in.F("They first differ in round {0}: {1} runs {2} on {3} that {4} leaves idle.", round, win.Title,
			job, GangWords(in, win.Trace, mine, true), lose.Title)
	case len(theirs) == 0 && len(mine) > 0:
		return in.F("They first differ in round {0}: {1} gives {2} to {3}, {4} makes it wait.", round, win.Title,
			GangWords(in, win.Trace, mine, false), job, lose.Title)
	case len(mine) == 0 && len(theirs) > 0 && d.Spare[w]:
		return in.F("They first differ in round {0}: {1} lets {2} wait and leaves idle what {3} gives it, {4}.",
			round, win.Title, job, lose.Title, GangWords(in, lose.Trace, theirs, false))
	case len(mine) == 0 && len(theirs) > 0:
		return in.F("They first differ in round {0}: {1} lets {2} wait, {3} gives it {4}.", round, win.Title, job,
			lose.Title, GangWords(in, lose.Trace, theirs, false))
	}
	x, y := GangWords(in, win.Trace, mine, false), GangWords(in, lose.Trace, theirs, false)
	if x == y {
		x, y = placeWords(in, win.Trace, mine), placeWords(in, lose.Trace, theirs)
	}
	return in.F("They first differ in round {0}: {1} gives {2} to {3}, {4} gives it {5}.", round, win.Title, x, job,
		lose.Title, y)
}
