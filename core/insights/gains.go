package insights

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// GainWords is a job's difference in a sentence, from the side of the first run.
func GainWords(in words.Catalogue, g chart.Gain, job string, names [2]string, u figure.Unit) string {
	switch {
	case !g.Known && g.By > 0:
		return in.F("{0} is complete under {1} only", job, names[0])
	case !g.Known:
		return in.F("{0} is complete under {1} only", job, names[1])
	case g.By == 0:
		return in.F("{0} takes as long under both", job)
	case alike(g, u):
		return in.F("{0} takes nearly as long under both", job)
	case g.By > 0:
		return in.F("{0} is {1} faster under {2}", job, u.Long(in, g.By), names[0])
	}
	return in.F("{0} is {1} slower under {2}", job, u.Long(in, -g.By), names[0])
}

// Gains counts winners and losers and names the greatest of each.
func Gains(in words.Catalogue, gains []chart.Gain, t *trace.Trace, names [2]string, u figure.Unit) Finding {
	win, lose := 0, 0
	for _, g := range gains {
		switch {
		case alike(g, u):
		case g.By > 0:
			win++
		case g.By < 0:
			lose++
		}
	}
	switch apart := slices.ContainsFunc(gains, func(g chart.Gain) bool { return g.By != 0 }); {
	case len(gains) == 0:
		return Finding{Claim: in.T("There is no job of which both completions are known.")}
	case win+lose == 0 && apart:
		return Finding{Claim: in.T("No job differs by enough between the two policies to be seen here.")}
	case win+lose == 0:
		return Finding{Claim: in.T("No job is faster under either policy.")}
	}
	f := Finding{Claim: figure.Count(in, win, "Under {1}, {0} job is faster and {2} slower than under {3}.",
		"Under {1}, {0} jobs are faster and {2} slower than under {3}.", names[0], figure.Int(lose), names[1])}
	if win > 0 {
		f.Because = GainWords(in, gains[0], t.Jobs[gains[0].Job].Name, names, u) + ". "
	}
	if last := gains[len(gains)-1]; lose > 0 {
		f.Because += GainWords(in, last, t.Jobs[last.Job].Name, names, u) + ". "
	}
	if win > 0 && lose > 0 {
		f.Because += in.T("The mean alone hides those that are slower.")
	}
	return f
}

// alike says whether a difference is too small to be written.
func alike(g chart.Gain, u figure.Unit) bool {
	return g.Known && u.Number(nil, max(g.By, -g.By)) == u.Number(nil, 0)
}
