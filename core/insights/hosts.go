package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// Hosts says of each run on which node jobs lack CPUs or memory longest; drawn is how many of the nodes are.
func Hosts(in words.Catalogue, sides []Side, all [][]chart.HostUse, drawn int, c *model.Cluster) Finding {
	f := Finding{Because: in.T("A job runs at the part of its speed that the CPUs and the memory of its node allow, whichever is less. What jobs have and cannot use is lost to the others.")}
	most := 0
	for i, uses := range all {
		if i > 0 {
			f.Claim += " "
		}
		best := -1
		for k := range uses {
			if best < 0 || uses[k].Slowed > uses[best].Slowed {
				best = k
			}
		}
		if most = max(most, len(uses)); best < 0 || uses[best].Slowed == 0 {
			f.Claim += in.F("Under {0} no job lacks CPUs or memory.", sides[i].Title)
			continue
		}
		of := &uses[best]
		name, slowed := c.Nodes[of.Node].Name, some(in, figure.Percent, of.Slowed)
		if of.Lost == 0 {
			f.Claim += in.F("Under {0} a job on {1} lacks CPUs or memory for {2} of the time.", sides[i].Title, name, slowed)
			continue
		}
		f.Claim += in.F("Under {0} a job on {1} lacks CPUs or memory for {2} of the time, and {3} of its CPUs lie with jobs that cannot use them.",
			sides[i].Title, name, slowed, some(in, figure.Percent, of.Lost))
	}
	if most > drawn {
		f.Because += " " + in.F("The {0} nodes are drawn on which jobs lack them longest.", figure.Int(drawn))
	}
	return f
}
