package queues

import (
	"math"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/words"
)

// Keyed is a queue by a number that somebody gives: the least goes first, of equal ones the older job. Make it with
// NewKeyed.
type Keyed struct {
	Switches
	cluster *model.Cluster
	queue   preemptive
	by      string
	number  func(v sim.View, j model.JobID) (x float64, ok bool)
	sum     func(v sim.View, j model.JobID) []words.Text
}

// Switches are how a queue is served.
type Switches struct {
	Takes   bool // a job may take the GPUs of those behind it
	Skips   bool // jobs behind one that does not fit may start; always where GPUs are taken
	Moves   bool // a running job goes to faster free GPUs
	OneType bool // no gang mixes types, also where no type can hold it
	Lengths bool // whoever gives the numbers knows lengths, and moves reckon with them
}

// MigrateParam is the parameter for Moves.
var MigrateParam = migrateParam

// NewKeyed makes a queue. by is what the number is, as somebody wrote it. A number that is not ok puts a job behind all
// others; sum says how it was reckoned, as a section's formula, nil = it is not told. The queue is in its plain form:
// what somebody gives may change for every job between two decisions.
func NewKeyed(c *model.Cluster, s Switches, by string, number func(sim.View, model.JobID) (float64, bool),
	sum func(sim.View, model.JobID) []words.Text) *Keyed {
	left := doneSoFar
	if s.Lengths {
		left = knownLeft
	}
	return &Keyed{Switches: s, cluster: c, by: by, number: number, sum: sum,
		queue: preemptive{cluster: c, mover: mover{on: s.Moves, left: left}, placer: place.Placer{OneType: s.OneType}}}
}

// noValue is the key of a job that has none: behind all others.
const noValue = math.MaxFloat64

// key is the number of a job.
func (k *Keyed) key(v sim.View, j model.JobID) float64 {
	if x, ok := k.number(v, j); ok {
		return x
	}
	return noValue
}

// Decide serves the jobs in the order of their present numbers.
func (k *Keyed) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	k.queue.key = func(j model.JobID) float64 { return k.key(v, j) }
	if k.Takes {
		k.queue.give(v, p, w)
		if sim.Explains && w.Detail != nil {
			k.queue.explain(v, p, w, k.measure(v, p))
		}
		return
	}
	var waiting []model.JobID
	k.queue.sort(v.Waiting())
	for _, r := range k.queue.order {
		waiting = append(waiting, r.job)
	}
	head := serve(k.cluster, &k.queue.placer, v, p, w, waiting, k.Skips, k.queue.key,
		func(at int, _ model.JobID) []model.JobID { return waiting[at:] })
	if sim.Explains && w.Detail != nil {
		w.Detail.Order = append(w.Detail.Order, waiting...)
		k.queue.sort(v.Active())
		explainQueue(k.cluster, v, p, w, k.queue.order, head, k.measure(v, p))
	}
}

// measure is the number, reckoned before the reader.
func (k *Keyed) measure(v sim.View, p *sim.Plan) measure {
	key := func(j model.JobID) float64 { return k.key(v, j) }
	none := func(j model.JobID) bool { return key(j) == noValue }
	m := byNumber("The least goes first", "Key", "", "its key is {0}", key)
	m.named = words.Say("The least goes first, by {0}", words.Own(k.by))
	is := m.is
	m.cells = func(j model.JobID) []any {
		if none(j) {
			return []any{nil}
		}
		return []any{key(j)}
	}
	m.is = func(j model.JobID) words.Text {
		if none(j) {
			return words.Say("the formula has no value for it")
		}
		return is(j)
	}
	m.short = func(j model.JobID) any {
		if none(j) {
			return words.Say("no value")
		}
		return key(j)
	}
	if k.OneType {
		m.room = func(j model.JobID) words.Text { return policy.RoomOfOneType(k.cluster, v, p, j) }
	}
	if k.sum != nil {
		m.sum = func(j model.JobID) []words.Text { return k.sum(v, j) }
	}
	return m
}
