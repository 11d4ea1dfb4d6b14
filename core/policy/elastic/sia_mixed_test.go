package elastic_test

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// mixed is the beginning of Pollux's world, whose applications were profiled on T4 alone, on nodes of three GPU types.
func mixed(t *testing.T) (*model.Problem, jsondoc.Diagnostics) {
	data, _ := scenarios.Preset("pollux-world")
	d, found := scenario.Parse(data, scenario.FileLimits)
	if d == nil {
		t.Fatal(found)
	}
	s := &d.Scenario
	s.Cluster.Nodes = []scenario.Node{
		{ID: "n1", GPUs: map[string]int{"t4": 4}}, {ID: "n2", GPUs: map[string]int{"t4": 4}},
		{ID: "n3", GPUs: map[string]int{"v100": 2}}, {ID: "n4", GPUs: map[string]int{"a100": 2}}}
	s.Jobs = s.Jobs[:7]
	for i := range s.Jobs {
		s.Jobs[i].ArrivalS = float64(40 * i)
		s.Jobs[i].GPUs = 1
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(found)
	}
	return p, found
}

// TestSiaOnScaledProfiles: where a model was profiled on T4 alone, a note says for each other type that its passes are
// only scaled, and they are scaled by what the catalogue has.
func TestSiaOnScaledProfiles(t *testing.T) {
	p, found := mixed(t)
	notes := 0
	for _, d := range found {
		if d.Code == "profile-scaled" {
			notes++
		}
	}
	if want := 2 * len(p.Profiles); notes < want || len(p.Profiles) < 3 {
		t.Errorf("%d notes for %d profiles on two types besides T4", notes, len(p.Profiles))
	}
	of := func(name string) model.TypeID {
		return model.TypeID(slices.IndexFunc(p.Cluster.Types, func(t model.GPUType) bool { return t.Name == name }))
	}
	for _, f := range p.Profiles {
		t4, v100 := f.Perf[of("t4")], f.Perf[of("v100")]
		if by := 8.1 / 15.7; math.Abs(v100.AlphaC/t4.AlphaC/by-1) > 1e-8 || math.Abs(v100.BetaC/t4.BetaC/by-1) > 1e-8 ||
			v100.AlphaN != t4.AlphaN || v100.Gamma != t4.Gamma {
			t.Errorf("%s: %+v on V100, %+v on T4", f.Model, v100, t4)
		}
	}
}

// TestSiaAgainstAllChoices: on a mixed cluster, what Sia chooses at each decision has the least sum over all sizes ×
// types of all jobs, and each job is told its type and what the best of another type would count.
func TestSiaAgainstAllChoices(t *testing.T) {
	p, _ := mixed(t)
	type choice struct {
		typ  model.TypeID // None = it waits
		gpus int32
		cost int64 // hundredths
	}
	room := make([]int32, len(p.Cluster.Types))
	for _, s := range p.Cluster.Slots {
		room[s.Type] += s.Cap
	}
	var least func(rows [][]choice) int64
	least = func(rows [][]choice) int64 {
		if len(rows) == 0 {
			return 0
		}
		best := int64(math.MaxInt64 / 2)
		for _, c := range rows[0] {
			if c.typ >= 0 && room[c.typ] < c.gpus {
				continue
			}
			if c.typ >= 0 {
				room[c.typ] -= c.gpus
			}
			best = min(best, c.cost+least(rows[1:]))
			if c.typ >= 0 {
				room[c.typ] += c.gpus
			}
		}
		return best
	}
	types, crowded, named := map[model.TypeID]bool{}, 0, 0
	for k := range 16 {
		r := simtest.Start(t, p, "sia", nil, sim.Options{})
		r.Explain(k)
		for r.Explained() == nil && r.Step() {
		}
		d := r.Explained()
		if d == nil {
			t.Fatal("the run ends too early")
		}
		var rows [][]choice
		for _, c := range d.Choices {
			row := []choice{{model.None, 0, 110}}
			most := int32(c.Sections[0].Terms[1].Value)
			seen := map[[2]int32]bool{}
			for _, x := range c.Sections[0].Table.Rows {
				config := x.Cells[0].(words.Text).Args()
				gpus, typ := config[0].(int32), config[1].(model.TypeID)
				row = append(row, choice{typ, gpus, int64(math.Round(x.Cells[3].(float64) * 100))})
				seen[[2]int32{int32(typ), gpus}] = true
				if x.Chosen {
					types[typ] = true
					if of := simtest.Saying(c.Says, "the most useful of other types"); !of.IsZero() {
						named++
						if says := of.Args()[0].(words.Text); says.Args()[1] != typ || says.Args()[0] != gpus ||
							of.Args()[2].(words.Text).Args()[1] == typ {
							t.Errorf("decision %d: %s has %d of type %d and is told %+v", k, p.Jobs[c.Job].Name, gpus,
								typ,
								of.Args())
						}
					}
				}
			}
			// Every size × type that a node or whole nodes hold, the job may have, and on which it has a speed is
			// there.
			job := &p.Jobs[c.Job]
			tab := &p.Tables[job.Phases[0].Tables[1]]
			for typ := range p.Cluster.Types {
				for _, gpus := range []int32{1, 2, 4, 8} {
					tier := model.OneNode
					if gpus > 4 {
						tier = model.OneRack
					}
					can := gpus <= min(most, room[typ], job.Shape.Max) && tab.Rate(model.TypeID(typ), gpus, tier) > 0
					if can != seen[[2]int32{int32(typ), gpus}] {
						t.Errorf("decision %d: %s on %d of type %d: offered %v, possible %v", k, job.Name, gpus, typ,
							!can, can)
					}
				}
			}
			rows = append(rows, row)
		}
		sum := d.Sections[0].Terms[0].Value
		if want := float64(least(rows)) / 100; math.Abs(sum-want) > 1e-9 {
			t.Errorf("decision %d: the sum is %v, the least of all choices %v", k, sum, want)
		}
		if len(rows) > 4 {
			crowded++
		}
	}
	if len(types) != 3 || crowded < 5 || named < 20 {
		t.Errorf("%d types chosen, %d decisions of more than four jobs, %d jobs told of types: too few to trust the test",
			len(types), crowded, named)
	}
	tr := simtest.Run(t, p, "sia", nil)
	for j := range tr.Jobs {
		if tr.Jobs[j].Finish < 0 {
			t.Errorf("%s does not finish", tr.Jobs[j].Name)
		}
	}
}
