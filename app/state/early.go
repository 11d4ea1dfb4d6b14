package state

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/room"
	"hadarlab/app/run"
)

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
