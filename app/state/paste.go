package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/link"
)

// Paste takes a text that was pasted into the page, outside every field: a scenario, a trace or a link. Of any other
// text it says what could be done with it.
type Paste struct{ Text string }

func (a Paste) on(s *Lab) []Effect {
	if text := strings.TrimSpace(a.Text); strings.HasPrefix(text, "{") || isTable(text) ||
		isTrace(".json", []byte(text)) {
		return OpenFile{Name: words.T("Pasted text"), Data: []byte(a.Text)}.on(s)
	}
	if link.Looks(a.Text) {
		return OpenLink{Link: a.Text}.on(s)
	}
	return s.Tell(words.T("What was pasted is no scenario, trace or link to one. In a field it is typed."), false)
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
		return s.Notify(room.Notice{Title: words.F("Nothing was pasted: {0}.", jsondoc.ClipTo(problem, 24))})
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
		return s.openTrace("pasted rows.csv", []byte(a.Text), s.Doc)
	}
	return s.pasteEdit(edit.PasteJobs(a.Job, a.Field, a.Fields, a.Cells))
}
