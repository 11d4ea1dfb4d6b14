// Package replay takes recorded decisions again, so that a run is there for everybody without the program that decided
// it. A record has a line of JSON for the scenario, one for each decision, and one for the end; a program that plans
// ahead can write one too, without the last. Times are seconds from the scenario's start. Members are only ever added.
//
// Flow: sim.Run → Recorder → Record → policy.Spec → sim.Run.
package replay

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Kind and Version begin a record.
const (
	Kind    = "decisions"
	Version = 1
)

// longest is how many bytes a line may have.
const longest = 16 << 20

// Head is the first line: what the decisions are of, and when there is one.
type Head struct {
	Kind     string   `json:"kind"`
	Version  int      `json:"version"`
	Scenario string   `json:"scenario,omitempty"` // its id, for people
	Policy   string   `json:"policy,omitempty"`   // that decided, for people
	Every    float64  `json:"every_s,omitempty"`  // a decision at each multiple of it
	On       []string `json:"on"`                 // and at these happenings
	Merge    bool     `json:"merge,omitempty"`    // copies are merged at each decision
	Slots    []Slot   `json:"slots"`
	Jobs     []string `json:"jobs"` // names; others name a job by its place, which is the order of arrival
}

// Slot is a number of equal GPUs of one node; others name it by its place in the list.
type Slot struct {
	Node string `json:"node"`
	Type string `json:"type"`
	GPUs int32  `json:"gpus"`
}

// Decision is one decision. A job that keeps nothing and is in no gang holds nothing.
type Decision struct {
	Now     float64  `json:"now_s"`
	Arrived []int32  `json:"arrived,omitempty"` // since the last one
	Ended   []int32  `json:"ended,omitempty"`
	Keep    []int32  `json:"keep,omitempty"` // jobs that go on with what they hold
	Gangs   []Gang   `json:"gangs"`
	Wake    *float64 `json:"wake_s,omitempty"` // asks for a decision at that time
}

// Gang is what a job holds from the decision on.
type Gang struct {
	Job    int32      `json:"job"`
	GPUs   [][2]int32 `json:"gang"`             // of [slot, GPUs]
	Quota  *float64   `json:"quota,omitempty"`  // steps, then it waits for the next decision
	Copy   bool       `json:"copy,omitempty"`   // a forked copy
	Config int32      `json:"config,omitempty"` // which of its batches it trains with, 0 = as asked
	With   []Member   `json:"with,omitempty"`   // jobs that share the GPUs
}

// Member is a job that shares another's gang.
type Member struct {
	Job   int32    `json:"job"`
	Quota *float64 `json:"quota,omitempty"`
}

// End is the last line.
type End struct {
	Outcome string `json:"outcome"`
	Trace   string `json:"trace_hash"` // of the run that was recorded
}

// Record is what was recorded.
type Record struct {
	Head
	Decisions []Decision
	End       // zero where the record ends without it
}

// happenings are the names of what calls for a decision.
var happenings = []struct {
	name string
	on   sim.Trigger
}{{"arrival", sim.Arrival}, {"arrival_idle", sim.ArrivalIdle}, {"finish", sim.Finish}, {"phase_end", sim.PhaseEnd},
	{"capacity", sim.Capacity}}

// Recorder writes the record of a run.
type Recorder struct {
	head  Head
	lines bytes.Buffer
}

// NewRecorder begins the record of a run of policy on scenario, which are told to people.
func NewRecorder(p *model.Problem, c sim.Cadence, scenario, policy string) *Recorder {
	h := Head{Kind: Kind, Version: Version, Scenario: scenario, Policy: policy, Every: c.Every.Seconds(),
		On: []string{}, Merge: c.Merge, Slots: slotsOf(&p.Cluster), Jobs: []string{}}
	for _, what := range happenings {
		if c.On&what.on != 0 {
			h.On = append(h.On, what.name)
		}
	}
	for i := range p.Jobs {
		h.Jobs = append(h.Jobs, p.Jobs[i].Name)
	}
	r := &Recorder{head: h}
	r.line(&r.head)
	return r
}

// slotsOf are the cluster's slots, by number.
func slotsOf(c *model.Cluster) (out []Slot) {
	for _, s := range c.Slots {
		out = append(out, Slot{c.Nodes[s.Node].Name, c.Types[s.Type].Name, s.Cap})
	}
	return out
}

func (r *Recorder) line(v any) {
	b, _ := json.Marshal(v) // numbers are finite
	r.lines.Write(append(b, '\n'))
}

// Decided records a plan that is about to come true, see sim.Run.Observe.
func (r *Recorder) Decided(v sim.View, p *sim.Plan) {
	d := Decision{Now: v.Now().Seconds(), Arrived: numbers(v.Arrived()), Ended: numbers(v.Ended()), Gangs: []Gang{}}
	for _, s := range p.Stated() {
		first := s.Members[0]
		if math.IsNaN(float64(first.Quota)) {
			for _, m := range s.Members {
				d.Keep = append(d.Keep, int32(m.Job))
			}
			continue
		}
		g := Gang{Job: int32(first.Job), Quota: quota(first.Quota), Copy: s.Copied, Config: int32(first.Config)}
		for _, sh := range s.Shards {
			g.GPUs = append(g.GPUs, [2]int32{int32(sh.Slot), sh.N})
		}
		for _, m := range s.Members[1:] {
			g.With = append(g.With, Member{int32(m.Job), quota(m.Quota)})
		}
		d.Gangs = append(d.Gangs, g)
	}
	slices.Sort(d.Keep)
	d.Keep = slices.Compact(d.Keep)
	if at, asks := p.Wakes(); asks {
		s := at.Seconds()
		d.Wake = &s
	}
	r.line(&d)
}

func numbers(jobs []model.JobID) (out []int32) {
	for _, j := range jobs {
		out = append(out, int32(j))
	}
	return out
}

// quota is nil where there is none; what no number in JSON is stands for more than any job has.
func quota(w unit.Work) *float64 {
	if w < 0 {
		return nil
	}
	q := min(float64(w), math.MaxFloat64)
	return &q
}

// Ended records the end and writes the whole record.
func (r *Recorder) Ended(t *trace.Trace, w io.Writer) error {
	r.line(&End{t.Outcome.String(), t.Hash()})
	_, err := r.lines.WriteTo(w)
	return err
}

// Read reads a record. Its errors name the line.
func Read(from io.Reader) (*Record, error) {
	rec := &Record{}
	lines := bufio.NewScanner(from)
	lines.Buffer(nil, longest)
	n := 0
	fail := func(says string) (*Record, error) {
		return nil, errors.New("line " + strconv.Itoa(max(n, 1)) + ": " + says)
	}
	for lines.Scan() {
		n++
		b := lines.Bytes()
		if n == 1 {
			if json.Unmarshal(b, &rec.Head) != nil || rec.Kind != Kind {
				return fail("no record of decisions begins so; `hadarlab export --format decisions` writes one")
			}
			if says := rec.Head.wrong(); says != "" {
				return fail(says)
			}
			continue
		}
		var line struct {
			Decision
			End
		}
		if err := json.Unmarshal(b, &line); err != nil {
			return fail(err.Error())
		}
		if rec.Outcome != "" {
			return fail("nothing follows the end of a record")
		}
		if line.Outcome != "" {
			rec.End = line.End
			continue
		}
		if says := rec.wrong(&line.Decision); says != "" {
			return fail(says)
		}
		slices.Sort(line.Keep)
		rec.Decisions = append(rec.Decisions, line.Decision)
	}
	if err := lines.Err(); err != nil {
		n++
		return fail(err.Error())
	}
	if n == 0 {
		return fail("the file is empty")
	}
	return rec, nil
}

// wrong is what a head may not say.
func (h *Head) wrong() string {
	if h.Version != Version {
		return "version is " + strconv.Itoa(h.Version) + "; this release reads " + strconv.Itoa(Version)
	}
	for _, name := range h.On {
		if h.trigger(name) == 0 {
			return "on: " + strconv.Quote(name) + " calls for no decision"
		}
	}
	if !(h.Every >= 0 && h.Every < 1e12) || unit.Seconds(h.Every) == 0 && len(h.On) == 0 {
		return "every_s and on: nothing calls for a decision"
	}
	return ""
}

func (*Head) trigger(name string) sim.Trigger {
	for _, h := range happenings {
		if h.name == name {
			return h.on
		}
	}
	return 0
}

// cadence is when there is a decision.
func (h *Head) cadence() sim.Cadence {
	c := sim.Cadence{Every: unit.Seconds(h.Every), Merge: h.Merge}
	for _, name := range h.On {
		c.On |= h.trigger(name)
	}
	return c
}

// wrong is what a decision of the record may not say.
func (rec *Record) wrong(d *Decision) string {
	named := slices.Concat(d.Arrived, d.Ended, d.Keep)
	for i := range d.Gangs {
		g := &d.Gangs[i]
		named = append(named, g.Job)
		for _, m := range g.With {
			named = append(named, m.Job)
		}
		if len(g.GPUs) == 0 {
			return "a gang of job " + strconv.Itoa(int(g.Job)) + " has no GPUs"
		}
		for _, part := range g.GPUs {
			if part[0] < 0 || int(part[0]) >= len(rec.Slots) || part[1] < 1 {
				return "there is no slot " + strconv.Itoa(int(part[0])) + ", or " + strconv.Itoa(int(part[1])) +
					" of it cannot be held"
			}
		}
	}
	for _, j := range named {
		if j < 0 || int(j) >= len(rec.Jobs) {
			return "there is no job " + strconv.Itoa(int(j)) + " among those of the first line"
		}
	}
	return ""
}
