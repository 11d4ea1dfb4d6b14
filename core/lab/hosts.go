package lab

import (
	"slices"

	"hadarlab/core/host"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// addHosts says of each job with GPUs what it gets of its hosts beside the others of the decision, and how fast it is
// with that, if it could use more.
func (x *explainer) addHosts(e *message.Explanation) {
	if x.p.Needs == nil {
		return
	}
	notes := make([]string, len(x.d.Choices))
	for n := range x.p.Cluster.Nodes {
		if x.p.Cluster.Nodes[n].Host != (model.Host{}) {
			x.noteHost(model.NodeID(n), notes)
		}
	}
	for i, note := range notes {
		if note != "" {
			e.Jobs[i].Sections = append([]message.Section{{Title: x.in.T("Hosts"), Note: note}}, e.Jobs[i].Sections...)
		}
	}
}

// noteHost adds to the choices' notes what those on node n get of it.
func (x *explainer) noteHost(n model.NodeID, notes []string) {
	h, gpus := &x.p.Cluster.Nodes[n].Host, 0.0
	for _, s := range x.p.Cluster.Slots {
		if s.Node == n {
			gpus += float64(s.Cap)
		}
	}
	var of []int // choices
	var tenants []host.Tenant
	for _, i := range x.byArrival() {
		c := x.d.Choices[i]
		for _, gang := range c.Gangs {
			held := 0.0
			for _, sh := range gang {
				if x.p.Cluster.Slots[sh.Slot].Node == n {
					held += float64(sh.N)
				}
			}
			if c.Other >= 0 {
				held /= 2
			}
			if held > 0 {
				of, tenants = append(of, i), append(tenants, host.Tenant{GPUs: held, Need: x.p.Needs[c.Job]})
			}
		}
	}
	for k, share := range host.Split(h, gpus, tenants, x.p.Tuned) {
		t, i := &tenants[k], of[k]
		speed := share.Speed(h, t)
		if speed == 1 {
			continue
		}
		if notes[i] != "" {
			notes[i] += " "
		}
		best := t.Best(h)
		if cpus := h.CPUs > 0 && t.Need.CPUs.At(share.CPUs/t.GPUs) == speed; cpus {
			notes[i] += x.say(words.Say("It has {0} of the {1} GPUs of {2} and {3} of its {4} CPUs. With {5} for each GPU it runs at {6} of its speed, with {7} at all of it.",
				t.GPUs, gpus, n, share.CPUs, h.CPUs, share.CPUs/t.GPUs, sim.Share(speed), best.CPUs/t.GPUs))
			continue
		}
		notes[i] += x.say(words.Say("It has {0} of the {1} GPUs of {2} and {3} GB of its {4}. With {5} GB for each GPU it runs at {6} of its speed, with {7} at all of it.",
			t.GPUs, gpus, n, share.MemoryGB, h.MemoryGB, share.MemoryGB/t.GPUs, sim.Share(speed),
			best.MemoryGB/t.GPUs))
	}
}

// byArrival are the positions of the decision's choices, by their jobs.
func (x *explainer) byArrival() []int {
	at := make([]int, len(x.d.Choices))
	for i := range at {
		at[i] = i
	}
	slices.SortStableFunc(at, func(a, b int) int { return int(x.d.Choices[a].Job - x.d.Choices[b].Job) })
	return at
}
