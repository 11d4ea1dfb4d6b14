//go:build !js

package main

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/message"
)

const stream = `{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}},{"id":"n2","gpus":{"k80":4}}]},
"throughputs":{"rows":[]},"jobs":{"generator":{"count":60,"gpus":{"1":1},"arrivals":{"process":"poisson","rate_per_h":RATE}}}}}`

// TestAWindowOnTheCommandLine: the flag measures some of the jobs of a scenario that has no window, or all of one that
// has; the load is told beforehand, what was measured after the table.
func TestAWindowOnTheCommandLine(t *testing.T) {
	in := strings.Replace(stream, "RATE", "0.2", 1)
	table, errs, code := cli(t, in, "run", "--policy", "gavel-las", "--window", "20,10", "-")
	if code != exitOK || !strings.Contains(table, "Measured are jobs 21 to 30 by arrival.") ||
		!strings.Contains(errs, "Offered load: ") || strings.Contains(errs, "steady state") {
		t.Errorf("exit %d: %s\n%s", code, errs, table)
	}
	measured := func(doc string, args ...string) *message.Lane {
		out, errs, code := cli(t, doc, append([]string{"run", "--policy", "gavel-las", "--format", "json"}, args...)...)
		var res message.Result
		if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK {
			t.Fatalf("exit %d, %v: %s", code, err, errs)
		}
		return &res.Runs[0]
	}
	inside := strings.Replace(in, `"cluster"`, `"window":{"from":20,"jobs":10},"cluster"`, 1)
	flag, doc := measured(in, "--window", "20,10", "-"), measured(inside, "-")
	all := measured(inside, "--window", "all", "-")
	if flag.TraceHash != doc.TraceHash || flag.Metrics != doc.Metrics || *flag.Window != *doc.Window {
		t.Errorf("the flag measures %+v, the document %+v", flag.Window, doc.Window)
	}
	if all.Window != nil || all.TraceHash != measured(in, "-").TraceHash || all.Metrics.AvgJCTS == doc.Metrics.AvgJCTS {
		t.Errorf("all jobs are not measured again: %+v", all.Window)
	}
	_, errs, _ = cli(t, strings.Replace(stream, "RATE", "9", 1), "run", "--policy", "fifo", "--window", "20,10", "-")
	if !strings.Contains(errs, "there is no steady state to measure") {
		t.Errorf("of an overload it says %q", errs)
	}
	for arg, want := range map[string]string{
		"20": "FROM,JOBS", "-1,3": "0 or more", "3,0": "1 or more",
		"55,10": "the window ends with job 65 by arrival; the scenario has 60"} {
		_, errs, code := cli(t, in, "run", "--window", arg, "-")
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("--window %s: exit %d, %q, want %q", arg, code, errs, want)
		}
	}
}

// TestWhateverRunsHasAWindow: a sweep and an export measure the jobs that run measures, and all of them warn as it
// does.
func TestWhateverRunsHasAWindow(t *testing.T) {
	in := strings.Replace(stream, "RATE", "0.2", 1)
	out, _, _ := cli(t, in, "run", "--policy", "fifo", "--window", "20,10", "--format", "json", "-")
	var res message.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil {
		t.Fatal(err)
	}
	swept, errs, code := cli(t, in, "sweep", "--policy", "fifo", "--window", "20,10", "--vary", "/scenario/seed=0", "-")
	if hash := res.Runs[0].TraceHash; code != exitOK || !strings.Contains(swept, hash) {
		t.Errorf("sweep, exit %d: %s has no trace %s\n%s", code, errs, hash, swept)
	}
	events := func(args ...string) string {
		args = append([]string{"export", "--format", "jobs-csv", "--policy", "fifo"}, args...)
		out, errs, code := cli(t, in, args...)
		if code != exitOK {
			t.Fatalf("exit %d: %s", code, errs)
		}
		return out
	}
	if all, some := events("-"), events("--window", "0,10", "-"); all == some {
		t.Error("an export goes on after its window has ended")
	}

	const says = "no job arrives after the last of the window"
	for _, args := range [][]string{{"run"}, {"sweep", "--vary", "/scenario/seed=0"},
		{"export", "--format", "jobs-csv"}} {
		args = append(args, "--policy", "fifo", "--window", "50,10", "-")
		if _, errs, code := cli(t, in, args...); code != exitOK || strings.Count(errs, says) != 1 {
			t.Errorf("%s, exit %d: %q", args[0], code, errs)
		}
	}
	inside := strings.Replace(in, `"cluster"`, `"window":{"from":50,"jobs":10},"cluster"`, 1)
	for _, args := range [][]string{{"run"}, {"explain"}} {
		if _, errs, code := cli(t, inside, append(args, "--policy", "fifo", "-")...); code != exitOK ||
			strings.Count(errs, says) != 1 {
			t.Errorf("%s of a document, exit %d: %q", args[0], code, errs)
		}
	}
}
