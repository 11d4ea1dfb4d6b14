// Package replay takes recorded decisions again (core/record), so that a run is there for everybody without the
// program that decided it.
//
// Flow: sim.Run → Recorder → record.Record → policy.Spec → sim.Run.
package replay

import (
	"bytes"
	"encoding/json"
	"io"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/record"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// triggers are what record.Happenings name, in their order.
var triggers = []sim.Trigger{sim.Arrival, sim.ArrivalIdle, sim.Finish, sim.PhaseEnd, sim.Capacity}

// Recorder writes the record of a run.
type Recorder struct {
	head  record.Head
	lines bytes.Buffer
}

// NewRecorder begins the record of a run of what decides, which is told to people, on a scenario of that id, whose
// document goes with it.
func NewRecorder(p *model.Problem, c sim.Cadence, scenario, decides string, document []byte) *Recorder {
	h := record.Head{Kind: record.Kind, Version: record.Version, Scenario: scenario, Policy: decides,
		Every: c.Every.Seconds(), On: []string{}, Merge: c.Merge, Slots: slotsOf(&p.Cluster), Jobs: []string{},
		Document: document}
	for i, on := range triggers {
		if c.On&on != 0 {
			h.On = append(h.On, record.Happenings[i])
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
func slotsOf(c *model.Cluster) (out []record.Slot) {
	for _, s := range c.Slots {
		out = append(out, record.Slot{Node: c.Nodes[s.Node].Name, Type: c.Types[s.Type].Name, GPUs: s.Cap})
	}
	return out
}

func (r *Recorder) line(v any) {
	b, _ := json.Marshal(v) // numbers are finite
	r.lines.Write(append(b, '\n'))
}

// Decided records a plan that is about to come true, see sim.Run.Observe.
func (r *Recorder) Decided(v sim.View, p *sim.Plan) {
	d := record.Decision{Now: v.Now().Seconds(), Arrived: numbers(v.Arrived()), Ended: numbers(v.Ended()),
		Gangs: []record.Gang{}}
	for _, s := range p.Stated() {
		first := s.Members[0]
		if math.IsNaN(float64(first.Quota)) {
			for _, m := range s.Members {
				d.Keep = append(d.Keep, int32(m.Job))
			}
			continue
		}
		g := record.Gang{Job: int32(first.Job), Quota: quota(first.Quota), Copy: s.Copied, Config: int32(first.Config)}
		for _, sh := range s.Shards {
			g.GPUs = append(g.GPUs, [2]int32{int32(sh.Slot), sh.N})
		}
		for _, m := range s.Members[1:] {
			g.With = append(g.With, record.Member{Job: int32(m.Job), Quota: quota(m.Quota)})
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
	r.line(&record.End{Outcome: t.Outcome.String(), Trace: t.Hash()})
	_, err := r.lines.WriteTo(w)
	return err
}

// cadence is when there is a decision.
func cadence(h *record.Head) sim.Cadence {
	c := sim.Cadence{Every: unit.Seconds(h.Every), Merge: h.Merge}
	for i, on := range triggers {
		if slices.Contains(h.On, record.Happenings[i]) {
			c.On |= on
		}
	}
	return c
}
