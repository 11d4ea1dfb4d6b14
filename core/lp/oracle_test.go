package lp

import (
	"errors"
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
	simplex "gonum.org/v1/gonum/optimize/convex/lp"
)

// oracle solves p with a dense simplex in standard form: x, level = up - down, a slack per row, and a
// shortfall at a high price for each floor above 0, so that the first basis needs no search (the
// simplex may cycle there). ok is false if the simplex gave up on a degenerate basis.
func oracle(p *Problem) (objective float64, infeasible, ok bool) {
	const dear = 1e4
	n, k := len(p.Scale), len(p.Capacity)
	nk := n * k
	var rows []int
	unit := 0.0 // of the level, to keep it near 1
	for i := range n {
		if f := p.floor(i); !math.IsInf(f, -1) && (p.level(i) > 0 || f > 0) {
			rows = append(rows, i)
			if best := norm(p.Row[i*k : i*k+k]); best > 0 {
				unit = math.Max(unit, p.level(i)/best)
			} else if p.level(i) > 0 {
				unit = math.Max(unit, 1e-6)
			}
		}
	}
	levels := 0
	if unit > 0 {
		levels, unit = 2, 1/unit
	}
	m, slack := n+k+len(rows), nk+levels
	short := slack + m
	a := mat.NewDense(m, short+len(rows), nil)
	b, c, basis := make([]float64, m), make([]float64, short+len(rows)), make([]int, m)
	size := norm(p.Gain)
	if levels > 0 {
		size = math.Max(size, p.LevelGain*unit)
		c[nk], c[nk+1] = -p.LevelGain*unit/size, p.LevelGain*unit/size
	}
	for i := range p.Gain {
		c[i] = -p.Gain[i] / size
	}
	for r := range m {
		basis[r] = slack + r
		a.Set(r, slack+r, 1)
	}
	for i := range n {
		for j := range k {
			a.Set(i, i*k+j, 1)
			a.Set(n+j, i*k+j, p.Scale[i])
		}
		b[i] = 1
	}
	copy(b[n:], p.Capacity)
	for at, i := range rows {
		at += n + k
		by := math.Max(p.level(i)*unit, norm(p.Row[i*k:i*k+k])) // rows of size 1 keep it within its tolerance
		sign := 1.0
		if p.floor(i) > 0 {
			sign, basis[at] = -1, short+at-n-k
		}
		a.Set(at, slack+at, sign)
		a.Set(at, short+at-n-k, -sign)
		c[short+at-n-k] = dear
		for j := range k {
			a.Set(at, i*k+j, -sign*p.Row[i*k+j]/by)
		}
		if levels > 0 {
			a.Set(at, nk, sign*p.level(i)*unit/by)
			a.Set(at, nk+1, -sign*p.level(i)*unit/by)
		}
		b[at] = -sign * p.floor(i) / by
	}
	f, x, err := bounded(c, a, b, basis)
	if err != nil {
		return 0, false, false
	}
	for _, s := range x[short:] {
		infeasible = infeasible || s > 1e-9
	}
	return -f * size, infeasible, true
}

// metered is a matrix that panics after so many reads.
type metered struct {
	mat.Matrix
	left int
}

var errCycles = errors.New("the simplex cycles")

func (m *metered) At(i, j int) float64 {
	if m.left--; m.left < 0 {
		panic(errCycles)
	}
	return m.Matrix.At(i, j)
}

// bounded is the simplex with an end: it reads a column of a in every step, also when it cycles.
func bounded(c []float64, a mat.Matrix, b []float64, basis []int) (f float64, x []float64, err error) {
	defer func() {
		if r := recover(); r == errCycles {
			err = errCycles
		} else if r != nil {
			panic(r)
		}
	}()
	rows, cols := a.Dims()
	return simplex.Simplex(c, &metered{a, 10*rows*cols + 500*rows}, b, 1e-10, basis)
}

// decade draws from [10^from, 10^to), about evenly over the decades, without math.Pow: that one has
// other bits on other targets.
func decade(r *rand.Rand, from, to int) float64 {
	f, e := 1+float64(9*r.Float64()), from+r.IntN(to-from)
	for ; e > 0; e-- {
		f *= 10
	}
	for ; e < 0; e++ {
		f /= 10
	}
	return f
}

// random makes a small problem of one of the kinds LAS, makespan, max-sum, floors, level and floors.
func random(r *rand.Rand, kind, n, k int) *Problem {
	p := &Problem{Scale: make([]float64, n), Capacity: make([]float64, k)}
	t := make([]float64, n*k)
	for i := range t {
		t[i] = decade(r, -2, 2)
		if r.IntN(8) == 0 {
			t[i] = 0
		}
	}
	for i := range n {
		p.Scale[i] = []float64{1, 1, 1, 2, 4, 8}[r.IntN(6)]
	}
	for j := range k {
		p.Capacity[j] = 0.5 + 6*r.Float64() // not whole, which would make the simplex cycle
	}
	prop := Proportional(nil, t, p.Capacity)
	level, floor := make([]float64, n), make([]float64, n)
	switch kind {
	case 0:
		for i := range n {
			level[i] = prop[i] * []float64{1, 1, 5, 100}[r.IntN(4)] / p.Scale[i]
		}
		p.Row, p.Level, p.LevelGain = t, level, 1
	case 1:
		for i := range n {
			level[i] = decade(r, 2, 7)
		}
		p.Row, p.Level, p.LevelGain = t, level, 1
	case 2:
		p.Gain = t
	case 3:
		for i := range n {
			floor[i] = prop[i] * r.Float64() * 2 / float64(n)
			if r.IntN(3) == 0 {
				floor[i] = math.Inf(-1)
			}
		}
		p.Gain, p.Row, p.Floor = t, t, floor
	case 4:
		for i := range n {
			floor[i] = prop[i] * r.Float64() * 0.5 / float64(n)
			if r.IntN(2) == 0 {
				level[i] = prop[i] / p.Scale[i]
			}
		}
		p.Row, p.Level, p.Floor, p.LevelGain = t, level, floor, 1
	}
	return p
}

// checkOptimal checks everything a caller may rely on.
func checkOptimal(t *testing.T, p *Problem, r Result) {
	t.Helper()
	feasible(t, r.X, p.Scale, p.Capacity)
	if r.Violation > 1e-9 || r.RelGap > 1e-9 {
		t.Fatalf("violation %v, gap %v", r.Violation, r.RelGap)
	}
	k := len(p.Capacity)
	got := p.LevelGain * r.Level
	for i := range p.Scale {
		if p.Gain != nil {
			got += dot(p.Gain[i*k:i*k+k], r.X[i*k:i*k+k])
		}
		if f := p.floor(i); !math.IsInf(f, -1) {
			a := p.Row[i*k : i*k+k]
			have := dot(a, r.X[i*k:i*k+k]) - p.level(i)*r.Level
			if short := f - have; short > 1e-9*math.Max(math.Max(norm(a), math.Abs(f)), p.level(i)*math.Abs(r.Level)) {
				t.Fatalf("row %d falls short of %v by %v", i, f, short)
			}
		}
	}
	size := math.Max(math.Abs(got), math.Abs(r.Bound))
	if math.Abs(got-r.Objective) > 1e-12*size {
		t.Fatalf("objective %v, recomputed %v", r.Objective, got)
	}
	if r.Bound < r.Objective-1e-9*size {
		t.Fatalf("bound %v below the objective %v", r.Bound, r.Objective)
	}
}

func TestAgainstSimplex(t *testing.T) {
	var sv Solver
	r := rand.New(rand.NewPCG(7, 11))
	solved, none, gaveUp, worst, steps := 0, 0, 0, 0.0, 0
	for c := range 1500 {
		kind := c % 5
		p := random(r, kind, 1+r.IntN(8), 1+r.IntN(3))
		got, err := sv.Solve(p)
		if err != nil {
			t.Fatal(err)
		}
		steps = max(steps, got.Iterations)
		switch got.Status {
		case Optimal:
			checkOptimal(t, p, got)
		case Infeasible:
			checkRefutation(t, p, got)
		case Unbounded:
			if got.Cause != CauseLevel {
				t.Errorf("case %d: unbounded without a cause", c)
			}
		default:
			t.Errorf("case %d kind %d: status %d gap %v violation %v after %d", c, kind, got.Status, got.RelGap,
				got.Violation, got.Iterations)
		}
		if got.Status == Unbounded { // the simplex has no level to raise
			continue
		}
		want, infeasible, ok := oracle(p)
		if !ok {
			gaveUp++
			continue
		}
		if infeasible != (got.Status == Infeasible) {
			t.Errorf("case %d kind %d: status %d, oracle infeasible %v", c, kind, got.Status, infeasible)
			continue
		}
		if infeasible {
			none++
			continue
		}
		solved++
		off := math.Abs(got.Objective-want) / math.Max(1e-9, math.Max(math.Abs(want), math.Abs(got.Objective)))
		worst = math.Max(worst, off)
		if !(off <= 1e-6) {
			t.Errorf("case %d kind %d: %v, oracle %v, gap %v", c, kind, got.Objective, want, got.RelGap)
		}
	}
	t.Logf("%d agree to %.1e, %d infeasible for both, the simplex gave up on %d; at most %d iterations", solved, worst,
		none, gaveUp, steps)
	if solved < 200 {
		t.Errorf("only %d cases compared", solved)
	}
}

// checkRefutation checks the proof of infeasibility on its own: at these prices the floors are worth
// more than capacity and time can pay.
func checkRefutation(t *testing.T, p *Problem, r Result) {
	t.Helper()
	k := len(p.Capacity)
	pay, worth := 0.0, 0.0
	for j, n := range p.Capacity {
		if r.Price[j] < 0 {
			t.Fatal("negative price")
		}
		pay += n * r.Price[j]
	}
	for i := range p.Scale {
		y := r.RowPrice[i]
		if y < 0 || y > 0 && p.level(i) > 0 {
			t.Fatal("bad row price")
		}
		if y > 0 {
			worth += y * p.floor(i)
		}
		top := 0.0
		for j, n := range p.Capacity {
			if n == 0 {
				continue
			}
			top = math.Max(top, y*p.Row[i*k+j]-p.Scale[i]*r.Price[j])
		}
		pay += top
	}
	if !(worth > pay) {
		t.Fatalf("no proof: floors are worth %v, capacity and time pay %v", worth, pay)
	}
}
