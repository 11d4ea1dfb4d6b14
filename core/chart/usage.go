package chart

import (
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// Usage is how the GPUs of one type spend a run: step curves that lie on one another, in GPUs.
type Usage struct {
	Type   int32
	GPUs   int32
	Busy   Series // their job progresses
	Held   Series // busy, or held by a job that stalls or has used up its quota
	Wanted Series // held, or idle while a job waits
	Share  [4]float64
}

// The parts of Usage.Share, of the type's GPU time from the first arrival to the last finish, or to the
// end of a run that leaves jobs unfinished; they sum to 1.
const (
	ShareBusy = iota
	ShareHeld
	ShareWaste // idle while a job waits
	ShareFree  // or out of service
)

// UsageByType splits each GPU type's time. A GPU counts as idle while a job waits whenever any job does.
func (l *Lane) UsageByType(t *trace.Trace) []Usage {
	out := make([]Usage, len(t.Types))
	for i := range out {
		out[i].Type = int32(i)
	}
	for _, s := range t.Slots {
		out[s.Type].GPUs += s.Cap
	}
	busy, held, down := make([][]change, len(t.Types)), make([][]change, len(t.Types)), make([][]change, len(t.Types))
	for i := range l.Downs {
		d := &l.Downs[i]
		typ := t.Slots[d.Slot].Type
		down[typ] = append(down[typ], change{d.From, d.N}, change{d.To, -d.N})
	}
	s := &t.Spans
	for i := range s.Len() {
		t.Pace.Did(1)
		if s.With[i] >= 0 && s.With[i] < s.Job[i] {
			continue
		}
		for _, sh := range s.At(i) {
			typ := t.Slots[sh.Slot].Type
			add := [2]change{{s.From[i], sh.N}, {s.To[i], -sh.N}}
			held[typ] = append(held[typ], add[:]...)
			if s.Kind[i] == trace.Run {
				busy[typ] = append(busy[typ], add[:]...)
			}
		}
	}
	queue := l.Queue(t.Pace)
	from, to := t.FirstArrival(), t.LastFinish()
	if t.Outcome != trace.Done { // as figures have it: what happens after the last finish counts where jobs are left
		to = t.End
	}
	for i := range out {
		u := &out[i]
		u.Busy, u.Held = accumulate(busy[i], t.End, t.Pace), accumulate(held[i], t.End, t.Pace)
		out := accumulate(down[i], t.End, t.Pace)
		u.Wanted = wanted(&u.Held, &queue, &out, float64(u.GPUs), t.Pace)
		if whole := float64(to-from) * float64(u.GPUs); whole > 0 {
			b, h, w := u.Busy.integral(from, to)/whole, u.Held.integral(from, to)/whole,
				u.Wanted.integral(from, to)/whole
			u.Share = [4]float64{b, h - b, w - h, 1 - w}
		}
	}
	return out
}

// wanted is held where nobody waits, and all GPUs in service where somebody does.
func wanted(held, queue, down *Series, all float64, pace unit.Pace) Series {
	out := Series{End: held.End}
	of, at := [...]*Series{held, queue, down}, [3]int{} // each curve's next step
	for {
		pace.Did(1)
		next := unit.Never
		for k, s := range of {
			if at[k] < len(s.T) {
				next = min(next, s.T[at[k]])
			}
		}
		if next == unit.Never {
			return out
		}
		now := [3]float64{}
		for k, s := range of {
			if at[k] < len(s.T) && s.T[at[k]] == next {
				at[k]++
			}
			if at[k] > 0 {
				now[k] = s.V[at[k]-1]
			}
		}
		v := now[0]
		if now[1] > 0 {
			v = all - now[2]
		}
		out.add(next, v)
	}
}

// integral is the area under a curve, in value × ticks.
func (s *Series) integral(from, to unit.Tick) float64 {
	sum := 0.0
	for i, at := range s.T {
		end := s.End
		if i+1 < len(s.T) {
			end = s.T[i+1]
		}
		if a, b := max(at, from), min(end, to); a < b {
			sum += float64(s.V[i] * float64(b-a))
		}
	}
	return sum
}
