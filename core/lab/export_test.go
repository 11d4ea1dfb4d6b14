package lab_test

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
	"errors"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
)

// eachRun gives every preset under every policy, run to its end.
func eachRun(t *testing.T, f func(name string, lane lab.ExportLane)) {
	t.Helper()
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		s := lab.NewBatch()
		if diags := s.Start(&message.RunRequest{Scenario: doc, Policies: allPolicies(doc)}); diags.HasErrors() {
			t.Fatalf("%s: %v", name, diags)
		}
		for i, ref := range allPolicies(doc) {
			spec, _ := policy.Find(ref.ID)
			f(name+" "+spec.ID, lab.ExportLane{Policy: spec.ID, Title: spec.Title, Trace: s.Trace(i)})
		}
	}
}

func export(t *testing.T, format string, lanes ...lab.ExportLane) string {
	t.Helper()
	var b bytes.Buffer
	if err := lab.Export(&b, format, lanes); err != nil {
		t.Fatalf("%s: %v", format, err)
	}
	return b.String()
}

func rows(t *testing.T, text string) [][]string {
	t.Helper()
	out, err := csv.NewReader(strings.NewReader(text)).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return out[1:]
}

// TestChromeThreadsNeverOverlap, and the stretches of all threads are the GPU time of the trace.
func TestChromeThreadsNeverOverlap(t *testing.T) {
	eachRun(t, func(name string, lane lab.ExportLane) {
		var f struct {
			TraceEvents []struct {
				Ph, Cat  string
				Ts, Dur  int64
				Pid, Tid int
			}
		}
		if err := json.Unmarshal([]byte(export(t, "chrome", lane)), &f); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		type thread struct{ pid, tid int }
		until, arrivals, total := map[thread]int64{}, 0, int64(0)
		for _, e := range f.TraceEvents {
			switch e.Ph {
			case "X":
				at := thread{e.Pid, e.Tid}
				if e.Ts < until[at] || e.Dur <= 0 {
					t.Fatalf("%s: thread %v overlaps at %d", name, at, e.Ts)
				}
				until[at] = e.Ts + e.Dur
				total += e.Dur
			case "i":
				arrivals++
			}
		}
		want, sp := int64(0), &lane.Trace.Spans
		for i := range sp.Len() {
			for _, sh := range sp.At(i) {
				if beside(lane.Trace, i) {
					continue // its array has one
				}
				want += int64(sp.To[i]-sp.From[i]) * int64(sh.N) * 1000
			}
		}
		if total != want || arrivals != len(lane.Trace.Jobs) || len(until) == 0 || len(until) > int(lane.Trace.GPUs()) {
			t.Errorf("%s: %d µs on %d threads, want %d; %d arrivals", name, total, len(until), want, arrivals)
		}
	})
}

// TestTablesAgreeWithTheTrace counts events and rows against the kernel's own counters.
func TestTablesAgreeWithTheTrace(t *testing.T) {
	eachRun(t, func(name string, lane lab.ExportLane) {
		tr := lane.Trace
		count := map[string]int{}
		for _, r := range rows(t, export(t, "events-csv", lane)) {
			count[r[1]+" "+r[2]]++
		}
		for i := range tr.Jobs {
			j := &tr.Jobs[i]
			if count["arrival "+j.Name] != 1 || count["finish "+j.Name] != 1 ||
				count["start "+j.Name] != int(j.Starts) {
				t.Errorf("%s %s: %v, %d starts", name, j.Name, count, j.Starts)
			}
			// Copies of a forked job are moved and taken one by one; the events tell of the job.
			if lane.Policy != "hadare" && (count["move "+j.Name] != int(j.Moved) ||
				count["preempt "+j.Name] != int(j.Preempted)) {
				t.Errorf("%s %s: %d moves and %d preemptions, want %d and %d", name, j.Name, count["move "+j.Name],
					count["preempt "+j.Name], j.Moved, j.Preempted)
			}
		}
		if n := len(rows(t, export(t, "jobs-csv", lane))); n != len(tr.Jobs) {
			t.Errorf("%s: %d rows for %d jobs", name, n, len(tr.Jobs))
		}
		gantt(t, name, tr, rows(t, export(t, "evalys", lane)))
	})
}

// beside says whether a span is of a member of an array whose bar is another's.
func beside(tr *trace.Trace, i int) bool {
	with := tr.Spans.With[i]
	return with >= 0 && with < tr.Spans.Job[i] && slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool {
		return r.Code == trace.Fused && r.Num[0] > 1
	})
}

// gantt checks that no two rows of an Evalys table hold one resource at one time, but for jobs that train as one.
func gantt(t *testing.T, name string, tr *trace.Trace, table [][]string) {
	t.Helper()
	type use struct{ from, to float64 }
	held := map[int][]use{}
	fused := slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool { return r.Code == trace.Fused && r.Num[0] > 1 })
	for _, r := range table {
		from, _ := strconv.ParseFloat(r[6], 64)
		to, _ := strconv.ParseFloat(r[8], 64)
		n := 0
		for part := range strings.SplitSeq(r[12], " ") {
			lo, hi, span := strings.Cut(part, "-")
			if !span {
				hi = lo
			}
			a, err1 := strconv.Atoi(lo)
			b, err2 := strconv.Atoi(hi)
			if err1 != nil || err2 != nil || b >= int(tr.GPUs()) {
				t.Fatalf("%s: %q is no set of resources", name, r[12])
			}
			for g := a; g <= b; g++ {
				n++
				for _, u := range held[g] {
					if from < u.to && u.from < to && !fused {
						t.Fatalf("%s: %v holds GPU %d, which is held from %v to %v", name, r, g, u.from, u.to)
					}
				}
				held[g] = append(held[g], use{from, to})
			}
		}
		if strconv.Itoa(n) != r[2] || from > to {
			t.Errorf("%s: %v", name, r)
		}
	}
}

func TestSVGIsWellFormed(t *testing.T) {
	eachRun(t, func(name string, lane lab.ExportLane) {
		lane.Title = `Odd & <b>"`
		text := export(t, "svg", lane)
		d := xml.NewDecoder(strings.NewReader(text))
		bars, merged := 0, 0
		for {
			token, err := d.Token()
			if err == io.EOF {
				break
			}
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if e, ok := token.(xml.StartElement); ok {
				for _, a := range e.Attr {
					switch {
					case a.Name.Local != "data-role":
					case a.Value == "bar":
						bars++
					case a.Value == "bars": // of one colour, in a picture of more than can be told apart
						merged++
					}
				}
			}
		}
		if told := strings.Contains(text, "as can be told apart"); told != (merged > 0) || told && bars > 0 {
			t.Errorf("%s: %d bars, %d merged, told: %v", name, bars, merged, told)
		}
		alone := map[int32]bool{} // jobs that are not beside another all the time
		for i := range lane.Trace.Spans.Len() {
			if !beside(lane.Trace, i) {
				alone[lane.Trace.Spans.Job[i]] = true
			}
		}
		if merged == 0 && bars < len(alone) || !strings.Contains(text, "Odd &amp; &lt;b&gt;") {
			t.Errorf("%s: %d bars", name, bars)
		}
	})
}

func TestExportRefusals(t *testing.T) {
	two := []lab.ExportLane{{Trace: &trace.Trace{}}, {Trace: &trace.Trace{}}}
	if err := lab.Export(io.Discard, "evalys", two); !errors.Is(err, lab.ErrExportLanes) {
		t.Error(err)
	}
	if err := lab.Export(io.Discard, "xls", two[:1]); !errors.Is(err, lab.ErrExportFormat) {
		t.Error(err)
	}
	for _, format := range lab.ExportFormats {
		if err := lab.Export(io.Discard, format, two[:1]); err != nil {
			t.Errorf("a run of nothing as %s: %v", format, err)
		}
	}
}

// TestExportsOfARunCutShort: what has not happened is empty, and nothing ends at the horizon.
func TestExportsOfARunCutShort(t *testing.T) {
	doc, _ := lab.Preset("odd-gpus-out")
	doc = bytes.Replace(doc, []byte(`"round_s": 360`), []byte(`"round_s": 360, "horizon_s": 1000`), 1)
	s := lab.NewBatch()
	if diags := s.Start(&message.RunRequest{Scenario: doc,
		Policies: []message.PolicyRef{{ID: "hadar"}}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	lane := lab.ExportLane{Policy: "hadar", Trace: s.Trace(0)}
	states := map[string]int{}
	for _, r := range rows(t, export(t, "jobs-csv", lane)) {
		states[r[4]]++
		if done := r[4] == "COMPLETED_SUCCESSFULLY"; done != (r[7] != "") || done != (r[9] != "") {
			t.Errorf("%v", r)
		}
	}
	if states["RUNNING"] == 0 || states["NOT_SUBMITTED"] != 1 || states["COMPLETED_SUCCESSFULLY"] == 0 {
		t.Errorf("%v", states)
	}
	for _, r := range rows(t, export(t, "events-csv", lane)) {
		if r[0] == "1000" || r[1] == "preempt" {
			t.Errorf("the horizon is no event: %v", r)
		}
	}
	for _, format := range []string{"evalys", "chrome", "svg"} {
		export(t, format, lane)
	}
}
