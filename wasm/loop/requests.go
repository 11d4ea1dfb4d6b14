package loop

import (
	"time"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
)

const (
	// newsEvery is how often the page is told how far a run or a sweep is, and newsRuns of how many runs of a sweep at
	// most: it reads and draws them within one of its tasks, on a core that another engine may need. A figure that
	// changes more often cannot be read, and each change takes the page some 15 ms, most of them the browser's.
	newsEvery = 250 * time.Millisecond
	newsRuns  = 12
	// mostLane and mostRun bound the bytes that a lane records, and all of a document do. Engine and page hold several
	// times as much: a tab that runs out of memory takes the reader's work with it. 5,000 jobs in rounds of 360 s
	// record 113 MB under the policies that record most, which is as much as is drawn.
	mostLane, mostRun = 128 << 20, 384 << 20
)

// news is what the page knows of the sweep under way.
type news struct {
	at   time.Time // the last ones went out
	runs int       // in them and those before
}

func (l *Loop) startRun(m *message.Message) {
	l.run, l.request, l.told = m.ID, m.Run, time.Time{}
	if m.Bare || l.session.Bare { // what is not to be asked about is not kept
		l.afresh(m.Bare)
	}
	l.session.SetID(m.ID)
	if found := l.session.Start(m.Run); found.HasErrors() {
		l.run = 0
		l.send(failure(m.ID, "", found.Errors()))
	}
}

// spendRun hands the session one helping and passes on what comes of it; of progress only the last of a slice.
func (l *Loop) spendRun(end time.Time) {
	id, began := l.run, l.host.Now()
	out, more := l.session.Spend(l.helping)
	if l.adapt(began); !more {
		l.run = 0
	}
	for _, m := range out {
		if m.Progress != nil {
			if now := l.host.Now(); now.Add(step).Before(end) || now.Sub(l.told) < newsEvery {
				continue
			}
			l.told = l.host.Now()
		}
		if m.ID = id; m.Lane != nil {
			m.At = m.Lane.Lane
		}
		l.send(m)
	}
}

// question goes on with the first question for one helping.
func (l *Loop) question() {
	questions, q := l.questions, l.inquiry
	id := questions[0].ID
	defer l.failed(id)
	l.questions, l.inquiry = questions[1:], nil // so it is, should this panic
	var x *message.Explanation
	var found jsondoc.Diagnostics
	if q == nil {
		q, found = l.session.Inquire(questions[0].Explain)
	}
	if q != nil {
		began := l.host.Now()
		more := q.Spend(l.helping)
		if l.adapt(began); more {
			l.questions, l.inquiry = questions, q
			return
		}
		x, found = q.Result()
	}
	if x == nil {
		l.send(failure(id, l.in.T("there is no such decision"), found))
		return
	}
	l.send(&message.Message{ID: id, Explanation: x})
}

// startFlip begins the search for what would flip a decision.
func (l *Loop) startFlip(m *message.Message) {
	defer l.failed(m.ID)
	flip, found := l.session.Flip(m.Flip)
	if flip == nil {
		l.send(failure(m.ID, l.in.T("there is no such decision"), found))
		return
	}
	l.flip, l.flipID = flip, m.ID
}

func (l *Loop) spendFlip() {
	flip, id := l.flip, l.flipID
	tried := flip.Tried()
	defer l.failed(id)
	if !flip.Spend(l.helping) {
		l.flip = nil
		l.send(&message.Message{ID: id, Flipped: flip.Result()})
		return
	}
	if flip.Tried() != tried {
		l.send(&message.Message{ID: id, Progress: &message.Progress{Finished: flip.Tried(), Jobs: flip.All()}})
	}
}

func (l *Loop) startSweep(m *message.Message) {
	defer l.failed(m.ID)
	sweep, found := lab.OpenSweep(m.Sweep)
	if sweep == nil {
		l.send(failure(m.ID, l.in.T("the engine gives no reason"), found.Errors()))
		return
	}
	sweep.BoundEach(mostLane, mostRun)
	l.sweep, l.sweepID, l.news = sweep, m.ID, news{at: l.host.Now()}
}

// spendSweep works on the sweep for one helping, and tells of it now and then.
func (l *Loop) spendSweep() {
	sweep, id := l.sweep, l.sweepID
	defer l.failed(id)
	began := l.host.Now()
	more := sweep.Spend(l.helping)
	l.adapt(began)
	if _, found := sweep.Result(); found != nil {
		l.sweep = nil
		l.send(failure(id, l.in.T("the engine gives no reason"), found))
		return
	}
	done := sweep.Progress().Done
	if more && done-l.news.runs < newsRuns && l.host.Now().Sub(l.news.at) < newsEvery {
		return
	}
	if !more {
		l.sweep = nil
	}
	l.news = news{l.host.Now(), done}
	l.send(&message.Message{ID: id, Swept: sweep.News()})
}
