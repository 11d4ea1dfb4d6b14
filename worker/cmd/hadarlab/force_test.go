//go:build !js

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestForcedLaneOnTheCommandLine: a link with a forced choice runs here with the trace it has anywhere, is
// explained and exported by its own name, and verifies; a policy named alone chooses alone.
func TestForcedLaneOnTheCommandLine(t *testing.T) {
	text, _ := lab.Preset("odd-gpus-out")
	doc, _ := scenario.Parse(text, scenario.FileLimits)
	doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: "hadar", Force: []scenario.Force{
		{Round: 1, Job: "j3"}, {Round: 0, Job: "j6"}}})
	link := link.Encode(doc, lab.Defaults())
	want, _, _ := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})

	out, errs, code := cli(t, "", "run", "--format", "json", "--with-scenario", link)
	var res message.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK || errs != "" {
		t.Fatal(err, code, errs)
	}
	if len(res.Runs) != 3 || res.Runs[2].TraceHash != want.Runs[2].TraceHash ||
		res.Runs[2].TraceHash == res.Runs[0].TraceHash {
		t.Errorf("%+v", res.Runs)
	}
	if says, _, code := cli(t, out, "verify", "-"); code != exitOK || strings.Count(says, "same") != 3 {
		t.Errorf("verify says %q", says)
	}
	if table, _, _ := cli(t, "", "run", link); !strings.Contains(table, "hadar:forced") ||
		!strings.Contains(table, "hadar:forced: Forced choice 2, for j6, had no effect") {
		t.Error(table)
	}
	alone, _, _ := cli(t, "", "run", "--policy", "hadar", "--format", "json", link)
	if !strings.Contains(alone, want.Runs[0].TraceHash) || strings.Contains(alone, want.Runs[2].TraceHash) {
		t.Error("a policy named alone does not choose alone")
	}
	if e, _, _ := cli(t, "", "explain", "--policy", "hadar:forced", "--round", "1", "--job", "j3",
		link); !strings.Contains(e, "j3 was made to wait by you; Hadar had chosen ") {
		t.Error(e)
	}
	if csv, _, code := cli(t, "", "export", "--policy", "hadar:forced", "--format", "jobs-csv", link); code != exitOK ||
		len(csv) < 100 {
		t.Errorf("exit %d, %q", code, csv)
	}
	if _, errs, code := cli(t, "", "run", "--policy", "hadar:forced", "preset:odd-gpus-out"); code != exitUsage ||
		!strings.Contains(errs, "forces nothing upon hadar") {
		t.Errorf("exit %d, %q", code, errs)
	}
}
