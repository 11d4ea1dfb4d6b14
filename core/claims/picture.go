package claims

import (
	"cmp"
	"math"
	"slices"
	"strconv"

	"hadarlab/core/figure"
	"hadarlab/core/message"
)

// Form is how the paper of a row draws it. The zero Form is a bar a scheduler.
type Form struct {
	Axis      string            // what groups differ in, or what x of curves counts, as "jobs/h"
	Groups    []string          // of bars: names of a seed's scenarios, each of which has bars of its own
	Own       string            // of bars: the value of the mover that is the paper's own experiment; "" = the row is
	OwnTitle  string            // as the group of its bars is called
	Choice    string            // of curves: the choice of the movers that are their further points
	At        float64           // of curves: where the row itself lies
	Published map[string]Points // by lane, in the unit that is shown
	Source    string            // where they stand, or what of them is not at hand: a sentence
}

// Points are published ones, over x where they are of a curve. A bar is the one Y, which stands in the last row.
type Points struct{ X, Y []float64 }

// Picture is what the schedulers of a row come to by themselves, in the form of its paper, with what was published
// beside. Means are geometric, so that two of them are as far apart as the row's figure says.
type Picture struct {
	Title   string    `json:"title"`
	Unit    string    `json:"unit,omitempty"` // "" = plain numbers
	Axis    string    `json:"axis,omitempty"` // as in Form
	Rows    []string  `json:"rows"`
	X       []float64 `json:"x,omitempty"` // of curves, a value a row; nil = bars
	Lines   []Line    `json:"lines"`
	Claimed []Band    `json:"-"` // of bars: where the published figure would put the first line; nil = nowhere
	Says    string    `json:"says"`
}

// Line is a scheduler's curve or bars, a figure a row; N is 0 where it has none.
type Line struct {
	Name      string             `json:"name"`
	Published bool               `json:"published,omitempty"`
	At        []message.Estimate `json:"at"`
}

// shown is the unit in which a value is shown, and how much of the value is one of it.
func (v *Value) shown() (name string, per float64) {
	switch v.Unit {
	case message.Time:
		return "h", 3600
	case message.GPUTime:
		return "GPU-h", 3600
	case message.Ratio:
		return "%", 0.01
	}
	return "", 1
}

// Number writes a figure of the picture.
func (p *Picture) Number(v float64) string {
	if v >= 1000 {
		return figure.Fixed(nil, v, 0)
	}
	return figure.Sig(nil, v, 3)
}

// Picture is nil where no runs are compared, or nothing was measured.
func (s *Standing) Picture() *Picture {
	if s.World == nil || s.World.Alone != nil || s.Ours.N == 0 {
		return nil
	}
	p := &Picture{Title: s.World.Value.Name, Axis: s.Form.Axis}
	unit, per := s.World.Value.shown()
	p.Unit = unit
	if s.Form.Choice != "" {
		s.curves(p, per)
	} else {
		s.bars(p, per)
	}
	p.Says += cmp.Or(s.Form.Source, "No bars of the paper are at hand.")
	return p
}

// mean is what the values of a series come to, of one scenario of each seed or of all (at < 0), in units of per.
func mean(of [][]float64, at int, per float64) message.Estimate {
	var seeds []float64
	for _, values := range of {
		if at >= 0 {
			values = values[at : at+1]
		}
		sum := 0.0
		for _, v := range values {
			sum += Hours.scaled(v / per)
		}
		seeds = append(seeds, Hours.plain(sum/float64(len(values))))
	}
	return Hours.Estimate(seeds)
}

// bars has a row for each group, and one for all where there are several.
func (s *Standing) bars(p *Picture, per float64) {
	p.Rows = append(slices.Clone(s.Form.Groups), "all")
	own := func(of bool) (series [][]float64) {
		for i := range s.Moves {
			if m := &s.Moves[i]; m.Value == s.Form.Own && of {
				series = m.Of
			} else if m.Value == s.Form.Own {
				series = m.Against
			}
		}
		return series
	}
	if s.Form.Own != "" {
		p.Rows = append(p.Rows, s.Form.OwnTitle)
	}
	line := func(name string, of, own [][]float64) {
		l := Line{Name: name, At: make([]message.Estimate, len(p.Rows))}
		for i := range s.Form.Groups {
			l.At[i] = mean(of, i, per)
		}
		l.At[len(s.Form.Groups)] = mean(of, -1, per)
		if own != nil {
			l.At[len(p.Rows)-1] = mean(own, -1, per)
		}
		p.Lines = append(p.Lines, l)
		if pub, ok := s.Form.Published[name]; ok {
			theirs := Line{Name: name, Published: true, At: make([]message.Estimate, len(p.Rows))}
			theirs.At[len(p.Rows)-1] = message.Estimate{Mean: pub.Y[0], N: 1}
			p.Lines = append(p.Lines, theirs)
		}
	}
	of, against := s.World.Of.Name, s.World.Against.Name
	line(of, s.Full.Of, own(true))
	p.Says = "Geometric means over " + figure.Plural(nil, s.Ours.N, "seed") + " with 95 % intervals, " + s.Date + ". "
	if s.Full.Against == nil {
		return
	}
	line(against, s.Full.Against, own(false))
	for _, others := range s.movers("compared with") {
		line(others.World.Against.Name, others.Against, nil)
		p.Says = "Geometric means over " + figure.Plural(nil, s.Ours.N, "seed") +
			", from the third scheduler on over " + figure.Int(len(others.Of)) + ", with 95 % intervals, " +
			s.Date + ". "
	}
	if math.IsNaN(s.Published.Low) {
		return
	}
	good := s.World.Value.Good
	for _, e := range p.Lines[slices.IndexFunc(p.Lines, func(l Line) bool {
		return l.Name == against && !l.Published
	})].At {
		a, b := s.Unit.of(good, e.Mean, s.Published.Low), s.Unit.of(good, e.Mean, s.Published.High)
		p.Claimed = append(p.Claimed, Band{min(a, b), max(a, b)})
	}
	p.Says += "The stroke is where the published figure would put " + of + ", from our bar of " + against + ". "
}

// of is the value of the paper's scheduler that a figure says, from what it is compared with: the inverse of Figure.
func (u Unit) of(good int, against, figure float64) float64 {
	switch {
	case u == Less:
		return against * (1 - figure)
	case good > 0:
		return against * figure
	}
	return against / figure
}

// measured is a mover with what was measured of it.
type measured struct {
	*Mover
	*Series
}

// movers are those of a choice, in the order in which they were measured.
func (s *Standing) movers(choice string) (out []measured) {
	if s.Record == nil {
		return nil
	}
	for i := range s.Moves {
		for k := range s.Movers {
			if x, m := &s.Moves[i], &s.Movers[k]; x.Choice == choice && m.Choice == choice && m.Value == x.Value {
				out = append(out, measured{m, &x.Series})
			}
		}
	}
	return out
}

// curves has a row for each x at which we or the paper have a point.
func (s *Standing) curves(p *Picture, per float64) {
	type point struct {
		x      float64
		series *Series
	}
	points := []point{{s.Form.At, s.Full}}
	few := 0
	for _, m := range s.movers(s.Form.Choice) {
		points = append(points, point{m.X, m.Series})
		few = len(m.Of)
	}
	for _, q := range points {
		p.X = append(p.X, q.x)
	}
	for _, pub := range s.Form.Published {
		p.X = append(p.X, pub.X...)
	}
	slices.Sort(p.X)
	p.X = slices.Compact(p.X)
	for _, x := range p.X {
		p.Rows = append(p.Rows, strconv.FormatFloat(x, 'f', -1, 64))
	}
	for i, l := range s.World.lanes() {
		ours := Line{Name: l.Name, At: make([]message.Estimate, len(p.X))}
		for _, q := range points {
			of := q.series.Of
			if i == 1 {
				of = q.series.Against
			}
			ours.At[slices.Index(p.X, q.x)] = mean(of, -1, per)
		}
		p.Lines = append(p.Lines, ours)
		if pub, ok := s.Form.Published[l.Name]; ok {
			theirs := Line{Name: l.Name, Published: true, At: make([]message.Estimate, len(p.X))}
			for k, x := range pub.X {
				theirs.At[slices.Index(p.X, x)] = message.Estimate{Mean: pub.Y[k], N: 1}
			}
			p.Lines = append(p.Lines, theirs)
		}
	}
	p.Says = "Ours are geometric means over " + figure.Plural(nil, few, "seed") + ", at " +
		strconv.FormatFloat(s.Form.At, 'f', -1, 64) + " over " + figure.Int(s.Ours.N) + ", with 95 % intervals, " +
		s.Date + ". "
}

// Title of a line in a table or a legend.
func (l *Line) Title() string {
	if l.Published {
		return l.Name + ", published"
	}
	return l.Name
}

// Table has the numbers of the picture: a head, and a row of cells for each of Rows.
func (p *Picture) Table() (head []string, rows [][]string) {
	head = []string{cmp.Or(p.Axis, "scenarios")}
	for i := range p.Lines {
		head = append(head, p.Lines[i].Title())
	}
	for r, name := range p.Rows {
		cells := []string{name}
		for i := range p.Lines {
			cells = append(cells, p.cell(&p.Lines[i].At[r]))
		}
		rows = append(rows, cells)
	}
	return head, rows
}

func (p *Picture) cell(e *message.Estimate) string {
	switch {
	case e.N == 0:
		return "–"
	case e.Low == nil:
		return p.Number(e.Mean)
	}
	return p.Number(e.Mean) + " (" + p.Number(*e.Low) + " to " + p.Number(*e.High) + ")"
}
