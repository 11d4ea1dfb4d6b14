package message

import "encoding/json"

// Result is the document that `run --format json` prints and the server returns.
type Result struct {
	Engine     string   `json:"engine"`
	ScenarioID string   `json:"scenario_id"`
	Runs       []Lane   `json:"runs"`
	Summary    *Summary `json:"summary,omitempty"` // with replicates
}

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
	Metrics   Metrics         `json:"metrics"`
	Bounds    *Bounds         `json:"bounds,omitempty"` // absent when a job can never run
	TraceHash string          `json:"trace_hash"`
	PriceUnit string          `json:"price_unit,omitempty"` // of the prices in the trace; "" = plain numbers, or none
	Jobs      []JobRow        `json:"jobs"`
	// Measured is what the policy says of the finished run, as Hadar's competitive ratio.
	Measured []NamedValue `json:"measured,omitempty"`
}

// Bounds are figures that no schedule can beat which finishes every job, and the relaxations that give them. A
// run that forks jobs or packs them is held to bounds that allow it.
type Bounds struct {
	MakespanS float64 `json:"makespan_s"`
	AvgJCTS   float64 `json:"avg_jct_s"`
	Names     struct {
		MakespanS string `json:"makespan_s"`
		AvgJCTS   string `json:"avg_jct_s"`
	} `json:"names"`
}

// Metrics are the figures of one run. Times in seconds, utilisations as ratios.
type Metrics struct {
	MakespanS       float64 `json:"makespan_s"` // last finish − first arrival (total time duration)
	AvgJCTS         float64 `json:"avg_jct_s"`
	P50JCTS         float64 `json:"p50_jct_s"` // percentiles by nearest rank
	P95JCTS         float64 `json:"p95_jct_s"`
	P99JCTS         float64 `json:"p99_jct_s"`
	AvgQueueS       float64 `json:"avg_queue_s"`      // mean of first start − arrival
	GPUUtilization  float64 `json:"gpu_utilization"`  // GPU-seconds of progress / (GPUs × makespan)
	NodeUtilization float64 `json:"node_utilization"` // the same over nodes with a progressing GPU
	FTFAvg          float64 `json:"ftf_avg"`          // JCT / duration on an equal share of the cluster
	FTFP50          float64 `json:"ftf_p50"`          // jobs of seconds rule the mean and the worst
	FTFP95          float64 `json:"ftf_p95"`
	FTFMax          float64 `json:"ftf_max"`
	Preemptions     int     `json:"preemptions"` // gangs taken from unfinished jobs
	Restarts        int     `json:"restarts"`    // starts after the first
	CostUSD         float64 `json:"cost_usd"`    // GPU-hours held × price
	EnergyKWh       float64 `json:"energy_kwh"`  // GPU-hours held × board power
	Rounds          int     `json:"rounds"`
	// mean time without GPUs between arrival and finish, later queueing included
	AvgWaitS float64 `json:"avg_wait_s"`
	// What the GPUs did from the first arrival to the last finish, in GPU-seconds. Busy, stalled, hold, the three
	// kinds of idle and down add up to GPUs × time.
	BusyGPUS         float64 `json:"busy_gpu_s"`          // progress
	StalledGPUS      float64 `json:"stalled_gpu_s"`       // holding without progress: the sum of the next three
	StallStartGPUS   float64 `json:"stall_start_gpu_s"`   // first starts
	StallRestartGPUS float64 `json:"stall_restart_gpu_s"` // coming back, or going to other GPUs
	StallMergeGPUS   float64 `json:"stall_merge_gpu_s"`   // on unchanged GPUs: merging copies
	HoldGPUS         float64 `json:"hold_gpu_s"`          // after a quota until the next decision
	IdleNobodyGPUS   float64 `json:"idle_nobody_gpu_s"`   // no job waits
	IdleFitsGPUS     float64 `json:"idle_fits_gpu_s"`     // a job waits that would fit on the idle GPUs
	IdleMisfitGPUS   float64 `json:"idle_misfit_gpu_s"`   // jobs wait, and none of them fits on the idle GPUs
	DownGPUS         float64 `json:"down_gpu_s"`          // out of order
	IdleKWh          float64 `json:"idle_kwh"`            // GPU-hours idle × 15 % of board power (our estimate)
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
	WaitS    float64  `json:"wait_s"`    // without GPUs between arrival and finish
	StalledS float64  `json:"stalled_s"` // holding GPUs, none of which makes progress, before a quota is reached
}

// Explanation is one decision with every number. Utilities, costs, payoffs and prices are in Unit and, but for
// prices and the total, over a job's whole remaining life; rates in steps/s. Fields that a policy has no notion of
// are absent.
type Explanation struct {
	Policy string `json:"policy"`
	Unit   string `json:"unit,omitempty"` // "" = plain numbers
	// placements are compared, and the total is added up, per round
	PerRound    bool         `json:"per_round,omitempty"`
	Round       int          `json:"round"`
	TimeS       float64      `json:"t_s"`
	Constants   *Constants   `json:"constants,omitempty"`
	Prices      []Price      `json:"prices,omitempty"`
	Order       []string     `json:"order"`
	Jobs        []JobChoice  `json:"jobs"`
	TotalPayoff *float64     `json:"total_payoff,omitempty"`
	Primal      *float64     `json:"primal,omitempty"`
	DualBound   *float64     `json:"dual_bound,omitempty"`
	Terms       []NamedValue `json:"terms,omitempty"` // further figures of the whole decision
}

// Of is what a figure over so many rounds comes to in the terms in which the policy compares: per round, or as it is.
func (e *Explanation) Of(v float64, rounds int64) float64 {
	if e.PerRound && rounds > 0 {
		return v / float64(rounds)
	}
	return v
}

// Constants are Hadar's price constants of the round, by GPU type.
type Constants struct {
	UMax     map[string]float64 `json:"u_max"`
	UMin     map[string]float64 `json:"u_min"`
	Eta      float64            `json:"eta"`
	HorizonS float64            `json:"horizon_s"`
	Alpha    float64            `json:"alpha"`
}

// Price is the price of one GPU of a slot after the decision.
type Price struct {
	Node     string  `json:"node"`
	Type     string  `json:"type"`
	Used     int     `json:"used"`
	Capacity int     `json:"capacity"`
	Price    float64 `json:"price"`
}

// JobChoice is what was decided for one active job, and what else was considered.
type JobChoice struct {
	ID       string    `json:"id"`
	Action   string    `json:"action"` // placed | kept | moved | preempted | waits
	Reason   string    `json:"reason"` // name of the trace reason
	Utility  *float64  `json:"utility,omitempty"`
	Cost     *float64  `json:"cost,omitempty"`
	Payoff   *float64  `json:"payoff,omitempty"`
	Rounds   *int64    `json:"rounds,omitempty"`
	RatePerS float64   `json:"rate_per_s"`
	Gangs    [][]Shard `json:"gangs"`
	// EmptyCluster is the choice the job would make if it were alone (Hadar's queue order).
	EmptyCluster *Candidate   `json:"empty_cluster,omitempty"`
	Candidates   []Candidate  `json:"candidates"`
	Shares       []TypeShare  `json:"shares,omitempty"` // time fractions by GPU type (Gavel)
	Copies       []Copy       `json:"copies,omitempty"` // of a forked job, nodes ascending (HadarE)
	Terms        []NamedValue `json:"terms,omitempty"`
	Sentence     string       `json:"sentence"`
}

// Shard is Count GPUs of one type on one node.
type Shard struct {
	Node  string `json:"node"`
	Type  string `json:"type"`
	Count int    `json:"count"`
}

// Candidate is one placement that was weighed.
type Candidate struct {
	Gang     []Shard `json:"gang,omitempty"`
	Utility  float64 `json:"utility"`
	Cost     float64 `json:"cost"`
	Payoff   float64 `json:"payoff"`
	Rounds   int64   `json:"rounds"`
	RatePerS float64 `json:"rate_per_s"`
	Verdict  string  `json:"verdict"` // chosen | second | lower payoff | not worth its price | goes to b …
	// Phase is which part of the decision weighed it, for policies that decide in parts (HadarE: 1 prices
	// whole nodes, 2 gives the leftover ones to the job that gains most; payoff is then the gain).
	Phase int `json:"phase,omitempty"`
}

// Copy is one copy of a forked job in the coming round.
type Copy struct {
	Node     string  `json:"node"`
	Type     string  `json:"type"`
	Count    int     `json:"count"`
	Phase    int     `json:"phase"`
	RatePerS float64 `json:"rate_per_s"`
	Most     float64 `json:"most_steps"`          // that it could do in the round
	Quota    float64 `json:"quota_steps"`         // its part of the job's steps
	Weight   float64 `json:"merge_weight"`        // with which its parameters enter the merge; they sum to 1
	Left     int     `json:"left_gpus,omitempty"` // GPUs of its node that it leaves idle
}

// TypeShare is one job's standing on one GPU type under a share-based policy.
type TypeShare struct {
	Type     string  `json:"type"`
	Target   float64 `json:"target"`   // fraction of time the policy grants
	Received float64 `json:"received"` // fraction of the type's time received since the last reset
	Priority float64 `json:"priority"` // target / received
	Deficit  float64 `json:"deficit_s"`
	RatePerS float64 `json:"rate_per_s"`
}

// NamedValue is a figure with its name and unit.
type NamedValue struct {
	Name  string  `json:"name"`
	Value float64 `json:"value"`
	Unit  string  `json:"unit,omitempty"`
	// Solver marks figures of the program behind the decision, as its objective and gap.
	Solver bool `json:"solver,omitempty"`
}
