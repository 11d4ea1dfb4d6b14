package hadar

import (
	"slices"

	"hadarlab/core/fork"
	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// HadarE forks jobs: copies of one job train at the same time on different nodes, and their
// parameters are merged each round. The planner is core/fork. In a job's last round
// each copy's whole steps are stated as a quota, so that all end together; before, each does what it can.
func init() {
	policy.Register(&policy.Spec{
		ID: "hadare", Title: "HadarE", Rev: 2, LastReleases: []string{"0.1.0"},
		Summary: "Forks every job into copies that train on separate nodes at the same time, splits the steps by speed and merges each round.",
		Source:  "HadarE (arXiv 2503.10918), reconstructed from the abstract; what a copy holds, who gets which GPUs, the weights of the merge, that every round pays for one, copies of jobs with a profile and the default utility ours",
		Formula: "phase 1: payoff = utility − price of its GPUs × rounds, one copy a job; the largest sum of payoff ÷ rounds where all gangs are equal, else a heuristic for it; utility: the sooner the job finishes there, the larger, its best time on one node ÷ the time from arrival to finish unless set otherwise, none counted as shorter than a round; phase 2: leftover GPUs to the job for which a copy raises utility ÷ rounds most for each GPU, or for the whole node; a copy’s quota ∝ its speed",
		Cadence: func(m model.Public, _ policy.Values) sim.Cadence { return sim.Cadence{Every: m.Round, Merge: true} },
		Needs:   policy.Needs{Lengths: true},
		Worth: func(v policy.Values) policy.Worth {
			return policy.Worth{Unit: hadareUnit(v["utility"] == "effective"), PerRound: true}
		},
		Params: []policy.Param{
			{Name: "utility", Title: "Utility", Kind: policy.Choice, Default: "normalised",
				Choices: []string{"normalised", "effective"},
				Help:    "normalised (ours): best possible time on one node over lifetime, no time counted as shorter than a round. effective, as we remember the paper's, unread: steps per second of lifetime, which adds unlike units, since a step of one model is not a step of another."},
			hadareCopy, hadarEta, hadarHorizon,
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &hadare{cluster: m.Cluster, round: m.Round,
				set: fork.Settings{Plain: policy.Plain, Whole: v["copy"] == wholeNode,
					Effective: v["utility"] == "effective", Eta: v.Float("eta"),
					Horizon: unit.Seconds(v.Float("horizon_s"))}}, nil
		},
		WholeNodes: policy.Setting{Param: "copy", Value: wholeNode},
	})
}

const wholeNode = "node"

var hadareCopy = policy.Param{Name: "copy", Title: "What a copy holds", Kind: policy.Choice, Default: "request",
	Choices: []string{"request", wholeNode},
	Help: "request: as many GPUs of one type as the job asked for, or the most that one node has and it has a " +
		"speed for, on one node, which copies of other jobs share. node: a whole node, as where every node has one GPU. Under " +
		"either a job may hold more GPUs than it asked for: under request its copies together, under node one copy " +
		"already. Both readings are ours."}

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

// Decide hands the round's problem to the planner and states its copies as the plan. A job's reason adds up what its
// copies are worth.
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
			if r.Ends[i] {
				p.Quota(c.Steps)
			}
			p.Close()
			payoff, utility, cost = payoff+c.Payoff, utility+c.Utility, cost+c.Cost
			if c.Left > 0 {
				w.Tell(&trace.Left, int32(c.Slot), float64(c.Left))
			}
		}
		if len(r.Copies[i]) > 0 {
			w.Chose(j, payoff, utility, cost)
		} else {
			h.wait(w, r, &h.prob.Jobs[i])
		}
	}
	for s := range h.cluster.Slots {
		w.Tell(&trace.Price, int32(s), h.planner.Price(model.SlotID(s), h.taken(r, model.SlotID(s))))
	}
	if sim.Explains && w.Detail != nil {
		h.explain(v, w.Detail, r)
	}
}

// taken is how many GPUs of a slot are taken; all where a copy has the node to itself.
func (h *hadare) taken(r *fork.Result, s model.SlotID) int32 {
	if h.set.Whole && r.Owner[h.cluster.Slots[s].Node] >= 0 {
		return h.cluster.Slots[s].Cap
	}
	return r.Used[s]
}

// wait says why a job has no copy: others have the nodes that it could have to itself, or the room for its copy.
func (h *hadare) wait(w *sim.Why, r *fork.Result, j *fork.Job) {
	if h.set.Whole {
		w.Wait(j.ID, trace.WaitNodes, float64(len(h.cluster.Nodes)), float64(len(h.prob.Jobs)), 0)
		return
	}
	free, most := int32(0), int32(0)
	for s, n := range h.prob.Usable {
		n -= r.Used[s]
		free, most = free+n, max(most, n)
	}
	if free < j.GPUs {
		w.Wait(j.ID, trace.WaitFull, float64(j.GPUs), float64(free), 0)
		return
	}
	w.Wait(j.ID, trace.WaitShape, float64(j.GPUs), float64(free), float64(most))
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
		q.Jobs = append(q.Jobs, fork.Job{ID: j, Arrive: v.Arrive(j), GPUs: v.Shape(j).Size, Total: total,
			Remaining: total - v.Done(j), Outlived: v.Outlived(j), Speed: v.Speed(j, 0), Held: h.nodes[from:],
			Keep: merge, Move: max(merge, v.Charge(j, nil))})
	}
}
