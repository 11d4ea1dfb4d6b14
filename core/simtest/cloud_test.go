package simtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// wildCloud draws a problem of Wild with nodes beside its own that can be had for money: up to three groups of up to
// four nodes, which vanish now and then.
func wildCloud(rng *rand.Rand) *model.Problem {
	p := Wild(rng)
	c := &p.Cluster
	most := int32(1)
	for _, s := range c.Slots {
		most = max(most, s.Cap)
	}
	cloud := &model.Cloud{Autoscaler: model.Autoscaler(rng.IntN(3))}
	for k := range 1 + rng.IntN(3) {
		g := model.CloudGroup{Name: "g" + strconv.Itoa(k), From: model.SlotID(len(c.Slots)), USDPerHour: rng.Float64(),
			Start: unit.Tick(10+rng.IntN(9000)) * 100, Idle: unit.Tick(10+rng.IntN(9000)) * 100,
			Least: unit.Tick(rng.IntN(120)) * unit.Second}
		typ, gpus, spot := model.TypeID(rng.IntN(len(c.Types))), 1+rng.Int32N(most), rng.IntN(2) == 0
		for n := range 1 + rng.IntN(4) {
			slot := model.SlotID(len(c.Slots))
			c.Slots = append(c.Slots, model.Slot{Node: model.NodeID(len(c.Nodes)), Type: typ, Cap: gpus})
			c.Nodes = append(c.Nodes, model.Node{Name: g.Name + "-" + strconv.Itoa(n+1),
				Rack: int32(len(c.Racks) - 1)})
			for at := unit.Tick(0); spot && rng.IntN(5) > 0; {
				at += unit.Tick(1+rng.IntN(30000)) * 100
				cloud.Gone = append(cloud.Gone, model.Reclaim{At: at, Slot: slot})
			}
		}
		g.To = model.SlotID(len(c.Slots))
		cloud.Groups = append(cloud.Groups, g)
	}
	slices.SortFunc(cloud.Gone, func(a, b model.Reclaim) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Slot, b.Slot))
	})
	p.Cloud = cloud
	return p
}
