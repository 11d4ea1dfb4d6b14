package imports

import (
	"io"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest/golden"
)

// longTable writes rows of a job table as they are asked for.
type longTable struct {
	rows, at int
	rest     []byte
	row      func(b []byte, i int) []byte
}

func (l *longTable) Read(p []byte) (int, error) {
	for len(l.rest) < len(p) && l.at <= l.rows {
		if l.at == 0 {
			l.rest = append(l.rest, "id,model,batch,arrival_s,gpus,steps,weight\n"...)
		} else {
			l.rest = l.row(l.rest, l.at)
		}
		l.at++
	}
	if len(l.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, l.rest)
	l.rest = append(l.rest[:0], l.rest[n:]...)
	return n, nil
}

func tableOptions() Options {
	return Options{Throughputs: []byte(smallTable), Cluster: []scenario.TypeCount{{Type: "v100", Count: 4}}}
}

// TestImportOfAMillionRows keeps what a job needs and nothing of its row: memory is bounded by the jobs kept.
func TestImportOfAMillionRows(t *testing.T) {
	rows := 1_000_000
	if runtime.GOOS == "js" {
		rows = 50_000 // the same code, on a machine of little memory
	}
	note := strings.Repeat("x", 150)
	good := func(b []byte, i int) []byte {
		b = strconv.AppendInt(append(b, 'j'), int64(i), 10)
		b = append(b, ",m-b8,8,"...)
		b = strconv.AppendInt(b, int64(i), 10)
		return append(append(append(b, ",1,100,1,"...), note...), '\n')
	}
	d, report, diags := Read(&longTable{rows: rows, row: good}, "csv", tableOptions())
	if d == nil || report.Kept != rows || len(d.Scenario.Jobs) != rows {
		t.Fatalf("%+v\n%s", report, golden.Lines(diags))
	}
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc > uint64(rows)*400 {
		t.Errorf("%d MiB are held for %d jobs: do they hold on to their rows?", m.HeapAlloc>>20, rows)
	}
	runtime.KeepAlive(d)
}

func TestImportOfAMillionBadRows(t *testing.T) {
	bad := func(b []byte, i int) []byte { return append(b, "j1,m-b8,8,0,many,100,1\n"...) }
	d, report, diags := Read(&longTable{rows: 300_000, row: bad}, "csv", tableOptions())
	if d != nil || report.Dropped != 300_000 || len(report.Reasons) != 1 || report.Reasons[0].Count != 300_000 ||
		report.Reasons[0].Line != 2 || len(diags) != jsondoc.PerCode+1 {
		t.Errorf("%d dropped, %d findings, %+v", report.Dropped, len(diags), report.Reasons)
	}
}

func TestImportBeyondTheLimitOfBytes(t *testing.T) {
	before := scenario.FileLimits
	defer func() { scenario.FileLimits = before }()
	scenario.FileLimits.Bytes = 100
	row := func(b []byte, i int) []byte { return append(b, "j"+strconv.Itoa(i)+",m-b8,8,0,1,100,1\n"...) }
	if d, _, diags := Read(&longTable{rows: 50, row: row}, "csv", tableOptions()); d != nil ||
		!strings.Contains(golden.Lines(diags), "too-big") {
		t.Errorf("a table cut at the limit passes: %s", golden.Lines(diags))
	}
	scenario.FileLimits.Jobs, scenario.FileLimits.Bytes = 3, before.Bytes
	if d, report, _ := Read(&longTable{rows: 50, row: row}, "csv", tableOptions()); d == nil || report.Kept != 3 ||
		report.Dropped != 47 {
		t.Errorf("%+v", report)
	}
}

func TestImportWantsOneSourceOfSpeeds(t *testing.T) {
	o := tableOptions()
	o.Template, _ = scenario.Parse([]byte(`{}`), scenario.FileLimits)
	for _, o := range []Options{o, {}} {
		if d, _, diags := Read(strings.NewReader("id,model,gpus,steps\na,m-b8,1,1\n"), "csv", o); d != nil ||
			!diags.HasErrors() {
			t.Errorf("%s", golden.Lines(diags))
		}
	}
}

func FuzzImportCSV(f *testing.F) {
	const template = `{"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m-b8","batch":8,"per_gpu":{"v100":2}}]},"jobs":[]}}`
	for _, c := range golden.Read(f, "testdata/imports.txt") {
		table, _, _ := strings.Cut(c.Input()+"\n", "\n-- ")
		f.Add(table, c.Kind == "csv")
	}
	f.Fuzz(func(t *testing.T, table string, own bool) {
		o := tableOptions()
		if own {
			o.Template, _ = scenario.Parse([]byte(template), scenario.FileLimits)
			o.Throughputs = nil
		}
		d, report, diags := Read(strings.NewReader(table), "csv", o)
		if (d == nil) != diags.HasErrors() || report.Read != report.Kept+report.Dropped {
			t.Fatalf("%+v\n%s", report, golden.Lines(diags))
		}
		if d == nil {
			return
		}
		again, more := scenario.Parse(d.Marshal(false), scenario.FileLimits)
		if again == nil || again.ID(nil) != d.ID(nil) || len(again.Scenario.Jobs) != report.Kept {
			t.Fatalf("the import does not read back: %s", golden.Lines(more))
		}
	})
}
