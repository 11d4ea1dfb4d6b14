package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// PasteSpeeds puts cells into the throughputs, from a row and a column of Types on; rows beyond the last are
// added. Nothing is pasted unless every cell can be read; an empty one means that the model does not fit.
type PasteSpeeds struct {
	Row, Column int
	Types       []string
	Cells       [][]string
}

func (a PasteSpeeds) on(s *State) []Effect {
	return s.pasteEdit(edit.PasteSpeeds(a.Row, a.Column, a.Types, a.Cells))
}

// pasteEdit carries out what was made of pasted cells, or says why nothing was.
func (s *State) pasteEdit(e edit.Edit, problem string) []Effect {
	if problem != "" {
		return s.notify(Notice{Title: words.F("Nothing was pasted: {0}.", text.ClipTo(problem, 24))})
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

func (a PasteJobs) on(s *State) []Effect {
	head := strings.ToLower(strings.Join(a.Cells[0], " "))
	if strings.Contains(head, "model") && strings.Contains(head, "gpus") {
		return s.openTrace(OpenFile{Name: "pasted rows.csv", Data: []byte(a.Text)})
	}
	return s.pasteEdit(edit.PasteJobs(a.Job, a.Field, a.Fields, a.Cells))
}
