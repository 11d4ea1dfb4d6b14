package insights

import (
	"cmp"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// GangWords is a gang's GPUs by type, as 2 V100 and 1 P100; with articles, as a V100 plus a P100.
func GangWords(in words.Catalogue, t *trace.Trace, shards []model.Shard, articles bool) string {
	count := make([]int32, len(t.Types))
	for _, sh := range shards {
		count[t.Slots[sh.Slot].Type] += sh.N
	}
	s := ""
	for i := range count {
		typ := len(count) - 1 - i // types are sorted by name: v100 before p100 before k80 reads best
		if count[typ] == 0 {
			continue
		}
		name := figure.TypeTitle(t.Types[typ])
		one := figure.Int(count[typ]) + " " + name
		switch {
		case articles && count[typ] == 1 && vowel(name):
			one = in.F("an {0}", name)
		case articles && count[typ] == 1:
			one = in.F("a {0}", name)
		}
		switch {
		case s == "":
			s = one
		case articles:
			s = in.F("{0} plus {1}", s, one)
		default:
			s = in.F("{0} and {1}", s, one)
		}
	}
	return s
}

func vowel(s string) bool {
	return s != "" && (s[0] == 'A' || s[0] == 'E' || s[0] == 'I' || s[0] == 'O')
}

// placeWords is a gang's GPUs by node.
func placeWords(in words.Catalogue, t *trace.Trace, shards []model.Shard) string {
	s := ""
	for i, sh := range shards {
		slot := t.Slots[sh.Slot]
		one := in.F("{0} {1} on {2}", figure.Int(sh.N), figure.TypeTitle(t.Types[slot.Type]), t.Nodes[slot.Node])
		if i > 0 {
			one = in.F("{0} and {1}", s, one)
		}
		s = one
	}
	return s
}

// Standing says in words what a job does at an instant.
func Standing(in words.Catalogue, t *trace.Trace, l *chart.Lane, job int32, at unit.Tick, u figure.Unit) string {
	j := &t.Jobs[job]
	switch {
	case at < j.Arrive:
		return in.F("{0} has not arrived yet: it comes at {1}.", j.Name, u.At(in, j.Arrive))
	case j.Finish >= 0 && at >= j.Finish:
		return in.F("{0} has been complete since {1}.", j.Name, u.At(in, j.Finish))
	}
	var held []*chart.Holding
	for _, i := range l.HoldingsOf(job) {
		if h := &l.Holdings[i]; h.From <= at && at < h.To {
			held = append(held, h)
		}
	}
	if len(held) > 0 {
		return holdWords(in, t, j.Name, held, u)
	}
	for _, i := range l.WaitsOf(job) {
		if w := &l.Waits[i]; w.From <= at && at < w.To {
			return in.F("{0} has been waiting since {1}: {2}.", j.Name, u.At(in, w.From),
				waitsFor(in, t, l, job, at, u))
		}
	}
	return in.F("{0} holds nothing.", j.Name)
}

// holdWords says what a job holds: its gang, or all of its copies, in the order in which they began.
func holdWords(in words.Catalogue, t *trace.Trace, name string, held []*chart.Holding, u figure.Unit) string {
	if len(held) == 1 {
		return in.F("{0} holds {1}, since {2}.", name, placeWords(in, t, held[0].Shards), u.At(in, held[0].From))
	}
	unit.Sort(held, func(a, b *chart.Holding) int { return cmp.Compare(a.From, b.From) })
	list := ""
	for i, h := range held {
		one := in.F("{0} since {1}", placeWords(in, t, h.Shards), u.At(in, h.From))
		if i > 0 {
			one = in.F("{0}, and {1}", list, one)
		}
		list = one
	}
	return in.F("{0} holds {1} copies: {2}.", name, figure.Int(len(held)), list)
}

// waitsFor says what a job still lacks at an instant or, where the GPUs that are free would do, that nobody decides
// then: it is a gap between two decisions.
func waitsFor(in words.Catalogue, t *trace.Trace, l *chart.Lane, job int32, at unit.Tick, u figure.Unit) string {
	j := &t.Jobs[job]
	free, n := freeAt(l, at)
	asks := figure.Plural(in, int(j.GPUs), "GPU") // an elastic job may run on fewer
	round, fresh := t.RoundAt(at), false
	if round >= 0 {
		fresh = freed(l, t.Rounds[round].At, free)
	}
	came, last := round < 0 || t.Rounds[round].At < j.Arrive, round+1 >= len(t.Rounds)
	idle := GangWords(in, t, free, false)
	switch {
	case n == 0:
		return in.F("it asks for {0}, and none is free", asks)
	case last && came:
		return in.F("it asks for {0} and came when nobody decided any more; free is {1}", asks, idle)
	case came:
		return in.F("it asks for {0} and came between two decisions; free until the next, at {2}, is {1}", asks, idle,
			u.At(in, t.Rounds[round+1].At))
	case n < j.GPUs:
		return in.F("it asks for {0}, and all that is free is {1}", asks, idle)
	case fresh && last:
		return in.F("it asks for {0}; free is {1}, not all of it at the last decision, and nobody decided again", asks,
			idle)
	case fresh:
		return in.F("it asks for {0}; free is {1}, not all of it at the last decision, and the next is at {2}", asks,
			idle, u.At(in, t.Rounds[round+1].At))
	}
	switch waitCode(t, job, round) {
	case trace.WaitRate:
		return in.F("it asks for {0} and has no speed on what is free, {1}", asks, idle)
	case trace.WaitShape:
		return in.F("it asks for {0}; at {2} its policy found no place for it in what is free, {1}", asks, idle,
			u.At(in, t.Rounds[round].At))
	}
	return in.F("it asks for {0}; at {2} its policy decided that it gets none of what is free, {1}", asks, idle,
		u.At(in, t.Rounds[round].At))
}

// waitCode is why a job waits since a round, as that or the last one before it that says so has it.
func waitCode(t *trace.Trace, job int32, round int) trace.Code {
	last := len(t.Reasons)
	if round+1 < len(t.Rounds) {
		last = int(t.Rounds[round+1].Reason)
	}
	for i := last - 1; i >= 0; i-- {
		if r := &t.Reasons[i]; r.Job == job {
			return r.Code
		}
	}
	return trace.NoReason
}

// freed says whether a slot has more GPUs among those that are free than were free in it at an earlier instant.
func freed(l *chart.Lane, then unit.Tick, free []model.Shard) bool {
	more := map[model.SlotID]int32{}
	for _, sh := range free {
		more[sh.Slot] += sh.N
	}
	before, _ := freeAt(l, then)
	for _, sh := range before {
		more[sh.Slot] -= sh.N
	}
	for _, n := range more {
		if n > 0 {
			return true
		}
	}
	return false
}

// freeAt are the GPUs that nobody holds at an instant.
func freeAt(l *chart.Lane, at unit.Tick) (free []model.Shard, n int32) {
	for i := range l.Idles {
		if x := &l.Idles[i]; x.From <= at && at < x.To {
			free, n = append(free, model.Shard{Slot: model.SlotID(x.Slot), N: x.N}), n+x.N
		}
	}
	return free, n
}
