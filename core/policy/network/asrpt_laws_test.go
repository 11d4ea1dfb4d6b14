package network_test

import (
	"math"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// copiesEnd is when the copy of each job ends on one machine that always serves the one with least left, in whole
// milliseconds, by hand: from one arrival or end to the next.
func copiesEnd(arrive, size []unit.Tick) []unit.Tick {
	end, left := make([]unit.Tick, len(size)), append([]unit.Tick(nil), size...)
	done := make([]bool, len(size))
	for now := unit.Tick(0); ; {
		run, next := -1, unit.Never
		for j := range size {
			switch {
			case arrive[j] > now:
				next = min(next, arrive[j])
			case !done[j] && (run < 0 || left[j] < left[run]):
				run = j
			}
		}
		switch {
		case run < 0 && next == unit.Never:
			return end
		case run < 0:
			now = next
		case left[run] <= next-now:
			now += left[run]
			done[run], end[run] = true, now
		default:
			left[run] -= next - now
			now = next
		}
	}
}

// TestASRPTOvertakes is what a-srpt.md, Real queue, says of who passes whom, seen from outside on random clusters,
// with copies worked out anew: past one who finds no room only smaller ones start; who passes nobody that lacks room
// has its turn as soon as it has room, unless it waits for closer GPUs; nobody starts before its copy has ended
// while another is in the queue, and then the smallest first; whoever starts is not stopped.
func TestASRPTOvertakes(t *testing.T) {
	passed, held, early, closer := 0, 0, 0, 0
	for seed := range uint64(150) {
		rng := unit.Stream(seed, "overtaking")
		nodes := make([]simtest.Node, 1+rng.IntN(3))
		all := int32(0)
		for i := range nodes {
			n := int32(1 + rng.IntN(4))
			nodes[i], all = simtest.Node{"a": n}, all+n
		}
		var jobs []simtest.Job
		for at := 0.0; len(jobs) < 25; at += float64(10 * rng.IntN(20)) {
			j := simtest.PlainJob(at, 1+rng.Int32N(min(all, 4)), float64(20+rng.IntN(900)))
			j.Spread = []float64{1, 0.5}[rng.IntN(2)]
			jobs = append(jobs, j)
		}
		p := simtest.Build(360, nodes, jobs, model.Costs{Load: unit.Tick(rng.IntN(2)*30) * unit.Second})
		arrive, size := make([]unit.Tick, len(jobs)), make([]unit.Tick, len(jobs))
		for j := range p.Jobs {
			x := &p.Jobs[j]
			gpus := float64(x.Shape.Size)
			best := 0.0
			for tier := range model.Tier(model.Tiers) {
				best = max(best, float64(p.Tables[x.Phases[0].Tables[0]].Rate(0, x.Shape.Size, tier)))
			}
			arrive[j], size[j] = x.Arrive, unit.Tick(math.Floor(float64(x.Work)/best*gpus/float64(all)*1000))
		}
		ends := copiesEnd(arrive, size)
		holds := map[model.JobID]bool{}
		simtest.EachDecision(t, p, "a-srpt", nil, 200, func(round int, r *sim.Run, d *sim.Detail) {
			now, room := r.Now(), all
			for _, c := range d.Choices {
				room -= simtest.HeldAfter(c)
			}
			lacks := func(c *sim.Choice) bool { return c.Reason == trace.WaitFull || c.Reason == trace.WaitShape }
			over := func(j model.JobID) bool { return ends[j] <= now }
			before := func(a, b model.JobID) bool { return ends[a] < ends[b] || ends[a] == ends[b] && a < b }
			for _, c := range d.Choices {
				j, has, starts, blocked := c.Job, simtest.HeldAfter(c) > 0, c.Action == trace.Placed, false
				if holds[j] && !has {
					t.Errorf("seed %d, round %d: j%d is stopped", seed, round, j+1)
				}
				holds[j] = has
				for _, o := range d.Choices {
					switch k := o.Job; {
					case over(j) && over(k) && before(k, j) && lacks(o):
						blocked = blocked || size[k] <= size[j]
						if starts {
							passed++
						}
					case starts && !over(j) && over(k) && simtest.HeldAfter(o) == 0:
						t.Errorf("seed %d, round %d: j%d starts early, and j%d is in the queue", seed, round, j+1, k+1)
					case starts && !over(j) && !over(k) && lacks(o) && size[k] < size[j]:
						if early++; p.Jobs[k].Shape.Size <= p.Jobs[j].Shape.Size {
							t.Errorf("seed %d, round %d: j%d starts early, and j%d is smaller", seed, round, j+1, k+1)
						}
					}
				}
				switch {
				case over(j) && starts && blocked:
					t.Errorf("seed %d, round %d: j%d passes one that is not larger", seed, round, j+1)
				case c.Reason == trace.WaitCloser:
					closer++
				case over(j) && !has && blocked:
					held++
				case over(j) && !has && room >= p.Jobs[j].Shape.Size:
					t.Errorf("seed %d, round %d: j%d waits beside %d GPUs", seed, round, j+1, room)
				}
			}
		})
	}
	if passed == 0 || held == 0 || early == 0 || closer == 0 {
		t.Errorf("%d passed, %d waited, %d started early, %d waited for closer GPUs", passed, held, early, closer)
	}
}

// inTwoRacks is a job of four GPUs, four times as slow over both racks as in one, and nodes of 2 and 2, and of 3.
const inTwoRacks = `"round_s":300,"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}},
{"id":"n2","rack":"r1","gpus":{"v100":2}},{"id":"n3","rack":"r2","gpus":{"v100":3}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1},"spread":{"v100":{"4":4}},"far":{"v100":{"4":1}}}]},
"jobs":[{"id":"j","model":"m","gpus":4,"steps":4000}]`

// TestASRPTLooksForFewNodes: in one rack four GPUs are free, and as few nodes hold the job over both. It is told
// what it would get, waits for a fifth of its 1000 s though closer GPUs are free, and takes that.
func TestASRPTLooksForFewNodes(t *testing.T) {
	p := simtest.Written(t, inTwoRacks)
	simtest.EachDecision(t, p, "a-srpt", nil, 1, func(_ int, _ *sim.Run, d *sim.Detail) {
		says := simtest.Saying(d.Of(0).Says, "from as few nodes as hold it")
		if says.IsZero() || says.Args()[0].(words.Text).Pattern() != "over several racks" {
			t.Errorf("it is told %q of %v", says.Pattern(), says.Args())
		}
	})
	if tr := simtest.Run(t, p, "a-srpt", nil); starts(tr, 0) != 200 || tr.Jobs[0].Finish != 4200*unit.Second {
		t.Errorf("it runs from %v to %v s", starts(tr, 0), tr.Jobs[0].Finish.Seconds())
	}
}
