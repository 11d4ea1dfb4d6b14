package state

import (
	"slices"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/core/trace"
)

// TestWhyHere: the button beside the headline shows the headline's job, round and lane, whatever was looked at.
func TestWhyHere(t *testing.T) {
	d := newDesk(t)
	r := d.s.Result
	d.do(Go{To: len(r.Diff.Moments) - 1})
	d.do(ExplainLane{1 - r.Tells})
	job := r.TellingJob()
	other := slices.IndexFunc(r.Lanes[0].Trace.Jobs, func(j trace.Job) bool { return j.Name != job })
	d.do(Select{r.Lanes[0].Trace.Jobs[other].Name})
	d.do(Play{})
	d.do(SetWindow{From: 0.5, To: 0.6})
	d.do(WhyHere{})
	v := d.s.View
	if at := r.Diff.Moments[r.Diff.First].At; at < v.Zoom.From || at >= v.Zoom.To {
		t.Errorf("the cursor is at %d, the axis shows %d to %d", at, v.Zoom.From, v.Zoom.To)
	}
	if v.Job != job || v.Moment != r.Diff.First || v.WhyLane != r.Tells || v.Playing {
		t.Errorf("shown are %s at moment %d in lane %d, the headline speaks of %s at %d in %d", v.Job, v.Moment,
			v.WhyLane, job, r.Diff.First, r.Tells)
	}
	if says := r.Finding.Because; !strings.Contains(says, v.Job) ||
		!strings.Contains(says, ": "+r.Lanes[v.WhyLane].Title+" ") {
		t.Errorf("the headline does not speak of that: %s", says)
	}
	if last := d.log[len(d.log)-1]; last != (room.Focus{Part: room.PartWhy}) {
		t.Errorf("the reader is left at %v", last)
	}
}

// TestBefore: after an edit each lane remembers what it was; running it again forgets nothing, another scenario does.
func TestBefore(t *testing.T) {
	d := newDesk(t)
	first := d.s.Result
	if first.Lanes[0].Before != nil {
		t.Error("the first result remembers an earlier one")
	}
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	for range 2 {
		for i, l := range d.s.Result.Lanes {
			if l.Before == nil || l.Before.Meta.TraceHash != first.Lanes[i].Meta.TraceHash {
				t.Errorf("lane %d does not remember what it was", i)
			}
		}
		d.do(RunNow{})
		d.pass(1000)
	}
	d.edit(edit.SetPolicy{Lane: 1, ID: "tiresias"})
	if b := d.s.Result.Lanes; b[0].Before == nil || b[1].Before != nil {
		t.Error("another policy is compared with the one before")
	}
	d.do(LoadPreset{d.s.Boot.Presets[1].Name})
	d.pass(1000)
	if d.s.Result.Lanes[0].Before != nil {
		t.Error("another scenario is compared with the one before")
	}
}

// TestPeek: what is tapped in the timeline is told in brief, until the whole reason is asked for.
func TestPeek(t *testing.T) {
	d := newDesk(t)
	if d.s.View.Peek {
		t.Error("nothing was tapped")
	}
	d.do(SelectBar{At: BarAt{1, 0}, Explain: true})
	if !d.s.View.Peek || d.s.View.WhyLane != 1 {
		t.Errorf("a tapped bar gives %+v", d.s.View)
	}
	d.do(ShowWhy{})
	if d.s.View.Peek || d.log[len(d.log)-1] != (room.Focus{Part: room.PartWhy}) {
		t.Error("the whole reason does not take the place of the brief one")
	}
	d.do(SelectWait{Lane: 1, Job: "j3"})
	if v := d.s.View; !v.Peek || v.Job != "j3" || v.WhyLane != 1 {
		t.Errorf("a tapped wait gives %+v", v)
	}
	d.do(LoadPreset{d.s.Boot.Presets[1].Name})
	if d.s.View.Peek {
		t.Error("it stays over another scenario")
	}
	d.do(SelectWait{Lane: 1, Job: "j3"})
	d.do(ClosePeek{})
	if d.s.View.Peek || d.s.View.Job != "j3" {
		t.Error("closing it forgets the job, or does not close it")
	}
	d.do(SelectWait{Lane: 1, Job: "j3"})
	d.do(Seen{VisiblePanels{Numbers: true}})
	if !d.s.View.Peek {
		t.Error("it goes with another panel")
	}
	d.do(Seen{VisiblePanels{Why: true}})
	if d.s.View.Peek {
		t.Error("it stays beside the whole reason")
	}
	d.do(SelectBar{At: BarAt{0, 0}, Explain: true})
	d.do(SelectWait{Lane: 1, Job: "j3"})
	d.do(Select{"j2"})
	if d.s.View.Peek {
		t.Error("the reason is told twice")
	}
	d.do(Seen{})
	d.do(Select{"j2"})
	if !d.s.View.Peek {
		t.Error("a job of the list is not told of")
	}
	d.do(ToggleEditor{})
	if d.s.View.Peek {
		t.Error("it stays over the editor")
	}
	d.do(Select{"j3"})
	if d.s.View.Peek {
		t.Error("a job of the editor's rows is told of over them")
	}
	d.do(ToggleEditor{})
	d.do(Select{"j2"})
	d.do(Select{})
	if d.s.View.Peek {
		t.Error("it stays with no job selected")
	}
}

// TestUndoBringsThePresetBack: what stands after the last undo is the preset again, and says so.
func TestUndoBringsThePresetBack(t *testing.T) {
	d := newDesk(t)
	preset := d.s.History.Stands().Preset
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	if d.s.History.Stands().Preset != preset || !d.s.History.Stands().Edited {
		t.Errorf("edited it is %q, edited %v", d.s.History.Stands().Preset, d.s.History.Stands().Edited)
	}
	d.do(Undo{})
	if preset == "" || d.s.History.Stands().Preset != preset || d.s.History.Stands().Edited {
		t.Errorf("after undo it is %q, edited %v", d.s.History.Stands().Preset, d.s.History.Stands().Edited)
	}
}

// TestABarIsExplainedInItsOwnRound: the cursor goes to a moment within the bar, though the lanes' rounds end some ms
// apart.
func TestABarIsExplainedInItsOwnRound(t *testing.T) {
	d := newDesk(t)
	s := d.s
	for lane, l := range s.Result.Lanes {
		for i := range l.Chart.Bars {
			h := &l.Chart.Holdings[l.Chart.Bars[i].Holding]
			d.do(Go{To: len(s.Result.Diff.Moments) - 1})
			d.do(SelectBar{At: BarAt{lane, i}, Explain: true})
			within := false // some moment is
			for _, m := range s.Result.Diff.Moments {
				within = within || h.From <= m.At && m.At < h.To
			}
			if m, _ := s.Result.Moment(s.View.Moment); within && (m.At < h.From || m.At >= h.To) {
				t.Errorf("lane %d, %s from %v to %v: the cursor is at %v", lane, l.Trace.Jobs[h.Job].Name, h.From, h.To,
					m.At)
			}
		}
	}
}
