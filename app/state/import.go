package state

import (
	"bytes"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
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
	im := ImportState{Name: name, data: data, Open: true}
	if len(data) >= longTrace {
		im.Choice.Numbers[ImportFirst] = itoa(firstRows)
	}
	s.Notice = nil
	return s.read(im, stands)
}

// read has the trace read with the present choice.
func (s *Imports) read(im ImportState, stands *scenario.Document) []Effect {
	im.ID, im.Reading, im.Problem = s.Seq(), true, ""
	ask, problem := im.Choice.Request(stands)
	if problem != "" {
		im.Reading, im.Problem, im.Doc = false, problem, nil
		s.Import, s.Announcement = &im, problem
		return nil
	}
	im.from = stands
	s.Import, s.Announcement = &im, words.T("Reading…")
	return []Effect{room.Ask{Request: &message.Message{ID: im.ID, Import: ask, Body: im.data}}}
}

// answered takes what became of the trace, beside the document that stands; own is false where the answer is to
// somebody else.
func (s *Imports) answered(m *message.Message, stands *scenario.Document) (effects []Effect, own bool) {
	if s.Import == nil || s.Import.ID != m.ID {
		return nil, false
	}
	return s.took(m, stands), true
}

func (s *Imports) took(m *message.Message, stands *scenario.Document) []Effect {
	im := *s.Import
	im.Reading, im.Doc, im.Diags, im.Report = false, nil, nil, message.ImportReport{}
	if m.Failure != nil {
		im.Problem = words.F("The trace was not read: {0}", m.Failure.Why().In(words.Now()))
		s.Import, s.Announcement = &im, im.Problem
		return nil
	}
	im.Report, im.Diags = m.Imported.Report, m.Imported.Errors
	if im.outdated(&im.Report, stands) {
		return s.read(im, stands)
	}
	if len(im.Diags) > 0 && !im.chosen {
		im.Open = false
		s.Import = &im
		return s.Notify(room.Notice{Title: words.F("“{0}” cannot be opened. The scenario stays as it was.",
			jsondoc.ClipTo(im.Name, 24)), Diags: im.Diags, Trace: isText(im.Diags)})
	}
	if len(im.Diags) == 0 && im.Report.Jobs > edit.MostJobs {
		im.Problem = words.F(
			"The page takes up to {0} jobs, and these are {1}. Read fewer rows, or use the command line: hadarlab import FILE.", itoa(edit.MostJobs), itoa(im.Report.Jobs))
	}
	if len(m.Body) > 0 {
		im.Doc, _ = scenario.Parse(m.Body, scenario.FileLimits)
	}
	s.Import = &im
	s.Announcement = words.F("Read: {0}", words.Plural(im.Report.Jobs, "job"))
	if im.Doc == nil {
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
	effects := []Effect{room.Focus{Part: room.PartPresets}}
	if s.Import != nil && s.Import.Reading {
		effects = append(effects, End{ID: s.Import.ID})
	}
	s.Import = nil
	return effects
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
