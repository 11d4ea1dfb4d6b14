package state

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/board"
	"hadarlab/app/room"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
)

// manyRuns is what a server has of many runs of the scenario that stands.
func manyRuns(t *testing.T, req *message.SweepRequest) []byte {
	t.Helper()
	w, diags := lab.NewSweep(req)
	if w == nil {
		t.Fatal(diags)
	}
	for w.Spend(1 << 20) {
	}
	res, _ := w.Result()
	if len(req.Vary) > 0 {
		return encoded(t, res)
	}
	return encoded(t, message.Result{Engine: res.Engine, ScenarioID: res.ScenarioID, Runs: res.Points[0].Runs,
		Summary: res.Points[0].Summary})
}

// TestALinkNamesRuns: a link that names many runs of its scenario opens with what the server has of them, in the
// section that they belong to; what it does not have any more it says, and the scenario is there.
func TestALinkNamesRuns(t *testing.T) {
	id := strings.Repeat("0", 25) + "z"
	open := func(view string, status int, req message.SweepRequest) *desk {
		t.Helper()
		from := newDesk(t)
		req.Scenario = from.s.Doc.Marshal(false)
		body := manyRuns(t, &req)
		d := newDesk(t)
		d.do(OpenLink{Link: link.Encode(from.s.Doc, from.s.Defaults) + "&v=" + view})
		i := slices.IndexFunc(d.log, func(e room.Effect) bool { _, is := e.(room.Call); return is })
		if i < 0 {
			t.Fatalf("%s asks for nothing", view)
		}
		call := d.log[i].(room.Call)
		if kind := map[byte]string{'r': "runs", 's': "sweeps"}[view[0]]; call.Path != "/api/v1/"+kind+"/"+id+"/result" {
			t.Fatalf("%s asks for %s", view, call.Path)
		}
		d.do(call.Then(status, body))
		return d
	}
	d := open("r"+id, 200, message.SweepRequest{Replicates: 3, LengthNoise: 0.1})
	if u := &d.s.Replicates; !u.Open || !u.Over || u.Busy() || u.Runs() != 3*len(d.s.Doc.Scenario.Policies) ||
		u.Stale(d.s.Doc) || u.Seeds != "3" || u.Noise != "10" || u.Estimates() == nil {
		t.Errorf("replicates: %+v", u.Sweep)
	}
	values := []float64{120, 360, 720}
	d = open("s"+id, 200, message.SweepRequest{Vary: []message.Axis{{Path: "/scenario/round_s", Values: values}}})
	if v := &d.s.Vary; !v.Open || !v.Over || len(v.Points) != 3 || v.Stale(d.s.Doc) || len(v.Variables) != 1 ||
		v.Axes[0].Path != "/scenario/round_s" || v.Axes[0].Text != "120, 360, 720" || v.Cursor != 1 {
		t.Errorf("a sweep: %+v", d.s.Vary)
	}
	if d = open("r"+id, 404, message.SweepRequest{Replicates: 2, LengthNoise: 0.1}); d.s.Replicates.Runs() != 0 ||
		d.s.Toast == nil {
		t.Error("what is gone is not said")
	}
	d = newDesk(t)
	for _, strange := range []string{"r", "rabc", "r" + id + "0", "r/../" + id[5:], "s" + strings.ToUpper(id)} {
		d.do(OpenLink{Link: link.Encode(d.s.Doc, d.s.Defaults) + "&v=" + strange})
	}
	if i := slices.IndexFunc(d.log, func(e room.Effect) bool { _, is := e.(room.Call); return is }); i >= 0 {
		t.Errorf("%+v", d.log[i])
	}
}

// TestTheBoardRunsMore: a board has its server run more, hears how far that is, and fetches what came of it once.
func TestTheBoardRunsMore(t *testing.T) {
	c := newClassServer(t)
	c.calls = nil
	c.u.State.Phase, c.u.State.ToldMS = class.Run, 1
	c.do(board.StartLarger{Larger: class.Larger{Replicates: 20}})
	run := &class.LargerRun{ID: "x", State: "running", Done: 1, Runs: 6}
	c.u.State.LargerRun = run
	c.news()
	m := &c.d.s.Board
	if r := m.Class.State.LargerRun; r == nil || !r.Lives() || r.Done != 1 || m.Larger.Of(r) != nil {
		t.Errorf("how far it is: %+v", r)
	}
	c.result = manyRuns(t, &message.SweepRequest{Scenario: c.a.Document().Marshal(false), Replicates: 3,
		LengthNoise: 0.1})
	run.State, run.Done = "done", 6
	c.news()
	c.news()
	points := m.Larger.Of(m.Class.State.LargerRun)
	if len(points) != 1 || points[0].Summary == nil || points[0].Summary.Replicates != 3 {
		t.Fatalf("what came of it: %+v", points)
	}
	c.do(board.StopLarger{})
	c.u.State.LargerRun = nil
	c.news()
	if m.Class.State.LargerRun != nil || m.Larger.Of(nil) != nil {
		t.Error("it stays")
	}
	want := []string{`POST /larger {"replicates":20}`, "/api/v1/runs/x/result", "DELETE /larger "}
	if !slices.Equal(c.calls, want) {
		t.Errorf("%q", c.calls)
	}
	var asked class.Larger
	if all := board.Variables(m.Class, m.Boot); len(all) == 0 {
		t.Error("no number can be varied")
	} else {
		for _, k := range all { // what a board offers, a server takes
			asked = class.Larger{Vary: &message.Axis{Path: k.Path, Values: k.Values}}
			if _, doc, diags := c.a.Larger(asked); doc == nil {
				b, _ := json.Marshal(asked)
				t.Errorf("%s: %v", b, diags)
			}
		}
	}
}

// TestValuesOfALargerRunAreTyped: a board runs the values that its teacher types for a number, within what the
// task lets be changed, and names what is wrong with others; another number has its own again.
func TestValuesOfALargerRunAreTyped(t *testing.T) {
	c := newClassServer(t)
	m := &c.d.s.Board
	all := board.Variables(m.Class, m.Boot)
	i := slices.IndexFunc(all, func(k board.Varied) bool { return strings.HasSuffix(k.Path, "/steps") })
	if i < 0 {
		t.Fatalf("no length can be varied: %+v", all)
	}
	k, open := &all[i], 0.0
	if o, ok := c.a.OpenAt(k.Path); ok {
		open = o.From
	}
	c.do(board.VaryLarger{Path: k.Path})
	if values, problem := m.Larger.Typed(k); problem != "" || !slices.Equal(values, k.Values) {
		t.Errorf("nothing is typed: %v, %q", values, problem)
	}
	for _, typed := range []struct {
		text string
		want int
	}{{"2000, 4000", 2}, {"2000 to 8000 by 2000", 4}, {"2000", 0}, {"", len(k.Values)}, {"many", 0},
		{"2000, 1e12", 0}, {fmt.Sprint(open/2) + ", 2000", 0}, {"2000 to 20000 in 60", 0}} {
		c.do(board.TypeLarger{Text: typed.text})
		values, problem := m.Larger.Typed(k)
		if len(values) != typed.want || (problem == "") != (typed.want > 0) {
			t.Errorf("%q is %v, %q", typed.text, values, problem)
		} else if typed.want == 0 && !strings.HasPrefix(problem, k.Name) {
			t.Errorf("%q: %q names no number", typed.text, problem)
		}
	}
	c.do(board.VaryLarger{Path: all[0].Path})
	if m.Larger.Text != "" {
		t.Error("what was typed for one number stays with another")
	}
}
