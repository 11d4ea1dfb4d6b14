// Package loop is the engine's loop: it takes the page's requests as they arrive, works on them in slices so that
// messages get in between, and answers. It stands between core/lab, which computes in helpings, and a Host, which has
// the clock and the other end of the wire. It knows neither JavaScript nor goroutines: its caller calls one method at
// a time.
package loop

import (
	"slices"
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/words"
)

const (
	// slice is how long the loop works before it lets messages in.
	slice = 20 * time.Millisecond
	// step is how long one helping should take.
	step = 4 * time.Millisecond
	// most is how many events one helping may have. When 20,000 jobs arrive at once the next event takes thousands of
	// times as long as the last: a helping that began before must not last.
	most = 64
)

// Host is what the loop stands on.
type Host interface {
	Post(b []byte) // sends an encoded message to the page
	Wake()         // has Work called once, after Receive was called with whatever has arrived meanwhile
	Now() time.Time
}

// Loop answers requests. Of each kind one is under way and the others wait, oldest first. Use New.
type Loop struct {
	// Import reads a trace and gives the document that it becomes, nil = this engine does not. It has the loop for
	// itself until it is done: a page has an engine for it alone.
	Import func(ask *message.ImportRequest, trace []byte) (answer *message.Imported, document []byte)

	host    Host
	in      words.Catalogue // of the page's reader
	session *lab.Session

	runs, questions, flips, sweeps []*message.Message // waiting; the first question may be under way

	run     int64               // id of the run in the session, 0 = none
	request *message.RunRequest // of that
	told    time.Time           // when the page was last told how far it is
	inquiry *lab.Inquiry        // of the first question, nil = not begun
	flip    *lab.Flip
	flipID  int64
	sweep   *lab.Sweep
	sweepID int64
	news    news // of the sweep

	helping int  // events of the next helping, adapted to step
	slices  int  // worked so far
	awake   bool // the host has been asked to call Work
}

// New makes a loop and tells the page that it is ready.
func New(h Host) *Loop {
	l := &Loop{host: h, helping: 16}
	l.afresh(false)
	l.send(&message.Message{Ready: true})
	return l
}

// Receive takes an encoded message of the page.
func (l *Loop) Receive(b []byte) {
	defer l.guard()
	m, err := message.Decode(b)
	if err != nil {
		return // only this program writes to this engine
	}
	switch {
	case m.Cancel:
		l.cancel(m.ID)
	case m.Words != nil:
		l.in, _ = words.Read(m.Words) // the page has read it before
		l.session.In = l.in
	case m.Run != nil:
		l.runs = append(l.runs, m)
	case m.Flip != nil:
		l.flips = append(l.flips, m)
	case m.Sweep != nil:
		l.sweeps = append(l.sweeps, m)
	case m.Explain != nil:
		l.questions = append(l.questions, m)
	case m.Import != nil:
		l.read(m)
	case m.Help:
		l.lend(m.ID)
	case m.Settled != nil:
		l.settle(m.ID, m.Settled)
	}
	l.wake()
}

// read answers what became of a trace.
func (l *Loop) read(m *message.Message) {
	defer l.failed(m.ID)
	if l.Import == nil {
		l.send(failure(m.ID, l.in.T("the engine gives no reason"), nil))
		return
	}
	answer, document := l.Import(m.Import, m.Body)
	l.send(&message.Message{ID: m.ID, Imported: answer, Body: document})
}

// lend gives away a part of the request that is under way.
func (l *Loop) lend(id int64) {
	lent := &message.Lent{}
	switch {
	case l.run == id:
		if at, ref, ok := l.session.Lend(); ok {
			lent = &message.Lent{Part: at, Run: &message.RunRequest{Scenario: l.request.Scenario,
				Policies: []message.PolicyRef{ref}}}
		}
	case l.sweep != nil && l.sweepID == id:
		lent.Part, lent.Run = l.sweep.Lend()
	}
	l.send(&message.Message{ID: id, Lent: lent})
}

// settle takes up what has become of a part that was lent.
func (l *Loop) settle(id int64, part *message.Settled) {
	switch {
	case l.run == id:
		l.session.Settle(part.Part, !part.Back)
	case l.sweep != nil && l.sweepID == id:
		l.sweep.Settle(part.Part, l.sweep.Kept(part.Lanes))
	}
}

// runs and sweeps that wait for what they have lent leave the time to others.
func (l *Loop) runsOn() bool   { return l.run != 0 && !l.session.Waits() }
func (l *Loop) sweepsOn() bool { return l.sweep != nil && !l.sweep.Waits() }

// cancel ends a request. What a run or a sweep has done is answered in its next helping. Questions are not cancelled:
// they are short, and the page ignores an answer that it no longer wants.
func (l *Loop) cancel(id int64) {
	switch {
	case l.run == id:
		l.session.Stop()
		return
	case l.sweep != nil && l.sweepID == id:
		l.sweep.Stop()
		return
	case l.flip != nil && l.flipID == id:
		l.flip = nil
		l.send(&message.Message{ID: id, Finished: true})
		return
	}
	for _, queue := range []*[]*message.Message{&l.runs, &l.flips, &l.sweeps} {
		if i := slices.IndexFunc(*queue, func(m *message.Message) bool { return m.ID == id }); i >= 0 {
			*queue = slices.Delete(*queue, i, i+1)
			l.send(&message.Message{ID: id, Finished: true})
			return
		}
	}
}

// wake asks for a slice if there is work and none has been asked for.
func (l *Loop) wake() {
	if !l.awake && (l.runsOn() || l.run == 0 && len(l.runs) > 0 || l.sweepsOn() ||
		l.sweep == nil && len(l.sweeps) > 0 || l.flip != nil || len(l.questions)+len(l.flips) > 0) {
		l.awake = true
		l.host.Wake()
	}
}

// Work works for a slice: on questions first, since somebody looks at them, then on runs, on searches for what would
// flip a decision, and on sweeps. A question whose past takes long to rebuild shares the slices with a run.
func (l *Loop) Work() {
	l.awake = false
	defer l.guard()
	defer l.wake()
	l.slices++
	share := l.inquiry != nil && (l.runsOn() || l.run == 0 && len(l.runs) > 0) && l.slices%2 == 0
	for end := l.host.Now().Add(slice); l.host.Now().Before(end); {
		switch {
		case len(l.questions) > 0 && !share:
			l.question()
		case l.runsOn():
			l.spendRun(end)
		case l.run == 0 && len(l.runs) > 0:
			l.startRun(first(&l.runs))
		case l.flip != nil:
			l.spendFlip()
		case len(l.flips) > 0:
			l.startFlip(first(&l.flips))
		case l.sweepsOn():
			l.spendSweep()
		case l.sweep == nil && len(l.sweeps) > 0:
			l.startSweep(first(&l.sweeps))
		default:
			return
		}
	}
}

// first takes the first message out of a queue.
func first(queue *[]*message.Message) *message.Message {
	m := (*queue)[0]
	*queue = (*queue)[1:]
	return m
}

// adapt sets the size of the next helping by how long the last one took.
func (l *Loop) adapt(began time.Time) {
	took := l.host.Now().Sub(began)
	switch {
	case took < step/2 && l.helping < most:
		l.helping *= 2
	case took > 2*step && l.helping > 1:
		l.helping /= 2
	}
}

// afresh makes a session that holds nothing yet, and will not if it is bare.
func (l *Loop) afresh(bare bool) {
	if l.session = lab.NewSession(); bare {
		l.session = lab.NewBatch()
	}
	l.session.In, l.session.Bare = l.in, bare
	l.session.BoundEach(mostLane, mostRun)
}

// guard keeps a panic from ending the program: the run under way fails, the loop goes on afresh. Other requests have a
// guard of their own, failed.
func (l *Loop) guard() {
	r := recover()
	if r == nil {
		return
	}
	why := l.in.T("the engine failed on this request")
	if err, ok := r.(error); ok {
		why += ": " + err.Error()
	} else if s, ok := r.(string); ok {
		why += ": " + s
	}
	id := l.run
	l.run = 0
	l.afresh(false)
	if id != 0 {
		l.send(failure(id, why, nil))
	}
	l.wake()
}

// failed answers a request at which the engine panics; nothing else fails with it. What the session knows for
// questions may be damaged: it is made afresh, unless a run is under way in it.
func (l *Loop) failed(id int64) {
	if recover() == nil {
		return
	}
	if id == l.flipID {
		l.flip = nil
	}
	if id == l.sweepID {
		l.sweep = nil
	}
	if l.run == 0 {
		l.afresh(false)
	}
	l.send(failure(id, l.in.T("the engine failed on this question"), nil))
}

// send posts a message, or that it cannot be written.
func (l *Loop) send(m *message.Message) {
	b, err := m.Encode()
	if err != nil {
		b, _ = failure(m.ID, l.in.F("the engine's answer cannot be written: {0}", err.Error()), nil).Encode()
	}
	l.host.Post(b)
}

// failure answers that a request gives nothing: because of its first error, or why where the findings have none.
func failure(id int64, why string, found jsondoc.Diagnostics) *message.Message {
	if i := slices.IndexFunc(found, func(d jsondoc.Diagnostic) bool { return d.Level == "error" }); i >= 0 {
		why = found[i].Message.String()
	}
	return &message.Message{ID: id, Failure: &message.Failure{Lane: -1, Message: why, Diagnostics: found}}
}
