package imports

import (
	"cmp"
	"encoding/json"
	"errors"
	"io"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

const maxObject = 1 << 20 // bytes of one job in a JSON trace

// Faults of a list of JSON objects.
var (
	errObject = &fault{words.Say("longer than 1 MiB"), words.Say("it is longer than {0} bytes", maxObject)}
	errCut    = errors.New("the trace ends inside a job")
	errJunk   = errors.New("something stands between the jobs")
)

// objects reads JSON objects one after the other, from a list or standing alone.
type objects struct {
	in   *input
	line int // of what comes next, 1-based
	from int // where the object begins
	buf  []byte
}

// next gives the text of an object: io.EOF after the last, errObject for one that is too long, errCut and
// errJunk at line o.line when the text is no such list.
func (o *objects) next() ([]byte, error) {
	o.buf = o.buf[:0]
	depth, inText, escaped, long := 0, false, false, false
	for {
		c, err := o.in.ReadByte()
		switch {
		case err == io.EOF && depth > 0:
			return nil, errCut
		case err != nil:
			return nil, err
		}
		if c == '\n' {
			o.line++
		}
		if depth == 0 {
			switch c {
			case ' ', '\t', '\r', '\n', ',', '[', ']':
				continue
			case '{':
				o.from = o.line
			default:
				return nil, errJunk
			}
		}
		if long = long || len(o.buf) == maxObject; !long {
			o.buf = append(o.buf, c)
		}
		switch {
		case escaped:
			escaped = false
		case inText:
			escaped, inText = c == '\\', c != '"'
		case c == '"':
			inText = true
		case c == '{' || c == '[':
			depth++
		case c == '}' || c == ']':
			depth--
		}
		if depth == 0 {
			if long {
				return nil, errObject
			}
			return o.buf, nil
		}
	}
}

// phillyJob is what is read of a job; null and "None" stand for what was not recorded.
type phillyJob struct {
	ID        string          `json:"jobid"`
	Status    string          `json:"status"`
	Submitted string          `json:"submitted_time"`
	Attempts  []phillyAttempt `json:"attempts"`
}

type phillyAttempt struct {
	Start  string `json:"start_time"`
	End    string `json:"end_time"`
	Detail []struct {
		GPUs []string `json:"gpus"`
	} `json:"detail"`
}

// philly reads cluster_job_log of the Philly trace, object by object. Every attempt occupied its GPUs,
// so the work of a job is the sum of its attempts.
func (im *importer) philly(in *input) bool {
	if !im.setup(defaultCluster) || !im.reference() {
		return false
	}
	im.clock = true
	o := &objects{in: in, line: 1}
	partial := 0
	for im.o.First == 0 || im.report.Read < im.o.First {
		b, err := o.next()
		if err == io.EOF {
			break
		}
		var why *fault
		im.line = o.from
		switch err {
		case nil:
			im.report.Read++
			var lost bool
			if lost, why = im.phillyJob(b); lost && why == nil {
				partial++
			}
		case errObject:
			im.report.Read++
			why = errObject
		case errCut:
			if in.over() {
				return true // said by document
			}
			return im.refuse(o.from, codeUnreadable, words.Say("the trace ends inside the job that begins here"),
				words.Say("Get the whole file, or take its first jobs only."))
		case errJunk:
			return im.refuse(o.line, codeUnreadable, words.Say("the trace is no list of JSON objects from here on"),
				im.otherwise(words.Say(
					"Give cluster_job_log of the Philly trace: a list of objects with jobid, submitted_time and attempts.")))
		default:
			return im.refuse(o.line, codeUnreadable, words.Say("the trace cannot be read to its end: {0}", err.Error()),
				words.Say("Check the file."))
		}
		if why != nil {
			im.drop(why)
			continue
		}
		im.report.Kept++
	}
	im.assume(words.Say(
		"a job's time is the sum of its attempts, its GPUs those of its largest attempt; times of the local clock as they stand"))
	if partial > 0 {
		im.assume(words.Say("jobs with attempts without a start or an end, whose time counts for nothing: {0}", partial))
	}
	return true
}

// phillyJob makes a candidate; lost says that some attempts could not be counted.
func (im *importer) phillyJob(b []byte) (lost bool, why *fault) {
	var j phillyJob
	if err := json.Unmarshal(b, &j); err != nil {
		says := words.Say("it is no JSON")
		if wrong := (*json.UnmarshalTypeError)(nil); errors.As(err, &wrong) {
			what := words.Own(wrong.Field)
			if what.IsZero() {
				what = words.Say("it")
			}
			says = words.Say("{0} is a {1}, which is no job of the Philly trace", what, wrong.Value)
		}
		return false, &fault{words.Say("no job of this trace"), says}
	}
	submitted, ok := clockTime(j.Submitted)
	switch {
	case !ok:
		return false, noTime("submitted_time", j.Submitted)
	case len(j.Attempts) == 0:
		return false, &fault{words.Say("no attempt"), words.Say("it was never started")}
	}
	seconds, gpus, counted := 0.0, 0, 0
	for _, a := range j.Attempts {
		held := 0
		for _, d := range a.Detail {
			held += len(d.GPUs)
		}
		gpus = max(gpus, held)
		from, ok := clockTime(a.Start)
		to, ok2 := clockTime(a.End)
		if ok && ok2 && to >= from {
			seconds += to - from
			counted++
		}
	}
	if counted == 0 {
		return true, &fault{words.Say("no attempt with a start and an end"),
			words.Say("none of its {0} has a start and an end", jsondoc.Plural(len(j.Attempts), "attempt"))}
	}
	if why = im.ran(scenario.Job{ID: j.ID, ArrivalS: submitted, GPUs: gpus}, seconds); why == nil {
		im.tally(cmp.Or(j.Status, "unknown"))
	}
	return counted < len(j.Attempts), why
}
