package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"
)

// copyWords says which copy of a job a holding is, and what it does round by round.
func (p *Picture) copyWords(holding int32) string {
	h := &p.Lane.Holdings[holding]
	if len(h.Parts) == 0 {
		return ""
	}
	s := ""
	if nth, of := p.Lane.Copies(holding, h.From); of > 1 {
		s = ", " + p.In.F("copy {0} of {1}", itoa(nth), itoa(of))
	}
	return s + "; " + h.StepWords(p.In)
}

// stallWords says when a holding stands still: at starts one by one, at merges all together.
func (p *Picture) stallWords(holding int32) string {
	h := &p.Lane.Holdings[holding]
	s := ""
	for _, pause := range h.Pauses {
		if pause.Kind == trace.Stall && !pause.Merge {
			s += "; " + p.In.F("stalls for {0}", p.Axis.Unit.Apart(p.In, pause.To-pause.From))
		}
	}
	merged, charged := p.Lane.Merges(holding)
	if merged.N > 0 {
		s += "; " + figure.Count(p.In, merged.N, "merged {0} time, {1} in all", "merged {0} times, {1} in all",
			p.Axis.Unit.Apart(p.In, merged.For))
	}
	if charged.N > 0 {
		s += "; " + figure.Count(p.In, charged.N, "{0} round charged for a merge, {1} in all",
			"{0} rounds charged for a merge, {1} in all", p.Axis.Unit.Apart(p.In, charged.For))
	}
	return s
}

// DescribeIdle is an idle stretch in words.
func (p *Picture) DescribeIdle(d chart.Idle) string {
	slot := p.Trace.Slots[d.Slot]
	s := p.In.F("{0} × {1} on {2} idle, {3} to {4}", itoa(d.N), figure.TypeTitle(p.Trace.Types[slot.Type]),
		p.Trace.Nodes[slot.Node], p.Axis.Unit.At(p.In, d.From), p.Axis.Unit.Brief(p.In, d.To))
	if d.By >= 0 {
		s += "; " + p.In.F(
			"left by the copy of {0}, which runs on one GPU type of the node, in the largest gang its speeds know",
			p.Trace.Jobs[d.By].Name)
	}
	if d.Waste {
		s += "; " + p.In.T("a job waits meanwhile")
	}
	return s
}

// Summary is the lane in a sentence, for readers who do not see it.
func (p *Picture) Summary() string {
	s := p.In.F("{0} on {1}", figure.Count(p.In, len(p.Trace.Jobs), "{0} job", "{0} jobs"),
		figure.Count(p.In, int(p.Trace.GPUs()), "{0} GPU", "{0} GPUs"))
	if last := p.Trace.LastFinish(); last >= 0 {
		s += "; " + figure.Count(p.In, len(p.Lane.Dones), "the only job that finishes ends at {1}",
			"the last of {0} finished jobs ends at {1}", p.Axis.Unit.At(p.In, last))
	} else {
		s += "; " + p.In.T("no job has finished")
	}
	if n := len(p.Lane.Waits); n > 0 {
		s += "; " + figure.Count(p.In, n, "jobs wait {0} time", "jobs wait {0} times")
	}
	return s + "."
}

// Describe is a stop of the keyboard in words.
func (p *Picture) Describe(i int) string {
	if i >= len(p.Lane.Bars) {
		job, from, to := p.Lane.Stop(i)
		return p.In.F("{0} waits, {1} to {2}", p.Trace.Jobs[job].Name, p.Axis.Unit.At(p.In, from),
			p.Axis.Unit.Brief(p.In, to))
	}
	b := &p.Lane.Bars[i]
	h := &p.Lane.Holdings[b.Holding]
	slot := p.Trace.Slots[b.Slot]
	s := p.Trace.Jobs[h.Job].Name + ": "
	if b.N != h.Size {
		s += figure.Count(p.In, int(h.Size), "{1} of its {0} GPU", "{1} of its {0} GPUs", itoa(b.N)) + ", "
	} else {
		s += itoa(b.N) + " × "
	}
	u := p.Axis.Unit
	s += p.In.F("{0} on {1}, {2} to {3}", figure.TypeTitle(p.Trace.Types[slot.Type]), p.Trace.Nodes[slot.Node],
		u.At(p.In, h.From), u.Brief(p.In, h.To))
	if h.With >= 0 {
		other := p.Trace.Jobs[h.With].Name
		if h.Fused {
			s += ", " + p.In.F("fused with {0}", other)
		} else {
			s += ", " + p.In.F("shared with {0}", other)
		}
	}
	for _, j := range h.Others {
		s += ", " + p.Trace.Jobs[j].Name
	}
	return s + p.copyWords(b.Holding) + p.stallWords(b.Holding) + p.slowOf(h)
}
