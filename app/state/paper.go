package state

import (
	"hadarlab/app/edit"
	"hadarlab/core/words"
)

// OnPaper is the scenario of the result for a printed page, so that it can be made again: the main figures in words, a
// line for each policy with all its parameters, and on the last line the document, which the browser's script lays out.
func (s *State) OnPaper() string {
	r := s.Result
	if r == nil {
		return "{}"
	}
	text := setup(r) + "\n"
	for i, lane := range r.Doc.Scenario.Policies {
		text += edit.LaneLetter(i) + " " + s.title(lane.ID) + ": "
		for k, info := 0, s.Boot.Policy(lane.ID); info != nil && k < len(info.Params); k++ {
			p := &info.Params[k]
			value, set := lane.Params[p.Name]
			if !set {
				value = p.Default
			}
			text += words.T(p.Title) + " " + edit.ValueText(value)
			if p.Unit != "" {
				text += " " + words.T(p.Unit)
			}
			text += "; "
		}
		text += words.F("trace {0}", r.Lanes[i].Meta.TraceHash) + "\n"
	}
	return text + string(r.Text)
}
