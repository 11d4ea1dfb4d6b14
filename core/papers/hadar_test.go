package papers

import (
	"math"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/fork"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func prices(*testing.T) []table {
	x := table{cells("Taken", "of 2", "of 4")}
	for used := range int32(5) {
		two := any("")
		if used <= 2 {
			two = primaldual.Price(0.02, 20, used, 2)
		}
		x = append(x, cells(int(used), two, primaldual.Price(0.02, 20, used, 4)))
	}
	return []table{x}
}

// toy is the cluster of the first examples, with its jobs in some order.
type toy struct {
	speeds [][2]float64 // of one worker, by job, on V and K
	work   []unit.Work
	gangs  []int32
}

var three = toy{[][2]float64{{20, 5}, {12, 6}, {10, 8}}, []unit.Work{400, 120, 240}, []int32{2, 1, 2}}

func (x toy) problem(order ...int) *primaldual.Problem {
	p := &primaldual.Problem{Round: unit.Second, Usable: []int32{2, 3}, Cluster: &model.Cluster{
		Racks: []string{"r"}, Types: []model.GPUType{{Name: "V"}, {Name: "K"}},
		Nodes: []model.Node{{Name: "A"}, {Name: "B"}}, Slots: []model.Slot{{Cap: 2}, {Node: 1, Type: 1, Cap: 3}}}}
	for _, i := range order {
		tab := model.NewThroughput("toy", 2, x.gangs[i])
		for typ, v := range x.speeds[i] {
			for n := int32(1); n <= x.gangs[i]; n++ {
				r := unit.Rate(v * float64(n))
				tab.Set(model.TypeID(typ), n, r, r, r)
			}
		}
		p.Jobs = append(p.Jobs, primaldual.Job{ID: model.JobID(i), Doc: int32(i), GPUs: x.gangs[i], Total: x.work[i],
			Remaining: x.work[i], Speed: &tab})
	}
	return p
}

func constants(*testing.T) []table {
	var s primaldual.Solver
	p := three.problem(0, 1, 2)
	of := func(u primaldual.Utility) primaldual.Constants {
		return s.Solve(p, primaldual.Settings{Utility: u}).Constants
	}
	c := of(primaldual.Effective)
	jobs := table{cells("Job", "W", "Q", "X on V", "X on K", "least rounds", "n_max", "U_j(soonest) / W",
		"U_j(T) / (n_max · W)")}
	for i := range p.Jobs {
		w, q := float64(p.Jobs[i].GPUs), float64(p.Jobs[i].Total)
		v, k := three.speeds[i][0], three.speeds[i][1]
		most := math.Ceil(q / (w * k))
		jobs = append(jobs, cells("J"+strconv.Itoa(i+1), w, q, v, k, math.Ceil(q/(w*v)), most, v,
			q/c.Horizon.Seconds()/(most*w)))
	}
	bounds := table{cells("Utility", "T", "η", "U_max", "U_min", "U_max / U_min", "α")}
	taken := table{cells("Utility", "Node", "none", "1", "2", "3")}
	for _, x := range []struct {
		name string
		of   primaldual.Utility
	}{{"effective", primaldual.Effective}, {"normalised", primaldual.Normalised}} {
		c := of(x.of)
		bounds = append(bounds, cells(x.name, c.Horizon.Seconds(), c.Eta, c.UMax[0], c.UMin[0], c.UMax[0]/c.UMin[0],
			c.Alpha))
		for i, most := range p.Usable {
			row := cells(x.name, p.Cluster.Nodes[i].Name, "", "", "", "")
			for used := range most + 1 {
				row[2+used] = figure(primaldual.Price(c.UMin[i], c.UMax[i], used, most))
			}
			taken = append(taken, row)
		}
	}
	return []table{jobs, bounds, taken}
}

// perRound is what an offer adds to the search.
func perRound(o *primaldual.Offer) float64 { return o.Payoff / float64(o.Rounds) }

// on names where an offer's GPUs are.
func on(o *primaldual.Offer) string {
	names, out := []string{"V", "K"}, ""
	for i, sh := range o.Shards {
		if i > 0 {
			out += " + "
		}
		out += strconv.Itoa(int(sh.N)) + " " + names[sh.Slot]
	}
	return out
}

func placements(*testing.T) []table {
	var s primaldual.Solver
	p := three.problem(0, 1, 2)
	s.Solve(p, primaldual.Settings{Utility: primaldual.Effective})
	x := table{cells("Job", "On", "speed", "n", "U", "cost", "μ", "μ / n", "μ / (W · n)")}
	for i := range p.Jobs {
		for _, o := range s.Candidates(i, []int32{0, 0}) {
			if len(o.Shards) == 1 {
				x = append(x, cells("J"+strconv.Itoa(i+1), on(&o), float64(o.Rate), float64(o.Rounds), o.Utility,
					o.Cost, o.Payoff, perRound(&o), perRound(&o)/float64(p.Jobs[i].GPUs)))
			}
		}
	}
	return []table{x}
}

func search(*testing.T) []table {
	exact := table{cells("Asked in order", "J1", "J2", "J3", "Σ μ / n", "Σ U")}
	beam := table{cells("Asked in order", "J1", "J2", "J3", "Σ μ / n", "Late")}
	for _, order := range [][]int{{0, 1, 2}, {1, 0, 2}, {1, 2, 0}, {0, 2, 1}, {2, 0, 1}, {2, 1, 0}} {
		for _, one := range []bool{false, true} {
			var s primaldual.Solver
			set := primaldual.Settings{Utility: primaldual.Effective, Order: primaldual.ByArrival,
				Search: primaldual.Exact, NoResidual: true}
			if one {
				set.Search, set.Beam, set.NoResidual = primaldual.Beam, 256, false
			}
			r := s.Solve(three.problem(order...), set)
			row, late := cells("", "waits", "waits", "waits"), 0
			for at, j := range order {
				row[0] += " J" + strconv.Itoa(j+1)
				if r.Late[at] {
					late++
				}
				if o := &r.Chosen[at]; len(o.Shards) > 0 {
					row[1+j] = on(o)
				}
			}
			row[0] = row[0][1:]
			if one {
				beam = append(beam, append(row, cells(r.Payoff, late)...))
			} else {
				exact = append(exact, append(row, cells(r.Payoff, r.Primal)...))
			}
		}
	}
	return []table{exact, beam}
}

func idleGPU(*testing.T) []table {
	x := table{cells("Utility", "Charged for", "price of the last K", "n", "cost", "U", "μ")}
	for _, of := range []struct {
		name string
		set  primaldual.Settings
	}{{"effective", primaldual.Settings{Utility: primaldual.Effective}}, {"normalised", primaldual.Settings{}}} {
		for _, round := range []bool{false, true} {
			var s primaldual.Solver
			of.set.RoundCost = round
			c := s.Solve(three.problem(0, 1, 2), of.set).Constants
			charged := "all rounds"
			if round {
				charged = "this round"
			}
			o := s.Candidates(1, []int32{2, 2})[0]
			x = append(x, cells(of.name, charged, primaldual.Price(c.UMin[1], c.UMax[1], 2, 3), float64(o.Rounds),
				o.Cost, o.Utility, o.Payoff))
		}
	}
	return []table{x}
}

const hadarRound = 360 // s

// both shows who holds what, round by round, on task and on job level, and when jobs end, in rounds.
func both(t *testing.T, p *model.Problem, names map[string]string, rounds int) []table {
	task := run(t, p, "hadar", nil)
	job := run(t, p, "hadar", map[string]any{"homogeneous": true})
	who := table{cells("Round", "Task level", "Job level")}
	for r := range rounds {
		at := unit.Tick(r) * hadarRound * unit.Second
		who = append(who, cells(r+1, holding(task, at, names), holding(job, at, names)))
	}
	ends := table{cells("Level")}
	for i := range p.Jobs {
		ends[0] = append(ends[0], "J"+strconv.Itoa(i+1)+" ends after")
	}
	ends[0] = append(ends[0], "utilisation of GPUs")
	for i, tr := range []*trace.Trace{task, job} {
		row := cells([]string{"task", "job"}[i])
		for _, f := range finishes(tr) {
			if math.IsNaN(f) {
				row = append(row, "never")
			} else {
				row = append(row, figure(f/hadarRound))
			}
		}
		ends = append(ends, append(row, figure(metric.Compute(p, tr).Metrics.GPUUtilization)))
	}
	return []table{who, ends}
}

func taskLevel(t *testing.T) []table {
	j := simtest.Job{GPUs: 2, Steps: 60 * hadarRound, Rates: map[string]float64{"a": 10, "b": 6}}
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 3}, {"b": 3}}, []simtest.Job{j, j, j}, model.Costs{})
	return both(t, p, map[string]string{"a": "V", "b": "P"}, 6)
}

func wideGang(t *testing.T) []table {
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 2}, {"b": 2}}, []simtest.Job{
		{GPUs: 3, Steps: 90 * hadarRound, Rates: map[string]float64{"a": 10, "b": 6}},
		{GPUs: 1, Steps: 24 * hadarRound, Rates: map[string]float64{"a": 12, "b": 6}}}, model.Costs{})
	return both(t, p, map[string]string{"a": "V", "b": "P"}, 5)
}

// byLives are the parameters that compare jobs by what their whole lives are worth.
var byLives = map[string]any{"utility": "effective", "order": "lifetime_density", "dp_value": "lifetime"}

// ends shows when jobs end under several settings.
func ends(t *testing.T, p *model.Problem, jobs []string, settings ...any) []table {
	x := table{append(cells("Setting"), jobs...)}
	for i := 0; i < len(settings); i += 2 {
		row := cells(settings[i])
		params, _ := settings[i+1].(map[string]any)
		for _, f := range finishes(run(t, p, "hadar", params)) {
			row = append(row, figure(f))
		}
		x = append(x, row)
	}
	return []table{x}
}

// TestSomebodyMayEndAfterT: the horizon has no stall in it, so that a job of 300 s ends after it where its start takes
// 120 s. The text says so.
func TestSomebodyMayEndAfterT(t *testing.T) {
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 1}},
		[]simtest.Job{{GPUs: 1, Steps: 300, Rates: map[string]float64{"a": 1}}}, model.Costs{Load: 120 * unit.Second})
	var c primaldual.Constants
	one := []primaldual.Bidder{{Rounds: 1, Least: 1}}
	c.Open(&primaldual.Market{Round: hadarRound * unit.Second, Units: 1, Jobs: one}, 1)
	end, late := finishes(run(t, p, "hadar", nil))[0], c.Horizon.Seconds()
	if end != 420 || late != 360 {
		t.Errorf("it ends at %v s, and T is %v s", end, late)
	}
}

func shortBeforeLong(t *testing.T) []table {
	job := func(steps, arrive float64) simtest.Job {
		return simtest.Job{GPUs: 1, Steps: steps, Arrive: arrive, Rates: map[string]float64{"a": 1}}
	}
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 1}},
		[]simtest.Job{job(3600, 0), job(720, 100), job(36000, 100)}, model.Costs{})
	return ends(t, p, []string{"3600 s", "720 s", "36000 s"}, "as it is set", nil, "effective, by whole lives", byLives)
}

func noPromise(t *testing.T) []table {
	job := func(steps float64) simtest.Job {
		return simtest.Job{GPUs: 1, Steps: steps, Rates: map[string]float64{"a": 1}}
	}
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 1}}, []simtest.Job{job(36000), job(3600)}, model.Costs{})
	return ends(t, p, []string{"ten hours", "an hour"}, "makespan", map[string]any{"utility": "makespan"},
		"makespan, by whole lives", map[string]any{"utility": "makespan", "dp_value": "lifetime",
			"order": "lifetime_density"})
}

func unlikeUnits(t *testing.T) []table {
	quick := simtest.Job{GPUs: 1, Steps: 360000, Rates: map[string]float64{"a": 100}}
	p := simtest.Build(hadarRound, []simtest.Node{{"a": 1}},
		[]simtest.Job{{GPUs: 1, Steps: 360, Rates: map[string]float64{"a": 1}}, quick, quick, quick}, model.Costs{})
	return ends(t, p, []string{"360 s", "first hour", "second", "third"}, "normalised", nil,
		"effective", map[string]any{"utility": "effective"})
}

func comparativeAdvantage(t *testing.T) []table {
	p := simtest.Build(hadarRound, []simtest.Node{{"v100": 1}, {"k80": 1}}, []simtest.Job{
		{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10, "k80": 9}},
		{GPUs: 1, Steps: 36000, Rates: map[string]float64{"v100": 10, "k80": 1}}}, model.Costs{})
	return ends(t, p, []string{"A", "B"}, "exact search", nil, "one placement a state", map[string]any{"dp": "beam"})
}

// nodes makes nodes of one GPU, each of its own type, and jobs of one GPU with a speed on each; a merge or a move
// takes 20 s.
func nodes(speeds [][]float64, steps float64) *model.Problem {
	var list []simtest.Node
	var jobs []simtest.Job
	for i := range speeds[0] {
		list = append(list, simtest.Node{string(rune('a' + i)): 1})
	}
	for _, x := range speeds {
		rates := map[string]float64{}
		for i, v := range x {
			rates[string(rune('a'+i))] = v
		}
		jobs = append(jobs, simtest.Job{GPUs: 1, Steps: steps, Rates: rates})
	}
	return simtest.Build(hadarRound, list, jobs, model.Costs{Merge: 20 * unit.Second, Load: 20 * unit.Second})
}

// plan gives the copies of HadarE's plan, by job, of a round in which jobs have so much left.
func plan(p *model.Problem, round int, left []unit.Work, held [][]model.NodeID) [][]fork.Copy {
	q := &fork.Problem{Now: unit.Tick(round) * p.Round, Round: p.Round, Cluster: &p.Cluster}
	for _, s := range p.Cluster.Slots {
		q.Usable = append(q.Usable, s.Cap)
	}
	var open []int
	for i := range p.Jobs {
		if left[i] == 0 {
			continue
		}
		open = append(open, i)
		q.Jobs = append(q.Jobs, fork.Job{ID: model.JobID(i), GPUs: 1, Total: p.Jobs[i].Work, Remaining: left[i],
			Speed: &p.Tables[p.Jobs[i].Phases[0].Tables[0]], Held: held[i], Keep: 20 * unit.Second,
			Move: 20 * unit.Second})
	}
	var pl fork.Planner
	r, copies := pl.Plan(q, fork.Settings{}), make([][]fork.Copy, len(p.Jobs))
	for k, i := range open {
		copies[i] = r.Copies[k]
	}
	return copies
}

func oneJob(t *testing.T) []table {
	speeds := []float64{6, 5, 3, 2, 1}
	p := nodes([][]float64{speeds}, 100000)
	split := table{cells("Node", "steps/s", "steps of a full round", "of the last", "weight", "number", "weighted mean",
		"plain mean")}
	copies := func(round int, left unit.Work) (steps []unit.Work) {
		for _, c := range plan(p, round, []unit.Work{left}, make([][]model.NodeID, 1))[0] {
			steps = append(steps, c.Steps)
		}
		return steps
	}
	full, last := copies(0, 100000), []unit.Work(nil)
	each := unit.Work(0)
	for _, s := range full {
		each += s
	}
	rounds := int(100000 / each)
	last = copies(rounds, 100000-unit.Work(rounds)*each)
	weights, numbers := fork.Weights(full, false), []float64{1, 1.2, 0.8, 1.4, 2}
	weighted, plain := 0.0, 0.0
	for i := range speeds {
		weighted += weights[i] * numbers[i]
		plain += numbers[i] / 5
		split = append(split, cells("n"+strconv.Itoa(i+1), speeds[i], float64(full[i]), float64(last[i]), weights[i],
			numbers[i], "", ""))
	}
	split[1][6], split[1][7] = figure(weighted), figure(plain)
	forked, alone := run(t, p, "hadare", nil), run(t, p, "hadar", nil)
	both := table{cells("Scheduler", "ends at, s", "utilisation of nodes", "times as soon")}
	a, b := finishes(forked)[0], finishes(alone)[0]
	return []table{split, append(both,
		cells("HadarE", a, metric.Compute(p, forked).Metrics.NodeUtilization, b/a),
		cells("Hadar", b, metric.Compute(p, alone).Metrics.NodeUtilization, 1))}
}

func twoJobs(t *testing.T) []table {
	p := nodes([][]float64{{6, 3, 1}, {4, 3, 2}}, 6000)
	x := table{cells("Round at, s", "A", "B")}
	left, held := []unit.Work{6000, 6000}, make([][]model.NodeID, 2)
	for round := 0; left[0]+left[1] > 0; round++ {
		row := cells(round * hadarRound)
		for j, copies := range plan(p, round, left, held) {
			var parts []string
			held[j] = nil
			for _, c := range copies {
				parts = append(parts, "n"+strconv.Itoa(int(c.Node)+1)+" "+figure(float64(c.Steps)))
				held[j] = append(held[j], c.Node)
				left[j] -= c.Steps
			}
			row = append(row, strings.Join(parts, " + "))
		}
		x = append(x, row)
	}
	both := table{cells("Scheduler", "A ends at, s", "B ends at, s", "utilisation of nodes")}
	for _, of := range []struct{ name, id string }{{"HadarE", "hadare"}, {"Hadar", "hadar"}} {
		tr := run(t, p, of.id, nil)
		f := finishes(tr)
		both = append(both, cells(of.name, f[0], f[1], metric.Compute(p, tr).Metrics.NodeUtilization))
	}
	return []table{x, both}
}
