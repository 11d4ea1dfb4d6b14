package network_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// TestASRPTSumsItsRows: the sum of completion times on the virtual machine is that of the jobs listed, and none is said
// to have its turn that passes one which does not fit.
func TestASRPTSumsItsRows(t *testing.T) {
	passes := 0
	for seed := range uint64(200) {
		p := simtest.Random(unit.Stream(seed, "virtual says"))
		simtest.EachDecision(t, p, "a-srpt", map[string]any{"tau": 0.0}, 20,
			func(round int, _ *sim.Run, d *sim.Detail) {
				s, sum := d.Sections[len(d.Sections)-1], 0.0
				head, blocked := 0, map[model.JobID]bool{}
				for _, r := range s.Table.Rows {
					j := r.Cells[0].(model.JobID)
					sum += r.Cells[3].(float64) - p.Jobs[j].Arrive.Seconds()
					c := d.Of(j)
					if blocked[j] = head > 0; c.Reason == trace.WaitFull || c.Reason == trace.WaitShape {
						head++
					}
					turn, pass := !simtest.Saying(c.Says, "it is its turn").IsZero(),
						!simtest.Saying(c.Says, "may pass: this one").IsZero()
					if turn && blocked[j] || pass && !blocked[j] {
						t.Errorf("seed %d, round %d: j%d is told %q, and %d before it do not fit",
							seed, round, j+1, c.Says.Pattern(), head)
					}
					if pass {
						passes++
					}
				}
				if math.Abs(sum-s.Terms[0].Value) > 1e-6 {
					t.Errorf("seed %d, round %d: a sum of %v of rows of %v", seed, round, s.Terms[0].Value, sum)
				}
			})
	}
	if passes == 0 {
		t.Error("nobody passes")
	}
}

// TestDallySaysWhatWasRefused: GPUs lie as it is said, and of refused ones and of waiting for them it speaks only where
// the job was told to wait for closer ones since it last ran.
func TestDallySaysWhatWasRefused(t *testing.T) {
	refusals, gave := 0, 0
	for seed := range uint64(300) {
		p := simtest.Random(unit.Stream(seed, "refused"))
		if seed%4 == 0 { // others give way
			p = twoThrees(model.Costs{Load: unit.Tick(seed) * unit.Second / 10})
		}
		refused := map[model.JobID]bool{}
		params := map[string]any{"w0_s": 1200.0, "w1_s": 300.0, "min_run_s": 900.0, "floor_s": 100.0}
		simtest.EachDecision(t, p, "dally", params, 60, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if says := simtest.Saying(c.Says, "its GPUs lie {0}"); !says.IsZero() && len(c.Gangs) > 0 {
					_, tier := sim.Measure(&p.Cluster, c.Gangs[0])
					want := []string{"on one node", "on several nodes of one rack", "over several racks"}[tier]
					if lie := says.Args()[0].(words.Text).Pattern(); lie != want {
						t.Errorf("seed %d, round %d: j%d's GPUs lie %q, and it is told %q",
							seed, round, c.Job+1, want, lie)
					}
				}
				if !simtest.Saying(c.Says, "first refusal").IsZero() ||
					!simtest.Saying(c.Says, "first refused others").IsZero() {
					if refusals++; !refused[c.Job] {
						t.Errorf("seed %d, round %d: j%d has refused nothing, and is told %q", seed, round, c.Job+1,
							c.Says.Pattern())
					}
				}
				if says := simtest.Saying(c.Says, "for it, which saves"); !says.IsZero() {
					gave++
					for _, v := range says.Args()[1].(words.Text).Args() {
						if a := d.Of(v.(model.JobID)).Action; a == trace.Kept {
							t.Errorf("seed %d, round %d: j%v gave way and keeps what it has", seed, round, v)
						}
					}
					of := says.Args()
					if saves, costs := of[2].(sim.GPUSeconds), of[3].(sim.GPUSeconds); saves < 2*costs {
						t.Errorf("seed %d, round %d: %q of %v", seed, round, says.Pattern(), says.Args())
					}
				}
				if refused[c.Job] = (refused[c.Job] || c.Reason == trace.WaitCloser) && len(c.Gangs) == 0; c.Action ==
					trace.Preempted {
					refused[c.Job] = c.Reason == trace.WaitCloser
				}
			}
		})
	}
	if refusals == 0 || gave == 0 {
		t.Errorf("%d refusals told, %d who gave way", refusals, gave)
	}
}

// TestASRPTSaysWhoStartsEarly: wide does not fit and waits, and narrow, larger and after it, is not said to be the
// smallest.
func TestASRPTSaysWhoStartsEarly(t *testing.T) {
	p := simtest.Build(300, []simtest.Node{{"a": 6}}, []simtest.Job{simtest.PlainJob(0, 3, 3000),
		simtest.PlainJob(10, 4, 6000),
		simtest.PlainJob(10, 2, 8000)}, model.Costs{})
	told := false
	simtest.EachDecision(t, p, "a-srpt", nil, 2, func(_ int, _ *sim.Run, d *sim.Detail) {
		if c := d.Of(2); simtest.HeldAfter(c) == 2 {
			told = !simtest.Saying(c.Says, "the smallest that fit").IsZero() && simtest.HeldAfter(d.Of(1)) == 0
		}
	})
	if !told {
		t.Error("not so")
	}
}

// TestDallySaysSinceWhen: what is told of the time that has passed is counted from where the clock starts.
func TestDallySaysSinceWhen(t *testing.T) {
	seen := 0
	for seed := range uint64(150) {
		p := simtest.Random(unit.Stream(seed, "clock"))
		simtest.EachDecision(t, p, "dally", map[string]any{"w0_s": 1200.0, "w1_s": 300.0, "tune": false,
			"clock": "submit"}, 40,
			func(round int, r *sim.Run, d *sim.Detail) {
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "and has waited"); !says.IsZero() {
						t.Errorf("seed %d, round %d: %q", seed, round, says.Pattern())
					}
					if says := simtest.Saying(c.Says, "since it came"); !says.IsZero() {
						seen++
						waited := (r.Now() - p.Jobs[c.Job].Arrive).Seconds()
						simtest.Near(t, "since", float64(says.Args()[2].(sim.Seconds)), waited, 1e-6)
					}
				}
			})
	}
	if seen == 0 {
		t.Error("nobody waits so")
	}
}

// TestDallySaysHowSlowItsGPUsAre: how much longer a step takes is said of the very GPUs that are offered or held.
func TestDallySaysHowSlowItsGPUsAre(t *testing.T) {
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"k80":1}},
{"id":"c","gpus":{"k80":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10,"k80":1},
"spread":{"v100":{"2":16},"k80":{"2":1.5}}}]},"jobs":[{"id":"h","model":"m","gpus":2,"steps":40000},
{"id":"j","model":"m","gpus":2,"steps":3000,"arrival_s":300}]`)
	for id, words := range map[string]string{"dally": "waits for closer ones",
		"dally-nowait": "on the closest GPUs it could have"} {
		said := false
		simtest.EachDecision(t, p, id, nil, 4, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if s := simtest.Saying(c.Says, words); !s.IsZero() && c.Job == 1 {
					said = true
					simtest.Near(t, id+": "+s.Pattern(), s.Args()[1].(sim.Fixed).Value, 20/1.5, 1e-9)
				}
			}
		})
		if !said {
			t.Errorf("%s did not say %q", id, words)
		}
	}
}

// TestDallyPromisesNothing: who is told for how long it waits for closer GPUs at most refuses none that lie as far
// apart after that; and that others were refused for some time is not said, only since when.
func TestDallyPromisesNothing(t *testing.T) {
	promised, stands := 0, 0
	for seed := range uint64(40) {
		rng := unit.Stream(seed, "promises")
		var jobs []simtest.Job
		at := 0.0
		for range 40 {
			at += []float64{0, 100, 300, 600}[rng.IntN(4)]
			gpus, seconds := []int32{1, 1, 1, 2, 4}[rng.IntN(5)], []float64{600, 2000, 4000, 9000}[rng.IntN(4)]
			jobs = append(jobs, simtest.PlainJob(at, gpus, seconds))
		}
		nodes := []simtest.Node{{"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}}
		p := inRacks(simtest.Build(300, nodes, jobs, model.Costs{}), 0.5, 0, 0, 1, 1)
		params := map[string]any{"w0_s": 900.0, "w1_s": 900.0, "floor_s": 600.0, "spread": 3.0, "head": 3.0,
			"evict": false, "upgrade": false, "tune": seed%2 == 0}
		type promise struct{ until, tier float64 }
		told := map[model.JobID]promise{}
		simtest.EachDecision(t, p, "dally", params, 120, func(round int, r *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				now := r.Now().Seconds()
				if len(c.Gangs) > 0 {
					delete(told, c.Job)
				}
				if !simtest.Saying(c.Says, "refused others for").IsZero() {
					t.Errorf("seed %d, round %d: %q", seed, round, c.Says.Pattern())
				}
				s := simtest.Saying(c.Says, "waits for closer ones")
				if s.IsZero() {
					continue
				}
				if x, ok := told[c.Job]; ok && now > x.until+1 && c.Num[2] <= x.tier {
					t.Errorf("seed %d, round %d: j%d was to wait until second %v at most", seed, round, c.Job+1,
						x.until)
				}
				if strings.Contains(s.Pattern(), "at most") {
					promised++
					told[c.Job] = promise{now + c.Num[1], c.Num[2]}
				} else if strings.Contains(s.Pattern(), "as its timer stands") {
					stands++
				}
			}
		})
	}
	if promised == 0 || stands == 0 {
		t.Errorf("%d promises, %d timers", promised, stands)
	}
}
