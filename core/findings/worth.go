package findings

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Worth says what part of the examples of all jobs brings nothing in each run, and then of one job, −1 = none.
func Worth(in words.Catalogue, sides []Side, all []chart.Worth, job int32) Finding {
	f := Finding{Because: in.T("An example of a larger batch brings less than one of the initial batch; the lower area counts them as such. Examples of different models count alike.")}
	for i := range all {
		title, lost := sides[i].Title, all[i].Sum.Lost()
		if i > 0 {
			f.Claim += " "
		}
		if lost < 0.0005 {
			f.Claim += in.F("Under {0} every example counts in full.", title)
		} else {
			f.Claim += in.F("Under {0}, {1} of the examples bring nothing.", title, figure.Percent1(in, lost))
		}
		if job < 0 || all[i].Jobs[job].Read == 0 {
			continue
		}
		name := sides[i].Trace.Jobs[job].Name
		if lost = all[i].Jobs[job].Lost(); lost < 0.0005 {
			f.Because += " " + in.F("Of {1} every one counts under {0}.", title, name)
		} else {
			f.Because += " " + in.F("Of {1} it is {2} under {0}.", title, name, figure.Percent1(in, lost))
		}
	}
	return f
}
