package main

import (
	"strings"
	"testing"

	"hadarlab/core/claims"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
)

// TestBelieve holds the page on what to believe to its runs: what its links open gives the figures of its tables, and
// the sentences have the winners and the order that they speak of.
func TestBelieve(t *testing.T) {
	board, err := claims.Board()
	if err != nil {
		t.Fatal(err)
	}
	p, err := newBelievePage(board)
	if err != nil {
		t.Fatal(err)
	}
	const hadar, las, makespan, same = "Hadar", "Gavel, max-min fairness", "Gavel, makespan", "the same"
	for name, c := range map[string]struct {
		e      *example
		better [][2]string // of each row, before and after
	}{
		"metric":   {p.Metric, [][2]string{{hadar, hadar}, {las, hadar}, {las, same}}},
		"load":     {p.Load, [][2]string{{las, las}}},
		"baseline": {p.Baseline, [][2]string{{hadar, hadar}, {las, makespan}}},
	} {
		if len(c.e.Rows) != len(c.better) {
			t.Fatalf("%s has %d rows", name, len(c.e.Rows))
		}
		for i, r := range c.e.Rows {
			for side, s := range r.Sides {
				if s.Better != c.better[i][side] {
					t.Errorf("%s, %s, side %d: %v, better is %s; the text says %s", name, r.Name, side, s.Figures,
						s.Better, c.better[i][side])
				}
			}
		}
		for _, side := range c.e.Sides() {
			_, code, _ := strings.Cut(side.Link, "#")
			doc, diags := link.Decode(code)
			if diags.HasErrors() {
				t.Fatalf("%s: %v", name, diags)
			}
			res, _, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
			if diags.HasErrors() || len(res.Runs) != 2 {
				t.Fatalf("%s: %v", name, diags)
			}
			for i := range res.Runs {
				if res.Runs[i].TraceHash != side.Runs[i].TraceHash {
					t.Errorf("%s, %s: the link opens another run of %s", name, side.Says, side.Lane(i))
				}
			}
		}
	}
	of := func(x *tried, lane int, metric string) float64 {
		return message.FindMetric(metric).Of(&x.Runs[lane].Metrics)
	}
	less := func(says string, a, b float64) {
		if !(a < b) {
			t.Errorf("%s: %g is not less than %g", says, a, b)
		}
	}
	ratio := func(x *tried) float64 { return of(x, 1, "avg_jct_s") / of(x, 0, "avg_jct_s") }
	moved := func(id, choice, value string) float64 {
		s, _ := p.Row(id)
		for _, m := range s.Moved {
			if m.Choice == choice && m.Value == value {
				return m.To.Mean
			}
		}
		t.Fatalf("%s: %s: %s was not tried", id, choice, value)
		return 0
	}
	less("Hadar restarts jobs less often", of(p.Metric.After, 0, "restarts"), of(p.Metric.After, 1, "restarts"))
	less("a higher load, a larger ratio", ratio(p.Load.Before), ratio(p.Load.After))
	less("another baseline, a larger ratio", ratio(p.Baseline.Before), ratio(p.Baseline.After))
	less("the makespan policy ends soonest", of(p.Baseline.After, 1, "makespan_s"),
		of(p.Baseline.Before, 1, "makespan_s"))
	full, _ := p.Row("gavel-2020-las")
	less("so in full", moved("gavel-2020-las", "load", "4 jobs/h"), full.Standing.Ours.Mean)
	full, _ = p.Row("hadar-2024-completion-gavel")
	less("so in full", full.Standing.Ours.Mean, full.Standing.Published.Low)
	less("so in full", full.Standing.Published.Low,
		moved("hadar-2024-completion-gavel", "compared with", "gavel-makespan"))
	full, _ = p.Row("hadar-2025-total-time")
	less("its interval reaches no difference", *full.Standing.Ours.Low, full.Unit.None())
	less("its interval reaches no difference", full.Unit.None(), *full.Standing.Ours.High)
	less("its mean is better", full.Unit.None(), full.Standing.Ours.Mean)

	if _, err := p.Row("no-such"); err == nil {
		t.Error("a row that there is not is found")
	}
	if _, err := full.With("load", "none"); err == nil {
		t.Error("a choice that was not tried has a figure")
	}
}
