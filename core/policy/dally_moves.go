package policy

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
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
	dallyShare    = 20   // one in so many running jobs is evicted at a decision, and at least one
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
		if moved == dallyUpgrades {
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
				w.Chose(s.job, s.done, saves, costs)
				moved++
				if sim.Explains && w.Detail != nil {
					d.told = append(d.told, sim.Say(
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
	job  model.JobID
	cost float64 // GPU-s
}

// evictions makes room for sensitive jobs that refused what was free; done says that it did.
func (d *dally) evictions(v sim.View, p *sim.Plan, w *sim.Why) (done bool) {
	running := 0
	for _, j := range v.Active() {
		if v.Holds(j) {
			running++
		}
	}
	budget := max(1, running/dallyShare)
	for i := range d.queue {
		s := &d.queue[i]
		x := &d.jobs[s.job]
		if !x.refuses || p.Holds(s.job) || s.next() < dallyMinds || s.best == model.Network {
			continue
		}
		size := v.Shape(s.job).Size
		left := d.left(v, s.job) / s.rate
		saves := (float64(left*s.slow[x.offered]) - left) * float64(size)
		where, victims, costs := -1, []victim(nil), 0.0
		places := len(d.cluster.Nodes)
		if s.best == model.OneRack {
			places = len(d.cluster.Racks)
		}
		for at := range places {
			if who, sum, ok := d.clear(v, p, s, at, budget); ok && (where < 0 || sum < costs) {
				where, victims, costs = at, who, sum
			}
		}
		if where < 0 || !(saves > 0) || saves < float64(dallyGains*costs) {
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
		w.Chose(s.job, s.done, saves, costs)
		x.refuses, done = false, true
		budget -= len(victims)
		for _, y := range victims {
			d.jobs[y.job].evicted++
			d.jobs[y.job].held, d.jobs[y.job].freed = false, v.Now()
			for k := range d.others { // it is asked again, after those who waited
				if d.others[k].job == y.job {
					d.queue = append(d.queue, d.others[k])
				}
			}
			if sim.Explains && w.Detail != nil {
				d.told = append(d.told, sim.Say(
					"{0} gives way to {1}, which saves {2}; all who give way lose {3}, and half of what is saved is the most",
					y.job, s.job, sim.GPUSeconds(saves), sim.GPUSeconds(costs)))
			}
		}
		if budget <= 0 {
			return done
		}
	}
	return done
}

// clear finds who would give way to s on a node, or in a rack: greedily those who cost least for each GPU, less whoever
// turns out not to be needed (ours; the cheapest set of all would take a search).
func (d *dally) clear(v sim.View, p *sim.Plan, s *sensitive, at, most int) (who []victim, sum float64, ok bool) {
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
		frees := func(j model.JobID) (n int32) {
			for _, sh := range v.Gang(j, 0) {
				if d.cluster.Slots[sh.Slot].Type == typ && inside(sh.Slot) {
					n += sh.N
				}
			}
			return n
		}
		var may []victim
		for i := range d.others {
			o := &d.others[i]
			if p.Holds(o.job) && d.settled(v, o.job) && o.slow[model.Network] <= dallyCareless &&
				d.jobs[o.job].evicted < dallyEvicts && frees(o.job) > 0 {
				may = append(may, victim{o.job,
					float64(v.Shape(o.job).Size) * v.Charge(o.job, nil).Seconds()})
			}
		}
		slices.SortFunc(may, func(a, b victim) int {
			return cmp.Or(cmp.Compare(a.cost*float64(frees(b.job)), b.cost*float64(frees(a.job))),
				cmp.Compare(frees(b.job), frees(a.job)), cmp.Compare(b.job, a.job))
		})
		var set []victim
		for _, x := range may {
			if need <= 0 {
				break
			}
			set, need = append(set, x), need-frees(x.job)
		}
		if need > 0 || len(set) == 0 {
			continue
		}
		cost := 0.0
		for i := len(set) - 1; i >= 0; i-- {
			if n := frees(set[i].job); need+n <= 0 {
				need += n
				set = slices.Delete(set, i, i+1)
				continue
			}
			cost += set[i].cost
		}
		if len(set) <= most && (!ok || cost < sum) {
			who, sum, ok = set, cost, true
		}
	}
	return who, sum, ok
}
