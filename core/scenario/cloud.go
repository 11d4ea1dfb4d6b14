package scenario

import (
	"cmp"
	"slices"
	"strconv"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/model"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// CloudFeature is what a document requires whose nodes can be had for money: a program that does not know it runs its
// jobs on the cluster's own nodes alone.
const CloudFeature = "cloud"

// Cloud is nodes that can be had for money, beside those of the cluster.
type Cloud struct {
	Autoscaler string // who asks for them: "" = reactive, the default
	Groups     []CloudGroup
	Extra      jsondoc.Extra
}

// Autoscalers are the names of who may ask for nodes.
var Autoscalers = model.Autoscalers

var _ = describe[Cloud](table{
	{name: "autoscaler", words: Autoscalers},
	{name: "groups", need: true},
})

// CloudGroup is equal nodes that can be had. They are called by its id and a number, as in rent-1, and stand in a rack
// that is called by its id.
type CloudGroup struct {
	ID       string
	Type     string  // of the GPUs
	GPUs     int     // of a node
	Nodes    int     // at most
	USDPerH  float64 // of a node
	StartS   float64 // from asking for a node to its coming; Parse fills the default, 120
	IdleS    float64 // without a job, until it is released; Parse fills the default, 300
	MinS     float64 // the shortest time that is billed; default 0
	SpotPerH float64 // how often in an hour a node vanishes, by a random stream of its own; 0 = never, the default
	Extra    jsondoc.Extra
}

var _ = describe[CloudGroup](table{
	{name: "id", need: true},
	{name: "type", need: true, id: "GPU type"},
	{name: "gpus", need: true, low: 1, high: MaxSlotGPUs},
	{name: "nodes", need: true, low: 1, high: maxCloudNodes},
	{name: "usd_per_h", need: true, high: maxGPUFigure},
	{name: "start_s", low: 1, high: MaxSeconds, def: DefaultStartS, unit: " s"},
	{name: "idle_s", low: 1, high: MaxSeconds, def: DefaultIdleS, unit: " s"},
	{name: "min_s", high: maxBilledS, unit: " s"},
	{name: "spot_per_h", high: maxPerH},
})

// Defaults of groups, in s.
const (
	DefaultStartS = 120
	DefaultIdleS  = 300
)

const (
	atCloud        = atScenario + "/cloud"
	atGroups       = atScenario + "/cloud/groups"
	maxCloudNodes  = 1000
	maxCloudGroups = 20
	maxBilledS     = 86400
)

// cloud checks the groups, each for itself and beside the cluster's nodes.
func (c *checker) cloud(s *Scenario) {
	q := s.Cloud
	if q == nil {
		return
	}
	c.fields(jsondoc.ObjectAt(atCloud), words.Text{}, q)
	c.Most(atGroups, words.Say("groups"), len(q.Groups), maxCloudGroups)
	if len(q.Groups) == 0 && !c.Tainted(atGroups) {
		c.Fail(atGroups, codeCloud, words.Say("the cloud has no group of nodes"),
			words.Say(`Add one, as in {"id":"rent","type":"v100","gpus":4,"nodes":2,"usd_per_h":12}, or take cloud out.`))
	}
	own := make(map[string]bool, len(s.Cluster.Nodes))
	for i := range s.Cluster.Nodes {
		own[s.Cluster.Nodes[i].ID] = true
	}
	seen, gpus, nodes, drawn := map[string]int{}, s.Cluster.GPUs(), len(s.Cluster.Nodes), 0.0
	for i := range q.Groups {
		g := &q.Groups[i]
		p := jsondoc.EntryAt(atGroups, i)
		who := called(g.ID, "group {0}", i)
		c.unique(seen, i, g.ID, "group id", "groups {0} and {1} have the id {2}", p)
		c.fields(p, who, g)
		if c.Tainted(p.String()) {
			continue
		}
		gpus, nodes = gpus+g.GPUs*g.Nodes, nodes+g.Nodes
		for k := range g.Nodes {
			if id := g.node(k); own[id] {
				c.Fail(p.At("id").String(), jsondoc.CodeDuplicate,
					words.Say("{0}: its node {1} is called like one of cluster.nodes", who, jsondoc.Quote(id)),
					words.Say("Rename one of the two."))
				break
			} else {
				own[id] = true
			}
		}
		if g.SpotPerH > 0 {
			until := s.drawnUntil(0)
			if drawn += float64(float64(float64(g.Nodes)*until) / 3600 * g.SpotPerH); drawn > maxFaults {
				c.Fail(p.At("spot_per_h").String(), jsondoc.CodeMany,
					words.Say("nodes would vanish about {0} times until {1} s; the most is {2}",
						jsondoc.Number(float64(int64(drawn))), jsondoc.Number(until), maxFaults),
					words.Say("Lower spot_per_h, or set horizon_s."))
			}
		}
	}
	c.Most(atGroups, words.Say("nodes"), nodes, c.lim.Nodes)
	if gpus > MaxGPUs {
		c.Fail(atGroups, codeTooMuch, words.Say("the cluster has {0} GPUs; the most is {1}", gpus, MaxGPUs),
			words.Say("Take nodes out."))
	}
}

// node is the id of a group's k-th node.
func (g *CloudGroup) node(k int) string { return g.ID + "-" + strconv.Itoa(k+1) }

// withCloud is the cluster with the nodes that can be had, behind its own.
func (s *Scenario) withCloud() Cluster {
	cl := s.Cluster
	if s.Cloud == nil || len(cl.Nodes) > 0 && cl.Nodes[len(cl.Nodes)-1].rented {
		return cl
	}
	cl.Nodes = slices.Clone(cl.Nodes)
	for i := range s.Cloud.Groups {
		g := &s.Cloud.Groups[i]
		for k := range min(g.Nodes, maxCloudNodes) {
			cl.Nodes = append(cl.Nodes, Node{ID: g.node(k), Rack: g.ID, GPUs: map[string]int{g.Type: g.GPUs},
				rented: true})
		}
	}
	return cl
}

// compileCloud is the cloud for a run, given the cluster with its nodes.
func compileCloud(s *Scenario, c *model.Cluster) *model.Cloud {
	if s.Cloud == nil {
		return nil
	}
	out := &model.Cloud{Autoscaler: model.Autoscaler(max(0, slices.Index(model.Autoscalers, s.Cloud.Autoscaler)))}
	seconds := func(v float64) unit.Tick { return unit.Seconds(jsondoc.Round9(v)) }
	at := model.SlotID(len(c.Slots))
	for i := range s.Cloud.Groups {
		at -= model.SlotID(s.Cloud.Groups[i].Nodes) // each has one slot
	}
	for i := range s.Cloud.Groups {
		g := &s.Cloud.Groups[i]
		out.Groups = append(out.Groups, model.CloudGroup{Name: g.ID, From: at, To: at + model.SlotID(g.Nodes),
			USDPerHour: jsondoc.Round9(g.USDPerH), Start: seconds(g.StartS), Idle: seconds(g.IdleS),
			Least: seconds(g.MinS)})
		if g.SpotPerH > 0 {
			var ids []string
			for k := range g.Nodes {
				ids = append(ids, g.node(k))
			}
			from := generate.Faults{Of: "spot", Seed: s.Seed, MTBFH: 1 / jsondoc.Round9(g.SpotPerH),
				MTTRS: generate.LeastRepairS, UntilS: s.drawnUntil(0), Most: 4 * maxFaults}
			for _, q := range from.Draw(ids) {
				out.Gone = append(out.Gone, model.Reclaim{At: unit.Seconds(q.AtS), Slot: at + model.SlotID(q.Node)})
			}
		}
		at += model.SlotID(g.Nodes)
	}
	unit.Sort(out.Gone, func(a, b model.Reclaim) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Slot, b.Slot))
	})
	return out
}
