package state

import (
	"math/rand/v2"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

func TestStartsReadyOnTheFirstDisagreement(t *testing.T) {
	d := newDesk(t)
	s := d.s
	if s.Status() != "ready" || !s.Fresh() {
		t.Fatalf("status %s", s.Status())
	}
	if s.Result.Diff.First < 0 || s.View.Moment != s.Result.Diff.First || s.View.Job == "" {
		t.Errorf("cursor at %d on job %q, first disagreement at %d", s.View.Moment, s.View.Job, s.Result.Diff.First)
	}
	e, problem := explained(s, 0)
	if e == nil || problem != "" || ChoiceFor(e, s.View.Job) == nil {
		t.Errorf("the landing round is not explained: %q", problem)
	}
}

func TestBakedResultIsTheEngines(t *testing.T) {
	d := newDesk(t)
	before := d.hash(0)
	d.do(RunNow{})
	d.pass(1000)
	if d.hash(0) != before || d.s.Result.ID == 0 {
		t.Error("the run gives another trace than the one made at build time")
	}
}

func TestEditRunsAndChangesTheResult(t *testing.T) {
	d := newDesk(t)
	before := d.hash(0)
	d.held = true
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
	if d.s.Status() != "running" || d.s.Fresh() || d.s.Result == nil {
		t.Fatalf("right after an edit: status %s, fresh %v", d.s.Status(), d.s.Fresh())
	}
	d.pass(30)
	if len(d.runs) != 0 {
		t.Error("the run starts before the keys rest")
	}
	d.pass(30)
	if len(d.runs) != 1 {
		t.Fatalf("%d runs, want one", len(d.runs))
	}
	if d.hash(0) != before {
		t.Error("the old result is gone before the new one stands")
	}
	d.held = false
	d.answer()
	if d.hash(0) == before || d.s.Status() != "ready" || !strings.HasPrefix(d.s.Announcement, "Run finished.") {
		t.Errorf("status %s, said %q", d.s.Status(), d.s.Announcement)
	}
}

func TestSupersededRunIsCancelledAndIgnored(t *testing.T) {
	d := newDesk(t)
	d.held = true
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
	d.pass(50)
	first := d.runs[0]
	d.log = nil
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 2}})
	cancelled := false
	for _, e := range d.log {
		if c, ok := e.(End); ok && c.ID == first.ID {
			cancelled = true
		}
	}
	if !cancelled {
		t.Error("the run of the past document goes on")
	}
	for _, m := range answers(first) { // it answers late
		d.do(Answer{m})
	}
	if d.s.Status() != "running" || d.s.Result.ID == first.ID {
		t.Error("a late answer became the result")
	}
	d.pass(50)
	d.runs, d.held = d.runs[1:], false
	d.answer()
	if !d.s.Fresh() || d.s.Status() != "ready" {
		t.Errorf("status %s", d.s.Status())
	}
}

func TestSeveralEditsWithinTheDebounceAreOneRun(t *testing.T) {
	d := newDesk(t)
	d.held = true
	for n := range 5 {
		d.do(Do{edit.SetJob{Job: 0, Field: edit.JobSteps, Value: float64(1000 + n)}})
		d.pass(10)
	}
	d.pass(100)
	if len(d.runs) != 1 {
		t.Errorf("%d runs, want one", len(d.runs))
	}
}

func TestErrorKeepsTheOldResultStale(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	before := d.hash(0)
	d.edit(edit.SetJob{Job: 3, Field: edit.JobGPUs, Value: 5000})
	if d.s.Status() != "error" || d.s.Fresh() || d.hash(0) != before || d.s.Run.Busy() {
		t.Fatalf("status %s, fresh %v", d.s.Status(), d.s.Fresh())
	}
	problems := form(d.s).Problems()
	if len(problems) == 0 || problems[0].Code != "job-too-large" {
		t.Fatalf("problems %v", problems)
	}
	label, fix := form(d.s).Fix(&problems[0])
	if fix == nil || label != "Set j4 to 6 GPUs (up to 11 only by mixing types)" {
		t.Fatalf("the repair for %v is %q", problems[0], label)
	}
	d.do(Mend{fix})
	d.pass(1000)
	if d.s.Status() != "ready" {
		t.Errorf("after the repair %q: status %s, %v", label, d.s.Status(), form(d.s).Problems())
	}
}

func TestUndoAndRedoAreExactInverses(t *testing.T) {
	d := newDesk(t)
	r := rand.New(rand.NewPCG(7, 7))
	for range 20 {
		var before []*scenario.Document
		for range 12 {
			was := d.s.Doc
			d.do(Do{randomEdit(r, d.s)})
			d.do(SealField{})
			if d.s.Doc != was {
				before = append(before, was)
			}
		}
		after := d.s.Doc
		texts := string(after.Marshal(true))
		for i := len(before) - 1; i >= 0; i-- {
			d.do(Undo{})
			if d.s.Doc != before[i] {
				t.Fatalf("undo %d gives another document", i)
			}
		}
		for range before {
			d.do(Redo{})
		}
		if d.s.Doc != after || string(d.s.Doc.Marshal(true)) != texts {
			t.Fatal("redo does not come back to where undo began")
		}
	}
}

// randomEdit is any edit that fits the document.
func randomEdit(r *rand.Rand, s *State) edit.Edit {
	sc := &s.Doc.Scenario
	jobs, nodes, rows := len(sc.Jobs), len(sc.Cluster.Nodes), len(sc.Throughputs.Rows)
	types := []string{"v100", "p100", "k80", "t4"}
	typ := types[r.IntN(len(types))]
	switch k := r.IntN(14); {
	case k == 0:
		return edit.AddNode{}
	case k == 1 && nodes > 1:
		return edit.RemoveNode{Node: r.IntN(nodes)}
	case k == 2 && nodes > 0:
		return edit.RemoveType{Node: r.IntN(nodes), Type: typ}
	case k == 3:
		return edit.AddJob{}
	case k == 4 && jobs > 1:
		return edit.RemoveJob{Job: r.IntN(jobs)}
	case k == 5 && jobs > 0:
		return edit.AddJob{CopyOf: 1 + r.IntN(jobs)}
	case k == 6 && jobs > 0:
		return edit.SetModel{Job: r.IntN(jobs), Row: r.IntN(rows)}
	case k == 7:
		return edit.SetSpeed{Row: r.IntN(rows), Type: typ, Value: float64(r.IntN(5))}
	case k == 8:
		p := &s.Boot.Policies[r.IntN(len(s.Boot.Policies))]
		return edit.SetPolicy{Lane: r.IntN(len(sc.Policies)), ID: p.ID, Title: p.Title}
	case k == 9:
		return edit.AddLane{ID: "fifo", Title: "FIFO"}
	case k == 10 && len(sc.Policies) > 1:
		return edit.RemoveLane{Lane: r.IntN(len(sc.Policies))}
	case k == 11:
		return edit.SetFigure{Figure: edit.RunForm()[r.IntN(6)], Value: float64(1 + r.IntN(500))}
	case k == 12:
		return edit.Rename{Title: strings.Repeat("x", 1+r.IntN(9))}
	case jobs > 0:
		return edit.SetJob{Job: r.IntN(jobs), Field: r.IntN(4), Value: float64(1 + r.IntN(9))}
	}
	return edit.SetGPUs{Node: r.IntN(nodes), N: r.IntN(5), Type: typ}
}

func TestEditsDoNotTouchTheDocumentBefore(t *testing.T) {
	d := newDesk(t)
	r := rand.New(rand.NewPCG(8, 8))
	for range 200 {
		was := d.s.Doc
		text := string(was.Marshal(true))
		d.do(Do{randomEdit(r, d.s)})
		if string(was.Marshal(true)) != text {
			t.Fatal("an edit changed a document that undo goes back to")
		}
	}
}

func TestKeystrokesInOneFieldAreOneEntry(t *testing.T) {
	d := newDesk(t)
	steps := func(text string) {
		d.do(Typed{Field: "job/0/1", Name: "steps of j1", Text: text, Range: rangeOf(edit.JobSteps),
			Edit: edit.SetJob{Job: 0, Field: edit.JobSteps}})
	}
	was := d.s.Doc
	for _, text := range []string{"2", "21", "216", "2160", "21,600"} {
		steps(text)
		if form(d.s).FieldText("job/0/1", "?") != text {
			t.Fatalf("the field shows %q while %q is typed", form(d.s).FieldText("job/0/1", "?"), text)
		}
	}
	if d.s.History.Pos != 1 || d.s.Doc.Scenario.Jobs[0].Steps != 21600 {
		t.Fatalf("%d edits, %v steps", d.s.History.Pos, d.s.Doc.Scenario.Jobs[0].Steps)
	}
	d.do(Left{"job/0/1"})
	steps("5")
	if d.s.History.Pos != 2 {
		t.Error("what is typed after leaving the field joins the entry before")
	}
	d.do(Undo{})
	d.do(Undo{})
	if d.s.Doc != was {
		t.Error("undo does not come back")
	}
}

// A number out of range takes with it what stood on the way to it, and the page does not say that all is well.
func TestNumberOutOfRangeIsRefused(t *testing.T) {
	d := newDesk(t)
	was, edits := d.s.Doc, d.s.History.Pos
	d.do(Do{edit.SetGPUs{Node: 1, Type: "p100", N: 5}})
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 5}}) // by its button: no keystroke may take it back
	d.pass(1000)
	stepped := d.s.Doc
	for _, text := range []string{"9", "99", "999", "9999", "99999"} {
		d.do(Typed{Field: "gpus/0/v100", Name: "v100 on n1", Text: text, Range: edit.Range{Min: 0, Max: 4096,
			Whole: true},
			Edit: edit.SetGPUs{Node: 0, Type: "v100"}})
	}
	if d.s.Doc != stepped || d.s.History.Pos != edits+2 {
		t.Errorf("%d GPUs and %d edits are left", d.s.Doc.Scenario.Cluster.Nodes[0].GPUs["v100"], d.s.History.Pos)
	}
	d.pass(1000)
	d.do(Left{"gpus/0/v100"}) // by Enter or Tab
	if d.s.Status() != "error" || d.s.Faults() != 1 ||
		d.s.Announcement != "v100 on n1 must be a whole number from 0 to 4,096; it says 99,999." {
		t.Errorf("the page says %s: %s", d.s.Status(), d.s.Announcement)
	}
	d.do(Discard{"gpus/0/v100"})
	if d.s.Status() != "ready" || form(d.s).FieldText("gpus/0/v100", "5") != "5" {
		t.Errorf("after the number was put back the page says %s", d.s.Status())
	}
	d.do(Undo{})
	d.do(Undo{})
	if d.s.Doc != was {
		t.Error("undo does not come back")
	}
}

func TestUnreadableTextChangesNothingAndSaysWhy(t *testing.T) {
	d := newDesk(t)
	was := d.s.Doc
	type_ := func(text string) {
		d.do(Typed{Field: "f", Name: "GPUs of j1", Text: text, Range: rangeOf(edit.JobGPUs),
			Edit: edit.SetJob{Job: 0, Field: edit.JobGPUs}})
	}
	type_("x")
	if d.s.Doc != was || d.s.Status() != "ready" {
		t.Fatal("an unreadable text changed the document")
	}
	if _, shown := form(d.s).ShownDrafts(); len(shown) != 0 {
		t.Error("the fault is shown while it is being typed")
	}
	d.do(Left{"f"})
	_, shown := form(d.s).ShownDrafts()
	if len(shown) != 1 || shown[0].Message != "GPUs of j1 must be a whole number from 1 to 100,000; it says “x”." {
		t.Fatalf("shown %v", shown)
	}
	d.do(Discard{"f"})
	if form(d.s).FieldText("f", "2") != "2" {
		t.Error("the number does not come back")
	}
}

func TestCancelKeepsTheOldResult(t *testing.T) {
	d := newDesk(t)
	hash := d.hash(0)
	d.held = true
	d.do(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	d.pass(100)
	d.do(Cancel{})
	if !d.s.Run.Stopping {
		t.Fatal("cancel is not under way")
	}
	d.do(Answer{&message.Message{ID: d.s.Run.ID, Failure: &message.Failure{Lane: -1, Message: "stopped"}}})
	if d.s.Status() != "stale" || d.hash(0) != hash || d.s.Run.Busy() {
		t.Errorf("status %s", d.s.Status())
	}
	d.runs, d.held = nil, false
	d.do(RunNow{})
	if d.s.Status() != "ready" || d.hash(0) == hash {
		t.Errorf("the next run does not stand: %s", d.s.Status())
	}
}

func TestOneLaneFailsTheOtherStands(t *testing.T) {
	d := newDesk(t)
	d.held = true
	d.do(RunNow{})
	r := d.runs[0]
	for _, m := range answers(r) {
		if m.Lane != nil && m.Lane.Policy == "gavel-las" {
			m = &message.Message{ID: r.ID, Failure: &message.Failure{Lane: 1, Policy: "gavel-las",
				Message: "the policy failed"}}
		}
		d.do(Answer{m})
	}
	if l := d.s.Result.Lanes; l[0].Trace == nil || l[1].Trace != nil || l[1].Failure == nil || d.s.Status() != "ready" {
		t.Errorf("status %s", d.s.Status())
	}
}

func TestEngineCrash(t *testing.T) {
	d := newDesk(t)
	d.held = true
	d.do(Do{edit.SetGPUs{Node: 0, N: 1, Type: "v100"}})
	d.pass(100)
	d.do(EngineDied{Message: "it died", Again: true})
	if d.s.Status() != "error" || d.s.Run.Failure == nil || d.s.Run.Failure.Message != "it died" {
		t.Fatalf("status %s", d.s.Status())
	}
	d.runs, d.held = nil, false
	d.do(RunNow{}) // asked for before the engine is back
	d.do(Answer{&message.Message{Ready: true}})
	d.pass(1000)
	if d.s.Status() != "ready" || !d.s.Fresh() {
		t.Errorf("after the restart: %s", d.s.Status())
	}
}

func TestCursorKeepsItsTimeOverAnEdit(t *testing.T) {
	d := newDesk(t)
	d.do(Go{To: 3})
	at := d.s.Result.Diff.Moments[3].At
	d.edit(edit.SetJob{Job: 5, Field: edit.JobSteps, Value: 4000})
	m, _ := d.s.Result.Moment(d.s.View.Moment)
	if m.At > at || m.End <= at {
		t.Errorf("the cursor stands at %d, was at %d", m.At, at)
	}
}

func TestPlayEndsAtTheLastRound(t *testing.T) {
	d := newDesk(t)
	d.do(Play{})
	d.pass(1 << 20)
	if d.s.View.Playing || d.s.View.Moment != len(d.s.Result.Diff.Moments)-1 {
		t.Errorf("playing %v at %d", d.s.View.Playing, d.s.View.Moment)
	}
}

func TestWalkReachesEveryLaneAndStaysInside(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	r := rand.New(rand.NewPCG(5, 5))
	lanes := map[int]bool{}
	for range 400 {
		step := [...]Walk{{DX: 1}, {DX: -1}, {DY: 1}, {DY: -1}}[r.IntN(4)]
		d.do(step)
		at := d.s.View.Bar
		if at.Lane < 0 || at.Index < 0 || at.Index >= len(d.s.Result.Lanes[at.Lane].Chart.Bars) {
			t.Fatalf("%+v leads to %+v", step, at)
		}
		if l := d.s.Result.Lanes[at.Lane]; !strings.HasPrefix(d.s.Announcement, l.Title+", "+d.s.View.Job+": ") {
			t.Fatalf("%s of %s is read out as %q", d.s.View.Job, l.Title, d.s.Announcement)
		}
		lanes[at.Lane] = true
	}
	if len(lanes) != 2 {
		t.Errorf("the walk saw %d lanes", len(lanes))
	}
}

// TestTextThatTheFormHasOvertaken: a text that is not applied says when to apply it would undo an edit made elsewhere.
func TestTextThatTheFormHasOvertaken(t *testing.T) {
	d := newDesk(t)
	text, _ := d.s.JSONText(d.s.Doc)
	d.do(TypedJSON{text + " "})
	if d.s.JSONBehind(d.s.Doc) {
		t.Error("nothing was changed elsewhere")
	}
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 5}})
	d.do(TypedJSON{text + "  "})
	if !d.s.JSONBehind(d.s.Doc) {
		t.Error("to apply the text undoes an edit, and it does not say so")
	}
	d.do(Discard{"json"})
	if d.s.JSONBehind(d.s.Doc) {
		t.Error("the text is the scenario's again")
	}
}

// TestUnknownMembersAreFlagged: what has no effect is kept and said, until the text says it no more; undo knows it too,
// and what the page makes itself has none.
func TestUnknownMembersAreFlagged(t *testing.T) {
	d := newDesk(t)
	text, _ := d.s.JSONText(d.s.Doc)
	odd := strings.Replace(text, `"jobs"`, `"colour": "red", "jobs"`, 1)
	flagged := func() bool {
		for _, p := range form(d.s).Problems() {
			if p.Code == "unknown-member" && p.Level == "note" && strings.Contains(p.Path, "colour") {
				return true
			}
		}
		return false
	}
	d.do(TypedJSON{odd})
	d.do(ApplyJSON{})
	d.do(Do{edit.SetGPUs{Node: 0, Type: "v100", N: 1}})
	if !flagged() || d.s.Diags.HasErrors() || !strings.Contains(string(d.s.Doc.Marshal(false)), "colour") {
		t.Errorf("of a member that nobody knows it says %v", form(d.s).Problems())
	}
	d.do(Undo{})
	d.do(Undo{})
	if flagged() {
		t.Error("undo leaves the remark")
	}
	d.do(Redo{})
	fresh := newDesk(t)
	fresh.do(d.kept())
	if form(fresh.s).Problems() == nil || !flagged() {
		t.Error("redo or a reload loses the remark")
	}
	for i := range d.s.Boot.Presets {
		d.do(LoadPreset{d.s.Boot.Presets[i].Name})
		link := link.Encode(d.s.Doc, d.s.Defaults)
		d.do(OpenLink{Link: link, Address: "/#" + link})
		if p := form(d.s).Problems(); len(p) > 0 {
			t.Errorf("%s: %v", d.s.Boot.Presets[i].Name, p)
		}
	}
}
