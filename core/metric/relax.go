package metric

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// relax builds the fluid cluster of Bounds; nil when a job has no speed on any gang that the cluster can give.
func relax(p *model.Problem, forks copies, packs bool) *relaxation {
	x := &relaxation{p: p, gpus: make([]float64, len(p.Cluster.Types)), class: make([]int32, len(p.Jobs)),
		worths: map[*model.Training]worths{}}
	caps := make([]int32, len(p.Cluster.Slots))
	for s := range caps {
		caps[s] = p.Cluster.Slots[s].Cap
	}
	for _, c := range p.Changes {
		caps[c.Slot] = max(caps[c.Slot], c.Cap)
	}
	x.node = x.nodes(caps)
	for s, n := range caps {
		x.gpus[p.Cluster.Slots[s].Type] += float64(n)
	}
	index := map[fluidKey]int32{}
	for i := range p.Jobs {
		j := &p.Jobs[i]
		key := fluidKey{table: j.Phases[0].Tables[0], shape: j.Shape, job: model.None}
		if len(j.Phases) > 1 || len(j.Phases[0].Tables) > 1 {
			key.job = int32(i) // a class of its own
		}
		c, ok := index[key]
		if !ok {
			c = int32(len(x.classes))
			index[key] = c
			var f fluid
			if forks.on {
				f = x.forks(j, forks.limit(j))
			} else {
				f = x.fluid(j, packs)
			}
			if f.top <= 0 {
				return nil
			}
			x.classes = append(x.classes, f)
		}
		x.class[i] = c
	}
	if packs {
		x.share()
	}
	return x
}

type fluidKey struct {
	table, job int32
	shape      model.Shape
}

// fluid computes e, M and the greatest speed of a job.
func (x *relaxation) fluid(j *model.Job, packs bool) fluid {
	f := fluid{per: make([]float64, len(x.gpus)), max: float64(j.Shape.Max)}
	var speeds []float64
	for _, ph := range j.Phases {
		top := 0.0
		for _, id := range ph.Tables {
			tab := &x.p.Tables[id]
			lo, hi, step := j.Shape.Min, j.Shape.Max, max(j.Shape.Step, 1)
			for m := lo; m <= hi; m += step {
				for t := range f.per {
					f.per[t] = max(f.per[t], gang(tab, model.TypeID(t), m)/float64(m))
				}
				top = max(top, x.fastest(tab, m, j.Shape.Split))
			}
			if !packs || lo > 1 {
				continue
			}
			for k := range x.p.Pairs {
				q := &x.p.Pairs[k]
				for _, r := range [...]struct {
					table int32
					rate  float64
				}{{q.A, float64(q.RateA)}, {q.B, float64(q.RateB)}} {
					if r.table == id && q.RateA > 0 && q.RateB > 0 && x.gpus[q.Type] > 0 {
						f.per[q.Type] = max(f.per[q.Type], r.rate)
						top = max(top, r.rate)
					}
				}
			}
		}
		speeds = append(speeds, top)
	}
	f.top = whole(j, speeds)
	return f
}

// gang is the speed of m GPUs of one type where it is greatest, on one node or several.
func gang(tab *model.Throughput, t model.TypeID, m int32) float64 {
	return float64(max(tab.Rate(t, m, model.OneNode), tab.Rate(t, m, model.OneRack), tab.Rate(t, m, model.Network)))
}

// fastest is the greatest speed of one gang of m GPUs. With types by descending speed a gang takes so many that
// they have m GPUs together; it runs at the last one's speed or, if it splits its batch by their speeds, at that of the
// best split: no GPU's being faster makes that slower, and what is learned is one of the splits.
func (x *relaxation) fastest(tab *model.Throughput, m int32, split *model.Split) float64 {
	var parts []model.Part
	types := make([]model.TypeID, len(x.gpus))
	for t := range types {
		types[t] = model.TypeID(t)
	}
	slices.SortStableFunc(types, func(a, b model.TypeID) int {
		switch ra, rb := gang(tab, a, m), gang(tab, b, m); {
		case ra > rb:
			return -1
		case ra < rb:
			return 1
		}
		return 0
	})
	want, sum := float64(m), 0.0
	for _, t := range types {
		r := gang(tab, t, m)
		if r <= 0 {
			return 0
		}
		n := min(x.gpus[t], want)
		sum += float64(n * r)
		if n > 0 && split != nil {
			parts = model.AddPart(parts, t, n, unit.Rate(r))
		}
		if want -= n; want > 0 {
			continue
		}
		if split == nil {
			return r
		}
		best := *split
		if best.Learned = false; best.Perfect() {
			return sum / float64(m)
		}
		return float64(best.Settled(parts))
	}
	return 0
}

// share raises each type's GPUs by what two jobs can get out of one together.
func (x *relaxation) share() {
	used := map[int32]bool{}
	for i := range x.p.Jobs {
		for _, ph := range x.p.Jobs[i].Phases {
			for _, t := range ph.Tables {
				used[t] = true
			}
		}
	}
	more := make([]float64, len(x.gpus))
	for t := range more {
		more[t] = 1
	}
	for i := range x.p.Pairs {
		q := &x.p.Pairs[i]
		if !used[q.A] || !used[q.B] || q.RateA <= 0 || q.RateB <= 0 {
			continue
		}
		part := func(table int32, r float64) float64 { return r / max(r, gang(&x.p.Tables[table], q.Type, 1)) }
		more[q.Type] = max(more[q.Type], part(q.A, float64(q.RateA))+part(q.B, float64(q.RateB)))
	}
	if f := x.p.Fusion; f != nil { // k fused models have gain(k) of a GPU's time between them
		for i := range f.Arrays {
			for k := range f.Arrays[i].Members {
				for t := range more {
					more[t] = max(more[t], f.Arrays[i].Curve.Of(k+1))
				}
			}
		}
	}
	for t := range more {
		x.gpus[t] = float64(x.gpus[t] * more[t])
	}
}
