package simtest

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// checkCloud holds capacity and bill of a run against what the autoscaler's rules make of its spans and decisions
// (I17): nodes come, go and vanish when they should, and each is billed for the time that it is there.
func checkCloud(p *model.Problem, t *trace.Trace, fail func(string, ...any)) {
	if p.Cloud == nil {
		slot := func(i int) trace.Capacity {
			return trace.Capacity{At: p.Changes[i].At, Slot: int32(p.Changes[i].Slot), Cap: p.Changes[i].Cap}
		}
		for i, c := range t.Capacity {
			if i >= len(p.Changes) || c != slot(i) {
				fail("I17: change %d of capacity is %+v, which the problem has not", i, c)
				return
			}
		}
		return
	}
	if want, sure := rented(p, t); sure && !slices.Equal(t.Capacity, want) {
		for i := range max(len(want), len(t.Capacity)) {
			if i >= len(want) || i >= len(t.Capacity) || want[i] != t.Capacity[i] {
				fail("I17: capacity from change %d on is %v, expected are %v", i, t.Capacity[min(i, len(t.Capacity)):],
					want[min(i, len(want)):])
				break
			}
		}
	}
	usd, end := 0.0, t.End
	if t.Outcome == trace.Done {
		end = t.LastFinish()
	}
	for _, g := range p.Cloud.Groups {
		for s := g.From; s < g.To; s++ {
			since := unit.Tick(0)
			bill := func(to unit.Tick) {
				if to = min(to, end); since >= 0 && to > since {
					usd += float64(max(float64(g.Least)/1000, math.Ceil(float64(to-since)/1000)) / 3600 * g.USDPerHour)
				}
				since = -1
			}
			for _, c := range t.Capacity {
				if c.Slot != int32(s) {
					continue
				}
				if c.Cap == 0 {
					bill(c.At)
				} else {
					since = c.At
				}
			}
			bill(t.End)
		}
	}
	if got := metric.Compute(p, t).Metrics.RentUSD; math.Abs(got-usd) > 1e-9*max(1, usd) {
		fail("I17: the rent is %v USD, its hours come to %v", got, usd)
	}
}

// lease is one node of a cloud as rented knows it.
type lease struct {
	slot   model.SlotID
	group  int
	comes  unit.Tick // -1 = nobody asked
	there  bool
	unused unit.Tick // since when, -1 = it is used, or wanted
	wanted bool
}

// rented says from the spans and decisions of a run which nodes of a cloud come and go, instant by instant. It knows no
// events and shares no code with the kernel. sure is false where a trace does not tell: two decisions fall on one
// instant, or it matters whether a job that ends at the instant of one still held its GPUs then.
func rented(p *model.Problem, t *trace.Trace) (out []trace.Capacity, sure bool) {
	c := p.Cloud
	var nodes []*lease
	for g := range c.Groups {
		for s := c.Groups[g].From; s < c.Groups[g].To; s++ {
			l := &lease{slot: s, group: g, comes: -1, unused: -1}
			if nodes = append(nodes, l); c.Autoscaler == model.Fixed {
				l.comes, l.there = 0, true
			} else {
				out = append(out, trace.Capacity{Slot: int32(s)})
			}
		}
	}
	decided := map[unit.Tick]int{}
	for _, d := range t.Rounds {
		if decided[d.At]++; decided[d.At] > 1 {
			return nil, false
		}
	}
	inRounds := slices.ContainsFunc(t.Jobs, func(j trace.Job) bool { // no decision follows, though others are there
		return j.Finish >= 0 && decided[j.Finish] == 0 && slices.ContainsFunc(t.Jobs, func(k trace.Job) bool {
			return k.Arrive <= j.Finish && (k.Finish < 0 || k.Finish > j.Finish)
		})
	})
	instants := changesOf(p, t)
	changes := p.Changes
	own := make(map[int32]int32)
	for s, slot := range t.Slots {
		if !slices.ContainsFunc(nodes, func(l *lease) bool { return int(l.slot) == s }) {
			own[int32(s)] = slot.Cap
		}
	}
	set := func(at unit.Tick, l *lease, n int32) {
		if l.there = n > 0; !l.there {
			l.comes, l.unused, l.wanted = -1, -1, false
		}
		out = append(out, trace.Capacity{At: at, Slot: int32(l.slot), Cap: n})
	}
	keep, load := make([]int, len(c.Groups)), newCounterOf(p, t)
	if c.Autoscaler == model.Fixed {
		for g := range keep {
			keep[g] = int(c.Groups[g].To - c.Groups[g].From)
		}
	}
	for now := unit.Tick(0); now <= t.End; now++ {
		// the next instant at which anything is known to happen
		next := unit.Never
		for len(instants) > 0 && instants[0] < now {
			instants = instants[1:]
		}
		if len(instants) > 0 {
			next = instants[0]
		}
		for _, l := range nodes {
			g := &c.Groups[l.group]
			if !l.there && l.comes >= now {
				next = min(next, l.comes)
			}
			if at := l.unused + g.Idle; l.there && l.unused >= 0 && at >= now { // else an instant ends what keeps it
				next = min(next, at)
			}
		}
		if now = next; now > t.End {
			break
		}
		idle := !alive(t, now) // nothing is left to happen for: only arrivals wake the cloud
		for ; len(changes) > 0 && changes[0].At <= now; changes = changes[1:] {
			own[int32(changes[0].Slot)] = changes[0].Cap
			out = append(out, trace.Capacity{At: changes[0].At, Slot: int32(changes[0].Slot), Cap: changes[0].Cap})
		}
		if idle {
			continue
		}
		for _, r := range c.Gone {
			for _, l := range nodes {
				if r.At == now && l.slot == r.Slot && l.there {
					set(now, l, 0)
				}
			}
		}
		for _, l := range nodes {
			if !l.there && l.comes == now {
				set(now, l, t.Slots[l.slot].Cap)
			}
		}
		if c.Autoscaler == model.Predictive && now%(300*unit.Second) == 0 {
			keep = load.keep(c, t, own, now)
		}
		for g := range c.Groups {
			group, mine, there, have := &c.Groups[g], []*lease(nil), 0, 0
			for _, l := range nodes {
				if l.group == g {
					mine = append(mine, l)
					if l.there {
						there++
					}
					if l.comes >= 0 {
						have++
					}
				}
			}
			for _, l := range mine {
				if have < keep[g] && l.comes < 0 {
					l.comes = now + group.Start
					have++
				}
			}
			for i := len(mine) - 1; i >= 0; i-- {
				if l := mine[i]; l.there && l.unused >= 0 && now-l.unused >= group.Idle && there > keep[g] {
					set(now, l, 0)
					there--
				}
			}
		}
		used, holds := heldAt(t, now)
		if decided[now] > 0 {
			still := make([]*lease, len(nodes)) // as if who ends now still held its GPUs
			for i, l := range nodes {
				still[i] = new(lease)
				*still[i] = *l
			}
			lacks(p, t, still, heldToo(t, used, now), holds, now)
			lacks(p, t, nodes, used, holds, now)
			if inRounds && !slices.EqualFunc(nodes, still, func(a, b *lease) bool { return *a == *b }) {
				return nil, false
			}
		}
		for _, l := range nodes {
			if !l.there || used[l.slot] || l.wanted {
				l.unused = -1
			} else if l.unused < 0 {
				l.unused = now
			}
		}
	}
	return out, true
}

// lacks lets the jobs that wait after a decision count on nodes: each in turn on as few as have room for all of it.
func lacks(p *model.Problem, t *trace.Trace, nodes []*lease, used, holds []bool, now unit.Tick) {
	c := p.Cloud
	for _, l := range nodes {
		l.wanted = false
	}
	spare := make([]int32, len(c.Groups))
	for j := range t.Jobs {
		if t.Jobs[j].Arrive > now || t.Jobs[j].Finish >= 0 && t.Jobs[j].Finish <= now || holds[j] {
			continue
		}
		size, phase := p.Jobs[j].Shape.Size, phaseOf(p, t, j, now)
		runs := func(g int) bool {
			slot := p.Cluster.Slots[c.Groups[g].From]
			tier := model.OneRack
			if size <= slot.Cap {
				tier = model.OneNode
			}
			return p.Tables[p.Jobs[j].Phases[phase].Tables[0]].Rate(slot.Type, size, tier) > 0
		}
		could := func(g int) (out []*lease) { // in order of preference
			for _, l := range nodes {
				if l.group == g && !l.wanted && !used[l.slot] {
					out = append(out, l)
				}
			}
			rank := func(l *lease) int {
				switch {
				case l.there:
					return 0
				case l.comes >= 0:
					return 1
				}
				return 2
			}
			slices.SortStableFunc(out, func(a, b *lease) int { return cmp.Compare(rank(a), rank(b)) })
			return out
		}
		take := func(l *lease) {
			if l.wanted = true; l.comes < 0 {
				l.comes = now + c.Groups[l.group].Start
			}
		}
		whole := -1
		for g := range c.Groups {
			if cap := p.Cluster.Slots[c.Groups[g].From].Cap; whole < 0 && runs(g) &&
				(spare[g] >= size || int32(len(could(g)))*cap >= size) {
				whole = g
			}
		}
		if whole >= 0 && spare[whole] >= size {
			spare[whole] -= size
			continue
		}
		left := size
		for g := range c.Groups {
			if left <= 0 || !runs(g) || whole >= 0 && g != whole {
				continue
			}
			if whole < 0 {
				n := min(spare[g], left)
				spare[g], left = spare[g]-n, left-n
			}
			for _, l := range could(g) {
				if left > 0 {
					take(l)
					left -= p.Cluster.Slots[l.slot].Cap
				}
			}
			if left < 0 {
				spare[g] = max(spare[g], -left)
			}
		}
	}
}

// heldAt says of which slots a job holds GPUs right after an instant, and which jobs hold some.
func heldAt(t *trace.Trace, now unit.Tick) (slots, jobs []bool) {
	slots, jobs = make([]bool, len(t.Slots)), make([]bool, len(t.Jobs))
	for i := range t.Spans.Len() {
		if t.Spans.From[i] <= now && now < t.Spans.To[i] {
			jobs[t.Spans.Job[i]] = true
			for _, sh := range t.Spans.At(i) {
				slots[sh.Slot] = true
			}
		}
	}
	return slots, jobs
}

// heldToo is used with the slots besides that a job has held until this instant, at which it ends.
func heldToo(t *trace.Trace, used []bool, now unit.Tick) []bool {
	used = slices.Clone(used)
	for i := range t.Spans.Len() {
		if t.Spans.To[i] == now && t.Jobs[t.Spans.Job[i]].Finish == now {
			for _, sh := range t.Spans.At(i) {
				used[sh.Slot] = true
			}
		}
	}
	return used
}

// phaseOf is the phase that a job is in, by the steps of its spans less what faults took.
func phaseOf(p *model.Problem, t *trace.Trace, j int, now unit.Tick) (phase int) {
	if len(p.Jobs[j].Phases) == 1 {
		return 0
	}
	done := 0.0
	for i := range t.Spans.Len() {
		if int(t.Spans.Job[i]) == j && t.Spans.From[i] < now {
			done += float64(t.Spans.Rate[i] * (min(now, t.Spans.To[i]) - t.Spans.From[i]).Seconds())
		}
	}
	for _, l := range metric.Losses(t) {
		if int(l.Job) == j && l.At <= now {
			done -= l.Steps
		}
	}
	phases, slack := p.Jobs[j].Phases, float64(float64(p.Jobs[j].Work)*1e-9)
	for phase+1 < len(phases) && done >= float64(phases[phase+1].From)-slack {
		phase++
	}
	return phase
}

// alive says whether a job is unfinished before an instant, or still to arrive.
func alive(t *trace.Trace, now unit.Tick) bool {
	return slices.ContainsFunc(t.Jobs, func(j trace.Job) bool { return j.Finish < 0 || j.Finish >= now })
}

// changesOf are the instants at which anything else happens, in order.
func changesOf(p *model.Problem, t *trace.Trace) (out []unit.Tick) {
	for i := range t.Spans.Len() {
		out = append(out, t.Spans.From[i], t.Spans.To[i])
	}
	for i := range t.Jobs {
		out = append(out, t.Jobs[i].Arrive)
	}
	for _, d := range t.Rounds {
		out = append(out, d.At)
	}
	for _, r := range p.Cloud.Gone {
		out = append(out, r.At)
	}
	for _, c := range p.Changes {
		out = append(out, c.At)
	}
	for at := unit.Tick(0); p.Cloud.Autoscaler == model.Predictive && at <= t.End; at += 300 * unit.Second {
		out = append(out, at)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// demanded knows how many GPUs the unfinished jobs ask for, over time.
type demanded struct {
	p *model.Problem
	t *trace.Trace
}

func newCounterOf(p *model.Problem, t *trace.Trace) demanded { return demanded{p, t} }

// between is GPUs asked for times time.
func (d demanded) between(from, to unit.Tick) (sum unit.Tick) {
	for j := range d.t.Jobs {
		end := d.t.Jobs[j].Finish
		if end < 0 {
			end = unit.Never
		}
		sum += unit.Tick(d.p.Jobs[j].Shape.Size) * max(0, min(to, end)-max(from, d.t.Jobs[j].Arrive))
	}
	return sum
}

// keep is how many nodes of each group the forecast of an instant keeps.
func (d demanded) keep(c *model.Cloud, t *trace.Trace, own map[int32]int32, now unit.Tick) []int {
	const hour = 3600 * unit.Second
	up := func(a, b unit.Tick) int { return int((a + b - 1) / b) }
	gpus, start := 0, unit.Tick(0)
	if from := max(0, now/hour*hour-hour); now > from {
		gpus = up(d.between(from, now), now-from)
	}
	for _, g := range c.Groups {
		start = max(start, g.Start)
	}
	sum, days := unit.Tick(0), unit.Tick(0)
	for at := (now+start)/hour*hour - 24*hour; at >= 0; at -= 24 * hour {
		sum, days = sum+d.between(at, min(now, at+hour)), days+1
	}
	if days > 0 {
		gpus = max(gpus, up(sum, days*hour))
	}
	for _, n := range own {
		gpus -= int(n)
	}
	keep := make([]int, len(c.Groups))
	for i, g := range c.Groups {
		size := int(t.Slots[g.From].Cap)
		for keep[i] < int(g.To-g.From) && gpus > 0 {
			keep[i]++
			gpus -= size
		}
	}
	return keep
}
