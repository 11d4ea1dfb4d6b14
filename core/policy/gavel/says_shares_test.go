package gavel_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Laws of what the policies that share time say, and of what is said of room.

// shareTables are the tables of a job's shares, its own and those of a pair.
func shareTables(c *sim.Choice) (out []*sim.Table) {
	for _, s := range c.Sections {
		if s.Table != nil && !simtest.Saying(s.Table.Title, "Shares of time of").IsZero() {
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
				p.Changes = []model.CapacityChange{{At: from, Slot: at}}
				for s := range p.Cluster.Slots { // soon after, before shares are computed anew, all but one
					if s := model.SlotID(s); seed%3 > 1 && s != at && s != (at+1)%model.SlotID(len(p.Cluster.Slots)) {
						p.Changes = append(p.Changes, model.CapacityChange{At: from + 3*p.Round, Slot: s})
					}
				}
				p.Changes = append(p.Changes,
					model.CapacityChange{At: from + 10*p.Round, Slot: at, Cap: p.Cluster.Slots[at].Cap})
			}
			simtest.EachDecision(t, p, id, nil, 25, func(round int, r *sim.Run, d *sim.Detail) {
				fail := func(c *sim.Choice, why string, args ...any) {
					t.Errorf("%s, seed %d, round %d, j%d: %q of %v: "+why,
						append([]any{id, seed, round, c.Job + 1, c.Says.Pattern(), c.Says.Args()}, args...)...)
				}
				usable, free := simtest.IdleGPUs(p, r.Now(), d)
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
					if c.Says.IsZero() {
						continue
					}
					due, targets := false, 0.0
					for _, tab := range shareTables(c) {
						for _, row := range tab.Rows {
							targets += row.Cells[1].(float64)
							if says := simtest.Saying(c.Says, "priority there {3}"); !says.IsZero() && row.Chosen {
								share := float64(says.Args()[0].(sim.Share))
								due = row.Cells[0] == says.Args()[1] && row.Cells[1] == share &&
									row.Cells[2] == float64(says.Args()[2].(sim.Share))
								if both := strings.HasPrefix(says.Pattern(), "the two"); both != (c.Other >= 0) ||
									both != (!simtest.Saying(tab.Title, "together").IsZero()) {
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
					for _, part := range []string{"priority there {3}", "it is new", "due no time for now",
						"due time leave", "could not run when", "are away", "not in the shares yet",
						"no type that it could", "beside", "that are due time leave", "due time beside",
						"the first that did not"} {
						says := simtest.Saying(c.Says, part)
						if says.IsZero() {
							continue
						}
						seen[id+": "+part]++
						seen[part]++
						tab := p.Tables[c.Job]
						size := p.Jobs[c.Job].Shape.Size
						leaves := false // idle GPUs of a type that it could use
						for typ := range free {
							rate := tab.Rate(model.TypeID(typ), size, model.OneNode)
							leaves = leaves || rate > 0 && free[typ] >= size
						}
						switch {
						case part == "priority there {3}" && !due:
							fail(c, "its tables say another")
						case part == "it is new" && r.Now()-p.Jobs[c.Job].Arrive >= 1920*unit.Second:
							fail(c, "it came at %v and now is %v", p.Jobs[c.Job].Arrive, r.Now())
						case part == "due no time for now" && targets > 0:
							fail(c, "its targets add up to %v", targets)
						case strings.HasSuffix(part, "due time leave") && leaves:
							fail(c, "%v are idle", free)
						case part == "not in the shares yet" && !leaves:
							fail(c, "nothing is idle")
						case part == "are away":
							due := says.Args()[0].(words.Text)
							if typ := due.Args()[1].(model.TypeID); usable[typ] > 0 {
								fail(c, "%d are in service", usable[typ])
							}
						case part == "the first that did not" && says.Args()[1].(int32) >= size:
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
	for _, part := range []string{"pairs", "priority there {3}", "it is new", "due no time for now", "due time leave",
		"could not run when", "are away", "not in the shares yet", "no type that it could", "beside",
		"that are due time leave", "the first that did not"} {
		if seen[part] == 0 {
			t.Errorf("nobody is told %q", part)
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
		simtest.EachDecision(t, p, "gavel-mincost-slo", nil, 12, func(round int, _ *sim.Run, d *sim.Detail) {
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
