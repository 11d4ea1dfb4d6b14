package simtest

import (
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own/replay"
	"hadarlab/core/record"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// recorded runs a policy and gives the record of its decisions, as it is written.
func recorded(t *testing.T, p *model.Problem, s *policy.Spec) (tr *trace.Trace, written string) {
	t.Helper()
	v, _ := s.Check(nil)
	pol, err := s.New(p.Public(), v)
	if err != nil {
		t.Fatal(err)
	}
	r := StartWith(t, p, pol, s.Cadence(p.Public(), v), sim.Options{MaxEvents: 1e6})
	rec := replay.NewRecorder(p, r.Cadence(), "", s.ID, nil)
	r.Observe(rec.Decided)
	tr = Finish(t, p, r)
	var b strings.Builder
	if err := rec.Ended(tr, &b); err != nil {
		t.Fatal(err)
	}
	return tr, b.String()
}

// takenAgain runs a record; it says what ended the run, if something did.
func takenAgain(t *testing.T, p *model.Problem, written string) (tr *trace.Trace, ended string) {
	t.Helper()
	rec, err := record.Read(strings.NewReader(written), record.InPage)
	if err != nil {
		return nil, err.Error()
	}
	s := replay.Spec(rec, "replay", "a test's")
	pol, err := s.New(p.Public(), nil)
	if err != nil {
		return nil, err.Error()
	}
	r := StartWith(t, p, pol, s.Cadence(p.Public(), nil), sim.Options{MaxEvents: 1e6})
	for r.Step() {
	}
	tr, _ = r.Result()
	if f, has := r.Fault(); has {
		ended = f.Says.String()
	}
	return tr, ended
}

// TestPolicyDecisionsAreTakenAgain: what any policy decided, and was written down, leads to the same trace without it:
// copies, quotas, shared GPUs, batches, faults and wishes for a decision are in the record.
func TestPolicyDecisionsAreTakenAgain(t *testing.T) {
	eachPolicy(t, max(10, *scenarios/10), func(t *testing.T, p *model.Problem, s *policy.Spec) {
		want, written := recorded(t, p, s)
		got, ended := takenAgain(t, p, written)
		if ended != "" {
			t.Fatal(ended)
		}
		if got.Hash() != want.Hash() || got.Events != want.Events || len(got.Rounds) != len(want.Rounds) {
			t.Errorf("%d decisions lead to another trace: %d of %d", len(want.Rounds), len(got.Rounds), got.Events)
		}
		for i := range got.Jobs {
			if got.Jobs[i] != want.Jobs[i] {
				t.Errorf("%+v, recorded %+v", got.Jobs[i], want.Jobs[i])
			}
		}
	})
}

// TestRecordsElsewhere: on any other scenario a run ends at the first decision that is not the recorded one, or has
// what was recorded of it.
func TestRecordsElsewhere(t *testing.T) {
	s, _ := policy.Find("srtf")
	says := map[string]int{}
	for seed := range uint64(300) {
		p := Random(unit.Stream(seed, "replay"))
		if s.Unmet(p) != nil {
			continue
		}
		want, written := recorded(t, p, s)
		other := *p
		switch seed % 5 {
		case 0: // other lengths
			other.Jobs = append([]model.Job(nil), p.Jobs...)
			other.Jobs[0].Work *= 1.5
		case 1: // a job less
			if len(p.Jobs) < 2 {
				continue
			}
			n := len(p.Jobs) - 1
			other.Jobs, other.Costs = p.Jobs[:n], p.Costs[:n]
		case 2: // another job's name
			other.Jobs = append([]model.Job(nil), p.Jobs...)
			other.Jobs[0].Name = "another"
		case 3: // a fault
			other.Changes = append([]model.CapacityChange{{At: 1, Slot: 0, Cap: 0}}, p.Changes...)
		default: // another job's size
			other.Jobs = append([]model.Job(nil), p.Jobs...)
			other.Jobs[0].Shape.Size++
			other.Jobs[0].Shape.Min++
			other.Jobs[0].Shape.Max++
		}
		got, ended := takenAgain(t, &other, written)
		if ended == "" && got.Hash() == want.Hash() && seed%5 != 4 { // a job that never ran may be larger
			t.Errorf("%d: another scenario has the recorded run", seed)
		}
		for _, job := range p.Jobs {
			ended = strings.ReplaceAll(ended, job.Name, "J")
		}
		_, ended, _ = strings.Cut(ended, "of the record: ") // the line
		says[strings.SplitN(ended, ":", 2)[0]]++
	}
	for _, want := range []string{"Job J has ended in the record, and not here.",
		"Job J has arrived in the record, and not here.", "Job another is J in the record.",
		"The record gives job J GPUs that it cannot have here"} {
		if says[want] == 0 {
			t.Errorf("nothing ends with %q: %v", want, says)
		}
	}
}

// TestRecordsAreRead: what is no record is refused with its line, and one that is goes on from the middle of a run.
func TestRecordsAreRead(t *testing.T) {
	p := Random(unit.Stream(1, "replay"))
	s, _ := policy.Find("srtf")
	want, written := recorded(t, p, s)
	lines := strings.SplitAfter(written, "\n")
	head := lines[0]
	for _, c := range []struct{ text, wrong string }{
		{"", "line 1: the file is empty"},
		{"{}\n", "line 1: no record of decisions begins so"},
		{strings.Replace(head, `"version":1`, `"version":2`, 1), "line 1: version is 2"},
		{strings.Replace(head, `"on":[`, `"on":["noon",`, 1), `line 1: on: "noon" calls`},
		{`{"kind":"decisions","version":1}`, "line 1: every_s and on: nothing"},
		{head + "{\n", "line 2: unexpected end"},
		{head + `{"keep":[99]}`, "line 2: there is no job 99"},
		{head + `{"gangs":[{"job":0,"gang":[[0,0]]}]}`, "line 2: there is no slot 0, or 0"},
		{head + `{"gangs":[{"job":0,"gang":[]}]}`, "line 2: a gang of job 0 has no GPUs"},
		{head + `{"gangs":[{"job":0,"gang":[[0,1]],"with":[{"job":-1}]}]}`, "line 2: there is no job -1"},
		{head + `{"now_s":-1}`, "line 2: now_s and wake_s are times from 0 s"},
		{head + `{"now_s":0,"wake_s":1e300}`, "line 2: now_s and wake_s are times from 0 s"},
		{head + `{"gangs":[{"job":0,"gang":[[0,1]],"quota":-1}]}`, "line 2: job 0 has a quota of -1 steps"},
		{head + strings.Repeat(" ", record.InPage.Line+1), "line 2: a line may have 1048576 bytes here"},
		{head + strings.Repeat(strings.Repeat(" ", 1<<20)+"\n", 9), "a record may have 8388608 bytes here"},
		{head + strings.Repeat("{}\n", record.InPage.Decisions+1), "line 100002: a record may have 100000 decisions"},
		{strings.Replace(head, `"jobs":["`, `"jobs":["`+strings.Repeat("j", 400), 1), "line 1: jobs and slots: a name"},
		{written + lines[1], "nothing follows the end"},
		{strings.Join(lines[:len(lines)-3], ""), "The record has no more decisions."},
		{strings.Replace(written, `"gpus":`, `"gpus":1`, 1), "The record is of another cluster: it has 1"},
	} {
		if _, ended := takenAgain(t, p, c.text); !strings.Contains(ended, c.wrong) {
			t.Errorf("%.120q ends with %q, want %q", c.text, ended, c.wrong)
		}
	}
	short := strings.Join(lines[:len(lines)-2], "")
	if got, ended := takenAgain(t, p, short); ended != "" || got.Hash() != want.Hash() {
		t.Errorf("a record without its last line: %s", ended)
	}

	rec, err := record.Read(strings.NewReader(written), record.InPage)
	if err != nil {
		t.Fatal(err)
	}
	spec := replay.Spec(rec, "replay", "a test's")
	pol, _ := spec.New(p.Public(), nil)
	r := StartWith(t, p, pol, spec.Cadence(p.Public(), nil), sim.Options{})
	var half sim.State
	for r.Rounds() < len(rec.Decisions)/2 && r.Step() {
	}
	r.Snapshot(&half)
	for r.Step() {
	}
	r.Restore(&half)
	if again := Finish(t, p, r); again.Hash() != want.Hash() {
		t.Errorf("from the middle on it is another run")
	}
}

// FuzzRecords: no text that is read as a record makes the kernel fail otherwise than by a reason.
func FuzzRecords(f *testing.F) {
	var problems []*model.Problem
	for seed := range uint64(4) {
		p := Random(unit.Stream(seed, "records"))
		problems = append(problems, p)
		for _, id := range []string{"srtf", "hadare", "pollux", "gavel-las"} {
			if s, _ := policy.Find(id); s.Unmet(p) == nil {
				v, _ := s.Check(nil)
				pol, err := s.New(p.Public(), v)
				if err != nil {
					continue
				}
				r, _ := sim.New(p, pol, s.Cadence(p.Public(), v), sim.Options{MaxEvents: 300})
				rec := replay.NewRecorder(p, r.Cadence(), "", s.ID, nil)
				r.Observe(rec.Decided)
				for r.Step() {
				}
				tr, _ := r.Result()
				var b strings.Builder
				_ = rec.Ended(tr, &b)
				f.Add(seed, b.String())
			}
		}
	}
	f.Fuzz(func(t *testing.T, seed uint64, text string) {
		p := problems[seed%uint64(len(problems))]
		rec, err := record.Read(strings.NewReader(text), record.InPage)
		if err != nil {
			return
		}
		s := replay.Spec(rec, "replay", "a test's")
		pol, err := s.New(p.Public(), nil)
		if err != nil {
			return
		}
		r, err := sim.New(p, pol, s.Cadence(p.Public(), nil), sim.Options{MaxEvents: 2000})
		if err != nil {
			return
		}
		for r.Step() {
		}
		if f, has := r.Fault(); has && f.Says.String() == "" {
			t.Error("it ended without a reason")
		}
	})
}
