package allocate_test

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/allocate"
	_ "hadarlab/core/policy/all" // whose names they are
)

func near(got, want, rel float64) bool {
	return math.Abs(got-want) <= rel*math.Max(math.Abs(got), math.Abs(want))
}

func solve(t *testing.T, id string, params map[string]any, data []byte) *allocate.Allocation {
	t.Helper()
	a, diags := allocate.Solve(allocate.FindProgram(id), params, data)
	if a == nil {
		t.Fatalf("%s: %+v", id, diags)
	}
	return a
}

// TestAllocateByHand: of the V100 the first job has a share y, the other what is left, and the K80 the
// other way round; rates are then 1+3y and 2-y.
func TestAllocateByHand(t *testing.T) {
	data, err := os.ReadFile("testdata/instance.json")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		id     string
		params map[string]any
		want   float64
	}{
		{"gavel-las", nil, 0.6086956521739131},                          // y = 2/11.5
		{"gavel-las", map[string]any{"use_weights": false}, 1},          // y = 1/2
		{"gavel-las-agnostic", map[string]any{"use_weights": false}, 1}, // all the time of both
		{"gavel-las-agnostic", nil, 0.5},                                // a whole GPU over its weight
		{"gavel-makespan", nil, 900.0 / 7},                              // y = 4/9
		{"gavel-maxsum", nil, 5},                                        // y = 1
		{"gavel-fifo", nil, 2.25},                                       // y = 0: the second job came first
		{"gavel-mincost", nil, 4},                                       // y = 1
		{"gavel-mincost-slo", nil, 3.4},                                 // y = 0.4, so that 200 steps take 125 s
		// 200 steps in 125 s take the even job at least 0.6 of the V100; with 0.4 of the K80 that costs 1.4 for 1.6
		// steps/s, and the fast one makes 2.2 for 1.1 of what is left.
		{"gavel-mincost-slo", map[string]any{"objective": "ratio"}, 1.52},
		{"gavel-ftf", nil, 1},                        // y = 1/2: each runs as fast as on half the cluster
		{"gavel-waterfill", nil, 0.6086956521739131}, // as max-min
		{"gavel-waterfill", map[string]any{"use_weights": false}, 1},
		{"gavel-hierarchical", nil, 1.8260869565217392}, // one tenant of weight 1, a third and two thirds of it
		{"gavel-isolated", nil, 1},
	} {
		a := solve(t, c.id, c.params, data)
		if !near(a.Objective, c.want, 1e-7) || !near(a.Bound, c.want,
			1e-7) || a.Gap > allocate.MaxGap || len(a.X) != 2 ||
			len(a.X[0]) != 2 || len(a.Levels) != 2 {
			t.Errorf("%s: %+v, want %v", c.id, a, c.want)
		}
		if (a.SLOFeasible != nil) != (c.id == "gavel-mincost-slo") {
			t.Errorf("%s: slo_feasible is for deadlines only", c.id)
		}
	}
	tight := strings.Replace(string(data), `"slo_s": 125`, `"slo_s": 50`, 1)
	a, diags := allocate.Solve(allocate.FindProgram("gavel-mincost-slo"), nil, []byte(tight))
	if *a.SLOFeasible || !near(a.Objective, 4, 1e-7) || len(diags) != 1 || diags[0].Code != "deadlines-dropped" ||
		diags[0].Path != "/jobs/1/slo_s" {
		t.Errorf("deadlines that cannot be met are dropped, and it is said: %+v %+v", a, diags)
	}
}

func TestAllocateRefusals(t *testing.T) {
	for _, c := range []struct{ id, in, path, code string }{
		{"gavel-makespan", `{"gpu_types":["a"],"capacity":[1],"jobs":[{"scale_factor":1,"throughput":[1]}]}`,
			"/jobs/0/steps_remaining", "missing-member"},
		{"gavel-mincost", `{"gpu_types":["a"],"capacity":[1],"jobs":[{"scale_factor":1,"throughput":[1]}]}`,
			"/cost_per_gpu_hour", "missing-member"},
		{"gavel-mincost-slo",
			`{"gpu_types":["a"],"capacity":[1],"cost_per_gpu_hour":[1],"jobs":[{"scale_factor":1,"throughput":[1],"slo_s":5}]}`, "/jobs/0/steps_remaining", "missing-member"},
		{"gavel-las", `{"gpu_types":["a"],"capacity":[0],"jobs":[{"scale_factor":1,"throughput":[1]}]}`, "/jobs",
			"no-optimum"},
		{
			"gavel-makespan",
			`{"gpu_types":["a"],"capacity":[1],"jobs":[{"scale_factor":1,"throughput":[1],"steps_remaining":0}]}`,
			"/jobs", "no-optimum"},
	} {
		a, diags := allocate.Solve(allocate.FindProgram(c.id), nil, []byte(c.in))
		if errs := diags.Errors(); a != nil || len(errs) != 1 || errs[0].Path != c.path || errs[0].Code != c.code {
			t.Errorf("%s: %+v %+v", c.id, a, diags)
		}
	}
	if _, diags := allocate.Solve(allocate.FindProgram("gavel-las"), map[string]any{"spin": 1.0},
		[]byte(`{}`)); len(diags.Errors()) != 4 {
		t.Errorf("%+v", diags)
	}
	a, diags := allocate.Solve(allocate.FindProgram("gavel"), nil,
		[]byte(
			`{"gpu_types":["a","b"],"capacity":[1,0],"jobs":[{"scale_factor":1,"throughput":[1,2]},{"scale_factor":1,"throughput":[0,2]}]}`))
	if a == nil || len(diags) != 1 || diags[0].Level != "warning" || !near(a.Objective, 1, 1e-7) || a.Levels[1] != 0 {
		t.Errorf("a job that runs nowhere is left out and said: %+v %+v", a, diags)
	}
}

// reference is what the shared fixtures say.
type reference struct {
	Capacity []float64
	Cost     []float64 `json:"cost_per_gpu_hour"`
	Jobs     []struct {
		Scale      float64 `json:"scale_factor"`
		Weight     float64
		Throughput []float64
		Remaining  float64  `json:"steps_remaining"`
		Arrival    float64  `json:"arrival_s"`
		SLO        *float64 `json:"slo_s"`
		Elapsed    float64  `json:"elapsed_s"`
		Isolated   float64  `json:"cum_isolated_s"`
	}
	Pairs []struct {
		A, B  int
		RateA []float64 `json:"throughput_a"`
		RateB []float64 `json:"throughput_b"`
	}
	Expected map[string]struct {
		Objective float64
		Sense     string
		Feasible  *bool `json:"slo_feasible"`
		Levels    []float64
	}
	Iso []float64 `json:"isolated_throughput"`
}

// objective computes a program's value at x from its definition.
func (in *reference) objective(name string, x [][]float64) float64 {
	total, all := 0.0, 0.0
	for _, n := range in.Capacity {
		all += n
	}
	least, most, paid := math.Inf(1), 0.0, 0.0
	for i := range in.Jobs {
		j := &in.Jobs[i]
		tput, prop, cost, best, rank := 0.0, 0.0, 0.0, 0.0, 0
		for k, t := range j.Throughput {
			if name == "las_agnostic" {
				t = 1
			}
			tput += t * x[i][k]
			prop += t * in.Capacity[k] / all
			cost += t / in.Cost[k] * x[i][k]
			paid += in.Cost[k] * j.Scale * x[i][k]
			best = max(best, t)
		}
		for o := range in.Jobs {
			if in.Jobs[o].Arrival < j.Arrival || in.Jobs[o].Arrival == j.Arrival && o < i {
				rank++
			}
		}
		w := j.Weight
		if name == "las_unit_weights" {
			w = 1
		}
		switch name {
		case "makespan":
			least = min(least, tput/j.Remaining)
		case "max_sum_throughput", "min_cost_ratio_slo":
			total += tput
		case "finish_time_fairness":
			most = max(most, (j.Elapsed+j.Remaining/tput)/(j.Isolated+j.Remaining/in.Iso[i]))
		case "fifo":
			total += tput / best * float64(len(in.Jobs)-rank)
		case "min_cost", "min_cost_slo":
			total += cost
		default:
			for p, q := range in.Pairs {
				for k := range in.Capacity {
					if name == "las_packed" && q.A == i {
						tput += q.RateA[k] * x[len(in.Jobs)+p][k]
					}
					if name == "las_packed" && q.B == i {
						tput += q.RateB[k] * x[len(in.Jobs)+p][k]
					}
				}
			}
			least = min(least, j.Scale/(w*prop)*tput)
		}
	}
	switch {
	case name == "makespan":
		return 1 / least
	case name == "finish_time_fairness":
		return most
	case name == "min_cost_ratio_slo":
		return total / paid
	case !math.IsInf(least, 1):
		return least
	}
	return total
}

// breach is the largest violation of a constraint, relative to its right-hand side.
func (in *reference) breach(x [][]float64, slo bool) (worst float64) {
	held := make([]float64, len(in.Capacity))
	for i := range in.Jobs {
		j := &in.Jobs[i]
		sum, tput := 0.0, 0.0
		for p := len(in.Jobs); p < len(x); p++ {
			q := in.Pairs[p-len(in.Jobs)]
			for k, f := range x[p] {
				worst = max(worst, -f)
				if q.A == i || q.B == i {
					sum += f
				}
				if q.A == i {
					held[k] += j.Scale * f
				}
			}
		}
		for k, f := range x[i] {
			worst = max(worst, -f)
			sum += f
			tput += f * j.Throughput[k]
			held[k] += j.Scale * f
		}
		worst = max(worst, sum-1)
		if slo && j.SLO != nil {
			worst = max(worst, 1-tput/(j.Remaining / *j.SLO))
		}
	}
	for k := range held {
		worst = max(worst, held[k]/in.Capacity[k]-1)
	}
	return worst
}

func TestAllocateReachesTheReferences(t *testing.T) {
	files, _ := filepath.Glob("../../../shared/fixtures/gavel_lp/*.json")
	if len(files) == 0 {
		t.Skip("no fixtures: the folder shared/fixtures/gavel_lp is not beside the repository")
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var in reference
		if err := json.Unmarshal(data, &in); err != nil {
			t.Fatal(err)
		}
		for name, id := range map[string]string{"las": "gavel-las", "las_unit_weights": "gavel-las",
			"las_agnostic": "gavel-las-agnostic", "makespan": "gavel-makespan",
			"max_sum_throughput": "gavel-maxsum", "fifo": "gavel-fifo", "min_cost": "gavel-mincost",
			"min_cost_slo":       "gavel-mincost-slo",
			"min_cost_ratio_slo": "gavel-mincost-slo", "finish_time_fairness": "gavel-ftf",
			"las_water_filling": "gavel-waterfill", "las_packed": "gavel-packed"} {
			want, ok := in.Expected[name]
			if !ok { // the file has no deadlines
				continue
			}
			var params map[string]any
			switch name {
			case "las_unit_weights":
				params = map[string]any{"use_weights": false}
			case "min_cost_ratio_slo":
				params = map[string]any{"objective": "ratio"}
			case "las_water_filling":
				want.Sense = "max"
			}
			a := solve(t, id, params, data)
			slo := name == "min_cost_ratio_slo" || want.Feasible != nil && *want.Feasible
			for i, y := range want.Levels {
				if !near(a.Levels[i], y, 1e-7) {
					t.Errorf("%s: level %d is %v, want %v", filepath.Base(file), i, a.Levels[i], y)
				}
			}
			if got := in.objective(name, a.X); !near(got, want.Objective, 1e-6) || !near(a.Objective, got, 1e-9) ||
				a.Sense != want.Sense || a.Gap > allocate.MaxGap {
				t.Errorf("%s %s: %v (%v from x), want %v; gap %v", filepath.Base(file), name, a.Objective, got,
					want.Objective, a.Gap)
			}
			if worst := in.breach(a.X, slo); worst > 1e-6 {
				t.Errorf("%s %s: a constraint is broken by %v", filepath.Base(file), name, worst)
			}
			if want.Feasible != nil && *want.Feasible != *a.SLOFeasible {
				t.Errorf("%s: slo_feasible is %v", filepath.Base(file), *a.SLOFeasible)
			}
		}
	}
}

func FuzzAllocate(f *testing.F) {
	data, err := os.ReadFile("testdata/instance.json")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(data))
	f.Add(
		`{"gpu_types":["a","b"],"capacity":[1,0],"jobs":[{"scale_factor":3,"throughput":[0,2]},{"scale_factor":1,"throughput":[1e-9,1e9]}]}`)
	f.Add(
		`{"gpu_types":["a"],"capacity":[0.5],"cost_per_gpu_hour":[1e-6],"jobs":[{"scale_factor":1,"throughput":[5],"steps_remaining":1e15,"slo_s":1e-9}]}`)
	f.Fuzz(func(t *testing.T, text string) {
		for _, p := range allocate.Programs() {
			a, diags := allocate.Solve(p, nil, []byte(text))
			if (a == nil) != diags.HasErrors() {
				t.Fatalf("%s: %+v %+v", p.ID, a, diags)
			}
			if a == nil {
				continue
			}
			if _, err := json.Marshal(a); err != nil {
				t.Fatalf("%s: %v", p.ID, err)
			}
		}
	})
}
