package imports

import (
	"hadarlab/core/jsondoc"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// gavelCSV reads a trace in the CSV form of Gavel's traces (Columns).
func (im *importer) gavelCSV(in *input) bool { return im.measuredJobs(in, tableColumns("gavel-csv")) }

// measuredJobs reads a table of jobs whose speeds come from a file of measurements.
func (im *importer) measuredJobs(in *input, columns *jobColumns) bool {
	return im.setup(defaultCluster) && im.readTable() && im.jobTable(in, columns, im.measured)
}

// noSpeed counts the rows whose model, or whose batch of it, has no speed.
var noSpeed = words.Say("no speed for its model")

// measured gives the throughput row of a model from the file of measurements, or from the built-in ones. Of a model
// that those know with several batches the name carries it, as in resnet-50-b64, or the column batch.
func (im *importer) measured(model string, batch float64, given bool) (*scenario.Row, *fault) {
	row, ok := im.row(model)
	if !ok && given && batch > 0 {
		row, ok = im.row(model + "-b" + jsondoc.Number(batch))
	}
	switch {
	case !ok && len(im.o.Throughputs) == 0:
		return nil, &fault{noSpeed, words.Say("the built-in speeds have none for {0}", jsondoc.Quote(model))}
	case !ok:
		return nil, &fault{noSpeed, words.Say("the throughput file has no speed for {0}", jsondoc.Quote(model))}
	case given && batch != float64(row.Batch):
		return nil, &fault{words.Say("no speed for its batch"),
			words.Say("batch is {0}, and the speeds have {1} for {2}", jsondoc.Number(batch), row.Batch,
				jsondoc.Quote(model))}
	}
	return row, nil
}
