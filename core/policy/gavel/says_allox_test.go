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

// TestAlloXSaysWhoseGPUItRunsOn: a job with a GPU of its own that runs elsewhere is told that the other type chooses
// first only where it does, that none is in service only where none is, and else who has those that are. Who was told
// that a GPU is its own stands in no queue while as many are in service as jobs were told so.
func TestAlloXSaysWhoseGPUItRunsOn(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(300) {
		owns := map[model.JobID]model.TypeID{} // by job, the type of which it was told that one is its own
		rng := unit.Stream(seed, "own")
		p := shareProblem(seed, "own", "allox")
		at, from := model.SlotID(rng.IntN(len(p.Cluster.Slots))), unit.Tick(1+rng.IntN(6))*p.Round
		p.Changes = []model.CapacityChange{{At: from, Slot: at, Cap: p.Cluster.Slots[at].Cap / 2},
			{At: from + 8*p.Round, Slot: at, Cap: p.Cluster.Slots[at].Cap}}
		simtest.EachDecision(t, p, "allox", nil, 30, func(round int, r *sim.Run, d *sim.Detail) {
			usable, _ := simtest.IdleGPUs(p, r.Now(), d)
			of := map[model.TypeID]int32{}
			for i := range d.Choices {
				if typ, told := owns[d.Choices[i].Job]; told {
					of[typ]++
				}
			}
			for _, c := range d.Choices {
				typ, told := owns[c.Job]
				if told && of[typ] > usable[typ] {
					delete(owns, c.Job)
				} else if told && !(simtest.Saying(c.Says, "before it on a").IsZero() &&
					simtest.Saying(c.Says, "were other jobs' own").IsZero()) {
					t.Errorf("seed %d, round %d: a %v was j%d's own, and it is told %q", seed, round, typ, c.Job+1,
						c.Says.Pattern())
				}
				if says := simtest.Saying(c.Says, "is its own until"); !says.IsZero() {
					owns[c.Job] = says.Args()[strings.Count(says.Pattern(), "{1}")].(model.TypeID)
				}
			}
			for _, c := range d.Choices {
				for _, part := range []string{"chooses first", "but none is in service",
					"others of whom that is true as well"} {
					says := simtest.Saying(c.Says, part)
					if says.IsZero() || len(c.Gangs) == 0 {
						continue
					}
					seen[part]++
					own, on := says.Args()[0].(model.TypeID), p.Cluster.Slots[c.Gangs[0][0].Slot].Type
					sooner := slices.Index(p.Cluster.BySpeed, on) < slices.Index(p.Cluster.BySpeed, own)
					so := map[string]bool{"chooses first": usable[own] > 0 && sooner,
						"but none is in service":              usable[own] == 0,
						"others of whom that is true as well": usable[own] > 0 && !sooner}
					if says.Args()[1] != any(on) || !so[part] {
						t.Errorf("seed %d, round %d: j%d runs on %v: %q of %v; %d are in service", seed, round, c.Job+1, on,
							says.Pattern(), says.Args(), usable[own])
					}
				}
			}
		})
	}
	t.Log(seen)
	if len(seen) < 3 {
		t.Error(seen)
	}
}

// TestAlloXListsWhoWasMatched: j3 waits for the K80 in the first matching. That is out of service when j4 comes and
// jobs are matched anew, so that j3 is in no row of the last matching, and is told so when the K80 is back, until they
// are matched again.
func TestAlloXListsWhoWasMatched(t *testing.T) {
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"k80":1}}]},
"faults":[{"node":"b","at_s":2000,"repair_s":1500}],"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}},
{"model":"k","per_gpu":{"k80":1}}]},"jobs":[{"id":"j1","model":"m","gpus":1,"steps":20000},
{"id":"j2","model":"k","gpus":1,"steps":20000},{"id":"j3","model":"k","gpus":1,"steps":30000},
{"id":"j4","model":"m","gpus":1,"steps":9000,"arrival_s":2100}]`)
	absent := 0
	simtest.EachDecision(t, p, "allox", nil, 16, func(round int, r *sim.Run, d *sim.Detail) {
		if r.Now() < 2500*unit.Second || r.Now() >= 4200*unit.Second { // the least time after the reset for j4
			return
		}
		for _, s := range d.Sections {
			if s.Table != nil && s.Table.Title.Pattern() == "The matching" && len(s.Table.Rows) > 0 {
				t.Errorf("at %v the last matching has %v, and no GPU was to be had", r.Now(), s.Table.Rows)
			}
		}
		if c := d.Of(2); r.Now() >= 3500*unit.Second {
			if absent++; simtest.Saying(c.Says, "could not run when jobs were matched last").IsZero() {
				t.Errorf("at %v j3 is told %q", r.Now(), c.Says.Pattern())
			}
		}
	})
	if absent == 0 {
		t.Error("j3 is not there")
	}
}
