package simtest

import (
	_ "embed"
	"fmt"
	"strings"
)

//go:embed testdata/long-waits.json
var longWaits string

// LongWaits is a small document that makes long runs: 15 jobs on 8 GPUs in rounds of 17.3 s with stalls of 61 s, most
// of which never get done. Under Gavel's makespan policy it has 241,664 rounds, under its fair one 69,632, unless a
// horizon in s, which is not 0, ends it before.
func LongWaits(horizon float64) []byte {
	if horizon == 0 {
		return []byte(longWaits)
	}
	round := `"round_s":17.3`
	return []byte(strings.Replace(longWaits, round, round+fmt.Sprintf(`,"horizon_s":%g`, horizon), 1))
}
