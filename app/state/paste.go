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
	values, problem := pasted(a.Cells, func(column int) (string, edit.Range, bool) {
		if column += a.Column; column < len(a.Types) {
			return words.F("the speed on {0}", a.Types[column]), edit.SpeedRange, true
		}
		return "", edit.Range{}, false
	})
	if problem != "" {
		return s.refusePaste(problem)
	}
	return Do{edit.Rewrite{Sentence: words.F("{0} pasted", figure.Plural(len(values)*len(values[0]), "speed")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Throughputs.Rows) <= a.Row+i {
					edit.AddRow{Row: -1}.Change(d)
				}
				for k, v := range row {
					edit.SetSpeed{Row: a.Row + i, Type: a.Types[a.Column+k], Value: v}.Change(d)
				}
				d.Scenario.Throughputs.Rows[a.Row+i].Source = "pasted"
			}
		}}}.on(s)
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
	values, problem := pasted(a.Cells, func(column int) (string, edit.Range, bool) {
		if column += a.Field; column < a.Fields {
			f := edit.JobForm(a.Job, column)
			return f.Name, f.Range, true
		}
		return "", edit.Range{}, false
	})
	if problem != "" {
		return s.refusePaste(problem)
	}
	return Do{edit.Rewrite{Sentence: words.F("{0} pasted into the jobs", figure.Plural(len(values), "row")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Jobs) <= a.Job+i {
					edit.AddJob{}.Change(d)
				}
				for k, v := range row {
					edit.SetJob{Job: a.Job + i, Field: a.Field + k, Value: v}.Change(d)
				}
			}
		}}}.on(s)
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

func (s *State) refusePaste(problem string) []Effect {
	s.Notice = &Notice{Title: words.F("Nothing was pasted: {0}.", text.ClipTo(problem, 24))}
	s.Spoken = s.Notice.Title
	return nil
}

// AddMeasured adds a built-in row of measured throughputs.
func AddMeasured(r scenario.Row) edit.Edit {
	return edit.Rewrite{Sentence: words.F("{0} added to the throughputs: {1}", edit.ModelName(r.Model, r.Batch),
		r.Source),
		Make: func(d *scenario.Document) {
			d.Scenario.Throughputs.Rows = append(d.Scenario.Throughputs.Rows, r)
		}}
}
