// Package remote lets a program of any language be a scheduler: it is told the view of each decision as a line of JSON,
// and answers with the plan as another. It opens nothing by itself: the command line gives it a program's input and
// output. What it registers is known to that process alone, so that no document, link or server runs a command.
//
// The first line is a Hello, which the program answers with a Welcome; then each View is answered with a Plan. Members
// are only ever added; a program ignores those that it does not know. Times are seconds from the scenario's start.
package remote

import (
	"bufio"
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"io"
	"slices"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/policy/own"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Version of the protocol.
const Version = 1

// longest is how many bytes an answer may have.
const longest = 16 << 20

// Hello is the first line: what does not change during the run.
type Hello struct {
	Version int     `json:"hadarlab"`
	Round   float64 `json:"round_s"`
	Seed    uint64  `json:"seed"`
	Slots   []Slot  `json:"slots"`
}

// Slot is a number of equal GPUs of one node; others name it by its place in the list.
type Slot struct {
	Node string `json:"node"`
	Rack string `json:"rack"`
	Type string `json:"type"`
}

// Welcome answers it.
type Welcome struct {
	Version int    `json:"hadarlab"` // the protocol's version that the program knows
	Name    string `json:"name"`     // of the policy, for people
}

// View is what any policy may know at a decision.
type View struct {
	Decision int       `json:"decision"` // from 0, as view.decision of programs, --round and messages count
	Now      float64   `json:"now_s"`
	GPUs     []int32   `json:"gpus"` // in service, by slot
	Jobs     []Job     `json:"jobs"` // that have come and are not done, in order of arrival
	Refused  []Refused `json:"refused"`
}

// Job is one job at a decision.
type Job struct {
	ID       int32              `json:"id"`
	Name     string             `json:"name"`
	Model    string             `json:"model"`
	Tenant   string             `json:"tenant"`
	Arrival  float64            `json:"arrival_s"`
	GPUs     int32              `json:"gpus"` // that it asks for
	Weight   float64            `json:"weight"`
	Deadline *float64           `json:"deadline_s"` // null = it has none
	Steps    *float64           `json:"steps"`      // null = lengths are not told
	Done     float64            `json:"steps_done"`
	Service  float64            `json:"service_gpu_s"`
	Speeds   map[string]float64 `json:"speeds"` // steps/s of all its GPUs on one node, by type
	Gangs    [][][2]int32       `json:"gangs"`  // what it holds: gangs of [slot, GPUs]
}

// Refused is a gang of the last plan that the kernel did not take.
type Refused struct {
	Job int32  `json:"job"`
	Why string `json:"why"`
}

// Plan is what jobs shall hold from now on. A job that is in no gang holds nothing.
type Plan struct {
	Gangs []Gang           `json:"gangs"`
	Why   map[int32]string `json:"why"`    // by job, for the Why panel
	Wake  *float64         `json:"wake_s"` // asks for a decision at that time
}

// Gang is one gang of a plan.
type Gang struct {
	Job   int32      `json:"job"`
	GPUs  [][2]int32 `json:"gang"`  // of [slot, GPUs]
	Quota *float64   `json:"quota"` // steps, then it waits for the next decision
	Copy  bool       `json:"copy"`  // a forked copy
}

// Register makes a policy of a program. open starts one for each run; command is told to people. The policy is asked at
// arrivals, ends and changes of capacity, and when each round begins. What it is told ends with the run.
func Register(id, command string, open func() (io.ReadWriteCloser, error)) {
	policy.Register(&policy.Spec{
		ID: id, Title: cmp.Or(command, id), Rev: 1,
		Summary: "A program outside, which is told each decision and answers with a plan.",
		Source:  "its author's",
		Formula: "the program's own",
		Cadence: func(m model.Public, _ policy.Values) sim.Cadence {
			return sim.Cadence{Every: m.Round, On: sim.Arrival | sim.Finish | sim.Capacity}
		},
		New: func(m model.Public, _ policy.Values) (sim.Policy, error) {
			rw, err := open()
			if err != nil {
				return nil, err
			}
			r := &remote{public: m, in: bufio.NewReaderSize(rw, 1<<16), out: rw, refused: []Refused{}}
			return r, r.greet()
		},
	})
}

// remote is one run's program.
type remote struct {
	public  model.Public
	in      *bufio.Reader
	out     io.WriteCloser
	placer  place.Placer
	refused []Refused
	never   int    // gangs that were refused, all in all
	over    bool   // it has failed, or is a clone
	name    string // that it gave itself
}

// Clone fails when it is asked: nobody can go back in a program outside.
func (r *remote) Clone() sim.Policy { return &remote{over: true} }

// Measure says how many gangs were refused, which a program may not have looked at, under the name that it gave itself.
// The run is over: so is what the program is told.
func (r *remote) Measure(*model.Problem, *trace.Trace) []sim.Term {
	r.end()
	refused := sim.Named("Gangs that were refused, with the reason at the next decision", float64(r.never), "")
	switch {
	case r.name != "":
		refused.Name = jsondoc.Quote(r.name) + ": " + refused.Name
	case r.never == 0:
		return nil
	}
	return []sim.Term{refused}
}

// end lets the program end.
func (r *remote) end() {
	if !r.over {
		r.over = true
		r.out.Close() //nolint:errcheck // it is gone already, then
	}
}

// greet exchanges the first lines.
func (r *remote) greet() error {
	c, hello := r.public.Cluster, Hello{Version: Version, Round: r.public.Round.Seconds(), Seed: r.public.Seed}
	for _, s := range c.Slots {
		n := c.Nodes[s.Node]
		hello.Slots = append(hello.Slots, Slot{n.Name, c.Racks[n.Rack], c.Types[s.Type].Name})
	}
	var welcome Welcome
	if says := r.ask(&hello, &welcome); !says.IsZero() {
		return failure(says.String())
	}
	if welcome.Version != Version {
		return failure(words.Say("The program answers for version {0} of the protocol; this is version {1}.",
			welcome.Version, Version).String())
	}
	r.name = welcome.Name
	return nil
}

type failure string

func (f failure) Error() string { return string(f) }

// ask writes a line and reads the answer; it says what is wrong, or nothing.
func (r *remote) ask(line, answer any) (says words.Text) {
	b, err := json.Marshal(line)
	if err == nil {
		_, err = r.out.Write(append(b, '\n'))
	}
	if err != nil {
		return words.Say("The program cannot be told anything: {0}", words.Own(err.Error()))
	}
	b = b[:0]
	for {
		part, more, err := r.in.ReadLine()
		if b = append(b, part...); err != nil || len(b) > longest {
			return words.Say("The program ended without an answer, or gave one of more than {0} bytes.", longest)
		}
		if !more {
			break
		}
	}
	return read(b, answer)
}

// read takes an answer apart; it says what is wrong with it, or nothing. A member that there is not is a mistake: what
// it was to say would be lost without a word.
func read(line []byte, answer any) words.Text {
	d := json.NewDecoder(bytes.NewReader(line))
	d.DisallowUnknownFields()
	err := d.Decode(answer)
	if err == nil && !d.More() {
		return words.Text{}
	}
	got := jsondoc.Quote(string(line[:min(len(line), quoted)]))
	var kind *json.UnmarshalTypeError
	if errors.As(err, &kind) {
		return words.Say("The program's answer has a {0} at {1}, where something else belongs: {2}", kind.Value,
			kind.Field, got)
	}
	var syntax *json.SyntaxError
	if err == nil || errors.As(err, &syntax) || errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return words.Say("The program's answer is no line of JSON: {0}. What is for people goes to standard error.", got)
	}
	return words.Say("The program's answer cannot be read, {0}: {1}",
		words.Own(strings.TrimPrefix(err.Error(), "json: ")), got)
}

// quoted is how much of a wrong answer is told.
const quoted = 60

// Decide asks the program.
func (r *remote) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	if r.over {
		p.Fail(sim.Fault{Says: words.Say("A program outside cannot be asked from the middle of a run.")})
		return
	}
	var plan Plan
	if says := r.ask(r.view(v), &plan); !says.IsZero() {
		r.end()
		p.Fail(sim.Fault{Says: says})
		return
	}
	r.refused = []Refused{}
	p.Clear()
	for i := range plan.Gangs {
		if says := r.state(v, p, w, &plan.Gangs[i]); !says.IsZero() {
			r.refused = append(r.refused, Refused{plan.Gangs[i].Job, own.Named(r.public.Cluster, says)})
			r.never++
		}
	}
	if plan.Wake != nil && *plan.Wake >= 0 && *plan.Wake < 1e12 {
		p.WakeAt(unit.Seconds(*plan.Wake))
	}
	own.Waits(r.public.Cluster, &r.placer, v, p, w)
	for _, j := range v.Active() {
		if text := plan.Why[int32(j)]; text != "" && w.Detail != nil {
			d := w.Detail.Of(j)
			d.Sections = append(d.Sections, &sim.Section{Title: words.Say("What the program says"),
				Note: words.Own(text)})
		}
	}
}

// state puts a gang into the plan; it says why the kernel does not take it.
func (r *remote) state(v sim.View, p *sim.Plan, w *sim.Why, g *Gang) words.Text {
	j := model.JobID(g.Job)
	if !slices.Contains(v.Active(), j) {
		return words.Say("There is no job {0} now.", g.Job)
	}
	var gang []model.Shard
	for _, part := range g.GPUs {
		if part[0] < 0 || int(part[0]) >= len(r.public.Cluster.Slots) || part[1] < 1 {
			return words.Say("There is no slot {0}, or {1} of it cannot be held.", part[0], part[1])
		}
		gang = append(gang, model.Shard{Slot: model.SlotID(part[0]), N: part[1]})
	}
	if !own.State(p, j, gang, g.Quota, g.Copy) {
		return own.WrongGang(r.public.Cluster, v, p, j, gang)
	}
	w.Chose(j, 0, 0, 0)
	return words.Text{}
}

// view is what the program is told.
func (r *remote) view(v sim.View) *View {
	c := r.public.Cluster
	out := &View{Decision: v.Decision(), Now: v.Now().Seconds(), Jobs: []Job{}, Refused: r.refused}
	for s := range c.Slots {
		out.GPUs = append(out.GPUs, v.Capacity(model.SlotID(s)))
	}
	for _, j := range v.Active() {
		job := Job{ID: int32(j), Name: v.Name(j), Model: v.Model(j), Tenant: v.Tenants()[v.Tenant(j)].Name,
			Arrival: v.Arrive(j).Seconds(), GPUs: v.Shape(j).Size, Weight: v.Weight(j), Done: float64(v.Done(j)),
			Service: v.Attained(j).Seconds(), Speeds: map[string]float64{}, Gangs: [][][2]int32{}}
		if at, has := v.Deadline(j); has {
			s := at.Seconds()
			job.Deadline = &s
		}
		if total, known := v.Total(j); known {
			steps := float64(total)
			job.Steps = &steps
		}
		speeds := policy.Speeds(v, j)
		for t := range c.Types {
			job.Speeds[c.Types[t].Name] = speeds(model.TypeID(t))
		}
		for i := range v.Gangs(j) {
			var gang [][2]int32
			for _, sh := range v.Gang(j, i) {
				gang = append(gang, [2]int32{int32(sh.Slot), sh.N})
			}
			job.Gangs = append(job.Gangs, gang)
		}
		out.Jobs = append(out.Jobs, job)
	}
	return out
}
