package main

import (
	"testing"

	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

// TestInvariants holds the policy to what must be so under any policy, on 100 random problems.
func TestInvariants(t *testing.T) {
	for seed := range 100 {
		p := simtest.Random(unit.Stream(uint64(seed), "smallest"))
		for _, broken := range simtest.Check(p, simtest.Run(t, p, "smallest", nil), false) {
			t.Errorf("seed %d: %s", seed, broken)
		}
	}
}
