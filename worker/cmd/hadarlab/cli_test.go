//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// cli runs the program with the given arguments and standard input.
func cli(t *testing.T, in string, args ...string) (out, errs string, code int) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(streams{strings.NewReader(in), &o, &e}, args)
	return o.String(), e.String(), code
}

func TestRunPrintsTheContractsDocument(t *testing.T) {
	out, errs, code := cli(t, "", "run", "--policy", "hadar,gavel", "--format", "json", "preset:odd-gpus-out")
	if code != exitOK || errs != "" {
		t.Fatalf("exit %d, %s", code, errs)
	}
	var res message.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil {
		t.Fatal(err)
	}
	if res.Engine != lab.Engine || len(res.Runs) != 2 || res.Runs[1].Policy != "gavel-las" ||
		res.Runs[0].Metrics.MakespanS <= 0 || len(res.Runs[0].Jobs) != 6 {
		t.Errorf("%+v", res)
	}
	again, _, _ := cli(t, "", "run", "--policy", "hadar,gavel", "--format", "json", "preset:odd-gpus-out")
	if again != out {
		t.Error("the same input must print the same bytes")
	}
	if timed, _, _ := cli(t, "", "run", "--format", "json", "--timing", "preset:odd-gpus-out"); !strings.Contains(timed,
		`"wall_s"`) {
		t.Error("--timing adds wall-clock times")
	}
}

func TestRunReadsFilesInputAndLinks(t *testing.T) {
	doc, _ := lab.Preset("price-spike")
	path := filepath.Join(t.TempDir(), "s.json")
	if err := os.WriteFile(path, doc, 0o600); err != nil {
		t.Fatal(err)
	}
	d, _ := scenario.Parse(doc, scenario.FileLimits)
	link := link.Encode(d, lab.Defaults())
	want, _, _ := cli(t, "", "run", "--format", "csv", "preset:price-spike")
	for _, c := range [][2]string{{path, ""}, {"-", string(doc)}, {link, ""}, {"#" + link, ""},
		{"https://lab.example/#" + link, ""}, {"-", "#" + link + "\n"}} {
		got, errs, code := cli(t, c[1], "run", "--format", "csv", c[0])
		if code != exitOK || got != want {
			t.Errorf("%.30s: exit %d %s", c[0], code, errs)
		}
	}
	rows, err := csv.NewReader(strings.NewReader(want)).ReadAll()
	if err != nil || len(rows) != 3 || rows[0][4] != "makespan_s" {
		t.Errorf("%v %v", rows, err)
	}
}

// TestRunSaysWhatIsUnusualOfALane: as the page does, once.
func TestRunSaysWhatIsUnusualOfALane(t *testing.T) {
	_, errs, code := cli(t, "", "run", "--policy", "hadare", "--set", "hadare.copy=node", "preset:whose-round")
	if code != exitOK || strings.Count(errs, "gives a job whole nodes") != 1 {
		t.Errorf("exit %d %q", code, errs)
	}
}

func TestSetChangesParameters(t *testing.T) {
	table, errs, code := cli(t, "", "run", "--policy", "hadar", "--set", "hadar.work_conserving=true", "--format",
		"json", "preset:price-spike")
	if code != exitOK || !strings.Contains(table, `"work_conserving": true`) ||
		!strings.Contains(table, `"order": "arrival"`) {
		t.Errorf("exit %d, %s, %s", code, errs, table)
	}
	// Parameters of every lane that stand in no policy's own list.
	for set, job := range map[string]string{"autoscaler=predictive": "preset:rent-by-the-hour",
		"fusion=false": "preset:a-sweep-of-learning-rates"} {
		before, _, _ := cli(t, "", "run", "--policy", "fifo", job)
		after, errs, code := cli(t, "", "run", "--policy", "fifo", "--set", "fifo."+set, job)
		if code != exitOK || after == before {
			t.Errorf("%s: exit %d, %s, %s", set, code, errs, after)
		}
	}
}

func TestBadUsageNamesPlaceAndFix(t *testing.T) {
	bad := filepath.Join(t.TempDir(), "bad.json")
	if err := os.WriteFile(bad,
		[]byte(`{"kind":"scenario","version":1,"scenario":{"round_s":-1,"jobs":[{"id":"J 1"}]}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{}, "Usage"},
		{[]string{"fly"}, "no command"},
		{[]string{"run"}, "one scenario"},
		{[]string{"run", "a", "b"}, "one scenario"},
		{[]string{"run", "--format", "xml", "preset:odd-gpus-out"}, "--format"},
		{[]string{"run", "--speed", "9", "preset:odd-gpus-out"}, "--help"},
		{[]string{"run", "--replicates", "3", "preset:odd-gpus-out"}, "no random part"},
		{[]string{"run", "preset:nope"}, "odd-gpus-out"},
		{[]string{"run", "/no/such/file"}, "cannot be read"},
		{[]string{"run", bad}, "/scenario/round_s (line 1): "},
		{[]string{"run", "#1z.abc"}, "link"},
		{[]string{"run", "--policy", "nope", "preset:odd-gpus-out"}, "The policies are a-srpt, allox"},
		{[]string{"run", "--set", "hadar", "preset:odd-gpus-out"}, "policy.param=value"},
		{[]string{"run", "--set", "nope.x=1", "preset:odd-gpus-out"}, "no policy nope"},
		{[]string{"run", "--set", "hadar.spin=1", "preset:odd-gpus-out"}, "no parameter spin"},
		{[]string{"run", "--set", "hadar.beam=0", "preset:odd-gpus-out"}, "from 1 to 256"},
		{[]string{"run", "--set", "fifo.skip=true", "preset:odd-gpus-out"}, "not among"},
		{[]string{"run", "--set", "fifo.autoscaler=bold", "preset:rent-by-the-hour"}, "reactive"},
		{[]string{"explain", "--round", "99", "preset:odd-gpus-out"}, "no round 99"},
		{[]string{"explain", "--job", "j9", "preset:odd-gpus-out"}, "j9 is not active"},
		{[]string{"import", "--from", "excel", "x.csv"}, "--from"},
		{[]string{"import", "--from", "gavel-csv", "--cluster", "v100", "x.csv"}, "--cluster"},
		{[]string{"import", "--from", "gavel-csv", "/no/such.csv"}, "cannot be read"},
		{[]string{"policies", "extra"}, "no arguments"},
		{[]string{"presets", "--format", "xml"}, "--format"},
	} {
		out, errs, code := cli(t, "", c.args...)
		if code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: exit %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
}

func TestExplainPrintsEveryNumber(t *testing.T) {
	out, _, code := cli(t, "", "explain", "--policy", "hadar", "--round", "0", "--format", "json", "preset:price-spike")
	var e struct {
		Unit      string
		PerRound  bool `json:"per_round"`
		Constants struct {
			Eta, Alpha float64
			HorizonS   float64            `json:"horizon_s"`
			UMax       map[string]float64 `json:"u_max"`
			UMin       map[string]float64 `json:"u_min"`
		}
		Prices []struct {
			Node, Type     string
			Used, Capacity int
			Price          float64
		}
		Order []string
		Jobs  []struct {
			ID, Action, Sentence  string
			Utility, Cost, Payoff float64
			Rounds                int
			RatePerS              float64 `json:"rate_per_s"`
			Gangs                 [][]message.Shard
			EmptyCluster          struct{ Utility, Cost, Payoff float64 } `json:"empty_cluster"`
			Candidates            []struct {
				Gang                  []message.Shard
				Utility, Cost, Payoff float64
				Rounds                int
				Verdict               string
			}
		}
		TotalPayoff float64 `json:"total_payoff"`
		Primal      float64
		DualBound   float64 `json:"dual_bound"`
	}
	if err := json.Unmarshal([]byte(out), &e); err != nil || code != exitOK {
		t.Fatal(err, code)
	}
	// Worked example 6.2 with order J1, J3, J2; rounds of 360 s leave rates per second and rounds alike.
	if e.Constants.Eta != 18.75 || e.Constants.HorizonS != 75*360 || len(e.Jobs) != 3 || e.Jobs[2].Payoff > -0.0622 ||
		e.Jobs[2].Payoff < -0.0623 || !e.PerRound || e.Unit != "" || e.Jobs[2].Rounds != 20 {
		t.Errorf("%+v", e)
	}
	if len(e.Constants.UMax) == 0 || len(e.Constants.UMin) != len(e.Constants.UMax) || len(e.Prices) == 0 ||
		e.Prices[0].Capacity == 0 || len(e.Order) != 3 || e.TotalPayoff == 0 || e.Primal == 0 || e.DualBound == 0 ||
		e.Jobs[0].EmptyCluster.Payoff == 0 || e.Jobs[0].RatePerS == 0 || len(e.Jobs[0].Candidates) == 0 ||
		e.Jobs[0].Candidates[0].Verdict != "chosen" || e.Jobs[0].Candidates[0].Gang == nil || e.Jobs[2].Gangs == nil {
		t.Errorf("a member of the contract is empty: %s", out)
	}
	out, _, _ = cli(t, "", "explain", "--policy", "hadar", "--set", "hadar.utility=effective", "--round", "0",
		"preset:price-spike")
	if !strings.Contains(out, "placements compared per round") || !strings.Contains(out,
		"a round there is worth 4 steps/s") {
		t.Errorf("%s", out)
	}
	table, _, _ := cli(t, "", "explain", "--policy", "gavel", "--round", "0", "preset:odd-gpus-out")
	if !strings.Contains(table, "priority") || !strings.Contains(table, " waits: ") {
		t.Errorf("%s", table)
	}
}

func TestCataloguesAndHelp(t *testing.T) {
	for _, name := range []string{"policies", "presets"} {
		out, _, code := cli(t, "", name, "--format", "json")
		var list []struct{ ID, Title string }
		if err := json.Unmarshal([]byte(out), &list); err != nil || code != exitOK || len(list) < 3 ||
			list[0].ID == "" || list[0].Title == "" {
			t.Errorf("%s: %v %s", name, err, out)
		}
	}
	for _, c := range commands() {
		out, _, code := cli(t, "", c.name, "--help")
		if code != exitOK || !strings.Contains(out, "Example:") {
			t.Errorf("%s --help: exit %d, %s", c.name, code, out)
		}
	}
}

// TestMainJob is the whole way of an instructor with a real trace: import, then run.
func TestMainJob(t *testing.T) {
	const shared = "../../../../shared/"
	if _, err := os.Stat(shared + "traces"); err != nil {
		t.Skipf("the reference traces are not beside this checkout: %v", err)
	}
	doc, errs, code := cli(t, "", "import", "--from", "gavel-csv", "--throughputs",
		shared+"facts/gavel_throughputs.json",
		"--cluster", "v100=8,p100=16,k80=24", "--gpus-per-node", "4", shared+"traces/gavel_physical_continuous.csv")
	if code != exitOK || !strings.Contains(errs, "96 rows read, 96 kept, 0 dropped") {
		t.Fatalf("exit %d, %s", code, errs)
	}
	out, errs, code := cli(t, doc, "run", "--policy", "hadar,gavel-las,fifo", "--format", "json", "-")
	var res message.Result
	if err := json.Unmarshal([]byte(out), &res); err != nil || code != exitOK {
		t.Fatal(err, errs)
	}
	for _, r := range res.Runs {
		if r.Outcome != "done" || len(r.Jobs) != 96 {
			t.Errorf("%s: %s", r.Policy, r.Outcome)
		}
	}
	if g := res.Runs[1].Metrics.AvgJCTS; g < 14623*0.95 || g > 14623*1.05 {
		t.Errorf("gavel-las: mean completion %v s, published 14623 s", g)
	}
}

// TestImportOneWorkload: of a file of several workloads the one that is named is read, else the first, and the rest is
// told of.
func TestImportOneWorkload(t *testing.T) {
	const rows = "workload,job,app,arrival_s,replicas,batch\n1,0,ncf,5,1,32768\n1,1,cifar10,9,6,2048\n2,0,bert,7,8,384\n"
	doc, errs, code := cli(t, rows, "import", "-")
	if code != exitOK || !strings.Contains(doc, "cifar10-1") || strings.Contains(doc, "bert") ||
		!strings.Contains(errs, "2 rows read, 2 kept, 0 dropped") ||
		!strings.Contains(errs, "which are 1, 2; the others are not read") {
		t.Errorf("the first: %d %s", code, errs)
	}
	if doc, errs, code = cli(t, rows, "import", "--workload", "2", "-"); code != exitOK ||
		!strings.Contains(doc, "bert-0") || strings.Contains(doc, "ncf") {
		t.Errorf("the second: %d %s", code, errs)
	}
	if _, errs, code = cli(t, rows, "import", "--workload", "3", "-"); code != exitUsage ||
		!strings.Contains(errs, `no workload "3"; it has 1, 2`) {
		t.Errorf("none: %d %s", code, errs)
	}
}
