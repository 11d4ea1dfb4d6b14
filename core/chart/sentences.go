package chart

import (
	"math"

	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// BusySentence is the finding of the utilisation chart, whose curves are x and y.
func BusySentence(a, b Side, x, y *Series, u Unit) Finding {
	full := float64(a.Trace.GPUs())
	f := Finding{Claim: words.F("{0} keeps {1} of the GPUs at work, {2} {3}.", a.Title, Percent(a.Metrics.GPUUtilization), b.Title, Percent(b.Metrics.GPUUtilization))}
	for _, s := range []struct {
		of   *Series
		name string
	}{{x, a.Title}, {y, b.Title}} {
		switch most := s.of.Max(); {
		case most < full:
			f.Because += words.F("{0} never has more than {1} of {2} at work.", s.name, Fixed(most, 0), Fixed(full, 0)) + " "
		case s.of.V[0] == full && len(s.of.T) > 1:
			f.Because += words.F("{0} has all of them busy until {1}.", s.name, u.At(s.of.T[1])) + " "
		}
	}
	return f
}

// QueueSentence is the finding of the queue chart, whose curves are x and y.
func QueueSentence(a, b Side, x, y *Series, u Unit) Finding {
	say := func(s Side, q *Series) string {
		most := int(q.Max())
		if most == 0 {
			return words.F("Nobody waits under {0}.", s.Title)
		}
		return Count(most, "Under {1} up to {0} job wait at once; the last wait ends at {2}.", "Under {1} up to {0} jobs wait at once; the last wait ends at {2}.", s.Title, u.At(q.T[len(q.T)-1]))
	}
	return Finding{Claim: say(a, x), Because: say(b, y)}
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
		return Finding{Claim: words.F("{0} sets no prices.", title), Because: words.T("Only policies that price GPUs do, such as Hadar.")}
	}
	s := t.Slots[slot]
	return Finding{Claim: words.F("The dearest GPU is a {0} on {1} at {2},", TypeTitle(t.Types[s.Type]), t.Nodes[s.Node], Sig(hi, 3)),
		Because: words.F("the cheapest costs {0}. Price of one GPU for one round after each decision of {1}, in 1/s, log scale.", Sig(lo, 3), title)}
}

// ReceivedNote says what the received share is that core/share divides a target by.
func ReceivedNote() string {
	return words.T("Received is the job’s part of all time that jobs have had on the type since the targets were last computed. Every account then starts with half a round, so that each of n begins at 1/n, also where its job never runs. What was owed before that decides ties only.")
}
