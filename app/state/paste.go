package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/core/figure"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// Cells splits what a spreadsheet puts on the clipboard: rows by line ends, cells by tabs, else by semicolons
// or commas. Line ends at its end count for nothing. A single cell gives nil: that is a text.
func Cells(text string) [][]string {
	text = strings.TrimRight(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	sep := ""
	for _, s := range []string{"\t", ";", ","} {
		if strings.Contains(text, s) {
			sep = s
			break
		}
	}
	var out [][]string
	for _, line := range strings.Split(text, "\n") {
		row := []string{line}
		if sep != "" {
			row = strings.Split(line, sep)
		}
		for i := range row {
			row[i] = strings.Trim(strings.TrimSpace(row[i]), `"`)
		}
		out = append(out, row)
	}
	if len(out) == 1 && (sep == "" || sep == ",") {
		return nil
	}
	return out
}

// maxPaste is how many rows are pasted at once.
const maxPaste = 5000

// PasteSpeeds puts cells into the throughputs, from a row and a column of Types on; rows beyond the last are
// added. Nothing is pasted unless every cell can be read; an empty one means that the model does not fit.
type PasteSpeeds struct {
	Row, Column int
	Types       []string
	Cells       [][]string
}

func (a PasteSpeeds) on(s *State) []Effect {
	return s.pasteEdit(pasteSpeeds(a.Row, a.Column, a.Types, a.Cells))
}

// pasteEdit carries out what was made of pasted cells, or says why nothing was.
func (s *State) pasteEdit(e edit.Edit, problem string) []Effect {
	if problem != "" {
		s.Notice = &Notice{Title: words.F("Nothing was pasted: {0}.", text.ClipTo(problem, 24))}
		s.Spoken = s.Notice.Title
		return nil
	}
	return Do{e}.on(s)
}

// pasteSpeeds puts cells into the throughputs, from a row and a column of types on, or says why it cannot.
func pasteSpeeds(at, from int, types []string, cells [][]string) (edit.Edit, string) {
	values, problem := pasted(cells, func(column int) (string, edit.Range, bool) {
		if column += from; column < len(types) {
			return words.F("the speed on {0}", types[column]), edit.SpeedRange, true
		}
		return "", edit.Range{}, false
	})
	if problem != "" {
		return nil, problem
	}
	return edit.Rewrite{Sentence: words.F("{0} pasted", figure.Plural(len(values)*len(values[0]), "speed")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Throughputs.Rows) <= at+i {
					edit.AddRow{Row: -1}.Change(d)
				}
				for k, v := range row {
					edit.SetSpeed{Row: at + i, Type: types[from+k], Value: v}.Change(d)
				}
				d.Scenario.Throughputs.Rows[at+i].Source = "pasted"
			}
		}}, ""
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
	return s.pasteEdit(pasteJobs(a.Job, a.Field, a.Fields, a.Cells))
}

// pasteJobs puts cells into the numbers of jobs, from a job and a field on, or says why it cannot.
func pasteJobs(job, field, fields int, cells [][]string) (edit.Edit, string) {
	values, problem := pasted(cells, func(column int) (string, edit.Range, bool) {
		if column += field; column < fields {
			f := edit.JobForm(job, column)
			return f.Name, f.Range, true
		}
		return "", edit.Range{}, false
	})
	if problem != "" {
		return nil, problem
	}
	return edit.Rewrite{Sentence: words.F("{0} pasted into the jobs", figure.Plural(len(values), "row")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Jobs) <= job+i {
					edit.AddJob{}.Change(d)
				}
				for k, v := range row {
					edit.SetJob{Job: job + i, Field: field + k, Value: v}.Change(d)
				}
			}
		}}, ""
}

// pasted reads cells as numbers of the columns that they fall into.
func pasted(cells [][]string, column func(i int) (name string, r edit.Range, ok bool)) (values [][]float64,
	problem string) {
	if len(cells) > maxPaste {
		return nil, words.F("{0} are more than can be pasted at once, {1}; open them as a file",
			figure.Plural(len(cells), "row"), itoa(maxPaste))
	}
	for i, row := range cells {
		if len(row) != len(cells[0]) {
			return nil, words.F("row {0} has {1} and the first one {2}", itoa(i+1), figure.Plural(len(row), "cell"),
				itoa(len(cells[0])))
		}
		read := make([]float64, len(row))
		for k, cell := range row {
			name, r, ok := column(k)
			if !ok {
				return nil, words.T("there are more columns than the table has from this cell on")
			}
			if cell == "" && r.Min == 0 && !r.Open {
				cell = "0"
			}
			v, wrong := edit.ParseNumber(cell, r)
			if wrong != "" {
				return nil, words.F("row {0}, column {1}: {2} {3}", itoa(i+1), itoa(k+1), name, wrong)
			}
			read[k] = v
		}
		values = append(values, read)
	}
	return values, ""
}

// AddMeasured adds a built-in row of measured throughputs.
func AddMeasured(r scenario.Row) edit.Edit {
	return edit.Rewrite{Sentence: words.F("{0} added to the throughputs: {1}", edit.ModelName(r.Model, r.Batch),
		r.Source),
		Make: func(d *scenario.Document) {
			d.Scenario.Throughputs.Rows = append(d.Scenario.Throughputs.Rows, r)
		}}
}
