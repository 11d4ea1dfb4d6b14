package ui

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/findings"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
)

// sized says whether a lane changes sizes, or may.
func sized(r *run.Result) bool {
	return slices.ContainsFunc(r.Ran(), func(l *run.Lane) bool { return l.Chart.Resizes() }) ||
		slices.ContainsFunc(r.Doc.Scenario.Jobs, func(j scenario.Job) bool { return j.Elastic != nil })
}

// spread says whether there are several nodes.
func spread(r *run.Result) bool { return len(r.Doc.Scenario.Cluster.Nodes) > 1 }

// racks are those of a result's nodes.
func racks(r *run.Result, t *trace.Trace) chart.Racks {
	return chart.NewRacks(t, r.Rack())
}

func init() { sketched("sizes", sketch{draw: (*Charts).sizes, offered: sized, ofJob: true}) }

// sizes is how many GPUs jobs hold, a strip a job.
func (c *Charts) sizes(r *run.Result) *drawing {
	of, styles := ran(r)
	var runs []*trace.Trace
	var sides []findings.Side
	d := &drawing{test: "sizes", head: []string{"Job", "#Asks for"}}
	for i, l := range of {
		runs, sides = append(runs, l.Trace), append(sides, l.Side())
		d.curves = append(d.curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
		d.head = append(d.head, "#"+words.F("{0}, most", l.Title), "#"+words.F("{0}, changes", l.Title))
	}
	d.curves = append(d.curves, chart.Curve{Name: words.Say("asks for"), Style: "asked"})
	here := jobIn(r, c.Job)
	all := chart.Sizes(runs, here)
	d.finding = findings.Sizes(words.Now(), sides, all)
	d.pictures = []picture{{draw.SizesGutterSVG(runs[0], all, c.gutter()), draw.SizesSVG(words.Now(), c.time(),
		runs[0], all, styles, here, float64(c.PlotW), d.finding.Claim), draw.SizesHeight(len(all))}}
	d.table = func(t *textTable) {
		for i := range all {
			z := &all[i]
			name := runs[0].Jobs[z.Job].Name
			cells := []string{name, "#" + itoa(int(z.Asked))}
			for k := range of {
				cells = append(cells, "#"+itoa(int(z.Runs[k].Max())), "#"+itoa(z.Turns[k]))
			}
			t.row(` data-job="`+draw.Escape(name)+`"`, cells...)
		}
	}
	return d
}

func init() { sketched("locality", sketch{draw: (*Charts).locality, offered: spread}) }

// locality is how far apart the GPUs of gangs lie.
func (c *Charts) locality(r *run.Result) *drawing {
	var all [][]float64
	var titles []string
	tiers := chart.Tiers[:2]
	for _, l := range r.Ran() {
		of := racks(r, l.Trace)
		if len(of.Names) > 1 {
			tiers = chart.Tiers[:]
		}
		all, titles = append(all, l.Chart.Locality(l.Trace, &of)), append(titles, l.Title)
	}
	return c.parts(words.T("GPU time of gangs"), tiers, all, titles,
		findings.Locality(words.Now(), titles, all, len(tiers) > 2))
}

func init() {
	sketched("network", sketch{draw: (*Charts).network, offered: spread, ofJob: true, ofMoment: true})
}

// network is the cluster at the cursor: its racks, their nodes and who sits there.
func (c *Charts) network(r *run.Result) *drawing {
	m, _ := r.Moment(c.Moment)
	d := &drawing{test: "tree", head: []string{"Policy", "Rack", "Node", "Job", "#GPUs"}, moment: c.Moment}
	var sides []findings.Side
	var all []*chart.Tree
	var pictures []draw.Tree
	here, lines := jobIn(r, c.Job), int32(0)
	for _, l := range r.Ran() {
		of := racks(r, l.Trace)
		tree := l.Chart.NewTree(l.Trace, &of, m.At)
		sides, all, lines = append(sides, l.Side()), append(all, tree), max(lines, tree.Lines)
		pictures = append(pictures, draw.Tree{In: words.Now(), Tree: tree, Lane: l.Chart, Trace: l.Trace, Racks: &of})
	}
	d.finding = findings.Trees(words.Now(), sides, all, here, m.At, r.Axis.Unit)
	for i := range pictures {
		p := &pictures[i]
		p.Lines = lines
		d.pictures = append(d.pictures, picture{names: p.GutterSVG(c.named(i), c.gutter()),
			svg: p.SVG(here, float64(c.PlotW), sides[i].Title+". "+d.finding.Claim)})
	}
	d.key = swatches("tree-legend",
		`<svg width="26" height="12" aria-hidden="true"><path data-role="wire" data-hue="1" d="M2 6H24"></path></svg>`,
		words.T("a gang on several nodes"),
		`<svg width="26" height="12" aria-hidden="true"><path data-role="wire" data-far="1" data-hue="1" d="M2 6H24"></path></svg>`,
		words.T("over several racks"))
	d.table = func(t *textTable) {
		for i := range pictures {
			p := &pictures[i]
			for k := range p.Tree.Leaves {
				f := &p.Tree.Leaves[k]
				for _, s := range f.Seats {
					name := words.T("free")
					if s.Holding == -2 {
						name = words.T("out of order")
					} else if s.Holding >= 0 {
						name = p.Trace.Jobs[p.Lane.Holdings[s.Holding].Job].Name
					}
					t.row(` data-job="`+draw.Escape(name)+`"`, sides[i].Title, p.Racks.Names[f.Rack],
						p.Trace.Nodes[p.Lane.Bands[f.Band].Node], name, "#"+itoa(int(s.N)))
				}
			}
		}
	}
	return d
}
