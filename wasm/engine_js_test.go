package main

import (
	"encoding/json"
	"syscall/js"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/scenarios"
)

// bench is an engine whose answers are kept, and whose event loop is the test's.
type bench struct {
	*engine
	answers []*message.Message
}

func newBench(t *testing.T) *bench {
	b := &bench{engine: newEngine()}
	post := js.FuncOf(func(_ js.Value, args []js.Value) any {
		array := js.Global().Get("Uint8Array").New(args[0])
		data := make([]byte, array.Get("byteLength").Int())
		js.CopyBytesToGo(data, array)
		m, err := message.Decode(data)
		if err != nil {
			t.Error(err)
			return nil
		}
		b.answers = append(b.answers, m)
		return nil
	})
	js.Global().Set("postMessage", post)
	b.port = js.Global().Get("Object").New()
	b.port.Set("postMessage", js.FuncOf(func(js.Value, []js.Value) any { return nil }))
	t.Cleanup(post.Release)
	return b
}

// work lets the engine work until it has nothing left.
func (b *bench) work(t *testing.T) {
	b.wake()
	for n := 0; b.pumping; n++ {
		if n == 10000 {
			t.Fatal("the engine does not come to an end")
		}
		b.pumping = false
		b.guard(b.pump)
	}
}

// failures counts the answers that say that a request has failed, by its id, and tells whether run 1 has ended well.
func (b *bench) failures() (failed map[int64]int, done bool) {
	failed = map[int64]int{}
	for _, m := range b.answers {
		if m.Failure != nil {
			failed[m.ID]++
		}
		done = done || m.ID == 1 && m.Finished
	}
	return failed, done
}

// TestARequestThatPanicsFailsAlone: what is broken is given to the engine in the place of a request, or of what one has
// begun. That request fails; the run that is under way, and what is asked afterwards, do not.
func TestARequestThatPanicsFailsAlone(t *testing.T) {
	text, _ := lab.Preset(scenarios.Names[0])
	run := func(id int64) *message.Message {
		return &message.Message{ID: id, Run: &message.RunRequest{Scenario: json.RawMessage(text)}}
	}
	for name, broken := range map[string]func(e *engine){
		"flip":         func(e *engine) { e.flips = append(e.flips, &message.Message{ID: 2}) },
		"sweep to be":  func(e *engine) { e.sweeps = append(e.sweeps, &message.Message{ID: 2}) },
		"sweep":        func(e *engine) { e.sweep, e.sweepID = &lab.Sweep{}, 2 },
		"new question": func(e *engine) { e.asks = append(e.asks, &message.Message{ID: 2}) },
		"question": func(e *engine) {
			e.asks = append(e.asks, &message.Message{ID: 2, Explain: &message.ExplainRequest{}})
			e.inquiry = &lab.Inquiry{}
		},
	} {
		for _, first := range []string{"the run", "nothing"} {
			b := newBench(t)
			if first == "the run" {
				b.runs = append(b.runs, run(1))
				b.start(b.runs[0])
				b.runs = nil
			}
			broken(b.engine)
			b.work(t)
			b.runs = append(b.runs, run(3))
			b.work(t)
			failed, done := b.failures()
			if failed[2] != 1 || len(failed) != 1 || first == "the run" && !done {
				t.Errorf("a broken %s beside %s: failed %v, run done: %t", name, first, failed, done)
			}
			if last := b.answers[len(b.answers)-1]; last.ID != 3 || !last.Finished {
				t.Errorf("a broken %s beside %s: what came after it ended with %+v", name, first, last)
			}
		}
	}
	b := newBench(t)
	b.runs = append(b.runs, &message.Message{ID: 2}, run(3))
	b.work(t)
	failed, _ := b.failures()
	if last := b.answers[len(b.answers)-1]; len(failed) != 1 || failed[2] != 1 || last.ID != 3 || !last.Finished {
		t.Errorf("a broken run: failed %v, and the one after it ended with %+v", failed, last)
	}
}
