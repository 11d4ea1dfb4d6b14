package imports

import (
	"strconv"
	"strings"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
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
	ok := im.each(r, func() fault {
		l, ok := gavelLayouts[len(r.cells)]
		if columns == 0 && ok {
			columns = len(r.cells)
		}
		if !ok || len(r.cells) != columns {
			return fault{"another number of columns", "it has " + text.Plural(len(r.cells), "column") + ", not " +
				either(columns)}
		}
		j, why := im.gavelJob(r, l)
		if why.text == "" {
			if why = im.add(j, "id"); why.text == "" && j.SLOS > 0 {
				promised++
			}
		}
		return why
	})
	if !ok {
		return false
	}
	im.assume("layout of " + either(columns) +
		" tab-separated columns; commands are left out; jobs are numbered by row")
	if promised > 0 {
		im.assume("completion times wished (SLO) are seconds from the arrival, for " + text.Plural(promised, "job"))
	}
	if im.report.Kept == 0 && im.looks != "" && im.looks != "gavel" {
		return im.refuse(1, codeUnreadable, "no row has 7 or 10 tab-separated columns", im.otherwise(""))
	}
	return true
}

func either(columns int) string {
	if columns == 0 {
		return "7 or 10"
	}
	return strconv.Itoa(columns)
}

func (im *importer) gavelJob(r *rows, l gavelLayout) (j scenario.Job, why fault) {
	number := func(column int, name string, low, high float64) float64 {
		v, bad := parseCell(name, strings.TrimSpace(string(r.cells[column])), low, high)
		if bad.text != "" && why.text == "" {
			why = fault{bad.kind, "column " + strconv.Itoa(column+1) + ": " + bad.text}
		}
		return v
	}
	j = scenario.Job{ID: "j" + strconv.Itoa(im.report.Read-1), Weight: scenario.DefaultWeight}
	gpus := number(l.gpus, "scale factor", 1, scenario.MaxGangGPUs)
	j.GPUs, j.Steps = int(gpus), text.Round9(number(l.steps, "total steps", 0, scenario.MaxSteps))
	j.ArrivalS = number(l.arrival, "arrival", 0, scenario.MaxSeconds)
	if l.weight >= 0 {
		j.Weight = text.Round9(number(l.weight, "priority weight", 0, scenario.MaxWeight))
	}
	if l.slo >= 0 {
		j.SLOS = max(0, text.Round9(number(l.slo, "SLO", -1, scenario.MaxSeconds)))
	}
	if why.text == "" {
		why = whole("scale factor", gpus)
	}
	if why.text == "" && (j.Steps == 0 || j.Weight == 0) {
		why = fault{"no steps or no weight", "total steps and priority weight must be above 0"}
	}
	if why.text != "" {
		return j, why
	}
	name, _ := gavelModel(strings.TrimSpace(string(r.cells[l.jobType])))
	row, why := im.measured(name, 0, false)
	if why.text == "" {
		j.Model, j.Batch = row.Model, row.Batch
	}
	return j, why
}
