package fork

import "hadarlab/core/model"

// Copies that have their nodes to themselves (copy: node), as where every node has one GPU: a node is a unit, taken or
// not.

// find is the copy that a job with a table of speeds could run on a node: the largest gang with a speed, of the
// job's fastest type on the node. The rest of the node stays idle (hadar.md, Copies; ours).
func (pl *Planner) find(speed *model.Throughput, n model.NodeID) (x spot) {
	p := pl.prob
	x.units = 1
	for i, s := range pl.nodes.of(n) {
		if m, r := largest(speed, p.Cluster.Slots[s].Type, p.Usable[s]); r > x.rate {
			x.at, x.gpus, x.rate = int32(i), m, r
		}
		x.left += p.Usable[s]
	}
	x.left -= x.gpus
	return x
}

// assign is phase 1 where copies have nodes to themselves: nodes of a kind are worth the same to a job, but for its own
// where staying costs less.
func (pl *Planner) assign() {
	p, w := pl.prob, &pl.worths
	kinds := pl.kinds
	w.rows, w.columns, w.kinds, w.kind = len(p.Jobs), len(p.Cluster.Nodes), kinds, pl.nodes.kind
	w.value, w.from, w.overrides = grow(w.value, w.rows*kinds), append(w.from[:0], 0), w.overrides[:0]
	for j := range p.Jobs {
		row := w.row(j)
		for k := range row {
			row[k] = pl.bid(j, int32(k), pl.shares.worth[j*kinds+k], 0)
		}
		if p.Jobs[j].Keep != p.Jobs[j].Move {
			last, value := int32(-1), 0.0
			for i, n := range p.Jobs[j].Held {
				if i > 0 && n == p.Jobs[j].Held[i-1] {
					continue
				}
				if k := pl.nodes.kind[n]; k != last {
					last, value = k, pl.bid(j, k, pl.worth(j, pl.spotsOf(j)[k].rate, false), 0)
				}
				if value != row[last] {
					w.overrides = append(w.overrides, override{int32(n), value})
				}
			}
		}
		w.from = append(w.from, int32(len(w.overrides)))
	}
	for j, n := range pl.match.solve(*w) {
		if n >= 0 && w.at(j, int(n)) > 0 {
			at, _ := pl.spotAt(j, model.NodeID(n), 0)
			pl.put(int32(j), at)
		}
	}
}
