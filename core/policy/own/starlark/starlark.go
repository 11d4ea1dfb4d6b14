// Package starlark runs the programs of the policy own with core/star. A build that imports it has them; the edge, and
// the page's own engine, do without its size.
//
// A program defines one of two functions, beside others of its own:
//
//	key(job, cluster)   a number; the job for which it is least goes first; None = behind all others
//	decide(view, plan)  gives jobs their GPUs; what it returns is view.state at the next decision
//
// It is told what any policy may know, as objects with attributes that nothing in it changes (view.go), and states in
// the plan what it wants (plan.go). The kernel takes what fits and refuses the rest. print and why are heard while a
// decision is explained.
package starlark

import (
	"errors"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/policy/own"
	"hadarlab/core/policy/queues"
	"hadarlab/core/program"
	"hadarlab/core/sim"
	"hadarlab/core/star"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Budgets of a program: what its own statements, one decision and a whole run may take (core/star says what a step is).
// A step takes 5 to 20 ns natively (BENCHMARKS.md). Its own statements run whenever it is read, also by a server
// that has not let the request in yet.
var (
	Setup    = star.Budget{Steps: 2e5, Bytes: 8 << 20}
	Decision = star.Budget{Steps: 5e6, Bytes: 64 << 20}
	Whole    = star.Budget{Steps: 500e6, Bytes: 32 << 30}
)

// LargestState is how many bytes what decide returns may have: every checkpoint of a run holds one.
const LargestState int64 = 1 << 20

func init() { own.Programs = &own.Evaluator{Check: check, New: newPolicy} }

// Names of the functions that a program is asked for.
const (
	keyName    = "key"
	decideName = "decide"
)

// check reads a program, and makes sure that it has what it is asked for.
func check(src string) error {
	_, err := load(src)
	return err
}

// load reads a program and runs its own statements.
func load(src string) (*star.Machine, error) {
	p, err := star.Compile(src, given...)
	if err != nil {
		return nil, told(err)
	}
	m, err := p.Start(star.Options{Setup: Setup, Call: Decision, Run: Whole, Print: print}, builtins...)
	if err != nil {
		return nil, told(err)
	}
	key, decides := function(m, keyName), function(m, decideName)
	switch {
	case key && decides:
		fn, _ := m.Global(decideName)
		line, col := fn.At()
		return nil, &program.Error{Line: line, Col: col, Reason: words.Say(
			"The program has both key and decide. Keep the one that is to be asked; give the other one another name.")}
	case !key && !decides:
		return nil, &program.Error{Reason: words.Say(
			"The program has neither a function key(job, cluster) nor decide(view, plan). Write one of them.")}
	}
	return m, nil
}

func function(m *star.Machine, name string) bool {
	v, ok := m.Global(name)
	return ok && v.IsFunction()
}

// told is an error of the evaluator as one of the program.
func told(err error) error {
	var e *star.Error
	if errors.As(err, &e) {
		return &program.Error{Line: e.Line, Col: e.Col, Reason: e.Reason}
	}
	return err
}

// newPolicy makes the policy that a program is.
func newPolicy(m model.Public, src string, queue func(own.Number) *queues.Keyed) (sim.Policy, error) {
	b := &binding{public: m}
	machine, err := load(src)
	if err != nil {
		return nil, err
	}
	b.machine, machine.Host = machine, b
	if fn, ok := machine.Global(keyName); ok && fn.IsFunction() {
		k := &keyed{binding: b, fn: fn, queue: queue}
		k.Keyed = queue(k.number)
		return k, nil
	}
	fn, _ := machine.Global(decideName)
	return &planner{binding: b, fn: fn, state: star.None}, nil
}

// keyed is an order that a program gives.
type keyed struct {
	*binding
	*queues.Keyed
	fn    star.Value
	queue func(own.Number) *queues.Keyed
	fault error
}

// Clone shares the program and what it froze; the budget that is spent goes with it.
func (k *keyed) Clone() sim.Policy {
	c := &keyed{binding: k.binding.clone(), fn: k.fn, queue: k.queue}
	c.Keyed = k.queue(c.number)
	return c
}

// Decide serves the jobs in the program's order.
func (k *keyed) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	k.begin(v, p, w)
	k.fault = nil
	k.Keyed.Decide(v, p, w)
	k.end(p, w, k.fault)
}

// number asks the program for a job's key, once in a decision: what explains it does not spend twice.
func (k *keyed) number(_ sim.View, j model.JobID) (float64, bool) {
	if k.fault != nil {
		return 0, false
	}
	job := k.job(j)
	if job.asked == k.decisions {
		return job.key, job.has
	}
	x, err := k.machine.Call(k.fn, star.Object(job), star.Object(k.cluster()))
	if err == nil && !x.IsNone() {
		if job.key, job.has = x.AsFloat(); !job.has {
			err = k.machine.Refused(words.Say("key must return a number or None, and returned a {0}.", x.Type()))
		}
	} else {
		job.key, job.has = 0, false
	}
	k.fault, job.asked = err, k.decisions
	return job.key, job.has
}

// planner is a program that plans by itself.
type planner struct {
	*binding
	fn    star.Value
	state star.Value // what it returned last, frozen
}

// Clone shares the program, what it froze, and its state.
func (p *planner) Clone() sim.Policy {
	return &planner{binding: p.binding.clone(), fn: p.fn, state: p.state}
}

// Decide lets the program plan.
func (p *planner) Decide(v sim.View, plan *sim.Plan, w *sim.Why) {
	p.begin(v, plan, w)
	p.shown = &viewHost{p.binding, p.state}
	state, err := p.machine.Call(p.fn, star.Object(p.shown), star.Object(p.planObject()))
	if err == nil {
		var bytes int64
		if p.state, bytes, err = p.machine.Keep(state); err == nil && bytes > LargestState {
			err = p.machine.Refused(words.Say("what decide returns has {0} bytes; it may have {1}", bytes, LargestState))
		}
	}
	if err == nil {
		own.Waits(p.public.Cluster, &p.placer, v, plan, w)
	}
	p.end(plan, w, err)
}

// asFault is why the run ends.
func asFault(err error) sim.Fault {
	var e *star.Error
	if !errors.As(err, &e) {
		return sim.Fault{Says: words.Own(err.Error())}
	}
	at := program.Error{Line: e.Line, Col: e.Col, Reason: e.Reason}
	return sim.Fault{Says: at.Told(), Line: e.Line, Col: e.Col}
}

// random gives the next number of the decision's own stream, so that a clone draws as the original would.
func (b *binding) random() float64 {
	if b.source == nil {
		b.source = unit.Stream(b.public.Seed, "own "+strconv.Itoa(b.view.Decision()))
	}
	return b.source.Float64()
}
