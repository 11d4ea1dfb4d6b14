package editor

import (
	"strings"

	"hadarlab/app/compare"
	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/figure"
	"hadarlab/core/jsondoc"
	"hadarlab/core/program"
	"hadarlab/core/program/templates"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// written is the program of a lane, with its parameter; p is nil where its policy takes none.
func (h *Fields) written(lane int) (src string, p *edit.Param) {
	policy := &h.Doc.Scenario.Policies[lane]
	params := h.Boot.Params(policy.ID)
	for i := range params {
		if params[i].Kind == "program" {
			value, _ := params[i].Of(policy)
			src, _ = value.(string)
			return src, &params[i]
		}
	}
	return "", nil
}

// program is the editor of a lane's program, or the way to one.
func (c *Editor) program(lane int) app.UI {
	h := &c.Fields
	src, p := h.written(lane)
	if p == nil {
		return h.asProgram(lane)
	}
	if src == "" {
		from := Set(h.templates(lane, words.T("Write a program, from…")), "data-path", h.programPath(lane, p))
		return El("div.line", from,
			Say("span.mute", "Programs are run by an engine of their own, which is loaded once: 2 MB."))
	}
	field, path := "param-"+Itoa(lane)+"-"+p.Name, h.programPath(lane, p)
	now, lines := h.FieldText(field, src), 0
	for range strings.Lines(now) {
		lines++
	}
	fault, at := h.programFault(lane)
	id := "editor-" + field
	area := Set(El("textarea.source|autocomplete=off|autocapitalize=off|spellcheck=false|wrap=off"), "id", id,
		"data-test", "editor-program", "data-field", field, "data-lane", edit.LaneLetter(lane), "data-code", hints(p),
		"aria-label", words.F("Program of lane {0}", edit.LaneLetter(lane)), "aria-describedby", id+"-says",
		"rows", Itoa(lines+2), "cols", Itoa(widest(now)+2), "value", h.FieldHeld(field, src))
	area = Given(h.faulty(area, field, path), "input", func(text string) state.Action {
		return state.TypedFormula{Field: field, Lane: lane, Param: p.Name, Now: now, Text: text}
	}, field)
	area = elm.On(area, "blur", Act(state.Left{Field: field}), field)
	says := Say("span.mute", "Tab indents; press Esc first to leave with Tab.")
	if slips := slips(now, p); fault == "" && len(slips) > 0 {
		fault, at.Line = words.Sentence(slips[0].Told().In(words.Now())), slips[0].Line
	}
	if d, bad := h.Drafts[field]; bad { // it did not run
		fault = d.Message
	}
	if fault != "" {
		says = Txt("span.fault", fault)
	}
	kids := []app.UI{
		El("div.line", h.templates(lane, words.T("Start again from…")),
			h.button(".btn|data-kind=quiet|data-test=program-none", "Use an expression instead", "none"+Itoa(lane),
				state.Mend{Edit: edit.SetParam{Lane: lane, Param: p, Value: ""}})),
		El("div.program", El("div.sheet", gutter(lines+1, at.Line), painted(now), area)),
		Set(El("p", says), "id", id+"-says", "aria-live", "polite", "data-test", "program-says"),
		fitting(id),
	}
	kids = append(kids, c.trials(lane, src)...)
	kids = append(kids, h.knobs(lane, p, src, "editor-")...)
	kids = append(kids, changed(src))
	return El("div.written wide", append(kids, c.names(p))...)
}

func (h *Fields) programPath(lane int, p *edit.Param) string {
	return "/scenario/policies/" + Itoa(lane) + "/params/" + p.Name
}

// programFault is why a lane's program did not run, and where.
func (h *Fields) programFault(lane int) (says string, at jsondoc.At) {
	if h.Result == nil || lane >= len(h.Result.Lanes) || h.Result.Lanes[lane].Failure == nil {
		return "", at
	}
	for _, d := range h.Result.Lanes[lane].Failure.Diagnostics {
		if d.At != nil {
			return words.Sentence(d.Message.In(words.Now())), *d.At
		}
		says = words.Sentence(d.Message.In(words.Now()))
	}
	return says, at
}

// trials are what a program does beside FIFO on the scenario and on the small cases, once somebody has asked.
func (c *Editor) trials(lane int, src string) []app.UI {
	t := &c.Trials
	asked := t.Lane == lane && len(t.Cases) > 0
	start := Set(Button(".btn|data-test=program-test", "Test", "test"+Itoa(lane),
		state.TestProgram{Lane: lane}), "disabled", Flag(!c.Ready))
	if asked && t.Busy() {
		start = Button(".btn|data-test=program-test-stop", "Stop", "stop"+Itoa(lane), state.StopTest{})
	}
	kids := []app.UI{El("div.line", start,
		Say("span.mute", "Runs it here and on three small cases, beside FIFO."))}
	if !asked {
		return kids
	}
	rows := Each(len(t.Cases), func(i int) app.UI { return trial(&t.Cases[i]) })
	kids = append(kids, El("table.trials|data-test=program-trials", El("thead", El("tr", Say("th|scope=col", "Case"),
		Say("th|scope=col", "Mean completion"), Say("th|scope=col", "Under FIFO"))), El("tbody", rows...)))
	if !t.Same(src) {
		kids = append(kids, Say("p.mute", "The program has been changed since."))
	}
	return kids
}

// trial is the row of a case.
func trial(c *compare.Trial) app.UI {
	name := words.T("This scenario")
	switch c.Case {
	case "gap":
		name = words.T("A gap: for a while nobody is there")
	case "types":
		name = words.T("Two GPU types, and a job that only both can hold")
	case "burst":
		name = words.T("A burst: 24 jobs at once")
	}
	head := Txt("th|scope=row", name)
	switch {
	case !c.Problem.IsZero():
		return El("tr", head,
			Set(El("td", Txt("span.fault", words.Sentence(c.Problem.In(words.Now())))), "colspan", "2"))
	case !c.Done:
		return El("tr", head, Txt("td", "–"), Txt("td", "–"))
	}
	mean := []app.UI{Text(figure.Say(words.Now(), c.Mean, "s"))}
	if c.Left > 0 {
		mean = append(mean, Text(" "), Txt("span.fault", words.Count(c.Left, "{0} job does not finish",
			"{0} jobs do not finish")))
	}
	return El("tr", head, El("td", mean...), Txt("td", figure.Say(words.Now(), c.FIFO, "s")))
}

// slips are members that the program misspells, also where it does not come by.
func slips(src string, p *edit.Param) []*program.Error {
	known := make([]string, len(p.Facts))
	for i := range p.Facts {
		known[i] = p.Facts[i].As
	}
	return program.Slips(src, known)
}

// templates chooses a program to begin with.
func (h *Fields) templates(lane int, label string) app.UI {
	options := []app.UI{Option("", label, true)}
	for i := range templates.All {
		t := &templates.All[i]
		options = append(options, Option(t.ID, words.T(t.Title), false))
	}
	return Given(h.locked(Set(El("select.field|data-test=program-template", options...), "aria-label", label,
		"data-lane", edit.LaneLetter(lane)), h.lanePath(lane)), "change", func(id string) state.Action {
		return state.Mend{Edit: edit.StartProgram{Lane: lane, Template: id}}
	}, Itoa(lane))
}

func (h *Fields) lanePath(lane int) string { return "/scenario/policies/" + Itoa(lane) + "/id" }

// asProgram offers to write anew what a lane's policy does, where there is a program for it.
func (h *Fields) asProgram(lane int) app.UI {
	for i := range templates.All {
		if t := &templates.All[i]; t.Like != "" && t.Like == h.Doc.Scenario.Policies[lane].ID {
			return El("div.line", h.button(".btn|data-kind=quiet|data-test=program-like", "Write my own from this",
				"like"+Itoa(lane), state.Do{Edit: edit.StartProgram{Lane: lane, Template: t.ID}}),
				Txt("span.mute", words.T(t.Says)))
		}
	}
	return nil
}

// brief is a program where there is no room for it: which function it has, its numbers to change, and the way to it.
func (h *Fields) brief(lane int, place string) []app.UI {
	src, p := h.written(lane)
	if src == "" {
		return nil
	}
	lines := 0
	for range strings.Lines(src) {
		lines++
	}
	kids := []app.UI{El("div.line", Txt("span", words.F("A program of {0}", words.Plural(lines, "line"))),
		Set(Button(".btn|data-kind=quiet", "Edit", place+"program"+Itoa(lane),
			state.ShowPlace{Path: h.programPath(lane, p), Form: true}), "data-test", place+"program",
			"aria-label", words.F("Edit the program of lane {0}", edit.LaneLetter(lane))))}
	if fault, _ := h.programFault(lane); fault != "" && place != "lane-" { // the lane says it itself
		kids = append(kids, Set(Txt("p.fault", fault), "aria-live", "polite"))
	}
	return append(kids, h.knobs(lane, p, src, place)...)
}

// mostKnobs is how many numbers of a program have a field.
const mostKnobs = 8

// knobs are fields for a program's numbers that are meant to be changed.
func (h *Fields) knobs(lane int, p *edit.Param, src, place string) (fields []app.UI) {
	all := program.Knobs(src)
	for i := range all[:min(len(all), mostKnobs)] {
		k := &all[i]
		field := place + "knob-" + Itoa(lane) + "-" + k.Name
		in := h.input(number{state.Typed{Field: field, Name: k.Name, Range: edit.AnyNumber,
			Edit: edit.SetKnob{Lane: lane, Param: p, Name: k.Name}}, k.Value, place + "knob",
			h.programPath(lane, p) + "/" + k.Name})
		fields = append(fields, El("div.line knob", Txt("code", k.Name), in, Txt("span.mute", k.Means)))
	}
	return fields
}

// gutter has the numbers of the lines; the one with a fault is marked.
func gutter(lines, fault int) app.UI {
	return Set(El("div.gutter", Each(lines, func(i int) app.UI {
		return Set(Txt("span", Itoa(i+1)), "data-fault", Flag(i+1 == fault))
	})...), "aria-hidden", "true")
}

// painted is a program's text in colours, behind the field in which it is typed.
func painted(src string) app.UI {
	tokens := program.Tokens(src)
	return Set(El("pre.painted", Each(len(tokens), func(i int) app.UI {
		if tokens[i].Kind == program.Plain {
			return Text(tokens[i].Text)
		}
		return Set(Txt("span", tokens[i].Text), "data-kind", string(tokens[i].Kind))
	})...), "aria-hidden", "true")
}

// widest is how many characters the longest line has.
func widest(src string) (n int) {
	for line := range strings.Lines(src) {
		n = max(n, len([]rune(line)))
	}
	return n
}

// hints are the names that a program may use, for the script that completes them: one a line, with its meaning.
func hints(p *edit.Param) string {
	var b strings.Builder
	for i := range p.Facts {
		f := &p.Facts[i]
		b.WriteString(f.As + "\t" + words.T(f.Means))
		if f.Unit != "" {
			b.WriteString(", " + words.T(f.Unit))
		}
		if f.Eg != "" {
			b.WriteString("\t" + f.Eg)
		}
		b.WriteByte('\n')
	}
	return b.String()
}

// changed is how a program differs from the template that it is nearest to.
func changed(src string) app.UI {
	of, lines := templates.Nearest(src)
	if of == nil {
		return nil
	}
	added, gone := 0, 0
	rows := Each(len(lines), func(i int) app.UI {
		l := &lines[i]
		mark := " "
		switch {
		case l.Added:
			mark = "+"
			added++
		case l.Gone:
			mark = "−"
			gone++
		}
		return Set(Txt("div", mark+" "+l.Text), "data-kind", mark)
	})
	n := max(added, gone) // a line in another's place is one
	if n == 0 {
		return nil
	}
	return El("details", Txt("summary.mute", words.F("Changed from “{0}”: {1}", words.T(of.Title),
		words.Plural(n, "line"))), El("div.delta|data-test=program-diff", rows...))
}

// names lists what a formula or program may use.
func (c *Editor) names(p *edit.Param) app.UI {
	facts := Each(len(p.Facts), func(i int) app.UI {
		f := p.Facts[i]
		return El("tr", El("th|scope=row", Txt("code", f.As)), Say("td", f.Means), Say("td.mute", f.Unit),
			El("td.mute", Txt("code", f.Eg)))
	})
	kids := []app.UI{Say("summary.mute", "What it may use"), El("table.facts", El("tbody", facts...))}
	if p.Kind == "formula" {
		kids = append(kids, Txt("p.mute", "+ - * / // %, < <= > >= == !=, and, or, not, … if … else …, abs, max, min, "+
			"math.ceil, math.exp, math.floor, math.log, math.sqrt"))
	}
	return El("details", kids...)
}
