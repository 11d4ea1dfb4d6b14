package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Tree is the cluster at an instant: its nodes by rack, who sits where, and which gangs need the network.
type Tree struct {
	Leaves []Leaf
	Links  []Link
	Lines  int32 // that the links need side by side
	GPUs   int32 // of the largest node
}

// Leaf is a node that has GPUs.
type Leaf struct {
	Band, Rack int32
	Seats      []Seat // by row
}

// Seat is adjacent GPUs of one node that one gang holds, or nobody.
type Seat struct {
	Holding int32 // or SeatFree, SeatDown
	Row, N  int32 // within the node
}

// What a seat has that no gang holds: the GPUs are free, or out of service.
const (
	SeatFree = -1
	SeatDown = -2
)

// Link joins the nodes of one gang.
type Link struct {
	Holding int32
	Leaves  []int32 // in order
	Line    int32   // beside the others, from 0
	Tier    model.Tier
}

// NewTree lays a run out at an instant.
func (l *Lane) NewTree(t *trace.Trace, r *Racks, at unit.Tick) *Tree {
	tree, leaf := &Tree{}, make([]int32, len(l.Rows)) // the leaf of a row
	order := unit.Order(len(l.Bands), func(a, b int32) int {
		return cmp.Compare(r.Of[l.Bands[a].Node], r.Of[l.Bands[b].Node])
	})
	for i, b := range order {
		band := &l.Bands[b]
		tree.GPUs = max(tree.GPUs, band.Count)
		tree.Leaves = append(tree.Leaves, Leaf{Band: b, Rack: r.Of[band.Node]})
		for row := range band.Count {
			leaf[band.First+row] = int32(i)
		}
	}
	who := make([]int32, len(l.Rows))
	for i := range who {
		who[i] = SeatFree
	}
	for i := range l.Downs {
		for d, k := &l.Downs[i], int32(0); d.From <= at && at < d.To && k < d.N; k++ {
			who[d.Row+k] = SeatDown
		}
	}
	for i := range l.Bars {
		t.Pace.Did(1)
		b := &l.Bars[i]
		h := &l.Holdings[b.Holding]
		if h.From > at || at >= h.To {
			continue
		}
		for k := range b.N {
			who[b.Row+k] = b.Holding
		}
		if len(h.Shards) < 2 {
			continue
		}
		if n := len(tree.Links); n == 0 || tree.Links[n-1].Holding != b.Holding {
			tree.Links = append(tree.Links, Link{Holding: b.Holding, Tier: r.Tier(t, h.Shards)})
		}
		k := &tree.Links[len(tree.Links)-1]
		k.Leaves = append(k.Leaves, leaf[b.Row])
	}
	for i := range tree.Leaves {
		f := &tree.Leaves[i]
		band := &l.Bands[f.Band]
		for row := range band.Count {
			of := who[band.First+row]
			if n := len(f.Seats); n > 0 && f.Seats[n-1].Holding == of {
				f.Seats[n-1].N++
			} else {
				f.Seats = append(f.Seats, Seat{of, row, 1})
			}
		}
	}
	tree.draw()
	return tree
}

// draw keeps the links of more than one node, and gives each the first line that is free from its first node to its
// last.
func (t *Tree) draw() {
	n := 0
	for _, k := range t.Links {
		if k.Tier > model.OneNode {
			slices.Sort(k.Leaves)
			k.Leaves = slices.Compact(k.Leaves)
			t.Links[n] = k
			n++
		}
	}
	t.Links = t.Links[:n]
	unit.Sort(t.Links, func(a, b Link) int { return cmp.Compare(a.Leaves[0], b.Leaves[0]) })
	var last []int32 // leaf at which a line ends
	for i := range t.Links {
		k := &t.Links[i]
		for k.Line = 0; int(k.Line) < len(last) && last[k.Line] >= k.Leaves[0]; k.Line++ {
		}
		if int(k.Line) == len(last) {
			last = append(last, 0)
		}
		last[k.Line] = k.Leaves[len(k.Leaves)-1]
	}
	t.Lines = int32(len(last))
}
