package elastic_test

import (
	"cmp"
	"slices"
	"strings"
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
	s := p.Jobs[j].Shape
	for n := s.Min; n <= s.Max; n += max(s.Step, 1) {
		if rateOf(p, now, j, t, n) > 0 {
			out = append(out, n)
		}
	}
	return out
}

// rateOf is a job's speed on so many GPUs of a type as close together as can be; 0 where fewer are in service.
func rateOf(p *model.Problem, now unit.Tick, j model.JobID, t model.TypeID, n int32) unit.Rate {
	node, all := int32(0), int32(0)
	racks := map[int32]int32{}
	for s, n := range simtest.InService(p, now) {
		if slot := p.Cluster.Slots[s]; slot.Type == t {
			node, all = max(node, n), all+n
			racks[p.Cluster.Nodes[slot.Node].Rack] += n
		}
	}
	rack := int32(0)
	for _, n := range racks {
		rack = max(rack, n)
	}
	switch {
	case n > all:
		return 0
	case n <= node:
		return p.Tables[j].Rate(t, n, model.OneNode)
	case n <= rack:
		return p.Tables[j].Rate(t, n, model.OneRack)
	}
	return p.Tables[j].Rate(t, n, model.Network)
}

// TestElasticSaysWhoWaitsForWhat: who is said to come first waits, or has got GPUs at last, and could use GPUs that the
// other could; what is said to be left, in service or free is; and nobody is said to have no speedup.
func TestElasticSaysWhoWaitsForWhat(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1500) {
		p, had := shrinking(seed, "waits"), map[model.JobID]bool{}
		every := map[string]any{"every_s": 60.0}
		simtest.EachDecision(t, p, "elastic-dp", every, 20, func(round int, r *sim.Run, d *sim.Detail) {
			usable, free := simtest.IdleGPUs(p, r.Now(), d)
			could := func(j model.JobID, t int) bool { // in service, by some size or with all that it asks for
				return usable[t] > 0 && (len(ways(p, r.Now(), j, model.TypeID(t))) > 0 ||
					p.Tables[j].Rate(model.TypeID(t), p.Jobs[j].Shape.Size, model.Network) > 0)
			}
			for _, c := range d.Choices {
				for _, part := range []string{"comes first and waits for", "comes first and could",
					"left for it lie too far apart", "too far apart for more than", "its speedup is",
					"none that it can use is", "it has no speed, so", "the least that those let in there need",
					"and nobody is let in"} {
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
					case "the least that those let in there need":
						typ, left := says.Args()[2].(model.TypeID), usable[says.Args()[2].(model.TypeID)]
						for _, o := range d.Choices {
							left -= needs(p, r.Now(), o, typ, had[o.Job])
						}
						lost := slices.ContainsFunc(d.Choices, func(o *sim.Choice) bool { // let in, and without a place
							return !simtest.Saying(o.Says, "left for it lie too far apart").IsZero()
						})
						so = ways(p, r.Now(), c.Job, typ)[0] == says.Args()[0] &&
							(lost || max(left, 0) == says.Args()[1])
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

// TestOptimusSaysWhatStandsInTheWay: what is said to be too few, to have no speed or to save something is and does, by
// the speeds and steps that are believed.
func TestOptimusSaysWhatStandsInTheWay(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(1500) {
		p, before, was := shrinking(seed, "in the way"), map[model.JobID][][]model.Shard{}, []int32(nil)
		simtest.EachDecision(t, p, "optimus", map[string]any{"every_s": 60.0, "threshold": float64(seed % 4)}, 20,
			func(round int, r *sim.Run, d *sim.Detail) {
				usable, free := simtest.IdleGPUs(p, r.Now(), d)
				for _, c := range d.Choices {
					for _, part := range []string{"leaves too few", "it has no speed on more", "less than {2} times",
						"does not run on the GPUs that are left", "with fewer GPUs it would", "the one given last saves",
						"when they lie close together"} {
						says, so := simtest.Saying(c.Says, part), true
						if says.IsZero() {
							continue
						}
						seen[part]++
						shape := p.Jobs[c.Job].Shape
						switch part {
						case "leaves too few":
							if was != nil && !slices.Equal(was, simtest.InService(p, r.Now())) {
								continue // some have lost what they had before
							}
							room, all := leasts(p, r.Now(), c.Job, d.Choices, before), int32(0)
							kinds := 0
							for typ, n := range room {
								if w := ways(p, r.Now(), c.Job, model.TypeID(typ)); len(w) > 0 {
									kinds++
									so = so && n < w[0] && names(says, w[0], model.TypeID(typ))
								} else if speeds(p, c.Job, typ, shape.Min) {
									all += n
								}
							}
							so = so && (kinds > 0 || all < shape.Min) &&
								strings.HasSuffix(says.Pattern(), "of each") == (kinds > 1)
						case "it has no speed on more":
							for typ := range usable {
								if int(p.Cluster.Slots[c.Gangs[0][0].Slot].Type) == typ {
									w := ways(p, r.Now(), c.Job, model.TypeID(typ))
									so = (len(w) == 0 || w[len(w)-1] <= simtest.HeldAfter(c))
								}
							}
						case "less than {2} times":
							so = says.Args()[1].(sim.Seconds) > 0
						case "when they lie close together":
							typ := p.Cluster.Slots[c.Gangs[0][0].Slot].Type
							so = rateOf(p, r.Now(), c.Job, typ, simtest.HeldAfter(c)) == 0
						case "does not run on the GPUs that are left":
							one, all := false, int32(0)
							for typ := range usable {
								w := ways(p, r.Now(), c.Job, model.TypeID(typ))
								if one = one || len(w) > 0 && free[typ] >= w[0]; speeds(p, c.Job, typ, shape.Min) {
									all += free[typ]
								}
							}
							so = one || all >= shape.Min
						}
						if !so {
							t.Errorf("seed %d, round %d, j%d: %q of %v; %v are in service, %v free", seed, round, c.Job+1,
								says.Pattern(), says.Args(), usable, free)
						}
					}
				}
				was = simtest.InService(p, r.Now())
				for _, c := range d.Choices {
					before[c.Job] = c.Gangs
				}
			})
	}
	if t.Log(seen); len(seen) < 6 {
		t.Error(seen)
	}
}

// names says whether a text speaks of so many GPUs of a type.
func names(says words.Text, n int32, t model.TypeID) bool {
	return slices.ContainsFunc(simtest.Texts(says), func(x words.Text) bool {
		return x.Pattern() == "{0} {1}" && x.Args()[0] == any(n) && x.Args()[1] == any(t)
	})
}

// speeds says whether a job runs on so many GPUs of a type, on one node or anywhere.
func speeds(p *model.Problem, j model.JobID, typ int, n int32) bool {
	tab, id := p.Tables[j], model.TypeID(typ)
	return tab.Rate(id, n, model.OneNode) > 0 || tab.Rate(id, n, model.Network) > 0
}

// leasts is what those who came before a job leave of each type with what they need at least: of the type that they are
// on, else of the one on which they are fastest.
func leasts(p *model.Problem, now unit.Tick, of model.JobID, all []*sim.Choice,
	had map[model.JobID][][]model.Shard) []int32 {
	room := make([]int32, len(p.Cluster.Types))
	for s, n := range simtest.InService(p, now) {
		room[p.Cluster.Slots[s].Type] += n
	}
	for _, c := range all {
		j, gangs := c.Job, had[c.Job]
		if j >= of {
			continue
		}
		on, best, rate, any := model.TypeID(model.None), model.TypeID(model.None), unit.Rate(0), false
		for _, g := range gangs {
			for k, sh := range g {
				if typ := p.Cluster.Slots[sh.Slot].Type; k == 0 || typ == on {
					on = typ
				} else {
					on = model.None
					break
				}
			}
		}
		for typ := range room {
			id := model.TypeID(typ)
			w := ways(p, now, j, id)
			if any = any || len(w) > 0; len(w) == 0 || w[0] > room[typ] {
				continue
			}
			if r := rateOf(p, now, j, id, w[0]); id == on || best < 0 || best != on && r > rate {
				best, rate = id, r
			}
		}
		if best >= 0 {
			room[best] -= ways(p, now, j, best)[0]
		} else if !any {
			need, mixed := p.Jobs[j].Shape.Min, int32(0)
			for typ := range room {
				if speeds(p, j, typ, need) {
					mixed += room[typ]
				}
			}
			for _, id := range p.Cluster.BySpeed {
				if mixed >= p.Jobs[j].Shape.Min && speeds(p, j, int(id), p.Jobs[j].Shape.Min) {
					k := min(need, room[id])
					need, room[id] = need-k, room[id]-k
				}
			}
		}
	}
	return room
}

// TestOptimusSaysWhoMakesUse: a job that keeps GPUs which nobody is said to make use of is not beside one that a GPU
// more would save time. Where they were meant for jobs that do not grow after all, others might make use of them.
func TestOptimusSaysWhoMakesUse(t *testing.T) {
	nobody, left := 0, 0
	for _, seed := range []uint64{47, 886, 2697, 2744, 3387, 3826, 4184, 4609} { // few of thousands keep any
		given := map[string]any{"every_s": 60.0, "threshold": float64(1 + seed%4)}
		p := shrinking(seed, "nobody")
		simtest.EachDecision(t, p, "optimus", given, 20, func(round int, r *sim.Run, d *sim.Detail) {
			on := func(c *sim.Choice) model.TypeID { return p.Cluster.Slots[c.Gangs[0][0].Slot].Type }
			for _, c := range d.Choices {
				if !simtest.Saying(c.Says, "with fewer GPUs it would").IsZero() {
					left++
				}
				if simtest.Saying(c.Says, "nobody makes use").IsZero() || len(c.Gangs) == 0 {
					continue
				}
				left--
				nobody++
				for _, o := range d.Choices {
					gains := !simtest.Saying(o.Says, "a GPU more would save it").IsZero()
					if gains && len(o.Gangs) > 0 && on(o) == on(c) {
						t.Errorf("seed %d, round %d: nobody makes use of GPUs of j%d, and j%d is told %q", seed, round,
							c.Job+1, o.Job+1, o.Says.Pattern())
					}
				}
			}
		})
	}
	if nobody == 0 || left == 0 {
		t.Errorf("%d keep what nobody makes use of, %d what was meant for others", nobody, left)
	}
}
