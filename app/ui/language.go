package ui

import (
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/core/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// languages are those that the page speaks: tag and name, which is not translated.
var languages = [...][2]string{{"en", "English"}, {"de", "Deutsch"}}

// language chooses the page's language.
func (h *Host) language() app.UI {
	options := each(len(languages), func(i int) app.UI {
		l := &languages[i]
		return set(option(l[0], l[1], l[0] == words.Tag()), "lang", l[0])
	})
	return on(el("label.language", say("span", "Language"), el("select.field|data-test=language", options...)), "change", func(_ app.Context, e app.Event) {
		h.speak(e.Get("target"))
	})
}

// speak changes the language to the one that a list shows; nothing else changes. Where its catalogue cannot be had the page
// says so, and the list goes back.
func (h *Host) speak(list app.Value) {
	platform.Speak(list.Get("value").String(), func(file []byte, ok bool) {
		h.guard(func() {
			if !ok || words.Load(file) != nil {
				list.Set("value", words.Tag())
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
