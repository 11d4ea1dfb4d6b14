package lp

import (
	"math/rand/v2"
	"strconv"
	"testing"
)

// fleet makes n jobs with rates, scale factors and weights as in Gavel's generator, and a cluster
// that the jobs overload about twice.
func fleet(n, k int) (t, s, w, gpus []float64) {
	r := rand.New(rand.NewPCG(uint64(n), 3))
	for range n {
		base := 0.3 + float64(30*r.Float64())
		for j := range k {
			t = append(t, base*(1+float64(j))*(0.6+r.Float64()))
		}
		s = append(s, []float64{1, 1, 1, 1, 1, 1, 1, 2, 4, 4}[r.IntN(10)])
		w = append(w, []float64{1, 1, 1, 1, 5}[r.IntN(5)])
	}
	for range k {
		gpus = append(gpus, float64(max(1, n/4)))
	}
	return t, s, w, gpus
}

func BenchmarkMaxMin(b *testing.B) {
	for _, n := range []int{32, 128, 512, 1000, 2048} {
		b.Run("n="+strconv.Itoa(n)+",k=3", func(b *testing.B) {
			t, s, w, gpus := fleet(n, 3)
			var sv Solver
			steps := 0
			for b.Loop() {
				r, err := MaxMin(&sv, &Jobs{Rates: t, GPUs: s, Weights: w, Capacity: gpus})
				if err != nil || r.Status != Optimal {
					b.Fatal(r.Status, err)
				}
				steps = r.Iterations
			}
			b.ReportMetric(float64(steps), "iterations")
		})
	}
}

// The searches over several programs, on a fleet that is loaded twice and half.
func BenchmarkFinishTime(b *testing.B) {
	for _, load := range []float64{1, 4} {
		b.Run("n=1000,k=3,gpus="+strconv.Itoa(int(load))+"x", func(b *testing.B) {
			t, s, _, gpus := fleet(1000, 3)
			r := rand.New(rand.NewPCG(1, 2))
			var steps, elapsed, used []float64
			for range s {
				steps = append(steps, decade(r, 5, 7))
				elapsed = append(elapsed, 1e5*r.Float64())
				used = append(used, 0.5*elapsed[len(elapsed)-1])
			}
			for j := range gpus {
				gpus[j] *= load
			}
			var sv Solver
			for b.Loop() {
				if r, err := FinishTime(&sv, &Jobs{Rates: t, GPUs: s, Left: steps, Elapsed: elapsed, Used: used,
					Capacity: gpus}); err != nil || r.Status != Optimal {
					b.Fatal(r.Status, r.RelGap, err)
				}
			}
		})
	}
}

func BenchmarkWaterFill(b *testing.B) {
	for _, load := range []float64{1, 4} {
		b.Run("n=1000,k=3,gpus="+strconv.Itoa(int(load))+"x", func(b *testing.B) {
			t, s, w, gpus := fleet(1000, 3)
			for j := range gpus {
				gpus[j] *= load
			}
			var sv Solver
			var f Filling
			for b.Loop() {
				var err error
				if f, err = WaterFill(&sv, &Jobs{Rates: t, GPUs: s, Weights: w,
					Capacity: gpus}); err != nil || f.RelGap > 1e-7 {
					b.Fatal(f.RelGap, err)
				}
			}
			b.ReportMetric(float64(f.Solves), "programs")
			b.ReportMetric(float64(f.Stages), "stages")
		})
	}
}

func BenchmarkPacked(b *testing.B) {
	for _, n := range []int{32, 128} {
		b.Run("n="+strconv.Itoa(n)+",k=3", func(b *testing.B) {
			t, s, w, gpus := fleet(n, 3)
			for i := range s {
				s[i] = 1
			}
			r := rand.New(rand.NewPCG(1, 2))
			var pairs []Pair
			for i := range n {
				for l := i + 1; l < n; l++ {
					p := Pair{A: i, B: l}
					for j := range 3 {
						p.RateA = append(p.RateA, t[i*3+j]*(0.3+0.6*r.Float64()))
						p.RateB = append(p.RateB, t[l*3+j]*(0.3+0.6*r.Float64()))
					}
					pairs = append(pairs, p)
				}
			}
			var sv Solver
			for b.Loop() {
				if r, err := MaxMinPacked(&sv, &Jobs{Rates: t, GPUs: s, Weights: w, Capacity: gpus,
					Pairs: pairs}); err != nil || r.Status != Optimal {
					b.Fatal(r.Status, r.RelGap, err)
				}
			}
		})
	}
}
