package run

import (
	"reflect"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
)

// longRun is a run whose lanes have come and are still to be laid out.
func longRun(t *testing.T) *Run {
	t.Helper()
	text := simtest.LongWaits(100_000)
	doc, diags := scenario.Parse(text, scenario.FileLimits)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	r := Begin(New(1, doc, text), false)
	s := lab.NewSession()
	s.Start(r.Partial.Request())
	for more := true; more; {
		var out []*message.Message
		out, more = s.Spend(1 << 20)
		for _, m := range out {
			if m.Lane != nil {
				r.TakeLane(m.Lane, m.Body)
			}
		}
	}
	if r.End() || !r.Drawing() {
		t.Fatal("long lanes are laid out at once")
	}
	return &r
}

// TestLongLanesAreLaidOutInSlices: the page gets its turn between them, and what comes out is the same.
func TestLongLanesAreLaidOutInSlices(t *testing.T) {
	r := longRun(t)
	tasks := 0
	for done := false; !done; tasks++ {
		done, _ = r.GoOn()
	}
	if tasks < 8 {
		t.Errorf("two runs of 5,800 rounds are laid out in %d tasks", tasks)
	}
	for i, l := range r.Partial.Lanes {
		if !reflect.DeepEqual(l.Chart, chart.NewLane(l.Trace)) {
			t.Errorf("lane %d is laid out otherwise in slices than at once", i)
		}
	}
}

// TestLayingOutCanBeGivenUp: lanes that are laid out stay, the others count as stopped.
func TestLayingOutCanBeGivenUp(t *testing.T) {
	r := longRun(t)
	for r.Partial.Lanes[0].Chart == nil {
		r.GoOn()
	}
	r.GoOn()
	if r.Drop(); !r.Drawing() {
		t.Fatal("what is there is not compared any more")
	}
	for done := false; !done; {
		done, _ = r.GoOn()
	}
	if r.Partial.Lanes[0].Trace == nil || r.Partial.Lanes[1].Trace != nil || !r.Partial.Cut() || r.Partial.Diff == nil {
		t.Error("what was given up is neither shown nor stopped")
	}
}

// TestAlikeTitlesAreToldApart: lanes whose short titles are alike have what tells them apart in brackets, in every
// place, those of one policy their letter, and all others no more than before.
func TestAlikeTitlesAreToldApart(t *testing.T) {
	titles := map[string]string{"hadar": "Hadar", "las": "Gavel, max-min fairness", "cost": "Gavel, cost",
		"dally": "Dally (reconstructed)", "own": "Your own order"}
	for name, c := range map[string]struct{ policies, want []string }{
		"one of each": {[]string{"hadar", "las", "dally"}, []string{"Hadar", "Gavel", "Dally"}},
		"two of Gavel's": {[]string{"las", "hadar", "cost"},
			[]string{"Gavel (max-min fairness)", "Hadar", "Gavel (cost)"}},
		"twice the same": {[]string{"las", "las"}, []string{"Gavel A", "Gavel B"}},
		"both": {[]string{"las", "cost", "las"},
			[]string{"Gavel (max-min fairness) A", "Gavel (cost)", "Gavel (max-min fairness) C"}},
		"own programs": {[]string{"own", "own:Patient", "own:Patient", "hadar", "own", "own:Hadar", "own:Fair"},
			[]string{"Your own order A", "Patient B", "Patient C", "Hadar D", "Your own order E", "Hadar F", "Fair"}},
		"one is no other": {[]string{"dally", "dally"}, []string{"Dally A", "Dally B"}},
	} {
		d := &scenario.Document{}
		for _, id := range c.policies {
			id, called, _ := strings.Cut(id, ":")
			p := scenario.Policy{ID: id}
			if called != "" {
				p.Params = map[string]any{"program": "NAME = \"" + called + "\"\n"}
			}
			d.Scenario.Policies = append(d.Scenario.Policies, p)
		}
		title := func(id string) string { return titles[id] }
		r := New(1, d, nil)
		r.Name(title)
		var got []string
		for _, l := range r.Lanes {
			got = append(got, l.Title)
		}
		swept, _ := Titles(d, title)
		if !slices.Equal(got, c.want) || !slices.Equal(swept, c.want) {
			t.Errorf("%s: %q, and of a sweep %q, want %q", name, got, swept, c.want)
		}
	}
}

// TestAnAxisHoldsBoth: beside an earlier run that ended later the axis reaches to its end, and to no less than its own.
func TestAnAxisHoldsBoth(t *testing.T) {
	of := func(ends ...unit.Tick) *Result {
		r := &Result{}
		for _, end := range ends {
			r.Lanes = append(r.Lanes, &Lane{Trace: &trace.Trace{End: end * unit.Second, Round: 360 * unit.Second}})
		}
		r.Axis = chart.NewAxis(max(ends[0], ends[len(ends)-1])*unit.Second, 360*unit.Second)
		return r
	}
	now := of(1000, 900)
	for _, c := range []struct {
		was  *Result
		last unit.Tick
	}{{nil, 1080}, {of(500, 300), 1080}, {of(700, 1900), 2160}} {
		if a := now.Both(c.was); a.To != c.last*unit.Second {
			t.Errorf("it reaches to %d ticks instead of %d s", a.To, c.last)
		}
	}
}
