package simtest

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Wild draws a Random problem and, each now and then, what else a scenario may have: tenants, wished
// completion times, jobs that can share a GPU, faults, repairs and growth, checkpoints that faults
// fall back to, costs by job, and noisy or hidden knowledge. Times are multiples of 0.1 s.
func Wild(rng *rand.Rand) *model.Problem {
	p := Random(rng)
	if rng.IntN(3) == 0 {
		wildProfiles(rng, p)
	}
	if rng.IntN(3) == 0 {
		p.Tenants = nil
		for i := range 1 + rng.IntN(3) {
			p.Tenants = append(p.Tenants, model.Tenant{Name: "t" + strconv.Itoa(i), Weight: float64(1 + rng.IntN(3)),
				FIFO: rng.IntN(2) == 0})
		}
		for i := range p.Jobs {
			p.Jobs[i].Tenant = int32(rng.IntN(len(p.Tenants)))
		}
	}
	if rng.IntN(3) == 0 {
		for i := range p.Jobs {
			if rng.IntN(3) > 0 {
				p.Jobs[i].SLO = unit.Tick(1+rng.IntN(36000)) * 100
			}
		}
	}
	if rng.IntN(3) == 0 {
		wildPairs(rng, p)
	}
	if rng.IntN(2) == 0 {
		wildChanges(rng, p)
	}
	if rng.IntN(4) == 0 {
		for i := range p.Costs {
			c := &p.Costs[i]
			c.Load, c.Save, c.Merge = c.Load*unit.Tick(rng.IntN(2)), c.Save*unit.Tick(rng.IntN(2)),
				c.Merge*unit.Tick(rng.IntN(2))
		}
	}
	wildKnowledge(rng, p)
	if rng.IntN(3) == 0 {
		wildShapes(rng, p)
	}
	for i := range p.Jobs {
		p.Jobs[i].Shape.Split = splitIf(rng.IntN(6) == 0)
	}
	return p
}

// splitIf is a perfect split by speed, or an even one.
func splitIf(speed bool) *model.Split {
	if speed {
		return &model.Split{}
	}
	return nil
}

// wildShapes lets jobs use fewer or more GPUs than they ask for. Some speeds neither grow with the size nor grow ever
// less.
func wildShapes(rng *rand.Rand, p *model.Problem) {
	for i := range p.Jobs {
		tab, s := &p.Tables[i], &p.Jobs[i].Shape
		if rng.IntN(3) == 0 || p.Know.Tables != nil || p.Jobs[i].Profile >= 0 {
			continue
		}
		s.Step = 1 + rng.Int32N(2)
		s.Min = s.Size - s.Step*rng.Int32N((s.Size-1)/s.Step+1)
		s.Max = s.Size + s.Step*rng.Int32N((tab.MaxSize()-s.Size)/s.Step+1)
		for t := range p.Cluster.Types {
			for n := int32(2); n <= tab.MaxSize(); n++ {
				typ, f := model.TypeID(t), unit.Rate(float64(6+rng.IntN(5))/10)
				tab.Set(typ, n, f*tab.Rate(typ, n, model.OneNode), f*tab.Rate(typ, n, model.OneRack),
					f*tab.Rate(typ, n, model.Network))
			}
		}
	}
}

// wildProfiles gives every job a profile, most of them a range of sizes and some of them noise that changes.
func wildProfiles(rng *rand.Rand, p *model.Problem) {
	for i := range p.Jobs {
		shape := p.Jobs[i].Shape
		switch rng.IntN(5) {
		case 0: // as it is
		case 1:
			shape.Max, shape.Step = shape.Size+2*int32(rng.IntN(3)), 2
		default:
			shape.Min, shape.Max = min(shape.Size, int32(1+rng.IntN(2))), shape.Size+int32(rng.IntN(9))
		}
		perf := make([]model.Perf, len(p.Cluster.Types))
		for t := range perf {
			perf[t] = model.Perf{AlphaC: 0.01 + 0.1*rng.Float64(), BetaC: 0.0001 + 0.002*rng.Float64(),
				AlphaN: 0.01 + 0.3*rng.Float64(), BetaN: 0.01 * rng.Float64(), AlphaR: 0.001 + 0.05*rng.Float64(),
				BetaR: 0.001 * rng.Float64(), Gamma: 1 + 3*rng.Float64()}
		}
		phi := make([]float64, 1+rng.IntN(3))
		for k := range phi {
			phi[k] = 10000 * rng.Float64() * rng.Float64()
		}
		Profiled(p, i, perf, model.Batches{Init: 32, Max: 1024, Low: 8, High: 128}, phi, shape)
	}
}

func wildPairs(rng *rand.Rand, p *model.Problem) {
	for a := range p.Tables {
		for b := a; b < len(p.Tables); b++ {
			for t := range p.Cluster.Types {
				typ := model.TypeID(t)
				ra, rb := p.Tables[a].Rate(typ, 1, model.OneNode), p.Tables[b].Rate(typ, 1, model.OneNode)
				if ra > 0 && rb > 0 && rng.IntN(2) == 0 {
					share := unit.Rate(float64(3+rng.IntN(6)) / 10)
					p.Pairs = append(p.Pairs, model.Pair{A: int32(a), B: int32(b), Type: typ, RateA: share * ra,
						RateB: share * rb})
				}
			}
		}
	}
}

// wildChanges takes GPUs of some slots away for a while, lets others grow, and ends with all of them
// there, so that every job can finish.
func wildChanges(rng *rand.Rand, p *model.Problem) {
	for s := range p.Cluster.Slots {
		at, full := unit.Tick(0), p.Cluster.Slots[s].Cap
		for rng.IntN(2) == 0 {
			at += unit.Tick(rng.IntN(30000)) * 100
			p.Changes = append(p.Changes, model.CapacityChange{At: at, Slot: model.SlotID(s),
				Cap: int32(rng.IntN(int(full)))})
			at += unit.Tick(1+rng.IntN(9000)) * 100
			p.Changes = append(p.Changes, model.CapacityChange{At: at, Slot: model.SlotID(s), Cap: full})
			at += 100
		}
	}
	slices.SortFunc(p.Changes, func(a, b model.CapacityChange) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Slot, b.Slot))
	})
	if rng.IntN(2) == 0 {
		every := unit.Tick(1+rng.IntN(3000)) * 100
		for i := range p.Costs {
			p.Costs[i].CheckpointEvery = every
		}
	}
}

func wildKnowledge(rng *rand.Rand, p *model.Problem) {
	k := &p.Know
	switch rng.IntN(6) {
	case 0:
		k.HideLengths = true
	case 1, 2:
		for range p.Jobs {
			k.LengthFactor = append(k.LengthFactor, float64(1+rng.IntN(30))/10)
		}
	}
	if rng.IntN(3) > 0 {
		return
	}
	factors := make([][]float64, len(p.Tables))
	for i := range p.Tables {
		for range p.Cluster.Types {
			factors[i] = append(factors[i], float64(5+rng.IntN(16))/10)
		}
		k.Tables = append(k.Tables, p.Tables[i].Scaled(factors[i]))
	}
	for _, q := range p.Pairs {
		q.RateA, q.RateB = q.RateA*unit.Rate(factors[q.A][q.Type]), q.RateB*unit.Rate(factors[q.B][q.Type])
		k.Pairs = append(k.Pairs, q)
	}
}

// feature is something that a scenario may have or not.
type feature uint8

const (
	splits feature = 1 << iota
	spells
	hosts
)

// wildWith draws a problem of Wild, one of gangs of several types, or one whose gangs share links, with features, and
// with each of the others half of the time. Some are measured in a window.
func wildWith(rng *rand.Rand, has feature) *model.Problem {
	var p *model.Problem
	switch rng.IntN(3) {
	case 0:
		p = Wild(rng)
	case 1:
		p = wildMixed(rng)
	default:
		p = wildLinks(rng)
	}
	if rng.IntN(3) > 0 { // else as in a law of its own
		has |= feature(rng.IntN(8))
	}
	if has&splits > 0 {
		SomeSplits(rng, p)
	}
	if has&spells > 0 {
		wildSpells(rng, p)
		wildRedundancy(rng, p)
	}
	if has&hosts > 0 {
		wildHosts(rng, p)
	}
	if rng.IntN(6) == 0 {
		p = windowed(p)
	}
	return p
}

// wildSpells lets nodes be slow for a while, a little or almost to a stop, for a moment or long; some spells begin as
// another ends.
func wildSpells(rng *rand.Rand, p *model.Problem) {
	for n := range p.Cluster.Nodes {
		for at := unit.Tick(0); rng.IntN(4) > 0; {
			at += unit.Tick(rng.IntN(12000)) * 100
			speed := float64(1+rng.IntN(9)) / 10
			if rng.IntN(8) == 0 {
				speed = float64(1+rng.IntN(1000)) / 1000
			}
			p.Speeds = append(p.Speeds, model.SpeedChange{At: at, Node: model.NodeID(n), Speed: speed})
			most := 12000
			if rng.IntN(4) == 0 {
				most = 20
			}
			if at += unit.Tick(1+rng.IntN(most)) * 100; rng.IntN(3) > 0 { // else the next spell begins as it ends
				p.Speeds = append(p.Speeds, model.SpeedChange{At: at, Node: model.NodeID(n), Speed: 1})
				at += 100
			} else if rng.IntN(2) == 0 { // and it never ends
				break
			}
		}
	}
	slices.SortStableFunc(p.Speeds, func(a, b model.SpeedChange) int {
		return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Node, b.Node))
	})
}

// wildRedundancy gives most jobs that may have redundancy some, of any kind and size.
func wildRedundancy(rng *rand.Rand, p *model.Problem) {
	for i := range p.Jobs {
		s := &p.Jobs[i].Shape
		if p.Jobs[i].Profile >= 0 || s.Min != s.Max || s.Size < 2 || s.Split != nil || rng.IntN(4) == 0 {
			continue
		}
		r := model.Redundancy{Backup: 1 + rng.Int32N(s.Size-1)}
		if rng.IntN(2) == 0 {
			groups := 1 + rng.Int32N(s.Size/2)
			for s.Size%groups > 0 {
				groups--
			}
			r = model.Redundancy{Fold: 2 + rng.Int32N(s.Size/groups-1), Groups: groups,
				Dynamic: groups > 1 && rng.IntN(2) == 0}
		}
		s.Redundancy = r
		t := p.Jobs[i].Phases[0].Tables[0]
		p.Tables[t] = p.Tables[t].Redundant(s.Size, r)
		if p.Know.Tables != nil {
			p.Know.Tables[t] = p.Know.Tables[t].Redundant(s.Size, r)
		}
	}
}

// wildHosts gives nodes CPUs and memory that are scarce, some of one kind only, and jobs needs of them.
func wildHosts(rng *rand.Rand, p *model.Problem) {
	some := func(most int) float64 { return float64(rng.IntN(most+1)*rng.IntN(4)) / 2 }
	gpus := make([]float64, len(p.Cluster.Nodes))
	for _, s := range p.Cluster.Slots {
		gpus[s.Node] += float64(s.Cap)
	}
	for i := range p.Cluster.Nodes {
		p.Cluster.Nodes[i].Host = model.Host{CPUs: gpus[i] * some(8), MemoryGB: gpus[i] * some(40)}
		if rng.IntN(4) == 0 { // no even part a GPU
			p.Cluster.Nodes[i].Host = model.Host{CPUs: float64(1 + rng.IntN(40)), MemoryGB: float64(1 + rng.IntN(200))}
		}
	}
	curve := func(top int) (c model.Curve) {
		x, y := 0.0, 0.0
		for range rng.IntN(5) {
			x += float64(1 + rng.IntN(top))
			if rng.IntN(4) > 0 { // else it is no faster with more
				y += (1 - y) * float64(1+rng.IntN(8)) / 8
			}
			if len(c) == 0 { // nothing at its first point would stop it for good
				y = max(y, 0.125)
			}
			c = append(c, model.CurvePoint{PerGPU: x, Speed: y})
		}
		if len(c) > 0 {
			c[len(c)-1].Speed = 1
		}
		return c
	}
	p.Tuned, p.Needs = rng.IntN(2) == 0, make([]*model.Need, len(p.Jobs))
	for i := range p.Needs {
		if rng.IntN(4) > 0 {
			p.Needs[i] = &model.Need{CPUs: curve(6), MemoryGB: curve(30)}
		}
	}
}

// hungry is how many spans of a run are slower for their hosts.
func hungry(p *model.Problem, t *trace.Trace) (n int) {
	for i := range t.Spans.Len() {
		job := &p.Jobs[t.Spans.Job[i]]
		tab := &p.Tables[job.Phases[0].Tables[0]]
		if full := sim.GangRate(tab, &p.Cluster, t.Spans.At(i), job.Shape.Split); t.Spans.Kind[i] == trace.Run &&
			t.Spans.Rate[i] < float64(full)*0.999 {
			n++
		}
	}
	return n
}
