package message

import (
	"math"
	"strconv"
)

// Metric is all that lists, tables and sentences know of a figure of a run, but for its value.
type Metric struct {
	Name  string // its member in JSON
	Title string // heading of its row or column
	Brief string // as sentences call it; those without one are in none, and a class does not ask for them
	Unit  Unit
	Good  int // -1: less is better, 1: more is better, 0: neither
	of    func(m *Metrics) float64
}

// Unit is what a metric counts.
type Unit int

const (
	Plain   Unit = iota
	Time         // seconds
	Ratio        // of 1, shown in per cent
	Counted      // whole numbers
	Amount       // money or energy
	GPUTime      // GPU-seconds, shown as GPU-hours
)

// AllMetrics are the figures in the order of files.
var AllMetrics = [...]Metric{
	{"makespan_s", "Last finish (makespan)", "last finish", Time, -1,
		some(func(m *Metrics) float64 { return m.MakespanS })},
	{"avg_jct_s", "Mean completion (JCT)", "mean completion", Time, -1,
		some(func(m *Metrics) float64 { return m.AvgJCTS })},
	{"p50_jct_s", "Median completion", "", Time, -1, some(func(m *Metrics) float64 { return m.P50JCTS })},
	{"p95_jct_s", "95 % completion", "95th percentile of completion", Time, -1,
		some(func(m *Metrics) float64 { return m.P95JCTS })},
	{"p99_jct_s", "99 % completion", "", Time, -1, some(func(m *Metrics) float64 { return m.P99JCTS })},
	{"avg_queue_s", "Mean wait to start", "mean wait", Time, -1, meanQueue},
	{"gpu_utilization", "GPUs busy", "GPUs busy", Ratio, 1, func(m *Metrics) float64 { return m.GPUUtilization }},
	{"node_utilization", "Nodes busy", "", Ratio, 1, func(m *Metrics) float64 { return m.NodeUtilization }},
	{"ftf_avg", "Mean fairness ρ", "", Plain, -1, some(func(m *Metrics) float64 { return m.FTFAvg })},
	{"ftf_p50", "Median fairness ρ", "", Plain, -1, some(func(m *Metrics) float64 { return m.FTFP50 })},
	{"ftf_p95", "95 % fairness ρ", "", Plain, -1, some(func(m *Metrics) float64 { return m.FTFP95 })},
	{"ftf_max", "Worst fairness ρ", "worst fairness", Plain, -1, some(func(m *Metrics) float64 { return m.FTFMax })},
	{"preemptions", "Preemptions", "", Counted, -1, func(m *Metrics) float64 { return float64(m.Preemptions) }},
	{"restarts", "Restarts and moves", "", Counted, -1, func(m *Metrics) float64 { return float64(m.Restarts) }},
	{"cost_usd", "Cost, USD", "", Amount, -1, func(m *Metrics) float64 { return m.CostUSD }},
	{"energy_kwh", "Energy, kWh", "", Amount, -1, func(m *Metrics) float64 { return m.EnergyKWh }},
	{"rounds", "Rounds", "", Counted, 0, func(m *Metrics) float64 { return float64(m.Rounds) }},
	{"avg_wait_s", "Mean time without GPUs", "", Time, -1, func(m *Metrics) float64 { return m.AvgWaitS }},
	{"busy_gpu_s", "Progressing, GPU-h", "", GPUTime, 0, func(m *Metrics) float64 { return m.BusyGPUS }},
	{"stalled_gpu_s", "Stalled, GPU-h", "", GPUTime, -1, func(m *Metrics) float64 { return m.StalledGPUS }},
	{"stall_start_gpu_s", "… by first starts", "", GPUTime, -1, func(m *Metrics) float64 { return m.StallStartGPUS }},
	{"stall_restart_gpu_s", "… by restarts and moves", "", GPUTime, -1,
		func(m *Metrics) float64 { return m.StallRestartGPUS }},
	{"stall_merge_gpu_s", "… by merging copies", "", GPUTime, -1,
		func(m *Metrics) float64 { return m.StallMergeGPUS }},
	{"hold_gpu_s", "Held until the next round, GPU-h", "", GPUTime, -1,
		func(m *Metrics) float64 { return m.HoldGPUS }},
	{"idle_nobody_gpu_s", "Idle, nobody waits, GPU-h", "", GPUTime, 0,
		func(m *Metrics) float64 { return m.IdleNobodyGPUS }},
	{"idle_fits_gpu_s", "Idle beside a job that fits, GPU-h", "", GPUTime, -1,
		func(m *Metrics) float64 { return m.IdleFitsGPUS }},
	{"idle_misfit_gpu_s", "Idle, no waiting job fits at the size asked for, GPU-h", "", GPUTime, -1,
		func(m *Metrics) float64 { return m.IdleMisfitGPUS }},
	{"down_gpu_s", "Away, GPU-h", "", GPUTime, 0, func(m *Metrics) float64 { return m.DownGPUS }},
	{"idle_kwh", "Energy of idle GPUs, kWh", "", Amount, -1, func(m *Metrics) float64 { return m.IdleKWh }},
	{"rent_usd", "Rent, USD", "rent", Amount, -1, some(func(m *Metrics) float64 { return m.RentUSD })},
	{"rent_idle_usd", "… for GPUs without a job", "", Amount, -1, func(m *Metrics) float64 {
		if m.RentUSD == 0 {
			return math.NaN()
		}
		return m.RentIdleUSD
	}},
	{"gpu_over_s", "Held beyond what was asked for, GPU-h", "", GPUTime, 0,
		func(m *Metrics) float64 { return m.GPUOverS }},
}

// some is a figure of the jobs that finish, which is above 0 where one does: NaN where none does.
func some(of func(*Metrics) float64) func(*Metrics) float64 {
	return func(m *Metrics) float64 {
		if v := of(m); v > 0 {
			return v
		}
		return math.NaN()
	}
}

// meanQueue is of the jobs that start: NaN where none holds a GPU ever.
func meanQueue(m *Metrics) float64 {
	if m.BusyGPUS+m.StalledGPUS+m.HoldGPUS == 0 {
		return math.NaN()
	}
	return m.AvgQueueS
}

// Of is the metric's value in a run, NaN where the run has none: where no job finishes, none has a completion time.
func (m *Metric) Of(r *Metrics) float64 { return m.of(r) }

// FindMetric gives the metric of a name, nil where there is none.
func FindMetric(name string) *Metric {
	for i := range AllMetrics {
		if AllMetrics[i].Name == name {
			return &AllMetrics[i]
		}
	}
	return nil
}

// RunHead are the columns of one run in a CSV file, and Row are its cells.
func RunHead() []string {
	head := []string{"policy", "seed", "outcome", "trace_hash"}
	for i := range AllMetrics {
		head = append(head, AllMetrics[i].Name)
	}
	return append(head, "makespan_bound_s", "avg_jct_bound_s")
}

// ForcedSuffix behind a policy's id means its lane with forced choices; without it the policy chooses alone.
const ForcedSuffix = ":forced"

// Name is the run's policy in a table.
func (r *Lane) Name() string {
	if len(r.Force) > 0 {
		return r.Policy + ForcedSuffix
	}
	return r.Policy
}

// Row is the run's row under RunHead; without bounds their cells are empty.
func (r *Lane) Row() []string {
	row := []string{r.Name(), strconv.FormatUint(r.Seed, 10), r.Outcome, r.TraceHash}
	for i := range AllMetrics {
		row = append(row, Number(AllMetrics[i].Of(&r.Metrics)))
	}
	if r.Bounds == nil {
		return append(row, "", "")
	}
	return append(row, Number(r.Bounds.MakespanS), Number(r.Bounds.AvgJCTS))
}

// Number writes a number as it stands in files, and leaves the cell of one that there is not empty.
func Number(v float64) string {
	if math.IsNaN(v) {
		return ""
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
