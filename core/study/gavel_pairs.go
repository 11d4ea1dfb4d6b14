package study

import (
	_ "embed"
	"strconv"
	"strings"

	"hadarlab/core/scenario"
)

//go:embed gavel_pairs.txt
var gavelPairs string

// GavelPairs are the speeds of two jobs of one GPU that share it, of each two of the 26 kinds of jobs of Gavel's
// generator that run together on a type: 306 on the K80, 340 on the P100 and 330 on the V100, of 351. They are
// measured; they stand in its public repository (MIT licence), and here to four digits. What is missing did not fit.
//
// The file has a line a pair: model and batch (0 = none) of both, then steps/s of both on K80, P100 and V100.
func GavelPairs() (out []scenario.Pair) {
	for line := range strings.Lines(gavelPairs) {
		part := strings.Fields(line)
		row := func(i int) scenario.RowName {
			batch, _ := strconv.Atoi(part[i+1])
			return scenario.RowName{Model: part[i], Batch: batch}
		}
		p := scenario.Pair{A: row(0), B: row(2), Rates: map[string][2]float64{}, Source: "Gavel, measured"}
		for t, typ := range []string{"k80", "p100", "v100"} {
			a, _ := strconv.ParseFloat(part[4+2*t], 64)
			b, _ := strconv.ParseFloat(part[5+2*t], 64)
			if a > 0 {
				p.Rates[typ] = [2]float64{a, b}
			}
		}
		out = append(out, p)
	}
	return out
}
