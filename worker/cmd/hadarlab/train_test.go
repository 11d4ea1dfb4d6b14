//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/simtest"
	"hadarlab/core/train"
)

// quick is an experiment of a moment.
var quick = []string{"train", "--seeds", "2", "--rounds", "2", "--speeds", "6,3", "--round-s", "60", "--stall-s", "0"}

func TestTrainCommand(t *testing.T) {
	out, errs, code := cli(t, "", append(quick, "--format", "json")...)
	var r train.Result
	if err := json.Unmarshal([]byte(out), &r); err != nil || code != exitOK || errs != "" {
		t.Fatalf("exit %d %s %v", code, errs, err)
	}
	if r.Data != train.Data || !strings.HasPrefix(r.Data, "synthetic") || r.Seeds != 2 || r.EndRate != 0.01 ||
		!slices.Equal(r.Weights, []float64{0.6667, 0.3333}) || len(r.Lanes) != 6 || r.Lanes[0].Steps[2] != 1080 {
		t.Errorf("%s", out)
	}
	if again, _, _ := cli(t, "", append(quick, "--format", "json")...); again != out {
		t.Error("the same seed gives another table")
	}
	for _, flag := range []string{"--seed 9", "--points 100", "--sharding none", "--learning-rate 0.1"} {
		other, _, code := cli(t, "", append(append(quick, "--format", "json"), strings.Fields(flag)...)...)
		var o train.Result
		if err := json.Unmarshal([]byte(other), &o); err != nil || code != exitOK || o.Ends[0].Loss == r.Ends[0].Loss {
			t.Errorf("%s: exit %d, %v, the same loss", flag, code, err)
		}
	}
	table, _, _ := cli(t, "", quick...)
	for _, want := range []string{"synthetic", "in miniature, not its result: mean of 2 seeds", "from 1 to 0.01",
		"Same steps: 1080 in every lane\n", "copies, by steps   1080    120 s", "one node   1080    180 s",
		"Same time: 120 s in every lane\n", "one node    720    120 s"} {
		if !strings.Contains(table, want) {
			t.Errorf("no %q in\n%s", want, table)
		}
	}
	out, _, code = cli(t, "", append(quick, "--format", "csv", "--averaging", "steps")...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if err != nil || code != exitOK || len(rows) != 1+2*(3+4+4+3+3) || rows[1][0] != "synthetic" ||
		rows[3][2] != train.BySteps || rows[11][2] != train.OneNode || rows[11][4] != "1080" || rows[11][7] != "steps" {
		t.Errorf("%v\n%s", err, out)
	}
}

// TestTrainUsage: what is out of range is refused with flag, value, limit and the way out.
func TestTrainUsage(t *testing.T) {
	for args, want := range map[string]string{
		"--seeds 0":                 "--seeds: 0 seeds are out of range (choose 1 to 100)",
		"--seeds x":                 `--seeds: "x" is not a number`,
		"--rounds 5000":             "--rounds: 5000 rounds are out of range (choose 1 to 1000)",
		"--speeds 6,x":              `has "x", which is not a number (write steps/s, as 6,5,3,2,1)`,
		"--speeds 6,NaN":            `"NaN", which is not a number`,
		"--speeds 6,0":              "--speeds: node 2 has 0 steps/s (choose above 0, to 10000)",
		"--stall-s 400":             "--stall-s: 400 s is out of range (choose 0 to less than the round's 360)",
		"--round-s 0":               "--round-s: 0 s is out of range (choose 1 to 86400)",
		"--learning-rate -1":        "--learning-rate: -1 is out of range (choose above 0, to 10)",
		"--learning-rate fast":      `--learning-rate: "fast" is not a number`,
		"--points 0":                "--points: 0 points are out of range (choose 1 to 100000)",
		"--sharding some":           `--sharding: "some" is not known (choose rounds or none)`,
		"--averaging median":        `--averaging: "median" is not known (choose both, steps or plain)`,
		"--format xml":              "--format: ",
		"--rounds 500 --seeds 100":  "over the limit of 20000000 (choose fewer rounds, fewer seeds or a shorter round)",
		"scenario.json":             "takes no arguments",
		"--seed 9007199254740992":   "--seed: ",
		"--speeds 6 --round-s 1e-3": "--round-s: ",
	} {
		out, errs, code := cli(t, "", append([]string{"train"}, strings.Fields(args)...)...)
		if code != exitUsage || out != "" || !strings.Contains(errs, want) {
			t.Errorf("%s: exit %d %q, want %s", args, code, errs, want)
		}
	}
}

// TestTrainStops stands for Ctrl C: the seeds that are complete are printed, and nothing while none is.
func TestTrainStops(t *testing.T) {
	s := train.Defaults()
	s.Rounds, s.RoundS = 1, 40
	e, err := train.New(s)
	if err != nil {
		t.Fatal(err)
	}
	seed := 0 // stretches of a seed
	for ; e.Seeds() == 0; seed++ {
		e.Spend()
	}
	for _, after := range []int{0, seed} {
		e, err := train.New(s)
		if err != nil {
			t.Fatal(err)
		}
		var errs bytes.Buffer
		n := 0
		code := trainAll(streams{nil, nil, &errs}, e, func() bool { n++; return n > after+1 })
		says := map[int]string{0: "there is no result", seed: "stopped after 1 seed;"}[after]
		if want := min(after, 1); code != exitFailed || e.Seeds() != want || !strings.Contains(errs.String(), says) {
			t.Errorf("after %d: exit %d, %d seeds, %s", after, code, e.Seeds(), errs.String())
		}
	}
}

// TestTrainRecorded: what the manual shows is what the command prints. One of its seeds is trained again, whose
// models must do as well as is recorded, to the last digit.
func TestTrainRecorded(t *testing.T) {
	var was train.Result
	if err := json.Unmarshal(trainedJSON, &was); err != nil {
		t.Fatal(err)
	}
	whole, one := was.Settings, was.Settings
	one.Seeds = 1
	def := train.Defaults()
	if a, b := mustJSON(t, whole), mustJSON(t, def); a != b || was.Data != train.Data {
		t.Fatalf("recorded with %s, the command's own settings are %s: run make train-data", a, b)
	}
	e, err := train.New(one)
	if err != nil {
		t.Fatal(err)
	}
	for e.Spend() {
	}
	now := e.Result()
	if !slices.Equal(now.Weights, was.Weights) || len(now.Ends) != len(was.Ends) {
		t.Fatalf("%v %v", now.Weights, was.Weights)
	}
	for i := range now.Ends {
		got, want := &now.Ends[i], &was.Ends[i]
		if got.Lane != want.Lane || got.Same != want.Same || got.TimeS != want.TimeS || got.Steps != want.Steps ||
			got.Accuracies[0] != want.Accuracies[0] || got.Losses[0] != want.Losses[0] {
			t.Errorf("%+v, recorded %+v: run make train-data", got, want)
		}
	}
}

// TestTrainSaid: what README, manual and lessons say of the recorded figures is what they show.
func TestTrainSaid(t *testing.T) {
	var was train.Result
	if err := json.Unmarshal(trainedJSON, &was); err != nil {
		t.Fatal(err)
	}
	// Signs of the differences from one node, 0 where the interval holds 0. More accuracy and less loss are better.
	for _, c := range []struct {
		lane, same     string
		accuracy, loss int
	}{
		{train.BySteps, train.SameSteps, -1, 1}, // "a little worse after as many steps"
		{train.BySteps, train.SameTime, 0, 0},   // "no different after as much time"
		{train.Synchronous, train.SameSteps, 0, 0},
		{train.Synchronous, train.SameTime, 1, -1},
	} {
		d := was.Less(c.lane, c.same)
		if sign(d.Accuracy) != c.accuracy || sign(d.Loss) != c.loss {
			t.Errorf("%s, same %s: accuracy %s, loss %s are not as said", c.lane, c.same, gap(d.Accuracy), gap(d.Loss))
		}
		steps, plain := was.Less(train.BySteps, c.same), was.Less(train.Plain, c.same)
		if plain.Accuracy.Mean >= steps.Accuracy.Mean || plain.Loss.Mean <= steps.Loss.Mean {
			t.Errorf("same %s: plain averages are not behind those by steps", c.same)
		}
	}
	readme, err := os.ReadFile("../../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.ReplaceAll(string(readme), "−", "-")
	for _, same := range []string{train.SameSteps, train.SameTime} {
		d := was.Less(train.BySteps, same)
		want := "accuracy " + gap(d.Accuracy) + ", loss " + gap(d.Loss)
		simtest.Result(t, "train-"+same, strings.ReplaceAll(want, "-", "−"))
		if !strings.Contains(text, want) {
			t.Errorf("README does not say %q of the same %s", want, same)
		}
	}
}

// sign is that of a figure whose interval does not hold 0, else 0.
func sign(f train.Figure) int {
	switch {
	case f.Mean > f.Half:
		return 1
	case f.Mean < -f.Half:
		return -1
	}
	return 0
}

func mustJSON(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// TestTrainInTheManual: the figure has its text, the table every merge, the file stays small, and the markup is whole.
func TestTrainInTheManual(t *testing.T) {
	dir, err := manual()
	if err != nil {
		t.Fatal(err)
	}
	recorded, err := os.ReadFile(filepath.Join(dir, "docs", "train.json"))
	if err != nil || len(recorded) > 10_000 || !json.Valid(recorded) {
		t.Errorf("%d bytes, %v", len(recorded), err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "docs", "policies.html"))
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), `<h3 id="train">`)
	part, _, _ := strings.Cut(rest, "</section>")
	var was train.Result
	if err := json.Unmarshal(recorded, &was); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"Tried here in miniature, which is not the paper’s result", "synthetic", `role="img"`,
		"Accuracy on points held out over simulated time; ", `href="./../docs/train.json"`, "Same steps: 47340 in",
		"Same time: 3600 s in", gap(was.Differences[0].Accuracy), meanOf(was.Ends[0].Loss)} {
		if !strings.Contains(html.UnescapeString(part), want) {
			t.Errorf("no %s in the manual", want)
		}
	}
	if n := strings.Count(part, `data-series="`); n != 4*3 {
		t.Errorf("%d lines and keys are drawn", n)
	}
	if n := len(regexp.MustCompile(`<th scope="row">\d+</th>`).FindAllString(part, -1)); n != was.Rounds+1 {
		t.Errorf("%d rows of the table", n)
	}
	d := xml.NewDecoder(strings.NewReader(`<div><h3>` + part + `</div>`))
	for {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
	}
}
