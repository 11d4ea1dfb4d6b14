package assign

import (
	"math/rand/v2"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// randomRows draws rows of options with values that are neither monotonic nor concave.
func randomRows(rng *rand.Rand, jobs, types int, most int32, none bool) [][]Option {
	rows := make([][]Option, jobs)
	for i := range rows {
		if none {
			rows[i] = append(rows[i], Option{})
		}
		for range 1 + rng.IntN(6) {
			rows[i] = append(rows[i],
				Option{model.TypeID(rng.IntN(types)), 1 + rng.Int32N(most), int64(rng.IntN(30) - 3)})
		}
	}
	return rows
}

// bruteForce is the largest sum over all choices; ok is false when none fits.
func bruteForce(rows [][]Option, room []int32) (best int64, ok bool) {
	if len(rows) == 0 {
		return 0, true
	}
	for _, o := range rows[0] {
		if o.GPUs > room[o.Type] {
			continue
		}
		room[o.Type] -= o.GPUs
		if sum, fits := bruteForce(rows[1:], room); fits && (!ok || sum+o.Value > best) {
			best, ok = sum+o.Value, true
		}
		room[o.Type] += o.GPUs
	}
	return best, ok
}

// TestKnapsackIsExact compares the dynamic programme with all choices of up to four rows on up to three types with up
// to eight GPUs.
func TestKnapsackIsExact(t *testing.T) {
	var k Knapsack
	for seed := range uint64(2000) {
		rng := unit.Stream(seed, "knapsack")
		types := 1 + rng.IntN(3)
		room := make([]int32, types)
		for i := range room {
			room[i] = rng.Int32N(9)
		}
		rows := randomRows(rng, 1+rng.IntN(4), types, 8, rng.IntN(2) == 0)
		want, ok := bruteForce(rows, room)
		picks := k.Solve(rows, room)
		if !k.Exact || ok != (picks != nil) {
			t.Fatalf("seed %d: exact %v, solved %v, solvable %v", seed, k.Exact, picks != nil, ok)
		}
		if picks == nil {
			continue
		}
		if got := worth(t, rows, room, picks); got != want {
			t.Fatalf("seed %d: %d, brute force %d; rows %v, room %v", seed, got, want, rows, room)
		}
	}
}

// worth is the sum of the options taken, which must fit.
func worth(t *testing.T, rows [][]Option, room []int32, picks []int32) (sum int64) {
	t.Helper()
	used := make([]int32, len(room))
	for i, o := range picks {
		x := rows[i][o]
		used[x.Type] += x.GPUs
		sum += x.Value
	}
	for typ := range used {
		if used[typ] > room[typ] {
			t.Fatalf("%d of %d GPUs of type %d", used[typ], room[typ], typ)
		}
	}
	return sum
}

// TestKnapsackBounded: where the table would be too large, what is found fits and is within a twentieth of the
// best.
func TestKnapsackBounded(t *testing.T) {
	var k Knapsack
	for seed := range uint64(6) {
		rng := unit.Stream(seed, "knapsack bounded")
		room := []int32{40, 40, 40}
		rows := randomRows(rng, 62, 3, 12, true)
		picks := k.Solve(rows, room)
		if k.Exact {
			t.Fatal("the table is small enough to be searched exactly")
		}
		got := worth(t, rows, room, picks)
		best := exactSum(&k, rows, room)
		if got < best*19/20 || got > best {
			t.Errorf("seed %d: bounded %d, best %d", seed, got, best)
		}
	}
}

// exactSum searches exactly, whatever the table's size.
func exactSum(k *Knapsack, rows [][]Option, room []int32) (sum int64) {
	for i, o := range k.search(rows, room) {
		sum += rows[i][o].Value
	}
	return sum
}

// TestKnapsackTies: of equal sums the last row takes its first option.
func TestKnapsackTies(t *testing.T) {
	var k Knapsack
	rows := [][]Option{{{0, 1, 1}, {0, 2, 2}, {0, 3, 3}}, {{0, 1, 1}, {0, 2, 2}, {0, 3, 3}}}
	if got := k.Solve(rows, []int32{4}); got[0] != 2 || got[1] != 0 {
		t.Errorf("takes %v, want 3 GPUs and 1", got)
	}
}

// TestKnapsackGreed: on concave values greed is the optimum but for what the last upgrades leave over, and it never
// takes more than there is.
func TestKnapsackGreed(t *testing.T) {
	var k Knapsack
	for seed := range uint64(300) {
		rng := unit.Stream(seed, "knapsack greed")
		rows := make([][]Option, 2+rng.IntN(6))
		for i := range rows {
			value, gain := int64(100), int64(100)
			for n := int32(1); n <= 6; n++ {
				rows[i] = append(rows[i], Option{GPUs: n, Value: value})
				gain = gain * int64(3+rng.IntN(7)) / 10
				value += gain
			}
		}
		room := []int32{int32(len(rows)) + rng.Int32N(20)}
		got, want := worth(t, rows, room, k.greed(rows, room)), exactSum(&k, rows, room)
		if got != want { // every upgrade is of one GPU
			t.Fatalf("seed %d: greed %d, best %d", seed, got, want)
		}
		if k.greed(rows, []int32{int32(len(rows)) - 1}) != nil {
			t.Fatal("there are fewer GPUs than rows")
		}
	}
}
