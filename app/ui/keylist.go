package ui

import (
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// KeyList is the list of keys, some of which are the reader's own.
type KeyList struct {
	state.OwnKeys
	Off bool // single characters are no keys
}

func (l *KeyList) dialog(spoken string) app.UI {
	letters := Checked(El("input|type=checkbox|data-test=keys-letters"), !l.Off,
		func(on bool) state.Action { return state.Letters{Off: !on} })
	return Dialog("Keys", "keys", spoken, Act(state.ToggleKeys{}), Say("p.soft",
		"Single letters act wherever the keyboard is, but in fields; W, A, S and D are meant by their place on the keyboard."),
		El("label.check", letters, Text(" "+words.T("Letters, digits and signs are keys"))),
		El("dl.keys", Each(len(commands), func(i int) app.UI {
			c := &commands[i]
			return Set(El("div", El("dt", Txt("kbd", ownKeys(&l.OwnKeys, words.T(c.keys)))), Say("dd", c.does)),
				"hidden", Flag(c.keys == ""))
		})...), l.letters(), Manual())
}

// letters changes the letters of the timeline.
func (l *KeyList) letters() app.UI {
	rows := Each(len(state.OwnLetters), func(i int) app.UI {
		key := state.OwnLetters[i].Key
		in := Set(El("input.field|type=text|maxlength=1|autocomplete=off|spellcheck=false|data-test=keys-own"),
			"data-key", key, "aria-label", words.T(state.OwnLetters[i].Does), "value", l.KeyOf(key))
		return El("label.check", elm.On(in, "change", func(ctx app.Context, _ app.Event) {
			page.rekey(ctx.JSSrc(), key)
		}, key), Say("span", state.OwnLetters[i].Does))
	})
	return El("details.ownkeys|data-test=keys-change",
		append([]app.UI{Say("summary", "Other letters"), Set(Txt("p.error|role=alert", l.KeyProblem),
			"hidden", Flag(l.KeyProblem == ""))}, rows...)...)
}

// rekey gives a letter the key that was typed in a field, which shows then what stands.
func (h *Host) rekey(field app.Value, letter string) {
	h.Do(state.Rekey{Key: letter, Own: field.Get("value").String()})
	field.Set("value", h.S.View.KeyOf(letter))
}
