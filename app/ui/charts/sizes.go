package charts

import (
	"slices"
	"strconv"

	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
)

func init() { register("sizes", kind{draw: (*Chart).sizes, offered: sized, ofJob: true}) }

// sized says whether a lane changes sizes, or may.
func sized(r *run.Result) bool {
	return slices.ContainsFunc(r.Ran(), func(l *run.Lane) bool { return l.Chart.Resizes() }) ||
		slices.ContainsFunc(r.Doc.Scenario.Jobs, func(j scenario.Job) bool { return j.Elastic != nil })
}

// sizes is how many GPUs jobs hold, a strip a job.
func (c *Chart) sizes(r *run.Result) *Drawing {
	of, styles := ran(r)
	var runs []*trace.Trace
	var sides []insights.Side
	d := &Drawing{Test: "sizes", Head: []string{"Job", "#Asks for"}}
	for i, l := range of {
		runs, sides = append(runs, l.Trace), append(sides, l.Side())
		d.Curves = append(d.Curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
		d.Head = append(d.Head, "#"+words.F("{0}, most", l.Title), "#"+words.F("{0}, changes", l.Title))
	}
	d.Curves = append(d.Curves, chart.Curve{Name: words.Say("asks for"), Style: "asked"})
	here := r.JobNumber(c.Job)
	all := chart.Sizes(runs, here)
	d.Finding = insights.Sizes(words.Now(), sides, all)
	d.Pictures = []Picture{{draw.SizesGutterSVG(runs[0], all, c.Gutter()), draw.SizesSVG(words.Now(), c.Time(),
		runs[0], all, styles, here, float64(c.PlotW), d.Finding.Claim), draw.SizesHeight(len(all))}}
	d.Table = func(t *markup.Table) {
		for i := range all {
			z := &all[i]
			name := runs[0].Jobs[z.Job].Name
			cells := []string{name, "#" + strconv.Itoa(int(z.Asked))}
			for k := range of {
				cells = append(cells, "#"+strconv.Itoa(int(z.Runs[k].Max())), "#"+strconv.Itoa(z.Turns[k]))
			}
			t.Row(` data-job="`+draw.Escape(name)+`"`, cells...)
		}
	}
	return d
}
