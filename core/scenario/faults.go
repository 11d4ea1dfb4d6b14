package scenario

import (
	"reflect"
	"slices"
	"strconv"

	"hadarlab/core/generate"
	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// Faults take GPUs away for a while: as listed, or drawn.
type Faults struct {
	List      []Fault
	Generator *FaultGenerator // instead of a list
	Extra     jsondoc.Extra   // of the object that holds the generator
}

var _ = describe[Faults](table{
	{name: "generator", need: true},
})

// Fault is one failure. Faults that overlap add up.
type Fault struct {
	Node    string
	Type    string // GPU type; "" = all of the node's
	AtS     float64
	GPUs    int     // how many of each type fail; 0 = all
	RepairS float64 // s until they are back; 0 = never
	Extra   jsondoc.Extra
}

var _ = describe[Fault](table{
	{name: "node", need: true},
	{name: "type"},
	{name: "at_s", need: true, high: MaxSeconds, unit: " s"},
	{name: "gpus", high: MaxSlotGPUs},
	{name: "repair_s", high: MaxSeconds, unit: " s"},
})

// FaultGenerator lets whole nodes fail and come back, each by a random stream of its own. Both times
// are exponential.
type FaultGenerator struct {
	MTBFH  float64 // mean time from a repair to the next failure of a node, in hours
	MTTRS  float64 // mean time to repair, in s
	UntilS float64 // no failure begins after it; 0 = horizon_s, or 30 days after the last arrival
	Extra  jsondoc.Extra
}

var _ = describe[FaultGenerator](table{
	{name: "mtbf_h", need: true, low: leastMTBF, high: maxMTBFH, unit: " h"},
	{name: "mttr_s", need: true, low: generate.LeastRepairS, high: MaxSeconds, unit: " s"},
	{name: "until_s", high: MaxSeconds, unit: " s"},
})

// Change sets the number of GPUs of a type that a node has from an instant on: it grows or shrinks.
type Change struct {
	AtS   float64
	Node  string
	Type  string
	GPUs  int
	Extra jsondoc.Extra
}

var _ = describe[Change](table{
	{name: "at_s", need: true, high: MaxSeconds, unit: " s"},
	{name: "node", need: true},
	{name: "type", need: true, id: "GPU type"},
	{name: "gpus", need: true, high: MaxSlotGPUs},
})

const (
	maxFaults     = 100_000
	maxMTBFH      = 1e7
	faultsAfterS  = 30 * 86400 // without a horizon, nodes fail until so long after the last arrival
	atFaults      = "/scenario/faults"
	atFaultsDrawn = "/scenario/faults/generator"
	atChanges     = "/scenario/cluster/changes"
	leastMTBF     = 0.001
)

func readFaults(r *reader, v int, in any) {
	f := &in.(*Scenario).Faults
	r.either(v, &f.List, f)
}

func writeFaults(w *writer, in any) {
	if f := &in.(*Scenario).Faults; f.Generator != nil {
		w.Member("faults")
		w.object(f)
	} else if len(f.List) > 0 {
		w.Member("faults")
		w.list(reflect.ValueOf(f.List))
	}
}

func (c *checker) changes(cl *Cluster) {
	c.Most(atChanges, words.Say("changes"), len(cl.Changes), maxFaults)
	type slot struct {
		at         float64
		node, kind string
	}
	seen := map[slot]int{}
	for i := range cl.Changes {
		q := &cl.Changes[i]
		p := jsondoc.EntryAt(atChanges, i)
		who := words.Say("change {0}", i+1)
		c.fields(p, who, q)
		key := slot{jsondoc.Round9(q.AtS), q.Node, q.Type}
		if first, ok := seen[key]; ok {
			c.Fail(p.String(), jsondoc.CodeDuplicate,
				words.Say("{0} is of {1} in {2} at {3} s, and so is change {4}", who, jsondoc.Clip(q.Type),
					jsondoc.Clip(q.Node), jsondoc.Number(key.at), first+1),
				words.Say("Keep one of the two."))
		} else {
			seen[key] = i
		}
	}
}

func (c *checker) faults(s *Scenario) {
	f := &s.Faults
	c.Most(atFaults, words.Say("faults"), len(f.List), maxFaults)
	for i := range f.List {
		c.fields(jsondoc.EntryAt(atFaults, i), words.Say("fault {0}", i+1), &f.List[i])
	}
	g := f.Generator
	if g == nil {
		return
	}
	p := jsondoc.ObjectAt(atFaultsDrawn)
	c.fields(p, words.Text{}, g)
	if each := float64(g.MTBFH*3600) + g.MTTRS; each > 0 && !c.Tainted(atFaultsDrawn) {
		until := s.drawnUntil(g.UntilS)
		if n := float64(len(s.Cluster.Nodes)) * until / each; n > maxFaults {
			c.Fail(p.At("mtbf_h").String(), jsondoc.CodeMany,
				words.Say("about {0} faults would be drawn until {1} s; the most is {2}",
					jsondoc.Number(float64(int64(n))), jsondoc.Number(until), maxFaults),
				words.Say("Raise mtbf_h, or set until_s to an earlier end."))
		}
	}
}

// names checks that faults, spells, changes and forced choices name nodes that exist, and types that they have.
func (c *checker) names(rows map[rowKey]int) {
	s := &c.d.Scenario
	forced := slices.ContainsFunc(s.Policies, func(p Policy) bool { return len(p.Force) > 0 })
	if c.IsWrong(atNodes) || len(s.Cluster.Changes)+len(s.Faults.List)+len(s.Stragglers.List) == 0 &&
		!forced {
		return
	}
	nodes := map[string]int{}
	for i, id := range s.Cluster.ids() {
		nodes[id] = i
	}
	for i := range s.Cluster.Changes {
		c.node(jsondoc.EntryAt(atChanges, i), words.Say("change {0}", i+1), s.Cluster.Changes[i].Node, nodes)
	}
	have := s.Cluster.most()
	for i := range s.Faults.List {
		q := &s.Faults.List[i]
		p := jsondoc.EntryAt(atFaults, i)
		c.slot(p, words.Say("fault {0}", i+1), q.Node, q.Type, "gpus", q.GPUs, nodes, have)
	}
	for i := range s.Stragglers.List {
		c.node(jsondoc.EntryAt(atStragglers, i), words.Say("spell {0}", i+1), s.Stragglers.List[i].Node, nodes)
	}
	for i := range s.Cluster.Nodes { // jobs may be forced onto those of a cloud
		nodes[s.Cluster.Nodes[i].ID] = i
	}
	for i := range s.Policies {
		c.forcesFit(i, rows, nodes, have)
	}
}

// slot checks a node, a type of it, "" = all, and how many are named of that under the member count.
func (c *checker) slot(p jsondoc.Place, who words.Text, node, typ, count string, most int, nodes map[string]int,
	have []map[string]int) {
	if !c.node(p, who, node, nodes) {
		return
	}
	gpus := have[nodes[node]]
	if n := gpus[typ]; typ != "" && n <= 0 {
		fix := jsondoc.Meant(typ, jsondoc.Keys(gpus), words.Say("Name a type of the node."))
		c.Fail(p.At("type").String(), codeNoNode,
			words.Say("{0}: {1} has no {2}", who, jsondoc.Clip(node), jsondoc.Quote(typ)), fix)
	} else if typ != "" && most > n {
		c.Fail(p.At(count).String(), jsondoc.CodeRange, words.Say("{0} is {1}; {2} has {3}", jsondoc.Of(who, count),
			most,
			jsondoc.Clip(node), strconv.Itoa(n)+" "+jsondoc.Clip(typ)),
			words.Say("Set {0} to {1} or less.", count, n))
	}
}

func (c *checker) node(p jsondoc.Place, who words.Text, id string, nodes map[string]int) bool {
	if _, ok := nodes[id]; ok {
		return true
	}
	fix := words.Say("Name one of cluster.nodes.")
	if names := jsondoc.Keys(nodes); len(names) <= 1000 {
		fix = jsondoc.Meant(id, names, fix)
	}
	c.Fail(p.At("node").String(), codeNoNode, words.Say("{0}: there is no node {1}", who, jsondoc.Quote(id)), fix)
	return false
}

// drawnUntil is when nodes cease to fail, or to become slow, in s; 0 = nobody said.
func (s *Scenario) drawnUntil(until float64) float64 {
	switch {
	case until > 0:
		return jsondoc.Round9(until)
	case s.HorizonS > 0:
		return jsondoc.Round9(s.HorizonS)
	}
	last := 0.0
	for i := range s.Jobs {
		last = max(last, jsondoc.Round9(s.Jobs[i].ArrivalS))
	}
	return last + faultsAfterS
}

// drawn lists the faults of the generator.
func (s *Scenario) drawn() (out []Fault) {
	g := s.Faults.Generator
	nodes := s.Cluster.ids()
	from := generate.Faults{Of: "faults", Seed: s.Seed, MTBFH: g.MTBFH, MTTRS: g.MTTRS, UntilS: s.drawnUntil(g.UntilS),
		Most: 4 * maxFaults}
	for _, q := range from.Draw(nodes) {
		out = append(out, Fault{Node: nodes[q.Node], AtS: q.AtS, RepairS: q.RepairS})
	}
	return out
}
