package chart

import (
	"math"

	"hadarlab/core/trace"
)

// BusySentence is the finding of the utilisation chart, whose curves are x and y.
func BusySentence(a, b Side, x, y *Series, u Unit) Finding {
	full := float64(a.Trace.GPUs())
	f := Finding{Claim: a.Title + " keeps " + Percent(a.Metrics.GPUUtilization) + " of the GPUs at work, " + b.Title + " " + Percent(b.Metrics.GPUUtilization) + "."}
	for _, s := range []struct {
		of   *Series
		name string
	}{{x, a.Title}, {y, b.Title}} {
		switch most := s.of.Max(); {
		case most < full:
			f.Because += s.name + " never has more than " + Fixed(most, 0) + " of " + Fixed(full, 0) + " at work. "
		case s.of.V[0] == full && len(s.of.T) > 1:
			f.Because += s.name + " has all of them busy until " + u.At(s.of.T[1]) + ". "
		}
	}
	return f
}

// QueueSentence is the finding of the queue chart, whose curves are x and y.
func QueueSentence(a, b Side, x, y *Series, u Unit) Finding {
	say := func(s Side, q *Series) string {
		most := int(q.Max())
		if most == 0 {
			return "Nobody waits under " + s.Title + "."
		}
		return "Under " + s.Title + " up to " + Count(most, "job") + " wait at once; the last wait ends at " + u.At(q.T[len(q.T)-1]) + "."
	}
	return Finding{say(a, x), say(b, y)}
}

// PriceSentence is the finding of the price chart of one run.
func PriceSentence(t *trace.Trace, title string) Finding {
	lo, hi, slot := math.Inf(1), 0.0, int32(-1)
	for _, p := range t.Prices {
		if p.Price > hi {
			hi, slot = p.Price, p.Slot
		}
		if p.Price > 0 {
			lo = min(lo, p.Price)
		}
	}
	if slot < 0 {
		return Finding{title + " sets no prices.", "Only policies that price GPUs do, such as Hadar."}
	}
	s := t.Slots[slot]
	return Finding{"The dearest GPU is a " + TypeTitle(t.Types[s.Type]) + " on " + t.Nodes[s.Node] + " at " + Sig(hi, 3) + ",",
		"the cheapest costs " + Sig(lo, 3) + ". Price of one GPU for one round after each decision of " + title + ", in 1/s, log scale."}
}
