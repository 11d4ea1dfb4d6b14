package policy_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// What sentences say of policies that learn, resize or wait for closer GPUs, held to what is so.

// written is a scenario with these members.
func written(t *testing.T, members string) *model.Problem {
	t.Helper()
	d, found := scenario.Parse([]byte(`{"kind":"scenario","version":1,"scenario":{"round_s":360,`+members+`}}`),
		scenario.FileLimits)
	if d == nil {
		t.Fatal(found)
	}
	p, found := scenario.Compile(d, nil)
	if p == nil {
		t.Fatal(found)
	}
	return p
}

// learner is a profile of one model on two types, as a scenario has it.
const learner = `"throughputs":{"rows":[],"profiles":[{"model":"m","init_batch":128,"max_batch":4096,"types":[
{"type":"v100","low":32,"high":1024,"alpha_c":0.02,"beta_c":0.0007,"alpha_n":0.09,"beta_n":0.0025,"alpha_r":0.015,
 "beta_r":0.0001,"gamma":1.3},
{"type":"p100","low":32,"high":1024,"alpha_c":0.04,"beta_c":0.0014,"alpha_n":0.09,"beta_n":0.0025,"alpha_r":0.015,
 "beta_r":0.0001,"gamma":1.3}],"noise":[{"until":1,"phi":{"128":3000}}]}]}`

// termOf is a term of a choice by its key or name.
func termOf(c *sim.Choice, name string) float64 {
	for _, s := range c.Sections {
		for _, x := range s.Terms {
			if x.Key == name || x.Name == name {
				return x.Value
			}
		}
	}
	return math.NaN()
}

// TestPolluxSaysWhatIsCarriedOut: the line of the fitness comes out, also where the GPUs that were found are of several
// types and a job keeps those of one; where it does, no sentence says that the search found nothing better; and what a
// job has measured is spoken of only where it has measured something and could have more.
func TestPolluxSaysWhatIsCarriedOut(t *testing.T) {
	both, _ := mixed(t)
	seen := map[string]int{}
	for name, p := range map[string]*model.Problem{"seven": both,
		"one": written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"p100":2}}]},
"overheads":{"restart_s":30},"jobs":[{"id":"y","model":"m","batch":128,"gpus":1,"steps":90000,
"elastic":{"min":1,"max":4}}]`),
		"small": written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"jobs":[{"id":"y","model":"m",
"batch":128,"gpus":1,"steps":90000,"elastic":{"min":1,"max":2}}]`),
		"two": written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"p100":1}}]},
"jobs":[{"id":"x","model":"m","batch":128,"gpus":2,"steps":5000,"elastic":{"min":2,"max":3}}]`),
		"down": written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"faults":[{"node":"a",
"at_s":100,"gpus":2,"repair_s":4000}],"jobs":[{"id":"y","model":"m","batch":128,"gpus":4,"steps":50000,
"elastic":{"min":3,"max":4}}]`)} {
		explain(t, p, "pollux", nil, 40, func(round int, r *sim.Run, d *sim.Detail) {
			for _, s := range d.Sections {
				for _, f := range s.Formula {
					if !strings.Contains(f.Pattern, "^(1 ÷ {2}) = {3}") {
						continue
					}
					sum, power := 0.0, f.Args[2].(sim.Digits).Value
					for _, x := range texts(f) {
						if x.Pattern == "{0}^{1}" {
							sum += math.Pow(x.Args[0].(sim.Digits).Value, power)
						}
					}
					want := math.Pow(sum/float64(f.Args[1].(int)), 1/power)
					near(t, name+": "+f.Pattern, f.Args[3].(sim.Digits).Value, want, 1e-9*want)
					if strings.Contains(f.Pattern, "carried out") {
						seen["carried out"]++
					}
				}
			}
			for _, c := range d.Choices {
				has, measured := gpusHeld(c), termOf(c, "measured_gpus")
				for _, words := range []string{"twice as many as it has measured", "until it has measured",
					"of several types, and it has", "of several types, and of none", "can use are in service"} {
					if saying(c.Says, words) != nil {
						seen[words]++
					}
				}
				shape := p.Jobs[c.Job].Shape
				if saying(c.Says, "twice as many as it has measured") != nil &&
					(2*measured != float64(has) || has >= shape.Max) {
					t.Errorf("%s, round %d: it has %d of up to %d, has measured %v, and is told that it may have no more yet",
						name, round, has, shape.Max, measured)
				}
				if len(d.Choices) == 1 && saying(c.Says, "found nothing better") != nil {
					if counted, as := fitnessOf(d); math.Abs(counted-as) > 1e-9 {
						t.Errorf("%s, round %d: %v was found and %v is had", name, round, as, counted)
					}
				}
				if has == 0 && saying(c.Says, "found no allocation") != nil &&
					capacities(p, r.Now())[0] < shape.Min && len(p.Cluster.Types) == 1 {
					t.Errorf("%s, round %d: %d GPUs are needed and %d in service, and the search is blamed", name, round,
						shape.Min, capacities(p, r.Now())[0])
				}
			}
		})
	}
	for _, words := range []string{"carried out", "twice as many as it has measured", "until it has measured",
		"of several types, and it has", "of several types, and of none", "can use are in service"} {
		if seen[words] == 0 {
			t.Errorf("nobody was told %q", words)
		}
	}
}

// fitnessOf is the fitness of what a decision of Pollux carries out, by the line that says it, and of what was found.
func fitnessOf(d *sim.Detail) (carried, found float64) {
	found, _ = valued(d, "fitness")
	for _, s := range d.Sections {
		for _, f := range s.Formula {
			sum, power := 0.0, 0.0
			for _, x := range texts(f) {
				if x.Pattern == "{0}^{1}" {
					power = x.Args[1].(sim.Digits).Value
					sum += math.Pow(x.Args[0].(sim.Digits).Value, power)
				}
			}
			if power != 0 {
				return math.Pow(sum/float64(f.Args[1].(int)), 1/power), found
			}
		}
	}
	return found, found
}

// TestPolluxSaysHowASpeedupCounts: the line of what a speedup counts comes out.
func TestPolluxSaysHowASpeedupCounts(t *testing.T) {
	p, _ := mixed(t)
	seen := 0
	explain(t, p, "pollux", nil, 20, func(round int, _ *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			for _, s := range c.Sections {
				for _, f := range s.Formula {
					if !strings.HasPrefix(f.Pattern, "counts in the fitness") {
						continue
					}
					v := make([]float64, len(f.Args))
					for i, a := range f.Args {
						v[i] = a.(sim.Digits).Value
					}
					want := v[0]/v[1] + v[2]
					if len(v) == 5 {
						want = v[0]/v[1]*v[2] + v[3]
					}
					near(t, f.Pattern, v[len(v)-1], want, 1e-12)
					seen++
				}
			}
		}
	})
	if seen == 0 {
		t.Error("no such line")
	}
}

// TestSiaRestartsNobodyWhoStartsFirst: of a job in the stall of its first start it is not said that it restarts, and an
// elastic job needs no more than its least number of GPUs.
func TestSiaRestartsNobodyWhoStartsFirst(t *testing.T) {
	first, short := 0, 0
	p := written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"overheads":{"restart_s":90},
"faults":[{"node":"a","at_s":700,"gpus":2,"repair_s":4000}],"jobs":[{"id":"y","model":"m","batch":128,"gpus":4,
"steps":90000,"elastic":{"min":3,"max":4}}]`)
	explain(t, p, "sia", nil, 40, func(round int, r *sim.Run, d *sim.Detail) {
		c := d.Choices[0]
		if saying(c.Says, "restarting") != nil && !(termOf(c, "restarts so far") > 0) {
			t.Errorf("round %d: %q after no restart", round, c.Says.Pattern)
		}
		if saying(c.Says, "still starting") != nil {
			first++
		}
		if len(c.Gangs) == 0 && capacities(p, r.Now())[0] == 2 {
			if short++; saying(c.Says, "at least") == nil {
				t.Errorf("round %d: %q of a job that needs three GPUs", round, c.Says.Pattern)
			}
		}
	})
	if first == 0 || short == 0 {
		t.Errorf("%d first starts, %d waits", first, short)
	}
}

// TestElasticSpeaksOfThePresent: that no type has enough GPUs in service is said only while none has, and a division
// that is not carried out is measured against the least gain as it is set.
func TestElasticSpeaksOfThePresent(t *testing.T) {
	p := written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}},{"id":"b","gpus":{"p100":2}}],
"changes":[{"at_s":0,"node":"a","type":"v100","gpus":2},{"at_s":1000,"node":"a","type":"v100","gpus":4}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":2,"p100":1}}]},
"jobs":[{"id":"w","model":"m","gpus":4,"steps":20000}]`)
	after := 0
	explain(t, p, "elastic-dp", nil, 6, func(round int, r *sim.Run, d *sim.Detail) {
		if r.Now() < 1000*unit.Second {
			return
		}
		if after++; saying(d.Choices[0].Says, "in service") != nil {
			t.Errorf("round %d: %q, and four are", round, d.Choices[0].Says.Pattern)
		}
	})
	if after == 0 {
		t.Error("it was over before")
	}
	p = written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"throughputs":{"rows":[{"model":"m",
"per_gpu":{"v100":1}}]},"jobs":[{"id":"z","model":"m","gpus":3,"steps":900},{"id":"y","model":"m","gpus":1,"steps":9000,
"elastic":{"min":1,"max":4}}]`)
	kept := false
	explain(t, p, "elastic-dp", map[string]any{"hysteresis": 10.0}, 3, func(round int, _ *sim.Run, d *sim.Detail) {
		if s := saying(d.Sections[0].Title, "the jobs keep their sizes"); s != nil {
			if kept = true; len(s.Args) < 2 || s.Args[1] != sim.Share(10) {
				t.Errorf("round %d: %q of %v", round, s.Pattern, s.Args)
			}
		}
	})
	if !kept {
		t.Error("the sizes were not kept")
	}
}

// TestDallySaysHowSlowItsGPUsAre: how much longer a step takes is said of the very GPUs that are offered or held.
func TestDallySaysHowSlowItsGPUsAre(t *testing.T) {
	p := written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"k80":1}},
{"id":"c","gpus":{"k80":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":10,"k80":1},
"spread":{"v100":{"2":16},"k80":{"2":1.5}}}]},"jobs":[{"id":"h","model":"m","gpus":2,"steps":40000},
{"id":"j","model":"m","gpus":2,"steps":3000,"arrival_s":300}]`)
	for id, words := range map[string]string{"dally": "waits for closer ones",
		"dally-nowait": "on the closest GPUs it could have"} {
		said := false
		explain(t, p, id, nil, 4, func(round int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if s := saying(c.Says, words); s != nil && c.Job == 1 {
					said = true
					near(t, id+": "+s.Pattern, s.Args[1].(sim.Fixed).Value, 20/1.5, 1e-9)
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
			jobs = append(jobs, plain(at, gpus, seconds))
		}
		nodes := []simtest.Node{{"a": 4}, {"a": 4}, {"a": 4}, {"a": 4}}
		p := inRacks(simtest.Build(300, nodes, jobs, model.Costs{}), 0.5, 0, 0, 1, 1)
		params := map[string]any{"w0_s": 900.0, "w1_s": 900.0, "floor_s": 600.0, "spread": 3.0, "head": 3.0,
			"evict": false, "upgrade": false, "tune": seed%2 == 0}
		type promise struct{ until, tier float64 }
		told := map[model.JobID]promise{}
		explain(t, p, "dally", params, 120, func(round int, r *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				now := r.Now().Seconds()
				if len(c.Gangs) > 0 {
					delete(told, c.Job)
				}
				if saying(c.Says, "refused others for") != nil {
					t.Errorf("seed %d, round %d: %q", seed, round, c.Says.Pattern)
				}
				s := saying(c.Says, "waits for closer ones")
				if s == nil {
					continue
				}
				if x, ok := told[c.Job]; ok && now > x.until+1 && c.Num[2] <= x.tier {
					t.Errorf("seed %d, round %d: j%d was to wait until second %v at most", seed, round, c.Job+1, x.until)
				}
				if strings.Contains(s.Pattern, "at most") {
					promised++
					told[c.Job] = promise{now + c.Num[1], c.Num[2]}
				} else if strings.Contains(s.Pattern, "as its timer stands") {
					stands++
				}
			}
		})
	}
	if promised == 0 || stands == 0 {
		t.Errorf("%d promises, %d timers", promised, stands)
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
			explain(t, p, id, nil, 8, func(round int, r *sim.Run, d *sim.Detail) {
				_, free := idle(p, r.Now(), d)
				rows := d.Sections[len(d.Sections)-1].Table.Rows
				waits, behind := 0, int32(0)
				for _, row := range rows {
					behind += gpusHeld(d.Of(row.Cells[0].(model.JobID)))
				}
				for _, n := range free {
					behind += n
				}
				for _, row := range rows {
					c := d.Of(row.Cells[0].(model.JobID))
					behind -= gpusHeld(c)
					more := saying(c.Says, "those of the jobs behind it")
					switch {
					case takes && more != nil && len(more.Args) > 1:
						seen["there would be"]++
						if got := more.Args[1].(int32); got != behind || got >= p.Jobs[c.Job].Shape.Size {
							t.Errorf("%s, seed %d, round %d: j%d would find %d GPUs, and is told %d", id, seed, round,
								c.Job+1, behind, got)
						}
					case takes && more != nil:
						if behind < p.Jobs[c.Job].Shape.Size {
							t.Errorf("%s, seed %d, round %d: j%d would find %d GPUs", id, seed, round, c.Job+1, behind)
						}
					case !takes && c.Action == trace.Kept && waits > 0:
						if seen["is not stopped"]++; saying(c.Says, "who runs is not stopped") == nil {
							t.Errorf("%s, seed %d, round %d: %q of j%d, before which %d wait", id, seed, round,
								c.Says.Pattern, c.Job+1, waits)
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

// TestThemisLeasesNothingThatIsDown: with a GPU out of service it is not said that all are leased.
func TestThemisLeasesNothingThatIsDown(t *testing.T) {
	p := written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"k80":1}}]},
"faults":[{"node":"a","at_s":500,"repair_s":8000}],"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}},
{"model":"k","per_gpu":{"k80":1}}]},"jobs":[{"id":"x","model":"m","gpus":1,"steps":3000},
{"id":"y","model":"k","gpus":1,"steps":9000}]`)
	leases := 0
	explain(t, p, "themis", nil, 6, func(round int, r *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			if s := saying(c.Says, "next lease ends"); s != nil {
				if leases++; strings.Contains(s.Pattern, "all GPUs") {
					t.Errorf("round %d: %q", round, s.Pattern)
				}
			}
		}
	})
	if leases == 0 {
		t.Error("no lease was spoken of")
	}
}

// TestNoTimeWithoutEnd: of a job whose gang has a speed over several nodes only, nobody gives a time or a fairness that
// stands for having none.
func TestNoTimeWithoutEnd(t *testing.T) {
	p := written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"v100":2}}]},
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
		explain(t, p, id, nil, 2, func(round int, _ *sim.Run, d *sim.Detail) {
			var all []*sim.Text
			sections := d.Sections
			for _, c := range d.Choices {
				all, sections = append(all, texts(c.Says)...), append(sections, c.Sections...)
				if c.Job == 0 && len(c.Gangs) == 0 && saying(c.Says, "cannot use these together") != nil {
					t.Errorf("%s: %q, though two nodes together run it", id, c.Says.Pattern)
				}
			}
			for _, s := range sections {
				for _, f := range s.Formula {
					all = append(all, texts(f)...)
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
				for _, a := range x.Args {
					if big(a) {
						t.Errorf("%s, round %d: %q of %v", id, round, x.Pattern, a)
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
{"rows":[{"model":"m","per_gpu":{"k80":1,"v100":2}}]},"jobs":[{"id":"j","model":"m","gpus":1,"steps":3000}],
"faults":[{"node":"a","at_s":50}]`,
			0, "is its own until it ends, but none is in service", 0},
	} {
		said := false
		explain(t, written(t, c.scenario), c.policy, nil, 3, func(round int, _ *sim.Run, d *sim.Detail) {
			for i := range d.Choices {
				s := saying(d.Choices[i].Says, c.words)
				if s == nil || d.Choices[i].Job != c.job {
					continue
				}
				if said = true; c.slower > 0 {
					near(t, c.policy+": "+s.Pattern, s.Args[1].(sim.Fixed).Value, c.slower, 1e-9)
				}
			}
		})
		if !said {
			t.Errorf("%s did not say %q", c.policy, c.words)
		}
	}
}
