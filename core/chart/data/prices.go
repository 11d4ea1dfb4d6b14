package data

import (
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(2, "prices", "Prices", prices) }

func prices(t *Table, s *Source) words.Text {
	var names []string
	of := words.Say("Price of a GPU")
	for i := range s.Runs {
		curves, _ := chart.PriceCurves(s.Runs[i].Trace)
		for _, c := range curves {
			if !slices.Contains(names, c.Name.String()) {
				names = append(names, c.Name.String())
			}
		}
		if u := s.Runs[i].Meta.PriceUnit; len(curves) > 0 && u != "" {
			of = words.Say("Price of a GPU, {0}", u)
		}
	}
	if len(names) == 0 {
		return words.Say("No policy here prices GPUs.")
	}
	t.Columns = []Column{policy, {"gpus", words.Say("GPUs"), false}, time, {"price", of, true}}
	t.plot = plot{mark: "line", x: "from_s", y: "price", colour: "gpus", facet: "policy", hues: dashes(names)}
	t.each = func(row func(...string) bool) {
		for i := range s.Runs {
			curves, _ := chart.PriceCurves(s.Runs[i].Trace)
			for k := range curves {
				if !steps(&curves[k].Series, row, s.Runs[i].Name, curves[k].Name.String()) {
					return
				}
			}
		}
	}
	return words.Text{}
}
