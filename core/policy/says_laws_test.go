package policy_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// elasticRandom is a random problem whose jobs may have one to so many GPUs, at speeds that grow ever less, or not at
// all.
func elasticRandom(seed uint64, name string) *model.Problem {
	rng := unit.Stream(seed, name)
	p := simtest.Random(rng)
	for i := range p.Jobs {
		tab, s := &p.Tables[i], &p.Jobs[i].Shape
		s.Min = 1 + rng.Int32N(s.Size)
		s.Max = s.Size + rng.Int32N(tab.MaxSize()-s.Size+1)
		for t := range p.Cluster.Types {
			for n := int32(1); n <= tab.MaxSize(); n++ {
				r := tab.Rate(model.TypeID(t), 1, model.OneNode)
				r *= unit.Rate(math.Pow(float64(n), 0.3+0.7*rng.Float64()))
				if n > 1 && rng.IntN(8) == 0 {
					r = 0
				}
				tab.Set(model.TypeID(t), n, r, r/2*unit.Rate(rng.IntN(3)), 0)
			}
		}
	}
	return p
}

// gpusHeld is how many GPUs a job has after the decision.
func gpusHeld(c *sim.Choice) (n int32) {
	for _, g := range c.Gangs {
		for _, sh := range g {
			n += sh.N
		}
	}
	return n
}

// fitted gives jobs one GPU each where a policy needs that, and says whether it then has all that it needs.
func fitted(s *policy.Spec, p *model.Problem) bool {
	if s.Needs.SingleGPU {
		for i := range p.Jobs {
			p.Jobs[i].Shape.Size, p.Jobs[i].Shape.Min, p.Jobs[i].Shape.Max = 1, 1, 1
		}
	}
	return s.Lacks(p) == nil
}

// TestNobodyHasGPUsThatAreDown: where no GPU is in service, no sentence speaks of others who have them, or of leases.
func TestNobodyHasGPUsThatAreDown(t *testing.T) {
	seen := 0
	for _, s := range policy.All() {
		for _, params := range []map[string]any{nil, {"copy": "node"}} {
			if params != nil && s.ID != "hadare" {
				continue
			}
			for seed := range uint64(12) {
				p := simtest.Random(unit.Stream(seed, "all down"))
				if !fitted(s, p) {
					continue
				}
				from, to := p.Round+unit.Second, 40*p.Round
				for slot := range p.Cluster.Slots {
					p.Changes = append(p.Changes, model.CapacityChange{At: from, Slot: model.SlotID(slot)})
				}
				for slot := range p.Cluster.Slots {
					p.Changes = append(p.Changes, model.CapacityChange{At: to, Slot: model.SlotID(slot),
						Cap: p.Cluster.Slots[slot].Cap})
				}
				explain(t, p, s.ID, params, 12, func(round int, r *sim.Run, d *sim.Detail) {
					if r.Now() < from || r.Now() >= to {
						return
					}
					for _, c := range d.Choices {
						for _, x := range texts(c.Says) {
							seen++
							for _, words := range []string{"have the GPUs", "lease", "other jobs", "another job",
								"gets it", "leaves too few", "at least {1} are left"} {
								if strings.Contains(x.Pattern, words) {
									t.Errorf("%s, seed %d, round %d: %q", s.ID, seed, round, x.Pattern)
								}
							}
						}
					}
				})
			}
		}
	}
	if seen < 100 {
		t.Errorf("only %d sentences", seen)
	}
}

// TestWhoCameFirstDid: no sentence says of a job that it came first or earlier which came at the same time.
func TestWhoCameFirstDid(t *testing.T) {
	for _, s := range policy.All() {
		for seed := range uint64(8) {
			p := simtest.Random(unit.Stream(seed, "together"))
			for i := range p.Jobs {
				p.Jobs[i].Arrive = 0
			}
			if !fitted(s, p) {
				continue
			}
			explain(t, p, s.ID, nil, 6, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, x := range texts(c.Says) {
						if !strings.Contains(x.Pattern, "among equals") && (strings.Contains(x.Pattern, "came first") ||
							strings.Contains(x.Pattern, "came earlier")) {
							t.Errorf("%s, seed %d, round %d: %q", s.ID, seed, round, x.Pattern)
						}
					}
				}
			})
		}
	}
}

// TestOptimusListsGiftsThatStand: who is listed with GPUs given last has so many; what the last gift and one GPU more
// save are the largest of what the tables beside them say; and a sentence about more GPUs says what they say.
func TestOptimusListsGiftsThatStand(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		p := elasticRandom(seed, "optimus says")
		explain(t, p, "optimus", map[string]any{"every_s": 60.0, "threshold": float64(seed % 4)}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				s := d.Sections[len(d.Sections)-1]
				for _, r := range s.Table.Rows {
					if has := gpusHeld(d.Of(r.Cells[0].(model.JobID))); has < r.Cells[1].(int32) {
						t.Errorf("seed %d, round %d: listed with %d GPUs, has %d", seed, round, r.Cells[1], has)
					}
				}
				if last, named := valued(d, "last_gain"); named != (len(s.Table.Rows) > 0) ||
					named && last != s.Table.Rows[0].Cells[2] {
					t.Errorf("seed %d, round %d: the last gift saves %v, %v", seed, round, last, named)
				}
				most := 0.0
				for _, c := range d.Choices {
					for _, x := range c.Sections {
						if x.Table == nil || x.Table.Key != "gpus" {
							continue
						}
						for i, r := range x.Table.Rows {
							if !r.Chosen || i+1 == len(x.Table.Rows) {
								continue
							}
							next := x.Table.Rows[i+1]
							saves, more := next.Cells[2].(float64), next.Cells[0].(int32)-r.Cells[0].(int32)
							most = max(most, saves)
							if says := saying(c.Says, "more would save it"); says != nil {
								seen["more"]++
								told := false
								for _, a := range says.Args {
									told = told || a == sim.Seconds(saves)
								}
								if !told || more == 1 != strings.HasPrefix(says.Pattern, "a GPU") {
									t.Errorf("seed %d, round %d: %q of %v, and %d GPUs more save %v each",
										seed, round, says.Pattern, says.Args, more, saves)
								}
							}
						}
					}
					for _, words := range []string{"less than {2} times", "with fewer GPUs", "leaves too few"} {
						if says := saying(c.Says, words); says != nil {
							seen[words]++
							if words == "less than {2} times" && float64(says.Args[1].(sim.Seconds)) >=
								says.Args[2].(float64)*float64(says.Args[3].(sim.Seconds)) {
								t.Errorf("seed %d, round %d: %q of %v", seed, round, says.Pattern, says.Args)
							}
						}
					}
				}
				if next, _ := valued(d, "next_gain"); math.Abs(next-most) > 1e-9*most {
					t.Errorf("seed %d, round %d: one GPU more saves %v, and the most in a table is %v",
						seed, round, next, most)
				}
			})
	}
	t.Log(seen)
	if len(seen) < 4 {
		t.Error(seen)
	}
}

// TestElasticSaysWhatIsCarriedOut: the sizes and speedups listed are those that jobs have; the best division is named
// as such only where they are it; and what is said to grow grows.
func TestElasticSaysWhatIsCarriedOut(t *testing.T) {
	cut, kept := 0, 0
	for seed := range uint64(400) {
		p := elasticRandom(seed, "elastic says")
		explain(t, p, "elastic-dp", map[string]any{"every_s": 60.0, "hysteresis": 0.3}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				best := map[model.JobID]bool{}
				for _, s := range d.Sections {
					sum, terms := 0.0, map[string]float64{}
					for _, k := range s.Terms {
						terms[k.Name] = k.Value
					}
					for _, r := range s.Table.Rows {
						sum += r.Cells[3].(float64)
						if c := d.Of(r.Cells[0].(model.JobID)); gpusHeld(c) != r.Cells[2].(int32) {
							t.Errorf("seed %d, round %d: j%d is listed with %d GPUs and has %d",
								seed, round, c.Job+1, r.Cells[2], gpusHeld(c))
						}
					}
					if done, named := terms["sum of speedups as it is carried out"]; named {
						if cut++; math.Abs(done-sum) > 1e-9 {
							t.Errorf("seed %d, round %d: a sum of %v of rows of %v", seed, round, done, sum)
						}
					}
					is := math.Abs(terms["sum of speedups of the best division"]-sum) < 1e-9
					for _, r := range s.Table.Rows {
						best[r.Cells[0].(model.JobID)] = is
					}
					named := saying(s.Title, "of all divisions that with the largest") != nil
					if named && s.Note == nil && !is {
						t.Errorf("seed %d, round %d: %q, of %v, and the rows add up to %v",
							seed, round, s.Title.Pattern, terms, sum)
					}
				}
				for _, c := range d.Choices {
					if says := saying(c.Says, "no other division of the {1}"); says != nil && !best[c.Job] {
						t.Errorf("seed %d, round %d: %q, and it is another", seed, round, says.Pattern)
					}
					if says := saying(c.Says, "the best division would raise"); says != nil {
						kept++
						if from, to := says.Args[0].(sim.Fixed), says.Args[1].(sim.Fixed); to.Value <= from.Value {
							t.Errorf("seed %d, round %d: %q of %v and %v", seed, round, says.Pattern, from, to)
						}
					}
				}
			})
	}
	if cut == 0 || kept == 0 {
		t.Errorf("%d divisions cut, %d sentences of one that was kept", cut, kept)
	}
}

// TestSiaComparesAllOrSaysSo: the sum is that of the rows, whatever the sign of p, and all choices are spoken of only
// where all are compared.
func TestSiaComparesAllOrSaysSo(t *testing.T) {
	p := many(t, 3, 64, 24)
	small := many(t, 2, 2, 4)
	for _, x := range []*model.Problem{p, small} {
		for _, power := range []float64{-0.5, 0.5} {
			explain(t, x, "sia", map[string]any{"p": power}, 3, func(round int, _ *sim.Run, d *sim.Detail) {
				s, sum := d.Sections[len(d.Sections)-1], 0.0
				for _, r := range s.Table.Rows {
					sum += r.Cells[4].(float64)
				}
				if math.Abs(sum-s.Terms[0].Value) > 1e-6 {
					t.Errorf("round %d: a sum of %v of rows of %v", round, s.Terms[0].Value, sum)
				}
				all := saying(s.Note, "too many states") == nil
				if all != (x == small) {
					t.Fatalf("round %d: all choices compared: %v", round, all)
				}
				if saying(s.Title, "Of all choices") != nil != all {
					t.Errorf("round %d: %q", round, s.Title.Pattern)
				}
				for _, c := range d.Choices {
					if says := saying(c.Says, "all choices together"); says != nil && !all {
						t.Errorf("round %d: %q", round, says.Pattern)
					}
				}
			})
		}
	}
}

// many is a cluster of so many types with so many GPUs each, and jobs with profiles.
func many(t *testing.T, types int, gpus int32, jobs int) *model.Problem {
	var nodes []simtest.Node
	rates := map[string]float64{}
	for i := range types {
		name := string(rune('a' + i))
		rates[name] = float64(i + 1)
		for n := int32(0); n < gpus; n += 4 {
			nodes = append(nodes, simtest.Node{name: min(4, gpus)})
		}
	}
	list := make([]simtest.Job, jobs)
	for i := range list {
		list[i] = simtest.Job{GPUs: 1, Steps: 1e5, Rates: rates}
	}
	p := simtest.Build(60, nodes, list, model.Costs{})
	for i := range p.Jobs {
		perf := make([]model.Perf, types)
		for k := range perf {
			perf[k] = model.Perf{AlphaC: 0.1, BetaC: 0.001 / float64(k+1), AlphaN: 0.05, AlphaR: 0.01, Gamma: 2}
		}
		simtest.Profiled(p, i, perf, model.Batches{Init: 64, Max: 1024, Low: 16, High: 128}, []float64{500},
			model.Shape{Size: 1, Min: 1, Max: 8, Step: 1, Gangs: 1})
	}
	return p
}

// TestASRPTSumsItsRows: the sum of completion times on the virtual machine is that of the jobs listed, and none is said
// to have its turn that passes one which does not fit.
func TestASRPTSumsItsRows(t *testing.T) {
	passes := 0
	for seed := range uint64(200) {
		p := simtest.Random(unit.Stream(seed, "virtual says"))
		explain(t, p, "a-srpt", map[string]any{"tau": 0.0}, 20, func(round int, _ *sim.Run, d *sim.Detail) {
			s, sum := d.Sections[len(d.Sections)-1], 0.0
			head, blocked := 0, map[model.JobID]bool{}
			for _, r := range s.Table.Rows {
				j := r.Cells[0].(model.JobID)
				sum += r.Cells[3].(float64) - p.Jobs[j].Arrive.Seconds()
				c := d.Of(j)
				if blocked[j] = head > 0; c.Reason == trace.WaitFull || c.Reason == trace.WaitShape {
					head++
				}
				turn, pass := saying(c.Says, "it is its turn") != nil, saying(c.Says, "may pass: this one") != nil
				if turn && blocked[j] || pass && !blocked[j] {
					t.Errorf("seed %d, round %d: j%d is told %q, and %d before it do not fit",
						seed, round, j+1, c.Says.Pattern, head)
				}
				if pass {
					passes++
				}
			}
			if math.Abs(sum-s.Terms[0].Value) > 1e-6 {
				t.Errorf("seed %d, round %d: a sum of %v of rows of %v", seed, round, s.Terms[0].Value, sum)
			}
		})
	}
	if passes == 0 {
		t.Error("nobody passes")
	}
}

// TestThemisBidsAreFew: no more jobs are said to bid than the part 1 − f of those without a lease.
func TestThemisBidsAreFew(t *testing.T) {
	alike := 0
	for seed := range uint64(100) {
		p := simtest.Random(unit.Stream(seed, "bids"))
		for i := range p.Jobs { // alike, so that many tie
			p.Jobs[i].Phases, p.Jobs[i].Shape, p.Jobs[i].Work = p.Jobs[0].Phases, p.Jobs[0].Shape, p.Jobs[0].Work
			p.Jobs[i].Arrive = 0
		}
		explain(t, p, "themis", nil, 6, func(round int, _ *sim.Run, d *sim.Detail) {
			pool, bid := len(d.Sections[len(d.Sections)-1].Table.Rows), 0
			for _, c := range d.Choices {
				if saying(c.Says, "which lets it bid") != nil || saying(c.Says, "and it bids") != nil {
					bid++
				}
				if saying(c.Says, "others who bid: {1}; {2}") != nil {
					alike++
				}
			}
			if most := max(1, int(math.Ceil(0.2*float64(pool)-1e-9))); bid > most {
				t.Errorf("seed %d, round %d: %d of %d jobs bid", seed, round, bid, pool)
			}
		})
	}
	if alike == 0 {
		t.Error("no ties")
	}
}

// TestDallySaysWhatWasRefused: GPUs lie as it is said, and of refused ones and of waiting for them it speaks only where
// the job was told to wait for closer ones since it last ran.
func TestDallySaysWhatWasRefused(t *testing.T) {
	refusals, gave := 0, 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "refused"))
		if seed%4 == 0 { // others give way
			p = twoThrees(model.Costs{Load: unit.Tick(seed) * unit.Second / 10})
		}
		refused := map[model.JobID]bool{}
		params := map[string]any{"w0_s": 1200.0, "w1_s": 300.0, "min_run_s": 900.0, "floor_s": 100.0}
		explain(t, p, "dally", params, 60, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if says := saying(c.Says, "its GPUs lie {0}"); says != nil && len(c.Gangs) > 0 {
					_, tier := sim.Measure(&p.Cluster, c.Gangs[0])
					want := []string{"on one node", "on several nodes of one rack", "over several racks"}[tier]
					if lie := says.Args[0].(*sim.Text).Pattern; lie != want {
						t.Errorf("seed %d, round %d: j%d's GPUs lie %q, and it is told %q",
							seed, round, c.Job+1, want, lie)
					}
				}
				if saying(c.Says, "first refusal") != nil || saying(c.Says, "first refused others") != nil {
					if refusals++; !refused[c.Job] {
						t.Errorf("seed %d, round %d: j%d has refused nothing, and is told %q", seed, round, c.Job+1,
							c.Says.Pattern)
					}
				}
				if says := saying(c.Says, "for it, which saves"); says != nil {
					gave++
					for _, v := range says.Args[1].(*sim.Text).Args {
						if a := d.Of(v.(model.JobID)).Action; a == trace.Kept {
							t.Errorf("seed %d, round %d: j%v gave way and keeps what it has", seed, round, v)
						}
					}
					if saves, costs := says.Args[2].(sim.GPUSeconds), says.Args[3].(sim.GPUSeconds); saves < 2*costs {
						t.Errorf("seed %d, round %d: %q of %v", seed, round, says.Pattern, says.Args)
					}
				}
				if refused[c.Job] = (refused[c.Job] || c.Reason == trace.WaitCloser) && len(c.Gangs) == 0; c.Action ==
					trace.Preempted {
					refused[c.Job] = c.Reason == trace.WaitCloser
				}
			}
		})
	}
	if refusals == 0 || gave == 0 {
		t.Errorf("%d refusals told, %d who gave way", refusals, gave)
	}
}

// TestTiresiasSendsWhoWasStoppedToTheEnd: j1 joined the queue before j2 and was stopped by a fault after that, so that
// j2 goes first, as the measure says.
func TestTiresiasSendsWhoWasStoppedToTheEnd(t *testing.T) {
	p := simtest.Build(300, []simtest.Node{{"a": 1}}, []simtest.Job{plain(0, 1, 5000), plain(100, 1, 5000)},
		model.Costs{})
	p.Changes = []model.CapacityChange{{At: 400 * unit.Second, Slot: 0}, {At: 700 * unit.Second, Slot: 0, Cap: 1}}
	explain(t, p, "tiresias", nil, 4, func(_ int, r *sim.Run, d *sim.Detail) {
		if r.Now() != 700*unit.Second {
			return
		}
		if gpusHeld(d.Of(1)) != 1 || saying(d.Of(1).Says, "job goes first that joined it or was stopped first") == nil {
			t.Errorf("%+v", d.Of(1))
		}
		if title := d.Sections[len(d.Sections)-1].Title; saying(title, "joined it or was stopped first") == nil {
			t.Error(title.Pattern)
		}
	})
}

// TestTiresiasNamesNoOrderOfJoining: jobs that came at one instant and have not run yet joined their queue together, so
// that who joined first tells nobody apart from another.
func TestTiresiasNamesNoOrderOfJoining(t *testing.T) {
	seen := 0
	for seed := range uint64(200) {
		p := simtest.Random(unit.Stream(seed, "joined"))
		for _, order := range []string{"running-first", "entry"} {
			explain(t, p, "tiresias", map[string]any{"order": order}, 1, func(_ int, r *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if p.Jobs[c.Job].Arrive != r.Now() {
						return
					}
				}
				for _, c := range d.Choices {
					if saying(c.Says, "joined it") != nil {
						t.Errorf("seed %d, %s: all came at %v, and j%d is told %q", seed, order, r.Now(), c.Job+1,
							c.Says.Pattern)
					}
					if saying(c.Says, "listed first") != nil {
						seen++
					}
				}
			})
		}
	}
	if seen == 0 {
		t.Error("no tie was seen")
	}
}

// TestYARNSaysWhatIsTogether: of a job that waits beside enough free GPUs it is said how many of them lie together, and
// not that it could use none of these together, as other policies let it.
func TestYARNSaysWhatIsTogether(t *testing.T) {
	seen := 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "together"))
		explain(t, p, "yarn-cs", map[string]any{"backfill": true}, 10, func(round int, _ *sim.Run, d *sim.Detail) {
			free := make([]int32, len(p.Cluster.Slots))
			for s, slot := range p.Cluster.Slots {
				free[s] = slot.Cap
			}
			for _, c := range d.Choices {
				for _, g := range c.Gangs {
					for _, sh := range g {
						free[sh.Slot] -= sh.N
					}
				}
			}
			for _, c := range d.Choices {
				says := saying(c.Says, "of one type on one node")
				if says == nil {
					continue
				}
				seen++
				all, most, size := int32(0), int32(0), p.Jobs[c.Job].Shape.Size
				for s, slot := range p.Cluster.Slots {
					all += free[s]
					if p.Tables[c.Job].Rate(slot.Type, size, model.OneNode) > 0 {
						most = max(most, free[s])
					}
				}
				if says.Args[0] != size || says.Args[1] != all || says.Args[2] != most || most >= size {
					t.Errorf("seed %d, round %d: %q of %v, and %d are free, %d on one node",
						seed, round, says.Pattern, says.Args, all, most)
				}
			}
		})
	}
	if seen == 0 {
		t.Error("nobody waits so")
	}
}
