package imports

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// polluxRun is one configuration of a Pollux application: the steps that training takes at a fixed batch, and
// the seconds they took alone on so many T4 GPUs, four to a node.
type polluxRun struct {
	app             string
	batch, replicas int
	steps, seconds  float64
}

// polluxRuns are the configurations of the published workloads (Pollux, OSDI 2021, its artifact's profiles).
var polluxRuns = []polluxRun{
	{"bert", 384, 6, 480, 3055.74},
	{"bert", 384, 8, 480, 2480.29},
	{"bert", 384, 12, 480, 1589.2},
	{"bert", 384, 16, 480, 1334.89},
	{"cifar10", 2048, 6, 3178, 854.175},
	{"cifar10", 2048, 8, 3178, 826.065},
	{"cifar10", 4096, 12, 2011, 573.181},
	{"cifar10", 4096, 16, 2011, 449.447},
	{"deepspeech2", 320, 6, 2264, 4153.24},
	{"deepspeech2", 320, 8, 2264, 3500.85},
	{"deepspeech2", 640, 12, 1423, 2572.67},
	{"imagenet", 3200, 24, 42123, 31395.6},
	{"imagenet", 6400, 32, 23972, 26207.4},
	{"imagenet", 6400, 48, 23972, 18879.6},
	{"ncf", 32768, 1, 1548, 32.9964},
	{"yolov3", 64, 4, 14577, 12869.9},
}

// pollux reads a workload of Pollux or Sia: columns time, application, num_replicas and batch_size, and name
// where present; or arrival_s, app, replicas, batch and job. A column workload tells several workloads in one file
// apart, of which one is read: they began at the same time on different days. An application becomes a model and the
// replicas asked for a fixed gang.
func (im *importer) pollux(in *input) bool {
	if !im.setup([]TypeCount{{"t4", 64}}) {
		return false
	}
	const workload = "workload"
	known := []string{"name", "time", "application", "num_replicas", "batch_size"}
	short := []string{"job", "arrival_s", "app", "replicas", "batch"}
	t, ok := im.open(in, append(append([]string{workload}, short...), known...), nil)
	if !ok {
		return false
	}
	names := known
	if _, has := t.at["app"]; has {
		names = short
	}
	if !im.needs(t, names[1:]) {
		return false
	}
	base, _ := scenario.CatalogueType("t4")
	for _, c := range im.o.Cluster {
		if typ, ok := scenario.CatalogueType(c.Type); !ok {
			return im.refuse(0, codeBadOption,
				words.Say("the speed of {0} against a t4 is unknown", text.Quote(c.Type)),
				words.Say("Choose types among {0}.", catalogueNames()))
		} else if c.Type != "t4" {
			im.assume(words.Say("{0} is {1} times as fast as a t4, by single-precision rate", c.Type,
				strconv.FormatFloat(typ.FP32TFLOPS/base.FP32TFLOPS, 'g', 3, 64)))
		}
	}
	_, several := t.at[workload]
	if im.o.Workload != "" && !several {
		return im.refuse(1, codeBadOption, words.Say("the trace has no column {0}", workload),
			words.Say("Leave out which workload to read."))
	}
	read := func() *fault {
		if several && !im.ofWorkload(t.cell(workload)) {
			return aside
		}
		return im.polluxJob(t, names, base.FP32TFLOPS)
	}
	if !im.each(&t.rows, read) || !im.whichWorkload() {
		return false
	}
	im.assume(words.Say("a request is a fixed gang, and its batch stays: no elastic sizes, no adaptive batch"))
	im.assume(words.Say("steps and speeds are those measured alone on T4 GPUs, four to a node"))
	return true
}

// maxWorkloads is how many are listed.
const maxWorkloads = 64

// ofWorkload notes the workload of a row and says whether it is the one to read.
func (im *importer) ofWorkload(name string) bool {
	r := &im.report
	if r.Workload == "" {
		if r.Workload = im.o.Workload; r.Workload == "" {
			r.Workload = strings.Clone(name)
		}
	}
	if len(r.Workloads) < maxWorkloads && !slices.Contains(r.Workloads, name) {
		r.Workloads = append(r.Workloads, strings.Clone(name))
	}
	return name == r.Workload
}

// whichWorkload says which one was read, or that there is none of that name.
func (im *importer) whichWorkload() bool {
	r := &im.report
	names := make([]string, len(r.Workloads))
	for i, name := range r.Workloads {
		names[i] = text.Clip(name)
	}
	all := strings.Join(names, ", ")
	switch {
	case im.o.Workload != "" && r.Read == 0:
		return im.refuse(0, codeBadOption,
			words.Say("the trace has no workload {0}; it has {1}", text.Quote(im.o.Workload), all),
			words.Say("Choose one of these."))
	case len(names) > 1:
		im.assume(words.Say("workload {0} of those in the file, which are {1}; the others are not read",
			text.Clip(r.Workload), all))
	}
	return true
}

func (im *importer) polluxJob(t *named, names []string, t4 float64) *fault {
	t.why = nil
	arrival := t.number(names[1], 0, scenario.MaxSeconds)
	replicas, batch := t.number(names[3], 1, scenario.MaxGangGPUs), t.number(names[4], 1, scenario.MaxBatch)
	if t.why != nil {
		return t.why
	}
	app := t.cell(names[2])
	for i := range polluxRuns {
		if r := &polluxRuns[i]; r.app == app && float64(r.batch) == batch && float64(r.replicas) == replicas {
			j := scenario.Job{ID: im.polluxID(app, t.cell(names[0])), Model: app, Batch: r.batch, ArrivalS: arrival,
				GPUs: r.replicas, Steps: r.steps, Weight: scenario.DefaultWeight}
			why := im.add(j, names[0])
			if why == nil {
				im.polluxRow(r, t4)
			}
			return why
		}
	}
	return &fault{words.Say("no speed for its configuration"),
		words.Say("no speed is known of {0} with batch {1} on {2}", text.Quote(app), text.Number(batch),
			text.Plural(int(replicas), "GPU"))}
}

// polluxID keeps a name like cifar10-3, and makes one of a plain number.
func (im *importer) polluxID(app, name string) string {
	if _, err := strconv.Atoi(name); err == nil {
		name = app + "-" + name
	}
	return im.id(name)
}

// polluxRow adds the speed of a configuration.
func (im *importer) polluxRow(r *polluxRun, t4 float64) {
	key := r.app + " " + strconv.Itoa(r.batch)
	i, ok := im.rows[key]
	if !ok {
		i = len(im.s.Throughputs.Rows)
		im.rows[key] = i
		im.s.Throughputs.Rows = append(im.s.Throughputs.Rows,
			scenario.Row{Model: r.app, Batch: r.batch, Source: "Pollux artifact, measured on T4"})
	}
	row := &im.s.Throughputs.Rows[i]
	for _, c := range im.o.Cluster {
		typ, _ := scenario.CatalogueType(c.Type)
		rate := r.steps / r.seconds * typ.FP32TFLOPS / t4
		if r.replicas == 1 {
			setRate(&row.PerGPU, c.Type, rate)
		} else {
			setSize(&row.Gang, c.Type, strconv.Itoa(r.replicas), rate)
		}
	}
}
