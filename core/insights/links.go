package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// LinkName names a link by whose it is.
func LinkName(in words.Catalogue, l *chart.Load, c *model.Cluster) string {
	if l.Uplink {
		return in.F("Uplink of {0}", l.Place(c))
	}
	return in.F("Network card of {0}", l.Place(c))
}

// Loads says of each run which link several gangs share longest, or which is used most where none is shared; drawn is
// how many of the links are.
func Loads(in words.Catalogue, sides []Side, all [][]chart.Load, drawn int, c *model.Cluster) Finding {
	f := Finding{Because: in.T("A gang over several nodes has its share of their network cards, and of the uplinks of its racks if it lies over several, for as long as it holds its GPUs. While it computes, stalls or waits for a decision, its share is left unused.")}
	most := 0
	for i, loads := range all {
		if i > 0 {
			f.Claim += " "
		}
		best := -1
		for k := range loads {
			if l := &loads[k]; best < 0 || l.Shared > loads[best].Shared ||
				l.Shared == loads[best].Shared && l.Mean > loads[best].Mean {
				best = k
			}
		}
		if most = max(most, len(loads)); best < 0 {
			f.Claim += in.F("Under {0} no gang sends gradients from node to node.", sides[i].Title)
			continue
		}
		l := &loads[best]
		name, sent := LinkName(in, l, c), some(in, figure.Percent, l.Mean)
		if l.Shared == 0 {
			f.Claim += in.F("Under {0} no two gangs share a link; “{1}” sends most, {2} of what it carries.",
				sides[i].Title, name, sent)
			continue
		}
		f.Claim += in.F("Under {0} several gangs share “{1}” for {2} of the time, up to {3} at once.", sides[i].Title,
			name, some(in, figure.Percent, l.Shared), figure.Int(l.Most))
	}
	if most > drawn {
		f.Because += " " + in.F("The {0} links are drawn that are shared longest or send most.", figure.Int(drawn))
	}
	return f
}
