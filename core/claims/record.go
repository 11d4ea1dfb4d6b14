package claims

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"math"
	"slices"

	"hadarlab/core/message"
)

//go:embed results.json
var recorded []byte

// Record is what was measured of a row.
type Record struct {
	ID     string  `json:"id"`
	Date   string  `json:"date"` // of the last piece of it, YYYY-MM-DD
	Engine string  `json:"engine"`
	Full   *Series `json:"full,omitempty"`
	Small  *Series `json:"small,omitempty"`
	Moves  []Move  `json:"moves,omitempty"`
}

// Move is what one choice made otherwise came to.
type Move struct {
	Choice string `json:"choice"`
	Value  string `json:"value"`
	Series
}

// Series are the values of an experiment, seed by seed from 1 on, and of each seed scenario by scenario.
type Series struct {
	Of      [][]float64 `json:"of"`
	Against [][]float64 `json:"against,omitempty"`
}

// Figures are what the series comes to, a figure a seed: the mean over its scenarios, of ratios the geometric one.
// least is the least of all scenarios.
func (s *Series) Figures(u Unit, good int) (figures []float64, least float64) {
	least = math.Inf(1)
	for seed, of := range s.Of {
		sum := 0.0
		for i, v := range of {
			against := 0.0
			if s.Against != nil {
				against = s.Against[seed][i]
			}
			f := u.Figure(good, v, against)
			least = min(least, f)
			sum += u.scaled(f)
		}
		figures = append(figures, u.plain(sum/float64(len(of))))
	}
	return figures, least
}

// Collect makes a series of the outcomes of Pieces(seeds), in their order.
func (w *World) Collect(seeds int, outcomes []*Outcome) *Series {
	s, i := &Series{}, 0
	lanes := len(w.lanes())
	per := len(outcomes) / seeds
	for range seeds {
		var of, against []float64
		for range per / lanes {
			of = append(of, w.Value.Of(outcomes[i]))
			if lanes > 1 {
				against = append(against, w.Value.Of(outcomes[i+1]))
			}
			i += lanes
		}
		s.Of = append(s.Of, of)
		if lanes > 1 {
			s.Against = append(s.Against, against)
		}
	}
	return s
}

// Records are the recorded results of all rows, by id.
func Records() (map[string]*Record, error) {
	var list []*Record
	if err := json.Unmarshal(recorded, &list); err != nil {
		return nil, fmt.Errorf("results.json: %w", err)
	}
	out := map[string]*Record{}
	for _, r := range list {
		out[r.ID] = r
	}
	return out, nil
}

// Standing is a row with what was measured of it.
type Standing struct {
	*Claim
	*Record // nil: nothing was
	Verdict Verdict
	Ours    message.Estimate // of the full form
	Least   float64          // of the seeds
	Cut     message.Estimate // of the cut-down form; N is 0 where there is none
	Moved   []Moved          // the strongest first
}

// Moved is what a choice made otherwise does to the figure.
type Moved struct {
	Choice, Value string
	From          float64          // the figure as it is set, over the same seeds
	To            message.Estimate // the figure then
	Nothing       bool             // it moves nothing: each seed's figure is as it was
	size          float64
}

// Stand puts a record beside its row.
func (c *Claim) Stand(r *Record) *Standing {
	s := &Standing{Claim: c, Record: r, Verdict: CannotBeTried}
	if c.World == nil || r == nil || r.Full == nil {
		return s
	}
	good := c.World.Value.Good
	full, least := r.Full.Figures(c.Unit, good)
	s.Ours, s.Least = c.Unit.Estimate(full), least
	s.Verdict = Judge(c.Published, c.Unit, s.Ours, s.Least)
	if r.Small != nil {
		cut, _ := r.Small.Figures(c.Unit, good)
		s.Cut = c.Unit.Estimate(cut)
	}
	for i := range r.Moves {
		m := &r.Moves[i]
		to, _ := m.Figures(c.Unit, good)
		from := c.Unit.Estimate(full[:len(to)]).Mean
		moved := Moved{Choice: m.Choice, Value: m.Value, From: from, To: c.Unit.Estimate(to)}
		moved.Nothing = slices.Equal(to, full[:len(to)])
		moved.size = math.Abs(c.Unit.scaled(moved.To.Mean) - c.Unit.scaled(from))
		s.Moved = append(s.Moved, moved)
	}
	slices.SortStableFunc(s.Moved, func(a, b Moved) int { return cmp.Compare(b.size, a.size) })
	return s
}

// Largest are the strongest moves of the two choices that move the figure most.
func (s *Standing) Largest() (out []Moved) {
	for _, m := range s.Moved {
		if len(out) < 2 && !m.Nothing && !slices.ContainsFunc(out, func(o Moved) bool { return o.Choice == m.Choice }) {
			out = append(out, m)
		}
	}
	return out
}

// Board are all rows as they stand.
func Board() ([]*Standing, error) {
	of, err := Records()
	if err != nil {
		return nil, err
	}
	var out []*Standing
	for _, c := range All() {
		out = append(out, c.Stand(of[c.ID]))
	}
	return out, nil
}
