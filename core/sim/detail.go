package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Explains is whether decisions can be explained in this program. The edge explains none, and without what explains
// its simulator is 160 kB smaller: where it is false, a policy asks nothing of Why.Detail.
const Explains = !unit.Small

// Detail is one decision as its policy explains it. What a policy has to say is made of texts and sections: kernel,
// messages and page know these and none of a policy's ideas.
type Detail struct {
	Order    []model.JobID // in which the policy considered the jobs
	Sections []*Section    // of the whole decision; a table of jobs is read around the job that somebody asks about
	Choices  []*Choice     // one per active job, in order of arrival
	Altered  []Altered     // by forced choices

	// Coming is how many jobs have yet to arrive. A policy decides without; a sentence about what will happen needs it.
	Coming int
}

// Choice is what was decided for one job, and why.
type Choice struct {
	Job model.JobID
	// Says is why, as the rest of a sentence about what the job does; without, the code of the reason says it. At the
	// places of texts stand jobs, GPU types, nodes and gangs by their ids (model.JobID, model.TypeID, model.NodeID,
	// []model.Shard), numbers, other texts, and strings that are nobody's language.
	Says     words.Text
	Sections []*Section

	// The kernel fills in the rest once the plan is known.
	Altered *Altered   // by a forced choice, nil = it is as the policy chose; what is said above is the policy's
	Action  trace.Code // Placed, Moved, Kept or Preempted, or the code of the wait
	Reason  trace.Code // why: the code that the policy gave, or Action
	Num     [3]float64
	Other   model.JobID
	Rate    unit.Rate
	Gangs   [][]model.Shard
}

// Numbers in texts, by their unit; a float64 is a plain number, a unit.Rate steps/s.
type (
	Worth      float64 // in the unit of the policy's utilities, costs and prices
	Seconds    float64
	Instant    float64 // seconds since the scenario's start
	GPUSeconds float64
	Share      float64 // a part of 1
)

// In is a number in a unit as columns and terms have it, for a text. One in a unit without a type of its own has the
// unit behind it, and one without a unit stays a number.
func In(of string, v float64) any {
	switch of {
	case "":
		return v
	case "s":
		return Seconds(v)
	case "GPU-s":
		return GPUSeconds(v)
	case "steps/s":
		return unit.Rate(v)
	case unit.Instant:
		return Instant(v)
	case unit.Worth:
		return Worth(v)
	case unit.Share:
		return Share(v)
	}
	return words.Say("{0} {1}", v, of)
}

// Fixed is a plain number with so many decimals.
type Fixed struct {
	Value    float64
	Decimals int
}

// Digits is a plain number in a line of a formula, with so many digits that count.
type Digits struct {
	Value float64
	N     int
}

// Section is one part of an explanation; what it does not have stays empty.
type Section struct {
	Title   words.Text
	Note    words.Text
	Folded  bool // for who wants to know all of it
	Weighed []Weighed
	Table   *Table
	Curve   *Curve
	// Formula has a line each, with the values in it: a name = what is reckoned = what comes out. A result that is then
	// rounded up has that behind a comma. Every line can be worked out again, within the digits that are printed.
	Formula []words.Text
	Terms   []Term
}

// Weighed is a placement as a picture of what it is worth and what it costs, in unit.Worth.
type Weighed struct {
	Who         words.Text
	Worth, Cost float64
	// Worth is the Utility over as many Rounds as are left; 0 = it is not a round's.
	Utility float64
	Rounds  int64
}

// Table is a table of numbers. Key names it in exports, where its rows are objects; a table without one is for reading
// only, and so are rows that are no choice in a table of choices.
type Table struct {
	Key     string
	Title   words.Text // for who does not see it
	Columns []Column
	Rows    []Row
	Choices bool // its rows are placements, and to wait is one more
	Listed  bool // a row is read by itself, its columns one below another: the panel's job, or the only row
}

// Column is a column of a table: Key is its member in exports, and a column without a Name is for exports only. Cells
// of numbers are written in Unit.
type Column struct{ Key, Name, Unit string }

// Row is a row of a table, with a cell a column: model.JobID, model.TypeID, model.NodeID, []model.Shard, Text,
// string, a number, Noted, or nil for none.
type Row struct {
	Cells   []any
	Gangs   [][]model.Shard // what the job would hold with this choice, empty = it is none
	Chosen  bool            // by the policy
	Verdict words.Text      // why or why not
}

// Noted is a cell with a short note under it.
type Noted struct {
	Cell any
	Note words.Text
}

// Curve is a quantity by a count, as the price of a GPU by how many of its node are taken.
type Curve struct {
	Along    string // what is counted
	Unit     string
	Values   []float64 // by count, from 0
	From, To int       // what the decision makes of the count
	Says     words.Text
}

// Term is a named figure. Key is its place in exports, members of objects after a slash; without one it is exported
// with its name. A term without a Name is for exports only.
type Term struct {
	Key   string
	Name  string
	Of    any // what stands at {0} of the name
	Value float64
	Unit  string
}

// Named is a term of the decision for reading.
func Named(name string, v float64, unit string) Term {
	return Term{Name: name, Value: v, Unit: unit}
}

// Of is the choice for j, which is added if it is not yet there.
func (d *Detail) Of(j model.JobID) *Choice {
	at, known := slices.BinarySearchFunc(d.Choices, j, func(c *Choice, j model.JobID) int { return int(c.Job - j) })
	if !known {
		d.Choices = slices.Insert(d.Choices, at, &Choice{Job: j})
	}
	return d.Choices[at]
}

// completeDetail adds to each choice what the kernel knows: the action and the gangs held. Jobs the policy said nothing
// about get an empty choice.
func (r *Run) completeDetail(d *Detail) {
	for _, j := range r.activeJobs {
		c := d.Of(j)
		c.Other = model.None
		if n := &r.why.notes[j]; n.stamp == r.why.stamp {
			c.Reason, c.Num, c.Other = n.code, n.num, n.other
		}
		c.Action = r.action(j, c.Reason)
		if r.jobs[j].gpus > 0 {
			c.Reason = c.Action
		}
		for _, g := range r.jobs[j].gangs {
			c.Gangs = append(c.Gangs, slices.Clone(r.gangs[g].shards))
			c.Rate += r.member(g, j).rate
			if s := r.splitSection(&r.gangs[g], j); s != nil {
				c.Sections = slices.Insert(c.Sections, 0, s) // what its speed follows from, before what follows from it
			}
		}
	}
	for i := range d.Altered {
		d.Of(d.Altered[i].Job).Altered = &d.Altered[i]
	}
}

// action is what the present decision does with j; of a job that goes on waiting it is the reason.
func (r *Run) action(j model.JobID, reason trace.Code) trace.Code {
	change := same
	if q := &r.plan.jobs[j]; q.stamp == r.plan.stamp {
		change = q.change
	}
	switch {
	case change == started:
		return trace.Placed
	case change == moved:
		return trace.Moved
	case change == stopped:
		return trace.Preempted
	case r.jobs[j].gpus > 0:
		return trace.Kept
	}
	return reason
}
