package findings

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
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
			"At one value not every job finishes; its runs have a cross and are not compared.",
			"At {0} values not every job finishes; those runs have a cross and are not compared.")
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

// steady says which of the first two leads where the lead never changes.
func steady(in words.Catalogue, v *chart.Vary) string {
	a, b := &v.Lines[0], &v.Lines[1]
	leads, seen, apart := 0, 0, 0
	most, least := 0.0, math.Inf(1)
	for i := range v.X {
		if !chart.Comparable(a, b, i) {
			continue
		}
		seen++
		if now := v.Lead(a, b, i); now != 0 {
			leads = now
			apart++
			gap := math.Abs(a.Y[i]-b.Y[i]) / max(a.Y[i], b.Y[i])
			most, least = max(most, gap), min(least, gap)
		}
	}
	if leads > 0 {
		a, b = b, a
	}
	at := in.T("at every value")
	if seen < len(v.X) {
		at = figure.Count(in, seen, "at the one value that can be compared", "at the {0} values that can be compared")
	}
	switch {
	case seen == 0:
		return in.T("There is nothing to compare yet.")
	case leads == 0:
		return in.F("{0} and {1} are alike in {2} {3}.", a.Name, b.Name, v.What, at)
	case apart < seen:
		return in.F("{0} is better than {1} in {2} or alike {3}, by up to {4}.", a.Name, b.Name, v.What, at,
			figure.Percent(in, most))
	}
	if figure.Percent(in, least) == figure.Percent(in, most) {
		return in.F("{0} is better than {1} in {2} {3}, by {4}.", a.Name, b.Name, v.What, at, figure.Percent(in, most))
	}
	return in.F("{0} is better than {1} in {2} {3}, by {4} to {5}.", a.Name, b.Name, v.What, at,
		figure.Percent(in, least), figure.Percent(in, most))
}

// alone says where the one line is best.
func alone(in words.Catalogue, v *chart.Vary) string {
	best := -1
	l := &v.Lines[0]
	for i, y := range l.Y {
		if !math.IsNaN(y) && !l.Cut[i] && (best < 0 || (y-l.Y[best])*float64(v.Good) > 0) {
			best = i
		}
	}
	if best < 0 {
		return in.T("There is no run to speak of yet.")
	}
	return in.F("{0} does best in {1} at {2} {3}.", l.Name, v.What, figure.Sig(in, v.X[best], 6), v.Noun)
}
