// Package learn is the gallery of presets, the guided lesson under way and what a reader predicts. A lesson's change
// is an edit; which document stands and where the page points is decided by who asks.
package learn

import (
	"slices"

	"hadarlab/app/edit"
	"hadarlab/app/words"
	"hadarlab/core/jsondoc"
	"hadarlab/core/program/templates"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// State is the gallery of presets and the guided lesson under way. What it points to is never changed in place.
type State struct {
	Gallery      bool
	Idea, Policy string            // the gallery shows presets with both, "" = any
	Lesson       *scenarios.Lesson // nil = none
	Step         int
	Answers      []Answer // by step
	before       int64    // entry of the history that the reader had, 0 = none
	Waiting      bool     // the step points at a result that is yet to come
	Coming       *Saved   // the lesson whose text is yet to come, nil = none
	begins       bool     // it is begun then, and not gone on with
	Unfolded     bool     // in a narrow window the whole step lies over the picture, not its title alone
}

// Answer is what the reader chose for a step's question.
type Answer struct {
	Picked int  `json:"picked"` // option, -1 = none
	Shown  bool `json:"shown"`
}

// Going says whether the reader is in a lesson, be its text here or yet to come.
func (l *State) Going() bool { return l.Lesson != nil || l.Coming != nil }

// Await waits for the text of a lesson: to begin it where there is nothing to go on with.
func (l *State) Await(lesson Saved) {
	l.Gallery, l.Coming, l.begins = false, &lesson, lesson.Answers == nil
}

// Came ends that. Begins says that the lesson is to be begun, else it is to be gone on with; nil = none was waited for.
func (l *State) Came() (lesson *Saved, begins bool) {
	lesson, l.Coming = l.Coming, nil
	return lesson, l.begins
}

// Begin begins a lesson; before is the entry of the history that the reader has.
func (l *State) Begin(lesson *scenarios.Lesson, before int64) {
	l.Coming = nil
	l.Gallery, l.Lesson, l.Step, l.before, l.Unfolded = false, lesson, 0, before, false
	l.Answers = make([]Answer, len(lesson.Steps))
	for i := range l.Answers {
		l.Answers[i].Picked = -1
	}
}

// Leave ends the lesson; it answers with the entry that the reader had before.
func (l *State) Leave() (before int64) {
	before = l.before
	l.Lesson, l.Coming, l.before, l.Waiting = nil, nil, 0, false
	return before
}

// Present is the step that is shown, nil without a lesson.
func (l *State) Present() *scenarios.Step {
	if l.Lesson == nil {
		return nil
	}
	return &l.Lesson.Steps[l.Step]
}

// Asked says whether the step's question is still open, as it may be in a lesson that is yet to come.
func (l *State) Asked() bool {
	if l.Coming != nil {
		return true
	}
	step := l.Present()
	return step != nil && step.Ask != nil && !l.Answers[l.Step].Shown
}

// Subject is the document that the present step is about.
func (l *State) Subject(open func(preset string) *scenario.Document, defaults scenario.Defaults) (
	doc *scenario.Document, preset string, changed bool) {
	first := 0
	for i := range l.Step + 1 {
		if name := l.Lesson.Steps[i].Open; name != "" {
			first, preset = i, name
		}
	}
	if doc = open(preset); doc == nil {
		return nil, "", false
	}
	opened := edit.Open(doc, defaults)
	for _, step := range l.Lesson.Steps[first:l.Step] {
		if step.Change != nil {
			doc, changed = withChange(doc, step.Change), true
			opened.Retell(doc, defaults)
		}
	}
	return doc, preset, changed
}

// Choose notes what was chosen for the present step's question.
func (l *State) Choose(picked int, shown bool) {
	l.Answers = slices.Clone(l.Answers) // the page compares them with those that it shows
	l.Answers[l.Step] = Answer{Picked: picked, Shown: shown}
}

// Verdict says whether an option is right, and which one is.
func Verdict(a *scenarios.Ask, picked int) string {
	if picked == a.Answer {
		return words.T("Right.")
	}
	return words.F("Not quite. The answer is: {0}.", words.T(a.Options[a.Answer]))
}

// Changed says whether the present step's change is made in a document.
func (l *State) Changed(d *scenario.Document) bool {
	step := l.Present()
	return step != nil && step.Change != nil && ChangeOf(step.Change).Change(d.Clone()) == ""
}

// Saved is a lesson in progress as it is kept for the tab.
type Saved struct {
	ID      string   `json:"id"`
	Step    int      `json:"step"`
	Answers []Answer `json:"answers"`
	Entry   int64    `json:"entry"` // of the history that the reader had before
}

// Saved is the lesson in progress, nil = none.
func (l *State) Saved() *Saved {
	switch {
	case l.Coming != nil && !l.begins:
		return l.Coming
	case l.Lesson == nil:
		return nil
	}
	return &Saved{ID: l.Lesson.ID, Step: l.Step, Answers: slices.Clone(l.Answers), Entry: l.before}
}

// Resume goes on with a lesson after a reload, where this page still has it as it was. The document stands already.
func (l *State) Resume(lesson *scenarios.Lesson, saved *Saved) {
	if lesson == nil || saved.Step < 0 || saved.Step >= len(lesson.Steps) || len(saved.Answers) != len(lesson.Steps) {
		return
	}
	for i, a := range saved.Answers {
		options := 0
		if ask := lesson.Steps[i].Ask; ask != nil {
			options = len(ask.Options)
		}
		if a.Picked < -1 || a.Picked >= options || a.Shown && a.Picked < 0 {
			return
		}
	}
	l.Lesson, l.Step, l.Answers, l.Waiting = lesson, saved.Step, saved.Answers, true
	l.before = saved.Entry
}

// ChangeOf is a lesson's change as an edit of its own.
func ChangeOf(c *scenarios.Change) edit.Edit { return lessonEdit{c} }

// lessonEdit makes a lesson's change.
type lessonEdit struct{ change *scenarios.Change }

func (e lessonEdit) Change(d *scenario.Document) string {
	was := string(d.Marshal(false))
	after := withChange(d, e.change)
	if string(after.Marshal(false)) == was {
		return ""
	}
	*d = *after
	return e.change.Say
}

// withChange is a document with a change made; the document itself where it cannot be made.
func withChange(d *scenario.Document, c *scenarios.Change) *scenario.Document {
	var text []byte
	var err error
	if value, is := c.Value.(float64); len(c.Lanes) > 0 {
		text = withLanes(d, c.Lanes).Marshal(false)
	} else if is {
		text, err = scenario.SetNumber(d.Marshal(false), c.Path, value)
	} else {
		text, err = jsondoc.SetValue(d.Marshal(false), c.Path, c.Value)
	}
	if err != nil {
		return d
	}
	after, diags := scenario.Parse(text, scenario.FileLimits)
	if after == nil || diags.HasErrors() {
		return d
	}
	return after
}

// withLanes is a document with other lanes.
func withLanes(d *scenario.Document, lanes []scenarios.Lane) *scenario.Document {
	d = d.Clone()
	d.Scenario.Policies = nil
	for _, lane := range lanes {
		params := lane.Params
		if at := slices.IndexFunc(templates.All,
			func(t templates.Template) bool { return t.ID == lane.Template }); at >= 0 {
			params = templates.All[at].Values()
		}
		d.Scenario.Policies = append(d.Scenario.Policies, scenario.Policy{ID: lane.ID, Params: params})
	}
	return d
}
