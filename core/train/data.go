package train

import (
	"math"
	"math/rand/v2"

	"hadarlab/core/unit"
)

// Data says what the models learn, for whoever shows a result.
const Data = "synthetic: two spirals of one turn and a half, Gaussian noise, 10 % of the training labels flipped"

// The data set: points to train on and points held out, of two classes in turn.
const (
	inputs      = 2
	trainPoints = 512
	heldPoints  = 2000
	turns       = 1.5  // of each spiral
	noise       = 0.04 // standard deviation of a point's place, by each coordinate; the spirals' radius is 1
	flipped     = 0.1  // part of the training labels that are wrong; those held out are all right
)

// points are places and labels.
type points struct {
	x []float64 // by rows of inputs
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
		sin, cos := math.Sincos(2 * math.Pi * angle)
		for _, at := range [inputs]float64{cos, sin} {
			p.x = append(p.x, 2*(float64(u*at)+float64(noise*unit.Normal(random))))
		}
		if random.Float64() < wrong {
			class = 1 - class
		}
		p.y = append(p.y, class)
	}
	return p
}

// stream hands out the training points in batches, in an order of its own that is shuffled anew whenever all have been
// handed out.
type stream struct {
	*points
	random *rand.Rand // nil = in their own order
	order  []int
	next   int
}

func newStream(p *points, random *rand.Rand) *stream {
	s := &stream{points: p, random: random, order: make([]int, len(p.y)), next: len(p.y)}
	for i := range s.order {
		s.order[i] = i
	}
	return s
}

// batch puts the next points into r.
func (s *stream) batch(r *room) {
	y := r.y.RawMatrix().Data
	for i := range y {
		if s.next == len(s.order) {
			if s.random != nil {
				s.random.Shuffle(len(s.order), func(a, b int) { s.order[a], s.order[b] = s.order[b], s.order[a] })
			}
			s.next = 0
		}
		at := s.order[s.next]
		s.next++
		copy(r.x.RawRowView(i), s.x[at*inputs:(at+1)*inputs])
		y[i] = s.y[at]
	}
}
