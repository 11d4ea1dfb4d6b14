package insights

import (
	"slices"

	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Rents says what the nodes that each run has for money cost, with a space before it; "" where none has any.
func Rents(in words.Catalogue, sides []Side) string {
	if !slices.ContainsFunc(sides, func(s Side) bool { return s.Metrics.RentUSD > 0 }) {
		return ""
	}
	list := ""
	for i, s := range sides {
		if i > 0 {
			list += "; "
		}
		list += s.Title + " " + figure.Sig(in, s.Metrics.RentUSD, 3)
	}
	return " " + in.F("Rent in USD: {0}.", list)
}

// Cloud says of each run what its nodes for money cost, how much of that no job had the use of, and when jobs were
// done.
func Cloud(in words.Catalogue, sides []Side) Finding {
	f := Finding{Because: in.T("A node is paid for from its coming until it goes, the last job is done or the run is cut off. More nodes may end jobs sooner; what counts is how much of their time jobs hold them.")}
	for i, s := range sides {
		if i > 0 {
			f.Claim += " "
		}
		m := s.Metrics
		if m.RentUSD == 0 {
			f.Claim += in.F("Under {0} no node is had for money.", s.Title)
			continue
		}
		cost, idle := figure.Sig(in, m.RentUSD, 3), some(in, figure.Percent, m.RentIdleUSD/m.RentUSD)
		if s.Lane.Counted == 0 {
			f.Claim += in.F("Under {0} nodes cost {1} USD, {2} of it for GPUs without a job; no job is complete.", s.Title,
				cost, idle)
			continue
		}
		f.Claim += in.F("Under {0} nodes cost {1} USD, {2} of it for GPUs without a job; mean completion is {3}.", s.Title,
			cost, idle, figure.Say(in, m.AvgJCTS, "s"))
	}
	return f
}
