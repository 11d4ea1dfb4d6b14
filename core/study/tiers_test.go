package study_test

import (
	"flag"
	"fmt"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/model"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/study"
	"hadarlab/core/trace"
)

var (
	tierSeeds   = flag.Int("tiers", 0, "print the comparison of tiers over so many seeds")
	tiersShared = flag.Bool("shared", false, "compare tiers where gangs share links")
)

// figures are makespan and mean completion time in h, and the share of GPU time that goes into communication in %.
type figures struct{ makespan, jct, share float64 }

func measure(p *model.Problem, tr *trace.Trace) (f figures) {
	for _, j := range tr.Jobs {
		f.makespan = max(f.makespan, j.Finish.Seconds()/3600)
		f.jct += (j.Finish - j.Arrive).Seconds() / 3600 / float64(len(tr.Jobs))
	}
	f.share = 100 * study.Communication(p, tr)
	return f
}

// TestTiers holds what the study is for on a small batch: every lane finishes it, and distance costs more on a
// congested network. With -tiers it prints the comparison that BENCHMARKS.md shows.
func TestTiers(t *testing.T) {
	seeds, jobs := 1, 60
	if *tierSeeds > 0 {
		seeds, jobs = *tierSeeds, 500
	}
	for _, l := range study.TierLanes() {
		var of [2][]figures
		slowest := time.Duration(0)
		for c, congestion := range []float64{1, 10} {
			for seed := range seeds {
				doc := study.Tiers(uint64(seed+1), jobs, congestion, *tiersShared)
				p, diags := scenario.Compile(doc, lab.Defaults())
				if p == nil {
					t.Fatal(diags)
				}
				from := time.Now()
				tr := simtest.Run(t, p, l.ID, l.Params)
				slowest = max(slowest, time.Since(from))
				if tr.Outcome != trace.Done {
					t.Errorf("%s, seed %d: %v", l.Name, seed+1, tr.Outcome)
				}
				of[c] = append(of[c], measure(p, tr))
			}
		}
		if of[1][0].share <= of[0][0].share {
			t.Errorf("%s: %.1f %% communication, congested %.1f %%", l.Name, of[0][0].share, of[1][0].share)
		}
		if *tierSeeds > 0 {
			t.Logf("%-34s %s | %s | %v", l.Name, line(of[0]), line(of[1]), slowest.Round(time.Millisecond))
			t.Logf("%-34s by seed %s", "", bySeed(of))
		}
	}
}

// line is the mean over the seeds.
func line(of []figures) string {
	var sum figures
	for _, f := range of {
		sum.makespan, sum.jct, sum.share = sum.makespan+f.makespan, sum.jct+f.jct, sum.share+f.share
	}
	n := float64(len(of))
	return fmt.Sprintf("%5.0f / %5.1f / %4.1f", sum.makespan/n, sum.jct/n, sum.share/n)
}

// bySeed are makespan, mean completion time and share of communication of each seed.
func bySeed(of [2][]figures) (s string) {
	for _, list := range of {
		for _, f := range list {
			s += fmt.Sprintf(" %.0f/%.1f/%.1f", f.makespan, f.jct, f.share)
		}
		s += ";"
	}
	return s
}
