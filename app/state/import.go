package state

import (
	"bytes"
	"io"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/imports"
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
)

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

// openTrace reads a file for the dialog, beside the document that stands.
func (s *Imports) openTrace(name string, data []byte, stands *scenario.Document) []Effect {
	im := ImportState{Name: name, data: data, Open: len(data) >= longTrace}
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
		s.Import, s.Announcement = &im, problem
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
	Diags  jsondoc.Diagnostics
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
			jsondoc.ClipTo(im.Name, 24)), Diags: a.Diags, Trace: isText(a.Diags)})
	}
	if n := a.Report.Jobs; a.Doc != nil && n > edit.MostJobs {
		im.Problem = words.F(
			"The page takes up to {0} jobs, and these are {1}. Read fewer rows, or use the command line: hadarlab import FILE.", itoa(edit.MostJobs), itoa(n))
		im.Doc = nil
	}
	im.Open = true
	s.Import = &im
	s.Announcement = words.F("Read: {0}", words.Plural(a.Report.Jobs, "job"))
	if im.Problem != "" || a.Doc == nil {
		s.Announcement = words.T("This cannot be used")
	}
	if im.chosen {
		return nil
	}
	return []Effect{room.Focus{Part: room.PartUseImport}}
}

// isText says whether a refused trace is text at all, so that another format may suit it.
func isText(diags jsondoc.Diagnostics) bool {
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
	said := words.F("{0} from {1}.", words.Plural(im.Report.Jobs, "job"), jsondoc.ClipTo(im.Name, 24))
	if n := im.Report.Dropped; n > 0 {
		said += " " + words.F("{0} left out.", words.Plural(n, "row"))
	}
	return append(Load{Doc: im.Doc, Sentence: words.F("Took the jobs of {0}", jsondoc.ClipTo(im.Name, 24)), Toast: said,
		Edited: true,
		Opens:  true}.on(s), room.Focus{Part: room.PartPresets})
}
