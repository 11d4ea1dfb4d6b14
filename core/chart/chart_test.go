package chart

import (
	"math/rand/v2"
	"testing"

	"hadarlab/core/simtest"

	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

func TestGangOverTwoNodesMeetsAtTheBorder(t *testing.T) {
	l := NewLane(simtest.TaskLevel())
	rows := map[[2]int32][2]int32{} // job, slot → row, number, of the first holdings
	for _, b := range l.Bars {
		if h := l.Holdings[b.Holding]; h.From == 0 {
			rows[[2]int32{h.Job, b.Slot}] = [2]int32{b.Row, b.N}
		}
	}
	want := map[[2]int32][2]int32{{0, 0}: {0, 2}, {2, 0}: {2, 1}, {2, 1}: {3, 1}, {1, 1}: {4, 2}}
	for k, w := range want {
		if rows[k] != w {
			t.Errorf("job %d on slot %d: rows %v, want %v", k[0], k[1], rows[k], w)
		}
	}
}

func TestRowsNeverOverlapAndNeverRunOut(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 300 {
		tr := randomTrace(r)
		l := NewLane(tr)
		held := map[int32]int32{} // holding → GPUs drawn
		for i, b := range l.Bars {
			h := l.Holdings[b.Holding]
			held[b.Holding] += b.N
			for k, c := range l.Bars[:i] {
				g := l.Holdings[c.Holding]
				if h.From < g.To && g.From < h.To && b.Row < c.Row+c.N && c.Row < b.Row+b.N {
					t.Fatalf("bars %d and %d overlap on a row", i, k)
				}
			}
			for row := b.Row; row < b.Row+b.N; row++ {
				if l.Rows[row].Slot != b.Slot {
					t.Fatalf("bar %d lies on a row of another slot", i)
				}
			}
		}
		for i, h := range l.Holdings {
			if held[int32(i)] != h.Size {
				t.Fatalf("holding %d has %d GPUs and is drawn with %d", i, h.Size, held[int32(i)])
			}
		}
	}
}

// randomTrace places gangs on free GPUs until there are none.
func randomTrace(r *rand.Rand) *trace.Trace {
	b := simtest.NewTrace([3]any{"n1", "v100", 1 + r.IntN(4)}, [3]any{"n2", "p100", 1 + r.IntN(4)},
		[3]any{"n3", "p100", 1 + r.IntN(4)})
	type use struct {
		slot, n  int32
		from, to int
	}
	var uses []use
	for j := range 12 {
		from := r.IntN(20) * 10
		to := from + 10 + r.IntN(12)*10
		var shards []int32
		for s := range b.T.Slots {
			most := b.T.Slots[s].Cap
			for at := from; at < to; at += 10 {
				taken := int32(0)
				for _, u := range uses {
					if u.slot == int32(s) && u.from <= at && at < u.to {
						taken += u.n
					}
				}
				most = min(most, b.T.Slots[s].Cap-taken)
			}
			if n := min(most, int32(r.IntN(3))); n > 0 {
				shards = append(shards, int32(s), n)
				uses = append(uses, use{int32(s), n, from, to})
			}
		}
		b.Job("j", 0, -1)
		if shards != nil {
			b.Span(j, trace.Run, from, to, shards...)
		}
	}
	return b.Rounds(0)
}

func TestBusyAndIdleFillTheRows(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 100 {
		tr := randomTrace(r)
		l := NewLane(tr)
		var sum unit.Tick
		for _, b := range l.Bars {
			h := l.Holdings[b.Holding]
			sum += unit.Tick(b.N) * (h.To - h.From)
		}
		for _, d := range l.Idles {
			sum += unit.Tick(d.N) * (d.To - d.From)
		}
		if want := unit.Tick(tr.GPUs()) * tr.End; sum != want {
			t.Fatalf("busy and idle add up to %d, want %d", sum, want)
		}
	}
}

func TestStallsJoinTheirHolding(t *testing.T) {
	tr := simtest.TwoNodes().Job("j1", 0, 500).Span(0, trace.Stall, 0, 20, 0, 2).Span(0, trace.Run, 20, 350, 0, 2).
		Span(0, trace.Hold, 350, 360, 0, 2).
		Span(0, trace.Run, 360, 500, 0, 2).Rounds(0, 360)
	l := NewLane(tr)
	if len(l.Holdings) != 1 || len(l.Bars) != 1 {
		t.Fatalf("%d holdings and %d bars, want one of each", len(l.Holdings), len(l.Bars))
	}
	if p := l.Holdings[0].Pauses; len(p) != 2 || p[0].Kind != trace.Stall || p[1].Kind != trace.Hold ||
		p[1].To != 360*unit.Second {
		t.Errorf("pauses %v", p)
	}
}

func TestWaitsAndWaste(t *testing.T) {
	l := NewLane(simtest.JobLevel())
	if len(l.Waits) != 1 || l.Waits[0].Job != 2 || l.Waits[0].From != 0 || l.Waits[0].To != 1080*unit.Second {
		t.Fatalf("waits %v, want j3 until 1080 s", l.Waits)
	}
	waste := unit.Tick(0)
	for _, d := range l.Idles {
		if d.Waste {
			waste += unit.Tick(d.N) * (d.To - d.From)
		}
	}
	if want := 2 * 1080 * unit.Second; waste != want {
		t.Errorf("%d ticks idle while a job waits, want %d", waste, want)
	}
	if q := l.Queue(nil); q.Max() != 1 || q.At(1079*unit.Second) != 1 || q.At(1080*unit.Second) != 0 {
		t.Errorf("queue %v", q)
	}
}

func TestDivergence(t *testing.T) {
	a, b := simtest.TaskLevel(), simtest.JobLevel()
	d := Compare(a, b, NewLane(a), NewLane(b))
	if d.First != 0 || d.Job != 2 || d.Moments[0].Differ != 2 {
		t.Fatalf("first %d, job %d, %d GPUs; want moment 0, j3, 2", d.First, d.Job, d.Moments[0].Differ)
	}
	if !d.Spare[1] || d.Spare[0] || len(d.Holds[0]) != 2 || d.Holds[1] != nil {
		t.Errorf("holds %v, spare %v: the second run leaves idle what the first gives j3", d.Holds, d.Spare)
	}
	var differ []int32
	for _, m := range d.Moments {
		differ = append(differ, m.Differ)
	}
	want := []int32{2, 2, 2, 0, 0, 2, 2} // j3 goes on alone on the V100s in the second run
	if len(differ) != len(want) {
		t.Fatalf("differ %v, want %v", differ, want)
	}
	for i := range want {
		if differ[i] != want[i] {
			t.Errorf("differ %v, want %v", differ, want)
			break
		}
	}
	if d.Next(0, 1) != 1 || d.Next(2, 1) != 5 || d.Next(5, -1) != 2 || d.Next(6, 1) != -1 {
		t.Error("the walk through the disagreements loses its way")
	}
}

func TestEqualGPUsAreInterchangeable(t *testing.T) {
	run := func(first, second int) *trace.Trace {
		b := simtest.NewTrace([3]any{"n1", "v100", 2}).Job("j1", 0, 100).Job("j2", 0, 100)
		return b.Span(first, trace.Run, 0, 100, 0, 1).Span(second, trace.Run, 0, 100, 0, 1).Rounds(0)
	}
	a, b := run(0, 1), run(1, 0)
	if d := Compare(a, b, NewLane(a), NewLane(b)); d.First != -1 {
		t.Errorf("runs that differ by equal GPUs only are said to differ at moment %d", d.First)
	}
}

func TestRoundsThatEndMillisecondsApartAreOneMoment(t *testing.T) {
	mk := func(second float64) *trace.Trace {
		return simtest.TwoNodes().Job("j1", 0, 700).Span(0, trace.Run, 0, 700, 0, 2).Rounds(0, second)
	}
	a, b := mk(360), mk(359.954)
	d := Compare(a, b, NewLane(a), NewLane(b))
	if len(d.Moments) != 2 || d.Moments[1].At != 360*unit.Second || d.Moments[1].Round != [2]int32{1, 1} {
		t.Errorf("moments %v, want two", d.Moments)
	}
}

func TestOwnDecisionsStayApart(t *testing.T) {
	a := simtest.TwoNodes().Job("j1", 0, 700).Span(0, trace.Run, 0, 700, 0, 2).Rounds(0, 2, 4)
	if d := Compare(a, nil, NewLane(a), nil); len(d.Moments) != 3 || d.First != -1 {
		t.Errorf("%d moments, want the three decisions", len(d.Moments))
	}
}

// TestWhoIsSoonerWasFaster: where the runs first differ as one is done with a job, the reason is the moment from which
// on the job is faster there on the same GPUs. Who was only stalled for less, or hardly faster, has no such moment.
func TestWhoIsSoonerWasFaster(t *testing.T) {
	run := func(stall, end int, rates ...float64) *trace.Trace {
		b := simtest.NewTrace([3]any{"n1", "v100", 2}).Job("j1", 0, end).Job("j2", 0, 2000)
		if stall > 0 {
			b.Span(0, trace.Stall, 0, stall, 0, 1)
		}
		b.Span(0, trace.Run, stall, 600, 0, 1).Span(0, trace.Run, 600, end, 0, 1).Span(1, trace.Run, 0, 2000, 0, 1)
		tr := b.Rounds(0, 300, 600, 900, float64(end))
		n := 0
		for i := range tr.Spans.Len() {
			if tr.Spans.Job[i] == 0 && tr.Spans.Kind[i] == trace.Run {
				tr.Spans.Rate[i] = rates[n]
				n++
			}
		}
		return tr
	}
	slow := run(0, 1500, 1, 1)
	for _, c := range []struct {
		fast  *trace.Trace
		since int
		pace  float64
	}{{run(0, 1000, 2, 2), 0, 2}, {run(0, 1200, 1, 3), 2, 3}, {run(60, 1000, 2, 2), 0, 2}, {run(0, 1400, 1, 1), -1, 0},
		{run(0, 1400, 1.01, 1.015), -1, 0}, {run(0, 1400, 0.5, 2), 2, 2}} {
		for _, runs := range [][2]*trace.Trace{{c.fast, slow}, {slow, c.fast}} {
			d := Compare(runs[0], runs[1], NewLane(runs[0]), NewLane(runs[1]))
			if d.First < 3 || d.Job != 0 || d.Since != c.since || max(d.Pace[0], d.Pace[1]) != c.pace ||
				c.since >= 0 && d.Reason() != c.since || c.since < 0 && d.Reason() != d.First {
				t.Errorf("they differ first at %d over job %d, which is faster since %d, by %v; want since %d, %v",
					d.First, d.Job, d.Since, d.Pace, c.since, c.pace)
			}
		}
	}
}
