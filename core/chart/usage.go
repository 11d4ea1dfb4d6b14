package chart

import (
	"sort"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
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

// The parts of Usage.Share, of the type's GPU time from the first arrival to the last finish; they sum to 1.
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
	queue := l.Queue()
	from, to := t.FirstArrival(), t.LastFinish()
	if to < 0 {
		to = t.End
	}
	for i := range out {
		u := &out[i]
		u.Busy, u.Held = accumulate(busy[i], t.End), accumulate(held[i], t.End)
		out := accumulate(down[i], t.End)
		u.Wanted = wanted(&u.Held, &queue, &out, float64(u.GPUs))
		if whole := float64(to-from) * float64(u.GPUs); whole > 0 {
			b, h, w := u.Busy.integral(from, to)/whole, u.Held.integral(from, to)/whole, u.Wanted.integral(from, to)/whole
			u.Share = [4]float64{b, h - b, w - h, 1 - w}
		}
	}
	return out
}

// wanted is held where nobody waits, and all GPUs in service where somebody does.
func wanted(held, queue, down *Series, all float64) Series {
	out := Series{End: held.End}
	at := unit.Tick(-1)
	for {
		next := unit.Never
		for _, s := range [...]*Series{held, queue, down} {
			if i := sort.Search(len(s.T), func(i int) bool { return s.T[i] > at }); i < len(s.T) {
				next = min(next, s.T[i])
			}
		}
		if at = next; at == unit.Never {
			return out
		}
		v := held.At(at)
		if queue.At(at) > 0 {
			v = all - down.At(at)
		}
		out.add(at, v)
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

// The height in px of one GPU type's strip and of what is above each lane's first.
const (
	usageH   = 26
	usageGap = 6
	usageTop = 20
)

// UsageHeight is the height in px of UsageSVG.
func UsageHeight(types int) float64 { return float64(usageTop + types*(usageH+usageGap)) }

// UsageSVG is one lane's strips, one a GPU type, on the shared time axis: from below busy, held without
// progress, idle while a job waits; what remains is free.
func UsageSVG(a *Axis, t *trace.Trace, all []Usage, title string) string {
	w := &svg{}
	w.put(`<svg data-role="usage" width="100%" height="$" role="img" aria-label="$">`, px(UsageHeight(len(all))), title)
	for i := range all {
		u := &all[i]
		y := Scale{Max: float64(max(u.GPUs, 1))}
		top := px(float64(usageTop + i*(usageH+usageGap)))
		w.put(`<rect data-role="node-bg" x="0" y="$" width="$" height="$"/>`, top, pct(a.X(t.End)), itoa(usageH))
		w.put(`<svg y="$" width="100%" height="$" viewBox="$" preserveAspectRatio="none" data-type="$">`, top, itoa(usageH), "0 0 1000 "+itoa(usageH), t.Types[u.Type])
		for k, s := range []*Series{&u.Wanted, &u.Held, &u.Busy} {
			if s.Max() > 0 {
				mean := s.Mean(a, 250)
				w.put(`<path data-use="$" d="$"/>`, [...]string{"waste", "held", "busy"}[k], stepPath(&mean, a, &y, usageH, true))
			}
		}
		w.close("svg")
		w.put(`<rect data-role="usage-frame" x="0" y="$" width="$" height="$"/>`, top, pct(a.X(t.End)), itoa(usageH))
	}
	w.close("svg")
	return string(w.b)
}

// UsageGutterSVG names the lane and its GPU types beside UsageSVG.
func UsageGutterSVG(t *trace.Trace, all []Usage, name string, width float64) string {
	w, room := &svg{}, 38.0 // before the percentage, which narrow columns do without
	if width < 80 {
		room = width - 18
	}
	w.put(`<svg data-role="gutter" width="$" height="$" aria-hidden="true">`, px(width), px(UsageHeight(len(all))))
	w.put(`<text data-part="node" x="0" y="14">$</text>`, name)
	for i := range all {
		u := &all[i]
		mid := float64(usageTop+i*(usageH+usageGap)) + usageH/2
		w.put(`<svg x="0" y="$" width="12" height="12" viewBox="0 0 12 12">`, px(mid-6))
		w.put(`<path data-mark="1" d="$"/>`, Mark(t.Types[u.Type], u.Type))
		w.close("svg")
		w.put(`<text x="17" y="$">$</text>`, px(mid+4.3), fit(TypeTitle(t.Types[u.Type]), room))
		w.put(`<text data-part="type" x="100%" dx="-8" y="$" text-anchor="end">$</text>`, px(mid+4.3), Percent(u.Share[ShareBusy]))
	}
	w.close("svg")
	return string(w.b)
}

// UsageSentence says which GPU type is wasted most, and where.
func UsageSentence(sides []Side, use [][]Usage) Finding {
	lane, typ, most := -1, 0, 0.005
	for i := range use {
		for k := range use[i] {
			if s := use[i][k].Share[ShareWaste]; s > most {
				lane, typ, most = i, k, s
			}
		}
	}
	f := Finding{Claim: words.T("No GPU stands idle while a job waits."), Because: words.T("What is idle is free: nobody could use it then.")}
	if lane >= 0 {
		name := TypeTitle(sides[lane].Trace.Types[typ])
		f = Finding{Claim: words.F("Under {0}, {1} GPUs stand idle while a job waits for {2} of the time.", sides[lane].Title, name, Percent(most))}
		for i := range use {
			if i != lane && typ < len(use[i]) {
				f.Because += words.F("Under {0} it is {1}.", sides[i].Title, Percent(use[i][typ].Share[ShareWaste])) + " "
			}
		}
	}
	return f
}
