package elastic_test

import (
	"math"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// What sentences say of policies that learn, resize or wait for closer GPUs, held to what is so.

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

// TestPolluxSaysWhatIsCarriedOut: the line of the fitness comes out, also where the GPUs that were found are of
// several types and a job keeps those of one; where it does, no sentence says that the search found nothing better;
// and what a job has measured is spoken of only where it has measured something and could have more.
func TestPolluxSaysWhatIsCarriedOut(t *testing.T) {
	both, _ := mixed(t)
	seen := map[string]int{}
	for name, p := range map[string]*model.Problem{"seven": both,
		"one": simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"p100":2}}]},
"overheads":{"restart_s":30},"jobs":[{"id":"y","model":"m","batch":128,"gpus":1,"steps":90000,
"elastic":{"min":1,"max":4}}]`),
		"small": simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"jobs":[{"id":"y","model":"m",
"batch":128,"gpus":1,"steps":90000,"elastic":{"min":1,"max":2}}]`),
		"two": simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":1}},{"id":"b","gpus":{"p100":1}}]},
"jobs":[{"id":"x","model":"m","batch":128,"gpus":2,"steps":5000,"elastic":{"min":2,"max":3}}]`),
		"down": simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"faults":[{"node":"a",
"at_s":100,"gpus":2,"repair_s":4000}],"jobs":[{"id":"y","model":"m","batch":128,"gpus":4,"steps":50000,
"elastic":{"min":3,"max":4}}]`)} {
		simtest.EachDecision(t, p, "pollux", nil, 40, func(round int, r *sim.Run, d *sim.Detail) {
			for _, s := range d.Sections {
				for _, f := range s.Formula {
					if !strings.Contains(f.Pattern(), "^(1 ÷ {2}) = {3}") {
						continue
					}
					sum, power := 0.0, f.Args()[2].(sim.Digits).Value
					for _, x := range simtest.Texts(f) {
						if x.Pattern() == "{0}^{1}" {
							sum += math.Pow(x.Args()[0].(sim.Digits).Value, power)
						}
					}
					want := math.Pow(sum/float64(f.Args()[1].(int)), 1/power)
					simtest.Near(t, name+": "+f.Pattern(), f.Args()[3].(sim.Digits).Value, want, 1e-9*want)
					if strings.Contains(f.Pattern(), "carried out") {
						seen["carried out"]++
					}
				}
			}
			for _, c := range d.Choices {
				has, measured := simtest.HeldAfter(c), termOf(c, "measured_gpus")
				for _, words := range []string{"twice as many as it has measured", "until it has measured",
					"of several types, and it has", "of several types, and of none", "can use are in service"} {
					if !simtest.Saying(c.Says, words).IsZero() {
						seen[words]++
					}
				}
				shape := p.Jobs[c.Job].Shape
				if !simtest.Saying(c.Says, "twice as many as it has measured").IsZero() &&
					(2*measured != float64(has) || has >= shape.Max) {
					t.Errorf("%s, round %d: it has %d of up to %d, has measured %v, and is told that it may have no more yet",
						name, round, has, shape.Max, measured)
				}
				if len(d.Choices) == 1 && !simtest.Saying(c.Says, "found nothing better").IsZero() {
					if counted, as := fitnessOf(d); math.Abs(counted-as) > 1e-9 {
						t.Errorf("%s, round %d: %v was found and %v is had", name, round, as, counted)
					}
				}
				if has == 0 && !simtest.Saying(c.Says, "found no allocation").IsZero() &&
					simtest.InService(p, r.Now())[0] < shape.Min && len(p.Cluster.Types) == 1 {
					t.Errorf("%s, round %d: %d GPUs are needed and %d in service, and the search is blamed", name,
						round,
						shape.Min, simtest.InService(p, r.Now())[0])
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
	found, _ = simtest.Valued(d, "fitness")
	for _, s := range d.Sections {
		for _, f := range s.Formula {
			sum, power := 0.0, 0.0
			for _, x := range simtest.Texts(f) {
				if x.Pattern() == "{0}^{1}" {
					power = x.Args()[1].(sim.Digits).Value
					sum += math.Pow(x.Args()[0].(sim.Digits).Value, power)
				}
			}
			if power != 0 {
				return math.Pow(sum/float64(f.Args()[1].(int)), 1/power), found
			}
		}
	}
	return found, found
}

// TestPolluxSaysHowASpeedupCounts: the line of what a speedup counts comes out.
func TestPolluxSaysHowASpeedupCounts(t *testing.T) {
	p, _ := mixed(t)
	seen := 0
	simtest.EachDecision(t, p, "pollux", nil, 20, func(round int, _ *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			for _, s := range c.Sections {
				for _, f := range s.Formula {
					if !strings.HasPrefix(f.Pattern(), "counts in the fitness") {
						continue
					}
					v := make([]float64, len(f.Args()))
					for i, a := range f.Args() {
						v[i] = a.(sim.Digits).Value
					}
					want := v[0]/v[1] + v[2]
					if len(v) == 5 {
						want = v[0]/v[1]*v[2] + v[3]
					}
					simtest.Near(t, f.Pattern(), v[len(v)-1], want, 1e-12)
					seen++
				}
			}
		}
	})
	if seen == 0 {
		t.Error("no such line")
	}
}

// TestSiaRestartsNobodyWhoStartsFirst: of a job in the stall of its first start it is not said that it restarts, and
// an elastic job needs no more than its least number of GPUs.
func TestSiaRestartsNobodyWhoStartsFirst(t *testing.T) {
	first, short := 0, 0
	p := simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"overheads":{"restart_s":90},
"faults":[{"node":"a","at_s":700,"gpus":2,"repair_s":4000}],"jobs":[{"id":"y","model":"m","batch":128,"gpus":4,
"steps":90000,"elastic":{"min":3,"max":4}}]`)
	simtest.EachDecision(t, p, "sia", nil, 40, func(round int, r *sim.Run, d *sim.Detail) {
		c := d.Choices[0]
		if !simtest.Saying(c.Says, "restarting").IsZero() && !(termOf(c, "restarts so far") > 0) {
			t.Errorf("round %d: %q after no restart", round, c.Says.Pattern())
		}
		if !simtest.Saying(c.Says, "still starting").IsZero() {
			first++
		}
		if len(c.Gangs) == 0 && simtest.InService(p, r.Now())[0] == 2 {
			if short++; simtest.Saying(c.Says, "at least").IsZero() {
				t.Errorf("round %d: %q of a job that needs three GPUs", round, c.Says.Pattern())
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
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}},{"id":"b","gpus":{"p100":2}}],
"changes":[{"at_s":0,"node":"a","type":"v100","gpus":2},{"at_s":1000,"node":"a","type":"v100","gpus":4}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":2,"p100":1}}]},
"jobs":[{"id":"w","model":"m","gpus":4,"steps":20000}]`)
	after := 0
	simtest.EachDecision(t, p, "elastic-dp", nil, 6, func(round int, r *sim.Run, d *sim.Detail) {
		if r.Now() < 1000*unit.Second {
			return
		}
		if after++; !simtest.Saying(d.Choices[0].Says, "in service").IsZero() {
			t.Errorf("round %d: %q, and four are", round, d.Choices[0].Says.Pattern())
		}
	})
	if after == 0 {
		t.Error("it was over before")
	}
	p = simtest.Written(t, `"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},"throughputs":{"rows":[{"model":"m",
"per_gpu":{"v100":1}}]},"jobs":[{"id":"z","model":"m","gpus":3,"steps":900},{"id":"y","model":"m","gpus":1,"steps":9000,
"elastic":{"min":1,"max":4}}]`)
	kept := false
	simtest.EachDecision(t, p, "elastic-dp", map[string]any{"hysteresis": 10.0}, 3,
		func(round int, _ *sim.Run, d *sim.Detail) {
			if s := simtest.Saying(d.Sections[0].Title, "the jobs keep their sizes"); !s.IsZero() {
				if kept = true; len(s.Args()) < 2 || s.Args()[1] != sim.Share(10) {
					t.Errorf("round %d: %q of %v", round, s.Pattern(), s.Args())
				}
			}
		})
	if !kept {
		t.Error("the sizes were not kept")
	}
}

// TestSiaDiscountsNobodyYoungerThanARestart: a job that came less than the stall of a restart ago is not discounted,
// as in Sia's artifact, and later it is by the formula that is shown.
func TestSiaDiscountsNobodyYoungerThanARestart(t *testing.T) {
	young, old := 0, 0
	p := simtest.Written(t, learner+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":4}}]},
"overheads":{"restart_s":30,"checkpoint_s":300},"jobs":[{"id":"y","model":"m","batch":128,"gpus":1,"steps":90000,
"elastic":{"min":1,"max":4}}]`)
	simtest.EachDecision(t, p, "sia", nil, 12, func(round int, r *sim.Run, d *sim.Detail) {
		age, factor := r.Now().Seconds(), termOf(d.Choices[0], "restart factor of a change")
		switch restarts := termOf(d.Choices[0], "restarts so far"); {
		case age == 0:
		case age < 330 && factor == 1:
			young++
		case age >= 330 && factor == max(age-restarts*330, 0)/(age+330):
			old++
		default:
			t.Errorf("a job that is %g s old counts %g on other GPUs after %g restarts", age, factor, restarts)
		}
	})
	if young == 0 || old == 0 {
		t.Errorf("%d young and %d old", young, old)
	}
}

// TestWhoComesJoinsWhereAllHaveTheirLeast: a job is let in where there is room beside what the others need at least,
// also where it brings the sum of speedups less than the others lose by it.
func TestWhoComesJoinsWhereAllHaveTheirLeast(t *testing.T) {
	p := simtest.Written(t, `"cluster":{"nodes":[{"id":"n","gpus":{"v100":4}}]},"throughputs":{"rows":[
{"model":"m","per_gpu":{"v100":1}},{"model":"slow","per_gpu":{"v100":1},"gang":{"v100":{"3":0.1}}}]},
"jobs":[{"id":"e","model":"m","gpus":4,"steps":9000,"elastic":{"min":1,"max":4}},
{"id":"s","model":"slow","gpus":3,"steps":60,"arrival_s":100}]`)
	tr := simtest.Run(t, p, "elastic-dp", nil)
	if at := tr.Jobs[1].Start; at != 600*unit.Second {
		t.Errorf("the slow job starts at %v", at)
	}
}

// TestSizesCountCloseGPUs: of two nodes of two one GPU each is free, and a gang over both is half as fast as one
// GPU. Elastic DP counts a speedup of 2 for a job that gets both, and Optimus 2000 s, and they say for how the GPUs
// would lie; it takes 8000 s.
func TestSizesCountCloseGPUs(t *testing.T) {
	p := simtest.Written(t, `"round_s":300,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}},
{"id":"n2","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1},"spread":{"v100":{"2":0.5}}}]},
"jobs":[{"id":"x1","model":"m","gpus":1,"steps":9000},{"id":"x2","model":"m","gpus":1,"steps":500},
{"id":"x3","model":"m","gpus":1,"steps":500},{"id":"x4","model":"m","gpus":1,"steps":9000},
{"id":"w","model":"m","gpus":2,"steps":4000,"arrival_s":600,"elastic":{"min":1,"max":2}}]`)
	for id, says := range map[string]string{"elastic-dp": "as close together as can be",
		"optimus": "so many close together"} {
		if end := simtest.Run(t, p, id, nil).Jobs[4].Finish; end != 8600*unit.Second {
			t.Errorf("%s: it ends at %v", id, end)
		}
		told := false
		simtest.EachDecision(t, p, id, nil, 3, func(_ int, _ *sim.Run, d *sim.Detail) {
			for _, c := range d.Choices {
				if c.Job != 4 || len(c.Gangs) == 0 {
					continue
				}
				told = told || !simtest.Saying(c.Says, says).IsZero()
				for _, s := range c.Sections {
					for _, f := range s.Formula {
						told = told || !simtest.Saying(f, says).IsZero()
					}
				}
			}
		})
		if !told {
			t.Errorf("%s does not say %q", id, says)
		}
	}
}
