package state

import (
	"encoding/json"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/policy/own/replay"
	_ "hadarlab/core/policy/own/starlark" // lessons have programs
	"hadarlab/scenarios"
)

// desk carries out effects as a page would, with the engine in the same process and time that passes only
// when it is told to.
type desk struct {
	t        testing.TB
	s        *State
	now      int
	later    []timed
	runs     []asked[message.RunRequest] // not answered yet
	asks     []asked[message.ExplainRequest]
	onServer []SendToServer
	takes    bool // what the server says when it is asked
	asked    int
	log      []Effect
	// held keeps runs unanswered until answer is called.
	held bool
	cut  bool // what teaches cannot be fetched
}

// asked is a request to the engine.
type asked[R any] struct {
	ID      int64
	Request *R
}

type timed struct {
	at     int
	action Action
}

// clockAt tells the time that has passed.
type clockAt struct {
	Clock
	d *desk
}

func (a clockAt) on(s *Lab) []Effect {
	if a.Ask {
		a.d.asked++
	}
	return Ticked{a.Run, int64(a.d.now) + 1, a.Ask && a.d.takes}.on(s)
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	b := &room.Boot{}
	replay.Offer()
	if err := json.Unmarshal(lab.Catalogue(), &b.Catalogue); err != nil {
		t.Fatal(err)
	}
	var err error
	if b.Index, err = scenarios.NewIndex(); err != nil {
		t.Fatal(err)
	}
	session := lab.NewSession()
	if diags := session.Start(&message.RunRequest{Scenario: []byte(b.Docs[0])}); diags.HasErrors() {
		t.Fatal(diags)
	}
	for more := true; more; {
		var out []*message.Message
		out, more = session.Spend(1 << 20)
		for _, m := range out {
			if m.Lane != nil {
				b.Lanes = append(b.Lanes, room.BakedLane{Lane: *m.Lane, Trace: m.Body})
			}
		}
	}
	data, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if b, err = room.ParseBoot(data); err != nil {
		t.Fatal(err)
	}
	s, err := New(b)
	if err != nil {
		t.Fatal(err)
	}
	d := &desk{t: t, s: s}
	d.do(GoLive{})
	d.do(Answer{&message.Message{Ready: true}})
	d.pass(1000)
	return d
}

// deskOn has a preset open.
func deskOn(t testing.TB, preset string) *desk {
	t.Helper()
	d := newDesk(t)
	d.do(LoadPreset{preset})
	d.pass(1000)
	return d
}

func (d *desk) do(a Action) {
	for _, e := range d.s.Reduce(a) {
		d.log = append(d.log, e)
		switch e := e.(type) {
		case room.After:
			d.later = append(d.later, timed{d.now + e.Ms, e.Action})
		case See:
			d.do(Seen{d.s.View.Visible})
		case room.Call:
			if e.Path == room.TeachingFile && !d.cut {
				file, err := scenarios.Teaching()
				if err != nil {
					d.t.Fatal(err)
				}
				d.do(e.Then(200, file))
			}
		case room.Ask:
			if r := e.Request; r.Run != nil {
				d.runs = append(d.runs, asked[message.RunRequest]{r.ID, r.Run})
			} else if r.Explain != nil {
				d.asks = append(d.asks, asked[message.ExplainRequest]{r.ID, r.Explain})
			} else if r.Import != nil {
				d.do(imported(d.t, r))
			}
		case Clock:
			d.later = append(d.later, timed{d.now + e.Ms, clockAt{e, d}})
		case SendToServer:
			d.onServer = append(d.onServer, e)
		}
	}
	if !d.held {
		d.answer()
	}
}

// edit does an edit and lets the page come to rest.
func (d *desk) edit(e edit.Edit) {
	d.do(Do{e})
	d.pass(1000)
}

// pass lets some ms go by.
func (d *desk) pass(ms int) {
	for end := d.now + ms; ; {
		next := -1
		for i, l := range d.later {
			if l.at <= end && (next < 0 || l.at < d.later[next].at) {
				next = i
			}
		}
		if next < 0 {
			d.now = end
			return
		}
		l := d.later[next]
		d.later = append(d.later[:next:next], d.later[next+1:]...)
		d.now = l.at
		d.do(l.action)
	}
}

// answer runs what was asked for.
func (d *desk) answer() {
	for len(d.runs) > 0 {
		r := d.runs[0]
		d.runs = d.runs[1:]
		for _, m := range answers(r) {
			d.do(Answer{m})
		}
	}
	for len(d.asks) > 0 {
		a := d.asks[0]
		d.asks = d.asks[1:]
		e, diags := lab.NewSession().Explain(a.Request)
		m := &message.Message{ID: a.ID, Explanation: e}
		if e == nil {
			m.Failure = &message.Failure{Lane: -1, Message: diags.Errors()[0].Message.String()}
		}
		d.do(Answer{m})
	}
}

func answers(r asked[message.RunRequest]) []*message.Message {
	session := lab.NewSession()
	session.SetID(r.ID)
	if diags := session.Start(r.Request); diags.HasErrors() {
		return []*message.Message{{ID: r.ID,
			Failure: &message.Failure{Lane: -1, Message: diags.Errors()[0].Message.String()}}}
	}
	var all []*message.Message
	for more := true; more; {
		var out []*message.Message
		out, more = session.Spend(1 << 20)
		all = append(all, out...)
	}
	return all
}

func (d *desk) hash(lane int) string { return d.s.Result.Lanes[lane].Meta.TraceHash }

// rangeOf are the limits of a number of a job.
func rangeOf(field int) edit.Range {
	return edit.JobForm(0, field).Range
}

// form is the scenario as fields show it now.
func form(s *State) *Form {
	f := s.Form()
	return &f
}

// imported is the answer of who reads traces, as it comes over the wire.
func imported(t testing.TB, ask *message.Message) Answer {
	t.Helper()
	ask = wired(t, ask)
	answer, document := imports.Answer(ask.Import, ask.Body)
	return Answer{wired(t, &message.Message{ID: ask.ID, Imported: answer, Body: document})}
}

// wired is a message as it arrives.
func wired(t testing.TB, m *message.Message) *message.Message {
	t.Helper()
	b, err := m.Encode()
	if err != nil {
		t.Fatal(err)
	}
	if m, err = message.Decode(b); err != nil {
		t.Fatal(err)
	}
	return m
}

// explained is why a lane decided as it did at the cursor, and what went wrong.
func explained(s *State, lane int) (e *message.Explanation, problem string) {
	known := s.Asks.At(s.Result, s.View.Moment)[lane]
	return known.E, known.Problem
}
