// Package auction has the policies that sell GPUs: Themis-style, which lends them for a time and auctions what is
// free among the jobs that are worst off.
package auction

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// Themis is fair over the whole life of a job: ρ compares when it will finish with when it would have
// finished on an equal share of the cluster, and the worst off are served first. GPUs are lent for a
// lease; what is free or has expired is auctioned among the part 1 − f of the jobs with the worst ρ.
//
// The original has each application bid for itself, and hides payments in the auction so that nobody
// gains from lying. Here bids are computed from the truth, so the payments are left out.
func init() {
	policy.Register(&policy.Spec{
		ID: "themis", Title: "Themis-style", Rev: 1,
		Summary: "Leases GPUs and auctions free and expired ones among the jobs that are worst off against an equal share of the cluster.",
		Source:  "Themis (NSDI 2020), reconstructed from notes; no payments, since bids here are honest; gangs bid for all or nothing; orders of up to four bidders are tried, and of more the worst off goes first, who loses counts as if it waited a lease more, and an equal share is one of the mean number of jobs since it came (ours); applications of several jobs are left out",
		Formula: "ρ = (time so far + steps left ÷ best speed) ÷ time on an equal share of the cluster; the worst 1 − f of the jobs without a lease bid, the largest Π 1/ρ wins",
		Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
		Needs:   policy.Needs{Lengths: true},
		Random:  func(policy.Values) bool { return true },
		Params: []policy.Param{
			{Name: "lease_s", Title: "Lease", Kind: policy.Float, Unit: "s", Default: 1200.0, Min: 1, Max: 1e7,
				Help: "How long GPUs are leased; after that they are auctioned again."},
			{Name: "fairness", Title: "Fairness knob f", Kind: policy.Float, Default: 0.8, Min: 0, Max: 1,
				Help: "Only the part 1 − f of the jobs without a lease, rounded up and at least one, bids: those with the worst ρ. More is meant to be fairer and less to be more efficient; neither holds in every scenario."},
		},
		New: func(m model.Public, v policy.Values) (sim.Policy, error) {
			return &themis{cluster: m.Cluster, gpus: m.Cluster.Counts(), lease: unit.Seconds(v.Float("lease_s")),
				knob: v.Float("fairness"), random: unit.Source(m.Seed, "themis leftovers")}, nil
		},
	})
}

// themis keeps the leases, and with how many others each job has shared the cluster, which says what
// its fair share would have been.
type themis struct {
	cluster *model.Cluster
	gpus    []int32 // by type; never changed
	lease   unit.Tick
	knob    float64
	random  *rand.PCG
	jobs    policy.ByJob[tenure]
	// crowd is the integral of the number of active jobs over time, up to last; count were active since.
	crowd, last, count unit.Tick

	placer place.Placer
	pool   []bid
	free   int32
	path   []int32 // bidders in the order being tried
	best   []int32 // the order in which they are served
	value  float64
}

// tenure is what is kept of a job from decision to decision.
type tenure struct {
	known bool
	until unit.Tick // end of its lease
	since unit.Tick // crowd at its arrival
}

// bid is a job without a lease. Times in seconds.
type bid struct {
	job       model.JobID
	rho       float64 // if it ran at its best speed from now on
	age       float64
	ideal     float64 // its duration on a 1/N share of the cluster
	left      float64 // remaining steps
	best      float64 // steps/s
	sensitive float64 // how many times slower it is over several nodes
	turn      int     // in the auction
	won       bool
}

// Clone copies the leases, the time that jobs have shared, and the state of the random stream.
func (t *themis) Clone() sim.Policy {
	random := *t.random
	return &themis{cluster: t.cluster, gpus: t.gpus, lease: t.lease, knob: t.knob, random: &random,
		jobs: slices.Clone(t.jobs), crowd: t.crowd, last: t.last, count: t.count}
}

// Decide sells free and expired GPUs: first in an auction among the jobs that are worst off, then what
// is left to the others. The next decision is due when the first lease ends.
func (t *themis) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	t.gather(v, p)
	for s := range t.cluster.Slots {
		t.free += max(p.Free(model.SlotID(s)), 0)
	}
	forSale := t.free > 0
	// At least one job bids, and nobody because of rounding in (1-f)·n.
	n := min(len(t.pool), max(1, int(math.Ceil(float64((1-t.knob)*float64(len(t.pool)))-unit.Rounding))))
	bidders, others := t.pool[:n], t.pool[n:]
	t.auction(v, p, bidders)
	t.leftovers(v, p, others)

	least, next := -1.0, unit.Never
	if forSale && n > 0 {
		least = bidders[n-1].rho
	}
	for _, j := range v.Active() {
		if p.Holds(j) {
			next = min(next, t.jobs[j].until)
		}
	}
	p.WakeAt(next)
	if next == unit.Never {
		next = v.Now()
	}
	for i := range t.pool {
		b := &t.pool[i]
		if b.won {
			w.Chose(b.job, b.rho, 0, 0)
		} else {
			w.Wait(b.job, trace.WaitAuction, b.rho, least, (next - v.Now()).Seconds())
		}
	}
	if sim.Explains && w.Detail != nil {
		t.explain(v, p, w, n, least, next)
	}
}

// gather books the time since the last decision and fills the pool with the jobs that have no lease,
// worst off first. Expired leases give their GPUs back, so that they are for sale; their holders bid
// for them like the others.
func (t *themis) gather(v sim.View, p *sim.Plan) {
	now := v.Now()
	t.crowd += t.count * (now - t.last)
	t.last, t.count = now, unit.Tick(len(v.Active()))
	t.pool, t.free = t.pool[:0], 0
	for _, j := range v.Active() {
		s := t.jobs.Of(j, tenure{})
		if !s.known {
			*s = tenure{known: true, since: t.crowd}
		}
		if v.Holds(j) && s.until > now {
			continue
		}
		p.Drop(j)
		t.pool = append(t.pool, t.bidOf(v, j))
	}
	unit.Sort(t.pool, func(a, b bid) int { return cmp.Compare(b.rho, a.rho) }) // of equals the older
}

// bidOf computes the job's finish-time fairness ρ: the time to its end as it stands, over that on a 1/N
// share of the cluster, with N the mean number of jobs over its life so far. It runs at its best speed
// from now on in this estimate, since that is what it would win.
func (t *themis) bidOf(v sim.View, j model.JobID) bid {
	total, _ := v.Total(j)
	left, _ := v.Remaining(j)
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	b := bid{job: j, age: (v.Now() - v.Arrive(j)).Seconds(), left: float64(left), sensitive: 1}
	for typ := range t.cluster.Types {
		if r := float64(speed.Rate(model.TypeID(typ), size, model.OneNode)); r > b.best {
			b.best, b.sensitive = r, math.Inf(1)
			if s := float64(speed.Rate(model.TypeID(typ), size, model.Network)); s > 0 {
				b.sensitive = r / s
			}
		}
	}
	crowd := float64(len(v.Active()))
	if d := v.Now() - v.Arrive(j); d > 0 {
		crowd = max(1, float64(t.crowd-t.jobs[j].since)/float64(d))
	}
	b.ideal = float64(total) / max(t.isolated(v, j, crowd), unit.Tiny)
	// To a millionth, so that jobs that are alike tie, and tie by age.
	b.rho = math.Floor(float64(t.rho(&b, 0, b.best)*1e6)+0.5) / 1e6
	return b
}

// isolated is the speed in steps per second on a 1/n share of the cluster: N_r/(n·s) of the time on
// each type, all of its time at most.
func (t *themis) isolated(v sim.View, j model.JobID, n float64) float64 {
	size, speed := v.Shape(j).Size, v.Speed(j, 0)
	rate, sum := 0.0, 0.0
	for typ, all := range t.gpus {
		y := float64(all) / float64(n*float64(size))
		sum += y
		rate += float64(y * float64(speed.Rate(model.TypeID(typ), size, model.OneNode)))
	}
	return rate / max(1, sum)
}

// rho is the job's finish-time fairness if it goes on at a speed after a delay in seconds: its duration
// then over its duration on an equal share. 1 is fair, and more is worse.
func (t *themis) rho(b *bid, delay, rate float64) float64 {
	return (b.age + delay + b.left/max(rate, unit.Tiny)) / b.ideal
}

// auction gives GPUs to the bidders so that the product of 1/ρ is greatest (Themis, partial allocation
// without payments). Up to four bidders are tried in all orders; more are served in order of ρ, since
// the orders would be too many. A loser's ρ is that of waiting for one lease.
func (t *themis) auction(v sim.View, p *sim.Plan, bidders []bid) {
	if len(bidders) == 0 {
		return
	}
	t.best = t.best[:0]
	for i := range bidders {
		t.best = append(t.best, int32(i))
	}
	if len(bidders) > 1 && len(bidders) <= 4 {
		t.path, t.value = t.path[:0], 0
		t.try(v, p, bidders, 1)
	}
	for turn, i := range t.best {
		bidders[i].turn = turn
		t.sell(v, p, &bidders[i])
	}
}

// try extends the present order by every bidder not yet in it, and keeps the best whole order in
// t.best; of equal ones the first. A bidder gets the fastest GPUs that those before it have left, which
// is why the order decides.
func (t *themis) try(v sim.View, p *sim.Plan, bidders []bid, value float64) {
	if len(t.path) == len(bidders) {
		if value > float64(t.value*(1+unit.Rounding)) {
			t.value = value
			t.best = append(t.best[:0], t.path...)
		}
		return
	}
	for i := range bidders {
		if slices.Contains(t.path, int32(i)) {
			continue
		}
		b, mark, free := &bidders[i], p.Mark(), t.free
		t.path = append(t.path, int32(i))
		rho := t.rho(b, t.lease.Seconds(), b.best)
		if rate, stall := t.place(v, p, b.job); rate > 0 {
			rho = t.rho(b, stall.Seconds(), float64(rate))
		}
		t.try(v, p, bidders, value/rho)
		t.path = t.path[:len(t.path)-1]
		p.Undo(mark)
		t.free = free
	}
}

// leftovers gives what the auction has left to the jobs that did not bid. Those that lose most when
// spread over several nodes choose first, while there still are GPUs that sit together; the rest go at
// random, so that nobody is favoured.
func (t *themis) leftovers(v sim.View, p *sim.Plan, others []bid) {
	t.best = t.best[:0]
	for i := range others {
		t.best = append(t.best, int32(i))
	}
	rand.New(t.random).Shuffle(len(others), func(i, k int) { t.best[i], t.best[k] = t.best[k], t.best[i] })
	slices.SortStableFunc(t.best, func(a, b int32) int { return cmp.Compare(others[b].sensitive, others[a].sensitive) })
	for _, i := range t.best {
		t.sell(v, p, &others[i])
	}
}

// sell places the job, if anything fits, and writes its lease.
func (t *themis) sell(v sim.View, p *sim.Plan, b *bid) {
	if rate, _ := t.place(v, p, b.job); rate > 0 {
		b.won = true
		t.jobs[b.job].until = v.Now() + t.lease
	}
}

// place gives j the fastest gang that is free, or what it held if that is as fast, since staying costs
// no stall. It returns speed and stall; a speed of 0 says that nothing fits.
func (t *themis) place(v sim.View, p *sim.Plan, j model.JobID) (unit.Rate, unit.Tick) {
	size := v.Shape(j).Size
	if t.free < size {
		return 0, 0
	}
	mark := p.Mark()
	if !t.placer.Fastest(t.cluster, v, p, j) {
		return 0, 0
	}
	t.free -= size
	rate := v.Rate(j, 0, t.placer.Gang())
	if !v.Holds(j) {
		return rate, v.Charge(j, nil)
	}
	held := v.Gang(j, 0)
	if old := v.Rate(j, 0, held); old >= rate {
		p.Undo(mark)
		if p.Keep(j) {
			return old, v.Charge(j, held)
		}
		t.placer.Fastest(t.cluster, v, p, j)
	}
	return rate, v.Charge(j, t.placer.Gang())
}

// fits says whether all that was for sale would hold a job.
func (t *themis) fits(v sim.View, p *sim.Plan, j model.JobID) bool {
	before, free := p.Mark(), t.free
	for i := range t.pool {
		if b := &t.pool[i]; b.won {
			p.Drop(b.job)
			t.free += v.Shape(b.job).Size
		}
	}
	rate, _ := t.place(v, p, j)
	p.Undo(before)
	t.free = free
	return rate > 0
}

// bidColumns are those of the table of bids.
var bidColumns = []sim.Column{{Name: "Job"}, {Name: "Fairness ρ"}, {Name: "On an equal share", Unit: "s"}}

// explain says of each bid how badly off its job is, and of each job with a lease how long that lasts. The first of the
// pool are the bidders; of jobs that are as badly off as the last of these, those after them did not bid.
func (t *themis) explain(v sim.View, p *sim.Plan, w *sim.Why, bidders int, least float64, next unit.Tick) {
	d := w.Detail
	auction := &sim.Table{Title: words.Say("The auction"), Columns: bidColumns}
	for i := range t.pool {
		b := &t.pool[i]
		d.Order = append(d.Order, b.job)
		c := d.Of(b.job)
		if b.best > 0 {
			auction.Rows = append(auction.Rows, sim.Row{Cells: []any{b.job, b.rho, b.ideal}})
			c.Sections = append(c.Sections, &sim.Section{Formula: append([]words.Text{policy.Line(
				"fairness ρ = (so far + steps left ÷ best speed) ÷ time on an equal share = ({0} + {1} ÷ {2}) ÷ {3} = {4}",
				b.age, b.left, b.best, b.ideal, b.rho)}, append(policy.BestOutOfReach(t.cluster, v, b.job),
				policy.ShareOutOfReach(t.cluster, v.Shape(b.job).Size, policy.Speeds(v, b.job))...)...)})
		} else { // neither time has an end
			auction.Rows = append(auction.Rows, sim.Row{Cells: []any{b.job, b.rho, nil}})
			c.Sections = append(c.Sections, &sim.Section{Note: words.Say("It has no speed on one node, so that its ρ means nothing.")})
		}
		switch {
		case b.won && i < bidders:
			c.Says = words.Say("its fairness ρ is {0}, which lets it bid, and its bid wins", b.rho)
		case b.won && b.rho >= least:
			c.Says = words.Say("its fairness ρ is {0}, as is that of others who bid: {1}; it gets what they leave", b.rho,
				policy.ByAge(v, t.pool[bidders-1].job, b.job))
		case b.won:
			c.Says = words.Say("its fairness ρ is {0}; only jobs with {1} or more bid, and it gets what they leave", b.rho,
				least)
		case !policy.Serves(t.cluster, v):
			c.Says = words.Say("its fairness ρ is {0}, and no GPU is in service", b.rho)
		case least < 0:
			c.Says = words.Say("its fairness ρ is {0}; no GPU is free, and the next lease ends in {1}", b.rho,
				sim.Seconds((next - v.Now()).Seconds()))
		case b.rho < least:
			c.Says = words.Say("its fairness ρ is {0}, and only jobs with {1} or more bid; {2}", b.rho, least,
				policy.Room(t.cluster, v, p, b.job))
		case i >= bidders:
			c.Says = words.Say("its fairness ρ is {0}, as is that of others who bid: {1}; {2}", b.rho,
				policy.ByAge(v, t.pool[bidders-1].job, b.job), policy.Room(t.cluster, v, p, b.job))
		case !slices.ContainsFunc(t.pool, func(b bid) bool { return b.won }):
			c.Says = words.Say("its fairness ρ is {0} and it bids; {1}", b.rho, policy.Room(t.cluster, v, p, b.job))
		case !t.fits(v, p, b.job):
			c.Says = words.Say(
				"its fairness ρ is {0} and it bids, but would find no place even on all that is for sale, which others can use; {1}",
				b.rho, policy.Room(t.cluster, v, p, b.job))
		default:
			var before []any // winners that were served before it
			for k := range t.pool[:bidders] {
				if w := &t.pool[k]; w.won && w.turn < b.turn {
					before = append(before, words.Say("{0} ({1})", w.job, w.rho))
				}
			}
			c.Says = words.Say("its fairness ρ is {0} and it bids; {1}; {2}", b.rho,
				policy.GoFirst(before[:min(len(before), 2)], len(before)), policy.Room(t.cluster, v, p, b.job))
		}
	}
	for _, j := range v.Active() {
		if !slices.ContainsFunc(t.pool, func(b bid) bool { return b.job == j }) {
			d.Of(j).Says = words.Say("its lease lasts {0} more",
				sim.Seconds((t.jobs[j].until - v.Now()).Seconds()))
		}
	}
	section := &sim.Section{Table: auction, Title: words.Say(
		"Fairness ρ = (time so far + steps left ÷ best speed) ÷ time on an equal share of the cluster; the jobs that are worst off bid")}
	if n, all := place.InService(t.cluster, v); n < all {
		section.Note = words.Say("An equal share counts every GPU that the cluster ever has; in service now are {0} of {1}.", n, all)
	}
	d.Sections = append(d.Sections, section)
}
