package lp

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"sort"
	"testing"
)

// instance is the part of schema gavel-lp/1 that the tests read.
type instance struct {
	Name     string
	Capacity []float64
	Price    []float64 `json:"cost_per_gpu_hour"`
	Prop     []float64 `json:"proportional_throughput"`
	Iso      []float64 `json:"isolated_throughput"`
	Jobs     []struct {
		Scale      float64 `json:"scale_factor"`
		Weight     float64
		Throughput []float64
		Remaining  float64  `json:"steps_remaining"`
		Arrival    float64  `json:"arrival_s"`
		SLO        *float64 `json:"slo_s"`
		Elapsed    float64  `json:"elapsed_s"`
		CumIso     float64  `json:"cum_isolated_s"`
	}
	Pairs []struct {
		A, B  int
		RateA []float64 `json:"throughput_a"`
		RateB []float64 `json:"throughput_b"`
	}
	Expected map[string]struct {
		Objective float64
		Feasible  *bool `json:"slo_feasible"`
		Levels    []float64
	}

	t, s, w, r, slo, arrival, elapsed, used []float64
}

// instances reads the shared fixtures, which are not part of the repository.
func instances(t *testing.T) []*instance {
	t.Helper()
	files, _ := filepath.Glob(filepath.Join("..", "..", "..", "shared", "fixtures", "gavel_lp", "*.json"))
	if len(files) == 0 {
		t.Skip("no fixtures: the folder shared/fixtures/gavel_lp is not beside the repository")
	}
	var all []*instance
	for _, f := range files {
		data, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		in := new(instance)
		if err := json.Unmarshal(data, in); err != nil {
			t.Fatalf("%s: %v", f, err)
		}
		for _, j := range in.Jobs {
			in.t = append(in.t, j.Throughput...)
			in.s, in.w, in.r = append(in.s, j.Scale), append(in.w, j.Weight), append(in.r, j.Remaining)
			in.arrival = append(in.arrival, j.Arrival)
			in.elapsed, in.used = append(in.elapsed, j.Elapsed), append(in.used, j.CumIso)
			slo := math.Inf(1)
			if j.SLO != nil {
				slo = *j.SLO
			}
			in.slo = append(in.slo, slo)
		}
		all = append(all, in)
	}
	return all
}

// fifo solves FIFO in order of arrival and gives the answer in the order of the file.
func (in *instance) fifo(sv *Solver) (Result, error) {
	n, k := len(in.s), len(in.Capacity)
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	sort.SliceStable(order, func(a, b int) bool { return in.arrival[order[a]] < in.arrival[order[b]] })
	var t, s []float64
	for _, i := range order {
		t, s = append(t, in.t[i*k:i*k+k]...), append(s, in.s[i])
	}
	r, err := FIFO(sv, &Jobs{Rates: t, GPUs: s, Capacity: in.Capacity})
	if err != nil {
		return r, err
	}
	x := make([]float64, len(r.X))
	for to, i := range order {
		copy(x[i*k:], r.X[to*k:to*k+k])
	}
	r.X = x
	return r, nil
}

// input has every field that some policy reads, but for the pairs.
func (in *instance) input() *Jobs {
	return &Jobs{Rates: in.t, GPUs: in.s, Capacity: in.Capacity, Weights: in.w, Price: in.Price, Left: in.r,
		Elapsed: in.elapsed, Used: in.used, Until: in.slo}
}

func TestFixtures(t *testing.T) {
	var sv Solver
	for _, in := range instances(t) {
		ones := make([]float64, len(in.t))
		for i := range ones {
			ones[i] = 1
		}
		for _, c := range []struct {
			name  string
			solve func() (Result, error)
			value func(Result) float64
		}{
			{"las", func() (Result, error) { return MaxMin(&sv, in.input()) }, nil},
			{"las_unit_weights", func() (Result, error) {
				return MaxMin(&sv, &Jobs{Rates: in.t, GPUs: in.s,
					Capacity: in.Capacity})
			}, nil},
			{"las_agnostic", func() (Result, error) {
				return MaxMin(&sv, &Jobs{Rates: ones, GPUs: in.s, Weights: in.w,
					Capacity: in.Capacity})
			}, nil},
			{"makespan", func() (Result, error) { return Makespan(&sv, in.input()) },
				func(r Result) float64 { return 1 / r.Level }},
			{"max_sum_throughput", func() (Result, error) {
				return MaxSum(&sv, &Jobs{Rates: in.t, GPUs: in.s,
					Capacity: in.Capacity})
			}, nil},
			{"fifo", func() (Result, error) { return in.fifo(&sv) }, nil},
			{"min_cost", func() (Result, error) { return MinCost(&sv, in.input()) }, nil},
			{"min_cost_slo", func() (Result, error) {
				r, kept, err := MinCostSLO(&sv, in.input())
				if want := *in.Expected["min_cost_slo"].Feasible; kept != want {
					t.Errorf("%s min_cost_slo: floors kept = %v, want %v", in.Name, kept, want)
				}
				return r, err
			}, nil},
			{"min_cost_ratio_slo", func() (Result, error) {
				r, _, err := MinCostRatio(&sv, in.input())
				return r, err
			}, nil},
			{"las_packed", func() (Result, error) {
				var pairs []Pair
				for _, p := range in.Pairs {
					pairs = append(pairs, Pair{p.A, p.B, p.RateA, p.RateB})
				}
				all := in.input()
				all.Pairs = pairs
				r, err := MaxMinPacked(&sv, all)
				alone, joined := r.X[:len(in.t)], r.X[len(in.t):]
				for at, f := range joined { // the time of both, for the check of the constraints
					p, k := pairs[at/len(in.Capacity)], len(in.Capacity)
					alone[p.A*k+at%k] += f / 2
					alone[p.B*k+at%k] += f / 2
				}
				r.X = alone
				return r, err
			}, nil},
			{"finish_time_fairness", func() (Result, error) {
				return FinishTime(&sv, in.input())
			}, nil},
		} {
			if _, ok := in.Expected[c.name]; !ok {
				continue
			}
			r, err := c.solve()
			if err != nil {
				t.Errorf("%s %s: %v", in.Name, c.name, err)
				continue
			}
			got := r.Objective
			if c.value != nil {
				got = c.value(r)
			}
			want := in.Expected[c.name].Objective
			t.Logf("%-10s %-18s %.12g want %.12g rel %.1e gap %.1e breach %.1e iterations %d status %d",
				in.Name, c.name, got, want, got/want-1, r.RelGap, r.Violation, r.Iterations, r.Status)
			if math.Abs(got/want-1) > 1e-8 || r.Status != Optimal {
				t.Errorf("%s %s: %v, want %v, status %d", in.Name, c.name, got, want, r.Status)
			}
			feasible(t, r.X, in.s, in.Capacity)
		}
	}
}

// feasible checks the constraints that every policy shares.
func feasible(t *testing.T, x, s, gpus []float64) {
	t.Helper()
	k := len(gpus)
	load := make([]float64, k)
	for i := range s {
		sum := 0.0
		for j, f := range x[i*k : i*k+k] {
			if !(f >= 0) {
				t.Fatalf("x[%d][%d] = %v", i, j, f)
			}
			sum += f
			load[j] += s[i] * f
		}
		if sum > 1+1e-9 {
			t.Fatalf("job %d gets %v of the time", i, sum)
		}
	}
	for j, n := range gpus {
		if load[j] > n+1e-9*n {
			t.Fatalf("type %d: load %v over %v", j, load[j], n)
		}
	}
}

func TestNormalisersOfFixtures(t *testing.T) {
	for _, in := range instances(t) {
		prop := Proportional(nil, in.t, in.Capacity)
		iso := Isolated(nil, in.t, in.s, in.Capacity)
		for i := range prop {
			if math.Abs(prop[i]/in.Prop[i]-1) > 1e-10 || math.Abs(iso[i]/in.Iso[i]-1) > 1e-10 {
				t.Errorf("%s job %d: %v %v, want %v %v", in.Name, i, prop[i], iso[i], in.Prop[i], in.Iso[i])
			}
		}
	}
}
