package chart

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/trace"
)

// mixed is three nodes, of which the middle one has two types; a gang lies on the border of the first two.
func mixed() *trace.Trace {
	b := newBuilder([3]any{"n1", "v100", 4}, [3]any{"n2", "p100", 2}, [3]any{"n2b", "v100", 2}, [3]any{"n3", "p100", 2})
	b.t.Nodes = []string{"n1", "n2", "n3"}
	b.t.Slots[2].Node, b.t.Slots[3].Node = 1, 2
	return b.job("a", 0, 720).job("b", 0, 1080).job("c", 0, 360).
		span(0, trace.Run, 0, 720, 0, 4, 1, 2).span(1, trace.Run, 0, 1080, 2, 2).span(2, trace.Run, 0, 360, 3, 1).rounds(0, 360, 720)
}

// TestArrange: whatever the order, rows neither overlap nor leave their group, each bar is found where it is drawn, and the groups hold all GPUs once.
func TestArrange(t *testing.T) {
	tr := mixed()
	l := NewLane(tr)
	axis := NewAxis(tr.End, tr.Round)
	for name, a := range map[string]Arrangement{
		"as it is": {}, "pinned": {Pinned: []string{"n3", "n2"}}, "folded": {Folded: []string{"n1", "n2", "n3"}}, "types": {Types: true},
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
			top, high := f.span(b.Row, b.N)
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
	tr := mixed()
	l := NewLane(tr)
	names := func(a Arrangement) (s string) {
		f := a.Frame(l, tr, 500)
		for i := range f.Groups {
			s += f.Groups[i].name(tr) + " " + f.Groups[i].gpus(l, tr) + "; "
		}
		return s
	}
	for want, a := range map[string]Arrangement{
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
	tr := mixed()
	l := NewLane(tr)
	axis := NewAxis(tr.End, tr.Round)
	for want, a := range map[int]Arrangement{1: {}, 0: {Pinned: []string{"n3", "n2"}}} {
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: a.Frame(l, tr, 500)}
		if got := strings.Count(p.SVG(), `data-role="link"`); got != want {
			t.Errorf("%d links, not %d", got, want)
		}
	}
}

// TestWalkFollowsTheScreen: down goes to the bar below on the screen, whatever the rows' numbers.
func TestWalkFollowsTheScreen(t *testing.T) {
	tr := mixed()
	l := NewLane(tr)
	job := func(bar int) string { return tr.Jobs[l.Holdings[l.Bars[bar].Holding].Job].Name }
	walk := func(a Arrangement) (s string) {
		order := a.Rows(l, tr)
		for at, next := -1, 0; ; at = next {
			if next = l.Walk(at, 0, 1, order); next == at {
				return s
			}
			s += job(next)
		}
	}
	for want, a := range map[string]Arrangement{"aabc": {}, "caab": {Pinned: []string{"n3"}}, "abac": {Types: true}} {
		if got := walk(a); got != want {
			t.Errorf("%v: down from the top passes %s, not %s", a, got, want)
		}
	}
}

// TestNarrowBarsStayVisible: a ring around a bar of few pixels would cover it, so that it is underlined instead; the stop of
// the keyboard is ringed whatever its width.
func TestNarrowBarsStayVisible(t *testing.T) {
	tr := mixed()
	l := NewLane(tr)
	axis := NewAxis(tr.End, tr.Round)
	for _, c := range []struct {
		width        float64
		bar          int
		rings, under int
	}{{500, -1, 2, 0}, {5, -1, 0, 2}, {5, 0, 0, 1}} {
		p := &Picture{Lane: l, Trace: tr, Axis: &axis, Frame: NewFrame(l, c.width)}
		svg := p.OutlineSVG(0, c.bar)
		if rings, under := strings.Count(svg, `data-part="ring"`), strings.Count(svg, `data-part="under"`); rings != c.rings || under != c.under || strings.Contains(svg, `data-part="focus"`) != (c.bar >= 0) {
			t.Errorf("at %v px: %d rings, %d underlined: %s", c.width, rings, under, svg)
		}
		if a, b := strings.Count(svg, "<svg"), strings.Count(svg, "</svg>"); a != b {
			t.Errorf("at %v px: %d tags open, %d close", c.width, a, b)
		}
	}
}
