package scenario

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"math"
	"strconv"
	"strings"
)

// ImportOptions say what a trace leaves open.
type ImportOptions struct {
	Cluster        []TypeCount // GPUs by type, in node order; default v100=8,p100=16,k80=24
	GPUsPerNode    int         // default 4
	First          int         // read only the first jobs; 0 = all, the default
	ArrivalDivisor float64     // arrivals are divided by it; 0 = 1, the default
	Spread         bool        // write the rates of gangs over several nodes too; default no
}

// TypeCount is a number of GPUs of one type.
type TypeCount struct {
	Type  string
	Count int
}

// ErrCluster is returned for a text that is no list like v100=8,p100=16.
var ErrCluster = errors.New("scenario: a cluster is written as v100=8,p100=16")

// ParseCluster reads a list like "v100=8,p100=16,k80=24".
func ParseCluster(s string) ([]TypeCount, error) {
	var out []TypeCount
	for _, part := range strings.Split(s, ",") {
		name, count, ok := strings.Cut(strings.TrimSpace(part), "=")
		n, err := strconv.Atoi(count)
		if !ok || err != nil || n < 1 || n > maxGPUs || name == "" || slug(name) != name {
			return nil, ErrCluster
		}
		for _, before := range out {
			if before.Type == name {
				return nil, ErrCluster
			}
		}
		out = append(out, TypeCount{name, n})
	}
	return out, nil
}

// Report says what an import did with its input.
type Report struct {
	Read        int      `json:"read"` // data rows
	Kept        int      `json:"kept"`
	Dropped     int      `json:"dropped"`
	Reasons     []Drop   `json:"reasons,omitempty"` // of dropped rows, the first 100
	Assumptions []string `json:"assumptions,omitempty"`
}

// Drop is one row left out.
type Drop struct {
	Line   int    `json:"line"`
	Reason string `json:"reason"`
}

const maxColumn = 100 // columns of a trace that are looked at

// ImportGavelCSV reads a trace in the CSV form of Gavel's traces (columns model, batch,
// scale_factor, total_steps, arrival_s, and job_id and priority_weight where present; further ones
// are ignored) and its table of measured throughputs:
//
//	{"models":{"resnet-18-b128":{"batch":128,"v100":{"1":{"consolidated":18,"unconsolidated":18},…},…},…}}
//
// It writes a row per model used: per_gpu from one consolidated GPU, gang from the other
// consolidated sizes. A row of the trace that cannot be a job is dropped, counted and reported with
// its line. The document is nil when nothing can be imported.
func ImportGavelCSV(trace io.Reader, throughputs []byte, o ImportOptions) (*Document, Report, Diagnostics) {
	im := &gavelImport{o: o, f: &findings{}, ids: map[string]bool{}, rows: map[string]int{}}
	d := im.run(trace, throughputs)
	return d, im.report, im.f.found
}

type gavelImport struct {
	o      ImportOptions
	f      *findings
	report Report
	table  map[string]map[string]json.RawMessage // model → member
	s      Scenario
	ids    map[string]bool
	rows   map[string]int // model → index into s.Throughputs.Rows
}

func (im *gavelImport) refuse(line int, code, msg, fix string) *Document {
	im.f.aboutText(LevelError, line, code, msg, fix)
	return nil
}

func (im *gavelImport) assume(s string) { im.report.Assumptions = append(im.report.Assumptions, s) }

func (im *gavelImport) run(trace io.Reader, throughputs []byte) *Document {
	if !im.options() || !im.readTable(throughputs) {
		return nil
	}
	im.cluster()
	if !im.readTrace(trace) {
		return nil
	}
	if im.report.Kept == 0 {
		return im.refuse(0, codeNoRows, "none of the "+plural(im.report.Read, "row")+" of the trace can be a job", "See the reasons, or give the right trace.")
	}
	im.assume("rates are the consolidated column of the throughput file; a rate of 0 cannot run, an absent size runs at size × per_gpu")
	if !im.o.Spread {
		im.assume("gangs over several nodes run as fast as on one")
	}
	im.assume("rounds of 360 s, no overheads")
	im.s.RoundS = defaultRoundS
	im.s.Throughputs.Unit = stepsPerS
	im.s.Policies = []Policy{{ID: "hadar", Rev: defaultRev}, {ID: "gavel-las", Rev: defaultRev}}
	return &Document{Kind: Kind, Version: Version, Scenario: im.s, Meta: Meta{
		Title: "Gavel trace, " + plural(im.report.Kept, "job"),
		Notes: "Imported from a trace and measured throughputs of the Gavel project (stanford-futuredata/gavel, MIT licence).",
	}}
}

func (im *gavelImport) options() bool {
	o := &im.o
	if len(o.Cluster) == 0 {
		o.Cluster = []TypeCount{{"v100", 8}, {"p100", 16}, {"k80", 24}}
		im.assume("cluster v100=8,p100=16,k80=24")
	}
	if o.GPUsPerNode == 0 {
		o.GPUsPerNode = 4
		im.assume("4 GPUs a node")
	}
	if o.ArrivalDivisor == 0 {
		o.ArrivalDivisor = 1
	}
	bad := func(msg string) bool {
		im.refuse(0, codeBadOption, msg, "See import --help.")
		return false
	}
	gpus := 0
	for _, t := range o.Cluster {
		if t.Count < 1 || t.Count > maxGPUs || t.Type == "" || slug(t.Type) != t.Type {
			return bad("the cluster entry " + quote(t.Type+"="+strconv.Itoa(t.Count)) + " is not like v100=8")
		}
		gpus += t.Count
	}
	switch {
	case gpus > maxGPUs || len(o.Cluster) > maxTypes:
		return bad("the cluster has " + plural(gpus, "GPU") + " of " + plural(len(o.Cluster), "type") + "; the most is " + strconv.Itoa(maxGPUs) + " of " + strconv.Itoa(maxTypes))
	case o.GPUsPerNode < 1 || o.GPUsPerNode > maxSlotGPUs:
		return bad("there are " + strconv.Itoa(o.GPUsPerNode) + " GPUs a node; it must be 1 to " + strconv.Itoa(maxSlotGPUs))
	case o.First < 0:
		return bad("the number of jobs to read is " + strconv.Itoa(o.First) + "; it must be 0 or more")
	case !(o.ArrivalDivisor > 0 && o.ArrivalDivisor <= maxSeconds):
		return bad("the arrival divisor is " + numberText(o.ArrivalDivisor) + "; it must be above 0")
	}
	return true
}

// cluster fills nodes of one type each; the last node of a type takes what remains.
func (im *gavelImport) cluster() {
	for _, t := range im.o.Cluster {
		for n, left := 1, t.Count; left > 0; n++ {
			held := min(left, im.o.GPUsPerNode)
			left -= held
			im.s.Cluster.Nodes = append(im.s.Cluster.Nodes, Node{ID: t.Type + "-" + strconv.Itoa(n), Rack: defaultRack, GPUs: map[string]int{t.Type: held}})
		}
	}
	im.assume("one GPU type a node, one rack")
}

// readTrace reads the rows of the trace; false means that it is no such trace.
func (im *gavelImport) readTrace(trace io.Reader) bool {
	in := bufio.NewReader(io.LimitReader(trace, int64(FileLimits.Bytes)))
	if mark, _ := in.Peek(3); bytes.Equal(mark, []byte("\xef\xbb\xbf")) {
		_, _ = in.Discard(3)
	}
	start, _ := in.Peek(4096)
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
		im.refuse(1, codeUnreadable, "the trace has no header row that can be read", "Start it with job_id,model,batch,scale_factor,total_steps,arrival_s.")
		return false
	}
	column, ok := im.columns(header)
	if !ok {
		return false
	}
	for im.o.First == 0 || im.report.Read < im.o.First {
		record, err := r.Read()
		if err == io.EOF {
			break
		}
		var parse *csv.ParseError
		switch {
		case errors.As(err, &parse):
			im.report.Read++
			im.drop(parse.Line, "its quotes do not match")
			continue
		case err != nil:
			im.refuse(0, codeUnreadable, "the trace cannot be read to its end: "+err.Error(), "Check the file.")
			return false
		}
		line, _ := r.FieldPos(0)
		im.report.Read++
		if im.report.Kept >= FileLimits.Jobs {
			im.drop(line, "beyond the most jobs, "+strconv.Itoa(FileLimits.Jobs))
			continue
		}
		im.job(line, record, column)
	}
	return true
}

// columns finds the columns by name.
func (im *gavelImport) columns(header []string) (map[string]int, bool) {
	column := map[string]int{}
	for i, name := range header {
		if i < maxColumn {
			column[strings.ToLower(strings.TrimSpace(name))] = i
		}
	}
	ok := true
	for _, need := range [...]string{"model", "scale_factor", "total_steps", "arrival_s"} {
		if _, has := column[need]; !has {
			found := strings.Join(header[:min(len(header), 12)], ", ")
			im.refuse(1, codeNoColumn, "the trace has no column "+need+"; it has "+found, "Name the columns in the first row.")
			ok = false
		}
	}
	if _, has := column["job_id"]; !has && ok {
		im.assume("jobs are numbered by row, since there is no column job_id")
	}
	return column, ok
}

func (im *gavelImport) drop(line int, reason string) {
	im.report.Dropped++
	if len(im.report.Reasons) < perCode {
		im.report.Reasons = append(im.report.Reasons, Drop{line, reason})
		im.f.aboutText(LevelWarning, line, codeRow, "row dropped: "+reason, "")
	}
}

// job turns a row into a job, or drops it.
func (im *gavelImport) job(line int, record []string, column map[string]int) {
	field := func(name string) string {
		if i, ok := column[name]; ok && i < len(record) {
			return strings.TrimSpace(record[i])
		}
		return ""
	}
	reason := ""
	number := func(name string, low, high float64) float64 {
		text := field(name)
		v, err := strconv.ParseFloat(text, 64)
		switch {
		case reason != "":
		case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
			reason = name + " is " + quote(text) + ", not a number"
			if strings.Contains(text, ",") {
				reason += "; the decimal sign is a point"
			}
		case v < low || v > high:
			reason = name + " is " + numberText(v) + "; it must be " + numberText(low) + " to " + numberText(high)
		}
		return v
	}
	j := Job{Weight: defaultWeight, Model: field("model")}
	gpus := number("scale_factor", 1, maxGangGPUs)
	j.Steps = round9(number("total_steps", 0, maxSteps))
	j.ArrivalS = round9(number("arrival_s", 0, maxSeconds) / im.o.ArrivalDivisor)
	if field("priority_weight") != "" {
		j.Weight = round9(number("priority_weight", 0, maxWeight))
	}
	j.GPUs = int(gpus)
	j.ID = "j" + strconv.Itoa(im.report.Read-1)
	if id := field("job_id"); id != "" {
		j.ID = "j" + id
	}
	switch {
	case reason != "":
	case gpus != math.Trunc(gpus):
		reason = "scale_factor is " + numberText(gpus) + ", not a whole number"
	case j.Steps == 0 || j.Weight == 0:
		reason = "total_steps and priority_weight must be above 0"
	case j.ArrivalS > maxSeconds:
		reason = "arrival_s is " + numberText(j.ArrivalS) + " after division; the most is 1000000000"
	case slug(j.ID) != j.ID || len(j.ID) > 64:
		reason = "job_id " + quote(field("job_id")) + " is not made of lower-case letters, digits and . _ -"
	case im.ids[j.ID]:
		reason = "job_id " + quote(field("job_id")) + " stands twice"
	default:
		row, ok := im.row(j.Model)
		if !ok {
			reason = "the throughput file has no speed for " + quote(j.Model)
			break
		}
		j.Batch = row.Batch
		if b := field("batch"); b != "" && number("batch", 0, maxBatch) != float64(row.Batch) && reason == "" {
			reason = "batch is " + b + ", and the throughput file has " + strconv.Itoa(row.Batch) + " for " + quote(j.Model)
		}
	}
	if reason != "" {
		im.drop(line, reason)
		return
	}
	im.ids[j.ID] = true
	im.report.Kept++
	im.s.Jobs = append(im.s.Jobs, j)
}
