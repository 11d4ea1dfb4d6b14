// Package instance evaluates the formulas of Pollux on numbers from outside, in the schema pollux_goodput/1: what a job
// makes of GPUs and batches, the fitness of allocations, and the fit of a model to measurements. It answers with the
// document as it came, its own numbers in the place of those that stood there. It simulates nothing.
package instance

import (
	"encoding/json"
	"math"
	"strconv"

	"hadarlab/core/goodput"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// Schema is what a document may call itself.
const Schema = "pollux_goodput/1"

// Kinds of documents.
const (
	Goodput = "goodput"
	Fitness = "cluster_fitness"
	Fit     = "throughput_fit"
)

// Bounds of a document.
const (
	maxCases = 1000
	maxRows  = 10_000 // points, optima, states or measurements of a case
	maxJobs  = 1000
	maxNodes = 1000
	maxCells = 1 << 20 // jobs × nodes × states of a case
	maxTotal = 1 << 30 // examples of a batch
)

var start = words.Say(`Start with {"schema":"pollux_goodput/1","kind":"goodput","cases":[…]}; kinds are goodput, cluster_fitness, throughput_fit.`)

// Document is a document of one kind: the members of the others are absent.
type Document struct {
	Schema  string  `json:"schema"`
	Kind    string  `json:"kind"`
	Power   float64 `json:"power,omitempty"`           // of the mean; below 0, -1 for the harmonic one
	Epsilon float64 `json:"epsilon,omitempty"`         // floor of a speedup; the search has 0.001 built in
	Delay   float64 `json:"restart_delay_s,omitempty"` // s
	Cases   []any   `json:"cases"`
}

// Job is a model of a job: seven parameters of its times (pollux.md, Goodput), its noise, and the batches it may have.
type Job struct {
	Perf       *Perf    `json:"perf"`
	Grad       *Grad    `json:"grad"`
	Init       int32    `json:"init_batch"` // M0, examples
	Max        int32    `json:"max_batch"`
	Range      [2]int32 `json:"atomic_range"` // of the batch of one GPU
	Accumulate bool     `json:"accumulation"`
}

// Perf are the parameters of a throughput model, in s and examples.
type Perf struct {
	AlphaC float64 `json:"alpha_c"`
	BetaC  float64 `json:"beta_c"`
	AlphaN float64 `json:"alpha_n"`
	BetaN  float64 `json:"beta_n"`
	AlphaR float64 `json:"alpha_r"`
	BetaR  float64 `json:"beta_r"`
	Gamma  float64 `json:"gamma"`
}

// Grad is a gradient's squared norm and variance at the initial batch. Their quotient, times that batch, is the noise
// scale φ.
type Grad struct {
	Sqr float64 `json:"sqr"`
	Var float64 `json:"var"`
}

func (j *Job) perf() *model.Perf { p := model.Perf(*j.Perf); return &p }

func (j *Job) noise() model.Noise {
	if j.Grad.Sqr == 0 {
		return model.Alike(math.Inf(1))
	}
	return model.Alike(float64(j.Init) * j.Grad.Var / j.Grad.Sqr)
}

func (j *Job) batches() model.Batches {
	return model.Batches{Init: j.Init, Max: j.Max, Low: j.Range[0], High: j.Range[1]}
}

// Evaluate reads a document and puts this program's numbers into it; nil exactly when there are errors.
func Evaluate(data []byte, lim jsondoc.Limits) (*Document, jsondoc.Diagnostics) {
	var head struct {
		Document
		Cases []json.RawMessage `json:"cases"`
	}
	diags := jsondoc.Unmarshal(data, lim, start, &head)
	if diags.HasErrors() {
		return nil, diags
	}
	d, f := head.Document, &faults{Diagnostics: diags}
	switch {
	case d.Schema != "" && d.Schema != Schema:
		f.fail("/schema", words.Say("{0} is no schema that is known here", jsondoc.Quote(d.Schema)),
			words.Say("write {0}", jsondoc.Quote(Schema)))
	case len(head.Cases) == 0 || len(head.Cases) > maxCases:
		f.fail("/cases", words.Say("there are {0} cases", len(head.Cases)), words.Say("write 1 to {0}", maxCases))
	}
	d.Schema = Schema
	for i, raw := range head.Cases {
		if f.HasErrors() {
			break
		}
		at := "/cases/" + strconv.Itoa(i)
		switch d.Kind {
		case Goodput:
			c := &goodputCase{}
			if f.read(raw, at, c); !f.HasErrors() && c.check(f, at) {
				c.evaluate()
			}
			d.Cases = append(d.Cases, c)
		case Fitness:
			c := &fitnessCase{}
			if f.read(raw, at, c); !f.HasErrors() && c.check(f, at, &d) {
				c.evaluate(&d)
			}
			d.Cases = append(d.Cases, c)
		case Fit:
			c := &fitCase{}
			if f.read(raw, at, c); !f.HasErrors() && c.check(f, at) {
				c.evaluate()
			}
			d.Cases = append(d.Cases, c)
		default:
			f.fail("/kind", words.Say("{0} is no kind of document", jsondoc.Quote(d.Kind)),
				words.Say("choose one of {0}", "goodput, cluster_fitness, throughput_fit"))
		}
	}
	if f.HasErrors() {
		return nil, f.Diagnostics
	}
	return &d, f.Diagnostics
}

// faults collects what is wrong.
type faults struct{ jsondoc.Diagnostics }

func (f *faults) fail(path string, msg, fix words.Text) {
	f.Diagnostics = append(f.Diagnostics, jsondoc.Error(path, "out-of-range", msg, fix))
}

func (f *faults) read(raw []byte, at string, into any) {
	for _, d := range jsondoc.Unmarshal(raw, jsondoc.Limits{Bytes: len(raw), Depth: 16}, start, into) {
		d.Path = at + d.Path
		f.Diagnostics = append(f.Diagnostics, d)
	}
}

// number asks for a number from lo to hi.
func (f *faults) number(path string, v, lo, hi float64) {
	if !(v >= lo && v <= hi) {
		f.fail(path, words.Say("{0} is out of range", v), words.Say("choose {0} to {1}", lo, hi))
	}
}

func (f *faults) count(path string, n, lo, hi int) {
	f.number(path, float64(n), float64(lo), float64(hi))
}

// job checks a model. One that is needed must be there.
func (f *faults) job(at string, j *Job, needed bool) {
	f.count(at+"/init_batch", int(j.Init), 1, maxTotal)
	f.count(at+"/max_batch", int(j.Max), 1, maxTotal)
	f.count(at+"/atomic_range/0", int(j.Range[0]), 1, maxTotal)
	f.count(at+"/atomic_range/1", int(j.Range[1]), int(max(j.Range[0], 1)), maxTotal)
	if !needed {
		return
	}
	if j.Perf == nil || j.Grad == nil {
		f.fail(at, words.Say("perf or grad is missing"), words.Say("write both"))
		return
	}
	p := j.Perf
	for _, v := range []struct {
		name string
		v    float64
		lo   float64
		hi   float64
	}{{"alpha_c", p.AlphaC, 1e-9, 1e6}, {"beta_c", p.BetaC, 0, 1e6}, {"alpha_n", p.AlphaN, 1e-9, 1e6},
		{"beta_n", p.BetaN, 0, 1e6}, {"alpha_r", p.AlphaR, 1e-9, 1e6}, {"beta_r", p.BetaR, 0, 1e6},
		{"gamma", p.Gamma, 1, 10}} {
		f.number(at+"/perf/"+v.name, v.v, v.lo, v.hi)
	}
	f.number(at+"/grad/sqr", j.Grad.Sqr, 0, 1e30)
	f.number(at+"/grad/var", j.Grad.Var, 0, 1e30)
}

// fitCase is a model fitted to measurements (pollux.md, Learning).
type fitCase struct {
	ID           string    `json:"id"`
	Kind         string    `json:"kind,omitempty"`
	Fitted       Perf      `json:"fitted"`
	Objective    float64   `json:"objective"`
	Measurements []reading `json:"measurements"`
	Predicted    []float64 `json:"predicted_iteration_time"` // s, of the same rows
}

type reading struct {
	Nodes    int32   `json:"nodes"`
	Replicas int32   `json:"replicas"`
	Batch    int32   `json:"atomic_batch"`
	Grad     float64 `json:"grad_time"`      // s
	Iter     float64 `json:"iteration_time"` // s, without accumulation
}

func (c *fitCase) check(f *faults, at string) bool {
	f.count(at+"/measurements", len(c.Measurements), 1, maxRows)
	for i := range c.Measurements {
		m, at := &c.Measurements[i], at+"/measurements/"+strconv.Itoa(i)
		f.gpus(at, m.Nodes, m.Replicas, m.Batch, 0)
		f.number(at+"/grad_time", m.Grad, 1e-9, 1e6)
		f.number(at+"/iteration_time", m.Iter, 1e-9, 1e6)
	}
	return !f.HasErrors()
}

// gpus checks where and with which batch a job runs.
func (f *faults) gpus(at string, nodes, replicas, batch, accum int32) {
	f.count(at+"/nodes", int(nodes), 1, maxNodes)
	f.count(at+"/replicas", int(replicas), int(max(nodes, 1)), maxTotal)
	f.count(at+"/atomic_batch", int(batch), 1, maxTotal)
	f.count(at+"/accum_steps", int(accum), 0, maxTotal)
	if all := float64(replicas) * float64(batch) * float64(accum+1); all > maxTotal {
		f.fail(at, words.Say("its batch has {0} examples", all), words.Say("keep it to {0}", maxTotal))
	}
}

func (c *fitCase) evaluate() {
	var o goodput.Observed
	for _, m := range c.Measurements {
		o.Add(m.Replicas, m.Batch, m.Nodes > 1, m.Grad, m.Iter)
	}
	o.Fit()
	c.Fitted, c.Objective, c.Predicted = Perf(o.Perf), o.Objective(&o.Perf), nil
	none := model.Alike(0)
	for _, m := range c.Measurements {
		c.Predicted = append(c.Predicted, goodput.At(&o.Perf, &none, m.Replicas, m.Batch, 0, m.Nodes > 1).Iter)
	}
}

// fitnessCase is what allocations of a cluster are worth (pollux.md, Fitness).
type fitnessCase struct {
	ID      string    `json:"id"`
	Nodes   int       `json:"nodes"`
	PerNode int32     `json:"gpus_per_node"`
	Now     [][]int32 `json:"current_allocation"` // GPUs, a row a job, a column a node
	Fair    struct {
		Nodes    int32 `json:"nodes"`
		Replicas int32 `json:"replicas"`
	} `json:"fair_share"`
	Jobs   []fitnessJob `json:"jobs"`
	States []state      `json:"states"`
}

type fitnessJob struct {
	App      string `json:"app,omitempty"`
	Profiled bool   `json:"profiled"` // false: nothing is known of it, its speed grows with its GPUs
	Job
	Most     int32   `json:"max_replicas,omitempty"`
	Age      float64 `json:"age_s"`
	Restarts int32   `json:"restarts"`
}

type state struct {
	Allocation [][]int32 `json:"allocation"`
	Speedup    []float64 `json:"speedup_vs_fair_share"`
	Fitness    float64   `json:"fitness"`
	Utility    float64   `json:"utility"`
}

func (c *fitnessCase) check(f *faults, at string, d *Document) bool {
	f.number("/power", d.Power, -8, -0.125)
	f.number("/restart_delay_s", d.Delay, 0, 1e6)
	f.count(at+"/nodes", c.Nodes, 1, maxNodes)
	f.count(at+"/gpus_per_node", int(c.PerNode), 1, goodput.MaxColumn)
	f.count(at+"/jobs", len(c.Jobs), 1, maxJobs)
	f.count(at+"/states", len(c.States), 1, maxRows)
	if cells := len(c.Jobs) * c.Nodes * max(len(c.States), 1); cells > maxCells {
		f.fail(at, words.Say("jobs × nodes × states are {0}", cells), words.Say("keep them to {0}", maxCells))
	}
	if f.HasErrors() {
		return false
	}
	for i := range c.Jobs {
		j, at := &c.Jobs[i], at+"/jobs/"+strconv.Itoa(i)
		f.job(at, &j.Job, j.Profiled)
		f.number(at+"/age_s", j.Age, 0, 1e9)
		f.count(at+"/restarts", int(j.Restarts), 0, 1e6)
	}
	c.table(f, at+"/current_allocation", c.Now)
	for i := range c.States {
		c.table(f, at+"/states/"+strconv.Itoa(i)+"/allocation", c.States[i].Allocation)
	}
	return !f.HasErrors()
}

// table checks an allocation: a row a job, a column a node, and no node with more GPUs than it has.
func (c *fitnessCase) table(f *faults, at string, rows [][]int32) {
	used := make([]int32, c.Nodes)
	f.count(at, len(rows), len(c.Jobs), len(c.Jobs))
	for j, row := range rows {
		at := at + "/" + strconv.Itoa(j)
		if f.count(at, len(row), c.Nodes, c.Nodes); f.HasErrors() {
			return
		}
		for n, v := range row {
			f.count(at+"/"+strconv.Itoa(n), int(v), 0, int(c.PerNode-used[n]))
			used[n] += max(v, 0)
		}
	}
}

// most is the most GPUs that a job has in any allocation.
func (c *fitnessCase) most(job int) (most int32) {
	sum := func(row []int32) {
		all := int32(0)
		for _, v := range row {
			all += v
		}
		most = max(most, all)
	}
	sum(c.Now[job])
	for i := range c.States {
		sum(c.States[i].Allocation[job])
	}
	return most
}

func (c *fitnessCase) evaluate(d *Document) {
	capacity := make([]int32, c.Nodes)
	for i := range capacity {
		capacity[i] = c.PerNode
	}
	tasks := make([]goodput.Task, len(c.Jobs))
	for i := range c.Jobs {
		j := &c.Jobs[i]
		tasks[i] = goodput.Task{ID: int32(i), Curve: &goodput.Curve{}, Least: 1, Most: c.most(i), Step: 1,
			Nodes: int32(c.Nodes), Now: c.Now[i], Discount: goodput.Discount(j.Age, d.Delay, j.Restarts)}
		if j.Profiled {
			n := j.noise()
			tasks[i].Curve.Set(j.perf(), n.At(1), j.batches())
		}
	}
	s := goodput.Search{Power: d.Power}
	for i := range c.States {
		st := &c.States[i]
		st.Fitness, st.Utility = s.Judge(tasks, capacity, st.Allocation)
		st.Speedup = make([]float64, len(tasks))
		for j, row := range st.Allocation {
			gpus, nodes := int32(0), 0
			for _, v := range row {
				if gpus += v; v > 0 {
					nodes++
				}
			}
			if gpus > 0 {
				st.Speedup[j] = s.Speedup(j, gpus, nodes > 1)
			}
		}
	}
	c.Fair.Nodes, c.Fair.Replicas = 1, s.Fair()
}
