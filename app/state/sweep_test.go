package state

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// started is the sweep that the page has asked for last.
func (d *desk) started() *asked[message.SweepRequest] {
	for i := len(d.log) - 1; i >= 0; i-- {
		if e, ok := d.log[i].(room.Ask); ok && e.Request.Sweep != nil {
			return &asked[message.SweepRequest]{e.Request.ID, e.Request.Sweep}
		}
	}
	d.t.Fatal("nothing was asked")
	return nil
}

// sweeps answers the last sweep, until so many runs are done; -1 = all.
func (d *desk) sweeps(runs int) *lab.Sweep {
	asked := d.started()
	w, diags := lab.OpenSweep(asked.Request)
	if w == nil {
		d.do(Answer{&message.Message{ID: asked.ID,
			Failure: &message.Failure{Lane: -1, Message: diags[0].Message.String(),
				Diagnostics: diags}}})
		return nil
	}
	for more := true; more && (runs < 0 || w.Progress().Done < runs); {
		more = w.Spend(50)
		if _, faults := w.Result(); faults != nil {
			d.do(Answer{&message.Message{ID: asked.ID,
				Failure: &message.Failure{Lane: -1, Message: faults[0].Message.String(),
					Diagnostics: faults}}})
			return w
		}
		d.do(Answer{&message.Message{ID: asked.ID, Swept: w.News()}})
	}
	return w
}

// TestWhatASeedDraws: it is said beforehand, and is what the engine does: the listed jobs stay and their lengths vary,
// by nothing without noise; drawn jobs are others, and no noise is put on them.
func TestWhatASeedDraws(t *testing.T) {
	d := newDesk(t)
	d.do(ToggleSweep{})
	if len(d.log) == 0 || d.log[len(d.log)-1] != (Reveal{room.PartReplicates}) {
		t.Error("the opened section may be out of sight")
	}
	for _, wrong := range []Action{SetSeeds{"one"}, SetNoise{"-1"}, SetNoise{"101"}} {
		d.do(SetSeeds{"4"})
		d.do(SetNoise{"10"})
		d.do(wrong)
		d.do(Replicate{})
		if d.s.Replicates.Busy() || !strings.Contains(d.s.Replicates.SeedsProblem(), "from ") {
			t.Errorf("%v is taken for a number: %s", wrong, d.s.Replicates.SeedsProblem())
		}
	}
	d.do(SetNoise{"0"})
	if says := d.s.Draws(d.s.Doc); says != nil {
		t.Errorf("without noise it draws %q", says)
	}
	d.do(Replicate{})
	d.sweeps(-1)
	if d.s.Replicates.Problem.String() != lab.NoRandomPart.String() || d.s.Replicates.Busy() {
		t.Fatalf("%+v", d.s.Replicates)
	}
	d.do(SetNoise{"10"})
	says := strings.Join(d.s.Draws(d.s.Doc), "\n")
	if !strings.HasPrefix(says, "The jobs stay as they are listed") || !strings.Contains(says,
		"two in three between 0.90 and 1.11.") {
		t.Errorf("it says %q", says)
	}
	before := d.s.Doc
	d.do(Replicate{})
	d.sweeps(-1)
	of := d.s.Replicates.Estimates()
	if len(of) != 2 || of[1].Differences == nil || compare.Estimate(of[1].Differences, "jct_s").N != 4 ||
		!d.s.Replicates.Over || d.s.Doc != before || d.s.Replicates.Sweep.Stale(d.s.Doc) {
		t.Fatalf("%+v", d.s.Replicates)
	}
	// the section says the first against the second, as the headline above it
	raw, said := compare.Estimate(of[1].Differences, "jct_s"), compare.Against(of, 1, "jct_s")
	if raw.Mean == 0 || said.Mean != -raw.Mean || *said.Low != -*raw.High || *said.High != -*raw.Low {
		t.Errorf("the document has %+v, the page says %+v", raw, said)
	}
	if rows := strings.Split(string(share.RunsCSV(&d.s.Replicates.Sweep)), "\n"); len(rows) != 1+8+1 ||
		rows[0] != strings.Join(message.RunHead(), ",") {
		t.Errorf("%q", rows)
	}
	d.edit(edit.Generate(5))
	if says := d.s.Draws(d.s.Doc); len(says) != 1 || !strings.HasPrefix(says[0], "Other jobs: ") ||
		!d.s.Replicates.Sweep.Stale(d.s.Doc) {
		t.Errorf("of drawn jobs it says %q", says)
	}
	d.do(Replicate{})
	if noise := d.s.Replicates.Request.LengthNoise; noise != 0 {
		t.Errorf("drawn jobs vary by %v besides", noise)
	}
}

// TestSweepKeepsWhatIsDone: a stopped sweep keeps its points, also where the engine had to be ended by force.
func TestSweepKeepsWhatIsDone(t *testing.T) {
	for _, last := range []*message.Message{{Swept: &message.SweepNews{Over: true, Stopped: true}},
		{Failure: &message.Failure{Lane: -1, Message: "stopped"}}} {
		d := newDesk(t)
		d.do(ChooseVariable{Path: "/scenario/round_s"})
		d.do(TypeValues{Text: "60 to 600 by 60"})
		d.do(RunVary{})
		d.sweeps(7)
		v := &d.s.Vary
		if !v.Busy() || v.Runs() < 7 || v.At.Runs != 20 {
			t.Fatalf("%+v", v.At)
		}
		runs := v.Runs()
		d.do(StopSweep{Vary: true})
		if !v.Stopping || d.log[len(d.log)-1] != (End{ID: v.ID}) {
			t.Fatal("the engine is not asked to stop")
		}
		last.ID = v.ID
		d.do(Answer{last})
		if v.Busy() || v.Over || !v.Problem.IsZero() || v.Runs() != runs {
			t.Errorf("%+v", v.Sweep)
		}
		d.do(SaveSweep{Vary: true})
		if f := d.log[len(d.log)-1].(room.Download); !strings.Contains(f.Name, "-sweep-partial.csv") ||
			len(strings.Split(string(f.Data), "\n")) != runs+2 {
			t.Errorf("%s has %d lines", f.Name, len(strings.Split(string(f.Data), "\n")))
		}
	}
}

// TestPointBecomesTheScenario: a point is loaded as one edit, and the sweep stays that of the scenario.
// reveals counts how often a part of the page was brought into sight.
func (d *desk) reveals(part room.Part) (n int) {
	for _, e := range d.log {
		if e == Effect(Reveal{part}) {
			n++
		}
	}
	return n
}

func TestPointBecomesTheScenario(t *testing.T) {
	d := newDesk(t)
	first := d.s.Varying().Axis(0)
	if !strings.HasPrefix(first.Path, "/scenario/cluster/nodes/0/gpus/") {
		t.Fatalf("%+v", first)
	}
	d.do(TypeValues{Text: "1, 2, 3"})
	d.do(ChooseVariable{Axis: 1, Path: "/scenario/overheads/restart_s"})
	d.do(TypeValues{Axis: 1, Text: "0 45"})
	d.do(RunVary{})
	d.sweeps(-1)
	if n := d.reveals(room.PartVarySays); n != 1 {
		t.Errorf("what comes is brought into sight %d times", n)
	}
	v := &d.s.Vary
	if !v.Over || len(v.Points) != 6 || v.Point(2, 1) != 5 {
		t.Fatalf("%+v", v.At)
	}
	d.do(OpenPoint{5})
	d.pass(1000)
	if sc := &d.s.Doc.Scenario; sc.Overheads.RestartS != 45 || v.Cursor != 2 || v.Sweep.Stale(d.s.Doc) ||
		d.s.Toast == nil {
		t.Errorf("%+v", sc.Overheads)
	}
	for i := range v.Points[5].Runs {
		if d.hash(i) != v.Points[5].Runs[i].TraceHash {
			t.Errorf("lane %d is not the run of the point", i)
		}
	}
	d.do(Undo{})
	if v.Sweep.Stale(d.s.Doc) {
		t.Error("the scenario of the sweep is not known any more")
	}
	d.edit(edit.SetFigure{Figure: edit.RunForm()[edit.Round], Value: 90})
	if !v.Sweep.Stale(d.s.Doc) {
		t.Error("the sweep passes for that of another scenario")
	}
	d.do(WalkPoint{By: 9})
	if v.Cursor != 2 {
		t.Errorf("the cursor is at %d", v.Cursor)
	}
	d.do(OpenPoint{5})
	if d.s.Toast == nil || !strings.Contains(d.s.Toast.Text, "Undo brings yours back") {
		t.Errorf("a point of another scenario takes its place, and the page says %+v", d.s.Toast)
	}
	d.do(EngineDied{Message: "boom", Again: true})
	d.do(ChooseVariable{Axis: 1})
	if d.do(RunVary{}); len(v.Variables) != len(v.Request.Vary) {
		t.Errorf("the engine is not ready, and %d names stand for %d numbers", len(v.Variables), len(v.Request.Vary))
	}
	if len(v.Points) != 6 || !v.Problem.IsZero() {
		t.Error("what was done is lost with the engine")
	}
}

// TestWhatIsShownStays: a view that shows the points tells by comparing them that one has come.
func TestWhatIsShownStays(t *testing.T) {
	d := newDesk(t)
	d.do(RunVary{})
	lane := message.Lane{Policy: "hadar"}
	news := func() {
		d.do(Answer{&message.Message{ID: d.s.Vary.ID,
			Swept: &message.SweepNews{Points: []message.SweepPoint{{Runs: []message.Lane{lane}}}}}})
	}
	news()
	shown := d.s.Vary
	if news(); len(shown.Points[0].Runs) != 1 || reflect.DeepEqual(shown, d.s.Vary) {
		t.Errorf("%d runs are shown, %d have come", len(shown.Points[0].Runs), len(d.s.Vary.Points[0].Runs))
	}
}

// TestWrongNumbersSaySo: what cannot be varied is refused here or by the engine, with a reason.
func TestWrongNumbersSaySo(t *testing.T) {
	d := newDesk(t)
	d.do(ChooseVariable{Path: "", Free: true})
	if d.s.Varying().Problem() != "Choose a number." {
		t.Error(d.s.Varying().Problem())
	}
	d.do(ChooseVariable{Path: "/scenario/nothing/here", Free: true})
	d.do(TypeValues{Text: "1 2"})
	d.do(RunVary{})
	d.sweeps(-1)
	if !strings.Contains(d.s.Vary.Problem.String(), "no number at /scenario/nothing/here") {
		t.Errorf("%+v", d.s.Vary.Sweep)
	}
	d.do(ChooseVariable{Path: "/scenario/round_s"})
	d.do(ChooseVariable{Axis: 1, Path: "/scenario/round_s"})
	if d.s.Varying().Problem() != "The second number is the first one." {
		t.Error(d.s.Varying().Problem())
	}
	d.do(ChooseVariable{Axis: 1})
	d.do(TypeValues{Text: "60, 0"})
	if !strings.Contains(d.s.Varying().Problem(), "from 1 to 1,000,000,000 s") {
		t.Error(d.s.Varying().Problem())
	}
}

// TestVariablesAreNumbersOfTheDocument: each name's pointer is one that the engine can set to the number as it stands.
func TestVariablesAreNumbersOfTheDocument(t *testing.T) {
	d := newDesk(t)
	d.edit(edit.Generate(5))
	d.edit(edit.FailAtRandom(true))
	variables := d.s.Varying().Variables()
	seen := map[string]bool{}
	for _, k := range variables {
		text, err := jsondoc.SetNumber(d.s.Doc.Marshal(false), k.Path, k.Value)
		if err != nil || seen[k.Path] || k.Name == "" {
			t.Errorf("%+v: %v", k, err)
		}
		seen[k.Path] = true
		_, diags := scenario.Parse(text, scenario.FileLimits)
		for _, d := range diags {
			if d.Code == "unknown-member" {
				t.Errorf("%s: %s", k.Path, d.Message)
			}
		}
		usual := d.s.Varying().usual()(&k)
		if len(usual) < 2 || !slices.Contains(usual, k.Value) {
			t.Errorf("%s is %v and offers %v", k.Name, k.Value, usual)
		}
		if _, problem := compare.ParseValues(compare.Offered(&k, usual, 1), k.Range, compare.MaxSecond); problem != "" {
			t.Errorf("%s offers %s as the second number, which %s", k.Name, compare.Offered(&k, usual, 1), problem)
		}
	}
	if len(variables) < 30 {
		t.Errorf("%d numbers have names", len(variables))
	}
}

// TestOfferedValuesRun: what is offered for a number runs as it stands, also where a usual value would be refused.
func TestOfferedValuesRun(t *testing.T) {
	d := newDesk(t)
	for j := range d.s.Doc.Scenario.Jobs {
		d.do(ChooseVariable{Path: edit.JobForm(j, edit.JobGPUs).Path})
		d.do(RunVary{})
		if d.sweeps(-1); !d.s.Vary.Over || !d.s.Vary.Problem.IsZero() {
			t.Errorf("%s: %s", d.s.Varying().Axis(0).Text, d.s.Vary.Problem)
		}
	}
}

// TestSweepOnTheServer: replicates and sweeps go there once the server is known to take them, without lanes of forced
// choices, and what it answers or refuses is told as of the page's own.
func TestSweepOnTheServer(t *testing.T) {
	d := newDesk(t)
	d.do(ToggleSweep{})
	if !slices.Contains(d.log, Effect(AskServer{})) {
		t.Error("an opened section does not ask whether the server takes runs")
	}
	d.do(Replicate{OnServer: true})
	if d.s.Replicates.Busy() {
		t.Fatal("replicates go to a server that is not known to take them")
	}
	d.do(ServerKnown{Takes: true})
	d.do(SetNoise{"10"})
	d.do(Replicate{OnServer: true})
	sent, ok := d.log[len(d.log)-1].(SendSweep)
	if !ok || !d.s.Replicates.OnServer || sent.Request.LengthNoise != 0.1 || len(sent.Request.Policies) != 2 {
		t.Fatalf("sent is %+v", d.log[len(d.log)-1])
	}
	d.do(EngineDied{Message: "out of memory", Again: true})
	if !d.s.Replicates.Busy() {
		t.Error("the engine of the page ends what the server does")
	}
	d.do(StopSweep{})
	if d.log[len(d.log)-1] != (StopSweepOnServer{ID: sent.ID}) {
		t.Errorf("to stop it is %+v", d.log[len(d.log)-1])
	}
	w, _ := lab.OpenSweep(sent.Request)
	for w.Spend(1 << 20) {
	}
	d.do(Answer{&message.Message{ID: sent.ID, Swept: w.News()}})
	if r := &d.s.Replicates; r.Busy() || r.Runs() != 40 || len(r.Estimates()) != 2 {
		t.Errorf("%d runs came from the server, %d estimates", r.Runs(), len(r.Estimates()))
	}
	d.do(Replicate{OnServer: true})
	full := &message.Failure{Lane: -1, Message: "32 runs are waiting, which is the most"}
	d.do(Answer{&message.Message{ID: d.s.Replicates.ID, Failure: full}})
	if got := d.s.Replicates.Problem.In(words.Now()); got != "The server refused: 32 runs are waiting, which is the most" {
		t.Errorf("a refusal is told as %q", got)
	}
}
