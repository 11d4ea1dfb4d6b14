package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Sizes says whose size changes most often in each run.
func Sizes(in words.Catalogue, sides []Side, all []chart.Size) Finding {
	f := Finding{Because: in.T("A line is the GPUs that a job holds; the dotted one is what it asks for.")}
	for i := range sides {
		best := -1
		for k := range all {
			if all[k].Turns[i] > 0 && (best < 0 || all[k].Turns[i] > all[best].Turns[i]) {
				best = k
			}
		}
		if f.Claim != "" {
			f.Claim += " "
		}
		if best < 0 {
			f.Claim += in.F("Under {0} no job changes its size.", sides[i].Title)
			continue
		}
		f.Claim += figure.Count(in, all[best].Turns[i], "Under {1}, {2} changes its size once, none more often.",
			"Under {1}, {2} changes its size {0} times, none more often.", sides[i].Title, sides[i].Trace.Jobs[all[best].Job].Name)
	}
	return f
}

// Locality says how much of the time gangs lie apart in each run.
func Locality(in words.Catalogue, titles []string, all [][]float64, racks bool) Finding {
	f := Finding{Because: in.T("Counted is the GPU time of gangs of more than one GPU; one GPU lies nowhere else.")}
	for i, of := range all {
		if f.Claim != "" {
			f.Claim += " "
		}
		apart := of[model.OneRack] + of[model.Network]
		switch {
		case of[model.OneNode]+apart == 0:
			f.Claim += in.F("Under {0} no gang has more than one GPU.", titles[i])
		case apart == 0:
			f.Claim += in.F("Under {0} every gang stays on one node.", titles[i])
		case racks && of[model.Network] > 0:
			f.Claim += in.F("Under {0}, gangs lie on several nodes for {1} of their time, over several racks for {2}.",
				titles[i], some(in, figure.Percent1, apart), some(in, figure.Percent1, of[model.Network]))
		default:
			f.Claim += in.F("Under {0}, gangs lie on several nodes for {1} of their time.", titles[i],
				some(in, figure.Percent1, apart))
		}
	}
	return f
}

// Trees says how many gangs need the network at an instant, and where a job is.
func Trees(in words.Catalogue, sides []Side, all []*chart.Tree, job int32, at unit.Tick, u figure.Unit) Finding {
	f := Finding{}
	for i, t := range all {
		if i > 0 {
			f.Claim, f.Because = f.Claim+" ", f.Because+" "
		}
		far := 0
		for k := range t.Links {
			if t.Links[k].Tier == model.Network {
				far++
			}
		}
		if len(t.Links) == 0 {
			f.Claim += in.F("Under {0} no gang lies on several nodes at {1}", sides[i].Title, u.At(in, at))
		} else {
			f.Claim += figure.Count(in, len(t.Links), "Under {1}, {0} gang lies on several nodes at {2}",
				"Under {1}, {0} gangs lie on several nodes at {2}", sides[i].Title, u.At(in, at))
		}
		if far > 0 {
			f.Claim += in.F(", {0} of them over several racks", figure.Int(far))
		}
		f.Claim += "."
		if job >= 0 {
			f.Because += sides[i].Title + ": " + Standing(in, sides[i].Trace, sides[i].Lane, job, at, u)
		}
	}
	return f
}
