package scenario

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// Report says what an import did with its input.
type Report struct {
	Read        int      `json:"read"` // data rows
	Kept        int      `json:"kept"`
	Dropped     int      `json:"dropped"`
	Reasons     []Drop   `json:"reasons,omitempty"` // of dropped rows, the first 100
	Unused      []string `json:"unused_columns,omitempty"`
	Assumptions []string `json:"assumptions,omitempty"`
}

// Drop is one row left out.
type Drop struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

const maxColumn = 100 // columns that are looked at

// jobTable reads jobs from the rows of a CSV file, one row at a time.
type jobTable struct {
	f       *findings
	report  Report
	columns jobColumns
	first   int     // rows to read, 0 = all
	divisor float64 // of arrivals
	// speeds finds the throughput row of a job; reason says why there is none.
	speeds func(model string, batch float64, given bool) (row *Row, reason string)
	jobs   []Job
	ids    map[string]bool
	at     map[string]int // column by name
}

// jobColumns are the names of the columns that differ between formats; model, batch and arrival_s are
// called so everywhere.
type jobColumns struct {
	id, gpus, steps, weight string
	prefix                  string // put before ids
	timed                   bool   // arrival_s must be there
}

func (c *jobColumns) all() []string {
	return []string{c.id, "model", "batch", c.gpus, c.steps, "arrival_s", c.weight}
}

func newJobTable(c jobColumns) jobTable {
	return jobTable{f: &findings{}, columns: c, divisor: 1, ids: map[string]bool{}}
}

func (jt *jobTable) refuse(line int, code, msg, fix string) bool {
	jt.f.aboutText(LevelError, line, code, msg, fix)
	return false
}

func (jt *jobTable) assume(s string) { jt.report.Assumptions = append(jt.report.Assumptions, s) }

// read reads the whole table; false means that it holds no job.
func (jt *jobTable) read(table io.Reader) bool {
	limited := &io.LimitedReader{R: table, N: int64(FileLimits.Bytes) + 1}
	in := bufio.NewReader(limited)
	start, _ := in.Peek(4096)
	if kind, fix := notCSV(start); kind != "" {
		return jt.refuse(1, codeUnreadable, "the trace is "+kind+", not CSV", fix)
	}
	if text, marked := bytes.CutPrefix(start, []byte("\xef\xbb\xbf")); marked {
		start = text
		_, _ = in.Discard(3)
	}
	line, _, _ := bytes.Cut(start, []byte("\n"))
	r := csv.NewReader(in)
	r.FieldsPerRecord, r.ReuseRecord, r.TrimLeadingSpace = -1, true, true
	for _, separator := range ";\t" { // spreadsheets of some countries write these
		if bytes.IndexByte(line, ',') < 0 && bytes.ContainsRune(line, separator) {
			r.Comma = separator
		}
	}
	header, err := r.Read()
	if err != nil {
		return jt.refuse(1, codeUnreadable, "the trace has no header row that can be read", "Start it with "+strings.Join(jt.columns.all(), ",")+".")
	}
	if !jt.header(header) || !jt.rows(r) {
		return false
	}
	if limited.N <= 0 {
		return jt.refuse(0, codeTooBig, "the trace has more than "+strconv.Itoa(FileLimits.Bytes)+" bytes", "Split it, or take the first rows only.")
	}
	if jt.report.Kept == 0 {
		return jt.refuse(0, codeNoRows, "none of the "+plural(jt.report.Read, "row")+" of the trace can be a job", "See the reasons, or give the right trace.")
	}
	return true
}

// notCSV recognises files of other kinds by how they start.
func notCSV(start []byte) (kind, fix string) {
	text := bytes.TrimLeft(start, " \t\r\n")
	switch {
	case bytes.HasPrefix(start, []byte("\xff\xfe")) || bytes.HasPrefix(start, []byte("\xfe\xff")):
		return "UTF-16 text", "Save it as CSV in UTF-8."
	case bytes.HasPrefix(start, []byte("PK\x03\x04")):
		return "a spreadsheet or an archive", "Open it and save the sheet as CSV."
	case bytes.HasPrefix(start, []byte("\x1f\x8b")):
		return "compressed", "Unpack it first."
	case len(text) > 0 && (text[0] == '{' || text[0] == '['):
		return "JSON", "A scenario needs no import: run it as it is."
	case len(text) > 0 && text[0] == '<':
		return "a web page", "Download the file itself."
	}
	return "", ""
}

// rows reads what follows the header; false means that the file broke off.
func (jt *jobTable) rows(r *csv.Reader) bool {
	for jt.first == 0 || jt.report.Read < jt.first {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			jt.report.Read++
			jt.drop(parse.Line, "its quotes do not match")
			continue
		case err != nil:
			return jt.refuse(0, codeUnreadable, "the trace cannot be read to its end: "+err.Error(), "Check the file.")
		}
		line, _ := r.FieldPos(0)
		jt.report.Read++
		if jt.report.Kept >= FileLimits.Jobs {
			jt.drop(line, "beyond the most jobs, "+strconv.Itoa(FileLimits.Jobs))
			continue
		}
		jt.job(line, record)
	}
	return true
}

// header finds the columns by name.
func (jt *jobTable) header(header []string) bool {
	jt.at = map[string]int{}
	ok := true
	known := jt.columns.all()
	for i, name := range header[:min(len(header), maxColumn)] {
		name = strings.ToLower(strings.TrimSpace(name))
		_, twice := jt.at[name]
		switch {
		case !slices.Contains(known, name):
			jt.report.Unused = append(jt.report.Unused, clip(name))
		case twice:
			ok = jt.refuse(1, codeTwice, "the trace has the column "+name+" twice", "Keep one of the two.")
		}
		jt.at[name] = i
	}
	for _, need := range [...]string{"model", jt.columns.gpus, jt.columns.steps, "arrival_s"} {
		if _, has := jt.at[need]; !has && (need != "arrival_s" || jt.columns.timed) {
			found := clipTo(strings.Join(header[:min(len(header), 12)], ", "), 200)
			ok = jt.refuse(1, codeNoColumn, "the trace has no column "+need+"; it has "+found, "Name the columns in the first row.")
		}
	}
	if _, has := jt.at[jt.columns.id]; !has && ok {
		jt.assume("jobs are numbered by row, since there is no column " + jt.columns.id)
	}
	return ok
}

func (jt *jobTable) drop(line int, reason string) {
	jt.report.Dropped++
	if len(jt.report.Reasons) < perCode {
		jt.report.Reasons = append(jt.report.Reasons, Drop{line, reason})
		jt.f.aboutText(LevelWarning, line, codeRow, "row dropped: "+reason, "")
	}
}

// cells reads the cells of one row, and keeps the first thing that is wrong with them.
type cells struct {
	record []string
	at     map[string]int
	reason string
}

func (c *cells) text(name string) string {
	if i, ok := c.at[name]; ok && i < len(c.record) {
		return strings.TrimSpace(c.record[i])
	}
	return ""
}

func (c *cells) number(name string, low, high float64) float64 {
	text := c.text(name)
	v, err := strconv.ParseFloat(text, 64)
	switch {
	case c.reason != "":
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		c.reason = name + " is " + quote(text) + ", not a number"
		if strings.Contains(text, ",") {
			c.reason += "; the decimal sign is a point"
		}
	case v < low || v > high:
		c.reason = name + " is " + numberText(v) + "; it must be " + numberText(low) + " to " + numberText(high)
	}
	return v
}

// job turns a row into a job, or drops it.
func (jt *jobTable) job(line int, record []string) {
	c, n := cells{record: record, at: jt.at}, jt.columns
	j := Job{Weight: defaultWeight}
	gpus := c.number(n.gpus, 1, maxGangGPUs)
	j.Steps = round9(c.number(n.steps, 0, maxSteps))
	if n.timed || c.text("arrival_s") != "" {
		j.ArrivalS = round9(c.number("arrival_s", 0, maxSeconds) / jt.divisor)
	}
	if c.text(n.weight) != "" {
		j.Weight = round9(c.number(n.weight, 0, maxWeight))
	}
	j.GPUs = int(gpus)
	j.ID = "j" + strconv.Itoa(jt.report.Read-1)
	if id := c.text(n.id); id != "" {
		j.ID = strings.Clone(n.prefix + id) // not a part of the row, which would stay with it
	}
	switch {
	case c.reason != "":
	case gpus != math.Trunc(gpus):
		c.reason = n.gpus + " is " + numberText(gpus) + ", not a whole number"
	case j.Steps == 0 || j.Weight == 0:
		c.reason = n.steps + " and " + n.weight + " must be above 0"
	case j.ArrivalS > maxSeconds:
		c.reason = "arrival_s is " + numberText(j.ArrivalS) + " after division; the most is 1000000000"
	case slug(j.ID) != j.ID || len(j.ID) > 64:
		c.reason = n.id + " " + quote(c.text(n.id)) + " is not made of lower-case letters, digits and . _ -"
	case jt.ids[j.ID]:
		c.reason = n.id + " " + quote(c.text(n.id)) + " stands twice"
	default:
		jt.match(&c, &j)
	}
	if c.reason != "" {
		jt.drop(line, c.reason)
		return
	}
	jt.ids[j.ID] = true
	jt.report.Kept++
	jt.jobs = append(jt.jobs, j)
}

// match gives the job the model and batch of its throughput row.
func (jt *jobTable) match(c *cells, j *Job) {
	batch, given := 0.0, c.text("batch") != ""
	if given {
		batch = c.number("batch", 0, maxBatch)
	}
	if c.reason != "" {
		return
	}
	row, reason := jt.speeds(c.text("model"), batch, given)
	if reason != "" {
		c.reason = reason
		return
	}
	j.Model, j.Batch = row.Model, row.Batch
}
