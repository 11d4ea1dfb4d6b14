package deflate

import (
	"math"
	"math/bits"
	"slices"

	"hadarlab/core/unit"
)

// The symbols of a block: literals, its end and the lengths of matches in one alphabet, their distances in another.
const (
	endOfBlock    = 256
	firstLength   = 257
	symbolCount   = 286
	distanceCount = 30
)

// lengthSymbol is the symbol of a match's length, with the bits that follow it.
func lengthSymbol(length uint16) (symbol int, extra uint, width int) {
	n := uint(length - minMatch)
	switch {
	case length == maxMatch:
		return symbolCount - 1, 0, 0
	case n < 8:
		return firstLength + int(n), 0, 0
	}
	width = bits.Len(n) - 3
	return firstLength + 4*width + int(n>>width), n & (1<<width - 1), width
}

// distanceSymbol is the symbol of a match's distance, with the bits that follow it.
func distanceSymbol(distance uint16) (symbol int, extra uint, width int) {
	n := uint(distance - 1)
	if n < 4 {
		return int(n), 0, 0
	}
	width = bits.Len(n) - 2
	return 2*width + int(n>>width), n & (1<<width - 1), width
}

// counts are how often each symbol is said.
type counts struct {
	symbols   [symbolCount]int
	distances [distanceCount]int
}

func (c *counts) add(t token) {
	if t.distance == 0 {
		c.symbols[t.value]++
		return
	}
	symbol, _, _ := lengthSymbol(t.value)
	c.symbols[symbol]++
	symbol, _, _ = distanceSymbol(t.distance)
	c.distances[symbol]++
}

// log2 has the same bits on every processor, so that equal files are compressed equally.
func log2(n int) float64 { return unit.Log(float64(n)) / math.Ln2 }

// costs are bits, by literal, length of a match and symbol of a distance; with those that follow the symbols.
type costs struct {
	literals  [256]float32
	lengths   [maxMatch + 1]float32
	distances [distanceCount]float32
}

func (c *counts) costs() *costs {
	var out costs
	each := func(list []int) func(symbol int) float32 {
		sum := 0
		for _, n := range list {
			sum += n
		}
		return func(symbol int) float32 { return float32(log2(max(sum, 1)) - log2(max(list[symbol], 1))) }
	}
	symbol, distance := each(c.symbols[:]), each(c.distances[:])
	for i := range out.literals {
		out.literals[i] = symbol(i)
	}
	for n := minMatch; n <= maxMatch; n++ {
		s, _, width := lengthSymbol(uint16(n))
		out.lengths[n] = symbol(s) + float32(width)
	}
	for i := range out.distances {
		out.distances[i] = distance(i) + float32(max(0, i/2-1))
	}
	return &out
}

// block is a run of tokens that are said by codes of their own.
type block struct {
	tokens []token
	counts
	bits float64 // about, with its head
}

func newBlock(tokens []token, c counts) block {
	c.symbols[endOfBlock] = 1
	// About what the head says of a block, and of each symbol in it.
	const head, entry = 67, 3.2
	size := float64(head)
	for _, list := range [...][]int{c.symbols[:], c.distances[:]} {
		sum := 0
		for _, n := range list {
			if n > 0 {
				sum += n
				size += entry - float64(float64(n)*log2(n))
			}
		}
		size += float64(float64(sum) * log2(max(sum, 1)))
	}
	return block{tokens, c, size}
}

// split makes blocks of tokens: small ones, of which neighbours are joined while that saves bits, those first where it
// saves most.
func split(tokens []token) []block {
	blocks := []block{}
	for rest := tokens; len(rest) > 0 || len(blocks) == 0; {
		n := min(grain, len(rest))
		var c counts
		for _, t := range rest[:n] {
			c.add(t)
		}
		blocks = append(blocks, newBlock(rest[:n], c))
		rest = rest[n:]
	}
	joined := func(i int) block {
		a, b := &blocks[i], &blocks[i+1]
		c := a.counts
		for s, n := range b.symbols {
			c.symbols[s] += n
		}
		for s, n := range b.distances {
			c.distances[s] += n
		}
		return newBlock(a.tokens[:len(a.tokens)+len(b.tokens)], c) // they lie side by side
	}
	saved := make([]float64, len(blocks)-1) // by block, bits if it is joined with the next
	weigh := func(i int) {
		if i >= 0 && i < len(saved) {
			saved[i] = blocks[i].bits + blocks[i+1].bits - joined(i).bits
		}
	}
	for i := range saved {
		weigh(i)
	}
	for len(saved) > 0 {
		best := 0
		for i := range saved {
			if saved[i] > saved[best] {
				best = i
			}
		}
		if saved[best] <= 0 {
			break
		}
		blocks[best] = joined(best)
		blocks, saved = slices.Delete(blocks, best+1, best+2), slices.Delete(saved, best, best+1)
		weigh(best - 1)
		weigh(best)
	}
	return blocks
}
