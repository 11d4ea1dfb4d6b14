package state

import (
	"slices"

	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/unit"
)

type (
	// ZoomBy shows so many times as much of the axis, 0 = all of it. The cursor stays where it is if it is seen, else
	// the middle.
	ZoomBy struct{ By float64 }
	// Pan moves the window by a share of its width.
	Pan struct{ By float64 }
	// SetWindow shows a part of the axis, in shares of it.
	SetWindow struct{ From, To float64 }
	// FitSelection shows the selected bar, or all that the selected job does.
	FitSelection struct{}
)

func (a ZoomBy) on(s *Lab) []Effect {
	if a.By == 0 {
		s.View.Zoom = run.Window{}
		return nil
	}
	axis := s.Result.View(s.View.Zoom)
	at := 0.5
	if m, ok := s.Result.Moment(s.View.Moment); ok && axis.From <= m.At && m.At <= axis.To {
		at = axis.X(m.At)
	}
	span := axis.To - axis.From
	wide := max(unit.Tick(float64(span)*a.By), s.Result.Narrowest())
	s.View.see(s.Result, axis.From+unit.Tick(at*float64(span-wide)), wide)
	return nil
}

func (a Pan) on(s *Lab) []Effect {
	if s.View.Zoom.Whole() {
		return nil
	}
	axis := s.Result.View(s.View.Zoom)
	span := axis.To - axis.From
	s.View.see(s.Result, axis.From+unit.Tick(a.By*float64(span)), span)
	return nil
}

func (a SetWindow) on(s *Lab) []Effect {
	if !(a.From < a.To) {
		return nil
	}
	whole := float64(s.Result.Axis.To - s.Result.Axis.From)
	s.View.see(s.Result, s.Result.Axis.From+unit.Tick(a.From*whole+0.5), unit.Tick((a.To-a.From)*whole+0.5))
	return nil
}

func (FitSelection) on(s *Lab) []Effect {
	from, to := unit.Never, unit.Tick(-1)
	for lane, l := range s.Result.Lanes {
		if l.Chart == nil {
			continue
		}
		for i := range l.Chart.Stops() {
			job, begin, end := l.Chart.Stop(i)
			chosen := i < len(l.Chart.Bars) && l.Trace.Jobs[job].Name == s.View.Job
			if s.View.Bar != NoBar {
				chosen = s.View.Bar == BarAt{lane, i}
			}
			if chosen {
				from, to = min(from, begin), max(to, end)
			}
		}
	}
	if to >= from {
		span := max(to-from, s.Result.Narrowest())
		s.View.see(s.Result, from-span/20, span+span/10)
	}
	return nil
}

// Arrange makes the rows of all lanes GPUs, nodes or GPU types. Pinned nodes stay on top.
type Arrange struct{ By string }

// Fold folds the rows of a node in all lanes into the height of one, or unfolds them.
type Fold struct{ Node string }

// Pin puts the rows of a node on top of all lanes, or back in their place.
type Pin struct{ Node string }

// OfBar pins or folds the node of the bar under the keyboard's focus.
type OfBar struct{ Pin bool }

func (a Arrange) on(s *Lab) []Effect {
	r := &s.View.Rows
	r.Types, r.Folded = a.By == RowType, nil
	if a.By == RowNode {
		r.Folded = s.Result.Nodes()
	}
	s.Announcement = ""
	return nil
}

func (a Fold) on(s *Lab) []Effect {
	s.Announcement = words.F("{0} is unfolded.", a.Node)
	if toggle(&s.View.Rows.Folded, a.Node) {
		s.Announcement = words.F("{0} is folded.", a.Node)
	}
	return nil
}

func (a Pin) on(s *Lab) []Effect {
	s.Announcement = words.F("{0} is back in its place.", a.Node)
	if toggle(&s.View.Rows.Pinned, a.Node) {
		s.Announcement = words.F("{0} is pinned to the top.", a.Node)
	}
	return nil
}

func (a OfBar) on(s *Lab) []Effect {
	at := s.View.Bar
	if at == NoBar || s.Result.Lanes[at.Lane].Chart == nil ||
		at.Index >= len(s.Result.Lanes[at.Lane].Chart.Bars) {
		return nil
	}
	l := s.Result.Lanes[at.Lane]
	node := l.Trace.Nodes[l.Trace.Slots[l.Chart.Bars[at.Index].Slot].Node]
	if a.Pin {
		return Pin{node}.on(s)
	}
	return Fold{node}.on(s)
}

// toggle makes a list one with a name more or less, and says whether it has it now. The list that was stays as it is.
func toggle(list *[]string, name string) (has bool) {
	out := slices.DeleteFunc(slices.Clone(*list), func(n string) bool { return n == name })
	if has = len(out) == len(*list); has {
		out = append(out, name)
	}
	*list = out
	return has
}
