package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/core/trace"
)

// TestWhyHere: the button beside the headline shows the headline's job, round and lane, whatever was looked at.
func TestWhyHere(t *testing.T) {
	d := newDesk(t)
	r := d.s.Result
	d.do(Go{To: len(r.Diff.Moments) - 1})
	d.do(WhyLane{1 - r.Tells})
	job := r.tellingJob()
	other := slices.IndexFunc(r.Lanes[0].Trace.Jobs, func(j trace.Job) bool { return j.Name != job })
	d.do(Select{r.Lanes[0].Trace.Jobs[other].Name})
	d.do(Play{})
	d.do(WhyHere{})
	v := d.s.View
	if v.Job != job || v.Moment != r.Diff.First || v.WhyLane != r.Tells || v.Playing {
		t.Errorf("shown are %s at moment %d in lane %d, the headline speaks of %s at %d in %d", v.Job, v.Moment, v.WhyLane, job, r.Diff.First, r.Tells)
	}
	if says := r.Finding.Because; !strings.Contains(says, v.Job) || !strings.Contains(says, ": "+r.Lanes[v.WhyLane].Title+" ") {
		t.Errorf("the headline does not speak of that: %s", says)
	}
	if last := d.log[len(d.log)-1]; last != (Focus{"[data-test=why]"}) {
		t.Errorf("the reader is left at %v", last)
	}
}
