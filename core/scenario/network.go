package scenario

import (
	"slices"

	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/network"
	"hadarlab/core/words"
)

const atNetwork = atCluster + "/network"

// Network is what averaging gradients costs, for rows that say how many they are.
type Network struct {
	NodeGBPerS, NICGBPerS                         float64 // effective, of one rank
	NodeLatencyUs, RackLatencyUs, AcrossLatencyUs float64 // of a step of the ring; Parse fills 5, 5 and 8
	Oversubscription                              float64 // of the racks' uplinks; Parse fills the default, 4
	Congestion                                    float64 // of all that leaves a node; Parse fills the default, 1
	Overlap                                       float64 // of communication with the backward pass
	SharedLinks                                   bool    // gangs share NICs and uplinks (sharesLinks); default false
	Extra                                         jsondoc.Extra
}

var _ = describe[Network](table{
	{name: "node_gb_per_s", need: true, low: 0.001, high: maxGPUFigure, unit: " GB/s"},
	{name: "nic_gb_per_s", need: true, low: 0.001, high: maxGPUFigure, unit: " GB/s"},
	{name: "node_latency_us", high: maxGPUFigure, def: 5, unit: " µs"},
	{name: "rack_latency_us", high: maxGPUFigure, def: 5, unit: " µs"},
	{name: "across_latency_us", high: maxGPUFigure, def: 8, unit: " µs"},
	{name: "oversubscription", low: 1, high: maxFactor, def: 4},
	{name: "congestion", low: 1, high: maxFactor, def: 1},
	{name: "overlap", high: 1},
	{name: "shared_links"},
})

// net is the network in the units of the cost model, nil when there is none.
func (n *Network) net() *network.Net {
	if n == nil {
		return nil
	}
	link := func(gb, us float64) network.Link {
		return network.Link{BytesPerS: jsondoc.Round9(gb) * 1e9, Latency: jsondoc.Round9(us) * 1e-6}
	}
	return &network.Net{Node: link(n.NodeGBPerS, n.NodeLatencyUs), NIC: link(n.NICGBPerS, n.RackLatencyUs),
		Across: jsondoc.Round9(n.AcrossLatencyUs) * 1e-6, Oversubscription: jsondoc.Round9(n.Oversubscription),
		Congestion: jsondoc.Round9(n.Congestion), Overlap: jsondoc.Round9(n.Overlap)}
}

// shared is the network whose links gangs share, nil when they share none.
func (c *Cluster) shared() *model.Net {
	if c.Network == nil || !c.Network.SharedLinks {
		return nil
	}
	return (*model.Net)(c.Network.net())
}

// sharesLinks says whether gangs of the row share links, where the network has them shared: what was measured over
// several nodes stays as it was measured.
func (r *Row) sharesLinks() bool { return r.GradientMB > 0 && len(r.Spread) == 0 && len(r.Far) == 0 }

// SharesLinks says whether gangs of some row share links.
func (s *Scenario) SharesLinks() bool {
	return s.Cluster.shared() != nil &&
		slices.ContainsFunc(s.Throughputs.Rows, func(r Row) bool { return r.sharesLinks() })
}

// networkFits notes a network that nothing uses, gradients without a network, and racks that are not there.
func (c *checker) networkFits() {
	s := &c.d.Scenario
	with := slices.IndexFunc(s.Throughputs.Rows, func(r Row) bool { return r.GradientMB > 0 })
	switch {
	case s.Cluster.Network != nil && with < 0 && len(s.Throughputs.Rows) > 0:
		c.Add(jsondoc.LevelNote, atNetwork, codeNetwork,
			words.Say("no row has gradient_mb, so the network has no effect"),
			words.Say("Add gradient_mb to the rows of models that run on several GPUs."))
	case s.Cluster.Network != nil && s.Cluster.Network.SharedLinks && with >= 0 && !s.SharesLinks():
		c.Add(jsondoc.LevelNote, atNetwork+"/shared_links", codeNetwork,
			words.Say("every row with gradient_mb says how fast gangs over several nodes are, so none shares a link"),
			words.Say("Take out spread and far of the rows whose gangs are to share links."))
	case s.Cluster.Network == nil && with >= 0:
		c.Add(jsondoc.LevelNote, jsondoc.EntryAt(atRows, with).At("gradient_mb").String(), codeGradient,
			words.Say("the cluster has no network; averaging gradients costs only what gang, spread and far say"),
			words.Say(`Add one, as in "network":{"node_gb_per_s":130,"nic_gb_per_s":11}.`))
	}
	racks := map[string]bool{}
	for i := range s.Cluster.Nodes {
		racks[s.Cluster.Nodes[i].Rack] = true
	}
	for i := range s.Policies {
		if len(racks) == 1 && traits(s.Policies[i].ID).Racks {
			c.Add(jsondoc.LevelNote, jsondoc.EntryAt(atPolicies, i).At("id").String(), codeOneRack,
				words.Say("all nodes are in one rack, so no gang ever lies across racks"),
				words.Say("Give nodes a rack, if they have several."))
			return
		}
	}
}
