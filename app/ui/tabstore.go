package ui

import (
	"encoding/json"
	"slices"
	"strconv"

	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/state"
)

const (
	// keptName is where this tab's history is kept, but for its texts: the shell looks whether there is one.
	keptName = "hadarlab"
	// stepName is what the names of the texts begin with. Each has its own, so that a keystroke writes one.
	stepName = "hadarlab-step-"
)

// tab is what the browser keeps of this tab's history.
type tab struct {
	texts map[int64]bool // by the ids of the steps; nil = not known yet
}

// keep keeps k, or as much of it as there is room for; false when not even what stands. The oldest steps go first.
func (t *tab) keep(k state.Kept) bool {
	if t.texts == nil { // an earlier page's, which was not taken up
		t.texts = map[int64]bool{}
		for _, name := range platform.KeptNames(stepName) {
			platform.Unkeep(name)
		}
	}
	for {
		t.drop(k)
		switch {
		case t.write(k):
			return true
		case k.Pos > 0:
			k.Steps, k.Pos = k.Steps[1:], k.Pos-1
		case len(k.Steps) > 1:
			k.Steps = k.Steps[:len(k.Steps)-1]
		default:
			return false
		}
	}
}

// write writes what is not kept yet; what says how it hangs together comes last.
func (t *tab) write(k state.Kept) bool {
	for i := range k.Steps {
		step := &k.Steps[i]
		if t.texts[step.ID] {
			continue
		}
		if !platform.Keep(textName(step.ID), string(step.Text)) {
			return false
		}
		t.texts[step.ID] = true
	}
	b, err := json.Marshal(k)
	return err == nil && platform.Keep(keptName, string(b))
}

// drop forgets the texts that k lacks.
func (t *tab) drop(k state.Kept) {
	for id := range t.texts {
		if !slices.ContainsFunc(k.Steps, func(s edit.Entry) bool { return s.ID == id }) {
			platform.Unkeep(textName(id))
			delete(t.texts, id)
		}
	}
}

func textName(id int64) string { return stepName + strconv.FormatInt(id, 10) }
