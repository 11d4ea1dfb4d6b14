package lp

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// packedOracle solves the program of space sharing with the dense simplex.
func packedOracle(t, s, w, count, gpus []float64, pairs []Pair) (level float64, ok bool) {
	n, k := len(s), len(gpus)
	cols, rows := (n+len(pairs))*k, 2*n+k
	a := mat.NewDense(rows, cols+1+rows, nil)
	b, c, basis := make([]float64, rows), make([]float64, cols+1+rows), make([]int, rows)
	c[cols] = -1
	for r := range rows {
		a.Set(r, cols+1+r, 1)
		basis[r] = cols + 1 + r
	}
	for i, prop := range Proportional(nil, t, gpus) {
		b[i] = count[i]
		a.Set(n+i, cols, prop*w[i]*count[i]/s[i])
		for j := range k {
			a.Set(i, i*k+j, 1)
			a.Set(n+i, i*k+j, -t[i*k+j])
			a.Set(2*n+j, i*k+j, s[i])
		}
	}
	for at, p := range pairs {
		for j := range k {
			col := (n+at)*k + j
			a.Set(p.A, col, 1)
			a.Set(p.B, col, a.At(p.B, col)+1)
			a.Set(n+p.A, col, -p.RateA[j])
			a.Set(n+p.B, col, a.At(n+p.B, col)-p.RateB[j])
			a.Set(2*n+j, col, s[p.A])
		}
	}
	copy(b[2*n:], gpus)
	f, _, err := bounded(c, a, b, basis)
	return -f, err == nil
}

func TestPackedAgainstSimplex(t *testing.T) {
	var sv Solver
	rng := rand.New(rand.NewPCG(6, 1))
	compared, better := 0, 0
	for c := range 300 {
		n, k := 1+rng.IntN(6), 1+rng.IntN(3)
		rates, s, w, count, gpus := make([]float64, n*k), make([]float64, n), make([]float64, n), make([]float64, n),
			make([]float64, k)
		for i := range rates {
			rates[i] = decade(rng, -1, 1)
		}
		for j := range gpus {
			gpus[j] = 0.5 + 5*rng.Float64()
		}
		for i := range n {
			s[i], w[i], count[i] = []float64{1, 1, 1, 2}[rng.IntN(4)], float64(1+rng.IntN(3)),
				float64(1+rng.IntN(2)*rng.IntN(4))
		}
		var pairs []Pair
		for a := range n {
			for b := a; b < n; b++ {
				if s[a] != s[b] || a == b && count[a] < 2 || rng.IntN(4) == 0 {
					continue
				}
				p := Pair{A: a, B: b}
				for j := range k {
					on := float64(min(1, rng.IntN(5)))
					p.RateA = append(p.RateA, on*rates[a*k+j]*(0.3+0.6*rng.Float64()))
					p.RateB = append(p.RateB, on*rates[b*k+j]*(0.3+0.6*rng.Float64()))
				}
				pairs = append(pairs, p)
			}
		}
		res, err := MaxMinPacked(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w, Count: count, Capacity: gpus,
			Pairs: pairs})
		if err != nil || res.Status != Optimal {
			t.Fatalf("case %d: %v, status %d gap %v after %d", c, err, res.Status, res.RelGap, res.Iterations)
		}
		used, load := make([]float64, n), make([]float64, k)
		for at, f := range res.X {
			a, b := at/k, -1
			if a >= n {
				a, b = pairs[a-n].A, pairs[a-n].B
				used[b] += f
			}
			used[a] += f
			load[at%k] += s[a] * f
			if f < 0 {
				t.Fatal("negative share")
			}
		}
		for i := range used {
			if used[i] > count[i]*(1+1e-9) {
				t.Fatalf("case %d: job %d has %v of its time", c, i, used[i])
			}
		}
		for j := range load {
			if load[j] > gpus[j]*(1+1e-9) {
				t.Fatalf("case %d: load %v of %v", c, load[j], gpus[j])
			}
		}
		want, ok := packedOracle(rates, s, w, count, gpus, pairs)
		if !ok {
			continue
		}
		compared++
		if math.Abs(res.Level/want-1) > 1e-7 || res.Bound < want*(1-1e-9) {
			t.Errorf("case %d: level %v, simplex %v, bound %v", c, res.Level, want, res.Bound)
		}
		if ones, err := MaxMinPacked(&sv, &Jobs{Rates: rates, GPUs: s, Weights: w, Count: count,
			Capacity: gpus}); err != nil ||
			ones.Level > res.Level*(1+1e-9) {
			t.Errorf("case %d: without pairs %v, with them %v", c, ones.Level, res.Level)
		} else if ones.Level < res.Level*(1-1e-6) {
			better++
		}
	}
	t.Logf("%d compared, sharing helps in %d", compared, better)
	if compared < 100 || better < 20 {
		t.Error("too few cases")
	}
}

// TestPackedAlike: three jobs alike counted as one row are worth what three rows are.
func TestPackedAlike(t *testing.T) {
	gpus, share := []float64{1, 1}, []float64{0.7, 1.4}
	one, err := MaxMinPacked(nil, &Jobs{Rates: []float64{1, 2}, GPUs: []float64{1}, Count: []float64{3},
		Capacity: gpus, Pairs: []Pair{{0, 0, share, share}}})
	if err != nil {
		t.Fatal(err)
	}
	pairs := []Pair{{0, 1, share, share}, {0, 2, share, share}, {1, 2, share, share}}
	three, err := MaxMinPacked(nil, &Jobs{Rates: []float64{1, 2, 1, 2, 1, 2}, GPUs: []float64{1, 1, 1},
		Capacity: gpus, Pairs: pairs})
	if err != nil || math.Abs(one.Level/three.Level-1) > 1e-9 {
		t.Errorf("%v %v %v", one.Level, three.Level, err)
	}
}

func TestPackedRefusals(t *testing.T) {
	one := []float64{1}
	for name, p := range map[string][]Pair{"order": {{1, 0, one, one}}, "range": {{0, 2, one, one}},
		"rates": {{0, 1, nil, one}}, "gangs": {{0, 1, one, one}}} {
		if _, err := MaxMinPacked(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 2}, Capacity: one,
			Pairs: p}); err != ErrShape {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := MaxMinPacked(nil, &Jobs{Rates: []float64{1, 1}, GPUs: []float64{1, 1}, Capacity: one,
		Pairs: []Pair{{0, 1, []float64{-1}, one}}}); err != ErrValue {
		t.Error(err)
	}
	if r, err := MaxMinPacked(nil, &Jobs{Rates: []float64{0}, GPUs: one,
		Capacity: one}); err != nil || r.Status != Unbounded {
		t.Errorf("%+v %v", r, err)
	}
	if r, err := MaxMinPacked(nil, &Jobs{Capacity: one}); err != nil || r.Status != Unbounded {
		t.Errorf("%+v %v", r, err)
	}
}
