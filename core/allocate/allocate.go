// Package allocate is the front end of the linear programs: it reads an instance (jobs, GPU types and nothing of nodes
// or time) as carefully as a scenario is read, has one of the programs of core/lp solved, and says what the optimum
// means. It runs no simulation.
package allocate

import (
	"math"
	"slices"
	"strconv"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lp"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
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
	X [][]float64 `json:"x"` // gavel-packed: then a row a listed pair
	// Levels are what the program levels, by job: normalised throughput (gavel-las, -agnostic,
	// -waterfill, -packed; without the weight in -hierarchical), the share of the remaining steps done
	// per second (gavel-makespan), rho (gavel-ftf), steps per second (the others).
	Levels      []float64 `json:"levels"`
	SLOFeasible *bool     `json:"slo_feasible,omitempty"` // false: the deadlines cannot be met and were dropped
}

// MaxGap is the relative gap below which an Allocation counts as solved.
const MaxGap = 1e-7

// Program describes one linear program that Solve knows.
type Program struct {
	ID        string         `json:"id"`
	Objective string         `json:"objective"` // in words
	Sense     string         `json:"sense"`
	Params    []policy.Param `json:"params"`

	needsSteps, needsCost bool
	solve                 func(in *arrays, v policy.Values, a *Allocation) (lp.Result, error)
}

// sloObjective is the parameter of the run policy of the same name.
var sloObjective = policy.Param{Name: "objective", Title: "Objective", Kind: policy.Choice, Default: "sum",
	Choices: []string{"sum", "ratio"}}

// useWeights is the parameter of the run policy of the same name.
var useWeights = policy.Param{Name: "use_weights", Title: "Use priority weights", Kind: policy.Bool, Default: true}

// programs are listed by id.
var programs = []*Program{
	{ID: "gavel-fifo", Sense: "max", Objective: "throughput over the best possible, earlier arrivals counting more",
		solve: solveFIFO},
	{ID: "gavel-ftf", Sense: "min", Objective: "largest finish-time fairness rho", needsSteps: true,
		solve: solveFinishTime},
	{ID: "gavel-hierarchical", Sense: "max", Objective: "first level of water filling among tenants",
		solve: solveHierarchical},
	{ID: "gavel-isolated",
		Sense: "max", Objective: "least throughput over that of a slice of the cluster of one's own, which is 1",
		solve: solveIsolated},
	{ID: "gavel-las", Sense: "max", Objective: "least normalised throughput", Params: []policy.Param{useWeights},
		solve: solveLAS},
	{ID: "gavel-las-agnostic", Sense: "max", Objective: "the same, every rate counted as 1",
		Params: []policy.Param{useWeights}, solve: solveAgnostic},
	{ID: "gavel-makespan", Sense: "min", Objective: "seconds until the last job ends", needsSteps: true,
		solve: solveMakespan},
	{ID: "gavel-maxsum", Sense: "max", Objective: "total steps per second", solve: solveMaxSum},
	{ID: "gavel-mincost", Sense: "max", Objective: "steps per second per price of a GPU-hour", needsCost: true,
		solve: solveMinCost},
	{ID: "gavel-mincost-slo", Sense: "max", Objective: "the same with deadlines kept where that is possible",
		Params: []policy.Param{sloObjective}, needsCost: true, solve: solveMinCostSLO},
	{ID: "gavel-packed", Sense: "max", Objective: "least normalised throughput when pairs may share GPUs",
		Params: []policy.Param{useWeights}, solve: solvePacked},
	{ID: "gavel-waterfill", Sense: "max", Objective: "least normalised throughput, then the second least, and so on",
		Params: []policy.Param{useWeights}, solve: solveWaterFill},
}

// Programs lists the linear programs by id.
func Programs() []*Program { return programs }

// FindProgram looks a program up by its id, which is that of a policy, or by the policy's alias. It is nil when there
// is none.
func FindProgram(id string) *Program {
	if s, err := policy.Find(id); err == nil {
		id = s.ID
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
	arrival, elapsed, isolated  []float64
	tenant                      []int32
	tenants                     []lp.Entity
	pairs                       []Pair
	k                           int
}

// Solve solves one program on an instance in the schema gavel-lp/1. The allocation is nil exactly
// when there are errors.
func Solve(p *Program, params map[string]any, data []byte) (*Allocation, jsondoc.Diagnostics) {
	in, diags := Parse(data, scenario.FileLimits.Limits)
	values, bad := (&policy.Spec{Title: p.ID, Params: p.Params}).Check(params)
	for _, b := range bad {
		diags = append(diags, jsondoc.Error("/params/"+b.Name, "bad-parameter", b.Message, b.Fix))
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
		return nil, append(diags, jsondoc.Error("", "no-program",
			words.Say("the program cannot be solved: {0}", err.Error()), words.Text{}))
	case r.Status == lp.Infeasible:
		return nil, append(diags, jsondoc.Error("/jobs", "infeasible",
			words.Say("the program is infeasible: no allocation meets its constraints"),
			words.Say("Lower what is asked for, or give a type more GPUs.")))
	case r.Status == lp.Unbounded || math.IsInf(a.Objective, 0):
		return nil, append(diags, jsondoc.Error("/jobs", "no-optimum",
			words.Say("the program has no optimum: no job with weight and steps to do can run on a type that the cluster has, so nothing bounds the objective"),
			words.Say("Give a type GPUs, or a job speed.")))
	}
	if a.SLOFeasible != nil && !*a.SLOFeasible {
		diags = append(diags, dropped(&r))
	}
	a.Gap = r.RelGap
	return a, diags
}

// dropped says why the deadlines were left out.
func dropped(r *lp.Result) jsondoc.Diagnostic {
	path, why := "/jobs", words.Say("the deadlines together need more than the cluster has")
	if r.Cause == lp.CauseBlock {
		path = "/jobs/" + strconv.Itoa(r.Index) + "/slo_s"
		why = words.Say("job {0} cannot meet its deadline even with all its time on its best type", r.Index+1)
	}
	return jsondoc.NewDiagnostic(jsondoc.LevelWarning, path, "deadlines-dropped",
		words.Say("{0}; all deadlines are left out", why),
		words.Say("Give it more time, or take its slo_s out."))
}

// lacks names the numbers that the program needs and the instance does not give.
func (p *Program) lacks(in *Instance) (diags jsondoc.Diagnostics) {
	if p.needsCost && in.Cost == nil {
		diags = append(diags, jsondoc.Error("/cost_per_gpu_hour", "missing-member",
			words.Say("{0} needs cost_per_gpu_hour", p.ID), words.Say("Add a price for each type.")))
	}
	for i := range in.Jobs {
		j := &in.Jobs[i]
		deadline := p.ID == "gavel-mincost-slo" && j.SLOS > 0
		if math.IsNaN(j.Remaining) && (p.needsSteps || deadline) {
			diags = append(diags, jsondoc.Error("/jobs/"+strconv.Itoa(i)+"/steps_remaining",
				"missing-member",
				words.Say("{0} needs steps_remaining of job {1}", p.ID, i+1), words.Say(`Add "steps_remaining".`)))
		}
	}
	if p.ID == "gavel-packed" && len(in.Jobs) > maxPacked {
		diags = append(diags, jsondoc.Error("/jobs", "too-many",
			words.Say("there are {0} jobs; space sharing takes at most {1}", len(in.Jobs), maxPacked),
			words.Say("Take some out.")))
	}
	return diags
}

// maxPacked is how many jobs the program of space sharing takes: its work grows with their cube.
const maxPacked = 400

func flatten(in *Instance) *arrays {
	a := &arrays{gpus: in.Capacity, cost: in.Cost, pairs: in.Pairs, k: len(in.GPUTypes)}
	for _, t := range in.Tenants {
		a.tenants = append(a.tenants, lp.Entity{Weight: t.Weight, FIFO: t.FIFO})
	}
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
		a.elapsed, a.isolated, a.tenant = append(a.elapsed, j.ElapsedS), append(a.isolated, j.IsolatedS),
			append(a.tenant, int32(j.Tenant))
	}
	return a
}

// stuck warns of jobs without a speed on any type that has GPUs.
func (a *arrays) stuck() (diags jsondoc.Diagnostics) {
	for i, prop := range lp.Proportional(nil, a.t, a.gpus) {
		if prop == 0 {
			diags = append(diags, jsondoc.NewDiagnostic(
				jsondoc.LevelWarning, "/jobs/"+strconv.Itoa(i)+"/throughput", "no-rate",
				words.Say("job {0} cannot run on any type that the cluster has; it is left out", i+1),
				words.Say("Give it a speed, or the type GPUs.")))
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
