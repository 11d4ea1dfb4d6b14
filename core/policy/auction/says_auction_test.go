package auction_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestThemisBidsAreFew: no more jobs are said to bid than the part 1 − f of those without a lease.
func TestThemisBidsAreFew(t *testing.T) {
	alike := 0
	for seed := range uint64(100) {
		p := simtest.Random(unit.Stream(seed, "bids"))
		for i := range p.Jobs { // alike, so that many tie
			p.Jobs[i].Phases, p.Jobs[i].Shape, p.Jobs[i].Work = p.Jobs[0].Phases, p.Jobs[0].Shape, p.Jobs[0].Work
			p.Jobs[i].Arrive = 0
		}
		simtest.EachDecision(t, p, "themis", nil, 6, func(round int, _ *sim.Run, d *sim.Detail) {
			pool, bid := len(d.Sections[len(d.Sections)-1].Table.Rows), 0
			for _, c := range d.Choices {
				if !simtest.Saying(c.Says, "which lets it bid").IsZero() ||
					!simtest.Saying(c.Says, "and it bids").IsZero() {
					bid++
				}
				if !simtest.Saying(c.Says, "others who bid: {1}; {2}").IsZero() {
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

// TestThemisLeasesNothingThatIsDown: with a GPU out of service it is not said that all are leased.
func TestThemisLeasesNothingThatIsDown(t *testing.T) {
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"k80":1}}]},
"faults":[{"node":"a","at_s":500,"repair_s":8000}],"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}},
{"model":"k","per_gpu":{"k80":1}}]},"jobs":[{"id":"x","model":"m","gpus":1,"steps":3000},
{"id":"y","model":"k","gpus":1,"steps":9000}]`)
	leases := 0
	simtest.EachDecision(t, p, "themis", nil, 6, func(round int, r *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			if s := simtest.Saying(c.Says, "next lease ends"); !s.IsZero() {
				if leases++; strings.Contains(s.Pattern(), "all GPUs") {
					t.Errorf("round %d: %q", round, s.Pattern())
				}
			}
		}
	})
	if leases == 0 {
		t.Error("no lease was spoken of")
	}
}

// TestThemisNamesWhoWasServedBefore: of a bidder that what was for sale could not hold, it is not said that others
// came first.
func TestThemisNamesWhoWasServedBefore(t *testing.T) {
	first, none := 0, 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "served before"))
		simtest.EachDecision(t, p, "themis", map[string]any{"fairness": float64(seed%3) / 2}, 20,
			func(round int, r *sim.Run, d *sim.Detail) {
				_, sale := simtest.IdleGPUs(p, r.Now(), d)
				all, leased := int32(0), map[model.JobID]bool{}
				for _, c := range d.Choices {
					leased[c.Job] = !simtest.Saying(c.Says, "its lease lasts").IsZero()
					for _, g := range c.Gangs {
						for _, sh := range g {
							if !leased[c.Job] {
								sale[p.Cluster.Slots[sh.Slot].Type] += sh.N
							}
						}
					}
				}
				for _, n := range sale {
					all += n
				}
				for _, c := range d.Choices {
					if simtest.Saying(c.Says, "and it bids").IsZero() {
						continue
					}
					named := !simtest.Saying(c.Says, "come first").IsZero() ||
						!simtest.Saying(c.Says, "comes first").IsZero()
					if !simtest.Saying(c.Says, "others come first").IsZero() {
						t.Errorf("seed %d, round %d: j%d is told of nobody by name", seed, round, c.Job+1)
					}
					if fits := all >= p.Jobs[c.Job].Shape.Size; named && !fits {
						t.Errorf("seed %d, round %d: j%d needs %d, %d were for sale: %q of %v", seed, round, c.Job+1,
							p.Jobs[c.Job].Shape.Size, all, c.Says.Pattern(), c.Says.Args())
					} else if named {
						first++
					} else if !fits {
						none++
					}
				}
			})
	}
	if first == 0 || none == 0 {
		t.Errorf("others come first of %d, %d find too few", first, none)
	}
}

// TestThemisSaysWhoBidsAndForHowLong: nobody who bids is better off than one who does not, a lease lasts as long as it
// was won for, the next to end is the first of those that run, and no GPU is called leased that is free.
func TestThemisSaysWhoBidsAndForHowLong(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "for how long"))
		if at := model.SlotID(seed % uint64(len(p.Cluster.Slots))); seed%3 > 0 {
			p.Changes = []model.CapacityChange{{At: 700 * unit.Second, Slot: at, Cap: p.Cluster.Slots[at].Cap / 2},
				{At: 3000 * unit.Second, Slot: at, Cap: p.Cluster.Slots[at].Cap}}
		}
		won := map[model.JobID]unit.Tick{}
		given := map[string]any{"fairness": float64(seed%4) / 4, "lease_s": 600.0}
		simtest.EachDecision(t, p, "themis", given, 25, func(round int, r *sim.Run, d *sim.Detail) {
			_, free := simtest.IdleGPUs(p, r.Now(), d)
			fail := func(c *sim.Choice, why string, args ...any) {
				t.Errorf("seed %d, round %d, j%d: %q of %v: "+why,
					append([]any{seed, round, c.Job + 1, c.Says.Pattern(), c.Says.Args()}, args...)...)
			}
			rho := map[model.JobID]float64{}
			for _, row := range d.Sections[len(d.Sections)-1].Table.Rows {
				rho[row.Cells[0].(model.JobID)] = row.Cells[1].(float64)
			}
			next, least, best := unit.Never, math.Inf(1), 0.0
			for _, c := range d.Choices {
				told := func(words string) bool { return !simtest.Saying(c.Says, words).IsZero() }
				if told("which lets it bid") || told("and it bids") {
					least = min(least, rho[c.Job])
				} else if told("or more bid") || told("others who bid") {
					best = max(best, rho[c.Job])
				}
				if len(c.Gangs) > 0 {
					if simtest.Saying(c.Says, "its lease lasts").IsZero() {
						won[c.Job] = r.Now() + 600*unit.Second
					}
					next = min(next, won[c.Job])
				}
			}
			if best > least {
				t.Errorf("seed %d, round %d: a job with ρ %v does not bid, and one with %v does", seed, round, best, least)
			}
			for _, c := range d.Choices {
				for _, part := range []string{"its lease lasts", "the next lease ends", "or more bid", "others who bid",
					"lets it bid"} {
					says := simtest.Saying(c.Says, part)
					if says.IsZero() {
						continue
					}
					seen[part]++
					switch part {
					case "its lease lasts":
						if unit.Seconds(float64(says.Args()[0].(sim.Seconds))) != won[c.Job]-r.Now() {
							fail(c, "it lasts until %v, now is %v", won[c.Job], r.Now())
						}
					case "the next lease ends":
						all := int32(0)
						for _, n := range free {
							all += n
						}
						if unit.Seconds(float64(says.Args()[1].(sim.Seconds))) != next-r.Now() || all > 0 {
							fail(c, "%v are free, the next ends at %v, now is %v", free, next, r.Now())
						}
					case "or more bid":
						if says.Args()[1] != any(least) || rho[c.Job] >= least {
							fail(c, "its ρ is %v, and the least that bids %v", rho[c.Job], least)
						}
					case "others who bid":
						if rho[c.Job] != least {
							fail(c, "its ρ is %v, and the least that bids %v", rho[c.Job], least)
						}
					case "lets it bid":
						if len(c.Gangs) == 0 {
							fail(c, "it has none")
						}
					}
				}
			}
		})
	}
	if t.Log(seen); len(seen) < 5 {
		t.Error(seen)
	}
}
