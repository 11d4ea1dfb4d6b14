package train

import (
	"math"
	"math/rand/v2"

	"hadarlab/core/unit"
)

// Data says what the models learn, for whoever shows a result.
const Data = "synthetic: two spirals of one turn and a half, Gaussian noise, 10 % of the training labels flipped"

// The data set: points of two classes in turn.
const (
	inputs     = 2
	heldPoints = 2000
	turns      = 1.5  // of each spiral
	noise      = 0.04 // standard deviation of a point's place, by each coordinate; the spirals' radius is 1
	flipped    = 0.1  // part of the training labels that are wrong; those held out are all right
)

// points are places and labels.
type points struct {
	x [][inputs]float64
	y []float64 // 0 or 1
}

// spirals draws n points. Point i is of class c = i mod 2, at u uniform in [0.05, 1):
// radius u, angle 2π(turns·u + c/2), both coordinates with noise, all times 2 so that they spread about as far as
// standard normal ones. A label is turned into the other with the probability wrong.
func spirals(seed uint64, name string, n int, wrong float64) *points {
	random := unit.Stream(seed, name)
	p := &points{}
	for i := range n {
		class := float64(i % 2)
		u := 0.05 + float64(0.95*random.Float64())
		angle := float64(turns * u)
		if class == 1 {
			angle += 0.5
		}
		cos, sin := circle(angle)
		var x [inputs]float64
		for k, at := range [inputs]float64{cos, sin} {
			x[k] = 2 * (float64(u*at) + float64(noise*unit.Normal(random)))
		}
		if random.Float64() < wrong {
			class = 1 - class
		}
		p.x, p.y = append(p.x, x), append(p.y, class)
	}
	return p
}

// circle is the point of the unit circle after so many turns, at least 0. math.Sincos has other last bits on some
// targets; here they are the same on all, the error below 1e-15.
func circle(turns float64) (cos, sin float64) {
	quarter := math.Floor(float64(4*turns) + 0.5)
	x := (turns - float64(quarter/4)) * (2 * math.Pi) // up to an eighth of a turn to either side
	x2 := float64(x * x)
	c, s := 1.0, 1.0
	for n := 16.0; n > 0; n -= 2 { // Taylor's series, from its last term on
		c = 1 - float64(x2*c)/float64(n*(n-1))
		s = 1 - float64(x2*s)/float64(n*(n+1))
	}
	s *= x
	switch int(quarter) % 4 {
	case 0:
		return c, s
	case 1:
		return -s, c
	case 2:
		return -c, -s
	}
	return s, -c
}

// stream hands out points, by their numbers, in an order that is shuffled anew before each pass.
type stream struct {
	random *rand.Rand
	order  []int
	next   int
}

// deal gives the stream other points; it begins a pass over them.
func (s *stream) deal(order []int) { s.order, s.next = append(s.order[:0], order...), len(order) }

// take appends the next n points to list.
func (s *stream) take(list []int, n int) []int {
	for range n {
		if s.next == len(s.order) {
			s.random.Shuffle(len(s.order), func(a, b int) { s.order[a], s.order[b] = s.order[b], s.order[a] })
			s.next = 0
		}
		list = append(list, s.order[s.next])
		s.next++
	}
	return list
}

// shards cuts a list into consecutive parts in proportion to weights, none empty whose weight is at least 1/len(list)
// of their sum.
func shards(list []int, weights []int) (parts [][]int) {
	sum, before, from := 0, 0, 0
	for _, w := range weights {
		sum += w
	}
	for _, w := range weights {
		before += w
		to := int(math.Floor(float64(before*len(list))/float64(sum) + 0.5))
		parts = append(parts, list[from:to])
		from = to
	}
	return parts
}
