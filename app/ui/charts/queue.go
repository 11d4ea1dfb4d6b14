package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
)

func init() { register("queue", kind{draw: (*Chart).queue}) }

// queue is how many jobs wait.
func (c *Chart) queue(r *run.Result) *Drawing {
	d, top := perLane(r, func(l *run.Lane) chart.Series { return l.Chart.Queue(nil) }), 1.0
	for i := range d.Curves {
		top = max(top, d.Curves[i].Series.Max())
	}
	of, theirs := compares(r, d)
	d.Finding = insights.Queue(words.Now(), of, theirs, r.Axis.Unit)
	chart.Settle(d.Curves, c.Time(), -1)
	return c.overTime(r, d, chart.LinearScale(top, 4), words.T("jobs"))
}
