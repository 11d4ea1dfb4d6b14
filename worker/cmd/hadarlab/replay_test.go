package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestRecordedDecisions: what a program outside decided is run again without it, to the same trace; elsewhere, and
// where the record is changed, the lane ends with decision, job and reason, and the others go on.
func TestRecordedDecisions(t *testing.T) {
	const preset = "preset:odd-gpus-out"
	file := filepath.Join(t.TempDir(), "srtf.jsonl")
	keep := func(text string) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	exported, errs, code := apart(t, "export", "--format", "decisions", "--policy",
		"exec:python3 ../../../examples/exec/srtf.py", preset)
	if code != exitOK || errs != "" {
		t.Fatalf("code %d: %s", code, errs)
	}
	keep(exported)
	hashes := func(args ...string) (of []string) {
		out, errs, code := apart(t, append([]string{"run", "--format", "json"}, args...)...)
		var res message.Result
		if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK {
			t.Fatalf("%v: code %d, %v, %s", args, code, err, errs)
		}
		for i := range res.Runs {
			of = append(of, res.Runs[i].TraceHash)
		}
		return of
	}
	got := hashes("--policy", "exec:python3 ../../../examples/exec/srtf.py,replay:"+file+",replay:"+file, preset)
	if len(got) != 3 || got[1] != got[0] || got[2] != got[0] || !strings.Contains(exported, got[0]) {
		t.Errorf("the traces are %v", got)
	}
	if out, _, code := apart(t, "explain", "--round", "1", "--policy", "replay:"+file, preset); code != exitOK ||
		!strings.Contains(out, "round 1 at") {
		t.Errorf("code %d, it is not explained:\n%s", code, out)
	}

	lines := strings.SplitAfter(exported, "\n")
	for _, c := range []struct {
		text, preset string
		want         string
	}{
		{exported, "preset:whose-round", "/scenario/policies/0: line 1: The record is of another cluster"},
		{strings.Replace(exported, `"gang":[[0,`, `"gang":[[0,9`, 1), preset,
			"The run ended at decision 0, counted from 0, 0 s after the start: Line 2 of the record: The record gives job j"},
		{lines[0] + lines[1] + lines[2], preset, "The record has no more decisions."},
		{strings.Replace(exported, `"ended":[`, `"ended":[0,`, 1), preset, "has ended in the record, and not here"},
		{lines[0] + "here\n", preset, ": line 2: "},
		{"{}", preset, "no record of decisions begins so; `hadarlab export --format decisions` writes one"},
		{strings.Replace(exported, got[0][:8], "01234567", 1), preset, "lead to another run here than the recorded one"},
	} {
		keep(c.text)
		out, errs, code := apart(t, "run", "--format", "csv", "--policy", "replay:"+file+",srtf", c.preset)
		if code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("%.60q: code %d, %q, want %q", c.text, code, errs, c.want)
		}
		if strings.Contains(errs, "/scenario") && !strings.Contains(out, ",done,") {
			t.Errorf("%s: the other lane does not go on: %q", c.want, out)
		}
	}
	if _, errs, code := apart(t, "run", "--policy", "replay:"+file+".none", preset); code != exitUsage ||
		!strings.Contains(errs, "no such file") {
		t.Errorf("code %d, %s", code, errs)
	}
	_, errs, code = apart(t, "export", "--format", "decisions", "--policy", "srtf,hadar", preset)
	if code != exitUsage || !strings.Contains(errs, "decisions holds one run") {
		t.Errorf("code %d, %s", code, errs)
	}
}
