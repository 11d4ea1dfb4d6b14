package compare

import (
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/message"
	"hadarlab/core/program/cases"
	"hadarlab/core/scenario"
)

// Trials are the runs with which a lane's program is tested: of the scenario and of the small cases, each beside FIFO.
// Each is a sweep of its own, so that one in which the program fails spoils no other.
type Trials struct {
	Lane  int
	Src   string // the program that is tried
	Cases []Trial
	ID    int64 // of the request under way, 0 = none

	doc *scenario.Document // the first case, with the lane alone
}

// Trial is one of them.
type Trial struct {
	Case       string // "" = the scenario
	Done       bool
	Problem    words.Text // why the program ended, or did not begin
	Left       int        // jobs that do not finish
	Mean, FIFO float64    // mean completions in s, of the jobs that finish; 0 = not known
	Worse      bool       // FIFO finishes more jobs
}

// NewTrials are those of a document's lane with a program.
func NewTrials(d *scenario.Document, lane int, src string) Trials {
	tested := *d
	p := d.Scenario.Policies[lane]
	p.Force = nil
	tested.Scenario.Policies = []scenario.Policy{p, {ID: "fifo"}}
	t := Trials{Lane: lane, Src: src, Cases: []Trial{{}}, doc: &tested}
	for _, c := range cases.All {
		t.Cases = append(t.Cases, Trial{Case: c.ID})
	}
	return t
}

// Busy says whether runs are still to come.
func (t *Trials) Busy() bool { return t.ID != 0 }

// Next is what is to be run next, nil = all is done.
func (t *Trials) Next() *message.SweepRequest {
	switch i := t.at(); i {
	case len(t.Cases):
		return nil
	case 0:
		return &message.SweepRequest{Scenario: t.doc.Marshal(false)}
	default:
		d, _ := scenario.Parse([]byte(cases.All[i-1].Text), scenario.FileLimits)
		d.Scenario.Policies = t.doc.Scenario.Policies
		return &message.SweepRequest{Scenario: d.Marshal(false)}
	}
}

// at is the first case that is not done.
func (t *Trials) at() (i int) {
	for i < len(t.Cases) && t.Cases[i].Done {
		i++
	}
	return i
}

// EngineDied ends them with the engine.
func (t *Trials) EngineDied(why string) {
	if t.ID != 0 {
		t.Answered(&message.Message{Failure: &message.Failure{Message: why}})
	}
}

// Sound is how many of the cases the program came through without a fault and with every job done.
func (t *Trials) Sound() (n int) {
	for i := range t.Cases {
		if c := &t.Cases[i]; c.Done && c.Problem.IsZero() && c.Left == 0 {
			n++
		}
	}
	return n
}

// Answered takes the engine's news of the case under way; over says that it is done.
func (t *Trials) Answered(m *message.Message) (over bool) {
	t.Cases = slices.Clone(t.Cases) // views compare them with those that they show
	c := &t.Cases[t.at()]
	switch {
	case m.Failure != nil:
		c.Problem, c.Done = m.Failure.Why(), true
	case m.Swept != nil:
		for i := range m.Swept.Points {
			for k := range m.Swept.Points[i].Runs {
				c.take(&m.Swept.Points[i].Runs[k])
			}
		}
		c.Done = m.Swept.Over
	}
	if c.Done {
		t.ID = 0
	}
	return c.Done
}

// take takes a lane that has run: the program's comes first.
func (c *Trial) take(l *message.Lane) {
	switch {
	case l.Policy == "fifo":
		c.FIFO, c.Worse = l.Metrics.AvgJCTS, c.Left > l.Left
	default:
		c.Mean, c.Left = l.Metrics.AvgJCTS, l.Left
	}
}

// Same says whether a program is the one that was tried.
func (t *Trials) Same(src string) bool { return t.Src == src }
