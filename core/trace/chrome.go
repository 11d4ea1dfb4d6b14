package trace

import (
	"bufio"
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
	c := &chrome{w: bufio.NewWriter(w)}
	c.w.WriteString(`{"displayTimeUnit":"ms","traceEvents":[`)
	for i := range lanes {
		c.lane(i, len(lanes), &lanes[i])
	}
	c.w.WriteString("\n]}\n")
	return c.w.Flush()
}

type chrome struct {
	w     *bufio.Writer
	some  bool // an event has been written
	pid   int  // of the lane; its nodes follow
	flows int
}

// chromeEvent is one event with the members that its phase uses.
type chromeEvent struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	Ts   int64          `json:"ts"`
	Dur  *int64         `json:"dur,omitempty"`
	Pid  int            `json:"pid"`
	Tid  int            `json:"tid"`
	ID   int            `json:"id,omitempty"`
	S    string         `json:"s,omitempty"`
	Bp   string         `json:"bp,omitempty"`
	Args map[string]any `json:"args,omitempty"`
}

func micros(t unit.Tick) int64 { return int64(t) * 1000 }

// write appends an event; the writer keeps the first error.
func (c *chrome) write(e chromeEvent) {
	if c.some {
		c.w.WriteByte(',')
	}
	c.some = true
	c.w.WriteByte('\n')
	b, err := json.Marshal(e)
	if err != nil {
		panic("trace: chrome: " + err.Error()) // only plain values go in
	}
	c.w.Write(b)
}

func (c *chrome) name(what, name string, pid, tid int) {
	c.write(chromeEvent{Name: what, Ph: "M", Pid: pid, Tid: tid, Args: map[string]any{"name": name}})
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
			c.write(chromeEvent{Name: j.Name + " arrives", Cat: "arrival", Ph: "i", S: "p", Ts: micros(j.Arrive),
				Pid:  c.pid,
				Args: map[string]any{"job": j.Name, "gpus": j.GPUs}})
		}
	}
	why := t.reasonsByJob()
	for i := range l.Placements {
		c.placement(t, &l.Placements[i], where, why)
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
func (c *chrome) placement(t *Trace, p *Placement, where []thread, why map[jobAt]Code) {
	name := t.Jobs[p.Job].Name
	if p.With >= 0 {
		name += " + " + t.Jobs[p.With].Name
	}
	args := map[string]any{"job": t.Jobs[p.Job].Name, "gpus": len(p.GPUs)}
	if code, ok := why[jobAt{p.Job, p.From}]; ok {
		args["why"] = code.String()
	}
	stretch := func(suffix, cat string, from, to unit.Tick) {
		if to <= from {
			return
		}
		d := micros(to - from)
		for _, g := range p.GPUs {
			c.write(chromeEvent{Name: name + suffix, Cat: cat, Ph: "X", Ts: micros(from), Dur: &d, Pid: where[g].pid,
				Tid: where[g].tid, Args: args})
		}
	}
	at := p.From
	for _, pause := range p.Pauses {
		stretch("", "run", at, pause.From)
		suffix, cat := " stalls", "stall"
		if pause.Kind == Hold {
			suffix, cat = " holds", "hold"
		}
		stretch(suffix, cat, pause.From, pause.To)
		at = pause.To
	}
	stretch("", "run", at, p.To)
}

// arrows lead from the last stretch of a placement to the first of the next, where one job goes from
// one to the other without a break.
func (c *chrome) arrows(t *Trace, held []*Placement, where []thread) {
	for k := 1; k < len(held); k++ {
		from, to := held[k-1], held[k]
		if from.To != to.From || len(from.GPUs) == 0 || len(to.GPUs) == 0 {
			continue
		}
		c.flows++
		a, b, name := where[from.GPUs[0]], where[to.GPUs[0]], t.Jobs[from.Job].Name+" moves"
		c.write(chromeEvent{Name: name, Cat: "move", Ph: "s", ID: c.flows, Ts: micros(from.To) - 1, Pid: a.pid,
			Tid: a.tid})
		c.write(chromeEvent{Name: name, Cat: "move", Ph: "f", Bp: "e", ID: c.flows, Ts: micros(to.From), Pid: b.pid,
			Tid: b.tid})
	}
}

func (c *chrome) counter(t *Trace, k *Counter) {
	pid, name := c.pid, k.Name
	if k.Slot >= 0 {
		s := t.Slots[k.Slot]
		pid, name = c.pid+1+int(s.Node), k.Name+" "+t.Types[s.Type]
	}
	for i, at := range k.T {
		if math.IsNaN(k.V[i]) || math.IsInf(k.V[i], 0) { // JSON has no such numbers
			continue
		}
		c.write(chromeEvent{Name: name, Ph: "C", Ts: micros(at), Pid: pid, Args: map[string]any{k.Unit: k.V[i]}})
	}
}

// jobAt is a job at the instant of a decision.
type jobAt struct {
	job int32
	at  unit.Tick
}

// reasonsByJob finds the first reason that a decision gives for each job.
func (t *Trace) reasonsByJob() map[jobAt]Code {
	out := map[jobAt]Code{}
	for i, d := range t.Rounds {
		end := len(t.Reasons)
		if i+1 < len(t.Rounds) {
			end = int(t.Rounds[i+1].Reason)
		}
		for _, r := range t.Reasons[d.Reason:end] {
			if _, ok := out[jobAt{r.Job, d.At}]; !ok && r.Job >= 0 {
				out[jobAt{r.Job, d.At}] = r.Code
			}
		}
	}
	return out
}
