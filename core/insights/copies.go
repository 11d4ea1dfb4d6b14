package insights

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// CopyNote says of a holding of a forked job what it did round by round, and what it left; empty for others.
func CopyNote(in words.Catalogue, l *chart.Lane, t *trace.Trace, holding int, u figure.Unit) string {
	h := &l.Holdings[holding]
	if len(h.Parts) == 0 {
		return ""
	}
	s := ""
	if nth, of := l.Copies(int32(holding), h.From); of > 1 {
		s = in.F("copy {0} of {1}:", figure.Int(nth), figure.Int(of)) + " "
	}
	s += h.StepWords(in)
	merged, charged := l.Merges(int32(holding))
	if merged.N > 0 {
		s += "; " + figure.Count(in, merged.N, "merged {0} time, {1}", "merged {0} times, {1}", u.Apart(in, merged.For))
	}
	if charged.N > 0 {
		s += "; " + figure.Count(in, charged.N, "{0} round charged for a merge, {1}",
			"{0} rounds charged for a merge, {1}", u.Apart(in, charged.For))
	}
	if left := leftBy(l, t, h); left > 0 {
		s += "; " + figure.Count(in, int(left), "leaves {0} GPU idle", "leaves {0} GPUs idle")
	}
	return s
}

// leftBy is how many GPUs of its node a copy leaves idle at most at once.
func leftBy(l *chart.Lane, t *trace.Trace, h *chart.Holding) (most int32) {
	var mine []*chart.Idle
	for i := range l.Idles {
		if d := &l.Idles[i]; d.By == h.Job && d.From < h.To && h.From < d.To &&
			t.Slots[d.Slot].Node == t.Slots[h.Shards[0].Slot].Node {
			mine = append(mine, d)
		}
	}
	for _, d := range mine { // they are most where one begins
		n, at := int32(0), max(d.From, h.From)
		for _, e := range mine {
			if e.From <= at && at < e.To {
				n += e.N
			}
		}
		most = max(most, n)
	}
	return most
}
