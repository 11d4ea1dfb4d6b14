package edit

import (
	"strconv"
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

// Fields of a job.
const (
	JobGPUs = iota
	JobSteps
	JobArrival
	JobWeight
	JobSLO
	JobMin
	JobMax
	JobCPUs
	JobMemory
	JobOverhead
	JobLeast
	JobMost
	JobCheck
	JobChange
	JobBand
)

var jobNumbers = [...]struct{ member, name string }{
	{"gpus", "GPUs"}, {"steps", "steps"}, {"arrival_s", "arrival"}, {"weight", "weight"}, {"slo_s", "deadline"},
	{"elastic/min", "least GPUs"}, {"elastic/max", "most GPUs"},
	{"cpus", "CPUs"}, {"memory_gb", "memory"},
	{"balance/overhead", "overhead"}, {"balance/least", "least share"}, {"balance/most", "greatest share"},
	{"balance/check_s", "period of checks"}, {"balance/change_s", "stall for a change"},
	{"balance/band", "dead band"},
}

// JobForm is a number of a job.
func JobForm(job, field int) Figure {
	at := "/scenario/jobs/" + itoa(job) + "/" + jobNumbers[field].member
	f := number(at, "", "", "", "")
	if field == JobCPUs || field == JobMemory {
		f = number(at, "", "", "", "as its model")
	}
	f.Name = words.T(jobNumbers[field].name)
	return f
}

// SetJob sets a number of a job.
type SetJob struct {
	Job, Field int
	Value      float64
}

// Of is the edit with another number.
func (e SetJob) Of(v float64) Edit {
	e.Value = v
	return e
}

func (e SetJob) Key() string { return "job " + itoa(e.Job) + " " + itoa(e.Field) }
func (e SetJob) Change(d *scenario.Document) string {
	if e.Job >= len(d.Scenario.Jobs) {
		return ""
	}
	if e.Field >= JobOverhead {
		return e.setBalance(&d.Scenario.Jobs[e.Job])
	}
	if e.Field == JobMin || e.Field == JobMax {
		return e.setRange(&d.Scenario.Jobs[e.Job])
	}
	f := JobForm(e.Job, e.Field)
	f.Name = words.F("{0}, {1}", d.Scenario.Jobs[e.Job].ID, f.Name)
	return SetFigure{f, e.Value}.Change(d)
}

// SetModel sets a job's model and batch size to those of a throughput row.
type SetModel struct{ Job, Row int }

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
	if j.Balance != nil {
		own := *j.Balance
		j.Balance = &own
	}
	j.ID = nextJob(s.Jobs)
	s.Jobs = inserted(s.Jobs, at, j)
	return words.F("{0} added: {1}, {2}", j.ID, ModelName(j.Model, j.Batch), words.Plural(j.GPUs, "GPU"))
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

func (e MoveJob) Change(d *scenario.Document) string {
	jobs := d.Scenario.Jobs
	if !swapped(jobs, e.Job) {
		return ""
	}
	return words.F("{0} and {1} changed places", jobs[e.Job+1].ID, jobs[e.Job].ID)
}
