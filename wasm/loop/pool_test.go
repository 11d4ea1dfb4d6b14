package loop

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"testing"
	"time"

	"hadarlab/app/engine"
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// crew is a client with engines that work when the test says so.
type crew struct {
	t     *testing.T
	rng   *rand.Rand
	all   []*hand
	soon  []func() // put off for less than a second
	later []func() // and for longer
	got   []*message.Message
	died  bool // the engine that has the requests did
}

// hand is an engine of a crew: what was posted to it and by it is on its way until the test delivers it.
type hand struct {
	*Loop
	crew     *crew
	in, out  [][]byte
	now      time.Time
	asked    bool
	gone     bool
	receive  func([]byte)
	fail     func(string)
	presence bool // it has been started
}

func (h *hand) Wake()          { h.asked = true }
func (h *hand) Now() time.Time { h.now = h.now.Add(9 * time.Millisecond); return h.now }
func (h *hand) Stop()          { h.gone = true }

// inbox is the page's end of a hand.
type inbox struct{ *hand }

func (b inbox) Post(data []byte) { b.in = append(b.in, data) }
func (h *hand) Post(data []byte) { h.out = append(h.out, data) }

// client is one that has so many engines at most.
func (c *crew) client(engines int) *engine.Client {
	return engine.New(engine.Options{Engines: engines, Spawn: c.spawn,
		Later: func(ms int, f func()) {
			if ms < 1000 {
				c.soon = append(c.soon, f)
			} else {
				c.later = append(c.later, f)
			}
		},
		Loads:   func() {},
		Deliver: func(m *message.Message) { c.got = append(c.got, m) },
		Died:    func(string, bool) { c.died = true },
	})
}

func (c *crew) spawn(_ bool, receive func([]byte), fail func(string)) engine.Link {
	h := &hand{crew: c, receive: receive, fail: fail}
	c.all = append(c.all, h)
	return inbox{h}
}

// step lets something happen that can, false where nothing can.
func (c *crew) step(deadly bool) bool {
	var can []func()
	for i, h := range c.all {
		switch {
		case h.gone:
			continue
		case !h.presence:
			can = append(can, func() { h.presence, h.Loop = true, New(h) })
			continue
		}
		if len(h.in) > 0 {
			can = append(can, func() { b := h.in[0]; h.in = h.in[1:]; h.Receive(b) })
		}
		if len(h.out) > 0 {
			can = append(can, func() { b := h.out[0]; h.out = h.out[1:]; h.receive(b) })
		}
		if h.asked {
			can = append(can, func() { h.asked = false; h.Work() })
		}
		if deadly && i > 0 && c.rng.IntN(60) == 0 {
			can = append(can, func() { h.gone = true; h.fail("boom") })
		}
	}
	if len(can) == 0 {
		return false
	}
	can[c.rng.IntN(len(can))]()
	for _, put := range []struct {
		off  *[]func()
		odds int
	}{{&c.soon, 3}, {&c.later, 50}} {
		if len(*put.off) > 0 && c.rng.IntN(put.odds) == 0 {
			f := (*put.off)[0]
			*put.off = (*put.off)[1:]
			f()
		}
	}
	return true
}

// TestManyEnginesAnswerAsOne has random runs and sweeps done by one engine and by several, in any order in which
// messages may come and with helpers that die, and compares what the page is told of lanes, runs and ends.
func TestManyEnginesAnswerAsOne(t *testing.T) {
	rng := unit.Stream(1, "crew")
	helped := 0
	for n := range 60 {
		req := &message.Message{ID: 1, Run: &message.RunRequest{Scenario: preset(n%4 == 0)}}
		for range 1 + rng.IntN(5) {
			id := []string{"fifo", "gavel-las", "hadar", "tiresias", "no-such-policy"}[rng.IntN(5)]
			req.Run.Policies = append(req.Run.Policies, message.PolicyRef{ID: id})
		}
		if n%2 == 1 {
			rounds := []float64{60, 120, 180, 360, 720}[:1+rng.IntN(5)]
			req = &message.Message{ID: 1, Sweep: &message.SweepRequest{Scenario: preset(false),
				Replicates: 1 + rng.IntN(2), LengthNoise: 0.3,
				Policies: []message.PolicyRef{{ID: "fifo"}, {ID: "hadar"}},
				Vary:     []message.Axis{{Path: "/scenario/round_s", Values: rounds}}}}
		}
		var told [2]string
		for k, engines := range []int{1, 2 + rng.IntN(3)} {
			c := &crew{t: t, rng: rng}
			client := c.client(engines)
			copied := *req
			client.Send(&copied)
			for c.step(engines > 1) {
			}
			if told[k] = c.account(n); c.died {
				t.Fatalf("case %d: the page was told of a death", n)
			}
			for _, h := range c.all[1:] {
				if h.Loop != nil && h.slices > 0 {
					helped++
				}
			}
		}
		if told[0] != told[1] {
			t.Fatalf("case %d: one engine says\n%.2000s\nand several\n%.2000s", n, told[0], told[1])
		}
	}
	if helped < 30 {
		t.Errorf("only %d engines had work", helped)
	}
}

// TestManyEnginesStop: a request that is stopped at any moment comes to an end, with every lane of a run answered, in
// order and as far as it was.
func TestManyEnginesStop(t *testing.T) {
	rng := unit.Stream(2, "crew")
	for n := range 60 {
		c := &crew{t: t, rng: rng}
		client := c.client(2 + rng.IntN(3))
		req := &message.Message{ID: 1, Run: &message.RunRequest{Scenario: preset(true)}}
		for range 4 {
			req.Run.Policies = append(req.Run.Policies, message.PolicyRef{ID: "gavel-las"})
		}
		if n%3 == 0 {
			req = sweep(1, 5)
		}
		client.Send(req)
		for range rng.IntN(300) {
			c.step(true)
		}
		client.End(1, true)
		for c.step(true) {
		}
		end, lanes := &message.Message{}, 0
		for _, m := range c.got {
			if m.ID == 1 {
				end = m
			}
			if m.Lane != nil {
				lanes++
			}
		}
		over := end.Finished && (lanes == 0 || lanes == 4) || end.Swept != nil && end.Swept.Over
		if !over && end.Failure == nil && !c.died { // patience may end before the engine has got its turn
			t.Errorf("case %d: after %d lanes the end is %+v", n, lanes, end)
		}
	}
}

// account is all that was told of the request but for how far it was, which must rise.
func (c *crew) account(n int) string {
	var b bytes.Buffer
	done := 0.0
	rises := func(share float64) {
		if share < done {
			c.t.Fatalf("case %d: progress falls from %v to %v", n, done, share)
		}
		done = share
	}
	var points []message.SweepPoint
	write := func(v any) {
		if err := json.NewEncoder(&b).Encode(v); err != nil {
			c.t.Fatal(err)
		}
	}
	for _, m := range c.got {
		switch {
		case m.Progress != nil:
			rises(float64(m.Progress.Lane) + float64(m.Progress.Finished)/float64(max(1, m.Progress.Jobs)))
		case m.Lane != nil:
			fmt.Fprintf(&b, "%d of %d %x\n", m.Lane.Lane, m.ID, m.Body)
			write(m.Lane)
		case m.Swept != nil:
			rises(float64(m.Swept.Done))
			for i, p := range m.Swept.Points {
				if at := m.Swept.From + i; at < len(points) {
					points[at].Runs, points[at].Summary = append(points[at].Runs, p.Runs...), p.Summary
				} else {
					points = append(points, p)
				}
			}
			if m.Swept.Over {
				write(points)
			}
		case m.Failure != nil:
			write(m.Failure)
		case m.Finished:
			fmt.Fprintln(&b, "finished")
		}
	}
	if len(c.got) > 0 && !c.got[len(c.got)-1].Finished && c.got[len(c.got)-1].Swept == nil && b.Len() > 0 {
		fmt.Fprintln(&b, "more than the end")
	}
	return b.String()
}
