package message

import "strconv"

// Column is a figure by its JSON name.
type Column struct {
	Name  string
	Value float64
}

// Columns are the figures in the order of the tables.
func (m *Metrics) Columns() []Column {
	return []Column{{"makespan_s", m.MakespanS}, {"avg_jct_s", m.AvgJCTS}, {"p50_jct_s", m.P50JCTS},
		{"p95_jct_s", m.P95JCTS}, {"p99_jct_s", m.P99JCTS},
		{"avg_queue_s", m.AvgQueueS}, {"gpu_utilization", m.GPUUtilization}, {"node_utilization", m.NodeUtilization},
		{"ftf_avg", m.FTFAvg},
		{"ftf_p50", m.FTFP50}, {"ftf_p95", m.FTFP95}, {"ftf_max", m.FTFMax}, {"preemptions", float64(m.Preemptions)},
		{"restarts", float64(m.Restarts)}, {"cost_usd", m.CostUSD},
		{"energy_kwh", m.EnergyKWh}, {"rounds", float64(m.Rounds)}, {"avg_wait_s", m.AvgWaitS},
		{"busy_gpu_s", m.BusyGPUS},
		{"stalled_gpu_s", m.StalledGPUS}, {"stall_start_gpu_s", m.StallStartGPUS},
		{"stall_restart_gpu_s", m.StallRestartGPUS},
		{"stall_merge_gpu_s", m.StallMergeGPUS}, {"hold_gpu_s", m.HoldGPUS}, {"idle_nobody_gpu_s", m.IdleNobodyGPUS},
		{"idle_fits_gpu_s", m.IdleFitsGPUS}, {"idle_misfit_gpu_s", m.IdleMisfitGPUS}, {"down_gpu_s", m.DownGPUS},
		{"idle_kwh", m.IdleKWh}, {"gpu_over_s", m.GPUOverS}}
}

// RunHead are the columns of one run in a CSV file, and Row are its cells.
func RunHead() []string {
	head := []string{"policy", "seed", "outcome", "trace_hash"}
	for _, c := range (&Metrics{}).Columns() {
		head = append(head, c.Name)
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
	for _, c := range r.Metrics.Columns() {
		row = append(row, Number(c.Value))
	}
	if r.Bounds == nil {
		return append(row, "", "")
	}
	return append(row, Number(r.Bounds.MakespanS), Number(r.Bounds.AvgJCTS))
}

// Number writes a number as it stands in files.
func Number(v float64) string { return strconv.FormatFloat(v, 'g', -1, 64) }
