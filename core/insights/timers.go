package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// TimerName names a timer by who waits for what.
func TimerName(in words.Catalogue, z *chart.Timer) string {
	if z.Tier == model.OneNode {
		return in.F("{0} GPUs, for a node", figure.Int(z.GPUs))
	}
	return in.F("{0} GPUs, then for a rack", figure.Int(z.GPUs))
}

// TimerText is a timer of a run as it was last.
func TimerText(in words.Catalogue, z *chart.Timer, run int, u figure.Unit) string {
	s := &z.Runs[run]
	switch {
	case z.Endless[run]:
		return in.T("no end")
	case len(s.V) == 0:
		return "–"
	}
	return u.Brief(in, unit.Seconds(s.V[len(s.V)-1]))
}

// Timers says of each run which timer changed most, or how long the first is where none changed.
func Timers(in words.Catalogue, sides []Side, all []chart.Timer, u figure.Unit) Finding {
	f := Finding{Because: in.T("A line is how long jobs that ask for so many GPUs would wait for them on a node, and then in a rack, before they take what lies farther apart. It begins where the first of them asks, and steps where past waits have changed it.")}
	for i := range sides {
		if i > 0 {
			f.Claim += " "
		}
		best := -1
		for k := range all {
			better := best < 0 || all[best].Endless[i] && !all[k].Endless[i] ||
				all[best].Endless[i] == all[k].Endless[i] && all[k].Turns[i] > all[best].Turns[i]
			if all[k].Has(i) && better {
				best = k
			}
		}
		if best < 0 {
			f.Claim += in.F("Under {0} no job asks for several GPUs.", sides[i].Title)
			continue
		}
		z := &all[best]
		who := TimerName(in, z)
		if s := &z.Runs[i]; z.Endless[i] { // and so all others of the run
			f.Claim += in.F("Under {0} jobs wait for closer GPUs without end.", sides[i].Title)
		} else if z.Began[i] {
			f.Claim += in.F("Under {0} the timer “{1}” goes from no end to {2}.", sides[i].Title, who,
				u.Apart(in, unit.Seconds(s.V[len(s.V)-1])))
		} else if last := u.Apart(in, unit.Seconds(s.V[len(s.V)-1])); z.Turns[i] == 0 {
			f.Claim += in.F("Under {0} no timer changes; “{1}” is {2}.", sides[i].Title, who, last)
		} else {
			f.Claim += in.F("Under {0} the timer “{1}” goes from {2} to {3}.", sides[i].Title, who,
				u.Apart(in, unit.Seconds(s.V[0])), last)
		}
	}
	return f
}
