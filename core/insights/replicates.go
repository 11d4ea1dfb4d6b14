package insights

import (
	"cmp"
	"math"
	"strconv"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Replicates says how one policy differs from another in the completion time of the same jobs, and whether the
// seeds settle it. The difference is in s.
func Replicates(in words.Catalogue, name, base string, d *message.Estimate) Finding {
	u := figure.SecondsUnit(max(math.Abs(d.Mean), 1))
	w := chart.Whisk(d, float64(u.Length)/1000, "", "")
	seeds := strconv.Itoa(d.N)
	f := Finding{}
	switch {
	case d.N < 2:
		f.Claim = in.T("One seed is done: there is no interval yet.")
		return f
	case d.Mean == 0 && w.High == w.Low:
		f.Claim = in.F("{0} and {1} complete the same jobs alike with each of {2} seeds.", name, base, seeds)
		return f
	}
	half := w.Half()
	apart, agree := figure.Spread(in, math.Abs(w.Mean), half)+" "+in.T(u.Many), strconv.Itoa(d.SameSign)
	if d.Mean < 0 {
		f.Claim = in.F(
			"On average a job completes {2} sooner under {0} than the same job under {1}; the sign agrees in {3} of {4} seeds.",
			name, base, apart, agree, seeds)
	} else {
		f.Claim = in.F(
			"On average a job completes {2} later under {0} than the same job under {1}; the sign agrees in {3} of {4} seeds.",
			name, base, apart, agree, seeds)
	}
	switch {
	case half == 0:
		f.Because = in.T("Every seed gives the same difference.")
	case *d.Low > 0 || *d.High < 0:
		f.Because = in.T("The 95 % interval of the mean does not contain 0: the mean over other seeds would most likely have the same sign, a single seed need not.")
	default:
		f.Because = in.T("The 95 % interval of the mean contains 0: these seeds do not settle which of the two is better.")
	}
	return f
}

// Means says by what the mean completion over all seeds differs between the lanes of a point with replicates: of two
// the first from the second, of more the best from the next, as headlines do.
func Means(in words.Catalogue, names []string, p *message.SweepPoint) Finding {
	s := p.Summary
	if s == nil || len(s.Policies) < 2 {
		return Finding{}
	}
	var means []float64
	for i := range s.Policies {
		e := estimate(s.Policies[i].Metrics, "avg_jct_s")
		if e == nil {
			return Finding{Claim: in.T("Not every lane completes a job, so that their means cannot be compared.")}
		}
		means = append(means, e.Mean)
	}
	a, b := 0, 1
	if len(means) > 2 {
		order := make([]int, len(means))
		for i := range order {
			order[i] = i
		}
		unit.Sort(order, func(x, y int) int { return cmp.Or(cmp.Compare(means[x], means[y]), x-y) })
		a, b = order[0], order[1]
	}
	f, seeds, gap := Finding{}, figure.Int(s.Replicates), figure.Against(in, message.Against(means[a], means[b]))
	switch {
	case means[a] == means[b]:
		f.Claim = in.F("Over {2} seeds {0} and {1} have the same mean completion.", names[a], names[b], seeds)
	case message.Tied(means[a], means[b]):
		f.Claim = in.F("Over {3} seeds {0} and {1} tie: {0}’s mean completion is {2} {1}’s, and up to {4} is a tie.",
			names[a], names[b], gap, seeds, figure.Percent(in, message.Tie))
	case len(means) > 2:
		f.Claim = in.F("Over {3} seeds {0} has the best mean completion of {4}, {2} the next, {1}.", names[a], names[b],
			gap, seeds, figure.Int(len(means)))
	default:
		f.Claim = in.F("Over {3} seeds {0}’s mean completion is {2} {1}’s.", names[a], names[b], gap, seeds)
	}
	d := estimate(s.Policies[max(a, b)].Differences, "avg_jct_s")
	half, ok := 0.0, false
	if d != nil && min(a, b) == 0 { // differences are to the first lane
		half, ok = d.Half()
	}
	switch {
	case !ok:
	case half == 0:
		f.Because = in.T("Every seed gives the same difference.")
	case *d.Low > 0 || *d.High < 0:
		f.Because = in.T("Seed by seed, the 95 % interval of the difference does not contain 0: other seeds would most likely agree, a single one need not.")
	default:
		f.Because = in.T("Seed by seed, the 95 % interval of the difference contains 0: these seeds do not settle which of the two is better.")
	}
	for i := range p.Runs {
		if p.Runs[i].Outcome != "done" {
			f.Because += " " + in.T("Some runs end before all their jobs do: counted are the jobs that are complete.")
			break
		}
	}
	return f
}

// estimate looks a figure up, nil = unknown.
func estimate(of []message.Estimate, metric string) *message.Estimate {
	for i := range of {
		if of[i].Metric == metric {
			return &of[i]
		}
	}
	return nil
}
