package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/words"
)

// Speak changes the language; nothing else changes. Where its catalogue cannot be had the page says so, and goes back.
func (h *Host) Speak(tag string, back func()) {
	platform.Speak(tag, func(file []byte, ok bool) {
		h.Guard(func() {
			if !ok || words.Load(file) != nil {
				back()
				h.Do(state.Reworded{Lost: true})
				return
			}
			h.catalogue = file
			h.reword()
			h.Do(state.Reworded{})
		})
	})
}

// reword tells the document and the engine which language is in force.
func (h *Host) reword() {
	platform.Spoken(words.Tag())
	h.engine.Words(h.catalogue)
}
