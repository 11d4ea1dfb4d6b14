package deflate

import (
	"cmp"
	"math/bits"
	"slices"
)

// writer writes bits, the lowest of a byte first.
type writer struct {
	out   []byte
	ahead uint64 // bits that fill no byte yet
	width int    // how many these are
}

func (w *writer) put(v uint, width int) {
	w.ahead |= uint64(v) << w.width
	for w.width += width; w.width >= 8; w.width -= 8 {
		w.out = append(w.out, byte(w.ahead))
		w.ahead >>= 8
	}
}

// align fills the byte.
func (w *writer) align() {
	if w.width > 0 {
		w.put(0, 8-w.width)
	}
}

// code is the bits that say a symbol, the first of them the lowest; none if it is not said.
type code struct {
	bits  uint
	width int
}

func (w *writer) code(c code) { w.put(c.bits, c.width) }

// The symbols of a head: widths of codes, and repetitions of the last one or of 0.
const (
	maxWidth     = 15
	again        = 16
	noneShort    = 17
	noneLong     = 18
	headCount    = 19
	maxHeadWidth = 7
)

// headOrder is the order of the head's own widths, the likely ones first.
var headOrder = [headCount]int{again, noneShort, noneLong, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}

// block writes a block with its codes.
func (w *writer) block(b *block, last bool) {
	final := uint(0)
	if last {
		final = 1
	}
	w.put(final|2<<1, 3) // 2: with codes of its own
	symbols, distances := codes(b.symbols[:], maxWidth), codes(b.distances[:], maxWidth)
	w.head(said(symbols, firstLength), said(distances, 1))
	for _, t := range b.tokens {
		if t.distance == 0 {
			w.code(symbols[t.value])
			continue
		}
		symbol, extra, width := lengthSymbol(t.value)
		w.code(symbols[symbol])
		w.put(extra, width)
		symbol, extra, width = distanceSymbol(t.distance)
		w.code(distances[symbol])
		w.put(extra, width)
	}
	w.code(symbols[endOfBlock])
}

// said leaves out the last symbols without a code, down to a least number.
func said(list []code, least int) []code {
	n := len(list)
	for n > least && list[n-1].width == 0 {
		n--
	}
	return list[:n]
}

// head writes the widths of the codes, from which they follow.
func (w *writer) head(symbols, distances []code) {
	type entry struct {
		symbol int
		extra  uint
		width  int
	}
	var (
		entries []entry
		counts  [headCount]int
	)
	add := func(symbol, extra, width int) {
		entries = append(entries, entry{symbol, uint(extra), width})
		counts[symbol]++
	}
	for rest := slices.Concat(symbols, distances); len(rest) > 0; {
		width, n := rest[0].width, 1
		for n < len(rest) && rest[n].width == width {
			n++
		}
		switch {
		case width == 0 && n > 10:
			n = min(n, 138)
			add(noneLong, n-11, 7)
		case width == 0 && n > 2:
			add(noneShort, n-3, 3)
		case n > 3:
			n = min(n, 7)
			add(width, 0, 0)
			add(again, n-4, 2)
		default:
			n = 1
			add(width, 0, 0)
		}
		rest = rest[n:]
	}
	own := codes(counts[:], maxHeadWidth)
	n := headCount
	for n > 4 && own[headOrder[n-1]].width == 0 {
		n--
	}
	w.put(uint(len(symbols)-firstLength), 5)
	w.put(uint(len(distances)-1), 5)
	w.put(uint(n-4), 4)
	for _, symbol := range headOrder[:n] {
		w.put(uint(own[symbol].width), 3)
	}
	for _, e := range entries {
		w.code(own[e.symbol])
		w.put(e.extra, e.width)
	}
}

// codes are Huffman's, none wider than a limit, for at least two symbols: not every reader takes one. While a code is
// too wide, the rarest symbols count as less rare than they are.
func codes(counts []int, limit int) []code {
	var symbols []int
	for s, n := range counts {
		if n > 0 {
			symbols = append(symbols, s)
		}
	}
	for s := 0; len(symbols) < 2; s++ {
		if counts[s] == 0 {
			symbols = append(symbols, s)
		}
	}
	out := make([]code, len(counts))
	for least := 1; ; least *= 2 {
		count := func(symbol int) int { return max(counts[symbol], least) }
		slices.SortFunc(symbols, func(a, b int) int {
			return cmp.Or(cmp.Compare(count(a), count(b)), cmp.Compare(a, b))
		})
		widest := 0
		for i, width := range depths(symbols, count) {
			out[symbols[i]].width = width
			widest = max(widest, width)
		}
		if widest <= limit {
			break
		}
	}
	next := uint(0)
	for width := 1; width <= limit; width++ {
		next <<= 1
		for s := range out {
			if out[s].width == width {
				out[s].bits = bits.Reverse(next) >> (bits.UintSize - width)
				next++
			}
		}
	}
	return out
}

// depths are those of the symbols, which come by count, in Huffman's tree: the two nodes that count least become one,
// over and over.
func depths(symbols []int, count func(symbol int) int) []int {
	type node struct{ count, left, right int }
	var nodes []node
	for _, s := range symbols {
		nodes = append(nodes, node{count: count(s)})
	}
	leaf, inner := 0, len(symbols) // those without a parent, which come by count, too
	least := func() int {
		if leaf < len(symbols) && (inner == len(nodes) || nodes[leaf].count <= nodes[inner].count) {
			leaf++
			return leaf - 1
		}
		inner++
		return inner - 1
	}
	for range len(symbols) - 1 {
		a, b := least(), least()
		nodes = append(nodes, node{nodes[a].count + nodes[b].count, a, b})
	}
	out := make([]int, len(nodes))
	for i := len(nodes) - 1; i >= len(symbols); i-- {
		n := &nodes[i]
		out[n.left], out[n.right] = out[i]+1, out[i]+1
	}
	return out[:len(symbols)]
}
