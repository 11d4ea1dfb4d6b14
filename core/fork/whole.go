package fork

import "hadarlab/core/model"

// Copies that have their nodes to themselves (copy: node), as where every node has one GPU: a node is a unit, taken or
// not.

// find is the copy that a job with a table of speeds could run on a node: the largest gang with a speed, of the
// job's fastest type on the node. The rest of the node stays idle (4.2, ours).
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

// copy is the copy that job j could run on node n.
func (pl *Planner) copy(j, n int) Copy {
	x := &pl.spotsOf(j)[pl.nodes.kind[n]]
	c := Copy{Node: model.NodeID(n), GPUs: x.gpus, Rate: x.rate, Left: x.left}
	if x.rate > 0 {
		c.Slot = pl.nodes.of(c.Node)[x.at]
	}
	return c
}

// assign is phase 1 (hadar.md, Two phases): distinct jobs get distinct nodes so that the sum of their payoffs per
// round, at the price of an empty node, is the greatest. Of sums alike within 1e-9 the one on
// faster nodes wins. A job whose payoff is negative on a node does not get it in this phase.
func (pl *Planner) assign() {
	p, r, w := pl.prob, &pl.res, &pl.worths
	kinds := pl.kinds
	w.rows, w.columns, w.kinds, w.kind = len(p.Jobs), len(p.Cluster.Nodes), kinds, pl.nodes.kind
	w.value, w.from, w.odd = grow(w.value, w.rows*kinds), append(w.from[:0], 0), w.odd[:0]
	for j := range p.Jobs {
		row := w.row(j)
		for k := range row {
			row[k] = pl.bid(j, k, true)
		}
		if p.Jobs[j].Keep != p.Jobs[j].Move {
			last, value := int32(-1), 0.0
			for i, n := range p.Jobs[j].Held {
				if i > 0 && n == p.Jobs[j].Held[i-1] {
					continue
				}
				if k := pl.nodes.kind[n]; k != last {
					last, value = k, pl.bid(j, int(k), false)
				}
				if value != row[last] {
					w.odd = append(w.odd, odd{int32(n), value})
				}
			}
		}
		w.from = append(w.from, int32(len(w.odd)))
	}
	for j, n := range pl.match.solve(*w) {
		if n < 0 || w.at(j, int(n)) <= 0 {
			continue
		}
		c := pl.weighed(j, int(n))
		r.Payoff += c.Payoff / float64(c.Rounds)
		pl.give(j, c)
	}
}

// bid is what phase 1 makes as large as possible in sum: the payoff per round of job j on a node of kind k. It is no
// larger where the job has to move.
func (pl *Planner) bid(j, k int, moves bool) float64 {
	x := &pl.spotsOf(j)[k]
	if x.rate <= 0 {
		return 0
	}
	payoff := pl.worth(j, x.rate, moves) - pl.res.UMin
	return even(max(0, payoff+float64(payoff*1e-9*float64(x.rate/pl.fastest(j).rate))), pl.res.UMax)
}

// weighed is what phase 1 weighed of job j on node n: the copy and its payoff at the price of an empty node.
func (pl *Planner) weighed(j, n int) Copy {
	c := pl.copy(j, n)
	pl.price(j, &c)
	return c
}
