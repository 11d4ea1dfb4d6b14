package gavel_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// Laws of what is said of the rounds of those that share time, and of their programs' figures.

var sharing = []string{"gavel-las", "gavel-las-agnostic", "gavel-waterfill", "gavel-hierarchical", "gavel-ftf",
	"gavel-makespan", "gavel-maxsum", "gavel-fifo", "gavel-isolated", "gavel-packed", "gandiva", "allox"}

// shareProblem is a random problem, in part with pairs, with jobs of one GPU and with gangs that cannot spread.
func shareProblem(seed uint64, name, id string) *model.Problem {
	rng := unit.Stream(seed, name)
	p := simtest.Random(rng)
	if seed%2 > 0 {
		pair(p, func(int, int) float64 { return float64(rng.IntN(11)) / 10 })
	}
	for i := range p.Jobs {
		if id == "allox" || seed%4 == 1 {
			p.Jobs[i].Shape.Size, p.Jobs[i].Shape.Min, p.Jobs[i].Shape.Max = 1, 1, 1
		}
		tab := &p.Tables[i]
		for typ := range p.Cluster.Types {
			for n := int32(2); n <= tab.MaxSize() && (seed+uint64(i))%3 == 0; n++ {
				tab.Set(model.TypeID(typ), n, tab.Rate(model.TypeID(typ), n, model.OneNode), 0, 0)
			}
		}
	}
	return p
}

// TestWhoIsPickedAndHasNoPlaceIsToldSo: a job that waits is not told why it runs, and its reason is one of a wait, also
// where it was picked and the GPUs that were left for it lie on nodes over which it has no speed.
func TestWhoIsPickedAndHasNoPlaceIsToldSo(t *testing.T) {
	told := 0
	for _, id := range sharing {
		for seed := range uint64(60) {
			p := shareProblem(seed, "no place", id)
			simtest.EachDecision(t, p, id, nil, 8, func(round int, r *sim.Run, d *sim.Detail) {
				_, free := simtest.IdleGPUs(p, r.Now(), d)
				for _, c := range d.Choices {
					if len(c.Gangs) > 0 {
						continue
					}
					for _, words := range []string{"priority there {3}", "left these GPUs free",
						"when nobody could run", "takes these GPUs"} {
						if says := simtest.Saying(c.Says, words); !says.IsZero() {
							t.Errorf("%s, seed %d, round %d: j%d waits: %q", id, seed, round, c.Job+1, says.Pattern())
						}
					}
					if !c.Reason.Waits() {
						t.Errorf("%s, seed %d, round %d: j%d waits, and its reason is %v", id, seed, round, c.Job+1,
							c.Reason)
					}
					if says := simtest.Saying(c.Says, "lie on several nodes"); !says.IsZero() {
						told++
						typ, size := says.Args()[0].(model.TypeID), p.Jobs[c.Job].Shape.Size
						if free[typ] < size || p.Tables[c.Job].Rate(typ, size, model.OneRack) > 0 {
							t.Errorf("%s, seed %d, round %d: j%d: %q, %d are free", id, seed, round, c.Job+1,
								says.Pattern(),
								free[typ])
						}
					}
				}
			})
		}
	}
	if told == 0 {
		t.Error("nobody is picked who has no place")
	}
}

// TestWhenSharesAreComputed: a job that is told when it enters the shares is in them from the first decision on that is
// as late as that.
func TestWhenSharesAreComputed(t *testing.T) {
	in, later := 0, 0
	for _, id := range []string{"gavel-las", "gavel-ftf", "gandiva", "gavel-fifo"} {
		for seed := range uint64(60) {
			p := shareProblem(seed, "when", id)
			for i := range p.Jobs {
				p.Jobs[i].Work *= 20
			}
			promised := map[model.JobID]unit.Tick{}
			simtest.EachDecision(t, p, id, nil, 40, func(round int, r *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					now := r.Now()
					at, was := promised[c.Job]
					says := simtest.Saying(c.Says, "it is new")
					if says.IsZero() {
						if was {
							in++
						}
						if was && now > at {
							later++
						}
						delete(promised, c.Job)
						continue
					}
					if was && now >= at {
						t.Errorf("%s, seed %d, round %d: j%d is new at %v, and %v was said", id, seed, round, c.Job+1,
							now.Seconds(), at.Seconds())
					}
					if len(says.Args()) == 0 {
						continue
					}
					if !strings.Contains(says.Pattern(), "first round that begins in {0} or later") {
						t.Fatalf("%s, seed %d, round %d: %q, and shares are computed when a round begins", id, seed,
							round,
							says.Pattern())
					}
					promised[c.Job] = now + unit.Seconds(float64(says.Args()[0].(sim.Seconds)))
				}
			})
		}
	}
	if in == 0 || later == 0 {
		t.Errorf("%d entered, %d later than the wait", in, later)
	}
}

// TestWhoLeavesGPUsFree: those who are due time are said to have left GPUs free only where some of them have GPUs of
// that type, and a type that is said to choose before another does, where the job is due time.
func TestWhoLeavesGPUsFree(t *testing.T) {
	left, nobody, before := 0, 0, 0
	for _, id := range sharing {
		for seed := range uint64(60) {
			p := shareProblem(seed, "left free", id)
			simtest.EachDecision(t, p, id, map[string]any(nil), 10, func(round int, _ *sim.Run, d *sim.Detail) {
				holds := map[model.TypeID]bool{} // a job with a priority there
				for _, c := range d.Choices {
					for _, tab := range shareTables(c) {
						for _, row := range tab.Rows {
							if row.Chosen && row.Cells[5].(float64) > 0 {
								holds[row.Cells[0].(model.TypeID)] = true
							}
						}
					}
				}
				for _, c := range d.Choices {
					frees, none := simtest.Saying(c.Says, "have left these GPUs free"),
						simtest.Saying(c.Says, "takes these GPUs")
					if frees.IsZero() && none.IsZero() {
						continue
					}
					if len(c.Gangs) == 0 {
						t.Fatalf("%s, seed %d, round %d: j%d waits: %q", id, seed, round, c.Job+1, c.Says.Pattern())
					}
					typ := p.Cluster.Slots[c.Gangs[0][0].Slot].Type
					if !frees.IsZero() {
						left++
					} else {
						nobody++
					}
					if holds[typ] != (!frees.IsZero()) {
						t.Errorf("%s, seed %d, round %d: j%d on %v: %q, others with a priority there: %v", id, seed,
							round,
							c.Job+1, typ, c.Says.Pattern(), holds[typ])
					}
					if says := simtest.Saying(c.Says, "chooses before"); !says.IsZero() {
						before++
						due := 0.0
						for _, tab := range shareTables(c) {
							for _, row := range tab.Rows {
								if row.Cells[0] == says.Args()[2] {
									due = max(due, row.Cells[1].(float64))
								}
							}
						}
						if says.Args()[1] != any(typ) || due != float64(says.Args()[3].(sim.Share)) {
							t.Errorf("%s, seed %d, round %d: j%d on %v: %q of %v", id, seed, round, c.Job+1, typ,
								says.Pattern(), says.Args())
						}
					}
				}
			})
		}
	}
	if left == 0 || nobody == 0 || before == 0 {
		t.Errorf("%d are left some, %d run where nobody is due time, %d before they are due", left, nobody, before)
	}
}

// TestNormalisedThroughputIsReckonedFromWhatStandsThere: the line of a job's normalised throughput begins with what its
// targets give it, and has its GPUs, its weight and what its time gives that is spread as the cluster's GPUs are.
func TestNormalisedThroughputIsReckonedFromWhatStandsThere(t *testing.T) {
	lines, weighted := 0, 0
	for _, id := range []string{"gavel-las", "gavel-las-agnostic"} {
		for seed := range uint64(80) {
			p := simtest.Random(unit.Stream(seed, "normalised"))
			for i := range p.Jobs {
				p.Jobs[i].Arrive = 0
			}
			simtest.EachDecision(t, p, id, nil, 1, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, s := range c.Sections {
						for _, f := range s.Formula {
							if !strings.Contains(f.Pattern(), "normalised throughput") {
								continue
							}
							lines++
							useless := false
							job, got, even, all := &p.Jobs[c.Job], 0.0, 0.0, 0.0
							for typ := range p.Cluster.Types {
								n := float64(p.Cluster.Count(model.TypeID(typ)))
								rate := float64(p.Tables[c.Job].Rate(model.TypeID(typ), job.Shape.Size, model.OneNode))
								if n < float64(job.Shape.Size) {
									rate = 0
								}
								if useless = useless || rate == 0; id == "gavel-las-agnostic" {
									rate = 1
								}
								for _, row := range shareTables(c)[0].Rows {
									if row.Cells[0] == any(model.TypeID(typ)) {
										got += rate * row.Cells[1].(float64)
									}
								}
								even, all = even+n*rate, all+n
							}
							want := []float64{got, float64(job.Shape.Size), job.Weight, even / all,
								got * float64(job.Shape.Size) / job.Weight / (even / all)}
							if job.Weight != 1 {
								weighted++
							}
							if id == "gavel-las-agnostic" { // divides by 1, counts time that its table leaves out
								if want = slices.Delete(want, 3, 4); useless {
									continue
								}
							}
							for k, w := range want {
								if len(f.Args()) != len(want) {
									t.Fatalf("%s: %q has %d numbers, want %v", id, f.Pattern(), len(f.Args()), want)
								}
								if v := f.Args()[k].(sim.Digits).Value; math.Abs(v-w) > 1e-5*math.Max(1, math.Abs(w)) {
									t.Errorf("%s, seed %d: j%d: %q has %v in place %d, want %v", id, seed, c.Job+1,
										f.Pattern(), v, k, w)
								}
							}
						}
					}
				}
			})
		}
	}
	if lines == 0 || weighted == 0 {
		t.Errorf("%d lines, %d of jobs with a weight", lines, weighted)
	}
}

// TestFiguresOfProgramsAreWhatTheyAreCalled: a number of levels is not less than the levels are, and a time that counts
// from when the shares were computed says so and is no makespan.
func TestFiguresOfProgramsAreWhatTheyAreCalled(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1, "b": 3}}, []simtest.Job{
		{GPUs: 1, Steps: 1e6, Rates: map[string]float64{"a": 10}},
		{GPUs: 1, Steps: 1e6, Rates: map[string]float64{"b": 10}},
		{GPUs: 1, Steps: 1e6, Rates: map[string]float64{"b": 10}}}, model.Costs{})
	levels := map[float64]bool{}
	d := explained(t, p, "gavel-waterfill", nil)
	for _, c := range d.Choices {
		levels[math.Round(1e6*simtest.Term(c.Sections, "level"))] = true
	}
	for _, s := range d.Sections {
		for _, k := range s.Terms {
			if strings.HasPrefix(k.Name, "levels") && k.Value < float64(len(levels)) {
				t.Errorf("%q is %v, and there are %d", k.Name, k.Value, len(levels))
			}
		}
	}
	late := simtest.Build(360, []simtest.Node{{"a": 2}}, []simtest.Job{
		{GPUs: 1, Steps: 3.6e5, Rates: map[string]float64{"a": 10}},
		{GPUs: 1, Steps: 3.6e5, Rates: map[string]float64{"a": 10}},
		{Arrive: 100, GPUs: 1, Steps: 3.6e5, Rates: map[string]float64{"a": 10}}}, model.Costs{})
	seen := 0
	simtest.EachDecision(t, late, "gavel-makespan", nil, 4, func(round int, r *sim.Run, d *sim.Detail) {
		all := slices.Clone(d.Sections)
		for _, c := range d.Choices {
			all = append(all, c.Sections...)
		}
		for _, s := range all {
			for _, k := range s.Terms {
				if k.Unit != "s" {
					continue
				}
				if seen++; !strings.HasSuffix(k.Name, "when the shares were computed") {
					t.Errorf("round %d at %v s: %q is %v s", round, r.Now().Seconds(), k.Name, k.Value)
				}
			}
		}
	})
	if seen == 0 {
		t.Error("no time is told")
	}
}

// TestAlloXSaysWhoseSumIsSmallest: what is smallest is the sum of those that were matched. With a part of the jobs left
// out the sum of all need not be.
func TestAlloXSaysWhoseSumIsSmallest(t *testing.T) {
	p := simtest.Build(360, []simtest.Node{{"a": 1}}, []simtest.Job{
		{GPUs: 1, Steps: 360000, Rates: map[string]float64{"a": 10}},
		{GPUs: 1, Steps: 3600, Rates: map[string]float64{"a": 10}},
		{GPUs: 1, Steps: 3600, Rates: map[string]float64{"a": 10}}}, model.Costs{})
	said := 0
	for _, alpha := range []float64{0, 1} {
		simtest.EachDecision(t, p, "allox", map[string]any{"alpha": alpha}, 2,
			func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "smallest"); !says.IsZero() {
						if said++; !strings.Contains(says.Pattern(), "of those that were matched is smallest") {
							t.Errorf("alpha %v, round %d: j%d: %q", alpha, round, c.Job+1, says.Pattern())
						}
					}
				}
			})
	}
	if said == 0 {
		t.Error("no sum is told")
	}
}

// TestWhoComesFirstHasThatPriority: a priority behind the name of one who comes first is that job's, and of a pair that
// of both, which are named.
func TestWhoComesFirstHasThatPriority(t *testing.T) {
	alone, pairs := 0, 0
	for _, id := range []string{"gandiva", "gavel-packed"} {
		for seed := range uint64(120) {
			p := shareProblem(2*seed+1, "first", id)
			simtest.EachDecision(t, p, id, nil, 10, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, x := range simtest.Texts(c.Says) {
						if !strings.HasSuffix(x.Pattern(), "({1})") && !strings.HasSuffix(x.Pattern(), "({2})") {
							continue
						}
						first := d.Of(x.Args()[0].(model.JobID))
						of := x.Args()
						if first.Other >= 0 != (len(of) > 2) || len(of) > 2 && of[1] != any(first.Other) {
							t.Errorf("%s, seed %d, round %d: j%d: %q of %v, and j%d shares with j%d", id, seed, round,
								c.Job+1, x.Pattern(), x.Args(), first.Job+1, first.Other+1)
						}
						if len(x.Args()) > 2 {
							pairs++
						} else {
							alone++
						}
					}
				}
			})
		}
	}
	if alone == 0 || pairs == 0 {
		t.Errorf("%d alone, %d pairs", alone, pairs)
	}
}

// TestWhatSharesWaitForCanHappen: what is said to have the shares computed anew is still to come: a job that runs and
// can end, and one that has yet to arrive where that is said.
func TestWhatSharesWaitForCanHappen(t *testing.T) {
	seen := map[string]int{}
	for _, id := range []string{"gavel-las", "gavel-ftf", "gandiva", "gavel-fifo", "allox"} {
		for seed := range uint64(120) {
			p := shareProblem(seed, "anew", id)
			rng := unit.Stream(seed, "anew node")
			at, from := model.SlotID(rng.IntN(len(p.Cluster.Slots))), unit.Tick(rng.IntN(6))*p.Round
			p.Changes = []model.CapacityChange{{At: from, Slot: at},
				{At: from + 5*p.Round, Slot: at, Cap: p.Cluster.Slots[at].Cap}}
			if seed%2 > 0 { // the others go for good once the first is back
				for s := range p.Cluster.Slots {
					if s := model.SlotID(s); s != at {
						p.Changes = append(p.Changes, model.CapacityChange{At: 20 * p.Round, Slot: s})
					}
				}
			}
			simtest.EachDecision(t, p, id, nil, 60, func(round int, r *sim.Run, d *sim.Detail) {
				runs, come := false, false
				for _, c := range d.Choices {
					runs = runs || len(c.Gangs) > 0
				}
				for i := range p.Jobs {
					come = come || p.Jobs[i].Arrive > r.Now()
				}
				for _, c := range d.Choices {
					for _, says := range simtest.Texts(c.Says) {
						if says.Pattern() == "" {
							t.Errorf("%s, seed %d, round %d: j%d is told nothing", id, seed, round, c.Job+1)
						}
						if !strings.HasPrefix(says.Pattern(), "the shares are next computed") ||
							strings.Contains(says.Pattern(), "first round") {
							continue
						}
						seen[says.Pattern()]++
						want := "the shares are next computed after a job has ended, or a node has come or gone; no job is to come"
						if come {
							want = "the shares are next computed after a job or a node has come or gone"
						}
						if says.Pattern() != want || !runs && !come {
							t.Errorf("%s, seed %d, round %d: j%d: %q; some run: %v, some come: %v", id, seed, round,
								c.Job+1, says.Pattern(), runs, come)
						}
					}
				}
			})
		}
	}
	if t.Log(seen); len(seen) < 2 {
		t.Error("only one of the two is said")
	}
}
