package metric

import (
	"cmp"

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
func Waits(t *trace.Trace) []Wait {
	s := &t.Spans
	held := unit.Order(s.Len(), func(a, b int32) int {
		return cmp.Or(cmp.Compare(s.Job[a], s.Job[b]), cmp.Compare(s.From[a], s.From[b]))
	})
	var out []Wait
	for j := range t.Jobs {
		row, job := &t.Jobs[j], int32(j)
		at, end := row.Arrive, t.End
		if row.Finish >= 0 {
			end = row.Finish
		}
		for ; len(held) > 0 && s.Job[held[0]] == job; held = held[1:] {
			if from := min(s.From[held[0]], end); at < from {
				out = append(out, Wait{job, at, from})
			}
			at = max(at, s.To[held[0]])
		}
		if at < end {
			out = append(out, Wait{job, at, end})
		}
	}
	return out
}
