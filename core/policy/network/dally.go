// Package network has the policies that mind how far apart the GPUs of a gang lie: Dally-style and A-SRPT-style. In
// both a job that suffers from distance declines GPUs for a while in the hope of closer ones; they share how a
// distance is named and what it means that a job declines.
package network

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Dally lets a job refuse GPUs that lie too far apart, for as long as its timer runs, in the hope of closer ones. Known
// of the paper are its abstract (delay scheduling, preemption by sensitivity to the network, timers that tune
// themselves) and summaries by others (machine, rack and network, refused offers). Every formula and figure below is
// ours.

const dallySource = "Dally-style (arXiv 2401.16492): waiting for closer GPUs, preemption by sensitivity and self-tuning " +
	"timers are the paper's; reconstructed from the abstract: when an offer is taken, score, tuner, moves and all figures ours"

// endless stands for a timer without an end, in s.
const endless = 1e9

var (
	dallyClock = policy.Param{Name: "clock", Title: "Patience counts from", Kind: policy.Choice,
		Default: "first_refusal",
		Choices: []string{"first_refusal", "last_held", "submit"},
		Help:    "From the first refused offer of the wait, from when it last held GPUs, or from submission."}
	dallyOrder = policy.Param{Name: "order", Title: "Who is asked first", Kind: policy.Choice, Default: "score",
		Choices: []string{"score", "arrival"}, Help: "The jobs that have progressed least against their speed on the closest GPUs that they could have, or those that came first: with arrival the mean completion of our 500 made-up jobs is a quarter to a half shorter, by the draw, and the last finish mostly later. Where gangs share links it is 22.3 h and not 38.3 h over two draws, and 26.3 h and not 39.4 h on a congested network."}
)

func init() {
	for _, x := range []struct {
		id, title, summary string
		auto, moves        bool
		w0, w1             float64
	}{
		{"dally", "Dally-style", "A job refuses GPUs that lie too far apart until its timer ends; the timers follow past waits, and moves mend bad places. As it is set, who has progressed least against its speed on the closest GPUs that it could have, by distance, slow GPUs or stalls, is asked first, so that jobs of one GPU that have not run yet come after gangs that distance would slow: for our 500 made-up jobs the mean completion time is much longer than in order of arrival, also where gangs share links.",
			true, true, 6 * 3600, 12 * 3600},
		{"dally-manual", "Dally-style with fixed timers", "A job refuses GPUs that lie too far apart until a fixed timer ends; one that no GPU type can hold takes a mix of types at once.",
			false, true, 6 * 3600, 12 * 3600},
		{"dally-nowait", "Dally-style without waiting", "A job takes the closest GPUs that are free at once; moves mend bad places.",
			false, true, 0, 0},
		{"dally-consolidated", "Dally-style consolidated", "A job waits for GPUs as close together as those in service allow; one that no GPU type can hold takes a mix of types at once.",
			false, false, endless, endless},
	} {
		firstWait, thenWait := "So long a job refuses a rack when a node could hold it. 1e9 = for ever.",
			"So much longer it refuses GPUs of several racks. 1e9 = for ever."
		formula := "takes an offer when waited ≥ timer(tier)"
		if x.auto {
			firstWait = "So long a job refuses a rack when a node could hold it, until three waits are known that its timer can follow. 1e9 = for ever."
			thenWait = "So much longer it refuses GPUs of several racks, until three waits are known that this timer can follow. 1e9 = for ever."
			formula = "takes an offer when waited ≥ timer(GPUs, tier); a tuned timer = head × (mean + spread × deviation of past waits)"
		}
		params := []policy.Param{
			{Name: "w0_s", Title: "Wait for one node", Kind: policy.Float, Unit: "s", Default: x.w0, Max: endless,
				Help: firstWait},
			{Name: "w1_s", Title: "Wait for one rack", Kind: policy.Float, Unit: "s", Default: x.w1, Max: endless,
				Help: thenWait},
			dallyClock, dallyOrder,
			{Name: "upgrade", Title: "Move closer together", Kind: policy.Bool, Default: x.moves,
				Help: "A running job that suffers moves to closer GPUs when that is believed to save ten times what it costs; where lengths are hidden each job is taken to be half done."},
			{Name: "evict", Title: "Make room for sensitive jobs", Kind: policy.Bool, Default: x.moves,
				Help: "Jobs that do not mind the network give way to one that does."},
			{Name: "min_run_s", Title: "Undisturbed after a start", Kind: policy.Float, Unit: "s", Default: 1800.0,
				Max: endless},
			{Name: "every_s", Title: "Look every", Kind: policy.Float, Unit: "s", Default: 300.0, Min: 1, Max: endless},
		}
		if x.auto {
			params = append(params,
				policy.Param{Name: "tune", Title: "Timers follow past waits", Kind: policy.Bool, Default: true},
				policy.Param{Name: "head", Title: "Headroom of a timer", Kind: policy.Float, Default: 1.25, Max: 100},
				policy.Param{Name: "spread", Title: "Deviations above the mean wait", Kind: policy.Float, Default: 2.0,
					Max: 100},
				policy.Param{Name: "floor_s", Title: "Least timer", Kind: policy.Float, Unit: "s", Default: 3600.0,
					Max: endless},
				policy.Param{Name: "cap_s", Title: "Longest timer", Kind: policy.Float, Unit: "s", Default: 86400.0,
					Max: endless},
				policy.Param{Name: "window_s", Title: "Waits are remembered for", Kind: policy.Float, Unit: "s",
					Default: 86400.0,
					Max:     endless})
		}
		policy.Register(&policy.Spec{ID: x.id, Title: x.title, Rev: 1, Summary: x.summary, Source: dallySource,
			Formula: formula,
			Params:  params,
			Needs:   policy.Needs{Racks: true},
			Cadence: func(_ model.Public, v policy.Values) sim.Cadence {
				return sim.Cadence{Every: unit.Seconds(v.Float("every_s")), On: sim.Arrival | sim.Finish | sim.Capacity}
			},
			New: func(m model.Public, v policy.Values) (sim.Policy, error) {
				d := &dally{cluster: m.Cluster, start: [2]float64{ticks(v, "w0_s"), ticks(v, "w1_s")},
					clock: v.Choice(dallyClock), byArrival: v.Choice(dallyOrder) == 1, upgrade: v.Bool("upgrade"),
					evict: v.Bool("evict"), minRun: ticks(v, "min_run_s")}
				if x.auto && v.Bool("tune") {
					d.tune, d.floor, d.window = true, ticks(v, "floor_s"), ticks(v, "window_s")
					d.head, d.spread = v.Float("head"), v.Float("spread")
					d.limit = max(d.floor, ticks(v, "cap_s"))
				}
				return d, nil
			}})
	}
}

// ticks reads seconds as ticks, +Inf of what is endless.
func ticks(v policy.Values, name string) float64 {
	if v.Float(name) >= endless {
		return math.Inf(1)
	}
	return float64(unit.Seconds(v.Float(name)))
}

// dally keeps the timers, by what past waits were, and each job's clock. Times are float64 ticks.
type dally struct {
	cluster              *model.Cluster
	start                [2]float64 // timers at the beginning: for a node, and further for a rack
	clock                int
	byArrival            bool
	upgrade, evict, tune bool
	minRun               float64
	floor, limit, window float64
	head, spread         float64
	jobs                 policy.ByJob[patience]
	demands              []demand // by GPUs
	placer               place.Placer
	queue, others        []sensitive
	budget               int          // so many jobs may still be moved or evicted at this decision
	usable               []int32      // GPUs by slot, for which what is kept of jobs holds
	told                 []words.Text // of the moves of this decision, while it is explained
	cleared              []cleared    // for whom others gave way, while it is explained
}

// patience is where one job stands.
type patience struct {
	known, held bool
	refused     unit.Tick // its first refused offer of this wait, unit.Never = none
	freed       unit.Tick // when it last held GPUs, or came
	started     unit.Tick
	evicted     int32      // how often
	offered     model.Tier // what it refused at this decision, or took
	slower      float64    // and how many times as long a step takes there as at its best
	lasted      unit.Tick  // how long it had refused offers when it took the last one
	refuses     bool
	bears       sensitive         // how the network bears on it, but for its progress, while it has these speeds
	speed       *model.Throughput // nil = that is not known
}

// cleared is a job for which others gave way at this decision, what that saves it and costs them, in GPU-s.
type cleared struct {
	job          model.JobID
	victims      []any
	saves, costs float64
}

// demand is what is known of the waits of jobs that ask for so many GPUs.
type demand struct {
	gpus  int32
	past  [2][]wait
	timer [2]float64 // as tuned last, < 0 = never
}

// wait is one past wait that got a tier.
type wait struct{ at, lasted float64 }

// The tuner (ours): a timer has room for most waits that were worth it.
const (
	dallySamples = 256 // remembered
	dallyFewest  = 3   // below them a timer stays
)

// Clone copies the timers and the clocks.
func (d *dally) Clone() sim.Policy {
	c := *d
	c.jobs, c.placer, c.queue, c.others, c.told, c.cleared = slices.Clone(d.jobs), place.Placer{}, nil, nil, nil, nil
	c.demands = slices.Clone(d.demands)
	for i := range c.demands {
		for l := range c.demands[i].past {
			c.demands[i].past[l] = slices.Clone(c.demands[i].past[l])
		}
	}
	return &c
}

// of is the demand of so many GPUs, which is added if it is new.
func (d *dally) of(gpus int32) *demand {
	at, known := slices.BinarySearchFunc(d.demands, gpus, func(x demand, g int32) int { return cmp.Compare(x.gpus, g) })
	if !known {
		d.demands = slices.Insert(d.demands, at, demand{gpus: gpus, timer: [2]float64{-1, -1}})
	}
	return &d.demands[at]
}

// timer is how long jobs of so many GPUs wait for a tier, in ticks; keep = it is asked for a decision, and stays as it
// is then while there are too few waits.
func (d *dally) timer(now float64, gpus int32, l int, keep bool) float64 {
	if !d.tune {
		return d.start[l]
	}
	if t := d.tuned(now, d.of(gpus), l, keep); t >= 0 {
		return t
	}
	power := int32(1) // the nearest smaller power of two stands in
	for power*2 < gpus {
		power *= 2
	}
	if at, known := slices.BinarySearchFunc(d.demands, power, func(x demand, g int32) int {
		return cmp.Compare(x.gpus, g)
	}); known && power < gpus {
		if t := d.tuned(now, &d.demands[at], l, keep); t >= 0 {
			return t
		}
	}
	return d.start[l]
}

// tuned is the timer that follows from the waits in the window, < 0 = there were never enough.
func (d *dally) tuned(now float64, x *demand, l int, keep bool) float64 {
	past := x.past[l]
	for len(past) > 0 && past[0].at < now-d.window {
		past = past[1:]
	}
	x.past[l] = past
	if len(past) < dallyFewest {
		return x.timer[l]
	}
	n, sum, squares := float64(len(past)), 0.0, 0.0
	for _, w := range past {
		sum += w.lasted
	}
	mean := sum / n
	for _, w := range past {
		squares += float64((w.lasted - mean) * (w.lasted - mean))
	}
	timer := min(max(float64(d.head*(mean+float64(d.spread*math.Sqrt(squares/n)))), d.floor), d.limit)
	if keep {
		x.timer[l] = timer
	}
	return timer
}

// remember adds a wait that got a tier (dally.md, Timers). It is the whole wait, also where a job that a node
// could hold takes a rack: such waits hold the node's timer too, after which the rack's begins, and make the rack's the
// longer one. Only waits for a rack by jobs that no node holds are what that timer is for alone.
func (d *dally) remember(now float64, gpus int32, l int, lasted float64) {
	if !d.tune || gpus == 1 { // one GPU is never refused, so that its waits tell nothing of patience
		return
	}
	x := d.of(gpus)
	x.past[l] = append(x.past[l], wait{now, lasted})
	if n := len(x.past[l]) - dallySamples; n > 0 {
		x.past[l] = slices.Delete(x.past[l], 0, n)
	}
}

// sensitive is a job as the network bears on it.
type sensitive struct {
	job      model.JobID
	progress float64              // its progress, against what its time would have brought on the closest GPUs
	slow     [model.Tiers]float64 // a step in a tier, on the type fastest there, takes so many at best
	rate     float64              // on the closest GPUs that it could have, steps per second
	best     model.Tier           // that the cluster could give it
	mixed    bool                 // no one type can hold it: it takes what it gets
}

// slowdownNextTier is how much slower the next worse tier makes it.
func (s *sensitive) slowdownNextTier() float64 { return s.slow[min(s.best+1, model.Network)] }

// look finds how the network bears on j.
func (d *dally) look(v sim.View, j model.JobID) sensitive {
	x := &d.jobs[j]
	if speed := v.Speed(j, 0); x.speed != speed {
		x.speed, x.bears = speed, d.bears(v, j)
	}
	s := x.bears
	if held := v.Attained(j).Seconds() / float64(v.Shape(j).Size); held > 0 && !s.mixed {
		s.progress = min(1, float64(v.Done(j))/s.rate/held)
	}
	return s
}

// bears is look without the progress.
func (d *dally) bears(v sim.View, j model.JobID) sensitive {
	s := sensitive{job: j, progress: 1, slow: [model.Tiers]float64{1, 1, 1}}
	tier, ok := d.placer.Tightest(d.cluster, v, j, v.Capacity)
	if !ok {
		s.mixed = true
		return s
	}
	s.best, s.rate = tier, float64(v.Rate(j, 0, d.placer.Gang()))
	for t := tier + 1; t <= model.Network && v.Shape(j).Size > 1; t++ { // one GPU has nothing to exchange
		r := 0.0
		for typ := range d.cluster.Types {
			if id := model.TypeID(typ); v.CapacityOf(id) >= v.Shape(j).Size {
				r = max(r, float64(v.Speed(j, 0).Rate(id, v.Shape(j).Size, t)))
			}
		}
		s.slow[t] = max(1, s.rate/r) // no end where it does not run
	}
	return s
}

// byHarm orders jobs: who has progressed least for the time on GPUs first, then whom distance slows more, then by age.
func byHarm(a, b sensitive) int {
	return cmp.Or(cmp.Compare(a.progress, b.progress),
		cmp.Compare(b.slowdownNextTier(), a.slowdownNextTier()), cmp.Compare(a.job, b.job))
}

// Decide makes upgrades, offers GPUs to the queue, evicts, and offers once more (ours).
func (d *dally) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	d.told, d.cleared = nil, nil
	d.book(v)
	d.queue, d.others = d.queue[:0], d.others[:0]
	running := 0
	for _, j := range v.Active() {
		if v.Holds(j) {
			running++
			if d.upgrade || d.evict || w.Detail != nil {
				d.others = append(d.others, d.look(v, j))
			}
			continue
		}
		d.queue = append(d.queue, d.look(v, j))
	}
	if !d.byArrival {
		slices.SortFunc(d.queue, byHarm)
	}
	d.budget = max(1, running/dallyShare)
	d.tell(v, w)
	if d.upgrade {
		slices.SortFunc(d.others, byHarm)
		d.upgrades(v, p, w)
	}
	d.offer(v, p, w)
	if d.evict && d.evictions(v, p, w) {
		d.offer(v, p, w)
	}
	for _, j := range v.Active() {
		x := &d.jobs[j]
		switch {
		case p.Holds(j):
			if !x.held {
				x.started = v.Now()
			}
			x.held, x.refused = true, unit.Never
		case x.held: // evicted: a new wait begins
			x.held, x.refused, x.freed = false, unit.Never, v.Now()
		}
	}
	if sim.Explains && w.Detail != nil {
		d.explain(v, p, w)
	}
}

// tell tells the timers that waiting jobs meet at this decision.
func (d *dally) tell(v sim.View, w *sim.Why) {
	now := float64(v.Now())
	for i := range d.queue {
		if gpus := v.Shape(d.queue[i].job).Size; gpus > 1 {
			w.Tell(&trace.WaitsNode, gpus, min(d.timer(now, gpus, 0, false)/1000, endless))
			w.Tell(&trace.WaitsRack, gpus, min(d.timer(now, gpus, 1, false)/1000, endless))
		}
	}
}

// book takes in who came, and who lost GPUs to a fault.
func (d *dally) book(v sim.View) {
	changed := len(d.usable) == 0
	for s := range d.cluster.Slots {
		changed = changed || d.usable[s] != v.Capacity(model.SlotID(s))
	}
	if changed {
		d.usable = make([]int32, len(d.cluster.Slots)) // a new one, for clones share the last
		for s := range d.usable {
			d.usable[s] = v.Capacity(model.SlotID(s))
		}
		for j := range d.jobs {
			d.jobs[j].speed = nil
		}
	}
	for _, j := range v.Active() {
		x := d.jobs.Of(j, patience{})
		if !x.known {
			*x = patience{known: true, refused: unit.Never, freed: v.Arrive(j)}
		}
		if x.held && !v.Holds(j) {
			x.held, x.refused, x.freed = false, unit.Never, v.Now()
		}
		x.refuses = false
	}
}

// waited is for how long j has been patient, in ticks.
func (d *dally) waited(v sim.View, j model.JobID) float64 {
	x, from := &d.jobs[j], v.Arrive(j)
	switch d.clock {
	case 0:
		from = min(x.refused, v.Now())
	case 1:
		from = x.freed
	}
	return float64(v.Now() - from)
}

// patience is how long j refuses an offer in tier, in ticks.
func (d *dally) patience(v sim.View, s *sensitive, tier model.Tier) float64 {
	sum := 0.0
	for l := s.best; l < tier; l++ {
		sum += d.timer(float64(v.Now()), v.Shape(s.job).Size, int(l), true)
	}
	return sum
}

// offer asks the waiting jobs in order. Who refuses does not block the next.
func (d *dally) offer(v sim.View, p *sim.Plan, w *sim.Why) {
	for i := range d.queue {
		s := &d.queue[i]
		j, x := s.job, &d.jobs[s.job]
		if p.Holds(j) {
			continue
		}
		if s.mixed {
			if d.placer.Fastest(d.cluster, v, p, j) {
				w.Chose(j, s.progress, 0, 0)
			} else {
				policy.WaitForRoom(d.cluster, v, p, w, j)
			}
			continue
		}
		if _, free := place.Free(d.cluster, p); free < v.Shape(j).Size {
			policy.WaitForRoom(d.cluster, v, p, w, j)
			continue
		}
		tier, ok := d.placer.Tightest(d.cluster, v, j, p.Free)
		if !ok {
			policy.WaitForRoom(d.cluster, v, p, w, j)
			continue
		}
		waited, timer := d.waited(v, j), d.patience(v, s, tier)
		if tier > s.best && waited < timer {
			if x.refused == unit.Never {
				x.refused = v.Now()
			}
			x.refuses, x.offered, x.slower = true, tier, s.rate/float64(v.Rate(j, 0, d.placer.Gang()))
			w.Wait(j, trace.WaitCloser, s.slow[tier], min((timer-waited)/1000, endless), float64(tier))
			continue
		}
		if !d.placer.Put(p, j) {
			policy.WaitForRoom(d.cluster, v, p, w, j)
			continue
		}
		x.refuses, x.offered, x.lasted = false, tier, v.Now()-min(x.refused, v.Now())
		w.Chose(j, s.progress, waited/1000, timer/1000)
		now, size := float64(v.Now()), v.Shape(j).Size
		for l := s.best; l < tier && x.refused != unit.Never; l++ { // its patience ended: it would have waited longer
			d.remember(now, size, int(l), d.timer(now, size, int(l), true))
		}
		if tier < model.Network {
			d.remember(now, size, int(tier), waited)
		}
	}
}
