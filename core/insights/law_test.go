package insights

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// listened are the parts of sentences that somebody has to say, so that all of them are tried.
var listened = []string{"still wait when the run ends", "still waits when the run ends", "the last wait ends at",
	"not complete when", "No run completes half", "most of it as", "the largest part as", "No GPU stands idle",
	"of their GPU time while", "Nothing ran any more", "will decide again", "not again before the run ended",
	"is complete under", "Counted are the", "not the same ones", "makes it wait", "leaves idle",
	"that are complete under", "that is complete under", "less than 0.1 %", "No job is faster",
	"none is free", "not all of it at the last decision, and the next", "and nobody decided again", "and came between",
	"all that is free is", "none of what is free"}

// told is a run as sentences take it, with what they are checked against.
type told struct {
	Side
	report  *metric.Report
	cadence sim.Cadence
	u       figure.Unit
}

// tell runs a policy; a run may be stopped after some steps, 0 = not.
func tell(t *testing.T, p *model.Problem, id string, steps int) *told {
	r := simtest.Start(t, p, id, nil, sim.Options{MaxEvents: 1e5})
	for n := 1; r.Step() && n != steps; n++ {
	}
	tr, _ := r.Result()
	m := metric.Compute(p, tr)
	return &told{Side{"“" + id + "”", tr, chart.NewLane(tr), &m.Metrics}, m, r.Cadence(), figure.UnitFor(tr.End)}
}

// faulty is a random problem, with a node out of service now and then, and a horizon now and then.
func faulty(rng *rand.Rand) *model.Problem {
	p := simtest.Random(rng)
	if rng.IntN(2) == 0 {
		s := rng.IntN(len(p.Cluster.Slots))
		at := unit.Seconds(float64(rng.IntN(7200)))
		p.Changes = append(p.Changes, model.CapacityChange{At: at, Slot: model.SlotID(s)})
		if rng.IntN(3) > 0 {
			p.Changes = append(p.Changes, model.CapacityChange{At: at + unit.Seconds(float64(60+rng.IntN(7200))),
				Slot: model.SlotID(s), Cap: p.Cluster.Slots[s].Cap})
		}
	}
	if rng.IntN(2) == 0 {
		p.Horizon = unit.Seconds(float64(600 + rng.IntN(14400)))
	}
	return p
}

// TestSentencesAreTrue: of random scenarios with faults, of runs that are cut by a horizon or stopped, what sentences
// say of all, of none, of most and of the last is so.
func TestSentencesAreTrue(t *testing.T) {
	all := policy.All()
	said := map[string]int{}
	for n := range 2400 {
		rng := rand.New(rand.NewPCG(uint64(n), 7))
		p := faulty(rng)
		var runs []*told
		for k := 0; len(runs) < 2 && k < len(all); k++ {
			s := all[(n+k*(1+n/len(all)%5))%len(all)]
			if s.Unmet(p) != nil {
				continue
			}
			steps := 0
			if n%3 == 2 {
				steps = 1 + rng.IntN(30)
			}
			runs = append(runs, tell(t, p, s.ID, steps))
		}
		for _, r := range runs {
			r.judge(t, said)
		}
		if len(runs) == 2 {
			judgePair(t, runs[0], runs[1], said)
		}
		if t.Failed() {
			t.Fatalf("scenario %d", n)
		}
	}
	for _, s := range listened {
		if said[s] == 0 {
			t.Errorf("no scenario made anybody say %q", s)
		}
	}
}

// note counts what was said.
func note(said map[string]int, text string) {
	for _, s := range listened {
		if strings.Contains(text, s) {
			said[s]++
		}
	}
}

// waits says whether a job waits at an instant.
func (r *told) waits(j int, at unit.Tick) bool {
	row := &r.Trace.Jobs[j]
	if at < row.Arrive || at >= r.Trace.End || row.Finish >= 0 && at >= row.Finish {
		return false
	}
	return r.held(j, at) == 0
}

// held is how many GPUs a job holds at an instant.
func (r *told) held(j int, at unit.Tick) (n int32) {
	s := &r.Trace.Spans
	for i := range s.Len() {
		if int(s.Job[i]) == j && s.From[i] <= at && at < s.To[i] {
			for _, sh := range s.At(i) {
				n += sh.N
			}
		}
	}
	return n
}

// instants are all at which something changes in a run.
func (r *told) instants() (at []unit.Tick) {
	s := &r.Trace.Spans
	for i := range s.Len() {
		at = append(at, s.From[i], s.To[i])
	}
	for i := range r.Trace.Jobs {
		at = append(at, r.Trace.Jobs[i].Arrive)
	}
	for i := range r.Trace.Capacity {
		at = append(at, r.Trace.Capacity[i].At)
	}
	return at
}

// wastes says whether a GPU in service is held by nobody while a job waits.
func (r *told) wastes() bool {
	for _, at := range r.instants() {
		waiting := false
		for j := range r.Trace.Jobs {
			waiting = waiting || r.waits(j, at)
		}
		if waiting && at >= r.Trace.FirstArrival() && slices.Max(r.free(at)) > 0 {
			return true
		}
	}
	return false
}

// free is how many GPUs of each slot are there and held by nobody at an instant.
func (r *told) free(at unit.Tick) []int32 {
	caps := make([]int32, len(r.Trace.Slots))
	for s := range caps {
		caps[s] = r.Trace.Slots[s].Cap
	}
	for _, c := range r.Trace.Capacity {
		if c.At <= at {
			caps[c.Slot] = c.Cap
		}
	}
	s := &r.Trace.Spans
	for i := range s.Len() {
		if s.From[i] <= at && at < s.To[i] && !(s.With[i] >= 0 && s.With[i] < s.Job[i]) {
			for _, sh := range s.At(i) {
				caps[sh.Slot] -= sh.N
			}
		}
	}
	return caps
}

// judgeWaits checks what is said of jobs that wait: what is free for them, and whether it was when a decision was made.
func (r *told) judgeWaits(t *testing.T, said map[string]int) {
	t.Helper()
	for _, w := range metric.Waits(r.Trace) {
		at := w.From + (w.To-w.From)*3/4
		says := Standing(nil, r.Trace, r.Lane, int32(w.Job), at, r.u)
		note(said, says)
		k, sum, fresh := r.Trace.RoundAt(at), int32(0), false
		now := r.free(at)
		for s, n := range now {
			sum += n
			fresh = fresh || k >= 0 && n > r.free(r.Trace.Rounds[k].At)[s]
		}
		came := k < 0 || r.Trace.Rounds[k].At < r.Trace.Jobs[w.Job].Arrive
		switch {
		case strings.Contains(says, "none is free") != (sum == 0),
			strings.Contains(says, "at the last decision") && (!fresh || came),
			strings.Contains(says, "and came") && !came,
			strings.Contains(says, "its policy") && (fresh || came),
			strings.Contains(says, "nobody decided") && k+1 < len(r.Trace.Rounds),
			strings.Contains(says, "all that is free is") && sum >= r.Trace.Jobs[w.Job].GPUs:
			t.Errorf("%s, at %v with %v free, at its decision %d: %q", r.Title, at, now, k, says)
		}
	}
}

// judge checks what is said of one run.
func (r *told) judge(t *testing.T, said map[string]int) {
	t.Helper()
	one := []Side{r.Side}
	unfinished, waiting, last := 0, 0, unit.Tick(0)
	for j := range r.Trace.Jobs {
		if r.Trace.Jobs[j].Finish < 0 {
			unfinished++
			if r.Trace.End > 0 && r.waits(j, r.Trace.End-1) {
				waiting++
			}
		}
	}
	for _, w := range metric.Waits(r.Trace) {
		last = max(last, w.To)
	}

	c := chart.NewCDF(r.Trace, r.Title, "a")
	f := CDF(nil, []chart.CDF{c}, r.u)
	note(said, f.Claim+f.Because)
	if strings.Contains(f.Because, "not complete when") != (unfinished > 0) || strings.Contains(f.Because, "never") {
		t.Errorf("%s leaves %d jobs and says %q", r.Title, unfinished, f.Because)
	}

	f = Queue(nil, one, []chart.Curve{{Series: r.Lane.Queue(nil)}}, r.u)
	note(said, f.Claim)
	switch says := figure.Int(waiting); {
	case strings.Contains(f.Claim, "Nobody"):
		if len(metric.Waits(r.Trace)) > 0 {
			t.Errorf("%s says %q", r.Title, f.Claim)
		}
	case waiting > 0:
		if !strings.Contains(f.Claim, says+" still wait") {
			t.Errorf("under %s %d jobs wait in the end: %q", r.Title, waiting, f.Claim)
		}
	case !strings.Contains(f.Claim, "the last wait ends at "+r.u.At(nil, last)):
		t.Errorf("under %s the last wait ends at %v: %q", r.Title, last, f.Claim)
	}

	f = Usage(nil, one, [][]chart.Usage{r.Lane.UsageByType(r.Trace)})
	note(said, f.Claim)
	if strings.Contains(f.Claim, "No GPU") == r.wastes() {
		t.Errorf("%s wastes: %v, and says %q", r.Title, r.wastes(), f.Claim)
	}
	if !strings.Contains(f.Claim, "No GPU") && !strings.Contains(f.Claim, "of their GPU time") {
		t.Errorf("%s: a share of GPU time is no share of the time: %q", r.Title, f.Claim)
	}

	parts := chart.Spending(&r.report.Metrics)
	f = Spending(nil, []string{r.Title}, [][]float64{parts})
	note(said, f.Claim)
	most := 0.0
	for _, v := range parts[1:] {
		most = max(most, v)
	}
	if lost := 1 - parts[0]; strings.Contains(f.Claim, "most of it") != (most > lost-most) && most > 0 {
		t.Errorf("%s loses %v, at most %v by one cause: %q", r.Title, lost, most, f.Claim)
	}
	sum := 0.0
	for _, u := range r.Lane.UsageByType(r.Trace) {
		sum += float64(u.Share[chart.ShareBusy] * float64(u.GPUs))
	}
	if got := sum / float64(r.Trace.GPUs()); max(got-r.Metrics.GPUUtilization, r.Metrics.GPUUtilization-got) > 1e-9 {
		t.Errorf("%s keeps %v at work by type and %v in all", r.Title, got, r.Metrics.GPUUtilization)
	}

	v := make([]float64, len(r.report.Jobs))
	for i := range v {
		v[i] = r.report.Jobs[i].FTF
	}
	name := func(j int32) string { return r.Trace.Jobs[j].Name }
	f = Ratios(nil, []chart.Ratios{chart.NewRatios(v, r.Title, "a")}, name)
	note(said, f.Claim)
	if strings.Contains(f.Claim, "complete") != (unfinished > 0) {
		t.Errorf("%s leaves %d jobs and says %q", r.Title, unfinished, f.Claim)
	}

	if !r.cadence.Merge && r.report.Metrics.StallMergeGPUS != 0 {
		t.Errorf("%s has no copies and merges for %v GPU-seconds", r.Title, r.report.Metrics.StallMergeGPUS)
	}

	r.judgeWaits(t, said)

	for k, d := range r.Trace.Rounds {
		f := Rhythm(nil, r.Trace, r.Lane, k, d.At, r.u, r.Title)
		note(said, f)
		if f != "" && r.cadence.On&sim.Finish != 0 || f != "" && r.cadence.Every != 0 {
			t.Errorf("%s decides at %+v and says %q", r.Title, r.cadence, f)
		}
		if late := d.At + r.Trace.Round; late < r.Trace.End {
			note(said, Rhythm(nil, r.Trace, r.Lane, k, late, r.u, r.Title))
		}
	}
}

// judgePair checks what is said of two runs.
func judgePair(t *testing.T, a, b *told, said map[string]int) {
	t.Helper()
	judgeGains(t, a, b, said)
	if a.Trace.Outcome == trace.Stopped || b.Trace.Outcome == trace.Stopped {
		return // the page does not compare them
	}
	d := chart.Compare(a.Trace, b.Trace, a.Lane, b.Lane)
	f := Find(nil, a.Side, b.Side, d, 2)
	note(said, f.Claim+f.Because)
	left := len(a.Trace.Jobs) - len(a.Lane.Dones)
	alike := strings.Contains(f.Claim, "give every job the same GPUs")
	dones := [2]int{len(a.Lane.Dones), len(b.Lane.Dones)}
	if strings.Contains(f.Claim, "Counted") != (!alike && left > 0 && dones[0] == dones[1] && dones[0] > 0) {
		t.Errorf("%q", f.Claim)
	}
	if dones == [2]int{} && strings.Contains(f.Claim, "mean completion") {
		t.Errorf("no job is complete: %q", f.Claim)
	}
	if x, y := a.Metrics.AvgJCTS, b.Metrics.AvgJCTS; alike && (dones[0] != dones[1] || !message.Tied(x, y)) {
		t.Errorf("%d and %d jobs are complete after %v and %v s in the mean: %q", dones[0], dones[1], x, y, f.Claim)
	}
	if d.First >= 0 && d.Job >= 0 {
		at, j := d.Moments[d.First].At, int(d.Job)
		for _, r := range []*told{a, b} {
			row := &r.Trace.Jobs[j]
			waits := r.held(j, at) == 0 && row.Arrive <= at && (row.Finish < 0 || row.Finish > at)
			for _, s := range []string{r.Title + " makes it wait", r.Title + " lets " + row.Name + " wait"} {
				if strings.Contains(f.Because, s) && !waits && a.Title != b.Title {
					t.Errorf("at %v %s: %q", at, r.Title, f.Because)
				}
			}
			if s := row.Name + " is complete under " + r.Title; strings.Contains(f.Because, s) && a.Title != b.Title &&
				(row.Finish < 0 || row.Finish > at) {
				t.Errorf("at %v: %q", at, f.Because)
			}
		}
	}
}

// judgeGains checks what is said of who is faster.
func judgeGains(t *testing.T, a, b *told, said map[string]int) {
	t.Helper()
	gains := chart.Gains(a.Trace, b.Trace)
	f := Gains(nil, gains, a.Trace, [2]string{a.Title, b.Title}, a.u)
	note(said, f.Claim)
	for _, g := range gains {
		x, y := &a.Trace.Jobs[g.Job], &b.Trace.Jobs[g.Job]
		if strings.Contains(f.Claim, "No job") && (x.Finish < 0 || y.Finish != x.Finish) && !strings.Contains(f.Claim,
			"to be seen") {
			t.Errorf("job %s ends at %v and %v: %q", x.Name, x.Finish, y.Finish, f.Claim)
		}
		// Faster is who ends while the other run has gone on for as long.
		if end := b.Trace.End; g.By > 0 && !g.Known && b.Trace.Outcome == trace.Stopped && end < x.Finish {
			t.Errorf("job %s ends at %v under %s; %s was stopped at %v", x.Name, x.Finish, a.Title, b.Title, end)
		}
	}
}
