package ui

import (
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/platform"
	"hadarlab/app/share"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart/draw"
	"hadarlab/core/link"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
	"rsc.io/qr/coding"
)

// Layers are what lies over the page: the dialogs, nil where one is shut.
type Layers struct {
	Commands *Commands
	Share    *Sharing
	Import   *state.ImportState
	Keys     *KeyList
	Spoken   string // what a screen reader is told while a dialog is open
}

func layersOf(s *state.Lab) *Layers {
	l := &Layers{Spoken: s.Spoken}
	if s.View.Commands {
		l.Commands = commandsOf(s)
	}
	if s.Share.Open {
		l.Share = &Sharing{s.Share}
	}
	if s.Import != nil && s.Import.Open {
		l.Import = s.Import
	}
	if s.View.Keys {
		l.Keys = &KeyList{s.View.OwnKeys, s.View.LettersOff}
	}
	return l
}

// render draws what is open.
func (l *Layers) render() app.UI {
	var open []app.UI
	if l.Commands != nil {
		open = append(open, l.Commands.dialog(l.Spoken))
	}
	if l.Share != nil {
		open = append(open, l.Share.dialog(l.Spoken))
	}
	if l.Import != nil {
		open = append(open, imported(l.Import, l.Spoken))
	}
	if l.Keys != nil {
		open = append(open, l.Keys.dialog(l.Spoken))
	}
	return el("div.layers", open...)
}

// dialog is a box over the page with a title. The browser keeps the keyboard in it, closes it by Escape and brings the
// keyboard back. Spoken is what a screen reader is told while it is open.
func dialog(title, name, spoken string, closing app.EventHandler, kids ...app.UI) app.UI {
	shut := words.T("Close (Esc)")
	head := el("header", set(say("h2", title), "id", "h-"+name),
		on(set(el("button.btn icon|type=button|data-kind=quiet", icon("close")), "aria-label", shut, "title", shut),
			"click", func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("closest", "dialog").Call("close") }, name))
	// The live region of the page is out of reach meanwhile.
	kids = append(append([]app.UI{head}, kids...), txt("div.vh|role=status", spoken),
		&Hook{V: modal{"d-" + name}})
	return on(set(el("dialog.dialog", kids...), "id", "d-"+name, "aria-labelledby", "h-"+name, "data-test", name),
		"close", closing, name)
}

// modal opens a dialog as soon as it stands in the page.
type modal struct{ id string }

func (m modal) after() { platform.ShowModal(m.id) }

// Sharing is the dialog that hands the scenario on.
type Sharing struct{ share.State }

func (s *Sharing) dialog(spoken string) app.UI {
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
	near := loopback(platform.Home())
	if near {
		if grade == "qr" || grade == "anywhere" {
			about = "" // it says that the link works anywhere
		}
		about += " " + words.T("Only this computer can open it: the address is local.")
	}
	stored := say("p.soft",
		"Made only if you press the button. The server then stores the scenario: cluster, jobs, speeds, policies, title, question, notes, licence and what it was made from, without your name or address, until its keeper deletes it. Anyone with the link can read it.")
	if platform.Site() {
		stored = say("p|data-test=share-no-server", "This site has no server that could store a scenario. The long link works without one.")
	}
	choices := []app.UI{
		included("share-view", words.T("Include the round, job and chart I am looking at"), s.KeepView,
			func(on bool) state.Action { return state.KeepView{On: on} }),
		included("share-predict", words.T("The reader predicts first: the result stays covered until then"), s.Predict,
			func(on bool) state.Action { return state.PredictLink{On: on} }),
		lineage(s.Lineage),
	}
	kids := append([]app.UI{
		say("p",
			"This link holds the whole scenario. Nothing is stored or sent: whoever opens it computes the same result."),
		copyRow("share-link", words.T("Link"), whole, "|data-kind=primary|data-test=share-copy|autofocus=true", s.Copied),
	}, choices...)
	kids = append(kids, set(el("p|data-test=share-grade",
		bold(words.F("{0} characters.", edit.FormatNumber(float64(len(whole))))+" "), text(about)), "data-grade",
		grade))
	first := ""
	if s.TooLong {
		first = "|data-kind=primary|autofocus=true"
		kids = append([]app.UI{txt("p|data-test=share-too-long", words.F(
			"This scenario is too large for a link: it would have {0} characters, and {1} is the most. Make a short link, or save the scenario as a file.",
			edit.FormatNumber(float64(len(whole))), edit.FormatNumber(link.Max)))}, choices...)
	}
	kids = append(kids,
		say("h3", "A short link for slides and course systems"),
		stored)
	if s.Short == "" {
		kids = append(kids, set(button(".btn|data-test=share-make-short"+first, storing, "short", state.MakeShort{}),
			"disabled", flag(s.Posting || platform.Site())))
	} else {
		kids = append(kids, copyRow("share-short", words.T("Short link"), shown, "", s.Copied))
	}
	if grade, _ := link.Grade(len(shown)); grade == "qr" && !near {
		kids = append(kids, app.Raw(qrSVG(shown)), say("p.soft", "A phone’s camera opens the link from this picture."))
	}
	if !s.TooLong || s.Short != "" {
		kids = append(kids, el("details.frame|data-test=share-embed", say("summary", "Show it in another page"),
			copyRow("share-code", words.T("Code of a frame"), s.EmbedCode(platform.Home()), "", s.Copied),
			el("p.soft", text(words.T("A view to look at, without an editor.")+" "),
				say("a|href=/docs/embed|target=_blank", "How the page around it can talk to it"))))
	}
	if s.Problem != "" {
		kids = append(kids, note("warning", txt("div|data-test=share-problem", s.Problem)))
	}
	return dialog("Share this scenario", "share", spoken, act(state.CloseShare{}),
		append(kids, button(".btn|data-kind=quiet", "Save the scenario as a file", "save", state.SaveScenario{}))...)
}

// lineage says what a scenario was made from and what was changed, in words.
func lineage(l *share.Lineage) app.UI {
	if l == nil {
		return el("span|hidden=true")
	}
	if !l.Known {
		return set(el("p.soft|data-test=lineage",
			text(words.F("Made from scenario {0}, which this page does not know.", l.ID))), "data-origin", l.ID)
	}
	const most = 20
	shown := l.Changes[:min(len(l.Changes), most)]
	items := each(len(shown), func(i int) app.UI { return txt("li", shown[i].Words) })
	if n := len(l.Changes) - most; n > 0 {
		items = append(items, txt("li", words.F("and {0} more", itoa(n))))
	}
	return set(el("details.lineage|data-test=lineage", el("summary",
		text(words.F("Made from “{0}” by {1}", l.Title, words.Plural(len(l.Changes), "change")))), el("ul", items...)),
		"data-origin", l.ID)
}

// copyRow is a text with a button that copies it; copied is what was.
func copyRow(test, name, value, spec, copied string) app.UI {
	label := words.T("Copy")
	if copied == value {
		label = words.T("Copied")
	}
	field := on(set(el("input.field|type=text|readonly=true"), "id", test, "data-test", test, "aria-label", name,
		"value", value), "focus", selectAll)
	return el("div.copyrow", field, button(".btn"+spec, label, "copy"+value, state.CopyLink{Text: value}))
}

func selectAll(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }

// KeyList is the list of keys, some of which are the reader's own.
type KeyList struct {
	state.OwnKeys
	Off bool // single characters are no keys
}

func (l *KeyList) dialog(spoken string) app.UI {
	letters := checked(el("input|type=checkbox|data-test=keys-letters"), !l.Off,
		func(on bool) state.Action { return state.Letters{Off: !on} })
	return dialog("Keys", "keys", spoken, act(state.ToggleKeys{}), say("p.soft",
		"Single letters act only while the timeline has the focus; W, A, S and D are meant by their place on the keyboard."),
		el("label.check", letters, text(" "+words.T("Letters, digits and signs are keys"))),
		el("dl.keys", each(len(commands), func(i int) app.UI {
			c := &commands[i]
			return set(el("div", el("dt", txt("kbd", ownKeys(&l.OwnKeys, words.T(c.keys)))), say("dd", c.does)),
				"hidden", flag(c.keys == ""))
		})...), l.letters(), manual())
}

// ownKeys is a list of keys with the reader's own letters.
func ownKeys(own *state.OwnKeys, list string) string {
	names := strings.Split(list, " ")
	for i, n := range names {
		names[i] = own.KeyOf(n)
	}
	return strings.Join(names, " ")
}

// letters changes the letters of the timeline.
func (l *KeyList) letters() app.UI {
	rows := each(len(state.OwnLetters), func(i int) app.UI {
		key := state.OwnLetters[i].Key
		in := set(el("input.field|type=text|maxlength=1|autocomplete=off|spellcheck=false|data-test=keys-own"),
			"data-key", key, "aria-label", words.T(state.OwnLetters[i].Does), "value", l.KeyOf(key))
		return el("label.check", on(in, "change", func(ctx app.Context, _ app.Event) {
			page.rekey(ctx.JSSrc(), key)
		}, key), say("span", state.OwnLetters[i].Does))
	})
	return el("details.ownkeys|data-test=keys-change",
		append([]app.UI{say("summary", "Other letters"), set(txt("p.error|role=alert", l.KeyProblem),
			"hidden", flag(l.KeyProblem == ""))}, rows...)...)
}

// included is one of what the link holds besides the scenario.
func included(test, label string, chosen bool, a func(on bool) state.Action) app.UI {
	box := checked(set(el("input|type=checkbox"), "data-test", test), chosen, a)
	return el("label.check", box, text(" "+label))
}

// qrSVG is a text as a QR code, with the quiet zone of four modules that readers need; "" when it does not fit.
// Cameras want dark on light, so it is so in both themes.
func qrSVG(text string) string {
	t := coding.String(text)
	v := coding.Version(coding.MinVersion)
	for t.Bits(v) > v.DataBytes(coding.L)*8 {
		if v++; v > coding.MaxVersion {
			return ""
		}
	}
	plan, err := coding.NewPlan(v, coding.L, 0)
	if err != nil {
		return ""
	}
	code, err := plan.Encode(t)
	if err != nil {
		return ""
	}
	const quiet = 4
	side := strconv.Itoa(code.Size + 2*quiet)
	var b strings.Builder
	b.WriteString(`<svg class="qr" data-test="share-qr" role="img" aria-label="` +
		draw.Escape(words.T("QR code of the link")) + `" width="180" height="180" viewBox="0 0 ` + side + " " + side +
		`" shape-rendering="crispEdges"><path fill="#fff" d="M0 0h` + side + "v" + side +
		`H0z"></path><path fill="#000" d="`)
	for y := range code.Size {
		for x := range code.Size {
			if code.Black(x, y) {
				b.WriteString("M" + strconv.Itoa(x+quiet) + " " + strconv.Itoa(y+quiet) + "h1v1h-1z")
			}
		}
	}
	b.WriteString(`"></path></svg>`)
	return b.String()
}

// local warns of an address that is of use to nobody else.
func local(address string) app.UI {
	return set(note("warning", say("div", "Only this computer can open it: the address is local.")), "hidden",
		flag(!loopback(address)), "data-test", "local")
}

// loopback says whether an address is reached from this computer only, so that a link to it is of use to nobody else.
func loopback(origin string) bool {
	_, host, _ := strings.Cut(origin, "://")
	host, _, _ = strings.Cut(host, "/")
	if strings.HasPrefix(host, "[::1]") {
		return true
	}
	host, _, _ = strings.Cut(host, ":")
	if host == "localhost" || strings.HasSuffix(host, ".localhost") {
		return true
	}
	return strings.HasPrefix(host, "127.") && strings.Trim(host, "0123456789.") == ""
}
