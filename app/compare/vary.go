package compare

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Vary is a number of the document, or two, that is varied.
type Vary struct {
	Sweep
	Axes      [2]Axis         // the second is varied when it has a path
	Cursor    int             // value of the first axis under the keyboard
	Variables []edit.Variable // the numbers that what has come is about
}

// Axis is what is said of one number.
type Axis struct {
	Path string // "" = none
	Free bool   // the path is typed
	Text string // of the values, as typed
	// What the fields were given: a field that is typed in is left alone.
	GivenPath, GivenText string
}

// Most values of the two axes.
const (
	MaxValues = 40
	MaxSecond = 6
)

// ParseValues reads the values of an axis: a list, as 1, 2, 4, or a range, as 1 to 9 by 2 or 1 to 9 in 5. They are
// put in order. The message names the fault.
func ParseValues(text string, r edit.Range, most int) ([]float64, string) {
	clean := strings.NewReplacer(",", " ", ";", " ", "−", "-").Replace(text)
	parts := strings.Fields(clean)
	for i, w := range parts { // the words between are those of the reader's language, or English
		for _, key := range [...][2]string{{"to", words.In("range", "to")}, {"by", words.In("range", "by")},
			{"in", words.In("range", "in")}} {
			if w == key[1] {
				parts[i] = key[0]
			}
		}
	}
	var values []float64
	if len(parts) == 5 && parts[1] == "to" && (parts[3] == "by" || parts[3] == "in") ||
		len(parts) == 3 && parts[1] == "to" {
		var of [3]float64
		step := [...]string{"", "", "1"}
		for i := 0; i < len(parts); i += 2 {
			step[i/2] = parts[i]
		}
		for i := range of {
			v, problem := edit.ParseNumber(step[i], edit.Range{Min: -math.MaxFloat64, Max: math.MaxFloat64})
			if problem != "" {
				return nil, problem
			}
			of[i] = v
		}
		values = spread(of[0], of[1], of[2], len(parts) == 5 && parts[3] == "in", r.Whole)
		parts = nil
	}
	for _, w := range parts {
		v, problem := edit.ParseNumber(w, r)
		if problem != "" {
			return nil, problem
		}
		values = append(values, v)
	}
	slices.Sort(values)
	values = slices.Compact(values)
	for _, v := range values {
		if _, problem := edit.ParseNumber(message.Number(v), r); problem != "" {
			return nil, problem
		}
	}
	switch n := len(values); {
	case n < 2:
		return nil, words.T("needs two values or more, as 1, 2, 4, or 1 to 9 by 2, or 1 to 9 in 5")
	case n > most:
		return nil, words.F("has more than {0} values; leave some out", strconv.Itoa(most))
	}
	return values, ""
}

// spread are the values of a range: with a step, or so many of them. No more than are refused anyway.
func spread(from, to, by float64, many, whole bool) (values []float64) {
	n := by - 1
	if !many {
		n = math.Floor((to-from)/by + 1e-9)
	}
	if !(n >= 1 && n < 1000) {
		return nil
	}
	for i := 0.0; i <= n; i++ {
		v := from + float64(i*by)
		if many {
			v = from + float64((to-from)*i)/n
		}
		if whole {
			v = math.Round(v)
		}
		v, _ = strconv.ParseFloat(strconv.FormatFloat(v, 'g', 9, 64), 64) // as precise as documents are
		values = append(values, v)
	}
	return values
}

// Listed is a list of values as people type it.
func Listed(values []float64) string {
	var texts []string
	for _, v := range values {
		texts = append(texts, message.Number(v))
	}
	return strings.Join(texts, ", ")
}

// Offered are values of a number for an axis, as text: no more than it takes, the nearest.
func Offered(k *edit.Variable, values []float64, axis int) string {
	if axis > 0 && len(values) > MaxSecond {
		values = slices.Sorted(slices.Values(Outward(values, k.Value)[:MaxSecond]))
	}
	return Listed(values)
}

// Point is the place in the grid of a value of each axis.
func (v *Vary) Point(first, second int) int {
	if len(v.Request.Vary) < 2 {
		return first
	}
	return first*len(v.Request.Vary[1].Values) + second
}

// Says names a point: its numbers and their values.
func (v *Vary) Says(point int) string {
	said := ""
	for i, value := range v.Points[point].Values {
		if i > 0 {
			said += ", "
		}
		said += v.Variables[i].Name + ": " + v.Variables[i].Range.Say(value)
	}
	return said
}

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
func Span(d *scenario.Document, end float64) float64 {
	for i := range d.Scenario.Jobs {
		end = max(end, d.Scenario.Jobs[i].ArrivalS)
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
