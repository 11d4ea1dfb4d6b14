package primaldual

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// value computes rate, rounds, utility, cost and payoff of o for job i when used GPUs of each slot
// are taken. The whole gang pays the prices from before it is placed: posted prices, of which the
// guarantee speaks (hadar.md, Prices). It is false when the gang cannot run.
func (s *Solver) value(i int, o *Offer, used []int32) bool {
	p := s.prob
	j := &p.Jobs[i]
	slots := p.Cluster.Slots
	o.held = slices.Equal(o.Shards, j.Held)
	if len(o.Shards) == 1 { // most are
		sh := o.Shards[0]
		typ := slots[sh.Slot].Type
		o.nodes, o.types = 1, 1<<(typ&63)
		e := &s.terms[i].packed[typ]
		if o.held {
			e = &s.terms[i].kept
		}
		o.speed = e.rate
		return s.settle(o, e, float64(s.price(int(sh.Slot), used[sh.Slot])*float64(sh.N)))
	}
	last, tier := model.NodeID(model.None), model.OneRack
	sum := 0.0
	for _, sh := range o.Shards {
		if n := slots[sh.Slot].Node; n != last {
			if last >= 0 && p.Cluster.Nodes[n].Rack != p.Cluster.Nodes[last].Rack {
				tier = model.Network
			}
			o.nodes++
			last = n
		}
		sum += float64(s.price(int(sh.Slot), used[sh.Slot]) * float64(sh.N))
	}
	o.Rate = -1
	mean, even := 0.0, true
	for _, sh := range o.Shards {
		typ := slots[sh.Slot].Type
		v := j.Speed.Rate(typ, j.GPUs, model.OneNode)
		o.speed = max(o.speed, v)
		o.types |= 1 << (typ & 63)
		if o.nodes > 1 {
			v = s.spreadRate(j, typ, o.nodes, tier)
		}
		mean += float64(float64(sh.N) * float64(v))
		even = even && (o.Rate < 0 || v == o.Rate)
		if o.Rate < 0 || v < o.Rate {
			o.Rate = v
		}
	}
	switch {
	case j.Split == nil || even || o.Rate <= 0:
	case j.Split.Perfect():
		o.Rate = unit.Rate(mean / float64(j.GPUs))
	default:
		s.parts = s.parts[:0]
		for _, sh := range o.Shards {
			typ := slots[sh.Slot].Type
			v := j.Speed.Rate(typ, j.GPUs, model.OneNode)
			if o.nodes > 1 {
				v = s.spreadRate(j, typ, o.nodes, tier)
			}
			s.parts = model.AddPart(s.parts, typ, float64(sh.N), v)
		}
		o.Rate = j.Split.Settled(s.parts)
	}
	if o.Rate <= 0 {
		return false
	}
	return s.settle(o, s.ending(i, o.Rate, s.stall(j, o.held)), sum)
}

// settle gives an offer the worth of what it leads to, when a round costs so much.
func (s *Solver) settle(o *Offer, e *ending, price float64) bool {
	o.Rate, o.Rounds, o.Utility = e.rate, e.rounds, e.utility
	o.Charge(price, s.set.RoundCost)
	return o.Rate > 0
}

// stall is how long a job stands still on the GPUs that it has, or on others.
func (s *Solver) stall(j *Job, held bool) unit.Tick {
	switch {
	case s.set.FreeMoves:
		return 0
	case held:
		return j.Keep
	}
	return j.Move
}

// ending is what a job's speed and stall lead to, whatever its GPUs cost.
type ending struct {
	rate    unit.Rate
	stall   unit.Tick
	rounds  int64
	utility float64
}

// ending gives the rounds and the utility of job i at that rate after that stall. A job's placements share a few
// rates and the states of the search weigh it one after the other, so that those of the last job are kept.
func (s *Solver) ending(i int, rate unit.Rate, stall unit.Tick) *ending {
	if s.endingOf != i {
		s.endingOf, s.endings = i, s.endings[:0]
	}
	for k := range s.endings {
		if e := &s.endings[k]; e.rate == rate && e.stall == stall {
			return e
		}
	}
	s.endings = append(s.endings, s.endingAt(i, rate, stall))
	return &s.endings[len(s.endings)-1]
}

// endingAt computes it.
func (s *Solver) endingAt(i int, rate unit.Rate, stall unit.Tick) ending {
	m, b := &s.market, &s.market.Jobs[i]
	return ending{rate, stall, m.Rounds(b.Remaining, rate), m.UtilityOf(b, rate, stall)}
}

// better orders offers of one job: payoff, then lower cost, fewer nodes, faster type, the GPUs it
// has already, lower slots. Payoffs within 1e-9 are equal.
func (s *Solver) better(a, b *Offer) bool {
	switch {
	case !tie(a.Payoff, b.Payoff):
		return a.Payoff > b.Payoff
	case !tie(a.Cost, b.Cost):
		return a.Cost < b.Cost
	case a.nodes != b.nodes:
		return a.nodes < b.nodes
	case a.speed != b.speed:
		return a.speed > b.speed
	case a.held != b.held:
		return a.held
	}
	return slices.CompareFunc(a.Shards, b.Shards, func(x, y model.Shard) int {
		if x.Slot != y.Slot {
			return int(x.Slot - y.Slot)
		}
		return int(y.N - x.N)
	}) < 0
}

// tie says whether a and b are equal within 1e-9 relative. Sums of the same numbers in another
// order differ by less, and must not decide a schedule.
func tie(a, b float64) bool {
	most := math.Abs(a)
	if b := math.Abs(b); b > most {
		most = b
	}
	return math.Abs(a-b) <= float64(unit.Rounding*most)
}
