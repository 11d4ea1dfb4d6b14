// Package lesson draws what teaches: the gallery of scenarios, the lesson under way, and the questions that are
// answered before a result is seen.
package lesson

import (
	"strings"

	"hadarlab/app/elm"
	"hadarlab/app/learn"
	"hadarlab/app/state"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/scenarios"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// Gallery is the dialog of presets and lessons.
type Gallery struct {
	Open         bool
	Ready, Lost  bool              // what teaches is here, or could not be had
	Titles       map[string]string // of policies
	Lessons      []scenarios.Lesson
	Cards        []learn.Card // that are found
	Ideas        []string     // to choose from
	Policies     []string
	Idea         string // that is chosen, "" = all
	Policy       string
	Predicting   bool
	Announcement string // what a screen reader is told while the gallery is open
}

func GalleryOf(s *state.Lab) *Gallery {
	l := &s.Learn
	g := &Gallery{Open: l.Gallery}
	if !g.Open {
		return g
	}
	g.Announcement = s.Announcement
	if g.Lost = s.Untaught; s.Teaching == nil {
		return g
	}
	g.Ready, g.Lessons = true, s.Teaching.Lessons
	g.Cards, g.Ideas, g.Policies = l.Cards(s.Teaching.Cards, s.Boot.Presets, s.Boot.Docs)
	g.Titles = map[string]string{}
	for _, id := range g.Policies {
		g.Titles[id] = s.Boot.PolicyTitle(id)
	}
	for i := range g.Cards {
		for _, id := range g.Cards[i].Policies {
			g.Titles[id] = s.Boot.PolicyTitle(id)
		}
	}
	g.Idea, g.Policy, g.Predicting = l.Idea, l.Policy, s.Predict.On
	return g
}

var levels = [...]string{"", "first look", "some practice", "deep"}

// Render draws the gallery while it is open.
func (g *Gallery) Render() app.UI {
	if !g.Open {
		return El("div")
	}
	dialog := func(kids ...app.UI) app.UI {
		return El("div.gallery", Dialog(words.T("Gallery and lessons"), "gallery", g.Announcement,
			Act(state.CloseGallery{}), kids...))
	}
	if !g.Ready {
		return dialog(Untaught(g.Lost))
	}
	found := words.Plural(len(g.Cards), "scenario")
	if len(g.Cards) == 0 {
		found = words.T("No scenario has both. Choose “All” in one of the two.")
	}
	filters := El("div.filters",
		filter("gallery-idea", words.T("Idea"), g.Idea, g.Ideas, words.T,
			func(s string) state.Action { return state.FilterIdea{Idea: s} }),
		filter("gallery-policy", words.T("Policy"), g.Policy, g.Policies,
			func(id string) string { return g.Titles[id] },
			func(s string) state.Action { return state.FilterPolicy{ID: s} }),
		Set(Button(".btn|data-test=gallery-predict", "Predict first", "predict", state.TogglePredict{}),
			"aria-pressed", OnOff(g.Predicting)),
		Txt("span.mute|role=status|data-test=gallery-count", found), Manual())
	return dialog(Say("h3", "Lessons"), g.lessons(), Say("h3", "Scenarios"), filters,
		El("div.cards", Each(len(g.Cards), func(i int) app.UI { return g.card(&g.Cards[i]) })...))
}

// filter is a choice with "All" in front.
func filter(test, label, chosen string, values []string, title func(string) string,
	a func(string) state.Action) app.UI {
	options := []app.UI{Set(Say("option|value=", "All"), "value", "", "selected", Flag(chosen == ""))}
	for _, v := range values {
		options = append(options, Set(Txt("option", title(v)), "value", v, "selected", Flag(v == chosen)))
	}
	return El("label", Txt("span", label), Given(Set(El("select.field", options...), "data-test", test), "change",
		a, test))
}

func (g *Gallery) card(c *learn.Card) app.UI {
	p := c.Preset
	var policies []string
	for _, id := range c.Policies {
		policies = append(policies, g.Titles[id])
	}
	return Set(El("article.card|data-test=card",
		Set(El("img.thumb|width=320|height=96|alt=|loading=lazy"), "src", "/web/thumbs/"+p.Name+".svg"),
		Say("h3", p.Title),
		Say("p.question", p.Question),
		Say("p", c.Goal),
		El("details|data-test=surprise", Say("summary", "Show the surprise"), Say("p", c.Surprise)),
		El("ul.ideas", Each(len(c.Ideas), func(i int) app.UI { return Say("li", c.Ideas[i]) })...),
		Txt("p.mute xs", words.F("{0} · {1} on {2} · {3}", strings.Join(policies, ", "), words.Plural(p.Jobs, "job"),
			words.Plural(p.GPUs, "GPU"), words.T(levels[c.Level]))),
		El("details", Say("summary", "For the teacher"), Say("p", c.Teacher), Say("h4", "What students may believe"),
			El("ul", Each(len(c.Misconceptions), func(i int) app.UI { return Say("li", c.Misconceptions[i]) })...)),
		Set(Button(".btn|data-kind=primary|data-test=card-open", "Open", p.Name, state.OpenCard{Name: p.Name}),
			"aria-label", words.F("Open: {0}", words.T(p.Title)))),
		"data-preset", p.Name)
}

func (g *Gallery) lessons() app.UI {
	return El("ul.lessons", Each(len(g.Lessons), func(i int) app.UI {
		l := &g.Lessons[i]
		return Set(El("li", El("div", Say("b", l.Title), Say("p.soft", l.Goal)),
			Txt("span.mute", words.Plural(l.Minutes, "minute")),
			Set(Start(l, "lesson-start"), "autofocus", Flag(i == 0))))
	})...)
}

// Start is the button that begins a lesson.
func Start(l *scenarios.Lesson, test string) app.UI {
	return Set(Button(".btn", "Start", l.ID, state.StartLesson{ID: l.ID}), "data-test", test,
		"aria-label", words.F("Start: {0}", words.T(l.Title)), "data-lesson", l.ID)
}

// Guide is the lesson under way: text, question, change, and the way through the steps.
type Guide struct {
	Learn   learn.State
	Changed bool   // what the step asks for is so
	Title   string // of the lesson that is yet to come
	Lost    bool   // it could not be had
}

func GuideOf(s *state.Lab) *Guide {
	g := &Guide{Learn: s.Learn}
	if step := g.Learn.Present(); step != nil && step.Change != nil {
		g.Changed = g.Learn.Changed(s.Doc)
	}
	if c := g.Learn.Coming; c != nil {
		g.Title, g.Lost = s.Boot.LessonTitle(c.ID), s.Untaught
	}
	return g
}

// Render draws the present step.
func (g *Guide) Render() app.UI {
	l := &g.Learn
	step := l.Present()
	leave := Tool("|data-kind=quiet|data-test=lesson-leave", "close", "Leave the lesson", "leave", state.LeaveLesson{})
	switch {
	case l.Coming != nil:
		return El("section.panel guide|data-test=lesson|aria-label=Lesson", El("header", Say("div", "Lesson"), leave),
			El("div.now", Say("h2|tabindex=-1", g.Title)), El("div.step", Untaught(g.Lost)))
	case step == nil:
		return El("div|hidden=true")
	}
	n := len(l.Lesson.Steps)
	head := []app.UI{
		El("header", El("div", Say("span.mute xs", l.Lesson.Title),
			Txt("span.mute xs|data-test=lesson-progress", words.F("{0} of {1}", Itoa(l.Step+1), Itoa(n)))), leave),
		Set(El("progress|aria-hidden=true"), "max", Itoa(n), "value", Itoa(l.Step+1))}
	label := words.T("Show the step")
	if l.Unfolded {
		label = words.T("Show the picture")
	}
	head = append(head, El("div.now", Say("h2|tabindex=-1", step.Title),
		Set(Tool("|data-kind=quiet|data-test=lesson-fold", "down", label, label, state.UnfoldLesson{}),
			"aria-expanded", OnOff(l.Unfolded))))
	kids := []app.UI{Say("p", step.Text)}
	if step.Change != nil {
		kids = append(kids, g.change(step.Change))
	}
	if step.Ask != nil {
		kids = append(kids, g.ask(step.Ask, l.Answers[l.Step]))
	}
	if l.Step == n-1 && !l.Asked() {
		kids = append(kids, El("dl.ends|data-test=lesson-ends", Say("dt", "What you have learned"),
			Say("dd", l.Lesson.Learned), Say("dt", "What to try next"), Say("dd", l.Lesson.Next)))
	}
	next := Button(".btn|data-test=lesson-next", "Next", "next", state.LessonStep{By: 1})
	if l.Step == n-1 {
		next = Button(".btn|data-test=lesson-end", "Done", "end", state.LeaveLesson{Done: true})
	}
	ways := []app.UI{Set(Button(".btn|data-test=lesson-back", "Back", "back", state.LessonStep{By: -1}),
		"disabled", Flag(l.Step == 0)), next}
	if l.Asked() { // its answer is the way on: below the question it could be out of sight
		if l.Step < n-1 {
			ways[1] = Button(".btn|data-test=lesson-next", "Skip", "skip", state.LessonStep{By: 1})
		}
		ways = append(ways, Set(Button(".btn|data-kind=primary|data-test=lesson-check", "Answer", "check",
			state.LessonCheck{}), "disabled", Flag(l.Answers[l.Step].Picked < 0)))
	} else {
		Set(next, "data-kind", "primary")
	}
	foot := El("footer", ways...)
	return Set(El("section.panel guide|data-test=lesson|aria-label=Lesson",
		append(head, El("div.step", kids...), foot)...), "data-lesson", l.Lesson.ID, "data-step", Itoa(l.Step+1),
		"data-unfolded", Flag(l.Unfolded))
}

func (g *Guide) change(c *scenarios.Change) app.UI {
	label := words.T("Change it for me")
	if g.Changed {
		label = words.T("Changed")
	}
	return El("div.try", Set(Button(".btn|data-test=lesson-change", label, "change", state.LessonChange{}),
		"disabled", Flag(g.Changed)), Say("span.soft", c.Sets))
}

func (g *Guide) ask(a *scenarios.Ask, answer learn.Answer) app.UI {
	options := Each(len(a.Options), func(i int) app.UI {
		mark := ""
		switch {
		case answer.Shown && i == a.Answer:
			mark = " ✓"
		case answer.Shown && i == answer.Picked:
			mark = " " + words.T("(your choice)")
		}
		box := elm.On(Set(El("input|type=radio|name=lesson-option|data-test=lesson-option"), "value", Itoa(i),
			"checked", OnOff(i == answer.Picked), "disabled", Flag(answer.Shown)),
			"change", Act(state.LessonPick{Option: i}), Itoa(g.Learn.Step), Itoa(i))
		return Set(El("label", box, Txt("span", words.T(a.Options[i])+mark)),
			"data-right", Flag(answer.Shown && i == a.Answer))
	})
	kids := append([]app.UI{Say("legend", a.Question)}, options...)
	if answer.Shown {
		kids = append(kids, El("p.because|tabindex=-1|data-test=lesson-because|role=status",
			Bold(learn.Verdict(a, answer.Picked)), Text(" "+words.T(a.Because))))
	}
	return El("fieldset", kids...)
}
