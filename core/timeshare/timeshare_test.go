package timeshare

import (
	"cmp"
	"math/rand/v2"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

const second = unit.Second

func rates(v ...float64) []unit.Rate {
	var r []unit.Rate
	for _, x := range v {
		r = append(r, unit.Rate(x))
	}
	return r
}

// two types with two GPUs each, three alike gangs of two, as in the acceptance example of the Hadar
// notes under Gavel.
func three() (*Mechanism, []Candidate) {
	m := New(2, 360*second, 1920*second, false)
	var jobs []Candidate
	for j := range model.JobID(3) {
		m.Admit(j)
		jobs = append(jobs, Candidate{Job: j, Mate: model.None, Pair: -1, GPUs: 2, Rates: rates(20, 12)})
	}
	return m, jobs
}

var order = []model.TypeID{0, 1}

func TestPrioritiesFollowTargetOverReceived(t *testing.T) {
	m, jobs := three()
	if !m.Due(0, false) {
		t.Fatal("new jobs call for an allocation")
	}
	m.Reset(0, []model.JobID{0, 1, 2}, []float64{.5, .5, .5, .5, .5, .5}, nil, nil)
	// All alike: ties by arrival. Type 0 takes job 0, type 1 the next.
	p := m.Choose(order, jobs, []int32{2, 2})
	if len(p) != 2 || p[0].Job != 0 || p[0].Type != 0 || p[1].Job != 1 || p[1].Type != 1 || !p[0].Allocated {
		t.Fatalf("%+v", p)
	}
	m.Book(0, 0, 360*second)
	m.Book(1, 1, 360*second)
	// Received on type 0: job 0 has (180+360)/900, the others 180/900: priority 0.5/0.6 against 2.5.
	if s := m.Standing(&jobs[0], 0); s != (Standing{0.5, 0.6, 0.5 / 0.6, 0}) {
		t.Errorf("standing %+v", s)
	}
	p = m.Choose(order, jobs, []int32{2, 2})
	if p[0].Job != 1 || p[1].Job != 0 {
		t.Errorf("second round %+v: job 1 is owed type 0 most, job 0 type 1", p)
	}
}

func TestNewcomersWaitForTheNextReset(t *testing.T) {
	m, jobs := three()
	m.Reset(0, []model.JobID{0, 1}, []float64{1, 0, 0, 1}, nil, nil)
	m.last = 1 // at 0 nothing is throttled
	m.Admit(2)
	if m.Due(1919*second, false) || !m.Due(1920*second+1, false) || !m.Due(1000*second, true) {
		t.Error("a reset comes after min_reset_s, or at once when nothing runs")
	}
	if m.Standing(&jobs[2], 0).Priority != 0 {
		t.Error("a newcomer has no priority")
	}
	// It fills what is left over, but is not in the allocation.
	m.Remove(1)
	p := m.Choose(order, []Candidate{jobs[0], jobs[2]}, []int32{2, 2})
	if len(p) != 2 || p[1].Job != 2 || p[1].Allocated {
		t.Errorf("%+v", p)
	}
	strict := New(2, 360*second, 0, true)
	strict.Admit(2)
	if p := strict.Choose(order, jobs[2:], []int32{2, 2}); len(p) != 0 {
		t.Errorf("strict: %+v", p)
	}
}

// TestOtherGPUsCallForShares: GPUs that come or go call for an allocation as jobs do. Whoever cannot run when it is
// taken keeps the share that it had, and is owed what that promised.
func TestOtherGPUsCallForShares(t *testing.T) {
	m, jobs := three()
	m.Serve([]int32{2, 2})
	m.Reset(1, []model.JobID{0, 1}, []float64{1, 0, 0, 1}, nil, nil)
	if m.Serve([]int32{2, 2}); m.Due(5000*second, true) {
		t.Error("nothing has come or gone")
	}
	if m.Serve([]int32{2, 0}); !m.Due(5000*second, false) || m.Due(1000*second, false) {
		t.Error("GPUs have gone: an allocation is due, not before min_reset_s has passed")
	}
	m.Reset(1+2000*second, []model.JobID{0}, []float64{1, 0}, nil, nil)
	if s := m.Standing(&jobs[1], 1); s.Target != 1 || s.Deficit != 2000 || !m.Allocated(&jobs[1]) {
		t.Errorf("left out it stands at %+v", s)
	}
	m.Reset(1+3000*second, []model.JobID{0, 1}, []float64{1, 0, 0, .5}, nil, nil)
	if s := m.Standing(&jobs[1], 1); s.Target != .5 || s.Deficit != 3000 {
		t.Errorf("back it stands at %+v", s)
	}
}

func TestDeficitsCarryOverAndBreakTies(t *testing.T) {
	m, jobs := three()
	m.Reset(1, []model.JobID{0, 1, 2}, []float64{.5, 0, .5, 0, 0, 1}, nil, nil)
	m.Book(0, 0, 1000*second)
	m.Reset(1+2000*second, []model.JobID{0, 1, 2}, []float64{.5, 0, .5, 0, 0, 1}, nil, nil)
	// Over 2000 s each was owed 1000 s: job 0 got them, job 1 nothing.
	if d := m.Standing(&jobs[0], 0).Deficit; d != 0 {
		t.Errorf("job 0's deficit is %v, want 0", d)
	}
	if d := m.Standing(&jobs[1], 0).Deficit; d != 1000 {
		t.Errorf("job 1's deficit is %v, want 1000", d)
	}
	if p := m.Choose(order, jobs, []int32{2, 2}); p[0].Job != 1 {
		t.Errorf("equal priorities: the one that is owed goes first, %+v", p)
	}
}

func TestJobsThatDoNotFitAreSkipped(t *testing.T) {
	m, jobs := three()
	jobs[0].GPUs = 4
	jobs[1].Rates = rates(0, 12)
	m.Reset(0, []model.JobID{0, 1, 2}, []float64{1, 0, 1, 0, .1, .1}, nil, nil)
	p := m.Choose(order, jobs, []int32{2, 2})
	if len(p) != 2 || p[0].Job != 2 || p[0].Type != 0 || p[1].Job != 1 || p[1].Type != 1 {
		t.Errorf("%+v", p)
	}
}

func TestCloneIsDeep(t *testing.T) {
	m, jobs := three()
	m.Reset(0, []model.JobID{0, 1, 2}, []float64{.5, .5, .5, .5, .5, .5}, nil, nil)
	c := m.Clone()
	c.Book(0, 0, 500*second)
	c.Remove(1)
	if r := m.Standing(&jobs[0], 0).Received; r != 1./3 || !m.Allocated(&jobs[1]) {
		t.Error("a clone must not touch the original")
	}
}

// TestPairsAreEntriesOfTheirOwn: a pair competes with its own share and received time, uses up both its
// jobs, and keeps what it is owed while it stays in the allocation.
func TestPairsAreEntriesOfTheirOwn(t *testing.T) {
	m := New(1, 360*second, 0, false)
	var all []Candidate
	for j := range model.JobID(3) {
		m.Admit(j)
		all = append(all, Candidate{Job: j, Mate: model.None, Pair: -1, GPUs: 1, Rates: rates(10)})
	}
	jobs, pairs := []model.JobID{0, 1, 2}, []Pair{{0, 1}, {1, 2}}
	m.Reset(0, jobs, []float64{.1, 0, .4}, pairs, []float64{.5, .4})
	for i, p := range pairs {
		all = append(all, Candidate{Job: p.A, Mate: p.B, Pair: i, GPUs: 1, Rates: rates(8)})
	}
	p := m.Choose([]model.TypeID{0}, all, []int32{2})
	if len(p) != 2 || p[0].Job != 0 || p[0].Mate != 1 || p[0].Pair != 0 || !p[0].Allocated || p[1].Job != 2 ||
		p[1].Pair != -1 {
		t.Fatalf("%+v: the first pair, then the job that is in no chosen pair", p)
	}
	m.BookPair(0, 0, 360*second)
	m.Book(2, 0, 360*second)
	// Five entries began with 180 s each; the first pair has 540 of 1620.
	if s := m.Standing(&all[3], 0); s.Target != 0.5 || s.Received != 540.0/1620 || s.Priority != 0.5/(540.0/1620) {
		t.Errorf("%+v", s)
	}
	idle := Candidate{Job: 0, Mate: 1, Pair: 0, Rates: rates(0)}
	if s := m.Standing(&idle, 0); s.Priority != 0 {
		t.Errorf("priority %v though one of the two cannot run", s.Priority)
	}
	newcomer := Candidate{Job: 0, Mate: 2, Pair: -1, Rates: rates(8)}
	if s := m.Standing(&newcomer, 0); s != (Standing{Received: 180.0 / 1620}) || m.Allocated(&newcomer) {
		t.Errorf("a pair outside the allocation stands at %+v", s)
	}
	p = m.Choose([]model.TypeID{0}, all, []int32{1})
	if len(p) != 1 || p[0].Pair != 1 {
		t.Errorf("%+v: the second pair is owed more now", p)
	}
	c, parted := m.Clone(), m.Clone()
	parted.Part(Pair{0, 1})
	for name, w := range map[string]struct {
		m    *Mechanism
		owed float64
	}{"kept": {c, 0.5*360 - 360}, "parted": {parted, 0}} {
		w.m.Reset(360*second, jobs, []float64{0, 0, 0}, []Pair{{0, 1}, {0, 2}}, []float64{.5, .5})
		if d := w.m.Standing(&all[3], 0).Deficit; d != w.owed {
			t.Errorf("%s: deficit %v, want %v", name, d, w.owed)
		}
		if d := w.m.Standing(&all[4], 0).Deficit; d != 0 {
			t.Errorf("%s: a new pair is owed %v", name, d)
		}
	}
	if len(m.Pairs()) != 2 || m.Pairs()[1].A != 1 || m.Find(Pair{1, 2}) != 1 || m.Find(Pair{0, 2}) != -1 {
		t.Errorf("a clone changed its origin")
	}
}

// TestChooseServesByRank: who is picked is who a plain sort of all candidates of each type puts first, though the
// mechanism sorts only as far as GPUs are left, and those without a priority apart.
func TestChooseServesByRank(t *testing.T) {
	rng := rand.New(rand.NewPCG(5, 1))
	few := func() float64 { return float64(rng.IntN(4)) / 4 } // ties, and often 0
	for run := range 400 {
		strict := run%3 == 0
		m := New(3, 360*second, 0, strict)
		var jobs []Candidate
		var ids []model.JobID
		var x []float64
		for j := range model.JobID(1 + rng.IntN(30)) {
			m.Admit(j)
			jobs = append(jobs, Candidate{Job: j, Mate: model.None, Pair: -1, GPUs: int32(1 + rng.IntN(4)),
				Rates: rates(few(), few(), few())})
			if rng.IntN(5) > 0 {
				ids, x = append(ids, j), append(x, few(), few(), few())
			}
		}
		if ids == nil {
			continue
		}
		m.Reset(0, ids, x, nil, nil)
		for range 20 {
			m.Book(ids[rng.IntN(len(ids))], model.TypeID(rng.IntN(3)), 90*second)
		}
		m.Reset(300*second, ids, x, nil, nil)
		free := []int32{int32(rng.IntN(12)), int32(rng.IntN(12)), int32(rng.IntN(12))}
		left, runs := slices.Clone(free), map[model.JobID]bool{}
		var want []Pick
		for _, typ := range []model.TypeID{2, 0, 1} {
			ranked := slices.Clone(jobs)
			slices.SortStableFunc(ranked, func(a, b Candidate) int {
				p, q := m.Standing(&a, typ), m.Standing(&b, typ)
				return cmp.Or(cmp.Compare(q.Priority, p.Priority), cmp.Compare(q.Deficit, p.Deficit),
					cmp.Compare(q.Target, p.Target))
			})
			for _, c := range ranked {
				s := m.Standing(&c, typ)
				if c.Rates[typ] == 0 || runs[c.Job] || c.GPUs > left[typ] || strict && s.Priority == 0 {
					continue
				}
				left[typ] -= c.GPUs
				runs[c.Job] = true
				want = append(want, Pick{c, int(c.Job), typ, slices.Contains(ids, c.Job)})
			}
		}
		got := m.Choose([]model.TypeID{2, 0, 1}, jobs, free)
		if !slices.EqualFunc(got, want, func(a, b Pick) bool {
			return a.Job == b.Job && a.At == b.At && a.Type == b.Type && a.Allocated == b.Allocated
		}) || !slices.Equal(free, left) {
			t.Fatalf("run %d: %v, free %v, but by rank %v, free %v", run, got, free, want, left)
		}
	}
}
