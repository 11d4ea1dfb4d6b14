package scenario

import (
	"strings"
	"testing"

	"hadarlab/core/simtest/golden"
)

func TestInstanceKeepsEveryDigit(t *testing.T) {
	in, diags := ParseInstance(
		[]byte(
			`{"gpu_types":["v100"],"capacity":[2],"jobs":[{"scale_factor":1,"throughput":[1.23456789012345],"slo_s":null}]}`), FileLimits)
	if in == nil {
		t.Fatal(diags.lines())
	}
	j := in.Jobs[0]
	if j.Throughput[0] != 1.23456789012345 || j.Weight != 1 || j.Remaining == j.Remaining || j.SLOS == j.SLOS ||
		in.Cost != nil {
		t.Errorf("%+v", in)
	}
}

func TestUnmarshalNamesThePlace(t *testing.T) {
	type row struct {
		ID string
		N  int
		F  map[string]float64
	}
	for text, want := range map[string]string{
		"{\"rows\":[{\"id\":\"a\",\"n\":1},\n{\"id\":\"b\",\"n\":\"2\"}]}": `2 error wrong-type /rows/1/n: the text "2" stands here; it must be a whole number (Write 2 without quotes.)`,
		`{"rows":[{"f":{"x":[1]}}]}`:                                       `1 error wrong-type /rows/0/f/x: a list stands here; it must be a number (Write a number, as in 7.2.)`,
		`{"rows":{"a":1}}`:                                                 `1 error wrong-type /rows: an object stands here; it must be a list (Write it as a list: […].)`,
		`{"rows":[{"id":7}]}`:                                              `1 error wrong-type /rows/0/id: the number 7 stands here; it must be a text (Write it in double quotes, as in "v100".)`,
		`{"rows":[{"n":1.5}]}`:                                             `1 error wrong-type /rows/0/n: the number 1.5 stands here; it must be a whole number (Write a whole number, as in 4.)`,
		`{"rows":[],"rows":[]}`:                                            `1 error duplicate-member /rows: "rows" comes twice in one object (Keep one of the two.)`,
		`[]`:                                                               `1 error not-an-object : the document is a list; it must be an object (Start so.)`,
		`{"rows":[{"id":"a","n":1,"more":null}]`:                           `1 error bad-json : the text ends too early`,
		`{"rows":[{"id":"a","n":1,"more":{}}]}`:                            "",
	} {
		var into struct{ Rows []row }
		got := Unmarshal([]byte(text), FileLimits, "Start so.", &into).lines()
		if !strings.HasPrefix(got, want) || want == "" && got != "" {
			t.Errorf("%s:\n got %s\nwant %s", text, got, want)
		}
	}
}

func FuzzParseInstance(f *testing.F) {
	for _, c := range golden.Read(f, "testdata/instances.txt") {
		f.Add(c.Input())
	}
	f.Fuzz(func(t *testing.T, text string) {
		in, diags := ParseInstance([]byte(text), LinkLimits)
		if (in == nil) != diags.HasErrors() {
			t.Fatalf("%+v\n%s", in, diags.lines())
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
