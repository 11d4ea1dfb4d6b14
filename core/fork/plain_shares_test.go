package fork

import (
	"fmt"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// TestSharesAreThoseOfThePlainMethod plays rounds of random problems and compares all that is decided and told, to the
// bit, with the plain form, which looks at every job with every slot and every other job.
func TestSharesAreThoseOfThePlainMethod(t *testing.T) {
	exchanged, moved, gifts, usual := 0, 0, 0, blockJobs
	defer func() { blockJobs = usual }()
	for seed := range uint64(500) {
		rng := unit.Stream(seed, "shares")
		types := 1 + rng.IntN(3)
		blockJobs = []int{3, 10, usual}[rng.IntN(3)]
		c := &model.Cluster{Types: make([]model.GPUType, types)}
		p := &Problem{Round: 360 * unit.Second, Cluster: c}
		most, mixed := 1+rng.IntN(8), rng.IntN(3) == 0
		for n := range 1 + rng.IntN(30) {
			c.Nodes = append(c.Nodes, model.Node{})
			for more := true; more; more = mixed && rng.IntN(2) == 0 {
				g := int32(most)
				if rng.IntN(4) == 0 {
					g = int32(1 + rng.IntN(most))
				}
				typ := model.TypeID(rng.IntN(types))
				c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(n), Type: typ, Cap: g})
			}
		}
		if rng.IntN(4) == 0 {
			rng.Shuffle(len(c.Slots), func(i, j int) { c.Slots[i], c.Slots[j] = c.Slots[j], c.Slots[i] })
		}
		for s := range c.Slots {
			p.Usable = append(p.Usable, c.Slots[s].Cap)
		}
		even := rng.IntN(2) == 0 // speeds and lengths that make ties
		var tables []*model.Throughput
		for range 1 + rng.IntN(5) {
			x := model.NewThroughput("toy", types, int32(most))
			profiled := rng.IntN(4) == 0
			for typ := range types {
				of := 0.1 + 9*rng.Float64()
				if even {
					of = float64(1 + rng.IntN(3))
				}
				for g := range int32(most) {
					r := unit.Rate(float64(g+1) * of)
					if rng.IntN(8) > 0 {
						x.Set(model.TypeID(typ), g+1, r, r, r)
						at := model.Point{Batch: 8, Iter: 8 / float64(r), Phi: 8}
						x.SetPoints(model.TypeID(typ), g+1, at, model.Point{})
					}
				}
			}
			if profiled {
				x.SetTraining(model.Training{Noise: model.Alike(8), Init: 8, Max: int32(8 + rng.IntN(60))})
			}
			tables = append(tables, &x)
		}
		free := rng.IntN(2) == 0 // moving costs as much as staying
		set := Settings{Effective: rng.IntN(4) == 0}
		if rng.IntN(4) == 0 {
			set.Eta, set.Horizon = 5, 86400*unit.Second
		}
		var pl, plain Planner
		crowd := 1 + rng.IntN(25)
		for round := range 10 {
			for range rng.IntN(crowd) {
				j := Job{ID: model.JobID(len(p.Jobs)), Arrive: p.Now, GPUs: int32(1 + rng.IntN(most)),
					Total: unit.Work(100 + 50000*rng.Float64()), Speed: tables[rng.IntN(len(tables))],
					Keep: unit.Tick(rng.IntN(40)) * unit.Second}
				if even {
					j.Total, j.GPUs = unit.Work(1000*(1+rng.IntN(3))), int32(1)<<rng.IntN(4)
				}
				if j.Move = j.Keep; !free {
					j.Move += unit.Tick(rng.IntN(90)) * unit.Second
				}
				j.Remaining = j.Total
				p.Jobs = append(p.Jobs, j)
			}
			if rng.IntN(3) == 0 {
				s := rng.IntN(len(p.Usable))
				p.Usable[s] = int32(rng.IntN(int(c.Slots[s].Cap) + 1))
			}
			plainly := set
			plainly.Plain = true
			got, want := pl.Plan(p, set), plain.Plan(p, plainly)
			gifts += len(got.Gifts)
			pl.Weigh()
			plain.Weigh()
			if a, b := fmt.Sprintf("%+v", got), fmt.Sprintf("%+v", want); a != b {
				t.Fatalf("seed %d, round %d:\n%s\nplain:\n%s", seed, round, a, b)
			}
			for j := range p.Jobs {
				if a, b := pl.Offers(j), plain.Offers(j); !slices.Equal(a, b) {
					t.Fatalf("seed %d, round %d: %+v are offered, %+v plainly", seed, round, a, b)
				}
			}
			var left []Job
			for j, job := range p.Jobs {
				job.Held = nil
				for _, k := range got.Copies[j] {
					job.Held = append(job.Held, k.Node)
					job.Remaining -= k.Steps
				}
				if rng.IntN(6) == 0 { // as after choices that were forced
					job.Held = append(job.Held, model.NodeID(rng.IntN(len(c.Nodes))))
					slices.Sort(job.Held)
				}
				if job.Remaining > 0 {
					left = append(left, job)
				}
			}
			p.Jobs, p.Now = left, p.Now+p.Round
		}
		exchanged, moved = exchanged+plain.shares.exchanged, moved+plain.shares.moved
	}
	t.Logf("%d exchanges, %d moves, %d gifts", exchanged, moved, gifts)
	if exchanged < 1000 || moved < 1000 || gifts < 1000 {
		t.Error("too few to tell anything")
	}
}
