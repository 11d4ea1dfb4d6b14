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
	"hadarlab/core/words"
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

// tiesOfTiresias holds what Tiresias says of two jobs of one queue to what was seen from outside: who ran when a
// decision began and since when, and when each came, was stopped or came into its queue.
type tiesOfTiresias struct {
	sim.Policy
	entry    bool
	promoted map[model.JobID]bool
	since    map[model.JobID]unit.Tick // it holds GPUs without a break; absent = it holds none
	entered  map[model.JobID]unit.Tick // into its queue, or was stopped where that counts
	queue    map[model.JobID]any
	said     map[string]int
	fault    string
}

// Clone is never asked of a run that is not gone back on.
func (w *tiesOfTiresias) Clone() sim.Policy { panic("a clone") }

// Decide lets the policy decide, and reads what it says.
func (w *tiesOfTiresias) Decide(v sim.View, p *sim.Plan, why *sim.Why) {
	ran := map[model.JobID]bool{}
	for _, j := range v.Active() {
		ran[j] = v.Holds(j)
		if _, held := w.since[j]; held && !ran[j] { // a fault took its GPUs
			delete(w.since, j)
			if !w.entry {
				w.entered[j] = v.Now()
			}
		}
		if _, known := w.entered[j]; !known {
			w.entered[j] = v.Now()
		}
	}
	w.Policy.Decide(v, p, why)
	rows := why.Detail.Sections[len(why.Detail.Sections)-1].Table.Rows
	last := model.JobID(model.None)
	for _, row := range rows {
		j, queue := row.Cells[0].(model.JobID), row.Cells[1]
		promoted := false // it has had no service since
		for _, line := range why.Detail.Of(j).Sections[0].Formula {
			if of := simtest.Saying(line, "since it was promoted"); !of.IsZero() {
				promoted = of.Args()[2].(sim.Digits).Value == 0
			}
		}
		if was, known := w.queue[j]; known && (w.entry && was != queue || promoted && !w.promoted[j]) {
			w.entered[j] = v.Now()
		}
		w.queue[j], w.promoted[j] = queue, promoted
	}
	for i, row := range rows {
		j, queue := row.Cells[0].(model.JobID), row.Cells[1]
		first, second := last, j
		if p.Holds(j) {
			last = j
			if first = model.None; i > 0 && rows[i-1].Cells[1] == queue {
				first = rows[i-1].Cells[0].(model.JobID)
			} else if i+1 < len(rows) && rows[i+1].Cells[1] == queue {
				first, second = j, rows[i+1].Cells[0].(model.JobID)
			}
		}
		if first >= 0 {
			w.read(v, first, second, ran, why.Detail.Of(j).Says)
		}
	}
	for _, j := range v.Active() {
		switch _, held := w.since[j]; {
		case p.Holds(j) && !held:
			w.since[j] = v.Now()
		case !p.Holds(j) && held:
			delete(w.since, j)
			if !w.entry {
				w.entered[j] = v.Now()
			}
		}
	}
}

// read holds a sentence on two jobs of one queue to what is known of them.
func (w *tiesOfTiresias) read(v sim.View, first, second model.JobID, ran map[model.JobID]bool, says words.Text) {
	sinceA, sinceB := w.since[first], w.since[second]
	inA, inB := w.entered[first], w.entered[second]
	for clause, so := range map[string]bool{
		"jobs that run go first":               !w.entry && ran[first] && !ran[second],
		"running job goes first that started":  !w.entry && ran[first] && ran[second] && sinceA < sinceB,
		"goes first that joined it or was":     !w.entry && !ran[first] && !ran[second] && inA <= inB,
		"job goes first that joined it first":  w.entry && inA < inB,
		"the job goes first that came earlier": v.Arrive(first) < v.Arrive(second) && w.alike(first, second, ran),
		"the job goes first that is listed first": v.Arrive(first) == v.Arrive(second) && first < second &&
			w.alike(first, second, ran),
	} {
		if simtest.Saying(says, clause).IsZero() {
			continue
		}
		if w.said[clause]++; !so && w.fault == "" {
			w.fault = fmt.Sprintf("at %v jobs %d and %d are told %q: ran %v, %v, since %v, %v, entered %v, %v", v.Now(),
				first, second, clause, ran[first], ran[second], sinceA, sinceB, inA, inB)
		}
	}
}

// alike says whether nothing but age tells two jobs of a queue apart.
func (w *tiesOfTiresias) alike(a, b model.JobID, ran map[model.JobID]bool) bool {
	switch {
	case w.entry:
		return w.entered[a] == w.entered[b]
	case ran[a] != ran[b]:
		return false
	case ran[a]:
		return w.since[a] == w.since[b]
	}
	return w.entered[a] == w.entered[b]
}

// TestTiresiasTiesAreSo: what decides between two jobs of one queue is what it is said to be, with faults, ties,
// promotion, and newcomers that join while others are stopped.
func TestTiresiasTiesAreSo(t *testing.T) {
	said := map[string]int{}
	for _, order := range []string{"running-first", "entry"} {
		for seed := range uint64(60) {
			p := onOneNode(seed)
			if seed%2 > 0 {
				for i := range p.Jobs { // many come together
					p.Jobs[i].Arrive -= p.Jobs[i].Arrive % (1800 * unit.Second)
				}
			}
			if seed%3 > 0 {
				p.Changes = []model.CapacityChange{{At: 1500 * unit.Second, Slot: 0, Cap: 2},
					{At: 4000 * unit.Second, Slot: 0, Cap: 6}}
			}
			w := &tiesOfTiresias{entry: order == "entry", promoted: map[model.JobID]bool{},
				since:   map[model.JobID]unit.Tick{},
				entered: map[model.JobID]unit.Tick{}, queue: map[model.JobID]any{}, said: said}
			spec, _ := policy.Find("tiresias")
			values, _ := spec.Check(map[string]any{"limit_gpu_s": 3000.0, "limit2_gpu_s": 9000.0, "order": order,
				"promote": float64(seed % 2)})
			var err error
			if w.Policy, err = spec.New(p.Public(), values); err != nil {
				t.Fatal(err)
			}
			r := simtest.StartWith(t, p, w, spec.Cadence(p.Public(), values), sim.Options{MaxEvents: 1e6})
			for n := 0; ; n++ {
				r.Explain(n)
				for r.Rounds() <= n && r.Step() {
				}
				if r.Rounds() <= n {
					break
				}
			}
			if w.fault != "" {
				t.Fatalf("%s, seed %d: %s", order, seed, w.fault)
			}
		}
	}
	if len(said) != 6 {
		t.Errorf("only these are said: %v", said)
	}
}
