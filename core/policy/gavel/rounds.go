package gavel

import (
	"math/rand/v2"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/timeshare"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// timeSharer is a policy that divides time among jobs and pairs of jobs. It says who shall have how much and
// why; rounds does all the rest.
type timeSharer interface {
	// allocate hands the mechanism a new allocation with Reset.
	allocate(v sim.View)
	// choose lists the candidates of the coming round and lets the mechanism pick among them.
	choose(v sim.View)
	// record states the reasons for the round's picks, before they are placed.
	record(v sim.View, w *sim.Why)
}

// rounds drives a policy that shares time: it books what ran, asks for a new allocation when one is due, has
// the next ones picked, gives them GPUs and whole steps, and ends the round when the longest of them is done
// (Gavel, OSDI 2020, section 5).
type rounds struct {
	cluster *model.Cluster
	round   unit.Tick // the longest that a round may last
	mech    *timeshare.Mechanism
	shuffle *rand.PCG // types choose in an order drawn anew each round; nil = fastest first
	// stayFirst places the gangs that can stay before all others; otherwise larger gangs go before them.
	stayFirst bool
	// stayOlder lets a pair stay only on the GPUs of its older job; otherwise also on those of the other.
	stayOlder bool
	tasks     []task // of the round that ends now
	start     unit.Tick

	// Scratch of one decision.
	types []model.TypeID // in the order in which they choose
	cands []timeshare.Candidate
	rates []unit.Rate // backing of the candidates' rates
	free  []int32     // GPUs by type that nobody was picked for
	picks []timeshare.Pick
	runs  policy.ByJob[int32] // one more than the position of its first allocated pick, 0 = it does not run
	queue []int64             // picks in the order in which they are placed; the lower half is the position
	lost  []*timeshare.Pick   // for whom there was no place
	gang  []model.Shard
	anew  []*words.Text // sentences that wait for who runs, see whenAnew
}

// task is one run of a job, or a pair, in a round. It is what the next decision books as received time.
type task struct {
	job  model.JobID
	pair int // position in the mechanism's list, or -1
	typ  model.TypeID
	end  unit.Tick // when its steps are done, or the round's nominal end if it does none
}

// roundsCadence: a round ends when its longest task does, which the policy asks to be woken for; an
// arrival matters at once only on an idle cluster.
var roundsCadence = sim.Cadence{On: sim.ArrivalIdle | sim.Capacity}

// minReset is M of the mechanism.
var minReset = policy.Param{Name: "min_reset_s", Title: "Least time between allocations", Kind: policy.Float, Unit: "s",
	Default: 1920.0, Min: 0, Max: 1e7,
	Help: "The fractions of time are recomputed when jobs or nodes come or go, but not more often than this, except after an allocation at time 0 and where nobody in the allocation can run."}

// newRounds prepares the rounds. With strict set, GPUs that nobody has a target for stay idle.
func newRounds(m model.Public, v policy.Values, strict bool) rounds {
	return rounds{cluster: m.Cluster, round: m.Round,
		mech: timeshare.New(len(m.Cluster.Types), m.Round, unit.Seconds(v.Float(minReset.Name)), strict)}
}

// clone copies what lives from round to round; the scratch of a decision is not part of it.
func (r *rounds) clone() rounds {
	c := rounds{cluster: r.cluster, round: r.round, mech: r.mech.Clone(), stayFirst: r.stayFirst,
		stayOlder: r.stayOlder, tasks: slices.Clone(r.tasks), start: r.start}
	if r.shuffle != nil {
		state := *r.shuffle
		c.shuffle = &state
	}
	return c
}

// decide ends one round and begins the next. The reasons are recorded before GPUs are given, because
// they speak of priorities as they were when the picks were made; what has no place then is told after.
func (r *rounds) decide(v sim.View, p *sim.Plan, w *sim.Why, s timeSharer) {
	r.book(v)
	// The order in which types choose decides who gets the fast GPUs, so it is fixed or drawn once a
	// round.
	r.types = append(r.types[:0], r.cluster.BySpeed...)
	if r.shuffle != nil {
		rand.New(r.shuffle).Shuffle(len(r.types), func(i, k int) { r.types[i], r.types[k] = r.types[k], r.types[i] })
	}
	if r.mech.Due(v.Now(), false) {
		s.allocate(v)
	}
	s.choose(v)
	placed := func(q timeshare.Pick) bool { return q.Allocated }
	if !slices.ContainsFunc(r.picks, placed) && r.mech.Due(v.Now(), true) {
		// Nobody in the allocation can run: an idle cluster need not wait for the next reset.
		s.allocate(v)
		s.choose(v)
	}
	s.record(v, w)
	p.Clear()
	r.place(v, p)
	r.recordLost(v, p, w)
	if sim.Explains && w.Detail != nil {
		r.explainComing(w)
	}
	end := unit.Tick(0)
	for _, t := range r.tasks {
		end = max(end, t.end)
	}
	if len(r.tasks) > 0 {
		p.WakeAt(end)
	}
}

// book credits the jobs and pairs of the last round with the time that they had, and takes note of the jobs
// and GPUs that have come and gone.
func (r *rounds) book(v sim.View) {
	for _, t := range r.tasks {
		if ran := min(t.end, v.Now()) - r.start; t.pair >= 0 {
			r.mech.BookPair(t.pair, t.typ, ran)
		} else {
			r.mech.Book(t.job, t.typ, ran)
		}
	}
	for _, j := range v.Ended() {
		r.mech.Remove(j)
	}
	for _, j := range v.Arrived() {
		r.mech.Admit(j)
	}
	r.free = r.free[:0]
	for t := range r.cluster.Types {
		r.free = append(r.free, v.CapacityOf(model.TypeID(t)))
	}
	r.mech.Serve(r.free)
	r.tasks, r.start = r.tasks[:0], v.Now()
}

// single adds a job to the candidates. On a type with fewer GPUs than its gang needs its speed is 0: a gang
// keeps to one type here, so that time there could never be granted.
func (r *rounds) single(v sim.View, j model.JobID) {
	size, speed, from := v.Shape(j).Size, v.Speed(j, 0), len(r.rates)
	for t := range r.cluster.Types {
		rate := unit.Rate(0)
		if typ := model.TypeID(t); v.CapacityOf(typ) >= size {
			rate = speed.Rate(typ, size, model.OneNode)
		}
		r.rates = append(r.rates, rate)
	}
	r.cands = append(r.cands, timeshare.Candidate{Job: j, Mate: model.None, Pair: -1, GPUs: size,
		Rates: r.rates[from:]})
}

// pair adds two jobs that share GPUs, a < b, to the candidates, with the speed of a.
func (r *rounds) pair(v sim.View, a, b model.JobID) {
	from := len(r.rates)
	for t := range r.cluster.Types {
		rate, other := together(r.cluster, v, a, b, model.TypeID(t))
		if other <= 0 {
			rate = 0
		}
		r.rates = append(r.rates, rate)
	}
	r.cands = append(r.cands, timeshare.Candidate{Job: a, Mate: b, Pair: r.mech.Find(timeshare.Pair{A: a, B: b}),
		GPUs: v.Shape(a).Size, Rates: r.rates[from:]})
}

// together is the measured speed of two jobs on one GPU of the type; 0 if the cluster has none at present,
// and for larger gangs, since pairs are measured on one GPU only.
func together(c *model.Cluster, v sim.View, a, b model.JobID, typ model.TypeID) (ra, rb unit.Rate) {
	s := slices.IndexFunc(c.Slots, func(s model.Slot) bool { return s.Type == typ })
	if s < 0 || v.CapacityOf(typ) == 0 || v.Shape(a).Size > 1 {
		return 0, 0
	}
	on := []model.Shard{{Slot: model.SlotID(s), N: 1}}
	return v.Rate(a, 0, on, b), v.Rate(b, 0, on, a)
}

// runs says whether there is a type that the candidate can run on.
func runs(c *timeshare.Candidate) bool {
	return slices.ContainsFunc(c.Rates, func(r unit.Rate) bool { return r > 0 })
}

// pick lets the mechanism pick among the candidates from the given position on; the first call of a round
// begins with all GPUs, a later one with those that are left over.
func (r *rounds) pick(v sim.View, from int) {
	if from == 0 {
		for i := range r.picks {
			r.note(&r.picks[i], 0)
		}
		r.picks, r.free = r.picks[:0], r.free[:0]
		for t := range r.cluster.Types {
			r.free = append(r.free, v.CapacityOf(model.TypeID(t)))
		}
	}
	for _, q := range r.mech.Choose(r.types, r.cands[from:], r.free) {
		q.At += from
		r.picks = append(r.picks, q)
		if q.Allocated {
			r.note(&q, int32(len(r.picks)))
		}
	}
}

// note enters the pick's jobs under a position in runs, or takes them out with 0; a position that is there stays.
func (r *rounds) note(q *timeshare.Pick, at int32) {
	for _, j := range [...]model.JobID{q.Job, q.Mate} {
		if j < 0 {
			continue
		}
		if runs := r.runs.Of(j, 0); at == 0 || *runs == 0 {
			*runs = at
		}
	}
}

// picked gives the pick by which the job runs in the coming round, or nil.
func (r *rounds) picked(j model.JobID) *timeshare.Pick {
	if int(j) < len(r.runs) && r.runs[j] > 0 {
		return &r.picks[r.runs[j]-1]
	}
	return nil
}

// best is where the candidate has the highest priority, if that is higher than the one given.
func (r *rounds) best(than timeshare.Standing, c *timeshare.Candidate) timeshare.Standing {
	for t := range c.Rates {
		if s := r.mech.Standing(c, model.TypeID(t)); s.Priority > than.Priority {
			than = s
		}
	}
	return than
}
