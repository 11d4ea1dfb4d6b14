package imports

import (
	"io"
	"math"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// paiColumns are those of pai_task_table, in order: the published file has no header row.
var paiColumns = []string{"job_name", "task_name", "inst_num", "status", "start_time", "end_time", "plan_cpu",
	"plan_mem", "plan_gpu", "gpu_type"}

// paiTypes are the catalogue's names for the trace's. MISC is a mixture of older boards (K40m, K80, M60).
var paiTypes = map[string]string{"T4": "t4", "P100": "p100", "V100": "v100", "V100M32": "v100", "MISC": "k80"}

// pai reads the task table of the Alibaba PAI trace of 2020. The tasks of a job with GPUs become one gang:
// plan_gpu is in hundredths of a GPU for each of inst_num instances, and the sum is rounded up to whole GPUs,
// because the model's GPUs are not shared. A job lasts from the first start of these tasks to the last end.
func (im *importer) pai(in *input) bool {
	if !im.setup(defaultCluster) || !im.reference() {
		return false
	}
	t := &named{rows: rows{in: in, sep: separator([]byte(firstLine(in.start()))), quotes: true}, known: paiColumns,
		at: map[string]int{}}
	for i, name := range paiColumns {
		t.at[name] = i
	}
	first, _, _ := strings.Cut(firstLine(in.start()), string(t.sep))
	if strings.EqualFold(strings.Trim(first, ` "`), "job_name") {
		if err := t.next(); err != nil && err != io.EOF {
			return im.refuse(1, codeUnreadable, words.Say("the header cannot be read: {0}", err.Error()),
				words.Say("Check the file."))
		}
		if ok := im.header(t); !im.needs(t, []string{"job_name", "inst_num", "start_time", "end_time", "plan_gpu"}) ||
			!ok {
			return false
		}
	} else {
		im.assume(words.Say("columns are those of pai_task_table, which has no header"))
	}
	im.clock, im.host = true, paiHost
	if !im.each(&t.rows, func() *fault { return im.paiTask(t) }) {
		return false
	}
	im.assume(words.Say(
		"plan_gpu 50 is half a GPU for each instance; a job's tasks make one gang, rounded up to whole GPUs"))
	im.assume(words.Say("a job arrives when its first task with GPUs starts: the task table has no submission"))
	im.paiTimes()
	im.paiJobs()
	return true
}

// paiTimes says what time on a type counts as: where the speed of the reference type is not known, as time on that one.
func (im *importer) paiTimes() {
	var known []string
	for _, name := range jsondoc.Keys(paiTypes) {
		if _, how := im.against(paiTypes[name], im.o.Reference); how != unknown {
			known = append(known, name+" as "+paiTypes[name])
		}
	}
	switch len(known) {
	case len(paiTypes):
		im.assume(words.Say(
			"time on T4, P100 and V100 counts as such, on V100M32 as v100, on MISC (older boards) as k80, otherwise as the reference type"))
	case 0:
		im.assume(words.Say("time on any type counts as on the reference type, whose speed beside others is not known"))
	default:
		im.assume(words.Say("recorded time counts on {0}, and on any other type as on the reference type, whose speed beside others is not known",
			strings.Join(known, ", ")))
	}
}

// paiTask adds a task to its job.
func (im *importer) paiTask(t *named) *fault {
	t.why = nil
	if len(t.cells) < 9 && len(t.at) >= len(paiColumns) {
		return &fault{words.Say("too few columns"), words.Say("it has {0}; the task table has {1}",
			jsondoc.Plural(len(t.cells), "column"), len(paiColumns))}
	}
	if t.cell("plan_gpu") == "" {
		return &fault{words.Say("no GPU"), words.Say("it asks for no GPU")}
	}
	percent := t.number("plan_gpu", 0, 100*scenario.MaxGangGPUs)
	instances := t.number("inst_num", 1, scenario.MaxGangGPUs)
	switch {
	case t.why != nil:
		return t.why
	case percent == 0:
		return &fault{words.Say("no GPU"), words.Say("it asks for no GPU")}
	case t.cell("start_time") == "" || t.cell("end_time") == "":
		return &fault{words.Say("no start or no end"), words.Say("it has no start or no end")}
	}
	cpus := instances * t.optional("plan_cpu", 100*scenario.MaxHost) / 100
	memory := instances * t.optional("plan_mem", scenario.MaxHost)
	start, end := t.number("start_time", 0, 1e12), t.number("end_time", 0, 1e12)
	name := t.cell("job_name")
	switch {
	case t.why != nil:
		return t.why
	case end <= start:
		return &fault{words.Say("no run time"),
			words.Say("it ends at {0} s and starts at {1} s", jsondoc.Number(end), jsondoc.Number(start))}
	case end-start > maxRecorded:
		return &fault{words.Say("too long"),
			words.Say("it ran for {0} s; the most is {1}", jsondoc.Number(end-start), jsondoc.Number(maxRecorded))}
	case name == "" || scenario.Slug(strings.ToLower(name)) != strings.ToLower(name):
		return &fault{words.Say("job_name is no id"),
			words.Say("job_name is {0}, which no id can be", jsondoc.Quote(strings.ToValidUTF8(name, "?")))}
	}
	return im.paiAdd(candidate{Job: scenario.Job{ID: strings.ToLower(name), Model: im.recordedOn(t.cell("gpu_type")),
		ArrivalS: start, Weight: scenario.DefaultWeight, CPUs: cpus, MemoryGB: memory},
		line: im.line, rows: 1, end: end, gpus: instances * percent / 100})
}

// paiAdd makes a candidate of a task, or adds it to the one of its job.
func (im *importer) paiAdd(task candidate) *fault {
	c := im.kept.find(task.ID)
	switch {
	case c != nil:
		c.ArrivalS, c.end = min(c.ArrivalS, task.ArrivalS), max(c.end, task.end)
		c.gpus += task.gpus
		c.CPUs += task.CPUs
		c.MemoryGB += task.MemoryGB
		c.rows++
		return nil
	case im.o.Sample == 0 && len(im.kept.list) >= scenario.FileLimits.Jobs:
		return im.beyond()
	}
	im.kept.add(task)
	return nil
}

// paiHost is what a node has for each of its GPUs: those with two P100 have 64 CPUs and 512 GB, those with two T4 or
// with eight others 96 and 512.
func paiHost(typ string) scenario.Node {
	switch typ {
	case "p100":
		return scenario.Node{CPUs: 64. / 2, MemoryGB: 512. / 2}
	case "t4":
		return scenario.Node{CPUs: 96. / 2, MemoryGB: 512. / 2}
	}
	return scenario.Node{CPUs: 96. / 8, MemoryGB: 512. / 8}
}

// recordedOn is the catalogue's name of the type that a task ran on.
func (im *importer) recordedOn(gpuType string) string {
	if typ, ok := paiTypes[strings.ToUpper(gpuType)]; ok {
		return typ
	}
	return im.o.Reference
}

// paiJobs closes the jobs once all their tasks are known. Until then Model is the type they ran on.
func (im *importer) paiJobs() {
	im.kept.shrink()
	all, parts := im.kept.list, 0
	im.kept.list = all[:0]
	for _, c := range all {
		c.GPUs = int(math.Ceil(c.gpus - 1e-9))
		if c.GPUs > im.gpus {
			im.report.Kept -= c.rows
			im.report.Dropped += c.rows - 1
			im.line = c.line
			im.drop(&fault{words.Say("more GPUs than the cluster has"),
				words.Say("job {0} asks for {1}; the cluster has {2}", c.ID, jsondoc.Plural(c.GPUs, "GPU"), im.gpus)})
			continue
		}
		c.CPUs = min(scenario.MaxHost, jsondoc.Round9(c.CPUs)) // of many instances
		c.MemoryGB = min(scenario.MaxHost, jsondoc.Round9(c.MemoryGB))
		if float64(c.GPUs) != c.gpus {
			parts++
		}
		c.Steps = (c.end - c.ArrivalS) * float64(c.GPUs)
		if by, how := im.against(c.Model, im.o.Reference); how != unknown {
			c.Steps *= by
		}
		c.Model, c.Steps = recordedModel, jsondoc.Round9(c.Steps)
		im.kept.list = append(im.kept.list, c)
	}
	if parts > 0 {
		im.assume(words.Say("jobs that asked for a part of a GPU and get a whole one for it: {0}", parts))
	}
}
