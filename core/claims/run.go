package claims

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

// Outcome is what is kept of a run.
type Outcome struct {
	Ended    string               `json:"outcome"`
	Metrics  message.Metrics      `json:"metrics"`
	Measured []message.NamedValue `json:"measured,omitempty"`
	Bounds   *message.Bounds      `json:"bounds,omitempty"`
	// Communication is the part of the time of running GPUs that averaging gradients over links took.
	Communication float64 `json:"communication"`
}

// Piece is one run that figures rest on.
type Piece struct {
	Seed uint64
	Lane study.Lane
	Doc  *scenario.Document
}

// lanes are the two lanes that an experiment compares, or the one.
func (w *World) lanes() []study.Lane {
	switch {
	case w.Against.ID == "":
		return []study.Lane{w.Of}
	}
	return []study.Lane{w.Of, w.Against}
}

// Pieces are the runs of an experiment with seeds 1 to seeds: seed by seed, scenario by scenario, lane by lane.
func (w *World) Pieces(seeds int) (out []Piece) {
	if w.Alone != nil {
		return nil
	}
	for seed := uint64(1); seed <= uint64(seeds); seed++ {
		for _, doc := range w.Docs(seed) {
			for _, l := range w.lanes() {
				out = append(out, Piece{seed, l, doc})
			}
		}
	}
	return out
}

// Key names what the run comes to: it is the same for the same scenario, policy and engine.
func (p *Piece) Key() string {
	rev := 0
	for _, info := range lab.Policies() {
		if info.ID == p.Lane.ID {
			rev = info.Rev
		}
	}
	params, _ := json.Marshal(p.Lane.Params) // numbers, texts and switches
	text := fmt.Sprintf("%s\n%s %d %s\n%s", lab.Engine, p.Lane.ID, rev, params, p.Doc.ID(lab.Defaults()))
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:16])
}

// Run does it; it gives nil without an error where stop asks for that. A lane that leaves jobs undone is an error: it
// has no figure to compare.
func (p *Piece) Run(stop func() bool) (*Outcome, error) {
	s := lab.NewBatch()
	s.Bare = true
	req := &message.RunRequest{Scenario: p.Doc.Marshal(false), Policies: []message.PolicyRef{p.Lane.PolicyRef}}
	if diags := s.Start(req); diags.HasErrors() {
		return nil, fmt.Errorf("%s: %v", p.Doc.Meta.Title, diags)
	}
	for more := true; more; {
		if stop() {
			return nil, nil
		}
		var out []*message.Message
		out, more = s.Spend(16)
		for _, m := range out {
			switch {
			case m.Failure != nil:
				return nil, fmt.Errorf("%s, %s: %s", p.Doc.Meta.Title, p.Lane.Name, m.Failure.Message)
			case m.Lane != nil && m.Lane.Outcome != "done":
				return nil, fmt.Errorf("%s, %s: it ended as %s", p.Doc.Meta.Title, p.Lane.Name, m.Lane.Outcome)
			case m.Lane != nil:
				o := &Outcome{Ended: m.Lane.Outcome, Metrics: m.Lane.Metrics, Measured: m.Lane.Measured,
					Bounds: m.Lane.Bounds}
				if p.Doc.Scenario.Cluster.Network != nil {
					o.Communication = study.Communication(s.Problem(), s.Trace(0))
				}
				return o, nil
			}
		}
	}
	return nil, fmt.Errorf("%s, %s: no lane has ended", p.Doc.Meta.Title, p.Lane.Name)
}
