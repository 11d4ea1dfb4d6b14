// Package timeshare turns fractions of time per job and GPU type into rounds: the scheduling mechanism of Gavel
// (OSDI 2020, section 5; gavel.md, Mechanism). It keeps, for every job and pair, its target, the time it
// has received and its deficit; it decides when a new allocation is due, and picks who runs on which type
// next. It does not compute the fractions, place GPUs or see the simulator, so that any policy that shares
// time can use it.
//
// Flow: Admit, Serve → Reset with fractions → Choose each round → Book what ran → Remove.
package timeshare

import (
	"cmp"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Mechanism is the state between rounds. Use New.
type Mechanism struct {
	types    int
	round    unit.Tick // T
	minReset unit.Tick // M
	entries  []entry   // by job id
	jobs     accounts  // by job id
	list     []Pair    // of the current allocation, by Pair.A, then Pair.B
	pairs    accounts  // by position in list
	total    []unit.Tick
	capacity []int32   // GPUs in service by type, as last noted
	last     unit.Tick // last reset
	dirty    bool
	strict   bool

	picks  []Pick
	ranked []ranked
	// Positions in ranked of those with a priority, and of those that fill what is left: what is sorted are numbers, by
	// the code that sorts all of them.
	order, fill []int32
}

// Pair is two jobs that may share the GPUs of one, A < B. It is one more entry beside its jobs, with a
// share and received time of its own (gavel.md, Where they part); while it
// runs, neither job runs otherwise.
type Pair struct{ A, B model.JobID }

// accounts say what each holder of a share is owed, by holder*types+type.
type accounts struct {
	share   []float64   // x, the fraction of time that the holder shall have
	got     []unit.Tick // the time that it has received since the last reset, and T/2
	deficit []float64   // seconds that it was owed at the last reset; fractional, since shares are
}

// open adds an account that has received half a round and owes nothing.
func (a *accounts) open(half unit.Tick) {
	a.share, a.got, a.deficit = append(a.share, 0), append(a.got, half), append(a.deficit, 0)
}

// settle moves to the deficit what account k was promised over the seconds since the last reset and did not get.
func (a *accounts) settle(k int, passed float64, half unit.Tick) {
	a.deficit[k] += float64(a.share[k]*passed) - (a.got[k] - half).Seconds()
	a.got[k] = half
}

// clone copies the accounts.
func (a *accounts) clone() accounts {
	return accounts{slices.Clone(a.share), slices.Clone(a.got), slices.Clone(a.deficit)}
}

// entry is what the mechanism knows of a job besides its account.
type entry struct {
	allocated bool // in the current allocation, or left out of it with the share of an earlier one
	chosen    bool // in the present round
}

// Candidate is a job, or a pair of jobs, that may run in the coming round.
type Candidate struct {
	Job  model.JobID
	Mate model.JobID // the second job of a pair, or model.None
	// Pair is the pair's position in Pairs; -1 = a single job, or a pair that is not in the current allocation.
	Pair  int
	GPUs  int32
	Rates []unit.Rate // by type, of the whole gang, a pair's of its first job; 0 = cannot run there
}

// Pick is a candidate chosen for one type.
type Pick struct {
	Candidate
	At   int // its position among the candidates
	Type model.TypeID
	// Allocated is false for a newcomer that is not in the current allocation: its GPUs are counted
	// but it is not placed before the next reset (mechanism step 7).
	Allocated bool
}

// Standing is where a candidate stands on one type.
type Standing struct {
	Target   float64 // share of time it shall have
	Received float64 // share of the type's time it has received
	Priority float64 // Target over Received; 0 = it has no target there, or cannot run
	Deficit  float64 // seconds that earlier allocations owe it
}

// ranked is a candidate of one type with what orders it there.
type ranked struct {
	at                        int // among the candidates
	priority, deficit, target float64
}

// sort orders candidates, positions in ranked, by what they are owed, ties as they came.
func (m *Mechanism) sort(of []int32) {
	all := m.ranked
	slices.SortFunc(of, func(i, k int32) int {
		a, b := &all[i], &all[k]
		switch { // none of them is NaN, which cmp.Compare would look for
		case a.priority > b.priority:
			return -1
		case a.priority < b.priority:
			return 1
		case a.deficit != b.deficit:
			return cmp.Compare(b.deficit, a.deficit)
		case a.target != b.target:
			return cmp.Compare(b.target, a.target)
		}
		return a.at - b.at
	})
}

// New makes a mechanism for so many GPU types. round is T; minReset is M, the least time between two
// allocations. With strict set, candidates of priority 0 do not fill GPUs that are left over (Gavel's FIFO).
func New(types int, round, minReset unit.Tick, strict bool) *Mechanism {
	return &Mechanism{types: types, round: round, minReset: minReset, total: make([]unit.Tick, types), strict: strict}
}

// Clone copies the mechanism deeply.
func (m *Mechanism) Clone() *Mechanism {
	c := *m
	c.entries, c.list, c.total = slices.Clone(m.entries), slices.Clone(m.list), slices.Clone(m.total)
	c.capacity = slices.Clone(m.capacity)
	c.jobs, c.pairs = m.jobs.clone(), m.pairs.clone()
	c.picks, c.ranked, c.order, c.fill = nil, nil, nil, nil
	return &c
}

// Admit takes a job in: it has received T/2 on every type, owes nothing, and waits for the next
// reset to enter the allocation.
func (m *Mechanism) Admit(j model.JobID) {
	for int(j) >= len(m.entries) {
		m.entries = append(m.entries, entry{})
		for range m.types {
			m.jobs.open(m.round / 2)
		}
	}
	m.dirty = true
}

// Book adds dt of time on type t to a job's received time; once per job, not per GPU.
func (m *Mechanism) Book(j model.JobID, t model.TypeID, dt unit.Tick) {
	m.jobs.got[int(j)*m.types+int(t)] += dt
	m.total[t] += dt
}

// BookPair adds dt to the received time of a pair, by its position in Pairs, once for both jobs: the longer
// of the two.
func (m *Mechanism) BookPair(pair int, t model.TypeID, dt unit.Tick) {
	m.pairs.got[pair*m.types+int(t)] += dt
	m.total[t] += dt
}

// Pairs lists the pairs of the current allocation. Those of finished jobs stay until the next reset.
func (m *Mechanism) Pairs() []Pair { return m.list }

// Find gives the position of a pair in Pairs, or -1 if the current allocation does not have it.
func (m *Mechanism) Find(p Pair) int {
	if at, ok := slices.BinarySearchFunc(m.list, p, comparePairs); ok {
		return at
	}
	return -1
}

// comparePairs orders pairs by their first job, then by their second.
func comparePairs(a, b Pair) int { return cmp.Or(cmp.Compare(a.A, b.A), cmp.Compare(a.B, b.B)) }

// Part clears what a pair is owed: if it comes into a later allocation, it comes as a new one.
func (m *Mechanism) Part(p Pair) {
	if at := m.Find(p); at >= 0 {
		for k := at * m.types; k < (at+1)*m.types; k++ {
			m.pairs.share[k], m.pairs.got[k], m.pairs.deficit[k] = 0, m.round/2, 0
		}
	}
}

// Remove forgets a finished job. The types' totals stay.
func (m *Mechanism) Remove(j model.JobID) {
	m.entries[j] = entry{}
	m.dirty = true
}

// Serve takes note of how many GPUs of each type are in service. Other numbers than before
// call for a new one, as jobs that come and go do (ours: Gavel's simulator has no failures).
func (m *Mechanism) Serve(capacity []int32) {
	if !slices.Equal(capacity, m.capacity) {
		m.capacity, m.dirty = append(m.capacity[:0], capacity...), true
	}
}

// Due says whether a new allocation is called for: the set of jobs or of GPUs changed, and the last reset lies at
// least M back or was at 0. force leaves M out, for a cluster on which nothing runs.
func (m *Mechanism) Due(now unit.Tick, force bool) bool {
	return m.dirty && (force || now-m.last >= m.minReset || m.last == 0)
}

// Strict says whether GPUs that nobody has a target for stay idle.
func (m *Mechanism) Strict() bool { return m.strict }

// LastReset is when the current allocation was taken.
func (m *Mechanism) LastReset() unit.Tick { return m.last }

// NextReset is when Due turns true where jobs or GPUs have come or gone; else nothing but that turns it.
func (m *Mechanism) NextReset() unit.Tick { return m.last + m.minReset }

// Reset closes the books on the old allocation and takes the new one: x[i*types+t] is the share of time that
// jobs[i] shall have on type t, px the same of pairs, which come in order of A, then B. A pair that was in
// the old allocation too keeps what it is owed. A job that is left out, since it cannot run, keeps its share, so that
// it need not wait for another when it can.
func (m *Mechanism) Reset(now unit.Tick, jobs []model.JobID, x []float64, pairs []Pair, px []float64) {
	passed, half := (now - m.last).Seconds(), m.round/2
	for j := range m.entries {
		for k := j * m.types; m.entries[j].allocated && k < (j+1)*m.types; k++ {
			m.jobs.settle(k, passed, half)
		}
	}
	for i, j := range jobs { // there is nothing to settle with a newcomer
		m.entries[j].allocated = true
		copy(m.jobs.share[int(j)*m.types:], x[i*m.types:(i+1)*m.types])
	}
	var renewed accounts
	for _, p := range pairs {
		from := m.Find(p) * m.types
		for t := range m.types {
			renewed.open(half)
			if from >= 0 {
				m.pairs.settle(from+t, passed, half)
				renewed.deficit[len(renewed.deficit)-1] = m.pairs.deficit[from+t]
			}
		}
	}
	copy(renewed.share, px)
	m.list, m.pairs = slices.Clone(pairs), renewed
	for t := range m.total {
		m.total[t] = half * unit.Tick(len(jobs)+len(pairs))
	}
	m.last, m.dirty = now, false
}

// Standing tells where a candidate stands on a type. A newcomer has received half a round and has no target.
func (m *Mechanism) Standing(c *Candidate, t model.TypeID) (s Standing) {
	got := m.round / 2
	if of, at := m.account(c); of != nil {
		k := at*m.types + int(t)
		got, s.Target, s.Deficit = of.got[k], of.share[k], of.deficit[k]
	}
	total := m.total[t]
	if total > 0 {
		s.Received = float64(got) / float64(total)
	}
	switch {
	case s.Target == 0 || c.Rates[t] <= 0:
	case total == 0:
		s.Priority = s.Target * 1e9
	default:
		s.Priority = s.Target / s.Received
	}
	return s
}

// account finds the candidate's account among the jobs' or the pairs'; nil for a pair that has none yet.
func (m *Mechanism) account(c *Candidate) (of *accounts, at int) {
	switch {
	case c.Pair >= 0:
		return &m.pairs, c.Pair
	case c.Mate >= 0:
		return nil, 0
	}
	return &m.jobs, int(c.Job)
}

// Allocated says whether the candidate is in the current allocation.
func (m *Mechanism) Allocated(c *Candidate) bool {
	return c.Pair >= 0 || c.Mate < 0 && m.entries[c.Job].allocated
}

// Choose picks who runs in the coming round: types in the given order, the candidates of each by descending
// priority, deficit and target, ties as they come. A candidate runs on the first type that takes it, and uses
// up its jobs. free is the number of GPUs by type and is used up. The slice returned holds until the next
// call.
func (m *Mechanism) Choose(types []model.TypeID, all []Candidate, free []int32) []Pick {
	m.picks = m.picks[:0]
	for i := range all {
		m.mark(&all[i], false)
	}
	for _, t := range types {
		m.ranked, m.order, m.fill = m.ranked[:0], m.order[:0], m.fill[:0]
		for i := range all {
			if c := &all[i]; c.Rates[t] > 0 && !m.chosen(c) {
				s := m.Standing(c, t)
				if s.Priority > 0 {
					m.order = append(m.order, int32(len(m.ranked)))
				} else if !m.strict {
					m.fill = append(m.fill, int32(len(m.ranked)))
				} else {
					continue
				}
				m.ranked = append(m.ranked, ranked{i, s.Priority, s.Deficit, s.Target})
			}
		}
		m.serve(t, m.order, all, free)
		m.serve(t, m.fill, all, free)
	}
	return m.picks
}

// serve picks for type t among candidates, positions in ranked, as long as GPUs are free: there is nothing to sort
// once none is.
func (m *Mechanism) serve(t model.TypeID, of []int32, all []Candidate, free []int32) {
	if free[t] <= 0 {
		return
	}
	m.sort(of)
	for _, k := range of {
		if free[t] <= 0 {
			return
		}
		o := &m.ranked[k]
		c := &all[o.at]
		if m.chosen(c) || free[t] < c.GPUs {
			continue
		}
		free[t] -= c.GPUs
		m.mark(c, true)
		m.picks = append(m.picks, Pick{Candidate: *c, At: o.at, Type: t, Allocated: m.Allocated(c)})
	}
}

// chosen says whether one of the candidate's jobs runs in the coming round already.
func (m *Mechanism) chosen(c *Candidate) bool {
	return m.entries[c.Job].chosen || c.Mate >= 0 && m.entries[c.Mate].chosen
}

// mark notes of the candidate's jobs whether they run in the coming round.
func (m *Mechanism) mark(c *Candidate, chosen bool) {
	m.entries[c.Job].chosen = chosen
	if c.Mate >= 0 {
		m.entries[c.Mate].chosen = chosen
	}
}
