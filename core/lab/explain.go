package lab

import (
	"maps"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// Explain gives one decision of one policy with every number. The past is rebuilt from the nearest
// checkpoint when the policy has been run in this session, from the start otherwise; runs are
// deterministic, so that both give the same. An empty request scenario means the session's own.
func (s *Session) Explain(req *message.ExplainRequest) (*message.Explanation, jsondoc.Diagnostics) {
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
	diags jsondoc.Diagnostics
}

// Inquire begins an explanation. It is nil exactly when there is nothing to explain.
func (s *Session) Inquire(req *message.ExplainRequest) (*Inquiry, jsondoc.Diagnostics) {
	if req.Round < 0 {
		return nil, refuse("/round", "round-unknown", words.Say("There is no round {0}.", req.Round),
			words.Say("Rounds are counted from 0."))
	}
	prob, l, diags := s.laneFor(req)
	if l == nil || diags.HasErrors() {
		return nil, diags
	}
	r, err := l.runBefore(prob, req.Round)
	if err != nil {
		return nil, refuse("/policy", "policy-refused", refused(err), words.Text{})
	}
	r.Explain(req.Round)
	return &Inquiry{s, req, prob, l, r, diags}, nil
}

// runBefore is a run that has not decided a round yet, from the latest checkpoint before it.
func (l *lane) runBefore(prob *model.Problem, round int) (*sim.Run, error) {
	r, err := l.newRun(prob)
	if err != nil {
		return nil, err
	}
	for i := len(l.marks) - 1; i >= 0; i-- {
		if l.marks[i].Rounds() <= round {
			r.Restore(&l.marks[i])
			break
		}
	}
	return r, nil
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
func (q *Inquiry) Result() (*message.Explanation, jsondoc.Diagnostics) {
	req, l, r, diags := q.req, q.lane, q.run, q.diags
	d := r.Explained()
	if d == nil {
		return nil, refuse("/round", "round-unknown", words.Say("There is no round {0}: {1} decides {2} times.",
			req.Round, words.Say(l.spec.Title), r.Rounds()),
			words.Say("Choose a round from 0 to {0}.", max(0, r.Rounds()-1)))
	}
	x := &explainer{in: q.s.In, p: q.prob.Under(l.values), l: l, d: d, t: r.Trace()}
	x.p = x.faces()
	e := x.explanation(req.Round)
	x.addHosts(e)
	x.addCloud(e)
	x.addFused(e)
	x.addSlow(e, r)
	if req.Job != "" {
		stands := x.standsFor(req.Job)
		jobs := e.Jobs
		e.Jobs = nil
		for _, j := range jobs {
			if j.ID == stands {
				j.ID = req.Job
				e.Jobs = append(e.Jobs, j)
			}
		}
		if e.Jobs == nil {
			return nil, refuse("/job", "job-not-active", words.Say("Job {0} is not active in round {1}.", req.Job,
				req.Round), words.Say("Choose a job that has arrived and is not done."))
		}
	}
	return e, diags
}

func refuse(path, code string, msg, fix words.Text) jsondoc.Diagnostics {
	return jsondoc.Diagnostics{jsondoc.Error(path, code, msg, fix)}
}

// laneFor finds the lane of the session that the request is about, or makes one.
func (s *Session) laneFor(req *message.ExplainRequest) (*model.Problem, *lane, jsondoc.Diagnostics) {
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
		return nil, nil, refuse("", "no-scenario", words.Say("There is no scenario to explain."),
			words.Say("Send one."))
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
