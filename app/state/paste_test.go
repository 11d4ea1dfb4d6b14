package state

import (
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/link"
)

func TestPastedSpeedsAreOneEdit(t *testing.T) {
	d := newDesk(t)
	was, types := d.s.Doc, edit.Types(d.s.Doc)
	d.do(PasteSpeeds{Row: 1, Column: 0, Types: types, Cells: [][]string{{"1", "2"}, {"3", ""}}})
	rows := d.s.Doc.Scenario.Throughputs.Rows
	if len(rows) != 3 || rows[1].PerGPU[types[1]] != 2 || rows[2].PerGPU[types[0]] != 3 ||
		rows[2].PerGPU[types[1]] != 0 || rows[1].Source != "pasted" {
		t.Fatalf("rows %+v", rows)
	}
	d.do(Undo{})
	if d.s.Doc != was {
		t.Error("a paste is not one edit")
	}
	for _, bad := range [][][]string{{{"1", "x"}}, {{"1", "2"}, {"3"}}, {{"1", "2", "3", "4", "5"}}, {{"-1"}, {"1"}}} {
		d.do(PasteSpeeds{Row: 0, Column: 0, Types: types, Cells: bad})
		if d.s.Doc != was || d.s.Notice == nil || !strings.Contains(d.s.Notice.Title, "Nothing was pasted") {
			t.Errorf("%v is pasted: %+v", bad, d.s.Notice)
		}
	}
}

// TestAChangedRowSaysSo: a number typed over a measured one is not measured.
func TestAChangedRowSaysSo(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	source := d.s.Doc.Scenario.Throughputs.Rows[0].Source
	d.edit(edit.SetSpeed{Row: 0, Type: "v100", Value: 9})
	d.edit(edit.SetSpeed{Row: 0, Type: "p100", Value: 8})
	if got := d.s.Doc.Scenario.Throughputs.Rows[0].Source; got != source+", edited" {
		t.Errorf("the source of a changed row is %q", got)
	}
	d.edit(edit.AddRow{Row: -1})
	d.edit(edit.SetSpeed{Row: 2, Type: "v100", Value: 9})
	if got := d.s.Doc.Scenario.Throughputs.Rows[2].Source; got != "made up" {
		t.Errorf("the source of a new row is %q", got)
	}
}

func TestPastedJobs(t *testing.T) {
	d := newDesk(t)
	was := d.s.Doc
	n := len(was.Scenario.Jobs)
	d.do(PasteJobs{Job: n - 1, Field: edit.JobGPUs, Fields: edit.JobWeight + 1,
		Cells: [][]string{{"1", "100", "0"}, {"2", "200", "60"}}})
	jobs := d.s.Doc.Scenario.Jobs
	if len(jobs) != n+1 || jobs[n].GPUs != 2 || jobs[n].Steps != 200 || jobs[n].ArrivalS != 60 ||
		jobs[n-1].Steps != 100 {
		t.Fatalf("jobs %+v", jobs)
	}
	d.do(Undo{})
	text := "id\tmodel\tgpus\tsteps\na\tresnet-50\t1\t500\n"
	d.do(PasteJobs{Fields: edit.JobWeight + 1, Cells: edit.Cells(text), Text: text})
	if d.s.Import == nil || !d.s.Import.Open || d.s.Import.Report.Kept != 1 || d.s.Doc != was {
		t.Errorf("rows under a header are not previewed: %+v", d.s.Import)
	}
}

func TestTheSentenceTellsOfTheWholeSeries(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.SetJob{Job: 0, Field: edit.JobSteps, Value: 7}})
	d.do(Do{edit.SetJob{Job: 0, Field: edit.JobSteps, Value: 72}})
	if got := d.s.History.Entries[1].Sentence; got != "j1, steps: 21,600 to 72" {
		t.Errorf("the history says %q", got)
	}
}

// A trace can be pasted, into the page or into the box of the scenario's text; what is neither is left alone.
func TestPasteTrace(t *testing.T) {
	const trace = "job,app,arrival_s,replicas,batch\n0,ncf,5,1,32768\n1,cifar10,9,6,2048\n"
	read := func(d *desk, name string) {
		t.Helper()
		if im := d.s.Import; im == nil || !im.Open || im.Report.Jobs != 2 || im.Doc == nil {
			t.Fatalf("%s: the dialog shows %+v", name, im)
		}
	}
	d := newDesk(t)
	d.do(Paste{trace})
	read(d, "page")
	d = newDesk(t)
	d.do(TypedJSON{"\n" + trace})
	d.do(ApplyJSON{})
	read(d, "box")
	d = newDesk(t)
	was := d.s.Doc
	for _, text := range []string{"", "hello", "hello, wide, world", "https://example.org/a,b,c", "a\nb",
		"1a. Introduction", "see #5"} {
		d.do(Paste{text})
	}
	if d.s.Doc != was || d.s.Import != nil || d.s.Notice != nil {
		t.Error("a text that is neither does something")
	}
	if toast := d.s.Toast; toast == nil || !strings.Contains(toast.Text, "pasted") {
		t.Errorf("of a text that is neither the page says %v", toast)
	}
	fragment := link.Encode(d.s.Boot.PresetNamed(d.s.Boot.Presets[1].Name), d.s.Defaults)
	for _, text := range []string{fragment, "see #5: https://lab.example/#" + fragment} {
		if d.do(Paste{text}); d.s.Doc == was {
			t.Errorf("a pasted link is not opened: %v", d.s.Notice)
		}
		d.do(Undo{})
	}
	d.do(Paste{string(d.s.Boot.Docs[1])})
	if d.s.Doc == was {
		t.Error("a pasted scenario is not opened")
	}
	d.do(TypedJSON{"\"kind\": \"scenario\",\n\"a\", \"b\", 3"})
	if d.do(ApplyJSON{}); d.s.Notice == nil || d.s.Import != nil {
		t.Error("JSON with a fault is taken for a table")
	}
}
