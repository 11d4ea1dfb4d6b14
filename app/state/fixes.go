package state

import (
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

// Fix is the one obvious repair of a finding: the words on its button, and the edit. The edit is nil where
// nothing is obvious.
func (f *Form) Fix(d *jsondoc.Diagnostic) (label string, mends edit.Edit) {
	if lane, choice := edit.ForcePath(d.Path); lane >= 0 && choice >= 0 && d.Level == string(jsondoc.LevelError) {
		return words.T("Remove the forced choice"), edit.RemoveForce{Lane: lane, Choice: choice}
	}
	job, field := edit.JobPath(d.Path)
	switch d.Code {
	case "job-too-large":
		if job < 0 || job >= len(f.Doc.Scenario.Jobs) {
			break
		}
		n, some := f.mostGPUs(job)
		if n == 0 {
			break
		}
		label = words.F("Set {0} to {1}", f.Doc.Scenario.Jobs[job].ID, words.Plural(n, "GPU"))
		if n < some {
			label += " " + words.F("(up to {0} only by mixing types)", itoa(some))
		}
		return label, edit.SetJob{Job: job, Field: edit.JobGPUs, Value: float64(n)}
	case "out-of-range", "not-integer":
		for k, member := range []string{"gpus", "steps", "arrival_s", "weight"} {
			if field != member || job < 0 || job >= len(f.Doc.Scenario.Jobs) {
				continue
			}
			form := edit.JobForm(job, k)
			r := form.Range
			v := min(max(form.Get(f.Doc), r.Min), r.Max)
			if r.Open && v <= r.Min {
				v = 1
			}
			if _, problem := edit.ParseNumber(strconv.FormatFloat(v, 'f', -1, 64), r); problem == "" {
				return words.F("Set it to {0}", edit.FormatNumber(v)), edit.SetJob{Job: job, Field: k, Value: v}
			}
		}
	case "no-jobs":
		return words.T("Add a job"), edit.AddJob{}
	case "no-gpus":
		if len(f.Doc.Scenario.Cluster.Nodes) == 0 {
			return words.T("Add a node"), edit.AddNode{}
		}
		n := &f.Doc.Scenario.Cluster.Nodes[0]
		for _, t := range jsondoc.Keys(n.GPUs) {
			return words.F("Give {0} one", n.ID), edit.SetGPUs{Node: 0, N: 1, Type: t}
		}
	case "unknown-policy":
		if lane := edit.LeadingIndex(strings.TrimPrefix(d.Path, "/scenario/policies/")); lane >= 0 {
			p := &f.Boot.Policies[0]
			return words.F("Use {0}", words.T(p.Title)), edit.SetPolicy{Lane: lane, ID: p.ID, Title: p.Title}
		}
	case "no-row":
		if job >= 0 && job < len(f.Doc.Scenario.Jobs) && len(f.Doc.Scenario.Throughputs.Rows) > 0 {
			r := &f.Doc.Scenario.Throughputs.Rows[0]
			return words.F("Train {0} instead", edit.ModelName(r.Model, r.Batch)), edit.SetModel{Job: job, Row: 0}
		}
	}
	return "", nil
}

// mostGPUs is the largest gang that the cluster can give a job under every policy, else under some, and the largest
// under some; 0 = none. It is found by checking the job alone.
func (f *Form) mostGPUs(job int) (n, some int) {
	d := f.Doc.Clone()
	d.Scenario.Jobs = d.Scenario.Jobs[job : job+1]
	j := &d.Scenario.Jobs[0]
	for n = min(j.GPUs-1, edit.GPUs(d), 4096); n > 0; n-- {
		j.GPUs = n
		diags := scenario.Check(d)
		if diags.HasErrors() {
			continue
		}
		some = max(some, n)
		warned := false
		for i := range diags {
			warned = warned || diags[i].Level == string(jsondoc.LevelWarning)
		}
		if !warned {
			return n, some
		}
	}
	return some, some
}
