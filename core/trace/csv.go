package trace

import (
	"io"
	"strconv"

	"hadarlab/core/csv"
	"hadarlab/core/unit"
)

// What has not happened is an empty cell. Times are seconds, to the millisecond.

// seconds writes a time in s without zeros at its end.
func seconds(t unit.Tick) string {
	s, ms := t/unit.Second, t%unit.Second
	if ms == 0 || t < 0 {
		return strconv.FormatFloat(t.Seconds(), 'f', -1, 64)
	}
	b := append(strconv.AppendInt(make([]byte, 0, 24), int64(s), 10), '.', byte('0'+ms/100), byte('0'+ms/10%10),
		byte('0'+ms%10))
	for b[len(b)-1] == '0' {
		b = b[:len(b)-1]
	}
	return string(b)
}

func whole[T int | int32](n T) string { return strconv.Itoa(int(n)) }

var jobColumns = []string{"job_id", "submission_time", "requested_number_of_resources", "success", "final_state",
	"starting_time", "execution_time",
	"finish_time", "waiting_time", "turnaround_time", "stretch", "allocated_resources", "gpu_s", "run_s", "stall_s",
	"hold_s", "starts", "moves", "preemptions"}

// JobsCSV writes a row a job in order of arrival, with Evalys' names for what Evalys knows:
// execution_time is finish − first start, stretch is turnaround_time / execution_time, and
// allocated_resources are all GPUs the job ever held, as in "0-2 7". gpu_s are GPU-seconds held; run_s,
// stall_s and hold_s are seconds, summed over copies.
func JobsCSV(w io.Writer, t *Trace, all []Placement) error {
	spent := make([][3]unit.Tick, len(t.Jobs))
	gpus := make([]unit.Tick, len(t.Jobs))
	for i := range t.Spans.Len() {
		t.Pace.Did(1)
		j, d := t.Spans.Job[i], t.Spans.To[i]-t.Spans.From[i]
		spent[j][t.Spans.Kind[i]] += d
		for _, sh := range t.Spans.At(i) {
			gpus[j] += unit.Tick(sh.N) * d
		}
	}
	out := csv.NewWriter(w)
	out.Row(jobColumns...)
	ever := make([]bool, t.GPUs())
	for i, held := range byJob(t, all) {
		j := &t.Jobs[i]
		clear(ever)
		for _, p := range held {
			t.Pace.Did(1)
			for _, g := range p.GPUs {
				ever[g] = true
			}
		}
		row := []string{j.Name, seconds(j.Arrive), whole(j.GPUs)}
		row = append(row, outcome(t, j, len(held) > 0 && held[len(held)-1].To >= t.End)...)
		row = append(row, times(j.Arrive, j.Start, j.Finish)...)
		row = append(row, intervals(ones(ever)), seconds(gpus[i]), seconds(spent[i][Run]), seconds(spent[i][Stall]),
			seconds(spent[i][Hold]),
			whole(j.Starts), whole(j.Moved), whole(j.Preempted))
		if !out.Row(row...) {
			break
		}
	}
	return out.Flush()
}

// ones are the indices of what is true.
func ones(set []bool) (out []int32) {
	for i, in := range set {
		if in {
			out = append(out, int32(i))
		}
	}
	return out
}

// outcome gives success and final_state, in Batsim's words.
func outcome(t *Trace, j *Job, running bool) []string {
	switch {
	case j.Finish >= 0:
		return []string{"1", "COMPLETED_SUCCESSFULLY"}
	case j.Arrive > t.End:
		return []string{"0", "NOT_SUBMITTED"}
	case running:
		return []string{"0", "RUNNING"}
	}
	return []string{"0", "SUBMITTED"}
}

// times gives starting, execution, finish, waiting and turnaround times and the stretch; start and
// finish are -1 while they have not happened.
func times(submit, start, finish unit.Tick) []string {
	out := make([]string, 6)
	if start >= 0 {
		out[0], out[3] = seconds(start), seconds(start-submit)
	}
	if finish >= 0 {
		out[1], out[2], out[4] = seconds(finish-start), seconds(finish), seconds(finish-submit)
		if finish > start {
			out[5] = strconv.FormatFloat(float64(finish-submit)/float64(finish-start), 'g', 9, 64)
		}
	}
	return out
}

// intervals writes ascending numbers as "0-2 7".
func intervals(set []int32) string {
	var b []byte
	for i := 0; i < len(set); {
		last := i
		for last+1 < len(set) && set[last+1] <= set[last]+1 {
			last++
		}
		if len(b) > 0 {
			b = append(b, ' ')
		}
		b = strconv.AppendInt(b, int64(set[i]), 10)
		if set[last] > set[i] {
			b = strconv.AppendInt(append(b, '-'), int64(set[last]), 10)
		}
		i = last + 1
	}
	return string(b)
}

var evalysColumns = []string{"job_id", "submission_time", "requested_number_of_resources", "requested_time", "success",
	"final_state", "starting_time",
	"execution_time", "finish_time", "waiting_time", "turnaround_time", "stretch", "allocated_resources"}

// EvalysCSV writes the table that Evalys reads and Batsim writes. A row there is a job that holds the
// same resources from its start to its finish; so a job that was preempted, moved or forked has a row
// for each stretch, named job#1, job#2, … and submitted when the stretch before ended, as Batsim names
// jobs that are submitted again. Unknown walltimes are -1. Jobs that never started have empty cells.
func EvalysCSV(w io.Writer, t *Trace, all []Placement) error {
	out := csv.NewWriter(w)
	out.Row(evalysColumns...)
	for i, held := range byJob(t, all) {
		j := &t.Jobs[i]
		if len(held) == 0 {
			row := append([]string{j.Name, seconds(j.Arrive), whole(j.GPUs), "-1"}, outcome(t, j, false)...)
			out.Row(append(append(row, times(j.Arrive, -1, -1)...), "")...)
			continue
		}
		before := j.Arrive
		for k, p := range held {
			name, submit, finish := j.Name, min(before, p.From), p.To
			if len(held) > 1 {
				name += "#" + whole(k+1)
			}
			state := []string{"0", "COMPLETED_KILLED"}
			switch {
			case t.cut(int32(i), p.To):
				state, finish = []string{"0", "RUNNING"}, -1
			case p.To == j.Finish:
				state = outcome(t, j, false)
			}
			row := append([]string{name, seconds(submit), whole(len(p.GPUs)), "-1"}, state...)
			row = append(row, times(submit, p.From, finish)...)
			if !out.Row(append(row, intervals(p.GPUs))...) {
				return out.Flush()
			}
			before = max(before, p.To)
		}
	}
	return out.Flush()
}
