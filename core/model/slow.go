package model

import (
	"slices"

	"hadarlab/core/unit"
)

// SpeedChange sets at what part of its speed a node runs from an instant on, as a spell of slowness begins or ends on
// it. Before its first one a node runs at its full speed.
type SpeedChange struct {
	At    unit.Tick
	Node  NodeID
	Speed float64 // above 0, 1 = full speed
}

// Redundancy is what a job does against members of its gang (its GPUs) that are slow for a while: work that is there
// twice, so that a step need not wait for all of them. The zero value is none. Only abstracts of gradient coding are
// at hand, so that the forms are ours:
//
//   - Backup: of the n GPUs that the job asks for, b are backups. Its batch is that of n − b members, and a step is
//     done when the n − b fastest are.
//   - Coding, r-fold (gradient-coding-style): each member computes r/n of the batch instead of 1/n, so that a step
//     takes it r times as long (all of the step, exchange included, since a table does not tell the two apart), and any
//     n − r + 1 members have it all.
//   - Groups, g of l = n/g members: each codes its part of the batch for itself, which is the same work a member, and
//     the step is done when l − r + 1 of each group are. Static groups are neighbours by node. Dynamic ones are formed
//     at each step, from the slowest member on one to each group in turn, by who was slow in the step before; that
//     every member has the data of any group is taken for granted.
//
// A gang of another size than the job asks for, a forked copy, has no coding, and backups only beyond n − b.
type Redundancy struct {
	Backup  int32 // b
	Fold    int32 // r; 0 = no coding
	Groups  int32 // g; 0 and 1 = all members are one
	Dynamic bool
}

// Pace is at what speed a gang of a job that asks for size GPUs goes through its steps, where each member would go at
// one of the speeds, which are in the order of slots. They are sorted in place.
func (r Redundancy) Pace(size int32, speeds []float64) float64 {
	n := len(speeds)
	if r.Fold < 2 || n != int(size) {
		spare := 0
		if r.Backup > 0 {
			spare = max(0, n-int(size-r.Backup))
		}
		slices.Sort(speeds)
		return speeds[spare]
	}
	groups, spare := int(max(r.Groups, 1)), int(r.Fold-1)
	if r.Dynamic { // dealt out from the slowest on, each group's first that counts is among the next to be dealt
		slices.Sort(speeds)
		return speeds[groups*spare]
	}
	of := n / groups
	pace := speeds[0]
	for g := range groups {
		group := speeds[g*of : (g+1)*of]
		slices.Sort(group)
		if g == 0 || group[spare] < pace {
			pace = group[spare]
		}
	}
	return pace
}

// Redundant is a copy of t for a job that asks for gangs of size GPUs: with backups none runs faster than without them,
// and with r-fold coding the whole gang's steps take r times as long.
func (t *Throughput) Redundant(size int32, r Redundancy) Throughput {
	s := NewThroughput(t.Name, len(t.rates[OneNode])/int(t.max+1), t.max)
	s.Gradients, s.size, s.redundancy = t.Gradients, size, r
	for tier := range s.rates {
		for i := range s.rates[tier] {
			n := int32(i) % (t.max + 1)
			if r.Backup > 0 && n > size-r.Backup {
				s.rates[tier][i] = t.rates[tier][i-int(n-(size-r.Backup))]
				continue
			}
			s.rates[tier][i] = t.rates[tier][i]
			if r.Fold > 1 && n == size {
				s.rates[tier][i] /= unit.Rate(r.Fold)
			}
		}
	}
	return s
}

// Working is how many GPUs of a gang of n count, where a step of n without redundancy counts as one of each: backups do
// not, and with r-fold coding all of them do r-th parts.
func (t *Throughput) Working(n int32) float64 {
	switch {
	case t.redundancy.Backup > 0:
		return float64(min(n, t.size-t.redundancy.Backup))
	case t.redundancy.Fold > 1 && n == t.size:
		return float64(n) / float64(t.redundancy.Fold)
	}
	return float64(n)
}
