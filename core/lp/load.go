package lp

import (
	"math"
	"math/bits"
	"slices"

	"hadarlab/core/unit"
)

const (
	maxTypes   = 8
	leastShare = 1e-4 // jobs that need less than this are scaled as if they needed it
)

// scaled is the problem without what cannot move, in units near 1, as a minimisation:
//
//	min cost·v  s.t.  G v + slack = rhs,  slack >= 0,  v = (x, level)
//
// The rows of G come in four groups: -x_ij, the sum of a block (from o2), a block's level row (from
// o4), a type's load (from o3). A block without a row has the empty row 0 <= 1 if others have one,
// so that all blocks have the same rows.
//
// Blocks with the same numbers have the same values on all of the path. They are one kind, with rows and columns of its
// own, and only sums over all of them tell them apart: these go through the live blocks in order.
type scaled struct {
	n, k       int // kinds of live blocks, and types
	o2, o4, o3 int // group starts
	m          int // rows
	rows       bool
	level      bool // the level variable is in the problem
	floors     bool // some row needs Floor > 0 without help from the level
	three      bool // the loops of three.go do for it: three types, and blocks with rows

	live   []int32   // live block -> block
	kind   []int32   // live block -> kind
	blocks []int32   // kind -> its first block
	types  []int32   // live type -> type
	needs  []float64 // block -> Problem.level
	floor  []float64 // block -> Problem.floor
	keys   []float64 // scratch of kinds: the numbers of each kind
	seen   []int32   // the same: 1 + kind by hash
	apart  bool      // each block is a kind, for tests
	share  []float64 // x_ij = share_i × scaled x_ij
	scale  []float64 // s_i share_i
	inv    []float64 // 1/N_j: load rows are fractions of capacity
	a      []float64 // n*k
	b      []float64 // n
	cost   []float64 // n*k+1, the level last
	rhs    []float64 // m
	rowBy  []float64 // divisor of level row i; 0 marks an empty row
	objBy  float64   // divisor of the objective
	lvlBy  float64   // z = lvlBy × scaled level
}

// grow returns v with length n and keeps its memory where that is enough; the contents are
// arbitrary.
func grow(v []float64, n int) []float64 {
	if cap(v) < n {
		return make([]float64, n)
	}
	return v[:n]
}

// load fills sv.scaled with what of the problem can move, in units near 1, and sizes the workspace.
// Types without GPUs and blocks that gain nothing are left out: their fractions are 0, and a
// problem without an interior has no path to follow.
func (sv *Solver) load(p *Problem) {
	sc := &sv.scaled
	sc.types, sc.live = sc.types[:0], sc.live[:0]
	sc.needs, sc.floor = grow(sc.needs, len(p.Scale)), grow(sc.floor, len(p.Scale))
	for i := range p.Scale {
		sc.needs[i], sc.floor[i] = p.level(i), p.floor(i)
	}
	for j, n := range p.Capacity {
		if n > 0 { // a type without GPUs forces its fractions to 0 and leaves no interior
			sc.types = append(sc.types, int32(j))
		}
	}
	for i := range p.Scale {
		if p.live(i, sc.types) {
			sc.live = append(sc.live, int32(i))
		}
	}
	sc.kinds(p)
	sc.n, sc.k = len(sc.blocks), len(sc.types)
	sc.level, sc.rows, sc.floors = false, false, false
	for i := range p.Scale {
		if p.hasRow(i) {
			sc.rows = true
			sc.level = sc.level || p.LevelGain > 0 && p.level(i) > 0
			sc.floors = sc.floors || p.level(i) == 0
		}
	}
	sc.three = sc.k == 3 && sc.rows
	nk := sc.n * sc.k
	sc.o2 = nk
	sc.o4 = sc.o2 + sc.n
	sc.o3 = sc.o4
	if sc.rows {
		sc.o3 += sc.n
	}
	sc.m = sc.o3 + sc.k
	sc.scale, sc.share, sc.inv = grow(sc.scale, sc.n), grow(sc.share, sc.n), grow(sc.inv, sc.k)
	sc.a, sc.b, sc.rowBy = grow(sc.a, nk), grow(sc.b, sc.n), grow(sc.rowBy, sc.n)
	sc.cost, sc.rhs = grow(sc.cost, nk+1), grow(sc.rhs, sc.m)
	for j, t := range sc.types {
		sc.inv[j] = 1 / p.Capacity[t]
	}
	sc.loadRows(p)
	for i, bl := range sc.blocks {
		sc.scale[i] = float64(p.Scale[bl] * sc.share[i])
	}
	sc.loadCost(p)
	sv.kkt.size(sc)
	sv.path.over(&sv.kkt, sc.cost, sc.rhs)
}

// kinds sorts the live blocks into kinds, which are numbered as they come: blocks are alike when all their numbers are.
func (sc *scaled) kinds(p *Problem) {
	sc.kind, sc.blocks, sc.keys = sc.kind[:0], sc.blocks[:0], sc.keys[:0]
	if unit.Small {
		for i, bl := range sc.live {
			sc.kind, sc.blocks = append(sc.kind, int32(i)), append(sc.blocks, bl)
		}
		return
	}
	size := 2 << bits.Len(uint(len(sc.live)))
	sc.seen = slices.Grow(sc.seen[:0], size)[:size]
	clear(sc.seen)
	k := len(p.Capacity)
	for _, bl := range sc.live {
		from := len(sc.keys)
		sc.keys = append(sc.keys, p.Scale[bl], sc.needs[bl], sc.floor[bl])
		for _, m := range [...][]float64{p.Row, p.Gain} {
			if m != nil {
				sc.keys = append(sc.keys, m[int(bl)*k:int(bl)*k+k]...)
			}
		}
		key, hash := sc.keys[from:], uint64(0)
		for _, f := range key {
			hash = (hash ^ math.Float64bits(f)) * 0x9e3779b97f4a7c15
		}
		at := int(hash>>32) & (size - 1)
		for ; sc.seen[at] > 0; at = (at + 1) & (size - 1) {
			first := int(sc.seen[at]-1) * len(key)
			if !sc.apart && slices.Equal(sc.keys[first:first+len(key)], key) {
				break
			}
		}
		if sc.seen[at] == 0 {
			sc.blocks = append(sc.blocks, bl)
			sc.seen[at] = int32(len(sc.blocks))
		} else {
			sc.keys = sc.keys[:from] // those of the kind are there
		}
		sc.kind = append(sc.kind, sc.seen[at]-1)
	}
}

// hasRow says whether block i has a row that can bind. Without LevelGain the level falls as far as
// is wanted, so that rows that hold it are idle.
func (p *Problem) hasRow(i int) bool {
	f := p.floor(i)
	if math.IsInf(f, -1) {
		return false
	}
	if p.level(i) > 0 {
		return p.LevelGain > 0
	}
	if f > 0 {
		return true
	}
	k := len(p.Capacity)
	for _, a := range p.Row[i*k : (i+1)*k] {
		if a < 0 {
			return true
		}
	}
	return false
}

// live says whether the block gains something or has a row; any other gets no time.
func (p *Problem) live(i int, types []int32) bool {
	if p.hasRow(i) {
		return true
	}
	for _, t := range types {
		if p.Gain != nil && p.Gain[i*len(p.Capacity)+int(t)] != 0 {
			return true
		}
	}
	return false
}

// loadRows divides each row by its best rate, since rates span four decades and remaining work
// more. It divides the level by a bound of it: what the neediest job alone, or all jobs together on
// their best types, could reach without floors. A block that needs only a small share of time is
// scaled up too, for a variable near its bound all the way would slow the path down.
func (sc *scaled) loadRows(p *Problem) {
	gpus, need, alone := 0.0, 0.0, math.Inf(1)
	for _, t := range sc.types {
		gpus += p.Capacity[t]
	}
	for i, bl := range sc.blocks {
		sc.rowBy[i], sc.b[i] = 0, 0 // b is what a block of the kind needs, until the level has its unit
		if !p.hasRow(int(bl)) {
			continue
		}
		by := 0.0
		for _, t := range sc.types {
			by = math.Max(by, math.Abs(p.Row[int(bl)*len(p.Capacity)+int(t)]))
		}
		if b := p.level(int(bl)); by > 0 && b > 0 {
			alone = math.Min(alone, by/b)
			sc.b[i] = float64(p.Scale[bl] * (b / by))
		}
		sc.rowBy[i] = by
	}
	for _, i := range sc.kind {
		need += sc.b[i]
	}
	sc.lvlBy = 1
	if need > 0 {
		sc.lvlBy = math.Min(alone, gpus/need)
	}
	for i, bl := range sc.blocks {
		b := p.level(int(bl))
		has := p.hasRow(int(bl))
		sc.share[i], sc.b[i] = 1, 0
		if has && b > 0 && sc.rowBy[i] > 0 {
			sc.share[i] = math.Min(1, math.Max(leastShare, float64(b*sc.lvlBy)/sc.rowBy[i]))
		}
		sc.rhs[sc.o2+i] = 1 / sc.share[i]
		if has && sc.rowBy[i] == 0 { // zero rates: the row only bounds the level
			sc.rowBy[i] = 1
			if b > 0 {
				sc.rowBy[i] = float64(b * sc.lvlBy)
			}
		}
		for j, t := range sc.types {
			at := i*sc.k + j
			sc.rhs[at], sc.a[at] = 0, 0
			if has {
				sc.a[at] = p.Row[int(bl)*len(p.Capacity)+int(t)] / sc.rowBy[i]
			}
		}
		sc.rowBy[i] = float64(sc.rowBy[i] * sc.share[i])
		if !sc.rows {
			continue
		}
		sc.rhs[sc.o4+i] = 1
		if has {
			sc.b[i] = float64(b*sc.lvlBy) / sc.rowBy[i]
			sc.rhs[sc.o4+i] = -p.floor(int(bl)) / sc.rowBy[i]
		}
	}
	for j := range sc.types {
		sc.rhs[sc.o3+j] = 1
	}
}

// loadCost divides the objective by its largest coefficient.
func (sc *scaled) loadCost(p *Problem) {
	level := 0.0
	if sc.level {
		level = float64(p.LevelGain * sc.lvlBy)
	}
	most := level
	if p.Gain != nil {
		for _, bl := range sc.blocks {
			for _, t := range sc.types {
				most = math.Max(most, math.Abs(p.Gain[int(bl)*len(p.Capacity)+int(t)]))
			}
		}
	}
	sc.objBy = 1
	if most > 0 {
		sc.objBy = most
	}
	for i, bl := range sc.blocks {
		for j, t := range sc.types {
			c := 0.0
			if p.Gain != nil {
				c = p.Gain[int(bl)*len(p.Capacity)+int(t)]
			}
			sc.cost[i*sc.k+j] = -float64(c*sc.share[i]) / sc.objBy
		}
	}
	sc.cost[sc.n*sc.k] = -level / sc.objBy
}
