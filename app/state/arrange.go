package state

import (
	"slices"

	"hadarlab/core/words"
)

// What one row of the lanes is.
const (
	RowGPU  = "gpus"
	RowNode = "nodes"
	RowType = "types"
)

// Arrange makes the rows of all lanes GPUs, nodes or GPU types. Pinned nodes stay on top.
type Arrange struct{ By string }

// Fold folds the rows of a node in all lanes into the height of one, or unfolds them.
type Fold struct{ Node string }

// Pin puts the rows of a node on top of all lanes, or back in their place.
type Pin struct{ Node string }

// OfBar pins or folds the node of the bar under the keyboard's focus.
type OfBar struct{ Pin bool }

func (a Arrange) on(s *State) []Effect {
	r := &s.View.Rows
	r.Types, r.Folded = a.By == RowType, nil
	if a.By == RowNode {
		r.Folded = s.Result.Nodes()
	}
	s.Spoken = ""
	return nil
}

func (a Fold) on(s *State) []Effect {
	s.Spoken = words.F("{0} is unfolded.", a.Node)
	if toggle(&s.View.Rows.Folded, a.Node) {
		s.Spoken = words.F("{0} is folded.", a.Node)
	}
	return nil
}

func (a Pin) on(s *State) []Effect {
	s.Spoken = words.F("{0} is back in its place.", a.Node)
	if toggle(&s.View.Rows.Pinned, a.Node) {
		s.Spoken = words.F("{0} is pinned to the top.", a.Node)
	}
	return nil
}

func (a OfBar) on(s *State) []Effect {
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

// RowsBy is what one row is, empty where nodes differ.
func (s *State) RowsBy() string {
	r := &s.View.Rows
	switch {
	case r.Types:
		return RowType
	case len(r.Folded) == 0:
		return RowGPU
	case len(r.Folded) == len(s.Result.Nodes()):
		return RowNode
	}
	return ""
}
