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

// soFarHeight and soFarWidth are the size in px of SVG; the width decides only which labels fit.
const soFarHeight, soFarWidth = 84, 300

// SVG draws the curves, each as far as it has come.
func (c *SoFar) SVG() string {
	const high = soFarHeight - 22
	end := unit.Tick(1)
	for i := range c.Lanes {
		end = max(end, c.Lanes[i].End)
	}
	a, y := NewAxis(end, 0), Scale{Max: float64(max(c.Jobs, 1))}
	w := &svg{}
	w.put(`<svg data-role="curves" width="100%" height="$" aria-hidden="true">`, itoa(soFarHeight))
	for _, line := range [...][2]string{{"grid", "0.5"}, {"axis", itoa(high)}} {
		w.put(`<line data-role="$" x1="0" x2="100%" y1="$" y2="$"/>`, line[0], line[1], line[1])
	}
	w.put(`<svg width="100%" height="$" viewBox="$" preserveAspectRatio="none" overflow="visible">`, itoa(high), "0 0 1000 "+itoa(high))
	for i := range c.Lanes {
		w.put(`<path data-series="$" d="$"/>`, [...]string{"a", "b", "c"}[i%3], stepPath(&c.Lanes[i], &a, &y, high, false))
	}
	w.close("svg")
	w.ticks(&a, soFarWidth, high, high+16)
	w.close("svg")
	return string(w.b)
}
