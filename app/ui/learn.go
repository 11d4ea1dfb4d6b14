package ui

import (
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/learn"
	"hadarlab/app/platform"
	"hadarlab/app/run"
	"hadarlab/app/share"
	"hadarlab/app/state"
	"hadarlab/app/words"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Gallery is the dialog of presets and lessons.
type Gallery struct {
	Open       bool
	Cards      []learn.Card // that are found
	Ideas      []string     // to choose from
	Policies   []string
	Titles     map[string]string // of policies
	Idea       string            // that is chosen, "" = all
	Policy     string
	Predicting bool
	Spoken     string // what a screen reader is told while the gallery is open
}

func galleryOf(s *state.Lab) *Gallery {
	l := &s.Learn
	g := &Gallery{Open: l.Gallery}
	if !g.Open {
		return g
	}
	g.Cards, g.Ideas, g.Policies = l.Cards(s.Boot.Presets, s.Boot.Docs)
	g.Titles = map[string]string{}
	for _, id := range g.Policies {
		g.Titles[id] = s.Boot.PolicyTitle(id)
	}
	for i := range g.Cards {
		for _, id := range g.Cards[i].Policies {
			g.Titles[id] = s.Boot.PolicyTitle(id)
		}
	}
	g.Idea, g.Policy, g.Predicting, g.Spoken = l.Idea, l.Policy, s.Predict.On, s.Spoken
	return g
}

var levels = [...]string{"", "first look", "some practice", "deep"}

// manual links to the pages beside this one.
func manual() app.UI {
	return el("p.manual", say("a|href=/docs|hreflang=en", "Manual"),
		say("a|href=/docs/teach|hreflang=en", "For teachers"))
}

// render draws the gallery while it is open.
func (g *Gallery) render() app.UI {
	if !g.Open {
		return el("div")
	}
	found := words.Plural(len(g.Cards), "scenario")
	if len(g.Cards) == 0 {
		found = words.T("No scenario has both. Choose “All” in one of the two.")
	}
	filters := el("div.filters",
		filter("gallery-idea", words.T("Idea"), g.Idea, g.Ideas, words.T,
			func(s string) state.Action { return state.FilterIdea{Idea: s} }),
		filter("gallery-policy", words.T("Policy"), g.Policy, g.Policies,
			func(id string) string { return g.Titles[id] },
			func(s string) state.Action { return state.FilterPolicy{ID: s} }),
		set(button(".btn|data-test=gallery-predict", "Predict first", "predict", state.TogglePredict{}),
			"aria-pressed", onoff(g.Predicting)),
		txt("span.mute|role=status|data-test=gallery-count", found), manual())
	return el("div.gallery", dialog(words.T("Gallery and lessons"), "gallery", g.Spoken, act(state.CloseGallery{}),
		say("h3", "Lessons"), g.lessons(), say("h3", "Scenarios"), filters,
		el("div.cards", each(len(g.Cards), func(i int) app.UI { return g.card(&g.Cards[i]) })...)))
}

// filter is a choice with "All" in front.
func filter(test, label, chosen string, values []string, title func(string) string,
	a func(string) state.Action) app.UI {
	options := []app.UI{set(say("option|value=", "All"), "value", "", "selected", flag(chosen == ""))}
	for _, v := range values {
		options = append(options, set(txt("option", title(v)), "value", v, "selected", flag(v == chosen)))
	}
	return el("label", txt("span", label), given(set(el("select.field", options...), "data-test", test), "change",
		a, test))
}

func (g *Gallery) card(c *learn.Card) app.UI {
	p := c.Preset
	var policies []string
	for _, id := range c.Policies {
		policies = append(policies, g.Titles[id])
	}
	return set(el("article.card|data-test=card",
		set(el("img.thumb|width=320|height=96|alt=|loading=lazy"), "src", "/web/thumbs/"+p.Name+".svg"),
		say("h3", p.Title),
		say("p.question", p.Question),
		say("p", c.Goal),
		el("details|data-test=surprise", say("summary", "Show the surprise"), say("p", c.Surprise)),
		el("ul.ideas", each(len(c.Ideas), func(i int) app.UI { return say("li", c.Ideas[i]) })...),
		txt("p.mute xs", words.F("{0} · {1} on {2} · {3}", strings.Join(policies, ", "), words.Plural(p.Jobs, "job"),
			words.Plural(p.GPUs, "GPU"), words.T(levels[c.Level]))),
		el("details", say("summary", "For the teacher"), say("p", c.Teacher), say("h4", "What students may believe"),
			el("ul", each(len(c.Misconceptions), func(i int) app.UI { return say("li", c.Misconceptions[i]) })...)),
		set(button(".btn|data-kind=primary|data-test=card-open", "Open", p.Name, state.OpenCard{Name: p.Name}),
			"aria-label", words.F("Open: {0}", words.T(p.Title)))),
		"data-preset", p.Name)
}

func (g *Gallery) lessons() app.UI {
	list, err := scenarios.Lessons()
	if err != nil {
		return say("p", "The lessons cannot be read.")
	}
	return el("ul.lessons", each(len(list), func(i int) app.UI {
		l := &list[i]
		return set(el("li", el("div", say("b", l.Title), say("p.soft", l.Goal)),
			txt("span.mute", words.Plural(l.Minutes, "minute")),
			set(startLesson(l, "lesson-start"), "autofocus", flag(i == 0))))
	})...)
}

// startLesson is the button that begins a lesson.
func startLesson(l *scenarios.Lesson, test string) app.UI {
	return set(button(".btn", "Start", l.ID, state.StartLesson{ID: l.ID}), "data-test", test,
		"aria-label", words.F("Start: {0}", words.T(l.Title)), "data-lesson", l.ID)
}

// Guide is the lesson under way: text, question, change, and the way through the steps.
type Guide struct {
	Learn   learn.State
	Changed bool // what the step asks for is so
}

func guideOf(s *state.Lab) *Guide {
	g := &Guide{Learn: s.Learn}
	if step := g.Learn.Present(); step != nil && step.Change != nil {
		g.Changed = g.Learn.Changed(s.Doc)
	}
	return g
}

// render draws the present step.
func (g *Guide) render() app.UI {
	l := &g.Learn
	step := l.Present()
	if step == nil {
		return el("div|hidden=true")
	}
	n := len(l.Lesson.Steps)
	head := []app.UI{
		el("header", el("div", say("span.mute xs", l.Lesson.Title),
			txt("span.mute xs|data-test=lesson-progress", words.F("{0} of {1}", itoa(l.Step+1), itoa(n)))),
			tool("|data-kind=quiet|data-test=lesson-leave", "close", "Leave the lesson", "leave",
				state.LeaveLesson{})),
		set(el("progress|aria-hidden=true"), "max", itoa(n), "value", itoa(l.Step+1))}
	kids := []app.UI{say("h2|tabindex=-1", step.Title), say("p", step.Text)}
	if step.Change != nil {
		kids = append(kids, g.change(step.Change))
	}
	if step.Ask != nil {
		kids = append(kids, g.ask(step.Ask, l.Answers[l.Step]))
	}
	if l.Step == n-1 && !l.Asked() {
		kids = append(kids, el("dl.ends|data-test=lesson-ends", say("dt", "What you have learned"),
			say("dd", l.Lesson.Learned), say("dt", "What to try next"), say("dd", l.Lesson.Next)))
	}
	next := button(".btn|data-test=lesson-next", "Next", "next", state.LessonStep{By: 1})
	if l.Step == n-1 {
		next = button(".btn|data-test=lesson-end", "Done", "end", state.LeaveLesson{Done: true})
	}
	ways := []app.UI{set(button(".btn|data-test=lesson-back", "Back", "back", state.LessonStep{By: -1}),
		"disabled", flag(l.Step == 0)), next}
	if l.Asked() { // its answer is the way on: below the question it could be out of sight
		if l.Step < n-1 {
			ways[1] = button(".btn|data-test=lesson-next", "Skip", "skip", state.LessonStep{By: 1})
		}
		ways = append(ways, set(button(".btn|data-kind=primary|data-test=lesson-check", "Answer", "check",
			state.LessonCheck{}), "disabled", flag(l.Answers[l.Step].Picked < 0)))
	} else {
		set(next, "data-kind", "primary")
	}
	foot := el("footer", ways...)
	return set(el("section.panel guide|data-test=lesson|aria-label=Lesson",
		append(head, el("div.step", kids...), foot)...), "data-lesson", l.Lesson.ID, "data-step", itoa(l.Step+1))
}

func (g *Guide) change(c *scenarios.Change) app.UI {
	label := words.T("Change it for me")
	if g.Changed {
		label = words.T("Changed")
	}
	return el("div.try", set(button(".btn|data-test=lesson-change", label, "change", state.LessonChange{}),
		"disabled", flag(g.Changed)), say("span.soft", c.Sets))
}

func (g *Guide) ask(a *scenarios.Ask, answer learn.Answer) app.UI {
	options := each(len(a.Options), func(i int) app.UI {
		mark := ""
		switch {
		case answer.Shown && i == a.Answer:
			mark = " ✓"
		case answer.Shown && i == answer.Picked:
			mark = " " + words.T("(your choice)")
		}
		box := on(set(el("input|type=radio|name=lesson-option|data-test=lesson-option"), "value", itoa(i),
			"checked", onoff(i == answer.Picked), "disabled", flag(answer.Shown)),
			"change", act(state.LessonPick{Option: i}), itoa(g.Learn.Step), itoa(i))
		return set(el("label", box, txt("span", words.T(a.Options[i])+mark)),
			"data-right", flag(answer.Shown && i == a.Answer))
	})
	kids := append([]app.UI{say("legend", a.Question)}, options...)
	if answer.Shown {
		kids = append(kids, el("p.because|tabindex=-1|data-test=lesson-because|role=status",
			bold(learn.Verdict(a, answer.Picked)), text(" "+words.T(a.Because))))
	}
	return el("fieldset", kids...)
}

// exports are the files for other programs, and print.
func exports(r *run.Result) []app.UI {
	var kids []app.UI
	for i, l := range r.Lanes {
		if l.Trace != nil {
			kids = append(kids, set(save(words.F("Events of {0} as CSV", l.Title), state.SaveEvents{Lane: i},
				"save-events"), "data-lane", edit.LaneLetter(i)))
		}
	}
	png := on(say("button.btn|type=button|data-kind=quiet|data-test=save-png", "Timeline as PNG"), "click",
		closing(func(app.Context, app.Event) {
			do(state.SavePNG{Origin: platform.Home()})
		}), "png")
	return append(kids, save("Trace for Perfetto (Chrome JSON)", state.SaveChrome{}, "save-chrome"), png,
		save("Print…", state.Print{}, "print"))
}

// colophon is what a printed page ends with. The browser's script fills in the scenario and the link before it prints.
func colophon(s *state.Lab) app.UI {
	return el("footer.colophon|data-test=colophon", txt("div|id=print-scenario", ""),
		txt("span", share.Colophon(s.Boot.Engine)), txt("span|id=print-link", ""))
}
