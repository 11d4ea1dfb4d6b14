package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// SheetLane is a run on a sheet.
type SheetLane struct {
	Policy, Title string
	Trace         *trace.Trace
	Lane          *Lane
}

// captionLine is the most characters of a caption's line, in its small type.
const captionLine = 150

// SheetSVG is runs under one another on one time axis, as an SVG file that needs no style sheet. The
// caption stands below, broken where it does not fit. No lanes give no text.
func SheetSVG(lanes []SheetLane, title, caption string) string {
	if len(lanes) == 0 {
		return ""
	}
	end := unit.Tick(1)
	for _, l := range lanes {
		end = max(end, l.Trace.End)
	}
	axis := NewAxis(end, lanes[0].Trace.Round)
	width := float64(fileWidth - fileGutter - 2*fileMargin)
	lines := broken(caption, captionLine)
	high := float64(fileHead + AxisHeight + 2*fileMargin + 15*len(lines))
	pictures := make([]*Picture, len(lanes))
	for i, l := range lanes {
		pictures[i] = &Picture{Lane: l.Lane, Trace: l.Trace, Axis: &axis, Frame: NewFrame(l.Lane, width), Policy: l.Policy, Title: l.Title}
		high += sheetHead + pictures[i].Frame.Height
	}
	w := &svg{}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" role="img" aria-label="$">`, itoa(fileWidth), px(high), "0 0 "+itoa(fileWidth)+" "+px(high), title)
	w.defs()
	w.put(`<rect data-role="paper" width="100%" height="100%"/>`)
	w.put(`<text data-part="title" x="$" y="26">$</text>`, itoa(fileMargin), title)
	w.inner(fileMargin+fileGutter, fileHead, width, AxisHeight, AxisSVG(&axis, &Diff{First: -1, Job: -1}, width))
	y := float64(fileHead + AxisHeight)
	for i, p := range pictures {
		w.put(`<text data-part="title" x="$" y="$">$</text>`, itoa(fileMargin), px(y+18), lanes[i].Title)
		y += sheetHead
		w.inner(fileMargin, y, fileGutter, p.Frame.Height, p.Lane.GutterSVG(p.Trace, p.Frame, fileGutter))
		w.inner(fileMargin+fileGutter, y, width, p.Frame.Height, p.SVG())
		y += p.Frame.Height
	}
	for i, line := range lines {
		w.put(`<text x="$" y="$">$</text>`, itoa(fileMargin), px(y+float64(15*i)+15), line)
	}
	w.close("svg")
	return string(w.b) + "\n"
}

// sheetHead is the height in px of a lane's title.
const sheetHead = 26

// inner places a picture on a file's sheet.
func (w *svg) inner(x, y, width, height float64, text string) {
	w.put(`<svg x="$" y="$" width="$" height="$" overflow="visible">`, px(x), px(y), px(width), px(height))
	w.b = append(w.b, text...)
	w.close("svg")
}

// broken cuts a text into lines of at most n bytes: at line ends, and wherever it must.
func broken(s string, n int) []string {
	var out []string
	for from, i := 0, 0; i <= len(s); i++ {
		end := i == len(s) || s[i] == '\n'
		if !end && (i-from < n || s[i]&0xC0 == 0x80) { // never within a character
			continue
		}
		if i > from {
			out = append(out, s[from:i])
		}
		if from = i; end {
			from++
		}
	}
	return out
}

// Measures of a thumbnail in px.
const (
	thumbW = 320
	thumbH = 96
)

// ThumbSVG is a run's bars alone, small, without text, on no ground of its own: it stands on light and dark.
func ThumbSVG(t *trace.Trace, l *Lane) string {
	w := &svg{}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" preserveAspectRatio="none">`, itoa(thumbW), itoa(thumbH), "0 0 "+itoa(thumbW)+" "+itoa(thumbH))
	row := float64(thumbH) / float64(max(1, len(l.Rows)))
	gap := min(1, row/6)
	box := func(from, to unit.Tick, at, n int32, fill, opacity string) {
		x := thumbW * float64(from) / float64(max(1, l.End)) // a quotient cannot be fused with the difference
		wide := max(thumbW*float64(to)/float64(max(1, l.End))-x, 0.5)
		w.put(`<rect x="$" y="$" width="$" height="$" rx="1" fill="$" opacity="$"/>`, px(x), px(float64(float64(at)*row)+gap), px(wide), px(float64(float64(n)*row)-gap-gap), fill, opacity)
	}
	for r := range l.Rows {
		box(0, l.End, int32(r), 1, "#7b848e", ".22")
	}
	for _, b := range l.Bars {
		h := &l.Holdings[b.Holding]
		box(h.From, h.To, b.Row, b.N, fileHues[Hue(h.Job)-1][0], "1")
	}
	w.close("svg")
	return string(w.b) + "\n"
}
