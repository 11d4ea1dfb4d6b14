package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Size is how many GPUs one job holds over time, all its gangs together: a step curve a run.
type Size struct {
	Job   int32
	Asked int32 // GPUs
	Most  int32 // GPUs that it ever holds or asks for
	Turns []int // a run: how often it goes from one number of GPUs to another, leaving out when it holds none
	Runs  []Series
}

// mostSizes is how many jobs have a curve.
const mostSizes = 8

// Sizes are the jobs whose size changes most, over the runs of one scenario, and always one of them, −1 = none; by job.
func Sizes(runs []*trace.Trace, always int32) []Size {
	all := make([]Size, len(runs[0].Jobs))
	held := make([][]change, len(all))
	for _, t := range runs {
		s := &t.Spans
		for i := range s.Len() {
			t.Pace.Did(1)
			n := int32(0)
			for _, sh := range s.At(i) {
				n += sh.N
			}
			held[s.Job[i]] = append(held[s.Job[i]], change{s.From[i], n}, change{s.To[i], -n})
		}
		for j := range all {
			z, last := &all[j], 0.0
			curve := accumulate(held[j], t.End, t.Pace)
			z.Job, z.Asked, z.Turns, held[j] = int32(j), t.Jobs[j].GPUs, append(z.Turns, 0), held[j][:0]
			z.Most = max(z.Most, z.Asked, int32(curve.Max()))
			for _, v := range curve.V {
				t.Pace.Did(1)
				if v > 0 && last > 0 && v != last {
					z.Turns[len(z.Runs)]++
				}
				last = cmp.Or(v, last)
			}
			z.Runs = append(z.Runs, curve)
		}
	}
	total := func(j int32) (n int) {
		if j == always {
			return 1 << 30
		}
		for _, k := range all[j].Turns {
			n += k
		}
		return n
	}
	by := unit.Order(len(all), func(x, y int32) int { return cmp.Compare(total(y), total(x)) })
	by = first(by, mostSizes, len(runs), func(j int32, run int) int { return all[j].Turns[run] })
	slices.Sort(by)
	out := make([]Size, len(by))
	for k, j := range by {
		out[k] = all[j]
	}
	return out
}

// first are the first n of an order, and of each run one that turns most, in the place of a last one: what is said of
// a run is said of those that are drawn.
func first(order []int32, n, runs int, turns func(i int32, run int) int) []int32 {
	if len(order) <= n {
		return order
	}
	out, place := slices.Clone(order[:n]), n
	for run := range runs {
		most := slices.MaxFunc(order, func(a, b int32) int { return cmp.Compare(turns(a, run), turns(b, run)) })
		if place > 1 && !slices.ContainsFunc(out, func(i int32) bool { return turns(i, run) == turns(most, run) }) {
			place--
			out[place] = most
		}
	}
	return out
}

// sizesDiffer says whether a job of the run holds gangs of different sizes.
func (l *Lane) sizesDiffer() bool {
	first := make([]int32, len(l.Looks))
	for i := range l.Holdings {
		h := &l.Holdings[i]
		if size := &first[h.Job]; *size == 0 {
			*size = h.Size
		} else if *size != h.Size {
			return true
		}
	}
	return false
}
