package state

import (
	"strconv"
	"testing"

	"hadarlab/app/edit"
)

// many is a desk with a scenario of so many listed jobs, whose runs are not answered.
func many(b *testing.B, jobs int) *desk {
	d := newDesk(b)
	d.held = true
	doc := d.s.Doc.Clone()
	for i := len(doc.Scenario.Jobs); i < jobs; i++ {
		j := doc.Scenario.Jobs[i%6]
		j.ID, j.ArrivalS = "x"+strconv.Itoa(i), float64(60*i)
		doc.Scenario.Jobs = append(doc.Scenario.Jobs, j)
	}
	d.do(Load{Doc: doc, Opens: true})
	if d.s.Diags.HasErrors() {
		b.Fatal(d.s.Diags[0])
	}
	return d
}

// BenchmarkEdit is what a keystroke in a number costs on the page's thread, before anything is drawn.
func BenchmarkEdit(b *testing.B) {
	for _, jobs := range []int{6, 200, 2000} {
		b.Run("jobs="+strconv.Itoa(jobs), func(b *testing.B) {
			d := many(b, jobs)
			for i := 0; b.Loop(); i++ {
				d.s.Reduce(Do{edit.SetJob{Job: 3, Field: edit.JobSteps, Value: float64(1000 + i)}})
				d.later, d.log = nil, nil
			}
		})
	}
}
