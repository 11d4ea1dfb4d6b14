package state

import (
	"errors"
	"slices"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/words"
	"hadarlab/core/scenario"
)

var errPreset = errors.New("state: the first preset is not a valid scenario")

// newLab has the first preset with its result.
func newLab(shared *room.Shared, class lessons) (Lab, error) {
	b := shared.Boot
	s := Lab{Shared: shared, class: class, Document: Document{Shared: shared},
		Fields: Fields{Drafts: map[string]Draft{}}, Runs: Runs{Shared: shared},
		Comparisons: Comparisons{Shared: shared, Replicates: compare.Replicates{Seeds: "20", Noise: "10"}},
		Files:       Files{Shared: shared}, Sharing: Sharing{Shared: shared}, Imports: Imports{Shared: shared},
		View: View{Bar: NoBar, newScenario: true, Tab: "busy", PlotW: firstWidth}}
	first := b.Presets[0]
	doc, diags := scenario.Parse(b.Docs[0], scenario.FileLimits)
	if doc == nil || diags.HasErrors() {
		return s, errPreset
	}
	s.setDoc(doc)
	s.History.Reset(doc, first.Name, words.F("Opened “{0}”", b.TitleOf(doc)))
	return s, s.bake(&b.Baked)
}

// bake takes a result of the document that was made at build time.
func (s *Lab) bake(b *room.Baked) error {
	r := run.New(0, s.Doc, s.History.Stands().Kept())
	if len(b.Lanes) != len(r.Lanes) {
		return errPreset
	}
	for i := range b.Lanes {
		if l := &b.Lanes[i]; !r.Lanes[i].Read(&l.Lane, l.Trace) {
			return errPreset
		}
	}
	r.LayOut(nil)
	s.show(r)
	s.Asks.drop()
	if words.Tag() != "en" { // they were made in English; the engine is asked again
		return nil
	}
	for i := range b.Explanations {
		e := &b.Explanations[i]
		s.Asks.known[askKey{s.Result.ID, e.Lane, e.Explanation.Round}] = Explained{E: e.Explanation}
	}
	return nil
}

// Early opens with the number that a reader changed on the first screen before the program was there. What comes of it
// was made when the page was built.
type Early struct{ GPUs int }

func (a Early) on(s *Lab) []Effect {
	i := slices.IndexFunc(s.Boot.Early, func(e room.EarlyResult) bool { return e.GPUs == a.GPUs })
	node, typ := edit.FirstGPUs(s.Doc)
	if i < 0 || node < 0 {
		return nil
	}
	effects := Do{edit.SetGPUs{Node: node, Type: typ, N: a.GPUs}}.on(s)
	s.Run = run.Run{} // it is here already
	if s.bake(&s.Boot.Early[i].Baked) != nil {
		return effects
	}
	return []Effect{s.save()}
}

// Restore takes up what this tab had.
type Restore struct{ Kept }

func (a Restore) on(s *Lab) []Effect {
	h, ok := edit.Restored(a.Steps, a.Pos)
	if !ok {
		return nil
	}
	e := h.Stands()
	doc, diags := e.Read()
	if doc == nil {
		s.Notice = &room.Notice{Title: words.T("What this tab had kept cannot be read."), Diags: diags, Raw: string(e.Text)}
		return nil
	}
	same := string(doc.Marshal(false)) == string(s.Doc.Marshal(false)) // as it was made at build time, with its result
	if same {
		doc, e.Doc = s.Doc, s.Doc
	}
	s.History, s.Resumed = h, true
	s.Predict.Resume(a.Predict)
	if !same {
		s.setDoc(doc)
		s.View.newScenario = true // the result that stands is another scenario's
	}
	s.Predict.Covered = s.Predict.Covered && s.predictable() // another release may have kept it, or a hand
	if e.Address != "" {
		s.Lineage = s.lineageOf(doc)
	}
	effects := resume(s, a.Lesson)
	switch {
	case same:
		return effects
	case a.OnServer && !s.Diags.HasErrors():
		return append(effects, s.send()...)
	}
	return append(effects, s.plan()...)
}
