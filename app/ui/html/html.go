// Package html is the markup of the page: elements from specs, what is said in them by the reader's catalogue, buttons
// that do actions, and the pieces that all screens have. The rooms of app/ui import it with a dot, since they are
// written in it; it knows none of them.
package html

import (
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/core/chart"
	"hadarlab/core/figure"
	"hadarlab/core/trace"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// El makes an element from its spec, as "button.btn icon|type=button|data-test=undo": tag, classes, then
// attributes. Labels among these (spoken) are message keys. It is the one way to make elements here; a test
// holds every spec to HTML's tags and attributes.
func El(spec string, kids ...app.UI) app.UI {
	head, attrs, _ := strings.Cut(spec, "|")
	tag, class, _ := strings.Cut(head, ".")
	e := app.Elem(tag)
	if class != "" {
		e = e.Class(class)
	}
	for attrs != "" {
		var one string
		one, attrs, _ = strings.Cut(attrs, "|")
		name, value, _ := strings.Cut(one, "=")
		if slices.Contains(spoken[:], name) {
			value = words.T(value)
		}
		e = e.Attr(name, placed(name, value))
	}
	return e.Body(slices.Clone(kids)...) // a copy: what its callers list stays on their stack, which is less code
}

// spoken are the attributes whose values are read by people.
var spoken = [...]string{"aria-label", "title", "placeholder"}

// Set adds attributes to an element, given as name and value in turn. An empty value leaves the attribute
// out, but for value itself, which must be able to become empty.
func Set(node app.UI, pairs ...string) app.UI {
	e := node.(app.HTMLElem)
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i+1] != "" || pairs[i] == "value" {
			e = e.Attr(pairs[i], placed(pairs[i], pairs[i+1]))
		}
	}
	return e
}

// placed is an attribute's value, which may be an address of the lab's own.
func placed(name, value string) string {
	if name == "href" || name == "src" {
		return platform.At(value)
	}
	return value
}

// Txt is an element that holds a text only.
func Txt(spec, s string) app.UI { return El(spec, Text(s)) }

// Say is an element that holds a text of ours, by its message key.
func Say(spec, key string) app.UI { return Txt(spec, words.T(key)) }

// Means has an element explain itself where its heading names a term of the glossary: under the mouse, the keyboard's
// focus or a finger (page.js).
func Means(e app.UI, heading string) app.UI {
	if m := words.Now().Meaning(heading); m != "" {
		return Set(e, "data-means", m, "aria-describedby", "meaning")
	}
	return e
}

// Defined is a running text in which the terms of the glossary explain themselves.
func Defined(s string) (out []app.UI) {
	at := 0
	for _, m := range words.Now().Marks(s) {
		out = append(out, Text(s[at:m.From]), Set(Txt("span.term|tabindex=0", s[m.From:m.To]), "data-means", m.Means,
			"aria-describedby", "meaning"))
		at = m.To
	}
	return append(out, Text(s[at:]))
}

// Term is an element with a heading, which is a button where it explains itself.
func Term(spec, heading string) app.UI {
	if words.Now().Meaning(heading) == "" {
		return Txt(spec, heading)
	}
	return El(spec, Means(Txt("button.term|type=button", heading), heading))
}

// Text is a text, in which a number and its unit stay on one line.
func Text(s string) app.UI { return app.Text(glued(s)) }

// glued has a space that does not break between a number and its % or unit of time, before an arrow, and between it
// and a number.
func glued(s string) string {
	var out []byte
	from := 0
	for i := 1; i < len(s)-1; i++ {
		if s[i] == ' ' && parts(s[:i], s[i+1:]) {
			out = append(append(out, s[from:i]...), "\u00a0"...)
			from = i + 1
		}
	}
	return string(out) + s[from:]
}

// parts says whether a line that ended there would part what is read as one.
func parts(before, after string) bool {
	digit := func(c byte) bool { return c >= '0' && c <= '9' }
	if strings.HasPrefix(after, "→") || strings.HasPrefix(after, "↑") {
		return true
	}
	if !digit(before[len(before)-1]) {
		return digit(after[0]) && strings.HasSuffix(before, "→")
	}
	end := 0
	for end < len(after) && (after[end] == '%' || after[end] >= 'a' && after[end] <= 'z') {
		end++
	}
	switch after[:end] {
	case "%", "s", "min", "h", "d":
		return true
	}
	return false
}

// Bold is a text that stands out.
func Bold(s string) app.UI { return Txt("b", s) }

// Each makes n elements.
func Each(n int, f func(i int) app.UI) []app.UI {
	out := make([]app.UI, n)
	for i := range out {
		out[i] = f(i)
	}
	return out
}

// OnOff is an attribute that is read as a word.
func OnOff(b bool) string { return strconv.FormatBool(b) }

// Flag is an attribute that stands only when it is on.
func Flag(b bool) string {
	if b {
		return "true"
	}
	return ""
}

// Itoa is a whole number in figures.
func Itoa(n int) string { return strconv.Itoa(n) }

// icons are drawn in a box of 16 by 16, by strokes unless filled: a line each, name and path.
const icons = `
undo M5.500 3 2.500 6l3 3M2.500 6H10a3.500 3.500 0 0 1 0 7H6
redo M10.500 3l3 3-3 3M13.500 6H6a3.500 3.500 0 0 0 0 7h4
share M6.500 9.500a3 3 0 0 0 4.200 0l2.400-2.400a3 3 0 0 0-4.200-4.200L8 3.800M9.500 6.500a3 3 0 0 0-4.200 0L2.900 8.900a3 3 0 0 0 4.200 4.200l.9-.9
first M4.500 4 .5 8l4 4M7 6.500h8M7 9.500h8M13 3.500l-4 9
back M10 3.500 5 8l5 4.500
forward M6 3.500 11 8l-5 4.500
last M11.500 4l4 4-4 4M1 6.500h8M1 9.500h8M7 3.500l-4 9
close M3.500 3.500l9 9M12.500 3.500l-9 9
down M4 6l4 4 4-4
error M8 1.500 14.500 8 8 14.500 1.500 8zM8 5v3.600M8 10.800v.2
warning M8 2 15 14H1zM8 6.500v3.500M8 12v.2
note M8 1.800a6.200 6.200 0 1 0 0 12.400A6.200 6.200 0 1 0 8 1.800zM8 7.200v4M8 4.900v.2
play M4.500 2.500v11l9-5.500z
pause M4 2.500h3v11H4zM9 2.500h3v11H9z
copy M5.500 5.500h8v8h-8zM10.500 5.500v-3h-8v8h3
swap M5 2.500v11M2.500 11 5 13.500 7.500 11M11 13.500v-11M8.500 5 11 2.500 13.500 5
trash M3 4.500h10M6 4.500V3h4v1.500M4.500 4.500l.7 9h5.600l.7-9
plus M8 3v10M3 8h10
minus M3 8h10
ratio M3 8h10M8 3.500v.5M8 12v.5
fit M2.500 3v10M13.500 3v10M5 8h6M7 6 5 8l2 2M9 6l2 2-2 2
more M2.200 8h1.600M7.200 8h1.600M12.200 8h1.600
`

// Icon is a picture that says nothing to a screen reader.
func Icon(name string) app.UI {
	kind := "data-ico"
	if name == "play" || name == "pause" {
		kind = "data-ico-fill"
	}
	_, path, _ := strings.Cut(icons, "\n"+name+" ")
	path, _, _ = strings.Cut(path, "\n")
	return app.Raw(`<svg viewBox="0 0 16 16" width="14" height="14" aria-hidden="true" ` + kind + `="1"><path d="` +
		path + `"></path></svg>`)
}

// Do says that something happened: it is all that a view can do.
func Do(a state.Action) { elm.Do(a) }

// Act is the handler that does an action.
func Act(a state.Action) app.EventHandler { return func(app.Context, app.Event) { Do(a) } }

// inner is act for an element inside others that listen too.
func inner(a state.Action) app.EventHandler {
	return func(_ app.Context, e app.Event) {
		e.Call("stopPropagation")
		Do(a)
	}
}

// Button is a labelled button that does an action; the label is a message key. Spec adds to "button|type=button" and
// holds its classes; scope is its handler's name.
func Button(spec, label, scope string, a state.Action) app.UI {
	return elm.On(Say("button"+spec+"|type=button", label), "click", Act(a), scope)
}

// Tool is a button with a picture; its label, a message key, is read and shown on hover.
func Tool(spec, name, label, scope string, a state.Action) app.UI {
	label = words.T(label)
	return elm.On(Set(El("button.btn icon|type=button"+spec, Icon(name)), "aria-label", label, "title", label), "click",
		Act(a), scope)
}

// Given does an action with the value that a field has after an event.
func Given(field app.UI, event string, a func(value string) state.Action, names ...string) app.UI {
	return elm.On(field, event, func(ctx app.Context, _ app.Event) { Do(a(ctx.JSSrc().Get("value").String())) },
		names...)
}

// Checked is a box that does an action when it is ticked or cleared.
func Checked(box app.UI, now bool, a func(on bool) state.Action) app.UI {
	return elm.On(Set(box, "checked", OnOff(now)), "change",
		func(ctx app.Context, _ app.Event) { Do(a(ctx.JSSrc().Get("checked").Bool())) })
}

// LaneTag is the letter of a lane.
func LaneTag(lane int) app.UI {
	letter := edit.LaneLetter(lane)
	return Set(Txt("span.tag", letter), "data-lane", strings.ToLower(letter))
}

// TypeMark is a GPU type with its mark.
func TypeMark(types []string, name string) app.UI {
	title := figure.TypeTitle(name)
	return El("span.gpu", MarkOf(types, name), Set(Txt("span", title), "title", title))
}

// MarkOf is the mark of a GPU type alone.
func MarkOf(types []string, name string) app.UI {
	return app.Raw(`<svg viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" data-mark="1"><path d="` +
		chart.Mark(types, name) + `"></path></svg>`)
}

// HuedBar is a bar in a job's colour, 0 = in none, as long as its share of the longest.
func HuedBar(hue int, share float64) app.UI {
	return app.Raw(`<svg viewBox="0 0 100 10" preserveAspectRatio="none" data-hue="` + Itoa(hue) +
		`" aria-hidden="true"><rect data-part="box" width="` + strconv.FormatFloat(100*share, 'f', 1, 64) +
		`" height="10"></rect></svg>`)
}

// Chip is a job's colour and hatch in a result.
func Chip(r *run.Result, name string) app.UI {
	c := El("i.chip")
	if look := r.Look(name); look.Hue > 0 {
		c = Set(c, "data-hue", Itoa(look.Hue), "data-hatch", Itoa(look.Hatch))
	}
	return c
}

// JobButton names a job and selects it everywhere; selected is the one that is.
func JobButton(r *run.Result, name, selected string) app.UI {
	return elm.On(Set(El("button.job|type=button", Chip(r, name), Txt("span", name)),
		"aria-pressed", OnOff(selected == name), "data-job", name), "click", inner(state.Select{Job: name}), name)
}

// Lead splits a sentence after its claim, to set the claim in bold.
func Lead(s string) (claim, rest string) {
	for i := 0; i+1 < len(s); i++ {
		if (s[i] == ':' || s[i] == '.') && s[i+1] == ' ' {
			return s[:i+1], s[i+1:]
		}
	}
	return s, ""
}

// Th, ThNum, Td and TdNum are cells: of a head, of a head over numbers, of a text and of a number.
func Th(s string) app.UI    { return Say("th|scope=col", s) }
func ThNum(s string) app.UI { return Say("th.num|scope=col", s) }
func Td(s string) app.UI    { return Txt("td", s) }
func TdNum(s string) app.UI { return Txt("td.num", s) }

// Table is a table with a caption that is read, not seen.
func Table(spec, caption string, head []app.UI, rows []app.UI) app.UI {
	return El("table"+spec, Say("caption.vh", caption), El("thead", El("tr", head...)), El("tbody", rows...))
}

// TypesOf are the GPU types of the result.
func TypesOf(t *trace.Trace) []string {
	if t == nil {
		return nil
	}
	return t.Types
}
