package policy_test

import (
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// fitted gives jobs one GPU each where a policy needs that, and says whether it then has all that it needs.
func fitted(s *policy.Spec, p *model.Problem) bool {
	if s.Needs.SingleGPU {
		for i := range p.Jobs {
			p.Jobs[i].Shape.Size, p.Jobs[i].Shape.Min, p.Jobs[i].Shape.Max = 1, 1, 1
		}
	}
	return s.Unmet(p) == nil
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
				simtest.EachDecision(t, p, s.ID, params, 12, func(round int, r *sim.Run, d *sim.Detail) {
					if r.Now() < from || r.Now() >= to {
						return
					}
					for _, c := range d.Choices {
						for _, x := range simtest.Texts(c.Says) {
							seen++
							for _, words := range []string{"have the GPUs", "lease", "other jobs", "another job",
								"gets it", "leaves too few", "at least {1} are left"} {
								if strings.Contains(x.Pattern(), words) {
									t.Errorf("%s, seed %d, round %d: %q", s.ID, seed, round, x.Pattern())
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
			simtest.EachDecision(t, p, s.ID, nil, 6, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, x := range simtest.Texts(c.Says) {
						says := x.Pattern()
						if !strings.Contains(says, "among equals") && (strings.Contains(says, "came first") ||
							strings.Contains(says, "came earlier")) {
							t.Errorf("%s, seed %d, round %d: %q", s.ID, seed, round, x.Pattern())
						}
					}
				}
			})
		}
	}
}

// beyond says whether a job is fastest, on one node or two, only on types of which the cluster has fewer GPUs than it
// asks for.
func beyond(p *model.Problem, j model.JobID, spread bool) (far bool) {
	size, best := p.Jobs[j].Shape.Size, unit.Rate(0)
	for i := range p.Cluster.Types {
		typ := model.TypeID(i)
		r := p.Tables[j].Rate(typ, size, model.OneNode)
		if spread && size > 1 && len(p.Cluster.Nodes) > 1 && r > 0 {
			r = max(r, p.Tables[j].Rate(typ, size, model.OneRack))
		}
		switch few := p.Cluster.Count(typ) < size; {
		case r > best:
			best, far = r, few
		case r == best:
			far = far && few
		}
	}
	return far
}

// TestBestSpeedsOutOfReachAreSaid: where a job is fastest on more GPUs of a type than the cluster has, whatever is
// reckoned from its best speed says so, and nowhere else.
func TestBestSpeedsOutOfReachAreSaid(t *testing.T) {
	for _, id := range []string{"hadar", "srtf", "sjf", "gittins", "a-srpt", "themis"} {
		seen := map[bool]int{}
		for seed := range uint64(200) {
			p := simtest.Random(unit.Stream(seed, "reach"))
			simtest.EachDecision(t, p, id, nil, 3, func(round int, _ *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					for _, s := range c.Sections {
						j := c.Job
						if strings.HasPrefix(s.Title.Pattern(), "In numbers: ") { // of a rival, too
							j = s.Title.Args()[0].(model.JobID)
						}
						far, told, uses := beyond(p, j, id == "hadar"), false, false
						for _, f := range s.Formula {
							told = told || !simtest.Saying(f, "best speed is that on").IsZero()
							uses = uses || strings.Contains(f.Pattern(), "÷ best speed")
						}
						if uses {
							seen[far]++
						}
						if told != (far && uses) {
							t.Errorf("%s, seed %d, round %d: j%d is told %v of a best speed out of reach, %v", id, seed,
								round, j+1, told, far)
						}
					}
				}
			})
		}
		if seen[false] == 0 || seen[true] == 0 {
			t.Errorf("%s: %v", id, seen)
		}
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
				p = simtest.RandomElastic(seed, "room")
			}
			if at := model.SlotID(seed % uint64(len(p.Cluster.Slots))); seed%3 == 0 {
				p.Changes = []model.CapacityChange{{At: p.Round, Slot: at}, {At: 9 * p.Round, Slot: at,
					Cap: p.Cluster.Slots[at].Cap}}
			}
			simtest.EachDecision(t, p, id, nil, 12, func(round int, r *sim.Run, d *sim.Detail) {
				usable, free := simtest.IdleGPUs(p, r.Now(), d)
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
						"no GPU that it can use", "the least that those let in there"} {
						says := simtest.Saying(c.Says, words)
						if says.IsZero() {
							continue
						}
						seen[words]++
						wrong := false
						switch words {
						case "cannot use these together":
							wrong = all >= size && most < size && holds
						case "types are mixed only":
							wrong = all < size || most >= size || !holds || says.Args()[1] != all ||
								says.Args()[2] != most
						case "has room left for":
							wrong = !can || most >= size && id == "hadare" && nodeHolds(p, r.Now(), d, c.Job)
						case "no GPU that it can use":
							wrong = can
						case "the least that those let in there":
							wrong = says.Args()[1].(int32) >= says.Args()[0].(int32) ||
								usable[says.Args()[2].(model.TypeID)] < says.Args()[0].(int32)
						}
						if wrong {
							t.Errorf("%s, seed %d, round %d, j%d: %q of %v; it needs %d, of its types %d are free, %d of one",
								id, seed, round, c.Job+1, says.Pattern(), says.Args(), size, all, most)
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
	free := simtest.InService(p, now)
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

// TestNoTimeWithoutEnd: of a job whose gang has a speed over several nodes only, nobody gives a time or a fairness that
// stands for having none.
func TestNoTimeWithoutEnd(t *testing.T) {
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"v100":2}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1},"gang":{"v100":{"2":0}},"spread":{"v100":{"2":1.5}}},
{"model":"k","per_gpu":{"v100":1}}]},"jobs":[{"id":"x","model":"m","gpus":2,"steps":3000},
{"id":"y","model":"k","gpus":1,"steps":3000}]`)
	big := func(a any) bool {
		switch v := a.(type) {
		case float64:
			return v > 1e11
		case sim.Seconds:
			return v > 1e11
		case sim.Instant:
			return v > 1e11
		case sim.Digits:
			return v.Value > 1e11
		}
		return false
	}
	for _, id := range []string{"fifo", "sjf", "srtf", "las", "themis", "a-srpt", "gittins", "tiresias", "yarn-cs"} {
		simtest.EachDecision(t, p, id, nil, 2, func(round int, _ *sim.Run, d *sim.Detail) {
			var all []words.Text
			sections := d.Sections
			for _, c := range d.Choices {
				all, sections = append(all, simtest.Texts(c.Says)...), append(sections, c.Sections...)
				if c.Job == 0 && len(c.Gangs) == 0 && !simtest.Saying(c.Says, "cannot use these together").IsZero() {
					t.Errorf("%s: %q, though two nodes together run it", id, c.Says.Pattern())
				}
			}
			for _, s := range sections {
				for _, f := range s.Formula {
					all = append(all, simtest.Texts(f)...)
				}
				for _, x := range s.Terms {
					if big(x.Value) {
						t.Errorf("%s, round %d: %s is %v", id, round, x.Name, x.Value)
					}
				}
				if s.Table != nil {
					for _, row := range s.Table.Rows {
						for _, cell := range row.Cells {
							if big(cell) {
								t.Errorf("%s, round %d: a cell of %v", id, round, cell)
							}
						}
					}
				}
			}
			for _, x := range all {
				for _, a := range x.Args() {
					if big(a) {
						t.Errorf("%s, round %d: %q of %v", id, round, x.Pattern(), a)
					}
				}
			}
		})
	}
}

// TestOthersMayBeCloserOrFaster: a sentence that compares free GPUs with others names these. Dally's closest ones may
// be the slower, A-SRPT lets closer ones of a slower type be, and a GPU that is a job's own under AlloX may be out of
// service.
func TestOthersMayBeCloserOrFaster(t *testing.T) {
	for _, c := range []struct {
		policy, scenario string
		job              model.JobID
		words            string
		slower           float64
	}{
		{"dally", `"cluster":{"nodes":[{"id":"a","gpus":{"k80":4}},{"id":"b","gpus":{"v100":2}},
{"id":"c","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"k80":1,"v100":10}}]},"jobs":[
{"id":"h","model":"m","gpus":4,"steps":40000},{"id":"j","model":"m","gpus":4,"steps":40000,"arrival_s":10}]`,
			1, "as long as on the closest GPUs it could have", 0.1},
		{"a-srpt", `"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"v100":1}},
{"id":"c","gpus":{"v100":2}},{"id":"d","gpus":{"k80":2}}]},"throughputs":{"rows":[{"model":"m",
"per_gpu":{"k80":2,"v100":10},"spread":{"v100":{"2":10}}}]},"jobs":[{"id":"h","model":"m","gpus":2,"steps":40000},
{"id":"j","model":"m","gpus":2,"steps":40000,"arrival_s":10}]`,
			1, "as long as on GPUs of that type close together", 2},
		{"allox", `"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"k80":1}}]},"throughputs":
{"rows":[{"model":"m","per_gpu":{"k80":1,"v100":2}}]},"jobs":[{"id":"j","model":"m","gpus":1,"steps":3000,
"arrival_s":10}],
"faults":[{"node":"a","at_s":50}]`,
			0, "is its own, but none is in service", 0},
	} {
		said := false
		simtest.EachDecision(t, simtest.Written(t, c.scenario), c.policy, nil, 3,
			func(round int, _ *sim.Run, d *sim.Detail) {
				for i := range d.Choices {
					s := simtest.Saying(d.Choices[i].Says, c.words)
					if s.IsZero() || d.Choices[i].Job != c.job {
						continue
					}
					if said = true; c.slower > 0 {
						simtest.Near(t, c.policy+": "+s.Pattern(), s.Args()[1].(sim.Fixed).Value, c.slower, 1e-9)
					}
				}
			})
		if !said {
			t.Errorf("%s did not say %q", c.policy, c.words)
		}
	}
}
