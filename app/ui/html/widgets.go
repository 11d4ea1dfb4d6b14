package html

import (
	"strconv"

	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/state"
	"hadarlab/app/ui/markup"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	jsontext "hadarlab/core/jsondoc"
	"hadarlab/core/message"
	"hadarlab/core/unit"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Note is a message with its sign and its ways out.
func Note(level string, body app.UI, ways ...app.UI) app.UI {
	role := "note"
	if level == "error" {
		role = "alert"
	}
	return Set(El("div.note", Icon(level), body, El("div.ways", ways...)), "data-level", level, "role", role)
}

// Untaught stands where the lessons and assignments will, or says that they could not be had.
func Untaught(lost bool) app.UI {
	if !lost {
		return Say("p.mute|role=status|data-test=teaching-comes", "Loading…")
	}
	return Set(Note("warning", Say("div", "The lessons and assignments could not be loaded."),
		Button(".btn|data-test=teaching-again", "Try again", "again", state.FetchTeaching{})),
		"data-test", "teaching-lost")
}

// Faults lists diagnostics with place and way out, at most eight.
func Faults(diags jsontext.Diagnostics) app.UI {
	const most = 8
	kids := Each(min(len(diags), most), func(i int) app.UI {
		d := &diags[i]
		where := d.Path
		if d.Line > 0 {
			where = words.F("line {0} {1}", Itoa(d.Line), d.Path)
		}
		return Set(El("li", Text(words.Sentence(d.Message.In(words.Now()))+" "+d.Fix.In(words.Now())+" "),
			Txt("span.mute mono", where)), "data-code", d.Code)
	})
	if len(diags) > most {
		kids = append(kids, Txt("li", words.F("and {0} more", Itoa(len(diags)-most))))
	}
	return El("ul.findings", kids...)
}

// Upper begins a sentence with a capital where it begins with a word of ours.
func Upper(s string) string {
	if s != "" && s[0] >= 'a' && s[0] <= 'z' {
		return string(s[0]-'a'+'A') + s[1:]
	}
	return s
}

// Option is one choice of a list.
func Option(value, label string, chosen bool) app.UI {
	return Set(Txt("option", label), "value", value, "selected", OnOff(chosen))
}

// Closing shuts the menu around the button after its action.
func Closing(f app.EventHandler) app.EventHandler {
	return func(ctx app.Context, e app.Event) {
		if d := ctx.JSSrc().Call("closest", "details"); d.Truthy() {
			d.Call("removeAttribute", "open")
			d.Call("querySelector", "summary").Call("focus")
		}
		f(ctx, e)
	}
}

// Save is a line of a menu, which shuts it.
func Save(label string, a state.Action, test string) app.UI {
	return elm.On(Set(Say("button.btn|type=button|data-kind=quiet", label), "data-test", test), "click", Closing(Act(a)),
		label)
}

// Dialog is a box over the page with a title. The browser keeps the keyboard in it, closes it by Escape and brings the
// keyboard back. Announcement is what a screen reader is told while it is open.
func Dialog(title, name, spoken string, closing app.EventHandler, kids ...app.UI) app.UI {
	shut := words.T("Close (Esc)")
	head := El("header", Set(Say("h2", title), "id", "h-"+name),
		elm.On(Set(El("button.btn icon|type=button|data-kind=quiet", Icon("close")), "aria-label", shut, "title", shut),
			"click", func(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("closest", "dialog").Call("close") }, name))
	// The live region of the page is out of reach meanwhile.
	kids = append(append([]app.UI{head}, kids...), Txt("div.vh|role=status", spoken),
		elm.Hook(modal{"d-" + name}))
	return elm.On(Set(El("dialog.dialog", kids...), "id", "d-"+name, "aria-labelledby", "h-"+name, "data-test", name),
		"close", closing, name)
}

// modal opens a dialog as soon as it stands in the page.
type modal struct{ id string }

func (m modal) After() { platform.ShowModal(m.id) }

// CopyRow is a text with a button that copies it; copied is what was.
func CopyRow(test, name, value, spec, copied string) app.UI {
	label := words.T("Copy")
	if copied == value {
		label = words.T("Copied")
	}
	field := elm.On(Set(El("input.field|type=text|readonly=true"), "id", test, "data-test", test, "aria-label", name,
		"value", value), "focus", selectAll)
	return El("div.copyrow", field, Button(".btn"+spec, label, "copy"+value, state.CopyLink{Text: value}))
}

func selectAll(ctx app.Context, _ app.Event) { ctx.JSSrc().Call("select") }

// Local warns of an address that is of use to nobody else.
func Local(address string) app.UI {
	return Set(Note("warning", Say("div", "Only this computer can open it: the address is local.")), "hidden",
		Flag(!Loopback(address)), "data-test", "local")
}

// WholeNumber reads a count; what is none is no limit.
func WholeNumber(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return 0
	}
	return n
}

// Terms are named figures; worth is the scale of those that are counted as the policy's utilities are.
func Terms(list []message.NamedValue, worth figure.Scale) app.UI {
	return El("dl.named", Each(len(list), func(i int) app.UI {
		t := &list[i]
		says := figure.Say(words.Now(), t.Value, t.Unit)
		if t.Unit == unit.Worth {
			says = worth.Say(words.Now(), t.Value)
		}
		return El("div", Term("dt", t.Name), Set(Txt("dd", says), "data-value", markup.Exact(t.Value)))
	})...)
}

// Manual links to the pages beside this one.
func Manual() app.UI {
	return El("p.manual", Say("a|href=/docs|hreflang=en", "Manual"),
		Say("a|href=/docs/teach|hreflang=en", "For teachers"))
}
