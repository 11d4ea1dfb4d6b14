package edit

import (
	"cmp"
	"hadarlab/core/figure"
	"hadarlab/core/generate"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// MostJobs is how many jobs the page draws, or takes over from a trace.
const MostJobs = 20000

// GeneratorForm is how jobs are drawn; it is for documents with a generator.
func GeneratorForm() ([]Word, []Figure) {
	const at = "/scenario/jobs/generator/"
	figure := func(member, name, help string, r Range, empty string, of func(g *scenario.Generator) *float64) Figure {
		return Figure{Path: at + member, Name: name, Label: name, Help: help, Range: r, Empty: empty,
			Get: func(d *scenario.Document) float64 { return *of(generator(d)) },
			Set: func(d *scenario.Document, v float64) { *of(generator(d)) = v }}
	}
	kinds := []string{"gavel-mix", "helios", "pai", "philly"}
	return []Word{
			{at + "kind", "Kind of jobs", "Kind", "sizes and lengths in the style of that workload", kinds,
				[]string{"Gavel’s mix", "Helios-style", "PAI-style", "Philly-style"},
				func(
					d *scenario.Document) string {
					return cmp.Or(generator(d).Kind, kinds[0])
				}, func(d *scenario.Document, v string) { generator(d).Kind = v }},
			{at + "arrivals/process", "Arrivals", "Arrivals", "", []string{"static", "poisson", "bursty", "diurnal"},
				[]string{"all at 0", "Poisson", "in bursts", "by the hour of the day"},
				func(d *scenario.Document) string { return cmp.Or(generator(d).Arrivals.Process, "static") },
				setProcess},
		}, []Figure{
			{Path: at + "count", Name: "Jobs to draw", Label: "Jobs",
				Help:  "empty: as many as arrive in the time below",
				Range: Range{Min: 0, Max: MostJobs, Whole: true}, Empty: "as many as arrive",
				Get: func(d *scenario.Document) float64 { return float64(generator(d).Count) },
				Set: func(d *scenario.Document, v float64) { generator(d).Count = int(v) }},
			figure("duration_s", "Time of arrivals", "jobs arrive within it; empty: until there are enough", anySeconds,
				"no end", func(g *scenario.Generator) *float64 { return &g.DurationS }),
			figure("arrivals/rate_per_h", "Arrival rate", "mean jobs per hour; for all but arrivals at 0",
				Range{Min: 0, Max: 1e6, Unit: "jobs/h"}, "none",
				func(g *scenario.Generator) *float64 { return &g.Arrivals.RatePerH }),
			figure("arrivals/burst", "Jobs in a burst", "mean; for bursts only", Range{Min: 0, Max: 1e6}, "10",
				func(g *scenario.Generator) *float64 { return &g.Arrivals.Burst }),
			figure("arrivals/burst_gap_s", "Gap in a burst", "mean time between its jobs", anySeconds, "10 s",
				func(g *scenario.Generator) *float64 { return &g.Arrivals.BurstGapS }),
			figure("lengths/scale", "Length factor", "on every job’s length", Range{Min: 0, Max: 1e6}, "1",
				func(g *scenario.Generator) *float64 { return &g.Lengths.Scale }),
			figure("lengths/median_s", "Median length", "lengths are log-normal around it; empty: those of the kind",
				anySeconds, "as the kind", func(g *scenario.Generator) *float64 { return &g.Lengths.MedianS }),
			figure("lengths/sigma", "Spread of lengths", "standard deviation of their logarithm; counts with a median",
				Range{Min: 0, Max: 10}, "0", func(g *scenario.Generator) *float64 { return &g.Lengths.Sigma }),
			figure("lengths/min_s", "Shortest job", "what is shorter takes so long", anySeconds, "1 s",
				func(g *scenario.Generator) *float64 { return &g.Lengths.MinS }),
			figure("lengths/max_s", "Longest job", "what is longer takes so long", anySeconds, "no bound",
				func(g *scenario.Generator) *float64 { return &g.Lengths.MaxS }),
			figure("priority_share", "Share with priority", "of the jobs, from 0 to 1: their weight is 5", shareRange,
				"none", func(g *scenario.Generator) *float64 { return &g.PriorityShare }),
			figure("slo_share", "Share with a deadline", "of the jobs, from 0 to 1", shareRange, "none",
				func(g *scenario.Generator) *float64 { return &g.SLOShare }),
		}
}

// setProcess gives a process of arrivals the rate that it needs.
func setProcess(d *scenario.Document, v string) {
	g := d.Scenario.Generator
	if g == nil {
		return
	}
	g.Arrivals.Process = v
	if v != "static" && g.Arrivals.RatePerH == 0 {
		g.Arrivals.RatePerH = 4
	}
}

// ReferenceForm is the GPU type on which drawn lengths hold.
func ReferenceForm(types []string) Word {
	return Word{"/scenario/jobs/generator/reference", "Reference of lengths", "Reference",
		"GPU type on which a drawn length holds", append([]string{""}, types...),
		append([]string{"as the kind"}, types...),
		func(
			d *scenario.Document) string {
			return generator(d).Reference
		}, func(d *scenario.Document, v string) { generator(d).Reference = v }}
}

// SizeForm is the share of jobs of one gang size.
func SizeForm(size string) Figure {
	return Figure{Path: "/scenario/jobs/generator/gpus/" + size, Name: words.F("Share of jobs with {0}", gang(size)),
		Label: gang(size), Range: Range{Min: 0, Max: 1e6},
		Get: func(d *scenario.Document) float64 { return generator(d).GPUs[size] },
		Set: func(d *scenario.Document, v float64) { generator(d).GPUs[size] = v }}
}

// MixForm is the share of jobs that train one model.
func MixForm(i int, m *scenario.ModelShare) Figure {
	name := ModelName(m.Model, m.Batch)
	of := func(d *scenario.Document) *scenario.ModelShare {
		if i >= len(generator(d).Models) {
			return &scenario.ModelShare{}
		}
		return &generator(d).Models[i]
	}
	return Figure{Path: "/scenario/jobs/generator/models/" + itoa(i) + "/share",
		Name: words.F("Share of jobs with {0}", name), Label: name, Range: Range{Min: 0, Max: 1e6, Open: true},
		Get: func(d *scenario.Document) float64 { return of(d).Share },
		Set: func(d *scenario.Document, v float64) { of(d).Share = v }}
}

func gang(size string) string {
	n := 0
	for _, c := range size {
		n = 10*n + int(c-'0')
	}
	return figure.Plural(n, "GPU")
}

// Sizes are the gang sizes that have a share, ascending.
func Sizes(d *scenario.Document) []string {
	var sizes []string
	keys := text.Keys(generator(d).GPUs)
	for digits := 1; digits <= 6; digits++ {
		for _, k := range keys {
			if len(k) == digits {
				sizes = append(sizes, k)
			}
		}
	}
	return sizes
}

// ListSizes gives the sizes the shares that the kind has, to be changed; or leaves them to it again.
func ListSizes(on bool) Edit {
	if !on {
		return Rewrite{words.T("Gang sizes as the kind has them"),
			func(d *scenario.Document) { generator(d).GPUs = nil }}
	}
	return Rewrite{words.T("Shares of gang sizes listed"),
		func(d *scenario.Document) { generator(d).GPUs = generate.SizeShares(generator(d).Kind) }}
}

// AddSize gives a gang size a share.
func AddSize(size string) Edit {
	return Rewrite{words.F("Jobs with {0} are drawn", gang(size)), func(d *scenario.Document) {
		g := generator(d)
		if g.GPUs == nil {
			g.GPUs = map[string]float64{}
		}
		g.GPUs[size] = 1
	}}
}

// RemoveSize lets no job have a gang size.
func RemoveSize(size string) Edit {
	return Rewrite{words.F("No jobs with {0} are drawn", gang(size)),
		func(d *scenario.Document) { delete(generator(d).GPUs, size) }}
}

// ListMix gives every row of the throughputs a share of the jobs; or draws all alike again.
func ListMix(on bool) Edit {
	if !on {
		return Rewrite{words.T("All models are drawn alike"), func(d *scenario.Document) { generator(d).Models = nil }}
	}
	return Rewrite{words.T("Shares of models listed"), func(d *scenario.Document) {
		for i := range d.Scenario.Throughputs.Rows {
			addMix(d, i)
		}
	}}
}

// AddMix gives a row of the throughputs a share.
func AddMix(row int) Edit {
	return Rewrite{words.T("A model added to those that are drawn"), func(d *scenario.Document) { addMix(d, row) }}
}

func addMix(d *scenario.Document, row int) {
	r := &d.Scenario.Throughputs.Rows[row]
	generator(d).Models = append(generator(d).Models, scenario.ModelShare{Model: r.Model, Batch: r.Batch, Share: 1})
}

// RemoveMix takes a model's share away.
func RemoveMix(i int) Edit {
	return Rewrite{words.T("A model taken from those that are drawn"),
		func(d *scenario.Document) { generator(d).Models = removed(generator(d).Models, i) }}
}

// generator is the document's, or one that nobody sees.
func generator(d *scenario.Document) *scenario.Generator {
	if d.Scenario.Generator == nil {
		return &scenario.Generator{}
	}
	return d.Scenario.Generator
}
