package sim

import (
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// learner is how far a gang of several types has come with the split of its batch, for jobs that learn it. The gang
// begins with even shares, at the pace of its slowest GPU. After each period of training a check moves the shares
// (model.Split.Next), and the gang goes on at another speed, until a check moves none: then there is no further one
// unless its speed changes for another reason. What was learned stays with the job, as with a checkpoint, until it has
// a gang of other types or of other numbers of them (ours).
type learner struct {
	parts  []model.Part
	left   unit.Tick // of training until the next check; < 0 = it has settled
	checks int       // changes of shares in a row
	rate   unit.Rate // when it was last asked for
}

func (l *learner) clone() *learner {
	if l == nil {
		return nil
	}
	c := *l
	c.parts = slices.Clone(l.parts)
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
	parts := partsOf(nil, &r.p.Cluster, g.shards, func(model.TypeID) unit.Rate { return 0 })
	if len(parts) == 1 {
		return
	}
	s := &r.jobs[m.job]
	m.learns, s.learnt = s.learnt, nil
	if m.learns == nil || !slices.EqualFunc(m.learns.parts, parts, func(a, b model.Part) bool {
		return a.Type == b.Type && a.GPUs == b.GPUs
	}) {
		m.learns = &learner{parts: parts, left: split.Check}
	}
}

// keepLearnt leaves with the job what a gang that it leaves has learned.
func (r *Run) keepLearnt(m *gangMember) {
	if m.learns != nil {
		r.jobs[m.job].learnt = m.learns
	}
}

// learnt is the speed of a gang with the shares that it has by now. A split that has settled is looked at again where
// that is another than it was.
func (r *Run) learnt(g *gang, m *gangMember) unit.Rate {
	_, of := r.ratesOf(g, m)
	l, split, rate := m.learns, r.p.Jobs[m.job].Shape.Split, unit.Rate(-1)
	for i := range l.parts {
		p := &l.parts[i]
		if p.Rate = float64(of(p.Type)); p.Rate <= 0 {
			rate = 0
		}
	}
	if rate < 0 {
		rate = split.Speed(l.parts)
	}
	if l.left < 0 && rate != l.rate {
		l.left, l.checks = split.Check, 0
	}
	l.rate = rate
	return rate
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
		l.left = -1
		if l.rate <= 0 || l.checks >= model.MostChecks || !split.Next(l.parts) {
			continue
		}
		checks := l.checks + 1
		r.rerateGang(g)
		l.left, l.checks = split.Check, checks
		if split.Change > 0 {
			r.stall(j, split.Change)
		}
	}
}
