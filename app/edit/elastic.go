package edit

import (
	"cmp"
	"slices"
	"strconv"

	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// setRange sets the least or the most GPUs of a job; 0 = as many as it asks for. A job whose range is what it asks for
// has none.
func (e SetJob) setRange(j *scenario.Job) string {
	r := scenario.Elastic{Min: j.GPUs, Max: j.GPUs}
	if j.Elastic != nil {
		r = *j.Elastic
	}
	at := &r.Min
	if e.Field == JobMax {
		at = &r.Max
	}
	was := *at
	if *at = cmp.Or(int(e.Value), j.GPUs); *at == was {
		return ""
	}
	if j.Elastic = &r; r.Min == j.GPUs && r.Max == j.GPUs && r.Batch == "" && r.Extra == nil {
		j.Elastic = nil
	}
	name := words.F("{0}, {1}", j.ID, JobForm(e.Job, e.Field).Name)
	return words.F("{0}: {1} to {2}", name, itoa(was), itoa(*at))
}

// Rigid is how many listed jobs have no range of sizes; drawn ones have none.
func Rigid(d *scenario.Document) (n int) {
	for i := range d.Scenario.Jobs {
		if d.Scenario.Jobs[i].Elastic == nil {
			n++
		}
	}
	if g := d.Scenario.Generator; g != nil {
		n += max(1, g.Count)
	}
	return n
}

// MakeElastic gives every job that has none a range of sizes, from one GPU on; or takes all ranges away.
type MakeElastic struct{ Off bool }

func (e MakeElastic) Change(d *scenario.Document) string {
	if e.Off {
		for i := range d.Scenario.Jobs {
			d.Scenario.Jobs[i].Elastic = nil
		}
		return words.T("No job is elastic any more")
	}
	if d.Scenario.Generator != nil { // a range belongs to a written job
		*d = *scenario.Freeze(d)
	}
	n := 0
	for i := range d.Scenario.Jobs {
		if j := &d.Scenario.Jobs[i]; j.Elastic == nil {
			j.Elastic = &scenario.Elastic{Min: 1, Max: mostUseful(d, j)}
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return words.F("{0} made elastic", words.Plural(n, "job"))
}

// setBalance sets what a split by speed can do; 0 = as it is by default.
func (e SetJob) setBalance(j *scenario.Job) string {
	b, std := scenario.NewBalance(), scenario.NewBalance()
	if j.Balance != nil {
		*b = *j.Balance
	}
	of := func(b *scenario.Balance) *float64 {
		return [...]*float64{&b.Overhead, &b.Least, &b.Most, &b.CheckS, &b.ChangeS, &b.Band}[e.Field-JobOverhead]
	}
	at := of(b)
	was := *at
	if *at = cmp.Or(e.Value, *of(std)); *at == was {
		return ""
	}
	if j.Balance = b; b.Plain() {
		j.Balance = nil
	}
	name := words.F("{0}, {1}", j.ID, JobForm(e.Job, e.Field).Name)
	return words.F("{0}: {1} to {2}", name, FormatNumber(was), FormatNumber(*at))
}

// Balanced says whether a job splits its batch by the speeds of its GPUs.
func Balanced(d *scenario.Document) bool {
	return slices.ContainsFunc(d.Scenario.Jobs, func(j scenario.Job) bool { return j.BatchSplit != "" })
}

// Learned says whether a job has to learn how.
func Learned(d *scenario.Document) bool {
	return slices.ContainsFunc(d.Scenario.Jobs, func(j scenario.Job) bool {
		return j.BatchSplit == scenario.SplitLearned
	})
}

// Mixable says whether a job may hold GPUs of several types, so that its batch can be split by their speeds.
func Mixable(d *scenario.Document) bool {
	return len(Types(d)) > 1 && slices.ContainsFunc(d.Scenario.Jobs, wide)
}

func wide(j scenario.Job) bool { return j.GPUs > 1 || j.Elastic != nil && j.Elastic.Max > 1 }

// Balance lets every listed job that may hold several GPUs split its batch by their speeds; or all split it alike.
type Balance struct{ Off bool }

func (e Balance) Change(d *scenario.Document) string {
	n := 0
	for i := range d.Scenario.Jobs {
		j := &d.Scenario.Jobs[i]
		if e.Off {
			j.BatchSplit, j.Balance = "", nil
		} else if wide(*j) {
			j.BatchSplit = scenario.SplitBalanced
			n++
		}
	}
	if e.Off {
		return words.T("Every batch is split alike")
	}
	return words.F("Batches of {0} split by speed", words.Plural(n, "job"))
}

// mostUseful is the largest gang worth giving a job: as large as its model was measured on a GPU type, or twice what it
// asks for where it was not; four times of a profiled model, which adapts its batch (ours); no larger than what the
// cluster has of the type.
func mostUseful(d *scenario.Document, j *scenario.Job) int {
	most := j.GPUs
	for i := range d.Scenario.Throughputs.Profiles {
		p := &d.Scenario.Throughputs.Profiles[i]
		for k := range p.Types {
			if p.Model == j.Model {
				most = max(most, min(4*j.GPUs, have(d, p.Types[k].Type)))
			}
		}
	}
	for i := range d.Scenario.Throughputs.Rows {
		r := &d.Scenario.Throughputs.Rows[i]
		if r.Model != j.Model || r.Batch != j.Batch {
			continue
		}
		for _, t := range Types(d) {
			top := 0
			for size := range r.Gang[t] { // a maximum: the order is immaterial
				n, _ := strconv.Atoi(size)
				top = max(top, n)
			}
			if n := min(cmp.Or(top, 2*j.GPUs), have(d, t)); n > 0 && r.Speed(t, n) > 0 {
				most = max(most, n)
			}
		}
	}
	return most
}

// have is how many GPUs of a type the nodes have.
func have(d *scenario.Document, typ string) (n int) {
	for i := range d.Scenario.Cluster.Nodes {
		n += d.Scenario.Cluster.Nodes[i].GPUs[typ]
	}
	return n
}

// TwoRacks puts the second half of the nodes into a rack of its own.
type TwoRacks struct{}

func (TwoRacks) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	if len(c.Nodes) < 2 {
		return ""
	}
	name := freeRack(c)
	for i := len(c.Nodes) / 2; i < len(c.Nodes); i++ {
		c.Nodes[i].Rack = name
	}
	return words.F("Nodes from {0} on put into rack {1}", c.Nodes[len(c.Nodes)/2].ID, name)
}

// OneGPU lets every job ask for one GPU.
type OneGPU struct{}

func (OneGPU) Change(d *scenario.Document) string {
	if d.Scenario.Generator != nil {
		*d = *scenario.Freeze(d)
	}
	for i := range d.Scenario.Jobs {
		j := &d.Scenario.Jobs[i]
		j.GPUs, j.Elastic = 1, nil
	}
	return words.T("Every job asks for one GPU")
}

// KnowLengths lets policies know how long jobs are.
type KnowLengths struct{}

func (KnowLengths) Change(d *scenario.Document) string {
	d.Scenario.Knowledge.Lengths = ""
	return words.T("Policies know the lengths of jobs")
}

// Need is something that a policy needs of a scenario, or makes use of.
type Need struct {
	ID    string // as the engine's catalogue calls it
	Name  string
	Lack  string // what it means that the scenario has none
	Offer string // on the button that makes it
	Make  Edit   // nil = a preset has it
	Met   func(d *scenario.Document) bool
}

// ProfiledPreset is a preset whose models all have profiles: no edit makes up a profile.
const ProfiledPreset = "pollux-world"

// Needs are those that a policy may have, in the order in which they are said.
var Needs = [...]Need{
	{"lengths", "known lengths of jobs", "It plans by the lengths of jobs, and they are hidden here.",
		"Let policies know them", KnowLengths{},
		func(d *scenario.Document) bool { return d.Scenario.Knowledge.Lengths != "unknown" }},
	{"single_gpu", "jobs of one GPU", "It serves jobs of one GPU only, and one here asks for more.",
		"Let every job ask for one", OneGPU{}, func(d *scenario.Document) bool {
			for i := range d.Scenario.Jobs {
				if d.Scenario.Jobs[i].GPUs > 1 {
					return false
				}
			}
			return true
		}},
	{"elastic", "elastic jobs", "It changes the sizes of jobs, and none here has a range of them.",
		"Make the jobs elastic", MakeElastic{},
		func(d *scenario.Document) bool { return Rigid(d) < len(d.Scenario.Jobs) }},
	{"profiles", "profiles of models",
		"It plans by what a model's profile says of its speed at every batch and size, and a job here has none.",
		"Open a preset that has them",
		nil, func(d *scenario.Document) bool {
			profiled := map[string]bool{}
			for i := range d.Scenario.Throughputs.Profiles {
				profiled[d.Scenario.Throughputs.Profiles[i].Model] = true
			}
			for i := range d.Scenario.Jobs {
				if !profiled[d.Scenario.Jobs[i].Model] {
					return false
				}
			}
			return true
		}},
	{"racks", "racks", "It weighs how far apart GPUs lie, and all nodes here are in one rack.", "Make two racks",
		TwoRacks{}, func(d *scenario.Document) bool {
			names, _ := Racks(&d.Scenario.Cluster)
			return len(names) > 1 || len(d.Scenario.Cluster.Nodes) < 2 // one node has no distances
		}},
}
