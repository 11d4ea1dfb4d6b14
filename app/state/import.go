package state

import (
	"bytes"
	"io"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/imports"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
)

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
	Report imports.Report
	Diags  text.Diagnostics // errors

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

// Options are what the choice says of jobs and nodes, or what is wrong with it.
func (c *ImportChoice) Options() (o imports.Options, problem string) {
	var of [len(importNumbers)]float64
	for i, n := range importNumbers {
		of[i] = n.empty
		if strings.TrimSpace(c.Numbers[i]) == "" {
			continue
		}
		if of[i], problem = edit.ParseNumber(c.Numbers[i], n.rng); problem != "" {
			return o, words.F("{0} {1}.", words.T(n.name), problem)
		}
	}
	o = imports.Options{First: int(of[ImportFirst]), Sample: int(of[ImportSample]), Seed: uint64(of[ImportSeed]),
		ArrivalDivisor: of[ImportDivisor], Workload: c.Workload, Untuned: c.Untuned,
		GPUsPerNode: int(of[ImportPerNode])}
	if c.Cluster != "" {
		var err error
		if o.Cluster, err = imports.ParseCluster(c.Cluster); err != nil {
			problem = words.T(
				"The cluster is written as v100=8,p100=16: types in small letters, each once, with the number of their GPUs.")
		}
	}
	if c.Speeds != "" && problem == "" {
		var err error
		if o.Speeds, err = imports.ParseSpeeds(c.Speeds); err != nil {
			problem = words.T("Speeds are written as a100=2.3,l4=0.6: types in small letters, each once, with a factor above 0.")
		}
	}
	return o, problem
}

const (
	// longTrace is the length in bytes from which only some rows are read at first.
	longTrace = 4 << 20
	// firstRows is how many.
	firstRows = 2000
)

// isTrace says whether a file is to be read as a trace rather than as a scenario.
func isTrace(name string, data []byte) bool {
	text := bytes.TrimLeft(bytes.TrimPrefix(data, []byte("\xef\xbb\xbf")), " \t\r\n")
	if len(text) > 0 && text[0] == '[' {
		return bytes.Contains(text[:min(len(text), 4096)], []byte(`"attempts"`))
	}
	name = strings.ToLower(name)
	if strings.HasSuffix(name, ".json") {
		return false
	}
	return strings.HasSuffix(name, ".csv") || strings.HasSuffix(name, ".tsv") || len(text) > 0 && text[0] != '{'
}

// isTable says whether a text that may be a scenario's JSON is a table instead: several lines, the first of which has
// three cells or more.
func isTable(text string) bool {
	first, rest, _ := strings.Cut(strings.TrimLeft(text, "\ufeff \r\n"), "\n")
	if strings.TrimSpace(rest) == "" || strings.ContainsAny(first, "{}[]:") {
		return false
	}
	for _, sep := range []string{",", ";", "\t"} {
		if strings.Count(first, sep) >= 2 {
			return true
		}
	}
	return false
}

// Imports is the dialog in which a trace becomes a scenario.
type Imports struct {
	*room.Shared
	Import *ImportState // a trace that was opened, nil = none
}

// openTrace reads a file for the dialog, beside the document that stands.
func (s *Imports) openTrace(a OpenFile, stands *scenario.Document) []Effect {
	im := ImportState{Name: a.Name, data: a.Data, Open: len(a.Data) >= longTrace}
	if im.Open {
		im.Choice.Numbers[ImportFirst] = itoa(firstRows)
	}
	s.Notice = nil
	return s.read(im, stands)
}

// read has the trace read with the present choice.
func (s *Imports) read(im ImportState, stands *scenario.Document) []Effect {
	im.ID, im.Reading, im.Problem = s.Seq(), true, ""
	o, problem := im.Choice.Options()
	if problem != "" {
		im.Reading, im.Problem, im.Doc = false, problem, nil
		s.Import, s.Spoken = &im, problem
		return nil
	}
	im.from = stands
	s.Import = &im
	return []Effect{ReadTrace{im.ID, im.data, im.Choice.Format, o, stands}}
}

// ReadTrace reads a trace, in slices, and answers with TraceRead.
type ReadTrace struct {
	ID       int64
	Data     []byte
	Format   string
	Options  imports.Options
	Template *scenario.Document // gives cluster and speeds to a table of jobs, unless a cluster is chosen
}

// Read reads the trace; through wraps its reader.
func (e ReadTrace) Read(through func(io.Reader) io.Reader) TraceRead {
	o := e.Options
	if len(o.Cluster) == 0 {
		o.Template = e.Template
	}
	doc, report, diags := imports.Read(through(bytes.NewReader(e.Data)), e.Format, o)
	return TraceRead{e.ID, doc, report, diags.Errors()}
}

// TraceRead is what a reading gave.
type TraceRead struct {
	ID     int64
	Doc    *scenario.Document
	Report imports.Report
	Diags  text.Diagnostics
}

func (a TraceRead) on(s *Lab) []Effect {
	if s.Import == nil || s.Import.ID != a.ID {
		return nil
	}
	im := *s.Import
	if im.outdated(&a.Report, s.Doc) {
		return s.read(im, s.Doc)
	}
	im.Reading, im.Doc, im.Report, im.Diags = false, a.Doc, a.Report, a.Diags
	if a.Doc == nil && !im.chosen {
		im.Open = false
		s.Import = &im
		return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. The scenario stays as it was.",
			text.ClipTo(im.Name, 24)), Diags: a.Diags, Trace: isText(a.Diags)})
	}
	if n := a.Report.Jobs; a.Doc != nil && n > edit.MostJobs {
		im.Problem = words.F(
			"The page takes up to {0} jobs, and these are {1}. Read fewer rows, or use the command line: hadarlab import FILE.", itoa(edit.MostJobs), itoa(n))
		im.Doc = nil
	}
	im.Open = true
	s.Import = &im
	s.Spoken = words.F("Read: {0}", words.Plural(a.Report.Jobs, "job"))
	if im.Problem != "" || a.Doc == nil {
		s.Spoken = words.T("This cannot be used")
	}
	if im.chosen {
		return nil
	}
	return []Effect{room.Focus{Part: room.PartUseImport}}
}

// outdated says whether a table of jobs was read with a cluster and speeds that the reader has changed since.
func (im *ImportState) outdated(r *imports.Report, now *scenario.Document) bool {
	return r.Format == "csv" && im.from != now
}

// isText says whether a refused trace is text at all, so that another format may suit it.
func isText(diags text.Diagnostics) bool {
	for i := range diags {
		if diags[i].Code == "unreadable" {
			return false
		}
	}
	return len(diags) > 0
}

// Choose changes what is said about the trace, and reads it again; it also opens the dialog of a refused one.
type Choose struct{ Choice ImportChoice }

func (a Choose) on(s *Lab) []Effect {
	if s.Import == nil {
		return nil
	}
	im := *s.Import
	s.Notice = nil
	im.Choice, im.Open, im.chosen = a.Choice, true, true
	return s.read(im, s.Doc)
}

// ChooseOne changes one thing that is said about the trace: a number of its choice, or another part.
type ChooseOne struct {
	What int
	Text string
}

func (a ChooseOne) on(s *Lab) []Effect {
	if s.Import == nil {
		return nil
	}
	c := s.Import.Choice
	switch a.What {
	case ImportFormat:
		c.Format, c.Workload = a.Text, ""
	case ImportWorkload:
		c.Workload = a.Text
	case ImportUntuned:
		c.Untuned = a.Text != ""
	case ImportCluster:
		c.Cluster = a.Text
	case ImportSpeeds:
		c.Speeds = a.Text
	default:
		c.Numbers[a.What] = a.Text
	}
	return Choose{c}.on(s)
}

// CloseImport leaves the trace.
type CloseImport struct{}

func (CloseImport) on(s *Lab) []Effect {
	s.Import = nil
	return []Effect{room.Focus{Part: room.PartPresets}}
}

// UseImport takes the trace over as the scenario, as one edit.
type UseImport struct{}

func (UseImport) on(s *Lab) []Effect {
	im := s.Import
	if im == nil || im.Doc == nil || im.Reading {
		return nil
	}
	if im.outdated(&im.Report, s.Doc) {
		return s.read(*im, s.Doc)
	}
	s.Import = nil
	said := words.F("{0} from {1}.", words.Plural(im.Report.Jobs, "job"), text.ClipTo(im.Name, 24))
	if n := im.Report.Dropped; n > 0 {
		said += " " + words.F("{0} left out.", words.Plural(n, "row"))
	}
	return append(Load{Doc: im.Doc, Sentence: words.F("Took the jobs of {0}", text.ClipTo(im.Name, 24)), Toast: said,
		Edited: true,
		Opens:  true}.on(s), room.Focus{Part: room.PartPresets})
}

// PasteSpeeds puts cells into the throughputs, from a row and a column of Types on; rows beyond the last are
// added. Nothing is pasted unless every cell can be read; an empty one means that the model does not fit.
type PasteSpeeds struct {
	Row, Column int
	Types       []string
	Cells       [][]string
}

func (a PasteSpeeds) on(s *Lab) []Effect {
	return s.pasteEdit(edit.PasteSpeeds(a.Row, a.Column, a.Types, a.Cells))
}

// pasteEdit carries out what was made of pasted cells, or says why nothing was.
func (s *Lab) pasteEdit(e edit.Edit, problem string) []Effect {
	if problem != "" {
		return s.Notify(room.Notice{Title: words.F("Nothing was pasted: {0}.", text.ClipTo(problem, 24))})
	}
	return Do{e}.on(s)
}

// PasteJobs puts cells into the numbers of jobs, from a job and a field on; jobs beyond the last are added.
// Cells under a header with the names of columns are a table of jobs, which is previewed.
type PasteJobs struct {
	Job, Field int
	Fields     int // how many the form shows
	Cells      [][]string
	Text       string
}

func (a PasteJobs) on(s *Lab) []Effect {
	head := strings.ToLower(strings.Join(a.Cells[0], " "))
	if strings.Contains(head, "model") && strings.Contains(head, "gpus") {
		return s.openTrace(OpenFile{Name: "pasted rows.csv", Data: []byte(a.Text)}, s.Doc)
	}
	return s.pasteEdit(edit.PasteJobs(a.Job, a.Field, a.Fields, a.Cells))
}
