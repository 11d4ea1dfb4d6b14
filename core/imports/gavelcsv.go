package imports

import (
	"strconv"

	"hadarlab/core/scenario"
	"hadarlab/core/text"
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
func (im *importer) measured(model string, batch float64, given bool) (*scenario.Row, fault) {
	row, ok := im.row(model)
	switch {
	case !ok:
		return nil, fault{"no speed for its model", "the throughput file has no speed for " + text.Quote(model)}
	case given && batch != float64(row.Batch):
		return nil, fault{"no speed for its batch", "batch is " + text.Number(batch) +
			", and the throughput file has " + strconv.Itoa(row.Batch) + " for " + text.Quote(model)}
	}
	return row, fault{}
}
