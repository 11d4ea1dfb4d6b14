package lab

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestFlipFindsWhatReallyFlips: every change found, made in the document and run from its start, gives the job
// what the search says; and the original gives it something else.
func TestFlipFindsWhatReallyFlips(t *testing.T) {
	for _, preset := range Presets() {
		text, ok := Preset(preset.ID)
		if !ok {
			t.Fatal(preset.ID)
		}
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		if len(doc.Scenario.Jobs) == 0 || len(doc.Scenario.Jobs) > 12 {
			continue
		}
		for lane, p := range doc.Scenario.Policies {
			s := NewSession()
			req := &message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: p.ID, Params: p.Params},
				Lane: lane, Round: 0, Job: doc.Scenario.Jobs[0].ID}
			f, diags := s.Flip(req)
			if f == nil {
				if !diags.HasErrors() {
					t.Errorf("%s, %s: neither a search nor an error", preset.ID, p.ID)
				}
				continue
			}
			for f.Spend(100) {
			}
			r := f.Result()
			if r.Tried == 0 || r.Sentence == "" {
				t.Errorf("%s, %s: %+v", preset.ID, p.ID, r)
			}
			if len(r.Found) > 0 {
				sameMean(t, doc, lane, r.AvgJCTS)
			}
			for i, c := range r.Found {
				if i > 0 && c.Size < r.Found[i-1].Size {
					t.Errorf("%s: a smaller change comes later: %+v", preset.ID, r.Found)
				}
				changed := doc.Clone()
				if !changed.Alter(c.Pointer, c.To) {
					t.Errorf("%s: %s cannot be set to %v", preset.ID, c.Pointer, c.To)
					continue
				}
				if got := holds(t, changed, lane, f); got != c.Outcome || strings.HasPrefix(got+",", f.before+",") {
					t.Errorf("%s, %s: with %s the job %s, the search says it %s, and before it %s", preset.ID, p.ID,
						c.What, got, c.Outcome, f.before)
				}
				sameMean(t, changed, lane, c.AvgJCTS)
			}
		}
	}
}

// holds runs a lane of a document up to the search's instant.
func holds(t *testing.T, doc *scenario.Document, lane int, f *Flip) string {
	t.Helper()
	_, prob, diags := compile(doc.Marshal(false))
	if prob == nil {
		t.Fatal(diags)
	}
	p := doc.Scenario.Policies[lane]
	r := newLane(prob, message.PolicyRef{ID: p.ID, Params: p.Params}, 0).run
	for r.Now() <= f.at && r.Step() {
	}
	says, active := f.does(r)
	if active {
		says += f.instead(says, f.others(r))
	}
	return says
}

// TestFlipSaysWhoWaitsInstead: a change that lets a waiting job run names the job whose GPUs it gets, and that one
// holds them without the change.
func TestFlipSaysWhoWaitsInstead(t *testing.T) {
	text, _ := Preset(Presets()[0].ID)
	ref := message.PolicyRef{ID: "gavel-las"}
	f, _ := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: ref, Lane: 1, Round: 0, Job: "j4"})
	for f.Spend(1 << 20) {
	}
	r, named := f.Result(), ""
	for _, c := range r.Found {
		if _, names, found := strings.Cut(c.Outcome, ", and "); found &&
			strings.HasSuffix(c.Outcome, " waits instead") {
			named = strings.TrimSuffix(names, " waits instead")
		}
	}
	e, _ := NewSession().Explain(&message.ExplainRequest{Scenario: text, Policy: ref, Round: 0, Job: named})
	if named == "" || e == nil || len(e.Jobs[0].Gangs) == 0 {
		t.Errorf("%q waits instead of j4: %+v", named, r.Found)
	}
}

// sameMean compares a mean completion of the search with that of a document run to its end by itself.
func sameMean(t *testing.T, doc *scenario.Document, lane int, got *float64) {
	t.Helper()
	p := doc.Scenario.Policies[lane]
	res, _, diags := Run(&message.RunRequest{Scenario: doc.Marshal(false), Policies: []message.PolicyRef{p.Ref()}})
	if res == nil {
		t.Fatal(diags)
	}
	r := &res.Runs[0]
	if done := r.Outcome == "done"; done != (got != nil) || done && *got != r.Metrics.AvgJCTS {
		t.Errorf("%s ends %s after %v s on average, the search says %v", p.ID, r.Outcome, r.Metrics.AvgJCTS, got)
	}
}

// TestFlipIsAlikeInSlices: the size of the helpings changes nothing.
func TestFlipIsAlikeInSlices(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	var sentences [2]string
	for i, events := range []int{1, 1 << 20} {
		f, diags := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadar"},
			Lane: 0, Round: 1, Job: "j4"})
		if f == nil {
			t.Fatal(diags)
		}
		for f.Spend(events) {
		}
		text, err := json.Marshal(f.Result())
		if err != nil {
			t.Fatal(err)
		}
		sentences[i] = string(text)
	}
	if sentences[0] != sentences[1] || !strings.Contains(sentences[0], `"avg_jct_s"`) {
		t.Errorf("%q and %q", sentences[0], sentences[1])
	}
}

func TestFlipRefusesWhatIsNotThere(t *testing.T) {
	text, _ := Preset(Presets()[0].ID)
	for _, c := range []struct {
		round int
		job   string
	}{{1 << 20, "j4"}, {-1, "j4"}, {0, "nobody"}} {
		if f, diags := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: "hadar"},
			Round: c.round, Job: c.job}); f != nil || !diags.HasErrors() {
			t.Errorf("round %d of %s is searched", c.round, c.job)
		}
	}
}

// TestFlipTellsTheWayThere: with less weight j3 loses the first round to j4 and so has the second. That is true, and
// told.
func TestFlipTellsTheWayThere(t *testing.T) {
	text, _ := Preset("odd-gpus-out")
	f, diags := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: "gavel-las"},
		Lane: 1, Round: 1, Job: "j3"})
	if f == nil {
		t.Fatal(diags)
	}
	for f.Spend(1 << 16) {
	}
	for _, c := range f.Result().Found {
		if c.Pointer == "/scenario/jobs/2/weight" && c.To.(float64) < 1 {
			if want := "holds 3 P100 on n2 and 1 P100 on n3, and j4 waits instead (it has gone another way since the policy’s round 1: there j3 waits)"; c.Outcome != want {
				t.Errorf("%s: %q", c.What, c.Outcome)
			}
			return
		}
	}
	t.Errorf("no weight below 1 was found: %+v", f.Result().Found)
}

// TestWhoWaitsTooWaitsNotInstead: another job waits instead of the job only where that waited and runs with the change.
func TestWhoWaitsTooWaitsNotInstead(t *testing.T) {
	text := []byte(`{"kind":"scenario","version":1,"scenario":{"round_s":360,
		"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}},{"id":"n2","gpus":{"p100":1}}]},
		"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1,"p100":0.5}}]},"jobs":[
		{"id":"j1","model":"m","gpus":2,"steps":5000},{"id":"j2","model":"m","gpus":2,"steps":5000},
		{"id":"j3","model":"m","gpus":1,"steps":5000}],"policies":[{"id":"fifo"}]}}`)
	said := ""
	for _, job := range []string{"j1", "j2", "j3"} {
		f, diags := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: "fifo"},
			Job: job})
		if f == nil {
			t.Fatal(diags)
		}
		for f.Spend(1 << 16) {
		}
		for _, c := range f.Result().Found {
			said += c.Outcome + "; "
			if strings.Contains(c.Outcome, "instead") &&
				(f.before != "waits" || strings.HasPrefix(c.Outcome, "waits")) {
				t.Errorf("%s, which %s: with %s it %s", job, f.before, c.What, c.Outcome)
			}
		}
	}
	if !strings.Contains(said, "waits, and j3 waits, too") {
		t.Errorf("nobody waits, too: %s", said)
	}
}

// TestFlipCountsWhatItTried: a change that the scenario does not allow is not tried, and so not one of those that alter
// nothing.
func TestFlipCountsWhatItTried(t *testing.T) {
	text := []byte(`{"kind": "scenario", "version": 1, "scenario": {
		"cluster": {"nodes": [{"id": "n1", "gpus": {"v100": 1}}]},
		"throughputs": {"rows": [{"model": "m", "per_gpu": {"v100": 10}}]},
		"jobs": [{"id": "j1", "model": "m", "gpus": 1, "steps": 36000}],
		"policies": [{"id": "fifo"}]}}`)
	f, diags := NewSession().Flip(&message.FlipRequest{Scenario: text, Policy: message.PolicyRef{ID: "fifo"}, Lane: 0,
		Round: 0, Job: "j1"})
	if f == nil {
		t.Fatal(diags)
	}
	allowed := 0
	for _, try := range f.queue {
		doc := f.doc.Clone()
		if doc.Alter(try.pointer, try.to) {
			if _, prob, _ := compile(doc.Marshal(false)); prob != nil {
				allowed++
			}
		}
	}
	asked := len(f.queue)
	for f.Spend(100) {
	}
	if r := f.Result(); allowed == asked || len(r.Found) > 0 || r.Tried != allowed {
		t.Errorf("%d of %d changes are allowed, and %d tried: %s", allowed, asked, r.Tried, r.Sentence)
	}
}
