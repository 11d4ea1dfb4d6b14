package metric

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Wait is a half-open stretch of time in which a job that has arrived and is not finished holds no GPU.
type Wait struct {
	Job      int32
	From, To unit.Tick
}

// Waits are the waits of a run, by job and then by time. A job that is unfinished waits to the run's end at most.
// Figures and pictures count the same ones.
func Waits(t *trace.Trace) []Wait { return newOrder(t).waits(t) }

func (o *order) waits(t *trace.Trace) (out []Wait) {
	s := &t.Spans
	for j := range t.Jobs {
		row, job := &t.Jobs[j], int32(j)
		at, end := row.Arrive, t.End
		if row.Finish >= 0 {
			end = row.Finish
		}
		for _, i := range o.of(j, o.ofBegan) {
			t.Pace.Did(1)
			if from := min(s.From[i], end); at < from {
				out = append(out, Wait{job, at, from})
			}
			at = max(at, s.To[i])
		}
		if at < end {
			out = append(out, Wait{job, at, end})
		}
	}
	return out
}
