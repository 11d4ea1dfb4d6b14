package scenario

import (
	"slices"
	"strconv"

	"hadarlab/core/message"
)

// Force is one choice made in a policy's place: at its decision Round, counted from 0, Job gets exactly the
// Gangs, none = it waits. Several gangs are copies, for policies that fork jobs.
type Force struct {
	Round int
	Job   string
	Gangs [][]Shard
	Extra Extra
}

// Shard is Count GPUs of one type on one node.
type Shard struct {
	Node, Type string
	Count      int
	Extra      Extra
}

var (
	forceFields = table{{name: "round", need: true, high: maxRound}, {name: "job", need: true, id: "job"}}
	shardFields = table{{name: "node", need: true, id: "node"}, {name: "type", need: true, id: "GPU type"}, {name: "count", need: true, low: 1, high: maxSlotGPUs}}

	forceMembers = members{need: []string{"round", "job", "gangs"}}
	shardMembers = shardFields.members()
)

func (f *Force) at() []any { return []any{&f.Round, &f.Job} }

func (s *Shard) at() []any { return []any{&s.Node, &s.Type, &s.Count} }

const (
	maxForces = 100         // of one policy
	maxRound  = 100_000_000 // more decisions than a run may have
	maxGangs  = 1_000       // of one choice
)

func (r *reader) force(i int) (f Force) {
	f.Extra = r.fields(i, &forceMembers, forceFields, f.at(), func(_ string, v int) {
		f.Gangs = make([][]Shard, 0, r.entries(v))
		r.list(v, "a list", func(v int) {
			var g []Shard
			r.list(v, "an object", func(v int) {
				var s Shard
				s.Extra = r.fields(v, &shardMembers, shardFields, s.at(), nil)
				g = append(g, s)
			})
			f.Gangs = append(f.Gangs, g)
		})
	})
	return f
}

func (w *writer) force(f *Force) {
	w.begin()
	w.fields(forceFields, f.at())
	w.member("gangs")
	w.list(len(f.Gangs), func(i int) {
		g := f.Gangs[i]
		w.list(len(g), func(k int) { w.entry(shardFields, g[k].at(), g[k].Extra) })
	})
	w.extra(f.Extra)
	w.end()
}

func cloneForces(list []Force) []Force {
	list = slices.Clone(list)
	for i := range list {
		f := &list[i]
		f.Extra, f.Gangs = f.Extra.clone(), slices.Clone(f.Gangs)
		for k := range f.Gangs {
			f.Gangs[k] = slices.Clone(f.Gangs[k])
			for n := range f.Gangs[k] {
				f.Gangs[k][n].Extra = f.Gangs[k][n].Extra.clone()
			}
		}
	}
	return list
}

// Ref is the lane as the engine takes it.
func (p *Policy) Ref() message.PolicyRef {
	ref := message.PolicyRef{ID: p.ID, Params: p.Params}
	for _, f := range p.Force {
		m := message.Force{Round: f.Round, Job: f.Job, Gangs: [][]message.Shard{}}
		for _, g := range f.Gangs {
			var shards []message.Shard
			for _, s := range g {
				shards = append(shards, message.Shard{Node: s.Node, Type: s.Type, Count: s.Count})
			}
			m.Gangs = append(m.Gangs, shards)
		}
		ref.Force = append(ref.Force, m)
	}
	return ref
}

// PolicyOf is the lane that a request names.
func PolicyOf(ref message.PolicyRef) Policy {
	p := Policy{ID: ref.ID, Rev: defaultRev, Params: ref.Params}
	for _, m := range ref.Force {
		f := Force{Round: m.Round, Job: m.Job}
		for _, g := range m.Gangs {
			var shards []Shard
			for _, s := range g {
				shards = append(shards, Shard{Node: s.Node, Type: s.Type, Count: s.Count})
			}
			f.Gangs = append(f.Gangs, shards)
		}
		p.Force = append(p.Force, f)
	}
	return p
}

// forceAt is the place of a policy's forced choice.
func forceAt(policy, force int) place {
	return place{list: atPolicies + "/" + strconv.Itoa(policy) + "/force", index: force}
}

// forces checks the values of forced choices.
func (c *checker) forces(policy int, list []Force) {
	c.most(atPolicies+"/"+strconv.Itoa(policy)+"/force", "forced choices", len(list), maxForces)
	type key struct {
		round int
		job   string
	}
	seen := map[key]int{}
	for i := range list[:min(len(list), maxForces)] {
		f, p := &list[i], forceAt(policy, i)
		who := "forced choice " + strconv.Itoa(i+1)
		c.fields(p, who, forceFields, f.at())
		c.most(p.at("gangs").String(), "gangs in "+who, len(f.Gangs), maxGangs)
		if first, ok := seen[key{f.Round, f.Job}]; ok {
			c.fail(p.String(), codeDuplicate, "forced choices "+strconv.Itoa(first+1)+" and "+strconv.Itoa(i+1)+" are both for "+clip(f.Job)+" in round "+strconv.Itoa(f.Round), "Keep one of the two.")
		} else {
			seen[key{f.Round, f.Job}] = i
		}
		for g, gang := range f.Gangs[:min(len(f.Gangs), maxGangs)] {
			at := p.at("gangs", strconv.Itoa(g))
			if len(gang) == 0 {
				c.fail(at.String(), codeGang, who+" has a gang without GPUs", `Take the gang out; "gangs":[] lets the job wait.`)
			}
			for s := range gang {
				shard := place{list: at.String(), index: s}
				c.fields(shard, who, shardFields, gang[s].at())
			}
		}
	}
}

// forcesFit checks forced choices against jobs, cluster and speeds. Whether a gang suits the policy is the
// engine's to say: copies may be of any size.
func (c *checker) forcesFit(rows map[rowKey]int, cluster, speeds bool) {
	s := &c.d.Scenario
	if !slices.ContainsFunc(s.Policies, func(p Policy) bool { return len(p.Force) > 0 }) {
		return
	}
	jobs := make(map[string]*Job, len(s.Jobs))
	var names []string
	for i := range s.Jobs {
		jobs[s.Jobs[i].ID] = &s.Jobs[i]
		if len(names) < 1000 {
			names = append(names, s.Jobs[i].ID)
		}
	}
	n := nodeIndex{most: s.Cluster.most(), at: map[string]int{}}
	for i := range s.Cluster.Nodes {
		n.at[s.Cluster.Nodes[i].ID] = i
		if len(n.names) < 1000 {
			n.names = append(n.names, s.Cluster.Nodes[i].ID)
		}
	}
	for i := range s.Policies {
		for k := range s.Policies[i].Force {
			f, p := &s.Policies[i].Force[k], forceAt(i, k)
			who := "forced choice " + strconv.Itoa(k+1)
			job := jobs[f.Job]
			if job == nil && len(s.Jobs) > 0 && !c.tainted(atJobs) && f.Job != "" {
				c.fail(p.at("job").String(), codeNoJob, who+": there is no job "+quote(f.Job), near(f.Job, names, "Name a job of the list."))
			}
			if !cluster || !c.placed(p, who, f, &n) || job == nil || !speeds {
				continue
			}
			if row, ok := rows[rowKey{job.Model, job.Batch}]; ok && c.ratesKnown(row) && !c.tainted(p.String()) {
				c.gangsRun(p, who, f, job, &s.Throughputs.Rows[row])
			}
		}
	}
}

type nodeIndex struct {
	most  []map[string]int
	at    map[string]int
	names []string
}

func near(name string, names []string, otherwise string) string {
	if like := nearest(name, names); like != "" {
		return "Did you mean " + like + "?"
	}
	return otherwise
}

// placed checks that the cluster has the GPUs.
func (c *checker) placed(p place, who string, f *Force, n *nodeIndex) bool {
	ok := true
	fail := func(path, code, msg, fix string) {
		c.fail(path, code, who+": "+msg, fix)
		ok = false
	}
	type slot struct{ node, typ string }
	taken := map[slot]int{}
	for g, gang := range f.Gangs {
		mine := map[slot]bool{}
		for k := range gang {
			s := &gang[k]
			shard := place{list: p.at("gangs", strconv.Itoa(g)).String(), index: k}
			at, known := n.at[s.Node]
			key := slot{s.Node, s.Type}
			taken[key] += max(s.Count, 0)
			switch {
			case c.tainted(shard.String()):
				ok = false
			case !known:
				fail(shard.at("node").String(), codeNoNode, "there is no node "+quote(s.Node), near(s.Node, n.names, "Name a node of the cluster."))
			case n.most[at][s.Type] == 0:
				fail(shard.at("type").String(), codeNoNode, clip(s.Node)+" has no "+quote(s.Type), near(s.Type, keys(n.most[at]), "Name a type that the node has."))
			case mine[key]:
				fail(shard.String(), codeDuplicate, "a gang names "+clip(s.Type)+" of "+clip(s.Node)+" twice", "Add the two up.")
			case taken[key] > n.most[at][s.Type]:
				most := strconv.Itoa(n.most[at][s.Type])
				fail(shard.at("count").String(), codeRange, "it takes "+strconv.Itoa(taken[key])+" "+clip(s.Type)+" of "+clip(s.Node)+", which has "+most, "Set count to "+most+" or less.")
			}
			mine[key] = true
		}
	}
	return ok
}

// gangsRun checks that the job may hold the gangs under some policy, and runs on them.
func (c *checker) gangsRun(p place, who string, f *Force, job *Job, r *Row) {
	used := map[string]bool{}
	for g, gang := range f.Gangs {
		size, nodes := 0, map[string]bool{}
		for k := range gang {
			size += gang[k].Count
			nodes[gang[k].Node] = true
		}
		path := p.at("gangs", strconv.Itoa(g)).String()
		fail := func(msg, fix string) { c.fail(path, codeGang, who+": "+msg, fix) }
		switch {
		case len(f.Gangs) > 1 && (len(nodes) > 1 || used[gang[0].Node]):
			fail("several gangs are copies, each on a node of its own", "Give one gang, or each of them another node.")
		case len(nodes) > 1 && size != job.GPUs:
			fail(clip(job.ID)+" asks for "+plural(job.GPUs, "GPU")+", and the gang has "+strconv.Itoa(size), "Give it "+strconv.Itoa(job.GPUs)+".")
		default:
			for k := range gang {
				if r.rate(gang[k].Type, size, len(nodes) > 1) <= 0 {
					fail(rowName(r.Model, r.Batch)+" has no speed with "+plural(size, "GPU")+" on "+clip(gang[k].Type), "Choose other GPUs, or give it a speed.")
					break
				}
			}
		}
		for node := range nodes { // into a set: the order is immaterial
			used[node] = true
		}
	}
}
