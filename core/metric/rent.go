package metric

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Stay is a time in which a node that can be had for money was there.
type Stay struct {
	Group    int // in Problem.Cloud
	Slot     model.SlotID
	From, To unit.Tick
	Held     unit.Tick // GPUs that jobs held of it, times time
}

// Stays are those of all nodes of a cloud up to the last finish, or the end of a run that leaves jobs, by slot and then
// by time.
func Stays(c *model.Cloud, t *trace.Trace) (out []Stay) {
	if c == nil {
		return nil
	}
	end := t.End
	if t.Outcome == trace.Done {
		end = t.LastFinish()
	}
	at := make([]int, len(t.Slots)) // the first stay of a slot
	for g, group := range c.Groups {
		for s := group.From; s < group.To; s++ {
			at[s] = len(out)
			from, there := unit.Tick(0), true
			for _, q := range t.Capacity {
				switch {
				case q.Slot != int32(s):
				case q.Cap > 0:
					from, there = q.At, true
				case there && q.At > from:
					out, there = append(out, Stay{Group: g, Slot: s, From: from, To: min(q.At, end)}), false
				default:
					there = false
				}
			}
			if there && from < end {
				out = append(out, Stay{Group: g, Slot: s, From: from, To: end})
			}
		}
	}
	sp := &t.Spans
	for i := range sp.Len() {
		if sp.With[i] >= 0 && sp.With[i] < sp.Job[i] {
			continue // shared GPUs count once
		}
		for _, sh := range sp.At(i) {
			for k := at[sh.Slot]; k < len(out) && out[k].Slot == sh.Slot; k++ {
				out[k].Held += unit.Tick(sh.N) * max(0, min(sp.To[i], out[k].To)-max(sp.From[i], out[k].From))
			}
		}
	}
	return out
}

// USD is what a stay costs in all, and what of that is for GPU time that no job held, the rest of a least time
// included.
func (s *Stay) USD(c *model.Cloud, t *trace.Trace) (all, idle float64) {
	g := &c.Groups[s.Group]
	billed := g.Billed(s.To - s.From)
	perTick := g.USDPerHour / float64(3600*unit.Second)
	all = float64(float64(billed) * perTick)
	return all, float64(float64(billed-s.Held/unit.Tick(t.Slots[s.Slot].Cap)) * perTick)
}

// rent adds up what nodes cost that are had for money.
func (r *Report) rent(p *model.Problem, t *trace.Trace) {
	for _, s := range Stays(p.Cloud, t) {
		all, idle := s.USD(p.Cloud, t)
		r.Metrics.RentUSD += all
		r.Metrics.RentIdleUSD += idle
	}
}
