//go:build !js

package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/allocate"
	"hadarlab/core/chart/data"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

const preset = "preset:odd-gpus-out"

// file writes a file for one test.
func file(t *testing.T, name, text string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}

// TestGoodputCommand: the document comes back with this program's numbers, and what is wrong is named.
func TestGoodputCommand(t *testing.T) {
	in, err := os.ReadFile("../../../scenarios/examples/goodput.json")
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code := cli(t, string(in), "goodput", "-")
	if code != exitOK || errs != "" || !strings.Contains(out, `"kind":"goodput"`) ||
		strings.Contains(out, `"goodput":0`) {
		t.Errorf("exit %d %s %s", code, errs, out)
	}
	if again, _, _ := cli(t, out, "goodput", "-"); again != out {
		t.Errorf("of its own answer it makes\n%s, want\n%s", again, out)
	}
	_, errs, code = cli(t, strings.Replace(string(in), `"gamma": 1.277`, `"gamma": 11`, 1), "goodput", "-")
	if code != exitUsage || !strings.Contains(errs, "/cases/0/perf/gamma") {
		t.Errorf("exit %d %s", code, errs)
	}
}

func TestAllocateCommand(t *testing.T) {
	const in = `{"gpu_types":["k80","v100"],"capacity":[1,1],"cost_per_gpu_hour":[1,2],"jobs":[
{"scale_factor":1,"weight":2,"throughput":[1,4],"steps_remaining":10},{"scale_factor":1,"throughput":[1,2],"steps_remaining":10}]}`
	for _, p := range allocate.Programs() {
		out, errs, code := cli(t, in, "allocate", "--policy", p.ID, "-")
		var a allocate.Allocation
		if err := json.Unmarshal([]byte(out), &a); err != nil || code != exitOK || errs != "" || a.Policy != p.ID ||
			a.Gap > allocate.MaxGap || len(a.X) != 2 {
			t.Errorf("%s: exit %d %s %s", p.ID, code, errs, out)
		}
	}
	out, _, _ := cli(t, in, "allocate", "--policy", "gavel", "-")
	plain, _, _ := cli(t, in, "allocate", "--policy", "gavel-las", "--set", "gavel-las.use_weights=false", "-")
	if !strings.Contains(out, `"policy":"gavel-las"`) || out == plain || strings.Contains(out, "slo_feasible") {
		t.Errorf("%s %s", out, plain)
	}
	if help, _, _ := cli(t, "", "allocate", "--help"); !strings.Contains(help, "gavel-mincost-slo") {
		t.Error("the help lists the programs")
	}
	_, errs, code := cli(t, strings.Replace(in, "[1,2]", `[1,"2"]`, 1), "allocate", "--policy", "gavel-mincost", "-")
	if code != exitUsage || !strings.Contains(errs, "/cost_per_gpu_hour/1 (line 1): ") ||
		!strings.Contains(errs, "(Write 2 without quotes)") {
		t.Errorf("exit %d %s", code, errs)
	}
	if _, errs, code := cli(t, strings.Replace(in, "[1,2]", "[0,2]", 1), "allocate", "--policy", "gavel-las",
		"-"); code != exitUsage || !strings.Contains(errs, "cost_per_gpu_hour 1 is 0") {
		t.Errorf("exit %d %s", code, errs)
	}
}

func TestLinkCommand(t *testing.T) {
	link, errs, code := cli(t, "", "link", "encode", preset)
	if code != exitOK || !strings.HasPrefix(link, "1d.") || !strings.Contains(errs, "Works anywhere") {
		t.Fatalf("exit %d %s %s", code, link, errs)
	}
	doc, _, code := cli(t, "", "link", "decode", strings.TrimSpace(link))
	again, errs, _ := cli(t, doc, "link", "encode", "-")
	if code != exitOK || again != link {
		t.Errorf("exit %d %s: a link decodes to what it was made of", code, errs)
	}
	if piped, _, code := cli(t, "https://lab.example/#"+link, "link", "decode", "-"); code != exitOK || piped != doc {
		t.Errorf("exit %d", code)
	}
	d, _ := scenario.Parse([]byte(doc), scenario.FileLimits)
	job := d.Scenario.Jobs[0]
	for i := range 6000 {
		job.ID = "x" + strings.Repeat("y", i%7) + string(rune('a'+i%26)) + strings.Repeat("0", i%5) + itoa(i)
		d.Scenario.Jobs = append(d.Scenario.Jobs, job)
	}
	if out, errs, code := cli(t, string(d.Marshal(false)), "link", "encode", "-"); code != exitUsage || out != "" ||
		!strings.Contains(errs, "send the file") {
		t.Errorf("exit %d %s", code, errs)
	}
}

func itoa(n int) string { b, _ := json.Marshal(n); return string(b) }

func TestSchemaCommand(t *testing.T) {
	out, _, code := cli(t, "", "schema")
	var s struct {
		Schema string         `json:"$schema"`
		Defs   map[string]any `json:"$defs"`
	}
	if err := json.Unmarshal([]byte(out), &s); err != nil || code != exitOK ||
		!strings.HasSuffix(s.Schema, "2020-12/schema") || len(s.Defs) < 10 {
		t.Errorf("exit %d %v %+v", code, err, s)
	}
}

func TestExportCommand(t *testing.T) {
	for _, format := range append(slices.Clone(lab.ExportFormats), "png") {
		out, errs, code := cli(t, "", "export", "--format", format, "--policy", "hadar", preset)
		again, _, _ := cli(t, "", "export", "--policy", "hadar", preset, "--format", format)
		if code != exitOK || errs != "" || len(out) < 500 || out != again {
			t.Errorf("%s: exit %d %s, %d bytes", format, code, errs, len(out))
		}
		if format == "png" && !strings.HasPrefix(out, "\x89PNG\r\n") {
			t.Errorf("no PNG: %.20q", out)
		}
	}
	out, _, code := cli(t, "", "export", "--format", "chrome", preset)
	if code != exitOK || !strings.Contains(out, `"1 hadar"`) || !strings.Contains(out, `"2 gavel-las"`) {
		t.Errorf("exit %d: chrome holds all lanes of the scenario", code)
	}
	doc, _ := lab.Preset("odd-gpus-out")
	short := strings.Replace(string(doc), `"round_s": 360`, `"round_s": 360, "horizon_s": 1000`, 1)
	out, errs, code := cli(t, short, "export", "--format", "jobs-csv", "--policy", "gavel", "-")
	if code != exitOK || !strings.Contains(errs, "the run ended at 1000 s (horizon) with 5 of 6 jobs unfinished") ||
		!strings.Contains(out, "NOT_SUBMITTED,,,,") {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	c := command{name: "export"}
	if code := exportCommand(c, streams{strings.NewReader(""), gone{}, &bytes.Buffer{}},
		[]string{"--format", "svg", "--policy", "fifo", preset}); code != exitFailed {
		t.Errorf("a closed pipe: exit %d", code)
	}
}

// TestExportOfCharts: every chart that a scenario has comes as CSV and as a specification, of all its lanes; the others
// are refused with what they lack.
func TestExportOfCharts(t *testing.T) {
	shown := 0
	for _, k := range data.Charts() {
		table, errs, code := cli(t, "", "export", "--format", "csv", "--chart", k.ID, preset)
		spec, _, again := cli(t, "", "export", "--format", "vega", "--chart", k.ID, "--policy", "hadar,gavel-las",
			preset)
		if code != again || code == exitUsage && !strings.Contains(errs, "--chart "+k.ID+": ") {
			t.Errorf("%s: exit %d and %d, %s", k.ID, code, again, errs)
		}
		if code != exitOK {
			continue
		}
		shown++
		var v struct {
			Schema, Title string
			Data          struct{ Values []map[string]any }
		}
		if err := json.Unmarshal([]byte(spec), &v); err != nil || v.Title != "Odd GPUs out: "+k.Title ||
			len(v.Data.Values) != strings.Count(table, "\n")-1 {
			t.Errorf("%s: %v, %d rows, %s", k.ID, err, len(v.Data.Values), v.Title)
		}
	}
	if shown < 11 {
		t.Errorf("only %d charts", shown)
	}
	two, _, _ := cli(t, "", "export", "--format", "csv", "--chart", "busy", "--policy", "fifo,fifo", preset)
	if !strings.Contains(two, "\nfifo,") || !strings.Contains(two, "\nfifo 2,") {
		t.Errorf("two lanes of one policy are told apart: %.200s", two)
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"--format", "csv"}, "--chart: \"\" is not known (choose busy, prices, "},
		{[]string{"--format", "vega", "--chart", "pie"}, "--chart: \"pie\""},
		{[]string{"--format", "svg", "--chart", "busy", "--policy", "hadar"}, "leave --chart out"},
		{[]string{"--format", "csv", "--chart", "network", "--at", "-1"}, "--at: "},
		{[]string{"--format", "csv", "--chart", "winners", "--policy", "hadar"}, "Add a second policy"},
	} {
		if out, errs, code := cli(t, "", append(append([]string{"export"}, c.args...), preset)...); code != exitUsage ||
			out != "" || !strings.Contains(errs, c.want) {
			t.Errorf("%v: exit %d %s", c.args, code, errs)
		}
	}
}

// gone is standard output whose reader has left.
type gone struct{}

func (gone) Write([]byte) (int, error) { return 0, errors.New("broken pipe") }

func TestImportCSVCommand(t *testing.T) {
	table := file(t, "jobs.csv",
		"\ufeffid;model;batch;gpus;steps;owner\nj1;resnet-50;64;2;100;eve\nj2;vgg;;1;5;\nj3;transformer;128;one;5;\n")
	doc, errs, code := cli(t, "", "import", "--from", "csv", "--template", preset, table)
	if code != exitOK || !strings.Contains(errs, "3 rows read, 1 kept, 2 dropped") ||
		!strings.Contains(errs, `1 dropped: gpus is not a number; first at line 4: gpus is "one", not a number`) ||
		!strings.Contains(errs, "columns not used: owner") {
		t.Fatalf("exit %d %s", code, errs)
	}
	if out, errs, code := cli(t, doc, "run", "--policy", "hadar", "--format", "csv", "-"); code != exitOK ||
		!strings.Contains(out, "hadar,0,done") {
		t.Errorf("exit %d %s", code, errs)
	}
	speeds := file(t, "speeds.json", `{"models":{"m":{"batch":8,"v100":{"1":{"consolidated":10}}}}}`)
	table = file(t, "own.csv", "steps,gpus,model\n100,1,m\n")
	doc, errs, code = cli(t, "", "import", "--from", "csv", "--throughputs", speeds, "--cluster", "v100=2", table)
	if d, _ := scenario.Parse([]byte(doc), scenario.FileLimits); code != exitOK || d.Scenario.Jobs[0].ID != "j0" ||
		!strings.Contains(errs, "jobs are numbered by row") {
		t.Errorf("exit %d %s", code, errs)
	}
}

// TestImportTellsTheFormat goes from a trace of unknown format to a run.
func TestImportTellsTheFormat(t *testing.T) {
	swf := "; MaxProcs: 8\n"
	for i := range 40 {
		swf += fmt.Sprintf("%d %d 5 %d 4 -1 -1 2 200 -1 1 1 1 -1 1 -1 -1 -1\n", i+1, 100*i, 500+i)
	}
	doc, errs, code := cli(t, swf, "import", "--sample", "10", "--seed", "3", "-")
	for _, want := range []string{"format swf, told from the content", "40 rows read, 40 kept, 0 dropped; jobs: 10",
		"a random sample, seed 3", "MaxProcs", "1 step/s on a v100"} {
		if code != exitOK || !strings.Contains(errs, want) {
			t.Errorf("exit %d, no %q in %s", code, want, errs)
		}
	}
	if out, errs, code := cli(t, doc, "run", "--policy", "fifo", "--format", "csv", "-"); code != exitOK ||
		!strings.Contains(out, "fifo,0,done") {
		t.Errorf("exit %d %s", code, errs)
	}
	again, _, _ := cli(t, swf, "import", "--from", "swf", "--seed", "3", "--sample", "10", "-")
	other, _, _ := cli(t, swf, "import", "--seed", "4", "--sample", "10", "-")
	if doc != again || doc == other {
		t.Error("a sample depends on its seed, and on nothing else")
	}
	if _, errs, code := cli(t, "Dear all\n", "import", "-"); code != exitUsage ||
		!strings.Contains(errs, "Name the format: gavel, ") {
		t.Errorf("exit %d %s", code, errs)
	}
}

func TestVerifyCommand(t *testing.T) {
	whole, errs, code := cli(t, "", "run", "--policy", "hadar,gavel", "--set", "hadar.work_conserving=true", "--seed",
		"7", "--format", "json", "--with-scenario", preset)
	if code != exitOK {
		t.Fatal(errs)
	}
	if out, errs, code := cli(t, whole, "verify", "-"); code != exitOK ||
		out != "hadar, seed 7: same\ngavel-las, seed 7: same\n" || errs != "" {
		t.Errorf("exit %d %q %q", code, out, errs)
	}
	bare, _, _ := cli(t, "", "run", "--policy", "hadar,gavel", "--seed", "7", "--format", "json", preset)
	if strings.Contains(bare, `"scenario"`) {
		t.Error("the contract's document holds no scenario")
	}
	path := file(t, "r.json", bare)
	if out, errs, code := cli(t, "", "verify", "--scenario", preset, path); code != exitOK ||
		!strings.Contains(out, "hadar, seed 7: same") {
		t.Errorf("exit %d %s %s", code, out, errs)
	}
	var res message.Result
	if err := json.Unmarshal([]byte(bare), &res); err != nil {
		t.Fatal(err)
	}
	// What another version made is not called different: a minor version, or a revision of the lane, has risen since. A
	// patch decides nothing. Where only a figure moved, the schedule is not said to be another one.
	res.Runs[1].Metrics.MakespanS++
	hash := res.Runs[1].TraceHash
	differs := "hadar, seed 7: same\ngavel-las, seed 7: differs\n  makespan_s: "
	for _, c := range []struct {
		engine string
		rev    int
		hash   string
		want   string
	}{
		{lab.Engine, 0, hash, differs},
		{message.Minor(lab.Engine) + ".99", 0, hash, differs},
		{"0.0.1", 0, hash, "hadar, seed 7: same\ngavel-las, seed 7: made by version 0.0.1, revision 1; this is version " +
			lab.Engine + ", revision 1, which counts otherwise\n  makespan_s: "},
		{"0.0.1", 0, "another", ", revision 1, which decides otherwise\n  trace_hash: "},
		{lab.Engine, 7, hash, "gavel-las, seed 7: made by version " + lab.Engine + ", revision 7; this is"},
	} {
		res.Engine, res.Runs[1].Rev, res.Runs[1].TraceHash = c.engine, c.rev, c.hash
		changed, _ := json.Marshal(res)
		if out, errs, code := cli(t, string(changed), "verify", "--scenario", preset, "-"); code != exitFailed ||
			!strings.Contains(out, c.want) || errs != "" {
			t.Errorf("exit %d %s %s, want %s", code, out, errs, c.want)
		}
	}
	res.Runs[0].Policy = "hal"
	changed, _ := json.Marshal(res)
	if out, errs, code := cli(t, string(changed), "verify", "--scenario", preset, "-"); code != exitFailed ||
		!strings.Contains(out, "hal, seed 7: cannot be run again") ||
		!strings.Contains(errs, "There is no policy hal") {
		t.Errorf("exit %d %s %s", code, out, errs)
	}
	for _, c := range []struct{ in, want string }{
		{bare, "--with-scenario"}, {"{}", "no runs"}, {"x", "document"},
		{strings.Replace(whole, `"round_s": 360`, `"round_s": 0`, 1), "/scenario/round_s"},
		{strings.Replace(whole, `"round_s": 360`, `"round_s": 300`, 1), "/scenario_id"},
	} {
		if _, errs, code := cli(t, c.in, "verify", "-"); code != exitUsage || !strings.Contains(errs, c.want) {
			t.Errorf("exit %d %s, want %s", code, errs, c.want)
		}
	}
}

func TestMixesCommand(t *testing.T) {
	out, errs, code := cli(t, "", "mixes", "--format", "csv")
	if code != exitOK || strings.Count(out, "\n") != 31 || strings.Count(out, ",done,") != 30 {
		t.Errorf("exit %d %s\n%s", code, errs, out)
	}
	doc, _, code := cli(t, "", "mixes", "--show", "10", "--seed", "3")
	d, diags := scenario.Parse([]byte(doc), scenario.FileLimits)
	if code != exitOK || len(diags) > 0 || len(d.Scenario.Jobs) != 12 || d.Scenario.Seed != 3 {
		t.Errorf("exit %d %v", code, diags)
	}
	if table, _, _ := cli(t, "", "mixes"); strings.Count(table, "\n") != 12 ||
		!strings.Contains(table, "node_utilization") || !strings.Contains(table, "gpu_over") {
		t.Errorf("%s", table)
	}
}

func TestToolsRefuseBadUsage(t *testing.T) {
	csv := file(t, "a.csv", "id,model,gpus,steps\na,m,1,1\n")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"allocate"}, "one instance is needed"},
		{[]string{"allocate", "x.json"}, "--policy"},
		{[]string{"allocate", "--policy", "fifo", "x.json"}, "gavel-las"},
		{[]string{"allocate", "--policy", "gavel-las", "/no/such"}, "cannot be read"},
		{[]string{"allocate", "--policy", "gavel-las", "--set", "use_weights", "x"}, "policy.param=value"},
		{[]string{"allocate", "--policy", "gavel-las", "--set", "gavel-fifo.use_weights=1", "x"}, "not the program"},
		{[]string{"allocate", "--policy", "gavel-las", "--set", "gavel-las.use_weights=maybe", "x"}, "true or false"},
		{[]string{"allocate", "--policy", "gavel-las", "--set", "gavel-las.min_reset_s=0", "x"}, "it has use_weights"},
		{[]string{"allocate", "--policy", "gavel-fifo", "--set", "gavel-fifo.x=0", "x"}, "no parameters"},
		{[]string{"link"}, "encode or decode"},
		{[]string{"link", "fold", "x"}, "encode or decode"},
		{[]string{"link", "encode", "/no/such"}, "cannot be read"},
		{[]string{"link", "decode", "1z.abc"}, "link"},
		{[]string{"schema", "x"}, "no arguments"},
		{[]string{"export", preset}, "--format"},
		{[]string{"export", "--format", "xls", preset}, "choose chrome"},
		{[]string{"export", "--format", "svg", preset}, "--policy: svg holds one run, and 2"},
		{[]string{"export", "--format", "svg", "--policy", "nope", preset}, "The policies are"},
		{[]string{"export", "--format", "svg", "--policy", "hadar", "a", "b"}, "one scenario"},
		{[]string{"import", "--from", "csv", csv}, "read as csv: none of the 1 row of the trace can be a job (Speeds come from a scenario that has these models (--template"},
		{[]string{"import", "--from", "csv"}, "one trace is needed"},
		{[]string{"import", "--from", "csv", "--template", preset, "--cluster", "v100=1", csv}, "--cluster"},
		{[]string{"import", "--from", "csv", "--template", "-", "-"}, "standard input"},
		{[]string{"import", "--from", "csv", "--template", "preset:nope", csv}, "no such preset"},
		{[]string{"import", "--from", "gavel-csv", "--template", preset, csv}, "leave --template out"},
		{[]string{"import", "--from", "csv", "--template", preset, csv}, `no speeds for "m"`},
		{[]string{"verify"}, "one result"},
		{[]string{"verify", "/no/such"}, "cannot be read"},
		{[]string{"verify", "--scenario", "-", "-"}, "standard input"},
		{[]string{"run", "--with-scenario", preset}, "--format json"},
		{[]string{"mixes", "x"}, "no arguments"},
		{[]string{"mixes", "--format", "xml"}, "--format"},
		{[]string{"mixes", "--show", "11"}, "1 to 10"},
		{[]string{"mixes", "--seed", "18446744073709551615"}, "--seed: "},
	} {
		out, errs, code := cli(t, "", c.args...)
		if code != exitUsage || !strings.Contains(errs, c.want) || out != "" {
			t.Errorf("%v: exit %d, %q, want %q", c.args, code, errs, c.want)
		}
	}
}

func TestFreezeCommand(t *testing.T) {
	const in = `{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},"throughputs":{"rows":[]},"jobs":{"generator":{"count":3}}}}`
	out, errs, code := cli(t, in, "freeze", "-")
	d, diags := scenario.Parse([]byte(out), scenario.FileLimits)
	if code != exitOK || errs != "" || diags.HasErrors() || len(d.Scenario.Jobs) != 3 || d.Scenario.Generator != nil {
		t.Fatalf("exit %d %s %s", code, errs, out)
	}
	drawn, _, _ := cli(t, in, "run", "--policy", "hadar", "--format", "json", "-")
	if listed, _, code := cli(t, out, "run", "--policy", "hadar", "--format", "json", "-"); code != exitOK ||
		hash(listed) != hash(drawn) || hash(drawn) == "" {
		t.Errorf("exit %d: the frozen scenario runs as the drawn one\n%s\n%s", code, listed, drawn)
	}
	if _, errs, code := cli(t, strings.Replace(in, "v100", "h100", 1), "freeze", "-"); code != exitUsage ||
		!strings.Contains(errs, "draws no job") {
		t.Errorf("exit %d %s", code, errs)
	}
}

// hash is the trace hash of a result with one run.
func hash(out string) string {
	var r message.Result
	if json.Unmarshal([]byte(out), &r) != nil || len(r.Runs) != 1 {
		return ""
	}
	return r.Runs[0].TraceHash
}

func TestUnknownLengths(t *testing.T) {
	const in = `{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":5}}]},
"jobs":[{"id":"j1","model":"m","gpus":1,"steps":1000}],"knowledge":{"lengths":"unknown"}}}`
	out, errs, code := cli(t, in, "run", "--policy", "hadar,las", "--format", "json", "-")
	if code != exitUsage || !strings.Contains(errs, "Hadar needs to know job lengths") ||
		!strings.Contains(out, `"policy": "las"`) || strings.Contains(out, `"policy": "hadar"`) {
		t.Errorf("exit %d %s %s", code, errs, out)
	}
}

// TestStudy: a small one, every format of it, and what it refuses.
func TestStudy(t *testing.T) {
	small := []string{"study", "--seeds", "1", "--jobs", "6", "--policy", "hadar,srtf", "--workload", "philly",
		"--stalls", "with"}
	out, errs, code := cli(t, "", append(small, "--format", "csv")...)
	rows, err := csv.NewReader(strings.NewReader(out)).ReadAll()
	if code != exitOK || errs != "" || err != nil || len(rows) != 1+2*3 || rows[0][0] != "workload" ||
		rows[1][4] != "gavel-las" {
		t.Fatalf("%d %s %v\n%s", code, errs, err, out)
	}
	if again, _, _ := cli(t, "", append(small, "--format", "csv")...); again != out {
		t.Error("the same study gives other rows")
	}
	out, _, code = cli(t, "", append(small, "--switches")...)
	if code != exitOK || !strings.Contains(out, "2 scenarios with stalls, against gavel-las") ||
		!strings.Contains(out, "hadar dp_value=lifetime") || !strings.Contains(out, "srtf migrate=false") {
		t.Errorf("%d\n%s", code, out)
	}
	for _, args := range []string{"--seeds 0", "--jobs 0", "--policy nope", "--workload nope", "--stalls maybe",
		"--format xml", "extra"} {
		if _, errs, code := cli(t, "", append([]string{"study"}, strings.Fields(args)...)...); code != exitUsage ||
			errs == "" {
			t.Errorf("study %s: %d %q", args, code, errs)
		}
	}
}
