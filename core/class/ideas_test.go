package class

import (
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// shows are the ideas that figures can refute: whether of two lanes, tried both ways round, the first beside the second
// does.
var shows = map[string]func(a, b *message.Lane) bool{
	"A lower mean is better for everybody":  someLater,
	"A better mean is better for every job": someLater,
	"Fairness costs nothing": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b) && under("ftf_max", b, a)
	},
	"High utilisation means low completion times": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b) && under("gpu_utilization", a, b)
	},
	"A lower mean means a sooner end": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b) && !under("makespan_s", a, b)
	},
	"Who is quicker on average is slower at the end": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b) && under("makespan_s", a, b)
	},
	"What one job wins another must lose": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b) && !someLater(a, b)
	},
	"Sharing in turns is quicker for everybody":          lessTurns,
	"Sharing time is always better than waiting in line": lessTurns,
	"The same GPUs do the same work, whoever decides": func(a, b *message.Lane) bool {
		return under("avg_jct_s", a, b)
	},
	"Who starts first is done first": func(a, b *message.Lane) bool {
		for i := range a.Jobs {
			if *a.Jobs[i].StartS > *b.Jobs[i].StartS && *a.Jobs[i].FinishS < *b.Jobs[i].FinishS {
				return true
			}
		}
		return false
	},
}

// under says whether a figure is less in the first lane, by more than a tie.
func under(metric string, a, b *message.Lane) bool {
	m := message.FindMetric(metric)
	x, y := m.Of(&a.Metrics), m.Of(&b.Metrics)
	return x < y && !message.Tied(x, y)
}

// someLater: the first mean is the lower, and a job ends later for it.
func someLater(a, b *message.Lane) bool {
	for i := range a.Jobs {
		if *a.Jobs[i].FinishS > *b.Jobs[i].FinishS && under("avg_jct_s", a, b) {
			return true
		}
	}
	return false
}

// lessTurns: who stops fewer jobs has the lower mean.
func lessTurns(a, b *message.Lane) bool {
	return a.Metrics.Preemptions < b.Metrics.Preemptions && under("avg_jct_s", a, b)
}

// TestPresetsRefuteWhatTheyCorrect: a preset that is said to correct an idea, in the gallery or in an assignment that
// sends there who has it, has two lanes whose figures show it false. Of other ideas figures say nothing.
func TestPresetsRefuteWhatTheyCorrect(t *testing.T) {
	said := map[string][]string{} // ideas by preset
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range cards {
		for _, idea := range c.Misconceptions {
			said[c.Preset] = append(said[c.Preset], strings.TrimSuffix(idea, "."))
		}
	}
	for _, id := range scenarios.Assignments {
		for _, q := range shipped(t, id).Questions {
			for _, o := range q.Options {
				if o.Preset != "" {
					said[o.Preset] = append(said[o.Preset], o.Idea)
				}
			}
		}
	}
	met := map[string]bool{}
	for preset, ideas := range said {
		var of []message.Lane
		for _, idea := range ideas {
			refutes := shows[idea]
			if refutes == nil {
				continue
			}
			met[idea] = true
			if of == nil {
				b, _ := scenarios.Preset(preset)
				doc, _ := scenario.Parse(b, scenario.FileLimits)
				of = lanes(t, doc)
			}
			found := false
			for i := range of {
				for k := range of {
					found = found || i != k && refutes(&of[i], &of[k])
				}
			}
			if !found {
				t.Errorf("%s is said to correct %q, and no two of its lanes do", preset, idea)
			}
		}
	}
	for idea := range shows {
		if !met[idea] {
			t.Errorf("nothing is said to correct %q", idea)
		}
	}
}
