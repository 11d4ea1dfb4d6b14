package study

import (
	"strconv"

	"hadarlab/core/generate"
	"hadarlab/core/scenario"
)

// GavelWindow are the jobs that Gavel's experiments measure: 4000 to 4999, counted from 0.
func GavelWindow() *scenario.Window { return &scenario.Window{From: 4000, Jobs: 1000} }

// OpenGavel is the continuous experiment of Gavel (OSDI 2020): jobs of its generator's mix arrive by a Poisson process,
// so many an hour, on 36 V100, 36 P100 and 36 K80, one to a node, in rounds of 360 s and without stalls; those of the
// window are measured. Arrivals go on for a thousand hours and as many jobs more after the window: its longest job may
// last 167 hours on a V100, and some five times as long on the slowest type.
func OpenGavel(perH float64, seed uint64, w *scenario.Window) *scenario.Document {
	s := scenario.Scenario{Seed: seed, RoundS: 360, Window: w, Generator: &scenario.Generator{
		Count:    w.From + 2*w.Jobs + int(perH*1000),
		Arrivals: scenario.Arrivals{Arrivals: generate.Arrivals{Process: generate.Poisson, RatePerH: perH}}}}
	for _, typ := range []string{"v100", "p100", "k80"} {
		for range 36 {
			s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(len(s.Cluster.Nodes)+1),
				GPUs: map[string]int{typ: 1}})
		}
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s,
		Meta: scenario.Meta{Title: "Gavel's mix, " + strconv.FormatFloat(perH, 'g', -1, 64) + " jobs an hour"}}
}
