package study_test

import (
	"reflect"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

// ran runs the lanes of a document.
func ran(t *testing.T, d *scenario.Document) []message.Lane {
	t.Helper()
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: d.Marshal(false)})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatalf("%s: %v %v", d.Meta.Title, diags, failed)
	}
	return res.Runs
}

// checkSeries holds a series to what one is: its documents compile without a finding but that a stall is long, read
// back, have its lanes, and follow from their seed and nothing else.
func checkSeries(t *testing.T, s *study.Series) {
	t.Helper()
	ids := map[string]bool{}
	for seed := range uint64(3) {
		d := s.Doc(seed + 1)
		if seed == 0 {
			_, diags := scenario.Compile(d, lab.Defaults())
			for _, x := range diags {
				if x.Code != "stall-exceeds-round" { // restarts of Sia's artifact do, in rounds of a minute
					t.Errorf("%s: %v", s.Name, x)
				}
			}
		}
		id := d.ID(lab.Defaults())
		if again := s.Doc(seed + 1); again.ID(lab.Defaults()) != id || ids[id] {
			t.Errorf("%s: a document follows from its seed and nothing else", s.Name)
		}
		ids[id] = true
		back, diags := scenario.Parse(d.Marshal(true), scenario.FileLimits)
		if len(diags) > 0 || back.ID(lab.Defaults()) != id {
			t.Errorf("%s does not read back: %v", s.Name, diags)
		}
		var refs []message.PolicyRef
		for i := range d.Scenario.Policies {
			refs = append(refs, d.Scenario.Policies[i].Ref())
		}
		names := map[string]bool{}
		for i, l := range s.Lanes {
			if len(refs) != len(s.Lanes) || !reflect.DeepEqual(refs[i], l.PolicyRef) || names[l.Name] {
				t.Fatalf("%s: lane %s is not its own, once", s.Name, l.Name)
			}
			names[l.Name] = true
			if _, faults := lab.Judge(l.PolicyRef, i); len(faults) > 0 {
				t.Errorf("%s: %s: %v", s.Name, l.Name, faults)
			}
		}
	}
}

// TestMixSeries: there is a series for each mix on each testbed, and the two have the same jobs.
func TestMixSeries(t *testing.T) {
	aws, laboratory := study.MixSeries(), study.LaboratorySeries()
	if len(aws) != 10 || len(laboratory) != 10 {
		t.Fatalf("%d and %d series", len(aws), len(laboratory))
	}
	for m := range aws {
		checkSeries(t, &aws[m])
		checkSeries(t, &laboratory[m])
		a, b := aws[m].Doc(7), laboratory[m].Doc(7)
		if !reflect.DeepEqual(a.Scenario.Jobs, b.Scenario.Jobs) || len(a.Scenario.Jobs) < 1 {
			t.Errorf("mix %d has other jobs in the laboratory", m+1)
		}
	}
}

// TestLaboratory: speeds are below what both hardware figures allow, nobody's are said to be measured, and what a copy
// holds is the same under both settings; a lone job is faster with copies, by no more than the nodes' speeds together
// over the fastest.
func TestLaboratory(t *testing.T) {
	// FP32 TFLOPS and GB/s over the V100's, from the makers' sheets
	over := map[string][2]float64{"titan-rtx": {16.3 / 15.7, 672.0 / 900}, "t4": {8.1 / 15.7, 320.0 / 900},
		"t400": {1.09 / 15.7, 80.0 / 900}, "rtx3090": {35.6 / 15.7, 936.0 / 900},
		"rtx-a2000": {7.99 / 15.7, 288.0 / 900}}
	v100 := map[string]float64{"transformer": 5.446, "resnet-18": 17.995, "lm": 28.240, "recommendation": 7.470,
		"mima": 5.446}
	for m, d := range study.Laboratory(1) {
		for _, r := range d.Scenario.Throughputs.Rows {
			if len(r.PerGPU) != 5 || r.Source == "" {
				t.Errorf("%s: %d types, source %q", r.Model, len(r.PerGPU), r.Source)
			}
			for typ, x := range r.PerGPU {
				least := min(over[typ][0], over[typ][1]) * v100[r.Model]
				if x < least-1e-3 || x > least+1e-3 {
					t.Errorf("%s on %s: %v, by hardware figures %v", r.Model, typ, x, least)
				}
			}
		}
		runs := ran(t, d)
		if runs[0].Policy != "hadare" || !reflect.DeepEqual(runs[0].Metrics, runs[1].Metrics) {
			t.Errorf("mix %d: whole nodes are not what was asked for", m+1)
		}
		if m > 0 {
			continue
		}
		sum, most := 0.0, 0.0
		for _, x := range d.Scenario.Throughputs.Rows[0].PerGPU {
			sum, most = sum+x, max(most, x)
		}
		if up := runs[2].Metrics.MakespanS / runs[0].Metrics.MakespanS; up <= 1.5 || up > sum/most {
			t.Errorf("a lone job is %v times as fast with copies, the nodes together %v times", up, sum/most)
		}
	}
}
