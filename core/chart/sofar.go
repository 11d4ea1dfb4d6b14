package chart

import "hadarlab/core/unit"

// SoFar is how many jobs runs under way have finished at simulated instants, lane by lane.
type SoFar struct {
	Jobs  int // of each run
	Lanes []Series
}

// soFarPoints is how many points of a lane are kept; then every other one goes.
const soFarPoints = 256

// Add notes that a lane is at an instant.
func (c *SoFar) Add(lane int, at unit.Tick, finished int) {
	for len(c.Lanes) <= lane {
		c.Lanes = append(c.Lanes, Series{T: []unit.Tick{0}, V: []float64{0}})
	}
	s := &c.Lanes[lane]
	if len(s.T) == soFarPoints {
		for i := 1; i < soFarPoints/2; i++ {
			s.T[i], s.V[i] = s.T[2*i], s.V[2*i]
		}
		s.T, s.V = s.T[:soFarPoints/2], s.V[:soFarPoints/2]
	}
	s.add(at, float64(finished))
	s.End = at
}

// Points is how many points are kept in all.
func (c *SoFar) Points() (n int) {
	for i := range c.Lanes {
		n += len(c.Lanes[i].T)
	}
	return n
}
