package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// View is what a policy may see at a decision: the cluster, the jobs that have arrived, what they
// hold and have received, and what it may know of their speeds and lengths. Slices it returns are
// the kernel's own and must not be changed or kept.
type View struct{ r *Run }

// Name is the job's name.
func (v View) Name(j model.JobID) string { return v.r.p.Jobs[j].Name }

// Model is the name of the model that the job trains.
func (v View) Model(j model.JobID) string { return v.r.p.Jobs[j].Model }

// Decision is the number of the present decision, from 0.
func (v View) Decision() int { return len(v.r.tr.Rounds) - 1 }

// Now is the present instant.
func (v View) Now() unit.Tick { return v.r.now }

// Active lists the arrived, unfinished jobs in order of arrival.
func (v View) Active() []model.JobID { return v.r.activeJobs }

// Waiting lists the active jobs that hold no GPUs, in order of arrival.
func (v View) Waiting() []model.JobID { return v.r.waiting }

// Unexplained lists those of the waiting jobs of whose present spell of waiting no reason is recorded yet, in order of
// arrival. What is said of the others is only heard while the decision is explained.
func (v View) Unexplained() []model.JobID { return v.r.untold }

// Changed lists the jobs whose gangs or phase may have changed since the policy saw them at its last decision, some
// more than once: what a policy keeps of the others holds still.
func (v View) Changed() []model.JobID { return v.r.changed }

// Explained says that j waits and that a reason is recorded of its present spell of waiting.
func (v View) Explained(j model.JobID) bool { return v.r.jobs[j].waits }

// Arrived lists the jobs that arrived since the last decision.
func (v View) Arrived() []model.JobID { return v.r.arrived }

// Ended lists the jobs that finished since the last decision.
func (v View) Ended() []model.JobID { return v.r.ended }

// Capacity is the number of usable GPUs of slot s.
func (v View) Capacity(s model.SlotID) int32 { return v.r.capacity[s] }

// CapacityOf is the number of usable GPUs of type t.
func (v View) CapacityOf(t model.TypeID) int32 { return v.r.capacityOf[t] }

// Arrive is when the job was submitted.
func (v View) Arrive(j model.JobID) unit.Tick { return v.r.p.Jobs[j].Arrive }

// Doc is the job's position in the document.
func (v View) Doc(j model.JobID) int32 { return v.r.p.Jobs[j].Doc }

// Weight is the job's priority weight.
func (v View) Weight(j model.JobID) float64 { return v.r.p.Jobs[j].Weight }

// Tenants are the scenario's tenants, by name.
func (v View) Tenants() []model.Tenant { return v.r.p.Tenants }

// Tenant is the index of the job's tenant.
func (v View) Tenant(j model.JobID) int32 { return v.r.p.Jobs[j].Tenant }

// Deadline is when the job should be finished; ok is false when it has no such wish.
func (v View) Deadline(j model.JobID) (at unit.Tick, ok bool) {
	job := &v.r.p.Jobs[j]
	return job.Arrive + job.SLO, job.SLO > 0
}

// Shape says which gangs the job may hold.
func (v View) Shape(j model.JobID) model.Shape { return v.r.p.Jobs[j].Shape }

// Speed is what is believed of the job's speeds at operating point c in its present phase; nil when
// there is no such point.
func (v View) Speed(j model.JobID, c Config) *model.Throughput {
	t := v.r.table(j, c)
	if t < 0 {
		return nil
	}
	if believed := v.r.p.Know.Tables; believed != nil {
		return &believed[t]
	}
	return &v.r.p.Tables[t]
}

// Batches are the limits of the job's batch on GPUs of type t, and the batch that was asked for if the job keeps it; ok
// is false when its model has no profile.
func (v View) Batches(j model.JobID, t model.TypeID) (b model.Batches, ok bool) {
	at := v.r.p.Jobs[j].Profile
	if at < 0 {
		return model.Batches{}, false
	}
	b = v.r.p.Profiles[at].Batches[t]
	if v.r.p.Jobs[j].KeepsBatch {
		b.Kept = v.r.p.Jobs[j].Batch
	}
	return b, true
}

// Sample is what a profiled job measured of itself on the gang that it holds. It is measured and not believed.
type Sample struct {
	Type model.TypeID
	GPUs int32
	Tier model.Tier
	model.Point
}

// Sample is what the job has measured by now; ok is false unless it has one gang of one type, has a profile, and has
// run there since its last stall.
func (v View) Sample(j model.JobID) (got Sample, ok bool) {
	r, s := v.r, &v.r.jobs[j]
	if len(s.gangs) != 1 || v.r.now <= max(s.stall, s.since) {
		return Sample{}, false
	}
	g := &r.gangs[s.gangs[0]]
	got.GPUs, got.Tier = Measure(&r.p.Cluster, g.shards)
	got.Type = r.p.Cluster.Slots[g.shards[0].Slot].Type
	for _, sh := range g.shards {
		if r.p.Cluster.Slots[sh.Slot].Type != got.Type {
			return Sample{}, false
		}
	}
	t := r.table(j, r.member(s.gangs[0], j).cfg)
	if t < 0 {
		return Sample{}, false
	}
	got.Point, ok = r.p.Tables[t].Point(got.Type, got.GPUs, got.Tier)
	return got, ok
}

// Rate is the believed speed of j in steps per second on the shards (in slot order), beside the other members with; 0
// = cannot run. Where a gang has yet to learn how to split its batch, it is the speed at which that will settle.
func (v View) Rate(j model.JobID, c Config, on []model.Shard, with ...model.JobID) unit.Rate {
	switch len(with) {
	case 0:
		if t := v.Speed(j, c); t != nil {
			return GangRate(t, &v.r.p.Cluster, on, v.Shape(j).Split)
		}
	case 1:
		pairs := v.r.p.Pairs
		if believed := v.r.p.Know.Pairs; believed != nil {
			pairs = believed
		}
		return v.r.pairRate(pairs, on, runner{j, c}, runner{with[0], 0})
	}
	return 0
}

// Done is the number of steps that the job has done by now.
func (v View) Done(j model.JobID) unit.Work { return v.done(j) }

// Total is the job's believed number of steps.
func (v View) Total(j model.JobID) (unit.Work, bool) {
	k := &v.r.p.Know
	if k.HideLengths {
		return 0, false
	}
	w := v.r.p.Jobs[j].Work
	if k.LengthFactor != nil {
		// A job that outlives the belief is believed to be nearly done.
		w = max(unit.Work(float64(float64(w)*k.LengthFactor[j])), v.done(j)+unit.Work(float64(float64(w)*0.01)))
	}
	return w, true
}

// Outlived says that the job has done all that it was believed to need and is not done, so that Total is a guess:
// whoever gives it so many steps only would decide anew after every few of them.
func (v View) Outlived(j model.JobID) bool {
	k := &v.r.p.Know
	return !k.HideLengths && k.LengthFactor != nil &&
		float64(v.done(j)) >= float64(float64(v.r.p.Jobs[j].Work)*k.LengthFactor[j])
}

// Remaining is the believed number of steps left.
func (v View) Remaining(j model.JobID) (unit.Work, bool) {
	w, ok := v.Total(j)
	return w - v.done(j), ok
}

// done computes progress without booking it, so that looking changes nothing.
func (v View) done(j model.JobID) unit.Work { return v.r.doneAt(j, v.r.now) }

// doneAt is the job's progress at an instant since its anchor.
func (r *Run) doneAt(j model.JobID, at unit.Tick) unit.Work {
	s := &r.jobs[j]
	d := at - max(s.anchor, s.stall)
	w := s.done
	if d <= 0 {
		return w
	}
	for _, g := range s.gangs {
		m := r.member(g, j)
		if m.hold {
			continue
		}
		step := m.rate.Over(d)
		if m.quota >= 0 {
			step = min(step, m.quota)
		}
		w += step
	}
	return w
}

// Holds says whether the job holds GPUs.
func (v View) Holds(j model.JobID) bool { return len(v.r.jobs[j].gangs) > 0 }

// Gangs is the number of gangs the job is in.
func (v View) Gangs(j model.JobID) int { return len(v.r.jobs[j].gangs) }

// Gang gives the shards of the job's i-th gang, in slot order.
func (v View) Gang(j model.JobID, i int) []model.Shard { return v.r.gangs[v.r.jobs[j].gangs[i]].shards }

// Received is how long the job has held at least one GPU of type t, holding after a quota included.
func (v View) Received(j model.JobID, t model.TypeID) unit.Tick {
	r, s := v.r, &v.r.jobs[j]
	got := r.received[int(j)*len(r.p.Cluster.Types)+int(t)]
	if s.gpus > 0 && r.holdsType(j, t) {
		got += r.now - s.since
	}
	return got
}

// Attained is the GPU time the job has held, in GPU-ticks.
func (v View) Attained(j model.JobID) unit.Tick {
	s := &v.r.jobs[j]
	return s.service + unit.Tick(s.gpus)*(v.r.now-s.since)
}

// Charge is how long the job would stall if from now on it held exactly the gang on, restarts and checkpoints
// included. A stall that runs goes on where the job stays, and also in a move that costs nothing itself.
func (v View) Charge(j model.JobID, on []model.Shard) unit.Tick {
	r, s := v.r, &v.r.jobs[j]
	c := &r.p.Costs[j]
	cost := c.Load
	if len(s.gangs) > 0 || r.tr.Jobs[j].Starts > 0 {
		cost += c.Save
	}
	if len(s.gangs) > 0 && (cost == 0 || len(s.gangs) == 1 && slices.Equal(r.gangs[s.gangs[0]].shards, on)) {
		return max(0, s.stall-r.now)
	}
	return cost
}

// Merge is the stall that consolidating copies costs the job at each decision of a policy that forks.
func (v View) Merge(j model.JobID) unit.Tick { return v.r.p.Costs[j].Merge }
