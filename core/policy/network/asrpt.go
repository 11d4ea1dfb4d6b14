package network

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// A-SRPT maps the cluster to one machine on which the best order is known: preemptive shortest remaining processing
// time. Copies of the jobs run there, and each job queues for real GPUs when its copy ends. Its idea is that order;
// the rules by which the real queue starts gangs are not in what could be read of it, and ours.
func init() {
	policy.Register(&policy.Spec{
		ID: "a-srpt", Title: "A-SRPT-style", Rev: 1,
		Summary: "Copies of the jobs run by shortest remaining time on one imagined machine; the jobs queue in the order in which their copies end.",
		Source:  "A-SRPT (arXiv 2501.05563), the virtual machine from its abstract; the size of a copy, who may overtake, the delay of sensitive jobs and the idle guard ours; its forecast of lengths and its mapping of a job’s stages to servers are left out",
		Formula: "size = steps ÷ best speed × GPUs ÷ GPUs of the cluster; copies by least size left on a machine of speed 1; jobs by the end of their copies",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   policy.Needs{Lengths: true},
		Params: []policy.Param{
			{Name: "tau", Title: "Delay of sensitive jobs", Kind: policy.Float, Default: 0.2, Min: 0, Max: 100,
				Help: "For so long, as a part of its predicted run time, a sensitive job waits for GPUs that are closer together. 0 = no job waits."},
			{Name: "sensitive", Title: "Sensitive from a slowdown of", Kind: policy.Float, Default: 1.5, Min: 1,
				Max:  1e6,
				Help: "A job is sensitive to a gang that is so many times slower than one as close together as the GPUs of its type in service allow."},
			{Name: "idle_guard", Title: "Use idle GPUs early", Kind: policy.Bool, Default: true,
				Help: "While nobody is in the queue, jobs whose copies still run may start, smallest first."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &asrpt{cluster: m.Cluster, tau: v.Float("tau"), sensitive: v.Float("sensitive"),
				guard: v.Bool("idle_guard")}, nil
		},
	})
}

// virtual is a machine of speed 1 that serves copies of jobs by shortest remaining processing time, with preemption.
// Times are ticks, so that it is exact.
type virtual struct {
	now  unit.Tick
	copy []virtualCopy // by job id
	live []model.JobID // whose copies have not ended, least left first, ties by id: the first one runs
	past []model.JobID // whose copies have, in that order
}

// virtualCopy is a job's copy: how long it takes, what is left of it, and when it ended, -1 = not yet.
type virtualCopy struct{ size, left, end unit.Tick }

// clone copies the machine.
func (m *virtual) clone() virtual {
	return virtual{m.now, slices.Clone(m.copy), slices.Clone(m.live), slices.Clone(m.past)}
}

// advance lets the machine work until to. Only the copy that runs gets shorter, so that the order stays.
func (m *virtual) advance(to unit.Tick) {
	for len(m.live) > 0 {
		c := &m.copy[m.live[0]]
		if c.left > to-m.now {
			c.left -= to - m.now
			break
		}
		m.now += c.left
		c.left, c.end = 0, m.now
		m.past = append(m.past, m.live[0])
		m.live = append(m.live[:0], m.live[1:]...)
	}
	m.now = to
}

// add hands a copy of j to the machine, at its present instant.
func (m *virtual) add(j model.JobID, size unit.Tick) {
	for len(m.copy) <= int(j) {
		m.copy = append(m.copy, virtualCopy{end: -1})
	}
	m.copy[j] = virtualCopy{size, size, -1}
	m.live = append(m.live, j)
	for at := len(m.live) - 1; at > 0 && m.copy[m.live[at-1]].left > size; at-- { // equal ones stay by age
		m.live[at], m.live[at-1] = m.live[at-1], j
	}
}

// virtualSize is how long steps take at rate, in steps/s, on that part of the cluster that a gang needs. It is rounded
// down, so that what follows from it as a bound is one.
func virtualSize(steps unit.Work, rate float64, gpus, all int32) unit.Tick {
	s := float64(steps) / max(rate, unit.Tiny) * float64(gpus) / float64(all)
	return unit.Tick(min(s*1000, 1e15))
}

// asrpt keeps the virtual machine, and who waits for closer GPUs until when.
type asrpt struct {
	cluster   *model.Cluster
	tau       float64
	sensitive float64
	guard     bool

	machine virtual
	over    []bool      // by job id: finished
	until   []unit.Tick // by job id: when it takes any GPUs; 0 = it has refused none since it last ran

	placer  place.Placer
	waiting []model.JobID // whose copies still run
	spent   []model.JobID // who takes any GPUs at this decision, for its delay is over
	slower  float64       // how many times slower the gang refused last is than a close one
}

// Clone copies the virtual machine and the delays.
func (a *asrpt) Clone() sim.Policy {
	return &asrpt{cluster: a.cluster, tau: a.tau, sensitive: a.sensitive, guard: a.guard, machine: a.machine.clone(),
		over: slices.Clone(a.over), until: slices.Clone(a.until)}
}

// Decide lets the virtual machine catch up, walks the queue of those whose copies have ended and, if nobody waits
// there, starts others early. Who runs is not disturbed.
func (a *asrpt) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	a.spent = a.spent[:0]
	a.follow(v)
	// Of those in the queue who do not fit, the smallest, and its size: only smaller ones pass.
	head, least, wake, empty := model.JobID(model.None), unit.Never, unit.Never, true
	for _, j := range a.machine.past {
		if v.Holds(j) {
			continue
		}
		if size := a.machine.copy[j].size; size >= least {
			w.WaitFor(j, trace.WaitOrder, head, float64(v.Shape(j).Size), float64(free(a.cluster, p)), 0)
		} else if at := a.start(v, p, w, j); at == unit.Never {
			head, least = j, size
		} else {
			wake = min(wake, at)
		}
		empty = empty && p.Holds(j)
	}
	wake = min(wake, a.collect(v))
	for _, j := range a.waiting {
		if !a.guard || !empty {
			c := &a.machine.copy[j]
			w.Wait(j, trace.WaitVirtual, c.left.Seconds(), c.size.Seconds(), 0)
		} else if at := a.start(v, p, w, j); at > 0 {
			wake = min(wake, at)
		}
	}
	p.WakeAt(wake)
	if sim.Explains && w.Detail != nil {
		a.explain(v, p, w)
	}
}

// follow books who has come and gone, and brings the virtual machine to the present. A copy goes on when its job is
// done early, for the machine knows nothing of the cluster; its size is what was believed when the job came.
func (a *asrpt) follow(v sim.View) {
	for _, j := range v.Arrived() {
		for len(a.over) <= int(j) {
			a.over, a.until = append(a.over, false), append(a.until, 0)
		}
		a.machine.advance(v.Arrive(j))
		total, _ := v.Total(j)
		a.machine.add(j, virtualSize(total, policy.BestRate(a.cluster, v, j), v.Shape(j).Size, a.cluster.GPUs()))
	}
	for _, j := range v.Ended() {
		a.over[j] = true
	}
	a.machine.advance(v.Now())
	past := a.machine.past[:0]
	for _, j := range a.machine.past {
		if !a.over[j] {
			past = append(past, j)
		}
	}
	a.machine.past = past
}

// collect lists the jobs that wait for their copies to end, the smallest first, of equals the one with least left, and
// returns when the first of these copies ends if nobody comes before.
func (a *asrpt) collect(v sim.View) unit.Tick {
	a.waiting = a.waiting[:0]
	at, first := v.Now(), unit.Never
	for _, j := range a.machine.live {
		at += a.machine.copy[j].left
		if !a.over[j] && !v.Holds(j) {
			first = min(first, at)
			a.waiting = append(a.waiting, j)
		}
	}
	slices.SortStableFunc(a.waiting, func(x, y model.JobID) int {
		return cmp.Compare(a.machine.copy[x].size, a.machine.copy[y].size)
	})
	return first
}

// start gives j the gang that Fastest finds. It returns 0 if j starts, Never if nothing fits, and otherwise when j
// will take any GPUs: until then it refuses a gang that lies too far apart.
func (a *asrpt) start(v sim.View, p *sim.Plan, w *sim.Why, j model.JobID) unit.Tick {
	c, mark := &a.machine.copy[j], p.Mark()
	if !a.placer.Fastest(a.cluster, v, p, j) {
		policy.WaitForRoom(a.cluster, v, p, w, j)
		return unit.Never
	}
	if a.tau > 0 && (a.until[j] == 0 || a.until[j] > v.Now()) {
		if a.slower = a.slowdown(v, j, a.placer.Gang()); a.slower >= a.sensitive {
			if a.until[j] == 0 {
				total, _ := v.Total(j)
				delay := unit.Seconds(float64(a.tau*float64(total)) / max(policy.BestRate(a.cluster, v, j), unit.Tiny))
				a.until[j] = v.Now() + min(max(delay, 1), 1e15)
			}
			p.Undo(mark)
			_, tier := sim.Measure(a.cluster, a.placer.Gang())
			w.Wait(j, trace.WaitCloser, a.slower, (a.until[j] - v.Now()).Seconds(), float64(tier))
			return a.until[j]
		}
	}
	if a.until[j] > 0 && a.until[j] <= v.Now() {
		a.spent = append(a.spent, j)
	}
	a.until[j] = 0
	w.Chose(j, c.size.Seconds(), c.end.Seconds(), 0)
	return 0
}

// slowdown is how many times slower a gang of one type is than one as close together as the usable GPUs of that type
// allow; 1 for gangs of several types, which only jobs get that no type can hold.
func (a *asrpt) slowdown(v sim.View, j model.JobID, gang []model.Shard) float64 {
	size, tier := sim.Measure(a.cluster, gang)
	typ := a.cluster.Slots[gang[0].Slot].Type
	for _, sh := range gang {
		if a.cluster.Slots[sh.Slot].Type != typ {
			return 1
		}
	}
	best := place.ReachOf(a.cluster, v, typ).Tier(size)
	speed := v.Speed(j, 0)
	return float64(speed.Rate(typ, size, best)) / float64(speed.Rate(typ, size, tier))
}

// free is the number of free GPUs of the plan.
func free(c *model.Cluster, p *sim.Plan) int32 {
	n, _ := place.Free(c, p)
	return n
}

// Measure sets the sum of completion times beside what the virtual machine says of the jobs that finished, with their
// true lengths: it does in one what the cluster does in parts, at most as fast, and shortest remaining first is best
// there, so that no schedule with these gangs has a smaller sum, but one in which jobs share a GPU and gain by it.
func (a *asrpt) Measure(p *model.Problem, t *trace.Trace) []sim.Term {
	var m virtual
	got := unit.Tick(0)
	for i := range t.Jobs {
		row, job := &t.Jobs[i], &p.Jobs[i]
		if row.Finish < 0 {
			continue
		}
		got += row.Finish - row.Arrive
		best := 0.0
		for _, ph := range job.Phases {
			tab := &p.Tables[ph.Tables[0]]
			for typ := range p.Cluster.Types {
				for tier := range model.Tier(model.Tiers) {
					best = max(best, float64(tab.Rate(model.TypeID(typ), job.Shape.Size, tier)))
				}
			}
		}
		m.advance(row.Arrive)
		m.add(model.JobID(i), virtualSize(job.Work, best, job.Shape.Size, p.Cluster.GPUs()))
	}
	m.advance(unit.Never)
	least := unit.Tick(0)
	for _, j := range m.past {
		least += m.copy[j].end - t.Jobs[j].Arrive
	}
	if least <= 0 {
		return nil
	}
	return []sim.Term{
		{Name: "sum of completion times, measured on this run", Unit: "s", Value: got.Seconds()},
		{Name: "sum on the virtual machine, which no schedule of these gangs undercuts that shares no GPU", Unit: "s", Value: least.Seconds()},
		{Name: "measured sum ÷ that of the virtual machine", Value: float64(got) / float64(least)},
	}
}
