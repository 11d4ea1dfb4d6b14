package lab

import (
	"testing"

	"hadarlab/core/message"
)

// TestASeedWithoutAFigure does not count for its mean, nor for a difference.
func TestASeedWithoutAFigure(t *testing.T) {
	run := func(policy string, mean float64) message.Lane {
		return message.Lane{Policy: policy, Metrics: message.Metrics{AvgJCTS: mean, BusyGPUS: 5}}
	}
	// Under b no job finishes in the second seed, and under neither policy in the third.
	s := summarise([]message.Lane{run("a", 10), run("b", 16), run("a", 30), run("b", 0), run("a", 0), run("b", 0)}, 2)
	find := func(of []message.Estimate, name string) *message.Estimate {
		for i := range of {
			if of[i].Metric == name {
				return &of[i]
			}
		}
		return nil
	}
	a, b := &s.Policies[0], &s.Policies[1]
	for what, c := range map[string]struct {
		e    *message.Estimate
		n    int
		mean float64
	}{
		"a":         {find(a.Metrics, "avg_jct_s"), 2, 20},
		"b":         {find(b.Metrics, "avg_jct_s"), 1, 16},
		"b apart":   {find(b.Differences, "avg_jct_s"), 1, 6},
		"b at work": {find(b.Metrics, "busy_gpu_s"), 3, 5},
	} {
		if c.e == nil || c.e.N != c.n || c.e.Mean != c.mean {
			t.Errorf("%s: %+v, want %v of %d seeds", what, c.e, c.mean, c.n)
		}
	}
	if e := find(a.Metrics, "ftf_max"); e != nil {
		t.Errorf("no run has a fairness, and its mean is %+v", e)
	}
}
