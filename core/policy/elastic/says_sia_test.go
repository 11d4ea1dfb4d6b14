package elastic_test

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// profiled is a random problem whose jobs have profiles, not on every type, and a range of sizes; some GPUs fail.
func profiled(seed uint64) *model.Problem {
	rng := unit.Stream(seed, "profiled")
	p := simtest.Random(rng)
	for i := range p.Jobs {
		shape := p.Jobs[i].Shape
		shape.Min = 1 + rng.Int32N(shape.Size)
		shape.Max = shape.Size + rng.Int32N(6)
		if rng.IntN(4) == 0 {
			shape.Min, shape.Max = shape.Size, shape.Size
		}
		perf := make([]model.Perf, len(p.Cluster.Types))
		for t := range perf {
			perf[t] = model.Perf{AlphaC: 0.01 + 0.1*rng.Float64(), BetaC: 0.0001 + 0.002*rng.Float64(),
				AlphaN: 0.01 + 0.3*rng.Float64(), BetaN: 0.01 * rng.Float64(), AlphaR: 0.001 + 0.05*rng.Float64(),
				BetaR: 0.001 * rng.Float64(), Gamma: 1 + 3*rng.Float64()}
		}
		simtest.Profiled(p, i, perf, model.Batches{Init: 32, Max: 1024, Low: 8, High: 128},
			[]float64{10000 * rng.Float64() * rng.Float64()}, shape)
	}
	for range rng.IntN(3) {
		at, from := model.SlotID(rng.IntN(len(p.Cluster.Slots))), unit.Tick(1+rng.IntN(8))*p.Round
		full := p.Cluster.Slots[at].Cap
		p.Changes = append(p.Changes, model.CapacityChange{At: from, Slot: at, Cap: rng.Int32N(full)},
			model.CapacityChange{At: from + 6*p.Round, Slot: at, Cap: full})
	}
	slices.SortStableFunc(p.Changes, func(a, b model.CapacityChange) int { return cmp.Compare(a.At, b.At) })
	return p
}

// siaRow is a row of a job's configurations under Sia.
type siaRow struct {
	typ               model.TypeID
	gpus              int32
	value, gain, adds float64
	chosen            bool
}

// rowsOf are the configurations that are told of a job.
func rowsOf(c *sim.Choice) (out []siaRow) {
	for _, s := range c.Sections {
		if s.Table == nil || s.Table.Title.Pattern() != "The configurations of {0}" {
			continue
		}
		for _, r := range s.Table.Rows {
			is := r.Cells[0].(words.Text).Args()
			out = append(out, siaRow{is[1].(model.TypeID), is[0].(int32), r.Cells[1].(float64), r.Cells[2].(float64),
				r.Cells[3].(float64), r.Chosen})
		}
	}
	return out
}

// bestSum is the best sum of what configurations add, one a job or none, within the GPUs in service: the least, or with
// p above 0 the largest. Who stays must.
func bestSum(d *sim.Detail, room []int32, lambda float64, most bool) float64 {
	sign, out := 1.0, lambda
	if most {
		sign, out = -1, -lambda
	}
	state := func(left []int32) (n int) {
		for t, k := range left {
			n = n*int(room[t]+1) + int(k)
		}
		return n
	}
	memo := map[[2]int]float64{}
	var from func(i int, left []int32) float64
	from = func(i int, left []int32) float64 {
		if i == len(d.Choices) {
			return 0
		}
		at := [2]int{i, state(left)}
		if v, ok := memo[at]; ok {
			return v
		}
		c, best := d.Choices[i], math.Inf(1)
		stays := !simtest.Saying(c.Says, "there and stays").IsZero()
		if !stays {
			best = sign*out + from(i+1, left)
		}
		for _, r := range rowsOf(c) {
			if r.gpus <= left[r.typ] && (r.chosen || !stays) {
				left[r.typ] -= r.gpus
				best = min(best, sign*r.adds+from(i+1, left))
				left[r.typ] += r.gpus
			}
		}
		memo[at] = best
		return best
	}
	return sign * from(0, slices.Clone(room))
}

// TestSiaSaysWhatItsRowsSay: what a job counts with its configuration, with others and left out is what its row says,
// what is said to lack lacks, and the choices that are called best have no better ones by a search of all.
func TestSiaSaysWhatItsRowsSay(t *testing.T) {
	seen := map[string]int{}
	for seed := range uint64(600) {
		p, power := profiled(seed), []float64{-0.5, -1, 0.5, 0}[seed%4]
		given := map[string]any{"every_s": []float64{60, 8}[seed%2], "p": power}
		simtest.EachDecision(t, p, "sia", given, 20, func(round int, r *sim.Run, d *sim.Detail) {
			usable, free := simtest.IdleGPUs(p, r.Now(), d)
			sum, best := simtest.Term(d.Sections, "sum over all jobs"), bestSum(d, usable, 1.1, power > 0)
			for _, c := range d.Choices {
				rows, job := rowsOf(c), &p.Jobs[c.Job]
				least, most, own, other := math.Inf(1), siaRow{}, siaRow{}, siaRow{}
				for _, x := range rows {
					least = min(least, x.value)
					if x.gain > most.gain {
						most = x
					}
					if x.chosen {
						own = x
					}
				}
				for _, x := range rows {
					if x.typ != own.typ && x.gain > other.gain {
						other = x
					}
				}
				is := func(a any, x siaRow) bool {
					w := a.(words.Text).Args()
					return w[0] == any(x.gpus) && w[1] == any(x.typ)
				}
				for _, part := range []string{"it counts {1}", "worth the same to it", "there its goodput is",
					"would add {1}", "no GPU type on which", "none that it can use", "do not lie together",
					"all choices together are best"} {
					says, so := simtest.Saying(c.Says, part), false
					if says.IsZero() {
						continue
					}
					seen[part]++
					a := says.Args()
					switch part {
					case "it counts {1}":
						so = is(a[0], own) && a[1] == any(own.gain/least) && is(a[2], other) &&
							a[3] == any(other.gain/least)
					case "worth the same to it":
						so = !slices.ContainsFunc(rows, func(x siaRow) bool { return x.value != own.value })
					case "there its goodput is":
						so = a[0] == any(own.value/least)
					case "would add {1}":
						so = is(a[0], most) && a[1] == any(most.adds) && len(c.Gangs) == 0
					case "no GPU type on which", "none that it can use":
						all := int32(0)
						so = true
						for typ, n := range usable {
							tab := &p.Tables[job.Phases[0].Tables[0]]
							if tab.Rate(model.TypeID(typ), job.Shape.Min, model.OneNode) > 0 {
								so = so && n < job.Shape.Min
								all += n
							}
						}
						so = so && (all == 0) == (part == "none that it can use")
					case "do not lie together":
						so = free[own.typ] >= own.gpus
					default:
						so = math.Abs(sum-best) < 1e-6
					}
					if !so {
						t.Errorf("seed %d, round %d, j%d: %q of %v; %v in service, %v free, a sum of %v, best %v, rows %v", seed,
							round, c.Job+1, says.Pattern(), a, usable, free, sum, best, rows)
					}
				}
			}
		})
	}
	if t.Log(seen); len(seen) < 8 {
		t.Error(seen)
	}
}

// TestSiaTellsTheMostGPUsOfABatch: 256 examples at 64 a GPU at least are for 4 GPUs, so that a job that has measured 4
// may have no more, though twice as many were allowed.
func TestSiaTellsTheMostGPUsOfABatch(t *testing.T) {
	small := strings.NewReplacer(`"low":32`, `"low":64`, `"max_batch":4096`, `"max_batch":256`).Replace(learner)
	p := simtest.Written(t, small+`,"cluster":{"nodes":[{"id":"a","gpus":{"v100":8}}]},"jobs":[{"id":"y","model":"m",
"batch":128,"gpus":1,"steps":90000,"elastic":{"min":1,"max":8}}]`)
	most := 0.0
	simtest.EachDecision(t, p, "sia", nil, 8, func(round int, _ *sim.Run, d *sim.Detail) {
		is := termOf(d.Choices[0], "GPUs that it may have at most")
		if most = max(most, is); float64(simtest.HeldAfter(d.Choices[0])) > is {
			t.Errorf("round %d: it has %d GPUs of %v at most", round, simtest.HeldAfter(d.Choices[0]), is)
		}
	})
	if most != 4 {
		t.Errorf("it may have %v GPUs, and its batch is for 4", most)
	}
}
