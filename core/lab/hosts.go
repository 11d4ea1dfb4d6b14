package lab

import (
	"math"

	"hadarlab/core/host"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
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
			if line := x.hosted(x.d.Choices[i], &s); !line.IsZero() {
				s.Formula = []string{x.say(line)}
			}
			s.Title = x.in.T("Hosts")
			e.Jobs[i].Sections = append([]message.Section{s}, e.Jobs[i].Sections...)
		}
	}
}

// hosted is the sum of a gang's speed, where that is what its hosts allow of its full speed and nothing else counts.
func (x *explainer) hosted(c *sim.Choice, s *message.Section) (line words.Text) {
	least := 1.0
	for _, t := range s.Terms {
		if t.Key == "host/speed" {
			least = min(least, t.Value)
		}
	}
	full := x.told(c)
	speed := float64(float64(full) * least)
	if least < 1 && len(c.Gangs) == 1 && math.Abs(speed-float64(c.Rate)) < 1e-9*speed {
		line = words.Say("speed = full speed × the least that a host allows = {0} × {1} = {2} steps/s",
			sim.Digits{Value: float64(full), N: 4}, sim.Digits{Value: least, N: 5}, sim.Digits{Value: speed, N: 4})
	}
	return line
}

// told is the speed that a job's gangs have by what policies are told.
func (x *explainer) told(c *sim.Choice) (sum unit.Rate) {
	job := &x.p.Jobs[c.Job]
	for _, g := range c.Gangs {
		sum += sim.GangRate(&x.p.Tables[job.Phases[0].Tables[0]], &x.p.Cluster, g, job.Shape.Split)
	}
	return sum
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
	shares := host.Split(h, gpus, tenants, x.p.Tuned)
	how := words.Text{}
	if x.p.Tuned && len(tenants) > 1 {
		how = x.tunedTo(n, shares, of)
	}
	for k, share := range shares {
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
		if !how.IsZero() {
			s.Note += " " + x.say(how)
		}
		s.Terms = append(s.Terms, message.NamedValue{Key: "host/cpus", Value: share.CPUs},
			message.NamedValue{Key: "host/use", Value: best.CPUs}, message.NamedValue{Key: "host/speed", Value: speed})
	}
}

// tunedTo says what each job on node n gets where its host is tuned; of are their choices.
func (x *explainer) tunedTo(n model.NodeID, shares []host.Share, of []int) words.Text {
	h, list := &x.p.Cluster.Nodes[n].Host, words.Text{}
	for k, share := range shares[:min(len(shares), mostTuned)] {
		job := x.d.Choices[of[k]].Job
		has := words.Say("{0} has {1} CPUs", job, share.CPUs)
		if h.CPUs == 0 {
			has = words.Say("{0} has {1} GB", job, share.MemoryGB)
		}
		if list.IsZero() {
			list = has
		} else {
			list = words.Say("{0}, {1}", list, has)
		}
	}
	return words.Say("{0} is tuned: in the order in which they came its jobs take what they can use, and none gets less than it can use of its GPUs’ part: {1}.",
		n, list)
}

// mostTuned is how many jobs of a node are told of.
const mostTuned = 8

// byArrival are the positions of the decision's choices, by their jobs.
func (x *explainer) byArrival() []int {
	at := make([]int, len(x.d.Choices))
	for i := range at {
		at[i] = i
	}
	unit.Sort(at, func(a, b int) int { return int(x.d.Choices[a].Job - x.d.Choices[b].Job) })
	return at
}
