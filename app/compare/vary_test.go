package compare

import (
	"slices"
	"testing"

	"hadarlab/app/edit"
)

func TestParseValues(t *testing.T) {
	whole := edit.Range{Min: 0, Max: 100, Whole: true}
	any := edit.Range{Min: -1e15, Max: 1e15}
	for _, c := range []struct {
		text string
		r    edit.Range
		want []float64
	}{
		{"1, 2,4", whole, []float64{1, 2, 4}}, {"4;2 2", whole, []float64{2, 4}},
		{"1 to 4", whole, []float64{1, 2, 3, 4}}, {"1 to 9 by 4", whole, []float64{1, 5, 9}},
		{"1 to 9 in 3", whole, []float64{1, 5, 9}}, {"0 to 1 by .1", any,
			[]float64{0, .1, .2, .3, .4, .5, .6, .7, .8, .9, 1}}, {"1 to 4 in 3", whole, []float64{1, 3, 4}},
		{"−2 3", any, []float64{-2, 3}},
		{"", any, nil}, {"1", any, nil}, {"1 1", any, nil}, {"1.5 2", whole, nil}, {"1 101", whole, nil},
		{"9 to 1", any, nil}, {"1 to 9 by 0", any, nil}, {"1 to 1e12 by 1", any, nil}, {"1 to 9 in 1", any, nil},
		{"a b", any, nil}, {"1 to x", any, nil}, {"1 to 50", whole, nil},
	} {
		got, problem := ParseValues(c.text, c.r, 40)
		if !slices.Equal(got, c.want) || (problem == "") != (c.want != nil) {
			t.Errorf("%q gives %v, %q; want %v", c.text, got, problem, c.want)
		}
	}
}
