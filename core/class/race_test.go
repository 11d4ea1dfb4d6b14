package class

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/policy/own/starlark"
	"hadarlab/core/scenario"
)

const (
	soonest = "def key(job, cluster):\n    return job.steps_left / max(job.speed, 0.001)\n"
	longest = "def key(job, cluster):\n    return -job.steps\n"
)

// entered is what a class keeps of a program that was handed in and run again.
func entered(t *testing.T, a *Assignment, student int, written map[string]any) Entry {
	t.Helper()
	e := Entry{Student: student, Seq: int64(student), AtMS: int64(student), Kind: Submission, Verdict: Verified}
	e.Written = written
	for i, doc := range a.Entered(written) {
		if of := LanesOf(lanes(t, doc)); i == 0 {
			e.Lanes = of
		} else {
			e.Races = append(e.Races, of)
		}
	}
	return e
}

// TestARaceTakesTime: what a class may ask its server to compute is its students times attempts times scenarios times
// what a program may take in a run.
func TestARaceTakesTime(t *testing.T) {
	if got := float64(starlark.Whole.Steps) / 1e6 * 0.020; got != runSeconds {
		t.Errorf("a program's run may take %v s", got)
	}
	r := shipped(t, "write-an-order").Task.Race
	if got, want := r.Seconds(30), float64(30*r.Tries()*r.Count()*runSeconds); got != want || r.Count() < 2 {
		t.Errorf("%v s for 30 students, want %v", got, want)
	}
}

// TestTheShippedRace: what students begin with is no win, the hint is one, a program that lets long jobs go first has
// no score since it breaks the bound, and equal programs are found. Scores are the means of shares that the figures
// beside them give.
func TestTheShippedRace(t *testing.T) {
	a := shipped(t, "write-an-order")
	if len(a.Truth(lanes(t, a.Document()))) != len(a.Questions) {
		t.Error("a question has no right answer")
	}
	start := a.Written(a.Document())
	write := func(program string) map[string]any { return map[string]any{"program": program, "preempt": true} }
	entries := []Entry{entered(t, a, 1, start), entered(t, a, 2, write(soonest)), entered(t, a, 3, write(longest)),
		entered(t, a, 4, write("# mine\n"+strings.ReplaceAll(soonest, "job", "j")))}
	students := []Student{{N: 1}, {N: 2}, {N: 3}, {N: 4}, {N: 5}}
	for i, done := range []bool{false, true, false, true} {
		if got := a.Done(&entries[i]); got != done {
			t.Errorf("student %d has done it: %v", i+1, got)
		}
	}
	of := a.Racers(students, entries)
	var order []string
	figures := map[string][]float64{}
	for _, r := range of {
		who := r.Policy
		if r.Student > 0 {
			who = string(rune('0' + r.Student))
		}
		order, figures[who] = append(order, who), r.Figures
	}
	if got := strings.Join(order, " "); got != "2 4 hadar 1 fifo 3" && got != "2 4 hadar fifo 1 3" {
		t.Errorf("the places are %s", got)
	}
	for _, r := range of {
		sum := 0.0
		for i, v := range r.Figures {
			sum += v / figures["fifo"][i]
		}
		if share := sum / float64(a.Task.Race.Count()); r.Score != 0 && math.Abs(share-r.Score) > 1e-12 ||
			r.Score == 0 && r.Broke == "" {
			t.Errorf("%+v: %v by its figures", r, share)
		}
		if alike := r.Student == 2 || r.Student == 4; r.Alike > 0 != alike {
			t.Errorf("student %d: %d programs are the same", r.Student, r.Alike)
		}
		if r.Student == 3 && r.Broke != "ftf_max" {
			t.Errorf("the longest first breaks %q", r.Broke)
		}
	}
}

// TestAProgramThatFaultsHasNoScore where its lane is missing from a run, and one that is not run yet has none either.
func TestAProgramThatFaultsHasNoScore(t *testing.T) {
	a := shipped(t, "write-an-order")
	e := entered(t, a, 1, map[string]any{"program": soonest})
	e.Races[1] = e.Races[1][:1]
	waits := entered(t, a, 2, map[string]any{"program": soonest})
	waits.Verdict = Pending
	of := a.Racers([]Student{{N: 1}, {N: 2}}, []Entry{e, waits})
	for _, r := range of {
		if r.Student == 1 && (r.Broke != Unfinished || r.Score != 0) ||
			r.Student == 2 && (r.Score != 0 || r.Broke != "") {
			t.Errorf("%+v", r)
		}
	}
	if a.Done(&e) || a.Done(&waits) {
		t.Error("it counts as done")
	}
}

// TestARaceOnOneScenario: where nothing is hidden the score is that of the assignment's own scenario.
func TestARaceOnOneScenario(t *testing.T) {
	a := shipped(t, "write-an-order").Clone()
	a.Task.Race.Scenarios = nil
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	if a, _ = Parse(b); a == nil {
		t.Fatal("it is refused")
	}
	e := entered(t, a, 1, map[string]any{"program": soonest, "preempt": true})
	of := a.Racers([]Student{{N: 1}}, []Entry{e})
	want := e.Lanes[1].Figures.AvgJCTS / e.Lanes[0].Figures.AvgJCTS
	if len(of) != 3 || of[0].Student != 1 || of[0].Score != want || !a.Done(&e) {
		t.Errorf("%+v, want a score of %v", of, want)
	}
}

// TestARaceTakesNothingElse than the student's own lane.
func TestARaceTakesNothingElse(t *testing.T) {
	a := shipped(t, "write-an-order")
	judged := func(change func(*scenario.Document)) bool {
		doc := a.Document().Clone()
		change(doc)
		_, diags := a.Judge(doc, lab.Defaults())
		return !diags.HasErrors()
	}
	own := func(d *scenario.Document) { d.Scenario.Policies[1].Params["program"] = soonest }
	for what, c := range map[string]struct {
		change func(*scenario.Document)
		ok     bool
	}{
		"nothing":   {func(*scenario.Document) {}, false},
		"program":   {own, true},
		"a switch":  {func(d *scenario.Document) { d.Scenario.Policies[1].Params["preempt"] = true }, true},
		"a job too": {func(d *scenario.Document) { own(d); d.Scenario.Jobs[0].Steps = 1 }, false},
		"a lane more": {func(d *scenario.Document) {
			own(d)
			d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: "las"})
		}, false},
		"a rival": {func(d *scenario.Document) { own(d); d.Scenario.Policies[0].ID = "lifo" }, false},
		"another order": {func(d *scenario.Document) {
			own(d)
			slices.Reverse(d.Scenario.Policies)
		}, false},
	} {
		if got := judged(c.change); got != c.ok {
			t.Errorf("%s: taken %v", what, got)
		}
	}
}

// TestWhatARaceRefuses: each is named with its place.
func TestWhatARaceRefuses(t *testing.T) {
	for at, change := range map[string]func(a *Assignment){
		"/task/race/attempts":        func(a *Assignment) { a.Task.Race.Attempts = MaxAttempts + 1 },
		"/task/race/bounds/0/metric": func(a *Assignment) { a.Task.Race.Bounds[0].Metric = "joy" },
		"/task/race/bounds/0/most":   func(a *Assignment) { a.Task.Race.Bounds[0].Most = 0 },
		"/task/race/scenarios/1/scenario": func(a *Assignment) {
			a.Task.Race.Scenarios[1] = json.RawMessage(`{"kind":"scenario","version":1}`)
		},
		"/task/race/scenarios": func(a *Assignment) {
			for range 5 {
				a.Task.Race.Scenarios = append(a.Task.Race.Scenarios, a.Scenario)
			}
		},
		"/task/winner": func(a *Assignment) { a.Task.Winner = "las" },
	} {
		a := shipped(t, "write-an-order").Clone()
		change(a)
		b, err := json.Marshal(a)
		if err != nil {
			t.Fatal(err)
		}
		_, diags := Parse(b)
		if errs := diags.Errors(); len(errs) == 0 || !strings.HasPrefix(errs[0].Path, at) {
			t.Errorf("%s: %v", at, errs)
		}
	}
}
