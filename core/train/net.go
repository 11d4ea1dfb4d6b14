package train

import (
	"math"

	"hadarlab/core/unit"
)

// net computes a perceptron of two layers for two classes: rectified hidden units, one output whose logistic function
// is the probability of class 1. The parameters are one vector, so that copies are averaged by adding vectors: a weight
// of each hidden unit for each input in turn, the units' biases, their weights in the output, and its bias.
type net struct {
	hidden int
	h      []float64 // what the hidden units gave out last
	grad   []float64 // slope of the loss by the parameters
}

func newNet(hidden int) *net {
	n := &net{hidden: hidden, h: make([]float64, hidden)}
	n.grad = make([]float64, n.size())
	return n
}

// size is the number of parameters.
func (n *net) size() int { return (inputs+2)*n.hidden + 1 }

// cut names the parts of a vector of parameters; the output's bias is its last.
func (n *net) cut(theta []float64) (w0, w1, bias, out []float64) {
	h := n.hidden
	return theta[:h], theta[h : 2*h], theta[2*h : 3*h], theta[3*h : 4*h]
}

// draw gives random parameters: weights normal with variance 2/inputs of their layer (after He), the hidden units'
// biases as their weights, so that the units' edges do not all pass through the origin, the output's bias 0.
func (n *net) draw(seed uint64) []float64 {
	random, theta := unit.Stream(seed, "weights"), make([]float64, n.size())
	for i := range theta {
		spread := math.Sqrt(2 / float64(inputs))
		if i >= (inputs+1)*n.hidden {
			spread = math.Sqrt(2 / float64(n.hidden))
		}
		theta[i] = unit.Normal(random) * spread
	}
	theta[len(theta)-1] = 0
	return theta
}

// output is what the net gives for a point; above 0 is class 1.
func (n *net) output(theta []float64, x [inputs]float64) float64 {
	w0, w1, bias, out := n.cut(theta)
	z := theta[len(theta)-1]
	h := n.h[:len(w0)]
	for k, w := range w0 {
		h[k] = max(0, float64(x[0]*w)+float64(x[1]*w1[k])+bias[k])
		z += float64(h[k] * out[k])
	}
	return z
}

// crossEntropy is the loss in nats of an output against a label.
func crossEntropy(z, y float64) float64 {
	return max(z, 0) - float64(z*y) + unit.Log(1+unit.Exp(-math.Abs(z)))
}

// slope leaves in n.grad the slope of the mean loss over a batch of points, given by their numbers.
func (n *net) slope(theta []float64, p *points, batch []int) {
	clear(n.grad)
	g0, g1, gb, gout := n.cut(n.grad)
	_, _, _, out := n.cut(theta)
	h := n.h[:len(out)]
	for _, i := range batch {
		x := p.x[i]
		z := n.output(theta, x)
		dz := (1/(1+unit.Exp(-z)) - p.y[i]) / float64(len(batch))
		n.grad[len(n.grad)-1] += dz
		for k, v := range out {
			if h[k] <= 0 {
				continue
			}
			gout[k] += float64(dz * h[k])
			back := float64(dz * v)
			gb[k] += back
			g0[k] += float64(back * x[0])
			g1[k] += float64(back * x[1])
		}
	}
}

// step is one step of gradient descent on a batch of points, at a learning rate.
func (n *net) step(theta []float64, p *points, batch []int, rate float64) {
	n.slope(theta, p, batch)
	for i, g := range n.grad {
		theta[i] -= float64(rate * g)
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
