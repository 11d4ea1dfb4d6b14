package state

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Replicates are runs of the scenario with many seeds: how sure the comparison of the lanes is.
type Replicates struct {
	Sweep
	Seeds string // how many, as typed
}

// seedRange is how many seeds the page asks for; one has no interval.
var seedRange = edit.Range{Min: 2, Max: 200, Whole: true}

// Count is how many seeds are asked for, or what is wrong with that.
func (u *Replicates) Count() (float64, string) { return edit.ParseNumber(u.Seeds, seedRange) }

// SeedsProblem says what is wrong with the number of seeds, "" = nothing.
func (u *Replicates) SeedsProblem() string {
	if _, problem := u.Count(); problem != "" {
		return words.F("The number of seeds {0}.", problem)
	}
	return ""
}

type (
	// SetSeeds types how many seeds are run.
	SetSeeds struct{ Text string }
	// Replicate runs the scenario with its seed and those after it.
	Replicate struct{}
	// MakeRandom gives a scenario something random, and replicates it.
	MakeRandom struct{ Edit edit.Edit }
)

func (a SetSeeds) on(s *State) []Effect {
	s.Replicates.Seeds, s.Replicates.Rev = a.Text, s.Replicates.Rev+1
	return nil
}

func (Replicate) on(s *State) []Effect {
	n, problem := s.Replicates.Count()
	if problem != "" {
		return nil
	}
	return s.askSweep(&s.Replicates.Sweep, &message.SweepRequest{Replicates: int(n)})
}

func (a MakeRandom) on(s *State) []Effect {
	return append(Try{a.Edit}.on(s), Replicate{}.on(s)...)
}

// RandomFix is a way to give a scenario a random part.
type RandomFix struct {
	Label string
	Edit  edit.Edit
	Says  string // what becomes another than it is, "" = nothing but what the label says
}

// NothingRandom says that every seed would give the same run. The engine judges for itself.
func (s *State) NothingRandom() bool {
	for i := range s.Doc.Scenario.Policies {
		ref := &s.Doc.Scenario.Policies[i]
		p := s.Boot.Policy(ref.ID)
		if p == nil || p.Draws == "always" {
			return false
		}
		for k := range p.Params {
			if q := &p.Params[k]; q.Name == p.Draws {
				value, set := ref.Params[q.Name]
				if !set {
					value = q.Default
				}
				if value != false {
					return false
				}
			}
		}
	}
	return len(s.Doc.Drawn()) == 0
}

// RandomFixes are the ways offered where nothing is random, nil when that is not what is wrong.
func (s *State) RandomFixes() []RandomFix {
	if s.Replicates.Code != "no-random-part" && !s.NothingRandom() {
		return nil
	}
	return randomFixes(s.Doc)
}

func randomFixes(d *scenario.Document) []RandomFix {
	lists, _ := edit.KnowledgeForm()
	fixes := []RandomFix{
		{Label: words.T("Let policies misjudge job lengths"), Edit: edit.SetWord{Word: lists[0], Value: "noisy"}},
		{Label: words.T("Let policies misjudge speeds"), Edit: edit.SetWord{Word: lists[1], Value: "noisy"}},
	}
	if d.Scenario.Generator == nil {
		draw := edit.Generate(len(d.Scenario.Jobs))
		fixes = append(fixes, RandomFix{words.T("Draw other jobs from the seed"), draw, otherJobs(d, draw)})
	}
	return fixes
}

// otherJobs says beforehand what the drawn jobs are beside the listed ones: to draw them is another scenario, not the
// same with another seed.
func otherJobs(doc *scenario.Document, draw edit.Edit) string {
	d := doc.Clone()
	draw.Change(d)
	drawn := scenario.Freeze(d)
	if len(drawn.Scenario.Jobs) == 0 {
		return ""
	}
	return words.F(
		"To draw the jobs makes another scenario: in place of {0}, half of which take {1} or less alone, come {2}, half of which take {3} or less.",
		figure.Plural(len(doc.Scenario.Jobs), "listed job"), aloneHalf(doc),
		figure.Plural(len(drawn.Scenario.Jobs), "drawn job"), aloneHalf(drawn))
}

// aloneHalf is the median of how long the jobs take alone on the fastest GPUs.
func aloneHalf(d *scenario.Document) string {
	var took []float64
	for i := range d.Scenario.Jobs {
		j, best := &d.Scenario.Jobs[i], 0.0
		for k := range d.Scenario.Throughputs.Rows {
			r := &d.Scenario.Throughputs.Rows[k]
			if r.Model != j.Model || r.Batch != j.Batch {
				continue
			}
			for _, n := range d.Scenario.Cluster.Nodes {
				for typ := range n.GPUs {
					best = max(best, r.Speed(typ, j.GPUs))
				}
			}
		}
		if best > 0 {
			took = append(took, j.Steps/best)
		}
	}
	if len(took) == 0 {
		return "–"
	}
	slices.Sort(took)
	half := took[(len(took)-1)/2]
	return figure.SecondsUnit(half).Long(unit.Seconds(half))
}

// Estimates are a policy's means over the seeds that are done, and its differences to the first policy; nil while
// there are none.
func (u *Replicates) Estimates() []message.PolicySummary {
	if len(u.Points) == 0 || u.Points[0].Summary == nil {
		return nil
	}
	return u.Points[0].Summary.Policies
}

// Estimate looks a figure up, nil = unknown.
func Estimate(of []message.Estimate, metric string) *message.Estimate {
	for i := range of {
		if of[i].Metric == metric {
			return &of[i]
		}
	}
	return nil
}
