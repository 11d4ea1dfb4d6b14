package edit

import (
	"maps"
	"slices"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// UsableTypes are the GPU types of the cluster on which a job's model may have a speed, by name: those of its row, or
// all where it has none.
func UsableTypes(d *scenario.Document, job int) []string {
	s, in := &d.Scenario, present(d)
	j := &s.Jobs[job]
	for i := range s.Throughputs.Rows {
		r := &s.Throughputs.Rows[i]
		if r.Model == j.Model && r.Batch == j.Batch {
			for typ := range in {
				in[typ] = in[typ] && (r.PerGPU[typ] > 0 || len(r.Gang[typ]) > 0)
			}
		}
	}
	maps.DeleteFunc(in, func(_ string, on bool) bool { return !on })
	return slices.Sorted(maps.Keys(in))
}

// present are the GPU types of the cluster, those of nodes for money among them.
func present(d *scenario.Document) map[string]bool {
	s, in := &d.Scenario, map[string]bool{}
	for i := range s.Cluster.Nodes {
		for typ, n := range s.Cluster.Nodes[i].GPUs {
			in[typ] = in[typ] || n > 0
		}
	}
	if s.Cloud != nil {
		for i := range s.Cloud.Groups {
			in[s.Cloud.Groups[i].Type] = true
		}
	}
	maps.DeleteFunc(in, func(_ string, on bool) bool { return !on })
	return in
}

// SoleTypes names by GPU type the jobs that have a speed on no other, in the document's order; nil where no job has one
// on two types.
func SoleTypes(d *scenario.Document) map[string][]string {
	type kind struct {
		model string
		batch int
	}
	rows, in := map[kind]*scenario.Row{}, slices.Sorted(maps.Keys(present(d)))
	if len(in) < 2 {
		return nil
	}
	for i := range d.Scenario.Throughputs.Rows {
		r := &d.Scenario.Throughputs.Rows[i]
		rows[kind{r.Model, r.Batch}] = r
	}
	only, others := map[string][]string{}, false
	for i := range d.Scenario.Jobs {
		j, on := &d.Scenario.Jobs[i], []string{}
		for _, typ := range in {
			if r := rows[kind{j.Model, j.Batch}]; (len(j.Types) == 0 || slices.Contains(j.Types, typ)) &&
				(r == nil || r.Speed(typ, j.GPUs) > 0) { // a profiled model has no row, and a speed on all
				on = append(on, typ)
			}
		}
		if others = others || len(on) > 1; len(on) == 1 {
			only[on[0]] = append(only[on[0]], j.ID)
		}
	}
	if !others {
		return nil
	}
	return only
}

// SwitchType lets a job use a GPU type, or no more; without the last one it may use all again. All says that it may
// use all or, where it may, that its types are to be chosen from those of its model. An older program refuses a
// document with such jobs, which it would let run everywhere.
type SwitchType struct {
	Job  int
	Type string
	All  bool
}

func (e SwitchType) Change(d *scenario.Document) string {
	if e.Job >= len(d.Scenario.Jobs) {
		return ""
	}
	j := &d.Scenario.Jobs[e.Job]
	of := slices.DeleteFunc(slices.Clone(j.Types), func(s string) bool { return s == e.Type })
	switch {
	case e.All && len(of) > 0:
		of = nil
	case e.All:
		of = UsableTypes(d, e.Job)
	case len(of) == len(j.Types):
		of = append(of, e.Type)
		slices.Sort(of)
	}
	j.Types = of
	d.Requires = slices.DeleteFunc(slices.Clone(d.Requires), func(s string) bool { return s == scenario.JobTypes })
	if slices.ContainsFunc(d.Scenario.Jobs, func(j scenario.Job) bool { return len(j.Types) > 0 }) {
		d.Requires = append(d.Requires, scenario.JobTypes)
	}
	says := words.In("types", "all")
	if len(of) > 0 {
		says = strings.ToUpper(strings.Join(of, ", "))
	}
	return words.F("{0}, GPU types: {1}", j.ID, says)
}
