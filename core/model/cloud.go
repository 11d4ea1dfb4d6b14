package model

import "hadarlab/core/unit"

// Cloud is nodes that can be had for money, and who asks for them. They are nodes of the cluster like others, whose
// slots have no usable GPUs while they are not there.
type Cloud struct {
	Autoscaler Autoscaler
	Groups     []CloudGroup // in the order in which they are asked
	Gone       []Reclaim    // by time, then slot: when spot nodes vanish, if they are there
}

// Autoscaler says when nodes are asked for and released. The forms are ours; sim/cloud.go says what each does.
type Autoscaler uint8

const (
	Reactive   Autoscaler = iota // as many as waiting jobs need
	Predictive                   // these, and as many as a forecast of the load asks for
	Fixed                        // all of them, from the start to the end
)

// Autoscalers are their names.
var Autoscalers = []string{"reactive", "predictive", "fixed"}

// CloudGroup is equal nodes of one GPU type, which stand in one rack: the slots from From up to but not To.
type CloudGroup struct {
	Name       string
	From, To   SlotID
	USDPerHour float64   // of a node
	Start      unit.Tick // from asking for a node to its coming, above 0
	Idle       unit.Tick // without a job and unwanted, until it is released, above 0
	Least      unit.Tick // the shortest time that is billed
}

// Reclaim is an instant at which the provider takes a node back. One that is not there then stays away no longer.
type Reclaim struct {
	At   unit.Tick
	Slot SlotID
}

// Billed is the time that is paid for of a node that was there for so long: whole seconds, and the least at least.
func (g *CloudGroup) Billed(had unit.Tick) unit.Tick {
	return max(g.Least, (had+unit.Second-1)/unit.Second*unit.Second)
}
