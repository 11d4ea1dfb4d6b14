package scenario

import (
	"io"
	"math"
)

// CSVOptions say where the cluster and the speeds of a plain job table come from: either a template,
// or measured throughputs and the options of a cluster.
type CSVOptions struct {
	Template    *Document // cluster, speeds, overheads and policies; its jobs are left behind
	Throughputs []byte    // as for ImportGavelCSV
	ImportOptions
}

// ImportCSV reads jobs from a CSV file with the document's own names: columns id, model, batch,
// arrival_s, gpus, steps and weight in any order; id, batch, arrival_s and weight may be absent. Further columns
// are reported. A row that cannot be a job is dropped, counted and reported with its line; the document
// is nil when nothing can be imported.
func ImportCSV(table io.Reader, o CSVOptions) (*Document, Report, Diagnostics) {
	im := newGavelImport(o.ImportOptions, jobColumns{id: "id", gpus: "gpus", steps: "steps", weight: "weight"})
	var d *Document
	switch {
	case o.Template != nil && o.Throughputs != nil:
		im.refuse(0, codeBadOption, "speeds are given twice, by a template and by a throughput file", "Leave one of the two out.")
	case o.Template != nil:
		d = im.fill(o.Template, table)
	default:
		d = im.run(table, o.Throughputs)
	}
	if d != nil {
		d.Meta.Title = "Imported, " + plural(im.report.Kept, "job")
	}
	return d, im.report, im.f.found
}

// fill puts the table's jobs in place of the template's.
func (im *gavelImport) fill(template *Document, table io.Reader) *Document {
	if o := &im.o; o.ArrivalDivisor != 0 {
		im.divisor = o.ArrivalDivisor
	}
	if im.first = im.o.First; im.first < 0 || !(im.divisor > 0) {
		im.refuse(0, codeBadOption, "the number of jobs must be 0 or more, and the arrival divisor above 0", "See import --help.")
		return nil
	}
	d := template.Clone()
	rows := d.Scenario.Throughputs.Rows
	byModel := map[string][]int{}
	for i := range rows {
		byModel[rows[i].Model] = append(byModel[rows[i].Model], i)
	}
	im.speeds = func(model string, batch float64, given bool) (*Row, string) {
		of := byModel[model]
		switch {
		case len(of) == 0:
			return nil, "the template has no speeds for " + quote(model)
		case !given && len(of) == 1:
			return &rows[of[0]], ""
		case !given && rowOf(rows, of, 0) == nil:
			return nil, "batch is absent, and the template has several for " + quote(model)
		}
		if r := rowOf(rows, of, batch); r != nil {
			return r, ""
		}
		return nil, "the template has no speeds for " + quote(model) + " at batch " + numberText(batch)
	}
	if !im.read(table) {
		return nil
	}
	im.assume("cluster, speeds, overheads and policies are those of the template")
	d.Scenario.Jobs = im.jobs
	d.Meta = Meta{Notes: "Jobs from a CSV file"}
	if t := template.Meta.Title; t != "" {
		d.Meta.Notes += "; cluster and speeds of the scenario " + quote(t)
	}
	d.Meta.Notes += "."
	return d
}

// rowOf finds the row of a batch size among those of one model.
func rowOf(rows []Row, of []int, batch float64) *Row {
	for _, i := range of {
		if batch == math.Trunc(batch) && rows[i].Batch == int(batch) {
			return &rows[i]
		}
	}
	return nil
}
