package class

import (
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// Larger is what a class has its server run beyond the one run of its assignment: the same lanes with many seeds, on
// the assignment's scenario or on a shipped one of 480 jobs, or over the values of one number.
type Larger struct {
	Jobs480    bool `json:"jobs480,omitempty"`    // on scenarios.Larger in place of the assignment's
	Replicates int  `json:"replicates,omitempty"` // seeds; 0 where a number is varied
	// Vary is a number of the assignment's scenario with its values, nil where seeds are.
	Vary *message.Axis `json:"vary,omitempty"`
	// Noise is by how much the lengths of listed jobs vary from seed to seed, as message.SweepRequest has it. The
	// server sets it: drawn jobs differ anyway.
	Noise float64 `json:"length_noise,omitempty"`
}

// LargerRun is how the larger run of a class stands.
type LargerRun struct {
	Larger
	ID    string `json:"id"`    // of the run, or of the sweep
	State string `json:"state"` // queued, running, done, failed, cancelled; gone = its result is no longer kept
	Done  int    `json:"done"`  // runs
	Runs  int    `json:"runs"`  // in all
	// Link opens the scenario in the lab with what came of it, without what stands before its #. Only of one that is
	// done.
	Link   string              `json:"link,omitempty"`
	Errors jsondoc.Diagnostics `json:"errors,omitempty"` // why it failed
}

const (
	// MaxReplicates is the most seeds of a larger run, MaxLargerValues the most values of a number.
	MaxReplicates, MaxLargerValues = 200, 50
	// largerNoise is by how much the lengths of listed jobs vary in a larger run, as in the lab by default.
	largerNoise = 0.1
)

// Lives says that it is still worked on.
func (r *LargerRun) Lives() bool { return r != nil && (r.State == "queued" || r.State == "running") }

// Ended says that it has a result.
func (r *LargerRun) Ended() bool { return r != nil && r.State == "done" }

// Path is where the server answers what came of it.
func (r *LargerRun) Path() string {
	if r.Vary != nil {
		return "/api/v1/sweeps/" + r.ID
	}
	return "/api/v1/runs/" + r.ID
}

// Larger gives the scenario of a larger run, with what the request leaves to the server.
func (a *Assignment) Larger(q Larger) (Larger, *scenario.Document, jsondoc.Diagnostics) {
	fail := func(path, code string, msg, fix words.Text) (Larger, *scenario.Document, jsondoc.Diagnostics) {
		return q, nil, jsondoc.Diagnostics{jsondoc.Error(path, code, msg, fix)}
	}
	switch {
	case (q.Vary != nil) == (q.Replicates != 0) || q.Vary != nil && q.Jobs480:
		return fail("/replicates", "bad-larger",
			words.Say("a larger run has many seeds, or varies one number of the assignment"),
			words.Say("send replicates, or vary with a path and its values"))
	case q.Vary == nil && (q.Replicates < 2 || q.Replicates > MaxReplicates):
		return fail("/replicates", "bad-replicates", words.Say("there are {0} replicates", q.Replicates),
			words.Say("ask for 2 to {0}", MaxReplicates))
	case q.Vary != nil && (len(q.Vary.Values) < 2 || len(q.Vary.Values) > MaxLargerValues):
		return fail("/vary/values", "bad-values", words.Say("there are {0} values", len(q.Vary.Values)),
			words.Say("give 2 to {0}", MaxLargerValues))
	}
	if q.Vary != nil {
		open, ok := a.OpenAt(q.Vary.Path)
		if !ok {
			return fail("/vary/path", "not-open",
				words.Say("{0} is no open value of the assignment", jsondoc.Quote(q.Vary.Path)),
				words.Say("vary a number that the task may change"))
		}
		for _, v := range q.Vary.Values {
			if v < open.From || v > open.To {
				return fail("/vary/values", "out-of-range",
					words.Say("{0} is not from {1} to {2}", v, open.From, open.To),
					words.Say("choose values that the task may have"))
			}
		}
	}
	doc := a.doc
	if q.Jobs480 {
		large, diags := scenario.Parse(scenarios.Larger, scenario.FileLimits)
		if large == nil {
			return q, nil, diags
		}
		large.Scenario.Policies = slices.Clone(a.doc.Scenario.Policies)
		doc = large
	}
	if q.Noise = 0; q.Vary == nil && doc.Scenario.Generator == nil {
		q.Noise = largerNoise
	}
	return q, doc, nil
}

// View is the part of a link by which the lab finds what came of it; see share.View.
func (r *LargerRun) View() string {
	if r.Vary != nil {
		return "s" + r.ID
	}
	return "r" + r.ID
}
