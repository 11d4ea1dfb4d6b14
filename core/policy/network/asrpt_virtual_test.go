package network

import (
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// TestVirtualMachineIsBest compares the virtual machine with all orders of priority, each served tick by tick with
// preemption: none has a smaller sum of ends, and the machine's is among them.
func TestVirtualMachineIsBest(t *testing.T) {
	rng := unit.Stream(1, "virtual machine")
	for round := range 200 {
		n := 1 + rng.IntN(5)
		arrive, size := make([]unit.Tick, n), make([]unit.Tick, n)
		var m virtual
		for j := range n {
			if j > 0 {
				arrive[j] = arrive[j-1] + unit.Tick(rng.IntN(6))
			}
			size[j] = unit.Tick(rng.IntN(9))
			m.advance(arrive[j])
			if j == 2 {
				m = m.clone()
			}
			m.add(model.JobID(j), size[j])
		}
		m.advance(100)
		got, best := unit.Tick(0), unit.Never
		for j := range n {
			got += m.copy[j].end
		}
		if len(m.past) != n || len(m.live) > 0 {
			t.Fatalf("round %d: %d of %d copies have ended", round, len(m.past), n)
		}
		order := make([]int, n)
		for j := range order {
			order[j] = j
		}
		permute(order, 0, func() { best = min(best, prioritySum(order, arrive, size)) })
		if got != best {
			t.Fatalf("round %d: arrivals %v, sizes %v: sum of ends %d, best %d", round, arrive, size, got, best)
		}
	}
}

// prioritySum is the sum of ends when at each tick the first of order works that has come and is not done.
func prioritySum(order []int, arrive, size []unit.Tick) (sum unit.Tick) {
	left := append([]unit.Tick(nil), size...)
	for j := range left {
		if left[j] == 0 {
			sum += arrive[j]
		}
	}
	for now := unit.Tick(0); now < 100; now++ {
		for _, j := range order {
			if arrive[j] <= now && left[j] > 0 {
				if left[j]--; left[j] == 0 {
					sum += now + 1
				}
				break
			}
		}
	}
	return sum
}

// permute calls f for every order of list.
func permute(list []int, from int, f func()) {
	if from == len(list) {
		f()
	}
	for i := from; i < len(list); i++ {
		list[from], list[i] = list[i], list[from]
		permute(list, from+1, f)
		list[from], list[i] = list[i], list[from]
	}
}
