package charts

import (
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/figure"
	"hadarlab/core/insights"
	"hadarlab/core/unit"
)

// ran are all lanes that ran, with the styles of their curves.
func ran(r *run.Result) (of []*run.Lane, styles []string) {
	for i, l := range r.Lanes {
		if l.Trace != nil {
			of, styles = append(of, l), append(styles, LaneStyle(i))
		}
	}
	return of, styles
}

// sides are the lanes that are compared, or the only one that ran.
func sides(r *run.Result) []*run.Lane {
	if a, b := r.Pair(); a != nil {
		return []*run.Lane{a, b}
	}
	return r.Ran()
}

// perLane is a drawing with a curve for each lane that ran.
func perLane(r *run.Result, of func(l *run.Lane) chart.Series) *Drawing {
	d := &Drawing{}
	lanes, styles := ran(r)
	for i, l := range lanes {
		d.Curves = append(d.Curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i], Spiky: true, Series: of(l)})
	}
	return d
}

// compares are the lanes that the sentence of such a drawing compares, while the picture shows all, and their curves.
func compares(r *run.Result, d *Drawing) (of []insights.Side, curves []chart.Curve) {
	lanes, _ := ran(r)
	for _, l := range sides(r) {
		of, curves = append(of, l.Side()), append(curves, d.Curves[slices.Index(lanes, l)])
	}
	return of, curves
}

// overTime draws the curves of a drawing; its table lists the steps of all by time.
func (c *Chart) overTime(r *run.Result, d *Drawing, y chart.Scale, of string) *Drawing {
	d.Pictures = []Picture{{draw.ScaleSVG(words.Now(), &y, of, c.Gutter()), draw.CurvesSVG(words.Now(), c.Time(),
		&y, d.Curves, float64(c.PlotW), d.Finding.Claim+" "+d.Finding.Because), draw.CurveHeight}}
	u := r.Axis.Unit
	d.Head = []string{"#" + words.F("From, {0}", u.Short)}
	for i := range d.Curves {
		d.Head = append(d.Head, "#"+d.Curves[i].Name.In(words.Now())+", "+of)
	}
	d.Table = func(t *markup.Table) {
		times := chart.StepTimes(d.Curves, c.Time())
		for _, at := range times[:min(len(times), tableRows)] {
			cells := []string{"#" + u.Number(words.Now(), at)}
			for i := range d.Curves {
				cells = append(cells, "#"+words.Sig(d.Curves[i].Series.At(at), 4))
			}
			t.Row("", cells...)
		}
		if len(times) > tableRows {
			t.Rest = words.F("The first {0} of {1} steps.", strconv.Itoa(tableRows), strconv.Itoa(len(times)))
		}
	}
	return d
}

// parts are bars of parts of some GPU time, one a lane.
func (c *Chart) parts(time string, of []chart.Spent, all [][]float64, titles []string,
	says insights.Finding) *Drawing {
	d := &Drawing{Finding: says, Test: "compared", Head: []string{time}}
	for i := range all {
		d.Head = append(d.Head, "#"+titles[i])
		d.Pictures = append(d.Pictures, Picture{Names: draw.NameSVG(c.named(i), c.Gutter(), draw.PartsHeight),
			SVG: draw.PartsSVG(words.Now(), of, all[i], titles[i]+". "+says.Claim, float64(c.PlotW))})
	}
	var key []string
	for k := range of {
		if slices.ContainsFunc(all, func(of []float64) bool { return of[k] > 0 }) {
			one := make([]float64, len(of))
			one[k] = 1
			title := of[k].Title().In(words.Now())
			key = append(key, `<span class="swatch">`+draw.PartsSVG(words.Now(), of, one, title, 0)+`</span>`, title)
		}
	}
	d.Key = markup.Swatches("parts-legend", key...)
	d.Table = func(t *markup.Table) {
		for k := range of {
			cells := []string{of[k].Title().In(words.Now())}
			for i := range all {
				cells = append(cells, "#"+words.Fixed(all[i][k]*100, 1)+" %")
			}
			t.Row(` data-cause="`+of[k].ID+`" data-share="`+markup.Exact(all[0][k])+`"`, cells...)
		}
	}
	return d
}

// named is the i-th lane that ran, with its letter: many a title has no room beside a picture.
func (c *Chart) named(i int) string {
	r := c.Result
	l := r.Ran()[i]
	return edit.LaneLetter(slices.Index(r.Lanes, l)) + " " + l.Title
}

// strips are strips on the lanes' axis.
func (c *Chart) strips(role string, all []draw.Strip, title string) Picture {
	return Picture{draw.StripsGutterSVG(words.Now(), all, c.Gutter()),
		draw.StripsSVG(words.Now(), c.Time(), role, all, float64(c.PlotW), title), draw.StripsHeight(all)}
}

// completionHead is the head of a table of completion times, and completion is a job's row in it: a column a lane, and
// one for what the headline compares, if there are two.
func completionHead(of, pair []*run.Lane, u figure.Unit) []string {
	head := []string{"Job"}
	for _, l := range of {
		head = append(head, "#"+l.Title+", "+u.Short)
	}
	if len(pair) > 1 {
		head = append(head, "#"+words.F("{0} against {1}", pair[0].Title, pair[1].Title))
	}
	return head
}

func completion(t *markup.Table, of, pair []*run.Lane, job int32, u figure.Unit) {
	cells := []string{of[0].Trace.Jobs[job].Name}
	for _, l := range of {
		cells = append(cells, "#"+tookWords(l.Trace.Jobs[job].CompletionTime(), u))
	}
	if len(pair) > 1 {
		first, second := &pair[0].Trace.Jobs[job], &pair[1].Trace.Jobs[job]
		cells = append(cells, "#"+sooner(first.CompletionTime(), second.CompletionTime(), u))
	}
	t.Row(` data-job="`+draw.Escape(cells[0])+`"`, cells...)
}

func tookWords(t unit.Tick, u figure.Unit) string {
	if t == unit.Never {
		return words.T("unfinished")
	}
	return u.Number(words.Now(), t)
}

func sooner(a, b unit.Tick, u figure.Unit) string {
	switch {
	case a == unit.Never || b == unit.Never:
		return "–"
	case u.Number(nil, a) == u.Number(nil, b):
		return words.T("alike")
	case a < b:
		return words.F("▼ {0} sooner", u.Number(words.Now(), b-a))
	}
	return words.F("▲ {0} later", u.Number(words.Now(), a-b))
}

// spread says whether there are several nodes.
func spread(r *run.Result) bool { return len(r.Doc.Scenario.Cluster.Nodes) > 1 }

// LaneStyle is the line of a lane.
func LaneStyle(i int) string { return [...]string{"a", "b", "c"}[i%3] }

// eachRun draws strips of each run, one above the other, under its name.
func (c *Chart) eachRun(d *Drawing, sides []insights.Side, of func(run int) []draw.Strip) {
	for i := range sides {
		strips := of(i)
		strips[0].Name = c.named(i) + " · " + strips[0].Name
		d.Pictures = append(d.Pictures, c.strips(d.Test, strips, sides[i].Title+". "+d.Finding.Claim))
	}
}

// areaKey is the key of an area of a strip.
func areaKey(use string) string {
	return `<svg width="16" height="12" aria-hidden="true"><path data-use="` + use + `" d="M0 0H16V12H0Z"></path></svg>`
}
