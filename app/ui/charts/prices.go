package charts

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/insights"
	"hadarlab/core/trace"
)

func init() { register("prices", kind{draw: (*Chart).prices, offered: priced, scaled: true}) }

// priced says whether GPUs have prices in one of the lanes that charts compare.
func priced(r *run.Result) bool {
	return slices.ContainsFunc(sides(r), func(l *run.Lane) bool { return len(l.Trace.Points(&trace.Price)) > 0 })
}

// prices is the chart of the first lane that prices GPUs.
func (c *Chart) prices(r *run.Result) *Drawing {
	of := sides(r)
	for _, l := range of {
		curves, _ := chart.PriceCurves(l.Trace)
		if len(curves) == 0 {
			continue
		}
		d := &Drawing{Curves: curves, Finding: insights.Prices(words.Now(), l.Trace, l.Title, l.Meta.PriceUnit)}
		lo, hi := 0.0, 0.0
		for i := range curves {
			for _, v := range curves[i].Series.V {
				if v > 0 && (lo == 0 || v < lo) {
					lo = v
				}
				hi = max(hi, v)
			}
		}
		y := chart.LinearScale(hi, 4)
		if c.Log {
			y = chart.LogScale(lo, hi, 4)
		}
		return c.overTime(r, d, y, words.T(l.Meta.PriceUnit))
	}
	return &Drawing{Finding: insights.Prices(words.Now(), of[0].Trace, of[0].Title, "")}
}
