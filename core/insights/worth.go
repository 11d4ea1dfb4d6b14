package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/unit"
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
		switch {
		case all[i].Sum.Read == 0:
			f.Claim += in.F("Under {0} no job trains of which it is known what an example brings.", title)
		case lost > rounding:
			f.Claim += in.F("Under {0}, {1} of the examples bring nothing.", title, some(in, figure.Percent1, lost))
		case lost < -rounding:
			f.Claim += in.F("Under {0} examples bring {1} more than those of the initial batch.", title,
				some(in, figure.Percent1, -lost))
		default:
			f.Claim += in.F("Under {0} examples bring as much as those of the initial batch.", title)
		}
		if job < 0 || all[i].Jobs[job].Read == 0 {
			continue
		}
		name := sides[i].Trace.Jobs[job].Name
		switch lost = all[i].Jobs[job].Lost(); {
		case lost > rounding:
			f.Because += " " + in.F("Of {1}’s, {2} bring nothing under {0}.", title, name,
				some(in, figure.Percent1, lost))
		case lost < -rounding:
			f.Because += " " + in.F("{1}’s bring {2} more under {0}.", title, name, some(in, figure.Percent1, -lost))
		default:
			f.Because += " " + in.F("{1}’s bring as much under {0}.", title, name)
		}
	}
	return f
}

// rounding is the share up to which two sums of many numbers are the same.
const rounding = unit.Rounding
