package formula

import (
	"math"
	"strconv"

	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Longest is how many bytes a formula may have, and Nested how many brackets, signs and conditions may stand in one
// another.
const (
	Longest = 500
	Nested  = 50
)

// Error is what is wrong with a formula, and where.
type Error struct {
	Col    int // of the first byte that is wrong, from 1
	Reason words.Text
}

// Error is the place and the reason in English.
func (e *Error) Error() string { return strconv.Itoa(e.Col) + ": " + e.Reason.String() }

// Formula is an expression that has been read; it never changes.
type Formula struct {
	root   *node
	uses   []int
	pieces []Piece
}

// Piece is a name of a formula, with the text before it, or the text behind the last name.
type Piece struct {
	Text string
	Name int // -1 = none
}

// Pieces are the formula in its order.
func (f *Formula) Pieces() []Piece { return f.pieces }

// Uses are the positions of the names that occur, each once, in the order in which they do.
func (f *Formula) Uses() []int { return f.uses }

// node is a piece of an expression: op is what is done with x, y and z, or a number or name itself.
type node struct {
	op      op
	x, y, z *node
	value   float64 // of a number
	name    int     // of a name
	yes     bool    // it is a yes or no
}

type op int

const (
	number op = iota
	name
	add
	subtract
	multiply
	divide
	floorDivide
	modulo
	negate
	less
	lessEqual
	greater
	greaterEqual
	equal
	notEqual
	and
	or
	not
	choose // x if y else z
	absolute
	largest
	smallest
	ceil
	exp
	floor
	log
	sqrt
)

// Value is what the formula gives when the i-th name has the value of gives; ok is false where a value that it needs is
// not known, or a result on the way is not finite.
func (f *Formula) Value(of func(i int) (value float64, ok bool)) (value float64, ok bool) {
	return f.root.eval(of)
}

// eval gives 1 for yes and 0 for no. What decides nothing is not looked at.
func (n *node) eval(of func(int) (float64, bool)) (float64, bool) {
	switch n.op {
	case number:
		return n.value, true
	case name:
		v, ok := of(n.name)
		return v, ok && finite(v)
	case choose:
		c, ok := n.y.eval(of)
		switch {
		case !ok:
			return 0, false
		case c != 0:
			return n.x.eval(of)
		}
		return n.z.eval(of)
	case and, or:
		x, ok := n.x.eval(of)
		if !ok || (x != 0) == (n.op == or) {
			return x, ok
		}
		return n.y.eval(of)
	}
	x, ok := n.x.eval(of)
	if !ok {
		return 0, false
	}
	y := 0.0
	if n.y != nil {
		if y, ok = n.y.eval(of); !ok {
			return 0, false
		}
	}
	v := n.op.of(x, y)
	return v, finite(v)
}

func finite(v float64) bool { return !math.IsNaN(v) && !math.IsInf(v, 0) }

// of does an operation. Each is rounded by itself: float64(…) forbids a fused one.
func (o op) of(x, y float64) float64 {
	switch o {
	case add:
		return float64(x + y)
	case subtract:
		return float64(x - y)
	case multiply:
		return float64(x * y)
	case divide:
		return x / y
	case floorDivide:
		return math.Floor(x / y)
	case modulo: // has the sign of y, as in Python
		r := math.Mod(x, y)
		if r != 0 && (x < 0) != (y < 0) {
			r = float64(r + y)
		}
		return r
	case negate:
		return -x
	case less:
		return yes(x < y)
	case lessEqual:
		return yes(x <= y)
	case greater:
		return yes(x > y)
	case greaterEqual:
		return yes(x >= y)
	case equal:
		return yes(x == y)
	case notEqual:
		return yes(x != y)
	case not:
		return yes(x == 0)
	case absolute:
		return math.Abs(x)
	case largest:
		if y > x {
			return y
		}
		return x
	case smallest:
		if y < x {
			return y
		}
		return x
	case ceil:
		return math.Ceil(x)
	case exp:
		return unit.Exp(x)
	case floor:
		return math.Floor(x)
	case log:
		if x <= 0 {
			return math.NaN()
		}
		return unit.Log(x)
	case sqrt:
		return math.Sqrt(x)
	}
	panic("formula: no such operation")
}

func yes(is bool) float64 {
	if is {
		return 1
	}
	return 0
}
