package queues_test

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestTiresiasSendsWhoWasStoppedToTheEnd: j1 joined the queue before j2 and was stopped by a fault after that, so that
// j2 goes first, as the measure says.
func TestTiresiasSendsWhoWasStoppedToTheEnd(t *testing.T) {
	p := simtest.Build(300, []simtest.Node{{"a": 1}}, []simtest.Job{simtest.PlainJob(0, 1, 5000),
		simtest.PlainJob(100, 1, 5000)},
		model.Costs{})
	p.Changes = []model.CapacityChange{{At: 400 * unit.Second, Slot: 0}, {At: 700 * unit.Second, Slot: 0, Cap: 1}}
	simtest.EachDecision(t, p, "tiresias", nil, 4, func(_ int, r *sim.Run, d *sim.Detail) {
		if r.Now() != 700*unit.Second {
			return
		}
		if simtest.HeldAfter(d.Of(1)) != 1 || simtest.Saying(d.Of(1).Says,
			"job goes first that joined it or was stopped first").IsZero() {
			t.Errorf("%+v", d.Of(1))
		}
		if title := d.Sections[len(d.Sections)-1].Title; simtest.Saying(title,
			"joined it or was stopped first").IsZero() {
			t.Error(title.Pattern())
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
			simtest.EachDecision(t, p, "tiresias", map[string]any{"order": order}, 1,
				func(_ int, r *sim.Run, d *sim.Detail) {
					for _, c := range d.Choices {
						if p.Jobs[c.Job].Arrive != r.Now() {
							return
						}
					}
					for _, c := range d.Choices {
						if !simtest.Saying(c.Says, "joined it").IsZero() {
							t.Errorf("seed %d, %s: all came at %v, and j%d is told %q", seed, order, r.Now(), c.Job+1,
								c.Says.Pattern())
						}
						if !simtest.Saying(c.Says, "listed first").IsZero() {
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
		simtest.EachDecision(t, p, "yarn-cs", map[string]any{"backfill": true}, 10,
			func(round int, _ *sim.Run, d *sim.Detail) {
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
					says := simtest.Saying(c.Says, "of one type on one node")
					if says.IsZero() {
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
					if says.Args()[0] != size || says.Args()[1] != all || says.Args()[2] != most || most >= size {
						t.Errorf("seed %d, round %d: %q of %v, and %d are free, %d on one node",
							seed, round, says.Pattern(), says.Args(), all, most)
					}
				}
			})
	}
	if seen == 0 {
		t.Error("nobody waits so")
	}
}

// TestYARNTakesWholeNodes: of nodes of 3, and of 2 and 2 in another rack, a job of four gets none, for the largest size
// is 3 and no node is left in that rack for the rest; it is told so. With 2 and 2 alone it starts at once.
func TestYARNTakesWholeNodes(t *testing.T) {
	for third, waits := range map[string]bool{`,{"id":"n3","rack":"r2","gpus":{"v100":3}}`: true, "": false} {
		p := simtest.Written(t, `"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}},
{"id":"n2","rack":"r1","gpus":{"v100":2}}`+third+`]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
"jobs":[{"id":"j","model":"m","gpus":4,"steps":400}]`)
		simtest.EachDecision(t, p, "yarn-cs", nil, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
			if told := !simtest.Saying(d.Of(0).Says, "idle nodes of the largest size").IsZero(); told != waits ||
				(simtest.HeldAfter(d.Of(0)) == 0) != waits {
				t.Errorf("third node %q: it is told %q", third, d.Of(0).Says.Pattern())
			}
		})
	}
}

// TestQueuesSayWhyWhoComesFirstWaits: who runs at a place behind one who waits is said not to be stopped where nobody
// is, and where its GPUs could be taken the waiting job is told what there would be with them.
func TestQueuesSayWhyWhoComesFirstWaits(t *testing.T) {
	seen := map[string]int{}
	for _, id := range []string{"fifo", "sjf", "yarn-cs", "las", "srtf", "tiresias", "gittins"} {
		takes := id == "las" || id == "srtf" || id == "tiresias" || id == "gittins"
		for seed := range uint64(60) {
			p := simtest.Random(unit.Stream(seed, "first waits"))
			for s := range p.Cluster.Slots { // half of the GPUs fail, so that some gangs find too few
				p.Changes = append(p.Changes, model.CapacityChange{At: unit.Tick(seed+1) * 100 * unit.Second,
					Slot: model.SlotID(s), Cap: p.Cluster.Slots[s].Cap / 2})
			}
			simtest.EachDecision(t, p, id, nil, 8, func(round int, r *sim.Run, d *sim.Detail) {
				_, free := simtest.IdleGPUs(p, r.Now(), d)
				rows := d.Sections[len(d.Sections)-1].Table.Rows
				waits, behind := 0, int32(0)
				for _, row := range rows {
					behind += simtest.HeldAfter(d.Of(row.Cells[0].(model.JobID)))
				}
				for _, n := range free {
					behind += n
				}
				for _, row := range rows {
					c := d.Of(row.Cells[0].(model.JobID))
					behind -= simtest.HeldAfter(c)
					more := simtest.Saying(c.Says, "those of the jobs behind it")
					switch {
					case takes && !more.IsZero() && len(more.Args()) > 1:
						seen["there would be"]++
						if got := more.Args()[1].(int32); got != behind || got >= p.Jobs[c.Job].Shape.Size {
							t.Errorf("%s, seed %d, round %d: j%d would find %d GPUs, and is told %d", id, seed, round,
								c.Job+1, behind, got)
						}
					case takes && !more.IsZero():
						if behind < p.Jobs[c.Job].Shape.Size {
							t.Errorf("%s, seed %d, round %d: j%d would find %d GPUs", id, seed, round, c.Job+1, behind)
						}
					case !takes && c.Action == trace.Kept && waits > 0:
						if seen["is not stopped"]++; simtest.Saying(c.Says, "who runs is not stopped").IsZero() {
							t.Errorf("%s, seed %d, round %d: %q of j%d, before which %d wait", id, seed, round,
								c.Says.Pattern(), c.Job+1, waits)
						}
					}
					if len(c.Gangs) == 0 {
						waits++
					}
				}
			})
		}
	}
	if seen["there would be"] == 0 || seen["is not stopped"] == 0 {
		t.Errorf("%v", seen)
	}
}

// TestYARNSaysWhichNodesWillDo: a job is told that it needs one node only where no type could give it several, that it
// needs several only where no node of a type that it can use has as many, and else both.
func TestYARNSaysWhichNodesWillDo(t *testing.T) {
	seen := map[[2]bool]int{}
	for seed := range uint64(800) {
		p := simtest.Random(unit.Stream(seed, "which nodes"))
		simtest.EachDecision(t, p, "yarn-cs", nil, 10, func(round int, r *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				one := !simtest.Saying(c.Says, "on one node").IsZero()
				rack := !simtest.Saying(c.Says, "in one rack").IsZero()
				if !one && !rack {
					continue
				}
				seen[[2]bool{one, rack}]++
				can, several := false, false
				for typ := range p.Cluster.Types {
					size, id, node, all := p.Jobs[c.Job].Shape.Size, model.TypeID(typ), int32(0), int32(0)
					for s, n := range simtest.InService(p, r.Now()) {
						if p.Cluster.Slots[s].Type == id {
							node, all = max(node, n), all+n
						}
					}
					if p.Tables[c.Job].Rate(id, size, model.OneNode) > 0 {
						can, several = can || node >= size, several || node < size && all >= size
					}
				}
				if can != one || several != rack {
					t.Errorf("seed %d, round %d, j%d: %q, and one node may hold it: %v, several: %v", seed, round, c.Job+1,
						c.Says.Pattern(), can, several)
				}
			}
		})
	}
	if len(seen) < 3 {
		t.Errorf("%v", seen)
	}
}

// TestYARNSaysWhenAnyNodesWillDo: where a job waits for GPUs together, and any nodes will do after a while, it is told
// when, and from then on it is not told that it needs them together.
func TestYARNSaysWhenAnyNodesWillDo(t *testing.T) {
	told, later := 0, 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "any nodes"))
		simtest.EachDecision(t, p, "yarn-cs", map[string]any{"relax_s": 500.0}, 12,
			func(round int, r *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					left := p.Jobs[c.Job].Arrive + 500*unit.Second - r.Now()
					when := simtest.Saying(c.Says, "any nodes of one type will do")
					together := !simtest.Saying(c.Says, "on one node").IsZero() ||
						!simtest.Saying(c.Says, "in one rack").IsZero()
					switch {
					case together != !when.IsZero() || together && when.Args()[1] != any(sim.Seconds(left.Seconds())):
						t.Errorf("seed %d, round %d, j%d: %q of %v, in %v any nodes will do", seed, round, c.Job+1,
							c.Says.Pattern(), c.Says.Args(), left)
					case together && left <= 0:
						t.Errorf("seed %d, round %d, j%d: any nodes will do already", seed, round, c.Job+1)
					case together:
						told++
					case left <= 0 && len(c.Gangs) == 0:
						later++
					}
				}
			})
	}
	if told == 0 || later == 0 {
		t.Errorf("%d are told when, %d wait for any nodes", told, later)
	}
}
