package class

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// shipped is the assignment called id.
func shipped(t *testing.T, id string) *Assignment {
	t.Helper()
	data, ok := scenarios.Assignment(id)
	if !ok {
		t.Fatalf("there is no assignment %s", id)
	}
	a, diags := Parse(data)
	if a == nil {
		t.Fatalf("%s: %v", id, diags)
	}
	return a
}

// lanes runs a scenario document.
func lanes(t *testing.T, doc *scenario.Document) []message.Lane {
	t.Helper()
	result, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
	if diags.HasErrors() || len(failed) > 0 {
		t.Fatalf("the scenario does not run: %v %v", diags, failed)
	}
	return result.Runs
}

// solved are changes of one number that do what the task of a shipped assignment asks, and right answers found by hand
// from the figures that `hadarlab run` prints.
var solved = []struct {
	id    string
	right Truth
	path  string
	to    float64
}{
	{"hadar-vs-gavel", Truth{"sooner": "hadar", "by": "10-30"}, "/scenario/cluster/nodes/0/gpus/v100", 6},
	{"hadar-vs-gavel", nil, "/scenario/throughputs/rows/0/per_gpu/v100", 24},
	{"hadar-vs-gavel-45", Truth{"sooner": "hadar", "by": "30", "last": "hadar", "loses": "none"},
		"/scenario/jobs/2/gpus", 1},
	{"hadar-vs-gavel-45", nil, "/scenario/jobs/3/gpus", 1},
	{"hadare-copies", Truth{"sooner": "hadare", "by": "10-30", "last": "30"}, "/scenario/overheads/merge_s", 120},
	{"known-lengths", Truth{"by": "10-30", "last": "same", "fair": "las"}, "/scenario/round_s", 720},
	{"which-claims-hold", Truth{"hadar-2025-total-time": "gavel-las", "hadar-2024-completion-gavel": "10-30",
		"hadar-2024-completion-yarn": "67", "hadar-2024-queueing": "gavel-las"}, "/scenario/overheads/restart_s", 240},
}

// TestOneBaseForTies: a pair of figures is a tie by the share of the second lane's, whichever is less, for questions
// and tasks as for headlines; 100 and 102.02 are one either way only if the greater were the base.
func TestOneBaseForTies(t *testing.T) {
	lane := func(policy string, mean float64) message.Lane {
		return message.Lane{Policy: policy, Outcome: "done", Metrics: message.Metrics{AvgJCTS: mean}}
	}
	for _, c := range []struct {
		a, b   float64
		less   string
		winner string
		solved bool
	}{
		{102.02, 100, "b", "b", true}, {102, 100, Same, "b", false}, {100, 102.02, Same, "a", false},
		{97.99, 100, "a", "a", true}, {98, 100, Same, "a", false}, {100, 97.99, "b", "b", true},
	} {
		of := []message.Lane{lane("a", c.a), lane("b", c.b)}
		q := Question{Kind: Less, Metric: "avg_jct_s", Within: message.Tie,
			Options: []Option{{ID: "a"}, {ID: "b"}, {ID: Same}}}
		task := &Task{Metric: "avg_jct_s", Winner: c.winner}
		if got := q.least(of); got != c.less || (got == Same) != message.Tied(c.a, c.b) {
			t.Errorf("of %v and %v less is %q, want %q", c.a, c.b, got, c.less)
		}
		gap, _ := task.Gap(task.Metric, LanesOf(of))
		if got := task.Succeeds(LanesOf(of)); got != c.solved || got != (math.Abs(gap) > message.Tie) {
			t.Errorf("%v and %v: %s wins is %v, its place in the picture is %v", c.a, c.b, c.winner, got, gap)
		}
	}
}

// TestNoQuestionSitsOnItsEdge: what is right of a shipped assignment is not decided by which lane's figure a difference
// is a share of, nor by a little of it, and no change that is named to the teacher wins by a hair or by when rounds
// begin.
func TestNoQuestionSitsOnItsEdge(t *testing.T) {
	const room = 0.004
	for _, id := range scenarios.Assignments {
		a := shipped(t, id)
		for _, d := range a.Near(LanesOf(lanes(t, a.Document()))) {
			t.Errorf("%s%s: %s (%s)", id, d.Path, d.Message, d.Fix)
		}
		for _, e := range a.Task.Works {
			doc, _ := a.Apply([]Edit{e})
			of := LanesOf(lanes(t, doc))
			if g, _ := a.Task.Gap(a.Task.Metric, of); math.Abs(g) < message.Tie+room {
				t.Errorf("%s: %s does the task by %.4f only", id, a.Says(e), g)
			}
			if a.ByRounds([]Edit{e}, of) {
				t.Errorf("%s: %s does the task by when rounds begin", id, a.Says(e))
			}
		}
	}
}

// TestALossIsMoreThanATie: a job that finishes later by what is a tie has not lost, and of two that lose by as much no
// answer is right.
func TestALossIsMoreThanATie(t *testing.T) {
	lane := func(finish [3]float64) message.Lane {
		l := message.Lane{Outcome: "done"}
		for i := range finish {
			l.Jobs = append(l.Jobs, message.JobRow{ID: string(rune('a' + i)), FinishS: &finish[i]})
		}
		return l
	}
	q := Question{ID: "loses", Kind: Loses, Options: []Option{{ID: "a"}, {ID: "b"}, {ID: "c"}, {ID: None}}}
	asks := &Assignment{Questions: []Question{q}}
	for _, c := range []struct {
		first, second [3]float64
		want          string
	}{
		{[3]float64{100, 200, 300}, [3]float64{100, 200, 300}, None},
		{[3]float64{102, 204, 290}, [3]float64{100, 200, 300}, None},  // 2 % each
		{[3]float64{102, 204.1, 290}, [3]float64{100, 200, 300}, "b"}, // 2.05 %
		{[3]float64{105, 200, 305.9}, [3]float64{100, 200, 300}, "a"}, // c is later by more seconds, but ties
		{[3]float64{110, 211, 300}, [3]float64{100, 200, 300}, "b"},   // by 11 s against 10
		{[3]float64{110, 210.2, 300}, [3]float64{100, 200, 300}, ""},  // by 10.2 s against 10, which ties
		{[3]float64{120, 210, 310}, [3]float64{100, 200, 300}, "a"},   // two that lose less may tie
		{[3]float64{110, 230, 310}, [3]float64{100, 200, 300}, "b"},   // wherever they stand
		{[3]float64{99, 199, 299}, [3]float64{100, 200, 300}, None},   // all are earlier
		{[3]float64{110, 230, 330.5}, [3]float64{100, 200, 300}, ""},  // the latest ties with the one before
	} {
		got, known := asks.Truth([]message.Lane{lane(c.first), lane(c.second)})["loses"]
		if got != c.want || known != (c.want != "") {
			t.Errorf("of %v and %v loses %q, want %q", c.first, c.second, got, c.want)
		}
	}
}

// TestNearEdges: an edge within 3 points of a difference under either reading, or between the two, is told with where
// it may lie.
func TestNearEdges(t *testing.T) {
	pair := func(a, b float64) []Lane {
		return []Lane{{Policy: "a", Outcome: "done", Figures: Figures{AvgJCTS: a}},
			{Policy: "b", Outcome: "done", Figures: Figures{AvgJCTS: b}}}
	}
	band := func(edges ...float64) Question {
		q, last := Question{Kind: Share, Metric: "avg_jct_s"}, 0.0
		for _, e := range append(edges, 0) {
			q.Options, last = append(q.Options, Option{ID: spelt(last), From: last, To: e}), e
		}
		return q
	}
	less := func(within float64) Question { return Question{Kind: Less, Metric: "avg_jct_s", Within: within} }
	three := append(pair(150, 104), Lane{Policy: "c", Outcome: "done", Figures: Figures{AvgJCTS: 100}})
	queue, waits := band(99), pair(1, 1)
	queue.Metric, waits[1].Figures.AvgQueueS, waits[0].Figures.GPUUtilization = "avg_queue_s", 240, 0.9
	unfinished := pair(70, 100)
	unfinished[1].Outcome = "starved"
	for i, c := range []struct {
		q    Question
		of   []Lane
		near string // paths below /questions/0
		fix  string
	}{
		{band(30), pair(1212, 1620), "/options/0/to /options/1", "22 % or below, or at 37 % or above"}, // 25.2, 33.7
		{band(22, 37), pair(1212, 1620), "", ""},
		{band(10, 40), pair(1212, 1620), "", ""},
		{band(35), pair(1212, 1620), "/options/0/to /options/1", "at 37 %"}, // of the first's alone
		{band(23), pair(1620, 1212), "/options/0/to /options/1", "22 %"},
		{band(17, 28), pair(80, 100), "", ""}, // 3 points exactly
		{band(17.5, 28), pair(80, 100), "/options/0/to /options/1", "17 %"},
		{band(4), pair(98, 100), "/options/0/to /options/1", "put the edge at 6 %"},
		{band(2), pair(100, 100), "", ""},
		{queue, waits, "/options/0/to /options/1", "97 %"}, // 0 is no base
		{band(30), unfinished, "", ""},
		{band(30), pair(70, 100)[:1], "", ""},
		{less(0.02), pair(96, 100), "/within", "differs by 0.01 at most"},
		{less(0.02), pair(98.9, 100), "/within", "differ by more, or count as the same what differs by 0.05"},
		{less(0.02), pair(94, 100), "", ""},
		{less(0), pair(98, 100), "/within", "differ by more"},
		{less(0.02), pair(100, 100), "", ""},
		{less(0.02), three, "/within", "differs by 0 at most"}, // the best and the next
		{less(0.02), pair(70, 100), "", ""},
		{less(0.02), unfinished, "", ""},
		{Question{Kind: Fixed}, pair(98, 100), "", ""},
	} {
		a := &Assignment{Questions: []Question{c.q}}
		var paths []string
		for _, d := range a.Near(c.of) {
			paths = append(paths, strings.TrimPrefix(d.Path, "/questions/0"))
			if d.Level != "warning" || !strings.Contains(d.Fix.String(), c.fix) {
				t.Errorf("%d: %s, %s: %s", i, d.Level, d.Message, d.Fix)
			}
		}
		if got := strings.Join(paths, " "); got != c.near {
			t.Errorf("%d: near edges are %q, want %q", i, got, c.near)
		}
	}
}

// TestWhoStandsBehindAChange: of the ten who changed one value, four made the change that is shown and won, three won
// with another, three did not. A change from 0 is never the smallest, equal ones all are, and who came first is
// immaterial.
func TestWhoStandsBehindAChange(t *testing.T) {
	a := shipped(t, "hadar-vs-gavel")
	const v100, p100 = "/scenario/cluster/nodes/0/gpus/v100", "/scenario/cluster/nodes/1/gpus/p100"
	const arrival, restart = "/scenario/jobs/2/arrival_s", "/scenario/overheads/restart_s"
	won, lost, even := [2]float64{1000, 900}, [2]float64{900, 1000}, [2]float64{1015, 1000}
	tally := func(of []tryOf) Tally {
		var students []Student
		var entries []Entry
		for i, c := range of {
			from, to := c.from, c.to
			students = append(students, Student{N: i + 1})
			entries = append(entries, Entry{Student: i + 1, Kind: Submission, AtMS: 1, Seq: int64(i + 1), Body: Body{
				Changes: []Edit{{Path: c.path, From: &from, To: &to}}, Lanes: []Lane{
					{Policy: "hadar", Outcome: "done", Figures: Figures{AvgJCTS: c.mean[0]}},
					{Policy: "gavel-las", Outcome: "done", Figures: Figures{AvgJCTS: c.mean[1]}}}}})
		}
		return a.Tally(nil, students, entries)
	}
	of := []tryOf{{v100, 3, 6, won}, {v100, 3, 5, won}, {v100, 3, 5, won}, {v100, 3, 1, lost}, {v100, 3, 5, won},
		{v100, 3, 6, won}, {v100, 3, 4, even}, {v100, 3, 5, won}, {v100, 3, 2, lost}, {v100, 3, 6, won},
		{p100, 3, 4, lost}, {p100, 3, 5, won}, {p100, 3, 1, won}, {p100, 3, 2, even},
		{arrival, 0, 1, won}, {arrival, 0, 1200, won}, {restart, 0, 300, lost}}
	for range 2 {
		got := tally(of)
		c := got.Changes[0]
		if best := got.Tries[c.Best]; c.Path != v100 || c.People != 10 || c.Works != 7 || c.Same != 4 ||
			*best.Edits[0].To != 5 || !best.Works || best.Rounds {
			t.Errorf("ten changed it: %+v, %+v", c, best)
		}
		if c := got.Changes[1]; c.Path != p100 || c.People != 4 || c.Works != 2 || c.Same != 1 {
			t.Errorf("equal changes: %+v", c)
		}
		var small []string
		for _, i := range got.Smallest {
			small = append(small, a.Says(got.Tries[i].Edits[0]))
		}
		want := []string{"n1 gpus v100, 3 to 5", "n2 gpus p100, 3 to 1", "n2 gpus p100, 3 to 5"}
		if !slices.Equal(small, want) {
			t.Errorf("the smallest are %q, want %q", small, want)
		}
		if c := got.Changes[2]; c.Path != arrival || c.Same != 1 || *got.Tries[c.Best].Edits[0].To != 1 ||
			!got.Tries[c.Best].Rounds {
			t.Errorf("an arrival: %+v, %+v", c, got.Tries[c.Best])
		}
		slices.Reverse(of)
	}
	if got := tally([]tryOf{{arrival, 0, 1, won}, {v100, 3, 2, lost}}); len(got.Smallest) != 0 {
		t.Errorf("a change from 0 is the smallest: %+v", got.Smallest)
	}
}

type tryOf struct {
	path     string
	from, to float64
	mean     [2]float64
}

// TestByRounds: "arrival of j3, 0 to 1,200" wins since Gavel begins its round with the job and Hadar's next is 240 s
// off.
func TestByRounds(t *testing.T) {
	a := shipped(t, "hadar-vs-gavel")
	ran := func(path string, to float64) (edits []Edit, of []Lane) {
		doc := a.Document().Clone()
		if !doc.Alter(path, to) {
			t.Fatal(path)
		}
		return a.Edits(doc, lab.Defaults()), LanesOf(lanes(t, doc))
	}
	for _, c := range []struct {
		path     string
		to       float64
		succeeds bool
		rounds   bool
	}{
		{"/scenario/jobs/2/arrival_s", 1200, true, true},
		{"/scenario/cluster/nodes/0/gpus/v100", 6, true, false}, // by less than a round, and not by a time
	} {
		edits, of := ran(c.path, c.to)
		if a.Task.Succeeds(of) != c.succeeds || a.ByRounds(edits, of) != c.rounds {
			t.Errorf("%s: wins %v, by rounds %v", a.Says(edits[0]), a.Task.Succeeds(of), a.ByRounds(edits, of))
		}
	}
	edit := func(path string, to float64) Edit { return Edit{Path: path, To: &to} }
	arrival := edit("/scenario/jobs/0/arrival_s", 9)
	ahead := func(by float64) []Lane {
		return []Lane{{Policy: "hadar", Figures: Figures{AvgJCTS: 1000 + by}},
			{Policy: "gavel-las", Figures: Figures{AvgJCTS: 1000}}}
	}
	for i, c := range []struct {
		edits []Edit
		by    float64
		want  bool
	}{
		{[]Edit{arrival}, 359, true}, {[]Edit{arrival}, 360, false},
		{[]Edit{edit("/scenario/round_s", 900)}, 899, true},
		{[]Edit{edit("/scenario/round_s", 60)}, 100, false}, {[]Edit{arrival, edit("/scenario/round_s", 60)}, 59, true},
		{[]Edit{arrival, edit("/scenario/jobs/0/steps", 60)}, 59, false}, {nil, 5, false},
		{[]Edit{{Path: "/scenario/round_s"}}, 5, false},
	} {
		if a.ByRounds(c.edits, ahead(c.by)) != c.want {
			t.Errorf("%d: by rounds is %v", i, !c.want)
		}
	}
	if a.Task.Metric = "ftf_max"; a.ByRounds([]Edit{arrival}, ahead(1)) {
		t.Error("a ratio is less than a round")
	}
}

// TestATieIsToldAsOne: what is about the same neither wins nor is simply lost.
func TestATieIsToldAsOne(t *testing.T) {
	task := &Task{Metric: "avg_jct_s", Winner: "b"}
	for _, c := range []struct {
		a, b       float64
		wins, ties bool
	}{{844, 838, false, true}, {838, 844, false, true}, {860, 838, true, false}, {800, 838, false, false},
		{838, 838, false, true}} {
		of := []Lane{{Policy: "a", Outcome: "done", Figures: Figures{AvgJCTS: c.a}},
			{Policy: "b", Outcome: "done", Figures: Figures{AvgJCTS: c.b}}}
		if task.Succeeds(of) != c.wins || task.Ties(of) != c.ties {
			t.Errorf("%v and %v: wins %v, about the same %v", c.a, c.b, task.Succeeds(of), task.Ties(of))
		}
		if of[0].Outcome = "starved"; task.Ties(of) {
			t.Error("a lane that does not finish is about as good")
		}
	}
}

func TestShippedAssignments(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range solved {
		t.Run(c.id+c.path, func(t *testing.T) {
			seen[c.id] = true
			a := shipped(t, c.id)
			if a.ID != c.id {
				t.Errorf("the file %s holds the assignment %s", c.id, a.ID)
			}
			base := lanes(t, a.Document())
			truth := a.Truth(base)
			for q, right := range c.right {
				if truth[q] != right {
					t.Errorf("the right answer to %s is %q, want %q", q, truth[q], right)
				}
			}
			if len(truth) != len(a.Questions) {
				t.Errorf("%d of %d questions have a right answer: %v", len(truth), len(a.Questions), truth)
			}
			if a.Task.Succeeds(LanesOf(base)) {
				t.Error("the task is solved before anything is changed")
			}
			doc := a.Document().Clone()
			if !doc.Alter(c.path, c.to) {
				t.Fatalf("%s cannot be changed to %v", c.path, c.to)
			}
			edits, diags := a.Judge(doc, lab.Defaults())
			if diags.HasErrors() || len(edits) != 1 || edits[0].Path != c.path || *edits[0].To != c.to {
				t.Fatalf("one change is judged %v %v", edits, diags)
			}
			if !a.Task.Succeeds(LanesOf(lanes(t, doc))) {
				t.Errorf("%s = %v does not solve the task", c.path, c.to)
			}
			again, ok := a.Apply(edits)
			if !ok || again.ID(lab.Defaults()) != doc.ID(lab.Defaults()) {
				t.Error("the changes, applied to the assignment's scenario, give another scenario")
			}
		})
	}
	for _, id := range scenarios.Assignments {
		a := shipped(t, id)
		race := a.Task.Race != nil // see TestTheShippedRace
		if !seen[id] && !race {
			t.Errorf("no task of %s is solved here", id)
		}
		var sum float64
		for i, s := range a.Plan {
			sum += s.Minutes
			if s.Teacher == "" || s.Phase != Phases[i] && !race {
				t.Errorf("%s: step %d of the plan is %+v", id, i, s)
			}
		}
		if len(a.Task.Works) == 0 && !race {
			t.Errorf("%s names the teacher no change that works", id)
		}
		for _, e := range a.Task.Works {
			doc, ok := a.Apply([]Edit{e})
			if !ok {
				t.Fatalf("%s: %s does not apply", id, a.Says(e))
			}
			edits, diags := a.Judge(doc, lab.Defaults())
			if diags.HasErrors() || len(edits) != 1 || *edits[0].From != *e.From ||
				!a.Task.Succeeds(LanesOf(lanes(t, doc))) {
				t.Errorf("%s: %s does not solve the task: %v", id, a.Says(e), diags)
			}
		}
		if want := cmp.Or(map[string]float64{"hadar-vs-gavel-45": 45, "write-an-order": 40}[id], 25); sum != want {
			t.Errorf("%s takes %v minutes, want %v", id, sum, want)
		}
		for _, q := range a.Questions {
			for _, o := range q.Options {
				if o.Preset != "" && !slices.Contains(scenarios.Names, o.Preset) {
					t.Errorf("%s: there is no preset %s", id, o.Preset)
				}
			}
		}
	}
}

// TestExactlyOneChange judges documents that differ from the assignment's in none, two, locked and odd places.
func TestExactlyOneChange(t *testing.T) {
	a := shipped(t, "hadar-vs-gavel")
	alter := func(pairs ...any) *scenario.Document {
		doc := a.Document().Clone()
		for i := 0; i < len(pairs); i += 2 {
			if !doc.Alter(pairs[i].(string), pairs[i+1].(float64)) {
				t.Fatalf("%v cannot be changed", pairs[i])
			}
		}
		return doc
	}
	moved := a.Document().Clone()
	moved.Scenario.Jobs = moved.Scenario.Jobs[:2]
	renamed := a.Document().Clone()
	renamed.Meta.Title = "another title is no change"
	for _, c := range []struct {
		name string
		doc  *scenario.Document
		n    int
		code string // "" = accepted
	}{
		{"nothing", a.Document(), 0, "not-so-many"},
		{"a title", renamed, 0, "not-so-many"},
		{"one", alter("/scenario/jobs/0/gpus", 1.), 1, ""},
		{"two", alter("/scenario/jobs/0/gpus", 1., "/scenario/jobs/1/gpus", 1.), 2, "not-so-many"},
		{"out of range", alter("/scenario/jobs/0/gpus", 9.), 1, "out-of-range"},
		{"the first number of an object", alter("/scenario/overheads/restart_s", 30.), 1, ""},
		{"two numbers of an object", alter("/scenario/overheads/restart_s", 30., "/scenario/overheads/checkpoint_s",
			3.), 2,
			"not-so-many"},
		{"locked", alter("/scenario/jobs/0/weight", 2.), 1, "locked"},
		{"a job gone", moved, 1, "locked"},
	} {
		edits, diags := a.Judge(c.doc, lab.Defaults())
		got := ""
		if diags.HasErrors() {
			got = diags.Errors()[0].Code
		}
		if len(edits) != c.n || got != c.code {
			t.Errorf("%s: %d edits, %q; want %d, %q (%v)", c.name, len(edits), got, c.n, c.code, diags)
		}
	}
}

// TestUnseenIsSeen: in whatever anybody reads of an assignment or of a hand-in, a character that nobody sees, as one
// that turns the line around, is shown.
func TestUnseenIsSeen(t *testing.T) {
	const unseen = "\u202e"
	data, _ := scenarios.Assignment("hadar-vs-gavel")
	var doc map[string]any
	if err := json.Unmarshal(data, &doc); err != nil {
		t.Fatal(err)
	}
	marked, texts := 0, []string{"title", "goal", "situation", "explain", "text", "note", "idea", "teacher"}
	var mark func(of any)
	mark = func(of any) {
		switch of := of.(type) {
		case []any:
			for _, one := range of {
				mark(one)
			}
		case map[string]any:
			for k, v := range of {
				if s, ok := v.(string); ok && slices.Contains(texts, k) {
					of[k] = unseen + s
					marked++
				} else if k != "scenario" {
					mark(v)
				}
			}
		}
	}
	mark(doc)
	data, _ = json.Marshal(doc)
	a, diags := Parse(data)
	if a == nil || marked < 20 {
		t.Fatal(marked, diags)
	}
	a.Scenario = nil
	out, _ := json.Marshal(a)
	if n := strings.Count(string(out), "\ufffd"); n != marked || strings.Contains(string(out), unseen) {
		t.Errorf("of %d texts %d show that they have a character that nobody sees: %s", marked, n, out)
	}
	h, _ := ParseHandIn([]byte(`{"kind":"hand-in","version":1,"name":"` + unseen + `otter","tag":"` + unseen + `"}`))
	if h == nil || h.Name != "\ufffdotter" || h.Tag != "\ufffd" {
		t.Errorf("a hand-in of %+v", h)
	}
}

func TestParseNamesThePlace(t *testing.T) {
	good, _ := scenarios.Assignment("hadar-vs-gavel")
	for _, c := range []struct{ old, new, path string }{
		{`"kind": "assignment"`, `"kind": "lesson"`, "/kind"},
		{`"version": 1,
  "id"`, `"version": 2,
  "id"`, "/version"},
		{`"kind": "less"`, `"kind": "more"`, "/questions/0/kind"},
		{`"metric": "avg_jct_s"`, `"metric": "joy"`, "/questions/0/metric"},
		{`"winner": "gavel-las"`, `"winner": "yarn-cs"`, "/task/winner"},
		{`"changes": 1`, `"changes": 0`, "/task/changes"},
		{`"phase": "lobby"`, `"phase": "hall"`, "/plan/0/phase"},
		{`{"phase": "vote",`, `{"phase": "run", "minutes": 1}, {"phase": "vote",`, "/plan/5/phase"},
		{`"gpus": 2`, `"gpus": -2`, "/scenario/scenario/jobs/0/gpus"},
		{`"title": "Hadar`, `"title": 5, "x": "`, "/title"},
	} {
		data := []byte(strings.Replace(string(good), c.old, c.new, 1))
		if bytes.Equal(data, good) {
			t.Fatalf("%s is not in the assignment", c.old)
		}
		a, diags := Parse(data)
		if a != nil || !diags.HasErrors() || diags.Errors()[0].Path != c.path {
			t.Errorf("%s: %v, want an error at %s", c.new, diags, c.path)
		}
	}
}

func FuzzParse(f *testing.F) {
	for _, id := range scenarios.Assignments {
		data, _ := scenarios.Assignment(id)
		f.Add(data)
	}
	f.Add([]byte(`{"kind":"assignment","version":1,"questions":[{}],"plan":[{"phase":"lobby"}],"task":{}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		a, diags := Parse(data)
		if (a == nil) != diags.HasErrors() {
			t.Fatalf("nil is %v and errors %v", a == nil, diags)
		}
		if a == nil {
			return
		}
		a.Truth(nil)
		a.Tally(Truth{}, nil, nil)
		again, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		if b, diags := Parse(again); b == nil || b.ContentID() != a.ContentID() {
			t.Fatalf("written and read again it is another: %v", diags)
		}
	})
}

// room is a class of four, of whom the last is removed, with what they handed in.
func room(t *testing.T) *Record {
	a := shipped(t, "hadar-vs-gavel")
	base := lanes(t, a.Document())
	r := &Record{Kind: RecordKind, Version: 1, Engine: lab.Engine, Assignment: a, Truth: a.Truth(base)}
	entry := func(student int, kind string, b Body) {
		n := int64(len(r.Entries) + 1)
		r.Entries = append(r.Entries, Entry{Seq: n, Student: student, Kind: kind, AtMS: 1000 * n, Body: b})
	}
	answers := func(sooner string, sure int, by string) Body {
		return Body{Answers: map[string]Answer{"sooner": {sooner, sure}, "by": {by, 3}}}
	}
	for n := 1; n <= 4; n++ {
		r.Students = append(r.Students, Student{N: n, Name: Name(7, n), JoinedMS: 1, Removed: n == 4})
	}
	entry(1, Answers, answers("hadar", 5, "10-30"))
	entry(2, Answers, answers("gavel-las", 4, "2-10"))
	entry(3, Answers, answers("gavel-las", 2, "10-30"))
	entry(4, Answers, answers("gavel-las", 5, "30"))
	entry(2, Vote, Body{Answers: map[string]Answer{"sooner": {"hadar", 4}}})
	entry(3, Vote, Body{Answers: map[string]Answer{"sooner": {"gavel-las", 3}}})
	entry(1, Sentence, Body{Text: `=HYPERLINK("x")`})
	try := func(student int, path string, to float64, verdict string) {
		doc := a.Document().Clone()
		doc.Alter(path, to)
		entry(student, Submission, Body{Changes: a.Edits(doc, lab.Defaults()), ScenarioID: doc.ID(lab.Defaults()),
			Engine: lab.Engine, Lanes: LanesOf(lanes(t, doc))})
		r.Entries[len(r.Entries)-1].Verdict = verdict
	}
	try(1, "/scenario/jobs/2/gpus", 1, Verified)
	try(2, "/scenario/throughputs/rows/0/per_gpu/v100", 24, Verified)
	try(3, "/scenario/jobs/2/arrival_s", 1200, Verified)
	try(1, "/scenario/throughputs/rows/0/per_gpu/v100", 25, Pending)
	return r
}

func TestTally(t *testing.T) {
	r := room(t)
	slices.Reverse(r.Entries) // the order in which they come is immaterial
	got := r.Assignment.Tally(r.Truth, r.Students, r.Entries)
	if got.Joined != 3 || got.Committed != 3 || got.Voted != 2 || got.Explained != 1 || got.Submitted != 3 {
		t.Errorf("counts are %+v", got)
	}
	q := got.Questions[0]
	if q.Right != "hadar" || q.Options[0].Count() != 1 || q.Options[1].Sure != [5]int{0, 1, 0, 1, 0} ||
		q.Moved[1][0] != 1 || q.Moved[1][1] != 1 || q.Options[0].Votes() != 1 {
		t.Errorf("the first question is counted %+v", q)
	}
	// Student 3 guessed, student 4 is removed: only student 2 was sure.
	if len(got.Ideas) != 1 || got.Ideas[0].People != 1 || got.Ideas[0].Preset == "" {
		t.Errorf("sure but wrong: %+v", got.Ideas)
	}
	if len(got.Changes) != 2 || got.Changes[0].People != 2 || !strings.HasSuffix(got.Changes[0].Path, "v100") {
		t.Errorf("what was changed: %+v", got.Changes)
	}
	if len(got.Smallest) != 1 {
		t.Fatalf("the smallest changes are %v", got.Smallest)
	}
	best := got.Tries[got.Smallest[0]] // the arrival is from 0
	if best.Student != 2 || best.Size != 1.4 || best.Gap <= message.Tie {
		t.Errorf("the smallest change that works is %+v", best)
	}
	if best := got.Tries[got.Changes[0].Best]; best.Student != 2 || !best.Works {
		t.Errorf("the best change of a speed is %+v", best)
	}
	r.Entries[0].Verdict = Differs
	if again := r.Assignment.Tally(r.Truth, r.Students, r.Entries); len(again.Tries) != 2 {
		t.Error("a submission that came out otherwise counts")
	}
}

func TestTables(t *testing.T) {
	r := room(t)
	clock := func(ms int64) string { return fmt.Sprint("t", ms) }
	rows, err := csv.NewReader(bytes.NewReader(r.StudentsCSV(true, clock))).ReadAll()
	if err != nil || len(rows) != 4 {
		t.Fatalf("%d rows, %v", len(rows), err)
	}
	cell := func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	for _, c := range []struct {
		row        int
		name, want string
	}{
		{1, "pseudonym", Name(7, 1)}, {1, "sooner", "Hadar"}, {1, "sooner_right", "yes"}, {1, "submitted", "t11000"},
		{1, "sentence", `'=HYPERLINK("x")`}, {1, "changed", "/scenario/throughputs/rows/0/per_gpu/v100"},
		{1, "change", "toy per_gpu v100, 10 to 25"}, {1, "from", "10"}, {1, "to", "25"}, {1, "verdict", Pending},
		{1, "max_score", "3"},
		{2, "sooner_again", "Hadar"}, {2, "sooner_again_right", "yes"}, {2, "sooner_right", "no"}, {2, "works", "yes"},
		{2, "score", "1"}, {3, "score", "2"}, {3, "explained", ""},
	} {
		if got := cell(c.row, c.name); got != c.want {
			t.Errorf("student %d, %s is %q, want %q", c.row, c.name, got, c.want)
		}
	}
	tries, err := csv.NewReader(bytes.NewReader(r.AttemptsCSV(false, clock))).ReadAll()
	if err != nil || len(tries) != 1+5+1+4*2 || slices.Contains(tries[0], "pseudonym") {
		t.Errorf("%d rows of attempts, %v, %v", len(tries), tries[0], err)
	}
}

// TestMoves: who was right before the discussion and after it, and who moved where, of those who voted twice; practice
// is in none of it, scores nothing, and is marked.
func TestMoves(t *testing.T) {
	r := room(t)
	for i := range r.Entries { // as a server notes them
		e := &r.Entries[i]
		e.Phase = map[string]Phase{Answers: Predict, Vote: VoteAgain, Sentence: Run, Submission: Change}[e.Kind]
	}
	r.Students = append(r.Students, Student{N: 5, JoinedMS: 9})
	both := map[string]Answer{"sooner": {"hadar", 5}, "by": {"10-30", 5}}
	for n, kind := range []string{Answers, Vote} {
		r.Entries = append(r.Entries, Entry{Seq: int64(50 + n), Student: 5, Kind: kind, AtMS: int64(50 + n), Phase: Run,
			Body: Body{Answers: both, Practice: true}})
	}
	got := r.Assignment.Tally(r.Truth, r.Students, r.Entries)
	q := &got.Questions[0]
	if first, then, of := q.RightTwice(); first != 0 || then != 1 || of != 2 || got.Practised != 1 ||
		got.Committed != 3 || q.Options[0].Count() != 1 || got.Voted != 2 {
		t.Errorf("%+v", got)
	}
	if f := q.Firsts(); f.Right != "" || f.Moved != nil || f.Voted != 0 || f.Options[0].Votes() != 0 ||
		f.Options[0].Count() != 1 {
		t.Errorf("what may be shown before the run: %+v", f)
	}
	clock := func(ms int64) string { return fmt.Sprint("t", ms) }
	table := func(data []byte) func(row int, name string) string {
		rows, err := csv.NewReader(bytes.NewReader(data)).ReadAll()
		if err != nil {
			t.Fatal(err)
		}
		return func(row int, name string) string { return rows[row][slices.Index(rows[0], name)] }
	}
	cell := table(r.StudentsCSV(true, clock))
	for row, want := range []string{"", "predict no 2 0 0 2 3", "predict no 0 1 1 1 3", "predict no 1 0 1 2 3",
		"run yes 0 0 0 0 3"} {
		var is []string
		for name := range strings.FieldsSeq("phase practice first second task score max_score") {
			is = append(is, cell(row, name))
		}
		if got := strings.Join(is, " "); row > 0 && got != want {
			t.Errorf("student %d: %s, want %s", row, got, want)
		}
	}
	scores := r.Scores()
	if _, removed := scores[4]; removed || scores[2] != (Score{Second: 1, Task: 1, Most: 3}) ||
		scores[5] != (Score{Most: 3, Practice: true}) {
		t.Errorf("scores are %+v", scores)
	}
	if cell(4, "sooner") != "Hadar" || cell(4, "answered") != "t50" {
		t.Error("practice is not in the table")
	}
	tries := table(r.AttemptsCSV(true, clock))
	for row, want := range map[int]string{1: "predict first", 4: "vote second", 7: "change task", 15: "run practice"} {
		if got := tries(row, "phase") + " " + tries(row, "round"); got != want {
			t.Errorf("attempt %d: %s, want %s", row, got, want)
		}
	}
	if moves := string(r.MovesCSV()); !strings.Contains(moves, "sooner,Gavel,Hadar,1,no,yes") ||
		!strings.Contains(moves, "sooner,Gavel,Gavel,1,no,no") || strings.Count(moves, "\n") != 1+3*3 {
		t.Error(moves)
	}
}

func encoded(a *Assignment) []byte {
	data, err := json.Marshal(a)
	if err != nil {
		panic(err)
	}
	return data
}

// TestPlanOfBefore: a plan in which the run comes before the discussion stays as it is written, and its second vote is
// in the discussion; one that says nothing of phases has the order of today.
func TestPlanOfBefore(t *testing.T) {
	a := shipped(t, "hadar-vs-gavel")
	if a.Votes() != VoteAgain || a.Reached(Discuss, Run) || !a.Reached(Change, Run) {
		t.Error("the plan of today")
	}
	a.Plan = nil
	for _, p := range []Phase{Lobby, Predict, Run, Discuss, Change, Closed} {
		a.Plan = append(a.Plan, Step{Phase: p})
	}
	old, diags := Parse(encoded(a))
	if old == nil || old.Votes() != Discuss || !old.Reached(Discuss, Run) || old.Next(Run) != Discuss {
		t.Error("the plan of before", diags)
	}
	a.Plan = nil
	if bare, _ := Parse(encoded(a)); bare == nil || len(bare.Plan) != len(Phases) {
		t.Error("no plan")
	}
	for i := range a.Questions {
		a.Questions[i].Again = false
	}
	if once, _ := Parse(encoded(a)); once == nil || once.Next(Predict) != Run {
		t.Error("no question is asked again")
	}
	a.Questions[0] = Question{ID: "f", Text: "?", Kind: Fixed,
		Options: []Option{{ID: "a", Text: "a"}, {ID: "b", Text: "b"}}}
	if bad, _ := Parse(encoded(a)); bad != nil {
		t.Error("nothing is right")
	}
	if shown, diags := ParseShown(encoded(a)); shown == nil {
		t.Error("what students see before the run cannot be read", diags)
	}
}

// TestNoFigureIsNone: what a class keeps of a run has a figure where the run has one, and no 0 for one that it does not
// have; a try without a figure comes closest to nothing.
func TestNoFigureIsNone(t *testing.T) {
	for _, m := range []message.Metrics{
		{AvgJCTS: 12, P95JCTS: 20, MakespanS: 30, FTFMax: 1.5, GPUUtilization: 0.5, BusyGPUS: 15},
		{AvgJCTS: 12, P95JCTS: 20, MakespanS: 30, FTFMax: 1.5, GPUUtilization: 0.5, BusyGPUS: 15, AvgQueueS: 3},
		{GPUUtilization: 0.5, BusyGPUS: 15},                // no job finishes
		{GPUUtilization: 0, StalledGPUS: 15, AvgQueueS: 3}, // nor makes progress
		{}, // nor starts
	} {
		l := LaneOf(&message.Lane{Metrics: m})
		for _, name := range MetricNames {
			got, want := l.Figures.Of(name), message.FindMetric(name).Of(&m)
			if got != want && !(math.IsNaN(got) && math.IsNaN(want)) {
				t.Errorf("%s of %+v is %v, and elsewhere %v", name, m, got, want)
			}
		}
	}
	if !math.IsNaN((Figures{}).Of("nothing")) {
		t.Error("there is a figure that has no name")
	}

	none := Lane{Policy: "hadar", Outcome: "horizon"}
	r := Record{Assignment: &Assignment{}, Students: []Student{{N: 1}},
		Entries: []Entry{{Student: 1, Kind: Submission, Body: Body{Lanes: []Lane{none}}}}}
	rows, err := csv.NewReader(bytes.NewReader(r.AttemptsCSV(false, func(int64) string { return "" }))).ReadAll()
	if err != nil || len(rows) != 2 {
		t.Fatal(rows, err)
	}
	for i, name := range rows[0] {
		if slices.Contains(MetricNames[:5], name) && rows[1][i] != "" {
			t.Errorf("%s of a run in which no job finishes is %q", name, rows[1][i])
		}
	}

	task := &Task{Winner: "hadar", Metric: "avg_jct_s"}
	won := []Lane{{"hadar", 1, "done", "", Figures{AvgJCTS: 13}}, {"gavel-las", 1, "done", "", Figures{AvgJCTS: 12}}}
	far := []Lane{none, none}
	for _, lanes := range [][][]Lane{{won, far}, {far, won}} {
		var tally Tally
		for _, l := range lanes {
			gap, _ := task.Gap(task.Metric, l)
			tally.Tries = append(tally.Tries, Try{Lanes: l, Gap: gap})
			tally.change(task, "/x", len(tally.Tries)-1)
		}
		if c := tally.Changes[0]; math.IsNaN(c.Gap) {
			t.Errorf("a try without a figure comes closest: %+v", c)
		}
	}
}

func TestVerify(t *testing.T) {
	truth := []Lane{{"hadar", 2, "done", "aa", Figures{AvgJCTS: 1212}},
		{"gavel-las", 0, "done", "bb", Figures{AvgJCTS: 1620}}}
	claim := func(change func(b *Body)) *Body {
		b := &Body{Engine: "1.2.0", Lanes: slices.Clone(truth)}
		change(b)
		return b
	}
	for _, c := range []struct {
		name string
		b    *Body
		want string
	}{
		{"the same", claim(func(*Body) {}), Verified},
		{"rounded in the tenth digit", claim(func(b *Body) { b.Lanes[0].Figures.AvgJCTS += 1e-7 }), Verified},
		{"a better figure", claim(func(b *Body) { b.Lanes[1].Figures.AvgJCTS = 1000 }), Differs},
		{"another trace", claim(func(b *Body) { b.Lanes[1].TraceHash = "cc" }), Differs},
		{"a lane less", claim(func(b *Body) { b.Lanes = b.Lanes[:1] }), Differs},
		{"no figure", claim(func(b *Body) { b.Lanes[0].Figures.AvgJCTS /= zero }), Differs},
		{"another engine, other figures", claim(func(b *Body) { b.Engine, b.Lanes[0].TraceHash = "1.1.9", "x" }),
			Other},
		{"a patch", claim(func(b *Body) { b.Engine = "1.2.7" }), Verified},
		{"a patch, other figures", claim(func(b *Body) { b.Engine, b.Lanes[0].TraceHash = "1.2.7", "x" }), Differs},
		{"another revision of a lane", claim(func(b *Body) { b.Lanes[0].Rev, b.Lanes[0].TraceHash = 0, "x" }), Other},
		{"revision 1 spelt out", claim(func(b *Body) { b.Lanes[1].Rev = 1 }), Verified},
	} {
		if got := Verify(c.b, "1.2.0", truth); got != c.want {
			t.Errorf("%s is %s, want %s", c.name, got, c.want)
		}
	}
}

func TestRightAnswersGrowOldWithTheirLanes(t *testing.T) {
	have := scenario.Defaults{"hadar": {Rev: 2}, "gavel-las": {Rev: 1}, "fifo": {Rev: 9}}
	a := shipped(t, "hadar-vs-gavel")
	for _, c := range []struct {
		name, engine string
		revs         []int
		old          bool
	}{
		{"found today", "0.2.0", a.Revs(have), false},
		{"a patch before", "0.2.7", []int{2, 1}, false},
		{"a minor version before", "0.1.9", []int{2, 1}, true},
		{"another revision of a lane", "0.2.0", []int{1, 1}, true},
		{"before revisions were kept", "0.2.0", nil, true},
	} {
		if got := a.Old(c.engine, c.revs, "0.2.0", have); got != c.old {
			t.Errorf("%s: old %v", c.name, got)
		}
	}
}

var zero float64

func TestNamesAreTheirOwn(t *testing.T) {
	for _, seed := range []uint64{0, 1, 7, 499, 500, 1<<64 - 1} {
		seen := map[string]bool{}
		for n := 1; n <= MaxStudents; n++ {
			seen[Name(seed, n)] = true
		}
		if len(seen) != MaxStudents {
			t.Errorf("seed %d: %d students have %d names", seed, MaxStudents, len(seen))
		}
	}
	if Name(1, 1) == Name(2, 1) && Name(1, 2) == Name(2, 2) {
		t.Error("two classes have the same names")
	}
}

func TestChecksOfAnswers(t *testing.T) {
	a := shipped(t, "hadar-vs-gavel")
	full := map[string]Answer{"sooner": {"hadar", 4}, "by": {"10-30", 2}}
	with := func(q string, v Answer) map[string]Answer {
		m := map[string]Answer{}
		for k, x := range full {
			m[k] = x
		}
		m[q] = v
		return m
	}
	for _, c := range []struct {
		kind, path string
		b          Body
	}{
		{Answers, "", Body{Answers: full}},
		{Vote, "", Body{Answers: map[string]Answer{"sooner": {"same", 1}}}},
		{Vote, "/answers", Body{Answers: full}},
		{Answers, "/answers/by", Body{Answers: map[string]Answer{"sooner": {"hadar", 4}}}},
		{Answers, "/answers/by/option", Body{Answers: with("by", Answer{"99", 2})}},
		{Answers, "/answers/sooner/sure", Body{Answers: with("sooner", Answer{"hadar", 0})}},
		{Answers, "/answers", Body{Answers: with("weather", Answer{"rain", 2})}},
		{Sentence, "/text", Body{Text: "  "}},
		{Sentence, "/text", Body{Text: strings.Repeat("ä", MaxSentence+1)}},
		{Sentence, "", Body{Text: strings.Repeat("ä", MaxSentence)}},
	} {
		diags := a.Check(c.kind, &c.b)
		got := ""
		if diags.HasErrors() {
			got = diags[0].Path
		}
		if got != c.path {
			t.Errorf("%s %+v: %v, want an error at %q", c.kind, c.b.Answers, diags, c.path)
		}
	}
}
