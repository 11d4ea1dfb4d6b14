package policy

import (
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/share"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func init() {
	register(&Spec{
		ID: "gandiva", Title: "Gandiva", Rev: 1,
		Summary: "Slices time equally; when more GPUs are asked for than there are, tries random pairs of jobs on one GPU and keeps those that pay.",
		Source:  "Gandiva (OSDI 2018) as modelled in Gavel's baselines, with Gavel's rounds",
		Formula: "Target: every job alike; Priority = Target ÷ Received, each round the largest goes first; a pair stays while Σ over types of (speeds together ÷ speeds alone) ≥ 1",
		Cadence: fixed(gavelCadence),
		Params: []Param{minReset, {Name: "pack", Title: "Pack pairs", Kind: Bool, Default: true,
			Help: "Pairs need measured speeds of two models on one GPU; without them there is only time slicing."}},
		Random: func(v Values) bool { return v.Bool("pack") },
		New: func(m model.Public, v Values) (sim.Policy, error) {
			return &gandiva{cluster: m.Cluster, round: m.Round, pack: v.Bool("pack") && m.Pairs,
				random: unit.Source(m.Seed, "gandiva pairs"),
				mech:   share.New(len(m.Cluster.Types), m.Round, unit.Seconds(v.Float("min_reset_s")), false)}, nil
		},
	})
}

// gandiva shares time between units: single jobs and pairs. The mechanism knows a unit by a number of its
// own, see entry.
type gandiva struct {
	cluster *model.Cluster
	round   unit.Tick
	pack    bool
	random  *rand.PCG
	mech    *share.Mechanism
	partner []model.JobID // by job; None = single
	tasks   []unitTask    // of the round that ends now
	start   unit.Tick

	units   []pairUnit
	singles []model.JobID
	entries []model.JobID
	cands   []share.Candidate
	rates   []unit.Rate
	free    []int32
	x       []float64
	picks   []share.Pick
	gang    []model.Shard
	keep    []bool // picks that found their old GPUs free
}

type unitTask struct {
	entry model.JobID
	typ   model.TypeID
	end   unit.Tick
}

func (g *gandiva) Clone() sim.Policy {
	random := *g.random
	return &gandiva{cluster: g.cluster, round: g.round, pack: g.pack, random: &random, mech: g.mech.Clone(),
		partner: slices.Clone(g.partner), tasks: slices.Clone(g.tasks), start: g.start}
}

func (g *gandiva) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	now := v.Now()
	for _, t := range g.tasks {
		g.mech.Book(t.entry, t.typ, min(t.end, now)-g.start)
	}
	for _, j := range v.Ended() {
		g.part(j)
		g.mech.Remove(2 * j)
	}
	for _, j := range v.Arrived() {
		for int(j) >= len(g.partner) {
			g.partner = append(g.partner, model.None)
		}
		g.mech.Admit(2 * j)
	}
	g.tasks, g.start = g.tasks[:0], now
	if g.mech.Due(now, false) {
		g.reset(v)
	}
	g.candidates(v)
	picks := g.choose(v)
	if !slices.ContainsFunc(picks, func(q share.Pick) bool { return q.Allocated }) && g.mech.Due(now, true) {
		g.reset(v) // nobody in the allocation can run: an idle cluster need not wait
		g.candidates(v)
		picks = g.choose(v)
	}
	g.record(v, w, picks)
	p.Clear()
	g.place(v, p, picks)
	end := unit.Tick(0)
	for _, t := range g.tasks {
		end = max(end, t.end)
	}
	if len(g.tasks) > 0 {
		p.WakeAt(end)
	}
}

// candidates lists the units of the present pairing with their speeds.
func (g *gandiva) candidates(v sim.View) {
	types, jobs := len(g.cluster.Types), v.Active()
	g.units, g.cands = g.units[:0], g.cands[:0]
	g.rates = slices.Grow(g.rates[:0], 2*len(jobs)*types)
	for _, j := range jobs {
		if u := (pairUnit{j, g.partner[j]}); u.with < 0 || u.with > j {
			g.add(v, u)
		}
	}
}

func (g *gandiva) add(v sim.View, u pairUnit) {
	from := len(g.rates)
	for t := range g.cluster.Types {
		g.rates = append(g.rates, g.rate(v, u, model.TypeID(t)))
	}
	g.units = append(g.units, u)
	g.cands = append(g.cands, share.Candidate{Job: u.entry(), GPUs: v.Shape(u.job).Min, Rates: g.rates[from:]})
}

// rate is the speed of the unit's first member on a type, 0 if a member cannot run there.
func (g *gandiva) rate(v sim.View, u pairUnit, t model.TypeID) unit.Rate {
	size := v.Shape(u.job).Min
	if g.count(v, t) < size {
		return 0
	}
	if u.with < 0 {
		return v.Speed(u.job, 0).Rate(t, size, false)
	}
	a, b := g.pairRates(v, u, t)
	if b <= 0 {
		return 0
	}
	return a
}

func (g *gandiva) count(v sim.View, t model.TypeID) int32 {
	n := int32(0)
	for s := range g.cluster.Slots {
		if g.cluster.Slots[s].Type == t {
			n += v.Capacity(model.SlotID(s))
		}
	}
	return n
}

// reset draws new pairs if the cluster is too small, and gives every unit an equal part of it:
// N_j/(m·s) of the time on type j, at most all of its time, for m units.
func (g *gandiva) reset(v sim.View) {
	asked, there := int32(0), int32(0)
	for _, j := range v.Active() {
		asked += v.Shape(j).Min
	}
	for s := range g.cluster.Slots {
		there += v.Capacity(model.SlotID(s))
	}
	g.pair(v, g.pack && asked > there)
	g.candidates(v)
	types := len(g.cluster.Types)
	n := 0
	for i := range g.cands {
		if runs(&g.cands[i]) {
			n++
		}
	}
	g.entries, g.x = g.entries[:0], g.x[:0]
	for i, u := range g.units {
		c := &g.cands[i]
		if u.with >= 0 { // alone they have no share now
			g.entries = append(g.entries, 2*u.job, 2*u.with)
			g.x = append(g.x, make([]float64, 2*types)...)
		}
		if !runs(c) {
			continue
		}
		sum, from := 0.0, len(g.x)
		for t := range types {
			y := float64(g.count(v, model.TypeID(t))) / float64(float64(n)*float64(c.GPUs))
			g.x = append(g.x, y)
			sum += y
		}
		for t := range types {
			g.x[from+t] /= max(1, sum)
			if c.Rates[t] <= 0 {
				g.x[from+t] = 0
			}
		}
		g.entries = append(g.entries, u.entry())
	}
	g.mech.Reset(v.Now(), g.entries, g.x)
}

// choose picks the units of the coming round. Members of pairs that are not among them fill what is left
// alone: their priority is 0.
func (g *gandiva) choose(v sim.View) []share.Pick {
	g.free = g.free[:0]
	for t := range g.cluster.Types {
		g.free = append(g.free, g.count(v, model.TypeID(t)))
	}
	g.picks = append(g.picks[:0], g.mech.Choose(g.cluster.BySpeed, g.cands, g.free)...)
	n := len(g.units)
	for i, u := range g.units[:n] {
		if u.with >= 0 && !g.chosen(i) {
			g.add(v, pairUnit{u.job, model.None})
			g.add(v, pairUnit{u.with, model.None})
		}
	}
	for _, q := range g.mech.Choose(g.cluster.BySpeed, g.cands[n:], g.free) {
		q.At += n
		g.picks = append(g.picks, q)
	}
	return g.picks
}

func (g *gandiva) chosen(unit int) bool {
	return slices.ContainsFunc(g.picks, func(q share.Pick) bool { return q.At == unit && q.Allocated })
}

// place gives the picks GPUs type by type: those that keep theirs first, large gangs before small ones, node
// after node.
func (g *gandiva) place(v sim.View, p *sim.Plan, picks []share.Pick) {
	slices.SortStableFunc(picks, func(a, b share.Pick) int {
		if a.Type != b.Type {
			return slices.Index(g.cluster.BySpeed, a.Type) - slices.Index(g.cluster.BySpeed, b.Type)
		}
		return int(g.cands[b.At].GPUs - g.cands[a.At].GPUs)
	})
	g.keep = append(g.keep[:0], make([]bool, len(picks))...)
	for i := range picks {
		if q := &picks[i]; q.Allocated && g.held(v, p, q) {
			g.run(v, p, q)
			g.keep[i] = true
		}
	}
	for i := range picks {
		if q := &picks[i]; q.Allocated && !g.keep[i] && g.fill(p, q) {
			g.run(v, p, q)
		}
	}
}

// held puts the GPUs that the unit's first member has held into g.gang if they are of the type and free.
func (g *gandiva) held(v sim.View, p *sim.Plan, q *share.Pick) bool {
	gang, ok := place.Kept(g.gang, g.cluster, v, p, g.units[q.At].job, q.Type)
	g.gang = gang
	return ok
}

// fill puts the first free GPUs of the type, node after node, into g.gang.
func (g *gandiva) fill(p *sim.Plan, q *share.Pick) bool {
	gang, ok := place.FirstFree(g.gang, g.cluster, p, q.Type, g.cands[q.At].GPUs)
	g.gang = gang
	return ok
}

// run states the unit's gang with the whole steps that each member does in this round.
func (g *gandiva) run(v sim.View, p *sim.Plan, q *share.Pick) {
	u := g.units[q.At]
	p.Open(u.job, 0)
	for _, sh := range g.gang {
		p.Take(sh.Slot, sh.N)
	}
	end := v.Now()
	if u.with < 0 {
		end = max(end, g.quota(v, p, u.job, v.Rate(u.job, 0, g.gang)))
	} else {
		a, b := v.Rate(u.job, 0, g.gang, u.with), v.Rate(u.with, 0, g.gang, u.job)
		end = max(end, g.quota(v, p, u.job, a))
		p.Join(u.with)
		end = max(end, g.quota(v, p, u.with, b))
	}
	if p.Close() {
		g.tasks = append(g.tasks, unitTask{q.Job, q.Type, end})
	}
}

// quota states the member's steps and returns when they are done.
func (g *gandiva) quota(v sim.View, p *sim.Plan, j model.JobID, rate unit.Rate) unit.Tick {
	stall := v.Charge(j, g.gang)
	steps := rate.WholeSteps(g.round - stall)
	if steps == 0 { // less than one step a round would never progress
		steps = rate.Over(max(0, g.round-stall))
	}
	if left, ok := v.Remaining(j); ok && !v.Outlived(j) {
		steps = min(steps, left)
	}
	p.Quota(steps)
	if steps <= 0 {
		return v.Now() + g.round
	}
	return v.Now() + stall + rate.Until(steps)
}

// record states the reasons: priority, target and received share on the type that matters. Units come first,
// then members of pairs that run alone.
func (g *gandiva) record(v sim.View, w *sim.Why, picks []share.Pick) {
	for i, u := range g.units {
		c := &g.cands[i]
		at := slices.IndexFunc(picks, func(q share.Pick) bool { return q.At == i && q.Allocated })
		best, target, got := 0.0, 0.0, 0.0
		for t := range c.Rates {
			x, r, priority, _ := g.mech.Standing(c.Job, model.TypeID(t), c.Rates[t])
			if at >= 0 && picks[at].Type == model.TypeID(t) || at < 0 && priority > best {
				best, target, got = priority, x, r
			}
		}
		for _, j := range [...]model.JobID{u.job, u.with} {
			switch {
			case j < 0:
			case at >= 0:
				w.Chose(j, best, target, got)
			case i > 0 && g.partner[j] >= 0 && u.with < 0: // said with its pair
			case g.partner[j] < 0 && !runs(c):
				w.Wait(j, trace.WaitShape, float64(c.GPUs), 0, 0)
			case !g.mech.Allocated(c.Job) && g.partner[j] < 0:
				w.Wait(j, trace.WaitReset, max(0, g.mech.NextReset()-v.Now()).Seconds(), 0, 0)
			default:
				w.Wait(j, trace.WaitShare, target, got, best)
			}
		}
	}
	if w.Detail != nil {
		g.explain(v, w.Detail, picks)
	}
}

func (g *gandiva) explain(v sim.View, d *sim.Detail, picks []share.Pick) {
	for _, q := range picks {
		d.Order = append(d.Order, g.units[q.At].job)
	}
	for _, j := range v.Active() {
		ch := sim.Choice{Job: j}
		i := slices.IndexFunc(g.units, func(u pairUnit) bool { return u.job == j || u.with == j })
		c := &g.cands[i]
		for _, t := range g.cluster.BySpeed {
			target, got, priority, deficit := g.mech.Standing(c.Job, t, c.Rates[t])
			ch.Shares = append(ch.Shares, sim.Share{Type: t, Target: target, Received: got, Priority: priority,
				Deficit: unit.Seconds(deficit), Rate: c.Rates[t]})
		}
		d.Choices = append(d.Choices, ch)
	}
}
