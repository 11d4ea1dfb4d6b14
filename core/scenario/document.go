// Package scenario is the human scenario document: parsing with diagnostics, defaults, canonical
// form and identity, and compilation to model.Problem. It refuses to run anything, leaves drawing to
// generate, and knows no policy: a policy's id and parameters are data here, and its defaults and
// traits are handed in.
//
// Flow: bytes → Parse → Document → Compile → model.Problem. Every fault a person can make becomes a
// diagnostic with a path, a line and a way out; no input makes this package fail otherwise.
package scenario

import (
	"encoding/json"

	"hadarlab/core/jsondoc"
)

// Kind and Version are those of the documents that this package reads and writes.
const (
	Kind    = "scenario"
	Version = 1
)

// Defaults of members whose zero value means something else.
const (
	DefaultRoundS = 360           // s, of a round
	DefaultRack   = "r1"          // of a node
	DefaultWeight = 1             // of a job, a tenant or a share
	StepsPerS     = "steps_per_s" // the only unit of throughputs
)

// Pointers of the parts of a document.
const (
	atScenario  = "/scenario"
	atCluster   = "/scenario/cluster"
	atNodes     = "/scenario/cluster/nodes"
	atTypes     = "/scenario/cluster/gpu_types"
	atRows      = "/scenario/throughputs/rows"
	atJobs      = "/scenario/jobs"
	atOverheads = "/scenario/overheads"
	atPolicies  = "/scenario/policies"
)

// Document is one scenario with its description. The zero value of an optional member is its
// default but where the comment says otherwise. Numbers may carry more digits than count: whatever
// reads a Document (Compile, Canonical, Marshal) rounds to 9 significant digits first.
type Document struct {
	Schema   string   // "$schema", for editors
	Kind     string   // "scenario"
	Version  int      // 1
	Requires []string // features without which the scenario means something else
	Meta     Meta
	Scenario Scenario
	X        json.RawMessage // extension bag, kept
	Extra    jsondoc.Extra

	// src is the text the document was parsed from: it gives Compile's findings their lines.
	src []byte
}

var _ = describe[Document](table{
	{name: "$schema"},
	{name: "kind", shown: true, text: Kind},
	{name: "version", shown: true, def: Version, read: readVersion},
	{name: "requires"},
	{name: "meta"},
	{name: "scenario", need: true},
	{name: "x"},
})

// Meta describes a scenario for people. Nothing in it counts for identity.
type Meta struct {
	Title, Notes, Question, DerivedFrom, License string
	Extra                                        jsondoc.Extra
}

var _ = describe[Meta](table{
	{name: "title"},
	{name: "question", high: maxQuestion},
	{name: "notes", high: maxNotes},
	{name: "derived_from", high: maxSource},
	{name: "license", high: maxSource},
})

// Scenario is what a run depends on.
type Scenario struct {
	Seed        uint64  // exact up to 2^53-1, never rounded; default 0
	RoundS      float64 // nominal round length in s; Parse fills the default, 360
	HorizonS    float64 // end of the simulation in s; 0 = none, the default
	Window      *Window // the jobs that are measured; nil = all, the default
	Cluster     Cluster
	Cloud       *Cloud // nodes that can be had for money; nil = none, the default
	Throughputs Throughputs
	Tenants     []Tenant
	Jobs        []Job      // in order of submission for equal arrivals
	Generator   *Generator // instead of Jobs: they are drawn (Freeze)
	Overheads   Overheads
	Faults      Faults
	Stragglers  Stragglers
	Fusion      *Fusion // of jobs of one sweep; nil = none, the default
	Knowledge   Knowledge
	Policies    []Policy // the lanes, in order
	Extra       jsondoc.Extra
}

var _ = describe[Scenario](table{
	{name: "seed", shown: true, high: jsondoc.MaxSafe},
	{name: "round_s", shown: true, low: 1, high: MaxSeconds, def: DefaultRoundS, unit: " s"},
	{name: "horizon_s", high: MaxSeconds, unit: " s"},
	{name: "window"},
	{name: "cluster", need: true},
	{name: "cloud"},
	{name: "throughputs", need: true},
	{name: "tenants"},
	{name: "jobs", need: true, read: readJobs, write: writeJobs},
	{name: "overheads"},
	{name: "faults", read: readFaults, write: writeFaults},
	{name: "stragglers", read: readStragglers, write: writeStragglers},
	{name: "fusion"},
	{name: "knowledge"},
	{name: "policies"},
})

// Cluster is the machines.
type Cluster struct {
	Nodes    []Node
	GPUTypes map[string]GPUType // what differs from the catalogue
	Changes  []Change           // growth and shrinking, in time
	Network  *Network           // nil = communication costs what the rows say, the default
	// HostSplit is how the jobs on a node share its CPUs and memory: "" = proportional to their GPUs, the default, or
	// tuned to what they can use.
	HostSplit string
	Extra     jsondoc.Extra
}

var _ = describe[Cluster](table{
	{name: "nodes", need: true},
	{name: "gpu_types"},
	{name: "changes"},
	{name: "network"},
	{name: "host_split", words: []string{"proportional", "tuned"}},
})

// Node is one machine.
type Node struct {
	ID   string
	Rack string         // default "r1"
	GPUs map[string]int // number by GPU type; 0 is the same as absent
	// CPUs, and gigabytes of memory, that its jobs share; 0 = as much as they could use, the default.
	CPUs, MemoryGB float64
	Extra          jsondoc.Extra

	rented bool // it is of the cloud, and stands in no document
}

var _ = describe[Node](table{
	{name: "id", need: true},
	{name: "rack", text: DefaultRack, id: "rack"},
	{name: "gpus", high: MaxSlotGPUs},
	{name: "cpus", high: MaxHost, unit: " CPUs"},
	{name: "memory_gb", high: MaxHost, unit: " GB"},
})

// GPUType overrides the catalogue; nil keeps the catalogue's value.
type GPUType struct {
	USDPerH, Watts, MemoryGiB *float64
	Extra                     jsondoc.Extra
}

var _ = describe[GPUType](table{
	{name: "usd_per_h", high: maxGPUFigure},
	{name: "watts", high: maxGPUFigure},
	{name: "memory_gib", high: maxGPUFigure},
})

// Throughputs is the speed of every model.
type Throughputs struct {
	Unit  string // "steps_per_s", the only unit and the default
	Rows  []Row
	Pairs []Pair // jobs that share a GPU; absent pairs cannot
	// Profiles are of models that have no rows: their speeds follow from how they train.
	Profiles []Profile
	Extra    jsondoc.Extra
}

var _ = describe[Throughputs](table{
	{name: "unit", text: StepsPerS},
	{name: "rows", need: true},
	{name: "pairs"},
	{name: "profiles"},
})

// Row is the speed of one model at one batch size.
type Row struct {
	Model  string
	Batch  int                // 0 = the model has no batch size
	PerGPU map[string]float64 // steps per second of one GPU, by type; absent or 0 = does not run
	// Gang and Spread are steps per second of a whole gang by type and size ("4"): on one node, and
	// over several; Far over several racks. A size absent from Gang runs at size × PerGPU; absent from Spread, as Gang;
	// absent from Far, as Spread.
	Gang, Spread, Far map[string]map[string]float64
	GradientMB        float64 // megabytes that a step averages; with a network absent sizes follow from it
	// CPUs and MemoryGB are how fast its jobs run by what each of their GPUs has of the host (host.go); none = alike.
	CPUs, MemoryGB []HostPoint
	Fusion         *RowFusion // of its jobs on one GPU; nil = by the defaults
	Source         string     // where the numbers come from
	Extra          jsondoc.Extra

	// What a row was made from that stands in no document: a profile; or the row at base-1, for jobs that may use the
	// types only.
	profile *Profile
	base    int
	only    string
}

var _ = describe[Row](table{
	{name: "model", need: true, model: true},
	{name: "batch", high: MaxBatch},
	{name: "per_gpu", high: MaxRate, unit: " steps/s"},
	{name: "gang", high: MaxRate, unit: " steps/s"},
	{name: "spread", high: MaxRate, unit: " steps/s"},
	{name: "far", high: MaxRate, unit: " steps/s"},
	{name: "gradient_mb", high: maxGradient, unit: " MB"},
	{name: "cpus"},
	{name: "memory_gb"},
	{name: "fusion"},
	{name: "source", high: maxSource},
})

// Job is one training job.
type Job struct {
	ID       string
	Model    string
	Batch    int
	ArrivalS float64 // s; default 0
	GPUs     int     // GPUs of its gang
	Steps    float64 // > 0, may be fractional
	Weight   float64 // Parse fills the default, 1
	Tenant   string  // id of its tenant; "" = none, the default
	SLOS     float64 // should be finished so many s after its arrival; 0 = no such wish, the default
	Elastic  *Elastic
	// BatchSplit is how the GPUs of a gang of several types share its batch: "" = even, the default; balanced, by their
	// speeds; or learned, the same found out by measuring.
	BatchSplit string
	// CPUs, and gigabytes of memory, with which its gang runs at full speed, and with less in proportion, in the place
	// of its row's; 0 = as its row, the default.
	CPUs, MemoryGB float64
	Redundancy     *Redundancy // against slow members of its gang; nil = none, the default
	Sweep          string      // jobs of one differ in hyper-parameters alone and may be fused; "" = none, the default
	Balance        *Balance    // what the split can do; nil = all, at once, the default
	Types          []string    // GPU types that it may use; none = all on which its model has a speed, the default
	Extra          jsondoc.Extra
}

var _ = describe[Job](table{
	{name: "id", need: true},
	{name: "model", need: true, model: true},
	{name: "batch", high: MaxBatch},
	{name: "arrival_s", high: MaxSeconds, unit: " s"},
	{name: "gpus", need: true, low: 1, high: MaxGangGPUs},
	{name: "steps", need: true, above: true, high: MaxSteps},
	{name: "weight", above: true, high: MaxWeight, def: DefaultWeight},
	{name: "tenant"},
	{name: "slo_s", high: MaxSeconds, unit: " s"},
	{name: "elastic"},
	{name: "batch_split", words: []string{"even", SplitBalanced, SplitLearned}},
	{name: "balance"},
	{name: "cpus", high: MaxHost, unit: " CPUs"},
	{name: "memory_gb", high: MaxHost, unit: " GB"},
	{name: "redundancy"},
	{name: "types"},
	{name: "sweep", id: "sweep"},
})

// Elastic is the range of gang sizes that elastic policies may give the job.
type Elastic struct {
	Min, Max int
	Batch    string // "" = "best", the default: of a profiled job, chosen for each gang; "fixed", as asked
	Extra    jsondoc.Extra
}

const (
	batchBest  = "best"
	batchFixed = "fixed"
)

var _ = describe[Elastic](table{
	{name: "min", need: true, low: 1, high: MaxGangGPUs},
	{name: "max", need: true, low: 1, high: MaxGangGPUs},
	{name: "batch", words: []string{batchBest, batchFixed}},
})

// Policy is one lane: a policy, its revision and the parameters that were set.
type Policy struct {
	ID     string
	Rev    int // the revision that is asked for; 0 = the one at hand, the default
	Params map[string]any
	Force  []Force // choices made in its place
	Extra  jsondoc.Extra
}

var _ = describe[Policy](table{
	{name: "id", need: true, id: "policy id", read: readPolicyID},
	{name: "rev", low: 1, high: maxRev, zero: true},
	{name: "params", write: writeParams},
	{name: "force"},
})

func readVersion(r *reader, v int, in any) {
	d := in.(*Document)
	r.Count(v, &d.Version)
	if d.Version == 0 { // made in code, 0 stands for the current version; in a text it is a mistake
		wrong, _ := jsondoc.Version(0, Version)
		r.Fail(wrong.Path, wrong.Code, wrong.Message, wrong.Fix)
	}
}

func readPolicyID(r *reader, v int, in any) {
	p := in.(*Policy)
	r.Text(v, &p.ID)
	p.ID = traits(p.ID).ID
}

// writeParams leaves out the parameters that are known to have their defaults.
func writeParams(w *writer, in any) {
	p := in.(*Policy)
	w.Mapping("params", len(p.Params), func() {
		for _, name := range jsondoc.Keys(p.Params) {
			if def := w.def.of(p, name); def != nil && sameValue(def, p.Params[name]) {
				continue
			}
			w.Member(name)
			w.Value(p.Params[name])
		}
	})
}

// Limits bounds what Parse accepts.
type Limits struct {
	jsondoc.Limits
	Jobs  int // that are listed
	Drawn int // that a generator draws
	Nodes int
	Name  int // characters of a title or a model name
	// Records says whether a lane may be a record of decisions (core/record), which stays with who has the file.
	Records bool
}

// MostDrawn is how many jobs a page draws, for itself or of a link, on the thread that draws the page.
const MostDrawn = 20_000

// The limits by where a document comes from: a file or the command line, a link (its inflated text), somebody else on a
// server or in a class. A server bounds files by the size that it runs, too.
var (
	FileLimits = Limits{jsondoc.Limits{Bytes: 256 << 20, Depth: jsondoc.MaxDepth}, 1_000_000, 1_000_000, 100_000, 80,
		true}
	LinkLimits   = Limits{jsondoc.Limits{Bytes: 1 << 20, Depth: 16}, 5_000, MostDrawn, 500, 80, false}
	SharedLimits = FileLimits.shared()
)

func (l Limits) shared() Limits {
	l.Records = false
	return l
}

// Clone is a deep copy to edit. It has forgotten the text it was parsed from, so findings about it
// carry paths and no lines.
func (d *Document) Clone() *Document {
	c := jsondoc.Copy(*d)
	c.src = nil
	return &c
}
