package compare

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

// RandomFix is a way to give a scenario a random part.
type RandomFix struct {
	Label string
	Edit  edit.Edit
	Says  string // what becomes another than it is, "" = nothing but what the label says
}

// RandomFixes are ways to give a document a random part.
func RandomFixes(d *scenario.Document) []RandomFix {
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
		figure.Plural(len(doc.Scenario.Jobs), "listed job"), AloneHalf(doc),
		figure.Plural(len(drawn.Scenario.Jobs), "drawn job"), AloneHalf(drawn))
}

// AloneHalf is the median of how long the jobs take alone on the fastest GPUs.
func AloneHalf(d *scenario.Document) string {
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
