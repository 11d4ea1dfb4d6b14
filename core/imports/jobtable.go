package imports

import (
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

const maxColumn = 100 // columns that are looked at

// Column is a column of a table of jobs, as the importer reads it and help and manual list it.
type Column struct {
	Name  string // in the first row, in any case
	Need  bool   // it must be there
	Range string // what a cell may hold, with its unit
	Empty string // what an empty cell or an absent column means, where there may be one
}

// jobColumns are the columns of a table of jobs.
type jobColumns struct {
	id, model, batch, gpus, steps, arrival, weight Column
	cpus, memory                                   Column // no name = the format has none
	prefix                                         string // put before ids
}

// list are all columns, in the order in which they are told.
func (n *jobColumns) list() []Column {
	all := []Column{n.id, n.model, n.batch, n.gpus, n.steps, n.arrival, n.weight, n.cpus, n.memory}
	return slices.DeleteFunc(all, func(c Column) bool { return c.Name == "" })
}

// tableColumns are the columns of csv and gavel-csv, which differ by names and by what must be there.
func tableColumns(format string) *jobColumns {
	upTo := func(low string, high float64, unit string) string { return low + " to " + jsondoc.Number(high) + unit }
	n := &jobColumns{
		id:      Column{"id", false, "lower-case letters, digits and . _ -, each once", "j and the number of the row"},
		model:   Column{"model", true, "a model that the speeds name", ""},
		batch:   Column{"batch", false, upTo("whole, 0", scenario.MaxBatch, " examples"), "the one of the speeds"},
		gpus:    Column{"gpus", true, upTo("whole, 1", scenario.MaxGangGPUs, ""), ""},
		steps:   Column{"steps", true, upTo("above 0,", scenario.MaxSteps, ""), ""},
		arrival: Column{"arrival_s", false, upTo("0", scenario.MaxSeconds, " s"), "0"},
		weight:  Column{"weight", false, upTo("above 0,", scenario.MaxWeight, ""), "1"},
		cpus:    Column{"cpus", false, upTo("of all its GPUs, 0", scenario.MaxHost, ""), "as its model’s row says"},
		memory: Column{"memory_gb", false, upTo("of all its GPUs, 0", scenario.MaxHost, " GB"),
			"as its model’s row says"},
	}
	if format == "gavel-csv" {
		n.id.Name, n.gpus.Name, n.steps.Name, n.weight.Name = "job_id", "scale_factor", "total_steps", "priority_weight"
		n.prefix, n.id.Range = "j", "put behind a j: "+n.id.Range
		n.arrival.Need, n.arrival.Empty = true, ""
		n.cpus, n.memory = Column{}, Column{}
	}
	return n
}

// Columns are the columns that a format of tables of jobs reads, csv or gavel-csv, and none of other formats. Their
// order is free, and others are passed over.
func Columns(format string) []Column {
	if format != "csv" && format != "gavel-csv" {
		return nil
	}
	return tableColumns(format).list()
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
			im.report.Unused = append(im.report.Unused, jsondoc.Clip(name))
		case twice:
			ok = im.refuse(1, jsondoc.CodeTwice, words.Say("the trace has the column {0} twice", name),
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
					jsondoc.ClipTo(strings.Join(t.found[:min(len(t.found), 12)], ", "), 200)),
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

// optional reads a column whose cell may be empty, or absent, for 0.
func (t *named) optional(name string, high float64) float64 {
	if t.cell(name) == "" {
		return 0
	}
	return jsondoc.Round9(t.number(name, 0, high))
}

// parseCell reads a number between two limits.
func parseCell(name, cell string, low, high float64) (float64, *fault) {
	v, err := strconv.ParseFloat(cell, 64)
	switch {
	case err != nil || math.IsNaN(v) || math.IsInf(v, 0):
		why := &fault{words.Say("{0} is not a number", name),
			words.Say("{0} is {1}, not a number", name, jsondoc.Quote(strings.ToValidUTF8(cell, "?")))}
		if strings.Contains(cell, ",") {
			why.text = words.Say("{0}; the decimal sign is a point", why.text)
		}
		return 0, why
	case v < low || v > high:
		return v, &fault{words.Say("{0} is out of range", name),
			words.Say("{0} is {1}; it must be {2} to {3}", name, jsondoc.Number(v), jsondoc.Number(low),
				jsondoc.Number(high))}
	}
	return v, nil
}

// whole refuses a fraction.
func whole(name string, v float64) *fault {
	if v != math.Trunc(v) {
		return &fault{words.Say("{0} is not a whole number", name),
			words.Say("{0} is {1}, not a whole number", name, jsondoc.Number(v))}
	}
	return nil
}

// jobTable reads a table of jobs with models and steps.
func (im *importer) jobTable(in *input, n *jobColumns, speeds lookup) bool {
	var known, need []string
	for _, c := range n.list() {
		if known = append(known, c.Name); c.Need {
			need = append(need, c.Name)
		}
	}
	t, ok := im.open(in, known, need)
	if !ok {
		return false
	}
	if _, has := t.at[n.id.Name]; !has {
		im.assume(words.Say("jobs are numbered by row, since there is no column {0}", n.id.Name))
	}
	return im.each(&t.rows, func() *fault { return im.job(t, n, speeds) })
}

// job turns a row into a candidate.
func (im *importer) job(t *named, n *jobColumns, speeds lookup) *fault {
	t.why = nil
	j := scenario.Job{Weight: scenario.DefaultWeight, ID: "j" + strconv.Itoa(im.report.Read-1)}
	gpus := t.number(n.gpus.Name, 1, scenario.MaxGangGPUs)
	j.GPUs = int(gpus)
	j.Steps = jsondoc.Round9(t.number(n.steps.Name, 0, scenario.MaxSteps))
	if n.arrival.Need || t.cell(n.arrival.Name) != "" {
		j.ArrivalS = t.number(n.arrival.Name, 0, scenario.MaxSeconds)
	}
	if t.cell(n.weight.Name) != "" {
		j.Weight = jsondoc.Round9(t.number(n.weight.Name, 0, scenario.MaxWeight))
	}
	if n.cpus.Name != "" {
		j.CPUs = t.optional(n.cpus.Name, scenario.MaxHost)
		j.MemoryGB = t.optional(n.memory.Name, scenario.MaxHost)
	}
	batch, given := 0.0, t.cell(n.batch.Name) != ""
	if given && t.why == nil {
		batch = t.number(n.batch.Name, 0, scenario.MaxBatch)
	}
	id := t.cell(n.id.Name)
	if id != "" {
		j.ID = n.prefix + id
	}
	switch why := whole(n.gpus.Name, gpus); {
	case t.why != nil:
		return t.why
	case why != nil:
		return why
	case j.Steps == 0 || j.Weight == 0:
		return &fault{words.Say("no steps or no weight"), words.Say("{0} and {1} must be above 0", n.steps.Name,
			n.weight.Name)}
	case scenario.Slug(j.ID) != j.ID:
		return &fault{words.Say("{0} is no id", n.id.Name),
			words.Say("{0} {1} is not made of lower-case letters, digits and . _ -", n.id.Name, jsondoc.Quote(id))}
	case im.kept.find(j.ID) != nil:
		return &fault{words.Say("{0} stands twice", n.id.Name),
			words.Say("{0} {1} stands twice", n.id.Name, jsondoc.Quote(id))}
	}
	row, why := speeds(t.cell(n.model.Name), batch, given)
	if why != nil {
		return why
	}
	j.Model, j.Batch = row.Model, row.Batch
	return im.add(j, n.id.Name)
}
