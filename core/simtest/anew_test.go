package simtest

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// anew is a policy that forgets before each decision all that it keeps only to be fast: it decides by a clone, which
// has its state and makes the rest anew.
type anew struct{ sim.Policy }

// Decide lets a clone of the policy decide, which is the policy from then on.
func (a *anew) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	a.Policy = a.Policy.Clone()
	a.Policy.Decide(v, p, w)
}

// crowded draws a load in which jobs arrive by the dozen, more than the cluster can serve for a while, with faults,
// stalls and checkpoints.
func crowded(seed uint64) *model.Problem {
	p := Load(seed, 150, 24, 1)
	rng := unit.Stream(seed, "crowded")
	costs := model.Costs{Load: unit.Seconds(20), Save: unit.Seconds(10), CheckpointEvery: unit.Seconds(600)}
	for i := range p.Jobs {
		p.Jobs[i].Arrive = unit.Seconds(float64(i / 30 * 20000))
		p.Jobs[i].Work /= 10
		p.Costs[i] = costs
		if i > 0 && rng.IntN(3) == 0 { // equal lengths, too
			k := &p.Jobs[i-1]
			p.Jobs[i].Work, p.Jobs[i].Phases, p.Jobs[i].Shape = k.Work, k.Phases, k.Shape
		}
	}
	for at := 1000.0; at < 60000; at += float64(3000 * (1 + rng.IntN(3))) {
		s := rng.IntN(len(p.Cluster.Slots))
		p.Changes = append(p.Changes, model.CapacityChange{At: unit.Seconds(at), Slot: model.SlotID(s),
			Cap: int32(rng.IntN(5))},
			model.CapacityChange{At: unit.Seconds(at + 900), Slot: model.SlotID(s), Cap: 4})
	}
	return p
}

// calm draws a load in which nearly all jobs run, so that policies look at few of them, but for some that have to wait,
// some that lose their GPUs to others or to faults, and some that become faster or slower.
func calm(seed uint64) *model.Problem {
	p := Load(seed, 400, 96, 2.5)
	rng := unit.Stream(seed, "calm")
	for i := range p.Jobs {
		p.Costs[i] = model.Costs{Load: unit.Seconds(20), CheckpointEvery: unit.Seconds(3600)}
		if j, k := &p.Jobs[i], &p.Jobs[i/2]; i > 0 && j.Shape == k.Shape {
			j.Phases = append(j.Phases, model.Phase{From: j.Work / 2, Tables: k.Phases[0].Tables})
		}
	}
	for at := 20000.0; at < 600000; at += float64(10000 * (1 + rng.IntN(3))) {
		s := model.SlotID(rng.IntN(len(p.Cluster.Slots)))
		p.Changes = append(p.Changes, model.CapacityChange{At: unit.Seconds(at), Slot: s},
			model.CapacityChange{At: unit.Seconds(at + 5000), Slot: s, Cap: 4})
	}
	return p
}

// TestWhatIsKeptChangesNothing: orders and wishes that policies and the kernel keep from decision to decision, and mend
// where something has changed, give the run that they give when they are made anew each time.
func TestWhatIsKeptChangesNothing(t *testing.T) {
	for _, c := range []struct {
		id     string
		params map[string]any
	}{
		{"fifo", nil}, {"fifo", map[string]any{"skip": true}}, {"sjf", nil}, {"sjf", map[string]any{"skip": false}},
		{"yarn-cs", nil}, {"yarn-cs", map[string]any{"backfill": true, "relax_s": 600.0}},
		{"srtf", nil}, {"las", nil}, {"gittins", nil}, {"srtf", map[string]any{"migrate": false}},
		{"tiresias", nil}, {"tiresias", map[string]any{"promote": 2.0, "limit2_gpu_s": 90000.0}},
		{"tiresias", map[string]any{"order": "entry", "place": "most-free", "limit_gpu_s": 3000.0}},
		{"tiresias", map[string]any{"every_s": 60.0, "migrate": false}},
		{"gavel-fifo", nil}, {"gavel-las", nil}, {"gavel-makespan", nil}, {"gandiva", nil},
	} {
		for n := range uint64(8) {
			seed := n / 2
			p := crowded(seed)
			if n%2 == 1 {
				p = calm(seed)
			}
			spec, _ := policy.Find(c.id)
			v, _ := spec.Check(c.params)
			pol, err := spec.New(p.Public(), v)
			if err != nil {
				t.Fatal(err)
			}
			want := Finish(t, p, StartWith(t, p, &anew{pol}, spec.Cadence(p.Public(), v), sim.Options{}))
			if got := Run(t, p, c.id, c.params); got.Hash() != want.Hash() {
				t.Errorf("%s %v, case %d: %d decisions, %d when all is made anew", c.id, c.params, n, len(got.Rounds),
					len(want.Rounds))
			}
		}
	}
}

// TestJobsThatAreAlike: a queue that does not try a job again after one that is like it gives the run that it gives
// when each job has a table of its own, with the same numbers, and none is like another.
func TestJobsThatAreAlike(t *testing.T) {
	for _, id := range []string{"srtf", "las", "gittins", "tiresias"} {
		for seed := range uint64(6) {
			p := crowded(seed)
			q := *p
			q.Jobs, q.Tables = slices.Clone(p.Jobs), slices.Clone(p.Tables)
			for i := range q.Jobs {
				q.Jobs[i].Phases = slices.Clone(p.Jobs[i].Phases)
				for k, phase := range p.Jobs[i].Phases {
					tables := slices.Clone(phase.Tables)
					for n, of := range tables {
						tables[n] = int32(len(q.Tables))
						q.Tables = append(q.Tables, p.Tables[of])
					}
					q.Jobs[i].Phases[k].Tables = tables
				}
			}
			if got, want := Run(t, p, id, nil), Run(t, &q, id, nil); got.Hash() != want.Hash() {
				t.Errorf("%s, seed %d: %d decisions, %d when no job is like another", id, seed, len(got.Rounds),
					len(want.Rounds))
			}
		}
	}
}
