package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Ratios says how many jobs do worse than on an equal share, and who does worst.
func Ratios(in words.Catalogue, curves []chart.Ratios, job func(int32) string) Finding {
	f, dots, jobs := Finding{}, false, 0
	for i := range curves {
		c := &curves[i]
		jobs += len(c.V)
		dots = dots || chart.Dotted(len(c.V))
		if i > 0 {
			f.Claim += ", "
		}
		of := figure.Count(in, len(c.V), "{0} job", "{0} jobs")
		if len(c.V) < c.Jobs {
			of = figure.Count(in, len(c.V), "the {0} job that is complete", "the {0} jobs that are complete")
		}
		f.Claim += in.F("{0} of {1} under {2}", figure.Int(c.Worse()), of, c.Name)
		if n := len(c.V); n > 0 {
			worst, as := figure.Fixed(in, c.V[n-1], 2), 0
			for as+1 < n && figure.Fixed(in, c.V[n-2-as], 2) == worst {
				as++
			}
			switch name := job(c.Job[n-1]); as {
			case 0:
				f.Because += in.F("{0}’s worst is {1}, {2} times as long.", c.Name, name, worst) + " "
			default:
				f.Because += figure.Count(in, as, "{1}’s worst are {2} and {0} more, {3} times as long.",
					"{1}’s worst are {2} and {0} others, {3} times as long.", c.Name, name, worst) + " "
			}
		}
	}
	if jobs == 0 {
		return Finding{Claim: in.T("No run completes a job.")}
	}
	f.Claim = in.F("Slower than they would be on a fair share of the cluster are {0}.", f.Claim)
	f.Because += in.T(
		"A fair share is 1/n of every GPU type, where n is the mean number of unfinished jobs during the job’s life; it counts types with fewer GPUs than the job asks for as well, as Gavel’s formula does, GPUs while they are not in service, and speeds on one node where no node holds its gang: then a job looks slower than it is.")
	if dots {
		f.Because += " " + in.T("A dot is a job: its time as a multiple, and what part of the jobs has none larger.")
	}
	return f
}
