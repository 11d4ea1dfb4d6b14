package policy_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Laws of what the policies that share time say, and of what is said of room.

// capacities are the GPUs in service, by slot.
func capacities(p *model.Problem, now unit.Tick) (out []int32) {
	for s := range p.Cluster.Slots {
		out = append(out, p.Cluster.Slots[s].Cap)
	}
	for _, c := range p.Changes {
		if c.At <= now {
			out[c.Slot] = c.Cap
		}
	}
	return out
}

// idle is what is in service of each type and nobody holds; two that share GPUs hold them once.
func idle(p *model.Problem, now unit.Tick, d *sim.Detail) (usable, free []int32) {
	usable, free = make([]int32, len(p.Cluster.Types)), make([]int32, len(p.Cluster.Types))
	for s, n := range capacities(p, now) {
		usable[p.Cluster.Slots[s].Type] += n
		free[p.Cluster.Slots[s].Type] += n
	}
	for _, c := range d.Choices {
		for _, g := range c.Gangs {
			for _, sh := range g {
				if c.Other < 0 || c.Other > c.Job {
					free[p.Cluster.Slots[sh.Slot].Type] -= sh.N
				}
			}
		}
	}
	return usable, free
}

// shareTables are the tables of a job's shares, its own and those of a pair.
func shareTables(c *sim.Choice) (out []*sim.Table) {
	for _, s := range c.Sections {
		if s.Table != nil && saying(s.Table.Title, "Shares of time of") != nil {
			out = append(out, s.Table)
		}
	}
	return out
}

// TestSharesSaySo: what is said of a job that shares time is what its tables say, of itself or of the two of a pair,
// and of who came, what is idle and what is out of service it says what is so.
func TestSharesSaySo(t *testing.T) {
	seen := map[string]int{}
	for _, id := range []string{"gavel-maxsum", "gavel-las", "gavel-packed", "gavel-fifo", "allox", "gandiva",
		"gavel-isolated"} {
		for seed := range uint64(150) {
			rng := unit.Stream(seed, "shares say")
			p := simtest.Random(rng)
			if seed%2 > 0 {
				pair(p, func(int, int) float64 { return float64(rng.IntN(11)) / 10 })
			}
			if id == "allox" || seed%4 == 1 {
				for i := range p.Jobs {
					p.Jobs[i].Shape.Size, p.Jobs[i].Shape.Min, p.Jobs[i].Shape.Max = 1, 1, 1
				}
			}
			if at := model.SlotID(rng.IntN(len(p.Cluster.Slots))); seed%3 > 0 {
				from := unit.Tick(rng.IntN(8)) * p.Round
				p.Changes = []model.CapacityChange{{At: from, Slot: at},
					{At: from + 10*p.Round, Slot: at, Cap: p.Cluster.Slots[at].Cap}}
			}
			explain(t, p, id, nil, 25, func(round int, r *sim.Run, d *sim.Detail) {
				fail := func(c *sim.Choice, why string, args ...any) {
					t.Errorf("%s, seed %d, round %d, j%d: %q of %v: "+why,
						append([]any{id, seed, round, c.Job + 1, c.Says.Pattern, c.Says.Args}, args...)...)
				}
				usable, free := idle(p, r.Now(), d)
				for _, row := range d.Sections[len(d.Sections)-1].Table.Rows {
					if typ, ok := row.Cells[1].(model.TypeID); ok && len(row.Cells) == 3 {
						j := row.Cells[0].(model.JobID)
						if p.Tables[j].Rate(typ, p.Jobs[j].Shape.Size, model.OneNode) <= 0 && id != "allox" {
							t.Errorf("%s, seed %d, round %d: j%d is listed under %v, where it has no speed",
								id, seed, round, j+1, typ)
						}
					}
				}
				held := map[model.SlotID]int32{}
				for i := range d.Choices {
					c := d.Choices[i]
					for _, g := range c.Gangs {
						for _, sh := range g {
							if held[sh.Slot] += sh.N; c.Other >= 0 && c.Other < c.Job {
								held[sh.Slot] -= sh.N
							}
							if held[sh.Slot] > p.Cluster.Slots[sh.Slot].Cap {
								fail(c, "it shares GPUs and names nobody")
							}
						}
					}
					if c.Says == nil {
						continue
					}
					due, targets := false, 0.0
					for _, tab := range shareTables(c) {
						for _, row := range tab.Rows {
							targets += row.Cells[1].(float64)
							if says := saying(c.Says, "priority there {3}"); says != nil && row.Chosen {
								share := float64(says.Args[0].(sim.Share))
								due = row.Cells[0] == says.Args[1] && row.Cells[1] == share &&
									row.Cells[2] == float64(says.Args[2].(sim.Share))
								if both := strings.HasPrefix(says.Pattern, "the two"); both != (c.Other >= 0) ||
									both != (saying(tab.Title, "together") != nil) {
									fail(c, "and it runs with j%d", c.Other+1)
								}
							}
							if c.Other >= 0 && row.Chosen {
								if rate := unit.Rate(row.Cells[4].(float64)); math.Abs(float64(rate-c.Rate)) > 1e-9 {
									fail(c, "its table has %v, and it runs at %v", rate, c.Rate)
								}
								seen["pairs"]++
							}
						}
					}
					for _, words := range []string{"priority there {3}", "it is new", "due no time for now",
						"due time leave", "could not run when", "out of service", "not in the shares yet",
						"no type that it could", "beside", "that are due time leave", "due time beside",
						"the first that did not"} {
						says := saying(c.Says, words)
						if says == nil {
							continue
						}
						seen[id+": "+words]++
						seen[words]++
						tab := p.Tables[c.Job]
						size := p.Jobs[c.Job].Shape.Size
						leaves := false // idle GPUs of a type that it could use
						for typ := range free {
							rate := tab.Rate(model.TypeID(typ), size, model.OneNode)
							leaves = leaves || rate > 0 && free[typ] >= size
						}
						switch {
						case words == "priority there {3}" && !due:
							fail(c, "its tables say another")
						case words == "it is new" && r.Now()-p.Jobs[c.Job].Arrive >= 1920*unit.Second:
							fail(c, "it came at %v and now is %v", p.Jobs[c.Job].Arrive, r.Now())
						case words == "due no time for now" && targets > 0:
							fail(c, "its targets add up to %v", targets)
						case strings.HasSuffix(words, "due time leave") && leaves:
							fail(c, "%v are idle", free)
						case words == "not in the shares yet" && !leaves:
							fail(c, "nothing is idle")
						case words == "out of service":
							due := says.Args[0].(*sim.Text)
							if typ := due.Args[1].(model.TypeID); usable[typ] > 0 {
								fail(c, "%d are in service", usable[typ])
							}
						case words == "the first that did not" && says.Args[1].(int32) >= size:
							fail(c, "it fits")
						}
					}
					for _, s := range c.Sections {
						for _, k := range s.Terms {
							if k.Name == "place in the queue" && k.Value < 1 {
								fail(c, "its place is %v", k.Value)
							}
						}
					}
				}
			})
		}
	}
	t.Log(seen)
	for _, words := range []string{"pairs", "priority there {3}", "it is new", "due no time for now", "due time leave",
		"could not run when", "out of service", "not in the shares yet", "no type that it could", "beside",
		"that are due time leave", "the first that did not"} {
		if seen[words] == 0 {
			t.Errorf("nobody is told %q", words)
		}
	}
}

// TestDeadlinesOfThoseThatHaveOne: a figure of a deadline stands only beside a job that has one.
func TestDeadlinesOfThoseThatHaveOne(t *testing.T) {
	with := 0
	for seed := range uint64(60) {
		p := simtest.Random(unit.Stream(seed, "deadlines"))
		for i := range p.Cluster.Types {
			p.Cluster.Types[i].USDPerHour = float64(i + 1)
		}
		for i := range p.Jobs {
			if i%2 == 0 {
				p.Jobs[i].SLO = unit.Tick(i+1) * 500 * unit.Second
			}
		}
		explain(t, p, "gavel-mincost-slo", nil, 12, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				for _, s := range c.Sections {
					for _, k := range s.Terms {
						if !strings.Contains(k.Name, "its deadline") {
							continue
						}
						if with++; c.Job%2 > 0 {
							t.Errorf("seed %d, round %d: j%d has no deadline and %q of %v",
								seed, round, c.Job+1, k.Name, k.Value)
						}
					}
				}
			}
		})
	}
	if with == 0 {
		t.Error("no deadline is told")
	}
}

// TestRoomSaysWhatTheGPUsAre: a job is said to be unable to use free GPUs together only where it is, and not where the
// policy does not mix their types; and a room that is said to lack lacks on what the job can use.
func TestRoomSaysWhatTheGPUsAre(t *testing.T) {
	seen := map[string]int{}
	for _, id := range []string{"srtf", "fifo", "las", "tiresias", "themis", "a-srpt", "dally-nowait", "hadare",
		"elastic-dp"} {
		for seed := range uint64(150) {
			p := simtest.Random(unit.Stream(seed, "room"))
			if id == "elastic-dp" {
				p = elasticRandom(seed, "room")
			}
			if at := model.SlotID(seed % uint64(len(p.Cluster.Slots))); seed%3 == 0 {
				p.Changes = []model.CapacityChange{{At: p.Round, Slot: at}, {At: 9 * p.Round, Slot: at,
					Cap: p.Cluster.Slots[at].Cap}}
			}
			explain(t, p, id, nil, 12, func(round int, r *sim.Run, d *sim.Detail) {
				usable, free := idle(p, r.Now(), d)
				for _, c := range d.Choices {
					tab, size := p.Tables[c.Job], p.Jobs[c.Job].Shape.Size
					all, most, holds, can := int32(0), int32(0), false, false
					for typ, n := range free {
						id := model.TypeID(typ)
						if tab.Rate(id, size, model.OneNode) > 0 || tab.Rate(id, size, model.Network) > 0 {
							all, most = all+n, max(most, n)
							holds, can = holds || usable[typ] >= size, can || usable[typ] > 0
						}
					}
					for _, words := range []string{"cannot use these together", "types are mixed only",
						"has room left for",
						"no GPU that it can use", "beside what the jobs there"} {
						says := saying(c.Says, words)
						if says == nil {
							continue
						}
						seen[words]++
						wrong := false
						switch words {
						case "cannot use these together":
							wrong = all >= size && most < size && holds
						case "types are mixed only":
							wrong = all < size || most >= size || !holds || says.Args[1] != all || says.Args[2] != most
						case "has room left for":
							wrong = !can || most >= size && id == "hadare" && nodeHolds(p, r.Now(), d, c.Job)
						case "no GPU that it can use":
							wrong = can
						case "beside what the jobs there":
							wrong = says.Args[1].(int32) >= says.Args[0].(int32) ||
								usable[says.Args[2].(model.TypeID)] < says.Args[0].(int32)
						}
						if wrong {
							t.Errorf("%s, seed %d, round %d, j%d: %q of %v; it needs %d, of its types %d are free, %d of one",
								id, seed, round, c.Job+1, says.Pattern, says.Args, size, all, most)
						}
					}
				}
			})
		}
	}
	t.Log(seen)
	if len(seen) < 4 { // hadare has nobody without room but where none of its GPUs is in service
		t.Error(seen)
	}
}

// nodeHolds says whether a slot has as many idle GPUs as a job asks for and can use.
func nodeHolds(p *model.Problem, now unit.Tick, d *sim.Detail, j model.JobID) bool {
	free := capacities(p, now)
	for _, c := range d.Choices {
		for _, g := range c.Gangs {
			for _, sh := range g {
				free[sh.Slot] -= sh.N
			}
		}
	}
	size := p.Jobs[j].Shape.Size
	for s, n := range free {
		if n >= size && p.Tables[j].Rate(p.Cluster.Slots[s].Type, size, model.OneNode) > 0 {
			return true
		}
	}
	return false
}

// TestNobodyIsNewThatRuns: none that holds GPUs already is said not to have run, whose stall ends at the decision.
func TestNobodyIsNewThatRuns(t *testing.T) {
	p, seen := many(t, 2, 4, 6), 0
	for i := range p.Costs {
		p.Costs[i] = model.Costs{Load: 60 * unit.Second}
	}
	explain(t, p, "sia", map[string]any{"every_s": 60.0}, 6, func(round int, _ *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			if says := saying(c.Says, "worth the same to it on all types"); says != nil && c.Action == trace.Kept {
				if seen++; strings.Contains(says.Pattern, "has not run") {
					t.Errorf("round %d, j%d: %q", round, c.Job+1, says.Pattern)
				}
			}
		}
	})
	if seen == 0 {
		t.Error("nobody is told")
	}
}

// TestHadarSaysWhatARoundCosts: where a round alone is charged, what a placement is said to cost is its price spread
// over the rounds, and the price is what is charged.
func TestHadarSaysWhatARoundCosts(t *testing.T) {
	seen := 0
	for seed := range uint64(80) {
		p := simtest.Random(unit.Stream(seed, "round cost"))
		explain(t, p, "hadar", map[string]any{"cost": "round"}, 4, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if says := saying(c.Says, "costs"); says != nil {
					t.Errorf("seed %d, round %d: %q", seed, round, says.Pattern)
				}
				says := saying(c.Says, "spread over {0} rounds")
				if says == nil {
					continue
				}
				seen++
				price := says.Args[1].(sim.Worth)
				near(t, "spread", float64(says.Args[2].(sim.Worth))*float64(says.Args[0].(int)), float64(price), 1e-12)
				for _, s := range c.Sections {
					for _, k := range s.Terms {
						if k.Key == "cost" { // which is charged
							near(t, "price", k.Value, float64(price), 1e-12)
						}
					}
				}
			}
		})
	}
	if seen == 0 {
		t.Error("nobody is told")
	}
}

// TestOptimusSaysWhomFreeGPUsWereFor: they were meant for a job that waits, or for jobs that are told why they keep
// their size.
func TestOptimusSaysWhomFreeGPUsWereFor(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		p := elasticRandom(seed, "meant")
		for i := range p.Tables { // some do not run spread
			for typ := range p.Cluster.Types {
				for n := int32(2); n <= p.Tables[i].MaxSize() && (seed+uint64(i))%2 == 0; n++ {
					p.Tables[i].Set(model.TypeID(typ), n, p.Tables[i].Rate(model.TypeID(typ), n, model.OneNode), 0, 0)
				}
			}
		}
		explain(t, p, "optimus", map[string]any{"every_s": 60.0, "threshold": float64(seed % 4)}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				keeps := slices.ContainsFunc(d.Choices, func(c *sim.Choice) bool {
					return saying(c.Says, "less than {2} times") != nil || saying(c.Says, "with fewer GPUs") != nil
				})
				for _, c := range d.Choices {
					if says := saying(c.Says, "as they lie"); says != nil && len(says.Args) > 0 {
						seen["lie"]++
						if gpusHeld(d.Of(says.Args[0].(model.JobID))) > 0 {
							t.Errorf("seed %d, round %d: %q of %v, and it runs", seed, round, says.Pattern, says.Args)
						}
					}
					if says := saying(c.Says, "do not change their size"); says != nil {
						if seen["keep"]++; !keeps {
							t.Errorf("seed %d, round %d, j%d: %q, and nobody keeps its size",
								seed, round, c.Job+1, says.Pattern)
						}
					}
				}
			})
	}
	t.Log(seen)
	if seen["lie"] == 0 {
		t.Error("nobody is named")
	}
}

// TestASRPTSaysWhoStartsEarly: wide does not fit and waits, and narrow, larger and after it, is not said to be the
// smallest.
func TestASRPTSaysWhoStartsEarly(t *testing.T) {
	p := simtest.Build(300, []simtest.Node{{"a": 6}}, []simtest.Job{plain(0, 3, 3000), plain(10, 4, 6000),
		plain(10, 2, 8000)}, model.Costs{})
	told := false
	explain(t, p, "a-srpt", nil, 2, func(_ int, _ *sim.Run, d *sim.Detail) {
		if c := d.Of(2); gpusHeld(c) == 2 {
			told = saying(c.Says, "the smallest that fit") != nil && gpusHeld(d.Of(1)) == 0
		}
	})
	if !told {
		t.Error("not so")
	}
}

// TestDallySaysSinceWhen: what is told of the time that has passed is counted from where the clock starts.
func TestDallySaysSinceWhen(t *testing.T) {
	seen := 0
	for seed := range uint64(150) {
		p := simtest.Random(unit.Stream(seed, "clock"))
		explain(t, p, "dally", map[string]any{"w0_s": 1200.0, "w1_s": 300.0, "tune": false, "clock": "submit"}, 40,
			func(round int, r *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if says := saying(c.Says, "and has waited"); says != nil {
						t.Errorf("seed %d, round %d: %q", seed, round, says.Pattern)
					}
					if says := saying(c.Says, "since it came"); says != nil {
						seen++
						waited := (r.Now() - p.Jobs[c.Job].Arrive).Seconds()
						near(t, "since", float64(says.Args[2].(sim.Seconds)), waited, 1e-6)
					}
				}
			})
	}
	if seen == 0 {
		t.Error("nobody waits so")
	}
}
