package message

import (
	"encoding/json"
	"strconv"
)

// Result is the document that `run --format json` prints and the server returns.
type Result struct {
	Version    ResultVersion `json:"version"`
	Engine     string        `json:"engine"`
	ScenarioID string        `json:"scenario_id"`
	Runs       []Lane        `json:"runs"`
	Summary    *Summary      `json:"summary,omitempty"` // with replicates
}

// ResultVersion is the version of the format of results, a member that always says 1: it is written, and what was
// read is judged by lab.ParseResult.
type ResultVersion struct{}

// LatestResult is what ResultVersion says.
const LatestResult = 1

// MarshalJSON writes the number.
func (ResultVersion) MarshalJSON() ([]byte, error) {
	return strconv.AppendInt(nil, LatestResult, 10), nil
}

// UnmarshalJSON takes any.
func (*ResultVersion) UnmarshalJSON([]byte) error { return nil }

// Lane is one policy's run.
type Lane struct {
	Lane   int            `json:"-"`
	Policy string         `json:"policy"`
	Rev    int            `json:"rev,omitempty"` // absent = 1
	Params map[string]any `json:"params"`
	// Force are the choices made in the policy's place, as in the document; Notes are sentences on those without
	// effect.
	Force     json.RawMessage `json:"force,omitempty"`
	Notes     []string        `json:"notes,omitempty"`
	Seed      uint64          `json:"seed"`
	Outcome   string          `json:"outcome"`
	Window    *Window         `json:"window,omitempty"` // absent = all jobs are measured
	Metrics   Metrics         `json:"metrics"`
	Bounds    *Bounds         `json:"bounds,omitempty"` // absent when a job can never run
	TraceHash string          `json:"trace_hash"`
	PriceUnit string          `json:"price_unit,omitempty"` // of the prices in the trace; "" = plain numbers, or none
	Jobs      []JobRow        `json:"jobs"`
	Left      int             `json:"left,omitempty"` // jobs that are not finished, where news come without Jobs
	// Measured is what the policy says of the finished run, as Hadar's competitive ratio.
	Measured []NamedValue `json:"measured,omitempty"`
}

// Bounds are figures that no schedule of a kind can beat which finishes every job, and the relaxations that give them.
// A run that forks jobs or packs them is held to bounds that allow it.
type Bounds struct {
	Kind      string  `json:"kind,omitempty"` // of schedules, as follows; results of older versions do not say it
	MakespanS float64 `json:"makespan_s"`
	AvgJCTS   float64 `json:"avg_jct_s"`
	Names     struct {
		MakespanS string `json:"makespan_s"`
		AvgJCTS   string `json:"avg_jct_s"`
	} `json:"names"`
}

// The kinds of schedules that bounds hold for.
const (
	OneGang    = "gang"        // one gang a job, which shares no GPU
	OwnCopies  = "copies"      // also copies, one of a job a node, none larger than the job asks for
	AnyCopies  = "node-copies" // also copies, one of a job a node, none larger than the run's largest gang
	SharedGPUs = "shared"      // one gang a job, and two jobs on a GPU
)

// Metrics are the figures of one run. Times in seconds, utilisations as ratios. A figure that the run does not have, as
// a completion time where no job finishes, is 0 here and empty in lists and tables (Metric.Of).
type Metrics struct {
	MakespanS       float64 `json:"makespan_s"` // last finish − first arrival (total time duration)
	AvgJCTS         float64 `json:"avg_jct_s"`
	P50JCTS         float64 `json:"p50_jct_s"` // percentiles by nearest rank
	P95JCTS         float64 `json:"p95_jct_s"`
	P99JCTS         float64 `json:"p99_jct_s"`
	AvgQueueS       float64 `json:"avg_queue_s"`      // mean of first start − arrival, of the jobs that start
	GPUUtilization  float64 `json:"gpu_utilization"`  // GPU-seconds of progress / (GPUs × time), see below
	NodeUtilization float64 `json:"node_utilization"` // the same over nodes with a progressing GPU
	FTFAvg          float64 `json:"ftf_avg"`          // JCT / duration on an equal share of the cluster
	FTFP50          float64 `json:"ftf_p50"`          // jobs of seconds rule the mean and the worst
	FTFP95          float64 `json:"ftf_p95"`
	FTFMax          float64 `json:"ftf_max"`
	Preemptions     int     `json:"preemptions"` // gangs taken from unfinished jobs
	Restarts        int     `json:"restarts"`    // starts after the first, and changes of GPUs without a break
	CostUSD         float64 `json:"cost_usd"`    // GPU-hours held × price
	EnergyKWh       float64 `json:"energy_kwh"`  // GPU-hours held × board power
	Rounds          int     `json:"rounds"`
	GPUOverS        float64 `json:"gpu_over_s"` // GPU-seconds held beyond what the jobs asked for
	// mean time without GPUs between arrival and finish, or the end of the run, later queueing included
	AvgWaitS float64 `json:"avg_wait_s"`
	// What the GPUs did from the first arrival to the last finish, or to the end of a run that leaves jobs, in
	// GPU-seconds. Busy, stalled, hold, the three kinds of idle and down add up to GPUs × time.
	BusyGPUS         float64 `json:"busy_gpu_s"`          // progress
	StalledGPUS      float64 `json:"stalled_gpu_s"`       // holding without progress: the sum of the next three
	StallStartGPUS   float64 `json:"stall_start_gpu_s"`   // first starts
	StallRestartGPUS float64 `json:"stall_restart_gpu_s"` // coming back, or going to other GPUs
	StallMergeGPUS   float64 `json:"stall_merge_gpu_s"`   // on unchanged GPUs: merging copies
	HoldGPUS         float64 `json:"hold_gpu_s"`          // after a quota until the next decision
	IdleNobodyGPUS   float64 `json:"idle_nobody_gpu_s"`   // no job waits
	IdleFitsGPUS     float64 `json:"idle_fits_gpu_s"`     // a job waits that would fit on the idle GPUs
	IdleMisfitGPUS   float64 `json:"idle_misfit_gpu_s"`   // jobs wait, and none fits at the size asked for
	DownGPUS         float64 `json:"down_gpu_s"`          // away: broken, or not yet there
	IdleKWh          float64 `json:"idle_kwh"`            // GPU-hours idle × 15 % of board power (our estimate)
	// Nodes that are had for money: billed hours × price, and of that what is for GPU time that no job holds; absent
	// where there are none.
	RentUSD     float64 `json:"rent_usd,omitempty"`
	RentIdleUSD float64 `json:"rent_idle_usd,omitempty"`
}

// JobRow is one job's outcome; start and finish are null while they have not happened.
type JobRow struct {
	ID       string   `json:"id"`
	ArrivalS float64  `json:"arrival_s"`
	StartS   *float64 `json:"start_s"`
	FinishS  *float64 `json:"finish_s"`
	GPUS     float64  `json:"gpu_s"` // GPU-seconds held
	Restarts int      `json:"restarts"`
	FTF      float64  `json:"ftf,omitempty"`
	WaitS    float64  `json:"wait_s"`    // without GPUs between arrival and finish, or the end of the run
	StalledS float64  `json:"stalled_s"` // holding GPUs, none of which makes progress, before a quota is reached
}

// NamedValue is a figure with its name and unit.
type NamedValue struct {
	Key   string  `json:"key,omitempty"`
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
}
