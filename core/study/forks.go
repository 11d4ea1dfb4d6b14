package study

import (
	"fmt"
	"strconv"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// ForkWorld draws a small case for HadarE's theorem, that with as many copies of each job as there are nodes these are
// used as much as they can be: one to six jobs of one GPU, which come one after another, on one to five nodes of one to
// four GPUs of a type, each with speeds of its own; rounds of 360 s, and a merge that stalls up to 40 s.
//
// The theorem we remember and have not read; its statement (core/papers/hadar.md), sizes, speeds and lengths are ours.
func ForkWorld(seed uint64) *scenario.Document {
	random := unit.Stream(seed, "forks")
	s := scenario.Scenario{Seed: seed, RoundS: 360, Policies: []scenario.Policy{{ID: "hadare"}},
		Overheads: scenario.Overheads{MergeS: float64(random.IntN(41))}}
	types := []string{"v100", "p100", "k80", "t4", "a10g"}[:1+random.IntN(5)]
	for i, typ := range types {
		s.Cluster.Nodes = append(s.Cluster.Nodes,
			scenario.Node{ID: "n" + strconv.Itoa(i+1), GPUs: map[string]int{typ: 1 + random.IntN(4)}})
	}
	at := 0.0
	for j := range 1 + random.IntN(6) {
		row := scenario.Row{Model: "m" + strconv.Itoa(j+1), PerGPU: map[string]float64{}, Source: "made up"}
		for _, typ := range types {
			row.PerGPU[typ] = float64(1 + random.IntN(20))
		}
		s.Throughputs.Rows = append(s.Throughputs.Rows, row)
		s.Jobs = append(s.Jobs, scenario.Job{ID: "j" + strconv.Itoa(j+1), Model: row.Model, GPUs: 1, ArrivalS: at,
			Weight: 1, Steps: float64(1000 + random.IntN(40_000))})
		at += float64(random.IntN(3600))
	}
	return &scenario.Document{Kind: scenario.Kind, Version: scenario.Version, Scenario: s, Meta: scenario.Meta{
		Title: "HadarE's theorem, case " + strconv.FormatUint(seed, 10)}}
}

// HeldNodes runs a lane, and is the least part of the nodes that jobs hold at the beginning of a round in which one is
// unfinished. The document has no window, and its nodes do not fail.
func HeldNodes(d *scenario.Document, l Lane) (float64, error) {
	s := lab.NewBatch()
	s.Bare = true
	diags := s.Start(&message.RunRequest{Scenario: d.Marshal(false), Policies: []message.PolicyRef{l.PolicyRef}})
	if diags.HasErrors() {
		return 0, fmt.Errorf("%v", diags)
	}
	for more := true; more; {
		_, more = s.Spend(1 << 12)
	}
	p, tr := s.Problem(), s.Trace(0)
	if tr == nil || tr.Outcome != trace.Done {
		return 0, fmt.Errorf("%s has not ended", l.Name)
	}
	least := 1.0
	for at := p.Jobs[0].Arrive; at < tr.LastFinish(); at += p.Round {
		if unfinished(tr, at) {
			least = min(least, float64(len(heldAt(tr, at)))/float64(len(p.Cluster.Nodes)))
		}
	}
	return least, nil
}

// unfinished tells whether a job has come by then and has not ended.
func unfinished(tr *trace.Trace, at unit.Tick) bool {
	for i := range tr.Jobs {
		if tr.Jobs[i].Arrive <= at && at < tr.Jobs[i].Finish {
			return true
		}
	}
	return false
}

// heldAt are the nodes that jobs hold then.
func heldAt(tr *trace.Trace, at unit.Tick) map[int32]bool {
	nodes := map[int32]bool{}
	for i := range tr.Spans.Len() {
		if tr.Spans.From[i] <= at && at < tr.Spans.To[i] {
			for _, sh := range tr.Spans.At(i) {
				nodes[tr.Slots[sh.Slot].Node] = true
			}
		}
	}
	return nodes
}
