package hadar_test

import (
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestWhereTheAccountMakesExceptions: hadar.md says of some of its rules where they do not hold, each with the smallest
// case: whoever makes one hold everywhere takes the exception out of the text.
func TestWhereTheAccountMakesExceptions(t *testing.T) {
	a := map[string]float64{"a": 10}
	abc := map[string]float64{"a": 10, "b": 9, "c": 8}
	one := []simtest.Node{{"a": 1}}
	five := simtest.Job{GPUs: 1, Steps: 3000, Rates: a} // minutes
	short := simtest.Job{GPUs: 1, Steps: 300, Rates: a}
	for name, c := range map[string]struct {
		id     string
		params map[string]any
		nodes  []simtest.Node
		jobs   []simtest.Job
		costs  model.Costs
		rounds []string
	}{
		// Prices: an hour's stall before five minutes of work, with nobody else there.
		"empty GPUs are too dear for a long stall": {"hadar", nil, one, []simtest.Job{five},
			model.Costs{Load: 3600 * unit.Second}, []string{"", "", "", "j1 1a"}},
		// Other objectives: a stall lowers the bid of a short remainder most.
		"a longer remainder bids more after a stall": {"hadar", map[string]any{"utility": "makespan"}, one,
			[]simtest.Job{short, five}, model.Costs{Load: 20 * unit.Second}, []string{"j2 1a"}},
		"and without one it does not": {"hadar", map[string]any{"utility": "makespan"}, one,
			[]simtest.Job{short, five}, model.Costs{}, []string{"j1 1a"}},
		// Dual subroutine: j1 on a and c, with j2 on b, would bring more than j1 on a and b.
		"the fastest and the slowest type are not tried": {"hadar", map[string]any{"dp": "exact"},
			[]simtest.Node{{"a": 1}, {"b": 1}, {"c": 1}}, []simtest.Job{{GPUs: 2, Steps: 5000, Rates: abc},
				{GPUs: 1, Steps: 14000, Rates: map[string]float64{"b": 10}}}, model.Costs{}, []string{"j1 1a+1b"}},
		// Placements: four of the first node and three of another would lie on two nodes.
		"not on the fewest nodes where one has two types": {"hadar", nil,
			[]simtest.Node{{"a": 2, "b": 2}, {"a": 3}, {"b": 3}},
			[]simtest.Job{{GPUs: 7, Steps: 50000, Rates: map[string]float64{"a": 10, "b": 10}}}, model.Costs{},
			[]string{"j1 1a+3a+3b"}},
	} {
		p := simtest.Build(360, c.nodes, c.jobs, c.costs)
		tr := simtest.Run(t, p, c.id, c.params)
		for round, want := range c.rounds {
			if got := holding(tr, round); got != want {
				t.Errorf("%s: in round %d %q, want %q", name, round, got, want)
			}
		}
	}
	// Price constants: with bounds by type an empty slow GPU costs as much as an empty fast one.
	p := simtest.Build(360, []simtest.Node{{"a": 1}, {"c": 1}}, []simtest.Job{{GPUs: 1, Steps: 50000, Rates: abc}},
		model.Costs{})
	simtest.EachDecision(t, p, "hadar", map[string]any{"type_bounds": true}, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
		price := func(name string) float64 {
			v, _ := simtest.Valued(d, "constants/"+name)
			return v
		}
		if price("u_min/a") != price("u_min/c") || price("u_max/a") <= price("u_max/c") {
			t.Errorf("prices of a from %v to %v, of c from %v to %v", price("u_min/a"), price("u_max/a"),
				price("u_min/c"), price("u_max/c"))
		}
	})
	// and U_min is U_max / e where η is small, be the job tiny or not.
	for _, eta := range []float64{0, 0.001} {
		params := map[string]any{"eta": eta}
		tiny := simtest.Build(360, one, []simtest.Job{{GPUs: 1, Steps: 1, Rates: a}}, model.Costs{})
		simtest.EachDecision(t, tiny, "hadar", params, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
			e := false
			for _, s := range d.Sections {
				for _, l := range s.Formula {
					e = e || strings.HasPrefix(l.Pattern(), "U_min = U_max ÷ e")
				}
			}
			if e != (eta > 0) {
				t.Errorf("with η %v U_min is U_max ÷ e: %v", eta, e)
			}
		})
	}
}
