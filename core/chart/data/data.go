// Package data gives the charts as tables of plain numbers, and those as CSV or as Vega-Lite specifications: for
// spreadsheets, notebooks and papers. Numbers are those that the charts are drawn from, before anything is thinned for
// a screen.
package data

import (
	"slices"
	"strconv"

	"hadarlab/core/chart"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Run is one run beside others.
type Run struct {
	Name  string // unlike the others'
	Trace *trace.Trace
	Lane  *chart.Lane // nil = it is made when a chart needs it
	Meta  *message.Lane
}

// Source is what charts are made of. Tables of traces that are Paced tell of their work.
type Source struct {
	Runs []Run
	// Pair are the runs that a chart of two compares, by their place in Runs. Two that are one: of two runs the first
	// against the second, of more the best against the next, as in every headline.
	Pair [2]int
	// Rack names that of a node, for locality and network.
	Rack func(node string) string
	// Problem is the compiled scenario, for worth; it may be called once, and give nil.
	Problem func() *model.Problem
	At      unit.Tick // the instant of the chart network

	looks map[string]int // hue of each job, when one has been asked for
}

// Column is a column of a table.
type Column struct {
	Name   string     // of CSV and Vega-Lite, with its unit
	Title  words.Text // of an axis or a legend, with its unit
	Number bool       // its cells are numbers, "" = unknown
}

// Chart is one of the charts: what links, files and the command line call it, its title, and the table behind it, for
// which a text says why there is nothing to show.
type Chart struct {
	ID, Title string
	place     int
	table     func(t *Table, s *Source) words.Text
}

var charts []*Chart

// register makes a chart one of those that the page, its links and files, and the command line offer. It is called from
// init, by the file of each chart, which says at which place it stands.
func register(place int, id, title string, table func(t *Table, s *Source) words.Text) {
	if Find(id) != nil || slices.ContainsFunc(charts, func(c *Chart) bool { return c.place == place }) {
		panic("data: register: the name or the place of " + id + " is taken")
	}
	charts = append(charts, &Chart{id, title, place, table})
	for i := len(charts) - 1; i > 0 && charts[i-1].place > place; i-- { // whatever the order of the files
		charts[i], charts[i-1] = charts[i-1], charts[i]
	}
}

// Charts are all of them, in the order of the page's tabs.
func Charts() []*Chart { return charts }

// Find looks a chart up, nil = there is none of that name.
func Find(id string) *Chart {
	for _, c := range charts {
		if c.ID == id {
			return c
		}
	}
	return nil
}

// Table is a chart as rows of cells.
type Table struct {
	Chart   *Chart
	Columns []Column
	plot    plot
	each    func(row func(cells ...string) bool)
	pace    unit.Pace
}

// plot says how Vega-Lite draws a table: which columns stand where, by name, "" = none.
type plot struct {
	mark               string // line, area, bar, tick
	x, y, colour, side string
	facet              string // small multiples, one below the other
	stack              string // zero, normalize; "" = none
	mean               bool   // a line through the means of what has equal places; else it steps from one to the next
	apart              string // the axis, x or y, whose scale is each panel's own, "" = neither
	hues               func(name string) hue
}

// hue is how the page draws what a colour stands for.
type hue struct{ fill, dash string }

// Rows calls f for each row, in order, until it returns false. Cells are kept by nobody.
func (t *Table) Rows(f func(cells ...string) bool) {
	t.each(func(cells ...string) bool {
		t.pace.Did(1)
		return f(cells...)
	})
}

// column is a column by its name.
func (t *Table) column(name string) *Column {
	for i := range t.Columns {
		if t.Columns[i].Name == name {
			return &t.Columns[i]
		}
	}
	return nil
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

func seconds(t unit.Tick) string { return number(t.Seconds()) }

func whole[T int | int32](n T) string { return strconv.Itoa(int(n)) }

// Of is a chart of runs as a table; where there is nothing to show of it, nil and why.
func Of(id string, s *Source) (*Table, words.Text) {
	c := Find(id)
	if c == nil {
		return nil, words.Say("there is no chart {0}", id)
	}
	if len(s.Runs) == 0 {
		return nil, words.Say("Nothing was simulated.")
	}
	t := &Table{Chart: c, pace: s.Runs[0].Trace.Pace}
	if lacks := c.table(t, s); !lacks.IsZero() {
		return nil, lacks
	}
	return t, words.Text{}
}

// pair are the two runs of Pair; there are two or more.
func (s *Source) pair() (a, b *Run) {
	if s.Pair[0] != s.Pair[1] {
		return &s.Runs[s.Pair[0]], &s.Runs[s.Pair[1]]
	}
	of := make([]*Run, len(s.Runs))
	for i := range of {
		of[i] = &s.Runs[i]
	}
	if len(of) > 2 {
		unit.Sort(of, func(x, y *Run) int {
			return chart.Ahead(x.lane(), y.lane(), x.Meta.Metrics.AvgJCTS, y.Meta.Metrics.AvgJCTS)
		})
	}
	return of[0], of[1]
}

// lane is a run's layout.
func (r *Run) lane() *chart.Lane {
	if r.Lane == nil {
		r.Lane = chart.NewLane(r.Trace)
	}
	return r.Lane
}

var (
	policy = Column{"policy", words.Say("Policy"), false}
	job    = Column{"job", words.Say("Job"), false}
	time   = Column{"from_s", words.Say("Time, s"), true}
)

// steps gives the rows of a step curve: a row where it steps, and one where it ends.
func steps(s *chart.Series, row func(cells ...string) bool, before ...string) bool {
	for i, at := range s.T {
		if !row(append(before[:len(before):len(before)], seconds(at), number(s.V[i]))...) {
			return false
		}
	}
	if n := len(s.T); n > 0 && s.End > s.T[n-1] {
		return row(append(before[:len(before):len(before)], seconds(s.End), number(s.V[n-1]))...)
	}
	return true
}

// inks are the lines of the page, in its light theme.
func (s *Source) inks(name string) hue {
	for i := range s.Runs {
		if s.Runs[i].Name == name {
			return [...]hue{{"#14181d", "1,0"}, {"#59626c", "6,4"}, {"#414953", "2,3"}}[i%3]
		}
	}
	return hue{"#59626c", "1,3"}
}

// dashes are the lines of things that have no colour of their own.
func dashes(names []string) func(string) hue {
	return func(name string) hue {
		for i := range names {
			if names[i] == name {
				return [...]hue{{"#14181d", "1,0"}, {"#414953", "6,4"}, {"#59626c", "2,3"}, {"#414953", "8,3,2,3"}}[i%4]
			}
		}
		return hue{"#14181d", "1,0"}
	}
}

// fills are the colours of jobs.
func (s *Source) fills(name string) hue {
	if s.looks == nil {
		s.looks = map[string]int{}
		t := s.Runs[0].Trace
		for i, look := range chart.LooksOf(t) {
			s.looks[t.Jobs[i].Name] = look.Hue
		}
	}
	if h := s.looks[name]; h > 0 {
		return hue{chart.Fills[h-1], "1,0"}
	}
	return hue{"#d8dce1", "1,0"}
}

// parts are the colours of what GPU time goes into.
func parts(name string) hue {
	switch name {
	case "busy", "node":
		return hue{"#414953", "1,0"}
	case "fits", "misfit", "network", "idle while a job waits":
		return hue{"#9a670080", "1,0"}
	case "nobody":
		return hue{"#f4f5f7", "1,0"}
	}
	return hue{"#7b848e8c", "1,0"}
}
