package policy

import (
	"slices"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func init() {
	register(&Spec{
		ID: "hadare", Title: "HadarE", Rev: 1,
		Summary: "Forks every job into copies that train on separate nodes at the same time, splits the steps by speed and merges each round.",
		Source:  "HadarE (arXiv 2503.10918), reconstructed from the abstract",
		Cadence: func(m model.Public, _ Values) sim.Cadence { return sim.Cadence{Every: m.Round, Merge: true} },
		Needs:   Needs{Lengths: true},
		Params: []Param{
			{Name: "utility", Title: "Utility", Kind: Choice, Default: "effective", Choices: []string{"effective", "normalised"},
				Help: "effective: steps per second of lifetime. normalised: best possible time over lifetime."},
			hadarEta, hadarHorizon,
		},
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &hadare{cluster: m.Cluster, round: m.Round, set: fork.Settings{Normalised: v["utility"] == "normalised",
				Eta: v.Float("eta"), Horizon: unit.Seconds(v.Float("horizon_s"))}}, nil
		},
	})
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

func (h *hadare) Clone() sim.Policy { return &hadare{cluster: h.cluster, round: h.round, set: h.set} }

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
		if h.taken(r, h.cluster.Slots[s].Node) {
			price = r.UMax
		}
		w.Price(model.SlotID(s), price)
	}
	if w.Detail != nil {
		h.explain(w.Detail, r)
	}
}

func (h *hadare) taken(r *fork.Result, n model.NodeID) bool {
	return slices.ContainsFunc(r.Copies, func(cs []fork.Copy) bool {
		return slices.ContainsFunc(cs, func(c fork.Copy) bool { return c.Node == n })
	})
}

// state copies what the planner needs from the view.
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
		q.Jobs = append(q.Jobs, fork.Job{ID: j, Arrive: v.Arrive(j), Total: total, Remaining: total - v.Done(j), Speed: v.Speed(j, 0),
			Held: h.nodes[from:], Keep: merge, Move: max(merge, v.Charge(j, nil))})
	}
}

func (h *hadare) explain(d *sim.Detail, r *fork.Result) {
	types := len(h.cluster.Types)
	d.Constants = &sim.PriceConstants{UMax: make([]float64, types), UMin: make([]float64, types), Eta: r.Eta, Alpha: r.Alpha, Horizon: r.Horizon}
	for t := range types {
		d.Constants.UMax[t], d.Constants.UMin[t] = r.UMax, r.UMin
	}
	for s := range h.cluster.Slots {
		price, used := r.UMin, int32(0)
		for _, copies := range r.Copies {
			for _, c := range copies {
				if c.Slot == model.SlotID(s) {
					price, used = r.UMax, c.GPUs
				}
			}
		}
		d.Prices = append(d.Prices, sim.SlotPrice{Slot: model.SlotID(s), Used: used, Cap: h.prob.Usable[s], Price: price})
	}
	d.Valued, d.Payoff = true, r.Payoff
	for i := range h.prob.Jobs {
		ch := sim.Choice{Job: h.prob.Jobs[i].ID}
		var steps []unit.Work
		for _, c := range r.Copies[i] {
			steps = append(steps, c.Steps)
		}
		weights := fork.Weights(steps, false)
		for k, c := range r.Copies[i] {
			if c.Phase == 1 {
				ch.Valued, ch.Utility, ch.Cost, ch.Payoff = true, c.Utility, c.Cost, c.Payoff
				d.Primal += c.Utility
			}
			ch.Candidates = append(ch.Candidates, sim.Candidate{Shards: []sim.Shard{{Slot: c.Slot, N: c.GPUs}}, Utility: c.Utility, Cost: c.Cost,
				Payoff: c.Payoff, Rate: c.Rate, Chosen: true})
			node := h.cluster.Nodes[c.Node].Name
			phase := "phase 1"
			if c.Phase == 2 {
				phase = "phase 2"
			}
			ch.Terms = append(ch.Terms, sim.Term{Name: "steps on " + node + ", " + phase, Unit: "steps", Value: float64(c.Steps)},
				sim.Term{Name: "merge weight of " + node, Value: weights[k]})
			if c.Left > 0 {
				ch.Terms = append(ch.Terms, sim.Term{Name: "left by the copy on " + node, Unit: "GPUs", Value: float64(c.Left)})
			}
		}
		d.Choices = append(d.Choices, ch)
	}
}
