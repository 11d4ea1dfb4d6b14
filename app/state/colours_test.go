package state

import (
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/chart"
	"hadarlab/core/scenario"
)

// A job that the page adds, wherever it stands, changes no other job's colour.
func TestAddJobRecoloursNobody(t *testing.T) {
	looks := func(d *scenario.Document) map[string]chart.Look {
		var names []string
		for _, j := range d.Scenario.Jobs {
			names = append(names, j.ID)
		}
		out := map[string]chart.Look{}
		for i, l := range chart.Looks(names) {
			out[names[i]] = l
		}
		return out
	}
	b := newDesk(t).s.Boot
	for i := range b.Presets {
		preset, _ := scenario.Parse(b.Docs[i], scenario.FileLimits)
		preset = scenario.Freeze(preset)
		for _, odd := range []string{"", "j58", "k" + itoa(len(preset.Scenario.Jobs)+1), "bert"} {
			for copyOf := range min(len(preset.Scenario.Jobs), 12) + 1 {
				d := preset.Clone()
				if odd != "" {
					d.Scenario.Jobs[0].ID = odd
				}
				before := looks(d)
				edit.AddJob{CopyOf: copyOf}.Change(d)
				after := looks(d)
				for id, l := range before {
					if after[id] != l {
						t.Fatalf("%s: a copy of job %d recolours %s", b.Presets[i].Name, copyOf, id)
					}
				}
			}
		}
	}
}
