package queues_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// orderLaw is what a queue goes by, written down apart from its policy. On GPUs of one type on one node who runs then
// follows: front to back, each job that still fits.
type orderLaw struct {
	id     string
	params map[string]any
	key    func(p *model.Problem, v sim.View, j model.JobID) float64 // the least goes first, of equal ones the older
	stays  bool                                                      // nobody who runs is stopped
	blocks bool                                                      // who does not fit blocks those behind it
}

// speed is that of a job at its size.
func speed(p *model.Problem, j model.JobID) float64 {
	return float64(p.Tables[j].Rate(0, p.Jobs[j].Shape.Size, model.OneNode))
}

var orderLaws = []orderLaw{
	{id: "fifo", key: ofAge, stays: true, blocks: true},
	{id: "fifo", params: map[string]any{"skip": true}, key: ofAge, stays: true},
	{id: "yarn-cs", key: ofAge, stays: true, blocks: true},
	{id: "yarn-cs", params: map[string]any{"backfill": true}, key: ofAge, stays: true},
	{id: "sjf", key: ofLength, stays: true},
	{id: "sjf", params: map[string]any{"skip": false}, key: ofLength, stays: true, blocks: true},
	{id: "srtf", key: func(p *model.Problem, v sim.View, j model.JobID) float64 {
		return (float64(p.Jobs[j].Work) - float64(v.Done(j))) / speed(p, j)
	}},
	{id: "las", key: func(_ *model.Problem, v sim.View, j model.JobID) float64 { return v.Attained(j).Seconds() }},
	{id: "gittins", params: map[string]any{"step_gpu_s": 2000.0},
		key: func(p *model.Problem, v sim.View, j model.JobID) float64 {
			of := func(j model.JobID, steps unit.Work) float64 {
				return float64(steps) * float64(p.Jobs[j].Shape.Size) / speed(p, j)
			}
			had, ends, spent := of(j, v.Done(j)), 0, 0.0
			for k := range p.Jobs {
				if left := of(model.JobID(k), p.Jobs[k].Work) - had; left > 0 {
					if spent += min(left, 2000); left <= 2000 {
						ends++
					}
				}
			}
			if ends == 0 {
				return math.Inf(1)
			}
			return spent / float64(ends)
		}},
}

func ofAge(*model.Problem, sim.View, model.JobID) float64 { return 0 }

func ofLength(p *model.Problem, _ sim.View, j model.JobID) float64 {
	return float64(p.Jobs[j].Work) / speed(p, j)
}

// watched holds each decision of a queue to its law.
type watched struct {
	sim.Policy
	law   orderLaw
	p     *model.Problem
	cap   int32
	stops int // jobs that were stopped
	fault string
}

// Decide lets the policy decide and then says what the law has.
func (w *watched) Decide(v sim.View, p *sim.Plan, why *sim.Why) {
	var order, runs []model.JobID
	key := map[model.JobID]float64{}
	free := w.cap
	for _, j := range v.Active() {
		key[j] = w.law.key(w.p, v, j)
		if w.law.stays && v.Holds(j) {
			free -= v.Shape(j).Size
			runs = append(runs, j)
			continue
		}
		order = append(order, j)
	}
	slices.SortStableFunc(order, func(a, b model.JobID) int { return cmp.Compare(key[a], key[b]) })
	for i, j := range order {
		if i > 0 { // keys that differ by rounding alone have no order that a test could know
			a, b := key[order[i-1]], key[j]
			if a != b && !(b-a > 1e-9*math.Abs(b)) {
				w.Policy.Decide(v, p, why)
				return
			}
		}
		if size := v.Shape(j).Size; size <= free {
			free -= size
			runs = append(runs, j)
		} else if w.law.blocks {
			break
		}
	}
	w.Policy.Decide(v, p, why)
	for _, j := range v.Active() {
		if v.Holds(j) && !p.Holds(j) {
			w.stops++
		}
		if p.Holds(j) != slices.Contains(runs, j) && w.fault == "" {
			w.fault = fmt.Sprintf("at %v job %d: holds %v; by the law %v run, in the order %v by %v", v.Now(), j,
				p.Holds(j),
				runs, order, key)
		}
	}
}

// onOneNode draws jobs on six GPUs of one node.
func onOneNode(seed uint64) *model.Problem {
	rng := unit.Stream(seed, "order laws")
	var jobs []simtest.Job
	at := 0.0
	for range 4 + rng.IntN(20) {
		at += float64(rng.IntN(900))
		jobs = append(jobs, simtest.Job{Arrive: at, GPUs: int32(1 + rng.IntN(4)), Steps: float64(1 + rng.IntN(40000)),
			Rates: map[string]float64{"a": 1 + 9*rng.Float64()}})
	}
	return simtest.Build(360, []simtest.Node{{"a": 6}}, jobs, model.Costs{Load: unit.Seconds(float64(rng.IntN(30)))})
}

// watch runs a policy inside of one that watches it.
func watch(t *testing.T, p *model.Problem, id string, params map[string]any, by sim.Policy, inside *sim.Policy) {
	t.Helper()
	spec, _ := policy.Find(id)
	values, _ := spec.Check(params)
	var err error
	if *inside, err = spec.New(p.Public(), values); err != nil {
		t.Fatal(err)
	}
	simtest.Finish(t, p, simtest.StartWith(t, p, by, spec.Cadence(p.Public(), values), sim.Options{}))
}

// TestQueuesKeepTheirOrder holds every decision of the plain queues to their law, on random jobs.
func TestQueuesKeepTheirOrder(t *testing.T) {
	for _, law := range orderLaws {
		stops := 0
		for seed := range uint64(40) {
			p := onOneNode(seed)
			w := &watched{law: law, p: p, cap: 6}
			watch(t, p, law.id, law.params, w, &w.Policy)
			if w.fault != "" {
				t.Fatalf("%s %v, seed %d: %s", law.id, law.params, seed, w.fault)
			}
			stops += w.stops
		}
		if !law.stays && stops < 20 {
			t.Errorf("%s: only %d jobs were stopped", law.id, stops)
		}
	}
}

// firstQueue holds each decision of Tiresias to its queues.
type firstQueue struct {
	sim.Policy
	limit unit.Tick // GPU-ticks
	later int       // decisions at which a job of a later queue ran beside one of the first that waits
	fault string
}

// Decide lets the policy decide: of the first queue nobody waits for whom the others of it leave enough GPUs.
func (f *firstQueue) Decide(v sim.View, p *sim.Plan, why *sim.Why) {
	f.Policy.Decide(v, p, why)
	left, later := int32(6), false
	for _, j := range v.Active() {
		if p.Holds(j) && v.Attained(j) < f.limit {
			left -= v.Shape(j).Size
		}
		later = later || p.Holds(j) && v.Attained(j) >= f.limit
	}
	for _, j := range v.Active() {
		if v.Attained(j) >= f.limit || p.Holds(j) {
			continue
		}
		if later {
			f.later++
		}
		if v.Shape(j).Size <= left && f.fault == "" {
			f.fault = fmt.Sprintf("at %v job %d of the first queue waits, though %d GPUs are not the first queue's",
				v.Now(), j, left)
		}
	}
}

// TestTiresiasServesTheFirstQueueFirst: attained GPU time alone says who is in the first queue.
func TestTiresiasServesTheFirstQueueFirst(t *testing.T) {
	later := 0
	for seed := range uint64(40) {
		p := onOneNode(seed)
		f := &firstQueue{limit: unit.Seconds(6000)}
		watch(t, p, "tiresias", map[string]any{"limit_gpu_s": 6000.0}, f, &f.Policy)
		if f.fault != "" {
			t.Fatalf("seed %d: %s", seed, f.fault)
		}
		later += f.later
	}
	if later < 20 {
		t.Errorf("only %d decisions have both queues", later)
	}
}
