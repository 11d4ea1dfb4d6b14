package sim

import (
	"slices"

	"hadarlab/core/host"
	"hadarlab/core/model"
)

// hosts are the CPUs and the memory of the nodes, which the jobs that hold GPUs there share for as long as they hold
// them (core/host). No policy knows of them: View.Rate foretells what a job does with all that it can use.
type hosts struct {
	gpus    []float64 // by node
	touched []bool    // by node whose gangs have changed since its host was last shared
	any     bool
}

// newHosts are those of p, nil where no job needs any.
func newHosts(p *model.Problem) *hosts {
	if p.Needs == nil {
		return nil
	}
	h := &hosts{gpus: make([]float64, len(p.Cluster.Nodes)), touched: make([]bool, len(p.Cluster.Nodes))}
	for _, s := range p.Cluster.Slots {
		h.gpus[s.Node] += float64(s.Cap)
	}
	return h
}

// touch notes that a gang on the shards comes or goes.
func (h *hosts) touch(c *model.Cluster, shards []model.Shard) {
	for _, sh := range shards {
		h.touched[c.Slots[sh.Slot].Node], h.any = true, true
	}
}

// seat is a member of a gang on a node.
type seat struct {
	gang         int32
	member       int
	first, after int // its shards there
}

// shareHosts gives the jobs of each node on which a gang has come or gone at this instant their parts of it, and a new
// speed to the gangs that have another part. Tenants are in order of arrival. Jobs that share GPUs share what belongs
// to them.
func (r *Run) shareHosts() {
	h := r.hosts
	h.any = false
	c := &r.p.Cluster
	seats, tenants := make([][]seat, len(c.Nodes)), make([][]host.Tenant, len(c.Nodes))
	for _, j := range r.activeJobs {
		for _, g := range r.jobs[j].gangs {
			G := &r.gangs[g]
			for k := 0; k < len(G.shards); {
				at := seat{gang: g, member: r.memberAt(g, j), first: k}
				n, gpus := c.Slots[G.shards[k].Slot].Node, int32(0)
				for ; k < len(G.shards) && c.Slots[G.shards[k].Slot].Node == n; k++ {
					gpus += G.shards[k].N
				}
				if at.after = k; h.touched[n] {
					seats[n] = append(seats[n], at)
					tenants[n] = append(tenants[n], host.Tenant{GPUs: float64(gpus) / float64(len(G.members)),
						Need: r.p.Needs[j]})
				}
			}
		}
	}
	var changed []int32
	for n, of := range tenants {
		h.touched[n] = false
		for i, s := range host.Split(&c.Nodes[n].Host, h.gpus[n], of, r.p.Tuned) {
			at := seats[n][i]
			G := &r.gangs[at.gang]
			m := &G.members[at.member]
			if m.hosted == nil {
				m.hosted = make([]float64, len(G.shards))
			}
			for k := at.first; k < at.after; k++ {
				m.hosted[k] = s.Speed(&c.Nodes[n].Host, &of[i])
			}
			if len(changed) == 0 || changed[len(changed)-1] != at.gang {
				changed = append(changed, at.gang)
			}
		}
	}
	for _, g := range changed {
		r.reshare(g)
	}
}

// memberAt is the position of j among the members of gang g.
func (r *Run) memberAt(g int32, j model.JobID) int {
	return slices.IndexFunc(r.gangs[g].members, func(m gangMember) bool { return m.job == j })
}
