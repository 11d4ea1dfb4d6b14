// Package engine is the page's client of the engine. It speaks messages and nothing else: it knows neither
// what a run computes nor what is done with the answers. The one implementation talks to a Web Worker;
// tests put their own link in its place.
package engine

import (
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
	// Spawn starts an engine. The functions may be called at any time until Stop.
	Spawn func(onMessage func([]byte), onFailure func(string)) Link
	// Later calls f after some ms.
	Later func(ms int, f func())
	// Deliver takes every answer. Ready is delivered whenever an engine becomes usable.
	Deliver func(*message.Message)
	// Fell reports that an engine died; again says that another one is started.
	Died func(reason string, again bool)
}

const (
	// long is how long a run goes on before a spare engine is warmed up, in ms. A page's first run takes 200, while its
	// code is being compiled and drawn: a spare engine then would only slow it down.
	long = 400
	// patience is how long a cancelled run may take to answer, in ms, and stopPatience a stopped one. A slow machine
	// takes seconds to write up what a large run has done, all of which is lost if the engine is ended by force; nobody
	// waits meanwhile, since an edit cancels the stopped run.
	patience, stopPatience = 80, 20_000
	// maxDeaths is how many engines in a row may die before no other is started.
	maxDeaths = 3
)

// New starts an engine. A spare one follows when a run lasts, so that ending the first by force costs nothing;
// not earlier, since each takes tens of MB.
func New(o Options) *Client {
	c := &Client{o: o}
	c.active = c.spawn()
	return c
}

// Client asks an engine. Answers come through the function given to New.
type Client struct {
	o       Options
	active  *link
	spare   *link
	waiting []request // without their last answer, oldest first
	deaths  int
	words   []byte // the message that sets the language, nil = none was set
}

type request struct {
	id   int64
	body []byte
}

type link struct {
	Link
	ready bool
	queue [][]byte // posted before it was ready
	dead  bool
}

func (c *Client) spawn() *link {
	l := &link{}
	l.Link = c.o.Spawn(func(b []byte) { c.receive(l, b) }, func(reason string) { c.died(l, reason) })
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

// warm starts a spare engine when a request lasts.
func (c *Client) warm(id int64) {
	c.o.Later(long, func() {
		if c.waits(id) && c.spare == nil && c.active != nil && c.active.ready {
			c.spare = c.spawn()
		}
	})
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
	for _, l := range []*link{c.active, c.spare} {
		if l != nil {
			l.post(b)
		}
	}
}

// Send sends a request; its answers carry its id.
func (c *Client) Send(m *message.Message) {
	b, err := m.Encode()
	if err != nil {
		c.o.Deliver(failure(m.ID, words.F("the request cannot be written: {0}", err.Error())))
		return
	}
	if c.active == nil {
		c.o.Deliver(failure(m.ID, words.T("the engine is not running; reload the page")))
		return
	}
	c.waiting = append(c.waiting, request{m.ID, b})
	c.active.post(b)
	if m.Run != nil || m.Sweep != nil {
		c.warm(m.ID)
	}
}

// End ends a request. With keep the engine has time to finish a decision and to write up what was done. Without it
// nobody waits any more: if the engine does not answer soon it is ended by force, and a Failure is delivered in its
// place.
func (c *Client) End(id int64, keep bool) {
	ms := patience
	if keep {
		ms = stopPatience
	}
	if !c.waits(id) || c.active == nil {
		return
	}
	b, err := (&message.Message{ID: id, Cancel: true}).Encode()
	if err == nil {
		c.active.post(b)
	}
	at := c.active
	c.o.Later(ms, func() {
		if c.waits(id) && at == c.active {
			c.replace(id)
		}
	})
}

// replace ends the active engine by force, goes on with the spare, and repeats what others asked.
func (c *Client) replace(cancelled int64) {
	c.active.dead = true
	c.active.Stop()
	c.active, c.spare = c.spare, nil
	if c.active == nil {
		c.active = c.spawn()
	}
	c.forget(cancelled)
	for _, r := range slices.Clone(c.waiting) { // an answer may come at once
		c.active.post(r.body)
	}
	c.o.Deliver(failure(cancelled, "stopped"))
}

// waits says whether a request's last answer is still to come.
func (c *Client) waits(id int64) bool {
	return slices.ContainsFunc(c.waiting, func(r request) bool { return r.id == id })
}

func (c *Client) forget(id int64) {
	c.waiting = slices.DeleteFunc(c.waiting, func(r request) bool { return r.id == id })
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
	if m.Ready {
		l.ready = true
		for _, q := range l.queue {
			l.Post(q)
		}
		l.queue = nil
		if l == c.active {
			c.o.Deliver(m)
		}
		return
	}
	if l != c.active {
		return
	}
	if last(m) {
		c.deaths = 0
		c.forget(m.ID)
	}
	c.o.Deliver(m)
}

// last says whether no answer to the request follows.
func last(m *message.Message) bool {
	return m.Finished || m.Explanation != nil || m.Flipped != nil || m.Swept != nil && m.Swept.Over ||
		m.Failure != nil && m.Failure.Lane < 0
}

// died reports a death and starts another engine, unless that has failed too often.
func (c *Client) died(l *link, reason string) {
	if l.dead {
		return
	}
	l.dead = true
	l.Stop()
	if l == c.spare {
		c.spare = nil
		return
	}
	c.deaths++
	again := c.deaths < maxDeaths
	c.active, c.waiting = nil, nil
	if again {
		if c.active, c.spare = c.spare, nil; c.active == nil {
			c.active = c.spawn()
		}
	}
	c.o.Died(reason, again)
	if again && c.active.ready {
		c.o.Deliver(&message.Message{V: message.Version, Ready: true})
	}
}

func failure(id int64, why string) *message.Message {
	return &message.Message{V: message.Version, ID: id, Failure: &message.Failure{Lane: -1, Message: why}}
}
