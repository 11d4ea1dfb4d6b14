package scenario

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/message"
	"hadarlab/core/text"
	"hadarlab/core/words"
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
	shardFields = table{{name: "node", need: true, id: "node"}, {name: "type", need: true, id: "GPU type"},
		{name: "count", need: true, low: 1, high: MaxSlotGPUs}}

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

func (r *reader) forces(v int) (out []Force) {
	r.list(v, "an object", func(v int) {
		var f Force
		f.Extra = r.fields(v, &forceMembers, forceFields, f.at(), func(_ string, v int) {
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
		out = append(out, f)
	})
	return out
}

func (w *writer) forces(list []Force) {
	w.list(len(list), func(i int) {
		f := &list[i]
		w.begin()
		w.fields(forceFields, f.at())
		w.member("gangs")
		w.list(len(f.Gangs), func(k int) {
			g := f.Gangs[k]
			w.list(len(g), func(n int) { w.entry(shardFields, g[n].at(), g[n].Extra) })
		})
		w.extra(f.Extra)
		w.end()
	})
}

// cloneForces copies forced choices through their text, which loses nothing.
func cloneForces(list []Force) []Force {
	if len(list) == 0 {
		return nil
	}
	out, _ := Forces(forcesText(list))
	return out
}

func forcesText(list []Force) []byte {
	w := &writer{}
	w.forces(list)
	return w.b
}

// Forces reads forced choices as they stand in a request; false when they are malformed.
func Forces(text []byte) ([]Force, bool) {
	if len(text) == 0 {
		return nil, true
	}
	if !json.Valid(text) {
		return nil, false
	}
	t, _ := plant(text, len(text))
	c := &checker{findings: &findings{errorsOnly: true}}
	r := &reader{findings: c.findings, t: t}
	list := r.forces(0)
	ok := !c.hasErrors()
	c.forces(0, list)
	return list, ok && !c.hasErrors()
}

// Ref is the lane as the engine takes it.
func (p *Policy) Ref() message.PolicyRef {
	ref := message.PolicyRef{ID: p.ID, Rev: orDefault(p.Rev, DefaultRev), Params: p.Params}
	if len(p.Force) > 0 {
		ref.Force = forcesText(p.Force)
	}
	return ref
}

// Words says what is forced. Rounds are counted from 1, as people see them.
func (f *Force) Words() string {
	round := strconv.Itoa(f.Round + 1)
	if len(f.Gangs) == 0 {
		return words.F("In round {0}, {1} has to wait.", round, f.Job)
	}
	return words.F("In round {0}, {1} is put on {2}.", round, f.Job, GangWords(f.Gangs))
}

// GangWords lists GPUs, as "2 V100 of n1 + 1 P100 of n2".
func GangWords(gangs [][]Shard) (says string) {
	for _, g := range gangs {
		for _, s := range g {
			if says != "" {
				says += " + "
			}
			says += words.F("{0} {1} of {2}", strconv.Itoa(s.Count), strings.ToUpper(s.Type), s.Node)
		}
	}
	return says
}

// forceAt is the place of a policy's forced choice.
func forceAt(policy, force int) place {
	return place{list: atPolicies + "/" + strconv.Itoa(policy) + "/force", index: force}
}

// gangAt is the place of a gang, and of its shards as a list.
func gangAt(p place, gang int) string { return p.at("gangs", strconv.Itoa(gang)).String() }

// forces checks the values of forced choices.
func (c *checker) forces(policy int, list []Force) {
	c.most(forceAt(policy, -1).String(), "forced choices", len(list), maxForces)
	for i := range list[:min(len(list), maxForces)] {
		f, p, who := &list[i], forceAt(policy, i), "forced choice "+strconv.Itoa(i+1)
		c.fields(p, who, forceFields, f.at())
		c.most(p.at("gangs").String(), "gangs in "+who, len(f.Gangs), maxGangs)
		same := slices.IndexFunc(list[:i], func(g Force) bool { return g.Round == f.Round && g.Job == f.Job })
		if same >= 0 {
			c.fail(p.String(), codeDuplicate, who+" is for "+text.Clip(f.Job)+" in round "+strconv.Itoa(f.Round)+
				", and so is "+strconv.Itoa(same+1), "Keep one of the two.")
		}
		for g, gang := range f.Gangs[:min(len(f.Gangs), maxGangs)] {
			if len(gang) == 0 {
				c.fail(gangAt(p, g), codeGang, who+" has a gang without GPUs",
					`Take it out; "gangs":[] lets the job wait.`)
			}
			for s := range gang {
				c.fields(place{list: gangAt(p, g), index: s}, who, shardFields, gang[s].at())
			}
		}
	}
}

// forcesFit checks forced choices against jobs, cluster and speeds. Whether a gang suits the policy is the
// run's to say: copies may be of any size.
func (c *checker) forcesFit(policy int, rows map[rowKey]int, nodes map[string]int, have []map[string]int) {
	s := &c.d.Scenario
	for i := range s.Policies[policy].Force {
		f, p, who := &s.Policies[policy].Force[i], forceAt(policy, i), "forced choice "+strconv.Itoa(i+1)
		at := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.ID == f.Job })
		if at < 0 {
			c.fail(p.at("job").String(), codeNoJob, who+": there is no job "+text.Quote(f.Job), "Name one of the jobs.")
		}
		for g, gang := range f.Gangs {
			path, size, ok := gangAt(p, g), 0, true
			for k := range gang {
				q := &gang[k]
				c.slot(place{list: path, index: k}, who, q.Node, q.Type, "count", q.Count, nodes, have)
				size += q.Count
			}
			if at < 0 || c.tainted(path) {
				continue
			}
			j := &s.Jobs[at]
			row, known := rows[j.row()]
			for k := range gang {
				spread := gang[k].Node != gang[0].Node
				ok = ok && (!spread || size == j.GPUs) && (!known ||
					s.Throughputs.Rows[row].rate(gang[k].Type, size, spread) > 0)
			}
			if !ok {
				c.fail(path, codeGang, who+": "+text.Clip(j.ID)+" asks for "+text.Plural(j.GPUs, "GPU")+
					" and cannot hold this gang of "+strconv.Itoa(size),
					"Give it as many GPUs as it asks for, of types that its model has a speed on.")
			}
		}
	}
}
