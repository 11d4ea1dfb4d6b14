package elastic

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// option is one way to serve a row of a knapsack: so many GPUs of a type, and what that is worth. Values are whole
// numbers, so that sums are exact and equal ones are told apart by the order of the options alone.
type option struct {
	typ   model.TypeID
	gpus  int32 // 0 = nothing is taken, of any type
	value int64
}

// knapsack is the multiple-choice knapsack problem with one capacity a GPU type: of each row exactly one option, with
// the largest sum of values. It keeps the memory of successive searches.
type knapsack struct {
	stride    []int // of a type in the index of a state
	old, best []int64
	took      []int32 // option by row and state, -1 = impossible
	pick      []int32
	exact     bool // the last search was, because its table was small enough
}

// mostCells bounds the table of the exact search, rows times states; mostSweeps how often the bounded one goes round.
const mostCells, mostSweeps = 4 << 20, 4

// impossible is the value of a state that the rows so far cannot reach; sums with it stay far below every other.
const impossible = math.MinInt64 / 4

// solve returns the option taken of each row when room GPUs of each type may be used; nil when there is no solution.
// It is exact up to mostCells. Beyond, one type is shared out by greed, and of several one after the other while the
// rest stands still, from nobody served: for that each row must have an option without GPUs. The slice is the
// knapsack's own.
func (k *knapsack) solve(rows [][]option, room []int32) []int32 {
	many := 0
	for _, n := range room {
		if n > 0 {
			many++
		}
	}
	switch k.exact = k.cells(len(rows), room) <= mostCells; {
	case k.exact:
		return k.search(rows, room)
	case many <= 1:
		return k.greed(rows, room)
	}
	picks, none := make([]int32, len(rows)), make([]int32, len(rows))
	for i, row := range rows {
		for row[none[i]].gpus > 0 {
			none[i]++
		}
		picks[i] = none[i]
	}
	part, from, alone := make([][]option, len(rows)), make([][]int32, len(rows)), make([]int32, len(room))
	for changed, n := true, 0; changed && n < mostSweeps; n++ {
		changed = false
		for t := range room {
			for i, row := range rows {
				// It goes on as it is, which takes nothing where that is of another type, or changes to this one.
				has := row[picks[i]]
				part[i], from[i] = append(part[i][:0], has), append(from[i][:0], picks[i])
				if has.gpus > 0 && int(has.typ) != t {
					part[i][0].gpus = 0
				}
				for o, x := range row {
					if int32(o) != picks[i] && (x.gpus > 0 && int(x.typ) == t || int32(o) == none[i]) {
						part[i], from[i] = append(part[i], x), append(from[i], int32(o))
					}
				}
			}
			clear(alone)
			alone[t] = room[t]
			for i, o := range k.solve(part, alone) {
				if n := from[i][o]; n != picks[i] {
					picks[i], changed = n, true
				}
			}
		}
	}
	k.exact = false
	return picks
}

// upgrade is a step of a row from one option to one with more GPUs.
type upgrade struct {
	row, to int32
	gpus    int32
	density float64 // value a GPU
}

// greed starts every row with the fewest GPUs and then takes the upgrades that bring most a GPU while they fit. Where
// values are concave that is the optimum but for what the last upgrades leave over.
func (k *knapsack) greed(rows [][]option, room []int32) []int32 {
	k.pick = append(k.pick[:0], make([]int32, len(rows))...)
	left := slices.Max(room)
	var ups []upgrade
	for i, row := range rows {
		at := 0
		for o, x := range row {
			if y := row[at]; x.gpus < y.gpus || x.gpus == y.gpus && x.value > y.value {
				at = o
			}
		}
		k.pick[i], left = int32(at), left-row[at].gpus
		for next := at; ; at = next {
			best := upgrade{row: int32(i)}
			for o, x := range row {
				if n := x.gpus - row[at].gpus; n > 0 {
					if d := float64(x.value-row[at].value) / float64(n); d > best.density {
						best.to, best.gpus, best.density, next = int32(o), n, d, o
					}
				}
			}
			if next == at {
				break
			}
			ups = append(ups, best)
		}
	}
	if left < 0 {
		return nil
	}
	full := make([]bool, len(rows))
	for _, i := range unit.Order(len(ups),
		func(a, b int32) int { return cmp.Compare(ups[b].density, ups[a].density) }) {
		u := &ups[i]
		if full[u.row] = full[u.row] || u.gpus > left; !full[u.row] {
			k.pick[u.row], left = u.to, left-u.gpus
		}
	}
	return k.pick
}

// cells is the size of the exact search's table.
func (k *knapsack) cells(rows int, room []int32) int {
	n := max(rows, 1)
	for _, r := range room {
		if n *= int(r) + 1; n > mostCells {
			break
		}
	}
	return n
}

// search solves it exactly by dynamic programming over what is free of each type. Of options that lead to the same sum
// the first one is taken, in the last row first.
func (k *knapsack) search(rows [][]option, room []int32) []int32 {
	states := 1
	k.stride = k.stride[:0]
	for _, n := range room {
		k.stride = append(k.stride, states)
		states *= int(n) + 1
	}
	k.old = append(k.old[:0], make([]int64, states)...)
	k.best = append(k.best[:0], make([]int64, states)...)
	k.took = append(k.took[:0], make([]int32, states*len(rows))...)
	for i, row := range rows {
		took := k.took[i*states:][:states]
		for s := range took {
			k.best[s], took[s] = impossible, -1
		}
		for o, x := range row {
			if x.gpus > room[x.typ] {
				continue
			}
			step := k.stride[x.typ]
			block, shift := step*(int(room[x.typ])+1), step*int(x.gpus)
			for from := 0; from < states; from += block {
				for s := from + shift; s < from+block; s++ {
					if sum := k.old[s-shift] + x.value; sum > k.best[s] {
						k.best[s], took[s] = sum, int32(o)
					}
				}
			}
		}
		k.old, k.best = k.best, k.old
	}
	if k.old[states-1] < impossible/2 {
		return nil
	}
	k.pick = append(k.pick[:0], make([]int32, len(rows))...)
	s := states - 1
	for i := len(rows) - 1; i >= 0; i-- {
		o := k.took[i*states+s]
		k.pick[i] = o
		s -= k.stride[rows[i][o].typ] * int(rows[i][o].gpus)
	}
	return k.pick
}
