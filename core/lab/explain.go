package lab

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/text"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// Explain gives one decision of one policy with every number. The past is rebuilt from the nearest
// checkpoint when the policy has been run in this session, from the start otherwise; runs are
// deterministic, so that both give the same. An empty request scenario means the session's own.
func (s *Session) Explain(req *message.ExplainRequest) (*message.Explanation, text.Diagnostics) {
	q, diags := s.Inquire(req)
	if q == nil {
		return nil, diags
	}
	for q.Spend(1 << 20) {
	}
	return q.Result()
}

// Inquiry is an explanation whose past is rebuilt in slices: of a run that was made elsewhere that may be all of it.
type Inquiry struct {
	s     *Session
	req   *message.ExplainRequest
	prob  *model.Problem
	lane  *lane
	run   *sim.Run
	diags text.Diagnostics
}

// Inquire begins an explanation. It is nil exactly when there is nothing to explain.
func (s *Session) Inquire(req *message.ExplainRequest) (*Inquiry, text.Diagnostics) {
	if req.Round < 0 {
		return nil, refuse("/round", "round-unknown", words.F("There is no round {0}.", itoa(req.Round)),
			words.T("Rounds are counted from 0."))
	}
	prob, l, diags := s.laneFor(req)
	if l == nil || diags.HasErrors() {
		return nil, diags
	}
	r, err := l.newRun(prob)
	if err != nil {
		return nil, refuse("/policy", "policy-refused", err.Error(), "")
	}
	for i := len(l.marks) - 1; i >= 0; i-- {
		if l.marks[i].Rounds() <= req.Round {
			r.Restore(&l.marks[i])
			break
		}
	}
	r.Explain(req.Round)
	return &Inquiry{s, req, prob, l, r, diags}, nil
}

// Spend handles about so many events of the past; more is false when the decision has been reached. On the way
// checkpoints are taken for the next question.
func (q *Inquiry) Spend(events int) (more bool) {
	for range events {
		if q.run.Rounds() > q.req.Round || !q.run.Step() {
			return false
		}
		if q.s.keep && q.prob == q.s.prob && q.run.Rounds() <= q.req.Round {
			q.lane.mark(q.run)
		}
	}
	return true
}

// Round is how many decisions of the past have been rebuilt.
func (q *Inquiry) Round() int { return q.run.Rounds() }

// Result is the explanation, once Spend has nothing more to do.
func (q *Inquiry) Result() (*message.Explanation, text.Diagnostics) {
	req, l, r, diags := q.req, q.lane, q.run, q.diags
	d := r.Explained()
	if d == nil {
		return nil, refuse("/round", "round-unknown", words.F("There is no round {0}: {1} decides {2} times.",
			itoa(req.Round), words.T(l.spec.Title), itoa(r.Rounds())),
			words.F("Choose a round from 0 to {0}.", itoa(max(0, r.Rounds()-1))))
	}
	x := explainer{p: q.prob, l: l, d: d, t: r.Trace()}
	e := x.explanation(req.Round)
	if req.Job != "" {
		jobs := e.Jobs
		e.Jobs = nil
		for _, j := range jobs {
			if j.ID == req.Job {
				e.Jobs = append(e.Jobs, j)
			}
		}
		if e.Jobs == nil {
			return nil, refuse("/job", "job-not-active", words.F("Job {0} is not active in round {1}.", req.Job,
				itoa(req.Round)),
				words.T("Choose a job that has arrived and is not done."))
		}
	}
	return e, diags
}

func refuse(path, code, msg, fix string) text.Diagnostics {
	return text.Diagnostics{{Path: path, Level: string(text.LevelError), Code: code,
		Message: words.Own(msg), Fix: words.Own(fix)}}
}

// laneFor finds the lane of the session that the request is about, or makes one.
func (s *Session) laneFor(req *message.ExplainRequest) (*model.Problem, *lane, text.Diagnostics) {
	prob := s.prob
	if len(req.Scenario) > 0 {
		_, p, diags := compile(req.Scenario)
		if p == nil {
			return nil, nil, diags
		}
		if prob == nil || p.Digest != prob.Digest {
			prob = p
		}
	}
	if prob == nil {
		return nil, nil, refuse("", "no-scenario", words.T("There is no scenario to explain."), words.T("Send one."))
	}
	want := newLane(prob, req.Policy, 0)
	if want.diags != nil {
		return nil, nil, want.diags
	}
	if prob == s.prob {
		for _, l := range s.lanes {
			if l.run != nil && l.spec == want.spec && maps.Equal(l.values, want.values) &&
				string(l.ref.Force) == string(want.ref.Force) {
				return prob, l, nil
			}
		}
	}
	return prob, want, nil
}

// explainer turns a decision's ids into names and its reasons into words.
type explainer struct {
	p *model.Problem
	l *lane
	d *sim.Detail
	t *trace.Trace
}

func (x *explainer) explanation(round int) *message.Explanation {
	d := x.d
	worth := x.l.worth()
	e := &message.Explanation{Policy: x.l.ref.ID, Unit: worth.Unit, PerRound: worth.PerRound, Round: round,
		TimeS: x.t.Rounds[round].At.Seconds(), Order: []string{}}
	if c := d.Constants; c != nil {
		e.Constants = &message.Constants{UMax: map[string]float64{}, UMin: map[string]float64{}, Eta: c.Eta,
			Alpha: c.Alpha, HorizonS: c.Horizon.Seconds()}
		for t := range x.p.Cluster.Types {
			name := x.p.Cluster.Types[t].Name
			e.Constants.UMax[name], e.Constants.UMin[name] = c.UMax[t], c.UMin[t]
		}
	}
	for _, p := range d.Prices {
		s := x.p.Cluster.Slots[p.Slot]
		e.Prices = append(e.Prices, message.Price{Node: x.p.Cluster.Nodes[s.Node].Name,
			Type: x.p.Cluster.Types[s.Type].Name,
			Used: int(p.Used), Capacity: int(p.Cap), Price: p.Price})
	}
	for _, j := range d.Order {
		e.Order = append(e.Order, x.p.Jobs[j].Name)
	}
	if d.Valued && d.Altered == nil { // of the policy's own decision
		e.TotalPayoff, e.Primal = &d.Payoff, &d.Primal
		if !d.Unbounded {
			e.DualBound = &d.Dual
		}
	}
	for _, t := range d.Terms {
		e.Terms = append(e.Terms, named(t))
	}
	if c := d.Constants; c != nil && d.Terms == nil { // prices of its own, a type
		e.Terms = append(e.Terms, x.bounds(c)...)
	}
	for i := range d.Choices {
		e.Jobs = append(e.Jobs, x.choice(&d.Choices[i]))
	}
	return e
}

// bounds are the ends of the price curves, once where they are alike for all types.
func (x *explainer) bounds(c *sim.PriceConstants) (out []message.NamedValue) {
	types := x.p.Cluster.BySpeed
	alike := func(of []float64) bool {
		return !slices.ContainsFunc(types, func(t model.TypeID) bool { return of[t] != of[types[0]] })
	}
	add := func(name string, v float64) {
		out = append(out, message.NamedValue{Name: name, Value: v, Unit: x.l.worth().Unit})
	}
	if alike(c.UMin) && alike(c.UMax) {
		add(words.T("U_min, node empty"), c.UMin[types[0]])
		add(words.T("U_max, node full"), c.UMax[types[0]])
		return out
	}
	for _, t := range types {
		add(words.F("U_min of {0}, node empty", x.title(t)), c.UMin[t])
		add(words.F("U_max of {0}, node full", x.title(t)), c.UMax[t])
	}
	return out
}

func (x *explainer) choice(c *sim.Choice) message.JobChoice {
	j := message.JobChoice{ID: x.p.Jobs[c.Job].Name, Action: action(c), Reason: c.Reason.String(),
		RatePerS: float64(c.Rate),
		Gangs:    [][]message.Shard{}, Candidates: []message.Candidate{}}
	if c.Altered != nil && c.Altered.By == c.Job {
		j.Reason = trace.Forced.String()
	}
	if c.Valued {
		j.Utility, j.Cost, j.Payoff, j.Rounds = &c.Utility, &c.Cost, &c.Payoff, &c.Rounds
	}
	for _, g := range c.Gangs {
		j.Gangs = append(j.Gangs, x.shards(g))
	}
	if c.Alone != nil {
		a := x.candidate(c.Alone)
		j.EmptyCluster = &a
	}
	best := true
	for i := range c.Candidates {
		k := x.candidate(&c.Candidates[i])
		switch {
		case c.Altered != nil && sameGangs(c.Gangs, [][]model.Shard{c.Candidates[i].Shards}):
			k.Verdict = words.T("forced by you")
		case c.Altered != nil && c.Candidates[i].Chosen:
			k.Verdict = words.F("{0}’s choice", x.l.short())
		case c.Candidates[i].Chosen:
			k.Verdict = words.T("chosen")
		case k.Phase > 0 && c.Candidates[i].To == c.Job:
			k.Verdict = words.T("its own in phase 2")
		case k.Phase > 0 && c.Candidates[i].To >= 0:
			k.Verdict = words.F("goes to {0}", x.p.Jobs[c.Candidates[i].To].Name)
		case k.Payoff <= 0:
			k.Verdict = words.T("not worth its price")
		case k.Payoff > c.Payoff+float64(1e-9*math.Abs(c.Payoff)): // others make more of these GPUs
			k.Verdict = words.T("worth more to others")
		case best && c.Gangs != nil:
			k.Verdict, best = words.In("verdict", "second"), false
		case k.Payoff >= c.Payoff: // ties go by cost, nodes, speed and what the job has
			k.Verdict = words.T("equal payoff")
		default:
			k.Verdict = words.T("lower payoff")
		}
		j.Candidates = append(j.Candidates, k)
	}
	for _, s := range c.Shares {
		j.Shares = append(j.Shares, message.TypeShare{Type: x.p.Cluster.Types[s.Type].Name, Target: s.Target,
			Received: s.Received,
			Priority: s.Priority, Deficit: s.Deficit.Seconds(), RatePerS: float64(s.Rate)})
	}
	if c.Altered != nil {
		c.Copies = nil // they are not those that it holds
	}
	for _, k := range c.Copies {
		sh := x.shards([]model.Shard{k.Shard})[0]
		j.Copies = append(j.Copies, message.Copy{Node: sh.Node, Type: sh.Type, Count: sh.Count, Phase: k.Phase,
			RatePerS: float64(k.Rate),
			Most:     float64(k.Most), Quota: float64(k.Steps), Weight: k.Weight, Left: int(k.Left)})
	}
	for _, t := range c.Terms {
		j.Terms = append(j.Terms, named(t))
	}
	j.Sentence = x.sentence(c)
	return j
}

func action(c *sim.Choice) string {
	if c.Action == trace.NoReason || c.Action.Waits() {
		return "waits"
	}
	return c.Action.String()
}

func (x *explainer) shards(g []model.Shard) []message.Shard {
	var out []message.Shard
	for _, sh := range g {
		s := x.p.Cluster.Slots[sh.Slot]
		out = append(out, message.Shard{Node: x.p.Cluster.Nodes[s.Node].Name, Type: x.p.Cluster.Types[s.Type].Name,
			Count: int(sh.N)})
	}
	return out
}

func (x *explainer) candidate(c *sim.Candidate) message.Candidate {
	return message.Candidate{Gang: x.shards(c.Shards), Utility: c.Utility, Cost: c.Cost, Payoff: c.Payoff,
		Rounds: c.Rounds, RatePerS: float64(c.Rate), Phase: c.Phase}
}

// rounded writes a number with three to four significant digits.
func rounded(v float64) string {
	a := math.Abs(v)
	switch {
	case v == 0:
		return "0"
	case a >= 1e6 || a < 1e-3:
		return figure.Sig(v, 3)
	case a >= 100:
		return strconv.FormatFloat(v, 'f', 0, 64)
	case a >= 1:
		return figure.Point(strconv.FormatFloat(v, 'f', 2, 64))
	}
	return figure.Point(strconv.FormatFloat(v, 'g', 3, 64))
}

func percent(v float64) string { return strconv.FormatFloat(100*v, 'f', 0, 64) + " %" }

func named(t sim.Term) message.NamedValue {
	return message.NamedValue{Name: t.Name, Value: t.Value, Unit: t.Unit, Solver: t.Solver}
}
