package scenario

import (
	"strconv"

	"hadarlab/core/unit"
)

// Faults take GPUs away for a while: as listed, or drawn.
type Faults struct {
	List      []Fault
	Generator *FaultGenerator // instead of a list
	Extra     Extra           // of the object that holds the generator
}

// Fault is one failure. Faults that overlap add up.
type Fault struct {
	Node    string
	Type    string // GPU type; "" = all of the node's
	AtS     float64
	GPUs    int     // how many of each type fail; 0 = all
	RepairS float64 // s until they are back; 0 = never
	Extra   Extra
}

// FaultGenerator lets whole nodes fail and come back, each by a random stream of its own. Both times
// are exponential.
type FaultGenerator struct {
	MTBFH  float64 // mean time from a repair to the next failure of a node, in hours
	MTTRS  float64 // mean time to repair, in s
	UntilS float64 // no failure begins after it; 0 = horizon_s, or 30 days after the last arrival
	Extra  Extra
}

// Change sets the number of GPUs of a type that a node has from an instant on: it grows or shrinks.
type Change struct {
	AtS   float64
	Node  string
	Type  string
	GPUs  int
	Extra Extra
}

var (
	faultMembers     = members{need: []string{"node", "at_s"}, may: []string{"type", "gpus", "repair_s"}}
	faultsMembers    = members{need: []string{"generator"}}
	generatorMembers = members{need: []string{"mtbf_h", "mttr_s"}, may: []string{"until_s"}}
	changeMembers    = members{need: []string{"at_s", "node", "type", "gpus"}}
)

const (
	maxFaults      = 100_000
	maxMTBFH       = 1e7
	faultsAfterS   = 30 * 86400 // without a horizon, nodes fail until so long after the last arrival
	atFaults       = "/scenario/faults"
	atFaultsDrawn  = "/scenario/faults/generator"
	atChanges      = "/scenario/cluster/changes"
	leastRepairS   = 0.001
	leastMTBFHours = 0.001
)

func (r *reader) faults(i int, f *Faults) {
	if r.t.kind(i) == kObject {
		f.Extra = r.object(i, &faultsMembers, func(name string, v int) {
			g := &FaultGenerator{}
			f.Generator = g
			g.Extra = r.object(v, &generatorMembers, func(name string, v int) {
				switch name {
				case "mtbf_h":
					r.number(v, &g.MTBFH)
				case "mttr_s":
					r.number(v, &g.MTTRS)
				case "until_s":
					r.number(v, &g.UntilS)
				}
			})
		})
		return
	}
	r.list(i, "an object", func(v int) { f.List = append(f.List, r.fault(v)) })
}

func (r *reader) fault(i int) (f Fault) {
	f.Extra = r.object(i, &faultMembers, func(name string, v int) {
		switch name {
		case "node":
			r.text(v, &f.Node)
		case "type":
			r.text(v, &f.Type)
		case "at_s":
			r.number(v, &f.AtS)
		case "gpus":
			r.count(v, &f.GPUs)
		case "repair_s":
			r.number(v, &f.RepairS)
		}
	})
	return f
}

func (r *reader) change(i int) (c Change) {
	c.Extra = r.object(i, &changeMembers, func(name string, v int) {
		switch name {
		case "at_s":
			r.number(v, &c.AtS)
		case "node":
			r.text(v, &c.Node)
		case "type":
			r.text(v, &c.Type)
		case "gpus":
			r.count(v, &c.GPUs)
		}
	})
	return c
}

func (c *checker) changes(cl *Cluster) {
	c.most(atChanges, "changes", len(cl.Changes), maxFaults)
	type slot struct {
		at         float64
		node, kind string
	}
	seen := map[slot]int{}
	for i := range cl.Changes {
		q := &cl.Changes[i]
		p := place{list: atChanges, index: i}
		who := "change " + strconv.Itoa(i+1)
		c.within(p.at("at_s"), who, "at_s", q.AtS, 0, maxSeconds, " s")
		c.id(p.at("type"), "GPU type", q.Type)
		c.within(p.at("gpus"), who, "gpus", float64(q.GPUs), 0, maxSlotGPUs, "")
		key := slot{round9(q.AtS), q.Node, q.Type}
		if first, ok := seen[key]; ok {
			c.fail(p.String(), codeDuplicate, who+" is of "+clip(q.Type)+" in "+clip(q.Node)+" at "+numberText(key.at)+" s, and so is change "+strconv.Itoa(first+1),
				"Keep one of the two.")
		} else {
			seen[key] = i
		}
	}
}

func (c *checker) faults(s *Scenario) {
	f := &s.Faults
	c.most(atFaults, "faults", len(f.List), maxFaults)
	for i := range f.List {
		q := &f.List[i]
		p := place{list: atFaults, index: i}
		who := "fault " + strconv.Itoa(i+1)
		c.within(p.at("at_s"), who, "at_s", q.AtS, 0, maxSeconds, " s")
		c.within(p.at("gpus"), who, "gpus", float64(q.GPUs), 0, maxSlotGPUs, "")
		c.within(p.at("repair_s"), who, "repair_s", q.RepairS, 0, maxSeconds, " s")
	}
	g := f.Generator
	if g == nil {
		return
	}
	p := place{list: atFaultsDrawn, index: -1}
	c.within(p.at("mtbf_h"), "", "mtbf_h", g.MTBFH, leastMTBFHours, maxMTBFH, " h")
	c.within(p.at("mttr_s"), "", "mttr_s", g.MTTRS, leastRepairS, maxSeconds, " s")
	c.within(p.at("until_s"), "", "until_s", g.UntilS, 0, maxSeconds, " s")
	if each := float64(g.MTBFH*3600) + g.MTTRS; each > 0 && !c.tainted(atFaultsDrawn) {
		if n := float64(len(s.Cluster.Nodes)) * s.faultsUntil() / each; n > maxFaults {
			c.fail(p.at("mtbf_h").String(), codeMany, "about "+numberText(float64(int64(n)))+" faults would be drawn until "+numberText(s.faultsUntil())+" s; the most is "+
				strconv.Itoa(maxFaults), "Raise mtbf_h, or set until_s to an earlier end.")
		}
	}
}

// faultNodes checks that faults and changes name nodes that exist, and types that they have.
func (c *checker) faultNodes() {
	s := &c.d.Scenario
	if c.isWrong(atNodes) || len(s.Cluster.Changes)+len(s.Faults.List) == 0 {
		return
	}
	nodes := map[string]int{}
	for i := range s.Cluster.Nodes {
		nodes[s.Cluster.Nodes[i].ID] = i
	}
	for i := range s.Cluster.Changes {
		c.node(place{list: atChanges, index: i}, "change "+strconv.Itoa(i+1), s.Cluster.Changes[i].Node, nodes)
	}
	have := s.Cluster.most()
	for i := range s.Faults.List {
		q := &s.Faults.List[i]
		p := place{list: atFaults, index: i}
		who := "fault " + strconv.Itoa(i+1)
		if !c.node(p, who, q.Node, nodes) {
			continue
		}
		gpus := have[nodes[q.Node]]
		if n := gpus[q.Type]; q.Type != "" && n <= 0 {
			fix := "Name a type of the node, or leave type out."
			if like := nearest(q.Type, keys(gpus)); like != "" {
				fix = "Did you mean " + clip(like) + "?"
			}
			c.fail(p.at("type").String(), codeNoNode, who+": "+clip(q.Node)+" has no "+quote(q.Type), fix)
		} else if q.Type != "" && q.GPUs > n {
			c.fail(p.at("gpus").String(), codeRange, who+": gpus is "+strconv.Itoa(q.GPUs)+"; "+clip(q.Node)+" has "+strconv.Itoa(n)+" "+clip(q.Type),
				"Set gpus to "+strconv.Itoa(n)+" or less.")
		}
	}
}

func (c *checker) node(p place, who, id string, nodes map[string]int) bool {
	if _, ok := nodes[id]; ok {
		return true
	}
	fix := "Name one of cluster.nodes."
	if names := keys(nodes); len(names) <= 1000 {
		if like := nearest(id, names); like != "" {
			fix = "Did you mean " + clip(like) + "?"
		}
	}
	c.fail(p.at("node").String(), codeNoNode, who+": there is no node "+quote(id), fix)
	return false
}

// faultsUntil is when nodes cease to fail, in s.
func (s *Scenario) faultsUntil() float64 {
	switch g := s.Faults.Generator; {
	case g.UntilS > 0:
		return round9(g.UntilS)
	case s.HorizonS > 0:
		return round9(s.HorizonS)
	}
	last := 0.0
	for i := range s.Jobs {
		last = max(last, round9(s.Jobs[i].ArrivalS))
	}
	return last + faultsAfterS
}

// drawn lists the faults of the generator. Each node has a stream of its own, so that another node
// more moves no fault of the others.
func (s *Scenario) drawn() (out []Fault) {
	g := s.Faults.Generator
	mean, repair, until := round9(g.MTBFH)*3600, round9(g.MTTRS), s.faultsUntil()
	for i := range s.Cluster.Nodes {
		id := s.Cluster.Nodes[i].ID
		rng := unit.Stream(s.Seed, "faults of "+id)
		for at := 0.0; len(out) < 4*maxFaults; {
			at += float64(mean * unit.Exponential(rng))
			if at > until {
				break
			}
			d := max(leastRepairS, float64(repair*unit.Exponential(rng)))
			out = append(out, Fault{Node: id, AtS: round9(at), RepairS: round9(d)})
			at += d
		}
	}
	return out
}

func (w *writer) faults(f *Faults) {
	if g := f.Generator; g != nil {
		w.member("faults")
		w.begin()
		w.member("generator")
		w.begin()
		w.member("mtbf_h")
		w.quantity(g.MTBFH)
		w.member("mttr_s")
		w.quantity(g.MTTRS)
		w.numberOr("until_s", g.UntilS, 0)
		w.extra(g.Extra)
		w.end()
		w.extra(f.Extra)
		w.end()
	} else if len(f.List) > 0 {
		w.member("faults")
		w.list(len(f.List), func(i int) { w.fault(&f.List[i]) })
	}
}

func (w *writer) fault(f *Fault) {
	w.begin()
	w.member("node")
	w.text(f.Node)
	w.textOr("type", f.Type, "")
	w.member("at_s")
	w.quantity(f.AtS)
	w.wholeOr("gpus", f.GPUs, 0)
	w.numberOr("repair_s", f.RepairS, 0)
	w.extra(f.Extra)
	w.end()
}

func (w *writer) change(c *Change) {
	w.begin()
	w.member("at_s")
	w.quantity(c.AtS)
	w.member("node")
	w.text(c.Node)
	w.member("type")
	w.text(c.Type)
	w.member("gpus")
	w.whole(c.GPUs)
	w.extra(c.Extra)
	w.end()
}

func (f Faults) clone() Faults {
	f.Extra = f.Extra.clone()
	f.List = append([]Fault(nil), f.List...)
	for i := range f.List {
		f.List[i].Extra = f.List[i].Extra.clone()
	}
	if f.Generator != nil {
		g := *f.Generator
		g.Extra = g.Extra.clone()
		f.Generator = &g
	}
	return f
}
