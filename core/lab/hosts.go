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
// with that, or how much of it it can use.
func (x *explainer) addHosts(e *message.Explanation) {
	if x.p.Needs == nil {
		return
	}
	about := make([]message.Section, len(x.d.Choices))
	for n := range x.p.Cluster.Nodes {
		if x.p.Cluster.Nodes[n].Host != (model.Host{}) {
			x.ofHost(model.NodeID(n), about)
		}
	}
	for i, s := range about {
		if s.Note != "" {
			s.Title = x.in.T("Hosts")
			e.Jobs[i].Sections = append([]message.Section{s}, e.Jobs[i].Sections...)
		}
	}
}

// ofHost adds what the jobs on node n get of it to what is said about the choices.
func (x *explainer) ofHost(n model.NodeID, about []message.Section) {
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
		t, s := &tenants[k], &about[of[k]]
		best, speed := t.Best(h), share.Speed(h, t)
		says := words.Text{}
		switch {
		case t.Need == nil:
			continue
		case speed < 1 && h.CPUs > 0 && t.Need.CPUs.At(share.CPUs/t.GPUs) == speed:
			says = words.Say("It has {0} of the {1} GPUs of {2} and {3} of its {4} CPUs. With {5} for each GPU it runs at {6} of its speed, with {7} at all of it.",
				t.GPUs, gpus, n, share.CPUs, h.CPUs, share.CPUs/t.GPUs, sim.Share(speed), best.CPUs/t.GPUs)
		case speed < 1:
			says = words.Say("It has {0} of the {1} GPUs of {2} and {3} GB of its {4}. With {5} GB for each GPU it runs at {6} of its speed, with {7} at all of it.",
				t.GPUs, gpus, n, share.MemoryGB, h.MemoryGB, share.MemoryGB/t.GPUs, sim.Share(speed),
				best.MemoryGB/t.GPUs)
		case h.CPUs > 0:
			says = words.Say("It has {0} of the {1} GPUs of {2} and {3} of its {4} CPUs, of which it can use {5}.",
				t.GPUs, gpus, n, share.CPUs, h.CPUs, best.CPUs)
		default:
			continue
		}
		if s.Note != "" {
			s.Note += " "
		}
		s.Note += x.say(says)
		s.Terms = append(s.Terms, message.NamedValue{Key: "host/cpus", Value: share.CPUs},
			message.NamedValue{Key: "host/use", Value: best.CPUs}, message.NamedValue{Key: "host/speed", Value: speed})
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
