package edit

import (
	"slices"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// Fusing is the parameter of every lane that says whether it fuses (policy.Fusion).
var Fusing = Param{Name: "fusion", Title: "Fuse jobs of a sweep", Kind: "bool", Default: true}

// FusionForm are the numbers of fusion.
func FusionForm() []Figure {
	const at = "/scenario/fusion/"
	return []Figure{number(at+"max", "Jobs that are fused at most", "At most", "jobs on a GPU", ""),
		number(at+"hold_s", "Time that a job is held", "Held", "at most, until so many have come", ""),
		number(at+"refuse_s", "Time to fuse anew", "Fused anew", "the others stall when one ends", ""),
		number(at+"framework_gib", "Memory of the framework", "Framework", "its memory is there once", "")}
}

// Fuse has the jobs of a sweep train as one, or stops it. An older program refuses the document, which it would
// simulate as one without fusion.
func Fuse(on bool) Edit {
	if on {
		return Rewrite{words.T("Jobs of a sweep are fused"), func(d *scenario.Document) {
			d.Scenario.Fusion = &scenario.Fusion{Max: 8, HoldS: 600, RefuseS: 30, FrameworkGiB: 1.5}
			d.Requires = append(slices.Clone(d.Requires), scenario.Fuses)
		}}
	}
	return Rewrite{words.T("No jobs are fused"), func(d *scenario.Document) {
		d.Scenario.Fusion = nil
		d.Requires = slices.DeleteFunc(slices.Clone(d.Requires), func(s string) bool { return s == scenario.Fuses })
	}}
}

// Curves are the models of whose jobs several can be fused, with what is known of them: the numbers of a row.
func Curves(d *scenario.Document) (rows []int) {
	for i := range d.Scenario.Throughputs.Rows {
		if d.Scenario.Throughputs.Rows[i].Fusion != nil {
			rows = append(rows, i)
		}
	}
	return rows
}

// CurveForm are the numbers of one row.
func CurveForm(row int) []Figure {
	at := "/scenario/throughputs/rows/" + itoa(row) + "/fusion/"
	return []Figure{number(at+"use", "Part of a GPU that one model uses", "Use of a GPU", "", ""),
		number(at+"beta", "What each further model adds", "Each more adds", "", ""),
		number(at+"memory_gib", "Memory of one model", "Memory", "", "")}
}

// AddCurve gives a row the numbers that are taken for it anyway, to change them; or takes them away.
func AddCurve(row int, name string, on bool) Edit {
	return Rewrite{words.F("Fusion of {0}", name), func(d *scenario.Document) {
		r := &d.Scenario.Throughputs.Rows[row]
		if r.Fusion = nil; on {
			r.Fusion = &scenario.RowFusion{Use: 0.3, Beta: 0.136}
		}
	}}
}

// Sweep puts all listed jobs of one GPU and of one model, batch, types, tenant and weight that can be fused into one
// sweep, and the others into none.
func Sweep() Edit {
	return Rewrite{words.T("Jobs that are alike are sweeps"), func(d *scenario.Document) {
		type kind struct {
			model, types, tenant string
			batch                int
			weight               float64
		}
		names := map[kind]string{}
		for i := range d.Scenario.Jobs {
			j := &d.Scenario.Jobs[i]
			j.Sweep = ""
			if j.GPUs != 1 || j.Elastic != nil || j.CPUs > 0 || j.MemoryGB > 0 || profiled(d, j.Model) {
				continue
			}
			k := kind{j.Model, strings.Join(slices.Sorted(slices.Values(j.Types)), " "), j.Tenant, j.Batch, j.Weight}
			if names[k] == "" {
				names[k] = "s" + itoa(len(names)+1)
			}
			j.Sweep = names[k]
		}
	}}
}

// profiled says whether a model has a profile.
func profiled(d *scenario.Document, model string) bool {
	return slices.ContainsFunc(d.Scenario.Throughputs.Profiles,
		func(p scenario.Profile) bool { return p.Model == model })
}

// UnfusedMark stands behind the title of a lane that has each job train for itself.
func UnfusedMark() string { return ", " + words.T("not fused") }
