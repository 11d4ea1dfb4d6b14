// Package share turns fractions of time per job and GPU type into rounds: Gavel's scheduling
// mechanism (OSDI 2020; the notes' section 4). It keeps target, received time and deficits, decides
// when a new allocation is due, and picks who runs on which type next. It does not compute the
// fractions, place GPUs or see the simulator, so that any policy that shares time can use it.
package share

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
	share    []float64 // x_ij, by job and type
	got      []unit.Tick
	deficit  []float64 // s; fractional, since shares are
	total    []unit.Tick
	last     unit.Tick // last reset
	dirty    bool
	pairs    book // of the current allocation, by Pair.A, then Pair.B
	picks    []Pick
	order    []candidate
	strict   bool
}

// Pair is two jobs that may share the GPUs of one, A < B. It is one more entry beside its jobs, with a
// share and received time of its own (the notes' section 4, "Pairs in packed policies"); while it
// runs, neither job runs otherwise.
type Pair struct{ A, B model.JobID }

// book holds the accounts of the pairs.
type book struct {
	list    []Pair
	share   []float64 // by pair and type
	got     []unit.Tick
	deficit []float64
}

type entry struct {
	present   bool
	allocated bool // in the current allocation
	chosen    bool // in the present round
}

// Candidate is a job that may run in the coming round.
type Candidate struct {
	Job   model.JobID
	GPUs  int32
	Rates []unit.Rate // by type, of its whole gang; 0 = cannot run
}

// Pick is one job chosen for one type.
type Pick struct {
	At   int // position among the candidates
	Job  model.JobID
	Type model.TypeID
	// Allocated is false for a newcomer that is not in the current allocation: its GPUs are counted
	// but it is not placed before the next reset (mechanism step 7).
	Allocated bool
	// Pair is the pair chosen, by its position in Pairs, or -1; MateAt and Mate are then its second job.
	Pair, MateAt int
	Mate         model.JobID
}

// PairCandidate is a pair that may run in the coming round.
type PairCandidate struct {
	Pair  int         // position in Pairs
	A, B  int         // positions of its jobs among the candidates
	Rates []unit.Rate // by type; 0 = one of the two cannot run
}

type candidate struct {
	at                       int // among the candidates, then the pairs
	priority, deficit, share float64
}

// before orders candidates by what they are owed, ties as they came.
func before(a, b candidate) int {
	switch {
	case a.priority != b.priority:
		return cmp.Compare(b.priority, a.priority)
	case a.deficit != b.deficit:
		return cmp.Compare(b.deficit, a.deficit)
	case a.share != b.share:
		return cmp.Compare(b.share, a.share)
	}
	return cmp.Compare(a.at, b.at)
}

// New makes a mechanism for so many GPU types. round is T; minReset is M, the least time between two
// allocations. With strict set, jobs of priority 0 do not fill GPUs that are left over (Gavel's FIFO).
func New(types int, round, minReset unit.Tick, strict bool) *Mechanism {
	return &Mechanism{types: types, round: round, minReset: minReset, total: make([]unit.Tick, types), strict: strict}
}

// Clone copies the mechanism deeply.
func (m *Mechanism) Clone() *Mechanism {
	c := *m
	c.entries, c.share, c.got = slices.Clone(m.entries), slices.Clone(m.share), slices.Clone(m.got)
	c.deficit, c.total = slices.Clone(m.deficit), slices.Clone(m.total)
	c.pairs = book{slices.Clone(m.pairs.list), slices.Clone(m.pairs.share), slices.Clone(m.pairs.got),
		slices.Clone(m.pairs.deficit)}
	c.picks, c.order = nil, nil
	return &c
}

// Admit takes a job in: it has received T/2 on every type, owes nothing, and waits for the next
// reset to enter the allocation.
func (m *Mechanism) Admit(j model.JobID) {
	for int(j) >= len(m.entries) {
		m.entries = append(m.entries, entry{})
		for range m.types {
			m.share, m.got, m.deficit = append(m.share, 0), append(m.got, 0), append(m.deficit, 0)
		}
	}
	m.entries[j] = entry{present: true}
	for t := range m.types {
		k := int(j)*m.types + t
		m.share[k], m.got[k], m.deficit[k] = 0, m.round/2, 0
	}
	m.dirty = true
}

// Book adds dt of time on type t to a job's received time; once per job, not per GPU.
func (m *Mechanism) Book(j model.JobID, t model.TypeID, dt unit.Tick) {
	m.got[int(j)*m.types+int(t)] += dt
	m.total[t] += dt
}

// BookPair adds dt to a pair's received time, once for both jobs: the longer of the two.
func (m *Mechanism) BookPair(pair int, t model.TypeID, dt unit.Tick) {
	m.pairs.got[pair*m.types+int(t)] += dt
	m.total[t] += dt
}

// Pairs lists the pairs of the current allocation. Those of finished jobs stay until the next reset.
func (m *Mechanism) Pairs() []Pair { return m.pairs.list }

// Remove forgets a finished job. The types' totals stay.
func (m *Mechanism) Remove(j model.JobID) {
	m.entries[j] = entry{}
	m.dirty = true
}

// Due says whether a new allocation is called for: the set of jobs changed and the last reset lies at
// least M back. force leaves M out, for a cluster on which nothing runs.
func (m *Mechanism) Due(now unit.Tick, force bool) bool {
	return m.dirty && (force || now-m.last >= m.minReset || m.last == 0)
}

// NextReset is when Due turns true if nothing else happens.
func (m *Mechanism) NextReset() unit.Tick { return m.last + m.minReset }

// Reset closes the books on the old allocation and takes the new one: x[i*types+t] is the share of
// time that jobs[i] shall have on type t.
func (m *Mechanism) Reset(now unit.Tick, jobs []model.JobID, x []float64) {
	m.ResetPairs(now, jobs, x, nil, nil)
}

// ResetPairs is Reset with pairs, in order of A, then B: px[i*types+t] is the share of pairs[i].
func (m *Mechanism) ResetPairs(now unit.Tick, jobs []model.JobID, x []float64, pairs []Pair, px []float64) {
	passed := (now - m.last).Seconds()
	for _, j := range jobs {
		e := &m.entries[j]
		for t := range m.types {
			k := int(j)*m.types + t
			target := 0.0
			if e.allocated {
				target = m.share[k]
			}
			m.deficit[k] += float64(target*passed) - (m.got[k] - m.round/2).Seconds()
			m.got[k] = m.round / 2
		}
	}
	for i, j := range jobs {
		m.entries[j].allocated = true
		copy(m.share[int(j)*m.types:(int(j)+1)*m.types], x[i*m.types:(i+1)*m.types])
	}
	m.pairs = m.pairs.renew(pairs, px, m.types, m.round/2, passed)
	for t := range m.total {
		m.total[t] = m.round / 2 * unit.Tick(len(jobs)+len(pairs))
	}
	m.last, m.dirty = now, false
}

// renew makes the accounts of a new list of pairs. A pair that was there before keeps what it is owed.
func (old *book) renew(pairs []Pair, px []float64, types int, half unit.Tick, passed float64) book {
	n := book{list: slices.Clone(pairs), share: slices.Clone(px), got: make([]unit.Tick, len(px)),
		deficit: make([]float64, len(px))}
	at := 0
	for i, p := range pairs {
		for at < len(old.list) && (old.list[at].A < p.A || old.list[at].A == p.A && old.list[at].B < p.B) {
			at++
		}
		kept := at < len(old.list) && old.list[at] == p
		for t := range types {
			n.got[i*types+t] = half
			if k := at*types + t; kept {
				n.deficit[i*types+t] = old.deficit[k] + float64(old.share[k]*passed) - (old.got[k] - half).Seconds()
			}
		}
	}
	return n
}

// Standing is a job's place on one type: target share, received share of the type's time, priority
// and deficit in seconds.
func (m *Mechanism) Standing(j model.JobID, t model.TypeID,
	rate unit.Rate) (target, received, priority, deficit float64) {
	k := int(j)*m.types + int(t)
	return m.standing(m.entries[j].allocated, m.share[k], m.got[k], m.deficit[k], t, rate)
}

// PairStanding is Standing of a pair; rate is 0 when one of the two cannot run.
func (m *Mechanism) PairStanding(pair int, t model.TypeID,
	rate unit.Rate) (target, received, priority, deficit float64) {
	k := pair*m.types + int(t)
	return m.standing(true, m.pairs.share[k], m.pairs.got[k], m.pairs.deficit[k], t, rate)
}

func (m *Mechanism) standing(allocated bool, share float64, got unit.Tick, owed float64, t model.TypeID,
	rate unit.Rate) (target, received, priority, deficit float64) {
	if m.total[t] > 0 {
		received = float64(got) / float64(m.total[t])
	}
	if !allocated {
		return 0, received, 0, owed
	}
	switch {
	case share == 0 || rate <= 0:
	case m.total[t] == 0:
		priority = share * 1e9
	default:
		priority = share / received
	}
	return share, received, priority, owed
}

// Allocated says whether the job is in the current allocation.
func (m *Mechanism) Allocated(j model.JobID) bool { return m.entries[j].allocated }

// Choose picks who runs in the coming round: types in the given order, the jobs of each by descending
// priority, deficit and share, ties in the order of the candidates, which come by arrival. A job runs
// on the first type that takes it. free is the number of GPUs by type and is used up. The slice
// returned holds until the next call.
func (m *Mechanism) Choose(types []model.TypeID, jobs []Candidate, free []int32) []Pick {
	return m.ChoosePairs(types, jobs, nil, free)
}

// ChoosePairs is Choose with pairs, which stand after the jobs in ties. A pair with a share is a
// candidate like a job; choosing it uses up both its jobs. It does not fill GPUs that are left over.
func (m *Mechanism) ChoosePairs(types []model.TypeID, jobs []Candidate, pairs []PairCandidate, free []int32) []Pick {
	m.picks = m.picks[:0]
	for i := range jobs {
		m.entries[jobs[i].Job].chosen = false
	}
	for _, t := range types {
		m.order = m.order[:0]
		for i := range jobs {
			c := &jobs[i]
			if m.entries[c.Job].chosen || c.Rates[t] <= 0 {
				continue
			}
			target, _, priority, deficit := m.Standing(c.Job, t, c.Rates[t])
			m.order = append(m.order, candidate{i, priority, deficit, target})
		}
		for i := range pairs {
			if target, _, priority, deficit := m.PairStanding(pairs[i].Pair, t, pairs[i].Rates[t]); priority > 0 {
				m.order = append(m.order, candidate{len(jobs) + i, priority, deficit, target})
			}
		}
		slices.SortFunc(m.order, before)
		for _, o := range m.order {
			p := Pick{At: o.at, Type: t, Pair: -1, MateAt: -1, Mate: model.None}
			if o.at >= len(jobs) {
				q := &pairs[o.at-len(jobs)]
				p.At, p.Pair, p.MateAt, p.Mate = q.A, q.Pair, q.B, jobs[q.B].Job
			}
			c := &jobs[p.At]
			e := &m.entries[c.Job]
			if e.chosen || p.Pair >= 0 && m.entries[p.Mate].chosen || free[t] < c.GPUs || m.strict && o.priority <= 0 {
				continue
			}
			free[t] -= c.GPUs
			e.chosen = true
			if p.Pair >= 0 {
				m.entries[p.Mate].chosen = true
			}
			p.Job, p.Allocated = c.Job, e.allocated
			m.picks = append(m.picks, p)
		}
	}
	return m.picks
}
