package editor

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// OnLane is what is drawn upon a lane of the result: what is forced upon it, nil = nothing, what its
// policy lacks, and what stands in its margin.
func OnLane(s *state.Lab, lane int) (forced elm.View, lacks []elm.View, margin elm.View) {
	l, now := s.Result.Lanes[lane], s.Doc.Scenario.Policies
	if len(l.Policy.Force) > 0 {
		forced = &Forced{FieldsOf(s), lane, s.Result.Doc, l.Meta.Notes, s.Fresh()}
	}
	if s.Embed {
		return forced, nil, nil
	}
	f := FieldsOf(s)
	if lane < len(now) && now[lane].ID == l.Policy.ID {
		_, lacks = f.needs(lane, l.Trace == nil) // a refusal says by itself what lacks
	}
	return forced, lacks, &Margin{f, lane}
}

// Lack is something that a lane's policy needs and the scenario lacks, with a way to make it.
type Lack struct {
	In         Fields
	Lane, Need int
	Said       bool // what lacks is said elsewhere
}

// needs are what a lane's policy needs of the scenario and what the scenario lacks of it, each with a way to make it;
// said = what lacks is said elsewhere.
func (h *Fields) needs(lane int, said bool) (names string, lacks []elm.View) {
	d := h.Doc
	info := h.Boot.Policy(d.Scenario.Policies[lane].ID)
	if info == nil {
		return "", nil
	}
	for i := range edit.Needs {
		n := &edit.Needs[i]
		if !info.Needs[n.ID] {
			continue
		}
		if names != "" {
			names += ", "
		}
		if names += words.T(n.Name); n.Met(d) {
			continue
		}
		lacks = append(lacks, &Lack{*h, lane, i, said})
	}
	return names, lacks
}

// Render draws it.
func (l *Lack) Render() app.UI {
	n := &edit.Needs[l.Need]
	var way state.Action = state.Do{Edit: n.Make}
	if n.Make == nil {
		way = state.LoadPreset{Name: edit.ProfiledPreset}
	}
	lack := Say("div", n.Lack)
	if l.Said && n.ID != "elastic" { // rigid jobs are no refusal
		lack = El("div")
	}
	return Set(Note("note", lack, l.In.button(".btn|data-test=offer", n.Offer, "need"+n.ID, way)), "data-need", n.ID,
		"data-lane", edit.LaneLetter(l.Lane))
}

// Forced is what is forced upon a lane of a result, which it may take away.
type Forced struct {
	In    Fields
	Lane  int
	Of    *scenario.Document
	Notes []string
	Fresh bool
}

// Render draws it.
func (f *Forced) Render() app.UI {
	return Set(forced(&f.In, f.Of, f.Lane, f.Notes, f.Fresh), "data-test", "forced")
}

// forced says what is forced upon a document's lane, with notes after it and a button that takes the lane away.
func forced(h *Fields, d *scenario.Document, lane int, notes []string, fresh bool) app.UI {
	kids := []app.UI{Txt("span", strings.Join(append(edit.Forced(d, lane), notes...), " "))}
	if !h.Embed && len(d.Scenario.Policies) > 1 {
		kids = append(kids, Set(h.button(".btn|data-test=force-remove", "Remove", "unforce"+Itoa(lane),
			state.Do{Edit: edit.RemoveLane{Lane: lane}}),
			"aria-label", words.F("Remove the forced lane {0}", edit.LaneLetter(lane)), "disabled", Flag(!fresh)))
	}
	return El("p.forced", kids...)
}
