package lab

import (
	"cmp"
	"slices"

	"hadarlab/core/chart"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// does is in words what the job does from the search's instant on, empty when there is no such job; active says whether
// there is anything to decide about it then.
func (f *Flip) does(r *sim.Run) (says string, active bool) {
	t, _ := r.Result()
	j := slices.IndexFunc(t.Jobs, func(j trace.Job) bool { return j.Name == f.job })
	switch {
	case j < 0:
		return "", false
	case t.Jobs[j].Arrive > f.at:
		return words.T("has not arrived"), false
	case t.Jobs[j].Finish >= 0 && t.Jobs[j].Finish <= f.at:
		return words.T("is done by then"), false
	}
	held := map[trace.Shard]bool{}
	var shards []trace.Shard
	for i := range t.Spans.Len() {
		if t.Spans.Job[i] != int32(j) || t.Spans.From[i] > f.at || f.at >= t.Spans.To[i] {
			continue
		}
		for _, sh := range t.Spans.At(i) {
			if !held[sh] {
				held[sh] = true
				shards = append(shards, sh)
			}
		}
	}
	if len(shards) == 0 {
		return words.T("waits"), true
	}
	shards = unit.InOrder(shards, func(a, b *trace.Shard) int { return cmp.Compare(a.Slot, b.Slot) })
	for i, sh := range shards {
		slot := t.Slots[sh.Slot]
		one := words.F("{0} {1} on {2}", itoa(int(sh.N)), chart.TypeTitle(t.Types[slot.Type]), t.Nodes[slot.Node])
		if i > 0 {
			one = words.F("{0} and {1}", says, one)
		}
		says = one
	}
	return words.F("holds {0}", says), true
}

// others are the other jobs that wait from the search's instant on.
func (f *Flip) others(r *sim.Run) (names []string) {
	t, _ := r.Result()
	holds := make([]bool, len(t.Jobs))
	for i := range t.Spans.Len() {
		if t.Spans.From[i] <= f.at && f.at < t.Spans.To[i] {
			holds[t.Spans.Job[i]] = true
		}
	}
	for j := range t.Jobs {
		if job := &t.Jobs[j]; !holds[j] && job.Name != f.job && job.Arrive <= f.at && (job.Finish < 0 || job.Finish > f.at) {
			names = append(names, job.Name)
		}
	}
	return names
}

// instead says which other jobs a change makes wait or spares from waiting; idle are those that wait with it.
func (f *Flip) instead(idle []string) (says string) {
	list := func(names, not []string) (n int, all string) {
		for _, name := range names {
			if !slices.Contains(not, name) {
				if n++; n > 1 {
					all += ", "
				}
				all += name
			}
		}
		return n, all
	}
	if n, names := list(idle, f.idle); n > 0 {
		says = words.N(n, ", and {1} waits instead", ", and {1} wait instead", names)
	}
	if n, names := list(f.idle, idle); n > 0 {
		says += words.N(n, ", and {1} no longer waits", ", and {1} no longer wait", names)
	}
	return says
}
