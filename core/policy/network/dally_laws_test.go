package network_test

import (
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestDallyTakesJobsToBeHalfDone: from 200 s to 9000 s a job of 40,000 steps does 2 a second over two nodes, and
// could do 4 on one. By then it has done 17,600, has 22,400 left, and a move saves 5,600 s; who is told no lengths
// takes the rest to be as long as what is done, which saves 4,400 s. So a stall of 500 s, of which ten are 5,000,
// parts them: it is paid when 20,000 steps are done, at 10,200 s. A job that has not run has nothing left for those
// who are told no lengths, so that nobody gives way to it.
func TestDallyTakesJobsToBeHalfDone(t *testing.T) {
	for _, c := range []struct {
		hidden bool
		stall  unit.Tick
		moves  float64 // at, in s; 0 = never
	}{{false, 400, 9000}, {false, 500, 9000}, {false, 600, 0}, {true, 400, 9000}, {true, 500, 10200}} {
		p := twoThrees(model.Costs{Save: c.stall * unit.Second})
		p.Jobs[4].Work = 40000
		p.Know.HideLengths = c.hidden
		tr, at := simtest.Run(t, p, "dally-nowait", map[string]any{"evict": false, "min_run_s": 600.0}), 0.0
		for i := range tr.Spans.Len() {
			if tr.Spans.Job[i] == 4 && len(tr.Spans.At(i)) == 1 && at == 0 {
				at = tr.Spans.From[i].Seconds()
			}
		}
		if at != c.moves {
			t.Errorf("lengths hidden: %v, a stall of %d s: it moves at %v s, want %v", c.hidden, c.stall, at, c.moves)
		}
		tr = simtest.Run(t, p, "dally-manual", map[string]any{"upgrade": false, "min_run_s": 900.0, "w0_s": 4000.0})
		if got := starts(tr, 4); c.hidden != (got > 4000) {
			t.Errorf("lengths hidden: %v: the job that has not run starts at %v s", c.hidden, got)
		}
	}
}

// TestDallyJudgesDistanceByTheFastestType: two K80 of two nodes are 20 times slower than the V100s of the third node,
// which come free at 3000 s. Whether the job goes there follows from what distance costs on V100s, which it does not
// hold.
func TestDallyJudgesDistanceByTheFastestType(t *testing.T) {
	for spread, moves := range map[string]bool{`"v100":{"2":16.1},"k80":{"2":1}`: false,
		`"v100":{"2":15.9},"k80":{"2":1}`: true} {
		p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"k80":1}},
{"id":"c","gpus":{"k80":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10,"k80":1},
"spread":{`+spread+`}}]},"jobs":[{"id":"h","model":"m","gpus":2,"steps":60000},
{"id":"j","model":"m","gpus":2,"steps":30000}]`)
		tr := simtest.Run(t, p, "dally-nowait", nil)
		if got := slices.ContainsFunc(tr.Reasons, func(r trace.Reason) bool {
			return r.Code == trace.Moved && r.Job == 1
		}); got != moves {
			t.Errorf("%s: it moves: %v", spread, got)
		}
	}
}

// TestDallyDelay is what dally.md, Offers, says of waiting, seen from outside on random clusters in racks: whoever
// lies farther apart than it could has refused for as long as its timers say, whoever refuses has not, whoever was
// offered such GPUs at every look since it first refused waits no longer than to the look after its timers, and a
// job of one GPU waits beside no free one, whoever refuses it.
func TestDallyDelay(t *testing.T) {
	late, refused, beside := 0, 0, 0
	const look, node, rack = 300 * unit.Second, 700 * unit.Second, 1100 * unit.Second
	for seed := range uint64(80) {
		rng := unit.Stream(seed, "delay")
		nodes := make([]simtest.Node, 2+rng.IntN(4))
		racks := make([]int32, len(nodes))
		for i := range nodes {
			nodes[i], racks[i] = simtest.Node{"a": int32(2 + rng.IntN(3))}, int32(2*i/len(nodes))
		}
		var jobs []simtest.Job
		for at := 0.0; len(jobs) < 30; at += float64(100 * rng.IntN(6)) {
			gpus := []int32{1, 1, 2, 3, 4, 5}[rng.IntN(6)]
			jobs = append(jobs, simtest.PlainJob(at, gpus, float64(300+rng.IntN(4000))))
		}
		p := inRacks(simtest.Build(300, nodes, jobs, model.Costs{}), 0.5, racks...)
		for i := range p.Tables {
			tab := &p.Tables[i]
			for n := int32(2); n <= tab.MaxSize(); n++ {
				rate := tab.Rate(0, n, model.OneNode)
				tab.Set(0, n, rate, rate/2, rate/4)
			}
		}
		best := func(gpus int32) model.Tier {
			most, of := int32(0), [2]int32{}
			for i, n := range nodes {
				most = max(most, n["a"])
				of[racks[i]] += n["a"]
			}
			switch {
			case gpus <= most:
				return model.OneNode
			case gpus <= max(of[0], of[1]):
				return model.OneRack
			}
			return model.Network
		}
		patience := func(from, to model.Tier) (sum unit.Tick) {
			for l := from; l < to; l++ {
				sum += [2]unit.Tick{node, rack}[l]
			}
			return sum
		}
		since := map[model.JobID]unit.Tick{} // the first refusal of this wait
		every := map[model.JobID]model.Tier{}
		with := with(still, "w0_s", node.Seconds(), "w1_s", rack.Seconds(), "order",
			[]string{"score", "arrival"}[seed%2])
		simtest.EachDecision(t, p, "dally-manual", with, 300, func(round int, r *sim.Run, d *sim.Detail) {
			now, free, anyRefuses := r.Now(), p.Cluster.GPUs(), false
			for _, c := range d.Choices {
				free -= simtest.HeldAfter(c)
			}
			for _, c := range d.Choices {
				anyRefuses = anyRefuses || c.Reason == trace.WaitCloser
			}
			for _, c := range d.Choices {
				j := c.Job
				b, first := best(p.Jobs[j].Shape.Size), now
				if at, ok := since[j]; ok {
					first = at
				}
				switch {
				case simtest.HeldAfter(c) > 0:
					_, tier := sim.Measure(&p.Cluster, c.Gangs[0])
					if need := patience(b, tier); c.Action == trace.Placed && need > 0 {
						if late++; now-first < need {
							t.Errorf("seed %d, round %d: j%d takes tier %d after %v s", seed, round, j+1, tier,
								(now - first).Seconds())
						}
					}
					if at, ok := every[j]; ok && c.Action == trace.Placed && now-first >= patience(b, at)+look {
						t.Errorf("seed %d, round %d: j%d, offered tier %d at every look, waited %v s", seed, round, j+1, at,
							(now - first).Seconds())
					}
					delete(since, j)
					delete(every, j)
				case c.Reason == trace.WaitCloser:
					refused++
					tier := model.Tier(c.Num[2])
					if tier <= b || now-first >= patience(b, tier) {
						t.Errorf("seed %d, round %d: j%d refuses tier %d after %v s", seed, round, j+1, tier,
							(now - first).Seconds())
					}
					if _, ok := since[j]; !ok {
						since[j], every[j] = now, tier
					} else if _, ok := every[j]; ok {
						every[j] = max(every[j], tier)
					}
				default:
					delete(every, j)
					if p.Jobs[j].Shape.Size == 1 && free > 0 {
						t.Errorf("seed %d, round %d: j%d waits for one GPU beside %d", seed, round, j+1, free)
					}
				}
				if anyRefuses && p.Jobs[j].Shape.Size == 1 && c.Action == trace.Placed {
					beside++
				}
			}
		})
	}
	if late == 0 || refused == 0 || beside == 0 {
		t.Errorf("%d took what lies apart, %d refused, %d started beside one who refused", late, refused, beside)
	}
}

// TestDallyTakesMixesForCareless: a job that needs six of four V100 and four K80 lies on three nodes, which slows it
// to a tenth. It gives way all the same, for nothing is known of what distance costs a mix.
func TestDallyTakesMixesForCareless(t *testing.T) {
	p := simtest.Written(t, `"round_s":300,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}},
{"id":"n2","gpus":{"v100":2}},{"id":"n3","gpus":{"k80":2}},{"id":"n4","gpus":{"k80":1}},{"id":"n5","gpus":{"k80":1}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1,"k80":0.9},"spread":{"v100":{"6":0.6},"k80":{"6":0.54}}},
{"model":"s","per_gpu":{"k80":1},"spread":{"k80":{"2":0.5}}}]},"jobs":[{"id":"mix","model":"m","gpus":6,"steps":9000},
{"id":"s","model":"s","gpus":2,"steps":40000,"arrival_s":200}]`)
	if got := starts(simtest.Run(t, p, "dally-manual", nil), 1); got != 1800 {
		t.Errorf("the other starts at %v s, want 1800, when the mix has run for long enough", got)
	}
}

// TestDallyMeasuresByTheClosest: four V100 of two nodes do 20 steps a second, and the four K80 of one node, which
// another job holds, 4. What the job has done is set against the speed on the K80s, the closest that it could have,
// and it is told so: after a stall of 276 s it has done 480 steps in 300 s, where the K80s would have done 1200.
func TestDallyMeasuresByTheClosest(t *testing.T) {
	p := simtest.Written(t, `"round_s":300,"overheads":{"restart_s":276},"cluster":{"nodes":[{"id":"n1","gpus":{"k80":4}},
{"id":"n2","gpus":{"v100":2}},{"id":"n3","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m",
"per_gpu":{"v100":10,"k80":1},"spread":{"v100":{"4":20}}},{"model":"k","per_gpu":{"k80":1}}]},
"jobs":[{"id":"k","model":"k","gpus":4,"steps":40000},{"id":"j","model":"m","gpus":4,"steps":40000}]`)
	said := false
	simtest.EachDecision(t, p, "dally-nowait", map[string]any{"upgrade": false, "evict": false}, 2,
		func(round int, _ *sim.Run, d *sim.Detail) {
			for _, s := range d.Of(1).Sections {
				for _, f := range s.Formula {
					if x := simtest.Saying(f, "speed on the closest GPUs it could have"); !x.IsZero() {
						said = true
						for i, want := range []float64{480, 4, 300, 40} { // 24 s at 20 steps/s, where 4 could be
							simtest.Near(t, x.Pattern(), x.Args()[i].(sim.Digits).Value, want, 1e-9)
						}
					}
				}
			}
		})
	if !said {
		t.Error("nobody is told")
	}
}
