package metric

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
)

// copies says what kind of forked copies a run shows: each is one gang on one node, which has one of its job at most.
type copies struct {
	on   bool
	own  bool  // no copy is larger than what its job asked for, so that none is taken to be
	most int32 // else no copy is larger than this
}

// limit is how many GPUs a copy of the job has at most.
func (c *copies) limit(j *model.Job) int32 {
	if c.own {
		return j.Shape.Size
	}
	return c.most
}

// forked says whether a job ever had two gangs at once, or one that its shape does not allow, and then how large they
// are.
func forked(p *model.Problem, t *trace.Trace) copies {
	c := copies{own: true}
	for i := range t.Spans.Len() {
		size := int32(0)
		for _, sh := range t.Spans.At(i) {
			size += sh.N
		}
		s := &p.Jobs[t.Spans.Job[i]].Shape
		c.on = c.on || t.Spans.Gang[i] > 0 || size < s.Min || size > s.Max
		c.own, c.most = c.own && size <= s.Size, max(c.most, size)
	}
	return c
}

// nodes are the GPUs that a node has at most, by type.
func (x *relaxation) nodes(caps []int32) [][]int32 {
	list := make([][]int32, len(x.p.Cluster.Nodes))
	for n := range list {
		list[n] = make([]int32, len(x.gpus))
	}
	for s, cap := range caps {
		slot := &x.p.Cluster.Slots[s]
		list[slot.Node][slot.Type] += cap
	}
	return list
}

// forks computes e, M and the greatest speed of a job that may have a copy on every node. All gangs lie on one node and
// run at the job's first operating point, with the batch that it asks for.
//
// With a profile a copy does s steps a second if an example is worth what it is in the initial batch, with a batch of b
// examples, and copies together Σs·E(Σb), where E says what an example is worth in their batch; Σb is at most the
// profile's most, unless one is alone. So a copy counts s·E(M) at the M ≥ b where E is greatest; and all of them do at
// most E(M)·min(S, ρ·M), with S the sum over nodes of the best s and ρ the best s/b.
func (x *relaxation) forks(j *model.Job, limit int32) fluid {
	f := fluid{per: make([]float64, len(x.gpus))}
	var room []float64 // GPUs of a copy, by node
	for _, of := range x.node {
		room = append(room, float64(min(limit, sum(of))))
	}
	f.max = most(room, j.Shape.Gangs)
	var speeds []float64
	for i := range j.Phases {
		speeds = append(speeds, x.together(&x.p.Tables[j.Phases[i].Tables[0]], j.Shape.Gangs, limit, &f))
	}
	f.top = whole(j, speeds)
	return f
}

// together is what copies of at most limit GPUs do at most together, and raises what one GPU counts.
func (x *relaxation) together(tab *model.Throughput, gangs, limit int32, f *fluid) float64 {
	profile := tab.Training()
	worth := x.worth(profile)
	single, dense := 0.0, 0.0 // the best copy alone, and ρ
	all := make([]float64, len(x.node))
	for n, of := range x.node {
		for m := int32(1); m <= min(limit, sum(of)); m++ {
			batch, alone := int32(math.MaxInt32), math.Inf(1)
			for t, has := range of { // a copy of several types has the batch of one of them
				if b, e := tab.Example(model.TypeID(t), m); has > 0 && b > 0 {
					batch, alone = min(batch, b), min(alone, e)
				}
			}
			for t, has := range of {
				rate := float64(tab.Rate(model.TypeID(t), m, model.OneNode))
				if has == 0 || rate <= 0 {
					continue
				}
				count, s := rate, rate
				if profile != nil {
					s = rate / alone
					count = max(rate, s*worth.from(batch))
					dense = max(dense, s/float64(batch))
				}
				single, all[n] = max(single, rate), max(all[n], s)
				f.per[t] = max(f.per[t], count/float64(m))
			}
		}
	}
	if profile == nil {
		return most(all, gangs)
	}
	return max(single, worth.most(most(all, gangs), dense))
}

// whole is the speed at which a job is done as soon as with the given ones in its phases.
func whole(j *model.Job, speeds []float64) float64 {
	if len(speeds) == 1 {
		return speeds[0]
	}
	took := 0.0
	for k, v := range speeds {
		end := j.Work
		if k+1 < len(speeds) {
			end = min(end, j.Phases[k+1].From)
		}
		if steps := float64(end - j.Phases[k].From); steps > 0 {
			took += steps / v
		}
	}
	return float64(j.Work) / took
}

func sum(of []int32) (n int32) {
	for _, v := range of {
		n += v
	}
	return n
}

// most is the sum of the n greatest.
func most(of []float64, n int32) (total float64) {
	of = slices.Clone(of)
	slices.Sort(of)
	for i := range min(int(n), len(of)) {
		total += of[len(of)-1-i]
	}
	return total
}

// worths is what an example is worth at most in batches of some stretches, which together reach from 1 to the profile's
// most. They are narrow: exact below 64, and else no further apart than a 64th.
type worths struct {
	upTo []int32 // the last batch of each
	at   []float64
	last []float64 // at most in this one and all later ones
}

// worth is what an example is worth in larger batches; nothing where there is no profile. Jobs of one model share it.
func (x *relaxation) worth(in *model.Training) worths {
	w, ok := x.worths[in]
	if ok || in == nil {
		return w
	}
	for a := int32(1); a <= in.Max; {
		b := min(a+max(a/64, 1)-1, in.Max)
		low, high := in.Noise.Range(float64(a), float64(b))
		w.upTo = append(w.upTo, b)
		// it is monotone in φ, and less in a larger batch
		w.at = append(w.at, max(model.Efficiency(low, float64(in.Init), float64(a)),
			model.Efficiency(high, float64(in.Init), float64(a))))
		a = b + 1
	}
	w.last = slices.Clone(w.at)
	for i := len(w.last) - 2; i >= 0; i-- {
		w.last[i] = max(w.last[i], w.last[i+1])
	}
	x.worths[in] = w
	return w
}

// from is what an example is worth at most in a batch of that many or more; 0 beyond the most.
func (w *worths) from(batch int32) float64 {
	if i, _ := slices.BinarySearch(w.upTo, batch); i < len(w.last) {
		return w.last[i]
	}
	return 0
}

// most is the greatest speed of copies that do all steps together if examples are worth most, and dense steps for each
// example of their batch.
func (w *worths) most(all, dense float64) (top float64) {
	for i, e := range w.at {
		top = max(top, e*min(all, dense*float64(w.upTo[i])))
	}
	return top
}
