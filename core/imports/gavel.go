package imports

import (
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// Columns of Gavel's own traces, by their number: the layout of ten, and the older one of seven of the
// stored Philly-derived traces. -1 is absent.
type gavelLayout struct{ jobType, steps, gpus, weight, slo, arrival int }

var gavelLayouts = map[int]gavelLayout{
	10: {jobType: 0, steps: 5, gpus: 6, weight: 7, slo: 8, arrival: 9},
	7:  {jobType: 0, steps: 4, gpus: 6, weight: -1, slo: -1, arrival: 5},
}

// gavel reads a trace as the Gavel project stores it: tab-separated, no header, the job type a text that
// holds model and batch. The command is dropped.
func (im *importer) gavel(in *input) bool {
	if !im.setup(defaultCluster) || !im.readTable() {
		return false
	}
	r := &rows{in: in, sep: '\t'}
	columns, promised := 0, 0
	ok := im.each(r, func() *fault {
		l, ok := gavelLayouts[len(r.cells)]
		if columns == 0 && ok {
			columns = len(r.cells)
		}
		if !ok || len(r.cells) != columns {
			return &fault{words.Say("another number of columns"),
				words.Say("it has {0}, not {1}", jsondoc.Plural(len(r.cells), "column"), either(columns))}
		}
		j, why := im.gavelJob(r, l)
		if why == nil {
			if why = im.add(j, "id"); why == nil && j.SLOS > 0 {
				promised++
			}
		}
		return why
	})
	if !ok {
		return false
	}
	im.assume(words.Say("layout of {0} tab-separated columns; commands are left out; jobs are numbered by row",
		either(columns)))
	if promised > 0 {
		im.assume(words.Say("completion times wished (SLO) are seconds from the arrival, for {0}",
			jsondoc.Plural(promised, "job")))
	}
	if im.report.Kept == 0 && im.looks != "" && im.looks != "gavel" {
		return im.refuse(1, codeUnreadable, words.Say("no row has 7 or 10 tab-separated columns"),
			im.otherwise(words.Text{}))
	}
	return true
}

func either(columns int) words.Text {
	if columns == 0 {
		return words.Say("{0} or {1}", 7, 10)
	}
	return words.Own(strconv.Itoa(columns))
}

func (im *importer) gavelJob(r *rows, l gavelLayout) (j scenario.Job, why *fault) {
	number := func(column int, name string, low, high float64) float64 {
		v, bad := parseCell(name, strings.TrimSpace(string(r.cells[column])), low, high)
		if bad != nil && why == nil {
			why = &fault{bad.kind, words.Say("column {0}: {1}", column+1, bad.text)}
		}
		return v
	}
	j = scenario.Job{ID: "j" + strconv.Itoa(im.report.Read-1), Weight: scenario.DefaultWeight}
	gpus := number(l.gpus, "scale factor", 1, scenario.MaxGangGPUs)
	j.GPUs, j.Steps = int(gpus), jsondoc.Round9(number(l.steps, "total steps", 0, scenario.MaxSteps))
	j.ArrivalS = number(l.arrival, "arrival", 0, scenario.MaxSeconds)
	if l.weight >= 0 {
		j.Weight = jsondoc.Round9(number(l.weight, "priority weight", 0, scenario.MaxWeight))
	}
	if l.slo >= 0 {
		j.SLOS = max(0, jsondoc.Round9(number(l.slo, "SLO", -1, scenario.MaxSeconds)))
	}
	if why == nil {
		why = whole("scale factor", gpus)
	}
	if why == nil && (j.Steps == 0 || j.Weight == 0) {
		why = &fault{words.Say("no steps or no weight"),
			words.Say("{0} and {1} must be above 0", "total steps", "priority weight")}
	}
	if why != nil {
		return j, why
	}
	name, _ := gavelModel(strings.TrimSpace(string(r.cells[l.jobType])))
	row, why := im.measured(name, 0, false)
	if why == nil {
		j.Model, j.Batch = row.Model, row.Batch
	}
	return j, why
}
