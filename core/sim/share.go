package sim

import (
	"hadarlab/core/model"
	"hadarlab/core/network"
)

// links are the NICs and uplinks that gangs share. Whatever gang has gradients and crosses nodes is one flow on each
// link that it uses for as long as it holds its GPUs, whether it trains, stalls or waits for the next decision
// (ours, on the long side: what a gang sends comes in bursts).
type links struct {
	p       *model.Problem
	carries []float64 // bytes per second, by link
	touched []bool    // by links whose gangs have changed since shares were last computed
	any     bool
}

// newLinks are those of p, nil where gangs share none.
func newLinks(p *model.Problem) *links {
	if p.Links == nil {
		return nil
	}
	carries := (*network.Net)(p.Links).Links(&p.Cluster)
	return &links{p: p, carries: carries, touched: make([]bool, len(carries))}
}

// touch notes that a gang on the shards comes or goes.
func (l *links) touch(shards []model.Shard) {
	for _, link := range network.Crossed(&l.p.Cluster, shards) {
		l.touched[link], l.any = true, true
	}
}

// share gives gangs their shares of links and hosts that have changed at this instant. Nobody has made progress since,
// so it is enough to do so once, at the end of all that happens at the instant.
func (r *Run) share() {
	if r.links != nil && r.links.any {
		r.shareLinks()
	}
	if r.hosts != nil && r.hosts.any {
		r.shareHosts()
	}
}

// shareLinks gives each gang its share of the links that it uses, and a new speed to those whose share is another than
// it was: they are joined by links to one that has come or gone at this instant.
func (r *Run) shareLinks() {
	l := r.links
	l.any = false
	var flows [][]int32
	var of []int32 // gangs
	for _, j := range r.activeJobs {
		if !l.exchanges(j) {
			continue
		}
		for _, g := range r.jobs[j].gangs {
			if links := network.Crossed(&r.p.Cluster, r.gangs[g].shards); links != nil {
				flows, of = append(flows, links), append(of, g)
			}
		}
	}
	joined := network.Joined(flows, l.touched)
	clear(l.touched)
	some := make([][]int32, len(joined))
	for k, f := range joined {
		some[k] = flows[f]
	}
	for k, s := range network.Shares(l.carries, some) {
		if g := of[joined[k]]; r.gangs[g].share != s {
			r.gangs[g].share = s
			r.reshare(g)
		}
	}
}

// exchanges says whether gangs of j exchange gradients over links that they share.
func (l *links) exchanges(j model.JobID) bool {
	return l.p.Tables[l.p.Jobs[j].Phases[0].Tables[0]].Gradients > 0
}

// touch notes that a gang on the shards comes or goes.
func (r *Run) touch(shards []model.Shard) {
	if r.links != nil {
		r.links.touch(shards)
	}
	if r.hosts != nil {
		r.hosts.touch(&r.p.Cluster, shards)
	}
}

// reshare recomputes the speeds of a gang whose share, or whose nodes' speed, is another. Spans are cut only where a
// member trains: a stall and a wait for the next decision have no speed.
func (r *Run) reshare(g int32) {
	G := &r.gangs[g]
	for i := range G.members {
		m := &G.members[i]
		if m.learns != nil { // before what it has trained counts for a check that its new speed makes due
			r.advance(m.job)
		}
		rate := r.rateIn(G, i)
		if rate == m.rate {
			if m.learns != nil {
				r.rekey(m.job)
			}
			continue
		}
		r.advance(m.job)
		if !m.hold && r.now >= r.jobs[m.job].stall {
			r.closeSpan(g, m)
		}
		m.rate = rate
		r.rekey(m.job)
	}
}
