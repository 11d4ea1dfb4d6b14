package imports

import (
	"math"

	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// ownCSV reads a table with the document's own names (Columns). Speeds come from a template, or from measured
// throughputs and the options of a cluster.
func (im *importer) ownCSV(in *input) bool {
	columns := tableColumns("csv")
	if t := im.o.Template; t != nil {
		if im.o.Throughputs != nil {
			return im.refuse(0, codeBadOption,
				words.Say("speeds are given twice, by a template and by a throughput file"),
				words.Say("Leave one of the two out."))
		}
		if !im.options() {
			return false
		}
		im.gpus = t.Scenario.Cluster.GPUs()
		im.assume(words.Say("cluster, speeds, overheads and policies are those of the template"))
		return im.jobTable(in, columns, templateSpeeds(t.Scenario.Throughputs.Rows))
	}
	return im.measuredJobs(in, columns)
}

// templateSpeeds finds rows of a template by model and batch.
func templateSpeeds(rows []scenario.Row) lookup {
	byModel := map[string][]int{}
	for i := range rows {
		byModel[rows[i].Model] = append(byModel[rows[i].Model], i)
	}
	unknown := noSpeed
	return func(model string, batch float64, given bool) (*scenario.Row, *fault) {
		of := byModel[model]
		switch {
		case len(of) == 0:
			return nil, &fault{unknown, words.Say("the template has no speeds for {0}", jsondoc.Quote(model))}
		case !given && len(of) == 1:
			return &rows[of[0]], nil
		case !given && rowOf(rows, of, 0) == nil:
			return nil, &fault{unknown,
				words.Say("batch is absent, and the template has several for {0}", jsondoc.Quote(model))}
		}
		if r := rowOf(rows, of, batch); r != nil {
			return r, nil
		}
		return nil, &fault{unknown,
			words.Say("the template has no speeds for {0} at batch {1}", jsondoc.Quote(model), jsondoc.Number(batch))}
	}
}

// rowOf finds the row of a batch size among those of one model.
func rowOf(rows []scenario.Row, of []int, batch float64) *scenario.Row {
	for _, i := range of {
		if batch == math.Trunc(batch) && rows[i].Batch == int(batch) {
			return &rows[i]
		}
	}
	return nil
}
