package lab

import (
	"cmp"
	"slices"

	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/sim"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// does is in words what the job does from the search's instant on, empty when there is no such job; active says whether
// there is anything to decide about it then.
func (f *Flip) does(r *sim.Run) (says string, active bool) { return f.doesAt(r, f.at) }

func (f *Flip) doesAt(r *sim.Run, at unit.Tick) (says string, active bool) {
	t, _ := r.Result()
	j := slices.IndexFunc(t.Jobs, func(j trace.Job) bool { return j.Name == f.job })
	switch {
	case j < 0:
		return "", false
	case t.Jobs[j].Arrive > at:
		return f.in.T("has not arrived"), false
	case t.Jobs[j].Finish >= 0 && t.Jobs[j].Finish <= at:
		return f.in.T("is done by then"), false
	}
	held := map[model.Shard]bool{}
	var shards []model.Shard
	for i := range t.Spans.Len() {
		if t.Spans.Job[i] != int32(j) || t.Spans.From[i] > at || at >= t.Spans.To[i] {
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
		return f.in.T("waits"), true
	}
	unit.Sort(shards, func(a, b model.Shard) int { return cmp.Compare(a.Slot, b.Slot) })
	for i, sh := range shards {
		slot := t.Slots[sh.Slot]
		one := f.in.F("{0} {1} on {2}", itoa(int(sh.N)), figure.TypeTitle(t.Types[slot.Type]), t.Nodes[slot.Node])
		if i > 0 {
			one = f.in.F("{0} and {1}", says, one)
		}
		says = one
	}
	return f.in.F("holds {0}", says), true
}

// taken is that a job takes GPUs of a slot at an instant, or gives them back.
type taken struct {
	at   unit.Tick
	slot int32
	n    int32
}

// history is what the job has taken and given back before the search's instant, by time.
func (f *Flip) history(r *sim.Run) (out []taken) {
	t, _ := r.Result()
	var all []taken
	for i := range t.Spans.Len() {
		if t.Jobs[t.Spans.Job[i]].Name != f.job {
			continue
		}
		for _, sh := range t.Spans.At(i) {
			all = append(all, taken{t.Spans.From[i], int32(sh.Slot), sh.N}, taken{t.Spans.To[i], int32(sh.Slot), -sh.N})
		}
	}
	unit.Sort(all,
		func(a, b taken) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.slot, b.slot)) })
	for _, x := range all {
		if last := len(out) - 1; last >= 0 && out[last].at == x.at && out[last].slot == x.slot {
			out[last].n += x.n
		} else if x.at < f.at {
			out = append(out, x)
		}
	}
	return slices.DeleteFunc(out, func(x taken) bool { return x.n == 0 }) // it goes on holding them
}

// since says from which earlier round on the changed scenario has gone another way for the job, and what the job does
// there, where that is what lies behind the outcome: a smaller weight may cost a job one turn and so bring it the next.
func (f *Flip) since(r *sim.Run, outcome string) string {
	now := f.history(r)
	same := 0
	for same < len(now) && same < len(f.was) && now[same] == f.was[same] {
		same++
	}
	at := f.at
	for _, of := range [][]taken{now, f.was} {
		if same < len(of) {
			at = min(at, of[same].at)
		}
	}
	if at == f.at {
		return outcome
	}
	round := 0
	for round < len(f.rounds) && f.rounds[round] <= at {
		round++
	}
	does, _ := f.doesAt(r, at)
	return f.in.F("{0} (it has gone another way since the policy’s round {1}: there {2} {3})", outcome, itoa(round), f.job, does)
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
		if job := &t.Jobs[j]; !holds[j] && job.Name != f.job && job.Arrive <= f.at &&
			(job.Finish < 0 || job.Finish > f.at) {
			names = append(names, job.Name)
		}
	}
	return names
}

// instead says which other jobs a change makes wait or spares from waiting, where the job itself does so much; idle are
// those that wait with it.
func (f *Flip) instead(does string, idle []string) (says string) {
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
	wait := f.in.T("waits")
	switch n, names := list(idle, f.idle); {
	case n == 0:
	case does == wait:
		says = f.in.N(n, ", and {1} waits, too", ", and {1} wait, too", names)
	case f.before == wait:
		says = f.in.N(n, ", and {1} waits instead", ", and {1} wait instead", names)
	default:
		says = f.in.N(n, ", and {1} waits now", ", and {1} wait now", names)
	}
	if n, names := list(f.idle, idle); n > 0 {
		says += f.in.N(n, ", and {1} no longer waits", ", and {1} no longer wait", names)
	}
	return says
}
