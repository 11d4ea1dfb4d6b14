package draw

import (
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Measures in px of a picture that stands alone.
const (
	fileWidth  = 1200
	fileGutter = 128
	fileHead   = 40
	fileMargin = 12
	noteHeight = 18
)

// fileStyle gives a picture that stands alone the colours that the page takes from its style sheet:
// job colours after Okabe and Ito, with the text that reads on each.
const fileStyle = `text{font:12px system-ui,sans-serif;fill:#414953}[data-large]{font-size:15px}[data-below]{display:none}
[data-role=paper]{fill:#fff}[data-part=title]{font:600 15px system-ui,sans-serif;fill:#14181d}
[data-role=node-bg]{fill:#f4f5f7}[data-role=row],[data-role=round]{stroke:#d8dce1}
[data-role=slice]{stroke:#fff;stroke-opacity:.55}[data-role=tick]{stroke:#7b848e}[data-mark]{fill:#414953}
[data-part=box]{stroke-width:1}[data-part=hatch]{fill-opacity:.5}[data-part=stall],[data-part=hold]{fill:#fff;fill-opacity:.55}
[data-part=halo]{stroke:#fff;stroke-width:4.5}[data-part=tie]{stroke-width:2}[data-part=knot]{stroke-width:2}
[data-part=link]{fill:none;stroke:#14181d;stroke-width:2}
[data-role=left] [data-part=box]{stroke:#7b848e;stroke-dasharray:3 2}[data-role=left] text{paint-order:stroke;stroke:#fff;stroke-width:5px}
[data-role=idle] [data-part=box]{stroke:#9a6700;stroke-dasharray:3 2}[data-role=idle] text{fill:#6b4300;paint-order:stroke;stroke:#fff;stroke-width:5px}
[data-role=down] [data-part=box],[data-role=down] path{fill:#d8dce1;stroke:#7b848e}
[data-role=slow] rect{fill:#9a6700}
[data-role=wait] rect{fill:#fff3d6;stroke:#9a6700}[data-role=wait] text{fill:#6b4300}[data-role=wait] [data-part=area]{fill:#fff3d6;stroke:#9a6700}
[data-role=done] line{stroke:#14181d;stroke-width:2}[data-role=done] text{fill:#14181d;font-weight:600}
[data-role=bar] text{font-weight:600}pattern{stroke:#14181d;fill:#14181d}
`

// fileHues are edge and text of each of chart.Fills.
var fileHues = [len(chart.Fills)][2]string{{"#00507d", "#fff"}, {"#8a5f00", "#14181d"}, {"#00614a", "#04130e"},
	{"#8a3f68", "#14181d"}, {"#1c6a97", "#14181d"}, {"#8c3c00", "#14181d"}, {"#766d00", "#14181d"},
	{"#565c62", "#14181d"}}

// fileHatches are the strokes of the patterns 1 to 6 and of idle GPUs, in boxes of 8 by 8.
var fileHatches = [...]string{"M0 8 8 0", "M2 2h1M6 6h1", "M0 0 8 8", "M0 4h8", "M4 0v8", "M0 4h8M4 0v8"}

// FileSVG is one run as an SVG file that needs no style sheet: title, axis, node names and plot.
func FileSVG(in words.Catalogue, t *trace.Trace, l *chart.Lane, policy, title string) string {
	axis := chart.NewAxis(t.End, t.Round)
	axis.Measure(t)
	width := float64(fileWidth - fileGutter - 2*fileMargin)
	p := &Picture{In: in, Lane: l, Trace: t, Axis: &axis, Frame: chart.NewFrame(l, width), Policy: policy,
		Title: title}
	p.FitEnds()
	note := p.Dense()
	high := p.Frame.Height + fileHead + AxisHeight + 2*fileMargin
	if note != "" {
		high += noteHeight
	}
	w := &svg{in: in}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" role="img" aria-label="$">`,
		itoa(fileWidth), px(high), "0 0 "+itoa(fileWidth)+" "+px(high), title+". "+p.Summary())
	w.defs()
	w.put(`<rect data-role="paper" width="100%" height="100%"/>`)
	w.put(`<text data-part="title" x="$" y="26">$</text>`, itoa(fileMargin), title)
	top := float64(fileHead + AxisHeight)
	w.inner(fileMargin+fileGutter, fileHead, width, AxisHeight, AxisSVG(in, &axis, &chart.Diff{First: -1, Job: -1},
		width, ""))
	w.inner(fileMargin, top, fileGutter, p.Frame.Height, GutterSVG(in, l, t, p.Frame, fileGutter))
	w.inner(fileMargin+fileGutter, top, width, p.Frame.Height, p.SVG())
	if note != "" {
		w.put(`<text x="$" y="$">$</text>`, itoa(fileMargin), px(high-fileMargin), note)
	}
	w.close("svg")
	return string(w.b) + "\n"
}

// defs writes the style and the patterns.
func (w *svg) defs() {
	var b strings.Builder
	b.WriteString(fileStyle)
	for i, h := range fileHues {
		at := "[data-hue=\"" + itoa(i+1) + "\"]"
		fill := chart.Fills[i]
		b.WriteString(at + "{fill:" + fill + ";stroke:" + h[0] + "}" + at + " [data-part=merge]{fill:" + h[0] + "}" +
			at + " [data-part=knot]{fill:#fff}" + at + " [data-part=plate]{fill:" + fill + ";stroke:none}" + at +
			" text{fill:" + h[1] + ";stroke:none}\n")
	}
	w.put(`<style>`)
	w.b = append(w.b, b.String()...)
	w.close("style")
	w.put(`<defs>`)
	for i, d := range fileHatches {
		w.pattern("hatch-"+itoa(i+1), d)
	}
	w.pattern("hatch-idle", "M0 8 8 0")
	w.close("defs")
}

func (w *svg) pattern(id, d string) {
	w.put(`<pattern id="$" width="8" height="8" patternUnits="userSpaceOnUse">`, id)
	w.put(`<path d="$"/>`, d)
	w.close("pattern")
}
