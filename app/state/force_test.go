package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// before lists a lane's holdings up to an instant.
func before(l *run.Lane, end unit.Tick) (out []string) {
	s := &l.Trace.Spans
	for i := range s.Len() {
		if s.From[i] < end {
			out = append(out, l.Trace.Jobs[s.Job[i]].Name+itoa(int(s.From[i]))+" "+itoa(int(min(s.To[i], end)))+
				itoa(int(s.Shards[s.ShardAt[i]].Slot)))
		}
	}
	slices.Sort(out) // spans stand in the order of their ends
	return out
}

// forceFirst forces the first candidate that lane 0 did not choose for some job at the cursor.
func forceFirst(t *testing.T, d *desk, moment int) (round int, force ForceHere) {
	t.Helper()
	d.do(Go{To: moment})
	d.pass(1000)
	e, problem := explained(d.s, 0)
	if e == nil {
		t.Fatal("not explained: " + problem)
	}
	for i := range e.Jobs {
		for _, s := range e.Jobs[i].Sections {
			if s.Table == nil || !s.Table.Choices || len(e.Jobs[i].Gangs) != 1 {
				continue
			}
			for _, c := range s.Table.Rows {
				if !c.Chosen && c.Gangs != nil {
					d.do(Select{e.Jobs[i].ID})
					force = ForceHere{Lane: 0, Gangs: Gangs(c.Gangs...)}
					d.do(force)
					d.pass(100)
					return e.Round, force
				}
			}
		}
	}
	t.Fatal("no candidate to force")
	return 0, force
}

// TestForceHere: a third lane with the same past comes, the cursor stays, the engine's sentence says what was
// forced, undo takes it away, and a link keeps it with the same hash.
func TestForceHere(t *testing.T) {
	d := newDesk(t)
	own := d.hash(0)
	at := d.s.View.Moment + 1
	round, force := forceFirst(t, d, at)
	if len(d.s.Result.Lanes) != 3 || d.s.Result.Lanes[2].Title != "Hadar, forced" || d.hash(0) != own ||
		d.hash(2) == own {
		t.Fatalf("lanes %d, title %q", len(d.s.Result.Lanes), d.s.Result.Lanes[len(d.s.Result.Lanes)-1].Title)
	}
	if !slices.Contains(d.log, Effect(Reveal{room.PartNewForced})) {
		t.Error("the forced lane may be out of sight")
	}
	end := d.s.Result.Lanes[0].Trace.Rounds[round].At
	if a, b := strings.Join(before(d.s.Result.Lanes[0], end), "|"),
		strings.Join(before(d.s.Result.Lanes[2], end), "|"); a != b {
		t.Errorf("the past differs:\n%s\n%s", a, b)
	}
	if f, from := d.s.Result.Pair(); f != d.s.Result.Lanes[2] || from != d.s.Result.Lanes[0] ||
		!strings.HasPrefix(d.s.Result.Finding.Claim, f.Title) {
		t.Errorf("%s is compared with %s, and the headline says %q", f.Title, from.Title, d.s.Result.Finding.Claim)
	}
	if says := d.s.Result.Finding.Claim; strings.Contains(says, "the best") || strings.Contains(says, "the next") {
		t.Errorf("the forced lane is compared with its own policy alone, and the headline says %q", says)
	}
	if d.s.Toast == nil || d.s.Toast.Shows != room.PartForced {
		t.Error("the toast does not lead to the forced lane")
	}
	if d.s.View.Moment != at || d.s.View.WhyLane != 2 || d.s.Toast == nil || !d.s.Toast.Undo {
		t.Errorf("the cursor is at %d, the panel at lane %d, the toast %v", d.s.View.Moment, d.s.View.WhyLane,
			d.s.Toast)
	}
	d.pass(1000)
	e, problem := explained(d.s, 2)
	c := ChoiceFor(e, d.s.View.Job)
	if c == nil || !strings.Contains(c.Sentence, "was put on "+chartWords(force.Gangs)) ||
		!strings.Contains(c.Sentence, "by you; Hadar had chosen ") {
		t.Errorf("the sentence is %v %s", c, problem)
	}

	fragment := link.Encode(d.s.Doc, d.s.Defaults)
	forced := d.hash(2)
	other := newDesk(t)
	doc, diags := link.Decode(fragment)
	if doc == nil {
		t.Fatal(diags)
	}
	other.do(Load{Doc: doc, Sentence: "a link"})
	other.pass(1000)
	if other.hash(2) != forced {
		t.Error("the link gives another trace")
	}

	// Another choice takes the forced lane's place, and one forced upon it goes on from it.
	forceFirst(t, d, at+1)
	if p := d.s.Doc.Scenario.Policies; len(p) != 3 || len(p[2].Force) != 1 || p[2].Force[0].Round <= round {
		t.Errorf("the second choice: %+v", p)
	}
	d.do(Undo{})
	d.pass(1000)
	d.do(Go{To: at + 2})
	d.pass(1000)
	d.do(ForceHere{Lane: 2})
	d.pass(1000)
	if p := d.s.Doc.Scenario.Policies; len(p) != 3 || len(p[2].Force) != 2 || p[2].Force[1].Round <= round {
		t.Errorf("the choice after a choice: %+v", p[2])
	}
	d.do(Undo{})
	d.do(Undo{})
	d.pass(1000)
	if len(d.s.Result.Lanes) != 2 || d.hash(0) != own {
		t.Error("undo does not take the lane away")
	}
}

func chartWords(gangs [][]scenario.Shard) string {
	return itoa(gangs[0][0].Count) + " " + figure.TypeTitle(gangs[0][0].Type)
}

// TestForcedLaneTakesTheLastPlace: with as many lanes as there may be the last gives way.
func TestForcedLaneTakesTheLastPlace(t *testing.T) {
	d := newDesk(t)
	for range edit.MaxLanes - len(d.s.Doc.Scenario.Policies) {
		d.edit(edit.AddLane{ID: "fifo", Title: "FIFO"})
	}
	d.do(ForceHere{Lane: 1})
	d.pass(1000)
	if l := d.s.Result.Lanes; len(l) != 4 || l[3].Title != "Gavel, forced" || l[3].Meta.Outcome != "done" {
		t.Errorf("lane D is %q", l[3].Title)
	}
	if got := d.forcible(0); len(got) == 0 {
		t.Error("nothing can be forced")
	}
}

// TestForcedChoiceFollowsEdits: renaming a node keeps it, and what an edit makes impossible has one repair.
func TestForcedChoiceFollowsEdits(t *testing.T) {
	d := newDesk(t)
	_, force := forceFirst(t, d, d.s.View.Moment+1)
	node := 0
	for d.s.Doc.Scenario.Cluster.Nodes[node].ID != force.Gangs[0][0].Node {
		node++
	}
	forced := before(d.s.Result.Lanes[2], unit.Never)
	d.edit(edit.RenameNode{Node: node, ID: "spare"})
	if d.s.Diags.HasErrors() || !slices.Equal(before(d.s.Result.Lanes[2], unit.Never), forced) {
		t.Errorf("a rename breaks the choice: %v", d.s.Diags)
	}
	d.edit(edit.RemoveNode{Node: node})
	repaired := false
	for i := range d.s.Diags {
		if label, edit := form(d.s).Fix(&d.s.Diags[i]); edit != nil && label == "Remove the forced choice" {
			d.do(Mend{edit})
			repaired = true
			break
		}
	}
	d.pass(1000)
	if !repaired || len(d.s.Doc.Scenario.Policies) != 2 {
		t.Errorf("repaired %v, %d lanes", repaired, len(d.s.Doc.Scenario.Policies))
	}
}

// TestForceKeepsWhatItHeld: what a preempted job held is offered and can be forced; of a job that keeps its gang it is
// that gang.
func TestForceKeepsWhatItHeld(t *testing.T) {
	d := deskOn(t, "odd-gpus-out")
	kept, preempted := 0, -1
	job := ""
	for k := range d.s.Result.Diff.Moments {
		d.do(Go{To: k})
		d.pass(1000)
		e, _ := explained(d.s, 1)
		if e == nil {
			continue
		}
		for i := range e.Jobs {
			c := &e.Jobs[i]
			d.do(Select{c.ID})
			switch held := d.couldKeep(); {
			case c.Action == "kept":
				if kept++; !slices.Equal(held, c.Gangs[0]) {
					t.Errorf("round %d: %s keeps %v and held %v", k, c.ID, c.Gangs[0], held)
				}
			case c.Action == "preempted" && held == nil:
				t.Errorf("round %d: %s is preempted and held nothing", k, c.ID)
			case c.Action == "preempted" && !slices.ContainsFunc(d.forcible(1),
				func(g []message.Shard) bool { return slices.Equal(g, held) }):
				t.Errorf("round %d: %s cannot be made to keep %v", k, c.ID, held)
			case c.Action == "preempted":
				preempted, job = k, c.ID
			case c.Action == "placed" && held != nil:
				t.Errorf("round %d: %s starts and held %v", k, c.ID, held)
			}
		}
	}
	if kept == 0 || preempted < 0 {
		t.Fatalf("%d kept, preempted in %d", kept, preempted)
	}
	d.do(Go{To: preempted})
	d.do(Select{job})
	d.pass(1000)
	d.do(ForceHere{Lane: 1, Gangs: Gangs(d.couldKeep())})
	d.pass(1000)
	l := d.s.Result.Lanes[2]
	at := d.s.Result.Diff.Moments[preempted].At
	if !slices.ContainsFunc(l.Chart.Holdings, func(h chart.Holding) bool {
		return l.Trace.Jobs[h.Job].Name == job &&
			h.From < at && at < h.To
	}) || l.Meta.Notes != nil {
		t.Errorf("%s does not keep its gang over %v; notes: %v", job, at, l.Meta.Notes)
	}
}

// couldKeep is the gang that the selected job could keep in the second lane.
func (d *desk) couldKeep() []message.Shard {
	r := d.s.Result
	return r.Held(1, r.Round(1, d.s.View.Moment), d.s.View.Job)
}

// forcible are the choices for the selected job at the cursor.
func (d *desk) forcible(lane int) [][]message.Shard {
	return Forcible(d.s.Result, d.s.Asks.At(d.s.Result, d.s.View.Moment), lane, d.s.View.Moment, d.s.View.Job)
}
