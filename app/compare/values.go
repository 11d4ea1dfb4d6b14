package compare

import (
	"math"
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Usual are the values that are offered for a number, ascending, with the present one among them: they are in
// proportion to it and to the lengths of the scenario, its rounds and its span in s.
func Usual(k *edit.Variable, round, span float64) []float64 {
	v := k.Value
	of := []float64{v / 4, v / 2, v, 2 * v, 4 * v, 8 * v}
	switch {
	case k.Range.Max <= 1:
		of = []float64{v, 0, 0.25, 0.5, 0.75, 1}
	case k.Instant:
		of = []float64{v}
		axis := chart.NewAxis(unit.Seconds(span), 0)
		for _, t := range axis.Ticks {
			of = append(of, float64(t.At)/float64(unit.Second))
		}
	case v == 0 && k.Range.Unit == "s":
		of = []float64{0, round / 24, round / 12, round / 6, round / 3, round / 2}
	case v == 0:
		of = []float64{0, 1, 2, 4, 8}
	case k.Range.Whole && v < 16:
		of = []float64{v / 4, v / 2, v - 2, v - 1, v, v + 1, v + 2, 2 * v, 4 * v}
	case k.Range.Unit == "s" && k.Range.Min == 0:
		of = append(of, 0, round/2) // stalls of a whole round leave no time to work
	}
	values := of[:0]
	for _, x := range of {
		if k.Range.Whole {
			x = math.Round(x)
		} else if x != v {
			x, _ = strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64) // always a number
		}
		if x >= k.Range.Min && x <= k.Range.Max && !(k.Range.Open && x == k.Range.Min) {
			values = append(values, x)
		}
	}
	slices.Sort(values)
	return slices.Compact(values)
}

// Span is how long the scenario lasts, in s: to its last arrival, and to the end of the last result.
func Span(d *scenario.Document, r *run.Result) float64 {
	end := 0.0
	for i := range d.Scenario.Jobs {
		end = max(end, d.Scenario.Jobs[i].ArrivalS)
	}
	if r != nil {
		for _, l := range r.Lanes {
			end = max(end, l.Meta.Metrics.MakespanS)
		}
	}
	return end
}

// Outward puts values in order by their distance in the list from the present one, which comes first; the next larger
// is second.
func Outward(values []float64, now float64) (out []float64) {
	at := max(0, slices.Index(values, now))
	for d := 0; d <= len(values); d++ {
		for _, i := range []int{at + d, at - d} {
			if i >= 0 && i < len(values) && (d > 0 || len(out) == 0) {
				out = append(out, values[i])
			}
		}
	}
	return out
}
