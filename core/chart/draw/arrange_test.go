package draw

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
)

// TestArrange: whatever the order, rows neither overlap nor leave their group, each bar is found where it is drawn, and
// the groups hold all GPUs once.
func TestArrange(t *testing.T) {
	tr := simtest.Mixed()
	l := chart.NewLane(tr)
	axis := chart.NewAxis(tr.End, tr.Round)
	for name, a := range map[string]chart.Arrangement{
		"as it is": {}, "pinned": {Pinned: []string{"n3", "n2"}}, "folded": {Folded: []string{"n1", "n2", "n3"}},
		"types":       {Types: true},
		"all at once": {Types: true, Pinned: []string{"n2", "gone"}, Folded: []string{"n2", "gone"}},
	} {
		f := a.Frame(l, tr, 500)
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: f}
		seen, bottom := make([]int, len(l.Rows)), 0.0
		for _, g := range f.Groups {
			if g.Top < bottom {
				t.Errorf("%s: a group begins at %v, above %v", name, g.Top, bottom)
			}
			bottom = g.Top
			for _, r := range g.Rows {
				seen[r]++
				if d := f.Top[r] - bottom; d < -1e-9 || d > 1e-9 {
					t.Errorf("%s: row %d lies at %v, not at %v", name, r, f.Top[r], bottom)
				}
				bottom += f.High[r]
			}
		}
		if slices.Max(seen) != 1 || slices.Min(seen) != 1 {
			t.Errorf("%s: rows are drawn %v times", name, seen)
		}
		for i, b := range l.Bars {
			top, high := f.Span(b.Row, b.N)
			if got := p.Hit(l.Holdings[b.Holding].From, top+high/2); got != i {
				t.Errorf("%s: bar %d is drawn where bar %d is found", name, i, got)
			}
		}
		if got := strings.Count(p.SVG(), `data-role="bar"`); got != len(l.Bars) {
			t.Errorf("%s: %d bars of %d are drawn", name, got, len(l.Bars))
		}
	}
}

// TestPinnedFirst: pinned nodes come in the order in which they were pinned, and only the rest is a row a type.
func TestPinnedFirst(t *testing.T) {
	tr := simtest.Mixed()
	l := chart.NewLane(tr)
	names := func(a chart.Arrangement) (s string) {
		f := a.Frame(l, tr, 500)
		for i := range f.Groups {
			s += f.Groups[i].Name(tr) + " " + gpusOf(&f.Groups[i], l, tr) + "; "
		}
		return s
	}
	for want, a := range map[string]chart.Arrangement{
		"n3 2 × P100; n1 4 × V100; n2 2 × P100, 2 × V100; ":     {Pinned: []string{"n3"}},
		"n2 2 × P100, 2 × V100; V100 4 × V100; P100 2 × P100; ": {Types: true, Pinned: []string{"n2"}},
		"V100 6 × V100; P100 4 × P100; ":                        {Types: true},
	} {
		if got := names(a); got != want {
			t.Errorf("%q, not %q", got, want)
		}
	}
}

// TestNoLinkAcross: the two halves of a gang are tied only where their nodes are neighbours on the screen.
func TestNoLinkAcross(t *testing.T) {
	tr := simtest.Mixed()
	l := chart.NewLane(tr)
	axis := chart.NewAxis(tr.End, tr.Round)
	for want, a := range map[int]chart.Arrangement{1: {}, 0: {Pinned: []string{"n3", "n2"}}} {
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: a.Frame(l, tr, 500)}
		if got := strings.Count(p.SVG(), `data-role="link"`); got != want {
			t.Errorf("%d links, not %d", got, want)
		}
	}
}

// TestNarrowBarsStayVisible: a ring around a bar of few pixels would cover it, so that it is underlined instead; the
// stop of the keyboard is ringed whatever its width.
func TestNarrowBarsStayVisible(t *testing.T) {
	tr := simtest.Mixed()
	l := chart.NewLane(tr)
	axis := chart.NewAxis(tr.End, tr.Round)
	for _, c := range []struct {
		width        float64
		bar          int
		rings, under int
	}{{500, -1, 2, 0}, {5, -1, 0, 2}, {5, 0, 0, 1}} {
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: chart.NewFrame(l, c.width)}
		svg := p.OutlineSVG(0, c.bar)
		if rings, under := strings.Count(svg, `data-part="ring"`),
			strings.Count(svg, `data-part="under"`); rings != c.rings || under != c.under ||
			strings.Contains(svg, `data-part="focus"`) != (c.bar >= 0) {
			t.Errorf("at %v px: %d rings, %d underlined: %s", c.width, rings, under, svg)
		}
		if a, b := strings.Count(svg, "<svg"), strings.Count(svg, "</svg>"); a != b {
			t.Errorf("at %v px: %d tags open, %d close", c.width, a, b)
		}
	}
}
