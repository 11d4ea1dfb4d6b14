// Package scenario is the human scenario document: parsing with diagnostics, defaults, canonical
// form and identity, and compilation to model.Problem. It refuses to run anything, leaves drawing to
// generate, and knows no policy: a policy's id and parameters are data here, and its defaults are
// handed in.
//
// Flow: bytes → Parse → Document → Compile → model.Problem. Every fault a person can make becomes a
// diagnostic with a path, a line and a way out; no input makes this package fail otherwise.
package scenario

import (
	"encoding/json"

	"hadarlab/core/text"
)

// Kind and Version are those of the documents that this package reads and writes.
const (
	Kind    = "scenario"
	Version = 1
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
	Extra    text.Extra

	// src is the text the document was parsed from: it gives Compile's findings their lines.
	src []byte
}

// Meta describes a scenario for people. Nothing in it counts for identity.
type Meta struct {
	Title, Notes, Question, DerivedFrom, License string
	Extra                                        text.Extra
}

// Scenario is what a run depends on.
type Scenario struct {
	Seed        uint64  // exact up to 2^53-1, never rounded; default 0
	RoundS      float64 // nominal round length in s; Parse fills the default, 360
	HorizonS    float64 // end of the simulation in s; 0 = none, the default
	Cluster     Cluster
	Throughputs Throughputs
	Tenants     []Tenant
	Jobs        []Job      // in order of submission for equal arrivals
	Generator   *Generator // instead of Jobs: they are drawn (Freeze)
	Overheads   Overheads
	Faults      Faults
	Knowledge   Knowledge
	Policies    []Policy // the lanes, in order
	Extra       text.Extra
}

// Cluster is the machines.
type Cluster struct {
	Nodes    []Node
	GPUTypes map[string]GPUType // what differs from the catalogue
	Changes  []Change           // growth and shrinking, in time
	Extra    text.Extra
}

// Node is one machine.
type Node struct {
	ID    string
	Rack  string         // default "r1"
	GPUs  map[string]int // number by GPU type; 0 is the same as absent
	Extra text.Extra
}

// GPUType overrides the catalogue; nil keeps the catalogue's value.
type GPUType struct {
	USDPerH, Watts, MemoryGiB *float64
	Extra                     text.Extra
}

// Throughputs is the speed of every model.
type Throughputs struct {
	Unit  string // "steps_per_s", the only unit and the default
	Rows  []Row
	Pairs []Pair // jobs that share a GPU; absent pairs cannot
	Extra text.Extra
}

// Row is the speed of one model at one batch size.
type Row struct {
	Model  string
	Batch  int                // 0 = the model has no batch size
	PerGPU map[string]float64 // steps per second of one GPU, by type; absent or 0 = does not run
	// Gang and Spread are steps per second of a whole gang by type and size ("4"): on one node, and
	// over several. A size absent from Gang runs at size × PerGPU; absent from Spread, as Gang.
	Gang, Spread map[string]map[string]float64
	Source       string // where the numbers come from
	Extra        text.Extra
}

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
	Extra    text.Extra
}

// Elastic is the range of gang sizes that elastic policies may give the job.
type Elastic struct {
	Min, Max int
	Extra    text.Extra
}

// Policy is one lane: a policy, its revision and the parameters that were set.
type Policy struct {
	ID     string
	Rev    int // Parse fills the default, 1
	Params map[string]any
	Force  []Force // choices made in its place
	Extra  text.Extra
}

// Limits bounds what Parse accepts.
type Limits struct {
	text.Limits
	Jobs  int
	Nodes int
	Name  int // characters of a title or a model name
}

// The limits by where a document comes from: a file or the command line, a link (its inflated
// text), anonymous sharing through a server.
var (
	FileLimits  = Limits{text.Limits{Bytes: 256 << 20, Depth: text.MaxDepth}, 1_000_000, 100_000, 80}
	LinkLimits  = Limits{text.Limits{Bytes: 1 << 20, Depth: 16}, 5_000, 500, 80}
	ShareLimits = Limits{text.Limits{Bytes: 64 << 10, Depth: 16}, 5_000, 500, 80}
)

// Clone is a deep copy to edit. It has forgotten the text it was parsed from, so findings about it
// carry paths and no lines.
func (d *Document) Clone() *Document {
	c := text.Copy(*d)
	c.src = nil
	return &c
}
