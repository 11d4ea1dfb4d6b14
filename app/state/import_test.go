package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/imports"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

func TestATraceChangesNothingUntilItIsUsed(t *testing.T) {
	d := newDesk(t)
	was := d.s.Doc
	d.do(OpenFile{Name: "jobs.csv", Data: []byte("id,model,gpus,steps\na,resnet-50,1,500\nb,none,1,500\n")})
	im := d.s.Import
	if im == nil || !im.Open || im.Doc == nil || im.Report.Kept != 1 || im.Report.Dropped != 1 || d.s.Doc != was {
		t.Fatalf("import %+v", im)
	}
	d.do(CloseImport{})
	if d.s.Doc != was || d.s.Import != nil || d.s.History.CanUndo() {
		t.Fatal("leaving the dialog changes something")
	}
	d.do(OpenFile{Name: "jobs.csv", Data: []byte("id,model,gpus,steps\na,resnet-50,1,500\n")})
	d.do(UseImport{})
	if len(d.s.Doc.Scenario.Jobs) != 1 || d.s.Import != nil || d.s.Toast == nil || !d.s.Toast.Undo {
		t.Fatalf("toast %+v", d.s.Toast)
	}
	d.do(Undo{})
	if d.s.Doc != was {
		t.Error("taking a trace over cannot be undone at once")
	}
}

func TestBuiltInSpeedsServeATrace(t *testing.T) {
	d := newDesk(t)
	d.do(OpenFile{Name: "x.trace", Data: []byte("ResNet-18 (batch size 32)\tx\ty\t--steps\t1\t4000\t2\t1\t-1\t0\n")})
	im := d.s.Import
	if im == nil || im.Doc == nil || im.Report.Format != "gavel" || !im.Report.Guessed {
		t.Fatalf("import %+v, notice %+v", im, d.s.Notice)
	}
	row := im.Doc.Scenario.Throughputs.Rows[0]
	if row.Batch != 32 || row.PerGPU["v100"] != 29.95 || row.Gang["v100"]["2"] != 94.25 {
		t.Errorf("row %+v", row)
	}
}

func TestTooManyJobsNameTheCommandLine(t *testing.T) {
	d := newDesk(t)
	d.do(OpenFile{Name: "long.csv",
		Data: []byte("model,gpus,steps\n" + strings.Repeat("resnet-50,1,5\n", edit.MostJobs+1))})
	im := d.s.Import
	if im == nil || im.Doc != nil || !strings.Contains(im.Problem, "hadarlab import") {
		t.Fatalf("import %+v", im)
	}
	d.do(Choose{ImportChoice{Numbers: [5]string{"3"}}})
	if d.s.Import.Doc == nil || d.s.Import.Report.Jobs != 3 {
		t.Errorf("import %+v", d.s.Import)
	}
}

func TestARefusedTraceCanBeReadAsAnother(t *testing.T) {
	d := newDesk(t)
	was := d.s.Doc
	d.do(OpenFile{Name: "words.txt", Data: []byte("nothing but words\n")})
	if d.s.Notice == nil || !d.s.Notice.Trace || d.s.Import.Open || d.s.Doc != was {
		t.Fatalf("notice %+v", d.s.Notice)
	}
	d.do(Choose{ImportChoice{Format: "swf"}})
	if d.s.Notice != nil || !d.s.Import.Open || d.s.Import.Doc != nil || len(d.s.Import.Diags) == 0 {
		t.Errorf("import %+v", d.s.Import)
	}
	d.do(OpenFile{Name: "x.xlsx", Data: []byte("PK\x03\x04")})
	if d.s.Notice == nil || d.s.Notice.Trace {
		t.Error("a spreadsheet offers formats")
	}
}

// TestSampleOfATrace: what the page takes of a trace is what the command line takes with the same flags.
func TestSampleOfATrace(t *testing.T) {
	d := newDesk(t)
	rows := ""
	for i := range 40 {
		rows += "ResNet-18 (batch size 32)\tx\ty\t--steps\t1\t" + itoa(4000+i) + "\t1\t1\t-1\t" + itoa(10*i) + "\n"
	}
	d.do(OpenFile{Name: "jobs.trace", Data: []byte(rows)})
	choice := ImportChoice{Format: "gavel", Cluster: "v100=5"}
	choice.Numbers = [5]string{ImportFirst: "30", ImportSample: "6", ImportSeed: "9", ImportDivisor: "2",
		ImportPerNode: "2"}
	d.do(Choose{choice})
	want, report, _ := imports.Read(strings.NewReader(rows), "gavel",
		imports.Options{First: 30, Sample: 6, Seed: 9, ArrivalDivisor: 2, GPUsPerNode: 2,
			Cluster: []scenario.TypeCount{{Type: "v100", Count: 5}}})
	im := d.s.Import
	if im.Doc == nil || want == nil || string(im.Doc.Marshal(false)) != string(want.Marshal(false)) ||
		im.Report.Jobs != 6 || report.Seed != 9 || len(im.Doc.Scenario.Cluster.Nodes) != 3 {
		t.Fatalf("%+v, %+v", im.Report, im.Diags)
	}
	choice.Numbers[ImportDivisor] = "0"
	if d.do(Choose{choice}); !strings.Contains(d.s.Import.Problem,
		"The divisor of arrivals must be a number above 0") || d.s.Import.Doc != nil {
		t.Errorf("%+v", d.s.Import)
	}
	choice.Numbers[ImportDivisor], choice.Numbers[ImportSample] = "", "few"
	if d.do(Choose{choice}); !strings.Contains(d.s.Import.Problem,
		"The sample must be a whole number from 0 to 1,000,000") {
		t.Errorf("%+v", d.s.Import)
	}
}

// TestATraceThatIsNotReadYet: the dialog is open from the start and says that it reads; what is read then is shown in
// it, what fails is told in it and can be tried again, and who leaves it ends the reading.
func TestATraceThatIsNotReadYet(t *testing.T) {
	d := newDesk(t)
	s := d.s
	opened := func() *message.Message {
		t.Helper()
		file := OpenFile{Name: "jobs.csv", Data: []byte("id,model,gpus,steps\na,resnet-50,1,500\n")}
		effects := s.Reduce(file)
		if im := s.Import; im == nil || !im.Open || !im.Reading || im.Doc != nil || s.Announcement != "Reading…" {
			t.Fatalf("import %+v, it says %q", im, s.Announcement)
		}
		return effects[0].(room.Ask).Request
	}
	lost := func(id int64) Answer {
		return Answer{&message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: "no network"}}}
	}
	d.do(lost(opened().ID))
	im := s.Import
	if im == nil || !im.Open || im.Reading || im.Doc != nil || im.Problem != "The trace was not read: no network" ||
		s.Announcement != im.Problem || s.Notice != nil {
		t.Fatalf("import %+v, it says %q", im, s.Announcement)
	}
	if d.do(UseImport{}); s.Import == nil {
		t.Error("what was not read can be used")
	}
	if d.do(Choose{ImportChoice{Format: "csv"}}); s.Import.Doc == nil || s.Import.Problem != "" {
		t.Errorf("tried again it is %+v", s.Import)
	}
	d.do(CloseImport{})

	before := opened()
	left := s.Reduce(CloseImport{})
	if !slices.Contains(left, Effect(End{ID: before.ID})) || s.Import != nil {
		t.Errorf("left it is %+v, with %v", s.Import, left)
	}
	now := opened()
	d.do(lost(before.ID))
	if !s.Import.Reading {
		t.Error("the end of one that was left is taken for that of another")
	}
	d.do(imported(t, now))
	if s.Import.Doc == nil || s.Import.Reading {
		t.Errorf("import %+v", s.Import)
	}
	if left = s.Reduce(CloseImport{}); len(left) != 1 {
		t.Errorf("leaving what is read does %v", left)
	}
}
