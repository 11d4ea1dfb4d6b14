package elastic_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestPolluxSaysWhoHasItsGPUs: a job that loses its GPUs is told that others have them only where others have some of
// them, and that the mean speedup is higher only where what was found is fitter than what was held. Where nobody else
// got them, for a job keeps GPUs of one type only, the sentence says so.
func TestPolluxSaysWhoHasItsGPUs(t *testing.T) {
	told, cut := 0, 0
	for seed := range uint64(61) {
		p := simtest.Written(t, losing(unit.Stream(seed, "who has its GPUs")))
		if seed == 60 {
			p = simtest.Written(t, learner+mixedLoser)
		}
		before := map[model.JobID][][]model.Shard{}
		simtest.EachDecision(t, p, "pollux", nil, 25, func(round int, r *sim.Run, d *sim.Detail) {
			found, _ := simtest.Valued(d, "fitness")
			held, _ := simtest.Valued(d, "fitness_held")
			now, taken := map[model.JobID][][]model.Shard{}, map[model.SlotID]int32{}
			for _, c := range d.Choices {
				now[c.Job] = c.Gangs
				for _, g := range c.Gangs {
					for _, sh := range g {
						taken[sh.Slot] += sh.N
					}
				}
			}
			for _, c := range d.Choices {
				others := !simtest.Saying(c.Says, "when other jobs have its GPUs").IsZero()
				part := !simtest.Saying(c.Says, "but not all of that is carried out").IsZero()
				if !others && !part {
					continue
				}
				if !(found > held) {
					t.Errorf("seed %d, round %d: %d loses its GPUs for a fitness of %v, and it was %v", seed, round, c.Job, found,
						held)
				}
				if part {
					cut++
					continue
				}
				told++
				some := false
				for _, g := range before[c.Job] {
					for _, sh := range g {
						some = some || taken[sh.Slot]+sh.N > p.Cluster.Slots[sh.Slot].Cap
					}
				}
				if !some {
					t.Errorf("seed %d, round %d: nobody has the GPUs of %d, %v", seed, round, c.Job, before[c.Job])
				}
			}
			before = now
		})
	}
	if told < 5 || cut == 0 {
		t.Errorf("%d were told that others have their GPUs, and %d that not all is carried out", told, cut)
	}
}

// mixedLoser has a j2 whose GPU the search gives to j4, which cannot use it beside one of another type.
const mixedLoser = `,"cluster":{"nodes":[{"id":"n0","gpus":{"v100":2}},{"id":"n1","gpus":{"p100":3}}]},
"overheads":{"restart_s":30},"jobs":[
{"id":"j0","model":"m","batch":128,"gpus":1,"arrival_s":200,"steps":9334,"elastic":{"min":1,"max":4}},
{"id":"j1","model":"m","batch":128,"gpus":2,"arrival_s":200,"steps":14559,"elastic":{"min":2,"max":4}},
{"id":"j2","model":"m","batch":128,"gpus":1,"arrival_s":600,"steps":17545,"elastic":{"min":1,"max":1}},
{"id":"j3","model":"m","batch":128,"gpus":1,"arrival_s":800,"steps":33173,"elastic":{"min":1,"max":1}},
{"id":"j4","model":"m","batch":128,"gpus":2,"arrival_s":800,"steps":32830,"elastic":{"min":2,"max":3}}]`

// losing are a few jobs of one size or several on nodes of two types, who may lose their GPUs.
func losing(rng *rand.Rand) string {
	var nodes, jobs []string
	for i := range 1 + rng.IntN(3) {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","gpus":{"%s":%d}}`, i,
			[]string{"v100", "v100", "p100"}[rng.IntN(3)], 2+rng.IntN(3)))
	}
	at := 0
	for i := range 2 + rng.IntN(6) {
		at += rng.IntN(3) * 200
		least := 1 + rng.IntN(2)
		jobs = append(jobs, fmt.Sprintf(
			`{"id":"j%d","model":"m","batch":128,"gpus":%d,"arrival_s":%d,"steps":%d,"elastic":{"min":%d,"max":%d}}`,
			i, least, at, 2000+rng.IntN(40000), least, least+rng.IntN(4)))
	}
	return learner + `,"cluster":{"nodes":[` + strings.Join(nodes, ",") + `]},"overheads":{"restart_s":30},"jobs":[` +
		strings.Join(jobs, ",") + `]`
}
