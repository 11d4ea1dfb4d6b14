package elastic_test

import (
	"cmp"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// shrinking is a random elastic problem, some of whose GPUs fail for a while and come back.
func shrinking(seed uint64, name string) *model.Problem {
	p, rng := simtest.RandomElastic(seed, name), unit.Stream(seed, name+" faults")
	for range 2 {
		at, from := model.SlotID(rng.IntN(len(p.Cluster.Slots))), unit.Tick(1+rng.IntN(8))*p.Round
		full := p.Cluster.Slots[at].Cap
		p.Changes = append(p.Changes, model.CapacityChange{At: from, Slot: at, Cap: rng.Int32N(full)},
			model.CapacityChange{At: from + 6*p.Round, Slot: at, Cap: full})
	}
	slices.SortStableFunc(p.Changes, func(a, b model.CapacityChange) int { return cmp.Compare(a.At, b.At) })
	if seed%3 == 0 {
		for i := range p.Tables { // some gangs have a speed over nodes only
			for typ := range p.Cluster.Types {
				for n := int32(2); n <= p.Tables[i].MaxSize(); n++ {
					if r := p.Tables[i].Rate(model.TypeID(typ), n, model.OneNode); rng.IntN(4) == 0 {
						p.Tables[i].Set(model.TypeID(typ), n, 0, r, r)
					}
				}
			}
		}
	}
	return p
}

// ways are the sizes of a job with a speed on a type, where its GPUs lie as close together as can be, least first.
func ways(p *model.Problem, now unit.Tick, j model.JobID, t model.TypeID) (out []int32) {
	node, all := int32(0), int32(0)
	racks := map[int32]int32{}
	for s, n := range simtest.InService(p, now) {
		if slot := p.Cluster.Slots[s]; slot.Type == t {
			node, all = max(node, n), all+n
			racks[p.Cluster.Nodes[slot.Node].Rack] += n
		}
	}
	rack, s := int32(0), p.Jobs[j].Shape
	for _, n := range racks {
		rack = max(rack, n)
	}
	for n := s.Min; n <= min(s.Max, all); n += max(s.Step, 1) {
		tier := model.Network
		if n <= node {
			tier = model.OneNode
		} else if n <= rack {
			tier = model.OneRack
		}
		if p.Tables[j].Rate(t, n, tier) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// TestElasticSaysWhoWaitsForWhat: who is said to come first waits, or has got GPUs at last, and could use GPUs that the
// other could; what is said to be left, in service or free is; and nobody is said to have no speedup.
func TestElasticSaysWhoWaitsForWhat(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1500) {
		p, had := shrinking(seed, "waits"), map[model.JobID]bool{}
		simtest.EachDecision(t, p, "elastic-dp", map[string]any{"every_s": 60.0}, 20, func(round int, r *sim.Run, d *sim.Detail) {
			usable, free := simtest.IdleGPUs(p, r.Now(), d)
			could := func(j model.JobID, t int) bool { // in service, by some size or with all that it asks for
				return usable[t] > 0 && (len(ways(p, r.Now(), j, model.TypeID(t))) > 0 ||
					p.Tables[j].Rate(model.TypeID(t), p.Jobs[j].Shape.Size, model.Network) > 0)
			}
			for _, c := range d.Choices {
				for _, part := range []string{"comes first and waits for", "comes first and could", "left for it lie too far apart",
					"too far apart for more than", "its speedup is", "none that it can use is", "it has no speed, so",
					"beside what those let in there need", "and nobody is let in"} {
					says, so := simtest.Saying(c.Says, part), false
					if says.IsZero() {
						continue
					}
					seen[part]++
					switch part {
					case "comes first and waits for", "comes first and could":
						first := says.Args()[0].(model.JobID)
						for typ := range usable {
							so = so || could(c.Job, typ) && could(first, typ)
						}
						so = so && first < c.Job && (len(d.Of(first).Gangs) > 0) == (part == "comes first and could")
					case "left for it lie too far apart":
						for typ := range usable {
							least := ways(p, r.Now(), c.Job, model.TypeID(typ))
							so = so || len(least) > 0 && free[typ] >= least[0]
						}
					case "too far apart for more than":
						best := says.Args()[0].(words.Text).Args()[0].(int)
						so = int(free[p.Cluster.Slots[c.Gangs[0][0].Slot].Type]+simtest.HeldAfter(c)) >= best
					case "its speedup is":
						so = says.Args()[1].(float64) > 0
					case "none that it can use is":
						so = true
						for typ := range usable {
							so = so && !could(c.Job, typ)
						}
					case "it has no speed, so":
						so = len(ways(p, r.Now(), c.Job, p.Cluster.Slots[c.Gangs[0][0].Slot].Type)) == 0
					case "beside what those let in there need":
						typ, left := says.Args()[2].(model.TypeID), usable[says.Args()[2].(model.TypeID)]
						for _, o := range d.Choices {
							left -= needs(p, r.Now(), o, typ, had[o.Job])
						}
						lost := slices.ContainsFunc(d.Choices, func(o *sim.Choice) bool { // let in, and without a place
							return !simtest.Saying(o.Says, "left for it lie too far apart").IsZero()
						})
						so = ways(p, r.Now(), c.Job, typ)[0] == says.Args()[0] && (lost || max(left, 0) == says.Args()[1])
					case "and nobody is let in":
						so = true
						for _, o := range d.Choices {
							if o.Job > c.Job && len(o.Gangs) > 0 && !had[o.Job] {
								typ := p.Cluster.Slots[o.Gangs[0][0].Slot].Type
								so = so && !(could(c.Job, int(typ)) && len(ways(p, r.Now(), o.Job, typ)) > 0)
							}
						}
					}
					if !so {
						t.Errorf("seed %d, round %d, j%d: %q of %v; %v are in service, %v free", seed, round, c.Job+1,
							says.Pattern(), says.Args(), usable, free)
					}
				}
			}
			for _, c := range d.Choices {
				had[c.Job] = len(c.Gangs) > 0
			}
		})
	}
	if t.Log(seen); len(seen) < 9 {
		t.Error(seen)
	}
}

// needs is how many GPUs of a type a job that was let in needs there at least, or what it had and keeps where it has
// several types or no speed in any size.
func needs(p *model.Problem, now unit.Tick, c *sim.Choice, t model.TypeID, had bool) (n int32) {
	one := true
	for _, g := range c.Gangs {
		for _, sh := range g {
			if p.Cluster.Slots[sh.Slot].Type == t {
				n += sh.N
			} else {
				one = false
			}
		}
	}
	if least := ways(p, now, c.Job, t); n > 0 && one && len(least) > 0 {
		return least[0]
	} else if !had { // it got them after all were let in
		return 0
	}
	return n
}
