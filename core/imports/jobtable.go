package imports

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

const maxColumn = 100 // columns that are looked at

// jobColumns are the names of the columns of a table of jobs; model and arrival_s are called so everywhere.
type jobColumns struct {
	id, gpus, steps, weight string
	prefix                  string // put before ids
	timed                   bool   // arrival_s must be there
}

// lookup finds the speeds of a job's model, or says why there are none.
type lookup func(model string, batch float64, given bool) (*scenario.Row, *fault)

// named is a table whose first row names its columns.
type named struct {
	rows
	known []string
	found []string       // the names as they stand
	at    map[string]int // column by name
	why   *fault         // of the first cell of the row that is wrong
}

// open reads the header. need lists names that must be there.
func (im *importer) open(in *input, known, need []string) (*named, bool) {
	t := &named{rows: rows{in: in, sep: separator([]byte(firstLine(in.start()))), quotes: true}, known: known}
	switch err := t.next(); {
	case err == errLong || err == errQuote || err == io.EOF:
		return nil, im.refuse(1, codeUnreadable, words.Say("the trace has no header row that can be read"),
			words.Say("Start it with {0}.", strings.Join(known, ",")))
	case err != nil:
		return nil, im.refuse(1, codeUnreadable, words.Say("the trace cannot be read: {0}", err.Error()),
			words.Say("Check the file."))
	}
	ok := im.header(t)
	return t, im.needs(t, need) && ok
}

// header takes the names of the columns from the present row.
func (im *importer) header(t *named) bool {
	t.at = map[string]int{}
	ok := true
	for i, cell := range t.cells[:min(len(t.cells), maxColumn)] {
		t.found = append(t.found, strings.TrimSpace(string(cell)))
		name := strings.ToLower(t.found[i])
		_, twice := t.at[name]
		switch {
		case !slices.Contains(t.known, name):
			im.report.Unused = append(im.report.Unused, text.Clip(name))
		case twice:
			ok = im.refuse(1, text.CodeTwice, words.Say("the trace has the column {0} twice", name),
				words.Say("Keep one of the two."))
		}
		t.at[name] = i
	}
	return ok
}

// needs refuses a table that lacks a column.
func (im *importer) needs(t *named, names []string) bool {
	ok := true
	for _, name := range names {
		if _, has := t.at[name]; !has {
			ok = im.refuse(1, codeNoColumn,
				words.Say("the trace has no column {0}; it has {1}", name,
					text.ClipTo(strings.Join(t.found[:min(len(t.found), 12)], ", "), 200)),
				im.otherwise(words.Say("Name the columns in the first row.")))
		}
	}
	return ok
}

// cell gives the text of a column, "" where there is none.
func (t *named) cell(name string) string {
	if i, ok := t.at[name]; ok && i < len(t.cells) {
		return strings.TrimSpace(string(t.cells[i]))
	}
	return ""
}

// number reads a column; the first fault of a row stays.
func (t *named) number(name string, low, high float64) float64 {
	v, why := parseCell(name, t.cell(name), low, high)
	if t.why == nil {
		t.why = why
	}
	return v
}

// parseCell reads a number between two limits.
func parseCell(name, cell string, low, high float64) (float64, *fault) {
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		why := &fault{words.Say("{0} is not a number", name),
			words.Say("{0} is {1}, not a number", name, text.Quote(strings.ToValidUTF8(cell, "?")))}
		if strings.Contains(cell, ",") {
			why.text = words.Say("{0}; the decimal sign is a point", why.text)
		}
		return 0, why
	case v < low || v > high:
		return v, &fault{words.Say("{0} is out of range", name),
			words.Say("{0} is {1}; it must be {2} to {3}", name, text.Number(v), text.Number(low),
				text.Number(high))}
	}
	return v, nil
}

// whole refuses a fraction.
func whole(name string, v float64) *fault {
	if v != math.Trunc(v) {
		return &fault{words.Say("{0} is not a whole number", name),
			words.Say("{0} is {1}, not a whole number", name, text.Number(v))}
	}
	return nil
}

// jobTable reads a table of jobs with models and steps.
func (im *importer) jobTable(in *input, n jobColumns, speeds lookup) bool {
	need := []string{"model", n.gpus, n.steps}
	if n.timed {
		need = append(need, "arrival_s")
	}
	t, ok := im.open(in, []string{n.id, "model", "batch", n.gpus, n.steps, "arrival_s", n.weight}, need)
	if !ok {
		return false
	}
	if _, has := t.at[n.id]; !has {
		im.assume(words.Say("jobs are numbered by row, since there is no column {0}", n.id))
	}
	return im.each(&t.rows, func() *fault { return im.job(t, &n, speeds) })
}

// job turns a row into a candidate.
func (im *importer) job(t *named, n *jobColumns, speeds lookup) *fault {
	t.why = nil
	j := scenario.Job{Weight: scenario.DefaultWeight, ID: "j" + strconv.Itoa(im.report.Read-1)}
	gpus := t.number(n.gpus, 1, scenario.MaxGangGPUs)
	j.GPUs = int(gpus)
	j.Steps = text.Round9(t.number(n.steps, 0, scenario.MaxSteps))
	if n.timed || t.cell("arrival_s") != "" {
		j.ArrivalS = t.number("arrival_s", 0, scenario.MaxSeconds)
	}
	if t.cell(n.weight) != "" {
		j.Weight = text.Round9(t.number(n.weight, 0, scenario.MaxWeight))
	}
	batch, given := 0.0, t.cell("batch") != ""
	if given && t.why == nil {
		batch = t.number("batch", 0, scenario.MaxBatch)
	}
	id := t.cell(n.id)
	if id != "" {
		j.ID = n.prefix + id
	}
	switch why := whole(n.gpus, gpus); {
	case t.why != nil:
		return t.why
	case why != nil:
		return why
	case j.Steps == 0 || j.Weight == 0:
		return &fault{words.Say("no steps or no weight"), words.Say("{0} and {1} must be above 0", n.steps, n.weight)}
	case scenario.Slug(j.ID) != j.ID:
		return &fault{words.Say("{0} is no id", n.id),
			words.Say("{0} {1} is not made of lower-case letters, digits and . _ -", n.id, text.Quote(id))}
	case im.kept.find(j.ID) != nil:
		return &fault{words.Say("{0} stands twice", n.id), words.Say("{0} {1} stands twice", n.id, text.Quote(id))}
	}
	row, why := speeds(t.cell("model"), batch, given)
	if why != nil {
		return why
	}
	j.Model, j.Batch = row.Model, row.Batch
	return im.add(j, n.id)
}
