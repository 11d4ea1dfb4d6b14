// Package own is the policy that somebody writes: an order, as a formula of a line (core/formula), or a program
// (core/program), which gives an order or every gang. Programs are evaluated by package starlark below this one, which
// not every build has: it weighs a tenth of an engine.
package own

import (
	"slices"
	"strings"

	"hadarlab/core/formula"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/policy/queues"
	"hadarlab/core/program"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Evaluator runs programs.
type Evaluator struct {
	// Check says what is wrong with a program before it runs.
	Check func(src string) error
	// New makes the policy that a program is. queue makes one that serves an order which the program gives.
	New func(m model.Public, src string, queue func(Number) *queues.Keyed) (sim.Policy, error)
}

// Given are the members of an object that have a value of their own, as the manual has them: what a program is given
// without asking for more.
func Given(of string) (list []policy.Fact) {
	for _, f := range told(Members...) {
		if strings.HasPrefix(f.As, of+".") && !strings.Contains(f.As, "(") {
			list = append(list, f)
		}
	}
	return list
}

// Number is what an order goes by, for a job; ok is false where there is none.
type Number = func(v sim.View, j model.JobID) (x float64, ok bool)

// Programs is this build's evaluator, nil = it has none. Package starlark sets it when a build imports it.
var Programs *Evaluator

// errNoEvaluator is why a build without one refuses a program.
var errNoEvaluator = &program.Error{Reason: words.Say(
	"Programs that somebody wrote are not run here. Open the scenario in the page, or run it with the command line or a server of your own.")}

var keyParam = policy.Param{Name: "key", Title: "Who goes first", Kind: policy.Formula, Default: "job.arrival",
	Facts: told(), Help: "An expression; the job for which it is least goes first, of equal ones the older. " +
		"A job for which it has no value goes last."}

var programParam = policy.Param{Name: "program", Title: "Program", Kind: policy.Program, Default: "", Check: check,
	Facts: told(Members...),
	Help: "In place of the expression: a program with a function key(job, cluster), which gives the number by which " +
		"jobs are ordered, or decide(view, plan), which gives every job its GPUs. Empty: the expression decides."}

func init() {
	policy.Register(&policy.Spec{
		ID: "own", Title: "Your own order", Rev: 1,
		Summary: "You write who goes first, as one expression of job and cluster, or a program.",
		Source:  "expressions and programs are a part of Starlark; the order and its moves to faster types ours",
		Formula: "the parameter key, least first",
		Cadence: func(m model.Public, v policy.Values) sim.Cadence {
			c := sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}
			if v.Bool("rounds") {
				c.Every = m.Round
			}
			return c
		},
		Params: []policy.Param{keyParam, programParam,
			{Name: "preempt", Title: "Take GPUs from those behind", Kind: policy.Bool, Default: false,
				Help: "A job may take the GPUs of jobs that come after it in the order. Off: who runs is not stopped."},
			{Name: "skip", Title: "Skip jobs that do not fit", Kind: policy.Bool, Default: false,
				Help: "Jobs behind a blocked one may start if they fit. Always on where GPUs are taken from those behind."},
			{Name: "rounds", Title: "Decide at each round", Kind: policy.Bool, Default: false,
				Help: "The order is looked at when each round begins, too: for an expression that changes with time."},
			queues.MigrateParam,
			{Name: "homogeneous", Title: "One GPU type per gang", Kind: policy.Bool, Default: false,
				Help: "No gang mixes types. Off: a job gets several types where none that it can use has as many GPUs."}},
		Random: func(v policy.Values) bool { return program.Mentions(v["program"].(string), "random") },
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			s := queues.Switches{Takes: v.Bool("preempt"), Skips: v.Bool("skip"), Moves: v.Bool("migrate"),
				OneType: v.Bool("homogeneous")}
			if src := v["program"].(string); src != "" {
				if unit.Small || Programs == nil {
					return nil, errNoEvaluator
				}
				s.Lengths = program.Mentions(src, ".steps", ".steps_left")
				return Programs.New(m, src, func(n Number) *queues.Keyed {
					return queues.NewKeyed(m.Cluster, s, "key(job, cluster)", n, nil)
				})
			}
			f, err := keyParam.Read(v["key"].(string))
			if err != nil {
				return nil, err
			}
			s.Lengths = slices.ContainsFunc(f.Uses(), func(i int) bool { return Facts[i].Length })
			return newOrder(m.Cluster, strings.TrimSpace(v["key"].(string)), f, s), nil
		},
	})
}

// check reads a program where this build can; elsewhere it says what can be told of any text.
func check(src string) error {
	if err := program.Check(src); err != nil || src == "" || unit.Small || Programs == nil {
		return err
	}
	return Programs.Check(src)
}

// order is a queue by a formula.
type order struct {
	*queues.Keyed
	src     string
	formula *formula.Formula
	cluster *model.Cluster
}

func newOrder(c *model.Cluster, src string, f *formula.Formula, s queues.Switches) *order {
	o := &order{src: src, formula: f, cluster: c}
	o.Keyed = queues.NewKeyed(c, s, src, o.number, o.sum)
	return o
}

// Clone copies the parameters; the order is made anew at each decision.
func (o *order) Clone() sim.Policy { return newOrder(o.cluster, o.src, o.formula, o.Switches) }

func (o *order) number(v sim.View, j model.JobID) (float64, bool) {
	return o.formula.Value(func(i int) (float64, bool) { return Facts[i].Of(o.cluster, v, j) })
}

// sum is the formula, and beside it the same with its values.
func (o *order) sum(v sim.View, j model.JobID) []words.Text {
	written, filled := words.Text{}, words.Text{}
	for _, piece := range o.formula.Pieces() {
		text := words.Own(piece.Text)
		written = words.Say("{0}{1}", written, text)
		filled = words.Say("{0}{1}", filled, text)
		if piece.Name < 0 {
			continue
		}
		figure := any(words.Say("(not known)"))
		if x, ok := Facts[piece.Name].Of(o.cluster, v, j); ok {
			figure = policy.Four(x)
		}
		written = words.Say("{0}{1}", written, words.Own(Facts[piece.Name].As))
		filled = words.Say("{0}{1}", filled, figure)
	}
	if x, ok := o.number(v, j); ok {
		return []words.Text{words.Say("key = {0} = {1} = {2}", written, filled, policy.Four(x))}
	}
	return []words.Text{words.Say("key = {0} = {1}: no value", written, filled)}
}
