package gavel_test

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// runsOn is where a job runs by its tables, and its priority there.
func runsOn(c *sim.Choice) (typ model.TypeID, priority float64) {
	for _, tab := range shareTables(c) {
		for _, row := range tab.Rows {
			if row.Chosen {
				return row.Cells[0].(model.TypeID), row.Cells[5].(float64)
			}
		}
	}
	return model.None, 0
}

// TestWhoWaitsForATurnIsToldWhy: those who are said to come first stand before a job on that type and leave too few of
// it, who is said to choose first among what is left is due no time, what is said to lack lacks, and where shares are
// older than the last computation nobody could run at that.
func TestWhoWaitsForATurnIsToldWhy(t *testing.T) {
	seen := map[string]int{}
	for _, id := range sharing {
		for seed := range uint64(80) {
			p := shareProblem(seed, "too few", id)
			rng := unit.Stream(seed, "too few node")
			if at := model.SlotID(rng.IntN(len(p.Cluster.Slots))); seed%3 > 0 {
				from := unit.Tick(rng.IntN(8)) * p.Round
				p.Changes = []model.CapacityChange{{At: from, Slot: at, Cap: p.Cluster.Slots[at].Cap / 2},
					{At: from + 10*p.Round, Slot: at, Cap: p.Cluster.Slots[at].Cap}}
			}
			nobody := false // could run at the last decision
			simtest.EachDecision(t, p, id, nil, 25, func(round int, r *sim.Run, d *sim.Detail) {
				usable, free := simtest.IdleGPUs(p, r.Now(), d)
				lost := slices.ContainsFunc(d.Choices, func(c *sim.Choice) bool {
					return !simtest.Saying(c.Says, "lie on several nodes").IsZero()
				})
				for _, c := range d.Choices {
					size := p.Jobs[c.Job].Shape.Size
					for _, part := range []string{"and too few GPUs are left", "{0} chooses first",
						"no GPU that it can use is", "no GPU type that it can use has", "its GPUs must be of one type",
						"when nobody could run"} {
						says, so := simtest.Saying(c.Says, part), true
						if says.IsZero() {
							continue
						}
						seen[part]++
						switch part {
						case "and too few GPUs are left":
							at, mine := simtest.Saying(says, "on {0}").Args()[0].(model.TypeID), 0.0
							for _, tab := range shareTables(c) {
								for _, row := range tab.Rows {
									if row.Cells[0] == any(at) {
										mine = max(mine, row.Cells[5].(float64))
									}
								}
							}
							left := usable[at]
							for _, o := range d.Choices {
								typ, than := runsOn(o)
								if typ == at && than >= mine && (o.Other < 0 || o.Other > o.Job) {
									left -= simtest.HeldAfter(o)
								}
							}
							so = (left < size || lost) && simtest.Saying(says, "others come first").IsZero()
						case "{0} chooses first":
							_, due := runsOn(d.Of(says.Args()[0].(model.JobID)))
							so = due == 0
						case "when nobody could run":
							so = nobody
						default:
							for typ, n := range usable {
								rate := p.Tables[c.Job].Rate(model.TypeID(typ), size, model.OneNode)
								so = so && (n < size || rate <= 0)
							}
						}
						if !so {
							t.Errorf("%s, seed %d, round %d, j%d: %q of %v; %v in service, %v free", id, seed, round, c.Job+1,
								says.Pattern(), says.Args(), usable, free)
						}
					}
				}
				nobody = nobody || !slices.ContainsFunc(d.Choices, func(c *sim.Choice) bool { return len(c.Gangs) > 0 })
			})
		}
	}
	if t.Log(seen); len(seen) < 6 {
		t.Error(seen)
	}
}

// TestOfEqualPairsTheOtherJobDecides: where nobody came at the instant of another, no tie is between two that came
// together, also of two pairs of the same job and of a job alone and in a pair.
func TestOfEqualPairsTheOtherJobDecides(t *testing.T) {
	told := 0
	for seed := range uint64(200) {
		p := shareProblem(2*seed+1, "equal pairs", "gavel-packed")
		for i := range p.Jobs { // alike
			p.Jobs[i].Phases, p.Jobs[i].Shape, p.Jobs[i].Work = p.Jobs[0].Phases, p.Jobs[0].Shape, p.Jobs[0].Work
			p.Jobs[i].Arrive = unit.Tick(i)
		}
		simtest.EachDecision(t, p, "gavel-packed", nil, 12, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if tie := simtest.Saying(c.Says, "among equals"); c.Other >= 0 && !tie.IsZero() {
					if told++; strings.Contains(tie.Pattern(), "came together") {
						t.Errorf("seed %d, round %d: j%d with j%d: %q", seed, round, c.Job+1, c.Other+1, tie.Pattern())
					}
				}
			}
		})
	}
	if told == 0 {
		t.Error("no pair is told of a tie")
	}
}
