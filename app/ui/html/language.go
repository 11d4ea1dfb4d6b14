package html

import (
	"strings"

	"hadarlab/app/elm"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Languages are those that the page speaks: tag and name, which is not translated.
var Languages = [...][2]string{{"en", "English"}, {"de", "Deutsch"}}

// Language chooses the page's language.
func Language() app.UI {
	options := Each(len(Languages), func(i int) app.UI {
		l := &Languages[i]
		return Set(Option(l[0], l[1], l[0] == words.Tag()), "lang", l[0])
	})
	return elm.On(El("label.language", Say("span", "Language"), El("select.field|data-test=language", options...)),
		"change", func(_ app.Context, e app.Event) {
			list := e.Get("target")
			asked.Speak(list.Get("value").String(), func() { list.Set("value", words.Tag()) })
		})
}

// NextLanguage is a button in the bar that goes on to the next language: who does not read this one finds it there.
func NextLanguage() app.UI {
	next := Languages[0]
	for i := range Languages {
		if Languages[i][0] == words.Tag() {
			next = Languages[(i+1)%len(Languages)]
		}
	}
	return elm.On(Set(Txt("button.btn icon|type=button|data-kind=quiet|data-wide=1|data-test=language-next",
		strings.ToUpper(next[0])), "lang", next[0], "aria-label", next[1], "title", next[1]),
		"click", func(app.Context, app.Event) { asked.Speak(next[0], func() {}) }, next[0])
}
