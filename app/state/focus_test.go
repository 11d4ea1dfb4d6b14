package state

import (
	"testing"

	"hadarlab/app/edit"
)

// TestPresetsLandOnTheirFocus: cursor, job, lane and chart are those that a preset names, until it is changed.
func TestPresetsLandOnTheirFocus(t *testing.T) {
	d := newDesk(t)
	d.do(OpenGallery{})
	d.do(CloseGallery{})
	cards, _, _ := d.s.Learn.Cards(d.s.Teaching.Cards, d.s.Boot.Presets, d.s.Boot.Docs)
	for _, c := range append(cards, cards[0]) {
		if c.Card.Preset != d.s.History.Stands().Preset {
			d.do(LoadPreset{c.Card.Preset})
			d.pass(1000)
		}
		v, f := &d.s.View, &c.Focus
		if v.Job != f.Job || v.Tab != f.Chart || d.s.Result.Lanes[v.WhyLane].Policy.ID != f.Lane ||
			d.s.Result.Round(v.WhyLane, v.Moment) != f.Round || v.Pinned {
			t.Errorf("%s opens on %+v, its focus is %+v", d.s.History.Stands().Preset, *v, *f)
		}
	}
	d.do(Select{"j2"})
	d.do(ChooseChart{"queue"})
	d.edit(edit.SetGPUs{Node: 0, N: 1, Type: "v100"})
	if v := &d.s.View; v.Job != "j2" || v.Tab != "queue" {
		t.Errorf("an edit moves the view to %+v", *v)
	}
}
