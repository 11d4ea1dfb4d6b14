package edit

import "hadarlab/core/scenario"

// begun is where a scenario of one's own begins: two kinds of GPU, two jobs that want both of a kind and a small
// one, and the two policies that the lab compares.
const begun = `{"kind": "scenario", "version": 1, "scenario": {
  "cluster": {"nodes": [{"id": "n1", "gpus": {"v100": 2}}, {"id": "n2", "gpus": {"k80": 2}}]},
  "throughputs": {"rows": [{"model": "resnet-50", "batch": 64, "per_gpu": {"v100": 10, "k80": 3}}]},
  "jobs": [
    {"id": "j1", "model": "resnet-50", "batch": 64, "gpus": 2, "steps": 14400},
    {"id": "j2", "model": "resnet-50", "batch": 64, "gpus": 2, "steps": 14400},
    {"id": "j3", "model": "resnet-50", "batch": 64, "gpus": 1, "steps": 7200}
  ],
  "policies": [{"id": "hadar"}, {"id": "gavel-las"}]
}}`

// New is a scenario to begin with.
func New() *scenario.Document {
	doc, _ := scenario.Parse([]byte(begun), scenario.FileLimits) // a test reads it
	return doc
}
