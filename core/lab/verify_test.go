package lab_test

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// result runs a preset and gives the result as its file.
func result(t testing.TB) (*message.Result, string) {
	t.Helper()
	doc, _ := lab.Preset("odd-gpus-out")
	res, _, diags := lab.Run(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{{ID: "hadar"}}})
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	b, err := json.Marshal(res)
	if err != nil {
		t.Fatal(err)
	}
	return res, string(b)
}

func TestCompareFindsEveryChange(t *testing.T) {
	res, text := result(t)
	for _, c := range []struct{ old, new, what string }{
		{"", "", ""},
		{`"makespan_s":`, `"makespan_s":1`, "makespan_s"},
		{`"rounds":`, `"rounds":1`, "rounds"},
		{`"outcome":"done"`, `"outcome":"starved"`, "outcome"},
		{`"trace_hash":"`, `"trace_hash":"0`, "trace_hash"},
		{`"id":"j2"`, `"id":"j9"`, "job 2"},
		{`"start_s":0`, `"start_s":null`, "j1 start_s"},
		{`"restarts":0,"ftf"`, `"restarts":4,"ftf"`, "j1 restarts"},
		{`"rounds":`, `"speed":1,"rounds":`, "speed"},
		{`"preemptions":0,`, ``, ""}, // a figure that the file does not have is not compared
	} {
		file, diags := lab.ParseResult([]byte(strings.Replace(text, c.old, c.new, 1)))
		if file == nil {
			t.Fatalf("%s: %+v", c.what, diags)
		}
		got := file.Runs[0].Compare(&res.Runs[0])
		if c.what == "" && len(got) > 0 || c.what != "" && (len(got) != 1 || got[0].What != c.what) {
			t.Errorf("%s → %s: %+v", c.old, c.new, got)
		}
	}
	res.Runs[0].Metrics.AvgJCTS *= 1 + 1e-11
	file, _ := lab.ParseResult([]byte(text))
	if got := file.Runs[0].Compare(&res.Runs[0]); len(got) > 0 {
		t.Errorf("a difference below the tolerance counts: %+v", got)
	}
}

func TestParseResultNamesFaults(t *testing.T) {
	_, text := result(t)
	for in, want := range map[string]string{
		``:                              "bad-json",
		`[]`:                            "not-an-object",
		`{}`:                            "/runs missing-member",
		`{"kind":"scenario"}`:           "/kind wrong-kind",
		`{"runs":[{}]}`:                 "/runs/0 missing-member",
		`{"runs":[{"policy":5}]}`:       "/runs/0/policy wrong-type",
		`{"runs":{}}`:                   "/runs wrong-type",
		`{"runs":[{"seed":-1}]}`:        "/runs/0/seed wrong-type",
		text[:len(text)/2]:              "bad-json",
		text + text:                     "trailing-data",
		`{"runs":[],"runs":[]}`:         "/runs duplicate-member",
		`{"runs":[{"metrics":{"a":""}}`: "bad-json",
	} {
		file, diags := lab.ParseResult([]byte(in))
		if file != nil || len(diags) != 1 || !strings.HasSuffix(want, diags[0].Code) ||
			strings.HasPrefix(want, "/") && !strings.HasPrefix(want, diags[0].Path+" ") {
			t.Errorf("%.40s: %+v, want %s", in, diags, want)
		}
	}
}

func FuzzParseResult(f *testing.F) {
	res, text := result(f)
	f.Add(text)
	f.Add(
		`{"engine":"0","scenario_id":"x","scenario":{},"runs":[{"policy":"p","trace_hash":"h","metrics":{"x":1e308},"jobs":[{"id":"j","start_s":null}]}]}`)
	f.Fuzz(func(t *testing.T, in string) {
		file, diags := lab.ParseResult([]byte(in))
		if (file == nil) != diags.HasErrors() {
			t.Fatalf("%+v %+v", file, diags)
		}
		if file == nil {
			return
		}
		for i := range file.Runs {
			file.Runs[i].Compare(&res.Runs[0])
		}
	})
}
