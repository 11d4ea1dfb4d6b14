package imports

import (
	"bytes"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// swfFields is the number of fields of a job in the Standard Workload Format (Feitelson's archive,
// version 2.2): -1 stands for what is unknown.
const swfFields = 18

// Fields of a job, counted from 0.
const (
	swfNumber    = 0
	swfSubmit    = 1
	swfRun       = 3
	swfAllocated = 4
	swfRequested = 7
	swfStatus    = 10
)

// swf reads a trace in the Standard Workload Format. A processor becomes a GPU; with no cluster given,
// the comment MaxProcs tells how many there are.
func (im *importer) swf(in *input) bool {
	if !im.setup(im.swfCluster(in.start())) || !im.reference() {
		return false
	}
	im.clock = true
	r := &rows{in: in, sep: '\n'}
	ok := im.each(r, func() *fault {
		if bytes.HasPrefix(r.cells[0], []byte(";")) {
			return aside
		}
		return im.swfJob(string(r.cells[0]))
	})
	if !ok {
		return false
	}
	if im.report.Kept == 0 && im.looks != "" && im.looks != "swf" {
		return im.refuse(1, codeUnreadable, words.Say("no line has 18 fields"), im.otherwise(words.Text{}))
	}
	im.assume(words.Say("a job's processors are those requested, else those allocated, and one processor is one GPU"))
	return true
}

// swfCluster reads the size of the machine from the comments.
func (im *importer) swfCluster(start []byte) []scenario.TypeCount {
	if len(im.o.Cluster) > 0 {
		return nil
	}
	for line := range strings.Lines(string(start)) {
		comment, ok := strings.CutPrefix(line, ";")
		if !ok {
			break
		}
		name, value, _ := strings.Cut(comment, ":")
		if n, err := strconv.Atoi(strings.TrimSpace(value)); strings.TrimSpace(name) == "MaxProcs" && err == nil &&
			n >= 1 && n <= scenario.MaxGPUs {
			im.assume(words.Say("the machine has the {0} processors of its comment MaxProcs", n))
			return []scenario.TypeCount{{Type: "v100", Count: n}}
		}
	}
	return defaultCluster
}

func (im *importer) swfJob(line string) *fault {
	fields := strings.Fields(line)
	if len(fields) != swfFields {
		return &fault{words.Say("another number of fields"),
			words.Say("it has {0}; a job has {1}", jsondoc.Plural(len(fields), "field"), swfFields)}
	}
	var v [swfFields]float64
	for _, at := range [...]struct {
		field     int
		name      string
		low, high float64
	}{{swfSubmit, "submit time", 0, 1e12}, {swfRun, "run time", -1, maxRecorded},
		{swfAllocated, "allocated processors", -1, jsondoc.MaxSafe},
		{swfRequested, "requested processors", -1, jsondoc.MaxSafe}, {swfStatus, "status", -1, 99}} {
		number, why := parseCell(at.name, fields[at.field], at.low, at.high)
		if why != nil {
			return &fault{why.kind, words.Say("field {0}: {1}", at.field+1, why.text)}
		}
		v[at.field] = number
	}
	processors := v[swfRequested]
	if processors < 1 {
		processors = v[swfAllocated]
	}
	state := ""
	switch v[swfStatus] {
	case 0:
		state = "failed"
	case 1:
		state = "completed"
	case 2, 3, 4:
		return &fault{words.Say("a part of a job"),
			words.Say("it is a part of a job whose whole stands in its own line")}
	case 5:
		state = "cancelled"
	default:
		state = "unknown"
	}
	why := whole("processors", processors)
	switch {
	case why != nil:
	case processors < 1:
		why = &fault{words.Say("no processor"), words.Say("its processors are unknown")}
	case processors > float64(im.gpus):
		why = im.tooMany(int(processors))
	case v[swfRun] <= 0:
		why = &fault{words.Say("no run time"), words.Say("its run time is {0}", jsondoc.Number(v[swfRun]))}
	default:
		why = im.ran(scenario.Job{ID: fields[swfNumber], ArrivalS: v[swfSubmit], GPUs: int(processors)}, v[swfRun])
	}
	if why == nil {
		im.tally(state)
	}
	return why
}
