package ui

import (
	"slices"
	"strings"

	"hadarlab/app/edit"
	"hadarlab/app/elm"
	"hadarlab/app/platform"
	"hadarlab/app/room"
	"hadarlab/app/run"
	"hadarlab/app/state"
	"hadarlab/app/ui/charts"
	. "hadarlab/app/ui/html"
	"hadarlab/app/words"
	"hadarlab/core/chart/data"

	"github.com/maxence-charriere/go-app/v9/pkg/app"
)

// command is something that the reader can do: by keys, which the list of keys names, or by its name in the list of
// commands, where it has an act.
type command struct {
	keys, does string // message keys
	act        any    // a state.Action or a func(*Host), nil = it is for keys or a pointer only
}

var commands = [...]command{
	{"", "Run again", state.RunNow{}},
	{"Ctrl Z", "Undo", state.Undo{}},
	{"Ctrl Shift Z", "Redo", state.Redo{}},
	{"", "Share", state.OpenShare{}},
	{"", "Gallery and lessons", state.OpenGallery{}},
	{"", "Papers: is it true?", func(*Host) { platform.Visit("/docs/claims") }},
	{"", "Manual", func(*Host) { platform.Visit("/docs") }},
	{"", "Start a class", func(*Host) { platform.Visit("/#teach") }},
	{"", "Join a class", func(*Host) { platform.Visit("/join") }},
	{"", "Why here?", state.WhyHere{}},
	{"", "Change one thing", state.ChangeOne{}},
	{"", "Predict first", state.TogglePredict{}},
	{"", "Edit the scenario", state.ToggleEditor{}},
	{"", "Add a job", state.Do{Edit: edit.AddJob{}}},
	{"", "Add a node", state.Do{Edit: edit.AddNode{}}},
	{"", "New scenario", state.NewScenario{}},
	{"", "Open a file…", func(h *Host) { h.PickFile(ScenarioFiles) }},
	{"", "Save the scenario", state.SaveScenario{}},
	{"", "Table of the timeline", state.ToggleTable{Which: 0}},
	{"", "Table of the chart", state.ToggleTable{Which: 1}},
	{"", "All metrics", state.ToggleFacts{}},
	{"", "Light or dark", func(*Host) { platform.ToggleTheme() }},
	{"", "Patterns on bars", func(*Host) { platform.TogglePatterns() }},
	{"Ctrl K", "Search commands and jobs", nil},
	{"Tab", "To the timeline, which is one stop", nil},
	{"← →  or  , .", "Previous and next bar in the row", nil},
	{"↑ ↓", "Nearest bar in the row above or below", nil},
	{"Enter  or  e", "Explain the bar", nil},
	{"Shift →", "Next round", state.Step{By: 1}},
	{"Shift ←", "Previous round", state.Step{By: -1}},
	{"n", "Next disagreement", state.Disagreement{By: 1}},
	{"p", "Previous disagreement", state.Disagreement{By: -1}},
	{"Space", "Play or pause", state.Play{}},
	{"Home", "First round", state.Go{To: 0}},
	{"End", "Last round", state.Go{To: 1 << 30}},
	{"W  +", "Zoom in", state.ZoomBy{By: 0.5}},
	{"S  −", "Zoom out", state.ZoomBy{By: 2}},
	{"A  D", "Earlier and later, when zoomed", nil},
	{"0", "Show the whole time axis", state.ZoomBy{}},
	{"f", "Fit the selected bar or job", state.FitSelection{}},
	{"1 to 9", "The charts under the lanes", nil},
	{"x", "Pin the bar’s node to the top", state.OfBar{Pin: true}},
	{"c", "Fold the bar’s node", state.OfBar{}},
	{"Ctrl wheel, pinch, drag", "Zoom and move the time axis", nil},
	{"Ctrl S", "Keep a snapshot", func(*Host) { keepSnapshot(nil, app.Event{}) }},
	{"Esc", "Close what is open, or stop the run", nil},
	{"?", "Keys", state.ToggleKeys{}},
}

// found is a command as it is offered.
type found struct {
	says, keys string // as they are shown
	job        string // that it selects
	act        any
}

// mostFound is how many commands are offered at most, and mostFoundJobs how many of them are jobs.
const mostFound, mostFoundJobs = 40, 20

// Commands is the dialog in which a command or a job is found by typing.
type Commands struct {
	state.OwnKeys
	Query  string
	Marked int         // which of what is found is
	Result *run.Result // whose jobs are offered
	Boot   *room.Boot
	Lanes  int // of the scenario
}

func commandsOf(s *state.Lab) *Commands {
	v := &s.View
	return &Commands{v.OwnKeys, v.Query, v.Found, s.Result, s.Boot, len(s.Doc.Scenario.Policies)}
}

// offers are the commands whose names have all words of what was typed, and the jobs whose names have it: first the job
// that is called so, then commands, then those whose names begin with it.
func (c *Commands) offers() []found {
	query := strings.ToLower(strings.TrimSpace(c.Query))
	var out []found
	offer := func(says, keys string, act any) {
		low := strings.ToLower(says)
		for _, w := range strings.Fields(query) {
			if !strings.Contains(low, w) {
				return
			}
		}
		if len(out) < mostFound {
			out = append(out, found{says: says, keys: keys, act: act})
		}
	}
	for i := range commands {
		if c := &commands[i]; c.act != nil {
			offer(words.T(c.does), words.T(c.keys), c.act)
		}
	}
	if query == "" {
		return out
	}
	for i, t := range data.Charts() {
		if charts.Offered(c.Result, t.ID) {
			offer(words.F("Chart: {0}", words.T(t.Title)), Itoa(i+1), state.ChooseChart{Name: t.ID})
		}
	}
	for i := range c.Boot.Presets {
		p := &c.Boot.Presets[i]
		offer(words.F("Open: {0}", words.T(p.Title)), "", state.LoadPreset{Name: p.Name})
	}
	for _, l := range c.Boot.Lessons {
		offer(words.F("Lesson: {0}", words.T(l.Title)), "", state.StartLesson{ID: l.ID})
	}
	for lane := range c.Lanes {
		for i := range c.Boot.Policies {
			p := &c.Boot.Policies[i]
			if p.Recorded {
				continue // it comes with a file
			}
			offer(words.F("Lane {0}: {1}", edit.LaneLetter(lane), words.T(p.Title)), "",
				state.Do{Edit: edit.SetPolicy{Lane: lane, ID: p.ID, Title: p.Title}})
		}
	}
	for _, l := range Languages {
		offer(l[1], "", func(h *Host) { h.Speak(l[0], func() {}) })
	}
	jobs := namedLike(c.Result, query)
	if len(jobs) > 0 && strings.EqualFold(jobs[0].job, query) {
		out = append(jobs[:1:1], out...)
		jobs = jobs[1:]
	}
	return append(out, jobs...)
}

// namedLike are the jobs whose names hold a query in small letters: the one that is called so, those that begin with
// it, the others.
func namedLike(r *run.Result, query string) (out []found) {
	var ranked [3][]found
	for _, l := range r.Lanes {
		if l.Trace == nil {
			continue
		}
		for i := range l.Trace.Jobs {
			name := l.Trace.Jobs[i].Name
			at, rank := strings.Index(strings.ToLower(name), query), 2
			switch {
			case at < 0:
				continue
			case len(name) == len(query):
				rank = 0
			case at == 0:
				rank = 1
			}
			if len(ranked[rank]) < mostFoundJobs {
				ranked[rank] = append(ranked[rank], found{says: words.F("Job {0}", name), job: name,
					act: state.FindJob{Job: name}})
			}
		}
		break // the jobs of all lanes are the same
	}
	out = slices.Concat(ranked[:]...)
	return out[:min(len(out), mostFoundJobs)]
}

func (c *Commands) dialog(spoken string) app.UI {
	list := c.offers()
	at := min(c.Marked, len(list)-1)
	rows := Each(len(list), func(i int) app.UI {
		f := &list[i]
		row := El("li|role=option", Text(f.says), Set(Txt("kbd", ownKeys(&c.OwnKeys, f.keys)),
			"hidden", Flag(f.keys == "")))
		if f.job != "" {
			row = El("li|role=option", Chip(c.Result, f.job), Text(f.says))
		}
		return elm.On(Set(row, "id", "command-"+Itoa(i), "aria-selected", OnOff(i == at), "data-job", f.job), "click",
			func(app.Context, app.Event) { page.choose(f) }, Itoa(i))
	})
	in := Set(El("input.field|type=text|role=combobox|autofocus=true|autocomplete=off|spellcheck=false|data-test=command|aria-expanded=true|aria-autocomplete=list|aria-controls=commands-list|aria-label=Command or job|placeholder=Command or job"),
		"value", c.Query, "aria-activedescendant", "command-"+Itoa(at))
	in = Given(in, "input", func(text string) state.Action { return state.Search{Text: text} })
	in = elm.On(in, "keydown", page.commandKey)
	none := Set(Say("p|role=status", "No command or job has this name."), "hidden", Flag(len(list) > 0))
	return Dialog("Commands and jobs", "commands", spoken, page.commandsShut, in, none,
		El("ul.found|id=commands-list|role=listbox|aria-label=Commands and jobs", rows...), elm.Hook(inList{c.Query, at}))
}

// ownKeys is a list of keys with the reader's own letters.
func ownKeys(own *state.OwnKeys, list string) string {
	names := strings.Split(list, " ")
	for i, n := range names {
		names[i] = own.KeyOf(n)
	}
	return strings.Join(names, " ")
}

// commandKey marks another of what is offered now, or chooses the marked one.
func (h *Host) commandKey(_ app.Context, e app.Event) {
	c := commandsOf(&h.S.Lab)
	list := c.offers()
	n, at := len(list), min(c.Marked, len(list)-1)
	switch key := e.Get("key").String(); {
	case n == 0:
		return
	case key == "ArrowDown":
		at = (at + 1) % n
	case key == "ArrowUp":
		at = (at + n - 1) % n
	case key == "Enter" && !e.Get("isComposing").Bool():
		h.choose(&list[at])
	default:
		return
	}
	e.PreventDefault()
	h.Do(state.Search{Text: c.Query, At: at})
}

// commandsShut does what was chosen when the list of commands is shut.
func (h *Host) commandsShut(app.Context, app.Event) {
	h.Do(state.ToggleCommands{})
	act := h.chosen
	h.chosen = nil
	switch act := act.(type) {
	case nil:
	case func(*Host):
		act(h)
	default:
		h.Do(act)
	}
}

// choose closes the list of commands. What was chosen is done then, when the keyboard is back where it was.
func (h *Host) choose(f *found) {
	h.chosen = f.act
	app.Window().GetElementByID("d-commands").Call("close")
}

// inList keeps the marked command in sight.
type inList struct {
	query string
	at    int
}

func (inList) After() {
	if e := app.Window().Get("document").Call("querySelector", ".found [aria-selected=true]"); e.Truthy() {
		e.Call("scrollIntoView", map[string]any{"block": "nearest"})
	}
}
