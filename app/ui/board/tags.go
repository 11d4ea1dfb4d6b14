package board

import (
	"strings"

	"hadarlab/app/board"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// tags are the list of tags that alone may join: who is missing, and the list to be written anew.
func (b *Board) tags() []app.UI {
	kids := []app.UI{Say("p.soft", "Paste a list of tags, one a line. Then only who has one of them can join, each once: capitals make no difference, and who was removed can join again. Who is in the class already stays."),
		Say("p.soft", "The server keeps the list as long as the class, and deletes both together. Tags stand on no wall and in no answer to students. Use marks that only you can match, not names.")}
	r := b.Roll()
	if r.Of > 0 {
		kids = append(kids, Txt("p|data-test=tags-count", words.Count(r.In,
			"{0} of {1} on the list has joined.", "{0} of {1} on the list have joined.", Itoa(r.Of))))
		if r.Others > 0 {
			kids = append(kids, Txt("p|data-test=tags-others", words.Count(r.Others,
				"{0} student came before the list and has no tag of it.",
				"{0} students came before the list and have no tag of it.")))
		}
		for i := range r.Again {
			kids = append(kids, Set(Note("warning", Txt("div", words.F("Somebody wanted to join with the tag of {0}, {1}, from another device. If that is the same person, give a new code under “Students”; if {0} is not, remove {0} there.",
				r.Again[i].Name, r.Again[i].Tag))), "data-test", "tag-again"))
		}
		if len(r.Missing) > 0 {
			kids = append(kids, El("details|open=true",
				Txt("summary", words.F("Not here yet: {0}", Itoa(len(r.Missing)))),
				El("ul.names|data-test=tags-missing", Each(len(r.Missing), func(i int) app.UI {
					return Txt("li", r.Missing[i])
				})...)))
		}
	}
	if b.Assists() {
		return kids
	}
	for _, fault := range b.Faults {
		kids = append(kids, Set(Note("error", Txt("div", words.Sentence(Upper(fault)))), "data-test", "tags-fault"))
	}
	typed := strings.Join(b.Tags, "\n")
	if b.Typed != nil {
		typed = *b.Typed
	}
	field := Given(El("textarea.field|rows=8|spellcheck=false|autocapitalize=none|data-at=tags|data-test=tags-list"), "input",
		func(text string) state.Action { return board.TypeTags{Text: text} })
	ways := []app.UI{Button(".btn|data-kind=primary|data-test=tags-set", "Use this list", "set", board.SetTags{})}
	if r.Of > 0 {
		ways = append(ways, Button(".btn|data-kind=quiet|data-test=tags-lift", "Lift the list: everybody may join", "lift",
			board.LiftTags{}))
	}
	return append(kids, El("label", Say("span", "Tags, one a line"), field), El("div.ways", ways...),
		elm.Hook(heldTexts{{"tags", typed}}))
}

// roll counts who of the list is here, where there is one, and leads to it.
func (b *Board) roll() app.UI {
	r := b.Roll()
	if r.Of == 0 {
		return El("span|hidden=true")
	}
	kids := []app.UI{Button(".btn|data-test=roll", words.Count(r.In, "{0} of {1} on the list has joined.",
		"{0} of {1} on the list have joined.", Itoa(r.Of)), "roll", board.OpenSheet{Name: "tags"})}
	if len(r.Again) > 0 {
		kids = append(kids, Say("span.warn|data-test=roll-again", "A tag came again from another device."))
	}
	return El("div.roll", kids...)
}

// assistants are the key of who helps on the board.
func (b *Board) assistants() []app.UI {
	kids := []app.UI{Say("p.soft", "With this link an assistant opens the board: sees answers, sentences and tags, exports, and puts something on the wall. Assistants change no phase, lock or list, remove nobody, give no codes, reveal nothing and delete nothing.")}
	if b.Assistant != "" {
		link := b.home() + "/#board=" + b.Code + "." + b.Assistant
		kids = append(kids, CopyRow("assistant-link", words.T("The assistants’ link"), link, "", b.Copied), Local(link),
			Say("p.soft", "It is shown once. Another one ends this one."))
	} else if b.Assistants {
		kids = append(kids, Say("p|data-test=assistant-there", "There is a link, which was shown when it was made. Another one ends it."))
	}
	ways := []app.UI{Button(".btn|data-kind=primary|data-test=assistant-make", "Make a link for assistants", "make",
		board.MakeAssistant{})}
	if b.Assistants {
		ways = append(ways, Button(".btn|data-kind=danger|data-test=assistant-drop", "Take the link back", "drop",
			board.DropAssistant{}))
	}
	return append(kids, El("div.ways", ways...))
}
