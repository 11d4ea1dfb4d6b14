package charts

import (
	"strconv"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
)

func init() {
	register("network", kind{draw: (*Chart).network, offered: spread, ofJob: true, ofMoment: true})
}

// network is the cluster at the cursor: its racks, their nodes and who sits there.
func (c *Chart) network(r *run.Result) *Drawing {
	m, _ := r.Moment(c.Moment)
	d := &Drawing{Test: "tree", Head: []string{"Policy", "Rack", "Node", "Job", "#GPUs"}, moment: c.Moment}
	var sides []insights.Side
	var all []*chart.Tree
	var pictures []draw.Tree
	here, lines := r.JobNumber(c.Job), int32(0)
	for _, l := range r.Ran() {
		of := chart.NewRacks(l.Trace, r.Rack())
		tree := l.Chart.NewTree(l.Trace, &of, m.At)
		sides, all, lines = append(sides, l.Side()), append(all, tree), max(lines, tree.Lines)
		pictures = append(pictures, draw.Tree{In: words.Now(), Tree: tree, Lane: l.Chart, Trace: l.Trace, Racks: &of})
	}
	d.Finding = insights.Trees(words.Now(), sides, all, here, m.At, r.Axis.Unit)
	for i := range pictures {
		p := &pictures[i]
		p.Lines = lines
		d.Pictures = append(d.Pictures, Picture{Names: p.GutterSVG(c.named(i), c.Gutter()),
			SVG: p.SVG(here, float64(c.PlotW), sides[i].Title+". "+d.Finding.Claim)})
	}
	d.Key = markup.Swatches("tree-legend",
		`<svg width="26" height="12" aria-hidden="true"><path data-role="wire" data-hue="1" d="M2 6H24"></path></svg>`,
		words.T("a gang on several nodes"),
		`<svg width="26" height="12" aria-hidden="true"><path data-role="wire" data-far="1" data-hue="1" d="M2 6H24"></path></svg>`,
		words.T("over several racks"))
	d.Table = func(t *markup.Table) {
		for i := range pictures {
			p := &pictures[i]
			for k := range p.Tree.Leaves {
				f := &p.Tree.Leaves[k]
				for _, s := range f.Seats {
					name := words.T("free")
					if s.Holding == chart.SeatDown {
						name = words.T("away")
					} else if s.Holding >= 0 {
						name = p.Trace.Jobs[p.Lane.Holdings[s.Holding].Job].Name
					}
					t.Row(` data-job="`+draw.Escape(name)+`"`, sides[i].Title, p.Racks.Names[f.Rack],
						p.Trace.Nodes[p.Lane.Bands[f.Band].Node], name, "#"+strconv.Itoa(int(s.N)))
				}
			}
		}
	}
	return d
}
