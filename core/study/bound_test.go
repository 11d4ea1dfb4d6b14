package study

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestHadarIsCompetitive is the claim: over the cases, with either utility, the total is at least 1/(2α) of the bound
// on the best, which is no more than every job alone at its best speed, and what the policy itself says of its run.
func TestHadarIsCompetitive(t *testing.T) {
	const cases = 24
	least, below := math.Inf(1), 0
	for seed := range uint64(cases) {
		d := BoundWorld(seed)
		all, diags := Bounds(d)
		if len(all) != len(BoundLanes()) {
			t.Fatal(diags)
		}
		res, _, _ := lab.Run(&message.RunRequest{Scenario: d.Marshal(false)})
		for i, b := range all {
			if b.Alpha < 1 || b.Ratio() > 1+1e-9 || b.Ratio()*2*b.Alpha < 1 {
				t.Errorf("%s, %s: %v of %v, α %v", d.Meta.Title, BoundLanes()[i].Name, b.Got, b.Most, b.Alpha)
			}
			least = min(least, b.Ratio())
			for _, m := range res.Runs[i].Measured {
				switch {
				case strings.HasPrefix(m.Name, "primal value") && math.Abs(m.Value/b.Got-1) > 1e-6:
					t.Errorf("%s: a total of %v, the policy says %v", d.Meta.Title, b.Got, m.Value)
				case strings.HasPrefix(m.Name, "bound on the value") && b.Most > m.Value*(1+1e-9):
					t.Errorf("%s: a bound of %v, every job alone is worth %v", d.Meta.Title, b.Most, m.Value)
				case strings.HasPrefix(m.Name, "bound on the value") && b.Most < 0.99*m.Value:
					below++
				}
			}
		}
	}
	if least > 0.8 || below < cases {
		t.Errorf("the least ratio is %v, %d bounds are below every job alone: too easy to trust the test", least, below)
	}
}

// TestBoundHoldsForAll: no policy whose jobs have the gangs that they ask for is above the bound.
func TestBoundHoldsForAll(t *testing.T) {
	close, ids := 0, []string{"hadar", "srtf", "sjf", "las", "fifo", "gavel-las", "gavel-makespan", "tiresias"}
	for seed := range uint64(20) {
		d := BoundWorld(seed)
		d.Scenario.Policies = nil
		for _, id := range ids {
			d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: id})
		}
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: d.Marshal(false)})
		p, _ := scenario.Compile(d, lab.Defaults())
		if len(failed) > 0 || p == nil {
			t.Fatal(failed, diags)
		}
		for _, effective := range []bool{false, true} {
			u := newUtility(p, effective)
			most := u.most(u.of(&res.Runs[0]))
			for i := range res.Runs {
				got := u.of(&res.Runs[i])
				if got > most*(1+1e-9) {
					t.Errorf("%s: %s is worth %v, the bound %v", d.Meta.Title, ids[i], got, most)
				}
				if got > 0.9*most {
					close++
				}
			}
		}
	}
	if close < 40 {
		t.Errorf("only %d runs come close to the bound", close)
	}
}

// TestBoundByHand: two jobs of a round each on one GPU are worth 1 + 1/2 at best, and on two GPUs 2; a job that is fast
// on one type and one that is fast on the other get both, and the bound knows of two that want the same.
func TestBoundByHand(t *testing.T) {
	job := func(rate ...float64) worthOf {
		return worthOf{work: 360 * max(rate[0], rate[len(rate)-1]), least: 360, gang: 1, rate: rate, scale: 360,
			floor: 360}
	}
	for _, c := range []struct {
		name string
		u    utility
		best float64
	}{
		{"one GPU", utility{[]worthOf{job(1), job(1)}, []float64{1}}, 1.5},
		{"two GPUs", utility{[]worthOf{job(1), job(1)}, []float64{2}}, 2},
		{"each its own type", utility{[]worthOf{job(10, 1), job(1, 10)}, []float64{1, 1}}, 2},
		{"both the same type", utility{[]worthOf{job(10, 0), job(10, 0)}, []float64{1, 1}}, 1.5},
	} {
		if most := c.u.most(c.best); most < c.best-1e-9 || most > 1.06*c.best {
			t.Errorf("%s: a bound of %v, the best is %v", c.name, most, c.best)
		}
	}
}
