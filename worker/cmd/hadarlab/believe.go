//go:build !js

package main

import (
	_ "embed"
	"fmt"
	"slices"

	"hadarlab/core/claims"
	"hadarlab/core/figure"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/study"
)

//go:embed believe.html
var believeTemplate string

// believePage is the manual's page on why simulators of schedulers disagree. Its text holds no figure: those of the
// examples are run when the page is made, those of the board are recorded.
type believePage struct {
	Metric, Load, Baseline *example
	board                  []*claims.Standing
}

// example is a scenario before and after one choice is made otherwise.
type example struct {
	Choice        string // what is changed, as the table heads it
	Before, After *tried
	Rows          []exampleRow
}

// tried is a scenario that has been run, with what opens it.
type tried struct {
	Says string // its value of the choice
	Link string
	Runs []message.Lane
}

// exampleRow is a figure of all four lanes.
type exampleRow struct {
	Name  string
	Sides [2]exampleSide
}

// exampleSide is a figure of two lanes, and the lane that has the better one; "the same" where the lab calls it a tie.
type exampleSide struct {
	Figures [2]string
	Better  string
}

func newBelievePage(board []*claims.Standing) (*believePage, error) {
	p := &believePage{board: board}
	var err error
	if p.Metric, err = newExample("A restart costs", []string{"avg_jct_s", "makespan_s", "ftf_max"},
		"nothing", measured(0, "gavel-las"), "120 s", measured(120, "gavel-las")); err != nil {
		return nil, err
	}
	if p.Load, err = newExample("Jobs that arrive in an hour", []string{"avg_jct_s"},
		"0.25", ninth(0.25), "0.5", ninth(0.5)); err != nil {
		return nil, err
	}
	p.Baseline, err = newExample("Which Gavel", []string{"avg_jct_s", "makespan_s"},
		"max-min fairness", measured(0, "gavel-las"), "makespan", measured(0, "gavel-makespan"))
	return p, err
}

// measured is the preset of sixty jobs of a published trace, Hadar's lane against another.
func measured(restartS float64, against string) *scenario.Document {
	b, _ := lab.Preset("sixty-measured-jobs")
	doc, _ := scenario.Parse(b, scenario.FileLimits) // a shipped document
	doc.Scenario.Overheads.RestartS = restartS
	doc.Scenario.Policies = []scenario.Policy{{ID: "hadar"}, {ID: against}}
	doc.Meta.Question = "Who is better: by mean completion, by the last finish, by the worst ρ?"
	return doc
}

// ninth is Gavel's continuous experiment on a ninth of its cluster and with 600 jobs, of which 200 count: 4 V100, 4
// P100 and 4 K80.
func ninth(perHour float64) *scenario.Document {
	doc := study.GavelLoad(perHour, 1)
	s := &doc.Scenario
	s.Generator.Count, s.Window = 600, &scenario.Window{From: 300, Jobs: 200}
	var nodes []scenario.Node
	for i := 0; i < len(s.Cluster.Nodes); i += 9 {
		nodes = append(nodes, s.Cluster.Nodes[i])
	}
	s.Cluster.Nodes = nodes
	s.Policies = []scenario.Policy{{ID: "gavel-las"}, {ID: "gavel-las-agnostic"}}
	doc.Meta.Title += ", a ninth of it"
	doc.Meta.Question = "How much sooner do jobs end where the scheduler knows how fast each GPU type is for them?"
	return doc
}

func newExample(choice string, metrics []string, before string, a *scenario.Document, after string,
	b *scenario.Document,
) (*example, error) {
	e := &example{Choice: choice}
	var err error
	if e.Before, err = newTried(before, a); err == nil {
		e.After, err = newTried(after, b)
	}
	if err != nil {
		return nil, err
	}
	for _, name := range metrics {
		m := message.FindMetric(name)
		e.Rows = append(e.Rows, exampleRow{m.Title, [2]exampleSide{e.Before.side(m), e.After.side(m)}})
	}
	return e, nil
}

// newTried runs a scenario with its own lanes.
func newTried(says string, doc *scenario.Document) (*tried, error) {
	res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
	if diags.HasErrors() || len(failed) > 0 {
		return nil, fmt.Errorf("%s: %v %v", doc.Meta.Title, diags, failed)
	}
	return &tried{Says: says, Link: rootOf("docs/believe") + "#" + link.Encode(doc, lab.Defaults()),
		Runs: res.Runs}, nil
}

func (t *tried) side(m *message.Metric) (s exampleSide) {
	var v [2]float64
	for i := range v {
		v[i] = m.Of(&t.Runs[i].Metrics)
		s.Figures[i] = figureText(m, v[i])
	}
	s.Better = "the same"
	if !message.Tied(v[0], v[1]) {
		s.Better = t.Lane(better(m, v))
	}
	return s
}

// better is the lane with the better of two figures.
func better(m *message.Metric, v [2]float64) int {
	if (v[0] < v[1]) == (m.Good < 0) {
		return 0
	}
	return 1
}

func figureText(m *message.Metric, v float64) string {
	if m.Unit == message.Time {
		return figure.Sig(nil, v/3600, 3) + " h"
	}
	return figure.Sig(nil, v, 3)
}

// Lane is the title of a lane's policy.
func (t *tried) Lane(i int) string {
	list := lab.Policies()
	at := slices.IndexFunc(list, func(p lab.PolicyInfo) bool { return p.ID == t.Runs[i].Policy })
	return list[at].Title
}

// Sides are the two scenarios.
func (e *example) Sides() []*tried { return []*tried{e.Before, e.After} }

// Other heads the figures of the second lanes.
func (e *example) Other() string {
	if of := e.Before.Lane(1); of == e.After.Lane(1) {
		return of
	}
	return "This Gavel"
}

// Figure is a metric of a lane in words.
func (t *tried) Figure(metric string, lane int) string {
	m := message.FindMetric(metric)
	return figureText(m, m.Of(&t.Runs[lane].Metrics))
}

// Times is how often the first lane's figure goes into the second's.
func (t *tried) Times(metric string) string {
	m := message.FindMetric(metric)
	return figure.Fixed(nil, m.Of(&t.Runs[1].Metrics)/m.Of(&t.Runs[0].Metrics), 2)
}

// boardRow is what the text says of a row of the board.
type boardRow struct {
	Ours, Interval, Published string
	*claims.Standing
}

// Row is a row of the board.
func (p *believePage) Row(id string) (*boardRow, error) {
	for _, s := range p.board {
		if s.Claim.ID == id {
			return &boardRow{s.Unit.Say(s.Ours.Mean), s.Unit.Spread(s.Ours), s.PublishedText(), s}, nil
		}
	}
	return nil, fmt.Errorf("the board has no row %s", id)
}

// With is the row's figure with one choice made otherwise.
func (r *boardRow) With(choice, value string) (string, error) {
	for _, m := range r.Moved {
		if m.Choice == choice && m.Value == value {
			return r.Unit.Say(m.To.Mean), nil
		}
	}
	return "", fmt.Errorf("%s has not been tried with %s: %s", r.Claim.ID, choice, value)
}

// Counts are how many rows the board has, how many of them could be tried, and how many of these came out as published
// or in their direction only.
func (p *believePage) Counts() (c struct{ All, Tried, Reproduced, Direction int }) {
	for _, s := range p.board {
		c.All++
		switch s.Verdict {
		case claims.CannotBeTried:
			continue
		case claims.Reproduced:
			c.Reproduced++
		case claims.DirectionOnly:
			c.Direction++
		}
		c.Tried++
	}
	return c
}
