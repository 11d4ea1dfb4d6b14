package imports

import (
	"cmp"

	"hadarlab/core/scenario"
	"hadarlab/core/unit"
)

// candidate is a job that an import may keep.
type candidate struct {
	scenario.Job
	key  uint64
	line int     // where it was first seen
	rows int     // that it was made of
	end  float64 // PAI: of its last task
	gpus float64 // PAI: GPUs asked for so far, in fractions
}

// kept holds the candidates of an import: all of them, or with size > 0 those of the least keys. A key
// is a hash of seed and id, so the sample depends on nothing else: not on the order of the rows, nor on how
// many belong to a job. No more than twice the sample is ever held.
type kept struct {
	size  int
	seed  uint64
	list  []candidate
	at    map[string]int32 // into list, by id
	limit uint64           // keys from here on are out, once some were cut
	cut   bool
}

// find gives the candidate of an id, nil when there is none.
func (k *kept) find(id string) *candidate {
	if i, ok := k.at[id]; ok {
		return &k.list[i]
	}
	return nil
}

// add takes a candidate whose id is new.
func (k *kept) add(c candidate) {
	c.key = k.key(c.ID)
	if k.cut && c.key >= k.limit {
		return
	}
	if k.at == nil {
		k.at = map[string]int32{}
	}
	k.at[c.ID] = int32(len(k.list))
	k.list = append(k.list, c)
	if k.size > 0 && len(k.list) >= 2*k.size {
		k.shrink()
	}
}

// shrink cuts the list to the sample.
func (k *kept) shrink() {
	if k.size == 0 || len(k.list) <= k.size {
		return
	}
	unit.Sort(k.list,
		func(a, b candidate) int { return cmp.Or(cmp.Compare(a.key, b.key), cmp.Compare(a.line, b.line)) })
	k.limit, k.cut = k.list[k.size].key, true
	clear(k.list[k.size:])
	k.list = k.list[:k.size]
	clear(k.at)
	for i := range k.list {
		k.at[k.list[i].ID] = int32(i)
	}
}

// jobs gives what was kept, in order of the rows, or of arrival where that is asked for.
func (k *kept) jobs(byArrival bool) []scenario.Job {
	k.shrink()
	unit.Sort(k.list, func(a, b candidate) int {
		if c := cmp.Compare(a.ArrivalS, b.ArrivalS); byArrival && c != 0 {
			return c
		}
		return cmp.Compare(a.line, b.line)
	})
	jobs := make([]scenario.Job, len(k.list))
	for i := range k.list {
		jobs[i] = k.list[i].Job
	}
	return jobs
}

// key is FNV-1a of the id, stirred with the seed by the finaliser of SplitMix64.
func (k *kept) key(id string) uint64 {
	h := uint64(14695981039346656037)
	for i := range len(id) {
		h = (h ^ uint64(id[i])) * 1099511628211
	}
	h += (k.seed + 1) * 0x9e3779b97f4a7c15
	h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
	h = (h ^ h>>27) * 0x94d049bb133111eb
	return h ^ h>>31
}
