package chart

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/network"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Load is what gangs of a run have of one link that they share, and what they send over it.
type Load struct {
	Link    int32 // as network.Net.Links numbers them
	Uplink  bool  // of the rack Of, else it is the NIC of the node Of
	Of      int32
	Carries float64 // bytes/s, in either direction
	Steps   []LoadStep
	End     unit.Tick
	Mean    float64 // part of what it carries that is sent, from the first arrival to the last finish (Usage.Share)
	Shared  float64 // part of that time in which several gangs use it
	Most    int32   // gangs at once
}

// LoadStep holds until the next one.
type LoadStep struct {
	At    unit.Tick
	Gangs int32   // that use the link
	Given float64 // bytes/s, the sum of their fair shares
	Sent  float64 // bytes/s, on average over their steps; a gang that stalls or holds sends nothing
}

// flow is a span of a gang that uses links.
type flow struct {
	span  int
	links []int32
	share float64 // bytes/s
	sent  float64 // bytes/s
}

// NewLoads are the loads of all links that gangs of a run of p use, NICs first; nil where gangs share none. Shares are
// those by which the run was simulated (network.Shares); what is sent follows from a span's speed: in a step
// 2(k−1)/k of the gradients pass each of a gang's k nodes, and each of its racks' uplinks.
func NewLoads(t *trace.Trace, p *model.Problem) []Load {
	if p.Links == nil {
		return nil
	}
	z := loader{carries: (*network.Net)(p.Links).Links(&p.Cluster)}
	z.changed, z.all = make([]bool, len(z.carries)), make([]Load, len(z.carries))
	flows := flowsOf(t, p)
	var turns []turn
	for i := range flows {
		turns = append(turns, turn{t.Spans.From[flows[i].span], i, true}, turn{t.Spans.To[flows[i].span], i, false})
	}
	unit.SortByTickPaced(turns, func(e *turn) unit.Tick { return e.at }, t.Pace)
	for i := 0; i < len(turns); {
		at := turns[i].at
		for ; i < len(turns) && turns[i].at == at; i++ {
			z.turn(&flows[turns[i].flow], turns[i].begins)
		}
		z.step(at, t.Pace)
	}
	from, to := t.FirstArrival(), t.LastFinish()
	if t.Outcome != trace.Done { // as figures have it
		to = t.End
	}
	nodes := len(p.Cluster.Nodes)
	for l := range z.all {
		of := &z.all[l]
		of.Link, of.Of, of.Carries, of.End = int32(l), int32(l), z.carries[l], t.End
		if l >= nodes {
			of.Uplink, of.Of = true, int32(l-nodes)
		}
		of.sum(from, to)
	}
	return slices.DeleteFunc(z.all, func(of Load) bool { return of.Most == 0 })
}

// flowsOf are the spans of gangs that use links that they share.
func flowsOf(t *trace.Trace, p *model.Problem) (flows []flow) {
	s := &t.Spans
	for i := range s.Len() {
		t.Pace.Did(1)
		bytes := p.Tables[p.Jobs[s.Job[i]].Phases[0].Tables[0]].Gradients
		if bytes == 0 || s.From[i] >= s.To[i] {
			continue
		}
		shards := slices.Clone(s.At(i))
		unit.Sort(shards, func(a, b model.Shard) int { return cmp.Compare(a.Slot, b.Slot) })
		f := flow{span: i, links: network.Crossed(&p.Cluster, shards)}
		if f.links == nil {
			continue
		}
		if s.Kind[i] == trace.Run {
			gpus := int32(0)
			for _, sh := range shards {
				gpus += sh.N
			}
			nodes, _ := network.Spread(&p.Cluster, shards)
			f.sent = s.Rate[i] / float64(gpus) * network.Passes(nodes, bytes)
		}
		flows = append(flows, f)
	}
	return flows
}

// turn is where a flow begins or ends.
type turn struct {
	at     unit.Tick
	flow   int
	begins bool
}

// loader goes through a run's flows.
type loader struct {
	carries []float64
	changed []bool // by link
	open    []*flow
	all     []Load // by link
}

func (z *loader) turn(f *flow, begins bool) {
	if begins {
		z.open = append(z.open, f)
	} else {
		k := slices.Index(z.open, f)
		z.open = slices.Delete(z.open, k, k+1)
	}
	for _, l := range f.links {
		z.changed[l] = true
	}
}

// step shares the links anew whose flows have changed, and those that flows join to them, and notes what changes.
func (z *loader) step(at unit.Tick, pace unit.Pace) {
	links := make([][]int32, len(z.open))
	for i, f := range z.open {
		links[i] = f.links
	}
	joined := network.Joined(links, z.changed)
	some := make([][]int32, len(joined))
	for k, i := range joined {
		some[k] = links[i]
	}
	pace.Did(1 + len(z.open))
	for k, share := range network.Shares(z.carries, some) {
		z.open[joined[k]].share = share
	}
	now := make([]LoadStep, len(z.carries))
	for _, i := range joined {
		f := z.open[i]
		for _, l := range f.links {
			now[l].Gangs++
			now[l].Given += f.share
			now[l].Sent += f.sent
		}
	}
	for l := range now {
		if z.changed[l] {
			now[l].At = at
			z.all[l].add(now[l])
		}
	}
	clear(z.changed)
}

// add appends a step unless it changes nothing.
func (of *Load) add(s LoadStep) {
	if len(of.Steps) == 0 && s.At > 0 {
		of.Steps = append(of.Steps, LoadStep{})
	}
	of.Most = max(of.Most, s.Gangs)
	if n := len(of.Steps); n == 0 || of.Steps[n-1] != (LoadStep{of.Steps[n-1].At, s.Gangs, s.Given, s.Sent}) {
		of.Steps = append(of.Steps, s)
	}
}

// sum fills in what holds of a whole stretch.
func (of *Load) sum(from, to unit.Tick) {
	if to <= from {
		return
	}
	sent := of.Curve(func(s *LoadStep) float64 { return s.Sent })
	shared := of.Curve(func(s *LoadStep) float64 { return float64(min(max(s.Gangs-1, 0), 1)) })
	of.Mean = sent.integral(from, to) / float64(to-from) / of.Carries
	of.Shared = shared.integral(from, to) / float64(to-from)
}

// Place is the name of the node whose NIC it is, or of the rack whose uplink.
func (of *Load) Place(c *model.Cluster) string {
	if of.Uplink {
		return c.Racks[of.Of]
	}
	return c.Nodes[of.Of].Name
}

// Curve is something of a load as a step curve.
func (of *Load) Curve(what func(s *LoadStep) float64) Series {
	c := Series{End: of.End}
	for i := range of.Steps {
		c.add(of.Steps[i].At, what(&of.Steps[i]))
	}
	return c
}

// mostLinks is how many links are drawn.
const mostLinks = 8

// Busiest are the links that several gangs use longest in runs of one scenario, and of those that none does the ones
// with most load, in the order of their numbers: the ones that are drawn.
func Busiest(runs [][]Load) []Load {
	var all []Load
	for _, loads := range runs {
		for i := range loads {
			of := &loads[i]
			k := slices.IndexFunc(all, func(a Load) bool { return a.Link == of.Link })
			if k < 0 {
				k, all = len(all), append(all, Load{Link: of.Link, Uplink: of.Uplink, Of: of.Of, Carries: of.Carries})
			}
			all[k].Shared, all[k].Mean = max(all[k].Shared, of.Shared), max(all[k].Mean, of.Mean)
		}
	}
	unit.Sort(all, func(a, b Load) int {
		return cmp.Or(cmp.Compare(b.Shared, a.Shared), cmp.Compare(b.Mean, a.Mean), cmp.Compare(a.Link, b.Link))
	})
	all = all[:min(len(all), mostLinks)]
	unit.Sort(all, func(a, b Load) int { return cmp.Compare(a.Link, b.Link) })
	return all
}
