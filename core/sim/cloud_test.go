package sim_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"hadarlab/core/metric"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// rented is a node with one GPU and n more that can be had, each for 36 USD an hour, a cent a second; all go at
// 1 step/s.
func rented(n int, auto model.Autoscaler, start, idle float64, jobs ...simtest.Job) *model.Problem {
	for i := range jobs {
		jobs[i].GPUs, jobs[i].Rates = max(1, jobs[i].GPUs), map[string]float64{"a": 1}
	}
	p := simtest.Build(100, slices.Repeat([]simtest.Node{{"a": 1}}, 1+n), jobs, model.Costs{})
	p.Cloud = &model.Cloud{Autoscaler: auto, Groups: []model.CloudGroup{{Name: "rent", From: 1, To: model.SlotID(1 + n),
		USDPerHour: 36, Start: unit.Seconds(start), Idle: unit.Seconds(idle), Least: 60 * unit.Second}}}
	return p
}

// TestRentByHand works the answers out on paper. Of the jobs of 200 and 100 steps that arrive at 0 the first has the
// node that is there; a third, of 50 steps, arrives at 400 s.
func TestRentByHand(t *testing.T) {
	three := []simtest.Job{{Steps: 200}, {Steps: 100}, {Arrive: 400, Steps: 50}}
	gone := rented(2, model.Reactive, 60, 100, three[:2]...)
	gone.Cloud.Gone = []model.Reclaim{{At: 100_000, Slot: 1}}
	gone.Costs[1].CheckpointEvery = 30 * unit.Second
	hours := []simtest.Job{{Arrive: 3600, Steps: 3600}, {Arrive: 3600, Steps: 3600}, {Arrive: 90000, Steps: 3600},
		{Arrive: 90000, Steps: 3600}}
	for _, c := range []struct {
		what   string
		p      *model.Problem
		finish []unit.Tick
		stays  string
		usd    float64
		idle   float64
	}{
		// The second job waits, so that a node is asked for at 0 and comes at 60 s; the job has it to 160 s, and 100
		// s later it is released. Had and billed: 200 s, of which 100 are idle. The third job needs none.
		{"reactive", rented(2, model.Reactive, 60, 100, three...), []unit.Tick{200_000, 160_000, 450_000},
			"1:60000-260000", 2, 1},
		// Both are there from 0 to 450 s: 900 s; the second job has one of them for 100 s, the others go to the node
		// that is there.
		{"fixed", rented(2, model.Fixed, 60, 100, three...), []unit.Tick{200_000, 100_000, 450_000},
			"1:0-450000 2:0-450000", 9, 8},
		// The node vanishes at 100 s, 40 s after its coming: 60 s are billed. The job has done 40 steps and keeps
		// the 30 of its checkpoint at 90 s. Another node is asked for at once and comes at 160 s; 70 steps take it
		// to 230 s. Billed 60 + 70 s; no job has 20 s of the first.
		{"spot", gone, []unit.Tick{200_000, 230_000}, "1:60000-100000 1:160000-230000", 1.3, 0.2},
		// On the first day a node is asked for at 3600 s as a job waits, and comes at 4200 s; the job ends at 7800
		// s. The forecast looks back to the start of the hour before: at 10500 s 7800 GPU-s in 6900 s are 2 GPUs,
		// one more than there is; at 10800 s it sees 600 in 3600 s, 1 GPU, and the node goes. On the second day, at
		// 89400 s, a node would come at 90000 s, in hour 25; in that hour of the day before jobs asked for 2 GPUs:
		// it is asked for then, and both jobs start as they arrive. Billed 6600 + 3600 s, 3000 of them idle.
		{"predictive", rented(2, model.Predictive, 600, 600, hours...),
			[]unit.Tick{7_200_000, 7_800_000, 93_600_000, 93_600_000}, "1:4200000-10800000 1:90000000-93600000", 102,
			30},
		// The same without a forecast: the node is idle for 600 s and goes at 8400 s; on the second day the fourth
		// job waits for 600 s, too. Billed 4200 + 3600 s.
		{"reactive, two days", rented(2, model.Reactive, 600, 600, hours...),
			[]unit.Tick{7_200_000, 7_800_000, 93_600_000, 94_200_000}, "1:4200000-8400000 1:90600000-94200000", 78, 6},
		// The first gang of two counts on two nodes of the group, though one GPU of the cluster's own is free, and
		// the second on the one that is left. All come at 60 s; one gang takes the cluster's own node and one of
		// them. They end at 60 + 50 and 60 + 40 s. Three nodes are there for 50 s and billed for 60; jobs hold them
		// for 50 + 40 + 40.
		{"a gang", rented(3, model.Reactive, 60, 100, simtest.Job{GPUs: 2, Steps: 100}, simtest.Job{GPUs: 2,
			Steps: 80}),
			[]unit.Tick{110_000, 100_000}, "1:60000-110000 2:60000-110000 3:60000-110000", 1.8, 0.5},
	} {
		t.Run(c.what, func(t *testing.T) {
			tr := simtest.Run(t, c.p, "fifo", nil)
			for j, want := range c.finish {
				if got := tr.Jobs[j].Finish; got != want {
					t.Errorf("job %d finishes at %d, want %d", j+1, got, want)
				}
			}
			stays, sep := "", ""
			for _, s := range metric.Stays(c.p.Cloud, tr) {
				stays += fmt.Sprintf("%s%d:%d-%d", sep, s.Slot, s.From, s.To)
				sep = " "
			}
			if stays != c.stays {
				t.Errorf("nodes are there %s, want %s", stays, c.stays)
			}
			m := metric.Compute(c.p, tr).Metrics
			if math.Abs(m.RentUSD-c.usd) > 1e-9 || math.Abs(m.RentIdleUSD-c.idle) > 1e-9 {
				t.Errorf("rent is %v, idle %v; want %v, %v", m.RentUSD, m.RentIdleUSD, c.usd, c.idle)
			}
		})
	}
}

// TestNodesTellWhy: why a node is asked for, comes, goes and vanishes stands among the reasons of decisions.
func TestNodesTellWhy(t *testing.T) {
	p := rented(1, model.Reactive, 60, 100, simtest.Job{Steps: 700}, simtest.Job{Steps: 100}, simtest.Job{Arrive: 400,
		Steps: 100})
	p.Cloud.Gone = []model.Reclaim{{At: 500_000, Slot: 1}}
	tr := simtest.Run(t, p, "fifo", nil)
	var got []string
	for _, r := range tr.Reasons {
		if r.Code >= trace.NodeAsked {
			got = append(got, fmt.Sprintf("%v %d at %v: %v", r.Code, r.Job, r.Num[0], r.Num[1]))
		}
	}
	// The third job finds the node released at 260 s, waits at 400 s, and has done 40 steps on it at 500 s.
	want := []string{"node-asked 1 at 0: 60", "node-came -1 at 60: 0", "node-released -1 at 260: 100",
		"node-asked 2 at 400: 60", "node-came -1 at 460: 0", "node-gone -1 at 500: 40", "node-asked 2 at 500: 60",
		"node-came -1 at 560: 0"}
	if !slices.Equal(got, want) {
		t.Errorf("reasons %q, want %q", got, want)
	}
}

// TestCloudThatCannotHelpEnds: a job for which all nodes together are too few ends the run, whoever decides.
func TestCloudThatCannotHelpEnds(t *testing.T) {
	for _, auto := range []model.Autoscaler{model.Reactive, model.Predictive, model.Fixed} {
		p := rented(1, auto, 60, 100, simtest.Job{GPUs: 2, Steps: 100})
		p.Tables[0].Set(0, 2, 0, 0, 0)
		for _, id := range []string{"fifo", "gavel"} {
			tr := simtest.Run(t, p, id, nil)
			if tr.Outcome != trace.Starved || tr.Events > 50_000 {
				t.Errorf("%v under %s: %v after %d events", auto, id, tr.Outcome, tr.Events)
			}
		}
	}
}
