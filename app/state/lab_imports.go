package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Imports is the dialog in which a trace becomes a scenario.
type Imports struct {
	*room.Shared
	Import *ImportState // a trace that was opened, nil = none
}

// ImportState is a trace that was opened, and what would become of it. Nothing is changed before it is
// used. It is replaced as a whole, never changed in place.
type ImportState struct {
	ID      int64 // of the latest reading
	Open    bool  // the dialog is shown
	Reading bool
	Name    string
	Choice  ImportChoice
	Problem string // with the choice, "" = none

	Doc    *scenario.Document // nil = it cannot be used
	Report message.ImportReport
	Diags  jsondoc.Diagnostics // errors

	data   []byte
	from   *scenario.Document // whose cluster and speeds it was read with
	chosen bool               // the reader has said something about it
}

// ImportChoice is what the reader says about a trace.
type ImportChoice struct {
	Format   string // "" = told from the content
	Workload string // of a file that holds several, "" = the first
	Untuned  bool   // what users who do not tune ask for
	Cluster  string // as v100=8,p100=16; "" = that of the format, for a table of jobs that of the scenario
	Speeds   string // as a100=2.3,l4=0.6; "" = as measured or estimated
	Numbers  [5]string
}

// Numbers of an ImportChoice, as typed; empty is what the command line takes without the flag.
const (
	ImportFirst = iota // only the first rows
	ImportSample
	ImportSeed
	ImportDivisor
	ImportPerNode
)

// What a choice says besides, after its numbers.
const (
	ImportFormat = len(importNumbers) + iota
	ImportWorkload
	ImportUntuned
	ImportCluster
	ImportSpeeds
)

var importNumbers = [...]struct {
	name  string
	rng   edit.Range
	empty float64
}{{"The number of first rows", edit.Range{Max: 1e9, Whole: true}, 0}, {"The sample", edit.Range{Max: 1e6,
	Whole: true}, 0},
	{"The seed of the sample", edit.Range{Max: 1<<53 - 1, Whole: true}, 0},
	{"The divisor of arrivals", edit.Range{Max: 1e9, Open: true}, 1},
	{"The number of GPUs per node", edit.Range{Min: 1, Max: 4096, Whole: true}, 0}}

// Request asks for the trace as the choice says, beside the document that stands; problem is what is wrong with the
// choice.
func (c *ImportChoice) Request(stands *scenario.Document) (ask *message.ImportRequest, problem string) {
	var of [len(importNumbers)]float64
	for i, n := range importNumbers {
		of[i] = n.empty
		if strings.TrimSpace(c.Numbers[i]) == "" {
			continue
		}
		if of[i], problem = edit.ParseNumber(c.Numbers[i], n.rng); problem != "" {
			return nil, words.F("{0} {1}.", words.T(n.name), problem)
		}
	}
	if _, err := scenario.ParseCluster(c.Cluster); err != nil && c.Cluster != "" {
		problem = words.T(
			"The cluster is written as v100=8,p100=16: types in small letters, each once, with the number of their GPUs.")
	} else if _, err := scenario.ParseSpeeds(c.Speeds); err != nil && c.Speeds != "" {
		problem = words.T("Speeds are written as a100=2.3,l4=0.6: types in small letters, each once, with a factor above 0.")
	}
	ask = &message.ImportRequest{Format: c.Format, Cluster: c.Cluster, Speeds: c.Speeds, First: int(of[ImportFirst]),
		Sample: int(of[ImportSample]), Seed: uint64(of[ImportSeed]), Divisor: of[ImportDivisor],
		PerNode: int(of[ImportPerNode]), Workload: c.Workload, Untuned: c.Untuned, Most: edit.MostJobs}
	if c.Cluster == "" && (c.Format == "" || c.Format == "csv") {
		other := *stands // all but its jobs is taken over
		other.Scenario.Jobs, other.Scenario.Generator = nil, nil
		ask.Template = other.Marshal(false)
	}
	return ask, problem
}

// outdated says whether a table of jobs was read with a cluster and speeds that the reader has changed since.
func (im *ImportState) outdated(r *message.ImportReport, now *scenario.Document) bool {
	return r.Format == "csv" && im.from != now
}
