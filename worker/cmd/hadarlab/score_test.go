package main

import (
	"encoding/csv"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/scenario"
)

// TestScore: policies are ranked over suites and files, in the same order whatever is ready first; who refuses comes
// last; the page needs nothing but itself.
func TestScore(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	late := file("late.star", "def key(job, cluster):\n    return 1 / (1 - cluster.waiting)\n")
	mine := file("mine.star", "def key(job, cluster):\n    return job.steps_left / job.speed\n")
	scenario, _, _ := cli(t, "", "freeze", "../../../scenarios/examples/generated.json")
	drawn := file("drawn.json", scenario)

	args := []string{"score", "--policy", "pollux,fifo,srtf", "--suite", "gavel,pollux", "--seeds", "2", "--jobs", "15",
		"--format", "csv", drawn}
	out, errs, code := cli(t, "", args...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || code != exitOK || errs != "" || len(rows) != 1+3*3+3*8 {
		t.Fatalf("code %d, %v, %d rows: %s", code, err, len(rows), errs)
	}
	at := func(column string) int { return slices.Index(rows[0], column) }
	var first []string
	for _, row := range rows[1:] {
		if row[at("scenario")] != "" {
			continue
		}
		first = append(first, row[at("suite")]+" "+row[at("policy")]+" "+row[at("refused")])
	}
	if got := strings.Join(first, ", "); got != "gavel srtf 0, gavel fifo 0, gavel pollux 6, "+
		"pollux pollux 0, pollux srtf 0, pollux fifo 0, files srtf 0, files fifo 0, files pollux 1" {
		t.Errorf("the policies are %s", got)
	}
	last := rows[len(rows)-1]
	if last[at("scenario")] != "drawn.json" || last[at("state")] != "finished" || last[at("rank")] == "" {
		t.Errorf("the last row is %v", last)
	}
	if again, _, _ := cli(t, "", args...); again != out {
		t.Error("it is not the same twice")
	}

	score := []string{"score", "--policy", "srtf,own:" + late + ",own:" + mine, "--set", "own.preempt=true",
		"preset:odd-gpus-out", "preset:whose-round"}
	out, errs, code = cli(t, "", score...)
	if code != exitFailed || !strings.Contains(errs, "late.star failed in 2 of 2 scenarios, first in "+
		"preset:odd-gpus-out: The run ended at decision") {
		t.Errorf("a program that fails: code %d, %s", code, errs)
	}
	if !regexp.MustCompile(`(?m)^srtf +1\.50 +1\.50 to 1\.50 +1\.00 `).MatchString(out) ||
		!strings.Contains(out, "failed (3)") {
		t.Errorf("the table is\n%s", out)
	}
	page, _, _ := cli(t, "", append(score, "--format", "html")...)
	for _, want := range []string{"<!doctype html>", "own:" + mine, "preset:whose-round", "1.50 to 1.50", "<svg",
		"</html>"} {
		if !strings.Contains(page, want) {
			t.Errorf("the page has no %q", want)
		}
	}
	if from := regexp.MustCompile(`(?i)(src|href)=|url\(|@import|<script`).FindString(page); from != "" {
		t.Errorf("the page asks for more: %s", from)
	}

	for args, want := range map[string]string{
		"--policy srtf":                     "a rank is among several, and 1 is named",
		"--policy srtf,fifo,srtf":           "--policy: srtf is named twice",
		"--policy srtf,nobody":              "There is no policy nobody",
		"--suite all":                       "--suite: all is not known (choose among presets, gavel, pollux, or name files)",
		"--suite pollux --show 2":           "--show: there is no scenario 2 (choose 1 to 1)",
		"--metric rounds":                   `--metric: "rounds" does not rank (choose makespan_s, avg_jct_s`,
		"--seeds 0":                         "--seeds",
		"--jobs 30000 --suite gavel":        "are too many",
		"--set hadar.nothing=1":             "has no parameter nothing",
		filepath.Join(dir, "no.json"):       "cannot be read",
		"--policy own:" + late + ".no,srtf": "no such file",
	} {
		_, errs, code := cli(t, "", strings.Fields("score "+args)...)
		if code != exitUsage || !strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %q, want %q", args, code, errs, want)
		}
	}
}

// TestAScenarioOfASuiteIsShown: what a suite runs can be had, to try a program of one's own on.
func TestAScenarioOfASuiteIsShown(t *testing.T) {
	out, errs, code := cli(t, "", "score", "--suite", "gavel", "--jobs", "7", "--show", "3")
	doc, diags := scenario.Parse([]byte(out), scenario.FileLimits)
	if code != exitOK || errs != "" || doc == nil || doc.JobCount() != 7 {
		t.Errorf("code %d, %v: %s%s", code, diags, out, errs)
	}
}
