package study

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/generate"
	"hadarlab/core/scenario"
)

// GavelLoads are the loads of Gavel's figures that a sweep tries, in jobs/h: of jobs of one GPU, and with gangs.
var (
	GavelLoads     = []float64{2, 4, 4.8, 5.2, 5.6}
	GavelGangLoads = []float64{1, 1.6, 2, 2.2, 2.4}
)

// gavelOn is how many jobs are drawn. Gavel's arrivals go on until the jobs of its window have ended; here they go on
// for two windows more, which at these loads is longer than all but a few jobs of it last.
const gavelOn = 7000

// GavelLoad is Gavel's continuous experiment on jobs of one GPU: Poisson arrivals at a load on 36 V100, 36 P100 and 36
// K80, one a node, rounds of 360 s, no stalls. Its figure is the mean completion of jobs 4000 to 4999 in order of
// arrival, the document's window.
//
// Cluster, window, round, arrivals and the generator's shares and lengths stand in its authors' program, and speeds are
// their measurements. The draws are ours, from streams of our own, so that seeds are not theirs; their figures are
// means of three seeds (GavelCurves). Which of Gavel's policies are lanes is our choice: none shares GPUs, for which
// GavelPairs would have to be added. LAS and fairness that are blind to types follow its program; a blind FIFO that
// works is ours (core/papers/gavel.md, Policies).
func GavelLoad(jobsPerHour float64, seed uint64) *scenario.Document {
	d := gavelLoad(jobsPerHour, seed, GavelLoadLanes())
	d.Scenario.Generator.GPUs = map[string]float64{"1": 1}
	d.Meta.Title = "Gavel's load, jobs/h: " + jobsAnHour(jobsPerHour) + ", seed " + strconv.FormatUint(seed, 10)
	return d
}

// GavelGangLoad is GavelLoad with the generator's gangs: 70, 10, 15 and 5 % of jobs on 1, 2, 4 and 8 GPUs.
func GavelGangLoad(jobsPerHour float64, seed uint64) *scenario.Document {
	d := gavelLoad(jobsPerHour, seed, GavelGangLoadLanes())
	d.Meta.Title = "Gavel's load with gangs, jobs/h: " + jobsAnHour(jobsPerHour) + ", seed " +
		strconv.FormatUint(seed, 10)
	return d
}

func jobsAnHour(rate float64) string { return strconv.FormatFloat(rate, 'f', -1, 64) }

func gavelLoad(jobsPerHour float64, seed uint64, lanes []Lane) *scenario.Document {
	d := gavelWorld(seed, gavelOn, lanes)
	d.Scenario.Window = &scenario.Window{From: 4000, Jobs: 1000}
	d.Scenario.Generator.Arrivals.Arrivals = generate.Arrivals{Process: generate.Poisson, RatePerH: jobsPerHour}
	return d
}

// GavelLoadLanes are the lanes of GavelLoad, in the order of its documents.
func GavelLoadLanes() []Lane { return append(GavelGangLoadLanes(), NewLane("allox")) }

// GavelGangLoadLanes are those of GavelGangLoad: AlloX is for jobs of one GPU.
func GavelGangLoadLanes() []Lane {
	return []Lane{NewLane("gavel-las"), NewLane("gavel-las-agnostic"), NewLane("gavel-ftf"),
		NewLane("gavel-ftf", "blind", true).Named("gavel-ftf blind"), NewLane("gavel-fifo"),
		NewLane("gavel-fifo", "blind", true).Named("gavel-fifo blind")}
}

// GavelMakespanJobs are the numbers of jobs of Gavel's experiment on total time.
var GavelMakespanJobs = []int{100, 200, 300, 400, 500, 600, 700}

// GavelMakespan is Gavel's experiment on total time, a document for each of GavelMakespanJobs: as many jobs at 0 with
// the generator's gangs, on the cluster of GavelLoad. Documents of one seed begin with the same jobs.
//
// What is known and what is ours is as in GavelLoad. A handful of jobs that last a week make much of a total, so that
// seeds differ by a third with 700 jobs; their figure is a mean of three.
func GavelMakespan(seed uint64) (out []*scenario.Document) {
	for _, jobs := range GavelMakespanJobs {
		d := gavelWorld(seed, jobs, GavelMakespanLanes())
		d.Meta.Title = "Gavel's total time, jobs: " + strconv.Itoa(jobs) + ", seed " + strconv.FormatUint(seed, 10)
		out = append(out, d)
	}
	return out
}

// GavelMakespanLanes are the lanes of GavelMakespan, in the order of its documents.
func GavelMakespanLanes() []Lane {
	return []Lane{NewLane("gavel-makespan"), NewLane("gavel-las"), NewLane("gavel-fifo"),
		NewLane("gavel-fifo", "blind", true).Named("gavel-fifo blind")}
}

// gavelWorld is the cluster of Gavel's simulations and so many jobs of its generator, which the document draws.
func gavelWorld(seed uint64, jobs int, lanes []Lane) *scenario.Document {
	s := scenario.Scenario{Seed: seed, RoundS: 360, Generator: &scenario.Generator{Count: jobs},
		Policies: policies(lanes)}
	for t, typ := range []string{"v100", "p100", "k80"} {
		for n := range 36 {
			s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(36*t+n+1),
				GPUs: map[string]int{typ: 1}})
		}
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s}
}

// GavelSeries has a series for each load, without gangs and with them, and for each number of jobs of GavelMakespan.
func GavelSeries() (out []Series) {
	for _, load := range GavelLoads {
		out = append(out, Series{"gavel load " + jobsAnHour(load), GavelLoadLanes(),
			func(seed uint64) *scenario.Document { return GavelLoad(load, seed) }})
	}
	for _, load := range GavelGangLoads {
		out = append(out, Series{"gavel load with gangs " + jobsAnHour(load), GavelGangLoadLanes(),
			func(seed uint64) *scenario.Document { return GavelGangLoad(load, seed) }})
	}
	for k, jobs := range GavelMakespanJobs {
		out = append(out, Series{"gavel makespan " + strconv.Itoa(jobs), GavelMakespanLanes(),
			func(seed uint64) *scenario.Document { return GavelMakespan(seed)[k] }})
	}
	return out
}

// Curve is a curve of a paper's figure: hours over jobs/h or over jobs.
type Curve struct {
	Figure string // load, gang-load or makespan
	Name   string // of the policy in the figure
	Lane   string // its counterpart here; "" = there is none
	X, Y   []float64
}

// At is the curve's hours at x; false if it has no point there.
func (c *Curve) At(x float64) (hours float64, ok bool) {
	for i := range c.X {
		if math.Abs(c.X[i]-x) < 1e-9 {
			return c.Y[i], true
		}
	}
	return 0, false
}

// GavelCurves are the curves of Gavel's figures: mean completion in hours of jobs 4000 to 4999 over the load, and total
// time in hours over the number of jobs, each the mean of seeds 0 to 2 of its own generator. They are read from the
// vector figures in its public repository (MIT licence) to about 0.01; over the load, what lay above 105 h was cut
// there. The curve of the type-blind LAS with gangs could not be read. The type-blind FIFO of its program sends jobs to
// types that are full, so that its curve is no FIFO's. Total time under their FIFO grows by 0.9 h a job from 400 jobs
// on, which is what the generator's mean job takes of 36 V100: as if the other types stood idle, which that program's
// slip brings about.
func GavelCurves() (out []Curve) {
	for line := range strings.Lines(gavelCurves) {
		part := strings.Fields(line)
		c := Curve{Figure: part[0], Name: strings.ReplaceAll(part[1], "_", " "),
			Lane: strings.ReplaceAll(strings.Trim(part[2], "-"), "_", " ")}
		from, _ := strconv.ParseFloat(part[3], 64)
		for i, text := range part[4:] {
			y, _ := strconv.ParseFloat(text, 64)
			c.X, c.Y = append(c.X, math.Round(float64(from*float64(i+1)*10))/10), append(c.Y, y)
		}
		out = append(out, c)
	}
	return out
}

// gavelCurves has a line a curve: figure, name, lane or -, and the step of x, from which x begins; then y in hours.
const gavelCurves = `load LAS_blind gavel-las-agnostic 0.4 22.69 22.79 22.84 22.96 22.83 22.87 22.9 22.91 22.97 22.92 23.24 34.75 60.06 91.29
load LAS gavel-las 0.4 17.37 17.44 17.47 17.38 16.95 16.3 15.82 15.74 15.92 16.26 16.84 18.02 20.52 26.42 37.64 54.31
load LAS_shared - 0.4 18.19 19.05 19.53 19.57 18.62 17.15 16.13 15.85 15.98 16.32 17.1 17.92 18.61 19.08 19.58 20.51 22.69 27.8 33.48
load LAS_Gandiva - 0.4 17.37 17.44 17.47 17.48 17.45 17.41 17.42 17.48 17.7 18.34 23.28 27.61 32.23 39.49
load FTF_blind gavel-ftf_blind 0.4 22.69 22.79 22.84 22.97 22.82 22.82 22.86 22.87 22.9 22.86 23.25 34.7 60.47 83.22
load FTF gavel-ftf 0.4 17.37 17.44 17.47 17.4 17 16.44 16.1 16.15 15.96 16.92 17.81 19.26 21.94 27.89 39.27 56.07 77.31
load AlloX allox 0.4 17.37 17.44 17.47 17.37 16.96 16.39 16.03 16.03 16.11 16.53 17.7 19.92 21.7 23.54
gang-load LAS gavel-las 0.2 17.29 17.31 17.33 17.27 17.22 17.09 17.02 17.19 17.76 18.69 20.53 26.27 32.52 45.97
gang-load LAS_shared - 0.2 17.48 17.73 17.93 17.94 17.83 17.49 17.24 17.18 17.5 18.15 19.37 21.82 25.54 32.73 63.97 87.82
gang-load FTF_blind gavel-ftf_blind 0.2 23.91 23.87 23.9 24.01 24.17 24.1 24.13 24.26 25.46 25.82 24 38.15 62.09
gang-load FTF gavel-ftf 0.2 17.29 17.31 17.33 17.26 17.21 17.14 17.1 17.24 17.71 18.63 20.2 22.97 28.65 37.05 47.87
gang-load FIFO_blind gavel-fifo_blind 0.2 17.29 17.33 17.55 17.84 18.36 19.26 20.52 25.46 28.5 31.08
gang-load FIFO gavel-fifo 0.2 15.56 15.58 15.63 15.71 15.83 16.01 16.32 17.05 18.52 20.38 23.77 39.32
makespan FIFO - 100 182.32 229.43 295.56 350.5 426.58 506.23 619.52
makespan Gandiva - 100 166.61 178.88 199.87 224.1 263.87 301.28 347.34
makespan makespan gavel-makespan 100 161.16 161.16 161.16 161.29 169.42 194.99 244.23
makespan makespan_shared - 100 163.61 163.57 161.17 168.5 168.13 183.15 226.22`
