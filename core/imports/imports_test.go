package imports

import (
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
	"hadarlab/core/words"
)

// stream writes a trace as it is asked for, and watches how much memory its reader holds meanwhile.
type stream struct {
	head string
	row  func(b []byte, i int) []byte
	size int // bytes to write
	wrote,
	at int
	rest []byte
	peak uint64 // bytes of heap in use, measured every 4 MiB
	next int
}

func (s *stream) Read(p []byte) (int, error) {
	if s.wrote == 0 {
		s.rest = append(s.rest, s.head...)
	}
	for len(s.rest) < len(p) && s.wrote+len(s.rest) < s.size {
		s.rest = s.row(s.rest, s.at)
		s.at++
	}
	if len(s.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, s.rest)
	s.rest = append(s.rest[:0], s.rest[n:]...)
	if s.wrote += n; s.wrote >= s.next {
		s.next += 4 << 20
		var m runtime.MemStats
		runtime.ReadMemStats(&m)
		s.peak = max(s.peak, m.HeapInuse)
	}
	return n, nil
}

// traces are long traces of every format that can be one: rows of about 150 bytes.
var traces = map[string]struct {
	head string
	row  func(b []byte, i int) []byte
}{
	"helios": {"job_id,user,vc,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n",
		func(b []byte, i int) []byte {
			return fmt.Appendf(b,
				"%d,uXBbc,\"vc, Jkd\",%d,16,1,COMPLETED,2020-06-09 18:%02d:01,2020-06-09 18:41:01,2020-06-10 04:55:09,%d,0,%060d\n", i, i%3, i%60, 1+i%40000, i)
		}},
	"pai": {"", func(b []byte, i int) []byte { // two tasks a job
		return fmt.Appendf(b, "%024x,worker,1.0,Terminated,%d.0,%d.0,600.0,29.296875,50.0,MISC,%060d\n", i/2, 1000+i,
			1100+i, i)
	}},
	"philly": {"[", func(b []byte, i int) []byte {
		return fmt.Appendf(b,
			`{"status":"Pass","jobid":"application_%d","attempts":[{"start_time":"2017-10-07 01:12:09","end_time":"2017-10-07 01:13:%02d","detail":[{"ip":"m1","gpus":["gpu0"]}]}],"submitted_time":"2017-10-07 01:11:39"},`+"\n", i, 10+i%50)
	}},
	"swf": {"; MaxProcs: 64\n", func(b []byte, i int) []byte {
		return fmt.Appendf(b, "%d %d 5 100 4 -1 -1 8 200 -1 1 1 1 -1 1 -1 -1 -1 %s\n", i+1, i, strings.Repeat(" ", 90))
	}},
	"gavel-csv": {"job_id,model,batch,scale_factor,total_steps,arrival_s,note\n", func(b []byte, i int) []byte {
		return fmt.Appendf(b, "%d,m-b8,8,2,100.5,%d,%0120d\n", i, i, i)
	}},
	"gavel": {"", func(b []byte, i int) []byte {
		return fmt.Appendf(b, "m (batch size 8)\tpython3 main.py --batch_size 8 %080d\t--steps\t1\t%d\t%d\t1\n", i, 1+i,
			i)
	}},
}

// TestImportStreams reads 100 MB and more with the memory of a sample and a window.
func TestImportStreams(t *testing.T) {
	size := 100 << 20
	if runtime.GOOS == "js" || testing.Short() {
		size = 8 << 20
	}
	for _, format := range slices.Sorted(maps.Keys(traces)) {
		t.Run(format, func(t *testing.T) {
			if format != "helios" { // one in full length, the others long enough to see them grow
				importStream(t, format, size/8)
				return
			}
			importStream(t, format, size)
		})
	}
}

func importStream(t *testing.T, format string, size int) {
	in := &stream{head: traces[format].head, row: traces[format].row, size: size}
	defer debug.SetGCPercent(debug.SetGCPercent(20)) // what is held counts, not what waits for the collector
	runtime.GC()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	d, report, diags := Read(in, format, Options{Sample: 1000, Seed: 7, Throughputs: []byte(smallTable)})
	if d == nil || len(d.Scenario.Jobs) != 1000 || report.Read < size/400 || !report.Sampled {
		t.Fatalf("%+v\n%s", report, golden.Lines(diags))
	}
	if held := in.peak - min(in.peak, before.HeapInuse); held > 12<<20 {
		t.Errorf("%d MiB are held while %d MiB are read", held>>20, size>>20)
	}
	if p, diags := scenario.Compile(d, nil); p == nil {
		t.Error(golden.Lines(diags))
	}
}

func shortTrace(format string, order []int) string {
	b := []byte(traces[format].head)
	for _, i := range order {
		b = traces[format].row(b, i)
	}
	return string(b)
}

// TestImportSample draws the same jobs from the same rows in any order, others with another seed, and
// leaves no task of a job behind.
func TestImportSample(t *testing.T) {
	forwards, backwards := make([]int, 3000), make([]int, 3000)
	for i := range forwards {
		forwards[i], backwards[len(forwards)-1-i] = i, i
	}
	for _, format := range []string{"helios", "pai", "philly", "swf"} {
		ids := func(order []int, seed uint64) (out []string) {
			d, report, diags := Read(strings.NewReader(shortTrace(format, order)), format,
				Options{Sample: 50, Seed: seed})
			if d == nil || report.Jobs != 50 || report.Seed != seed {
				t.Fatalf("%s: %+v\n%s", format, report, golden.Lines(diags))
			}
			for i := range d.Scenario.Jobs {
				j := &d.Scenario.Jobs[i]
				out = append(out, j.ID)
				if format == "pai" && j.Steps != jsondoc.Round9(101*0.276) {
					t.Errorf("job %s has %v steps: was a task lost?", j.ID, j.Steps)
				}
			}
			slices.Sort(out)
			return out
		}
		a := ids(forwards, 1)
		if b := ids(backwards, 1); !slices.Equal(a, b) {
			t.Errorf("%s: another order of the rows draws other jobs", format)
		}
		if b := ids(forwards, 2); slices.Equal(a, b) {
			t.Errorf("%s: another seed draws the same jobs", format)
		}
	}
	// Every job is as likely as any other: over 200 seeds the halves of the trace come equally often.
	early, all := 0, 0
	for seed := range uint64(200) {
		d, _, _ := Read(strings.NewReader(shortTrace("swf", forwards[:400])), "swf",
			Options{Sample: 20, Seed: seed})
		for i := range d.Scenario.Jobs {
			if n, _ := strconv.Atoi(d.Scenario.Jobs[i].ID); n <= 200 {
				early++
			}
			all++
		}
	}
	if early < all*45/100 || early > all*55/100 { // 6 standard deviations
		t.Errorf("%d of %d drawn jobs are of the first half", early, all)
	}
	whole, report, _ := Read(strings.NewReader(shortTrace("swf", forwards[:30])), "swf", Options{Sample: 30})
	if report.Sampled || len(whole.Scenario.Jobs) != 30 {
		t.Errorf("a sample of everything is none: %+v", report)
	}
}

func TestImportLimits(t *testing.T) {
	long := "1,1," + strings.Repeat("x", maxLine+10) + "\n"
	head := "gpu_num,duration,submit_time\n"
	good := "1,5,2020-04-08 13:26:12\n"
	for _, c := range []struct{ name, format, trace, want string }{
		{"a long row", "helios", head + long + good, "line 2: it is longer than 65536 bytes"},
		{"a long row, then the end", "helios", head + good + strings.TrimSpace(long),
			"line 3: it is longer than 65536 bytes"},
		{"an open quote", "helios", head + `1,"5` + "\n" + good, "line 2: its quotes do not match"},
		{"an open quote and much text", "helios", head + `1,"5` + "\n" + strings.Repeat(good, 10000),
			"line 2: its quotes do not match"},
		{"a text after a quote", "helios", head + `1,"5"5,2020-04-08 13:26:12` + "\n" + good,
			"line 2: its quotes do not match"},
		{"a long object", "philly", `[{"jobid":"` + strings.Repeat("x", maxObject) + "\"},\n" + shortTrace("philly",
			[]int{1}), "line 1: it is longer than 1048576 bytes"},
	} {
		d, report, diags := Read(strings.NewReader(c.trace), c.format, Options{})
		if d == nil || report.Dropped != 1 || report.Kept != report.Read-1 {
			t.Errorf("%s: %+v\n%s", c.name, report, golden.Lines(diags))
			continue
		}
		if r := report.Reasons[0]; "line "+strconv.Itoa(r.Line)+": "+r.First.String() != c.want {
			t.Errorf("%s: %+v", c.name, r)
		}
	}
	if d, _, diags := Read(strings.NewReader(strings.Repeat("x", 3*maxLine)), "helios", Options{}); d != nil ||
		!strings.Contains(golden.Lines(diags), "header") {
		t.Errorf("a header without an end: %s", golden.Lines(diags))
	}
	quoted := head + "1,\"5\n\",\"2020-04-08 13:26:12\"\n" + good
	if _, report, _ := Read(strings.NewReader(quoted), "helios", Options{}); report.Kept != 2 {
		t.Errorf("a line end inside quotes: %+v", report)
	}
	broken := io.MultiReader(strings.NewReader(head+good), errorReader{})
	if d, _, diags := Read(broken, "helios", Options{}); d != nil ||
		!strings.Contains(golden.Lines(diags), "3 error unreadable : read as helios: the trace cannot be read to its end: no disk") {
		t.Errorf("a file that breaks off: %s", golden.Lines(diags))
	}
}

type errorReader struct{}

func (errorReader) Read([]byte) (int, error) { return 0, fmt.Errorf("no disk") }

func TestImportReference(t *testing.T) {
	trace := shortTrace("swf", []int{0})
	for _, c := range []struct {
		cluster, reference string
		want               map[string]float64 // nil: refused
	}{
		{"v100=8,t4=8", "", map[string]float64{"v100": 1, "t4": 0.491}},
		{"v100=8,t4=8", "t4", map[string]float64{"v100": jsondoc.Round9(1 / 0.491), "t4": 1}},
		{"v100=8", "t4", map[string]float64{"v100": jsondoc.Round9(1 / 0.491)}},
		{"a100=8,v100=8,h100=8", "a100", map[string]float64{"a100": 1, "v100": jsondoc.Round9(1 / 2.3),
			"h100": jsondoc.Round9(5.36 / 2.3)}},
		{"tpu=8,v100=8", "", map[string]float64{"tpu": 1, "v100": 1}},
		{"v100=8,tpu=8", "", map[string]float64{"tpu": 1, "v100": 1}},
		{"v100=8,tpu=8", "tpu", nil},
		{"v100=8", "abacus", nil},
	} {
		cluster, err := scenario.ParseCluster(c.cluster)
		if err != nil {
			t.Fatal(err)
		}
		d, _, diags := Read(strings.NewReader(trace), "swf", Options{Cluster: cluster, Reference: c.reference})
		if d == nil {
			if c.want != nil {
				t.Errorf("%+v: %s", c, golden.Lines(diags))
			}
			continue
		}
		got := d.Scenario.Throughputs.Rows[0].PerGPU
		for typ, rate := range c.want {
			if got[typ] != rate {
				t.Errorf("%+v: %v", c, got)
			}
		}
		if c.want == nil || len(got) != len(c.want) {
			t.Errorf("%+v: %v", c, got)
		}
	}
	for _, o := range []Options{{Sample: -1}, {Seed: 1 << 60}, {Sample: 1 << 40},
		{Cluster: []scenario.TypeCount{{Type: "v100", Count: 999_999}}},
		{Cluster: []scenario.TypeCount{{Type: "v100", Count: 1}, {Type: "v100", Count: 2}}},
		{Cluster: []scenario.TypeCount{{Type: strings.Repeat("x", 64), Count: 1}}}} {
		if d, _, diags := Read(strings.NewReader(trace), "swf", o); d != nil ||
			!strings.Contains(golden.Lines(diags), codeBadOption) {
			t.Errorf("%+v passes: %s", o, golden.Lines(diags))
		}
	}
	if d, _, diags := Read(strings.NewReader(trace), "excel", Options{}); d != nil ||
		!strings.Contains(golden.Lines(diags), "gavel-csv, pollux-csv") {
		t.Error(golden.Lines(diags))
	}
}

func TestClockTime(t *testing.T) {
	for text, want := range map[string]float64{
		"1970-01-01 00:00:00":       0,
		"2000-02-29 23:59:59":       951868799,
		"2017-10-07T01:12:09":       1507338729,
		"2017-10-07 01:12:09 PDT":   1507338729 + 7*3600,
		"2017-12-07 01:12:09 PST":   1512609129 + 8*3600,
		"2017-10-07 01:12:09+08:00": 1507338729 - 8*3600,
		"2017-10-07 01:12:09.25-05": 1507338729 + 5*3600,
		"2100-03-01 00:00:00Z":      4107542400,
	} {
		if got, ok := clockTime(text); !ok || got != want {
			t.Errorf("%s is %v, %v; want %v", text, got, ok, want)
		}
	}
	for _, text := range []string{"", "None", "2017-10-07", "2017-10-07 1:12:09", "2017-13-07 01:12:09",
		"2017-10-07 24:12:09", "2017-10-07 01:12:09 CEST", "2017-10-07 01:12:09+99:00", "2017-1x-07 01:12:09",
		"07/10/2017 01:12:09"} {
		if got, ok := clockTime(text); ok {
			t.Errorf("%q is %v", text, got)
		}
	}
}

// TestImportPolluxWorkload keeps every job of the published workload; its profiles come near a measured duration.
func TestImportPolluxWorkload(t *testing.T) {
	f, err := os.Open("../../../shared/traces/pollux_workload.csv")
	if err != nil {
		t.Skip("shared traces are absent")
	}
	defer f.Close()
	d, report, diags := Read(f, "", Options{})
	if d == nil || report.Format != "pollux-csv" || report.Kept != 160 || report.Dropped != 0 {
		t.Fatalf("%+v\n%s", report, golden.Lines(diags))
	}
	p, diags := scenario.Compile(d, nil)
	if p == nil || len(diags) > 0 {
		t.Fatal(golden.Lines(diags))
	}
	j := &p.Jobs[0] // cifar10, 6 GPUs, batch 2048: 854.175 s alone were measured
	alone := 0.0
	for k, ph := range j.Phases {
		end := j.Work
		if k+1 < len(j.Phases) {
			end = j.Phases[k+1].From
		}
		alone += float64(end-ph.From) / float64(p.Tables[ph.Tables[0]].Rate(0, 6, model.Network))
	}
	if alone < 0.75*854 || alone > 1.25*854 || len(j.Phases) != 10 {
		t.Errorf("%s takes %v s alone in %d phases", j.Name, alone, len(j.Phases))
	}
	if s := &d.Scenario; s.RoundS != 60 || s.Overheads.RestartS != 30 || len(s.Policies) != 3 ||
		s.Policies[0].ID != "pollux" || !report.Untuned {
		t.Errorf("not the artifact's world: rounds of %v s, overheads %+v, policies %+v", s.RoundS, s.Overheads, s.Policies)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		t.Fatal(err)
	}
	if d, _, diags := Read(f, "", Options{Untuned: true}); d == nil || d.Scenario.Jobs[0].GPUs != 1 ||
		d.Scenario.Jobs[0].Batch != 128 {
		t.Errorf("untuned requests are not read: %s", golden.Lines(diags))
	}
	if d, _, diags := Read(strings.NewReader("time,application,num_replicas,batch_size\n0,cifar10,2,256\n"), "",
		Options{Untuned: true}); d != nil || !strings.Contains(golden.Lines(diags), "replicas_untuned") {
		t.Errorf("a trace without untuned requests: %s", golden.Lines(diags))
	}
	if s := j.Shape; s.Size != 6 || s.Min != 1 || s.Max != 64 {
		t.Errorf("%s has the shape %+v", j.Name, s)
	}
}

// TestImportOneOfSeveralWorkloads reads the workload that is named, else the first, and says which others there are.
func TestImportOneOfSeveralWorkloads(t *testing.T) {
	trace, jobs := "workload,job,app,arrival_s,replicas,batch\n",
		[]string{"0,cifar10,5,6,2048", "1,ncf,9,1,32768", "2,bert,7,8,384"}
	for w := range 3 {
		for _, job := range jobs[w:] {
			trace += strconv.Itoa(w+1) + "," + job + "\n"
		}
	}
	for _, c := range []struct {
		named, read string
		jobs        int
	}{{"", "1", 3}, {"1", "1", 3}, {"2", "2", 2}, {"3", "3", 1}} {
		d, report, diags := Read(strings.NewReader(trace), "", Options{Workload: c.named})
		if d == nil || len(d.Scenario.Jobs) != c.jobs || report.Read != c.jobs || report.Dropped != 0 ||
			report.Workload != c.read || !slices.Equal(report.Workloads, []string{"1", "2", "3"}) {
			t.Fatalf("workload %q: %+v\n%s", c.named, report, golden.Lines(diags))
		}
		want := "workload " + c.read + " of those in the file, which are 1, 2, 3; the others are not read"
		if !slices.ContainsFunc(report.Assumptions, func(a words.Text) bool { return a.String() == want }) {
			t.Errorf("it says %q", report.Assumptions)
		}
	}
	if d, _, diags := Read(strings.NewReader(trace), "", Options{Workload: "9"}); d != nil ||
		!strings.Contains(golden.Lines(diags), `the trace has no workload "9"; it has 1, 2, 3`) {
		t.Errorf("workload 9: %s", golden.Lines(diags))
	}
	one := strings.ReplaceAll(trace, "workload,", "day,")
	if d, _, diags := Read(strings.NewReader(one), "", Options{Workload: "1"}); d != nil ||
		!strings.Contains(golden.Lines(diags), "the trace has no column workload") {
		t.Errorf("no column: %s", golden.Lines(diags))
	}
	f, err := os.Open("../../../shared/traces/pollux_workloads_all8.csv")
	if err != nil {
		t.Log("the published file is absent; the rows above have its form")
		return
	}
	defer f.Close()
	if d, report, diags := Read(f, "", Options{Workload: "6"}); d == nil || report.Jobs != 160 ||
		report.Dropped != 0 || len(report.Workloads) != 8 {
		t.Fatalf("%+v\n%s", report, golden.Lines(diags))
	}
}

func FuzzImport(f *testing.F) {
	for _, c := range golden.Read(f, "testdata/imports.txt") {
		trace, table, _ := strings.Cut(c.Input()+"\n", "\n-- table\n")
		format := c.Kind
		switch c.Kind {
		case "guess":
			format = ""
		case "import":
			format = "gavel-csv"
		}
		f.Add(trace, table, format, uint16(0), uint16(0))
		f.Add(trace, table, format, uint16(2), uint16(1))
	}
	f.Fuzz(func(t *testing.T, trace, table, format string, sample, first uint16) {
		o := Options{Throughputs: []byte(table), Sample: int(sample % 8), First: int(first % 8), Spread: true}
		if table == "" {
			o.Throughputs = []byte(smallTable)
		}
		d, report, diags := Read(strings.NewReader(trace), format, o)
		dropped := 0
		for _, r := range report.Reasons {
			dropped += r.Count
		}
		if (d == nil) != diags.HasErrors() || report.Read != report.Kept+report.Dropped || dropped > report.Dropped {
			t.Fatalf("%+v\n%s", report, golden.Lines(diags))
		}
		if d == nil {
			return
		}
		if len(d.Scenario.Jobs) != report.Jobs || o.Sample > 0 && report.Jobs > o.Sample || report.Jobs > report.Kept {
			t.Fatalf("%d jobs, %+v", len(d.Scenario.Jobs), report)
		}
		again, more := scenario.Parse(d.Marshal(false), scenario.FileLimits)
		if again == nil || more.HasErrors() || again.ID(nil) != d.ID(nil) {
			t.Fatalf("the import does not read back: %s", golden.Lines(more))
		}
	})
}

// TestImportSpeeds: what a type's speed rests on is said in the report and stands beside the speed, and a factor that
// is given takes the place of what is known.
func TestImportSpeeds(t *testing.T) {
	cluster, err := scenario.ParseCluster("v100=4,h100=4,l4=4,tpu=4")
	if err != nil {
		t.Fatal(err)
	}
	speeds, err := scenario.ParseSpeeds("tpu=2.5, h100=4")
	if err != nil {
		t.Fatal(err)
	}
	said := func(format, trace string, o Options) (*scenario.Document, string) {
		d, report, diags := Read(strings.NewReader(trace), format, o)
		if d == nil {
			t.Fatal(golden.Lines(diags))
		}
		var all []string
		for _, a := range report.Assumptions {
			all = append(all, a.String())
		}
		if p, diags := scenario.Compile(d, nil); p == nil {
			t.Errorf("%s: %s", format, golden.Lines(diags))
		}
		return d, strings.Join(all, "\n")
	}
	d, says := said("swf", shortTrace("swf", []int{0}), Options{Cluster: cluster[:3]})
	row := d.Scenario.Throughputs.Rows[0]
	if row.PerGPU["h100"] != 5.36 || row.PerGPU["l4"] != 0.568 || row.Source !=
		"recorded time on a v100; h100 by measured factor; l4 estimated" ||
		!strings.Contains(says, "h100 is 5.36 times as fast as a v100, as measured") ||
		!strings.Contains(says, "l4 is 0.568 times as fast as a v100: an estimate") {
		t.Errorf("%+v\n%s", row, says)
	}
	d, says = said("swf", shortTrace("swf", []int{0}), Options{Cluster: cluster, Speeds: speeds})
	if row = d.Scenario.Throughputs.Rows[0]; row.PerGPU["tpu"] != 2.5 || row.PerGPU["h100"] != 4 ||
		row.Source != "recorded time on a v100; h100, tpu by a given factor; l4 estimated" ||
		!strings.Contains(says, "tpu is 2.5 times as fast as a v100, as given") {
		t.Errorf("%+v\n%s", row, says)
	}
	const gavel = "job_id,model,scale_factor,total_steps,arrival_s\n0,resnet-50-b64,2,100,0\n" +
		"1,resnet-50-fp16-b256,2,9,0\n"
	d, _ = said("gavel-csv", gavel, Options{Cluster: cluster[:3]})
	row = d.Scenario.Throughputs.Rows[0]
	if row.PerGPU["h100"] != jsondoc.Round9(4.395*5.36) || row.Gang["h100"]["2"] != jsondoc.Round9(7.922*5.36) ||
		row.Source != "Gavel, measured; h100 by measured factor; l4 estimated" {
		t.Errorf("%+v", row)
	}
	if row = d.Scenario.Throughputs.Rows[1]; row.PerGPU["h100"] != jsondoc.Round9(2791.0/256) ||
		row.Source != "Lambda, measured in mixed precision; l4 estimated" {
		t.Errorf("%+v", row)
	}
	d, _ = said("pollux-csv", "time,application,num_replicas,batch_size\n0,cifar10,2,256\n",
		Options{Cluster: []scenario.TypeCount{{Type: "t4", Count: 4}, {Type: "a100", Count: 4}}})
	if f := d.Scenario.Throughputs.Profiles[0]; len(f.Types) != 2 || f.Types[1].Type != "a100" ||
		f.Types[1].BetaC != jsondoc.Round9(f.Types[0].BetaC/jsondoc.Round9(2.3/0.491)) {
		t.Errorf("%+v", f.Types)
	}
	for _, bad := range []string{"", "a100", "a100=", "a100=0", "a100=-1", "a100=x", "A100=2", "a100=2,a100=3",
		"a100=1e9"} {
		if _, err := scenario.ParseSpeeds(bad); err == nil {
			t.Errorf("scenario.ParseSpeeds(%q) passes", bad)
		}
	}
}

// assumed is what the report of an import says, a line each.
func assumed(t *testing.T, trace, format string, o Options) string {
	t.Helper()
	d, report, found := Read(strings.NewReader(trace), format, o)
	if d == nil {
		t.Fatal(found)
	}
	var lines []string
	for _, a := range report.Assumptions {
		lines = append(lines, a.String())
	}
	return strings.Join(lines, "\n")
}

// TestWhatReportsSayIsSo: of a sample it is said that counts are of all jobs; an attempt without an end counts for the
// GPUs of its job, and not for its time; time on types whose speed beside the reference is unknown counts as on that;
// and ncf has as many GPUs as it asks for.
func TestWhatReportsSayIsSo(t *testing.T) {
	rows := "job_id,gpu_num,state,submit_time,duration\n"
	for i := range 20 {
		rows += "job " + strconv.Itoa(i) + ",1,COMPLETED,2020-04-08 13:26:12,100\n"
	}
	rows += "job 20,900,COMPLETED,2020-04-08 13:26:12,100\n" // no job, since it is too large
	const over = "counted over all 20 jobs from which the sample is drawn"
	if says := assumed(t, rows, "helios", Options{}); strings.Contains(says, "sample") ||
		!strings.Contains(says, "called by row: 20\n") {
		t.Errorf("of all it says\n%s", says)
	}
	if says := assumed(t, rows, "helios", Options{Sample: 3}); !strings.Contains(says, over) {
		t.Errorf("of a sample it says\n%s", says)
	}
	const attempts = `[{"jobid":"app_1","status":"Pass","submitted_time":"2017-10-07 01:00:00","attempts":[
{"start_time":"2017-10-07 01:00:00","end_time":"2017-10-07 02:00:00","detail":[{"ip":"m","gpus":["g0"]}]},
{"start_time":"2017-10-07 03:00:00","end_time":null,"detail":[{"ip":"m","gpus":["g0","g1"]}]}]}]`
	if says := assumed(t, attempts, "philly", Options{}); !strings.Contains(says, "whose time counts for nothing: 1") {
		t.Errorf("of attempts it says\n%s", says)
	}
	if d, _, _ := Read(strings.NewReader(attempts), "philly", Options{}); d.Scenario.Jobs[0].GPUs != 2 {
		t.Errorf("it asks for %d GPUs", d.Scenario.Jobs[0].GPUs)
	}
	const tasks = "j1,w,1,Terminated,0,1000,600,30,100,P100\nj2,w,1,Terminated,0,1000,600,30,100,T4\n"
	for typ, want := range map[string]bool{"foo": false, "v100": true} {
		d, _, _ := Read(strings.NewReader(tasks), "pai", Options{Cluster: []scenario.TypeCount{{Type: typ, Count: 8}}})
		apart := d.Scenario.Jobs[0].Steps != d.Scenario.Jobs[1].Steps
		says := assumed(t, tasks, "pai", Options{Cluster: []scenario.TypeCount{{Type: typ, Count: 8}}})
		if as := strings.Contains(says, "counts as such"); as != want || apart != want {
			t.Errorf("on %s jobs differ: %v, and it says\n%s", typ, apart, says)
		}
	}
	given := Options{Cluster: []scenario.TypeCount{{Type: "foo", Count: 8}, {Type: "p100", Count: 8}},
		Speeds: []scenario.Factor{{Type: "p100", Times: 0.5}}}
	if says := assumed(t, tasks, "pai", given); !strings.Contains(says, "counts on P100 as p100, and on any other") {
		t.Errorf("with one speed it says\n%s", says)
	}
	given.Cluster[1].Type, given.Speeds[0].Type = "v100", "v100"
	if says := assumed(t, tasks, "pai", given); !strings.Contains(says, "counts on V100 as v100, V100M32 as v100, and") {
		t.Errorf("with the speed of both kinds of V100 it says\n%s", says)
	}
	const ncf = "job,app,arrival_s,replicas,batch\n0,ncf,0,4,1024\n"
	d, _, _ := Read(strings.NewReader(ncf), "pollux-csv", Options{})
	if e := d.Scenario.Jobs[0].Elastic; e.Max != 4 {
		t.Errorf("ncf may have %d GPUs", e.Max)
	}
	says := assumed(t, ncf, "pollux-csv", Options{})
	if strings.Contains(says, "ncf keeps one") ||
		strings.Contains(says, "faster") && !strings.Contains(says, "with 64 T4") {
		t.Errorf("of ncf, and of Pollux, it says\n%s", says)
	}
}
