package network

import (
	"math"
	"slices"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/unit"
)

// TestDallyTuner holds the timers: constant waits give head × them within floor and limit, what left the window is
// forgotten, waits that ended because a timer did keep timers from shrinking, and longer waits raise them.
func TestDallyTuner(t *testing.T) {
	const hour = 3600e3
	fresh := func() *dally {
		return &dally{start: [2]float64{6 * hour, 12 * hour}, tune: true, floor: hour, limit: 24 * hour,
			window: 24 * hour, head: 1.25, spread: 2}
	}
	d := fresh()
	for i := range 3 {
		if got := d.timer(float64(i), 4, 0, true); got != 6*hour {
			t.Errorf("after %d waits the timer is %v h", i, got/hour)
		}
		d.remember(float64(i), 4, 0, 2*hour)
	}
	if got := d.timer(3, 4, 0, true); math.Abs(got-2.5*hour) > 1e-6 {
		t.Errorf("waits of 2 h give a timer of %v h, want 2.5", got/hour)
	}
	if got := d.timer(3, 7, 0, true); got != d.timer(3, 4, 0, true) {
		t.Errorf("seven GPUs wait %v h, as four do", got/hour)
	}
	if got := d.timer(3, 4, 1, true); got != 12*hour {
		t.Errorf("nobody waited for a rack, and the timer is %v h", got/hour)
	}
	// Two are 22 h and deviate: mean 15.33, deviation 9.43; the window drops those of the beginning.
	for range 2 {
		d.remember(20*hour, 4, 0, 22*hour)
	}
	if got := d.timer(20*hour, 4, 0, true); got != min(1.25*(10+2*math.Sqrt(96))*hour, 24*hour) {
		t.Errorf("a timer of %v h", got/hour)
	}
	d.remember(40*hour, 4, 0, 22*hour)
	if got := d.timer(40*hour, 4, 0, true); got != 24*hour {
		t.Errorf("waits of 22 h alone give %v h, want the limit", got/hour)
	}
	// Constant supply: whoever waits waits half the timer, and one in three to its end. Bare means would halve it again
	// and again.
	d = fresh()
	for i := range 1000 {
		at := float64(i) * 0.1 * hour
		w := d.timer(at, 8, 0, true)
		if i%3 == 0 {
			d.remember(at, 8, 0, w)
		} else {
			d.remember(at, 8, 0, w/2)
		}
		if w < hour || w > 24*hour {
			t.Fatalf("timer %v h", w/hour)
		}
	}
	if w := d.timer(100*hour, 8, 0, true); w < 6*hour {
		t.Errorf("the timer fell to %v h", w/hour)
	}
	for _, x := range []float64{2, 4} { // doubled waits double it within one window
		at := (200 + 100*x) * hour
		for range 10 {
			d.remember(at, 2, 0, x*hour)
		}
		if got := d.timer(at, 2, 0, true); math.Abs(got/hour-1.25*x) > 1e-9 {
			t.Errorf("waits of %v h give %v h", x, got/hour)
		}
	}
	for range 300 {
		d.remember(1000*hour, 2, 0, 0)
	}
	if len(d.of(2).past[0]) != dallySamples || d.timer(1000*hour, 2, 0, true) != hour {
		t.Error("too many are remembered, or the floor does not hold")
	}
	c := d.Clone().(*dally)
	c.remember(1001*hour, 2, 0, 99*hour)
	c.of(2).timer[0] = 7
	if d.of(2).timer[0] == 7 || d.of(2).past[0][dallySamples-1].lasted != 0 {
		t.Error("a clone shares timers")
	}
}

// TestDallyOneGPU: jobs of one GPU take whatever is free at once. Their waits of nothing must not stand in for those of
// two GPUs, whose nearest smaller power of two they are.
func TestDallyOneGPU(t *testing.T) {
	d := &dally{start: [2]float64{6, 12}, tune: true, floor: 1, limit: 24, window: 24, head: 1.25, spread: 2}
	for range 5 {
		d.remember(0, 1, 0, 0)
	}
	if got := d.timer(0, 2, 0, true); got != 6 {
		t.Errorf("jobs of one GPU set the timer of two to %v, and it begins with 6", got)
	}
}

// TestDallyCheapest holds the search for who gives way to a trial of all sets.
func TestDallyCheapest(t *testing.T) {
	rng := unit.Stream(1, "dally cheapest")
	sizes := [5]int{}
	for range 3000 {
		may := make([]victim, rng.IntN(9))
		for i := range may {
			may[i] = victim{job: model.JobID(i), frees: 1 + rng.Int32N(4), cost: rng.Int64N(5)*onePlace + 1}
		}
		need, most := 1+rng.IntN(12), 1+rng.IntN(4)
		var want []victim
		least := int64(0)
		// Sets are tried so that of equals that with who stands first comes first.
		for n := 1<<len(may) - 1; n > 0; n-- {
			var set []victim
			frees, cost := 0, int64(0)
			for i := range may {
				if n>>(len(may)-1-i)&1 > 0 {
					set, frees, cost = append(set, may[i]), frees+int(may[i].frees), cost+may[i].cost
				}
			}
			if frees >= need && len(set) <= most && (want == nil || cost < least) {
				want, least = set, cost
			}
		}
		got, cost := cheapest(may, need, most)
		if !slices.Equal(got, want) || cost != least {
			t.Fatalf("%d of at most %d of %+v: %+v at %d, want %+v at %d", need, most, may, got, cost, want, least)
		}
		sizes[len(want)]++
	}
	if slices.Min(sizes[:]) < 50 {
		t.Errorf("sets by size %v: too few of one", sizes)
	}
}
