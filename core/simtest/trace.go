package simtest

import (
	"hadarlab/core/model"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// TraceBuilder makes traces by hand: seconds in, ticks out.
type TraceBuilder struct{ T trace.Trace }

// NewTrace makes a cluster of one slot a node, each given as node, type and number of GPUs.
func NewTrace(slots ...[3]any) *TraceBuilder {
	b := &TraceBuilder{T: trace.Trace{Round: 360 * unit.Second, Spans: trace.Spans{ShardAt: []int32{0}}}}
	for i, s := range slots {
		typ := s[1].(string)
		at := -1
		for k, name := range b.T.Types {
			if name == typ {
				at = k
			}
		}
		if at < 0 {
			at = len(b.T.Types)
			b.T.Types = append(b.T.Types, typ)
		}
		b.T.Nodes = append(b.T.Nodes, s[0].(string))
		b.T.Slots = append(b.T.Slots, trace.Slot{Node: int32(i), Type: int32(at), Cap: int32(s[2].(int))})
	}
	return b
}

// Job adds a job with its arrival and finish in s, -1 = never.
func (b *TraceBuilder) Job(name string, arrive, finish int) *TraceBuilder {
	f := unit.Tick(finish) * unit.Second
	if finish < 0 {
		f = -1
	}
	b.T.Jobs = append(b.T.Jobs, trace.Job{Name: name, Arrive: unit.Tick(arrive) * unit.Second, Finish: f})
	b.T.End = max(b.T.End, f)
	return b
}

// Span adds a span on shards given as slot and number in turn.
func (b *TraceBuilder) Span(job int, kind trace.Kind, from, to int, shards ...int32) *TraceBuilder {
	s := &b.T.Spans
	s.Job, s.Gang, s.With = append(s.Job, int32(job)), append(s.Gang, 0), append(s.With, -1)
	s.Kind, s.Rate = append(s.Kind, kind), append(s.Rate, 1)
	s.From, s.To = append(s.From, unit.Tick(from)*unit.Second), append(s.To, unit.Tick(to)*unit.Second)
	for i := 0; i < len(shards); i += 2 {
		s.Shards = append(s.Shards, model.Shard{Slot: model.SlotID(shards[i]), N: shards[i+1]})
	}
	s.ShardAt = append(s.ShardAt, int32(len(s.Shards)))
	b.T.End = max(b.T.End, unit.Tick(to)*unit.Second)
	return b
}

// Rounds ends the trace with the instants of its decisions, in s.
func (b *TraceBuilder) Rounds(at ...float64) *trace.Trace {
	for _, s := range at {
		b.T.Rounds = append(b.T.Rounds, trace.Decision{At: unit.Seconds(s)})
	}
	return &b.T
}

// TwoNodes has three V100 on n1 and three P100 on n2.
func TwoNodes() *TraceBuilder { return NewTrace([3]any{"n1", "v100", 3}, [3]any{"n2", "p100", 3}) }

// TaskLevel and JobLevel are the two schedules of an example (hadar.md, Example: task level against job level).
func TaskLevel() *trace.Trace {
	return TwoNodes().Job("j1", 0, 1080).Job("j2", 0, 1512).Job("j3", 0, 1800).
		Span(0, trace.Run, 0, 1080, 0, 2).Span(1, trace.Run, 0, 1080, 1, 2).Span(2, trace.Run, 0, 1080, 0, 1, 1, 1).
		Span(1, trace.Run, 1080, 1512, 0, 2).Span(2, trace.Run, 1080, 1800, 1, 2).Rounds(0, 360, 720, 1080, 1440)
}

// JobLevel is the second of them.
func JobLevel() *trace.Trace {
	return TwoNodes().Job("j1", 0, 1080).Job("j2", 0, 1512).Job("j3", 0, 2448).
		Span(0, trace.Run, 0, 1080, 0, 2).Span(1, trace.Run, 0, 1080, 1, 2).
		Span(1, trace.Run, 1080, 1512, 0, 2).Span(2, trace.Run, 1080, 1800, 1, 2).Span(2, trace.Run, 1800, 2448, 0, 2).
		Rounds(0, 360, 720, 1080, 1440, 1800, 2160)
}

// Mixed is three nodes, of which the middle one has two types; a gang lies on the border of the first two.
func Mixed() *trace.Trace {
	b := NewTrace([3]any{"n1", "v100", 4}, [3]any{"n2", "p100", 2}, [3]any{"n2b", "v100", 2}, [3]any{"n3", "p100", 2})
	b.T.Nodes = []string{"n1", "n2", "n3"}
	b.T.Slots[2].Node, b.T.Slots[3].Node = 1, 2
	return b.Job("a", 0, 720).Job("b", 0, 1080).Job("c", 0, 360).
		Span(0, trace.Run, 0, 720, 0, 4, 1, 2).Span(1, trace.Run, 0, 1080, 2, 2).Span(2, trace.Run, 0, 360, 3,
		1).Rounds(0, 360, 720)
}
