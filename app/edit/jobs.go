package edit

import (
	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
	"strconv"
	"strings"
)

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
	return words.F("{0} added: {1}, {2}", j.ID, ModelName(j.Model, j.Batch), figure.Plural(j.GPUs, "GPU"))
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
