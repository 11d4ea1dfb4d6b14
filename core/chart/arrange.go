package chart

import (
	"slices"

	"hadarlab/core/figure"
	"hadarlab/core/trace"
)

// Arrangement is the order and the height of a lane's rows. The zero value gives each GPU a row, node by node.
type Arrangement struct {
	Types  bool     // the GPUs of a type lie together, folded, but for those of pinned nodes
	Pinned []string // nodes that come first, in this order
	Folded []string // nodes whose GPUs share the height of one row
}

// Equal says whether two are alike.
func (a *Arrangement) Equal(b *Arrangement) bool {
	return a.Types == b.Types && slices.Equal(a.Pinned, b.Pinned) && slices.Equal(a.Folded, b.Folded)
}

// Group is rows that lie together: those of a node, or those of a GPU type on many.
type Group struct {
	Node, Type     int32   // -1 = several
	Rows           []int32 // from the top
	Folded, Pinned bool
	Top, Height    float64 // px
}

// groups are the lane's rows from the top.
func (a *Arrangement) groups(l *Lane, t *trace.Trace) []Group {
	all := l.nodes()
	var out []Group
	for _, name := range a.Pinned {
		for i := range all {
			if g := &all[i]; t.Nodes[g.Node] == name {
				g.Pinned = true
				out = append(out, *g)
			}
		}
	}
	if a.Types {
		for typ := range t.Types {
			of := Group{Node: -1, Type: int32(typ), Folded: true}
			for _, g := range all {
				for _, r := range g.Rows {
					if !g.Pinned && t.Slots[l.Rows[r].Slot].Type == of.Type {
						of.Rows = append(of.Rows, r)
					}
				}
			}
			if len(of.Rows) > 0 {
				out = append(out, of)
			}
		}
	} else {
		for i := range all {
			if !all[i].Pinned {
				out = append(out, all[i])
			}
		}
	}
	for i := range out {
		if g := &out[i]; g.Node >= 0 {
			g.Folded = slices.Contains(a.Folded, t.Nodes[g.Node])
		}
	}
	return out
}

// nodes are the bands as groups.
func (l *Lane) nodes() []Group {
	out := make([]Group, len(l.Bands))
	for i, b := range l.Bands {
		out[i] = Group{Node: b.Node, Type: -1, Rows: make([]int32, b.Count)}
		for k := range b.Count {
			out[i].Rows[k] = b.First + k
		}
	}
	return out
}

// Rows are the lane's rows from the top; nil = as they are numbered.
func (a *Arrangement) Rows(l *Lane, t *trace.Trace) []int32 {
	if !a.Types && len(a.Pinned) == 0 {
		return nil
	}
	var out []int32
	for _, g := range a.groups(l, t) {
		out = append(out, g.Rows...)
	}
	return out
}

// Frame lays out a lane in this arrangement for a plot of about width px.
func (a *Arrangement) Frame(l *Lane, t *trace.Trace, width float64) *Frame {
	return layOut(l, a.groups(l, t), width)
}

// Name is what a group is called.
func (g *Group) Name(t *trace.Trace) string {
	if g.Node >= 0 {
		return t.Nodes[g.Node]
	}
	return figure.TypeTitle(t.Types[g.Type])
}
