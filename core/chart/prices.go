package chart

import (
	"hadarlab/core/message"
	"hadarlab/core/unit"
)

// PriceAt is Hadar's price of a GPU of a slot when used of capacity are taken: it rises from lo to hi
// by equal factors.
func PriceAt(lo, hi float64, used, capacity int) float64 {
	switch {
	case used <= 0 || !(lo > 0) || capacity <= 0:
		return lo
	case used >= capacity:
		return hi
	}
	share := float64(used) / float64(capacity)
	return lo * unit.Exp(float64(share*unit.Log(hi/lo)))
}

// PricePosition is where a gang stands on the price curve of one of its slots.
type PricePosition struct {
	Node, Type     string
	Used, Capacity int // taken before the gang
	Count          int // that the gang takes
	Price          float64
}

// Positions are where a job's gang stands in an explanation: what others had taken before it, in the order
// of consideration, and the price it met there. round is Σ count × price, the price of one round; a job
// that came in by another way, such as the residual pass, met other prices.
func Positions(e *message.Explanation, c *message.JobChoice) (at []PricePosition, round float64) {
	if e.Constants == nil || len(c.Gangs) == 0 {
		return nil, 0
	}
	for _, sh := range c.Gangs[0] {
		p := PricePosition{Node: sh.Node, Type: sh.Type, Count: sh.Count}
		for _, slot := range e.Prices {
			if slot.Node == sh.Node && slot.Type == sh.Type {
				p.Capacity = slot.Capacity
			}
		}
		p.Used = usedBefore(e, c.ID, sh.Node, sh.Type)
		p.Price = PriceAt(e.Constants.UMin[sh.Type], e.Constants.UMax[sh.Type], p.Used, p.Capacity)
		round += float64(float64(sh.Count) * p.Price)
		at = append(at, p)
	}
	return at, round
}

// usedBefore counts the GPUs of a slot that jobs before id in the order hold after the decision.
func usedBefore(e *message.Explanation, id, node, typ string) int {
	n := 0
	for _, before := range e.Order {
		if before == id {
			return n
		}
		for i := range e.Jobs {
			if e.Jobs[i].ID != before {
				continue
			}
			for _, g := range e.Jobs[i].Gangs {
				for _, sh := range g {
					if sh.Node == node && sh.Type == typ {
						n += sh.Count
					}
				}
			}
		}
	}
	return n
}
