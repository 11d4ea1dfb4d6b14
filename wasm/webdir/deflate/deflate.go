// Package deflate makes files of gzip that are a twentieth smaller than those of compress/gzip, in some ten times its
// time: for what is compressed once and loaded by everybody. What reads gzip reads them.
package deflate

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"slices"
)

// What the format can say (RFC 1951).
const (
	minMatch, maxMatch = 3, 258
	window             = 1 << 15 // how far back a match may lie
)

// How hard is tried. Twice as much of any of these makes the page's program smaller by less than a thousandth.
const (
	piece = 1 << 20 // bytes that are parsed together
	near  = 16      // places that are compared for a match of three bytes
	tries = 400     // places with the same four bytes that are compared for a longer one
	turns = 3       // parses of a piece by the costs that the last one came to
	grain = 1024    // tokens of the smallest block
)

// Gzip is b as a file of gzip. All matches of a piece are found once; then its bytes are gone through on the cheapest
// way, a literal or a match at a step, and cut into blocks. What a symbol costs in its block is known only afterwards,
// so that this is done some times over, as Zopfli does (Alakuijala and Vandevenne, "Data compression using Zopfli",
// 2013).
func Gzip(b []byte) []byte {
	// Deflate, no name and no time, as small as it gets, made on an unknown system (RFC 1952).
	w := writer{out: []byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 2, 255}}
	f := newFinder(b)
	for from := 0; from == 0 || from < len(b); from += piece {
		to := min(from+piece, len(b))
		blocks := f.parse(from, to)
		for i := range blocks {
			w.block(&blocks[i], to == len(b) && i == len(blocks)-1)
		}
	}
	w.align()
	w.out = binary.LittleEndian.AppendUint32(w.out, crc32.ChecksumIEEE(b))
	return binary.LittleEndian.AppendUint32(w.out, uint32(len(b)))
}

// token is a literal byte, or a match of so many bytes if it has a distance.
type token struct{ value, distance uint16 }

func (t token) size() int {
	if t.distance == 0 {
		return 1
	}
	return int(t.value)
}

// finder finds earlier places with the same bytes: the nearest by three of them, and all that have more by four, of
// which there are far fewer.
type finder struct {
	b           []byte
	three, four chains
}

// chains lead from a place to the one before it whose first bytes have the same hash.
type chains struct {
	last []int32 // by hash, the last place that had it, or -1
	prev []int32 // by place, the one before it with the same hash, or -1
}

const hashBits = 16

func newChains(n int) chains {
	c := chains{make([]int32, 1<<hashBits), make([]int32, n)}
	for i := range c.last {
		c.last[i] = -1
	}
	return c
}

// add takes up a place and returns the one before it.
func (c *chains) add(at int, first uint32) (before int32) {
	hash := first * 0x9e3779b1 >> (32 - hashBits)
	before = c.last[hash]
	c.prev[at], c.last[hash] = before, int32(at)
	return before
}

func newFinder(b []byte) *finder { return &finder{b, newChains(len(b)), newChains(len(b))} }

// matches appends the matches at a place that end before another, each longer and farther than the one before. It takes
// every place in turn.
func (f *finder) matches(at, end int, found []token) []token {
	if at+minMatch > len(f.b) {
		return found
	}
	here := f.b[at:min(at+maxMatch, end)]
	longest := minMatch - 1
	// see takes up the match at an earlier place if it is longer than those so far.
	see := func(p int32) {
		there := f.b[p:]
		if there[longest] != here[longest] {
			return
		}
		same := 0
		for same < len(here) && there[same] == here[same] {
			same++
		}
		if same > longest {
			longest = same
			found = append(found, token{uint16(same), uint16(at - int(p))})
		}
	}
	first := uint32(f.b[at]) | uint32(f.b[at+1])<<8 | uint32(f.b[at+2])<<16
	p := f.three.add(at, first)
	for n := 0; n < near && p >= 0 && at-int(p) <= window && longest < minMatch && longest < len(here); n++ {
		see(p)
		p = f.three.prev[p]
	}
	if at+minMatch == len(f.b) {
		return found
	}
	p = f.four.add(at, first|uint32(f.b[at+3])<<24)
	for n := 0; n < tries && p >= 0 && at-int(p) <= window && longest < len(here); n++ {
		see(p)
		p = f.four.prev[p]
	}
	return found
}

// path is what the ways through a piece are sought by.
type path struct {
	b      []byte
	found  []token   // the matches of all places
	starts []int     // by place, where its matches begin in found; one more than there are places
	cost   []float32 // by place, bits of the cheapest way there
	step   []token   // by place, the last step of that way
}

// parse makes blocks of a piece.
func (f *finder) parse(from, to int) []block {
	n := to - from
	p := &path{b: f.b[from:to], starts: make([]int, n+1), cost: make([]float32, n+1), step: make([]token, n+1)}
	for i := range n {
		p.found = f.matches(from+i, to, p.found)
		p.starts[i+1] = len(p.found)
	}
	var flat counts // before anything is known, every symbol costs the same
	for i := range flat.symbols {
		flat.symbols[i] = 1
	}
	for i := range flat.distances {
		flat.distances[i] = 1
	}
	blocks := split(p.cheapest(0, n, flat.costs(), nil))
	for range turns {
		var tokens []token
		at := 0
		for i := range blocks {
			end := at
			for _, t := range blocks[i].tokens {
				end += t.size()
			}
			tokens = p.cheapest(at, end, blocks[i].costs(), tokens)
			at = end
		}
		blocks = split(tokens)
	}
	return blocks
}

// cheapest appends the tokens of the cheapest way from a place to another.
func (p *path) cheapest(from, to int, c *costs, tokens []token) []token {
	for i := from; i <= to; i++ {
		p.cost[i] = math.MaxFloat32
	}
	p.cost[from] = 0
	for i := from; i < to; i++ {
		here := p.cost[i]
		if sum := here + c.literals[p.b[i]]; sum < p.cost[i+1] {
			p.cost[i+1], p.step[i+1] = sum, token{value: uint16(p.b[i])}
		}
		// Of matches that are long enough the nearest is the cheapest.
		length := minMatch
		for _, m := range p.found[p.starts[i]:p.starts[i+1]] {
			symbol, _, _ := distanceSymbol(m.distance)
			far := here + c.distances[symbol]
			for ; length <= min(int(m.value), to-i); length++ {
				if sum := far + c.lengths[length]; sum < p.cost[i+length] {
					p.cost[i+length], p.step[i+length] = sum, token{uint16(length), m.distance}
				}
			}
		}
	}
	first := len(tokens)
	for i := to; i > from; i -= p.step[i].size() {
		tokens = append(tokens, p.step[i])
	}
	slices.Reverse(tokens[first:])
	return tokens
}
