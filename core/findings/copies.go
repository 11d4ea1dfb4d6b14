package findings

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
	if n, d := h.Merges(); n > 0 {
		s += "; " + figure.Count(in, n, "merged {0} time, {1}", "merged {0} times, {1}", u.Long(in, d))
	}
	left := int32(0)
	for i := range l.Idles {
		if d := &l.Idles[i]; d.By == h.Job && d.From < h.To && h.From < d.To &&
			t.Slots[d.Slot].Node == t.Slots[h.Shards[0].Slot].Node {
			left = max(left, d.N)
		}
	}
	if left > 0 {
		s += "; " + figure.Count(in, int(left), "leaves {0} GPU idle", "leaves {0} GPUs idle")
	}
	return s
}
