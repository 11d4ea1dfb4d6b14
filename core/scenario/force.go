package scenario

import (
	"encoding/json"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/words"
)

// Force is one choice made in a policy's place: at its decision Round, counted from 0, Job gets exactly the
// Gangs, none = it waits. Several gangs are copies, for policies that fork jobs.
type Force struct {
	Round int
	Job   string
	Gangs [][]Shard
	Extra jsondoc.Extra
}

var _ = describe[Force](table{
	{name: "round", need: true, high: maxRound},
	{name: "job", need: true, id: "job"},
	{name: "gangs", need: true},
})

// Shard is Count GPUs of one type on one node.
type Shard struct {
	Node, Type string
	Count      int
	Extra      jsondoc.Extra
}

var _ = describe[Shard](table{
	{name: "node", need: true, id: "node"},
	{name: "type", need: true, id: "GPU type"},
	{name: "count", need: true, low: 1, high: MaxSlotGPUs},
})

const (
	maxForces = 100         // of one policy
	maxRound  = 100_000_000 // more decisions than a run may have
	maxGangs  = 1_000       // of one choice
)

func forcesText(list []Force) []byte {
	w := newWriter(false, nil)
	w.list(reflect.ValueOf(list))
	return w.Bytes()
}

// Forces reads forced choices as they stand in a request; false when they are malformed.
func Forces(raw []byte) ([]Force, bool) {
	if len(raw) == 0 {
		return nil, true
	}
	if !json.Valid(raw) {
		return nil, false
	}
	t, _ := jsondoc.Plant(raw, len(raw))
	c := &checker{Collector: &jsondoc.Collector{ErrorsOnly: true}}
	r := newReader(t, c.Collector)
	var list []Force
	r.value(&member{}, 0, reflect.ValueOf(&list).Elem())
	ok := !c.HasErrors()
	c.forces(0, list)
	return list, ok && !c.HasErrors()
}

// Ref is the lane as the engine takes it.
func (p *Policy) Ref() message.PolicyRef {
	ref := message.PolicyRef{ID: p.ID, Rev: p.Rev, Params: p.Params}
	if len(p.Force) > 0 {
		ref.Force = forcesText(p.Force)
	}
	return ref
}

// Words says what is forced. Rounds are the policy's own decisions, counted from 1.
func (f *Force) Words(in words.Catalogue) string {
	round := strconv.Itoa(f.Round + 1)
	if len(f.Gangs) == 0 {
		return in.F("In the policy’s round {0}, {1} has to wait.", round, f.Job)
	}
	return in.F("In the policy’s round {0}, {1} is put on {2}.", round, f.Job, GangWords(in, f.Gangs))
}

// GangWords lists GPUs, as "2 V100 of n1 + 1 P100 of n2".
func GangWords(in words.Catalogue, gangs [][]Shard) (says string) {
	for _, g := range gangs {
		for _, s := range g {
			if says != "" {
				says += " + "
			}
			says += in.F("{0} {1} of {2}", strconv.Itoa(s.Count), strings.ToUpper(s.Type), s.Node)
		}
	}
	return says
}

// forceAt is the place of a policy's forced choice.
func forceAt(policy, force int) jsondoc.Place {
	return jsondoc.EntryAt(atPolicies+"/"+strconv.Itoa(policy)+"/force", force)
}

// gangAt is the place of a gang, and of its shards as a list.
func gangAt(p jsondoc.Place, gang int) string { return p.At("gangs", strconv.Itoa(gang)).String() }

// forces checks the values of forced choices.
func (c *checker) forces(policy int, list []Force) {
	c.Most(forceAt(policy, -1).String(), words.Say("forced choices"), len(list), maxForces)
	for i := range list[:min(len(list), maxForces)] {
		f, p, who := &list[i], forceAt(policy, i), words.Say("forced choice {0}", i+1)
		c.fields(p, who, f)
		c.Most(p.At("gangs").String(), words.Say("gangs in {0}", who), len(f.Gangs), maxGangs)
		same := slices.IndexFunc(list[:i], func(g Force) bool { return g.Round == f.Round && g.Job == f.Job })
		if same >= 0 {
			c.Fail(p.String(), jsondoc.CodeDuplicate,
				words.Say("{0} is for {1} in round {2}, and so is {3}", who, jsondoc.Clip(f.Job), f.Round, same+1),
				words.Say("Keep one of the two."))
		}
		for g, gang := range f.Gangs[:min(len(f.Gangs), maxGangs)] {
			if len(gang) == 0 {
				c.Fail(gangAt(p, g), codeGang, words.Say("{0} has a gang without GPUs", who),
					words.Say(`Take it out; "gangs":[] lets the job wait.`))
			}
			for s := range gang {
				c.fields(jsondoc.EntryAt(gangAt(p, g), s), who, &gang[s])
			}
		}
	}
}

// forcesFit checks forced choices against jobs, cluster and speeds. Whether a gang suits the policy is the
// run's to say: copies may be of any size.
func (c *checker) forcesFit(policy int, rows map[rowKey]int, nodes map[string]int, have []map[string]int) {
	s := &c.d.Scenario
	for i := range s.Policies[policy].Force {
		f, p, who := &s.Policies[policy].Force[i], forceAt(policy, i), words.Say("forced choice {0}", i+1)
		at := slices.IndexFunc(s.Jobs, func(j Job) bool { return j.ID == f.Job })
		if at < 0 {
			c.Fail(p.At("job").String(), codeNoJob, words.Say("{0}: there is no job {1}", who, jsondoc.Quote(f.Job)),
				words.Say("Name one of the jobs."))
		}
		for g, gang := range f.Gangs {
			path, size, ok := gangAt(p, g), 0, true
			for k := range gang {
				q := &gang[k]
				c.slot(jsondoc.EntryAt(path, k), who, q.Node, q.Type, "count", q.Count, nodes, have)
				size += q.Count
			}
			if at < 0 || c.Tainted(path) {
				continue
			}
			j := &s.Jobs[at]
			row, known := rows[j.row()]
			for k := range gang {
				tier := model.OneNode
				if gang[k].Node != gang[0].Node {
					tier = model.Network
				}
				spread := tier != model.OneNode
				ok = ok && (!spread || size == j.GPUs) && (!known ||
					max(s.Throughputs.Rows[row].rate(nil, gang[k].Type, size, tier),
						s.Throughputs.Rows[row].rate(nil, gang[k].Type, size, min(tier, model.OneRack))) > 0)
			}
			if !ok {
				fix := words.Say("Give it as many GPUs as it asks for, of types that its model has a speed on.")
				if len(j.Types) > 0 {
					fix = words.Say("Give it as many GPUs as it asks for, of types that it may use: {0}.",
						jsondoc.Clip(strings.Join(j.Types, ", ")))
				}
				c.Fail(path, codeGang,
					words.Say("{0}: {1} asks for {2} and cannot hold this gang of {3}", who, jsondoc.Clip(j.ID),
						jsondoc.Plural(j.GPUs, "GPU"), size),
					fix)
			}
		}
	}
}
