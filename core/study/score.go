package study

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Suites are the names of the suites of scenarios that come with the lab: all presets; Gavel's mix of jobs at three
// loads, drawn from several seeds; and the preset of Pollux's published workload 6, whose other seven are files.
var Suites = []string{"presets", "gavel", "pollux"}

// Loads are those of the suite gavel, in jobs/h on the cluster of the study: half as many as there, as many, and half
// as many again. Under gavel-las GPUs are busy a third, two thirds and three quarters of the time.
var Loads = []float64{0.6, 1.2, 1.8}

// Member is one scenario of a suite.
type Member struct {
	Suite, Name string
	Doc         *scenario.Document
}

// Suite lists the scenarios of a suite by its name; seeds and jobs are those of each load of gavel. It is nil for an
// unknown name.
func Suite(name string, seeds, jobs int) (out []Member) {
	preset := func(id string) {
		text, _ := lab.Preset(id)
		doc, _ := scenario.Parse(text, scenario.FileLimits) // a test reads them all
		out = append(out, Member{name, id, doc})
	}
	switch name {
	case "presets":
		for _, p := range lab.Presets() {
			preset(p.ID)
		}
	case "pollux":
		preset("pollux-world")
	case "gavel":
		for _, load := range Loads {
			for seed := range uint64(seeds) {
				c := Case{Workload: "gavel-mix", Arrivals: "poisson", Seed: seed + 1, Stalls: true}
				doc := c.Document(jobs)
				doc.Scenario.Generator.Arrivals.RatePerH = load
				doc.Meta.Title = strconv.FormatFloat(load, 'f', -1, 64) + " jobs/h, seed " + strconv.Itoa(int(c.Seed))
				out = append(out, Member{name, doc.Meta.Title, doc})
			}
		}
	}
	return out
}

// State is how a try ended.
type State string

const (
	Finished   State = "finished"
	Unfinished State = "unfinished" // it left jobs undone: it comes after all that finished
	Failed     State = "failed"     // what somebody wrote could not go on: as unfinished
	Refused    State = "refused"    // the scenario lacks what the policy needs: it is not ranked
)

// Try is one policy on one scenario.
type Try struct {
	Suite, Scenario, Policy string
	State                   State
	Says                    string  // why it failed or was refused
	Value                   float64 // of the metric
	Rank                    float64 // from 1 = best, equal ones share the mean of theirs; 0 = not ranked
	Ratio                   float64 // how many times worse than the best, see Rank; NaN = there is none
}

// Try runs a policy on the scenario, unless stop says that it is not wanted any more: then it is nil.
func (m *Member) Try(l Lane, of *message.Metric, stop func() bool) (*Try, jsondoc.Diagnostics) {
	t := &Try{Suite: m.Suite, Scenario: m.Name, Policy: l.Name, Value: math.NaN(), Ratio: math.NaN()}
	s := lab.NewBatch()
	s.Bare = true
	req := &message.RunRequest{Scenario: m.Doc.Marshal(false), Policies: []message.PolicyRef{l.PolicyRef}}
	if diags := s.Start(req); diags.HasErrors() {
		return nil, diags
	}
	for more := true; more; {
		if stop() {
			return nil, nil
		}
		var out []*message.Message
		out, more = s.Spend(16)
		for _, msg := range out {
			switch {
			case msg.Lane != nil:
				t.State, t.Value = Finished, of.Of(&msg.Lane.Metrics)
				if msg.Lane.Outcome != "done" || math.IsNaN(t.Value) {
					t.State = Unfinished
				}
			case msg.Failure != nil:
				t.State, t.Says = Refused, msg.Failure.Message
				if c := msg.Failure.Diagnostics[0].Code; c == "program-failed" || c == "policy-failed" {
					t.State = Failed
				}
			}
		}
	}
	return t, nil
}

// Rank gives ranks and ratios to tries, of which a row has those of all policies, in the same order, on one scenario.
// In every scenario the same policies are ranked against each other: those that refuse none of its suite, but for
// scenarios that all refuse. One that refuses some has the rank and the ratio that it would have among those. Where
// each refuses something, all that ran are ranked against each other.
func Rank(rows [][]*Try, of *message.Metric) {
	for from := 0; from < len(rows); {
		end := from
		for end < len(rows) && rows[end][0].Suite == rows[from][0].Suite {
			end++
		}
		all := complete(rows[from:end])
		for _, row := range rows[from:end] {
			rank(row, all, of)
		}
		from = end
	}
}

// complete says of each policy whether it is one of those that the others are ranked against.
func complete(rows [][]*Try) []bool {
	all := slices.Repeat([]bool{true}, len(rows[0]))
	refused := func(t *Try) bool { return t.State == Refused }
	for _, row := range rows {
		for k, t := range row {
			if refused(t) && slices.ContainsFunc(row, func(t *Try) bool { return !refused(t) }) {
				all[k] = false
			}
		}
	}
	if !slices.Contains(all, true) {
		return slices.Repeat([]bool{true}, len(rows[0]))
	}
	return all
}

// rank ranks one scenario against the policies that count. Values that differ by no more than rounding are equal.
func rank(row []*Try, counts []bool, of *message.Metric) {
	better := func(a, b *Try) bool {
		if a.State != Finished || b.State != Finished {
			return a.State == Finished && b.State != Finished
		}
		less := (b.Value - a.Value) * -float64(of.Good)
		return less > float64(unit.Rounding*math.Abs(b.Value))
	}
	best := math.NaN()
	for k, t := range row {
		if t.State == Refused {
			continue
		}
		t.Rank = 1
		for i, other := range row {
			switch {
			case i == k || !counts[i] || other.State == Refused || better(t, other):
			case better(other, t):
				t.Rank++
			default:
				t.Rank += 0.5
			}
		}
		if counts[k] && t.State == Finished && !((best-t.Value)*-float64(of.Good) <= 0) {
			best = t.Value
		}
	}
	for _, t := range row {
		over, under := t.Value, best
		if of.Good > 0 {
			over, under = best, t.Value
		}
		if t.State != Finished || math.IsNaN(best) {
			continue
		}
		if over == under {
			t.Ratio = 1
		} else if under > 0 && over > 0 {
			t.Ratio = over / under
		}
	}
}

// Score is a policy over the scenarios of a suite.
type Score struct {
	Suite, Policy       string
	Apart               bool             // it refuses some that others do not: it is ranked against those, see Rank
	Ranked              int              // scenarios in which it has a rank
	Best                int              // of these, those in which nothing is better
	Refused             int              // scenarios in which it has none
	Unfinished          int              // of those ranked, how many it left unfinished, or failed in
	Rank                message.Estimate // over the scenarios, by Student's t, within what ranks can be
	Ratio               float64          // geometric mean over those that have one; NaN = none has
	RatioLow, RatioHigh float64          // its 95 % interval; NaN = there is none
}

// Scores adds ranked tries up, suite by suite in their order; in each the best mean rank comes first, and those that
// refuse some come last.
func Scores(rows [][]*Try) (out []Score) {
	for from := 0; from < len(rows); {
		end := from
		for end < len(rows) && rows[end][0].Suite == rows[from][0].Suite {
			end++
		}
		all, first := complete(rows[from:end]), len(out)
		for k := range all {
			var tries []*Try
			for _, row := range rows[from:end] {
				tries = append(tries, row[k])
			}
			s := scoreOf(tries, float64(len(all)))
			s.Apart = !all[k]
			out = append(out, s)
		}
		slices.SortStableFunc(out[first:], func(a, b Score) int {
			return cmp.Or(last(a)-last(b), cmp.Compare(a.Rank.Mean, b.Rank.Mean))
		})
		from = end
	}
	return out
}

// last is above 0 for who comes after the others, and more for who has no rank.
func last(s Score) int {
	switch {
	case s.Ranked == 0:
		return 2
	case s.Apart:
		return 1
	}
	return 0
}

func scoreOf(tries []*Try, lanes float64) Score {
	nan := math.NaN()
	s := Score{Suite: tries[0].Suite, Policy: tries[0].Policy, Ratio: nan, RatioLow: nan, RatioHigh: nan}
	var ranks, logs []float64
	for _, t := range tries {
		switch t.State {
		case Refused:
			s.Refused++
			continue
		case Unfinished, Failed:
			s.Unfinished++
		case Finished:
			if t.Ratio <= 1 {
				s.Best++
			}
			if !math.IsNaN(t.Ratio) {
				logs = append(logs, unit.Log(t.Ratio))
			}
		}
		ranks = append(ranks, t.Rank)
	}
	s.Ranked = len(ranks)
	if len(ranks) > 0 {
		s.Rank = metric.Estimate("rank", ranks)
		if s.Rank.Low != nil {
			*s.Rank.Low, *s.Rank.High = max(1, *s.Rank.Low), min(lanes, *s.Rank.High)
		}
	}
	if len(logs) > 0 {
		e := metric.Estimate("ratio", logs)
		if s.Ratio = unit.Exp(e.Mean); e.Low != nil {
			s.RatioLow, s.RatioHigh = unit.Exp(*e.Low), unit.Exp(*e.High)
			if s.Ratio >= 1 {
				s.RatioLow = max(1, s.RatioLow)
			}
		}
	}
	return s
}
