package insights

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/model"
	"hadarlab/core/simtest"
	"hadarlab/core/unit"
)

func TestWorthSentence(t *testing.T) {
	run := simtest.TwoNodes().Job("a", 0, 100).Job("b", 0, 100).Rounds(0)
	all := []chart.Worth{
		{Jobs: []chart.Amount{{Read: 200, Worth: 150}, {}}, Sum: chart.Amount{Read: 200, Worth: 150}},
		{Jobs: []chart.Amount{{Read: 150, Worth: 150}, {}}, Sum: chart.Amount{Read: 150, Worth: 150}}}
	sides := []Side{{Title: "P", Trace: run}, {Title: "Q", Trace: run}}
	f := Worth(nil, sides, all, 0)
	if f.Claim != "Under P, 25.0 % of the examples bring nothing. Under Q examples bring as much as those of the initial batch." ||
		!strings.HasSuffix(f.Because, "Of a’s, 25.0 % bring nothing under P. a’s bring as much under Q.") {
		t.Errorf("%+v", f)
	}
	// Small batches bring more, a little loss is no whole one, and a run without such a job says so.
	odd := []chart.Worth{{Jobs: all[0].Jobs, Sum: chart.Amount{Read: 100, Worth: 130}},
		{Jobs: all[1].Jobs, Sum: chart.Amount{Read: 1e4, Worth: 9999}}}
	const more = "Under P examples bring 30.0 % more than those of the initial batch. " +
		"Under Q, less than 0.1 % of the examples bring nothing."
	if f := Worth(nil, sides, odd, -1); f.Claim != more {
		t.Errorf("it says %q", f.Claim)
	}
	if f := Worth(nil, sides[:1], []chart.Worth{{}}, -1); !strings.Contains(f.Claim, "no job trains") {
		t.Errorf("of no examples it says %q", f.Claim)
	}
	if f := Worth(nil, sides, all, 1); strings.Contains(f.Because, "Of b") {
		t.Errorf("of a job that has no examples it says %q", f.Because)
	}
}

func TestTimersSentence(t *testing.T) {
	series := func(v ...float64) chart.Series {
		s := chart.Series{V: v}
		for i := range v {
			s.T = append(s.T, unit.Tick(i)*unit.Second)
		}
		return s
	}
	all := []chart.Timer{
		{GPUs: 2, Runs: []chart.Series{series(3600), series(3600), {}, {}}, Turns: make([]int, 4),
			Began:   []bool{false, false, true, false},
			Endless: []bool{false, false, true, false}},
		{GPUs: 4, Tier: 1, Runs: []chart.Series{series(7200, 5400), series(7200), {}, {}},
			Turns: []int{1, 0, 0, 0}, Began: []bool{false, false, true, false},
			Endless: []bool{false, false, true, false}}}
	sides := []Side{{Title: "P"}, {Title: "Q"}, {Title: "R"}, {Title: "S"}}
	const want = "Under P the timer “4 GPUs, then for a rack” goes from 2 hours to 1.5 hours. " +
		"Under Q no timer changes; “2 GPUs, for a node” is 1 hour. " +
		"Under R jobs wait for closer GPUs without end. Under S no job asks for several GPUs."
	if f := Timers(nil, sides, all, figure.UnitFor(8*3600*unit.Second)); f.Claim != want {
		t.Errorf("it says %q", f.Claim)
	}
	// One that had no end at first has one.
	all = []chart.Timer{{GPUs: 2, Runs: []chart.Series{series(3600)}, Turns: []int{1}, Began: []bool{true},
		Endless: []bool{false}}}
	const has = "Under P the timer “2 GPUs, for a node” goes from no end to 1 hour."
	if f := Timers(nil, sides[:1], all, figure.UnitFor(8*3600*unit.Second)); f.Claim != has {
		t.Errorf("it says %q", f.Claim)
	}
	if got := TimerText(nil, &all[0], 0, figure.UnitFor(8*3600*unit.Second)); strings.Contains(got, "no end") {
		t.Errorf("its last value is %q", got)
	}
}

func TestLoadsSentence(t *testing.T) {
	c := &model.Cluster{Racks: []string{"r1", "r2"}, Nodes: []model.Node{{Name: "n1"}, {Name: "n2"}}}
	side := func(title string) Side { return Side{Title: title} }
	card := func(node int32, shared, mean float64, most int32) chart.Load {
		return chart.Load{Link: node, Of: node, Shared: shared, Mean: mean, Most: most}
	}
	up := chart.Load{Link: 2, Uplink: true, Shared: 0.25, Mean: 0.1, Most: 3}
	all := [][]chart.Load{{card(0, 0, 0.9, 1), card(1, 0.125, 0.5, 2), up},
		{card(0, 0, 0.4, 1), card(1, 0, 0.5, 1)}, nil}
	f := Loads(nil, []Side{side("P"), side("Q"), side("R")}, all, 3, c)
	const want = "Under P several gangs share “Uplink of r1” for 25 % of the time, up to 3 at once. " +
		"Under Q no two gangs share a link; “Network card of n2” sends most, 50 % of what it carries. " +
		"Under R no gang sends gradients from node to node."
	if f.Claim != want || strings.Contains(f.Because, "are drawn") {
		t.Errorf("%+v", f)
	}
	if f := Loads(nil, []Side{side("P")}, all[:1], 2, c); !strings.HasSuffix(f.Because,
		"The 2 links are drawn that are shared longest or send most.") {
		t.Errorf("%+v", f)
	}
}
