package network

import (
	"slices"

	"hadarlab/core/model"
)

// Links is what the links between nodes carry, in bytes per second: first each node's NIC, then each rack's uplink.
// Here oversubscription is what it is called: an uplink carries what the NICs of its rack's nodes do together, divided
// by it.
func (n *Net) Links(c *model.Cluster) []float64 {
	nic := n.NIC.BytesPerS / n.Congestion
	links := make([]float64, len(c.Nodes)+len(c.Racks))
	for i := range c.Nodes {
		links[i] = nic
		links[len(c.Nodes)+int(c.Nodes[i].Rack)] += nic / n.Oversubscription
	}
	return links
}

// Spread is on how many nodes a gang lies, and how many of its GPUs are on one of them, at most. The shards are in slot
// order.
func Spread(c *model.Cluster, shards []model.Shard) (nodes, most int) {
	last, here := model.NodeID(model.None), 0
	for _, sh := range shards {
		if node := c.Slots[sh.Slot].Node; node != last {
			last, here = node, 0
			nodes++
		}
		here += int(sh.N)
		most = max(most, here)
	}
	return nodes, most
}

// Crossed are the links that a gang uses, as Links numbers them: the NIC of each of its nodes and, if they are of
// several racks, the uplink of each; none for a gang on one node. The shards are in slot order.
func Crossed(c *model.Cluster, shards []model.Shard) (links []int32) {
	if c.Slots[shards[0].Slot].Node == c.Slots[shards[len(shards)-1].Slot].Node {
		return nil
	}
	for _, sh := range shards {
		if node := int32(c.Slots[sh.Slot].Node); len(links) == 0 || links[len(links)-1] != node {
			links = append(links, node)
		}
	}
	nodes := len(links)
	for _, node := range links {
		if up := int32(len(c.Nodes)) + c.Nodes[node].Rack; !slices.Contains(links[nodes:], up) {
			links = append(links, up)
		}
	}
	if len(links) == nodes+1 { // in one rack
		links = links[:nodes]
	}
	return links
}

// Shares is what each flow gets of the links that it uses, in bytes per second: max-min fair shares by progressive
// filling (Bertsekas and Gallager, Data Networks, 6.5.2). All flows grow alike until a link is full; those on it keep
// what they have, the others grow on. Links that are full at once are taken in the order of their numbers; that of the
// flows does not matter, not even in the last bit, and neither do flows that no link joins to these. A flow that uses
// no link gets nothing.
func Shares(carries []float64, flows [][]int32) []float64 {
	left, on := slices.Clone(carries), make([][]int32, len(carries)) // on: flows by link
	growing := make([]int, len(carries))
	for f, links := range flows {
		for _, l := range links {
			on[l] = append(on[l], int32(f))
			growing[l]++
		}
	}
	shares, level := make([]float64, len(flows)), 0.0
	for {
		full, least := -1, 0.0
		for l, n := range growing {
			if n == 0 {
				continue
			}
			// Rounding must not make a link that is full at the same level as the last one full before it.
			if s := max(level, left[l]/float64(n)); full < 0 || s < least {
				full, least = l, s
			}
		}
		if full < 0 {
			return shares
		}
		level = least
		for _, f := range on[full] {
			if shares[f] > 0 {
				continue
			}
			shares[f] = level
			for _, l := range flows[f] {
				left[l] -= level // one by one: the order of equal terms does not matter
				growing[l]--
			}
		}
	}
}

// Joined are the flows that use one of the marked links, or are joined to one that does by links, in order. It marks
// all links that they use.
func Joined(flows [][]int32, marked []bool) (joined []int32) {
	in := make([]bool, len(flows))
	for more := true; more; {
		more = false
		for f, links := range flows {
			if !in[f] && slices.ContainsFunc(links, func(l int32) bool { return marked[l] }) {
				in[f], more = true, true
				for _, l := range links {
					marked[l] = true
				}
			}
		}
	}
	for f := range flows {
		if in[f] {
			joined = append(joined, int32(f))
		}
	}
	return joined
}
