package chart

import (
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// tieRoom is the least width in px of a round whose copies are tied together.
const tieRoom = 9

// forks ties the copies of a job together, once a round: at the merge, where they become one.
func (p *Picture) forks(w *svg) {
	for i := range p.Lane.Forks {
		f := &p.Lane.Forks[i]
		if p.Frame.wide(p.Axis.X(f.From), p.Axis.X(f.To)) >= tieRoom {
			p.tie(w, f, "fork")
		}
	}
}

// tie is a line through the copies of a round with a knot on each.
func (p *Picture) tie(w *svg, f *Fork, role string) {
	if !p.Axis.sees(f.From, f.To) {
		return
	}
	first, last := p.reach(f)
	name := p.Trace.Jobs[f.Job].Name
	p.box(w, f.From, f.To, first, last-first, "data-role", role, "data-job", name, "data-hue", itoa(Hue(f.Job)), "data-from", seconds(int64(f.From)), "overflow", "visible")
	at, _ := p.Axis.part(p.Lane.mergeAt(f), f.To, f.From, f.To)
	x := pct(at)
	w.put(`<line data-part="halo" x1="$" x2="$" y1="0" y2="100%"/>`, x, x)
	w.put(`<line data-part="tie" x1="$" x2="$" y1="0" y2="100%"/>`, x, x)
	for _, b := range f.Bars {
		w.put(`<circle data-part="knot" cx="$" cy="$" r="3"/>`, x, px(p.middleOf(b)-first))
	}
	w.close("svg")
}

// reach is from where to where a tie goes, in px.
func (p *Picture) reach(f *Fork) (first, last float64) {
	first = p.middleOf(f.Bars[0])
	last = first
	for _, b := range f.Bars {
		y := p.middleOf(b)
		first, last = min(first, y), max(last, y)
	}
	return first, last
}

// middleOf is the height in px of a bar's middle.
func (p *Picture) middleOf(bar int32) float64 {
	b := &p.Lane.Bars[bar]
	top, high := p.Frame.span(b.Row, b.N)
	return top + float64(high/2)
}

// mergeAt is the middle of the stall with which a fork's round begins.
func (l *Lane) mergeAt(f *Fork) unit.Tick {
	for _, pause := range l.Holdings[l.Bars[f.Bars[0]].Holding].Pauses {
		if pause.Kind == trace.Stall && pause.From == f.From {
			return pause.From + (min(pause.To, f.To)-pause.From)/2
		}
	}
	return f.From
}

// parts writes a copy's name and its steps, round by round.
func (p *Picture) parts(w *svg, h *Holding, high float64) {
	name := p.Trace.Jobs[h.Job].Name
	for i, part := range h.Parts {
		from := h.works(part)
		if !p.Axis.sees(from, part.To) && from < part.To {
			continue
		}
		share := p.Axis.X(part.To) - p.Axis.X(from)
		steps := Fixed(part.Steps, 0)
		label, rest := steps, " "+words.T("steps")
		if i == 0 {
			if label, rest = name, ", "+words.F("{0} steps", steps); p.Frame.wide(0, share)-14 < textWidth(label+rest) {
				rest = ", " + steps
			}
		}
		if i > 0 && p.Frame.wide(0, share)-14 < textWidth(label) {
			continue // a cut number would be another number
		}
		if i == 0 && p.Frame.wide(0, share)-14 < textWidth(name) { // the name has the whole bar then
			w.plated(p.Axis.X(h.To)-p.Axis.X(h.From), p.Frame.Width, high, name, "")
			return
		}
		x, wide := p.Axis.part(from, part.To, h.From, h.To)
		w.put(`<svg x="$" width="$" height="100%" data-hue="$" data-part="round">`, pct(x), pct(wide), itoa(Hue(h.Job)))
		w.plated(share, p.Frame.Width, high, label, rest)
		w.close("svg")
	}
}

// works is when a copy begins to progress in a round.
func (h *Holding) works(part Part) unit.Tick {
	for _, pause := range h.Pauses {
		if pause.Kind == trace.Stall && pause.From <= part.From && part.From < pause.To {
			return min(pause.To, part.To)
		}
	}
	return part.From
}

// copyWords says which copy of a job a holding is, and what it does round by round.
func (p *Picture) copyWords(holding int32) string {
	h := &p.Lane.Holdings[holding]
	if len(h.Parts) == 0 {
		return ""
	}
	s := ""
	if nth, of := p.Lane.copies(holding, h.From); of > 1 {
		s = ", " + words.F("copy {0} of {1}", itoa(nth), itoa(of))
	}
	return s + "; " + h.StepWords()
}

// StepWords lists a copy's steps by round, the first few of many.
func (h *Holding) StepWords() string {
	const most = 6
	s := ""
	for i, part := range h.Parts[:min(len(h.Parts), most)] {
		if i > 0 {
			s += " + "
		}
		s += Fixed(part.Steps, 0)
	}
	if len(h.Parts) > most {
		s += " + …"
	}
	if len(h.Parts) > 1 {
		return Count(len(h.Parts), "{1} steps in {0} round", "{1} steps in {0} rounds", s)
	}
	return words.F("{0} steps", s)
}

// Merges is how often a copy is merged while it holds its GPUs, and how long all that takes.
func (h *Holding) Merges() (n int, d unit.Tick) {
	for _, pause := range h.Pauses {
		if pause.Merge {
			n, d = n+1, d+pause.To-pause.From
		}
	}
	return n, d
}

// CopyNote says of a holding of a forked job what it did round by round, and what it left; empty for others.
func (l *Lane) CopyNote(t *trace.Trace, holding int, u Unit) string {
	h := &l.Holdings[holding]
	if len(h.Parts) == 0 {
		return ""
	}
	s := ""
	if nth, of := l.copies(int32(holding), h.From); of > 1 {
		s = words.F("copy {0} of {1}:", itoa(nth), itoa(of)) + " "
	}
	s += h.StepWords()
	if n, d := h.Merges(); n > 0 {
		s += "; " + Count(n, "merged {0} time, {1}", "merged {0} times, {1}", u.Long(d))
	}
	left := int32(0)
	for i := range l.Idles {
		if d := &l.Idles[i]; d.By == h.Job && d.From < h.To && h.From < d.To && t.Slots[d.Slot].Node == t.Slots[h.Shards[0].Slot].Node {
			left = max(left, d.N)
		}
	}
	if left > 0 {
		s += "; " + Count(int(left), "leaves {0} GPU idle", "leaves {0} GPUs idle")
	}
	return s
}

// Forked says whether any job of the lane trains in copies that are merged.
func (l *Lane) Forked() bool {
	return slices.ContainsFunc(l.Holdings, func(h Holding) bool { return h.Forked })
}

// stallWords says when a holding stands still: at starts one by one, at merges all together.
func (p *Picture) stallWords(h *Holding) string {
	s := ""
	for _, pause := range h.Pauses {
		if pause.Kind == trace.Stall && !pause.Merge {
			s += "; " + words.F("stalls for {0}", p.Axis.Unit.Long(pause.To-pause.From))
		}
	}
	if n, d := h.Merges(); n > 0 {
		s += "; " + Count(n, "merged {0} time, {1} in all", "merged {0} times, {1} in all", p.Axis.Unit.Long(d))
	}
	return s
}

// DescribeIdle is an idle stretch in words.
func (p *Picture) DescribeIdle(d Idle) string {
	slot := p.Trace.Slots[d.Slot]
	s := words.F("{0} × {1} on {2} idle, {3} to {4}", itoa(d.N), TypeTitle(p.Trace.Types[slot.Type]), p.Trace.Nodes[slot.Node], p.Axis.Unit.At(d.From), trimZeros(p.Axis.Unit.Number(d.To)))
	if d.By >= 0 {
		s += "; " + words.F("left by the copy of {0}, which runs on one GPU type of the node, in the largest gang its speeds know", p.Trace.Jobs[d.By].Name)
	}
	if d.Waste {
		s += "; " + words.T("a job waits meanwhile")
	}
	return s
}
