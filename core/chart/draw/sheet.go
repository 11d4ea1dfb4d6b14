package draw

import (
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// SheetLane is a run on a sheet.
type SheetLane struct {
	Policy, Title string
	Trace         *trace.Trace
	Lane          *chart.Lane
}

// Measures of a sheet for a phone.
const (
	phoneWidth  = 366
	phoneGutter = 78
)

// captionLine is the most characters of a caption's line, in its small type.
const captionLine = 150

// SheetSVG is runs under one another on one time axis, as an SVG file that needs no style sheet. The
// caption stands below, broken where it does not fit. No lanes give no text.
func SheetSVG(in words.Catalogue, lanes []SheetLane, title, caption string) string {
	return sheet{width: fileWidth, gutter: fileGutter, head: fileHead}.svg(in, lanes, title, caption)
}

// PhoneSVG is the same in the width of a phone's column, so that its letters are read there.
func PhoneSVG(in words.Catalogue, lanes []SheetLane) string {
	titles := make([]string, len(lanes))
	for i, l := range lanes {
		titles[i] = l.Title
	}
	small := sheet{width: phoneWidth, gutter: phoneGutter, head: 6, right: 10}
	return small.svg(in, lanes, strings.Join(titles, ", "), "")
}

// sheet are measures of a file of runs; a head with no room for the title goes without. The last time of the axis is
// written into the margin on the right.
type sheet struct{ width, gutter, head, right int }

func (s sheet) svg(in words.Catalogue, lanes []SheetLane, title, caption string) string {
	if len(lanes) == 0 {
		return ""
	}
	end := unit.Tick(1)
	for _, l := range lanes {
		end = max(end, l.Trace.End)
	}
	axis := chart.NewAxis(end, lanes[0].Trace.Round)
	for _, l := range lanes {
		axis.Measure(l.Trace)
	}
	width := float64(s.width - s.gutter - 2*fileMargin - s.right)
	lines := broken(caption, captionLine)
	high := float64(s.head + AxisHeight + 2*fileMargin + 15*len(lines))
	pictures, notes := make([]*Picture, len(lanes)), make([]string, len(lanes))
	for i, l := range lanes {
		pictures[i] = &Picture{In: in, Lane: l.Lane, Trace: l.Trace, Axis: &axis, Frame: chart.NewFrame(l.Lane, width),
			Policy: l.Policy, Title: l.Title}
		pictures[i].FitEnds()
		high += sheetHead + pictures[i].Frame.Height
		if notes[i] = pictures[i].Dense(); notes[i] != "" {
			high += noteHeight
		}
	}
	w := &svg{in: in}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" role="img" aria-label="$">`,
		itoa(s.width), px(high), "0 0 "+itoa(s.width)+" "+px(high), title)
	w.defs()
	w.put(`<rect data-role="paper" width="100%" height="100%"/>`)
	if s.head == fileHead {
		w.put(`<text data-part="title" x="$" y="26">$</text>`, itoa(fileMargin), title)
	}
	left := float64(fileMargin + s.gutter)
	w.inner(left, float64(s.head), width, AxisHeight, AxisSVG(in, &axis, &chart.Diff{First: -1, Job: -1},
		width, ""))
	y := float64(s.head + AxisHeight)
	for i, p := range pictures {
		w.put(`<text data-part="title" x="$" y="$">$</text>`, itoa(fileMargin), px(y+18), lanes[i].Title)
		y += sheetHead
		w.inner(fileMargin, y, float64(s.gutter), p.Frame.Height, GutterSVG(in, p.Lane, p.Trace, p.Frame,
			float64(s.gutter)))
		w.inner(left, y, width, p.Frame.Height, p.SVG())
		if y += p.Frame.Height; notes[i] != "" {
			y += noteHeight
			w.put(`<text x="$" y="$">$</text>`, itoa(fileMargin), px(y-4), notes[i])
		}
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
