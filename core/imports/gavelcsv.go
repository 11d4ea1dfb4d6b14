package imports

import (
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// gavelCSV reads a trace in the CSV form of Gavel's traces: columns model, batch, scale_factor,
// total_steps, arrival_s, and job_id and priority_weight where present. Further ones are ignored.
func (im *importer) gavelCSV(in *input) bool {
	return im.measuredJobs(in, jobColumns{id: "job_id", gpus: "scale_factor", steps: "total_steps",
		weight: "priority_weight", prefix: "j", timed: true})
}

// measuredJobs reads a table of jobs whose speeds come from a file of measurements.
func (im *importer) measuredJobs(in *input, columns jobColumns) bool {
	return im.setup(defaultCluster) && im.readTable() && im.jobTable(in, columns, im.measured)
}

// measured gives the throughput row of a model from the file of measurements.
func (im *importer) measured(model string, batch float64, given bool) (*scenario.Row, *fault) {
	row, ok := im.row(model)
	switch {
	case !ok:
		return nil, &fault{words.Say("no speed for its model"),
			words.Say("the throughput file has no speed for {0}", text.Quote(model))}
	case given && batch != float64(row.Batch):
		return nil, &fault{words.Say("no speed for its batch"),
			words.Say("batch is {0}, and the throughput file has {1} for {2}", text.Number(batch), row.Batch,
				text.Quote(model))}
	}
	return row, nil
}
