package insights

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Vary says where the lead changes, or who leads.
func Vary(in words.Catalogue, v *chart.Vary) Finding {
	f := Finding{}
	cut := 0
	for i := range v.X {
		for _, l := range v.Lines {
			if l.Cut[i] {
				cut++
				break
			}
		}
	}
	if cut > 0 {
		f.Because = figure.Count(in, cut,
			"At one value not every run finishes its jobs; one that does not has a cross and is not compared.",
			"At {0} values not every run finishes its jobs; one that does not has a cross and is not compared.")
	}
	if len(v.Lines) < 2 {
		f.Claim = alone(in, v)
		return f
	}
	crossings := v.Crossings()
	for i, c := range crossings {
		if i == 3 {
			f.Because = figure.Count(in, len(crossings)-i, "The lead changes once more.",
				"The lead changes {0} times more.") + " " + f.Because
			break
		}
		if i > 0 {
			f.Claim += " "
		}
		f.Claim += in.F("{0} becomes better than {1} in {2} between {3} and {4} {5}.", v.Lines[c.To].Name,
			v.Lines[c.From].Name, v.What, figure.Sig(in, v.X[c.I], 6), figure.Sig(in, v.X[c.K], 6), v.Noun)
	}
	if len(crossings) == 0 {
		f.Claim = steady(in, v)
	}
	return f
}

// steady says by how much the first line differs from the second where the lead never changes.
func steady(in words.Catalogue, v *chart.Vary) string {
	a, b := &v.Lines[0], &v.Lines[1]
	seen, ties, nothing := 0, 0, false // nothing is a second figure of 0, of which none is a share
	var most, least float64            // of what is no tie: all on one side
	for i := range v.X {
		if !chart.Comparable(a, b, i) {
			continue
		}
		seen++
		if v.Lead(a, b, i) == 0 {
			ties++
			continue
		}
		gap := message.Against(a.Y[i], b.Y[i])
		nothing = nothing || math.IsNaN(gap)
		if v.Share {
			gap = a.Y[i] - b.Y[i]
		}
		if seen-ties == 1 || math.Abs(gap) > math.Abs(most) {
			most = gap
		}
		if seen-ties == 1 || math.Abs(gap) < math.Abs(least) {
			least = gap
		}
	}
	at := among(in, v, seen)
	size := func(gap float64) string { return figure.Percent(in, math.Abs(gap)) }
	if v.Share {
		size = func(gap float64) string { return figure.Points(in, gap) }
	}
	gap := size(most)
	if from := size(least); from != gap {
		gap = in.F("between {0} and {1}", from, gap)
	}
	gap = figure.Apart(in, most, gap)
	if nothing && !v.Share {
		gap = in.T("above")
	}
	switch {
	case seen == 0:
		return in.T("There is nothing to compare yet.")
	case ties == seen:
		return in.F("{0} and {1} tie in {2} {3}: they differ by at most {4}.", a.Name, b.Name, v.What, at,
			figure.Percent(in, message.Tie))
	case ties > 0:
		return in.F("{0}’s {2} is {4} {1}’s or ties with it, {3}.", a.Name, b.Name, v.What, at, gap)
	}
	return in.F("{0}’s {2} is {4} {1}’s, {3}.", a.Name, b.Name, v.What, at, gap)
}

// among says at which values something holds that was seen at so many.
func among(in words.Catalogue, v *chart.Vary, seen int) string {
	if seen < len(v.X) {
		return figure.Count(in, seen, "at the one value that can be compared", "at the {0} values that can be compared")
	}
	return in.T("at every value")
}

// alone says where the one line is best.
func alone(in words.Catalogue, v *chart.Vary) string {
	best, seen, alike := -1, 0, 0
	l := &v.Lines[0]
	for i, y := range l.Y {
		switch {
		case math.IsNaN(y) || l.Cut[i]:
			continue
		case best < 0 || (y-l.Y[best])*float64(v.Good) > 0:
			best, alike = i, 1
		case y == l.Y[best]:
			alike++
		}
		seen++
	}
	if best < 0 {
		return in.T("There is no run to speak of yet.")
	}
	switch at := figure.Sig(in, v.X[best], 6); {
	case alike == seen && seen > 1:
		return in.F("{0} does equally well in {1} {2}.", l.Name, v.What, among(in, v, seen))
	case alike > 1:
		return in.F("{0} does best in {1} at {2} {3}, and at other values as well.", l.Name, v.What, at, v.Noun)
	default:
		return in.F("{0} does best in {1} at {2} {3}.", l.Name, v.What, at, v.Noun)
	}
}
