package network

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// When moves are worth it (ours).
const (
	dallyHarmed   = 1.25 // so many times longer a step takes, and an upgrade is looked for
	dallyUpgrades = 8    // at most at a decision
	dallyPays     = 10.0 // times its cost an upgrade saves
	dallyMinds    = 1.5  // so much slower the next tier makes a job that others give way to
	dallyCareless = 1.1  // and those who give way at most
	dallyEvicts   = 3    // at most, of one job
	dallyGains    = 2.0  // times its cost an eviction saves
	dallyShare    = 20   // one in so many running jobs is moved or evicted at a decision, and at least one
)

// left is how many steps j is believed to have left; who does not know takes it to be half done.
func (d *dally) left(v sim.View, j model.JobID) float64 {
	if left, ok := v.Remaining(j); ok {
		return float64(left)
	}
	return float64(v.Done(j))
}

// settled says whether j holds GPUs and has done so for long enough to be moved.
func (d *dally) settled(v sim.View, j model.JobID) bool {
	return v.Holds(j) && v.Now() > d.jobs[j].started && float64(v.Now()-d.jobs[j].started) >= d.minRun
}

// upgrades moves the most harmed of the running jobs to a closer tier where that pays.
func (d *dally) upgrades(v sim.View, p *sim.Plan, w *sim.Why) {
	moved := 0
	for i := range d.others {
		s := &d.others[i]
		if moved == dallyUpgrades || d.budget == 0 {
			return
		}
		if s.mixed || !d.settled(v, s.job) {
			continue
		}
		held := v.Gang(s.job, 0)
		_, tier := sim.Measure(d.cluster, held)
		if tier <= s.best || s.slow[tier] < dallyHarmed {
			continue
		}
		before := p.Mark()
		p.Drop(s.job)
		got, ok := d.placer.Tightest(d.cluster, v, s.job, p.Free)
		if ok && got < tier {
			now, then := float64(v.Rate(s.job, 0, held)), float64(v.Rate(s.job, 0, d.placer.Gang()))
			saves := d.left(v, s.job)/now - d.left(v, s.job)/then
			costs := v.Charge(s.job, d.placer.Gang()).Seconds()
			if saves > 0 && saves >= float64(dallyPays*costs) && d.placer.Put(p, s.job) {
				d.jobs[s.job].started = v.Now()
				w.Chose(s.job, s.progress, saves, costs)
				moved++
				d.budget--
				if sim.Explains && w.Detail != nil {
					d.told = append(d.told, words.Say(
						"{0} lies {2} now and no longer {1}: that saves {3} and costs {4}, and it needs to save {5} times as much",
						s.job, far(tier), far(got), sim.Seconds(saves), sim.Seconds(costs), dallyPays))
				}
				continue
			}
		}
		p.Undo(before)
	}
}

// victim is a job that may give way.
type victim struct {
	job   model.JobID
	frees int32 // GPUs of the place
	cost  int64 // GPU-ticks, in units of 1/onePlace, and one such unit for itself: of equal costs fewer give way
}

const onePlace = 1024

// evictions makes room for sensitive jobs that refused what was free; done says that it did.
func (d *dally) evictions(v sim.View, p *sim.Plan, w *sim.Why) (done bool) {
	for i := range d.queue {
		if d.budget == 0 {
			return done
		}
		s := &d.queue[i]
		x := &d.jobs[s.job]
		if !x.refuses || p.Holds(s.job) || s.slowdownNextTier() < dallyMinds || s.best == model.Network {
			continue
		}
		size := v.Shape(s.job).Size
		left := d.left(v, s.job) / s.rate
		saves := (float64(left*s.slow[x.offered]) - left) * float64(size)
		var victims []victim
		least := int64(0)
		places := len(d.cluster.Nodes)
		if s.best == model.OneRack {
			places = len(d.cluster.Racks)
		}
		for at := range places {
			if who, sum := d.clear(v, p, s, at, d.budget); who != nil && (victims == nil || sum < least) {
				victims, least = who, sum
			}
		}
		costs := float64(least/onePlace) / 1000
		if victims == nil || !(saves > 0) || saves < float64(dallyGains*costs) {
			continue
		}
		before := p.Mark()
		for _, x := range victims {
			p.Drop(x.job)
		}
		if tier, ok := d.placer.Tightest(d.cluster, v, s.job, p.Free); !ok || tier > s.best || !d.placer.Put(p, s.job) {
			p.Undo(before)
			continue
		}
		now, waited := float64(v.Now()), d.waited(v, s.job)
		d.remember(now, size, int(s.best), waited)
		w.Chose(s.job, s.progress, saves, costs)
		x.refuses, done = false, true
		d.budget -= len(victims)
		if sim.Explains && w.Detail != nil {
			d.cleared = append(d.cleared, cleared{s.job, nil, saves, costs})
		}
		for _, y := range victims {
			d.jobs[y.job].evicted++
			d.jobs[y.job].held, d.jobs[y.job].freed = false, v.Now()
			for k := range d.others { // it is asked again, after those who waited
				if d.others[k].job == y.job {
					d.queue = append(d.queue, d.others[k])
				}
			}
			if sim.Explains && w.Detail != nil {
				last := &d.cleared[len(d.cleared)-1]
				last.victims = append(last.victims, y.job)
				d.told = append(d.told, words.Say(
					"{0} gives way to {1}, which saves {2}; all who give way lose {3}, and half of what is saved is the most",
					y.job, s.job, sim.GPUSeconds(saves), sim.GPUSeconds(costs)))
			}
		}
	}
	return done
}

// clear finds who would give way to s on a node, or in a rack: of all sets of at most so many who free enough GPUs of a
// type there, the one that costs least; of equals the one of fewest, of these the one with the youngest job (ours).
func (d *dally) clear(v sim.View, p *sim.Plan, s *sensitive, at, most int) (who []victim, sum int64) {
	inside := func(sl model.SlotID) bool {
		n := d.cluster.Slots[sl].Node
		if s.best == model.OneNode {
			return int(n) == at
		}
		return int(d.cluster.Nodes[n].Rack) == at
	}
	size := v.Shape(s.job).Size
	for t := range d.cluster.Types {
		typ := model.TypeID(t)
		if v.Speed(s.job, 0).Rate(typ, size, s.best) <= 0 {
			continue
		}
		need := size
		for sl := range d.cluster.Slots {
			if d.cluster.Slots[sl].Type == typ && inside(model.SlotID(sl)) {
				need -= max(0, p.Free(model.SlotID(sl)))
			}
		}
		if need <= 0 { // the next offer finds it
			continue
		}
		var may []victim
		for i := range d.others {
			o := &d.others[i]
			if !p.Holds(o.job) || !d.settled(v, o.job) || slices.Max(o.slow[:]) > dallyCareless ||
				d.jobs[o.job].evicted >= dallyEvicts {
				continue
			}
			x := victim{job: o.job, cost: int64(v.Shape(o.job).Size)*int64(v.Charge(o.job, nil))*onePlace + 1}
			for _, sh := range v.Gang(o.job, 0) {
				if d.cluster.Slots[sh.Slot].Type == typ && inside(sh.Slot) {
					x.frees += sh.N
				}
			}
			if x.frees > 0 {
				may = append(may, x)
			}
		}
		unit.Sort(may, func(a, b victim) int { return cmp.Compare(b.job, a.job) })
		if set, cost := cheapest(may, int(need), most); set != nil && (who == nil || cost < sum) {
			who, sum = set, cost
		}
	}
	return who, sum
}

// cheapest is the set of at most so many who free need GPUs at least cost, nil = there is none. Of equals it is the one
// with who stands first in may.
func cheapest(may []victim, need, most int) (set []victim, cost int64) {
	most = min(most, need, len(may)) // each frees a GPU
	row := (most + 1) * (need + 1)
	// The least cost, of those from the i-th on, of at most k who free m.
	best := make([]int64, (len(may)+1)*row)
	at := func(i, k, m int) *int64 { return &best[i*row+k*(need+1)+max(m, 0)] }
	takes := func(i, k, m int) int64 {
		rest := *at(i+1, k-1, m-int(may[i].frees))
		if rest == math.MaxInt64 {
			return rest
		}
		return rest + may[i].cost
	}
	for i := len(may); i >= 0; i-- {
		for k := range most + 1 {
			for m := 1; m <= need; m++ {
				switch x := at(i, k, m); {
				case i == len(may), k == 0:
					*x = math.MaxInt64
				default:
					*x = min(*at(i+1, k, m), takes(i, k, m))
				}
			}
		}
	}
	if cost = *at(0, most, need); cost == math.MaxInt64 {
		return nil, 0
	}
	for i, k, m := 0, most, need; m > 0; i++ {
		if takes(i, k, m) == *at(i, k, m) {
			set, k, m = append(set, may[i]), k-1, m-int(may[i].frees)
		}
	}
	return set, cost
}
