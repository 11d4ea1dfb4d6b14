package runs

import (
	"context"

	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// Truth makes what runs the scenarios of assignments at once, as far as they are of at most so many jobs × policies and
// take so many slices; see lesson.Truth.
func Truth(size, slices int, yield func()) func(context.Context, *course.Assignment) ([]message.Lane, error) {
	return func(_ context.Context, a *course.Assignment) ([]message.Lane, error) {
		if d := a.Document(); d.JobCount()*len(d.Scenario.Policies) > size {
			return nil, nil
		}
		return runOnce(a.Scenario, slices, yield), nil
	}
}

// runOnce runs a small scenario and gives its lanes in the order of policies; none if one cannot run, or takes too
// long.
func runOnce(scenario []byte, slices int, yield func()) (lanes []message.Lane) {
	session := lab.NewBatch()
	session.Bound(8 << 20)
	if diags := session.Start(&message.RunRequest{Scenario: scenario}); diags.HasErrors() {
		return nil
	}
	for more := true; more; slices-- {
		if slices == 0 {
			return nil
		}
		var msgs []*message.Message
		msgs, more = session.Spend(SliceEvents)
		for _, m := range msgs {
			if m.Failure != nil {
				return nil
			}
			if m.Lane != nil {
				lanes = append(lanes, *m.Lane)
			}
		}
		yield()
	}
	if session.Full() {
		return nil
	}
	return lanes
}
