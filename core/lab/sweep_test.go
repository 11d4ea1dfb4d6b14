package lab_test

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

const sweepDoc = `{"kind":"scenario","version":1,"scenario":{"seed":5,"round_s":360,
"cluster":{"nodes":[{"id":"n1","gpus":{"v100":1}},{"id":"n2","gpus":{"k80":1}},{"id":"n3","gpus":{"p100":1}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":4,"k80":1,"p100":2}}]},
"jobs":[{"id":"a","model":"m","gpus":1,"steps":9000},{"id":"b","model":"m","gpus":1,"steps":5000},{"id":"c","model":"m","arrival_s":60,"gpus":1,"steps":4000},
{"id":"d","model":"m","arrival_s":400,"gpus":1,"steps":7000}],
"policies":[{"id":"hadar"},{"id":"gavel-las-agnostic"}]}}`

func sweep(t *testing.T, req message.SweepRequest, slice int) *message.SweepResult {
	t.Helper()
	if req.Scenario == nil {
		req.Scenario = json.RawMessage(sweepDoc)
	}
	w, diags := lab.NewSweep(&req)
	if w == nil {
		t.Fatalf("%+v", diags)
	}
	for done := -1; w.Spend(slice); {
		p := w.Progress()
		if p.Done < done || p.Done > p.Runs {
			t.Fatalf("progress %+v after %d", p, done)
		}
		done = p.Done
	}
	res, faults := w.Result()
	if faults != nil || w.Spend(1) || w.Progress().Done != w.Progress().Runs {
		t.Fatalf("%+v, %+v", faults, w.Progress())
	}
	return res
}

// TestSweepEqualsRuns finds each point of a grid as a run of its own gives it.
func TestSweepEqualsRuns(t *testing.T) {
	req := message.SweepRequest{
		Policies: []message.PolicyRef{{ID: "gavel"}, {ID: "fifo"}},
		Vary: []message.Axis{{Path: "/scenario/round_s", Values: []float64{60, 360}},
			{Path: "/scenario/overheads/restart_s", Values: []float64{0, 30, 50}}},
	}
	res := sweep(t, req, 7)
	if again := sweep(t, req, 1<<20); len(res.Points) != 6 ||
		!slices.EqualFunc(res.Points, again.Points, func(a, b message.SweepPoint) bool {
			return slices.Equal(a.Values, b.Values) && a.Runs[0].TraceHash == b.Runs[0].TraceHash &&
				a.Runs[1].TraceHash == b.Runs[1].TraceHash
		}) {
		t.Fatalf("%d points, and other slices give another result", len(res.Points))
	}
	hashes := map[string]bool{}
	for i, p := range res.Points {
		if p.Values[0] != req.Vary[0].Values[i/3] || p.Values[1] != req.Vary[1].Values[i%3] ||
			p.Runs[0].Policy != "gavel-las" || p.Runs[1].Policy != "fifo" || p.Summary != nil || p.Runs[0].Jobs != nil {
			t.Errorf("point %d: %+v", i, p)
		}
		doc, _ := scenario.Parse([]byte(sweepDoc), scenario.FileLimits)
		doc.Scenario.RoundS, doc.Scenario.Overheads.RestartS = p.Values[0], p.Values[1]
		alone, _, _ := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false), Policies: req.Policies})
		for k := range alone.Runs {
			if alone.Runs[k].TraceHash != p.Runs[k].TraceHash || alone.Runs[k].Metrics != p.Runs[k].Metrics {
				t.Errorf("point %d, %s is not the run of its own", i, p.Runs[k].Policy)
			}
		}
		hashes[p.Runs[0].TraceHash] = true
	}
	if len(hashes) < 4 {
		t.Errorf("%d different runs of six: does the grid vary anything?", len(hashes))
	}
}

func TestReplicates(t *testing.T) {
	res := sweep(t, message.SweepRequest{Replicates: 6}, 1000)
	runs := res.Points[0].Runs
	if len(res.Points) != 1 || len(runs) != 12 || len(runs[0].Jobs) != 4 {
		t.Fatalf("%+v", res)
	}
	hadar, agnostic := map[string]bool{}, map[string]bool{}
	sum := 0.0
	for i := 0; i < 12; i += 2 {
		if runs[i].Seed != uint64(5+i/2) || runs[i+1].Seed != runs[i].Seed || runs[i].Policy != "hadar" {
			t.Errorf("run %d has seed %d", i, runs[i].Seed)
		}
		hadar[runs[i].TraceHash], agnostic[runs[i+1].TraceHash] = true, true
		sum += runs[i+1].Metrics.AvgJCTS - runs[i].Metrics.AvgJCTS
	}
	if len(hadar) != 1 || len(agnostic) < 2 {
		t.Errorf("%d runs of hadar, %d of a policy that draws", len(hadar), len(agnostic))
	}
	s := res.Points[0].Summary
	if s == nil || s.Replicates != 6 || len(s.Policies) != 2 || s.Policies[0].Differences != nil ||
		s.Policies[1].Differences[0].Metric != "jct_s" {
		t.Fatalf("%+v", s)
	}
	d := s.Policies[1].Differences
	i := slices.IndexFunc(d, func(e message.Estimate) bool { return e.Metric == "avg_jct_s" })
	if e := d[i]; e.N != 6 || math.Abs(e.Mean-sum/6) > 1e-9 || *e.Low > e.Mean || *e.High < e.Mean || e.SameSign < 1 ||
		e.SameSign > 6 {
		t.Errorf("%+v", e)
	}
	if e := d[0]; e.Mean-d[i].Mean > 1e-6 || d[i].Mean-e.Mean > 1e-6 { // all jobs finish under both
		t.Errorf("by job %v, of averages %v", e.Mean, d[i].Mean)
	}
}

func TestSweepKeepsWhatIsDone(t *testing.T) {
	req := message.SweepRequest{Scenario: json.RawMessage(sweepDoc), Replicates: 50}
	w, _ := lab.NewSweep(&req)
	for w.Progress().Done < 7 {
		if !w.Spend(20) {
			t.Fatal("the sweep is over")
		}
	}
	w.Stop()
	if w.Spend(20) {
		t.Error("a stopped sweep goes on")
	}
	res, faults := w.Result()
	if faults != nil || !res.Stopped || len(res.Points) != 1 || len(res.Points[0].Runs) < 7 ||
		len(res.Points[0].Runs) > 8 || res.Points[0].Summary.Replicates != len(res.Points[0].Runs)/2 {
		t.Errorf("%+v %+v", faults, res)
	}
}

// TestSweepResumes: what is told of a sweep that is cut off, kept as text, makes another go on where it was: no part is
// run again, and the result is the same bytes.
func TestSweepResumes(t *testing.T) {
	for name, req := range map[string]message.SweepRequest{
		"grid": {Scenario: json.RawMessage(sweepDoc), Vary: []message.Axis{{Path: "/scenario/round_s",
			Values: []float64{60, 120, 240, 360, 480, 600, 720}}}},
		"replicates": {Scenario: json.RawMessage(sweepDoc), Replicates: 7},
		"both": {Scenario: json.RawMessage(sweepDoc), Replicates: 3, Vary: []message.Axis{{Path: "/scenario/round_s",
			Values: []float64{60, 360, 720}}}},
	} {
		want, _ := json.Marshal(sweep(t, req, 1000))
		for cut := range 8 {
			first, diags := lab.OpenSweep(&req)
			if first == nil {
				t.Fatal(diags)
			}
			var kept []string
			first.OnPart(func(lanes []message.Lane) {
				b, err := json.Marshal(first.Kept(slices.Clone(lanes)))
				if err != nil {
					t.Fatal(err)
				}
				kept = append(kept, string(b))
			})
			for len(kept) < cut && first.Spend(1) {
			}
			if len(kept) != cut {
				t.Fatalf("%s: %d parts were told, want %d", name, len(kept), cut)
			}
			jobs := first.Jobs()
			var parts [][]message.Lane
			for _, b := range kept {
				var lanes []message.Lane
				if err := json.Unmarshal([]byte(b), &lanes); err != nil {
					t.Fatal(err)
				}
				parts = append(parts, lanes)
			}
			next, _ := lab.OpenSweep(&req)
			next.Bound(1 << 20)
			next.Resume(parts, jobs)
			if p := next.Progress(); p.Done != 2*cut || next.Jobs() != jobs {
				t.Errorf("%s: after %d parts it is at %+v, with %d jobs of %d", name, cut, p, next.Jobs(), jobs)
			}
			ran := 0
			next.OnPart(func([]message.Lane) { ran++ })
			for next.Spend(1000) {
			}
			res, faults := next.Result()
			if got, _ := json.Marshal(res); string(got) != string(want) || faults != nil || ran != next.Parts()-cut {
				t.Errorf("%s: after %d parts %d are run, %v, the same result: %v", name, cut, ran, faults,
					string(got) == string(want))
			}
		}
	}
}

func TestSweepRefusals(t *testing.T) {
	axis := func(path string, values ...float64) []message.Axis {
		return []message.Axis{{Path: path, Values: values}}
	}
	only := func(ids ...string) (refs []message.PolicyRef) {
		for _, id := range ids {
			refs = append(refs, message.PolicyRef{ID: id})
		}
		return refs
	}
	for _, c := range []struct {
		req  message.SweepRequest
		want string
	}{
		{message.SweepRequest{Policies: only("hadar"), Replicates: 2}, lab.NoRandomPart.String()},
		{message.SweepRequest{Policies: []message.PolicyRef{{ID: "gavel-las-agnostic",
			Params: map[string]any{"shuffle_types": false}}}, Replicates: 2}, lab.NoRandomPart.String()},
		{message.SweepRequest{Policies: only("hadar", "nope")}, "no policy nope"},
		{message.SweepRequest{Vary: axis("/scenario/round_s")}, "no values"},
		{message.SweepRequest{Vary: axis("scenario", 1)}, "no number at scenario"},
		{message.SweepRequest{Vary: axis("/scenario/jobs/9/gpus", 1)}, "no number at /scenario/jobs/9/gpus"},
		{message.SweepRequest{Vary: axis("/scenario/jobs/00/gpus", 1)}, "no number"},
		{message.SweepRequest{Vary: axis("/scenario/jobs", 1)}, "no number"},
		{message.SweepRequest{Vary: axis("/scenario/jobs/0/model", 1)}, "no number"},
		{message.SweepRequest{Vary: axis("/scenario/round", 1)}, "no number at /scenario/round to vary"},
		{message.SweepRequest{Vary: axis("/scenario/oops/deep", 1)}, "no number at /scenario/oops/deep to vary"},
		{message.SweepRequest{Vary: axis("/scenario/round_s", 60, 120, -5)}, "round_s"},
		{message.SweepRequest{Vary: append(axis("/scenario/round_s", 60),
			message.Axis{Path: "/scenario/jobs/0/gpus", Values: []float64{1, 99}})}, "asks for 99 GPUs"},
		{message.SweepRequest{Vary: append(axis("/scenario/round_s", 60), axis("/scenario/round_s", 70)...)},
			"varied twice"},
		{message.SweepRequest{Vary: axis("/scenario/seed", 1, 2), Replicates: 3}, "leave one of the two"},
		{message.SweepRequest{Vary: axis("/scenario/policies/0/params/beam", 0)}, "beam"},
		{message.SweepRequest{Vary: axis("/scenario/round_s", make([]float64, 60_000)...)}, "more than 100000 runs"},
		{message.SweepRequest{Replicates: -1}, "-1 replicates"},
		{message.SweepRequest{Scenario: json.RawMessage(`{}`)}, ""},
	} {
		if c.req.Scenario == nil {
			c.req.Scenario = json.RawMessage(sweepDoc)
		}
		w, diags := lab.NewSweep(&c.req)
		text := ""
		for _, d := range diags {
			text += d.Path + ": " + d.Message.String() + " " + d.Fix.String() + "\n"
		}
		if w != nil || !diags.HasErrors() || !strings.Contains(strings.ToLower(text), strings.ToLower(c.want)) {
			t.Errorf("%+v: %s; want %q", c.req.Vary, text, c.want)
		}
	}
}

// TestRandomParts: what is drawn from the seed is named, and only that.
func TestRandomParts(t *testing.T) {
	const plain = `"cluster":{"nodes":[{"id":"n1","gpus":{"v100":4}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]}`
	for body, want := range map[string]string{
		`{"scenario":{` + plain +
			`,"jobs":[{"id":"j1","model":"m","gpus":1,"steps":10}]}}`: "",
		`{"scenario":{` + plain +
			`,"jobs":[{"id":"j1","model":"m","gpus":1,"steps":10}],"knowledge":{"lengths":"noisy","rates":"noisy"}}}`: "lengths, rates",
		`{"scenario":{` + plain +
			`,"jobs":{"generator":{"count":3}},"horizon_s":9000,"faults":{"generator":{"mtbf_h":1,"mttr_s":60}}}}`: "jobs, faults",
	} {
		doc, diags := scenario.Parse([]byte(body), scenario.FileLimits)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := strings.Join(lab.RandomParts(doc, []message.PolicyRef{{ID: "fifo"}}), ", "); got != want {
			t.Errorf("%s: %q, want %q", body, got, want)
		}
		if got := lab.RandomParts(doc, []message.PolicyRef{{ID: "themis"}}); !strings.Contains(strings.Join(got, ", "),
			"policy themis") {
			t.Errorf("themis draws: %q", got)
		}
	}
}

// TestNewsAddsUp: what the news tell, in any slices, is the result; a sweep with a wrong value fails in a slice of its
// own.
func TestNewsAddsUp(t *testing.T) {
	for _, req := range []message.SweepRequest{
		{Vary: []message.Axis{{Path: "/scenario/round_s", Values: []float64{60, 120, 360}},
			{Path: "/scenario/jobs/0/gpus", Values: []float64{1}}}},
		{Replicates: 5},
	} {
		req.Scenario = json.RawMessage(sweepDoc)
		for _, slice := range []int{1, 9, 1 << 20} {
			w, diags := lab.OpenSweep(&req)
			if w == nil {
				t.Fatal(diags)
			}
			var points []message.SweepPoint
			for more := true; more; {
				more = w.Spend(slice)
				n := w.News()
				if n.Over == more || n.Stopped {
					t.Fatalf("%+v while more is %v", n, more)
				}
				for i, p := range n.Points {
					if at := n.From + i; at == len(points) {
						points = append(points, p)
					} else {
						points[at].Runs, points[at].Summary = append(points[at].Runs, p.Runs...), p.Summary
					}
				}
			}
			res, faults := w.Result()
			if faults != nil || len(points) != len(res.Points) {
				t.Fatalf("%d points told of %d: %v", len(points), len(res.Points), faults)
			}
			for i, p := range res.Points {
				for k := range p.Runs {
					p.Runs[k].Jobs = nil
				}
				told, _ := json.Marshal(points[i])
				if want, _ := json.Marshal(p); string(told) != string(want) {
					t.Errorf("slices of %d, point %d:\n%s\nwant\n%s", slice, i, told, want)
				}
			}
		}
	}
	w, _ := lab.OpenSweep(&message.SweepRequest{Scenario: json.RawMessage(sweepDoc),
		Vary: []message.Axis{{Path: "/scenario/round_s", Values: []float64{60, -5}}}})
	for w.Spend(1000) {
	}
	if res, faults := w.Result(); len(faults) == 0 || len(res.Points) != 0 || !w.News().Over {
		t.Errorf("%+v, %v", res, faults)
	}
}

// TestTwinsKeepTheirParameters: two lanes of one policy are swept with the parameters of each.
func TestTwinsKeepTheirParameters(t *testing.T) {
	doc, _ := scenario.Parse([]byte(sweepDoc), scenario.FileLimits)
	doc.Scenario.Policies = []scenario.Policy{{ID: "gavel-las-agnostic"},
		{ID: "gavel-las-agnostic", Params: map[string]any{"shuffle_types": false}}}
	alone, _, _ := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
	runs := sweep(t, message.SweepRequest{Scenario: doc.Marshal(false), Replicates: 2}, 100).Points[0].Runs
	for k := range alone.Runs {
		if alone.Runs[k].TraceHash != runs[k].TraceHash {
			t.Errorf("lane %d is not the run of its own", k)
		}
	}
	if alone.Runs[0].TraceHash == alone.Runs[1].TraceHash {
		t.Error("the twins do not differ")
	}
}

// TestNamedTwinsKeepTheirParameters: lanes of one policy that a request names are those of the document, one after the
// other or by their parameters, and none takes over another's: an order and one that takes GPUs are two programs.
func TestNamedTwinsKeepTheirParameters(t *testing.T) {
	doc, _ := scenario.Parse([]byte(sweepDoc), scenario.FileLimits)
	doc.Scenario.Policies = []scenario.Policy{
		{ID: "own", Params: map[string]any{"key": "job.steps_left", "preempt": true}},
		{ID: "own", Params: map[string]any{"key": "job.arrival * -1", "rounds": true}}}
	raw := doc.Marshal(false)
	alone, _, _ := lab.Run(&message.RunRequest{Scenario: raw})
	first, second := alone.Runs[0].TraceHash, alone.Runs[1].TraceHash
	as := func(lane int) message.PolicyRef { return doc.Scenario.Policies[lane].Ref() }
	for name, c := range map[string]struct {
		named []message.PolicyRef
		want  []string
	}{
		"by id":         {[]message.PolicyRef{{ID: "own"}, {ID: "own"}}, []string{first, second}},
		"one by id":     {[]message.PolicyRef{{ID: "own"}}, []string{first}},
		"as they are":   {[]message.PolicyRef{as(0), as(1)}, []string{first, second}},
		"the second":    {[]message.PolicyRef{as(1)}, []string{second}},
		"the other way": {[]message.PolicyRef{as(1), {ID: "fifo"}, as(0)}, []string{second, "", first}},
		"more than there is": {[]message.PolicyRef{{ID: "own"}, {ID: "own"}, {ID: "own"}},
			[]string{first, second, second}},
	} {
		ask := message.SweepRequest{Scenario: raw, Policies: c.named,
			Vary: []message.Axis{{Path: "/scenario/round_s", Values: []float64{doc.Scenario.RoundS}}}}
		runs := sweep(t, ask, 100).Points[0].Runs
		for i, want := range c.want {
			if want != "" && runs[i].TraceHash != want {
				t.Errorf("%s: lane %d is not the run of its own", name, i)
			}
		}
	}
	if first == second {
		t.Error("the twins do not differ")
	}
}

// TestLengthNoise: each seed has the same jobs with other steps, whose factors have the spread that was asked for; a
// replicate is the run of such a document, and drawn jobs can vary too.
func TestLengthNoise(t *testing.T) {
	hadar := []message.PolicyRef{{ID: "hadar"}}
	res := sweep(t, message.SweepRequest{Replicates: 5, LengthNoise: 0.1, Policies: hadar}, 50)
	doc, _ := scenario.Parse([]byte(sweepDoc), scenario.FileLimits)
	seen, sum, all := map[string]bool{}, 0.0, 0.0
	for i, r := range res.Points[0].Runs {
		d := doc.Clone()
		d.Scenario.Seed += uint64(i)
		long := scenario.Lengthened(d, 0.1)
		alone, _, _ := lab.Run(&message.RunRequest{Scenario: long.Marshal(false), Policies: hadar})
		if seen[r.TraceHash] = true; alone.Runs[0].TraceHash != r.TraceHash {
			t.Errorf("seed %d is not the run of the scenario with its lengths", d.Scenario.Seed)
		}
		for k := range long.Scenario.Jobs {
			was, now := doc.Scenario.Jobs[k], long.Scenario.Jobs[k]
			z := math.Log(now.Steps / was.Steps)
			sum, all = sum+z*z, all+1
			if now.Steps = was.Steps; now.ID != was.ID || now.ArrivalS != was.ArrivalS || now.GPUs != was.GPUs {
				t.Errorf("job %d became %+v", k, now)
			}
		}
	}
	if spread := math.Sqrt(sum / all); len(seen) != 5 || spread < 0.06 || spread > 0.14 {
		t.Errorf("%d different runs, a spread of %.3f", len(seen), spread)
	}
	from, to := strings.Index(sweepDoc, `"jobs"`), strings.Index(sweepDoc, `"policies"`)
	drawn := strings.Replace(sweepDoc, sweepDoc[from:to], `"jobs":{"generator":{"count":3}},`, 1)
	sweep(t, message.SweepRequest{Scenario: json.RawMessage(drawn), Replicates: 2, LengthNoise: 0.2}, 50)
	for _, bad := range []float64{-0.1, 2.1, math.NaN(), math.Inf(1)} {
		if w, diags := lab.NewSweep(&message.SweepRequest{Scenario: json.RawMessage(sweepDoc), Replicates: 2,
			LengthNoise: bad}); w != nil || len(diags) != 1 || diags[0].Code != "bad-noise" {
			t.Errorf("a noise of %v: %+v", bad, diags)
		}
	}
}
