package simtest

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"hadarlab/core/unit"
)

// Documents is how many generated scenarios the targets are compared on.
const Documents = 50

// Document writes the n-th generated scenario: one to six nodes of the catalogue's types in two racks, up
// to 20 jobs of up to four models with rates of six digits, gaps in what runs where, slow spread gangs,
// weights and stalls. The same n gives the same bytes.
func Document(n int) []byte {
	rng := rand.New(unit.Source(uint64(n), "simtest document"))
	digits := func(lo, hi float64) string { return fmt.Sprintf("%.6g", lo+float64(rng.Float64()*(hi-lo))) }
	types := []string{"a100", "k80", "p100", "v100"}
	rng.Shuffle(len(types), func(i, k int) { types[i], types[k] = types[k], types[i] })
	types = types[:1+rng.IntN(3)]

	var nodes, rows, jobs []string
	have := map[string]int{}
	for i := range 1 + rng.IntN(6) {
		t, gpus := types[rng.IntN(len(types))], 1+rng.IntN(4)
		have[t] += gpus
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","rack":"r%d","gpus":{%q:%d}}`, i+1, 1+rng.IntN(2), t, gpus))
	}
	var room []int // GPUs that a model can use
	for m := range 1 + rng.IntN(4) {
		var rates, spread []string
		room = append(room, 0)
		for k, t := range types {
			if rng.IntN(5) == 0 && k > 0 {
				continue
			}
			room[m] += have[t]
			rates = append(rates, fmt.Sprintf("%q:%s", t, digits(0.3, 9)))
			if rng.IntN(2) == 0 {
				spread = append(spread, fmt.Sprintf(`%q:{"2":%s,"4":%s}`, t, digits(0.3, 9), digits(0.6, 18)))
			}
		}
		rows = append(rows, fmt.Sprintf(`{"model":"m%d","per_gpu":{%s},"spread":{%s}}`, m+1, strings.Join(rates, ","),
			strings.Join(spread, ",")))
	}
	for m := range room { // types that no node has are of no use
		if room[m] == 0 {
			t := types[rng.IntN(len(types))]
			have[t]++
			nodes = append(nodes, fmt.Sprintf(`{"id":"x%d","rack":"r1","gpus":{%q:1}}`, m+1, t))
			rows[m] = fmt.Sprintf(`{"model":"m%d","per_gpu":{%q:%s}}`, m+1, t, digits(0.3, 9))
			room[m] = 1
		}
	}
	for i := range 1 + rng.IntN(20) {
		m := rng.IntN(len(rows))
		jobs = append(jobs, fmt.Sprintf(`{"id":"j%d","model":"m%d","arrival_s":%s,"gpus":%d,"steps":%s,"weight":%d}`,
			i+1, m+1, digits(0, 7200), 1+rng.IntN(min(4, room[m])), digits(50, 20000), 1+rng.IntN(3)))
	}
	overheads := ""
	if rng.IntN(2) == 0 {
		overheads = fmt.Sprintf(`,"overheads":{"checkpoint_s":%s,"restart_s":%s,"merge_s":%s}`, digits(0, 9),
			digits(0, 30), digits(0, 9))
	}
	return fmt.Appendf(nil,
		`{"kind":"scenario","version":1,"scenario":{"seed":%d,"round_s":%d,"horizon_s":864000,"cluster":{"nodes":[%s]},"throughputs":{"rows":[%s]},"jobs":[%s]%s}}`,
		n, []int{60, 300, 360}[rng.IntN(3)], strings.Join(nodes, ","), strings.Join(rows, ","), strings.Join(jobs, ","),
		overheads)
}
