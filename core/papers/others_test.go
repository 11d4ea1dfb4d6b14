package papers

import (
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"

	"hadarlab/core/goodput"
	"hadarlab/core/lp"
	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/timeshare"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// gavelJobs ask for one, one and two GPUs; speeds are of one GPU on a V100 and a K80.
var gavelJobs = []struct {
	name string
	gpus int32
	v, k float64
}{{"A", 1, 10, 2}, {"B", 1, 6, 3}, {"C", 2, 4, 1}}

// ended is what the mechanism counts of three jobs on one type, before and after one of those that ran has ended.
func ended(t *testing.T) []table {
	const round = 360 * unit.Second
	m := timeshare.New(1, round, 1920*unit.Second, false)
	all := []model.JobID{0, 1, 2}
	for _, j := range all {
		m.Admit(j)
	}
	m.Reset(0, all, []float64{0.5, 0.25, 0.25}, nil, nil)
	m.Book(0, 0, round)
	m.Book(1, 0, round)
	m.Remove(1)
	x := table{cells("Job", "x", "got, s", "total, s", "priority")}
	total := (3*round/2 + 2*round).Seconds()
	for _, j := range []model.JobID{0, 2} {
		s := m.Standing(&timeshare.Candidate{Job: j, Mate: model.None, Pair: -1, GPUs: 1, Rates: []unit.Rate{1}}, 0)
		got := int(math.Round(s.Received * total))
		x = append(x, cells(string(rune('A'+j)), s.Target, got, total, rounded(s.Priority)))
	}
	return []table{x}
}

// newJob is the speedup of each of three jobs that have measured nothing.
func newJob(t *testing.T) []table {
	s := goodput.Search{Power: -1, Population: 2, Generations: 1, Random: rand.NewPCG(1, 2)}
	tasks := make([]goodput.Task, 3)
	rows := make([][]int32, len(tasks))
	for j := range tasks {
		tasks[j] = goodput.Task{ID: int32(j), Curve: new(goodput.Curve), Discount: 1,
			Least: 1, Most: 8, Step: 1, Nodes: 2}
		rows[j] = []int32{1, 1}
	}
	s.Judge(tasks, []int32{4, 4}, rows)
	head, row := cells("K_f"), cells(int(s.Fair()))
	for _, k := range []int32{1, 2, 4} {
		name := strconv.Itoa(int(k))
		if k == 1 {
			name = "K = 1"
		}
		head, row = append(head, name), append(row, cells(s.Speedup(0, k, false))...)
	}
	return []table{{head, row}}
}

func shares(t *testing.T) []table {
	in := &lp.Jobs{Capacity: []float64{2, 2}}
	for _, j := range gavelJobs {
		n := float64(j.gpus)
		in.Rates, in.GPUs = append(in.Rates, n*j.v, n*j.k), append(in.GPUs, n)
	}
	r, err := lp.MaxMin(nil, in)
	if err != nil {
		t.Fatal(err)
	}
	prop := lp.Proportional(nil, in.Rates, in.Capacity)
	x := table{cells("Job", "s", "t on V100", "t on K80", "prop", "x on V100", "x on K80", "throughput", "level")}
	for i, j := range gavelJobs {
		v, k := r.X[2*i], r.X[2*i+1]
		got := in.Rates[2*i]*v + in.Rates[2*i+1]*k
		x = append(x, cells(j.name, in.GPUs[i], in.Rates[2*i], in.Rates[2*i+1], prop[i], rounded(v), rounded(k),
			rounded(got), rounded(in.GPUs[i]*got/prop[i])))
	}
	return []table{x}
}

// rounded leaves the digits of a share that the solver vouches for.
func rounded(v float64) string { return strconv.FormatFloat(v, 'f', 4, 64) }

func rounds(t *testing.T) []table {
	var jobs []simtest.Job
	for _, j := range gavelJobs {
		jobs = append(jobs, simtest.Job{GPUs: j.gpus, Steps: 1e5 * float64(j.gpus), Rates: map[string]float64{"a": j.v,
			"b": j.k}})
	}
	tr := run(t, simtest.Build(360, []simtest.Node{{"a": 2}, {"b": 2}}, jobs, model.Costs{}), "gavel-las", nil)
	x := table{cells("Round", "on V100", "on K80")}
	for r := range 6 {
		row := cells(r+1, "", "")
		at := unit.Tick(r) * 360 * unit.Second
		for i := range tr.Spans.Len() {
			if tr.Spans.From[i] > at || tr.Spans.To[i] <= at {
				continue
			}
			for _, sh := range tr.Spans.At(i) {
				cell := &row[1+tr.Slots[sh.Slot].Type]
				if *cell != "" {
					*cell += ", "
				}
				*cell += gavelJobs[tr.Spans.Job[i]].name
			}
		}
		x = append(x, row)
	}
	return []table{x}
}

var (
	cifar = model.Perf{AlphaC: 0.01866, BetaC: 0.0006798, AlphaN: 0.09152, BetaN: 0.002525, AlphaR: 0.0154,
		BetaR: 4.728e-08, Gamma: 1.277}
	cifarBatches = model.Batches{Init: 128, Max: 4096, Low: 32, High: 1024}
)

const cifarNoise = 2280

func goodputs(*testing.T) []table {
	x := table{cells("GPUs", "on", "m", "s", "M", "T_iter, s", "examples/s", "efficiency", "goodput", "over one GPU")}
	var curve goodput.Curve
	curve.Set(&cifar, cifarNoise, cifarBatches)
	for _, several := range []bool{false, true} {
		for _, k := range []int32{1, 2, 4, 8} {
			where := "one node"
			if several {
				if where = "several"; k == 1 {
					continue
				}
			}
			pt, _ := curve.Point(k, several)
			all := float64(pt.Total(k))
			x = append(x, cells(int(k), where, int(pt.Batch), int(pt.Accum), all, goodput.Iteration(pt),
				all/goodput.Iteration(pt), model.Efficiency(cifarNoise, float64(cifarBatches.Init), all),
				curve.Goodput(k, several), curve.Goodput(k, several)/curve.Goodput(1, false)))
		}
	}
	c, b := &cifar, &cifarBatches
	return []table{{cells("α_c", "β_c", "α_n", "β_n", "α_r", "β_r", "γ", "M_0", "most M", "m", "φ"),
		cells(c.AlphaC, c.BetaC, c.AlphaN, c.BetaN, c.AlphaR, c.BetaR, c.Gamma, int(b.Init), int(b.Max),
			strconv.Itoa(int(b.Low))+" to "+strconv.Itoa(int(b.High)), cifarNoise)}, x}
}

// neverSeen is what a job believes of exchanges after it has run on one gang after the other.
func neverSeen(*testing.T) []table {
	x := table{cells("It has run on", "2 GPUs of a node", "4 of a node", "2 over nodes", "4 over nodes")}
	var o goodput.Observed
	noise := model.Alike(cifarNoise)
	for _, g := range []struct {
		name    string
		gpus    int32
		several bool
	}{{"1 GPU", 1, false}, {"and 2 of a node", 2, false}, {"and 4 of a node", 4, false},
		{"and 4 over nodes", 4, true}} {
		for _, m := range []int32{32, 128} {
			pt := goodput.At(&cifar, &noise, g.gpus, m, 0, g.several)
			o.Add(g.gpus, m, g.several, pt.Grad, pt.Iter)
		}
		o.Fit()
		row := cells(g.name)
		for _, several := range []bool{false, true} {
			for _, k := range []int32{2, 4} {
				row = append(row, rounded(goodput.Sync(&o.Perf, k, several)))
			}
		}
		x = append(x, row)
	}
	return []table{x}
}

func discount(*testing.T) []table {
	x := table{cells("Age, s", "0 restarts", "1", "3", "10")}
	for _, age := range []float64{0, 60, 300, 3600} {
		row := cells(age)
		for _, n := range []int32{0, 1, 3, 10} {
			row = append(row, figure(goodput.Discount(age, 30, n)))
		}
		x = append(x, row)
	}
	return []table{x}
}

func growth(t *testing.T) []table {
	one := map[string]float64{"a": 3, "b": 1}
	p := simtest.Build(60, []simtest.Node{{"a": 4}, {"a": 4}, {"b": 4}}, []simtest.Job{
		{GPUs: 1, Steps: 10000, Rates: one}, {GPUs: 1, Steps: 20000, Rates: one}}, model.Costs{Load: 30 * unit.Second})
	slow := cifar
	slow.AlphaC, slow.BetaC = 3*cifar.AlphaC, 3*cifar.BetaC
	for i := range p.Jobs {
		simtest.Profiled(p, i, []model.Perf{cifar, slow}, cifarBatches, []float64{cifarNoise},
			model.Shape{Size: 1, Min: 1, Max: 8, Step: 1, Gangs: 1})
	}
	tr := run(t, p, "sia", nil)
	x := table{cells("At, s", "Who holds what", "G of J1", "G^p", "G of J2", "G^p")}
	was := ""
	for i := range tr.Rounds {
		at := tr.Rounds[i].At
		row := cells(at.Seconds(), holding(tr, at, map[string]string{"a": "V100", "b": "K80"}), "", "", "", "")
		if row[1] == was || len(x) > 8 {
			continue
		}
		was = row[1]
		for _, r := range reasons(tr, i) {
			if chosen(&r) {
				row[2+2*r.Job], row[3+2*r.Job] = figure(r.Num[0]), figure(r.Num[2])
			}
		}
		x = append(x, row)
	}
	return []table{x}
}

func patience(t *testing.T) []table {
	const hour = 3600
	three := simtest.Job{GPUs: 3, Steps: 3 * 10 * hour, Rates: map[string]float64{"a": 1}}
	p := simtest.Build(300, []simtest.Node{{"a": 4}, {"a": 4}}, []simtest.Job{three, three,
		{GPUs: 2, Arrive: hour, Steps: 2 * 10 * hour, Rates: map[string]float64{"a": 1}, Spread: 0.5}}, model.Costs{})
	x := table{cells("Policy", "starts", "ends", "starts without moves", "ends")}
	for _, id := range []string{"dally", "dally-nowait", "dally-consolidated"} {
		tr, stays := run(t, p, id, nil), run(t, p, id, map[string]any{"upgrade": false, "evict": false})
		x = append(x, cells("`"+id+"`", tr.Jobs[2].Start.Seconds()/hour, tr.Jobs[2].Finish.Seconds()/hour,
			stays.Jobs[2].Start.Seconds()/hour, stays.Jobs[2].Finish.Seconds()/hour))
	}
	return []table{x}
}

// chosen says whether a reason is of a job that got GPUs.
func chosen(r *trace.Reason) bool { return r.Code == trace.Placed || r.Code == trace.Moved }

// reasons are those of a decision.
func reasons(t *trace.Trace, decision int) []trace.Reason {
	to := int32(len(t.Reasons))
	if decision+1 < len(t.Rounds) {
		to = t.Rounds[decision+1].Reason
	}
	return t.Reasons[t.Rounds[decision].Reason:to]
}

func copies(t *testing.T) []table {
	one := map[string]float64{"a": 1}
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{{GPUs: 1, Steps: 100, Rates: one},
		{GPUs: 1, Arrive: 10, Steps: 90, Rates: one}, {GPUs: 1, Arrive: 20, Steps: 30, Rates: one}}, model.Costs{})
	tr := run(t, p, "a-srpt", nil)
	x := table{cells("Job", "comes", "size", "its copy ends", "starts", "ends")}
	for j := range tr.Jobs {
		row := cells("J"+strconv.Itoa(j+1), tr.Jobs[j].Arrive.Seconds(), "", "after its start",
			tr.Jobs[j].Start.Seconds(), tr.Jobs[j].Finish.Seconds())
		for i := range tr.Rounds {
			for _, r := range reasons(tr, i) {
				if int(r.Job) == j && chosen(&r) {
					if row[2] = figure(r.Num[0]); r.Num[1] >= 0 {
						row[3] = figure(r.Num[1])
					}
				}
			}
		}
		x = append(x, row)
	}
	return []table{x}
}

// slowMachine is when a job ends whose gang has two machines that are slow for a while, by its redundancy.
func slowMachine(t *testing.T) []table {
	x := table{cells("Redundancy", "without spells", "ends")}
	for _, of := range []struct {
		name string
		r    model.Redundancy
	}{{"none", model.Redundancy{}}, {"one backup", model.Redundancy{Backup: 1}},
		{"two backups", model.Redundancy{Backup: 2}}, {"coding", model.Redundancy{Fold: 2}},
		{"coding in static groups", model.Redundancy{Fold: 2, Groups: 2}},
		{"coding in dynamic groups", model.Redundancy{Fold: 2, Groups: 2, Dynamic: true}}} {
		p := simtest.Build(360, slices.Repeat([]simtest.Node{{"a": 1}}, 6), []simtest.Job{{GPUs: 6, Steps: 3600,
			Rates: map[string]float64{"a": 1}}}, model.Costs{})
		p.Jobs[0].Shape.Redundancy = of.r
		p.Tables[0] = p.Tables[0].Redundant(6, of.r)
		full := finishes(run(t, p, "fifo", nil))[0]
		p.Speeds = []model.SpeedChange{{At: 100 * unit.Second, Node: 1, Speed: 0.25},
			{At: 200 * unit.Second, Node: 0, Speed: 0.5}, {At: 500 * unit.Second, Node: 0, Speed: 1},
			{At: 500 * unit.Second, Node: 1, Speed: 1}}
		x = append(x, cells(of.name, full, finishes(run(t, p, "fifo", nil))[0]))
	}
	return []table{x}
}

// threeModels is when three jobs of a sweep end on one GPU, by how they have it.
func threeModels(t *testing.T) []table {
	x := table{cells("How", "first", "second", "third")}
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, slices.Repeat([]simtest.Job{{GPUs: 1, Steps: 1000,
		Rates: map[string]float64{"a": 1}}}, 3), model.Costs{})
	p.Jobs[1].Work, p.Jobs[2].Work = 2000, 3000
	f := finishes(run(t, p, "fifo", nil))
	x = append(x, cells("one after another", f[0], f[1], f[2]))
	for _, of := range []struct {
		name string
		use  float64
	}{{"fused, one uses 0.3 of the GPU", 0.3}, {"fused, one uses 0.9 of it", 0.9}} {
		q := *p
		q.Fusion = &model.Fusion{Refuse: 30 * unit.Second}
		q.Fusion.Arrays = []model.Array{simtest.Array(&q, []model.JobID{0, 1, 2}, 0,
			model.Gain{Use: of.use, Beta: 0.136})}
		f := finishes(run(t, &q, "fifo", nil))
		x = append(x, cells(of.name, f[0], f[1], f[2]))
	}
	return []table{x}
}

// twoModels is when two jobs end that share a node's CPUs, by how they do.
func twoModels(t *testing.T) []table {
	x := table{cells("Shared", "image model", "language model")}
	for _, of := range []string{"by GPUs", "tuned"} {
		p := simtest.Build(360, []simtest.Node{{"a": 4}}, []simtest.Job{
			{GPUs: 2, Steps: 1200, Rates: map[string]float64{"a": 6}},
			{GPUs: 2, Steps: 960, Rates: map[string]float64{"a": 5}}}, model.Costs{})
		p.Cluster.Nodes[0].Host.CPUs, p.Tuned = 12, of == "tuned"
		p.Needs = []*model.Need{{CPUs: model.Curve{{PerGPU: 3, Speed: 0.5}, {PerGPU: 6, Speed: 1}}},
			{CPUs: model.Curve{{PerGPU: 1, Speed: 1}}}}
		ends := finishes(run(t, p, "fifo", nil))
		x = append(x, cells(of, ends[0], ends[1]))
	}
	return []table{x}
}

// noChoice is when jobs end of which some can use one type only, by the order and place of Venn-style.
func noChoice(t *testing.T) []table {
	x := table{cells("Order", "Place", "first four", "last two", "mean")}
	var jobs []simtest.Job
	for range 4 {
		jobs = append(jobs, simtest.Job{GPUs: 1, Steps: 10800, Rates: map[string]float64{"a100": 4, "v100": 3}})
	}
	for range 2 {
		jobs = append(jobs, simtest.Job{GPUs: 1, Steps: 7200, Rates: map[string]float64{"a100": 4}})
	}
	for _, order := range []string{"arrival", "scarcest"} {
		for _, place := range []string{"fastest", "spare"} {
			p := simtest.Build(360, []simtest.Node{{"a100": 2}, {"v100": 4}}, jobs, model.Costs{})
			ends := finishes(run(t, p, "venn-style", map[string]any{"order": order, "place": place}))
			sum := 0.0
			for _, f := range ends {
				sum += f
			}
			span := func(of []float64) string {
				if low, high := slices.Min(of), slices.Max(of); low < high {
					return figure(low) + " to " + figure(high)
				}
				return figure(of[0])
			}
			x = append(x, cells(order, place, span(ends[:4]), span(ends[4:]), sum/6))
		}
	}
	return []table{x}
}

// jobThatWaits is when three jobs end and what a second node costs, by who asks for it.
func jobThatWaits(t *testing.T) []table {
	x := table{cells("Autoscaler", "first", "second", "third", "rent", "of it idle")}
	for _, of := range []struct {
		name string
		auto model.Autoscaler
	}{{"reactive", model.Reactive}, {"predictive", model.Predictive}, {"fixed", model.Fixed}} {
		job := func(arrive, steps float64) simtest.Job {
			return simtest.Job{Arrive: arrive, GPUs: 1, Steps: steps, Rates: map[string]float64{"a": 1}}
		}
		p := simtest.Build(100, []simtest.Node{{"a": 1}, {"a": 1}},
			[]simtest.Job{job(0, 200), job(0, 100), job(400, 50)}, model.Costs{})
		p.Cloud = &model.Cloud{Autoscaler: of.auto, Groups: []model.CloudGroup{{From: 1, To: 2, USDPerHour: 36,
			Start: 60 * unit.Second, Idle: 100 * unit.Second}}}
		tr := run(t, p, "fifo", nil)
		at, m := finishes(tr), metric.Compute(p, tr).Metrics
		x = append(x, cells(of.name, at[0], at[1], at[2], m.RentUSD, m.RentIdleUSD))
	}
	return []table{x}
}
