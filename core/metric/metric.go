// Package metric turns a trace into figures: completion times, utilisation, fairness, overheads, cost
// and energy. A report is a function of the trace and its Problem and of nothing else; it decides
// nothing and draws nothing.
//
// Flow: trace.Trace (+ model.Problem) → Report → chart, results.
package metric

import (
	"math"
	"slices"

	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Report is everything computed from one trace.
type Report struct {
	Metrics message.Metrics
	Jobs    []message.JobRow // in order of arrival
	// GPU time by what happened to it, whosever job it was, in GPU-ticks, from the first arrival to the end of the
	// account (the last finish, or the end of a run that left jobs unfinished). Busy + Stalled + Held + Idle + Down =
	// GPUs × time, exactly. Down GPUs have failed or are not there yet.
	Busy, Stalled, Held, Idle, Down unit.Tick

	of    model.Window // the jobs that are measured: figures of jobs are theirs
	first unit.Tick    // the first arrival among them
}

// Compute reports on the trace of a run on p. With a window of jobs, figures of jobs are of these alone, and the
// account of GPU time is that of the whole cluster between the first arrival and the last finish among them.
func Compute(p *model.Problem, t *trace.Trace) *Report {
	r := &Report{Jobs: make([]message.JobRow, len(t.Jobs)), of: t.Measured(), first: t.FirstArrival()}
	m := &r.Metrics
	m.Rounds = len(t.Rounds)
	if last := t.LastFinish(); last >= 0 {
		m.MakespanS = (last - r.first).Seconds()
	}
	r.jobs(t)
	r.account(p, t)
	r.rent(p, t)
	r.over(t)
	r.fairness(p, t)
	return r
}

// jobs fills the rows and what follows from them alone.
func (r *Report) jobs(t *trace.Trace) {
	m := &r.Metrics
	var jcts []unit.Tick
	queued, started := unit.Tick(0), 0
	for i := range t.Jobs {
		j, row := &t.Jobs[i], &r.Jobs[i]
		*row = message.JobRow{ID: j.Name, ArrivalS: j.Arrive.Seconds(),
			Restarts: max(0, int(j.Starts)-1) + int(j.Moved)}
		if j.Start >= 0 {
			row.StartS = seconds(j.Start)
		}
		if j.Finish >= 0 {
			row.FinishS = seconds(j.Finish)
		}
		if !r.of.Has(model.JobID(i)) {
			continue
		}
		if j.Start >= 0 {
			queued += j.Start - j.Arrive
			started++
		}
		if j.Finish >= 0 {
			jcts = append(jcts, j.Finish-j.Arrive)
		}
		m.Restarts += row.Restarts
		m.Preemptions += int(j.Preempted)
	}
	if started > 0 {
		m.AvgQueueS = queued.Seconds() / float64(started)
	}
	if len(jcts) == 0 {
		return
	}
	slices.Sort(jcts)
	sum := unit.Tick(0)
	for _, d := range jcts {
		sum += d
	}
	m.AvgJCTS = sum.Seconds() / float64(len(jcts))
	m.P50JCTS = nearestRank(jcts, 50).Seconds()
	m.P95JCTS = nearestRank(jcts, 95).Seconds()
	m.P99JCTS = nearestRank(jcts, 99).Seconds()
}

func seconds(t unit.Tick) *float64 {
	s := t.Seconds()
	return &s
}

// nearestRank is the percentile of sorted values by nearest rank.
func nearestRank[T any](sorted []T, percent int) T {
	return sorted[max(0, (percent*len(sorted)+99)/100-1)]
}

// account adds up GPU time, cost and energy over the spans.
func (r *Report) account(p *model.Problem, t *trace.Trace) {
	m := &r.Metrics
	held := make([]unit.Tick, len(t.Jobs))
	byType := make([]unit.Tick, len(t.Types))
	sp := &t.Spans
	for i := range sp.Len() {
		d, j, with := sp.To[i]-sp.From[i], model.JobID(sp.Job[i]), model.JobID(sp.With[i])
		early := min(d, max(0, r.first-sp.From[i])) // before the window's first arrival
		for _, sh := range sp.At(i) {
			g := unit.Tick(sh.N) * d
			held[j] += g
			// GPUs shared by several members count once, for the member with the least id.
			shared := with >= 0 && with < j
			if r.of.Has(j) && !(shared && r.of.Has(with)) {
				byType[t.Slots[sh.Slot].Type] += g
			}
			if shared {
				continue
			}
			g -= unit.Tick(sh.N) * early
			switch sp.Kind[i] {
			case trace.Run:
				r.Busy += g
			case trace.Stall:
				r.Stalled += g
			case trace.Hold:
				r.Held += g
			}
		}
	}
	for i := range held {
		r.Jobs[i].GPUS = held[i].Seconds()
	}
	m.BusyGPUS, m.StalledGPUS, m.HoldGPUS = r.Busy.Seconds(), r.Stalled.Seconds(), r.Held.Seconds()
	o := newOrder(t)
	r.overheads(t, o)
	for k, g := range byType {
		typ := &p.Cluster.Types[k]
		hours := g.Seconds() / 3600
		m.CostUSD += float64(hours * typ.USDPerHour)
		m.EnergyKWh += float64(hours*typ.Watts) / 1000
	}
	end := t.End
	if t.Outcome == trace.Done {
		end = t.LastFinish()
	}
	if len(t.Jobs) == 0 || end <= r.first {
		return
	}
	all := unit.Tick(t.GPUs()) * (end - r.first)
	r.Idle = all - r.Busy - r.Stalled - r.Held
	nodes := r.idle(p, t, o, end)
	r.Idle -= r.Down
	m.GPUUtilization = float64(r.Busy) / float64(all)
	m.NodeUtilization = float64(nodes) / float64(unit.Tick(len(t.Nodes))*(end-r.first))
}

// fairness computes finish-time fairness: each finished job's JCT over its duration on a 1/n share of
// the cluster, n = the mean number of unfinished jobs during its life (Themis; isolated share as in
// Gavel).
func (r *Report) fairness(p *model.Problem, t *trace.Trace) {
	alive, gpus := newCounter(t), p.Cluster.Counts()
	var all []float64
	sum := 0.0
	for i := range t.Jobs {
		j := &t.Jobs[i]
		if j.Finish <= j.Arrive {
			continue
		}
		life := float64(j.Finish - j.Arrive)
		mean := float64(alive.integral(j.Finish)-alive.integral(j.Arrive)) / life
		alone := isolated(p, gpus, model.JobID(i), mean)
		if math.IsInf(alone, 1) {
			continue
		}
		rho := float64(life/1000) / alone
		if r.Jobs[i].FTF = rho; r.of.Has(model.JobID(i)) {
			all = append(all, rho)
			sum += rho
		}
	}
	if len(all) == 0 {
		return
	}
	slices.Sort(all)
	m := &r.Metrics
	m.FTFAvg, m.FTFP50, m.FTFP95, m.FTFMax = sum/float64(len(all)), nearestRank(all, 50), nearestRank(all, 95),
		all[len(all)-1]
}

// isolated is how long job j takes on a 1/n share of the cluster, in s: time shares N_r/(n·s) by type, of which the
// cluster has N_r gpus, at most full time (Gavel, the isolated normaliser).
func isolated(p *model.Problem, gpus []int32, j model.JobID, n float64) float64 {
	job := &p.Jobs[j]
	size := float64(job.Shape.Size)
	return p.Duration(job, func(tab *model.Throughput) unit.Rate {
		rate, sum := 0.0, 0.0
		for k, all := range gpus {
			y := float64(all) / float64(max(n, 1)*size)
			sum += y
			rate += float64(y * float64(tab.Rate(model.TypeID(k), job.Shape.Size, model.OneNode)))
		}
		return unit.Rate(rate / max(1, sum))
	})
}

// counter integrates the number of unfinished jobs over time.
type counter struct {
	at  []unit.Tick
	n   []int64     // jobs from at[i] on
	sum []unit.Tick // integral up to at[i]
}

func newCounter(t *trace.Trace) *counter {
	var arrive, finish []unit.Tick
	for i := range t.Jobs {
		arrive = append(arrive, t.Jobs[i].Arrive)
		if f := t.Jobs[i].Finish; f >= 0 {
			finish = append(finish, f)
		}
	}
	came, went := unit.ByTick(arrive, nil), unit.ByTick(finish, nil)
	c := &counter{}
	n, sum, last := int64(0), unit.Tick(0), unit.Tick(0)
	change := func(at unit.Tick, by int64) {
		sum += unit.Tick(n) * (at - last)
		n, last = n+by, at
		c.at, c.n, c.sum = append(c.at, at), append(c.n, n), append(c.sum, sum)
	}
	for len(came)+len(went) > 0 {
		if len(went) == 0 || len(came) > 0 && arrive[came[0]] <= finish[went[0]] {
			change(arrive[came[0]], 1)
			came = came[1:]
		} else {
			change(finish[went[0]], -1)
			went = went[1:]
		}
	}
	return c
}

func (c *counter) integral(t unit.Tick) unit.Tick {
	i, found := slices.BinarySearch(c.at, t)
	if found {
		return c.sum[i]
	}
	if i == 0 {
		return 0
	}
	return c.sum[i-1] + unit.Tick(c.n[i-1])*(t-c.at[i-1])
}
