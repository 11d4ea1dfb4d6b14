package assign

import (
	"cmp"
	"math"
	"slices"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// Option is one way to serve a row of a knapsack: so many GPUs of a type, and what that is worth. Values are whole
// numbers, so that sums are exact and equal ones are told apart by the order of the options alone.
type Option struct {
	Type  model.TypeID
	GPUs  int32 // 0 = nothing is taken, of any type
	Value int64
}

// Knapsack is the multiple-choice knapsack problem with one capacity a GPU type: of each row exactly one option, with
// the largest sum of values. It keeps the memory of successive searches.
type Knapsack struct {
	stride    []int // of a type in the index of a state
	old, best []int64
	took      []int32 // option by row and state, -1 = impossible
	pick      []int32
	Exact     bool // the last search was, because its table was small enough
}

// mostCells bounds the table of the exact search, rows times states; mostSweeps how often the bounded one goes round.
const mostCells, mostSweeps = 4 << 20, 4

// impossible is the value of a state that the rows so far cannot reach; sums with it stay far below every other.
const impossible = math.MinInt64 / 4

// Solve returns the option taken of each row when room GPUs of each type may be used; nil when there is no solution.
// It is exact up to mostCells. Beyond, one type is shared out by greed, and of several one after the other while the
// rest stands still, from nobody served: for that each row must have an option without GPUs. The slice is the
// knapsack's own.
func (k *Knapsack) Solve(rows [][]Option, room []int32) []int32 {
	many := 0
	for _, n := range room {
		if n > 0 {
			many++
		}
	}
	switch k.Exact = k.cells(len(rows), room) <= mostCells; {
	case k.Exact:
		return k.search(rows, room)
	case many <= 1:
		return k.greed(rows, room)
	}
	picks, none := make([]int32, len(rows)), make([]int32, len(rows))
	for i, row := range rows {
		for row[none[i]].GPUs > 0 {
			none[i]++
		}
		picks[i] = none[i]
	}
	part, from, alone := make([][]Option, len(rows)), make([][]int32, len(rows)), make([]int32, len(room))
	for changed, n := true, 0; changed && n < mostSweeps; n++ {
		changed = false
		for t := range room {
			for i, row := range rows {
				// It goes on as it is, which takes nothing where that is of another type, or changes to this one.
				has := row[picks[i]]
				part[i], from[i] = append(part[i][:0], has), append(from[i][:0], picks[i])
				if has.GPUs > 0 && int(has.Type) != t {
					part[i][0].GPUs = 0
				}
				for o, x := range row {
					if int32(o) != picks[i] && (x.GPUs > 0 && int(x.Type) == t || int32(o) == none[i]) {
						part[i], from[i] = append(part[i], x), append(from[i], int32(o))
					}
				}
			}
			clear(alone)
			alone[t] = room[t]
			for i, o := range k.Solve(part, alone) {
				if n := from[i][o]; n != picks[i] {
					picks[i], changed = n, true
				}
			}
		}
	}
	k.Exact = false
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
func (k *Knapsack) greed(rows [][]Option, room []int32) []int32 {
	k.pick = append(k.pick[:0], make([]int32, len(rows))...)
	left := slices.Max(room)
	var ups []upgrade
	for i, row := range rows {
		at := 0
		for o, x := range row {
			if y := row[at]; x.GPUs < y.GPUs || x.GPUs == y.GPUs && x.Value > y.Value {
				at = o
			}
		}
		k.pick[i], left = int32(at), left-row[at].GPUs
		for next := at; ; at = next {
			best := upgrade{row: int32(i)}
			for o, x := range row {
				if n := x.GPUs - row[at].GPUs; n > 0 {
					if d := float64(x.Value-row[at].Value) / float64(n); d > best.density {
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
func (k *Knapsack) cells(rows int, room []int32) int {
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
func (k *Knapsack) search(rows [][]Option, room []int32) []int32 {
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
			if x.GPUs > room[x.Type] {
				continue
			}
			step := k.stride[x.Type]
			block, shift := step*(int(room[x.Type])+1), step*int(x.GPUs)
			for from := 0; from < states; from += block {
				for s := from + shift; s < from+block; s++ {
					if sum := k.old[s-shift] + x.Value; sum > k.best[s] {
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
		s -= k.stride[rows[i][o].Type] * int(rows[i][o].GPUs)
	}
	return k.pick
}
