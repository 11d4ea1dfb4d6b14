package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Shares names the job with the largest part of each run, and says whether another has as much.
func Shares(in words.Catalogue, all []chart.Shares, runs []*trace.Trace, titles []string) Finding {
	f := Finding{
		Because: in.T(
			"A job's progress is its speed over the greatest that it reaches in any lane, a measure of ours: steps of different models do not compare.")}
	for i := range all {
		best := -1
		for k := range all[i].Jobs {
			if best < 0 || all[i].Mean[k] > all[i].Mean[best] {
				best = k
			}
		}
		if best < 0 {
			continue
		}
		if f.Claim != "" {
			f.Claim += "; "
		}
		part, alike := figure.Percent(in, all[i].Mean[best]), []string{} // those whose part is written alike
		for k, j := range all[i].Jobs {
			if figure.Percent(in, all[i].Mean[k]) == part {
				alike = append(alike, runs[i].Jobs[j].Name)
			}
		}
		if len(alike) > 1 {
			f.Claim += in.F("under {0}, {1} has {2} of the progress, and the next as much, averaged over the time that is shown",
				titles[i], alike[0], part)
			continue
		}
		f.Claim += in.F("under {0}, {1} has {2} of the progress, averaged over the time that is shown", titles[i],
			alike[0], part)
	}
	if f.Claim == "" {
		return Finding{Claim: in.T("No job makes progress in the part that is shown.")}
	}
	f.Claim = in.F("The largest part: {0}.", f.Claim)
	return f
}
