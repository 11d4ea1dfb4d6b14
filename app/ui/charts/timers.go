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
	"hadarlab/core/trace"
)

func init() { register("timers", kind{draw: (*Chart).timers, offered: timed}) }

// timed says whether jobs of a lane wait by timers.
func timed(r *run.Result) bool {
	return slices.ContainsFunc(r.Ran(), func(l *run.Lane) bool { return l.Chart.Timed() })
}

// timers is how long jobs would wait for closer GPUs, a strip for each number of GPUs and distance, a curve a lane.
func (c *Chart) timers(r *run.Result) *Drawing {
	d := &Drawing{Test: "timers", Head: []string{"Timer"}}
	u := r.Axis.Unit
	var runs []*trace.Trace
	var sides []insights.Side
	racked := false
	of, styles := ran(r)
	for i, l := range of {
		if !l.Chart.Timed() {
			continue
		}
		racks := chart.NewRacks(l.Trace, r.Rack())
		racked = racked || len(racks.Names) > 1
		runs, sides = append(runs, l.Trace), append(sides, l.Side())
		d.Curves = append(d.Curves, chart.Curve{Name: words.Own(l.Title), Style: styles[i]})
		d.Head = append(d.Head, "#"+words.F("{0}, last, {1}", l.Title, u.Short), "#"+words.F("{0}, changes", l.Title))
	}
	all := chart.Timers(runs, racked)
	d.Finding = insights.Timers(words.Now(), sides, all, u)
	var strips []draw.Strip
	for i := range all {
		z := &all[i]
		s := draw.Strip{Name: insights.TimerName(words.Now(), z), High: 40}
		top := 0.0
		for k, of := range z.Runs {
			v := slices.Clone(of.V)
			for n := range v {
				v[n] /= u.Length.Seconds()
			}
			of.V = v
			if len(v) > 0 {
				top = max(top, of.Max())
				s.Lines = append(s.Lines, chart.Curve{Style: d.Curves[k].Style, Series: of})
			}
		}
		if s.Y = chart.LinearScale(top, 2); len(s.Lines) > 0 {
			strips = append(strips, s)
		}
	}
	d.Pictures = []Picture{c.strips("timers", strips, d.Finding.Claim)}
	d.Table = func(t *markup.Table) {
		for i := range all {
			z := &all[i]
			cells := []string{insights.TimerName(words.Now(), z)}
			for k := range z.Runs {
				cells = append(cells, "#"+insights.TimerText(words.Now(), z, k, u), "#"+strconv.Itoa(z.Turns[k]))
			}
			t.Row("", cells...)
		}
	}
	return d
}
