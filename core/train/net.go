package train

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"hadarlab/core/unit"
)

// net is a perceptron of two layers for two classes: rectified hidden units, one output whose logistic function is the
// probability of class 1. Its parameters are one vector, so that copies are averaged by adding vectors: the first
// layer (in × hidden, by rows), its biases, the second layer, its bias.
type net struct {
	theta  []float64
	w1, w2 *mat.Dense // views of theta
	b1, b2 []float64
}

// netSize is the number of parameters.
func netSize(in, hidden int) int { return in*hidden + hidden + hidden + 1 }

// newNet is a net over theta, whose length is netSize(in, hidden).
func newNet(theta []float64, in, hidden int) *net {
	a := in * hidden
	return &net{theta, mat.NewDense(in, hidden, theta[:a]), mat.NewDense(hidden, 1, theta[a+hidden:a+2*hidden]),
		theta[a : a+hidden], theta[a+2*hidden:]}
}

// draw sets the parameters to random ones: weights normal with variance 2/inputs of their layer (after He), the first
// layer's biases as its weights, so that the units' edges do not all pass through the origin, the last bias 0.
func (n *net) draw(seed uint64) {
	random := unit.Stream(seed, "weights")
	in, hidden := n.w1.Dims()
	for i := range n.theta {
		spread := math.Sqrt(2 / float64(in))
		if i >= (in+1)*hidden {
			spread = math.Sqrt(2 / float64(hidden))
		}
		n.theta[i] = unit.Normal(random) * spread
	}
	n.b2[0] = 0
}

// room is what one batch of a size needs: activations and gradients.
type room struct {
	x, y  *mat.Dense // points × inputs, points × 1
	h     *mat.Dense // the first layer, points × hidden
	z, dz *mat.Dense // outputs and the loss's slope by them, points × 1
	back  *mat.Dense // slope by the first layer's sums, points × hidden
	grad  *net       // slope by the parameters
}

func newRoom(points, in, hidden int) *room {
	return &room{mat.NewDense(points, in, nil), mat.NewDense(points, 1, nil), mat.NewDense(points, hidden, nil),
		mat.NewDense(points, 1, nil), mat.NewDense(points, 1, nil), mat.NewDense(points, hidden, nil),
		newNet(make([]float64, netSize(in, hidden)), in, hidden)}
}

// forward computes the outputs of the points in r.x.
func (n *net) forward(r *room) {
	r.h.Mul(r.x, n.w1)
	for i := range r.x.RawMatrix().Rows {
		h := r.h.RawRowView(i)
		for k, b := range n.b1 {
			h[k] = max(0, h[k]+b)
		}
	}
	r.z.Mul(r.h, n.w2)
	z := r.z.RawMatrix().Data
	for i := range z {
		z[i] += n.b2[0]
	}
}

// judge is the mean cross entropy in nats of the outputs in r against r.y, and how many are on the right side.
func (r *room) judge() (loss float64, right int) {
	z, y := r.z.RawMatrix().Data, r.y.RawMatrix().Data
	for i, v := range z {
		loss += max(v, 0) - float64(v*y[i]) + unit.Log(1+unit.Exp(-math.Abs(v)))
		if (v > 0) == (y[i] > 0) {
			right++
		}
	}
	return loss / float64(len(z)), right
}

// slope leaves the slope of the loss by the parameters in r.grad, after forward.
func (n *net) slope(r *room) {
	z, y, dz := r.z.RawMatrix().Data, r.y.RawMatrix().Data, r.dz.RawMatrix().Data
	r.grad.b2[0] = 0
	for i := range z {
		dz[i] = (1/(1+unit.Exp(-z[i])) - y[i]) / float64(len(z))
		r.grad.b2[0] += dz[i]
	}
	r.grad.w2.Mul(r.h.T(), r.dz)
	r.back.Mul(r.dz, n.w2.T())
	clear(r.grad.b1)
	for i := range z {
		back, h := r.back.RawRowView(i), r.h.RawRowView(i)
		for k := range back {
			if h[k] <= 0 {
				back[k] = 0
			}
			r.grad.b1[k] += back[k]
		}
	}
	r.grad.w1.Mul(r.x.T(), r.back)
}

// step is one step of stochastic gradient descent on the points in r, at a learning rate.
func (n *net) step(r *room, rate float64) {
	n.forward(r)
	n.slope(r)
	for i, g := range r.grad.theta {
		n.theta[i] -= float64(rate * g)
	}
}

// average sets into to the sum of the copies' parameters, each times its weight.
func average(into []float64, copies [][]float64, weights []float64) {
	clear(into)
	for c, theta := range copies {
		for i, v := range theta {
			into[i] += float64(weights[c] * v)
		}
	}
}
