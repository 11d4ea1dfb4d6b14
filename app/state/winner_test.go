package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// search answers the values that are asked for, one after the other, until so many numbers are done; -1 = all.
func (d *desk) search(numbers int) {
	for h := &d.s.WinnerSearch; h.Busy() && (numbers < 0 || h.Done < numbers); {
		d.sweeps(-1)
	}
}

// winner runs a scenario with one number set, and says which of the first two policies has the better mean completion.
func winner(t *testing.T, doc *scenario.Document, path string, value float64) (first bool, whole bool) {
	t.Helper()
	w, diags := lab.NewSweep(&message.SweepRequest{Scenario: doc.Marshal(false),
		Vary: []message.Axis{{Path: path, Values: []float64{value}}}})
	if w == nil {
		t.Logf("%s: %v is refused: %s", path, value, diags[0].Message)
		return false, false
	}
	for w.Spend(1 << 20) {
	}
	res, _ := w.Result()
	runs := res.Points[0].Runs
	return runs[0].Metrics.AvgJCTS < runs[1].Metrics.AvgJCTS, runs[0].Outcome == "done" && runs[1].Outcome == "done"
}

// TestWinnerSearchFindsTheNearest: each number that is said to change the winner does so at its value, and at no value
// between.
func TestWinnerSearchFindsTheNearest(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	doc := d.s.Doc
	plan, most := d.s.Varying().Plan()
	if len(plan) != len(d.s.Varying().Variables()) || most < 4*len(plan) {
		t.Fatalf("%d numbers in %d runs", len(plan), most)
	}
	d.do(StartWinnerSearch{})
	d.search(-1)
	if n := d.reveals(room.PartWinnersSays); n != 1 {
		t.Errorf("what is found is brought into sight %d times", n)
	}
	h := &d.s.WinnerSearch
	found := h.Winners()
	if !h.Over || h.Done != len(plan) || len(found) == 0 || len(found) == len(plan) || h.Leads == 0 {
		t.Fatalf("%d of %d numbers change the winner, %+v", len(found), h.Done, h.Sweep)
	}
	t.Logf("%d of %d numbers", len(found), h.Done)
	before := h.Now[0] < h.Now[1]
	for i := range h.Tries {
		k := &h.Tries[i]
		if n := len(k.Ran()) + len(k.Lost); !slices.Contains(k.Ran(), k.Value) || !k.Found && n != len(k.Values) ||
			k.Found && (!slices.Contains(k.Ran(), k.To) || n > len(k.Values)) {
			t.Errorf("%s: %v were compared and %v could not, of %v", k.Name, k.Ran(), k.Lost, k.Values)
		}
		for _, v := range compare.Outward(k.Values, k.Value) {
			first, whole := winner(t, doc, k.Path, v)
			if k.Found && v == k.To {
				if first == before || !whole || (k.JCT[0] < k.JCT[1]) != first {
					t.Errorf("%s to %v is said to change the winner: %v", k.Name, v, k.JCT)
				}
				break
			}
			if whole == slices.Contains(k.Lost, v) {
				t.Errorf("%s to %v ends with every job done: %v, and it is told otherwise", k.Name, v, whole)
			}
			if whole && first != before && v != k.Value {
				t.Errorf("%s to %v changes the winner and is not told; found %v at %v", k.Name, v, k.Found, k.To)
				break
			}
		}
	}

	d.do(TryFound{found[0]})
	d.pass(1000)
	if d.s.Doc == doc || d.s.Toast == nil || !d.s.Toast.Undo ||
		!strings.Contains(d.s.Toast.Text, h.Tries[found[0]].Name) || h.Sweep.Stale(d.s.Doc) {
		t.Errorf("%+v", d.s.Toast)
	}
	if r := d.s.Result; (r.Lanes[0].Meta.Metrics.AvgJCTS < r.Lanes[1].Meta.Metrics.AvgJCTS) == before {
		t.Error("the scenario that was opened has the winner that it had")
	}
	d.do(Undo{})
	if d.s.Doc != doc {
		t.Error("the value is not undone")
	}
	d.do(CurveOf{found[0]})
	if v := &d.s.Vary; !v.Busy() || v.Request.Vary[0].Path != h.Tries[found[0]].Path ||
		!slices.Contains(v.Request.Vary[0].Values, h.Tries[found[0]].To) ||
		!slices.Contains(v.Request.Vary[0].Values, h.Tries[found[0]].Value) {
		t.Errorf("%+v", v.Axes)
	}
	d.edit(edit.SetFigure{Figure: edit.RunForm()[edit.Round], Value: 90})
	if !h.Sweep.Stale(d.s.Doc) {
		t.Error("the search passes for that of another scenario")
	}
}

// TestWinnerSearchOfTwins: where both policies are one, no number changes the winner, and that is said of all.
func TestWinnerSearchOfTwins(t *testing.T) {
	d := newDesk(t)
	for lane := range 2 {
		d.edit(edit.SetPolicy{Lane: lane, ID: "fifo"})
	}
	d.do(StartWinnerSearch{})
	d.search(-1)
	h := &d.s.WinnerSearch
	if !h.Over || h.Leads != 0 || h.Unfit || h.Done != len(h.Tries) || h.Winners() != nil {
		t.Errorf("%v part a policy from itself: %+v", h.Winners(), h.Sweep)
	}
	d.edit(edit.RemoveLane{Lane: 1})
	if plan, runs := d.s.Varying().Plan(); plan != nil || runs != 0 || d.s.WinnerSearch.Busy() {
		t.Error("one policy alone is compared")
	}
}

// TestWinnerSearchKeepsWhatIsFound: stopped, or with a dead engine, what was found stays, and late answers change
// nothing.
func TestWinnerSearchKeepsWhatIsFound(t *testing.T) {
	for _, end := range []Action{StopWinnerSearch{}, EngineDied{Message: "boom", Again: true}} {
		d := newDesk(t)
		d.do(StartWinnerSearch{})
		d.search(5)
		h := &d.s.WinnerSearch
		asked := d.started()
		done, found := h.Done, len(h.Winners())
		if !h.Busy() || done != 5 {
			t.Fatalf("%d numbers are done", done)
		}
		d.do(end)
		if h.Busy() || h.Over || h.Done != done {
			t.Errorf("%+v", h.Sweep)
		}
		if end == (StopWinnerSearch{}) && d.log[len(d.log)-1] != (End{ID: asked.ID}) {
			t.Error("the engine is not asked to stop")
		}
		d.do(Answer{&message.Message{ID: asked.ID, Swept: &message.SweepNews{Over: true, Stopped: true}}})
		if h.Busy() || h.Done != done || len(h.Winners()) != found {
			t.Error("a late answer changes what was found")
		}
	}
}

// TestWinnerSearchOfTheUnfinished: policies that do not finish every job as the scenario stands are not compared.
func TestWinnerSearchOfTheUnfinished(t *testing.T) {
	d := newDesk(t)
	d.edit(edit.SetFigure{Figure: edit.RunForm()[edit.Horizon], Value: 60})
	d.do(StartWinnerSearch{})
	d.search(-1)
	if h := &d.s.WinnerSearch; !h.Unfit || h.Done != 0 || h.Over {
		t.Errorf("%+v", h.Sweep)
	}
}

// TestUsualValues: what is offered is in proportion to the scenario.
func TestUsualValues(t *testing.T) {
	d := newDesk(t)
	span := compare.Span(d.s.Doc, d.s.Varying().Ran)
	for _, k := range d.s.Varying().Variables() {
		values := d.s.Varying().usual()(&k)
		last := values[len(values)-1]
		if !slices.IsSorted(values) {
			t.Errorf("%s: %v", k.Name, values)
		}
		switch {
		case k.Instant && (values[0] != 0 || last < 0.6*span || last > 1.1*span):
			t.Errorf("%s: %v in a scenario of %v s", k.Name, values, span)
		case k.Path == "/scenario/round_s" && (values[0] != k.Value/4 || last != 8*k.Value):
			t.Errorf("rounds of %v s give %v", k.Value, values)
		case strings.HasSuffix(k.Path, "restart_s") && (values[0] != 0 || last < d.s.Doc.Scenario.RoundS/2):
			t.Errorf("restarts of %v s give %v", k.Value, values)
		}
	}
}

// TestNothingRandomAgreesWithTheEngine: for every policy, with each of its switches on and off.
func TestNothingRandomAgreesWithTheEngine(t *testing.T) {
	d := newDesk(t)
	d.do(SetNoise{"0"})
	seen := map[bool]int{}
	check := func(params map[string]any, id string) {
		d.s.Doc = d.s.Doc.Clone()
		d.s.Doc.Scenario.Policies = []scenario.Policy{{ID: id, Params: params}}
		ref := d.s.Doc.Scenario.Policies[0].Ref()
		want := len(lab.RandomParts(d.s.Doc, []message.PolicyRef{ref})) == 0
		if got := len(d.s.Draws(d.s.Doc)) == 0; got != want {
			t.Errorf("%s with %v: nothing is random is %v, the engine says %v", id, params, got, want)
		}
		seen[want]++
	}
	for i := range d.s.Boot.Policies {
		p := &d.s.Boot.Policies[i]
		check(nil, p.ID)
		for k := range p.Params {
			if p.Params[k].Kind == "bool" {
				check(map[string]any{p.Params[k].Name: true}, p.ID)
				check(map[string]any{p.Params[k].Name: false}, p.ID)
			}
			for _, choice := range p.Params[k].Choices {
				check(map[string]any{p.Params[k].Name: choice}, p.ID)
			}
			if p.Params[k].Kind == "program" {
				for _, gives := range []string{"random()", "1"} {
					check(map[string]any{p.Params[k].Name: "def key(j, c):\n    return " + gives + "\n"}, p.ID)
				}
			}
		}
	}
	if seen[true] == 0 || seen[false] == 0 {
		t.Errorf("only one answer was asked for: %v", seen)
	}
	d.edit(edit.Generate(5))
	if len(d.s.Draws(d.s.Doc)) == 0 {
		t.Error("generated jobs are taken for certain")
	}
}

// TestAmount: the runs are told before they are made.
func TestAmount(t *testing.T) {
	d := newDesk(t)
	d.do(TypeValues{Text: "1 2 3"})
	for _, want := range []string{"3 values × 2 policies = 6 runs", "3 values × 2 values × 2 policies = 12 runs"} {
		if got := d.s.Varying().Amount(); got != want {
			t.Errorf("%q, want %q", got, want)
		}
		d.do(ChooseVariable{Axis: 1, Path: "/scenario/round_s"})
		d.do(TypeValues{Axis: 1, Text: "60, 90"})
	}
	d.do(TypeValues{Text: "1"})
	if got := d.s.Varying().Amount(); got != "" {
		t.Errorf("%q of a wrong list", got)
	}
	if got := d.s.SeedsAmount(d.s.Doc); got != "20 seeds × 2 policies = 40 runs" {
		t.Error(got)
	}
}
