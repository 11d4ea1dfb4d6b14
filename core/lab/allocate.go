package lab

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/lp"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
)

// Allocation is the optimum of one linear program of the Gavel family, in the units of the schema
// gavel-lp/1.
type Allocation struct {
	Policy    string  `json:"policy"`
	Objective float64 `json:"objective"` // computed from x
	Sense     string  `json:"sense"`     // max | min
	Bound     float64 `json:"bound"`     // no x is better: weak duality
	Gap       float64 `json:"gap"`       // relative distance of the two
	// X holds fractions of time, a row a job, a column a GPU type.
	X [][]float64 `json:"x"`
	// Levels are what the program levels, by job: normalised throughput (gavel-las, -agnostic), the
	// share of the remaining steps done per second (gavel-makespan), steps per second (the others).
	Levels      []float64 `json:"levels"`
	SLOFeasible *bool     `json:"slo_feasible,omitempty"` // false: the deadlines cannot be met and were dropped
}

// MaxGap is the relative gap below which an Allocation counts as solved.
const MaxGap = 1e-7

// Program describes one linear program that Allocate knows.
type Program struct {
	ID        string         `json:"id"`
	Objective string         `json:"objective"` // in words
	Sense     string         `json:"sense"`
	Params    []policy.Param `json:"params"`

	needsSteps, needsCost bool
	solve                 func(in *arrays, v policy.Values, a *Allocation) (lp.Result, error)
}

// useWeights is the parameter of the run policy of the same name.
var useWeights = policy.Param{Name: "use_weights", Title: "Use priority weights", Kind: policy.Bool, Default: true}

// programs are listed by id.
var programs = []*Program{
	{ID: "gavel-fifo", Sense: "max", Objective: "throughput over the best possible, earlier arrivals counting more", solve: solveFIFO},
	{ID: "gavel-las", Sense: "max", Objective: "least normalised throughput", Params: []policy.Param{useWeights}, solve: solveLAS},
	{ID: "gavel-las-agnostic", Sense: "max", Objective: "the same, every rate counted as 1", Params: []policy.Param{useWeights}, solve: solveAgnostic},
	{ID: "gavel-makespan", Sense: "min", Objective: "seconds until the last job ends", needsSteps: true, solve: solveMakespan},
	{ID: "gavel-maxsum", Sense: "max", Objective: "total steps per second", solve: solveMaxSum},
	{ID: "gavel-mincost", Sense: "max", Objective: "steps per second per price of a GPU-hour", needsCost: true, solve: solveMinCost},
	{ID: "gavel-mincost-slo", Sense: "max", Objective: "the same with deadlines kept where that is possible", needsCost: true, solve: solveMinCostSLO},
}

// Programs lists the linear programs by id.
func Programs() []*Program { return programs }

// FindProgram looks a program up by id; gavel is gavel-las. It is nil when there is none.
func FindProgram(id string) *Program {
	if id == "gavel" {
		id = "gavel-las"
	}
	for _, p := range programs {
		if p.ID == id {
			return p
		}
	}
	return nil
}

// arrays are an instance as core/lp takes it.
type arrays struct {
	t, s, w, r, slo, cost, gpus []float64
	arrival                     []float64
	k                           int
}

// Allocate solves one program on an instance in the schema gavel-lp/1. The allocation is nil exactly
// when there are errors.
func Allocate(p *Program, params map[string]any, data []byte) (*Allocation, scenario.Diagnostics) {
	in, diags := scenario.ParseInstance(data, scenario.FileLimits)
	values, bad := (&policy.Spec{Title: p.ID, Params: p.Params}).Check(params)
	for _, b := range bad {
		diags = append(diags, finding(scenario.LevelError, "/params/"+b.Name, "bad-parameter", b.Message, b.Fix))
	}
	if in == nil || len(bad) > 0 {
		return nil, diags
	}
	diags = append(diags, p.lacks(in)...)
	if diags.HasErrors() {
		return nil, diags
	}
	a := &Allocation{Policy: p.ID, Sense: p.Sense}
	flat := flatten(in)
	diags = append(diags, flat.stuck()...)
	r, err := p.solve(flat, values, a)
	switch {
	case err != nil:
		return nil, append(diags, finding(scenario.LevelError, "", "no-program", "the program cannot be solved: "+err.Error(), ""))
	case r.Status == lp.Infeasible || r.Status == lp.Unbounded || math.IsInf(a.Objective, 0):
		return nil, append(diags, finding(scenario.LevelError, "/jobs", "no-optimum", "no job with steps to do can run on a type that the cluster has; there is no optimum",
			"Give a type GPUs, or a job speed."))
	}
	a.Gap = r.RelGap
	return a, diags
}

func finding(level scenario.Level, path, code, msg, fix string) message.Diagnostic {
	return message.Diagnostic{Path: path, Level: string(level), Code: code, Message: msg, Fix: fix}
}

// lacks names the numbers that the program needs and the instance does not give.
func (p *Program) lacks(in *scenario.Instance) (diags scenario.Diagnostics) {
	if p.needsCost && in.Cost == nil {
		diags = append(diags, finding(scenario.LevelError, "/cost_per_gpu_hour", "missing-member", p.ID+" needs cost_per_gpu_hour", "Add a price for each type."))
	}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		deadline := p.ID == "gavel-mincost-slo" && j.SLOS > 0
		if math.IsNaN(j.Remaining) && (p.needsSteps || deadline) {
			diags = append(diags, finding(scenario.LevelError, "/jobs/"+itoa(i)+"/steps_remaining", "missing-member",
				p.ID+" needs steps_remaining of job "+itoa(i+1), `Add "steps_remaining".`))
		}
	}
	return diags
}

func flatten(in *scenario.Instance) *arrays {
	a := &arrays{gpus: in.Capacity, cost: in.Cost, k: len(in.GPUTypes)}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		a.t = append(a.t, j.Throughput...)
		a.s, a.w, a.arrival = append(a.s, j.Scale), append(a.w, j.Weight), append(a.arrival, j.ArrivalS)
		left, slo := j.Remaining, j.SLOS
		if math.IsNaN(left) {
			left = 0
		}
		if math.IsNaN(slo) {
			slo = math.Inf(1)
		}
		a.r, a.slo = append(a.r, left), append(a.slo, slo)
	}
	return a
}

// stuck warns of jobs without a speed on any type that has GPUs.
func (a *arrays) stuck() (diags scenario.Diagnostics) {
	for i, prop := range lp.Proportional(nil, a.t, a.gpus) {
		if prop == 0 {
			diags = append(diags, finding(scenario.LevelWarning, "/jobs/"+itoa(i)+"/throughput", "no-rate",
				"job "+itoa(i+1)+" cannot run on any type that the cluster has; it is left out", "Give it a speed, or the type GPUs."))
		}
	}
	return diags
}

// rows cuts the flat solution into rows, and sets the levels to the throughputs t gives.
func (a *Allocation) rows(in *arrays, t, x []float64) {
	a.X, a.Levels = make([][]float64, len(in.s)), make([]float64, len(in.s))
	for i := range a.X {
		a.X[i] = slices.Clone(x[i*in.k : i*in.k+in.k])
		for j, f := range a.X[i] {
			a.Levels[i] += float64(t[i*in.k+j] * f)
		}
	}
}

// least makes the objective the smallest level over jobs for which scale is positive, after dividing
// every level by its scale; +Inf when there is none.
func (a *Allocation) least(scale []float64) {
	a.Objective = math.Inf(1)
	for i := range a.Levels {
		if !(scale[i] > 0) {
			a.Levels[i] = 0
			continue
		}
		a.Levels[i] /= scale[i]
		a.Objective = min(a.Objective, a.Levels[i])
	}
}

func solveLAS(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	return maxMin(in, in.t, v, a)
}

func solveAgnostic(in *arrays, v policy.Values, a *Allocation) (lp.Result, error) {
	ones := make([]float64, len(in.t))
	for i := range ones {
		ones[i] = 1
	}
	return maxMin(in, ones, v, a)
}

func maxMin(in *arrays, t []float64, v policy.Values, a *Allocation) (lp.Result, error) {
	w := in.w
	if !v.Bool(useWeights.Name) {
		w = slices.Repeat([]float64{1}, len(in.s))
	}
	r, err := lp.MaxMin(nil, t, in.s, w, in.gpus)
	if err != nil {
		return r, err
	}
	scale := lp.Proportional(nil, t, in.gpus)
	for i := range scale {
		scale[i] = float64(scale[i]*w[i]) / in.s[i]
	}
	a.rows(in, t, r.X)
	a.least(scale)
	a.Bound = r.Bound
	return r, nil
}

func solveMakespan(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.Makespan(nil, in.t, in.s, in.r, in.gpus)
	if err != nil {
		return r, err
	}
	scale := lp.Proportional(nil, in.t, in.gpus)
	for i := range scale {
		if scale[i] > 0 {
			scale[i] = in.r[i]
		}
	}
	a.rows(in, in.t, r.X)
	a.least(scale)
	if !math.IsInf(a.Objective, 1) { // else there is nothing to do
		a.Objective, a.Bound = 1/a.Objective, 1/r.Bound
	}
	return r, nil
}

// sum fills in what the programs that maximise a weighted sum of x have in common.
func (a *Allocation) sum(in *arrays, gain func(i, j int) float64, r lp.Result) {
	a.rows(in, in.t, r.X)
	for i, x := range a.X {
		for j, f := range x {
			a.Objective += float64(gain(i, j) * f)
		}
	}
	a.Bound = r.Bound
}

func solveMaxSum(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.MaxSum(nil, in.t, in.s, in.gpus)
	if err == nil {
		a.sum(in, func(i, j int) float64 { return in.t[i*in.k+j] }, r)
	}
	return r, err
}

func (in *arrays) perPrice(i, j int) float64 { return in.t[i*in.k+j] / in.cost[j] }

func solveMinCost(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, err := lp.MinCost(nil, in.t, in.s, in.cost, in.gpus)
	if err == nil {
		a.sum(in, in.perPrice, r)
	}
	return r, err
}

func solveMinCostSLO(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	r, kept, err := lp.MinCostSLO(nil, in.t, in.s, in.cost, in.r, in.slo, in.gpus)
	if err == nil {
		a.SLOFeasible = &kept
		a.sum(in, in.perPrice, r)
	}
	return r, err
}

// solveFIFO hands the jobs over in order of arrival, ties by position, and puts the answer back.
func solveFIFO(in *arrays, _ policy.Values, a *Allocation) (lp.Result, error) {
	n, k := len(in.s), in.k
	order := make([]int, n)
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(x, y int) int { return cmp.Compare(in.arrival[x], in.arrival[y]) })
	var t, s []float64
	for _, i := range order {
		t, s = append(t, in.t[i*k:i*k+k]...), append(s, in.s[i])
	}
	r, err := lp.FIFO(nil, t, s, in.gpus)
	if err != nil {
		return r, err
	}
	x, gain := make([]float64, n*k), make([]float64, n)
	for at, i := range order {
		copy(x[i*k:i*k+k], r.X[at*k:at*k+k])
		if best := slices.Max(in.t[i*k : i*k+k]); best > 0 {
			gain[i] = float64(n-at) / best
		}
	}
	r.X = x
	a.sum(in, func(i, j int) float64 { return float64(gain[i] * in.t[i*k+j]) }, r)
	return r, nil
}
