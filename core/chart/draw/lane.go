package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

func (p *Picture) down(w *svg, d *chart.Down) {
	if !p.Axis.Sees(d.From, d.To) {
		return
	}
	top, h := p.Frame.Span(d.Row, d.N)
	p.box(w, d.From, d.To, top, h, "data-role", "down")
	w.put(`<title>`)
	u, slot := p.Axis.Unit, p.Trace.Slots[d.Slot]
	w.text(p.In.F("{0} × {1} on {2} away, {3} to {4}", itoa(d.N), figure.TypeTitle(p.Trace.Types[slot.Type]),
		p.Trace.Nodes[slot.Node], u.At(p.In, d.From), u.Brief(p.In, d.To)))
	w.close("title")
	w.put(`<rect data-part="box" width="100%" height="100%" rx="2"/>`)
	if h >= chart.LabelH {
		w.label(&label{share: p.share(d.From, d.To), width: p.Frame.Width, high: h, name: p.In.T("away")})
	}
	w.close("svg")
}

// Picture is what the parts of one lane's picture have in common.
type Picture struct {
	Lane   *chart.Lane
	Trace  *trace.Trace
	Axis   *chart.Axis
	Frame  *chart.Frame
	Policy string          // id, for programs
	Title  string          // for people
	In     words.Catalogue // of what it says
	// Same says of each holding whether the compared run does the same, nil = nothing is compared.
	Same []bool
	// Diff is where the compared runs part, nil = nothing is compared.
	Diff *chart.Diff
	Was  *Ghost // the lane before the last edit, nil = not shown
	// Seen is the share of the axis that is seen, 0 = all of it: labels fit what is seen of their boxes, and ends
	// behind are not named.
	Seen float64
	// Bulk leaves bars and idle GPUs to a canvas. Default false.
	Bulk bool
	// Most is how many bars have an element each; of more only what can be told apart is drawn. 0 = 20,000.
	Most int
}

// SVG is the plot: nodes, rounds, idle stretches, bars, waits and ends. Widths are per cent, so a
// resize needs no script.
func (p *Picture) SVG() string {
	w := &svg{in: p.In, b: make([]byte, 0, 4096+500*min(len(p.Lane.Bars), mostBars))}
	w.put(`<svg data-role="plot" data-test="plot" width="100%" height="$" role="img" aria-label="$">`,
		px(p.Frame.Height), p.Title+". "+p.Summary())
	p.ground(w)
	w.parted(p.Axis, p.Diff, p.Frame.Height)
	p.ghosts(w)
	if !p.Bulk && p.dense() {
		p.denseBars(w)
	} else if !p.Bulk {
		for _, d := range p.Lane.Idles {
			p.Trace.Pace.Did(1)
			p.idle(w, d)
		}
		for i := range p.Lane.Downs {
			p.Trace.Pace.Did(1)
			p.down(w, &p.Lane.Downs[i])
		}
		for i := range p.Lane.Bars {
			p.Trace.Pace.Did(1)
			p.bar(w, i)
		}
		p.links(w)
		p.forks(w)
	}
	p.slows(w)
	p.waits(w)
	p.dones(w)
	return w.end()
}

func (p *Picture) ground(w *svg) {
	f := p.Frame
	for i := range f.Groups {
		w.put(`<rect data-role="node-bg" x="0" y="$" width="100%" height="$" rx="2"/>`, px(f.Groups[i].Top),
			px(f.Groups[i].Height))
	}
	lines := p.Axis.Rounds
	if len(lines) == 0 {
		for _, t := range p.Axis.Ticks {
			lines = append(lines, t.At)
		}
	}
	for _, t := range lines {
		x := pct(p.Axis.X(t))
		w.put(`<line data-role="round" x1="$" x2="$" y1="-2" y2="$"/>`, x, x, px(f.Height))
	}
	for r := range p.Lane.Rows {
		if f.High[r] >= chart.LabelH && p.Lane.Rows[r].Index > 0 {
			y := px(f.Top[r])
			w.put(`<line data-role="row" x1="0" x2="100%" y1="$" y2="$"/>`, y, y)
		}
	}
}

// hue is the number of a job's colour.
func (p *Picture) hue(job int32) string { return itoa(p.Lane.Looks[job].Hue) }

// box opens a nested svg over a stretch of time and returns its width in px.
func (p *Picture) box(w *svg, from, to unit.Tick, y, h float64, attrs ...string) float64 {
	x0, x1 := p.Axis.X(from), p.Axis.X(to)
	w.open("svg", append(attrs, "x", pct(x0), "y", px(y), "width", pct(x1-x0), "height", px(h))...)
	return p.Frame.Wide(x0, x1)
}

// share is the share of the plot's width that is seen of a stretch of time.
func (p *Picture) share(from, to unit.Tick) float64 {
	x := p.Axis.X(to)
	if p.Seen > 0 {
		x = min(x, p.Seen)
	}
	return max(x-p.Axis.X(from), 0)
}

// freeEdge is the px that a free stretch keeps before and behind its word. That stands in its first row: lines between
// rows, and outlines of an earlier run, cross none.
const freeEdge = 16

func (p *Picture) idle(w *svg, d chart.Idle) {
	if !p.Axis.Sees(d.From, d.To) || p.Axis.Sliver(d.To-d.From) {
		return
	}
	top, h := p.Frame.Span(d.Row, d.N)
	share := p.share(d.From, d.To)
	name, rest := p.In.T("idle"), p.In.T(" while a job waits")
	switch {
	case d.By >= 0:
		name, rest = p.In.T("left"), " "+p.In.F("by the copy of {0}", p.Trace.Jobs[d.By].Name)
	case !d.Waste:
		name, h = p.In.T("free"), p.Frame.High[d.Row]
		if room, size := p.Frame.Wide(0, share), sizeIn(h); h >= chart.LabelH &&
			room >= wide(name, size)+freeEdge && d.From >= p.Trace.FirstArrival() {
			p.box(w, d.From, d.To, top, h, "data-role", "rest")
			w.put(`<text data-large="$" data-need="$" x="8" y="$">$</text>`, marked(size),
				need(share, wide(name, size)+freeEdge), px(middle(h, size)), name)
			w.close("svg")
		}
		return
	}
	role := "idle"
	if !d.Waste {
		role = "left"
	}
	p.box(w, d.From, d.To, top, h, "data-role", role, "data-by", p.leaver(d))
	w.put(`<title>`)
	w.text(p.DescribeIdle(d))
	w.close("title")
	w.put(`<rect data-part="box" fill="url(#hatch-idle)" width="100%" height="100%" rx="2"/>`)
	if h >= chart.LabelH {
		w.label(&label{share: share, width: p.Frame.Width, high: h, name: name, rest: rest})
	}
	w.close("svg")
}

// leaver is the job whose copy leaves an idle stretch, empty for others.
func (p *Picture) leaver(d chart.Idle) string {
	if d.By < 0 {
		return ""
	}
	return p.Trace.Jobs[d.By].Name
}

// linkEdge is how many px at the end of a bar its bracket takes.
const linkEdge = 14

// linked says whether a bracket joins a bar with the one before: they are parts of a gang that meet at the border of
// two nodes.
func (p *Picture) linked(i int) bool {
	bars := p.Lane.Bars
	if i == 0 || i == len(bars) {
		return false
	}
	a, b := &bars[i-1], &bars[i]
	if a.Holding != b.Holding || a.Row+a.N != b.Row {
		return false
	}
	h := &p.Lane.Holdings[a.Holding]
	top, above := p.Frame.Span(a.Row, a.N)
	from, _ := p.Frame.Span(b.Row, b.N)
	gap := from - top - above
	return gap > 0 && gap <= chart.MaxGap && p.Axis.Sees(h.From, h.To) &&
		p.Frame.Wide(p.Axis.X(h.From), p.Axis.X(h.To)) >= 40
}

// links draws the brackets: each stands at the end of a gang and reaches into its bars on both nodes.
func (p *Picture) links(w *svg) {
	const reach = 7 // px, as far as the bars are that high
	bars := p.Lane.Bars
	for i := 1; i < len(bars); i++ {
		p.Trace.Pace.Did(1)
		if !p.linked(i) {
			continue
		}
		a, b := &bars[i-1], &bars[i]
		h := &p.Lane.Holdings[a.Holding]
		top, above := p.Frame.Span(a.Row, a.N)
		y := top + above
		high, below := p.Frame.Span(b.Row, b.N)
		high -= y
		above, below = min(reach, above/2), min(reach, below/2)
		high += above + below
		p.box(w, h.From, h.To, y-above, high, "data-role", "link")
		w.put(`<svg x="100%" overflow="visible">`)
		w.put(`<path data-part="link" d="M-10 1h4v$h-4"/>`, px(high-2))
		w.close("svg")
		w.close("svg")
	}
}

// same is "true" for a holding that the compared run has, too, else empty.
func (p *Picture) same(holding int32) string {
	if p.Same != nil && p.Same[holding] {
		return "true"
	}
	return ""
}

func (p *Picture) bar(w *svg, i int) {
	b := &p.Lane.Bars[i]
	h := &p.Lane.Holdings[b.Holding]
	if !p.Axis.Sees(h.From, h.To) {
		return
	}
	slot := p.Trace.Slots[b.Slot]
	top, high := p.Frame.Span(b.Row, b.N)
	p.box(w, h.From, h.To, top, high, "data-role", "bar", "data-test", "bar", "data-bar", itoa(i),
		"data-job", p.Trace.Jobs[h.Job].Name, "data-hue", p.hue(h.Job), "data-policy", p.Policy,
		"data-node", p.Trace.Nodes[slot.Node], "data-type", p.Trace.Types[slot.Type],
		"data-from", seconds(int64(h.From)), "data-to", seconds(int64(h.To)), "data-same", p.same(b.Holding),
		"data-out", yes(!p.Trace.Measured().Has(model.JobID(h.Job))))
	w.put(`<title>`)
	w.text(p.Describe(i))
	w.close("title")
	w.put(`<rect data-part="box" width="100%" height="100%" rx="2"/>`)
	if k := p.Lane.Looks[h.Job].Hatch; k > 0 && high >= 5 {
		w.put(`<rect data-part="hatch" fill="$" width="100%" height="100%" rx="2"/>`, "url(#hatch-"+itoa(k)+")")
	}
	for _, pause := range h.Pauses {
		p.Trace.Pace.Did(1)
		part := "stall"
		switch {
		case pause.Kind == trace.Hold:
			part = "hold"
		case pause.Merge:
			part = "merge"
		}
		if !p.Axis.Sees(pause.From, pause.To) {
			continue
		}
		x, wide := p.Axis.Part(pause.From, pause.To, h.From, h.To)
		w.put(`<rect data-part="$" x="$" width="$" height="100%"/>`, part, pct(x), pct(wide))
	}
	if row := p.Frame.High[b.Row]; row >= chart.LabelH {
		for k := int32(1); k < b.N; k++ {
			y := px(row * float64(k))
			w.put(`<line data-role="slice" x1="2" x2="100%" y1="$" y2="$"/>`, y, y)
		}
	}
	for _, s := range p.sayings(i) {
		if !s.part {
			w.label(&s.label)
			continue
		}
		x, wide := p.Axis.Part(s.from, s.to, h.From, h.To)
		w.put(`<svg x="$" width="$" height="100%" data-hue="$" data-part="round">`, pct(x), pct(wide), p.hue(h.Job))
		w.label(&s.label)
		w.close("svg")
	}
	w.close("svg")
}

// saying is a label of a bar, in a box of so long.
type saying struct {
	label
	from, to unit.Tick
	part     bool // the box is of a round of a copy, not of all of the bar
}

// sayings are the labels of a bar, of which not all need fit.
func (p *Picture) sayings(i int) []saying {
	b := &p.Lane.Bars[i]
	h := &p.Lane.Holdings[b.Holding]
	_, high := p.Frame.Span(b.Row, b.N)
	if high < chart.LabelH {
		return nil
	}
	if len(h.Parts) > 0 {
		return p.parts(h, high)
	}
	l := p.named(h, high)
	if h.Fused {
		l.rest = " ×" + itoa(int32(2+len(h.Others)))
	}
	if b.N < h.Size {
		l.rest = ", " + p.In.F("{0} of {1} GPUs", itoa(b.N), itoa(h.Size))
	}
	if p.linked(i) || p.linked(i+1) {
		l.edge = linkEdge
	}
	return []saying{l}
}

// named is the name of a job in all of its bar.
func (p *Picture) named(h *chart.Holding, high float64) saying {
	return saying{from: h.From, to: h.To, label: label{share: p.share(h.From, h.To), width: p.Frame.Width, high: high,
		name: p.Trace.Jobs[h.Job].Name, plate: true}}
}

// pillEdge is the px that a pill's two ends keep free of its name.
const pillEdge = 11

func (p *Picture) waits(w *svg) {
	f := p.Frame
	if f.WaitRows == 0 {
		p.waitCurve(w)
		return
	}
	if nobody := p.In.T("nobody waits"); len(p.Lane.Waits) == 0 &&
		(p.Seen == 0 || wide(nobody, large)+8 <= float64(p.Seen*f.Width)) {
		w.put(`<text data-part="rest" data-large="1" x="8" y="$">$</text>`, px(f.WaitY+middle(chart.WaitH, large)),
			nobody)
	}
	seen := newPainted(finest, int(f.WaitRows))
	for _, wait := range p.Lane.Waits {
		p.Trace.Pace.Did(1)
		if !p.Axis.Sees(wait.From, wait.To) || p.Axis.Sliver(wait.To-wait.From) ||
			seen.has(wait.Row, p.Axis.X(wait.From), p.Axis.X(wait.To)) {
			continue
		}
		name := p.Trace.Jobs[wait.Job].Name
		p.box(w, wait.From, wait.To, f.WaitY+float64(chart.WaitH*wait.Row), chart.WaitH, "data-role", "wait",
			"data-job", name)
		w.put(`<rect data-part="pill" data-hue="$" y="1" width="100%" height="$" rx="9"/>`, p.hue(wait.Job),
			itoa(chart.WaitH-2))
		share, rest := p.share(wait.From, wait.To), " "+p.In.T("waits")
		edge, x, anchor, room := 16.0, "9", "", p.Frame.Wide(0, share)
		if wide(name+rest, large)+edge > room {
			edge, rest = pillEdge, ""
			if p.Seen == 0 || p.Axis.X(wait.To) <= p.Seen {
				x, anchor = "50%", "middle"
			}
			name = fitAt(name, room-edge, large)
		}
		if name != "" {
			w.words(need(share, wide(name, large)+edge), need(share, wide(name+rest, large)+edge), name, rest,
				"data-large", "1", "x", x, "y", px(middle(chart.WaitH, large)), "text-anchor", anchor)
		}
		w.close("svg")
	}
}

// waitCurve shows how many jobs wait, where pills would be too many.
func (p *Picture) waitCurve(w *svg) {
	q := p.Lane.Queue(p.Trace.Pace)
	q.Settle(p.Axis, -1)
	q = q.Thin(p.Axis, 400)
	top := q.Max()
	s := chart.Scale{Max: max(top, 1)}
	w.put(`<svg data-role="wait" x="0" y="$" width="100%" height="$" viewBox="$" preserveAspectRatio="none">`,
		px(p.Frame.WaitY), px(chart.WaitCurveH), "0 0 1000 "+px(chart.WaitCurveH))
	w.put(`<path data-part="area" d="$"/>`, stepPath(&q, p.Axis, &s, chart.WaitCurveH, true))
	w.close("svg")
	if p.Seen > 0 { // it stands at the end
		return
	}
	note := figure.Count(p.In, int(top), "up to {0} job at once", "up to {0} jobs at once")
	y, a := 14.0, p.Axis // above the curve where it is low, in its area where it is high
	if q.At(a.At(1-(wide(note, large)+6)/p.Frame.Width))+q.At(a.To-1) > top {
		y = chart.WaitCurveH - 7
	}
	w.put(`<text data-part="wait-note" data-large="1" x="100%" dx="-6" y="$" text-anchor="end">$</text>`,
		px(p.Frame.WaitY+y), note)
}
