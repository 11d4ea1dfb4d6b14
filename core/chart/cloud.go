package chart

import (
	"slices"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// CloudUse is how many GPUs of a group of nodes that can be had for money were there, and how many of them jobs held.
type CloudUse struct {
	There, Used Series
	Nodes       int     // times that a node came
	HadH        float64 // hours that nodes were there
	BilledH     float64 // hours that are paid for
	USD         float64
	IdleUSD     float64 // of that for GPU time that no job held
}

// NewCloudUses are those of a run of p, one a group; nil where no node can be had.
func NewCloudUses(t *trace.Trace, p *model.Problem) []CloudUse {
	if p.Cloud == nil {
		return nil
	}
	out := make([]CloudUse, len(p.Cloud.Groups))
	there, used := make([][]change, len(out)), make([][]change, len(out))
	for _, s := range metric.Stays(p.Cloud, t) {
		u, cap := &out[s.Group], t.Slots[s.Slot].Cap
		there[s.Group] = append(there[s.Group], change{s.From, cap}, change{s.To, -cap})
		all, idle := s.USD(p.Cloud, t)
		u.Nodes, u.USD, u.IdleUSD = u.Nodes+1, u.USD+all, u.IdleUSD+idle
		u.HadH += (s.To - s.From).Seconds() / 3600
		u.BilledH += p.Cloud.Groups[s.Group].Billed(s.To-s.From).Seconds() / 3600
	}
	for i := range t.Spans.Len() {
		t.Pace.Did(1)
		if t.Spans.With[i] >= 0 && t.Spans.With[i] < t.Spans.Job[i] {
			continue // shared GPUs count once
		}
		for _, sh := range t.Spans.At(i) {
			g := slices.IndexFunc(p.Cloud.Groups, func(g model.CloudGroup) bool {
				return g.From <= sh.Slot && sh.Slot < g.To
			})
			if g >= 0 {
				used[g] = append(used[g], change{t.Spans.From[i], sh.N}, change{t.Spans.To[i], -sh.N})
			}
		}
	}
	for g := range out {
		out[g].There = accumulate(there[g], t.End, t.Pace)
		out[g].Used = accumulate(used[g], t.End, t.Pace)
	}
	return out
}

// CloudTimes are the instants at which either of a use's curves steps, in order.
func (u *CloudUse) CloudTimes() []unit.Tick {
	at := slices.Concat(u.There.T, u.Used.T)
	slices.Sort(at)
	return slices.Compact(at)
}
