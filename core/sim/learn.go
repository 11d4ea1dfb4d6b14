package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// learner is how far a gang has come with the split of its batch, for jobs that learn it. The gang begins with even
// shares, at the pace of its slowest GPU. After each period of training a check moves the shares (model.Split.Next),
// and the gang goes on at another speed, until a check moves none: then there is no further one unless the speed of one
// of its GPUs changes for another reason. What was learned stays with the job, as with a checkpoint, until it has a
// gang of other types or of other numbers of them (ours).
//
// Checks go by how long GPUs take, whatever the reason. Where nodes may be slow for a while or short of CPUs or memory,
// the GPUs of each slot are measured by themselves, gangs of one type over several nodes learn too, and what was
// learned is of these GPUs and no others. A check looks at the steps at its instant (ours; the paper's code takes the
// mean since the check before).
type learner struct {
	parts  []model.Part
	on     []model.Shard // of which the parts are one each; nil = the parts are one a type
	left   unit.Tick     // of training until the next check; < 0 = it has settled
	checks int           // changes of shares in a row
	at     []float64     // rates of the parts as it settled
	again  unit.Tick     // when it last began to look again
}

func (l *learner) clone() *learner {
	if l == nil {
		return nil
	}
	c := *l
	c.parts, c.at = slices.Clone(l.parts), slices.Clone(l.at)
	return &c
}

// trains brings the next check nearer.
func (l *learner) trains(d unit.Tick) {
	if l != nil && l.left > 0 {
		l.left = max(0, l.left-d)
	}
}

// beginLearning gives a new gang of a job that learns its split what the job has learned on such a gang, or even
// shares.
func (r *Run) beginLearning(g *gang) {
	m := &g.members[0]
	split := r.p.Jobs[m.job].Shape.Split
	if split == nil || !split.Learned || len(g.shards) == 1 || len(g.members) > 1 {
		return
	}
	l := &learner{left: split.Check}
	if r.slow == nil && r.hosts == nil {
		l.parts = partsOf(nil, &r.p.Cluster, g.shards, func(model.TypeID) unit.Rate { return 0 })
	} else {
		l.on = slices.Clone(g.shards)
		for _, sh := range g.shards {
			l.parts = append(l.parts, model.Part{Type: r.p.Cluster.Slots[sh.Slot].Type, GPUs: float64(sh.N), Share: 1})
		}
	}
	if len(l.parts) == 1 {
		return
	}
	s := &r.jobs[m.job]
	m.learns, s.learnt = s.learnt, nil
	if m.learns == nil || !slices.Equal(m.learns.on, l.on) || !slices.EqualFunc(m.learns.parts, l.parts,
		func(a, b model.Part) bool { return a.Type == b.Type && a.GPUs == b.GPUs }) {
		m.learns = l
	}
}

// keepLearnt leaves with the job what a gang that it leaves has learned.
func (r *Run) keepLearnt(m *gangMember) {
	if m.learns != nil {
		r.jobs[m.job].learnt = m.learns
	}
}

// learnt is the speed of a gang with the shares that it has by now. A split that has settled is looked at again where a
// GPU of it is faster or slower than then; one that was so at this instant only, as shares of links and hosts are given
// anew at its end, is not.
func (r *Run) learnt(g *gang, m *gangMember) unit.Rate {
	l, rate := m.learns, r.learntRate(g, m, true)
	alike := slices.EqualFunc(l.at, l.parts, func(v float64, p model.Part) bool { return v == p.Rate })
	switch {
	case l.left < 0 && !alike:
		l.left, l.checks, l.again = r.p.Jobs[m.job].Shape.Split.Check, 0, r.now
	case l.left >= 0 && alike && l.again == r.now:
		l.left = -1
	}
	return rate
}

// learntRate is that speed on the nodes as they are, or as they would be if none were slow or short of anything.
func (r *Run) learntRate(g *gang, m *gangMember, asTheyAre bool) unit.Rate {
	_, of := r.ratesOf(g, m)
	l, stands := m.learns, false
	for i := range l.parts {
		p := &l.parts[i]
		p.Rate = float64(of(p.Type))
		if l.on != nil && asTheyAre {
			p.Rate *= r.partOn(g, m, i)
		}
		stands = stands || p.Rate <= 0
	}
	if stands {
		return 0
	}
	return r.p.Jobs[m.job].Shape.Split.Speed(l.parts)
}

// ratesOf is the size of a gang and the speed that it would have if it were of one type.
func (r *Run) ratesOf(g *gang, m *gangMember) (size int32, of func(model.TypeID) unit.Rate) {
	tab := &r.p.Tables[r.table(m.job, m.cfg)]
	if g.share > 0 {
		return sharedRates(r.p, tab, g.shards, g.share)
	}
	size, tier := Measure(&r.p.Cluster, g.shards)
	return size, func(t model.TypeID) unit.Rate { return tab.Rate(t, size, tier) }
}

// learn is the checks of j's splits that are due now. A change makes the gang stand still for as long as it costs.
func (r *Run) learn(j model.JobID) {
	split := r.p.Jobs[j].Shape.Split
	if split == nil || !split.Learned {
		return
	}
	for _, g := range r.jobs[j].gangs {
		l := r.member(g, j).learns
		if l == nil || l.left != 0 {
			continue
		}
		l.left, l.at = -1, l.at[:0]
		stands := false
		for i := range l.parts {
			l.at = append(l.at, l.parts[i].Rate)
			stands = stands || l.parts[i].Rate <= 0
		}
		if stands || l.checks >= model.MostChecks || !split.Next(l.parts) {
			continue
		}
		l.at = nil
		checks := l.checks + 1
		r.rerateGang(g)
		l.left, l.checks = split.Check, checks
		if split.Change > 0 {
			r.stall(j, split.Change)
		}
	}
}
