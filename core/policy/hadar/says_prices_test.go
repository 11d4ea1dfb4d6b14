package hadar_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// Laws of what Hadar and HadarE say of prices, placements and bounds.

// ofTypes says whether a gang has GPUs of several types.
func ofTypes(p *model.Problem, gang []model.Shard) bool {
	for _, sh := range gang {
		if p.Cluster.Slots[sh.Slot].Type != p.Cluster.Slots[gang[0].Slot].Type {
			return true
		}
	}
	return false
}

// TestHadarSaysWhoWaitsForTheSlowest: gangs of several types are said to run at the pace of the slowest only where none
// of those that are weighed splits its batch by speed, and a job that is said to split it does.
func TestHadarSaysWhoWaitsForTheSlowest(t *testing.T) {
	splits, waits := 0, 0
	for seed := range uint64(400) {
		p := simtest.Random(unit.Stream(seed, "slowest"))
		for i := range p.Jobs {
			p.Jobs[i].Shape.Split = []*model.Split{{}, nil, nil}[(seed+uint64(i))%3]
		}
		simtest.EachDecision(t, p, "hadar", nil, 3, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				for _, s := range c.Sections {
					even, balanced := false, map[model.JobID]bool{}
					for _, w := range s.Weighed {
						j := w.Who.Args()[0].(model.JobID)
						if ofTypes(p, w.Who.Args()[1].([]model.Shard)) {
							even = even || p.Jobs[j].Shape.Split == nil
							balanced[j] = p.Jobs[j].Shape.Split != nil
						}
					}
					wrong := false
					switch {
					case !simtest.Saying(s.Note, "at the pace of the slowest").IsZero():
						waits++
						wrong = !even || len(balanced) > 1 && balanced[c.Job]
						for _, b := range balanced {
							wrong = wrong || b
						}
					case !simtest.Saying(s.Note, "none waits for the slowest").IsZero():
						splits++
						wrong = !balanced[c.Job]
						if says := simtest.Saying(s.Note, "none waits for the slowest"); len(says.Args()) > 0 {
							wrong = !balanced[says.Args()[0].(model.JobID)]
						}
					}
					if wrong {
						t.Errorf("seed %d, round %d, j%d: %q of %v", seed, round, c.Job+1, s.Note.Pattern(), s.Weighed)
					}
				}
			}
		})
	}
	if splits == 0 || waits == 0 {
		t.Errorf("%d split their batch, %d wait for the slowest", splits, waits)
	}
}

// TestHadarSaysOfOneTypeWhatLacks: a job whose GPUs must be of one type is told that there are too few of each only
// where there are; where there are enough they lie on nodes over which it has no speed.
func TestHadarSaysOfOneTypeWhatLacks(t *testing.T) {
	seen := map[bool]int{}
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "one type"))
		for i := range p.Jobs {
			tab := &p.Tables[i]
			for typ := range p.Cluster.Types {
				for n := int32(2); n <= tab.MaxSize() && (seed+uint64(i))%2 == 0; n++ {
					tab.Set(model.TypeID(typ), n, tab.Rate(model.TypeID(typ), n, model.OneNode), 0, 0)
				}
			}
		}
		simtest.EachDecision(t, p, "hadar", map[string]any{"homogeneous": true}, 2,
			func(round int, r *sim.Run, d *sim.Detail) {
				usable, _ := simtest.IdleGPUs(p, r.Now(), d)
				for _, c := range d.Choices {
					says := simtest.Saying(c.Says, "GPUs must be of one type")
					if says.IsZero() {
						continue
					}
					enough, size := false, p.Jobs[c.Job].Shape.Size
					for typ, n := range usable {
						enough = enough || n >= size && p.Tables[c.Job].Rate(model.TypeID(typ), size, model.OneNode) > 0
					}
					if seen[enough]++; enough == strings.Contains(says.Pattern(),
						"no type has {0} in service that it can use") {
						t.Errorf("seed %d, round %d, j%d needs %d: %q, in service %v", seed, round, c.Job+1, size,
							says.Pattern(), usable)
					}
				}
			})
	}
	if seen[false] == 0 || seen[true] == 0 {
		t.Error(seen)
	}
}

// TestHadarsBoundIsOfWhatIsBelieved: a run can be worth more than the bound of a decision where it is faster than the
// policy believes, or where a later phase is; so the bound says that it is one by the speeds of now and by belief.
func TestHadarsBoundIsOfWhatIsBelieved(t *testing.T) {
	wrong := simtest.Build(360, []simtest.Node{{"a": 64}}, []simtest.Job{
		{GPUs: 1, Steps: 3.6e6, Rates: map[string]float64{"a": 10}}}, model.Costs{})
	for i := range wrong.Tables {
		wrong.Know.Tables = append(wrong.Know.Tables, wrong.Tables[i].Scaled([]float64{0.4}))
	}
	phases := simtest.Build(360, []simtest.Node{{"a": 64}}, []simtest.Job{
		{GPUs: 1, Steps: 3.6e6, Rates: map[string]float64{"a": 10}}}, model.Costs{})
	phases.Tables = append(phases.Tables, phases.Tables[0].Scaled([]float64{4}))
	phases.Jobs[0].Phases = append(phases.Jobs[0].Phases, model.Phase{From: 36000, Tables: []int32{1}})
	simtest.EachDecision(t, phases, "hadar", nil, 1, func(_ int, r *sim.Run, d *sim.Detail) {
		row := simtest.Finish(t, phases, r).Jobs[0]
		for _, s := range d.Choices[0].Sections {
			for _, f := range s.Formula {
				if v, of := f.Args()[len(f.Args())-1].(sim.Digits); of && strings.HasPrefix(f.Pattern(), "best time") &&
					v.Value > (row.Finish-row.Arrive).Seconds() && !strings.Contains(f.Pattern(), "now") {
					t.Errorf("%q of %v, and it takes %v s", f.Pattern(), f.Args(), (row.Finish - row.Arrive).Seconds())
				}
			}
		}
	})
	for name, p := range map[string]*model.Problem{"belief": wrong, "phases": phases} {
		simtest.EachDecision(t, p, "hadar", map[string]any{"utility": "effective"}, 1,
			func(_ int, r *sim.Run, d *sim.Detail) {
				bound, _ := simtest.Valued(d, "dual_bound")
				row := simtest.Finish(t, p, r).Jobs[0]
				got := float64(p.Jobs[0].Work) / (row.Finish - row.Arrive).Seconds()
				if got <= bound {
					t.Fatalf("%s: the run is worth %v, the bound is %v: nothing to say", name, got, bound)
				}
				for _, s := range d.Sections {
					for _, k := range s.Terms {
						if k.Key == "dual_bound" && (!strings.Contains(k.Name, "believed") ||
							!strings.Contains(k.Name, "speeds of now") || !strings.Contains(k.Name, "present jobs")) {
							t.Errorf("%s: %q %v, and the run is worth %v", name, k.Name, k.Value, got)
						}
					}
				}
			})
	}
}

// TestNoBestTimeIsBeaten: a time that is called a job's best is not longer than the one beside it, unless it is said
// of one node, which copies beat.
func TestNoBestTimeIsBeaten(t *testing.T) {
	beaten := 0
	for seed := range uint64(200) {
		p := simtest.Random(unit.Stream(seed, "beaten"))
		for _, id := range []string{"hadar", "hadare"} {
			simtest.EachDecision(t, p, id, nil, 8, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, s := range c.Sections {
						for _, f := range s.Formula {
							if !strings.HasPrefix(f.Pattern(), "utility = best time") ||
								f.Args()[2].(sim.Digits).Value <= 1+1e-9 {
								continue
							}
							if beaten++; !strings.Contains(f.Pattern(), "on one node") {
								t.Errorf("%s, seed %d, round %d: j%d is worth %v", id, seed, round, c.Job+1, f.Args()[2])
							}
						}
					}
				}
			})
		}
	}
	if beaten == 0 {
		t.Error("no copies beat one node")
	}
}

// TestHadarsCurveSaysWhoPaysWhat: below a price curve a job that waits pays nothing, and a job pays one price for all
// of its GPUs only where they have one.
func TestHadarsCurveSaysWhoPaysWhat(t *testing.T) {
	waits, several := 0, 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "curve"))
		simtest.EachDecision(t, p, "hadar", map[string]any{"order": "arrival", "dp": "beam",
			"residual_pass": seed%2 > 0}, 3,
			func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					prices := map[float64]bool{}
					for _, s := range c.Sections {
						if s.Table != nil && !simtest.Saying(s.Table.Title, "Prices that {0} finds").IsZero() {
							for _, row := range s.Table.Rows {
								prices[row.Cells[2].(float64)] = true
							}
						}
					}
					for _, s := range c.Sections {
						if s.Curve == nil {
							continue
						}
						would := strings.Contains(s.Curve.Says.Pattern(), "would pay")
						all := !strings.Contains(s.Curve.Says.Pattern(), "dearest")
						if would != (len(c.Gangs) == 0) || all != (len(prices) == 1) {
							t.Errorf("seed %d, round %d, j%d on %v, at prices %v: %q", seed, round, c.Job+1, c.Gangs,
								prices, s.Curve.Says.Pattern())
						}
						if would {
							waits++
						}
						if !all {
							several++
						}
					}
				}
			})
	}
	if waits == 0 || several == 0 {
		t.Errorf("%d wait, %d find several prices", waits, several)
	}
}

// TestHadarsQueueStandsInItsOrder: the column by which jobs are said to be considered falls from row to row, and a job
// that fits nowhere gains nothing.
func TestHadarsQueueStandsInItsOrder(t *testing.T) {
	nowhere := 0
	for seed := range uint64(200) {
		p := simtest.Random(unit.Stream(seed, "queue"))
		for slot := range p.Cluster.Slots {
			if seed%3 > 0 {
				p.Changes = append(p.Changes, model.CapacityChange{At: 2 * p.Round, Slot: model.SlotID(slot)})
			}
		}
		for slot := range p.Cluster.Slots {
			if seed%3 > 0 {
				p.Changes = append(p.Changes, model.CapacityChange{At: 9 * p.Round, Slot: model.SlotID(slot),
					Cap: p.Cluster.Slots[slot].Cap})
			}
		}
		simtest.EachDecision(t, p, "hadar", map[string]any{"order": []string{"density", "lifetime_density"}[seed%2]}, 6,
			func(round int, r *sim.Run, d *sim.Detail) {
				last := math.Inf(1)
				usable, _ := simtest.IdleGPUs(p, r.Now(), d)
				all := int32(0)
				for _, n := range usable {
					all += n
				}
				for _, row := range d.Sections[0].Table.Rows {
					j, gain := row.Cells[0].(model.JobID), row.Cells[3].(float64)
					if gain > last+1e-9*math.Abs(last) {
						t.Errorf("seed %d, round %d: j%d gains %v a GPU and stands behind %v", seed, round, j+1, gain,
							last)
					}
					if last = gain; all < p.Jobs[j].Shape.Size {
						if nowhere++; gain != 0 {
							t.Errorf("seed %d, round %d: j%d gains %v where it fits nowhere", seed, round, j+1, gain)
						}
					}
				}
			})
	}
	if nowhere == 0 {
		t.Error("no job fits nowhere")
	}
}

// TestVerdictsOfPlacements: a placement that brings as much as the chosen one is not said to bring less or to be second
// best, none is second best where two bring more, and a placement is not compared with itself.
func TestVerdictsOfPlacements(t *testing.T) {
	seen := map[string]int{}
	for _, c := range []struct {
		id     string
		params map[string]any
	}{{"hadar", nil}, {"hadar", map[string]any{"residual_pass": false, "order": "id", "dp": "beam", "beam": 256.0}},
		{"hadare", nil}, {"hadare", map[string]any{"copy": "node"}}} {
		for seed := range uint64(300) {
			p := simtest.Random(unit.Stream(seed, "verdicts"))
			simtest.EachDecision(t, p, c.id, c.params, 3, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, ch := range d.Choices {
					for _, s := range ch.Sections {
						if s.Table == nil || s.Table.Key != "candidates" || s.Table.Columns[4].Name != "Gain" {
							continue
						}
						verdictsOf(t, c.id, seed, round, ch, s.Table, seen)
					}
				}
			})
		}
	}
	t.Log(seen)
	for _, words := range []string{"second best", "equal payoff", "lower payoff", "left out by the search"} {
		if seen[words] == 0 {
			t.Errorf("no placement is %q", words)
		}
	}
}

// verdictsOf checks the verdicts of one table.
func verdictsOf(t *testing.T, id string, seed uint64, round int, c *sim.Choice, tab *sim.Table, seen map[string]int) {
	t.Helper()
	var chosen *sim.Row
	payoff := func(r *sim.Row) float64 { // NaN where there is no price
		v, ok := r.Cells[4].(float64)
		if !ok {
			return math.NaN()
		}
		return v
	}
	for i := range tab.Rows {
		if tab.Rows[i].Chosen {
			chosen = &tab.Rows[i]
		}
	}
	for i := range tab.Rows {
		r := &tab.Rows[i]
		if r.Chosen || r.Verdict.IsZero() {
			continue
		}
		says, mine, better := r.Verdict.Pattern(), payoff(r), 0
		seen[says]++
		for k := range tab.Rows {
			if payoff(&tab.Rows[k]) > mine+1e-9*math.Abs(mine) {
				better++
			}
		}
		wrong := false
		switch says {
		case "second best":
			wrong = chosen == nil || mine >= payoff(chosen) || better > 1
		case "lower payoff":
			wrong = chosen != nil && mine >= payoff(chosen)*(1-1e-9)
		case "equal payoff":
			wrong = i == 0 && chosen == nil || chosen != nil && math.Abs(mine-payoff(chosen)) > 1e-8*math.Abs(mine)
		}
		if wrong {
			t.Errorf("%s, seed %d, round %d, j%d: row %d of payoff %v is %q, and %d are better", id, seed, round,
				c.Job+1, i, mine, says, better)
		}
	}
}

// TestHadarsIdlingIsOfJobsThatFit: where no GPU may stand idle beside a waiting job, jobs may wait beside idle GPUs
// that do not fit them; it is said of those that fit.
func TestHadarsIdlingIsOfJobsThatFit(t *testing.T) {
	said, beside := 0, 0
	for seed := range uint64(400) {
		p := simtest.Random(unit.Stream(seed, "idling"))
		simtest.EachDecision(t, p, "hadar", map[string]any{"work_conserving": true}, 3,
			func(round int, r *sim.Run, d *sim.Detail) {
				_, free := simtest.IdleGPUs(p, r.Now(), d)
				waits, all := false, int32(0)
				for _, n := range free {
					all += n
				}
				for _, c := range d.Choices {
					waits = waits || len(c.Gangs) == 0
				}
				if waits && all > 0 {
					beside++
				}
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "stand idle"); !says.IsZero() {
						if said++; !strings.Contains(says.Pattern(), "fit") {
							t.Errorf("seed %d, round %d, j%d: %q", seed, round, c.Job+1, says.Pattern())
						}
					}
				}
			})
	}
	if said == 0 || beside == 0 {
		t.Errorf("%d are told so, and in %d rounds a job waits beside idle GPUs", said, beside)
	}
}

// TestHadarSaysARound: what a placement is said to be worth or to cost is said to be that of a round, or to the end,
// since a round's worth is that of all rounds over their number.
func TestHadarSaysARound(t *testing.T) {
	seen := 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "a round"))
		for _, params := range []map[string]any{{"dp": "greedy"}, {"residual_pass": false, "order": "id", "dp": "beam"},
			{"residual_pass": false, "order": "id", "dp": "beam", "dp_value": "lifetime"}} {
			simtest.EachDecision(t, p, "hadar", params, 2, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if c.Says.IsZero() || simtest.Saying(c.Says, "worth").IsZero() {
						continue
					}
					words := "a round"
					if params["dp_value"] != nil {
						words = "to finish"
					}
					if seen++; simtest.Saying(c.Says, words).IsZero() {
						t.Errorf("seed %d, round %d, j%d, %v: %q", seed, round, c.Job+1, params, c.Says.Pattern())
					}
				}
			})
		}
	}
	if seen == 0 {
		t.Error("nothing is worth anything")
	}
}

// TestHadarENamesWhoIsInTheWay: a placement of phase 1 that is said to go to another job goes to one that phase 1 has
// put there, where there is one, and of several that alone make room to the one to whom a round there is worth least;
// and what does not fit behind those that are there has no price.
func TestHadarENamesWhoIsInTheWay(t *testing.T) {
	goes, priced := 0, 0
	for seed := range uint64(400) {
		p := simtest.Random(unit.Stream(seed, "in the way"))
		simtest.EachDecision(t, p, "hadare", nil, 3, func(round int, r *sim.Run, d *sim.Detail) {
			first, worth := map[model.SlotID]map[model.JobID]int32{}, map[model.JobID]float64{}
			for _, c := range d.Choices {
				for _, s := range c.Sections {
					if s.Table != nil && s.Table.Key == "candidates" && s.Table.Columns[4].Name == "Gain" {
						for _, row := range s.Table.Rows {
							if row.Chosen {
								worth[c.Job] = row.Cells[2].(float64)
							}
						}
					}
				}
				for _, row := range simtest.Rows(c.Sections, "copies") {
					sh := row[""].([]model.Shard)[0]
					if row["phase"] == 1 {
						if first[sh.Slot] == nil {
							first[sh.Slot] = map[model.JobID]int32{}
						}
						first[sh.Slot][c.Job] = sh.N
					}
				}
			}
			capacity := simtest.InService(p, r.Now())
			for _, c := range d.Choices {
				for _, s := range c.Sections {
					if s.Table == nil || s.Table.Key != "candidates" || s.Table.Columns[4].Name != "Gain" {
						continue
					}
					for _, row := range s.Table.Rows {
						sh := row.Cells[0].(sim.Noted).Cell.([]model.Shard)[0]
						says := simtest.Saying(row.Verdict, "goes to {0}")
						if !says.IsZero() && len(first[sh.Slot]) > 0 {
							if goes++; first[sh.Slot][says.Args()[0].(model.JobID)] == 0 {
								t.Errorf("seed %d, round %d, j%d: %v goes to j%d, and phase 1 has put %v there", seed,
									round,
									c.Job+1, sh, says.Args()[0].(model.JobID)+1, first[sh.Slot])
							}
							free := capacity[sh.Slot]
							for _, n := range first[sh.Slot] {
								free -= n
							}
							k := says.Args()[0].(model.JobID)
							for j, n := range first[sh.Slot] {
								if j != c.Job && free+n >= sh.N && worth[j] < worth[k] {
									t.Errorf("seed %d, round %d, j%d: %v goes to j%d, and is worth less to j%d", seed,
										round, c.Job+1, sh, k+1, j+1)
								}
							}
						}
						left := capacity[sh.Slot]
						for j, n := range first[sh.Slot] {
							if j != c.Job {
								left -= n
							}
						}
						if left < sh.N {
							if priced++; row.Cells[3] != nil || row.Cells[7] != nil {
								t.Errorf("seed %d, round %d, j%d: %v has a price where %d are left", seed, round,
									c.Job+1, sh, left)
							}
						}
					}
				}
			}
		})
	}
	if goes == 0 || priced == 0 {
		t.Errorf("%d go to others, %d do not fit", goes, priced)
	}
}

// TestHadarEPricesNodes: where a copy has its node to itself, the price in the table is of a node.
func TestHadarEPricesNodes(t *testing.T) {
	for copies, of := range map[string]string{"node": "Price of the node", "request": "Price of a GPU"} {
		p := lone(model.Costs{}, simtest.Job{GPUs: 1, Steps: 1e5, Rates: rates(6, 5, 3, 2, 1)})
		simtest.EachDecision(t, p, "hadare", map[string]any{"copy": copies}, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
			tab := d.Sections[0].Table
			if got := tab.Columns[len(tab.Columns)-1].Name; got != of {
				t.Errorf("under %s the column is named %q", copies, got)
			}
		})
	}
}

// TestHadarESaysWhatTellsEqualsApart: of two jobs to which a round on a node is worth as much, and of which one gets it
// with fewer or more GPUs, that is said.
func TestHadarESaysWhatTellsEqualsApart(t *testing.T) {
	seen := 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "equals"))
		simtest.EachDecision(t, p, "hadare", nil, 3, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				says := simtest.Saying(c.Says, "which gets it")
				if says.IsZero() || !strings.HasPrefix(says.Pattern(), "a round on {0} is worth {1} to {2}") {
					continue
				}
				theirs, mine := says.Args()[1].(sim.Worth), says.Args()[3].(sim.Worth)
				rival := says.Args()[2].(model.JobID)
				sizes := [2]int32{}
				for i, j := range []model.JobID{c.Job, rival} {
					for _, s := range d.Of(j).Sections {
						if s.Table == nil || s.Table.Key != "candidates" || s.Table.Columns[4].Name != "Gain" {
							continue
						}
						for _, row := range s.Table.Rows {
							sh := row.Cells[0].(sim.Noted).Cell.([]model.Shard)[0]
							node := says.Args()[0].(model.NodeID)
							if p.Cluster.Slots[sh.Slot].Node == node && (i == 0 || row.Chosen) {
								sizes[i] = max(sizes[i], sh.N)
							}
						}
					}
				}
				equal := math.Abs(float64(theirs-mine)) <= 1e-9*math.Abs(float64(theirs))
				if equal && sizes[0] != sizes[1] {
					if seen++; !strings.Contains(says.Pattern(), "as much to {4}, which needs {6}") {
						t.Errorf("seed %d, round %d: j%d with %d GPUs, j%d with %d: %q of %v", seed, round, c.Job+1,
							sizes[0],
							rival+1, sizes[1], says.Pattern(), says.Args())
					}
				}
			}
		})
	}
	if seen == 0 {
		t.Error("no equals")
	}
}
