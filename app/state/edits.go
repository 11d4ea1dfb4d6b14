package state

import (
	"strconv"
	"strings"

	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// SetGPUs sets the number of GPUs of a type on a node; 0 takes the type away.
type SetGPUs struct {
	Node, N int
	Type    string
}

func (e SetGPUs) Key() string { return "gpus " + itoa(e.Node) + " " + e.Type }
func (e SetGPUs) Change(d *scenario.Document) string {
	nodes := d.Scenario.Cluster.Nodes
	if e.Node >= len(nodes) || nodes[e.Node].GPUs[e.Type] == e.N {
		return ""
	}
	n := &nodes[e.Node]
	old := n.GPUs[e.Type]
	if n.GPUs == nil {
		n.GPUs = map[string]int{}
	}
	n.GPUs[e.Type] = e.N
	return words.F("{0} on {1}: {2} to {3}", figure.TypeTitle(e.Type), n.ID, itoa(old), itoa(e.N))
}

// RemoveType takes a GPU type off a node.
type RemoveType struct {
	Node int
	Type string
}

func (e RemoveType) Key() string { return "" }
func (e RemoveType) Change(d *scenario.Document) string {
	n := &d.Scenario.Cluster.Nodes[e.Node]
	if _, ok := n.GPUs[e.Type]; !ok {
		return ""
	}
	delete(n.GPUs, e.Type)
	return words.F("{0} removed from {1}", figure.TypeTitle(e.Type), n.ID)
}

// AddNode adds a node like the last one.
type AddNode struct{}

func (AddNode) Key() string { return "" }
func (AddNode) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	n := scenario.Node{ID: freeNode(c), Rack: "r1", GPUs: map[string]int{"v100": 2}}
	if k := len(c.Nodes); k > 0 {
		n = likeNode(&c.Nodes[k-1], n.ID, c.Nodes[k-1].Rack)
	}
	c.Nodes = append(c.Nodes, n)
	return words.F("{0} added: {1}", n.ID, gpuWords(n.GPUs))
}

// RemoveNode takes a node away.
type RemoveNode struct{ Node int }

func (e RemoveNode) Key() string { return "" }
func (e RemoveNode) Change(d *scenario.Document) string {
	c := &d.Scenario.Cluster
	if e.Node >= len(c.Nodes) {
		return ""
	}
	id := c.Nodes[e.Node].ID
	c.Nodes = removed(c.Nodes, e.Node)
	return words.F("{0} removed", id)
}

func gpuWords(gpus map[string]int) string {
	var parts []string
	for _, t := range sortedKeys(gpus) {
		parts = append(parts, itoa(gpus[t])+" × "+figure.TypeTitle(t))
	}
	return strings.Join(parts, ", ")
}

// freeID is prefix and the first number from n on that is not taken.
func freeID(prefix string, n int, taken func(string) bool) string {
	for ; taken(prefix + itoa(n)); n++ {
	}
	return prefix + itoa(n)
}

// Fields of a job.
const (
	JobGPUs = iota
	JobSteps
	JobArrival
	JobWeight
	JobSLO
)

var jobFields = [...]struct {
	Name  string
	Range Range
}{
	{"GPUs", Range{Min: 1, Max: 100000, Whole: true}},
	{"steps", Range{Min: 0, Max: 1e15, Open: true}},
	{"arrival", Range{Min: 0, Max: 1e9, Unit: "s"}},
	{"weight", Range{Min: 0, Max: 1e6, Open: true}},
	{"deadline", Range{Min: 0, Max: 1e9, Unit: "s"}},
}

// JobField describes a number of a job.
func JobField(field int) (name string, r Range) {
	return words.T(jobFields[field].Name), jobFields[field].Range
}

var jobMembers = [...]string{"gpus", "steps", "arrival_s", "weight", "slo_s"}

// JobPath is the pointer to a number of a job.
func JobPath(job, field int) string { return "/scenario/jobs/" + itoa(job) + "/" + jobMembers[field] }

// SetJob sets a number of a job.
type SetJob struct {
	Job, Field int
	Value      float64
}

func (e SetJob) Key() string { return "job " + itoa(e.Job) + " " + itoa(e.Field) }
func (e SetJob) Change(d *scenario.Document) string {
	if e.Job >= len(d.Scenario.Jobs) {
		return ""
	}
	j := &d.Scenario.Jobs[e.Job]
	old := JobValue(j, e.Field)
	if old == e.Value {
		return ""
	}
	switch e.Field {
	case JobGPUs:
		j.GPUs = int(e.Value)
	case JobSteps:
		j.Steps = e.Value
	case JobArrival:
		j.ArrivalS = e.Value
	case JobWeight:
		j.Weight = e.Value
	case JobSLO:
		j.SLOS = e.Value
	}
	return words.F("{0}, {1}: {2} to {3}", j.ID, words.T(jobFields[e.Field].Name), FormatNumber(old),
		FormatNumber(e.Value))
}

// JobValue reads a number of a job.
func JobValue(j *scenario.Job, field int) float64 {
	return [...]float64{float64(j.GPUs), j.Steps, j.ArrivalS, j.Weight, j.SLOS}[field]
}

// SetModel sets a job's model and batch size to those of a throughput row.
type SetModel struct{ Job, Row int }

func (e SetModel) Key() string { return "" }
func (e SetModel) Change(d *scenario.Document) string {
	j, r := &d.Scenario.Jobs[e.Job], &d.Scenario.Throughputs.Rows[e.Row]
	if j.Model == r.Model && j.Batch == r.Batch {
		return ""
	}
	old := ModelName(j.Model, j.Batch)
	j.Model, j.Batch = r.Model, r.Batch
	return words.F("{0}, model: {1} to {2}", j.ID, old, ModelName(j.Model, j.Batch))
}

// ModelName is a model with its batch size, as people say it.
func ModelName(model string, batch int) string {
	if batch == 0 {
		return model
	}
	return words.F("{0}, batch {1}", model, itoa(batch))
}

// AddJob adds a job like the last one; CopyOf copies job CopyOf-1 instead.
type AddJob struct{ CopyOf int }

func (AddJob) Key() string { return "" }
func (e AddJob) Change(d *scenario.Document) string {
	if d.Scenario.Generator != nil { // one job more stands beside written ones
		*d = *scenario.Freeze(d)
	}
	s := &d.Scenario
	j := scenario.Job{GPUs: 1, Steps: 10000, Weight: 1}
	if len(s.Throughputs.Rows) > 0 {
		j.Model, j.Batch = s.Throughputs.Rows[0].Model, s.Throughputs.Rows[0].Batch
	}
	at := len(s.Jobs)
	switch {
	case e.CopyOf > 0 && e.CopyOf <= len(s.Jobs):
		at = e.CopyOf
		j = s.Jobs[at-1]
	case len(s.Jobs) > 0:
		j = s.Jobs[len(s.Jobs)-1]
	}
	j.Elastic, j.Extra = nil, nil
	j.ID = nextJob(s.Jobs)
	s.Jobs = inserted(s.Jobs, at, j)
	return words.F("{0} added: {1}, {2}", j.ID, ModelName(j.Model, j.Batch), plural(j.GPUs, "GPU"))
}

// nextJob is the id of a job more: a number above all of the kind, which takes no other job's colour.
func nextJob(jobs []scenario.Job) string {
	last := len(jobs)
	for i := range jobs {
		if number, ok := strings.CutPrefix(jobs[i].ID, "j"); ok {
			if n, err := strconv.Atoi(number); err == nil && n < 1e15 {
				last = max(last, n)
			}
		}
	}
	return "j" + itoa(last+1)
}

// RemoveJob takes a job away.
type RemoveJob struct{ Job int }

func (e RemoveJob) Key() string { return "" }
func (e RemoveJob) Change(d *scenario.Document) string {
	if e.Job >= len(d.Scenario.Jobs) {
		return ""
	}
	id := d.Scenario.Jobs[e.Job].ID
	d.Scenario.Jobs = removed(d.Scenario.Jobs, e.Job)
	return words.F("{0} removed", id)
}

// MoveJob changes places with the next job. Of jobs that arrive together the earlier one is the older.
type MoveJob struct{ Job int }

func (MoveJob) Key() string { return "" }
func (e MoveJob) Change(d *scenario.Document) string {
	jobs := d.Scenario.Jobs
	if e.Job < 0 || e.Job+1 >= len(jobs) {
		return ""
	}
	jobs[e.Job], jobs[e.Job+1] = jobs[e.Job+1], jobs[e.Job]
	return words.F("{0} and {1} changed places", jobs[e.Job+1].ID, jobs[e.Job].ID)
}

// SetPolicy sets the policy of a lane, with its default parameters.
type SetPolicy struct {
	Lane      int
	ID, Title string
	Rev       int
}

func (e SetPolicy) Key() string { return "" }
func (e SetPolicy) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || p[e.Lane].ID == e.ID {
		return ""
	}
	p[e.Lane] = scenario.Policy{ID: e.ID, Rev: max(1, e.Rev)}
	return words.F("Lane {0}: {1}", LaneLetter(e.Lane), words.T(e.Title))
}

// LaneLetter is A, B or C.
func LaneLetter(lane int) string { return string(rune('A' + lane)) }

// AddLane adds a lane; RemoveLane takes one away.
type AddLane struct {
	ID, Title string
	Rev       int
}

// MaxLanes is how many policies are run side by side.
const MaxLanes = 3

func (AddLane) Key() string { return "" }
func (e AddLane) Change(d *scenario.Document) string {
	if len(d.Scenario.Policies) >= MaxLanes {
		return ""
	}
	d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: e.ID, Rev: max(1, e.Rev)})
	return words.F("Lane {0} added: {1}", LaneLetter(len(d.Scenario.Policies)-1), words.T(e.Title))
}

type RemoveLane struct{ Lane int }

func (RemoveLane) Key() string { return "" }
func (e RemoveLane) Change(d *scenario.Document) string {
	p := d.Scenario.Policies
	if e.Lane >= len(p) || len(p) == 1 {
		return ""
	}
	d.Scenario.Policies = removed(p, e.Lane)
	return words.F("Lane {0} removed", LaneLetter(e.Lane))
}

// SetParam sets a parameter of a lane's policy.
type SetParam struct {
	Lane  int
	Param *Param
	Value any
}

func (e SetParam) Key() string {
	if e.Param.Kind == "int" || e.Param.Kind == "float" {
		return "param " + itoa(e.Lane) + " " + e.Param.Name
	}
	return ""
}
func (e SetParam) Change(d *scenario.Document) string {
	p := &d.Scenario.Policies[e.Lane]
	old, ok := p.Params[e.Param.Name]
	if !ok {
		old = e.Param.Default
	}
	if old == e.Value {
		return ""
	}
	if p.Params == nil {
		p.Params = map[string]any{}
	}
	p.Params[e.Param.Name] = e.Value
	if e.Value == e.Param.Default {
		delete(p.Params, e.Param.Name)
	}
	return words.F("Lane {0}, {1}: {2} to {3}", LaneLetter(e.Lane), words.T(e.Param.Title), valueText(old),
		valueText(e.Value))
}

// Settings of the run.
const (
	Round = iota
	Horizon
	Checkpoint
	Restart
	Merge
	Seed
)

var settings = [...]struct {
	Title string
	Range Range
	Path  string
}{
	{"Round length", Range{Min: 1, Max: 1e6, Unit: "s"}, "round_s"},
	{"Horizon", Range{Min: 0, Max: 1e9, Unit: "s"}, "horizon_s"},
	{"Checkpoint", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/checkpoint_s"},
	{"Restart", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/restart_s"},
	{"Merge", Range{Min: 0, Max: 1e6, Unit: "s"}, "overheads/merge_s"},
	{"Seed", Range{Min: 0, Max: 1<<53 - 1, Whole: true}, "seed"},
}

// Setting describes a setting of the run.
func Setting(which int) (title string, r Range) {
	return words.T(settings[which].Title), settings[which].Range
}

// SettingPath is the pointer to a setting.
func SettingPath(which int) string { return "/scenario/" + settings[which].Path }

// SettingValue reads a setting.
func SettingValue(d *scenario.Document, which int) float64 {
	s := &d.Scenario
	return [...]float64{s.RoundS, s.HorizonS, s.Overheads.CheckpointS, s.Overheads.RestartS, s.Overheads.MergeS,
		float64(s.Seed)}[which]
}

// Set sets a setting of the run.
type Set struct {
	Which int
	Value float64
}

func (e Set) Key() string { return "set " + itoa(e.Which) }
func (e Set) Change(d *scenario.Document) string {
	old := SettingValue(d, e.Which)
	if old == e.Value {
		return ""
	}
	s := &d.Scenario
	switch e.Which {
	case Round:
		s.RoundS = e.Value
	case Horizon:
		s.HorizonS = e.Value
	case Checkpoint:
		s.Overheads.CheckpointS = e.Value
	case Restart:
		s.Overheads.RestartS = e.Value
	case Merge:
		s.Overheads.MergeS = e.Value
	case Seed:
		s.Seed = uint64(e.Value)
	}
	return words.F("{0}: {1} to {2}", words.T(settings[e.Which].Title), FormatNumber(old),
		settings[e.Which].Range.say(e.Value))
}

// Rename sets the title.
type Rename struct{ Title string }

func (Rename) Key() string { return "title" }
func (e Rename) Change(d *scenario.Document) string {
	if d.Meta.Title == e.Title {
		return ""
	}
	d.Meta.Title = e.Title
	return words.F("Title: {0}", clip(e.Title))
}
