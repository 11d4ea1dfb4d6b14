package hadar_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/primaldual"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// What explanations say is held here to the decisions that they explain, as laws over random scenarios.

// offered is a placement as the table of a job has it.
type offered struct {
	gang            []model.Shard
	utility, rounds float64
}

// placements are those that a decision lists for a job: the one chosen, and the one that it would have of others.
func placements(c *sim.Choice) (chosen, lost *offered) {
	for _, s := range c.Sections {
		if s.Table == nil || s.Table.Key != "candidates" {
			continue
		}
		for _, r := range s.Table.Rows {
			goes := !simtest.Saying(r.Verdict, "needs GPUs that go to {0}").IsZero() ||
				!simtest.Saying(r.Verdict, "goes to {0}, to which").IsZero()
			if !goes && !r.Chosen {
				continue
			}
			o := &offered{r.Cells[0].(sim.Noted).Cell.([]model.Shard), r.Cells[5].(float64),
				float64(r.Cells[8].(int64))}
			if lost = o; r.Chosen {
				chosen, lost = o, nil
			}
		}
	}
	return chosen, lost
}

// TestHadarSaysWhatAnExchangeDoes: where a waiting job is told that all placements together bring no less with another
// there, to exchange the two in the decision does not raise the sum of the gains, and where it is told that the sum
// would be larger, it does. The sum is added up here from the order, the prices and the worth of each placement.
func TestHadarSaysWhatAnExchangeDoes(t *testing.T) {
	no, more := 0, 0
	for seed := range uint64(1500) {
		p := simtest.Random(unit.Stream(seed, "exchange"))
		dp := []string{"greedy", "beam", "auto"}[seed%3]
		params := map[string]any{"dp": dp, "residual_pass": false}
		if seed%2 > 0 {
			params["order"] = "arrival"
		}
		simtest.EachDecision(t, p, "hadar", params, 3, func(round int, _ *sim.Run, d *sim.Detail) {
			sum := func(without, with model.JobID, gang *offered) (sum float64) {
				used := make([]int32, len(p.Cluster.Slots))
				for _, j := range d.Order {
					o, _ := placements(d.Of(j))
					if j == with {
						o = gang
					}
					if o == nil || j == without {
						continue
					}
					sum += o.utility / o.rounds
					for _, sh := range o.gang {
						slot := p.Cluster.Slots[sh.Slot]
						low, _ := simtest.Valued(d, "constants/u_min/"+p.Cluster.Types[slot.Type].Name)
						high, _ := simtest.Valued(d, "constants/u_max/"+p.Cluster.Types[slot.Type].Name)
						sum -= float64(sh.N) * primaldual.Price(low, high, used[sh.Slot], slot.Cap)
					}
					for _, sh := range o.gang {
						used[sh.Slot] += sh.N
					}
				}
				return sum
			}
			total, _ := simtest.Valued(d, "total_payoff")
			as := sum(model.None, model.None, nil)
			simtest.Near(t, "the sum of the gains", as, total, 1e-9*math.Abs(total)+1e-12)
			for _, c := range d.Choices {
				_, lost := placements(c)
				less := simtest.Saying(c.Says, "bring no less with {2} there")
				larger := simtest.Saying(c.Says, "make the sum of all gains larger")
				if less.IsZero() && larger.IsZero() {
					continue
				}
				says := less
				if !larger.IsZero() {
					says, more = larger, more+1
				} else {
					no++
				}
				rival := says.Args()[2].(model.JobID)
				with := sum(rival, c.Job, lost)
				if tiny := 1e-9 * math.Abs(as); !less.IsZero() && with > as+tiny || !larger.IsZero() && with < as-tiny {
					t.Errorf("seed %d, round %d, %s: %q of j%d and j%d, and the sum goes from %v to %v",
						seed, round, dp, says.Pattern(), c.Job+1, rival+1, as, with)
				}
			}
		})
	}
	if no == 0 || more == 0 {
		t.Errorf("%d and %d such sentences", no, more)
	}
	t.Logf("%d times no more, %d times more", no, more)
}

// TestHadarEOutdoesByWorth: a waiting job to which a node is worth more than to the one that has it is told so where
// gangs differ in size, and there is none where all are equal.
func TestHadarEOutdoesByWorth(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "outdone"))
		equal := seed%3 == 0
		for i := range p.Jobs {
			if equal {
				p.Jobs[i].Shape.Size, p.Jobs[i].Shape.Min, p.Jobs[i].Shape.Max = 1, 1, 1
			}
		}
		simtest.EachDecision(t, p, "hadare", nil, 3, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				for words, places := range map[string][2]int{
					"which gets it, and {3} to {4}":        {1, 3},
					"not all ways to place them":           {2, 1},
					"which gets it, and would add {3}":     {1, 3},
					"{2} for each GPU, and adds {3} for":   {3, 2},
					"what phase 1 left there is too littl": {-1, 0},
				} {
					says := simtest.Saying(c.Says, words)
					if says.IsZero() {
						continue
					}
					seen[words]++
					if words == "not all ways to place them" {
						of := says.Args()
						if theirs, mine := of[2].(sim.Worth), of[1].(sim.Worth); equal || mine <= theirs {
							t.Errorf("seed %d, round %d, gangs equal: %v: %q of %v",
								seed, round, equal, says.Pattern(), says.Args())
						}
					} else if places[0] >= 0 {
						more, less := says.Args()[places[0]].(sim.Worth), says.Args()[places[1]].(sim.Worth)
						if float64(more) < float64(less)*(1-1e-8) {
							t.Errorf("seed %d, round %d: %q of %v", seed, round, says.Pattern(), says.Args())
						}
					}
				}
			}
		})
	}
	t.Log(seen)
	if seen["not all ways to place them"] == 0 || seen["which gets it, and {3} to {4}"] == 0 {
		t.Error(seen)
	}
}

// TestHadarsBoundIsOne: with all jobs there at the start, what ends by the horizon is worth no more than the bound that
// the first decision names, whatever decides, and with gangs of one type or GPUs out of service as else.
func TestHadarsBoundIsOne(t *testing.T) {
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "dual"))
		most := 0.0
		for i := range p.Jobs {
			p.Jobs[i].Arrive = 0
		}
		if seed%3 == 0 && len(p.Cluster.Nodes) > 1 {
			p.Changes = []model.CapacityChange{{Slot: 0}, {At: 20 * p.Round, Slot: 0, Cap: p.Cluster.Slots[0].Cap}}
		}
		bound, until := math.Inf(1), 0.0
		for _, params := range []map[string]any{nil, {"dp": "greedy", "order": "arrival"}, {"comm": "none"},
			{"type_bounds": true}, {"homogeneous": true}, {"work_conserving": true}} {
			simtest.EachDecision(t, p, "hadar", params, 1, func(_ int, r *sim.Run, d *sim.Detail) {
				v, _ := simtest.Valued(d, "dual_bound")
				if v < bound {
					bound = v
					until, _ = simtest.Valued(d, "constants/horizon_s")
				}
				got := 0.0
				for i, row := range simtest.Finish(t, p, r).Jobs {
					if row.Finish < 0 || row.Finish.Seconds() > until {
						continue
					}
					best := 0.0
					for typ := range p.Cluster.Types {
						r := p.Tables[i].Rate(model.TypeID(typ), p.Jobs[i].Shape.Size, model.OneNode)
						best = max(best, float64(r))
					}
					least, lasts := float64(p.Jobs[i].Work)/best, (row.Finish - row.Arrive).Seconds()
					got += max(least, p.Round.Seconds()) / max(lasts, p.Round.Seconds())
				}
				if most = max(most, got/bound); got > bound*(1+1e-9) {
					t.Errorf("seed %d, %v: the run is worth %v, and the bound is %v", seed, params, got, bound)
				}
			})
		}
	}
}

// TestHadarSaysWhatARoundCosts: where a round alone is charged, what a placement is said to cost is its price spread
// over the rounds, and the price is what is charged.
func TestHadarSaysWhatARoundCosts(t *testing.T) {
	seen := 0
	for seed := range uint64(80) {
		p := simtest.Random(unit.Stream(seed, "round cost"))
		simtest.EachDecision(t, p, "hadar", map[string]any{"cost": "round"}, 4,
			func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "costs"); !says.IsZero() {
						t.Errorf("seed %d, round %d: %q", seed, round, says.Pattern())
					}
					says := simtest.Saying(c.Says, "spread over {0} rounds")
					if says.IsZero() {
						continue
					}
					seen++
					price := says.Args()[1].(sim.Worth)
					each, rounds := float64(says.Args()[2].(sim.Worth)), float64(says.Args()[0].(int))
					simtest.Near(t, "spread", each*rounds, float64(price), 1e-12)
					for _, s := range c.Sections {
						for _, k := range s.Terms {
							if k.Key == "cost" { // which is charged
								simtest.Near(t, "price", k.Value, float64(price), 1e-12)
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
