package insights

import (
	"math"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Busy is the finding of the utilisation chart for one run or two, of whom each has a curve.
func Busy(in words.Catalogue, sides []Side, curves []chart.Curve, u figure.Unit) Finding {
	a, f := sides[0], Finding{}
	full := float64(a.Trace.GPUs())
	f.Claim = in.F("{0} keeps {1} of the GPUs at work.", a.Title, figure.Percent(in, a.Metrics.GPUUtilization))
	if len(sides) > 1 {
		b := sides[1]
		f.Claim = in.F("{0} keeps {1} of the GPUs at work, {2} {3}.", a.Title,
			figure.Percent(in, a.Metrics.GPUUtilization), b.Title, figure.Percent(in, b.Metrics.GPUUtilization))
	}
	for i := range sides {
		name, of := sides[i].Title, &curves[i].Series
		switch most := of.Max(); {
		case most < full:
			f.Because += in.F("{0} never has more than {1} of {2} at work.", name, figure.Fixed(in, most, 0),
				figure.Fixed(in, full, 0)) + " "
		case of.V[0] == full && len(of.T) > 1:
			f.Because += in.F("{0} has all of them busy until {1}.", name, u.At(in, of.T[1])) + " "
		}
	}
	return f
}

// Queue is the finding of the queue chart for one run or two, of whom each has a curve.
func Queue(in words.Catalogue, sides []Side, curves []chart.Curve, u figure.Unit) Finding {
	say := func(i int) string {
		title, q := sides[i].Title, &curves[i].Series
		most := int(q.Max())
		if most == 0 {
			return in.F("Nobody waits under {0}.", title)
		}
		if left := waiting(&sides[i]); left > 0 {
			return figure.Count(in, most, "Under {1} never more than one job waits; {2} when the run ends, at {3}.",
				"Under {1} up to {0} jobs wait at once; {2} when the run ends, at {3}.", title,
				figure.Count(in, left, "{0} still waits", "{0} still wait"), u.At(in, q.End))
		}
		return figure.Count(in, most, "Under {1} never more than one job waits; the last wait ends at {2}.",
			"Under {1} up to {0} jobs wait at once; the last wait ends at {2}.", title, u.At(in, q.T[len(q.T)-1]))
	}
	f := Finding{Claim: say(0)}
	if len(sides) > 1 {
		f.Because = say(1)
	}
	return f
}

// waiting is how many jobs wait when a run ends: it was cut, or nobody will start them.
func waiting(s *Side) (n int) {
	for i := range s.Lane.Waits {
		if w := &s.Lane.Waits[i]; w.To == s.Lane.End && s.Trace.Jobs[w.Job].Finish < 0 {
			n++
		}
	}
	return n
}

// Prices is the finding of the price chart of one run.
func Prices(in words.Catalogue, t *trace.Trace, title, unit string) Finding {
	lo, hi, slot, free := math.Inf(1), 0.0, int32(-1), false
	points := t.Points(&trace.Price)
	for _, p := range points {
		if p.Value > hi {
			hi, slot = p.Value, p.Of
		}
		if p.Value > 0 {
			lo = min(lo, p.Value)
		}
		free = free || p.Value == 0
	}
	if slot < 0 && free {
		return Finding{Claim: in.F("All prices that {0} sets are 0.", title)}
	}
	if slot < 0 {
		return Finding{Claim: in.F("{0} sets no prices.", title),
			Because: in.T("Only policies that price GPUs do, such as Hadar.")}
	}
	show := in.F("The curves show what one GPU costs for one round after each decision of {0} ({1}).", title,
		PriceUnit(in, unit)) + " " + in.T("A mark is that of the GPU type, where its price changes.")
	if p := price(in, hi); p == price(in, lo) {
		same := in.F("All GPUs cost the same all the while: {0}.", p)
		switch {
		case free:
			same = in.F("All GPUs that are not free cost the same all the while: {0}.", p)
		case lo < hi:
			same = in.F("All GPUs cost nearly the same all the while: {0}.", p)
		}
		return Finding{Claim: same, Because: show}
	}
	s := t.Slots[slot]
	cheapest := in.F("and the cheapest costs {0}.", price(in, lo))
	if free {
		cheapest = in.F("and the cheapest that is not free costs {0}.", price(in, lo))
	}
	f := Finding{Claim: in.F("The dearest GPU is a {0} on {1} at {2},", figure.TypeTitle(t.Types[s.Type]),
		t.Nodes[s.Node], price(in, hi)), Because: cheapest + " " + show}
	for _, p := range points {
		if p.Of != slot && price(in, p.Value) == price(in, hi) {
			f.Claim = in.F("The dearest GPUs, a {0} on {1} among them, cost {2},", figure.TypeTitle(t.Types[s.Type]),
				t.Nodes[s.Node], price(in, hi))
			break
		}
	}
	return f
}

// price writes a price, and one that would need an exponent as less than a number that can be read.
func price(in words.Catalogue, v float64) string {
	const least = 0.0001
	if v < least {
		return in.F("less than {0}", figure.Sig(in, least, 1))
	}
	return figure.Sig(in, v, 3)
}

// PriceUnit says in words what prices are counted in.
func PriceUnit(in words.Catalogue, unit string) string {
	if unit == "" {
		return in.T("a plain number")
	}
	return in.F("in {0}", in.T(unit))
}
