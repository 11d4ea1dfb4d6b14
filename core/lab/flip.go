package lab

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// The bounds of a search are counted and not timed, so that it ends alike on every machine.
const (
	flipEvents   = 1_000_000 // kernel events in all
	flipEnds     = 200_000   // further ones to run what was found to its end
	flipHalvings = 5         // of the way from a value to one that flips
	flipFound    = 8         // changes reported
)

// Flip is a search for the smallest single change of a scenario that alters one job's decision: what the job
// holds from that instant on, were the changed scenario run from its start. Counts go up and down by one; numbers
// are doubled and halved, and the way to one that flips is halved again; words and switches take each other value.
// The choice of candidates is ours.
type Flip struct {
	in     words.Catalogue
	doc    *scenario.Document
	lane   *lane
	at     unit.Tick // of the decision
	job    string
	before string   // what the job does
	idle   []string // other jobs that wait then
	was    []taken  // what the job has taken until then
	rounds []unit.Tick
	queue  []flipTry
	all    int
	left   int // events
	run    *sim.Run
	ending bool // the search is over, and what it found is run to its end
	res    message.FlipResult
}

// flipTry is a value to be tried at a pointer.
type flipTry struct {
	pointer, name string
	from, to      any
	near          float64 // a value that does not flip, for halving
	halvings      int     // left; 0 for values that are not numbers of any size
	whole         bool
	found         int // index of what it would improve, -1 = none
}

// Flip begins a search; its lane is that of an explanation.
func (s *Session) Flip(req *message.FlipRequest) (*Flip, jsondoc.Diagnostics) {
	prob, l, diags := s.laneFor(&message.ExplainRequest{Scenario: req.Scenario, Policy: req.Policy, Round: req.Round,
		Job: req.Job})
	if l == nil || diags.HasErrors() {
		return nil, diags
	}
	if l.spec.Recorded {
		return nil, refuse("/policy", "policy-recorded", onlyRecorded(), words.Text{})
	}
	doc := s.doc
	if len(req.Scenario) > 0 {
		doc, _ = scenario.Parse(req.Scenario, scenario.FileLimits) // laneFor has found no fault
	}
	r, err := l.runBefore(prob, req.Round)
	if err != nil {
		return nil, refuse("/policy", "policy-refused", words.Own(err.Error()), words.Text{})
	}
	for r.Rounds() <= req.Round && r.Step() {
	}
	if req.Round < 0 || r.Rounds() <= req.Round {
		return nil, refuse("/round", "round-unknown", words.Say("There is no round {0}: {1} decides {2} times.",
			req.Round, words.Say(l.spec.Title), r.Rounds()),
			words.Say("Choose a round from 0 to {0}.", max(0, r.Rounds()-1)))
	}
	f := &Flip{in: s.In, doc: doc, lane: l, job: req.Job, at: r.Trace().Rounds[req.Round].At, left: flipEvents}
	for r.Now() <= f.at && r.Step() {
	}
	var active bool
	if f.before, active = f.does(r); !active {
		return nil, refuse("/job", "job-not-active", words.Say("Job {0} is not active in round {1}.", req.Job,
			req.Round), words.Say("Choose a job that has arrived and is not done."))
	}
	f.idle, f.was = f.others(r), f.history(r)
	for _, d := range r.Trace().Rounds {
		f.rounds = append(f.rounds, d.At)
	}
	f.plan(req.Lane)
	f.all = len(f.queue)
	return f, diags
}

// plan lists what is tried, smaller changes first.
func (f *Flip) plan(lane int) {
	sc := &f.doc.Scenario
	for n := range sc.Cluster.Nodes[:min(message.FlipNodes, len(sc.Cluster.Nodes))] {
		node := &sc.Cluster.Nodes[n]
		for _, typ := range sortedNames(node.GPUs) {
			f.count("/scenario/cluster/nodes/"+itoa(n)+"/gpus/"+typ,
				f.in.F("{0} on {1}", figure.TypeTitle(typ), node.ID), node.GPUs[typ], 0)
		}
	}
	if j := slices.IndexFunc(sc.Jobs, func(j scenario.Job) bool { return j.ID == f.job }); j >= 0 {
		job, at := &sc.Jobs[j], "/scenario/jobs/"+itoa(j)+"/"
		f.count(at+"gpus", f.in.F("GPUs of {0}", f.job), job.GPUs, 1)
		f.scale(at+"weight", f.in.F("weight of {0}", f.job), job.Weight, 0, math.Inf(1), false)
		f.scale(at+"steps", f.in.F("steps of {0}", f.job), job.Steps, 0, math.Inf(1), false)
	}
	if lane >= 0 && lane < len(sc.Policies) {
		for i := range f.lane.spec.Params {
			p := &f.lane.spec.Params[i]
			if p.Name == model.HostSplit && !sc.SharesHosts() {
				continue // it would change nothing
			}
			f.param(p, "/scenario/policies/"+itoa(lane)+"/params/"+p.Name)
		}
	}
	unit.Sort(f.queue, func(a, b flipTry) int { return cmp.Compare(a.size(), b.size()) })
}

func sortedNames(m map[string]int) []string {
	var out []string
	for name := range m {
		out = append(out, name)
	}
	slices.Sort(out)
	return out
}

func (f *Flip) add(t flipTry) {
	t.found = -1
	f.queue = append(f.queue, t)
}

func (f *Flip) count(pointer, name string, n, least int) {
	for _, to := range []int{n - 1, n + 1} {
		if to >= least {
			f.add(flipTry{pointer: pointer, name: name, from: float64(n), to: float64(to), whole: true})
		}
	}
}

func (f *Flip) scale(pointer, name string, v, lo, hi float64, whole bool) {
	for _, to := range []float64{min(2*v, hi), max(v/2, lo)} {
		if whole {
			to = math.Round(to)
		}
		if to != v {
			f.add(flipTry{pointer: pointer, name: name, from: v, to: to, near: v, halvings: flipHalvings, whole: whole})
		}
	}
}

func (f *Flip) param(p *policy.Param, pointer string) {
	now := f.lane.values[p.Name]
	switch p.Kind {
	case policy.Bool:
		f.add(flipTry{pointer: pointer, name: f.in.T(p.Title), from: now, to: now == false})
	case policy.Choice:
		for _, c := range p.Choices {
			if c != now {
				f.add(flipTry{pointer: pointer, name: f.in.T(p.Title), from: now, to: c})
			}
		}
	case policy.Formula: // there is no next one
	default:
		v := f.lane.values.Float(p.Name)
		if v == 0 {
			f.add(flipTry{pointer: pointer, name: f.in.T(p.Title), from: v, to: p.Max, near: v, halvings: flipHalvings,
				whole: p.Kind == policy.Int})
			return
		}
		f.scale(pointer, f.in.T(p.Title), v, p.Min, p.Max, p.Kind == policy.Int)
	}
}

// size is how large a change is, relative to the value before.
func (t *flipTry) size() float64 {
	a, ok := t.from.(float64)
	b, _ := t.to.(float64)
	if !ok || a == 0 {
		return 1
	}
	return math.Abs(b-a) / math.Abs(a)
}

// Tried is how many changes have been tried.
func (f *Flip) Tried() int { return f.res.Tried }

// All is how many there are to try that are known so far, without those that turned out not to be allowed.
func (f *Flip) All() int { return f.all }

// Spend handles about so many kernel events; more is false when the search is over and what it found has been run to
// its end.
func (f *Flip) Spend(events int) (more bool) {
	for events > 0 && (len(f.queue) > 0 || f.end()) {
		if f.left <= 0 {
			f.res.Cut, f.queue, f.run = f.res.Cut || !f.ending, nil, nil
			continue
		}
		if f.run == nil {
			events -= 16 // to compile it costs something too
			f.left -= 16
			if f.run = f.open(&f.queue[0]); f.run == nil { // it is not allowed, and so not tried
				f.all--
				f.next(false, "")
				continue
			}
		}
		going := true
		for ; events > 0 && f.left > 0 && going; events, f.left = events-1, f.left-1 {
			going = (f.ending || f.run.Now() <= f.at) && f.run.Step()
		}
		switch {
		case going:
		case f.ending:
			mean := &f.res.AvgJCTS
			if at := len(f.res.Found) - len(f.queue); at >= 0 {
				mean = &f.res.Found[at].AvgJCTS
			}
			*mean = meanCompletion(f.run)
			f.queue, f.run = f.queue[1:], nil
		default:
			f.res.Tried++
			does, active := f.does(f.run)
			flips := does != f.before && does != ""
			if flips && active {
				does = f.since(f.run, does+f.instead(does, f.others(f.run)))
			}
			f.next(flips, does)
		}
	}
	return len(f.queue) > 0 || f.end()
}

// end orders what was found when the search is over, and queues the scenario as it is and with each change to be run to
// the end for the mean completions. It is false when that is done.
func (f *Flip) end() bool {
	if f.ending {
		return false
	}
	all := f.res.Found
	f.res.Found, f.ending, f.left = []message.FlipChange{}, true, flipEnds
	if len(all) == 0 {
		return false
	}
	f.add(flipTry{})
	unit.Sort(all, func(a, b message.FlipChange) int { return cmp.Compare(a.Size, b.Size) })
	for _, found := range all[:min(flipFound, len(all))] {
		f.res.Found = append(f.res.Found, found)
		f.add(flipTry{pointer: found.Pointer, to: found.To})
	}
	return true
}

// meanCompletion is the mean completion time of a finished run in seconds, nil unless every job that counts is done.
func meanCompletion(r *sim.Run) *float64 {
	t, outcome := r.Result()
	if outcome != trace.Done || len(t.Jobs) == 0 {
		return nil
	}
	sum, w := unit.Tick(0), t.Measured()
	for i := w.From; i < w.To; i++ {
		sum += t.Jobs[i].Finish - t.Jobs[i].Arrive
	}
	mean := sum.Seconds() / float64(w.To-w.From)
	return &mean
}

// open starts the changed scenario, nil when it is not allowed.
func (f *Flip) open(t *flipTry) *sim.Run {
	doc := f.doc.Clone()
	ref := f.lane.ref
	var prob *model.Problem
	if i := len("/scenario/policies/"); len(t.pointer) > i && t.pointer[:i] == "/scenario/policies/" {
		params := f.lane.params()
		params[paramName(t.pointer)] = t.to
		ref.Params = params
	} else if t.pointer != "" && !doc.Alter(t.pointer, t.to) {
		return nil
	}
	if _, prob, _ = compile(doc.Marshal(false)); prob == nil {
		return nil
	}
	return newLane(prob, ref, 0).run
}

func paramName(pointer string) string {
	at := len(pointer)
	for pointer[at-1] != '/' {
		at--
	}
	return pointer[at:]
}

// next notes what came of the first try, and goes half of the way back where that may still be nearer.
func (f *Flip) next(flips bool, does string) {
	t := f.queue[0]
	f.queue, f.run = f.queue[1:], nil
	if flips {
		c := message.FlipChange{Pointer: t.pointer, From: t.from, To: t.to, Size: t.size(),
			What: f.in.F("{0}: {1} to {2}", t.name, word(f.in, t.from), word(f.in, t.to)), Outcome: does}
		if t.found < 0 {
			t.found = len(f.res.Found)
			f.res.Found = append(f.res.Found, c)
		} else {
			f.res.Found[t.found] = c
		}
	}
	if t.halvings == 0 || t.found < 0 {
		return
	}
	far := f.res.Found[t.found].To.(float64)
	if !flips {
		t.near = t.to.(float64)
	}
	half := (t.near + far) / 2
	if t.whole {
		half = math.Round(half)
	} else {
		half, _ = strconv.ParseFloat(strconv.FormatFloat(half, 'g', 3, 64), 64) // always a number
	}
	if half == t.near || half == far {
		return
	}
	t.to, t.halvings = half, t.halvings-1
	f.queue = append([]flipTry{t}, f.queue...)
	f.all++
}

func word(in words.Catalogue, v any) string {
	switch v := v.(type) {
	case float64:
		return figure.Point(in, strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		return strconv.FormatBool(v)
	case string:
		return message.ChoiceName(in, v)
	}
	return "?"
}

// Result is what was found. Call it when Spend has nothing more to do.
func (f *Flip) Result() *message.FlipResult {
	r := f.res
	switch {
	case len(r.Found) > 0:
		r.Sentence = f.in.F("The smallest change found: {0}. Then {1} {2}; now it {3}.", r.Found[0].What, f.job,
			r.Found[0].Outcome, f.before)
	case r.Cut:
		r.Sentence = f.in.F("None of the {0} changes tried before the limit of work alters it: {1} {2}.",
			itoa(r.Tried), f.job, f.before)
	default:
		r.Sentence = f.in.F("None of the {0} single changes tried alters it: {1} {2}.", itoa(r.Tried), f.job, f.before)
	}
	return &r
}
