package state

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// TestTextsAreOfTheScenario: edited at random, no preset keeps a text of what it was before. Its question is asked of
// it alone, title and file names say that it is changed, the headline ranks the lanes that stand, and a report says
// the same.
func TestTextsAreOfTheScenario(t *testing.T) {
	d := newDesk(t)
	rng := rand.New(rand.NewPCG(29, 2))
	for i := range d.s.Boot.Presets {
		p := &d.s.Boot.Presets[i]
		d.do(LoadPreset{p.Name})
		d.pass(1000)
		textsHold(d)
		steps := 8
		if p.Jobs > 50 {
			steps = 2
		}
		for range steps {
			d.do(someEdit(d.s, rng))
			d.pass(1000)
			textsHold(d)
		}
	}
}

// someEdit is an edit that a reader may do: another number, a job, node or lane more or less, a step back.
func someEdit(s *State, rng *rand.Rand) Action {
	sc := &s.Doc.Scenario
	switch n := rng.IntN(10); {
	case n == 0 && len(sc.Jobs) > 1:
		return Do{edit.RemoveJob{Job: rng.IntN(len(sc.Jobs))}}
	case n == 1 && len(sc.Jobs) > 0:
		return Do{edit.AddJob{CopyOf: rng.IntN(len(sc.Jobs))}}
	case n == 2:
		return Do{edit.AddNode{}}
	case n == 3 && len(sc.Policies) > 1:
		return Do{edit.RemoveLane{Lane: rng.IntN(len(sc.Policies))}}
	case n == 4:
		return Do{edit.AddLane{ID: "fifo", Title: "FIFO"}}
	case n == 5:
		return Do{edit.SetPolicy{Lane: rng.IntN(len(sc.Policies)), ID: "srtf", Title: "SRTF"}}
	case n == 6:
		return Undo{}
	}
	all := edit.Variables(s.Doc, s.Boot.Params)
	v := all[rng.IntN(len(all))]
	to := min(max(v.Value+1-2*float64(rng.IntN(2)), v.Range.Min), v.Range.Max)
	return Do{edit.Alter{Pointer: v.Path, Value: to, What: v.Name}}
}

// textsHold reads what the page says of a preset, or of what was made of it.
func textsHold(d *desk) {
	d.t.Helper()
	s, t := d.s, d.t
	p := &s.Boot.Presets[slices.IndexFunc(s.Boot.Presets,
		func(p learn.Preset) bool { return p.Name == s.History.Stands().Preset })]
	opened := s.History.Base().Document()
	same := s.Doc.ID(s.Defaults) == opened.ID(s.Defaults)
	at := fmt.Sprintf("%s, %s", p.Name, s.History.Stands().Sentence)
	if got := compare.Question(s.Doc); (got == p.Question) != same || got == "" && len(s.Doc.Scenario.Policies) > 1 {
		t.Errorf("%s: it asks %q", at, got)
	}
	if title := s.Title(); same && title != p.Title || !same && title != changedTitle(p.Title) {
		t.Errorf("%s: it is called %q", at, title)
	}
	file := SaveScenario{}.on(&s.Lab)[0].(room.Download)
	if strings.HasSuffix(file.Name, "-changed.json") == same {
		t.Errorf("%s: its file is %q", at, file.Name)
	}
	r := s.Result
	if !s.Fresh() || r.Cut() {
		return
	}
	if _, ok := r.Jobs[s.View.Job]; !ok && s.View.Job != "" {
		t.Errorf("%s: %s is selected, which is no job", at, s.View.Job)
	}
	report := (&share.Report{Title: s.Boot.TitleOf(r.Doc)}).Of(r)
	for _, says := range []string{s.Title(), compare.Question(s.Doc), r.Finding.Claim, r.Finding.Because} {
		if !strings.Contains(report, share.Markdown(says)) {
			t.Errorf("%s: the report does not say %q", at, says)
		}
	}
	ranked(t, at, r)
}

// ranked holds the headline to the figures of all lanes: where all end as many jobs, the best mean completion is named
// before any other.
func ranked(t testing.TB, at string, r *run.Result) {
	t.Helper()
	ran := r.Ran()
	if len(ran) < 2 || r.Diff.First < 0 && len(ran) == 2 {
		return
	}
	best := ran[0]
	for _, l := range ran {
		if len(l.Chart.Dones) != len(best.Chart.Dones) {
			return
		}
		if l.Meta.Metrics.AvgJCTS < best.Meta.Metrics.AvgJCTS {
			best = l
		}
	}
	claim := r.Finding.Claim
	if !strings.Contains(claim, best.Title) {
		t.Errorf("%s: of %d lanes %s is the best, and the headline is %q", at, len(ran), best.Title, claim)
	}
	a, b := r.Pair()
	x, y := a.Meta.Metrics.AvgJCTS, b.Meta.Metrics.AvgJCTS
	by := figure.Against(words.Now(), message.Against(x, y))
	if r.Diff.First >= 0 && !message.Tied(x, y) && !strings.Contains(claim, by) {
		t.Errorf("%s: %s %v, %s %v, and the headline is %q", at, a.Title, x, b.Title, y, claim)
	}
}

// TestQuestionAndTitleComeBack: what the opened scenario asks and is called stands again when its edits are undone, by
// whatever way, and what the reader has written stays.
func TestQuestionAndTitleComeBack(t *testing.T) {
	d := newDesk(t)
	own, title := compare.Question(d.s.Doc), d.s.Title()
	d.do(Do{edit.AddJob{}})
	if compare.Question(d.s.Doc) == own || d.s.Title() == title {
		t.Errorf("another job, and it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
	d.do(Do{edit.RemoveJob{Job: len(d.s.Doc.Scenario.Jobs) - 1}})
	if compare.Question(d.s.Doc) != own || d.s.Title() != title {
		t.Errorf("as it was, and it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
	d.do(Do{edit.Rename{Title: "Mine"}})
	d.do(Do{edit.Rewrite{Sentence: "question", Make: func(d *scenario.Document) { d.Meta.Question = "Is it mine?" }}})
	d.do(Do{edit.AddJob{}})
	if d.s.Title() != "Mine" || compare.Question(d.s.Doc) != "Is it mine?" {
		t.Errorf("it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
}

// TestAScenarioIsComeBackTo: who opens another one meanwhile edits the first against what that was opened as.
func TestAScenarioIsComeBackTo(t *testing.T) {
	d := newDesk(t)
	title := d.s.Title()
	d.do(Do{edit.AddJob{}})
	d.do(LoadPreset{d.s.Boot.Presets[1].Name})
	d.do(Undo{})
	d.do(Do{edit.RemoveJob{Job: len(d.s.Doc.Scenario.Jobs) - 1}})
	if d.s.Title() != title || compare.Question(d.s.Doc) != d.s.Boot.Presets[0].Question {
		t.Errorf("as it was, and it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
}

// TestWhatWasOpenedIsLost: an edit stands though the document that it was made from can no longer be read.
func TestWhatWasOpenedIsLost(t *testing.T) {
	d := newDesk(t)
	d.do(Do{edit.AddJob{}})
	first := &d.s.History.Entries[0]
	first.Doc, first.Text = nil, []byte("{")
	jobs := len(d.s.Doc.Scenario.Jobs)
	d.do(Do{edit.AddJob{}})
	if len(d.s.Doc.Scenario.Jobs) != jobs+1 || d.s.Notice != nil {
		t.Errorf("%d jobs, %+v", len(d.s.Doc.Scenario.Jobs), d.s.Notice)
	}
	d.do(OpenShare{})
}

// changedTitle is how a title is shown of a scenario that was changed: never with a comma after a question mark.
func changedTitle(title string) string {
	if strings.HasSuffix(title, "?") {
		return title + " (changed)"
	}
	return title + ", changed"
}

// TestTextAppliedIsAnEdit: what is changed in the text of a scenario is no longer what was opened either.
func TestTextAppliedIsAnEdit(t *testing.T) {
	d := newDesk(t)
	own, title := compare.Question(d.s.Doc), d.s.Title()
	apply := func(old, now string) {
		text := strings.Replace(string(d.s.Doc.Marshal(true)), old, now, 1)
		d.do(TypedJSON{text})
		d.do(ApplyJSON{})
	}
	apply(`"v100": 3`, `"v100": 4`)
	if compare.Question(d.s.Doc) == own || d.s.Title() != changedTitle(title) {
		t.Errorf("with a GPU more it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
	apply(`"v100": 4`, `"v100": 3`)
	if compare.Question(d.s.Doc) != own || d.s.Title() != title {
		t.Errorf("as it was, and it is %q and asks %q", d.s.Title(), compare.Question(d.s.Doc))
	}
}

// TestNewScenario: a scenario of one's own runs at once, goes by what it has, and the one that stood is a step back.
func TestNewScenario(t *testing.T) {
	d := newDesk(t)
	was := d.s.Doc.ID(d.s.Defaults)
	d.do(NewScenario{})
	d.pass(1000)
	if len(d.s.Diags) > 0 || !d.s.Fresh() || len(d.s.Result.Ran()) != 2 || d.s.Title() != "3 jobs on 4 GPUs" {
		t.Errorf("%q with %v", d.s.Title(), d.s.Diags)
	}
	d.do(Do{edit.AddJob{}})
	d.do(Do{edit.AddLane{ID: edit.NextLane(d.s.Doc)}})
	if title, lanes := d.s.Title(), d.s.Doc.Scenario.Policies; title != "4 jobs on 4 GPUs" || lanes[2].ID != "fifo" {
		t.Errorf("%q, its third lane is %s", title, lanes[2].ID)
	}
	d.do(Undo{})
	d.do(Undo{})
	d.do(Undo{})
	if d.s.Doc.ID(d.s.Defaults) != was {
		t.Error("the scenario that stood does not come back")
	}
}

// TestWhyFollowsAnotherPolicy: the lane whose policy is changed is the one that Why explains.
func TestWhyFollowsAnotherPolicy(t *testing.T) {
	d := newDesk(t)
	d.do(ExplainLane{0})
	d.do(Do{edit.SetPolicy{Lane: 1, ID: "srtf", Title: "SRTF"}})
	if d.s.View.WhyLane != 1 {
		t.Errorf("Why explains lane %d", d.s.View.WhyLane)
	}
}

// TestFindJob: a job that is found by its name is selected, its bar has the keyboard and the cursor is in it.
func TestFindJob(t *testing.T) {
	d := newDesk(t)
	d.do(FindJob{"j3"})
	v := &d.s.View
	if v.Job != "j3" || v.Bar == NoBar {
		t.Fatalf("job %q, bar %v", v.Job, v.Bar)
	}
	_, from, to := d.s.Result.Lanes[v.Bar.Lane].Chart.Stop(v.Bar.Index)
	if m, _ := d.s.Result.Moment(v.Moment); m.At < from || m.At >= to {
		t.Errorf("the cursor is at %d, the bar lasts from %d to %d", m.At, from, to)
	}
	d.do(FindJob{"nobody"})
	if v.Job != "nobody" || v.Bar != NoBar {
		t.Errorf("job %q, bar %v", v.Job, v.Bar)
	}
}

// TestTheHeadlineComparesWhatLanesVary: where each policy of a preset stands in more lanes than one, what it asks is
// what their setting changes, and the headline compares two lanes of one policy.
func TestTheHeadlineComparesWhatLanesVary(t *testing.T) {
	d, vary := newDesk(t), 0
	for _, name := range scenarios.Names {
		d.do(LoadPreset{name})
		lanes := map[string]int{}
		for _, p := range d.s.Doc.Scenario.Policies {
			lanes[p.ID]++
		}
		if slices.Contains(slices.Collect(maps.Values(lanes)), 1) {
			continue
		}
		vary++
		d.pass(1000)
		if a, b := d.s.Result.Pair(); a.Policy.ID != b.Policy.ID {
			t.Errorf("%s: the headline compares %s with %s", name, a.Title, b.Title)
		}
	}
	if vary < 3 {
		t.Errorf("%d presets vary a setting", vary)
	}
}
