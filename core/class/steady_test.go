package class

import (
	"fmt"
	"maps"
	"testing"

	"hadarlab/scenarios"
)

// TestNoAnswerHangsOnASecond: what is right of a shipped assignment, and that the changes work that it names, stays so
// where a restart costs a second more, a round is a second longer or shorter, or a job has 1 % more or less to do. A
// job that just fits its turn makes a lesson of the clock, and no reason that a teacher gives of it is true.
func TestNoAnswerHangsOnASecond(t *testing.T) {
	for _, id := range scenarios.Assignments {
		a := shipped(t, id)
		of := &a.Document().Scenario
		nudges := []Edit{}
		nudge := func(path string, to float64) { nudges = append(nudges, Edit{Path: path, To: &to}) }
		nudge("/scenario/overheads/restart_s", of.Overheads.RestartS+1)
		nudge("/scenario/round_s", of.RoundS+1)
		nudge("/scenario/round_s", of.RoundS-1)
		for i, j := range of.Jobs {
			nudge(fmt.Sprintf("/scenario/jobs/%d/steps", i), j.Steps*1.01)
			nudge(fmt.Sprintf("/scenario/jobs/%d/steps", i), j.Steps*0.99)
		}
		right := a.Truth(lanes(t, a.Document()))
		for _, n := range nudges {
			doc, _ := a.Apply([]Edit{n})
			if got := a.Truth(lanes(t, doc)); !maps.Equal(got, right) {
				t.Errorf("%s: with %s at %v right is %v, else %v", id, n.Path, *n.To, got, right)
			}
			for _, e := range a.Task.Works {
				if e.Path == n.Path {
					continue
				}
				doc, _ := a.Apply([]Edit{n, e})
				if !a.Task.Succeeds(LanesOf(lanes(t, doc))) {
					t.Errorf("%s: with %s at %v the task is not done by %s", id, n.Path, *n.To, a.Says(e))
				}
			}
		}
	}
}
