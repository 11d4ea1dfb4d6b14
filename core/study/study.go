// Package study is the two comparisons that the project publishes figures of, made of scenarios of its own and run
// through core/lab.
//
// Cases compare the schedulers where Hadar's paper does, as we remember it, unread: 480 jobs on 20 V100, 20 P100 and 20
// K80, here in nodes of four. Which jobs it took we do not know, so there are three workloads, each static (all at 0)
// and Poisson, each from several seeds, with stalls (a restart 20 s, a checkpoint 10 s, HadarE's merge 20 s) and
// without. Figures are set against gavel-las on the same jobs. Mixes compare HadarE with Hadar and Gavel on five nodes.
// All of it is our choice; the speeds are Gavel's measurements.
package study

import (
	"strconv"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// Base is the policy against which the study's figures are set.
const Base = "gavel-las"

// Lane is a policy with parameters, under a name for tables.
type Lane struct {
	Name string
	message.PolicyRef
}

// NewLane is a policy with parameters, a name and a value each in turn, under its id.
func NewLane(id string, params ...any) Lane {
	l := Lane{Name: id, PolicyRef: message.PolicyRef{ID: id}}
	for i := 0; i < len(params); i += 2 {
		if l.Params == nil {
			l.Params = map[string]any{}
		}
		l.Params[params[i].(string)] = params[i+1]
	}
	return l
}

// Named gives the lane another name.
func (l Lane) Named(name string) Lane {
	l.Name = name
	return l
}

// Policies are the policies of the study under their defaults, and HadarE under both readings of what a copy holds.
func Policies() (out []Lane) {
	for _, id := range []string{Base, "hadar", "hadare", "gavel-ftf", "gavel-makespan", "srtf", "tiresias",
		"yarn-cs"} {
		out = append(out, NewLane(id))
		if id == "hadare" {
			out = append(out, NewLane(id, "copy", "node").Named("hadare copy=node"))
		}
	}
	return out
}

// Switches are one switch each away from the defaults.
func Switches() []Lane {
	hadar := func(name string, params ...any) Lane {
		return NewLane("hadar", params...).Named("hadar " + name)
	}
	return []Lane{
		hadar("order=lifetime_density", "order", "lifetime_density"),
		hadar("dp_value=lifetime", "dp_value", "lifetime"),
		hadar("both, utility=effective", "order", "lifetime_density", "dp_value", "lifetime", "utility", "effective"),
		hadar("utility=effective", "utility", "effective"),
		hadar("utility=avg_jct", "utility", "avg_jct"),
		hadar("utility=makespan", "utility", "makespan"),
		hadar("utility=ftf", "utility", "ftf"),
		hadar("cost=round", "cost", "round"),
		hadar("work_conserving", "work_conserving", true),
		hadar("homogeneous", "homogeneous", true),
		hadar("residual_pass=false", "residual_pass", false),
		hadar("dp=greedy", "dp", "greedy"),
		hadar("dp=beam 16", "dp", "beam", "beam", 16.0),
		hadar("overhead=none", "overhead", "none"),
		NewLane("hadare", "utility", "effective").Named("hadare utility=effective"),
		NewLane("srtf", "migrate", false).Named("srtf migrate=false"),
		NewLane("tiresias", "migrate", false).Named("tiresias migrate=false"),
	}
}

// Workloads are the names of the workloads.
var Workloads = []string{"five-models", "gavel-mix", "philly"}

// Case is one scenario of the study.
type Case struct {
	Workload string
	Arrivals string // static or poisson
	Seed     uint64
	Stalls   bool
	Doc      *scenario.Document
}

// Cases lists the scenarios: every workload, seeds 1 to seeds, all with the same number of jobs.
func Cases(seeds, jobs int) (out []Case) {
	for _, stalls := range []bool{true, false} {
		for _, workload := range Workloads {
			for _, arrivals := range []string{"static", "poisson"} {
				for seed := range uint64(seeds) {
					c := Case{Workload: workload, Arrivals: arrivals, Seed: seed + 1, Stalls: stalls}
					c.Doc = c.Document(jobs)
					out = append(out, c)
				}
			}
		}
	}
	return out
}

// Document is the case with so many jobs.
func (c *Case) Document(jobs int) *scenario.Document {
	s := scenario.Scenario{Seed: c.Seed, RoundS: 360, Generator: &scenario.Generator{Count: jobs}}
	for t, typ := range []string{"v100", "p100", "k80"} {
		for n := range 5 {
			s.Cluster.Nodes = append(s.Cluster.Nodes, scenario.Node{ID: "n" + strconv.Itoa(5*t+n+1),
				GPUs: map[string]int{typ: 4}})
		}
	}
	if c.Stalls {
		s.Overheads = scenario.Overheads{CheckpointS: 10, RestartS: 20, MergeS: 20}
	}
	g := s.Generator
	perHour := 1.2 // as in our re-runs of Gavel
	switch c.Workload {
	case "five-models":
		g.Models = []scenario.ModelShare{{Model: "resnet-50", Batch: 64, Share: 1},
			{Model: "resnet-18", Batch: 128, Share: 1},
			{Model: "lm", Batch: 80, Share: 1}, {Model: "cyclegan", Share: 1},
			{Model: "transformer", Batch: 128, Share: 1}}
	case "philly":
		// About the same work an hour; wider gangs than were measured are left out.
		g.Kind, g.GPUs, perHour = "philly", map[string]float64{"1": 93.17, "2": 2.21, "4": 2.27, "8": 2}, 3
	}
	if c.Arrivals != "static" {
		g.Arrivals = scenario.Arrivals{Arrivals: generate.Arrivals{Process: c.Arrivals, RatePerH: perHour}}
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s,
		Meta: scenario.Meta{Title: c.Name()}}
}

// Name is the case in a table.
func (c *Case) Name() string {
	name := c.Workload + ", " + c.Arrivals + ", seed " + strconv.Itoa(int(c.Seed))
	if c.Stalls {
		name += ", stalls"
	}
	return name
}

// Row is one lane on one case.
type Row struct {
	Workload string          `json:"workload"`
	Arrivals string          `json:"arrivals"`
	Seed     uint64          `json:"seed"`
	Stalls   bool            `json:"stalls"`
	Policy   string          `json:"policy"`
	Outcome  string          `json:"outcome"`
	Metrics  message.Metrics `json:"metrics"`
}

// Run runs the lanes on the case.
func (c *Case) Run(lanes []Lane) ([]Row, jsondoc.Diagnostics) {
	runs, diags := run(c.Doc, lanes)
	var rows []Row
	for i := range runs {
		r := &runs[i]
		rows = append(rows, Row{c.Workload, c.Arrivals, c.Seed, c.Stalls, lanes[i].Name, r.Outcome, r.Metrics})
	}
	return rows, diags
}

// run runs lanes on a document; there are none, and diagnostics, where it has errors or a lane cannot run.
func run(doc *scenario.Document, lanes []Lane) ([]message.Lane, jsondoc.Diagnostics) {
	req := &message.RunRequest{Scenario: doc.Marshal(false)}
	for _, l := range lanes {
		req.Policies = append(req.Policies, l.PolicyRef)
	}
	res, failed, diags := lab.Run(req)
	if diags.HasErrors() {
		return nil, diags
	}
	if len(failed) > 0 {
		return nil, failed[0].Diagnostics
	}
	return res.Runs, nil
}

// Sum is a lane over all cases with or without stalls. Ratios are geometric means over the cases, against
// Base; fairness is a geometric mean, preemptions and the nodes' use are means.
type Sum struct {
	Stalls      bool    `json:"stalls"`
	Policy      string  `json:"policy"`
	Cases       int     `json:"cases"`
	JCT         float64 `json:"avg_jct_ratio"`
	JCTLeast    float64 `json:"avg_jct_ratio_least"`
	JCTMost     float64 `json:"avg_jct_ratio_most"`
	Makespan    float64 `json:"makespan_ratio"`
	FTFP50      float64 `json:"ftf_p50"`
	FTFP95      float64 `json:"ftf_p95"`
	Preemptions float64 `json:"preemptions"`
	Nodes       float64 `json:"node_utilization"`
	// GPUOver is the part of the GPU time that jobs hold, all cases together, which is beyond what they asked for.
	GPUOver float64 `json:"gpu_over"`
	held    float64 // GPU-s
}

// Summarise adds rows up, in the order in which lanes appear, those with stalls first. Cases without a row of Base
// are left out.
func Summarise(rows []Row) (out []Sum) {
	type key struct {
		workload, arrivals string
		seed               uint64
		stalls             bool
	}
	of := func(r *Row) key { return key{r.Workload, r.Arrivals, r.Seed, r.Stalls} }
	base := map[key]*Row{}
	for i := range rows {
		if rows[i].Policy == Base {
			base[of(&rows[i])] = &rows[i]
		}
	}
	for _, stalls := range []bool{true, false} {
		from := len(out)
		for i := range rows {
			r, b := &rows[i], base[of(&rows[i])]
			if r.Stalls != stalls || b == nil {
				continue
			}
			at := from
			for at < len(out) && out[at].Policy != r.Policy {
				at++
			}
			if at == len(out) {
				out = append(out, Sum{Stalls: stalls, Policy: r.Policy, JCTLeast: 1e300})
			}
			s := &out[at]
			jct := r.Metrics.AvgJCTS / b.Metrics.AvgJCTS
			s.Cases++
			s.JCT += unit.Log(jct)
			s.JCTLeast, s.JCTMost = min(s.JCTLeast, jct), max(s.JCTMost, jct)
			s.Makespan += unit.Log(r.Metrics.MakespanS / b.Metrics.MakespanS)
			s.FTFP50 += unit.Log(r.Metrics.FTFP50)
			s.FTFP95 += unit.Log(r.Metrics.FTFP95)
			s.Preemptions += float64(r.Metrics.Preemptions)
			s.Nodes += r.Metrics.NodeUtilization
			s.GPUOver += r.Metrics.GPUOverS
			s.held += r.Metrics.BusyGPUS + r.Metrics.StalledGPUS + r.Metrics.HoldGPUS
		}
		for i := from; i < len(out); i++ {
			s := &out[i]
			n := float64(s.Cases)
			s.JCT, s.Makespan, s.FTFP50, s.FTFP95 = unit.Exp(s.JCT/n), unit.Exp(s.Makespan/n), unit.Exp(s.FTFP50/n),
				unit.Exp(s.FTFP95/n)
			s.Preemptions, s.Nodes, s.GPUOver = s.Preemptions/n, s.Nodes/n, s.GPUOver/s.held
		}
	}
	return out
}
