package trace

import (
	"encoding/json"
	"io"
	"math"
	"strconv"

	"hadarlab/core/unit"
)

// ChromeLane is one run as ChromeJSON shows it.
type ChromeLane struct {
	Name       string
	Trace      *Trace
	Placements []Placement
	Counters   []Counter
}

// Counter is a step curve: V[i] holds from T[i] on.
type Counter struct {
	Name string // what is counted
	Unit string
	Slot int32 // -1 = of the whole lane
	T    []unit.Tick
	V    []float64
}

// ChromeJSON writes runs in the Trace Event format of Chrome, which Perfetto reads: a process for each
// lane and for each of its nodes, a thread for each GPU. A gang is a row of complete events on each of
// its GPUs, one for each stretch of running, stalling or holding, so that no two of one thread overlap;
// arrivals are instants, curves are counters, arrows lead from where a job was to where it moved.
// Viewers sort by name, so names carry padded numbers. Times are microseconds.
func ChromeJSON(w io.Writer, lanes []ChromeLane) error {
	c := &chrome{w: w}
	c.b = append(c.b, `{"displayTimeUnit":"ms","traceEvents":[`...)
	for i := range lanes {
		c.lane(i, len(lanes), &lanes[i])
	}
	c.b = append(c.b, "\n]}\n"...)
	c.flush()
	return c.err
}

// chrome writes event by event, and nothing more after an error. An event is put together of texts that are JSON
// already: a run has hundreds of thousands, and encoding/json takes ten times as long for each.
type chrome struct {
	w     io.Writer
	b     []byte
	err   error
	some  bool // an event has been written
	pid   int  // of the lane; its nodes follow
	flows int
	quote map[string]string // texts as JSON
}

// text is a name as JSON.
func (c *chrome) text(s string) string {
	q, ok := c.quote[s]
	if !ok {
		b, err := json.Marshal(s)
		if err != nil {
			panic("trace: chrome: " + err.Error()) // it takes every text
		}
		if c.quote == nil {
			c.quote = map[string]string{}
		}
		q = string(b)
		c.quote[s] = q
	}
	return q
}

func micros(t unit.Tick) int64 { return int64(t) * 1000 }

// event begins one with the members that all have, and dur where it is not 0, in µs; the caller adds the others, then
// calls end. The category is JSON after a comma, or empty.
func (c *chrome) event(name, category, phase string, at, dur int64, on thread) {
	if c.some {
		c.b = append(c.b, ',')
	}
	c.some = true
	c.raw("\n{\"name\":", name, category, `,"ph":"`, phase, `"`)
	if c.member(`,"ts":`, at); dur > 0 {
		c.member(`,"dur":`, dur)
	}
	c.member(`,"pid":`, int64(on.pid))
	c.member(`,"tid":`, int64(on.tid))
}

func (c *chrome) member(name string, v int64) {
	c.b = strconv.AppendInt(append(c.b, name...), v, 10)
}

func (c *chrome) raw(s ...string) {
	for _, s := range s {
		c.b = append(c.b, s...)
	}
}

func (c *chrome) end() {
	if c.b = append(c.b, '}'); len(c.b) >= 32<<10 {
		c.flush()
	}
}

func (c *chrome) flush() {
	if c.err == nil {
		_, c.err = c.w.Write(c.b)
	}
	c.b = c.b[:0]
}

func (c *chrome) name(what, name string, pid, tid int) {
	c.event(c.text(what), "", "M", 0, 0, thread{pid, tid})
	c.raw(`,"args":{"name":`, c.text(name), `}`)
	c.end()
}

// padded writes n with as many digits as most has.
func padded(n, most int) string {
	s := strconv.Itoa(n)
	for len(s) < len(strconv.Itoa(most)) {
		s = "0" + s
	}
	return s
}

func (c *chrome) lane(at, of int, l *ChromeLane) {
	t := l.Trace
	c.pid++
	lane := padded(at+1, of) + " " + l.Name
	c.name("process_name", lane, c.pid, 0)
	where := make([]thread, t.GPUs())
	first := t.firstGPU()
	in := make([]int, len(t.Nodes)) // GPUs named so far, by node
	most := make([]int, len(t.Nodes))
	for _, s := range t.Slots {
		most[s.Node] += int(s.Cap)
	}
	for n, name := range t.Nodes {
		c.name("process_name", lane+" "+padded(n+1, len(t.Nodes))+" "+name, c.pid+1+n, 0)
	}
	for s, slot := range t.Slots {
		for k := range slot.Cap {
			n := int(slot.Node)
			in[n]++
			g := thread{c.pid + 1 + n, in[n]}
			where[first[s]+k] = g
			c.name("thread_name", padded(in[n], most[n])+" "+t.Types[slot.Type], g.pid, g.tid)
		}
	}
	for i := range t.Jobs {
		if j := &t.Jobs[i]; j.Arrive <= t.End {
			c.event(c.text(j.Name+" arrives"), `,"cat":"arrival"`, "i", micros(j.Arrive), 0, thread{c.pid, 0})
			c.raw(`,"s":"p","args":{"gpus":`, whole(j.GPUs), `,"job":`, c.text(j.Name), `}`)
			c.end()
		}
	}
	why := reasonsByJob{t: t, of: make([]Code, len(t.Jobs)), set: make([]int, len(t.Jobs)), round: -1}
	for i := range l.Placements {
		t.Pace.Did(1)
		c.placement(t, &l.Placements[i], where, &why)
		if c.err != nil {
			return
		}
	}
	for _, held := range byJob(t, l.Placements) {
		c.arrows(t, held, where)
	}
	for i := range l.Counters {
		c.counter(t, &l.Counters[i])
	}
	c.pid += len(t.Nodes)
}

type thread struct{ pid, tid int }

// placement writes a gang's stretches on each of its GPUs.
func (c *chrome) placement(t *Trace, p *Placement, where []thread, why *reasonsByJob) {
	name := t.Jobs[p.Job].Name
	if p.With >= 0 {
		name += " + " + t.Jobs[p.With].Name
	}
	for _, j := range p.Others {
		name += " + " + t.Jobs[j].Name
	}
	args := `,"args":{"gpus":` + whole(len(p.GPUs)) + `,"job":` + c.text(t.Jobs[p.Job].Name)
	if code, ok := why.at(p.From, p.Job); ok {
		args += `,"why":` + c.text(code.String())
	}
	args += "}"
	stretch := func(suffix, cat string, from, to unit.Tick) {
		if to <= from {
			return
		}
		name := c.text(name + suffix)
		for _, g := range p.GPUs {
			c.event(name, cat, "X", micros(from), micros(to-from), where[g])
			c.raw(args)
			c.end()
		}
	}
	const run, stall, hold = `,"cat":"run"`, `,"cat":"stall"`, `,"cat":"hold"`
	at := p.From
	for _, pause := range p.Pauses {
		stretch("", run, at, pause.From)
		if pause.Kind == Hold {
			stretch(" holds", hold, pause.From, pause.To)
		} else {
			stretch(" stalls", stall, pause.From, pause.To)
		}
		at = pause.To
	}
	stretch("", run, at, p.To)
}

// arrows lead from the last stretch of a placement to the first of the next, where one job goes from
// one to the other without a break.
func (c *chrome) arrows(t *Trace, held []*Placement, where []thread) {
	for k := 1; k < len(held) && c.err == nil; k++ {
		t.Pace.Did(1)
		from, to := held[k-1], held[k]
		if from.To != to.From || len(from.GPUs) == 0 || len(to.GPUs) == 0 {
			continue
		}
		c.flows++
		name := c.text(t.Jobs[from.Job].Name + " moves")
		for _, e := range [...]struct {
			phase, more string
			at          int64
			gpu         int32
		}{{"s", "", micros(from.To) - 1, from.GPUs[0]}, {"f", `,"bp":"e"`, micros(to.From), to.GPUs[0]}} {
			c.event(name, `,"cat":"move"`, e.phase, e.at, 0, where[e.gpu])
			c.member(`,"id":`, int64(c.flows))
			c.raw(e.more)
			c.end()
		}
	}
}

func (c *chrome) counter(t *Trace, k *Counter) {
	pid, name := c.pid, k.Name
	if k.Slot >= 0 {
		s := t.Slots[k.Slot]
		pid, name = c.pid+1+int(s.Node), k.Name+" "+t.Types[s.Type]
	}
	name, of := c.text(name), c.text(k.Unit)
	for i, at := range k.T {
		t.Pace.Did(1)
		if math.IsNaN(k.V[i]) || math.IsInf(k.V[i], 0) { // JSON has no such numbers
			continue
		}
		c.event(name, "", "C", micros(at), 0, thread{pid, 0})
		b, _ := json.Marshal(k.V[i]) // it is a number
		c.raw(`,"args":{`, of, `:`, string(b), `}`)
		c.end()
	}
}

// reasonsByJob finds the first reason that a decision gives for each job. It is asked in order of time.
type reasonsByJob struct {
	t     *Trace
	round int    // that of
	of    []Code // by job, where
	set   []int  // is 1 more than the round
}

// at is why a decision at an instant did something with a job; of several decisions the first that says.
func (z *reasonsByJob) at(at unit.Tick, job int32) (Code, bool) {
	t := z.t
	for z.round+1 < len(t.Rounds) && t.Rounds[z.round+1].At <= at {
		t.Pace.Did(1)
		z.round++
		end := len(t.Reasons)
		if z.round+1 < len(t.Rounds) {
			end = int(t.Rounds[z.round+1].Reason)
		}
		for _, r := range t.Reasons[t.Rounds[z.round].Reason:end] {
			t.Pace.Did(1)
			if r.Job < 0 {
				continue
			}
			if was := z.set[r.Job]; was == 0 || t.Rounds[was-1].At < t.Rounds[z.round].At {
				z.of[r.Job], z.set[r.Job] = r.Code, z.round+1
			}
		}
	}
	if was := z.set[job]; was > 0 && t.Rounds[was-1].At == at {
		return z.of[job], true
	}
	return 0, false
}
