package ui

import (
	"strings"

	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// languages are those that the page speaks: tag and name, which is not translated.
var languages = [...][2]string{{"en", "English"}, {"de", "Deutsch"}}

// language chooses the page's language.
func language() app.UI {
	options := each(len(languages), func(i int) app.UI {
		l := &languages[i]
		return set(option(l[0], l[1], l[0] == words.Tag()), "lang", l[0])
	})
	return elm.On(el("label.language", say("span", "Language"), el("select.field|data-test=language", options...)),
		"change", func(_ app.Context, e app.Event) {
			list := e.Get("target")
			page.speak(list.Get("value").String(), func() { list.Set("value", words.Tag()) })
		})
}

// nextLanguage is a button in the bar that goes on to the next language: who does not read this one finds it there.
func nextLanguage() app.UI {
	next := languages[0]
	for i := range languages {
		if languages[i][0] == words.Tag() {
			next = languages[(i+1)%len(languages)]
		}
	}
	return elm.On(set(txt("button.btn icon|type=button|data-kind=quiet|data-wide=1|data-test=language-next",
		strings.ToUpper(next[0])), "lang", next[0], "aria-label", next[1], "title", next[1]),
		"click", func(app.Context, app.Event) { page.speak(next[0], func() {}) }, next[0])
}

// speak changes the language; nothing else changes. Where its catalogue cannot be had the page says so, and goes back.
func (h *Host) speak(tag string, back func()) {
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
