// Package claims is the paper board: the headline claims of the papers that the lab's schedulers come from, each with
// the experiment as closely as it can be built here, the published figure, ours with its interval, a verdict by one
// rule, and what the choices move that the paper leaves open. A row is a value in a file of its paper; what was
// measured is results.json, which `make papers` makes anew.
package claims

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/metric"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
	"hadarlab/core/unit"
)

// Paper is where claims come from.
type Paper struct {
	Key  string // of its rows' ids, as hadar-2024
	Cite string // authors, a short title, venue, year
	// Title is the whole one; "" where Cite has it.
	Title string
	Link  string // its address; "" = none is known to us
	Year  int
	Read  string // how much of it could be read
	// Believe says in a few sentences what to make of the paper's claims, with {id} for the figures of a row.
	Believe string
}

// Claim is a row of the board.
type Claim struct {
	ID        string
	Paper     *Paper
	Says      string // what the paper claims, in our words
	Where     string // what of the paper says so
	Published Band
	Unit      Unit
	Known     string // of its experiment
	Ours      string // choices of ours where it is not known
	World     *World // nil: it cannot be tried, see Untried
	Untried   string
	Small     *World  // cut down, for the browser and for tests; nil: World is small enough
	Cut       string  // how it is cut down
	Reason    string  // what to make of it
	As        Verdict // the verdict that Reason and the paper's Believe are written for; a test holds it
	Movers    []Mover // of two choices or more
	Form      Form    // of its picture
}

// Band is a published figure: a number, or from Low to High.
type Band struct{ Low, High float64 }

// at is the band of one number.
func at(v float64) Band { return Band{v, v} }

// better is where a paper says that something is better and not by how much.
var better = Band{math.NaN(), math.NaN()}

// Unit is what figures of a row say.
type Unit int

const (
	Times Unit = iota // how many times better than what it is compared with; 1 = no difference
	Less              // the part of 1 by which something is less; 0 = no difference
	More              // the difference itself; 0 = none
	Bound             // a bound that every scenario has to hold, over what it came to: broken below 1
	Hours             // a time itself, of one lane, in h
)

// None is the figure that says that there is no difference; NaN where figures say nothing of a difference.
func (u Unit) None() float64 {
	switch u {
	case Times, Bound:
		return 1
	case Hours:
		return math.NaN()
	}
	return 0
}

// drawn gives the scenarios of a seed.
type drawn = func(seed uint64) []*scenario.Document

// World is an experiment: the scenarios of a seed, on each of which a figure compares two lanes, or is of one.
type World struct {
	Docs    drawn
	Of      study.Lane // the paper's scheduler
	Against study.Lane // what it is compared with; none where the figure is of one lane
	// Value is what is compared: of a run, in any unit, less is better but for More and the metrics of which more is.
	Value Value
	// Alone gives the figure of a seed where no two runs do. Docs, if any, are what the page opens then.
	Alone func(seed uint64) (float64, error)
}

// Value is a figure of one run.
type Value struct {
	Name string // as the table heads it
	Unit message.Unit
	Good int // -1: less is better, 1: more is
	Of   func(*Outcome) float64
}

// metricValue is one of the metrics by its name.
func metricValue(name string) Value {
	m := message.FindMetric(name)
	return Value{m.Title, m.Unit, m.Good, func(o *Outcome) float64 { return m.Of(&o.Metrics) }}
}

// Mover is the experiment with one choice made otherwise.
type Mover struct {
	Choice string // as "utility"
	Value  string // as "effective"
	World  *World
	X      float64 // where it lies on the axis of the row's curves, if they are of this choice
}

// Seeds are those of a full form, and MoverSeeds the first of them, with which movers are tried. SmallSeeds are those
// of a cut-down form.
const Seeds, MoverSeeds, SmallSeeds = 10, 5, 3

// Figure is what the two lanes of one scenario come to. Against 0, a figure of times is one that no two runs give
// (World.Alone).
func (u Unit) Figure(good int, of, against float64) float64 {
	switch {
	case u == Less:
		return 1 - of/against
	case u == More:
		return of - against
	case u == Times && against == 0:
		return of
	case u == Times && good > 0:
		return of / against
	case u == Times:
		return against / of
	case u == Hours:
		return of / 3600
	}
	return of
}

// Verdict is how a claim stands.
type Verdict string

const (
	Reproduced    Verdict = "reproduced"
	DirectionOnly Verdict = "direction only"
	NotReproduced Verdict = "not reproduced"
	CannotBeTried Verdict = "cannot be tried"
)

// Code is a verdict for programs: reproduced, direction, not-reproduced or cannot-be-tried.
func (v Verdict) Code() string {
	if v == DirectionOnly {
		return "direction"
	}
	return strings.ReplaceAll(string(v), " ", "-")
}

// Verdicts are all of them, the best first.
var Verdicts = []Verdict{Reproduced, DirectionOnly, NotReproduced, CannotBeTried}

// Rule says in words what Judge does.
const Rule = "Reproduced: the published figure, or a part of its range, lies in our 95 % interval, or within 10 % " +
	"of our mean and on its side of no difference. Direction only: both are on the same side of no difference, " +
	"and our interval does not reach it; ours may be the larger. Otherwise not reproduced. Where the paper has no " +
	"figure, the direction is all that can be shown; of a time in hours only the distance counts. A bound is " +
	"reproduced where no scenario breaks it. Claims of “up to” are held to our mean all the same: what moves a " +
	"row says where its best case lies."

// Near is how far from our mean a published figure may lie, as a part of it.
const Near = 0.1

// Judge gives the verdict of a claim whose figures over seeds come to e, by the rule that all rows share. Bounds need
// the least of the figures, see Bound.
func Judge(pub Band, unit Unit, e message.Estimate, least float64) Verdict {
	low, high := e.Mean, e.Mean
	if e.Low != nil {
		low, high = *e.Low, *e.High
	}
	none := unit.None()
	side := func(v float64) int { return cmp.Compare(v, none) }
	wanted := side(pub.Low)
	if math.IsNaN(pub.Low) {
		wanted = 1
	}
	apart := max(pub.Low-e.Mean, e.Mean-pub.High, 0) // NaN where nothing is published
	switch {
	case math.IsNaN(e.Mean):
		return NotReproduced
	case unit == Bound:
		if least >= 1 {
			return Reproduced
		}
		return NotReproduced
	case pub.Low <= high && low <= pub.High,
		apart <= Near*math.Abs(e.Mean) && (unit == Hours || wanted == side(e.Mean)):
		return Reproduced
	case unit != Hours && wanted == side(low) && wanted == side(high):
		return DirectionOnly
	}
	return NotReproduced
}

// rows are the claims of all files, in their order within each.
var rows []*Claim

// add puts the rows of a file on the board.
func add(claims ...*Claim) { rows = append(rows, claims...) }

// All are the rows: those of Hadar's papers, which the lab is named after, then those of the newest paper first.
func All() []*Claim {
	out := slices.Clone(rows)
	others := func(c *Claim) int {
		if strings.HasPrefix(c.Paper.Key, "hadar-") {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(out, func(a, b *Claim) int {
		return cmp.Or(others(a)-others(b), cmp.Compare(b.Paper.Year, a.Paper.Year),
			cmp.Compare(a.Paper.Key, b.Paper.Key))
	})
	return out
}

// Find is the row of an id; the error names those that there are.
func Find(id string) (*Claim, error) {
	for _, c := range rows {
		if c.ID == id {
			return c, nil
		}
	}
	ids := ""
	for _, c := range All() {
		ids += "\n  " + c.ID
	}
	return nil, fmt.Errorf("there is no claim %q; there are%s", id, ids)
}

// Browser is the form that the page opens: the cut-down one where there is one.
func (c *Claim) Browser() *World {
	if c.Small != nil {
		return c.Small
	}
	return c.World
}

// Open is the scenario of a seed that the page opens: the first, with its lanes in it. It is nil where there is none.
func (c *Claim) Open(seed uint64) *scenario.Document {
	w := c.Browser()
	if w == nil || w.Docs == nil {
		return nil
	}
	doc := w.Docs(seed)[0]
	doc.Scenario.Policies = nil
	for _, l := range w.lanes() {
		doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: l.ID, Params: l.Params})
	}
	doc.Meta.Title, doc.Meta.Question = c.Paper.Short()+": a claim, tried", c.Says
	return doc
}

// scaled is a figure on the scale on which means and intervals are taken: ratios by their logarithms, so that twice as
// good and half as good are equally far from no difference, and nothing is more than wholly less. plain is its inverse.
func (u Unit) scaled(v float64) float64 {
	switch u {
	case Times, Bound, Hours:
		return unit.Log(v)
	case Less:
		return unit.Log(1 - v)
	}
	return v
}

func (u Unit) plain(x float64) float64 {
	switch u {
	case Times, Bound, Hours:
		return unit.Exp(x)
	case Less:
		return 1 - unit.Exp(x)
	}
	return x
}

// Place is where a figure lies on an axis on which better is to the right.
func (u Unit) Place(v float64) float64 {
	if u == Less {
		return -u.scaled(v)
	}
	return u.scaled(v)
}

// Estimate is the mean of the figures of seeds with its 95 % interval: of ratios the geometric mean.
func (u Unit) Estimate(figures []float64) message.Estimate {
	on := make([]float64, len(figures))
	for i, v := range figures {
		on[i] = u.scaled(v)
	}
	e := metric.Estimate("figure", on)
	e.Mean = u.plain(e.Mean)
	if e.Low != nil {
		low, high := u.plain(*e.Low), u.plain(*e.High)
		low, high = min(low, high), max(low, high)
		e.Low, e.High = &low, &high
	}
	return e
}
