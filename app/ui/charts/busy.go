package charts

import (
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
)

func init() { register("busy", kind{draw: (*Chart).busy}) }

// busy is how many GPUs work.
func (c *Chart) busy(r *run.Result) *Drawing {
	d := perLane(r, func(l *run.Lane) chart.Series { return chart.Busy(l.Trace) })
	of, theirs := compares(r, d)
	d.Finding = insights.Busy(words.Now(), of, theirs, r.Axis.Unit)
	chart.Settle(d.Curves, c.Time(), 1)
	return c.overTime(r, d, chart.LinearScale(max(float64(of[0].Trace.GPUs()), 1), 4), words.T("GPUs"))
}
