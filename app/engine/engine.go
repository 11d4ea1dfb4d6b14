// Package engine is the page's client of the engine. It speaks messages and nothing else: it knows neither
// what a run computes nor what is done with the answers. The one implementation talks to a Web Worker;
// tests put their own link in its place.
//
// One engine has all requests. While a run or a sweep lasts it is helped by others: it lends them a lane, or a run of
// the sweep, as a request of its own, whose answers come out in the order in which one engine would have given them.
//
// Engines are of two kinds: the page's own, and a larger one that also runs programs which somebody wrote. That one is
// fetched when the first request has a program, and does everything from then on. It reads recorded traces, too, beside
// those that run.
package engine

import (
	"bytes"
	"encoding/json"
	"slices"

	"hadarlab/app/words"
	"hadarlab/core/message"
)

// Link is one running engine.
type Link interface {
	Post([]byte)
	Stop()
}

// Options wires a client to its world. All fields are required.
type Options struct {
	// Engines is how many may run at once, at least 1.
	Engines int
	// Spawn starts an engine, of the kind that runs programs if so asked. The functions may be called at any time until
	// Stop.
	Spawn func(programs bool, onMessage func([]byte), onFailure func(string)) Link
	// Later calls f after some ms.
	Later func(ms int, f func())
	// Deliver takes every answer. Ready is delivered whenever an engine becomes usable.
	Deliver func(*message.Message)
	// Loads says that the larger engine is being fetched: until Ready, nothing is answered.
	Loads func()
	// Died reports that the engine that has the requests died; again says that another one is started.
	Died func(reason string, again bool)
}

const (
	// long is how long a request goes on before another engine is started to help, in ms. A page's first run takes 200,
	// while its code is being compiled and drawn: another engine then would only slow it down.
	long = 400
	// rest is how long an engine that helps may have nothing to do, in ms: each takes tens of MB.
	rest = 30_000
	// patience is how long a cancelled run may take to answer, in ms, and stopPatience a stopped one. A slow machine
	// takes seconds to write up what a large run has done, all of which is lost if the engine is ended by force; nobody
	// waits meanwhile, since an edit cancels the stopped run.
	patience, stopPatience = 80, 20_000
	// maxDeaths is how many engines in a row may die before no other is started.
	maxDeaths = 3
)

// New starts an engine.
func New(o Options) *Client {
	c := &Client{o: o}
	c.active = c.spawn(false)
	return c
}

// Client asks engines. Answers come through the function given to New.
type Client struct {
	o       Options
	active  *link      // has all requests
	helpers []*link    // have parts of them
	reader  *link      // reads traces, nil = none was asked for lately
	waiting []*request // without their last answer, oldest first
	parts   int64      // lent so far
	deaths  int        // of active engines, in a row
	lost    int        // helpers that died
	words   []byte     // the message that sets the language, nil = none was set

	programs bool // engines are of the kind that runs programs
}

type request struct {
	*message.Message
	body  []byte
	at    *link                    // that has it
	begun bool                     // it has said so
	dry   bool                     // it had nothing to lend
	ends  bool                     // it is to end
	next  int                      // lane that is delivered next
	far   message.Progress         // as delivered
	lanes map[int]*message.Message // that have come; nil = delivered
}

// link is an engine and what it is doing.
type link struct {
	Link
	ready bool
	queue [][]byte // posted before it was ready
	dead  bool

	asks   bool             // the active engine has been asked for a part for it
	part   *part            // that it works on, nil = none
	holds  *message.Message // request for the lane that it has run and can answer questions about
	rested int              // times that it began to rest
	reads  int64            // id of the trace that it reads, 0 = none
}

// part is what an active engine has lent.
type part struct {
	id    int64 // of the helper's request
	of    *request
	at    int
	came  bool           // a lane has
	lanes []message.Lane // of a sweep's run
}

func (c *Client) spawn(programs bool) *link {
	l := &link{}
	l.Link = c.o.Spawn(programs, func(b []byte) { c.receive(l, b) }, func(reason string) { c.died(l, reason) })
	if c.words != nil {
		l.post(c.words)
	}
	return l
}

func (l *link) post(b []byte) {
	if !l.ready {
		l.queue = append(l.queue, b)
		return
	}
	l.Post(b)
}

// say posts a message of the client's own.
func (l *link) say(m *message.Message) {
	if b, err := m.Encode(); err == nil { // it consists of what was read
		l.post(b)
	}
}

// end ends an engine by force.
func (l *link) end() {
	l.dead = true
	l.Stop()
}

// hire starts another engine that helps, if there may be one.
func (c *Client) hire() {
	if len(c.helpers)+1 < c.o.Engines && c.lost < maxDeaths {
		c.helpers = append(c.helpers, c.spawn(c.programs))
	}
}

// free is a helper that has no part, nil if there is none.
func (c *Client) free() *link {
	for _, h := range c.helpers {
		if h.part == nil {
			return h
		}
	}
	return nil
}

// rest ends an engine other than the active one when it has had nothing to do for long.
func (c *Client) rest(h *link) {
	h.rested++
	times := h.rested
	c.o.Later(rest, func() {
		if !h.dead && h != c.active && h.part == nil && h.reads == 0 && h.rested == times {
			h.end()
			c.dismiss(h)
		}
	})
}

func (c *Client) dismiss(h *link) {
	c.helpers = slices.DeleteFunc(c.helpers, func(x *link) bool { return x == h })
	if c.reader == h {
		c.reader = nil
	}
}

// read has a trace read in place of the one before. Runs go on meanwhile, and if what reads cannot be loaded, or fails,
// nothing else does.
func (c *Client) read(id int64, body []byte) {
	c.leave()
	if c.reader == nil {
		c.reader = c.spawn(true)
	}
	c.reader.reads = id
	c.reader.post(body)
}

// leave ends the reading of a trace by force, since who reads hears nothing before the end.
func (c *Client) leave() {
	if l := c.reader; l != nil && l.reads != 0 {
		l.end()
		c.dismiss(l)
		c.o.Deliver(failure(l.reads, "stopped"))
	}
}

// seek asks for parts for helpers that have none.
func (c *Client) seek() {
	i := slices.IndexFunc(c.waiting, func(r *request) bool {
		return (r.Run != nil || r.Sweep != nil) && r.begun && !r.dry && !r.ends
	})
	for _, h := range c.helpers {
		if i >= 0 && h.ready && h.part == nil && !h.asks {
			h.asks = true
			c.active.say(&message.Message{ID: c.waiting[i].ID, Help: true})
		}
	}
}

// lent gives a part to a helper that asked for one.
func (c *Client) lent(m *message.Message) {
	r := c.find(m.ID)
	i := slices.IndexFunc(c.helpers, func(h *link) bool { return h.asks })
	if i >= 0 {
		c.helpers[i].asks = false
	}
	switch {
	case m.Lent.Run == nil || r == nil:
		if r != nil {
			r.dry = true
		}
		c.seek()
	case i < 0 || r.ends: // whoever asked has died, or nobody wants it any more
		c.active.say(&message.Message{ID: m.ID, Settled: &message.Settled{Part: m.Lent.Part, Back: true}})
		c.seek()
	default:
		c.parts--
		h := c.helpers[i]
		h.part = &part{id: c.parts, of: r, at: m.Lent.Part}
		ask := &message.Message{ID: c.parts, Run: m.Lent.Run, Bare: r.Sweep != nil}
		if h.holds = nil; r.Run != nil {
			h.holds = &message.Message{Run: &message.RunRequest{Scenario: r.Run.Scenario, Policies: ask.Run.Policies}}
		}
		h.say(ask)
		if c.free() == nil {
			c.hire()
		}
	}
}

// helped takes what a helper says of its part.
func (c *Client) helped(h *link, m *message.Message) {
	p := h.part
	wanted := c.waits(p.of.ID)
	switch {
	case m.Finished, m.Failure != nil:
		h.part = nil
		back := m.Failure != nil || !p.came
		if wanted {
			c.active.say(&message.Message{ID: p.of.ID,
				Settled: &message.Settled{Part: p.at, Back: back, Lanes: p.lanes}})
		}
		c.rest(h)
		c.seek()
	case m.Lane != nil:
		if p.came = true; p.of.Sweep != nil {
			p.lanes = append(p.lanes, *m.Lane)
		} else if wanted {
			m.ID, m.At = p.of.ID, p.at
			c.lane(p.of, m)
		}
	case m.Progress != nil && wanted && p.of.Run != nil:
		m.ID, m.Progress.Lane = p.of.ID, p.at
		c.progress(p.of, m)
	}
}

// progress delivers how far the lane is that is delivered next; not how far others are, nor what was there before its
// engine was ended: it would fall.
func (c *Client) progress(r *request, m *message.Message) {
	if p := m.Progress; p.Lane == r.next && (p.Lane > r.far.Lane || p.TimeS >= r.far.TimeS) {
		r.far = *p
		c.o.Deliver(m)
	}
}

// lane delivers a lane in its turn.
func (c *Client) lane(r *request, m *message.Message) {
	if m.At < r.next {
		return // asked for again, after its engine was ended
	}
	m.Lane.Lane = m.At
	r.lanes[m.At] = m
	c.inTurn(r)
}

func (c *Client) inTurn(r *request) {
	for {
		m, come := r.lanes[r.next]
		if !come {
			return
		}
		if r.lanes[r.next] = nil; m != nil {
			c.o.Deliver(m)
		}
		r.next++
	}
}

// Words sets the language of what engines say, now and whenever one starts: the file of a catalogue, empty = English.
func (c *Client) Words(file []byte) {
	if len(file) == 0 {
		file = []byte("{}")
	}
	b, err := (&message.Message{Words: file}).Encode()
	if err != nil {
		return // what is no catalogue is not passed on
	}
	c.words = b
	if c.active != nil {
		c.active.post(b)
	}
	for _, h := range c.helpers {
		h.post(b)
	}
	if c.reader != nil {
		c.reader.post(b)
	}
}

// Send sends a request; its answers carry its id, which is above 0.
func (c *Client) Send(m *message.Message) {
	b, err := m.Encode()
	if err != nil {
		c.o.Deliver(failure(m.ID, words.F("the request cannot be written: {0}", err.Error())))
		return
	}
	if m.Import != nil {
		c.read(m.ID, b)
		return
	}
	if c.active == nil {
		c.o.Deliver(failure(m.ID, words.T("the engine is not running; reload the page")))
		return
	}
	if !c.programs && (bytes.Contains(b, program) || bytes.Contains(b, recorded)) {
		c.become(true)
		c.o.Loads()
	}
	r := &request{Message: m, body: b, at: c.holder(m), lanes: map[int]*message.Message{}}
	c.waiting = append(c.waiting, r)
	if r.at.post(b); r.at != c.active {
		c.rest(r.at)
	}
	if m.Run == nil && m.Sweep == nil {
		return
	}
	c.o.Later(long, func() {
		if c.waits(m.ID) && c.free() == nil && c.active != nil && c.active.ready {
			c.hire()
		}
	})
}

// What a request has in it that needs the larger engine. A document may have it for another reason; that costs the
// fetch.
var program, recorded = []byte(`"program"`), []byte(`"recorded"`)

// become ends all engines and goes on with one of a kind, which is asked again what is not answered.
func (c *Client) become(programs bool) {
	c.programs = programs
	for _, h := range c.helpers {
		h.end()
	}
	c.helpers = nil
	if c.active != nil {
		c.active.end()
	}
	c.succeed()
	c.again()
}

// again asks the active engine what is not answered.
func (c *Client) again() {
	for _, r := range slices.Clone(c.waiting) { // an answer may come at once
		r.at, r.begun, r.dry = c.active, false, false
		c.active.post(r.body)
	}
}

// holder is the engine that has run the lane that a question is about, and has nothing else to do, or the active one.
func (c *Client) holder(m *message.Message) *link {
	var about message.RunRequest
	switch {
	case m.Explain != nil:
		about = message.RunRequest{Scenario: m.Explain.Scenario, Policies: []message.PolicyRef{m.Explain.Policy}}
	case m.Flip != nil:
		about = message.RunRequest{Scenario: m.Flip.Scenario, Policies: []message.PolicyRef{m.Flip.Policy}}
	default:
		return c.active
	}
	same := func(a, b any) bool {
		x, err := json.Marshal(a)
		y, err2 := json.Marshal(b)
		return err == nil && err2 == nil && bytes.Equal(x, y)
	}
	for _, h := range c.helpers {
		if h.part == nil && h.holds != nil && same(h.holds.Run.Policies, about.Policies) &&
			same(h.holds.Run.Scenario, about.Scenario) {
			return h
		}
	}
	return c.active
}

// End ends a request. With keep the engine has time to finish a decision and to write up what was done. Without it
// nobody waits any more: if the engine does not answer soon it is ended by force, and a Failure is delivered in its
// place.
func (c *Client) End(id int64, keep bool) {
	if c.reader != nil && c.reader.reads == id {
		c.leave()
		return
	}
	ms := patience
	if keep {
		ms = stopPatience
	}
	r := c.find(id)
	if r == nil || c.active == nil {
		return
	}
	r.ends = true
	r.at.say(&message.Message{ID: id, Cancel: true})
	c.call(r)
	at := c.active
	c.o.Later(ms, func() {
		if c.waits(id) && at == c.active {
			c.replace(id)
		}
	})
}

// call ends the parts of a request that helpers work on.
func (c *Client) call(r *request) {
	for _, h := range c.helpers {
		if h.part != nil && h.part.of == r {
			h.say(&message.Message{ID: h.part.id, Cancel: true})
		}
	}
}

// replace ends the active engine by force, goes on with another, and repeats what others asked.
func (c *Client) replace(cancelled int64) {
	c.active.end()
	c.succeed()
	c.forget(cancelled)
	c.again()
	c.o.Deliver(failure(cancelled, "stopped"))
}

// succeed makes a helper the active engine, or a new one. Parts of an engine that is gone lead to nothing: those who
// work on them are ended with it.
func (c *Client) succeed() {
	c.active = nil
	for _, h := range slices.Clone(c.helpers) {
		switch h.asks = false; {
		case h.part != nil:
			h.end()
			c.dismiss(h)
		case c.active == nil:
			c.active = h
			c.dismiss(h)
		}
	}
	if c.active == nil {
		c.active = c.spawn(c.programs)
	}
}

// find is the request of that id that still waits, nil if none does.
func (c *Client) find(id int64) *request {
	for _, r := range c.waiting {
		if r.ID == id {
			return r
		}
	}
	return nil
}

// waits says whether a request's last answer is still to come.
func (c *Client) waits(id int64) bool { return c.find(id) != nil }

func (c *Client) forget(id int64) {
	c.waiting = slices.DeleteFunc(c.waiting, func(r *request) bool { return r.ID == id })
}

func (c *Client) receive(l *link, b []byte) {
	if l.dead {
		return
	}
	m, err := message.Decode(b)
	if err != nil {
		c.died(l, words.T("the engine sent something that cannot be read"))
		return
	}
	r := c.find(m.ID)
	switch {
	case m.Ready:
		l.ready = true
		for _, q := range l.queue {
			l.Post(q)
		}
		if l.queue = nil; l == c.active {
			c.o.Deliver(m)
			return
		}
		c.rest(l)
		c.seek()
	case l == c.reader:
		if m.ID == l.reads {
			l.reads = 0
			c.rest(l)
			c.o.Deliver(m)
		}
	case l.part != nil && m.ID == l.part.id:
		c.helped(l, m)
	case r != nil && r.at != l || r == nil && l != c.active:
	case m.Lent != nil:
		c.lent(m)
	default:
		c.answer(r, m)
	}
}

// answer delivers an answer of the engine that has the request.
func (c *Client) answer(r *request, m *message.Message) {
	if last(m) {
		c.deaths = 0
		if r != nil {
			c.call(r)
			c.forget(m.ID)
		}
		c.o.Deliver(m)
		return
	}
	switch {
	case r == nil:
		c.o.Deliver(m)
		return
	case m.Lane != nil:
		c.lane(r, m)
	case m.Failure != nil:
		c.o.Deliver(m)
		r.lanes[m.Failure.Lane] = nil
		c.inTurn(r)
	case m.Progress != nil && r.Run != nil:
		c.progress(r, m)
	default:
		if m.Swept != nil {
			r.dry = false
		}
		c.o.Deliver(m)
	}
	if r.begun = true; len(c.helpers) > 0 {
		c.seek()
	}
}

// last says whether no answer to the request follows.
func last(m *message.Message) bool {
	return m.Finished || m.Explanation != nil || m.Flipped != nil || m.Swept != nil && m.Swept.Over ||
		m.Failure != nil && m.Failure.Lane < 0
}

// died takes up the death of an engine. What a helper had goes back; if it is the active one, that is reported, and
// another one started, unless that has failed too often.
func (c *Client) died(l *link, reason string) {
	if l.dead {
		return
	}
	l.end()
	if l == c.reader {
		c.dismiss(l)
		if l.ready {
			reason = words.F("what reads traces has failed: {0}", reason)
		} else {
			reason = words.F("what reads traces could not be loaded: {0}", reason)
		}
		if l.reads != 0 {
			c.o.Deliver(failure(l.reads, reason))
		}
		return
	}
	if l != c.active {
		c.dismiss(l)
		c.lost++
		if p := l.part; p != nil && c.waits(p.of.ID) {
			c.active.say(&message.Message{ID: p.of.ID, Settled: &message.Settled{Part: p.at, Back: true}})
		}
		for _, r := range c.waiting {
			if r.at == l {
				r.at = c.active
				c.active.post(r.body)
			}
		}
		return
	}
	if c.programs && !l.ready { // it could not be fetched, as without a network: what has no program goes on
		lost := c.waiting
		c.active, c.waiting = nil, nil
		c.become(false)
		for _, r := range lost {
			c.o.Deliver(failure(r.ID, words.F(
				"the engine for programs could not be loaded ({0}); check the network, then run again", reason)))
		}
		return
	}
	c.deaths++
	again := c.deaths < maxDeaths
	c.active, c.waiting = nil, nil
	if again {
		c.succeed()
	}
	c.o.Died(reason, again)
	if again && c.active.ready {
		c.o.Deliver(&message.Message{V: message.Version, Ready: true})
	}
}

func failure(id int64, why string) *message.Message {
	return &message.Message{V: message.Version, ID: id, Failure: &message.Failure{Lane: -1, Message: why}}
}
