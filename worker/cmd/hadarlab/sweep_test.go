//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/metric"
)

func TestSweepCommand(t *testing.T) {
	args := []string{"sweep", "--policy", "hadar,gavel", "--vary", "/scenario/round_s=60,360", "--vary",
		"/scenario/overheads/restart_s=0,30", preset}
	out, errs, code := cli(t, "", args...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitOK || errs != "" || err != nil || len(rows) != 9 ||
		strings.Join(rows[0][:5], " ") != "/scenario/round_s /scenario/overheads/restart_s policy seed outcome" ||
		strings.Join(rows[4][:5], " ") != "60 30 gavel-las 0 done" {
		t.Fatalf("exit %d %s %v\n%s", code, errs, err, out)
	}
	out, _, code = cli(t, "", append(args, "--format", "json")...)
	var res message.SweepResult
	if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK || len(res.Points) != 4 ||
		res.Points[1].Runs[1].TraceHash != rows[4][5] {
		t.Errorf("exit %d %v %+v", code, err, res)
	}
	// Parameters of the document may be varied, and --set wins over the document elsewhere.
	out, _, code = cli(t, "", "sweep", "--policy", "gavel-las", "--vary",
		"/scenario/policies/1/params/min_reset_s=0,100000", "--set", "gavel-las.use_weights=false", preset)
	if rows, _ := csv.NewReader(strings.NewReader(out)).ReadAll(); code != exitOK || len(rows) != 3 ||
		rows[1][4] == rows[2][4] {
		t.Errorf("exit %d\n%s", code, out)
	}
}

func TestReplicatesCommand(t *testing.T) {
	args := []string{"run", "--policy", "hadar,gavel-las-agnostic", "--replicates", "4", "--seed", "9", preset}
	out, errs, code := cli(t, "", args...)
	if code != exitOK || errs != "" || !strings.Contains(out, "mean of 4 seeds ± half the 95 % interval") ||
		!strings.Contains(out, "hadar against gavel-las-agnostic, same jobs: ") ||
		!strings.Contains(out, "the sign agrees in 4 of 4") {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	table := out
	out, _, code = cli(t, "", append(args, "--format", "json", "--with-scenario")...)
	var res message.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK || len(res.Runs) != 8 ||
		res.Runs[7].Seed != 12 || res.Summary == nil || res.Summary.Replicates != 4 {
		t.Fatalf("exit %d %v %s", code, err, out)
	}
	// the document has the second minus the first, the sentence the first against the second, as the headline
	d := res.Summary.Policies[1].Differences[0]
	if said := d.Turned(); d.Metric != "jct_s" || said.Mean != -d.Mean || *said.Low != -*d.High ||
		!strings.Contains(table, "same jobs: "+spread(said)+" s a job") || d.Mean == 0 {
		t.Errorf("%q is said of %+v", table, d)
	}
	if out, errs, code := cli(t, out, "verify", "-"); code != exitOK || strings.Count(out, ": same\n") != 8 {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	noisy := []string{"run", "--policy", "hadar", "--replicates", "3", "--length-noise", "0.2", "--format", "json",
		"--with-scenario", preset}
	out, errs, code = cli(t, "", noisy...)
	if code != exitOK || errs != "" || !strings.Contains(out, `"length_noise": 0.2`) {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	if out, errs, code := cli(t, out, "verify", "-"); code != exitOK || strings.Count(out, ": same\n") != 3 {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	for _, bad := range [][]string{{"--length-noise", "0.2"}, {"--replicates", "2", "--length-noise", "3"}} {
		if _, errs, code := cli(t, "", append(append([]string{"run"}, bad...), preset)...); code != exitUsage ||
			!strings.Contains(errs, "length") {
			t.Errorf("%v: exit %d %s", bad, code, errs)
		}
	}
}

// TestSweepStops stands for Ctrl-C: what is done is printed and marked.
func TestSweepStops(t *testing.T) {
	doc, _ := lab.Preset("odd-gpus-out")
	sweep, diags := lab.NewSweep(&message.SweepRequest{Scenario: doc,
		Policies: []message.PolicyRef{{ID: "gavel-las-agnostic"}}, Replicates: 500})
	if sweep == nil {
		t.Fatalf("%+v", diags)
	}
	var out, errs bytes.Buffer
	res, code := work(streams{nil, &out, &errs}, sweep, func() bool { return sweep.Progress().Done >= 3 })
	if code != exitFailed || !res.Stopped || len(res.Points[0].Runs) != 3 ||
		!strings.Contains(errs.String(), "stopped after 3 of 500 runs") {
		t.Errorf("exit %d %s %+v", code, errs.String(), res)
	}
}

func TestSweepUsage(t *testing.T) {
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{preset}, "a sweep varies something"},
		{[]string{"--vary", "round_s=1", preset}, "not PATH=v1,v2"},
		{[]string{"--vary", "/scenario/round_s=1,x", preset}, `"x", which is not a number`},
		{[]string{"--vary", "/scenario/round_s=NaN", preset}, "not a number"},
		{[]string{"--vary", "/scenario/rounds=1", preset}, "no number at /scenario/rounds"},
		{[]string{"--vary", "/scenario/round_s=60,-1", preset}, "round_s"},
		{[]string{"--vary", "/scenario/round_s=60", "--replicates", "3", "--policy", "hadar", preset},
			"no random part"},
		{[]string{"--vary", "/scenario/round_s=60", "--replicates", "0", preset}, "--replicates"},
		{[]string{"--vary", "/scenario/round_s=60", "--format", "table", preset}, "csv or json"},
		{[]string{"--vary", "/scenario/round_s=60", "--policy", "nope", preset}, "no policy nope"},
		{[]string{"--vary", "/scenario/round_s=60"}, "one scenario"},
	} {
		if out, errs, code := cli(t, "", append([]string{"sweep"}, c.args...)...); code != exitUsage ||
			!strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: exit %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
}

// TestSpread: a policy whose seeds all give the same has no spread, whatever digits its mean has beyond those of the
// interval's ends: it was told as 0.687762 ± -0.000000.
func TestSpread(t *testing.T) {
	for _, c := range []struct {
		values []float64
		want   string
	}{
		{[]float64{0.6877622378, 0.6877622378, 0.6877622378}, "0.688 ± 0"},
		{[]float64{1541.5956666667, 1541.5956666667}, "1541.596 ± 0"},
		{[]float64{1541.5956666667}, "1541.596"},
		{[]float64{1, 2, 3, 4, -5}, "1.0 ± 4.4"},
	} {
		e := metric.Estimate("x", c.values)
		if got := spread(e); got != c.want {
			t.Errorf("%v are %q, want %q", c.values, got, c.want)
		}
		if w := chart.Whisk(&e, 1, "", ""); len(c.values) > 1 && (w.Half() == 0) != strings.HasSuffix(c.want, "± 0") {
			t.Errorf("%v are drawn with half a width of %v", c.values, w.Half())
		}
	}
}
