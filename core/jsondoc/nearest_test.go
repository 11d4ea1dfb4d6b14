package jsondoc

import "testing"

// TestNearestName: a name is looked for under its owner, a begun one before a misspelt one, and nothing of which
// nothing stays.
func TestNearestName(t *testing.T) {
	known := []string{"job.age", "job.steps", "job.steps_left", "cluster.gpus", "math.sqrt", "sorted"}
	for s, want := range map[string]string{"job.step_left": "job.steps_left", "cluster.gpu": "cluster.gpus",
		"job.gpus": "", "jbo.age": "job.age", "steps_left": "job.steps_left", "srot": "math.sqrt", "sort": "sorted",
		"job.x": "", "job.": "", "": "", ".": "", "x": "", "job.Age": "job.age", "step": "job.steps"} {
		if got := NearestName(s, known); got != want {
			t.Errorf("%q: %q, want %q", s, got, want)
		}
	}
}
