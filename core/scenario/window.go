package scenario

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

const atWindow = atScenario + "/window"

// Window is the jobs that are measured, by order of arrival: jobs go on arriving, the run is over when all of these
// have finished, and its figures are theirs. Jobs of equal arrival come in the document's order.
type Window struct {
	From  int // jobs that arrive before the first of them
	Jobs  int
	Extra jsondoc.Extra
}

var _ = describe[Window](table{
	{name: "from", high: maxJobs},
	{name: "jobs", need: true, low: 1, high: maxJobs},
})

// model is the window by the ids of compiled jobs.
func (w *Window) model() model.Window {
	if w == nil {
		return model.Window{}
	}
	return model.Window{From: model.JobID(w.From), To: model.JobID(w.From + w.Jobs)}
}

// window checks that the scenario has the jobs of the window, and that some arrive while they are still there.
func (c *checker) window() {
	w, jobs := c.d.Scenario.Window, len(c.d.Scenario.Jobs)
	if w == nil || c.Tainted(atWindow) || c.IsWrong(atJobs) || c.d.Scenario.Generator != nil { // not drawn yet
		return
	}
	end, more := w.From+w.Jobs, words.Say("Lower from or jobs, or add jobs.")
	if c.drawn {
		more = words.Say("Lower from or jobs, or raise the generator’s count or duration_s.")
	}
	switch {
	case end > jobs:
		c.Fail(atWindow, jsondoc.CodeRange,
			words.Say("the window ends with job {0} by arrival; the scenario has {1}", end, jobs), more)
	case end == jobs && w.From > 0:
		c.Add(jsondoc.LevelWarning, atWindow, codeClosing,
			words.Say("no job arrives after the last of the window, so that the cluster empties while it is measured"),
			more)
	}
	s := &c.d.Scenario
	if l, ok := s.offered(newSupply(&s.Cluster), c.perH); ok && l.Least > 1 {
		c.Add(jsondoc.LevelWarning, atWindow, codeOverload,
			words.Say("the jobs offer {0} % of the work that the cluster can do at best, so that there is no steady state to measure",
				percent(l.Least)),
			words.Say("Lower the arrival rate, or add GPUs."))
	}
}
