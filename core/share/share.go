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
	picks    []Pick
	order    []candidate
	strict   bool
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
}

type candidate struct {
	at                       int
	priority, deficit, share float64
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
	for _, j := range jobs {
		e := &m.entries[j]
		for t := range m.types {
			k := int(j)*m.types + t
			target := 0.0
			if e.allocated {
				target = m.share[k]
			}
			m.deficit[k] += float64(target*(now-m.last).Seconds()) - (m.got[k] - m.round/2).Seconds()
			m.got[k] = m.round / 2
		}
	}
	for i, j := range jobs {
		m.entries[j].allocated = true
		copy(m.share[int(j)*m.types:(int(j)+1)*m.types], x[i*m.types:(i+1)*m.types])
	}
	for t := range m.total {
		m.total[t] = m.round / 2 * unit.Tick(len(jobs))
	}
	m.last, m.dirty = now, false
}

// Standing is a job's place on one type: target share, received share of the type's time, priority
// and deficit in seconds.
func (m *Mechanism) Standing(j model.JobID, t model.TypeID, rate unit.Rate) (target, received, priority, deficit float64) {
	k := int(j)*m.types + int(t)
	if m.total[t] > 0 {
		received = float64(m.got[k]) / float64(m.total[t])
	}
	deficit = m.deficit[k]
	if !m.entries[j].allocated {
		return 0, received, 0, deficit
	}
	target = m.share[k]
	switch {
	case target == 0 || rate <= 0:
	case m.total[t] == 0:
		priority = target * 1e9
	default:
		priority = target / received
	}
	return target, received, priority, deficit
}

// Allocated says whether the job is in the current allocation.
func (m *Mechanism) Allocated(j model.JobID) bool { return m.entries[j].allocated }

// Choose picks who runs in the coming round: types in the given order, the jobs of each by descending
// priority, deficit and share, ties in the order of the candidates, which come by arrival. A job runs
// on the first type that takes it. free is the number of GPUs by type and is used up. The slice
// returned holds until the next call.
func (m *Mechanism) Choose(types []model.TypeID, jobs []Candidate, free []int32) []Pick {
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
		slices.SortStableFunc(m.order, func(a, b candidate) int {
			return cmp.Or(cmp.Compare(b.priority, a.priority), cmp.Compare(b.deficit, a.deficit), cmp.Compare(b.share, a.share))
		})
		for _, o := range m.order {
			c := &jobs[o.at]
			if free[t] < c.GPUs || m.strict && o.priority <= 0 {
				continue
			}
			free[t] -= c.GPUs
			e := &m.entries[c.Job]
			e.chosen = true
			m.picks = append(m.picks, Pick{o.at, c.Job, t, e.allocated})
		}
	}
	return m.picks
}
