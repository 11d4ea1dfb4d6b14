package edit

import (
	"reflect"
	"slices"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// TestSoleTypesAreWhatTheEngineKnows: the jobs that are said to be for one GPU type are those that the compiled
// scenario gives a speed on that type alone, in all presets and generated scenarios.
func TestSoleTypesAreWhatTheEngineKnows(t *testing.T) {
	var docs [][]byte
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		docs = append(docs, doc)
	}
	for n := range simtest.Documents {
		docs = append(docs, simtest.Document(n))
	}
	named := 0
	for _, text := range docs {
		d, _ := scenario.Parse(text, scenario.FileLimits)
		p, _ := scenario.Compile(d, lab.Defaults())
		if p == nil || d.Scenario.Generator != nil {
			continue
		}
		want, others := map[string][]string{}, false
		slices.SortFunc(p.Jobs, func(a, b model.Job) int { return int(a.Doc - b.Doc) })
		for i := range p.Jobs {
			j, on := &p.Jobs[i], []string{}
			for typ := range p.Cluster.Types {
				if p.Tables[j.Phases[0].Tables[0]].Rate(model.TypeID(typ), j.Shape.Size, model.OneNode) > 0 {
					on = append(on, p.Cluster.Types[typ].Name)
				}
			}
			if others = others || len(on) > 1; len(on) == 1 {
				want[on[0]] = append(want[on[0]], j.Name)
			}
		}
		if !others {
			want = nil
		}
		if got := SoleTypes(d); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: for one type only are %v, not %v", d.Meta.Title, want, got)
		}
		for _, jobs := range want {
			named += len(jobs)
		}
	}
	if named < 2 {
		t.Errorf("%d jobs are for one type", named)
	}
}
