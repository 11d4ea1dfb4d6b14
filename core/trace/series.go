package trace

import (
	"math"

	"hadarlab/core/unit"
)

// By is what a series has a curve for each of.
type By uint8

const (
	BySlot By = iota
	ByJob
	BySize // jobs that ask for so many GPUs
)

// Quantity is something that a policy tells beside its plan. Kernel and trace know of it no more than this.
type Quantity struct {
	Key  string // by which charts find it
	Unit string // of its values, as columns and terms have it
	By   By
}

// The quantities that charts read. A policy may tell others.
var (
	Price     = Quantity{"price", unit.Worth, BySlot}   // of one GPU for one round
	Left      = Quantity{"left", "GPUs", BySlot}        // of its node that a copy cannot use, by the copy's slot
	Merge     = Quantity{"merge", "s", ByJob}           // of a job's copies, at every decision
	WaitsNode = Quantity{"waits-for-node", "s", BySize} // before GPUs of several nodes are taken
	WaitsRack = Quantity{"waits-for-rack", "s", BySize} // and further before GPUs of several racks are
)

// Series is a quantity over time, a curve for each thing that it is of.
type Series struct {
	Quantity
	Points []Point // by round
}

// Point is a value from the decision Round on, until the next point of the same slot, job or size.
type Point struct {
	Round, Of int32
	Value     float64
}

// Points are what the run tells of a quantity, nil for nothing.
func (t *Trace) Points(q *Quantity) []Point {
	if i := t.find(q); i >= 0 {
		return t.Series[i].Points
	}
	return nil
}

// find is the index of the quantity's series, -1 when there is none.
func (t *Trace) find(q *Quantity) int {
	for i := range t.Series {
		if s := &t.Series[i]; s.Key == q.Key && s.By == q.By {
			return i
		}
	}
	return -1
}

// Begin is the index of the quantity's series, which is added if it is new, with room for so many points.
func (t *Trace) Begin(q *Quantity, room int) int {
	i := t.find(q)
	if i < 0 {
		i = len(t.Series)
		t.Series = append(t.Series, Series{*q, make([]Point, 0, room)})
	}
	return i
}

// consistent says whether every point is of a decision and a thing that there are.
func (s *Series) consistent(t *Trace) bool {
	things := math.MaxInt32
	switch s.By {
	case BySlot:
		things = len(t.Slots)
	case ByJob:
		things = len(t.Jobs)
	case BySize:
	default:
		return false
	}
	for _, p := range s.Points {
		t.Pace.Did(1)
		if p.Of < 0 || int(p.Of) >= things || p.Round < 0 || int(p.Round) >= len(t.Rounds) {
			return false
		}
	}
	return true
}
