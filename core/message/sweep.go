package message

import "encoding/json"

// SweepRequest asks for the same policies at every point of a grid, with one or more seeds each.
type SweepRequest struct {
	Scenario json.RawMessage `json:"scenario"`
	// none = those of the document; what is set here wins over the document
	Policies   []PolicyRef `json:"policies,omitempty"`
	Vary       []Axis      `json:"vary,omitempty"`       // none = one point, the scenario as it is
	Replicates int         `json:"replicates,omitempty"` // seeds per point: the scenario's and those after it; 0 = 1
	// LengthNoise varies how long jobs take, otherwise the same: each seed draws a factor exp(LengthNoise × z) on the
	// steps of every job, z standard normal. 0 = none, at most 2.
	LengthNoise float64 `json:"length_noise,omitempty"`
}

// Axis is one number of the document and the values it takes.
type Axis struct {
	Path   string    `json:"path"` // RFC 6901 pointer
	Values []float64 `json:"values"`
}

// SweepResult is the document that `sweep --format json` prints.
type SweepResult struct {
	Version    ResultVersion `json:"version"`
	Engine     string        `json:"engine"`
	ScenarioID string        `json:"scenario_id"` // of the scenario as given
	Vary       []Axis        `json:"vary"`
	Points     []SweepPoint  `json:"points"` // the last axis varies fastest
	Stopped    bool          `json:"stopped,omitempty"`
}

// SweepPoint is one point of the grid. Its runs are ordered by seed, then by policy.
type SweepPoint struct {
	Values  []float64 `json:"values"` // in the order of Vary
	Runs    []Lane    `json:"runs"`
	Summary *Summary  `json:"summary,omitempty"` // with replicates
}

// SweepProgress is how far a sweep is.
type SweepProgress struct {
	Done int    `json:"done"` // runs
	Runs int    `json:"runs"` // in all
	Now  string `json:"now"`  // policy of the run under way
}

// SweepNews is what a sweep has done since the news before.
type SweepNews struct {
	SweepProgress
	From    int          `json:"from,omitempty"`   // place in the grid of the first of Points
	Points  []SweepPoint `json:"points,omitempty"` // with their new runs, without jobs, and the summary so far
	Over    bool         `json:"over,omitempty"`
	Stopped bool         `json:"stopped,omitempty"` // before it was done
}

// Summary compares policies over the replicates of one scenario. The first policy is the baseline.
type Summary struct {
	Replicates int `json:"replicates"` // seeds with a complete run of every policy
	// LengthNoise is that of the request.
	LengthNoise float64         `json:"length_noise,omitempty"`
	Confidence  float64         `json:"confidence"` // of the intervals
	Policies    []PolicySummary `json:"policies"`
}

// PolicySummary is what one policy did over the seeds.
type PolicySummary struct {
	Policy  string         `json:"policy"`
	Params  map[string]any `json:"params"`
	Metrics []Estimate     `json:"metrics"`
	// Differences are this policy minus the baseline, seed by seed. "jct_s" is the mean over the jobs
	// that finish under both, matched by id. People are told them Turned.
	Differences []Estimate `json:"differences,omitempty"`
}

// Estimate is a mean over seeds with its interval, which needs two seeds.
type Estimate struct {
	Metric   string   `json:"metric"`
	Mean     float64  `json:"mean"`
	Low      *float64 `json:"low,omitempty"`
	High     *float64 `json:"high,omitempty"`
	SameSign int      `json:"same_sign,omitempty"` // of a difference: seeds on the side of the mean
	N        int      `json:"n"`                   // seeds that have the figure
}

// Turned is a difference said the other way round: of the document's, which are a policy minus the first, it makes the
// first against that policy, as headlines say all differences.
func (e Estimate) Turned() Estimate {
	e.Mean = 0 - e.Mean // and not -0
	if e.Low != nil && e.High != nil {
		low, high := 0-*e.High, 0-*e.Low
		e.Low, e.High = &low, &high
	}
	return e
}

// Half is half the width of the interval, exactly 0 where all seeds gave the same; ok is false where there is none.
// The mean is not used: it has more digits than the ends.
func (e *Estimate) Half() (half float64, ok bool) {
	if e.Low == nil || e.High == nil {
		return 0, false
	}
	return (*e.High - *e.Low) / 2, true
}
