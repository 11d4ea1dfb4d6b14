package edit

import (
	"strings"

	"hadarlab/app/words"
	"hadarlab/core/scenario"
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

// PasteSpeeds puts cells into the throughputs, from a row and a column of types on, or says why it cannot.
func PasteSpeeds(at, from int, types []string, cells [][]string) (Edit, string) {
	values, problem := pasted(cells, func(column int) (string, Range, bool) {
		if column += from; column < len(types) {
			return words.F("the speed on {0}", types[column]), SpeedRange, true
		}
		return "", Range{}, false
	})
	if problem != "" {
		return nil, problem
	}
	return Rewrite{Sentence: words.F("{0} pasted", words.Plural(len(values)*len(values[0]), "speed")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Throughputs.Rows) <= at+i {
					AddRow{Row: -1}.Change(d)
				}
				for k, v := range row {
					SetSpeed{Row: at + i, Type: types[from+k], Value: v}.Change(d)
				}
				d.Scenario.Throughputs.Rows[at+i].Source = "pasted"
			}
		}}, ""
}

// PasteJobs puts cells into the numbers of jobs, from a job and a field on, or says why it cannot.
func PasteJobs(job, field, fields int, cells [][]string) (Edit, string) {
	values, problem := pasted(cells, func(column int) (string, Range, bool) {
		if column += field; column < fields {
			f := JobForm(job, column)
			return f.Name, f.Range, true
		}
		return "", Range{}, false
	})
	if problem != "" {
		return nil, problem
	}
	return Rewrite{Sentence: words.F("{0} pasted into the jobs", words.Plural(len(values), "row")),
		Make: func(d *scenario.Document) {
			for i, row := range values {
				for len(d.Scenario.Jobs) <= job+i {
					AddJob{}.Change(d)
				}
				for k, v := range row {
					SetJob{Job: job + i, Field: field + k, Value: v}.Change(d)
				}
			}
		}}, ""
}

// pasted reads cells as numbers of the columns that they fall into.
func pasted(cells [][]string, column func(i int) (name string, r Range, ok bool)) (values [][]float64,
	problem string) {
	if len(cells) > maxPaste {
		return nil, words.F("{0} are more than can be pasted at once, {1}; open them as a file",
			words.Plural(len(cells), "row"), itoa(maxPaste))
	}
	for i, row := range cells {
		if len(row) != len(cells[0]) {
			return nil, words.F("row {0} has {1} and the first one {2}", itoa(i+1), words.Plural(len(row), "cell"),
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
			v, wrong := ParseNumber(cell, r)
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
func AddMeasured(r scenario.Row) Edit {
	return Rewrite{Sentence: words.F("{0} added to the throughputs: {1}", ModelName(r.Model, r.Batch),
		r.Source),
		Make: func(d *scenario.Document) {
			d.Scenario.Throughputs.Rows = append(d.Scenario.Throughputs.Rows, r)
		}}
}
