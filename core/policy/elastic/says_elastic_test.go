package elastic_test

import (
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TestOptimusListsGiftsThatStand: who is listed with GPUs given last has so many; what the last gift and one GPU more
// save are the largest of what the tables beside them say; and a sentence about more GPUs says what they say.
func TestOptimusListsGiftsThatStand(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		p := simtest.RandomElastic(seed, "optimus says")
		simtest.EachDecision(t, p, "optimus", map[string]any{"every_s": 60.0, "threshold": float64(seed % 4)}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				s := d.Sections[len(d.Sections)-1]
				for _, r := range s.Table.Rows {
					if has := simtest.HeldAfter(d.Of(r.Cells[0].(model.JobID))); has < r.Cells[1].(int32) {
						t.Errorf("seed %d, round %d: listed with %d GPUs, has %d", seed, round, r.Cells[1], has)
					}
				}
				if last, named := simtest.Valued(d, "last_gain"); named != (len(s.Table.Rows) > 0) ||
					named && last != s.Table.Rows[0].Cells[2] {
					t.Errorf("seed %d, round %d: the last gift saves %v, %v", seed, round, last, named)
				}
				most := 0.0
				for _, c := range d.Choices {
					for _, x := range c.Sections {
						if x.Table == nil || x.Table.Key != "gpus" {
							continue
						}
						for i, r := range x.Table.Rows {
							if !r.Chosen || i+1 == len(x.Table.Rows) {
								continue
							}
							next := x.Table.Rows[i+1]
							saves, more := next.Cells[2].(float64), next.Cells[0].(int32)-r.Cells[0].(int32)
							most = max(most, saves)
							if says := simtest.Saying(c.Says, "more would save it"); !says.IsZero() {
								seen["more"]++
								told := false
								for _, a := range says.Args() {
									told = told || a == sim.Seconds(saves)
								}
								if !told || more == 1 != strings.HasPrefix(says.Pattern(), "a GPU") {
									t.Errorf("seed %d, round %d: %q of %v, and %d GPUs more save %v each",
										seed, round, says.Pattern(), says.Args(), more, saves)
								}
							}
						}
					}
					for _, words := range []string{"less than {2} times", "with fewer GPUs", "leaves too few"} {
						if says := simtest.Saying(c.Says, words); !says.IsZero() {
							seen[words]++
							if words == "less than {2} times" && float64(says.Args()[1].(sim.Seconds)) >=
								says.Args()[2].(float64)*float64(says.Args()[3].(sim.Seconds)) {
								t.Errorf("seed %d, round %d: %q of %v", seed, round, says.Pattern(), says.Args())
							}
						}
					}
				}
				if next, _ := simtest.Valued(d, "next_gain"); math.Abs(next-most) > 1e-9*most {
					t.Errorf("seed %d, round %d: one GPU more saves %v, and the most in a table is %v",
						seed, round, next, most)
				}
			})
	}
	t.Log(seen)
	if len(seen) < 4 {
		t.Error(seen)
	}
}

// TestElasticSaysWhatIsCarriedOut: the sizes and speedups listed are those that jobs have; the best division is named
// as such only where they are it; and what is said to grow grows.
func TestElasticSaysWhatIsCarriedOut(t *testing.T) {
	cut, kept := 0, 0
	for seed := range uint64(400) {
		p := simtest.RandomElastic(seed, "elastic says")
		simtest.EachDecision(t, p, "elastic-dp", map[string]any{"every_s": 60.0, "hysteresis": 0.3}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				best := map[model.JobID]bool{}
				for _, s := range d.Sections {
					sum, terms := 0.0, map[string]float64{}
					for _, k := range s.Terms {
						terms[k.Name] = k.Value
					}
					for _, r := range s.Table.Rows {
						sum += r.Cells[3].(float64)
						if c := d.Of(r.Cells[0].(model.JobID)); simtest.HeldAfter(c) != r.Cells[2].(int32) {
							t.Errorf("seed %d, round %d: j%d is listed with %d GPUs and has %d",
								seed, round, c.Job+1, r.Cells[2], simtest.HeldAfter(c))
						}
					}
					if done, named := terms["sum of speedups as it is carried out"]; named {
						if cut++; math.Abs(done-sum) > 1e-9 {
							t.Errorf("seed %d, round %d: a sum of %v of rows of %v", seed, round, done, sum)
						}
					}
					is := math.Abs(terms["sum of speedups of the best division"]-sum) < 1e-9
					for _, r := range s.Table.Rows {
						best[r.Cells[0].(model.JobID)] = is
					}
					named := !simtest.Saying(s.Title, "of all divisions that with the largest").IsZero()
					if named && s.Note.IsZero() && !is {
						t.Errorf("seed %d, round %d: %q, of %v, and the rows add up to %v",
							seed, round, s.Title.Pattern(), terms, sum)
					}
				}
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "no other division of the {1}"); !says.IsZero() && !best[c.Job] {
						t.Errorf("seed %d, round %d: %q, and it is another", seed, round, says.Pattern())
					}
					if says := simtest.Saying(c.Says, "the best division would raise"); !says.IsZero() {
						kept++
						if from, to := says.Args()[0].(sim.Fixed), says.Args()[1].(sim.Fixed); to.Value <= from.Value {
							t.Errorf("seed %d, round %d: %q of %v and %v", seed, round, says.Pattern(), from, to)
						}
					}
				}
			})
	}
	if cut == 0 || kept == 0 {
		t.Errorf("%d divisions cut, %d sentences of one that was kept", cut, kept)
	}
}

// TestSiaComparesAllOrSaysSo: the sum is that of the rows, whatever the sign of p, and all choices are spoken of only
// where all are compared.
func TestSiaComparesAllOrSaysSo(t *testing.T) {
	p := many(t, 3, 64, 24)
	small := many(t, 2, 2, 4)
	for _, x := range []*model.Problem{p, small} {
		for _, power := range []float64{-0.5, 0.5} {
			simtest.EachDecision(t, x, "sia", map[string]any{"p": power}, 3,
				func(round int, _ *sim.Run, d *sim.Detail) {
					s, sum := d.Sections[len(d.Sections)-1], 0.0
					for _, r := range s.Table.Rows {
						sum += r.Cells[4].(float64)
					}
					if math.Abs(sum-s.Terms[0].Value) > 1e-6 {
						t.Errorf("round %d: a sum of %v of rows of %v", round, s.Terms[0].Value, sum)
					}
					all := simtest.Saying(s.Note, "too many states").IsZero()
					if all != (x == small) {
						t.Fatalf("round %d: all choices compared: %v", round, all)
					}
					if !simtest.Saying(s.Title, "Of all choices").IsZero() != all {
						t.Errorf("round %d: %q", round, s.Title.Pattern())
					}
					for _, c := range d.Choices {
						if says := simtest.Saying(c.Says, "all choices together"); !says.IsZero() && !all {
							t.Errorf("round %d: %q", round, says.Pattern())
						}
					}
				})
		}
	}
}

// many is a cluster of so many types with so many GPUs each, and jobs with profiles.
func many(t *testing.T, types int, gpus int32, jobs int) *model.Problem {
	var nodes []simtest.Node
	rates := map[string]float64{}
	for i := range types {
		name := string(rune('a' + i))
		rates[name] = float64(i + 1)
		for n := int32(0); n < gpus; n += 4 {
			nodes = append(nodes, simtest.Node{name: min(4, gpus)})
		}
	}
	list := make([]simtest.Job, jobs)
	for i := range list {
		list[i] = simtest.Job{GPUs: 1, Steps: 1e5, Rates: rates}
	}
	p := simtest.Build(60, nodes, list, model.Costs{})
	for i := range p.Jobs {
		perf := make([]model.Perf, types)
		for k := range perf {
			perf[k] = model.Perf{AlphaC: 0.1, BetaC: 0.001 / float64(k+1), AlphaN: 0.05, AlphaR: 0.01, Gamma: 2}
		}
		simtest.Profiled(p, i, perf, model.Batches{Init: 64, Max: 1024, Low: 16, High: 128}, []float64{500},
			model.Shape{Size: 1, Min: 1, Max: 8, Step: 1, Gangs: 1})
	}
	return p
}

// TestNobodyIsNewThatRuns: none that holds GPUs already is said not to have run, whose stall ends at the decision.
func TestNobodyIsNewThatRuns(t *testing.T) {
	p, seen := many(t, 2, 4, 6), 0
	for i := range p.Costs {
		p.Costs[i] = model.Costs{Load: 60 * unit.Second}
	}
	simtest.EachDecision(t, p, "sia", map[string]any{"every_s": 60.0}, 6, func(round int, _ *sim.Run, d *sim.Detail) {
		for _, c := range d.Choices {
			if says := simtest.Saying(c.Says, "worth the same to it on every type"); !says.IsZero() &&
				c.Action == trace.Kept {
				if seen++; strings.Contains(says.Pattern(), "has not run") {
					t.Errorf("round %d, j%d: %q", round, c.Job+1, says.Pattern())
				}
			}
		}
	})
	if seen == 0 {
		t.Error("nobody is told")
	}
}

// TestOptimusSaysWhomFreeGPUsWereFor: they were meant for a job that waits, or for jobs that are told why they keep
// their size.
func TestOptimusSaysWhomFreeGPUsWereFor(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(400) {
		p := simtest.RandomElastic(seed, "meant")
		for i := range p.Tables { // some do not run spread
			for typ := range p.Cluster.Types {
				for n := int32(2); n <= p.Tables[i].MaxSize() && (seed+uint64(i))%2 == 0; n++ {
					p.Tables[i].Set(model.TypeID(typ), n, p.Tables[i].Rate(model.TypeID(typ), n, model.OneNode), 0, 0)
				}
			}
		}
		simtest.EachDecision(t, p, "optimus", map[string]any{"every_s": 60.0, "threshold": float64(seed % 4)}, 12,
			func(round int, _ *sim.Run, d *sim.Detail) {
				keeps := slices.ContainsFunc(d.Choices, func(c *sim.Choice) bool {
					return !simtest.Saying(c.Says, "less than {2} times").IsZero() ||
						!simtest.Saying(c.Says, "with fewer GPUs").IsZero()
				})
				for _, c := range d.Choices {
					if says := simtest.Saying(c.Says, "as they lie"); !says.IsZero() && len(says.Args()) > 0 {
						seen["lie"]++
						if simtest.HeldAfter(d.Of(says.Args()[0].(model.JobID))) > 0 {
							t.Errorf("seed %d, round %d: %q of %v, and it runs", seed, round, says.Pattern(), says.Args())
						}
					}
					if says := simtest.Saying(c.Says, "do not change their size"); !says.IsZero() {
						if seen["keep"]++; !keeps {
							t.Errorf("seed %d, round %d, j%d: %q, and nobody keeps its size",
								seed, round, c.Job+1, says.Pattern())
						}
					}
				}
			})
	}
	t.Log(seen)
	if seen["lie"] == 0 {
		t.Error("nobody is named")
	}
}
