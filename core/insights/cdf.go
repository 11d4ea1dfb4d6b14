package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// CDF says how long half of the jobs and the slowest take. A run may end before its jobs do.
func CDF(in words.Catalogue, curves []chart.CDF, u figure.Unit) Finding {
	f := Finding{Because: in.T("The further left a curve lies, the sooner its jobs are complete.") + " "}
	half, dots := "", false
	for i := range curves {
		c := &curves[i]
		dots = dots || chart.Dotted(len(c.Steps))
		if q := c.Quantile(0.5); q < unit.Never {
			if half != "" {
				half += ", "
			}
			half += in.F("{0} under {1}", u.Long(in, q), c.Name)
		}
		if left := c.Jobs - len(c.Steps); left > 0 {
			f.Because += figure.Count(in, left, "{0} job is not complete when {1}’s run ends.",
				"{0} jobs are not complete when {1}’s run ends.", c.Name) + " "
		} else if n := len(c.Steps); n > 0 {
			f.Because += in.F("{0}’s slowest takes {1}.", c.Name, u.Long(in, c.Steps[n-1].CompletionTime)) + " "
		}
	}
	if dots {
		f.Because += in.T("A dot is a job: how long it took, and what part of the jobs took no longer.")
	}
	f.Claim = in.F("Half of the jobs are complete within {0}.", half)
	if half == "" {
		f.Claim = in.T("No run completes half of the jobs.")
	}
	return f
}
