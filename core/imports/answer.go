package imports

import (
	"bytes"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// Answer reads a trace as a message asks for it. The document is empty where there are errors, and where it has more
// jobs than are asked for.
func Answer(ask *message.ImportRequest, trace []byte) (answer *message.Imported, document []byte) {
	o := Options{GPUsPerNode: ask.PerNode, First: ask.First, ArrivalDivisor: ask.Divisor, Workload: ask.Workload,
		Untuned: ask.Untuned, Sample: ask.Sample, Seed: ask.Seed}
	if ask.Cluster != "" {
		o.Cluster, _ = scenario.ParseCluster(ask.Cluster) // whoever asks has read it
	} else if len(ask.Template) > 0 {
		o.Template, _ = scenario.Parse(ask.Template, scenario.FileLimits) // it stands in the page, faults or not
	}
	if ask.Speeds != "" {
		o.Speeds, _ = scenario.ParseSpeeds(ask.Speeds)
	}
	d, report, found := Read(bytes.NewReader(trace), ask.Format, o)
	answer = &message.Imported{Report: report, Errors: found.Errors()}
	if d != nil && report.Jobs <= ask.Most {
		document = d.Marshal(false)
	}
	return answer, document
}
