package state

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// ForceHere forces a choice for the selected job upon a lane's decision at the cursor: the same policy with
// that choice runs in a lane of its own, beside the others.
type ForceHere struct {
	Lane  int
	Gangs [][]scenario.Shard // none = it waits
}

func (a ForceHere) on(s *Lab) []Effect {
	if !s.Fresh() || a.Lane >= len(s.Result.Lanes) || a.Lane >= len(s.Doc.Scenario.Policies) || s.View.Job == "" {
		return nil
	}
	round := s.Result.Round(a.Lane, s.View.Moment)
	if round < 0 {
		return nil
	}
	e := &edit.AddForce{Upon: a.Lane, Force: scenario.Force{Round: round, Job: s.View.Job, Gangs: a.Gangs},
		Title: s.Result.Lanes[a.Lane].Title}
	effects := Try{e}.on(s)
	if effects == nil {
		return nil
	}
	s.View.Pinned, s.View.Playing = true, false
	s.View.rememberTime(s.Result)
	s.View.WhyLane, s.View.forced = e.At, true
	s.Toast.Shows = room.PartForced
	return effects
}

// Gangs are the engine's gangs as the document has them.
func Gangs(gangs ...[]message.Shard) (out [][]scenario.Shard) {
	for _, g := range gangs {
		var shards []scenario.Shard
		for _, s := range g {
			shards = append(shards, scenario.Shard{Node: s.Node, Type: s.Type, Count: s.Count})
		}
		out = append(out, shards)
	}
	return out
}

// Forcible are the choices that can be forced upon a lane's decision for a job at a moment where the policy names
// no candidates: what it held before, what the lanes gave it as far as that is known, nodes with room for it, and to
// wait.
func Forcible(r *run.Result, known []Explained, lane, moment int, job string) (out [][]message.Shard) {
	j, runs := r.Jobs[job]
	if !runs || r.Lanes[lane].Trace == nil {
		return nil
	}
	seen := ""
	add := func(g []message.Shard) {
		if w := scenario.GangWords(nil, Gangs(g)) + "\n"; !strings.Contains(seen, w) && len(out) < mostForcible {
			seen += w
			out = append(out, g)
		}
	}
	if g := r.Held(lane, r.Round(lane, moment), job); g != nil {
		add(g)
	}
	n := int(r.Lanes[lane].Trace.Jobs[j].GPUs)
	for i := range known {
		if c := ChoiceFor(known[i].E, job); c != nil && len(c.Gangs) == 1 {
			add(c.Gangs[0])
		}
	}
	for i := range r.Doc.Scenario.Cluster.Nodes {
		node := &r.Doc.Scenario.Cluster.Nodes[i]
		for _, typ := range jsondoc.Keys(node.GPUs) {
			if node.GPUs[typ] >= n {
				add([]message.Shard{{Node: node.ID, Type: typ, Count: n}})
			}
		}
	}
	return append(out, nil)
}

// mostForcible is how many placements are offered at most.
const mostForcible = 7
