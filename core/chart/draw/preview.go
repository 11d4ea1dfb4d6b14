package draw

import (
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/words"
)

// Preview is a scenario before any run: its cluster and its jobs.
type Preview struct {
	Title string
	Types []string // in the order of PreviewNode.GPUs
	Nodes []PreviewNode
	Jobs  []PreviewJob
	// MoreNodes and MoreJobs count those that are not listed.
	MoreNodes, MoreJobs int
}

// PreviewNode is a node with its GPUs by type.
type PreviewNode struct {
	Name string
	GPUs []int
}

// PreviewJob is a job and what it asks for, in words.
type PreviewJob struct {
	Name, Asks string
	Look       chart.Look
}

const (
	// PreviewRows is how many nodes and jobs a preview lists at most.
	PreviewRows   = 12
	previewWidth  = 640
	previewSplit  = 300
	previewRow    = 20
	previewMarks  = 8 // GPUs of a type that are drawn one by one
	previewMargin = 16
)

// SVG draws the preview as a file that needs no style sheet.
func (p *Preview) SVG(in words.Catalogue) string {
	rows := max(len(p.Nodes)+min(p.MoreNodes, 1), len(p.Jobs)+min(p.MoreJobs, 1), 1)
	high := itoa(fileHead + rows*previewRow + previewMargin)
	w := &svg{in: in}
	w.put(`<svg xmlns="http://www.w3.org/2000/svg" width="$" height="$" viewBox="$" role="img" aria-label="$">`,
		itoa(previewWidth), high, "0 0 "+itoa(previewWidth)+" "+high, p.Title)
	w.defs()
	w.put(`<rect data-role="paper" width="100%" height="100%"/><text data-part="title" x="$" y="26">$</text>`,
		itoa(previewMargin), fit(p.Title, previewWidth-2*previewMargin-60))
	base := func(row int) string { return itoa(fileHead + row*previewRow + 14) }
	for i := range p.Nodes {
		p.node(w, i)
	}
	if p.MoreNodes > 0 {
		w.put(`<text x="$" y="$">$</text>`, itoa(previewMargin), base(len(p.Nodes)),
			in.F("and {0} more", itoa(p.MoreNodes)))
	}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		w.put(
			`<svg x="$" y="$" width="12" height="12" data-hue="$"><rect data-part="box" width="12" height="12" rx="2"/>`, itoa(previewSplit), itoa(fileHead+i*previewRow+4), itoa(j.Look.Hue))
		if k := j.Look.Hatch; k > 0 {
			w.put(`<rect data-part="hatch" fill="url(#hatch-$)" width="12" height="12" rx="2"/>`, itoa(k))
		}
		w.close("svg")
		w.put(`<text data-part="job" x="$" y="$">$</text><text x="$" y="$">$</text>`, itoa(previewSplit+18), base(i),
			fit(j.Name, 70), itoa(previewSplit+96), base(i), fit(j.Asks, previewWidth-previewSplit-96-previewMargin))
	}
	if p.MoreJobs > 0 {
		w.put(`<text x="$" y="$">$</text>`, itoa(previewSplit), base(len(p.Jobs)),
			in.F("and {0} more", itoa(p.MoreJobs)))
	}
	w.close("svg")
	return string(w.b) + "\n"
}

// node draws a node's name, and its GPUs one by one as far as they fit.
func (p *Preview) node(w *svg, i int) {
	n, top := &p.Nodes[i], fileHead+i*previewRow
	w.put(`<text data-part="node" x="$" y="$">$</text>`, itoa(previewMargin), itoa(top+14), fit(n.Name, 64))
	x := previewMargin + 72
	for t, count := range n.GPUs {
		if count == 0 || x > previewSplit-60 {
			continue
		}
		for range min(count, previewMarks) {
			w.put(`<svg x="$" y="$" width="12" height="12" viewBox="0 0 12 12"><path data-mark="1" d="$"/></svg>`,
				itoa(x), itoa(top+4), chart.Mark(p.Types, p.Types[t]))
			x += 13
		}
		name := itoa(count) + " " + figure.TypeTitle(p.Types[t])
		w.put(`<text x="$" y="$">$</text>`, itoa(x+3), itoa(top+14), name)
		x += int(textWidth(name)) + 14
	}
}
