package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// cloud asks for the nodes that can be had for money (Problem.Cloud) and releases them. Policies know nothing of it:
// they see GPUs come and go, as with faults.
//
// Of each group it keeps so many nodes that are there or on their way: none if it is reactive, all if it is fixed, and
// as many as its forecast asks for if it is predictive. Whichever it is, after each decision it asks for what the jobs
// lack that the decision left without GPUs. A node that no job uses and no waiting job counts on is released after the
// group's idle time, unless fewer would be left than are kept.
type cloud struct {
	all   *model.Cloud
	comes []unit.Tick // by slot: when it comes or came; Never = nobody has asked for it
	idle  []unit.Tick // by slot: since when it is there, unused and unwanted; Never = it is not
	want  []bool      // by slot: waiting jobs count on it, as of the last decision
	keep  []int32     // by group
	next  int         // in all.Gone

	looks  unit.Tick   // when the load is next forecast, Never = it is not
	load   []unit.Tick // GPUs that unfinished jobs ask for, times time, by hour
	loaded unit.Tick   // until when
}

const (
	hour = 3600 * unit.Second
	day  = 24 // hours
	// forecastEvery is how often a predictive autoscaler looks ahead (ours).
	forecastEvery = 300 * unit.Second
)

// newCloud is that of p, nil where no nodes can be had.
func newCloud(p *model.Problem) *cloud {
	if p.Cloud == nil {
		return nil
	}
	n := len(p.Cluster.Slots)
	c := &cloud{all: p.Cloud, comes: slices.Repeat([]unit.Tick{unit.Never}, n),
		idle: slices.Repeat([]unit.Tick{unit.Never}, n), want: make([]bool, n),
		keep: make([]int32, len(p.Cloud.Groups)), looks: unit.Never}
	switch p.Cloud.Autoscaler {
	case model.Fixed:
		for i, g := range p.Cloud.Groups {
			c.keep[i] = int32(g.To - g.From)
			for s := g.From; s < g.To; s++ {
				c.comes[s] = 0
			}
		}
	case model.Predictive:
		c.looks = 0
	}
	return c
}

// clone is a copy to go on from, for a snapshot.
func (c *cloud) clone() *cloud {
	if c == nil {
		return nil
	}
	k := *c
	k.comes, k.idle, k.want = slices.Clone(c.comes), slices.Clone(c.idle), slices.Clone(c.want)
	k.keep, k.load = slices.Clone(c.keep), slices.Clone(c.load)
	return &k
}

// away takes the nodes out of the cluster that are not there at the start.
func (r *Run) away() {
	if r.cloud == nil {
		return
	}
	for _, g := range r.cloud.all.Groups {
		for s := g.From; s < g.To; s++ {
			if r.cloud.comes[s] != 0 {
				r.usable(s, 0)
			}
		}
	}
}

// cloudUntil is when a node next comes, vanishes or is released.
func (r *Run) cloudUntil() unit.Tick {
	c := r.cloud
	at := unit.Never
	if c.next < len(c.all.Gone) {
		at = c.all.Gone[c.next].At
	}
	for i := range c.all.Groups {
		g := &c.all.Groups[i]
		there := int32(0)
		for s := g.From; s < g.To; s++ {
			if r.capacity[s] > 0 {
				there++
			} else {
				at = min(at, c.comes[s])
			}
		}
		for s := g.From; s < g.To && there > c.keep[i]; s++ {
			at = min(at, later(g.Idle, c.idle[s]))
		}
	}
	return at
}

// ordered says whether a node is on its way.
func (r *Run) ordered() bool {
	if r.cloud == nil {
		return false
	}
	for s, at := range r.cloud.comes {
		if at != unit.Never && r.capacity[s] == 0 {
			return true
		}
	}
	return false
}

// more says whether there are jobs for which nodes could be of use.
func (r *Run) more() bool { return r.nextArrival < r.coming() || len(r.activeJobs) > 0 }

// nodes lets those vanish, come, be asked for by forecast and be released for which it is time.
func (r *Run) nodes() {
	c := r.cloud
	if c == nil || !r.more() {
		return
	}
	for ; c.next < len(c.all.Gone) && c.all.Gone[c.next].At <= r.now; c.next++ {
		if s := c.all.Gone[c.next].Slot; r.capacity[s] > 0 {
			r.leaves(s, trace.NodeGone, r.now-c.comes[s])
		}
	}
	for i := range c.all.Groups {
		for s := c.all.Groups[i].From; s < c.all.Groups[i].To; s++ {
			if c.comes[s] <= r.now && r.capacity[s] == 0 {
				r.usable(s, r.p.Cluster.Slots[s].Cap)
				r.happened |= Capacity
				r.tellNode(trace.NodeCame, model.None, s, 0)
				r.idleRounds = 0
			}
		}
	}
	if c.looks <= r.now {
		r.forecast()
		c.looks = (r.now/forecastEvery + 1) * forecastEvery
		r.tr.Events++
	}
	for i := range c.all.Groups {
		g := &c.all.Groups[i]
		there, have := int32(0), int32(0)
		for s := g.From; s < g.To; s++ {
			if r.capacity[s] > 0 {
				there++
			}
			if c.comes[s] != unit.Never {
				have++
			}
		}
		for s := g.From; s < g.To && have < c.keep[i]; s++ {
			if c.comes[s] == unit.Never {
				r.ask(s, g, model.None)
				have++
			}
		}
		for s := g.To - 1; s >= g.From && there > c.keep[i]; s-- {
			if later(g.Idle, c.idle[s]) <= r.now {
				r.leaves(s, trace.NodeReleased, r.now-c.idle[s])
				there--
			}
		}
	}
}

// ask orders a node: for a job that waits, or for no one.
func (r *Run) ask(s model.SlotID, g *model.CloudGroup, by model.JobID) {
	r.cloud.comes[s] = r.now + g.Start
	r.tellNode(trace.NodeAsked, by, s, g.Start)
}

// leaves takes a node away from everybody.
func (r *Run) leaves(s model.SlotID, code trace.Code, after unit.Tick) {
	c := r.cloud
	c.comes[s], c.idle[s], c.want[s] = unit.Never, unit.Never, false
	r.usable(s, 0)
	r.happened |= Capacity
	r.tellNode(code, model.None, s, after)
}

// tellNode notes for the next decision what became of a node, when, and after how long.
func (r *Run) tellNode(code trace.Code, j model.JobID, s model.SlotID, d unit.Tick) {
	r.tr.Events++
	r.faults = append(r.faults, trace.Reason{Code: code, Job: int32(j), Slot: int32(s), Other: model.None,
		Num: [3]float64{r.now.Seconds(), d.Seconds()}})
}

// demand asks for the nodes that waiting jobs lack, in order of arrival. A job counts on nodes of the first group that
// has enough of them for all of its gang, or else on what there is in all groups: nodes that are there and unused come
// first, then those on their way, then others, which are asked for. What a job leaves of its nodes the next ones have.
func (r *Run) demand() {
	c := r.cloud
	if c == nil {
		return
	}
	clear(c.want)
	rest := make([]int32, len(c.all.Groups)) // GPUs of wanted nodes that nobody wants yet
	for _, j := range r.waiting {
		size, left := r.p.Jobs[j].Shape.Size, r.p.Jobs[j].Shape.Size
		whole := slices.IndexFunc(c.all.Groups, func(g model.CloudGroup) bool {
			return r.runsIn(j, &g, size) && (rest[r.groupAt(g.From)] >= size ||
				r.unwanted(&g)*r.p.Cluster.Slots[g.From].Cap >= size)
		})
		for i := range c.all.Groups {
			g := &c.all.Groups[i]
			if whole >= 0 && i != whole || left <= 0 || !r.runsIn(j, g, size) {
				continue
			}
			if whole < 0 || rest[i] >= left {
				n := min(left, rest[i])
				rest[i], left = rest[i]-n, left-n
			}
			for left > 0 {
				s := r.unwantedIn(g)
				if s == model.None {
					break
				}
				if c.want[s] = true; c.comes[s] == unit.Never {
					r.ask(s, g, j)
				}
				left -= r.p.Cluster.Slots[s].Cap
			}
			if left < 0 {
				rest[i] = max(rest[i], -left)
			}
		}
	}
	r.tellFaults()
}

// groupAt is the group whose first slot it is.
func (r *Run) groupAt(from model.SlotID) int {
	return slices.IndexFunc(r.cloud.all.Groups, func(g model.CloudGroup) bool { return g.From == from })
}

// runsIn says whether a job has a speed on so many GPUs of a group.
func (r *Run) runsIn(j model.JobID, g *model.CloudGroup, size int32) bool {
	slot, tier := r.p.Cluster.Slots[g.From], model.OneNode
	if size > slot.Cap {
		tier = model.OneRack
	}
	return r.p.Tables[r.table(j, 0)].Rate(slot.Type, size, tier) > 0
}

// unwanted is how many nodes of a group could still be counted on.
func (r *Run) unwanted(g *model.CloudGroup) (n int32) {
	for s := g.From; s < g.To; s++ {
		if !r.cloud.want[s] && r.free[s] == r.capacity[s] {
			n++
		}
	}
	return n
}

// unwantedIn is the next of them: one that is there, otherwise on its way, otherwise away; None = there is none.
func (r *Run) unwantedIn(g *model.CloudGroup) model.SlotID {
	best, rank := model.SlotID(model.None), 3
	for s := g.From; s < g.To; s++ {
		k := 2
		switch {
		case r.cloud.want[s] || r.free[s] != r.capacity[s]:
			continue
		case r.capacity[s] > 0:
			k = 0
		case r.cloud.comes[s] != unit.Never:
			k = 1
		}
		if k < rank {
			best, rank = s, k
		}
	}
	return best
}

// unused notes which nodes are unused and unwanted from now on.
func (r *Run) unused() {
	c := r.cloud
	if c == nil {
		return
	}
	for _, g := range c.all.Groups {
		for s := g.From; s < g.To; s++ {
			if r.capacity[s] == 0 || r.free[s] < r.capacity[s] || c.want[s] {
				c.idle[s] = unit.Never
			} else {
				c.idle[s] = min(c.idle[s], r.now)
			}
		}
	}
}

// book adds up the load until the present instant, before anything of it changes.
func (r *Run) book() {
	c := r.cloud
	if c == nil || c.looks == unit.Never {
		return
	}
	gpus := unit.Tick(0)
	for _, j := range r.activeJobs {
		gpus += unit.Tick(r.p.Jobs[j].Shape.Size)
	}
	for c.loaded < r.now {
		h := c.loaded / hour
		to := min(r.now, (h+1)*hour)
		for unit.Tick(len(c.load)) <= h {
			c.load = append(c.load, 0)
		}
		c.load[h] += gpus * (to - c.loaded)
		c.loaded = to
	}
}

// forecast sets how many nodes of each group are kept: so many that with the rest of the cluster there are as many GPUs
// as the jobs will ask for. That is what they asked for on average since the hour before the present one began, or at
// the hour of the day at which a node would come that is asked for now, on the days before, whichever is more.
func (r *Run) forecast() {
	c := r.cloud
	start, own := unit.Tick(0), r.p.Cluster.GPUs()
	for s := range r.capacity {
		own += r.capacity[s] - r.p.Cluster.Slots[s].Cap
	}
	for i := range c.all.Groups {
		g := &c.all.Groups[i]
		start = max(start, g.Start)
		for s := g.From; s < g.To; s++ {
			own -= r.capacity[s]
		}
	}
	from := max(0, r.now/hour-1)
	sum := unit.Tick(0)
	for h := from; h < unit.Tick(len(c.load)); h++ {
		sum += c.load[h]
	}
	gpus := int32(0)
	if since := from * hour; r.now > since {
		gpus = int32((sum + r.now - since - 1) / (r.now - since))
	}
	sum, days := 0, unit.Tick(0)
	for h := (r.now+start)/hour - day; h >= 0; h -= day {
		if h < unit.Tick(len(c.load)) {
			sum += c.load[h]
		}
		days++
	}
	if days > 0 {
		gpus = max(gpus, int32((sum+days*hour-1)/(days*hour)))
	}
	for i := range c.all.Groups {
		g := &c.all.Groups[i]
		size := r.p.Cluster.Slots[g.From].Cap
		c.keep[i] = min(int32(g.To-g.From), max(0, (gpus-own+size-1)/size))
		own += c.keep[i] * size
	}
}
