package chart

import (
	"math/rand/v2"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// builder makes traces by hand: seconds in, ticks out.
type builder struct{ t trace.Trace }

// newBuilder makes a cluster of one slot a node, each given as node, type and number of GPUs.
func newBuilder(slots ...[3]any) *builder {
	b := &builder{t: trace.Trace{Round: 360 * unit.Second, Spans: trace.Spans{ShardAt: []int32{0}}}}
	for i, s := range slots {
		typ := s[1].(string)
		at := -1
		for k, name := range b.t.Types {
			if name == typ {
				at = k
			}
		}
		if at < 0 {
			at = len(b.t.Types)
			b.t.Types = append(b.t.Types, typ)
		}
		b.t.Nodes = append(b.t.Nodes, s[0].(string))
		b.t.Slots = append(b.t.Slots, trace.Slot{Node: int32(i), Type: int32(at), Cap: int32(s[2].(int))})
	}
	return b
}

func (b *builder) job(name string, arrive, finish int) *builder {
	f := unit.Tick(finish) * unit.Second
	if finish < 0 {
		f = -1
	}
	b.t.Jobs = append(b.t.Jobs, trace.Job{Name: name, Arrive: unit.Tick(arrive) * unit.Second, Finish: f})
	b.t.End = max(b.t.End, f)
	return b
}

// span adds a span on shards given as slot and number in turn.
func (b *builder) span(job int, kind trace.Kind, from, to int, shards ...int32) *builder {
	s := &b.t.Spans
	s.Job, s.Gang, s.With = append(s.Job, int32(job)), append(s.Gang, 0), append(s.With, -1)
	s.Kind, s.Rate = append(s.Kind, kind), append(s.Rate, 1)
	s.From, s.To = append(s.From, unit.Tick(from)*unit.Second), append(s.To, unit.Tick(to)*unit.Second)
	for i := 0; i < len(shards); i += 2 {
		s.Shards = append(s.Shards, trace.Shard{Slot: shards[i], N: shards[i+1]})
	}
	s.ShardAt = append(s.ShardAt, int32(len(s.Shards)))
	b.t.End = max(b.t.End, unit.Tick(to)*unit.Second)
	return b
}

func (b *builder) rounds(at ...float64) *trace.Trace {
	for _, s := range at {
		b.t.Rounds = append(b.t.Rounds, trace.Decision{At: unit.Seconds(s)})
	}
	return &b.t
}

func cluster() *builder { return newBuilder([3]any{"n1", "v100", 3}, [3]any{"n2", "p100", 3}) }

// taskLevel and jobLevel are the two schedules of the notes' worked example 6.5.
func taskLevel() *trace.Trace {
	return cluster().job("j1", 0, 1080).job("j2", 0, 1512).job("j3", 0, 1800).
		span(0, trace.Run, 0, 1080, 0, 2).span(1, trace.Run, 0, 1080, 1, 2).span(2, trace.Run, 0, 1080, 0, 1, 1, 1).
		span(1, trace.Run, 1080, 1512, 0, 2).span(2, trace.Run, 1080, 1800, 1, 2).rounds(0, 360, 720, 1080, 1440)
}

func jobLevel() *trace.Trace {
	return cluster().job("j1", 0, 1080).job("j2", 0, 1512).job("j3", 0, 2448).
		span(0, trace.Run, 0, 1080, 0, 2).span(1, trace.Run, 0, 1080, 1, 2).
		span(1, trace.Run, 1080, 1512, 0, 2).span(2, trace.Run, 1080, 1800, 1, 2).span(2, trace.Run, 1800, 2448, 0, 2).
		rounds(0, 360, 720, 1080, 1440, 1800, 2160)
}

func TestGangOverTwoNodesMeetsAtTheBorder(t *testing.T) {
	l := NewLane(taskLevel())
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
	b := newBuilder([3]any{"n1", "v100", 1 + r.IntN(4)}, [3]any{"n2", "p100", 1 + r.IntN(4)}, [3]any{"n3", "p100", 1 + r.IntN(4)})
	type use struct {
		slot, n  int32
		from, to int
	}
	var uses []use
	for j := range 12 {
		from := r.IntN(20) * 10
		to := from + 10 + r.IntN(12)*10
		var shards []int32
		for s := range b.t.Slots {
			most := b.t.Slots[s].Cap
			for at := from; at < to; at += 10 {
				taken := int32(0)
				for _, u := range uses {
					if u.slot == int32(s) && u.from <= at && at < u.to {
						taken += u.n
					}
				}
				most = min(most, b.t.Slots[s].Cap-taken)
			}
			if n := min(most, int32(r.IntN(3))); n > 0 {
				shards = append(shards, int32(s), n)
				uses = append(uses, use{int32(s), n, from, to})
			}
		}
		b.job("j", 0, -1)
		if shards != nil {
			b.span(j, trace.Run, from, to, shards...)
		}
	}
	return b.rounds(0)
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
	tr := cluster().job("j1", 0, 500).span(0, trace.Stall, 0, 20, 0, 2).span(0, trace.Run, 20, 350, 0, 2).span(0, trace.Hold, 350, 360, 0, 2).
		span(0, trace.Run, 360, 500, 0, 2).rounds(0, 360)
	l := NewLane(tr)
	if len(l.Holdings) != 1 || len(l.Bars) != 1 {
		t.Fatalf("%d holdings and %d bars, want one of each", len(l.Holdings), len(l.Bars))
	}
	if p := l.Holdings[0].Pauses; len(p) != 2 || p[0].Kind != trace.Stall || p[1].Kind != trace.Hold || p[1].To != 360*unit.Second {
		t.Errorf("pauses %v", p)
	}
}

func TestWaitsAndWaste(t *testing.T) {
	l := NewLane(jobLevel())
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
	if q := l.Queue(); q.Max() != 1 || q.At(1079*unit.Second) != 1 || q.At(1080*unit.Second) != 0 {
		t.Errorf("queue %v", q)
	}
}

func TestDivergence(t *testing.T) {
	a, b := taskLevel(), jobLevel()
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
		b := newBuilder([3]any{"n1", "v100", 2}).job("j1", 0, 100).job("j2", 0, 100)
		return b.span(first, trace.Run, 0, 100, 0, 1).span(second, trace.Run, 0, 100, 0, 1).rounds(0)
	}
	a, b := run(0, 1), run(1, 0)
	if d := Compare(a, b, NewLane(a), NewLane(b)); d.First != -1 {
		t.Errorf("runs that differ by equal GPUs only are said to differ at moment %d", d.First)
	}
}

func TestRoundsThatEndMillisecondsApartAreOneMoment(t *testing.T) {
	mk := func(second float64) *trace.Trace {
		return cluster().job("j1", 0, 700).span(0, trace.Run, 0, 700, 0, 2).rounds(0, second)
	}
	a, b := mk(360), mk(359.954)
	d := Compare(a, b, NewLane(a), NewLane(b))
	if len(d.Moments) != 2 || d.Moments[1].At != 360*unit.Second || d.Moments[1].Round != [2]int32{1, 1} {
		t.Errorf("moments %v, want two", d.Moments)
	}
}

func TestOwnDecisionsStayApart(t *testing.T) {
	a := cluster().job("j1", 0, 700).span(0, trace.Run, 0, 700, 0, 2).rounds(0, 2, 4)
	if d := Compare(a, nil, NewLane(a), nil); len(d.Moments) != 3 || d.First != -1 {
		t.Errorf("%d moments, want the three decisions", len(d.Moments))
	}
}

func TestHostileNamesStayText(t *testing.T) {
	const evil = `<img src=x onerror="alert(1)">'&`
	tr := newBuilder([3]any{evil, evil, 2}).job(evil, 0, 600).job("\x01", 0, 600).span(0, trace.Run, 0, 600, 0, 2).rounds(0)
	l := NewLane(tr)
	a := NewAxis(tr.End, tr.Round)
	p := &Picture{Lane: l, Trace: tr, Axis: &a, Frame: NewFrame(l, 500), Policy: evil, Title: evil}
	d := Compare(tr, nil, l, nil)
	for name, svg := range map[string]string{"plot": p.SVG(), "gutter": l.GutterSVG(tr, p.Frame, 92), "axis": AxisSVG(&a, d, 500), "strip": StripSVG(&a, d, 500),
		"outline": p.OutlineSVG(0, 0), "escape": Escape(evil)} {
		if strings.Contains(svg, "<img") || strings.Contains(svg, `onerror="`) || strings.Contains(svg, "\x01") {
			t.Errorf("%s lets a name become markup", name)
		}
	}
}

func metrics(makespan, jct float64) message.Metrics {
	return message.Metrics{MakespanS: makespan, AvgJCTS: jct}
}

func TestNamesOfTypesReadLikePeople(t *testing.T) {
	for in, want := range map[string]string{"v100": "V100", "a10g": "A10G", "rtx-a2000": "RTX-A2000", "t4": "T4"} {
		if got := TypeTitle(in); got != want {
			t.Errorf("%s becomes %s", in, got)
		}
	}
}
