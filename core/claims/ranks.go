package claims

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"slices"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/study"
)

//go:embed ranks.json
var ranked []byte

// RankMetrics are the figures by which all policies are ranked: the mean, the tail, the end, fairness and moves.
var RankMetrics = []string{"avg_jct_s", "p95_jct_s", "makespan_s", "ftf_avg", "restarts"}

// RankSeeds and RankJobs are those of each load of the suite gavel, on which policies are ranked.
const RankSeeds, RankJobs = 5, 480

// Ranks is what all policies came to on the suite gavel.
type Ranks struct {
	Date      string         `json:"date"`
	Engine    string         `json:"engine"`
	Scenarios []string       `json:"scenarios"`
	Policies  []RankedPolicy `json:"policies"`
	Refused   []Refusal      `json:"refused"`
}

// RankedPolicy is a policy with its figures: of each metric one a scenario.
type RankedPolicy struct {
	ID     string               `json:"id"`
	Values map[string][]float64 `json:"values"`
}

// Refusal is a policy that the suite lacks something for.
type Refusal struct {
	ID   string `json:"id"`
	Says string `json:"says"`
}

// RankPieces are the runs of all policies but the one that is written by whoever uses it: policy by policy, scenario by
// scenario.
func RankPieces() (out []Piece) {
	suite := study.Suite("gavel", RankSeeds, RankJobs)
	for _, p := range lab.Policies() {
		if p.ID == "own" {
			continue
		}
		for _, m := range suite {
			out = append(out, Piece{m.Doc.Scenario.Seed, study.NewLane(p.ID), m.Doc})
		}
	}
	return out
}

// Place is how a policy ranks by each of RankMetrics, over all scenarios.
type Place struct {
	ID, Title string
	Ranks     []message.Estimate
}

// Places are all policies, the best by the first metric first.
func (r *Ranks) Places() []Place {
	out := make([]Place, len(r.Policies))
	for k, p := range r.Policies {
		out[k] = Place{ID: p.ID, Title: lab.Title(p.ID)}
	}
	for _, name := range RankMetrics {
		of := message.FindMetric(name)
		var rows [][]*study.Try
		for i, scenario := range r.Scenarios {
			var row []*study.Try
			for _, p := range r.Policies {
				row = append(row, &study.Try{Suite: "gavel", Scenario: scenario, Policy: p.ID, State: study.Finished,
					Value: p.Values[name][i]})
			}
			rows = append(rows, row)
		}
		study.Rank(rows, of)
		for _, score := range study.Scores(rows) {
			k := slices.IndexFunc(out, func(p Place) bool { return p.ID == score.Policy })
			out[k].Ranks = append(out[k].Ranks, score.Rank)
		}
	}
	slices.SortStableFunc(out, func(a, b Place) int {
		switch x, y := a.Ranks[0].Mean, b.Ranks[0].Mean; {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	return out
}

// RecordedRanks are those that were recorded last.
func RecordedRanks() (*Ranks, error) {
	r := &Ranks{}
	if err := json.Unmarshal(ranked, r); err != nil {
		return nil, fmt.Errorf("ranks.json: %w", err)
	}
	return r, nil
}
