package lab

import (
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
)

func preset(t *testing.T, name string) []byte {
	t.Helper()
	text, ok := scenarios.Preset(name)
	if !ok {
		t.Fatal("there is no preset " + name)
	}
	return text
}

// recorder is a scenario whose runs record much for its length: a round is a second.
func recorder(t *testing.T) []byte {
	t.Helper()
	text := strings.Replace(string(preset(t, "odd-gpus-out")), `"round_s": 360`, `"round_s": 1`, 1)
	return []byte(strings.Replace(text, `"steps": 31300`, `"steps": 9000000`, 1))
}

// TestBoundOnRecordedBytes: a run over the bound ends as overloaded at the same event whatever the slices, and holds
// little more than the bound; one below it is the same run as without.
func TestBoundOnRecordedBytes(t *testing.T) {
	const bound = 1 << 20
	req := &message.RunRequest{Scenario: recorder(t), Policies: []message.PolicyRef{{ID: "gavel-las"}, {ID: "hadar"},
		{ID: "fifo"}}}
	hashes := map[string]bool{}
	for _, slice := range []int{1, 100, 1 << 20} {
		s := NewBatch()
		s.Bound(bound)
		if diags := s.Start(req); diags.HasErrors() {
			t.Fatal(diags)
		}
		all, held, outcomes := "", 0, ""
		for more := true; more; {
			var out []*message.Message
			out, more = s.Spend(slice)
			for _, m := range out {
				if m.Lane == nil {
					continue
				}
				all += m.Lane.TraceHash
				outcomes += m.Lane.Outcome + " "
				got, err := trace.Decode(m.Body)
				if err != nil {
					t.Fatal(err)
				}
				held += got.Bytes()
			}
		}
		if outcomes != "overloaded overloaded overloaded " || !s.Full() || held < bound || held > bound+bound/10 {
			t.Errorf("in slices of %d: %s, full %v, %d bytes of %d", slice, outcomes, s.Full(), held, bound)
		}
		hashes[all] = true
	}
	if len(hashes) != 1 {
		t.Errorf("%d different runs, depending on the slices", len(hashes))
	}
	free, _, _ := Run(&message.RunRequest{Scenario: preset(t, "odd-gpus-out")})
	s := NewBatch()
	s.Bound(bound)
	s.Start(&message.RunRequest{Scenario: preset(t, "odd-gpus-out")})
	for at := 0; ; {
		out, more := s.Spend(100)
		for _, m := range out {
			if m.Lane != nil {
				if m.Lane.TraceHash != free.Runs[at].TraceHash || s.Full() {
					t.Errorf("below the bound lane %d is another run", at)
				}
				at++
			}
		}
		if !more {
			break
		}
	}
}

// TestBoundOnSweeps: a sweep over the bound stops, and says that it was the bound.
func TestBoundOnSweeps(t *testing.T) {
	for name, vary := range map[string]message.Axis{
		"one point":   {Path: "/scenario/round_s", Values: []float64{1, 360}},
		"many points": {Path: "/scenario/round_s", Values: many(360, 2000)},
	} {
		text := recorder(t)
		if name == "many points" {
			text = preset(t, "two-jobs-three-gpus")
		}
		w, diags := OpenSweep(&message.SweepRequest{Scenario: text, Vary: []message.Axis{vary},
			Policies: []message.PolicyRef{{ID: "fifo"}, {ID: "gavel-las"}}})
		if w == nil {
			t.Fatal(diags)
		}
		w.Bound(1 << 20)
		for w.Spend(1000) {
		}
		if res, _ := w.Result(); !w.Full() || !res.Stopped || w.Jobs() == 0 {
			t.Errorf("%s: full %v, stopped %v, %d jobs", name, w.Full(), res.Stopped, w.Jobs())
		}
	}
}

func many(from float64, n int) (out []float64) {
	for i := range n {
		out = append(out, from+float64(i))
	}
	return out
}

// TestBoundEachIsTheSameWhereverALaneRuns: every lane has an equal part of what all may record, also one that is lent
// and run alone over the same document.
func TestBoundEachIsTheSameWhereverALaneRuns(t *testing.T) {
	doc, _ := scenario.Parse(recorder(t), scenario.FileLimits)
	doc.Scenario.Policies = []scenario.Policy{{ID: "gavel-las"}, {ID: "hadar"}, {ID: "gavel-ftf"},
		{ID: "gavel-fifo"}}
	req := &message.RunRequest{Scenario: doc.Marshal(false)}
	run := func(req *message.RunRequest) (hashes []string) {
		s := NewBatch()
		s.BoundEach(1<<20, 2<<20)
		if diags := s.Start(req); diags.HasErrors() {
			t.Fatal(diags)
		}
		for more := true; more; {
			var out []*message.Message
			out, more = s.Spend(1000)
			for _, m := range out {
				if m.Lane == nil {
					continue
				}
				got, err := trace.Decode(m.Body)
				if err != nil {
					t.Fatal(err)
				}
				if n := got.Bytes(); m.Lane.Outcome != "overloaded" || n < 1<<19 || n > 1<<19+1<<16 {
					t.Errorf("%s ends as %s with %d bytes", m.Lane.Policy, m.Lane.Outcome, n)
				}
				hashes = append(hashes, m.Lane.TraceHash)
			}
		}
		return hashes
	}
	all := run(req)
	for i, p := range doc.Scenario.Policies {
		one := &message.RunRequest{Scenario: req.Scenario, Policies: []message.PolicyRef{p.Ref()}}
		if alone := run(one); len(all) != 4 ||
			len(alone) != 1 || alone[0] != all[i] {
			t.Errorf("%s is another run when it is lent: %v of %v", p.ID, alone, all)
		}
	}
}
