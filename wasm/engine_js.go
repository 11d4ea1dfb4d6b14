package main

import (
	"syscall/js"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

const (
	// slice is how long the engine works before it lets messages in.
	slice = 20 * time.Millisecond
	// step is how long one call of the session should take.
	step = 4 * time.Millisecond
	// most is how many events one call of the session may handle. When 20,000 jobs arrive at once the next event takes
	// thousands of times as long as the last: a call that began before must not last.
	most = 64
)

// engine answers the page's messages. Everything runs on the worker's event loop: a message is put in the
// queue, and slices of work alternate with messages by way of a channel to itself.
type engine struct {
	session  *lab.Session
	runs     []*message.Message // waiting, oldest first
	asks     []*message.Message
	inquiry  *lab.Inquiry // of the first of asks, nil = not begun
	pumps    int
	flips    []*message.Message // waiting
	flip     *lab.Flip          // the search under way
	flipID   int64
	sweeps   []*message.Message // waiting
	sweep    *lab.Sweep         // under way
	sweepID  int64
	told     time.Time // the last news of it went out
	toldRuns int       // in the news so far
	running  int64     // id of the run in the session, 0 = none
	events   int       // handled by a call of the session, adapted to step
	pumping  bool
	port     js.Value // of the channel to itself
}

func newEngine() *engine {
	return &engine{session: lab.NewSession(), events: 16}
}

// serve does not return.
func (e *engine) serve() {
	channel := js.Global().Get("MessageChannel").New()
	e.port = channel.Get("port2")
	channel.Get("port1").Set("onmessage", js.FuncOf(func(js.Value, []js.Value) any {
		e.pumping = false
		e.guard(e.pump)
		return nil
	}))
	js.Global().Set("onmessage", js.FuncOf(func(_ js.Value, args []js.Value) any {
		e.guard(func() { e.receive(args[0].Get("data")) })
		return nil
	}))
	e.send(&message.Message{Ready: true})
	select {}
}

// guard keeps a panic from ending the program: the run under way fails, the engine goes on afresh. Questions have a
// guard of their own, fallen.
func (e *engine) guard(f func()) {
	defer func() {
		r := recover()
		if r == nil {
			return
		}
		why := words.T("the engine failed on this request")
		if err, ok := r.(error); ok {
			why += ": " + err.Error()
		} else if s, ok := r.(string); ok {
			why += ": " + s
		}
		id := e.running
		e.session, e.running = lab.NewSession(), 0
		if id != 0 {
			e.send(&message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: why}})
		}
		e.wake()
	}()
	f()
}

func (e *engine) receive(data js.Value) {
	bytes := js.Global().Get("Uint8Array").New(data)
	b := make([]byte, bytes.Get("byteLength").Int())
	js.CopyBytesToGo(b, bytes)
	m, err := message.Decode(b)
	if err != nil {
		return // only this program writes to this worker
	}
	switch {
	case m.Cancel:
		e.cancel(m.ID)
	case m.Words != nil:
		_ = words.Load(m.Words) // the page has read it before
	case m.Run != nil:
		e.runs = append(e.runs, m)
	case m.Flip != nil:
		e.flips = append(e.flips, m)
	case m.Sweep != nil:
		e.sweeps = append(e.sweeps, m)
	case m.Explain != nil:
		e.asks = append(e.asks, m)
	}
	e.wake()
}

func (e *engine) cancel(id int64) {
	if e.running == id {
		e.session.Stop()
		return
	}
	if e.flip != nil && e.flipID == id {
		e.flip = nil
		e.send(&message.Message{ID: id, Finished: true})
		return
	}
	if e.sweep != nil && e.sweepID == id {
		e.sweep.Stop()
		return
	}
	for _, queue := range []*[]*message.Message{&e.runs, &e.flips, &e.sweeps} {
		for i, m := range *queue {
			if m.ID == id {
				*queue = append((*queue)[:i:i], (*queue)[i+1:]...)
				e.send(&message.Message{ID: id, Finished: true})
				return
			}
		}
	}
}

// wake plans a slice after the messages that have arrived.
func (e *engine) wake() {
	if !e.pumping && (e.running != 0 || len(e.runs) > 0 || len(e.asks) > 0 || e.flip != nil || len(e.flips) > 0 ||
		e.sweep != nil || len(e.sweeps) > 0) {
		e.pumping = true
		e.port.Call("postMessage", js.Null())
	}
}

// pump works for a slice: explanations first, since somebody looks at them, then the run. One whose past takes long to
// rebuild shares the slices with the run.
func (e *engine) pump() {
	defer e.wake()
	e.pumps++
	share := e.inquiry != nil && (e.running != 0 || len(e.runs) > 0) && e.pumps%2 == 0
	for end := time.Now().Add(slice); time.Now().Before(end); {
		switch {
		case len(e.asks) > 0 && !share:
			e.explain()
		case e.running != 0:
			e.spend(end)
		case len(e.runs) > 0:
			m := e.runs[0]
			e.runs = e.runs[1:]
			e.start(m)
		case e.flip != nil:
			e.search()
		case len(e.flips) > 0:
			m := e.flips[0]
			e.flips = e.flips[1:]
			e.seek(m)
		case e.sweep != nil:
			e.goOn()
		case len(e.sweeps) > 0:
			m := e.sweeps[0]
			e.sweeps = e.sweeps[1:]
			e.open(m)
		default:
			return
		}
	}
}

// seek begins the search for what would flip a decision.
func (e *engine) seek(m *message.Message) {
	defer e.fallen(m.ID)
	flip, diags := e.session.Flip(m.Flip)
	if flip == nil {
		why := words.T("there is no such decision")
		if errs := diags.Errors(); len(errs) > 0 {
			why = errs[0].Message
		}
		e.send(&message.Message{ID: m.ID, Failure: &message.Failure{Lane: -1, Message: why, Diagnostics: diags}})
		return
	}
	e.flip, e.flipID = flip, m.ID
}

// fallen answers a question at which the engine panics; nothing else fails with it. What the session knows for
// questions may be damaged: it is made afresh, unless a run is under way in it.
func (e *engine) fallen(id int64) {
	if r := recover(); r != nil {
		if id == e.flipID {
			e.flip = nil
		}
		if id == e.sweepID {
			e.sweep = nil
		}
		if e.running == 0 {
			e.session = lab.NewSession()
		}
		e.send(&message.Message{ID: id, Failure: &message.Failure{Lane: -1,
			Message: words.T("the engine failed on this question")}})
	}
}

// search goes on with it for one helping.
func (e *engine) search() {
	flip, id := e.flip, e.flipID
	tried := flip.Tried()
	defer e.fallen(id)
	if !flip.Spend(e.events) {
		e.flip = nil
		e.send(&message.Message{ID: id, Flipped: flip.Result()})
		return
	}
	if flip.Tried() != tried {
		e.send(&message.Message{ID: id, Progress: &message.Progress{Finished: flip.Tried(), Jobs: flip.All()}})
	}
}

func (e *engine) start(m *message.Message) {
	e.running = m.ID
	e.session.SetID(m.ID)
	if diags := e.session.Start(m.Run); diags.HasErrors() {
		e.running = 0
		errs := diags.Errors()
		e.send(&message.Message{ID: m.ID, Failure: &message.Failure{Lane: -1, Message: errs[0].Message,
			Diagnostics: errs}})
	}
}

// spend hands the session one helping of events and passes on what comes of it; of progress only the last
// of a slice.
func (e *engine) spend(end time.Time) {
	id, began := e.running, time.Now()
	out, more := e.session.Spend(e.events)
	if !more {
		e.running = 0
	}
	took := time.Since(began)
	for _, m := range out {
		if m.Progress != nil && time.Now().Add(step).Before(end) {
			continue
		}
		m.ID = id
		e.send(m)
	}
	e.adapt(took)
}

// adapt sets the size of the next helping by how long the last one took.
func (e *engine) adapt(took time.Duration) {
	switch {
	case took < step/2 && e.events < most:
		e.events *= 2
	case took > 2*step && e.events > 1:
		e.events /= 2
	}
}

// explain goes on with the first question for one helping.
func (e *engine) explain() {
	asks, q := e.asks, e.inquiry
	id := asks[0].ID
	defer e.fallen(id)
	e.asks, e.inquiry = asks[1:], nil // so it is, should this panic
	var x *message.Explanation
	var diags text.Diagnostics
	if q == nil {
		q, diags = e.session.Inquire(asks[0].Explain)
	}
	if q != nil {
		began := time.Now()
		more := q.Spend(e.events)
		if e.adapt(time.Since(began)); more {
			e.asks, e.inquiry = asks, q
			return
		}
		x, diags = q.Result()
	}
	if x != nil {
		e.send(&message.Message{ID: id, Explanation: x})
		return
	}
	why := words.T("there is no such decision")
	if errs := diags.Errors(); len(errs) > 0 {
		why = errs[0].Message
	}
	e.send(&message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: why, Diagnostics: diags}})
}

// send posts a message; its bytes are moved, not copied again.
func (e *engine) send(m *message.Message) {
	b, err := m.Encode()
	if err != nil {
		b, _ = (&message.Message{ID: m.ID, Failure: &message.Failure{Lane: -1,
			Message: words.F("the engine's answer cannot be written: {0}", err.Error())}}).Encode()
	}
	array := js.Global().Get("Uint8Array").New(len(b))
	js.CopyBytesToJS(array, b)
	buffer := array.Get("buffer")
	js.Global().Call("postMessage", buffer, []any{buffer})
}
