package edit

import (
	"math"

	"hadarlab/core/words"
)

// Param describes one parameter. Default is a bool, float64 or string.
type Param struct {
	Name    string   `json:"name"`
	Title   string   `json:"title"`
	Kind    string   `json:"type"` // bool, int, float, choice
	Unit    string   `json:"unit"`
	Default any      `json:"default"`
	Min     float64  `json:"min"`
	Max     float64  `json:"max"`
	Choices []string `json:"choices"`
	Help    string   `json:"help"`
}

// Problem says what is wrong with a value, "" = nothing.
func (p *Param) Problem(v any) string {
	switch p.Kind {
	case "bool":
		if _, ok := v.(bool); !ok {
			return words.F("{0} must be on or off", words.T(p.Title))
		}
	case "choice":
		w, ok := v.(string)
		for _, c := range p.Choices {
			if ok && c == w {
				return ""
			}
		}
		return words.F("{0} is not one of its choices", words.T(p.Title))
	default:
		r := Range{Min: p.Min, Max: p.Max, Whole: p.Kind == "int"}
		n, ok := v.(float64)
		if !ok || math.IsNaN(n) || n < r.Min || n > r.Max || r.Whole && n != math.Floor(n) {
			return words.F("{0} must be {1}", words.T(p.Title), r.Describe())
		}
	}
	return ""
}
