package study_test

import (
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

func TestMixes(t *testing.T) {
	mixes, again, other := study.Mixes(1), study.Mixes(1), study.Mixes(2)
	if len(mixes) != 10 {
		t.Fatalf("%d mixes", len(mixes))
	}
	for i, d := range mixes {
		if _, diags := scenario.Compile(d, lab.Defaults()); len(diags) > 0 {
			t.Errorf("%s: %v", d.Meta.Title, diags)
		}
		id := d.ID(lab.Defaults())
		if id != again[i].ID(lab.Defaults()) || id == other[i].ID(lab.Defaults()) {
			t.Errorf("%s: a mix follows from its seed and nothing else", d.Meta.Title)
		}
		back, diags := scenario.Parse(d.Marshal(true), scenario.FileLimits)
		if len(diags) > 0 || back.ID(lab.Defaults()) != id {
			t.Errorf("%s does not read back: %v", d.Meta.Title, diags)
		}
		for _, r := range d.Scenario.Throughputs.Rows { // nobody has measured MiMa
			if strings.Contains(r.Source, "measured") == (r.Model == "mima") {
				t.Errorf("%s of %s", r.Source, r.Model)
			}
		}
		if n := len(d.Scenario.Jobs); n < 1 || n > 12 || len(d.Scenario.Cluster.Nodes) != 5 {
			t.Errorf("%d jobs", n)
		}
	}
}

// TestMixTable holds what copies are for: no node idles while a job is left, so a lone job is faster and,
// on these mixes, more of the cluster is in use in spite of a merge every round. Makespans of full clusters
// may go either way.
func TestMixTable(t *testing.T) {
	rows, diags := study.MixTable(1)
	if diags != nil || len(rows) != 10*len(study.MixPolicies) {
		t.Fatalf("%d rows, %v", len(rows), diags)
	}
	for i := 0; i < len(rows); i += len(study.MixPolicies) {
		e, h := rows[i], rows[i+1]
		if e.Policy != "hadare" || h.Policy != "hadar" || e.Outcome != "done" || h.Outcome != "done" {
			t.Fatalf("%+v %+v", e, h)
		}
		if l := rows[i+2]; !(e.GPUOver > 0.1) || h.GPUOver != 0 || l.GPUOver != 0 {
			t.Errorf("mix %d: of GPU time held, beyond what was asked for: %v %v %v", e.Mix, e.GPUOver, h.GPUOver, l.GPUOver)
		}
		if e.NodeUtilization <= h.NodeUtilization {
			t.Errorf("mix %d: node utilisation %v with copies, %v without", e.Mix, e.NodeUtilization, h.NodeUtilization)
		}
	}
	if rows[0].MakespanS >= rows[1].MakespanS {
		t.Errorf("a lone job takes %v s with copies, %v s without", rows[0].MakespanS, rows[1].MakespanS)
	}
}
