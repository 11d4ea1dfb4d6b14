// Package insights says in sentences what runs show: who does better and by what, where two part, what each chart of a
// result tells, what a job does at an instant. A finding is a claim and what stands behind it.
//
// It refuses to draw and to measure: every number in a sentence comes from a result or from package chart. Sentences
// are in the language of the catalogue that is handed in.
package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/trace"
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

// Find says in words by what the first run differs from the second, and where the two part; of says how many runs
// they are the best two of, all of which finish as many jobs. Everything in it comes from the results.
func Find(in words.Catalogue, a, b Side, d *chart.Diff, of int) Finding {
	if d.First < 0 && a.Lane.Counted == b.Lane.Counted && message.Tied(a.Metrics.AvgJCTS, b.Metrics.AvgJCTS) &&
		message.Tied(a.Metrics.MakespanS, b.Metrics.MakespanS) {
		return noParting(in, &a, &b, d, of)
	}
	claim, better := claimOf(in, &a, &b, of)
	sides := [2]*Side{&a, &b}
	says := ""
	if d.First < 0 { // a merge is charged, or the batch is another
		says = Differences(in, d)
	} else {
		says = because(in, d, sides[better], sides[1-better], better)
	}
	for _, s := range sides {
		says += beyond(in, s)
	}
	return Finding{claim, says, better}
}

// noParting says that the two give every job the same GPUs, with whatever batch and merges, and of more runs that no
// other has a better mean completion.
func noParting(in words.Catalogue, a, b *Side, d *chart.Diff, of int) Finding {
	claim := figure.Count(in, len(d.Moments), "{1} and {2} give every job the same GPUs in the only round.",
		"{1} and {2} give every job the same GPUs in all {0} rounds.", a.Title, b.Title)
	if of > 2 {
		claim += " " + in.F("Of {0} lanes none has a better mean completion.", figure.Int(of))
	}
	return Finding{Claim: claim, Because: in.T("Change a number to see where they part.")}
}

// beyond says how much of the GPU time that jobs hold is more than they asked for, where it is worth a word: copies of
// a forked job and elastic jobs have it.
func beyond(in words.Catalogue, s *Side) string {
	m := s.Metrics
	share := m.GPUOverS / (m.BusyGPUS + m.StalledGPUS + m.HoldGPUS)
	if !(share > message.Tie) {
		return ""
	}
	return " " + in.F("Under {0} jobs hold more GPUs than they asked for: {1} of their GPU time.", s.Title,
		figure.Percent(in, share))
}

// claimOf compares by the number of jobs that finish and then by mean completion, which is what the questions of the
// lab are about. The last finish is said too where it does not agree. better is the run that does better, the first
// where neither does.
func claimOf(in words.Catalogue, a, b *Side, of int) (claim string, better int) {
	if na, nb := a.Lane.Counted, b.Lane.Counted; na != nb {
		better = pick(na > nb)
		return figure.Count(in, max(na, nb)-min(na, nb), "{1} finishes {0} job more.", "{1} finishes {0} jobs more.",
			[]string{a.Title, b.Title}[better]), better
	} else if na == 0 {
		return in.F("No job is complete under {0} or {1} when the runs end.", a.Title, b.Title), 0
	}
	mean, last := message.Against(a.Metrics.AvgJCTS, b.Metrics.AvgJCTS),
		message.Against(a.Metrics.MakespanS, b.Metrics.MakespanS)
	tied, lastTied := message.Tied(a.Metrics.AvgJCTS, b.Metrics.AvgJCTS),
		message.Tied(a.Metrics.MakespanS, b.Metrics.MakespanS)
	switch {
	case tied && a.Metrics.AvgJCTS == b.Metrics.AvgJCTS:
		claim = in.F("{0} and {1} have the same mean completion.", a.Title, b.Title)
	case tied:
		claim = in.F("{0} and {1} tie: {0}’s mean completion is {2} {1}’s, and up to {3} is a tie.", a.Title, b.Title,
			figure.Against(in, mean), figure.Percent(in, message.Tie))
	case of > 2:
		claim = in.F("{0} has the best mean completion of {3}, {2} the next, {1}.", a.Title, b.Title,
			figure.Against(in, mean), figure.Int(of))
	default:
		claim = in.F("{0}’s mean completion is {2} {1}’s.", a.Title, b.Title, figure.Against(in, mean))
	}
	if !lastTied && (tied || (mean > 0) != (last > 0)) {
		claim += " " + in.F("{0}’s last finish is {2} {1}’s.", a.Title, b.Title, figure.Against(in, last))
	}
	return claim + counted(in, a, b), pick(mean <= 0 && !tied || tied && (last <= 0 || lastTied))
}

// counted says of which jobs figures are where they are of a window, or some are left.
func counted(in words.Catalogue, a, b *Side) string {
	w := a.Trace.Measured()
	n, jobs := a.Lane.Counted, int(w.To-w.From)
	switch {
	case n == jobs && a.Trace.Window.To > 0:
		return " " + in.F("Counted are jobs {0} to {1} by arrival.", figure.Int(int(w.From)+1), figure.Int(int(w.To)))
	case n == jobs:
		return ""
	}
	for j := w.From; j < w.To; j++ {
		if (a.Trace.Jobs[j].Finish < 0) != (b.Trace.Jobs[j].Finish < 0) {
			return " " + in.F("Counted are the {0} of {1} jobs that are complete, not the same ones under both.",
				figure.Int(n), figure.Int(jobs))
		}
	}
	return " " + in.F("Counted are the {0} of {1} jobs that are complete.", figure.Int(n), figure.Int(jobs))
}

func pick(first bool) int {
	if first {
		return 0
	}
	return 1
}

// sooner tells that a job is complete under one run and not under the other, and by what speed, where it had the same
// GPUs there.
func sooner(in words.Catalogue, d *chart.Diff, done, runs *Side, w int) string {
	job := done.Trace.Jobs[d.Job].Name
	says := in.F("They first differ in round {0}: {2} is complete under {3} and still runs under {1}.",
		figure.Int(d.First+1), runs.Title, job, done.Title)
	if d.Since < 0 {
		return says
	}
	return says + " " + in.F("From round {0} on, on the same GPUs, it is {1} times as fast under {2}.",
		figure.Int(d.Since+1), figure.Sig(in, d.Pace[w]/d.Pace[1-w], 3), done.Title)
}

// because tells the first disagreement from the winner's side.
func because(in words.Catalogue, d *chart.Diff, win, lose *Side, w int) string {
	mine, theirs := d.Holds[w], d.Holds[1-w]
	round := figure.Int(d.First + 1)
	if d.Job < 0 {
		return in.F("They first differ in round {0}.", round)
	}
	job := win.Trace.Jobs[d.Job].Name
	over := func(s *Side) bool { // its run is done with the job, and does not let it wait
		end := s.Trace.Jobs[d.Job].Finish
		return end >= 0 && end <= d.Moments[d.First].At
	}
	switch {
	case len(theirs) == 0 && len(mine) > 0 && over(lose):
		return sooner(in, d, lose, win, 1-w)
	case len(mine) == 0 && len(theirs) > 0 && over(win):
		return sooner(in, d, win, lose, w)
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
