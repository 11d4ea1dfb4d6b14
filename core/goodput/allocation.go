package goodput

import "math/bits"

// allocation is how many GPUs each job, a row, has on each node, a column.
type allocation struct {
	rows  []byColumn
	cells []uint64 // of all rows, one after another
}

// byColumn is the GPUs of one job, or of all, by column, at most MaxColumn each. Eight columns lie in a word, of which
// most are 0, so that what a search asks of a row, millions of times, is answered for eight at once. One column after
// the other, a run under Pollux takes half as long again; TestEightColumnsAtATime has that form, and both agree.
type byColumn []uint64

// words is how many words so many columns fill.
func words(columns int) int { return (columns + 7) / 8 }

// resized has room for n columns.
func (r byColumn) resized(n int) byColumn { return resized(r, words(n)) }

// resize makes room for so many jobs and columns, whatever is there.
func (a *allocation) resize(jobs, columns int) {
	width := words(columns)
	a.cells, a.rows = resized(a.cells, jobs*width), resized(a.rows, jobs)
	for j := range a.rows {
		a.rows[j] = a.cells[j*width : (j+1)*width]
	}
}

// clone is a copy with memory of its own.
func (a *allocation) clone(columns int) (c allocation) {
	c.resize(len(a.rows), columns)
	copy(c.cells, a.cells)
	return c
}

// fill sets all rows.
func (a *allocation) fill(rows [][]int32) {
	clear(a.cells)
	for j, row := range rows {
		for n, v := range row {
			a.rows[j].Set(n, v)
		}
	}
}

// hash is a number that unequal allocations hardly share.
func (a *allocation) hash() (h uint64) {
	for _, x := range a.cells {
		h = (h ^ x) * 0x9e3779b97f4a7c15
		h ^= h >> 29
	}
	return h
}

// Get is the GPUs at column n, Set makes them v, and Add adds v, which may be less than 0.
func (r byColumn) Get(n int) int32    { return int32(r[n>>3] >> (n & 7 * 8) & 0xff) }
func (r byColumn) Set(n int, v int32) { r.Add(n, v-r.Get(n)) }
func (r byColumn) Add(n int, v int32) { r[n>>3] += uint64(v) << (n & 7 * 8) }

// high is the highest bit of each byte, which no column has.
const high = 0x8080808080808080

// held has that bit of each column of a word that is not 0.
func held(x uint64) uint64 { return (x + ^uint64(high)) & high }

// sum adds the columns of a word.
func sum(x uint64) int32 {
	const pairs = 0x00ff00ff00ff00ff
	return int32(((x & pairs) + (x >> 8 & pairs)) * 0x0001000100010001 >> 48)
}

// Sum is the GPUs of all columns, and how many columns are not 0.
func (r byColumn) Sum() (gpus, columns int32) {
	for _, x := range r {
		if x != 0 {
			gpus += sum(x)
			columns += int32(bits.OnesCount64(held(x)))
		}
	}
	return gpus, columns
}

// Columns goes through the columns that are not 0.
func (r byColumn) Columns(yield func(n int) bool) {
	for w, x := range r {
		for x = held(x); x != 0; x &= x - 1 {
			if !yield(w<<3 + bits.TrailingZeros64(x)>>3) {
				return
			}
		}
	}
}

// Take cuts each column to what is left there, takes that, and says how many GPUs it is.
func (r byColumn) Take(left byColumn) (gpus int32) {
	left = left[:len(r)]
	for w, x := range r {
		if x == 0 {
			continue
		}
		if ((left[w]|high)-x)&high != high {
			for n := w << 3; n < (w+1)<<3; n++ {
				r.Set(n, min(r.Get(n), left.Get(n)))
			}
			x = r[w]
		}
		left[w] -= x
		gpus += sum(x)
	}
	return gpus
}

// Return gives so many GPUs back, from the last column on.
func (r byColumn) Return(gpus int32, left byColumn) {
	for n := 8*len(r) - 1; gpus > 0; n-- {
		v := min(r.Get(n), gpus)
		r.Add(n, -v)
		left.Add(n, v)
		gpus -= v
	}
}

// Mark has used be not 0 where the row is not.
func (r byColumn) Mark(used byColumn) {
	for w, x := range r {
		used[w] |= x
	}
}
