package instance

import (
	"math"
	"strconv"

	"hadarlab/core/goodput"
	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// goodputCase is what a job makes of GPUs and batches (pollux.md, Goodput).
type goodputCase struct {
	ID     string `json:"id"`
	Source string `json:"source,omitempty"`
	Job
	Points  []point   `json:"points"`
	Optimum []optimum `json:"optimum"`
	Speedup []speedup `json:"speedup_vs_1gpu"`
}

type point struct {
	Nodes      int32   `json:"nodes"`
	Replicas   int32   `json:"replicas"`
	Batch      int32   `json:"atomic_batch"`
	Accum      int32   `json:"accum_steps"`
	Total      int32   `json:"total_batch"`
	Grad       float64 `json:"grad_time"` // s, as the others
	Sync       float64 `json:"sync_time_model"`
	Last       float64 `json:"last_micro_step_time"`
	Iter       float64 `json:"iteration_time"`
	Throughput float64 `json:"throughput"` // examples/s
	Efficiency float64 `json:"efficiency"`
	Goodput    float64 `json:"goodput"`
}

type optimum struct {
	Nodes    int32    `json:"nodes"`
	Replicas int32    `json:"replicas"`
	OSDI21   choice   `json:"osdi21"` // as the paper's artifact chooses
	Master   choice   `json:"master"` // as AdaptDL's main line of 2022 does
	Index    int      `json:"grid_index"`
	Gap      *float64 `json:"runner_up_rel_gap"`
}

type choice struct {
	Goodput float64 `json:"goodput"` // examples/s
	Batch   int32   `json:"atomic_batch"`
	Accum   int32   `json:"accum_steps"`
	Total   int32   `json:"total_batch"`
	Over    bool    `json:"over_max_batch"`
}

type speedup struct {
	Nodes    int32   `json:"nodes"`
	Replicas int32   `json:"replicas"`
	Value    float64 `json:"value"`
}

func (c *goodputCase) check(f *faults, at string) bool {
	f.job(at, &c.Job, true)
	f.count(at+"/points", len(c.Points), 0, maxRows)
	f.count(at+"/optimum", len(c.Optimum), 0, maxRows)
	f.count(at+"/speedup_vs_1gpu", len(c.Speedup), 0, maxRows)
	for i := range c.Points {
		p := &c.Points[i]
		f.gpus(at+"/points/"+strconv.Itoa(i), p.Nodes, p.Replicas, p.Batch, p.Accum)
	}
	for i := range c.Optimum {
		o := &c.Optimum[i]
		f.gpus(at+"/optimum/"+strconv.Itoa(i), o.Nodes, o.Replicas, max(c.Range[1], 1), 0)
	}
	for i := range c.Speedup {
		s := &c.Speedup[i]
		f.gpus(at+"/speedup_vs_1gpu/"+strconv.Itoa(i), s.Nodes, s.Replicas, max(c.Range[1], 1), 0)
	}
	return !f.HasErrors()
}

func (c *goodputCase) evaluate() {
	p, noise, b := c.perf(), c.noise(), c.batches()
	for i := range c.Points {
		w := &c.Points[i]
		pt := goodput.At(p, &noise, w.Replicas, w.Batch, w.Accum, w.Nodes > 1)
		w.Total, w.Grad, w.Sync = pt.Total(w.Replicas), pt.Grad, goodput.Sync(p, w.Replicas, w.Nodes > 1)
		w.Last, w.Iter = pt.Iter, goodput.Iteration(pt)
		w.Throughput = float64(w.Total) / w.Iter
		w.Efficiency = model.Efficiency(pt.Phi, float64(b.Init), float64(w.Total))
		w.Goodput = w.Throughput * w.Efficiency
	}
	for i := range c.Optimum {
		o := &c.Optimum[i]
		grid := c.grid(o.Replicas, o.Nodes > 1, false)
		o.Index = first(grid)
		o.OSDI21, o.Gap = grid[o.Index], nil
		for k := range grid {
			if g := &grid[k]; g.Batch != o.OSDI21.Batch || g.Accum != o.OSDI21.Accum {
				if gap := 1 - g.Goodput/o.OSDI21.Goodput; o.OSDI21.Goodput > 0 && (o.Gap == nil || gap < *o.Gap) {
					o.Gap = &gap
				}
			}
		}
		master := c.grid(o.Replicas, o.Nodes > 1, true)
		o.Master = master[first(master)]
	}
	one := c.grid(1, false, false)
	for i := range c.Speedup {
		s := &c.Speedup[i]
		grid := c.grid(s.Replicas, s.Nodes > 1, false)
		if s.Value = 0; one[first(one)].Goodput > 0 {
			s.Value = grid[first(grid)].Goodput / one[first(one)].Goodput
		}
	}
}

// first is the first of the best candidates.
func first(grid []choice) int {
	best := 0
	for i := range grid {
		if grid[i].Goodput > grid[best].Goodput {
			best = i
		}
	}
	return best
}

// grid are the 50 candidates for the batch on k GPUs, from the least to the most in geometric sequence, as the
// literature writes them: goodput.Best finds the first of the best without making those that come twice. One whose
// batch a GPU is out of range has goodput 0; the main line of 2022 clips it instead, and without accumulation gives one
// GPU the initial batch.
func (c *goodputCase) grid(k int32, several, master bool) []choice {
	const slack = 1e-8
	p, noise, b := c.perf(), c.noise(), c.batches()
	low := max(float64(b.Init), float64(b.Low)*float64(k))
	grid := make([]choice, 50)
	for i := range grid {
		total := low * unit.Exp(float64(i)/49*unit.Log(float64(b.Max)/low))
		if i == 49 {
			total = float64(b.Max)
		}
		each, accum, m := total/float64(k), int32(0), int32(0)
		if c.Accumulate {
			accum = int32(math.Ceil(each/float64(b.High)-slack)) - 1
			if k == 1 && each > float64(b.Init)+slack {
				accum = max(accum, 1)
			}
		}
		m = int32(math.Ceil(each/float64(accum+1) - slack))
		if master {
			if !c.Accumulate && k == 1 {
				m = b.Init
			}
			m = min(max(m, b.Low), b.High)
		}
		g := choice{Batch: m, Accum: accum, Total: k * m * (accum + 1)}
		g.Over = g.Total > b.Max
		if m >= b.Low && m <= b.High {
			pt := goodput.At(p, &noise, k, m, accum, several)
			g.Goodput = float64(g.Total) / goodput.Iteration(pt) *
				model.Efficiency(pt.Phi, float64(b.Init), float64(g.Total))
		}
		grid[i] = g
	}
	return grid
}
