package scenario

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/simtest/golden"
)

// TestOfferedLoadByHand: an hour brings a job of x and one of y, which take half an hour each on the type that suits
// them, and an hour on the other. There is one GPU of each type: half of the hour is enough when each has its own, and
// 2400 s a job, two thirds of the hour, when both have their time on both alike.
func TestOfferedLoadByHand(t *testing.T) {
	jobs := ""
	for i, m := range []string{"x", "y", "x", "y", "x"} {
		jobs += fmt.Sprintf(`{"id":"j%d","model":%q,"gpus":1,"steps":3600,"arrival_s":%d},`, i, m, 1000*i)
	}
	doc := func(jobs string) *Document {
		return mustParse(t, `{"scenario":{
"cluster":{"nodes":[{"id":"n1","gpus":{"v100":1}},{"id":"n2","gpus":{"k80":1}}]},"throughputs":{"rows":[{"model":"x","per_gpu":{"v100":2,"k80":1}},{"model":"y","per_gpu":{"v100":1,"k80":2}}]},"jobs":`+
			jobs+`}}`)
	}
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 0.003*want {
			t.Errorf("%s is %v, want %v", what, got, want)
		}
	}
	// Four gaps of 1000 s, 3.6 jobs an hour; three of x and two of y: 5400 s on the one, 3600 on the other, so that
	// some of x have to go to the slow type: z seconds' worth, 5400 − z = 3600 + 2z.
	l, ok := doc("[" + strings.TrimSuffix(jobs, ",") + "]").Offered()
	near("jobs an hour", l.PerH, 3.6)
	near("the least load", l.Least, (5400-600)/5.*l.PerH/3600)
	near("the load on all alike", l.Alike, 2400*3.6/3600/2)
	if !ok {
		t.Error("jobs come one after the other")
	}
	if l, ok := doc(`[{"id":"j1","model":"x","gpus":1,"steps":3600}]`).Offered(); ok {
		t.Errorf("one job is no stream: %+v", l)
	}
	// Drawn jobs come at the rate that is stated, whenever the last of them does.
	l, ok = doc(`{"generator":{"count":4000,"gpus":{"1":1},"lengths":{"median_s":3600,"scale":0.5},"reference":"v100",
"arrivals":{"process":"poisson","rate_per_h":2}}}`).Offered()
	near("jobs an hour", l.PerH, 2)
	// All last 1800 s on v100, so that x takes 3600 on k80, and y 900. Half of them are x, nearly: they keep v100 busy
	// for 900 s a job of the stream, the others k80 for 450, and with the third part of that gap moved both for 750.
	if !ok || math.Abs(l.Least-750*2/3600.) > 0.01 || math.Abs(l.Alike-(2400+1200)/2*2/3600./2) > 0.01 {
		t.Errorf("drawn jobs offer %+v", l)
	}
	if l, ok := doc(`{"generator":{"count":40}}`).Offered(); ok {
		t.Errorf("jobs that all come at 0 are no stream: %+v", l)
	}
}

// TestLeastLoadIsLeast holds the least load on two types to the exact one: in order of how much better the first type
// suits them, jobs fill it, until the others keep the second one busy as long.
func TestLeastLoadIsLeast(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 1))
	for range 300 {
		gpus := []int{1 + rng.IntN(9), 1 + rng.IntN(9)}
		jobs := make([]needs, 1+rng.IntN(12))
		for i := range jobs {
			jobs[i].on = []float64{math.Exp(3 * rng.NormFloat64()), math.Exp(3 * rng.NormFloat64())}
			if k := rng.IntN(4); k < 2 && len(jobs) > 2 {
				jobs[i].on[k] = 0 // it does not run there
			}
		}
		ratio := func(n needs) float64 {
			switch {
			case n.on[0] == 0:
				return math.Inf(1)
			case n.on[1] == 0:
				return 0
			}
			return n.on[0] / n.on[1]
		}
		order := slices.SortedFunc(slices.Values(jobs), func(a, b needs) int { return cmp.Compare(ratio(a), ratio(b)) })
		a, b := 0.0, 0.0
		for i := range order {
			if order[i].on[0] == 0 {
				b += order[i].on[1]
			} else {
				a += order[i].on[0]
			}
		}
		exact := math.Inf(1)
		for i := len(order); ; i-- { // those from i on are on the second type
			exact = min(exact, max(a/float64(gpus[0]), b/float64(gpus[1])))
			if i == 0 || order[i-1].on[1] == 0 {
				break
			}
			if w := order[i-1].on; w[0] > 0 { // the part z of it that makes both busy alike
				z := (a/float64(gpus[0]) - b/float64(gpus[1])) / (w[0]/float64(gpus[0]) + w[1]/float64(gpus[1]))
				if z > 0 && z < 1 {
					exact = min(exact, (a-z*w[0])/float64(gpus[0]))
				}
				a, b = a-w[0], b+w[1]
			}
		}
		if got := least(jobs, gpus); got > exact*(1+1e-9) || got < 0.98*exact {
			t.Errorf("least is %v, exactly %v: %v on %v", got, exact, jobs, gpus)
		}
	}
}

// TestOverload: a window in a stream that no schedule can keep up with has no steady state, and its document says so.
func TestOverload(t *testing.T) {
	for rate, want := range map[string]bool{"0.5": false, "0.7": true} {
		d := mustParse(t, `{"scenario":{"window":{"from":100,"jobs":100},"cluster":{"nodes":[{"id":"n1","gpus":{"v100":16,"k80":8}}]},
"throughputs":{"rows":[]},"jobs":{"generator":{"count":400,"arrivals":{"process":"poisson","rate_per_h":`+rate+`}}}}}`)
		if got := golden.Lines(d.Check()); strings.Contains(got, codeOverload) != want {
			l, _ := d.Offered()
			t.Errorf("at %s jobs an hour the load is %+v, and the findings are %s", rate, l, got)
		}
	}
}
