package data

import (
	"hadarlab/core/chart"
	"hadarlab/core/words"
)

func init() { register(3, "queue", "Queue", queue) }

func queue(t *Table, s *Source) words.Text {
	return t.overTime(s, "jobs_waiting", words.Say("Jobs that wait"),
		func(r *Run) chart.Series { return r.lane().Queue(r.Trace.Pace) })
}
