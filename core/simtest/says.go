package simtest

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// Reading explanations: what was said at each decision of a run, and in which words.

// EachDecision calls f with each of the first so many decisions of a run and with the run right after it.
func EachDecision(t *testing.T, p *model.Problem, id string, params map[string]any, rounds int,
	f func(round int, r *sim.Run, d *sim.Detail)) {
	t.Helper()
	r := Start(t, p, id, params, sim.Options{MaxEvents: 1e6})
	for round := range rounds {
		r.Explain(round)
		for r.Rounds() <= round && r.Step() {
		}
		if r.Rounds() <= round {
			return
		}
		f(round, r, r.Explained())
	}
}

// Texts are all texts within one, itself first.
func Texts(t words.Text) (out []words.Text) {
	if t.IsZero() {
		return nil
	}
	out = append(out, t)
	for _, a := range t.Args() {
		switch in := a.(type) {
		case words.Text:
			out = append(out, Texts(in)...)
		case *words.Text:
			out = append(out, Texts(*in)...)
		}
	}
	return out
}

// Saying is the text within one whose pattern contains something; the zero Text = there is none.
func Saying(t words.Text, part string) words.Text {
	for _, x := range Texts(t) {
		if strings.Contains(x.Pattern(), part) {
			return x
		}
	}
	return words.Text{}
}

// Valued is a figure of a decision.
func Valued(d *sim.Detail, key string) (float64, bool) {
	for _, s := range d.Sections {
		for _, k := range s.Terms {
			if k.Key == key {
				return k.Value, true
			}
		}
	}
	return 0, false
}

// Term is the figure of a name in sections.
func Term(sections []*sim.Section, name string) float64 {
	for i := range sections {
		for _, t := range sections[i].Terms {
			if t.Name == name {
				return t.Value
			}
		}
	}
	return math.NaN()
}

// Rows are the rows of tables with a key, by the keys of their columns; chosen says whether a row is the policy's.
func Rows(sections []*sim.Section, key string) (out []map[string]any) {
	for i := range sections {
		t := sections[i].Table
		if t == nil || t.Key != key {
			continue
		}
		for _, r := range t.Rows {
			row := map[string]any{"chosen": r.Chosen}
			for k, c := range t.Columns {
				row[c.Key] = r.Cells[k]
			}
			out = append(out, row)
		}
	}
	return out
}
