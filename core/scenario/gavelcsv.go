package scenario

import (
	"encoding/json"
	"errors"
	"io"
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
	im := newGavelImport(o, jobColumns{id: "job_id", gpus: "scale_factor", steps: "total_steps", weight: "priority_weight", prefix: "j", timed: true})
	d := im.run(trace, throughputs)
	if d != nil {
		d.Meta = Meta{
			Title: "Gavel trace, " + plural(im.report.Kept, "job"),
			Notes: "Imported from a trace and measured throughputs of the Gavel project (stanford-futuredata/gavel, MIT licence).",
		}
	}
	return d, im.report, im.f.found
}

// gavelImport joins a table of jobs with a cluster described by options and Gavel's throughputs.
type gavelImport struct {
	jobTable
	o     ImportOptions
	table map[string]map[string]json.RawMessage // model → member
	s     Scenario
	rows  map[string]int // model → index into s.Throughputs.Rows
}

func newGavelImport(o ImportOptions, c jobColumns) *gavelImport {
	im := &gavelImport{o: o, jobTable: newJobTable(c), rows: map[string]int{}}
	im.speeds = im.measured
	return im
}

func (im *gavelImport) run(trace io.Reader, throughputs []byte) *Document {
	if !im.options() || !im.readTable(throughputs) {
		return nil
	}
	im.cluster()
	im.first, im.divisor = im.o.First, im.o.ArrivalDivisor
	if !im.read(trace) {
		return nil
	}
	im.assume("rates are the consolidated column of the throughput file; a rate of 0 cannot run, an absent size runs at size × per_gpu")
	if !im.o.Spread {
		im.assume("gangs over several nodes run as fast as on one")
	}
	im.assume("rounds of 360 s, no overheads")
	im.s.RoundS = defaultRoundS
	im.s.Throughputs.Unit = stepsPerS
	im.s.Policies = []Policy{{ID: "hadar", Rev: defaultRev}, {ID: "gavel-las", Rev: defaultRev}}
	im.s.Jobs = im.jobs
	return &Document{Kind: Kind, Version: Version, Scenario: im.s}
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

// measured gives the throughput row of a job from the table of measurements.
func (im *gavelImport) measured(model string, batch float64, given bool) (*Row, string) {
	row, ok := im.row(model)
	switch {
	case !ok:
		return nil, "the throughput file has no speed for " + quote(model)
	case given && batch != float64(row.Batch):
		return nil, "batch is " + numberText(batch) + ", and the throughput file has " + strconv.Itoa(row.Batch) + " for " + quote(model)
	}
	return row, ""
}
