package trace

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"math"
	"strconv"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// ErrCorrupt is returned by Decode for bytes that are not a whole trace of this version.
var ErrCorrupt = errors.New("trace: not a trace of this version, or cut short")

// Version is that of the codec, which the fourth byte of a trace says. Decode reads those from oldest on. A trace is
// written in the first version that can hold it.
const (
	Version = 4 // at the end stand the speeds of nodes
	third   = 3
	oldest  = 2 // prices are columns of their own, and reasons tell what series tell now
)

var magic = [4]byte{'H', 'L', 'T', third}

// NewerError is returned by Decode for a trace of a later version of the codec.
type NewerError int

func (v NewerError) Error() string {
	return "trace: version is " + strconv.Itoa(int(v)) + "; this release reads " + strconv.Itoa(Version) +
		" (open it with a newer release)"
}

// Hash is the identity of what happened: arrivals, spans, finishes and the outcome, with the names
// they refer to. Reasons and series are left out, so that wording and explanations may improve
// without moving a hash.
func (t *Trace) Hash() string {
	sum := sha256.New()
	e := encoder{b: make([]byte, 0, 2*chunk), full: func(b []byte) { sum.Write(b) }}
	e.hashed(t)
	sum.Write(e.b)
	return hex.EncodeToString(sum.Sum(nil))
}

// Encode writes the whole trace.
func (t *Trace) Encode() []byte {
	b, _ := t.encode()
	return b
}

// EncodeWithHash is Encode and Hash, which is made of the same bytes.
func (t *Trace) EncodeWithHash() (b []byte, hash string) {
	b, hashed := t.encode()
	sum := sha256.Sum256(b[len(magic):hashed])
	return b, hex.EncodeToString(sum[:])
}

// encode writes the whole trace, and says where what is hashed ends.
func (t *Trace) encode() (b []byte, hashed int) {
	// All columns are written in no more bytes than they count, but for the names. A long trace is large enough once.
	size := 1024 + t.Bytes()
	for i := range t.Jobs {
		size += len(t.Jobs[i].Name)
	}
	e := encoder{b: append(make([]byte, 0, size), magic[:]...)}
	if t.Speeds != nil {
		e.b[3] = Version
	}
	e.hashed(t)
	hashed = len(e.b)
	e.i64(int64(t.Round))
	e.i64(t.Events)
	for i := range t.Jobs {
		e.i32(t.Jobs[i].GPUs)
		e.i32(t.Jobs[i].Starts)
		e.i32(t.Jobs[i].Preempted)
		e.i32(t.Jobs[i].Moved)
	}
	e.count(len(t.Rounds))
	for _, d := range t.Rounds {
		e.i64(int64(d.At))
		e.i32(d.Reason)
	}
	e.count(len(t.Reasons))
	for i := range t.Reasons {
		r := &t.Reasons[i]
		e.b = append(e.b, byte(r.Code))
		e.i32(r.Job)
		e.i32(r.Slot)
		e.i32(r.Other)
		for _, n := range r.Num {
			e.f64(n)
		}
	}
	e.count(len(t.Series))
	for i := range t.Series {
		s := &t.Series[i]
		e.str(s.Key)
		e.str(s.Unit)
		e.b = append(e.b, byte(s.By))
		e.count(len(s.Points))
		for _, p := range s.Points {
			e.i32(p.Round)
			e.i32(p.Of)
			e.f64(p.Value)
		}
	}
	e.count(len(t.Capacity))
	for _, c := range t.Capacity {
		e.i64(int64(c.At))
		e.i32(c.Slot)
		e.i32(c.Cap)
	}
	if t.Speeds != nil {
		e.count(len(t.Speeds))
		for _, c := range t.Speeds {
			e.i64(int64(c.At))
			e.i32(c.Node)
			e.f64(c.Speed)
		}
	}
	return e.b, hashed
}

// Decode reads what Encode wrote. It trusts no count: lengths are checked against the bytes left.
func Decode(b []byte) (*Trace, error) { return DecodePaced(b, nil) }

// DecodePaced is Decode in the pace of whoever waits for it.
func DecodePaced(b []byte, pace unit.Pace) (*Trace, error) {
	if len(b) < len(magic) || [3]byte(b[:3]) != [3]byte(magic[:3]) || b[3] < oldest {
		return nil, ErrCorrupt
	}
	if b[3] > Version {
		return nil, NewerError(b[3])
	}
	d := decoder{b: b[4:]}
	t := &Trace{Pace: pace}
	d.hashed(t)
	t.Round = unit.Tick(d.i64())
	t.Events = d.i64()
	for i := range t.Jobs {
		t.Jobs[i].GPUs, t.Jobs[i].Starts, t.Jobs[i].Preempted, t.Jobs[i].Moved = d.i32(), d.i32(), d.i32(), d.i32()
	}
	t.Rounds = make([]Decision, d.count(12))
	for i := range t.Rounds {
		pace.Did(1)
		t.Rounds[i] = Decision{unit.Tick(d.i64()), d.i32()}
	}
	t.Reasons = make([]Reason, d.count(37))
	for i := range t.Reasons {
		pace.Did(1)
		b := d.take(37)
		r := &t.Reasons[i]
		r.Code = Code(b[0])
		r.Job, r.Slot, r.Other = i32(b[1:]), i32(b[5:]), i32(b[9:])
		for k := range r.Num {
			r.Num[k] = f64(b[13+8*k:])
		}
	}
	if b[3] == 2 {
		d.second(t)
	} else {
		t.Series = make([]Series, d.count(13))
		for i := range t.Series {
			t.Series[i] = Series{Quantity{d.str(), d.str(), By(d.u8())}, d.points(pace)}
		}
	}
	t.Capacity = make([]Capacity, d.count(16))
	for i := range t.Capacity {
		t.Capacity[i] = Capacity{unit.Tick(d.i64()), d.i32(), d.i32()}
	}
	if b[3] > third {
		t.Speeds = make([]Speed, d.count(20))
		for i := range t.Speeds {
			t.Speeds[i] = Speed{unit.Tick(d.i64()), d.i32(), d.f64()}
		}
	}
	if d.bad || len(d.b) != 0 || !t.consistent() {
		return nil, ErrCorrupt
	}
	t.Pace = nil
	return t, nil
}

// consistent checks every index, so that readers need not.
func (t *Trace) consistent() bool {
	in := func(v int32, n int) bool { return v >= 0 && int(v) < n }
	for _, s := range t.Slots {
		if !in(s.Node, len(t.Nodes)) || !in(s.Type, len(t.Types)) || s.Cap < 0 {
			return false
		}
	}
	s := &t.Spans
	for i := range s.Job {
		t.Pace.Did(1)
		if !in(s.Job[i], len(t.Jobs)) || s.With[i] < -1 || int(s.With[i]) >= len(t.Jobs) || s.Kind[i] > Hold ||
			s.From[i] > s.To[i] || s.ShardAt[i] > s.ShardAt[i+1] || s.ShardAt[i] < 0 {
			return false
		}
	}
	if len(s.ShardAt) > 0 && int(s.ShardAt[len(s.ShardAt)-1]) != len(s.Shards) {
		return false
	}
	for _, sh := range s.Shards {
		if !in(int32(sh.Slot), len(t.Slots)) || sh.N < 0 {
			return false
		}
	}
	for i, d := range t.Rounds {
		t.Pace.Did(1)
		if d.Reason < 0 || int(d.Reason) > len(t.Reasons) || i > 0 && d.Reason < t.Rounds[i-1].Reason {
			return false
		}
	}
	for i := range t.Reasons {
		t.Pace.Did(1)
		r := &t.Reasons[i]
		if r.Job < -1 || int(r.Job) >= len(t.Jobs) || r.Slot < -1 || int(r.Slot) >= len(t.Slots) || r.Other < -1 ||
			int(r.Other) >= len(t.Jobs) {
			return false
		}
	}
	for i := range t.Series {
		if !t.Series[i].consistent(t) {
			return false
		}
	}
	for i, c := range t.Capacity {
		if !in(c.Slot, len(t.Slots)) || c.Cap < 0 || c.Cap > t.Slots[c.Slot].Cap || i > 0 && c.At < t.Capacity[i-1].At {
			return false
		}
	}
	for i, c := range t.Speeds {
		if !in(c.Node, len(t.Nodes)) || !(c.Speed > 0 && c.Speed <= 1) || i > 0 && c.At < t.Speeds[i-1].At {
			return false
		}
	}
	return t.Outcome <= Stopped
}

// encoder writes into b. Where full is set, spans are handed to it as they are written, in pieces of about a chunk.
type encoder struct {
	b    []byte
	full func([]byte)
}

const chunk = 1 << 16

func (e *encoder) i32(v int32)   { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(v)) }
func (e *encoder) i64(v int64)   { e.b = binary.LittleEndian.AppendUint64(e.b, uint64(v)) }
func (e *encoder) f64(v float64) { e.b = binary.LittleEndian.AppendUint64(e.b, math.Float64bits(v)) }
func (e *encoder) count(n int)   { e.b = binary.LittleEndian.AppendUint32(e.b, uint32(n)) }
func (e *encoder) str(s string) {
	e.count(len(s))
	e.b = append(e.b, s...)
}

// hashed is the part of a trace that its hash covers.
func (e *encoder) hashed(t *Trace) {
	for _, names := range [][]string{t.Types, t.Nodes} {
		e.count(len(names))
		for _, n := range names {
			e.str(n)
		}
	}
	e.count(len(t.Slots))
	for _, s := range t.Slots {
		e.i32(s.Node)
		e.i32(s.Type)
		e.i32(s.Cap)
	}
	e.count(len(t.Jobs))
	for i := range t.Jobs {
		j := &t.Jobs[i]
		e.str(j.Name)
		e.i64(int64(j.Arrive))
		e.i64(int64(j.Start))
		e.i64(int64(j.Finish))
	}
	s := &t.Spans
	e.count(s.Len())
	b := e.b // here, most of a trace is written
	for i := range s.Job {
		t.Pace.Did(1)
		if e.full != nil && len(b) > chunk {
			e.full(b)
			b = b[:0]
		}
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Job[i]))
		b = binary.LittleEndian.AppendUint32(b, uint32(s.Gang[i]))
		b = binary.LittleEndian.AppendUint32(b, uint32(s.With[i]))
		b = append(b, byte(s.Kind[i]))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.From[i]))
		b = binary.LittleEndian.AppendUint64(b, uint64(s.To[i]))
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(s.Rate[i]))
		shards := s.At(i)
		b = binary.LittleEndian.AppendUint32(b, uint32(len(shards)))
		for _, sh := range shards {
			b = binary.LittleEndian.AppendUint32(b, uint32(sh.Slot))
			b = binary.LittleEndian.AppendUint32(b, uint32(sh.N))
		}
	}
	e.b = b
	e.b = append(e.b, byte(t.Outcome))
	e.i64(int64(t.End))
}

type decoder struct {
	b   []byte
	bad bool
}

func (d *decoder) take(n int) []byte {
	if d.bad || len(d.b) < n {
		d.bad = true
		return zero[:n]
	}
	v := d.b[:n]
	d.b = d.b[n:]
	return v
}

var zero [37]byte

func i32(b []byte) int32   { return int32(binary.LittleEndian.Uint32(b)) }
func i64(b []byte) int64   { return int64(binary.LittleEndian.Uint64(b)) }
func f64(b []byte) float64 { return math.Float64frombits(binary.LittleEndian.Uint64(b)) }

func (d *decoder) u8() byte     { return d.take(1)[0] }
func (d *decoder) i32() int32   { return i32(d.take(4)) }
func (d *decoder) i64() int64   { return i64(d.take(8)) }
func (d *decoder) f64() float64 { return f64(d.take(8)) }

// count reads a length and checks that so many items of at least size bytes can follow.
func (d *decoder) count(size int) int {
	n := int(d.i32())
	if n < 0 || n > len(d.b)/size {
		d.bad = true
		return 0
	}
	return n
}

func (d *decoder) str() string {
	n := d.count(1)
	if d.bad {
		return ""
	}
	s := string(d.b[:n])
	d.b = d.b[n:]
	return s
}

func (d *decoder) hashed(t *Trace) {
	for _, names := range []*[]string{&t.Types, &t.Nodes} {
		*names = make([]string, d.count(4))
		for i := range *names {
			(*names)[i] = d.str()
		}
	}
	t.Slots = make([]Slot, d.count(12))
	for i := range t.Slots {
		t.Slots[i] = Slot{d.i32(), d.i32(), d.i32()}
	}
	t.Jobs = make([]Job, d.count(28))
	for i := range t.Jobs {
		t.Jobs[i] = Job{Name: d.str(), Arrive: unit.Tick(d.i64()), Start: unit.Tick(d.i64()),
			Finish: unit.Tick(d.i64())}
	}
	n := d.count(41)
	s := &t.Spans
	s.Job, s.Gang, s.With = make([]int32, n), make([]int32, n), make([]int32, n)
	s.Kind, s.Rate = make([]Kind, n), make([]float64, n)
	s.From, s.To = make([]unit.Tick, n), make([]unit.Tick, n)
	s.ShardAt = make([]int32, n+1)
	s.Shards = make([]model.Shard, 0, n)
	b := d.b // here, most of a trace is read: by a slice that is no field, which would be written anew for each span
	for i := range s.Job {
		t.Pace.Did(1)
		if len(b) < 41 {
			d.bad = true
			break
		}
		s.Job[i], s.Gang[i], s.With[i] = i32(b), i32(b[4:]), i32(b[8:])
		s.Kind[i] = Kind(b[12])
		s.From[i], s.To[i] = unit.Tick(i64(b[13:])), unit.Tick(i64(b[21:]))
		s.Rate[i] = f64(b[29:])
		shards := int(i32(b[37:]))
		if b = b[41:]; shards < 0 || shards > len(b)/8 {
			d.bad = true
			break
		}
		for range shards {
			s.Shards = append(s.Shards, model.Shard{Slot: model.SlotID(i32(b)), N: i32(b[4:])})
			b = b[8:]
		}
		s.ShardAt[i+1] = int32(len(s.Shards))
	}
	d.b = b
	t.Outcome = Outcome(d.u8())
	t.End = unit.Tick(d.i64())
}

// points reads those of one series.
func (d *decoder) points(pace unit.Pace) []Point {
	out := make([]Point, d.count(16))
	for i := range out {
		pace.Did(1)
		out[i] = Point{d.i32(), d.i32(), d.f64()}
	}
	return out
}
