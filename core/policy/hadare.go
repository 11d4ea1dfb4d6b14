package policy

import (
	"slices"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// HadarE forks jobs: copies of one job train at the same time on nodes of their own, and their
// parameters are merged each round. The planner is core/fork. Each copy's steps of the round are stated
// as a quota, so that all end together and the node is held until the merge.
func init() {
	register(&Spec{
		ID: "hadare", Title: "HadarE", Rev: 1,
		Summary: "Forks every job into copies that train on separate nodes at the same time, splits the steps by speed and merges each round.",
		Source:  "HadarE (arXiv 2503.10918), reconstructed from the abstract",
		Formula: "phase 1: payoff = utility − node’s price × rounds, one node a job; the largest sum of payoff ÷ rounds; utility: the sooner the job finishes there, the larger, its best possible time ÷ the time from arrival to finish unless set otherwise; phase 2: a leftover node to the job for which it raises utility ÷ rounds most; a copy’s quota ∝ its speed",
		Cadence: func(m model.Public, _ Values) sim.Cadence { return sim.Cadence{Every: m.Round, Merge: true} },
		Needs:   Needs{Lengths: true},
		Worth:   func(v Values) Worth { return Worth{hadareUnit(v["utility"] == "effective"), true} },
		Params: []Param{
			{Name: "utility", Title: "Utility", Kind: Choice, Default: "normalised",
				Choices: []string{"normalised", "effective"},
				Help:    "normalised (ours): best possible time on one node over lifetime. effective, as the paper names it: steps per second of lifetime, which adds unlike units, since a step of one model is not a step of another."},
			hadarEta, hadarHorizon,
		},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &hadare{cluster: m.Cluster, round: m.Round,
				set: fork.Settings{Effective: v["utility"] == "effective",
					Eta: v.Float("eta"), Horizon: unit.Seconds(v.Float("horizon_s"))}}, nil
		},
		WholeNodes: true,
	})
}

// hadareUnit is the unit of the utility.
func hadareUnit(effective bool) string {
	if effective {
		return utilityUnit(primaldual.Effective)
	}
	return utilityUnit(primaldual.Normalised)
}

// hadare keeps nothing between rounds but memory to reuse: the job tracker's record of a parent is
// the kernel's own sum over its gangs.
type hadare struct {
	cluster *model.Cluster
	round   unit.Tick
	set     fork.Settings
	planner fork.Planner
	prob    fork.Problem
	nodes   []model.NodeID
}

// Clone copies the parameters: the planner keeps nothing from round to round.
func (h *hadare) Clone() sim.Policy { return &hadare{cluster: h.cluster, round: h.round, set: h.set} }

// Decide hands the round's problem to the planner and states its copies as the plan, each with its
// steps as a quota. A job's reason adds up what its copies are worth; a node's price is that of an
// empty or of a taken one, for there is nothing between.
func (h *hadare) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	h.state(v)
	r := h.planner.Plan(&h.prob, h.set)
	p.Clear()
	for i := range h.prob.Jobs {
		j := h.prob.Jobs[i].ID
		payoff, utility, cost := 0.0, 0.0, 0.0
		for _, c := range r.Copies[i] {
			p.OpenCopy(j, 0)
			p.Take(c.Slot, c.GPUs)
			p.Quota(c.Steps)
			p.Close()
			payoff, utility, cost = payoff+c.Payoff, utility+c.Utility, cost+c.Cost
			if c.Left > 0 {
				w.Left(j, c.Slot, c.Left)
			}
		}
		if len(r.Copies[i]) > 0 {
			w.Chose(j, payoff, utility, cost)
		} else {
			w.Wait(j, trace.WaitNodes, float64(len(h.cluster.Nodes)), float64(len(h.prob.Jobs)), 0)
		}
	}
	for s := range h.cluster.Slots {
		price := r.UMin
		if r.Owner[h.cluster.Slots[s].Node] >= 0 {
			price = r.UMax
		}
		w.Price(model.SlotID(s), price)
	}
	if sim.Explains && w.Detail != nil {
		h.explain(w.Detail, r)
	}
}

// state copies what the planner needs from the view. A move stalls a job for the larger of its own
// charge and the merge, since charges of one instant do not add up.
func (h *hadare) state(v sim.View) {
	q := &h.prob
	q.Now, q.Round, q.Cluster = v.Now(), h.round, h.cluster
	q.Usable = q.Usable[:0]
	for s := range h.cluster.Slots {
		q.Usable = append(q.Usable, v.Capacity(model.SlotID(s)))
	}
	q.Jobs, h.nodes = q.Jobs[:0], h.nodes[:0]
	for _, j := range v.Active() {
		total, _ := v.Total(j)
		from := len(h.nodes)
		for i := range v.Gangs(j) {
			h.nodes = append(h.nodes, h.cluster.Slots[v.Gang(j, i)[0].Slot].Node)
		}
		slices.Sort(h.nodes[from:])
		merge := v.Merge(j)
		q.Jobs = append(q.Jobs, fork.Job{ID: j, Arrive: v.Arrive(j), Total: total, Remaining: total - v.Done(j),
			Outlived: v.Outlived(j), Speed: v.Speed(j, 0),
			Held: h.nodes[from:], Keep: merge, Move: max(merge, v.Charge(j, nil))})
	}
}
