package allocate

import (
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
)

func TestInstanceKeepsEveryDigit(t *testing.T) {
	in, diags := Parse(
		[]byte(
			`{"gpu_types":["v100"],"capacity":[2],"jobs":[{"scale_factor":1,"throughput":[1.23456789012345],"slo_s":null}]}`), scenario.FileLimits.Limits)
	if in == nil {
		t.Fatal(golden.Lines(diags))
	}
	j := in.Jobs[0]
	if j.Throughput[0] != 1.23456789012345 || j.Weight != 1 || j.Remaining == j.Remaining || j.SLOS == j.SLOS ||
		in.Cost != nil {
		t.Errorf("%+v", in)
	}
}

func TestGoldens(t *testing.T) {
	golden.Test(t, "testdata/instances.txt", func(t *testing.T, c *golden.Case) string {
		in, diags := Parse([]byte(c.Input()), jsondoc.Limits{Bytes: 1000, Depth: 5})
		if (in == nil) != diags.HasErrors() {
			t.Errorf("%s: instance %v with findings %v", c.Name, in, diags)
		}
		return golden.Lines(diags)
	})
}

func FuzzParseInstance(f *testing.F) {
	for _, c := range golden.Read(f, "testdata/instances.txt") {
		f.Add(c.Input())
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, diags := Parse([]byte(text), scenario.LinkLimits.Limits)
		if (in == nil) != diags.HasErrors() {
			t.Fatalf("%+v\n%s", in, golden.Lines(diags))
		}
		if in == nil {
			return
		}
		if len(in.Capacity) != len(in.GPUTypes) || in.Cost != nil && len(in.Cost) != len(in.GPUTypes) ||
			len(in.Jobs) == 0 {
			t.Fatalf("%+v", in)
		}
		for i := range in.Jobs {
			if j := &in.Jobs[i]; len(j.Throughput) != len(in.GPUTypes) || !(j.Scale > 0) || !(j.Weight >= 0) {
				t.Fatalf("job %d: %+v", i, j)
			}
		}
	})
}
