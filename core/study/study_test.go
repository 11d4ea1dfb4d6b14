package study_test

import (
	"math"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/study"
)

// TestCases: every case compiles and draws what it promises, and every lane of the study is one.
func TestCases(t *testing.T) {
	cases := study.Cases(2, 12)
	if len(cases) != 2*len(study.Workloads)*2*2 {
		t.Fatalf("%d cases", len(cases))
	}
	ids := map[string]bool{}
	for _, c := range cases {
		ids[c.Doc.ID(lab.Defaults())] = true
		rows, diags := c.Run(study.Policies()[:2])
		if len(rows) != 2 || rows[0].Policy != study.Base || rows[1].Policy != "hadar" ||
			rows[0].Outcome != "done" || rows[1].Outcome != "done" {
			t.Errorf("%s: %+v %v", c.Name(), rows, diags)
		}
	}
	if len(ids) != len(cases) {
		t.Errorf("%d of %d cases are different scenarios", len(ids), len(cases))
	}
	for _, l := range append(study.Policies(), study.Switches()...) {
		spec, err := policy.Find(l.ID)
		if err != nil {
			t.Fatal(err)
		}
		if _, bad := spec.Check(l.Params); bad != nil {
			t.Errorf("%s: %v", l.Name, bad)
		}
	}
}

// TestSums: ratios of 2 and 8 have the geometric mean 4.
func TestSums(t *testing.T) {
	row := func(seed uint64, policy string, jct, makespan, fair float64, preemptions int) study.Row {
		return study.Row{Workload: "philly", Arrivals: "static", Seed: seed, Stalls: true, Policy: policy,
			Metrics: message.Metrics{AvgJCTS: jct, MakespanS: makespan, FTFP50: fair, FTFP95: fair * 2,
				Preemptions: preemptions, NodeUtilization: fair / 10}}
	}
	sums := study.Summarise([]study.Row{row(1, study.Base, 10, 5, 1, 4), row(1, "hadar", 20, 5, 2, 1),
		row(2, study.Base, 10, 5, 1, 4), row(2, "hadar", 80, 20, 8, 2), row(3, "hadar", 1, 1, 1, 1)})
	if len(sums) != 2 || sums[0].Policy != study.Base {
		t.Fatalf("%+v", sums)
	}
	s := sums[1]
	for _, c := range [][2]float64{{s.JCT, 4}, {s.JCTLeast, 2}, {s.JCTMost, 8}, {s.Makespan, 2}, {s.FTFP50, 4},
		{s.FTFP95, 8}, {s.Preemptions, 1.5}, {s.Nodes, 0.5}, {float64(s.Cases), 2}, {sums[0].JCT, 1}} {
		if math.Abs(c[0]-c[1]) > 1e-12 {
			t.Errorf("%v, want %v: %+v", c[0], c[1], s)
		}
	}
}
