package state

import (
	"bytes"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy/own/replay"
	"hadarlab/core/record"
	"hadarlab/core/scenario"
)

// recordOf is the record of a policy's run on a document, as the command line writes it.
func recordOf(t *testing.T, doc *scenario.Document, id, called string) string {
	t.Helper()
	s, text := lab.NewBatch(), doc.Marshal(false)
	if diags := s.Start(&message.RunRequest{Scenario: text,
		Policies: []message.PolicyRef{{ID: id}}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	run := s.Sim(0)
	r := replay.NewRecorder(s.Problem(), run.Cadence(), s.ScenarioID(), called, text)
	run.Observe(r.Decided)
	for more := true; more; {
		_, more = s.Spend(1 << 20)
	}
	var b bytes.Buffer
	if err := r.Ended(s.Trace(0), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

// withoutScenario is a record as it was before records held one.
func withoutScenario(t *testing.T, text string) string {
	t.Helper()
	from, to := strings.Index(text, `,"document":`), strings.Index(text, "}\n")
	if from < 0 {
		t.Fatal("the record holds no scenario")
	}
	return text[:from] + text[to:]
}

// TestARecordIsALane: a record of the scenario that stands is one more lane, called after who decided, with the run
// that was recorded; its decisions are told as recorded ones, and nothing else is asked of it.
func TestARecordIsALane(t *testing.T) {
	d := newDesk(t)
	file := recordOf(t, d.s.Doc, "srtf", "python3 mine.py")
	lanes := len(d.s.Doc.Scenario.Policies)
	for _, text := range []string{file, withoutScenario(t, file)} {
		was := d.s.Doc
		d.do(OpenFile{Name: "mine.jsonl", Data: []byte(text)})
		d.pass(1000)
		if n := len(d.s.Doc.Scenario.Policies); n != lanes+1 || d.s.Notice != nil {
			t.Fatalf("%d lanes, notice %+v", n, d.s.Notice)
		}
		l := d.s.Result.Lanes[lanes]
		if l.Title != "Record of python3 mine.py" || l.Failure != nil || !strings.Contains(file, l.Meta.TraceHash) {
			t.Fatalf("%q, %+v: another run than the recorded one", l.Title, l.Failure)
		}
		if d.s.Toast == nil || !strings.Contains(d.s.Toast.Text, "A saved scenario holds the record: 1 kB.") {
			t.Errorf("its size is not told: %+v", d.s.Toast)
		}
		if d.do(OpenFile{Name: "mine.jsonl", Data: []byte(text)}); len(d.s.Doc.Scenario.Policies) != lanes+1 {
			t.Error("the same record again is one more lane")
		}
		d.do(Undo{})
		if d.s.Doc != was {
			t.Error("a record that was opened cannot be taken back")
		}
		d.pass(1000)
	}
	d.do(OpenFile{Name: "mine.jsonl", Data: []byte(file)})
	d.pass(1000)
	session := lab.NewSession()
	ref := d.s.Doc.Scenario.Policies[lanes].Ref()
	e, diags := session.Explain(&message.ExplainRequest{Scenario: d.s.Doc.Marshal(false), Policy: ref, Round: 2})
	if e == nil {
		t.Fatal(diags)
	}
	for i := range e.Jobs {
		if s := e.Jobs[i].Sentence; !strings.Contains(s, ": a recorded decision, taken at ") ||
			!strings.Contains(s, "in the run of python3 mine.py (line 4 of the record).") {
			t.Errorf("a reason that nobody recorded: %q", s)
		}
	}
	if _, diags := session.Flip(&message.FlipRequest{Scenario: d.s.Doc.Marshal(false), Policy: ref, Round: 2,
		Job: e.Jobs[0].ID}); !diags.HasErrors() || diags.Errors()[0].Code != "policy-recorded" {
		t.Errorf("a search for what would change a record: %v", diags)
	}
	ref.Force = []byte(`[{"round":1,"job":"j3","gangs":[]}]`)
	if _, faults, _ := lab.Run(&message.RunRequest{Scenario: d.s.Doc.Marshal(false),
		Policies: []message.PolicyRef{ref}}); len(faults) != 1 || faults[0].Diagnostics[0].Code != "record-forced" {
		t.Errorf("a forced choice: %v", faults)
	}
}

// TestARecordBringsItsScenario: one of another scenario opens it, with the lanes that it has.
func TestARecordBringsItsScenario(t *testing.T) {
	d := newDesk(t)
	other := d.s.Doc.Clone()
	edit.SetGPUs{Node: 0, N: 2, Type: "v100"}.Change(other)
	other.Meta.Title = "Another"
	file := recordOf(t, other, "fifo", "fifo")
	d.do(OpenFile{Name: "fifo.jsonl", Data: []byte(file)})
	d.pass(1000)
	n := len(d.s.Doc.Scenario.Policies)
	if d.s.Doc.Meta.Title != "Another" || n != len(other.Scenario.Policies)+1 ||
		d.s.Result.Lanes[n-1].Title != "Record of FIFO" || d.s.Result.Lanes[n-1].Failure != nil {
		t.Fatalf("%q, %d lanes, %+v", d.s.Doc.Meta.Title, n, d.s.Result.Lanes[n-1])
	}
}

// TestARecordThatDoesNotFit: after an edit the lane says which decision is none of this scenario's, and shows no run;
// the other lanes go on. A record that says what it must not is told with its line.
func TestARecordThatDoesNotFit(t *testing.T) {
	d := newDesk(t)
	file := recordOf(t, d.s.Doc, "srtf", "mine")
	lanes := len(d.s.Doc.Scenario.Policies)
	lines := strings.SplitAfter(file, "\n")
	last := len(d.s.Doc.Scenario.Jobs) - 1
	for _, c := range []struct {
		text string
		edit edit.Edit
		want string
	}{
		{file, edit.SetGPUs{Node: 0, N: 2, Type: "v100"}, "line 1: The record is of another cluster"},
		{file, edit.SetJob{Job: 0, Field: edit.JobSteps, Value: 5000}, "of the record: Job j"},
		{file, edit.RemoveJob{Job: last}, "of the record: "},
		{strings.Replace(file, `"gang":[[0,`, `"gang":[[0,9`, 1), nil, "Line 2 of the record: The record gives job"},
		{lines[0] + lines[1] + "{}}\n", nil, "line 3: invalid character"},
		{lines[0] + lines[1] + `{"gangs":[{"job":99,"gang":[[0,1]]}]}`, nil, "line 3: there is no job 99"},
		{strings.Replace(file, `"trace_hash":"`, `"trace_hash":"0`, 1), nil, "lead to another run here"},
		{lines[0] + lines[1], nil, "The record has no more decisions."},
		{lines[0] + strings.Repeat("{}\n", record.InPage.Decisions+1), nil, "may have 100000 decisions here"},
	} {
		before := len(d.s.History.Entries)
		d.do(OpenFile{Name: "mine.jsonl", Data: []byte(c.text)})
		if c.edit != nil {
			d.do(Do{c.edit})
		}
		d.pass(1000)
		l := d.s.Result.Lanes[lanes]
		if l.Failure == nil || !strings.Contains(l.Failure.Message, c.want) || l.Trace != nil {
			t.Errorf("%+v, want %q", l.Failure, c.want)
		}
		if d.s.Result.Lanes[0].Trace == nil {
			t.Errorf("%s: the other lanes do not go on", c.want)
		}
		for range len(d.s.History.Entries) - before {
			d.do(Undo{})
		}
		d.pass(1000)
	}
}

// TestARecordStaysInFiles: there is no link to a scenario with a record, no server is asked to keep or run it, and a
// saved one holds it.
func TestARecordStaysInFiles(t *testing.T) {
	d := newDesk(t)
	d.do(ServerKnown{true})
	d.do(OpenFile{Name: "mine.jsonl", Data: []byte(recordOf(t, d.s.Doc, "srtf", "mine"))})
	d.pass(1000)
	d.log = nil
	d.do(OpenShare{})
	d.do(MakeShort{})
	d.do(RunOnServer{})
	d.pass(1000)
	for _, e := range d.log {
		switch e.(type) {
		case Post, SendToServer:
			t.Errorf("%T", e)
		}
	}
	if !d.s.Share.Stays || d.s.Share.Link != "" || ResultLink(d.s.Result, d.s.Defaults) != "" {
		t.Errorf("there is a link: %+v", d.s.Share)
	}
	if d.s.Toast == nil || !strings.Contains(d.s.Toast.Text, "which stays in files") {
		t.Errorf("the server is refused without a reason: %+v", d.s.Toast)
	}
	was := d.hash(len(d.s.Result.Lanes) - 1)
	var saved []byte
	d.log = nil
	d.do(SaveScenario{})
	for _, e := range d.log {
		if f, ok := e.(room.Download); ok {
			saved = f.Data
		}
	}
	fresh := newDesk(t)
	fresh.do(OpenFile{Name: "saved.json", Data: saved})
	fresh.pass(1000)
	if got := fresh.hash(len(fresh.s.Result.Lanes) - 1); got != was {
		t.Errorf("the saved scenario runs to %s, want %s", got, was)
	}
	for name, text := range map[string]string{"none.jsonl": `{"kind":"decisions","version":9}`,
		"large.jsonl": `{"kind":"decisions","version":1}` + strings.Repeat(" ", record.InPage.Bytes)} {
		stands := fresh.s.Doc
		fresh.do(OpenFile{Name: name, Data: []byte(text)})
		if fresh.s.Doc != stands || fresh.s.Notice == nil || len(fresh.s.Notice.Diags) != 1 {
			t.Errorf("%s: %+v", name, fresh.s.Notice)
		}
	}
}
