package imports

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// helios reads cluster_log.csv of the Helios traces: a row per job of a Slurm cluster, times of a local
// clock. What ended, however it ended, is a job of the length recorded.
func (im *importer) helios(in *input) bool {
	if !im.setup(defaultCluster) || !im.reference() {
		return false
	}
	t, ok := im.open(in, []string{"job_id", "gpu_num", "cpu_num", "state", "submit_time", "start_time", "end_time",
		"duration"}, []string{"gpu_num", "submit_time"})
	if !ok {
		return false
	}
	_, long := t.at["duration"]
	_, from := t.at["start_time"]
	_, to := t.at["end_time"]
	if !long && !(from && to) {
		return im.refuse(1, codeNoColumn,
			words.Say("the trace has no column {0}, nor {1} and {2}", "duration", "start_time",
				"end_time"),
			words.Say("Name the columns in the first row."))
	}
	im.clock, im.host = true, heliosHost
	return im.each(&t.rows, func() *fault { return im.heliosJob(t, long) })
}

func (im *importer) heliosJob(t *named, long bool) *fault {
	t.why = nil
	gpus := t.number("gpu_num", 0, scenario.MaxGangGPUs)
	switch why := whole("gpu_num", gpus); {
	case t.why != nil:
		return t.why
	case why != nil:
		return why
	case gpus == 0:
		return &fault{words.Say("no GPU"), words.Say("it asks for no GPU")}
	}
	state := t.cell("state")
	switch state {
	case "RUNNING", "PENDING", "SUSPENDED":
		return &fault{words.Say("not ended"), words.Say("its state is {0}", state)}
	}
	submit, ok := clockTime(t.cell("submit_time"))
	if !ok {
		return noTime("submit_time", t.cell("submit_time"))
	}
	var seconds float64
	if long {
		seconds = t.number("duration", 0, maxRecorded)
	} else {
		var from, to float64
		if from, ok = clockTime(t.cell("start_time")); !ok {
			return noTime("start_time", t.cell("start_time"))
		}
		if to, ok = clockTime(t.cell("end_time")); !ok {
			return noTime("end_time", t.cell("end_time"))
		}
		seconds = to - from
	}
	cpus := t.optional("cpu_num", scenario.MaxHost)
	if t.why != nil {
		return t.why
	}
	why := im.ran(scenario.Job{ID: t.cell("job_id"), ArrivalS: submit, GPUs: int(gpus), CPUs: cpus}, seconds)
	if why == nil && state != "" {
		im.tally(state)
	}
	return why
}

// heliosHost is a V100 node's: two Xeon 6146, which have 48 threads, and 376 GB for eight GPUs.
func heliosHost(string) scenario.Node { return scenario.Node{CPUs: 48. / 8, MemoryGB: 376. / 8} }

func noTime(name, cell string) *fault {
	return &fault{words.Say("{0} is no time", name),
		words.Say("{0} is {1}, not a time like {2}", name, jsondoc.Quote(cell),
			"2020-04-08 13:26:12")}
}
