package runs

import (
	"context"
	"strings"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	course "hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

// Truth makes what runs the scenarios of assignments at once, as far as they are of at most so many jobs × policies and
// take so many slices; see lesson.Truth.
func Truth(size, slices int, yield func()) func(context.Context, *course.Assignment) ([]message.Lane, error) {
	return func(_ context.Context, a *course.Assignment) ([]message.Lane, error) {
		if d := a.Document(); d.JobCount()*len(d.Scenario.Policies) > size {
			return nil, nil
		}
		_, lanes := runOnce(a.Scenario, slices, yield)
		return lanes, nil
	}
}

// Picture makes what draws the runs of the scenarios of assignments, within the same bounds; see lesson.API. in is the
// catalogue of a language.
func Picture(size, slices int, yield func(), in func(language string) words.Catalogue) func(*course.Assignment,
	string) *course.Drawing {
	return func(a *course.Assignment, language string) *course.Drawing {
		if d := a.Document(); d.JobCount()*len(d.Scenario.Policies) > size {
			return nil
		}
		session, lanes := runOnce(a.Scenario, slices, yield)
		p, says := &course.Drawing{}, in(language)
		var sheet []draw.SheetLane
		for i := range lanes {
			l := &lanes[i]
			title, _, _ := strings.Cut(says.T(lab.Title(l.Policy)), ",")
			p.Lanes = append(p.Lanes, course.DrawingLane{Policy: l.Policy, Title: title, AvgJCTS: l.Metrics.AvgJCTS,
				MakespanS: l.Metrics.MakespanS})
			t := session.Trace(i)
			sheet = append(sheet, draw.SheetLane{Policy: l.Policy, Title: title, Trace: t, Lane: chart.NewLane(t)})
		}
		if p.SVG = draw.PhoneSVG(says, sheet); p.SVG == "" || len(p.SVG) > course.MaxPicture {
			return nil
		}
		return p
	}
}

// runOnce runs a small scenario and gives its session, and its lanes in the order of policies; none if one cannot run,
// or takes too long.
func runOnce(scenario []byte, slices int, yield func()) (session *lab.Session, lanes []message.Lane) {
	session = lab.NewBatch()
	session.Bound(8 << 20)
	if diags := session.Start(&message.RunRequest{Scenario: scenario}); diags.HasErrors() {
		return nil, nil
	}
	for more := true; more; slices-- {
		if slices == 0 {
			return nil, nil
		}
		var msgs []*message.Message
		msgs, more = session.Spend(SliceEvents)
		for _, m := range msgs {
			if m.Failure != nil {
				return nil, nil
			}
			if m.Lane != nil {
				lanes = append(lanes, *m.Lane)
			}
		}
		yield()
	}
	if session.Full() {
		return nil, nil
	}
	return session, lanes
}
