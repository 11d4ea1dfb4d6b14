package simtest

import (
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/unit"
)

// Recorder wraps a policy and keeps what it stated at each decision.
type Recorder struct {
	sim.Policy
	At     []unit.Tick
	Stated [][]sim.Stated
}

// Decide lets the policy decide and records the plan.
func (r *Recorder) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	r.Policy.Decide(v, p, w)
	r.At = append(r.At, v.Now())
	r.Stated = append(r.Stated, p.Stated())
}

// refStep is by how much the reference engine's finishes may differ from the kernel's, and refGrid its longest step: it
// ends one at every instant at which it knows of something. Where it does not know, it is late, and finishes differ.
const refStep, refGrid = unit.Tick(100), 10 * unit.Second

type refGang struct {
	sim.Stated
	left []float64 // quota left by member, < 0 = none
}

// reference is what the reference engine knows between two steps.
type reference struct {
	p              *model.Problem
	finish         []unit.Tick
	done           []float64
	stall          []unit.Tick
	ran            []bool
	held           []refGang
	saved          []float64 // at the last checkpoint
	savedAt        []unit.Tick
	learns         []*refLearner
	next, faultsAt int // decisions and changes of capacity that are still to come
	slowAt         int // the same of nodes' speeds
	speed          []float64
	changed        bool        // something, on which speeds depend
	own            []unit.Tick // when each member of an array ends; finish is then that of the array
}

// Reference replays recorded decisions in plain small steps and returns each job's finish, -1 if
// it has none by the end. It shares no code with the kernel but the speed of a gang: no events, no
// differences of plans, no spans. Finishes agree with the kernel's within a step.
func Reference(p *model.Problem, rec *Recorder, end unit.Tick, merge bool) []unit.Tick {
	n := len(p.Jobs)
	r := &reference{p: p, finish: slices.Repeat([]unit.Tick{-1}, n), done: make([]float64, n),
		stall: make([]unit.Tick, n), ran: make([]bool, n), saved: make([]float64, n), savedAt: make([]unit.Tick, n),
		learns: make([]*refLearner, n), speed: slices.Repeat([]float64{1}, len(p.Cluster.Nodes)),
		own: slices.Repeat([]unit.Tick{-1}, n)}
	var rates [][]unit.Rate // before anybody finishes in this step
	for now := unit.Tick(0); now <= end; {
		r.happen(rec, now, merge)
		if r.changed {
			r.changed = false
			rates = r.rates()
		}
		to := r.until(rec, rates, now)
		r.work(rates, now, to)
		now = to
		for j := range p.Jobs {
			if e := p.Costs[j].CheckpointEvery; e > 0 && now == r.savedAt[j]+e {
				r.saved[j], r.savedAt[j] = r.done[j], now
			}
		}
	}
	for j := range p.Jobs {
		if arrayOf(p, model.JobID(j)) != nil {
			r.finish[j] = r.own[j]
		}
	}
	return r.finish
}

// rates are the speeds of the members of all gangs.
func (r *reference) rates() [][]unit.Rate {
	rates, fed := make([][]unit.Rate, len(r.held)), r.feed()
	for i := range r.held {
		for k := range r.held[i].Members {
			rates[i] = append(rates[i], r.rate(&r.held[i], k, fed[i][k]))
		}
	}
	return rates
}

// happen applies the faults and the decisions of an instant.
func (r *reference) happen(rec *Recorder, now unit.Tick, merge bool) {
	for ; r.faultsAt < len(r.p.Changes) && r.p.Changes[r.faultsAt].At <= now; r.faultsAt++ {
		r.changed = true
		r.held = refFault(r.p, r.held, r.p.Changes[r.faultsAt], r.finish, func(j model.JobID) {
			if r.p.Costs[j].CheckpointEvery > 0 {
				r.done[j] = r.saved[j]
			}
			if r.learns[j] != nil { // it has one gang
				r.stall[j] = 0
			}
		})
	}
	for ; r.slowAt < len(r.p.Speeds) && r.p.Speeds[r.slowAt].At <= now; r.slowAt++ {
		r.changed = true
		r.speed[r.p.Speeds[r.slowAt].Node] = r.p.Speeds[r.slowAt].Speed
	}
	r.checks(now)
	for ; r.next < len(rec.At) && rec.At[r.next] <= now; r.next++ {
		r.changed = true
		r.held = refDecide(r.p, r.held, rec.Stated[r.next], r.finish, r.stall, r.ran, now, merge,
			func(j model.JobID, charge unit.Tick) { r.saved[j], r.savedAt[j] = r.done[j], now+charge })
	}
	r.checks(now)
}

// until is the end of a step: on the grid, at a decision, as capacity or a node's speed changes, with a stall, at a
// checkpoint, with a phase or with a job, whose partner is faster from then on, whichever comes first. A phase that
// ended later here than in the kernel would leave a job less done at the next decision than the quotas of its copies
// add up to.
func (r *reference) until(rec *Recorder, rates [][]unit.Rate, now unit.Tick) unit.Tick {
	to := now/refGrid*refGrid + refGrid
	if r.faultsAt < len(r.p.Changes) {
		to = min(to, r.p.Changes[r.faultsAt].At)
	}
	if r.next < len(rec.At) {
		to = min(to, rec.At[r.next])
	}
	if r.slowAt < len(r.p.Speeds) {
		to = min(to, r.p.Speeds[r.slowAt].At)
	}
	for _, s := range r.stall {
		if s > now {
			to = min(to, s)
		}
	}
	for j := range r.p.Jobs {
		if at := r.savedAt[j] + r.p.Costs[j].CheckpointEvery; at > now {
			to = min(to, at)
		}
	}
	for i := range r.held {
		if l := r.learner(&r.held[i]); l != nil && !l.settled && r.works(i, 0, now) {
			to = min(to, now+l.left)
		}
		for k, left := range r.held[i].left { // the steps after which it waits
			if rate := float64(rates[i][k]); left > 0 && rate > 0 && r.works(i, k, now) {
				to = min(to, now+max(1, unit.Tick(math.Ceil(left/rate*1000-1e-6))))
			}
		}
	}
	for j := range r.p.Jobs {
		sum := 0.0 // of all gangs of the job: copies reach the end of a phase together
		for i := range r.held {
			for k, m := range r.held[i].Members {
				if int(m.Job) == j && r.works(i, k, now) {
					sum += float64(rates[i][k])
				}
			}
		}
		rest, phases := float64(r.p.Jobs[j].Work)-r.done[j], r.p.Jobs[j].Phases
		if next := r.phase(model.JobID(j)) + 1; next < len(phases) {
			rest = float64(phases[next].From) - r.done[j]
		}
		if a := arrayOf(r.p, model.JobID(j)); a != nil {
			rest = r.nextEnd(a)
		}
		if rest > 0 && sum > 0 {
			to = min(to, now+max(1, unit.Tick(math.Ceil(float64(rest/sum*1000)-1e-6))))
		}
	}
	return to
}

// works says whether a member of a gang that is held makes progress.
func (r *reference) works(i, k int, now unit.Tick) bool {
	j := r.held[i].Members[k].Job
	return r.finish[j] < 0 && now >= r.stall[j] && r.held[i].left[k] != 0
}

// work lets the members of all gangs progress.
func (r *reference) work(rates [][]unit.Rate, now, to unit.Tick) {
	for i := range r.held {
		g := &r.held[i]
		for k, m := range g.Members {
			if !r.works(i, k, now) {
				continue
			}
			step, j := float64(rates[i][k])*(to-now).Seconds(), m.Job
			if l := r.learner(g); l != nil && !l.settled {
				l.left -= to - now
			}
			if g.left[k] >= 0 {
				step = math.Min(step, g.left[k])
				g.left[k] -= step
			}
			phase := r.phase(j)
			if r.done[j] += step; r.phase(j) != phase {
				r.changed = true
			}
			if a := arrayOf(r.p, j); a != nil {
				r.endMembers(a, rates[i][k], to)
			} else if r.done[j] >= float64(r.p.Jobs[j].Work)*(1-1e-9) { // quotas add up to that
				r.finish[j], r.changed = to, true
			}
		}
	}
}

// refFault takes gangs from the slot, those of the youngest job first, until the rest fits.
func refFault(p *model.Problem, held []refGang, c model.CapacityChange, finish []unit.Tick,
	lose func(model.JobID)) []refGang {
	alive := func(g refGang) bool {
		return slices.ContainsFunc(g.Members, func(m sim.StatedMember) bool { return finish[m.Job] < 0 })
	}
	on := func(g refGang) (n int32) {
		for _, sh := range g.Shards {
			if sh.Slot == c.Slot {
				n += sh.N
			}
		}
		return n
	}
	for j := len(p.Jobs) - 1; j >= 0; j-- {
		for i := 0; i < len(held); i++ {
			sum := int32(0)
			for _, g := range held {
				if alive(g) {
					sum += on(g)
				}
			}
			g := held[i]
			if sum <= c.Cap || !alive(g) || on(g) == 0 || !slices.ContainsFunc(g.Members,
				func(m sim.StatedMember) bool { return int(m.Job) == j && finish[j] < 0 }) {
				continue
			}
			for _, m := range g.Members {
				if finish[m.Job] < 0 {
					lose(m.Job)
				}
			}
			held = slices.Delete(slices.Clone(held), i, i+1)
			i--
		}
	}
	return held
}

// rate is the speed of member k of a gang, beside the one that is not done yet. fed is the part of full speed at which
// it runs on each shard with what it gets of the hosts.
func (r *reference) rate(g *refGang, k int, fed []float64) unit.Rate {
	table := func(m sim.StatedMember) int32 {
		if a := arrayOf(r.p, m.Job); a != nil {
			return a.Tables[max(0, len(r.alive(a))-1)]
		}
		return r.p.Jobs[m.Job].Phases[r.phase(m.Job)].Tables[m.Config]
	}
	parts := r.parts(g, fed)
	for i, o := range g.Members {
		if i != k && r.finish[o.Job] < 0 {
			slot := r.p.Cluster.Slots[g.Shards[0].Slot]
			rate, _ := r.p.PairRates(table(g.Members[k]), table(o), slot.Type)
			return unit.Rate(float64(rate) * slices.Min(parts))
		}
	}
	j := g.Members[k].Job
	tab, share := &r.p.Tables[table(g.Members[k])], r.share(g)
	if l := r.learner(g); l != nil {
		l.fed, l.shares = fed, share
		return l.speed(r, tab, g)
	}
	if share > 0 {
		rate := sim.SharedRate(r.p, tab, g.Shards, r.p.Jobs[j].Shape.Split, share)
		return unit.Rate(float64(rate) * paced(r.p, j, g.Shards, parts, linkRates(r.p, tab, g.Shards, share)))
	}
	of := func(m sim.StatedMember, shards []model.Shard) (*model.Throughput, model.TypeID, int32, unit.Rate) {
		tab := &r.p.Tables[table(m)]
		size, _ := sim.Measure(&r.p.Cluster, shards)
		return tab, r.p.Cluster.Slots[shards[0].Slot].Type, size, sim.GangRate(tab, &r.p.Cluster, shards,
			r.p.Jobs[j].Shape.Split)
	}
	var all model.Together // the job's copies
	for i := range r.held {
		for _, m := range r.held[i].Members {
			if m.Job == j {
				all.Add(of(m, r.held[i].Shards))
			}
		}
	}
	return unit.Rate(float64(all.Part(of(g.Members[k], g.Shards))) *
		paced(r.p, j, g.Shards, parts, plainRates(r.p, tab, g.Shards)))
}

// share is what a gang has of its links beside those that hold GPUs, in bytes per second; 0 = it shares none.
func (r *reference) share(g *refGang) float64 {
	if r.p.Links == nil || !crosses(r.p, g.Members[0].Job, g.Shards) {
		return 0
	}
	var flows [][]model.Shard
	mine := -1
	for i := range r.held {
		o := &r.held[i]
		if m := o.Members[0].Job; r.finish[m] < 0 && crosses(r.p, m, o.Shards) {
			if o == g {
				mine = len(flows)
			}
			flows = append(flows, o.Shards)
		}
	}
	if mine < 0 {
		return 0
	}
	return fill(r.p, flows)[mine]
}

// parts are the parts of its speed at which a gang runs on its shards: those of the nodes, and of what it gets of them.
func (r *reference) parts(g *refGang, fed []float64) []float64 {
	out := make([]float64, len(g.Shards))
	for i, sh := range g.Shards {
		if out[i] = r.speed[r.p.Cluster.Slots[sh.Slot].Node]; fed != nil {
			out[i] *= fed[i]
		}
	}
	return out
}

// feed is the part of full speed, by gang, member and shard, at which those that hold GPUs run on what they get of the
// hosts; nil = full.
func (r *reference) feed() [][][]float64 {
	out := make([][][]float64, len(r.held))
	var lodgers []lodger
	var at [][2]int
	for i, g := range r.held {
		out[i] = make([][]float64, len(g.Members))
		with := 0
		for _, m := range g.Members {
			if r.finish[m.Job] < 0 {
				with++
			}
		}
		for k, m := range g.Members {
			if r.finish[m.Job] < 0 {
				lodgers, at = append(lodgers, lodger{m.Job, g.Shards, with}), append(at, [2]int{i, k})
			}
		}
	}
	for n, fed := range feed(r.p, lodgers) {
		out[at[n][0]][at[n][1]] = fed
	}
	return out
}

// phase is the one that the job is in.
func (r *reference) phase(j model.JobID) int {
	job, at := &r.p.Jobs[j], 0
	for at+1 < len(job.Phases) && r.done[j] >= float64(job.Phases[at+1].From)-float64(job.Work)*1e-12 {
		at++
	}
	return at
}

// refDecide replaces what is held and charges jobs whose set of gangs is new.
func refDecide(p *model.Problem, held []refGang, stated []sim.Stated, finish, stall []unit.Tick, ran []bool,
	now unit.Tick, merge bool,
	save func(j model.JobID, charge unit.Tick)) []refGang {
	sets := func(job model.JobID, each func(func(sim.Stated))) [][]model.Shard {
		var s [][]model.Shard
		each(func(g sim.Stated) {
			for _, m := range g.Members {
				if m.Job == job && finish[job] < 0 {
					s = append(s, g.Shards)
				}
			}
		})
		return s
	}
	for j := range p.Jobs {
		id := model.JobID(j)
		old := sets(id, func(f func(sim.Stated)) {
			for _, g := range held {
				f(g.Stated)
			}
		})
		fresh := sets(id, func(f func(sim.Stated)) {
			for _, g := range stated {
				f(g)
			}
		})
		charge := unit.Tick(0)
		switch {
		case len(fresh) == 0:
			stall[j] = 0
			continue
		case !ran[j]:
			charge = p.Costs[j].Load
			save(id, charge)
		case !sameSets(old, fresh):
			charge = p.Costs[j].Load + p.Costs[j].Save
			save(id, charge)
		}
		if charge > 0 {
			stall[j] = now + charge
		}
		if merge {
			stall[j] = max(stall[j], now+p.Costs[j].Merge)
		}
		ran[j] = true
	}
	var out []refGang
	for _, g := range stated {
		n := refGang{Stated: g}
		for _, m := range g.Members {
			left := float64(m.Quota)
			if math.IsNaN(left) { // kept: the old quota goes on
				left = -1
				for _, o := range held {
					for k, om := range o.Members {
						if om.Job == m.Job && slices.Equal(o.Shards, g.Shards) {
							left = o.left[k]
						}
					}
				}
			}
			n.left = append(n.left, left)
		}
		out = append(out, n)
	}
	return out
}

func sameSets(a, b [][]model.Shard) bool {
	if len(a) != len(b) {
		return false
	}
	used := make([]bool, len(b))
	for _, x := range a {
		found := false
		for i, y := range b {
			if !used[i] && slices.Equal(x, y) {
				used[i], found = true, true
				break
			}
		}
		if !found {
			return false
		}
	}
	return true
}
