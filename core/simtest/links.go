package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/network"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Linked gives p a network whose links gangs share. A step of the i-th table averages so many bytes, 0 = it shares
// nothing and stays as it is; its speeds over several nodes follow from the network.
func Linked(p *model.Problem, net model.Net, bytes ...float64) {
	p.Links = &net
	alone, most := (*network.Net)(&net), make([]int, len(p.Cluster.Types))
	for _, s := range p.Cluster.Slots {
		most[s.Type] = max(most[s.Type], int(s.Cap))
	}
	for i, b := range bytes {
		tab := &p.Tables[i]
		if tab.Gradients = b; b == 0 {
			continue
		}
		for t := range p.Cluster.Types {
			typ := model.TypeID(t)
			one := float64(tab.Rate(typ, 1, model.OneNode))
			for n := int32(1); n <= tab.MaxSize(); n++ {
				var rates [model.Tiers]unit.Rate
				closer := tab.Rate(typ, n, model.OneNode)
				for tier := range rates {
					closer = min(closer, unit.Rate(alone.Rate(one, b, int(n), max(1, most[t]), model.Tier(tier))))
					rates[tier] = closer
				}
				tab.Set(typ, n, rates[0], rates[1], rates[2])
			}
		}
	}
}

// fill gives flows their max-min fair shares of the links of a network by the plainest form of progressive filling: all
// grow by what the fullest link still allows, until none can. It shares no code with core/network. A flow is a gang's
// shards.
func fill(p *model.Problem, flows [][]model.Shard) []float64 {
	c, nic := &p.Cluster, p.Links.NIC.BytesPerS/p.Links.Congestion
	type link struct {
		rack bool
		at   int32
	}
	carries, on := map[link]float64{}, map[link][]int{}
	for i := range c.Nodes {
		carries[link{false, int32(i)}] = nic
		carries[link{true, c.Nodes[i].Rack}] += nic / p.Links.Oversubscription
	}
	for f, shards := range flows {
		uses, racks := map[link]bool{}, map[int32]bool{}
		for _, sh := range shards {
			racks[c.Nodes[c.Slots[sh.Slot].Node].Rack] = true
		}
		for _, sh := range shards {
			node := c.Slots[sh.Slot].Node
			uses[link{false, int32(node)}] = true
			if len(racks) > 1 {
				uses[link{true, c.Nodes[node].Rack}] = true
			}
		}
		for l := range uses {
			on[l] = append(on[l], f)
		}
	}
	got, done := make([]float64, len(flows)), make([]bool, len(flows))
	for slices.Contains(done, false) {
		more := math.Inf(1)
		room := func(l link) (room float64, growing float64) {
			room = carries[l]
			for _, f := range on[l] {
				if room -= got[f]; !done[f] {
					growing++
				}
			}
			return room, growing
		}
		for l := range on {
			if room, growing := room(l); growing > 0 {
				more = min(more, room/growing)
			}
		}
		for f := range got {
			if !done[f] {
				got[f] += more
			}
		}
		for l, flows := range on {
			if room, _ := room(l); room <= carries[l]*1e-9 {
				for _, f := range flows {
					done[f] = true
				}
			}
		}
	}
	return got
}

// crosses says whether a gang of j on the shards is a flow.
func crosses(p *model.Problem, j model.JobID, shards []model.Shard) bool {
	_, tier := sim.Measure(&p.Cluster, shards)
	return tier > model.OneNode && p.Tables[p.Jobs[j].Phases[0].Tables[0]].Gradients > 0
}

// checkLinks: where links are shared, each gang runs at all times at the speed of its fair share among the gangs that
// hold GPUs then, and never faster than its table says (I13).
func checkLinks(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	if p.Links == nil {
		return
	}
	s := &t.Spans
	var flows []int // spans
	for i := range s.Len() {
		if crosses(p, model.JobID(s.Job[i]), s.At(i)) {
			flows = append(flows, i)
		}
	}
	for _, now := range instants(p, t) {
		var open []int
		var shards [][]model.Shard
		for _, i := range flows {
			if s.From[i] <= now && now < s.To[i] {
				open, shards = append(open, i), append(shards, s.At(i))
			}
		}
		all := openAt(t, now)
		parts := partsOf(p, t, all, now)
		for k, share := range fill(p, shards) {
			i := open[k]
			if s.Kind[i] != trace.Run {
				continue
			}
			j, part := model.JobID(s.Job[i]), parts[slices.Index(all, i)]
			job := &p.Jobs[j]
			tab := &p.Tables[job.Phases[0].Tables[0]]
			rates, split := linkRates(p, tab, shards[k], share), job.Shape.Split
			want, least := float64(0), 1-1e-6
			if Learns(job) { // it may be learning, and no split is faster than the best
				want, least = bestSplit(p, job, shards[k], part, rates), 0
				best := *split
				best.Learned, split = false, &best
			} else {
				want = float64(sim.SharedRate(p, tab, shards[k], split, share)) * paced(p, j, shards[k], part, rates)
			}
			told := float64(sim.GangRate(tab, &p.Cluster, shards[k], split))
			if got := s.Rate[i]; got > want*(1+1e-6) || got < want*least || got > told*(1+float64((1-least)*1e-12)) {
				fail("I13: job %s runs at %v steps/s at %d; %v bytes/s of its links give %v, alone %v", job.Name,
					s.Rate[i], now, share, want, told)
			}
		}
	}
}
