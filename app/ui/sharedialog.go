package ui

import (
	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/share"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/link"
	"hadarlab/core/scenario"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// ShareDialog is the dialog that hands the scenario on.
type ShareDialog struct{ share.State }

func (s *ShareDialog) dialog(spoken string) app.UI {
	save := Button(".btn|data-kind=quiet|data-test=share-save", "Save the scenario as a file", "save",
		state.SaveScenario{})
	if s.Stays {
		return Dialog("Share this scenario", "share", spoken, Act(state.CloseShare{}),
			Txt("p|data-test=share-stays", scenario.RecordsStay().In(words.Now())), save)
	}
	whole := platform.Home() + s.Address()
	grade, travels := link.Grade(len(whole))
	about := travels.In(words.Now())
	storing := words.T("Make a short link")
	if s.Posting {
		storing = words.T("Storing…")
	}
	shown := whole
	if s.Short != "" {
		shown = platform.Home() + s.ShortAddress()
	}
	near := Loopback(platform.Home())
	if near {
		if grade == "qr" || grade == "anywhere" {
			about = "" // it says that the link works anywhere
		}
		about += " " + words.T("Only this computer can open it: the address is local.")
	}
	stored := Say("p.soft",
		"Made only if you press the button. The server then stores the scenario: cluster, jobs, speeds, policies, title, question, notes, licence and what it was made from, without your name or address, until its keeper deletes it. Anyone with the link can read it.")
	if platform.Site() {
		stored = Say("p|data-test=share-no-server", "This site has no server that could store a scenario. The long link works without one.")
	}
	choices := []app.UI{
		included("share-view", words.T("Include the round, job and chart I am looking at"), s.KeepView,
			func(on bool) state.Action { return state.KeepView{On: on} }),
		included("share-predict", words.T("The reader predicts first: the result stays covered until then"), s.Predict,
			func(on bool) state.Action { return state.PredictLink{On: on} }),
		lineage(s.Lineage),
	}
	kids := append([]app.UI{
		Say("p",
			"This link holds the whole scenario. Nothing is stored or sent: whoever opens it computes the same result."),
		CopyRow("share-link", words.T("Link"), whole, "|data-kind=primary|data-test=share-copy|autofocus=true", s.Copied),
	}, choices...)
	kids = append(kids, Set(El("p|data-test=share-grade",
		Bold(words.F("{0} characters.", edit.FormatNumber(float64(len(whole))))+" "), Text(about)), "data-grade",
		grade))
	first := ""
	if s.TooLong {
		first = "|data-kind=primary|autofocus=true"
		kids = append([]app.UI{Txt("p|data-test=share-too-long", words.F(
			"This scenario is too large for a link: it would have {0} characters, and {1} is the most. Make a short link, or save the scenario as a file.",
			edit.FormatNumber(float64(len(whole))), edit.FormatNumber(link.Max)))}, choices...)
	}
	kids = append(kids,
		Say("h3", "A short link for slides and course systems"),
		stored)
	if s.Short == "" {
		kids = append(kids, Set(Button(".btn|data-test=share-make-short"+first, storing, "short", state.MakeShort{}),
			"disabled", Flag(s.Posting || platform.Site())))
	} else {
		kids = append(kids, CopyRow("share-short", words.T("Short link"), shown, "", s.Copied))
	}
	if grade, _ := link.Grade(len(shown)); grade == "qr" && !near {
		kids = append(kids, app.Raw(QRCode(shown)), Say("p.soft", "A phone’s camera opens the link from this picture."))
	}
	if !s.TooLong || s.Short != "" {
		kids = append(kids, El("details.frame|data-test=share-embed", Say("summary", "Show it in another page"),
			CopyRow("share-code", words.T("Code of a frame"), s.EmbedCode(platform.Home()), "", s.Copied),
			El("p.soft", Text(words.T("A view to look at, without an editor.")+" "),
				Say("a|href=/docs/embed|target=_blank", "How the page around it can talk to it"))))
	}
	if s.Problem != "" {
		kids = append(kids, Note("warning", Txt("div|data-test=share-problem", s.Problem)))
	}
	return Dialog("Share this scenario", "share", spoken, Act(state.CloseShare{}),
		append(kids, save)...)
}

// included is one of what the link holds besides the scenario.
func included(test, label string, chosen bool, a func(on bool) state.Action) app.UI {
	box := Checked(Set(El("input|type=checkbox"), "data-test", test), chosen, a)
	return El("label.check", box, Text(" "+label))
}

// lineage says what a scenario was made from and what was changed, in words.
func lineage(l *share.Lineage) app.UI {
	if l == nil {
		return El("span|hidden=true")
	}
	if !l.Known {
		return Set(El("p.soft|data-test=lineage",
			Text(words.F("Made from scenario {0}, which this page does not know.", l.ID))), "data-origin", l.ID)
	}
	const most = 20
	shown := l.Changes[:min(len(l.Changes), most)]
	items := Each(len(shown), func(i int) app.UI { return Txt("li", shown[i].Words) })
	if n := len(l.Changes) - most; n > 0 {
		items = append(items, Txt("li", words.F("and {0} more", Itoa(n))))
	}
	return Set(El("details.lineage|data-test=lineage", El("summary",
		Text(words.F("Made from “{0}” by {1}", l.Title, words.Plural(len(l.Changes), "change")))), El("ul", items...)),
		"data-origin", l.ID)
}
