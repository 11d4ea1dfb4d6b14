package state

import (
	"encoding/json"
	"slices"

	"hadarlab/app/edit"
	"hadarlab/core/scenario"
	"hadarlab/core/text"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// Learn is the gallery of presets and the guided lesson under way.
type Learn struct {
	Gallery      bool
	Idea, Policy string            // the gallery shows presets with both, "" = any
	Lesson       *scenarios.Lesson // nil = none
	Step         int
	Answers      []LessonAnswer // by step
	Rev          int64          // raised by every change of what stands above
	before       int64          // entry of the history that the reader had, 0 = none
	waiting      bool           // the step points at a result that is yet to come
}

// LessonAnswer is what the reader chose for a step's question.
type LessonAnswer struct {
	Picked int  `json:"picked"` // option, -1 = none
	Shown  bool `json:"shown"`
}

// GalleryCard is a preset with its teacher's card.
type GalleryCard struct {
	scenarios.Card
	Preset   *Preset
	Policies []string // ids, as the preset compares them
}

// GalleryCards lists the presets that have the idea and the policy, in the order in which they are taught.
// Ideas and policies are all that there are to filter by.
func (s *State) GalleryCards() (cards []GalleryCard, ideas, policies []string) {
	return s.Learn.cards(s.Boot.Presets, s.Boot.Docs)
}

// cards are those of the presets whose documents these are.
func (l *Learn) cards(presets []Preset, docs []json.RawMessage) (cards []GalleryCard, ideas, policies []string) {
	all, err := scenarios.Gallery()
	if err != nil {
		return nil, nil, nil // a test reads it
	}
	for i := range presets {
		p := &presets[i]
		at := slices.IndexFunc(all, func(c scenarios.Card) bool { return c.Preset == p.Name })
		if at < 0 {
			continue
		}
		card := GalleryCard{all[at], p, presetPolicies(docs[i])}
		ideas, policies = append(ideas, card.Ideas...), append(policies, card.Policies...)
		if (l.Idea == "" || slices.Contains(card.Ideas, l.Idea)) &&
			(l.Policy == "" || slices.Contains(card.Policies, l.Policy)) {
			cards = append(cards, card)
		}
	}
	slices.Sort(ideas)
	slices.Sort(policies)
	return cards, slices.Compact(ideas), slices.Compact(policies)
}

func presetPolicies(doc []byte) (ids []string) {
	var d struct {
		Scenario struct {
			Policies []struct {
				ID string `json:"id"`
			} `json:"policies"`
		} `json:"scenario"`
	}
	if json.Unmarshal(doc, &d) == nil {
		for _, p := range d.Scenario.Policies {
			ids = append(ids, p.ID)
		}
	}
	return ids
}

// PolicyTitle is a policy's title up to its first comma, its id when the catalogue lacks it.
func (s *State) PolicyTitle(id string) string { return Short(s.title(id)) }

type (
	// OpenGallery opens the gallery; CloseGallery closes it.
	OpenGallery  struct{}
	CloseGallery struct{}
	// FilterIdea and FilterPolicy choose what the gallery shows, "" = all.
	FilterIdea   struct{ Idea string }
	FilterPolicy struct{ ID string }
	// OpenCard opens a preset from the gallery.
	OpenCard struct{ Name string }
)

func (OpenGallery) on(s *State) []Effect {
	s.Learn.Gallery = true
	s.Learn.Rev++
	return []Effect{Focus{PartFirstLesson}}
}

func (CloseGallery) on(s *State) []Effect {
	s.Learn.Gallery = false
	s.Learn.Rev++
	return []Effect{Focus{PartPresets}}
}

func (a FilterIdea) on(s *State) []Effect   { s.Learn.Idea = a.Idea; s.Learn.Rev++; return nil }
func (a FilterPolicy) on(s *State) []Effect { s.Learn.Policy = a.ID; s.Learn.Rev++; return nil }

func (a OpenCard) on(s *State) []Effect {
	return append(CloseGallery{}.on(s), LoadPreset{a.Name}.on(s)...)
}

type (
	// StartLesson begins a lesson; LeaveLesson ends it, wherever it stands. Done says that it was worked to its end.
	StartLesson struct{ ID string }
	LeaveLesson struct{ Done bool }
	// LessonStep goes to another step.
	LessonStep struct{ By int }
	// LessonPick chooses an option of the step's question; LessonCheck shows which one is right.
	LessonPick  struct{ Option int }
	LessonCheck struct{}
	// LessonChange makes the step's change.
	LessonChange struct{}
)

func (a StartLesson) on(s *State) []Effect {
	lesson := lessonOf(a.ID)
	if lesson == nil {
		return nil
	}
	effects := LeaveLesson{}.on(s)
	s.Learn.begin(lesson, s.History.Stands().ID)
	s.History.Seal()
	s.Notice, s.Toast, s.View.Editing = nil, nil, false
	return append(append(effects, Measure{}), s.toStep()...)
}

// lessonOf is a lesson by its id, nil = there is none.
func lessonOf(id string) *scenarios.Lesson {
	list, _ := scenarios.Lessons() // a test reads it
	at := slices.IndexFunc(list, func(l scenarios.Lesson) bool { return l.ID == id })
	if at < 0 {
		return nil
	}
	return &list[at]
}

// begin begins a lesson; before is the entry of the history that the reader has.
func (l *Learn) begin(lesson *scenarios.Lesson, before int64) {
	l.Gallery, l.Lesson, l.Step, l.before = false, lesson, 0, before
	l.Answers = make([]LessonAnswer, len(lesson.Steps))
	for i := range l.Answers {
		l.Answers[i].Picked = -1
	}
}

// leave ends the lesson; it answers with the entry that the reader had before.
func (l *Learn) leave() (before int64) {
	before = l.before
	l.Lesson, l.before, l.waiting = nil, 0, false
	return before
}

// LeaveLesson keeps what stands, and makes the lesson one entry of the history: one undo brings back what
// the reader had before.
func (a LeaveLesson) on(s *State) []Effect {
	l := s.Learn.Lesson
	if l == nil {
		return nil
	}
	effects := []Effect{Measure{}, Focus{PartPresets}}
	changed := s.History.Fold(s.Learn.leave(), words.F("Lesson “{0}”", words.T(l.Title)))
	switch next := nextLesson(l); {
	case a.Done && next != nil:
		effects = append(effects, s.toast(words.F("Lesson finished. Next: {0}.", words.T(next.Title)), changed)...)
		s.Toast.Lesson, s.Toast.Back = next, true
	case a.Done:
		effects = append(effects, s.toast(words.T("Lesson finished. It was the last one."), changed)...)
		s.Toast.Back = true
	case changed:
		effects = append(effects, s.toast(words.T("Lesson left."), true)...)
		s.Toast.Back = true
	}
	s.Learn.Rev++
	s.FormRev++
	return append(effects, s.save())
}

// nextLesson is the one after l, nil after the last.
func nextLesson(l *scenarios.Lesson) *scenarios.Lesson {
	list, _ := scenarios.Lessons() // a test reads it
	at := slices.IndexFunc(list, func(x scenarios.Lesson) bool { return x.ID == l.ID })
	if at < 0 || at+1 >= len(list) {
		return nil
	}
	return &list[at+1]
}

func (a LessonStep) on(s *State) []Effect {
	l := &s.Learn
	to := l.Step + a.By
	if l.Lesson == nil || to < 0 || to >= len(l.Lesson.Steps) {
		return nil
	}
	l.Step = to
	return s.toStep()
}

// Present is the step that is shown, nil without a lesson.
func (l *Learn) Present() *scenarios.Step {
	if l.Lesson == nil {
		return nil
	}
	return &l.Lesson.Steps[l.Step]
}

// Asked says whether the step's question is still open.
func (l *Learn) Asked() bool {
	step := l.Present()
	return step != nil && step.Ask != nil && !l.Answers[l.Step].Shown
}

// toStep shows a step. The document becomes what the step's text is about: the last preset opened with the
// changes of the steps before. Where that replaces something, undo brings it back.
func (s *State) toStep() []Effect {
	l := &s.Learn
	l.Rev++
	step := l.Present()
	s.Spoken = words.F("Step {0} of {1}: {2}", itoa(l.Step+1), itoa(len(l.Lesson.Steps)), words.T(step.Title))
	effects := []Effect{Focus{PartLesson}}
	doc, preset, changed := s.Learn.subject(s.presetNamed)
	if doc == nil {
		return effects
	}
	l.waiting = true
	if string(doc.Marshal(false)) != string(s.Doc.Marshal(false)) {
		effects = append(effects,
			Load{Doc: doc, Sentence: words.F("Lesson, step {0}: “{1}”", itoa(l.Step+1), s.titleOf(doc)), Preset: preset,
				Edited: changed}.on(s)...)
	}
	return append(append(effects, s.save()), s.pointOut()...)
}

// presetNamed is a preset's document, nil = there is none.
func (s *State) presetNamed(name string) *scenario.Document {
	at := slices.IndexFunc(s.Boot.Presets, func(p Preset) bool { return p.Name == name })
	if at < 0 {
		return nil
	}
	doc, _ := scenario.Parse(s.Boot.Docs[at], scenario.FileLimits)
	return doc
}

// subject is the document that the present step is about.
func (l *Learn) subject(open func(preset string) *scenario.Document) (doc *scenario.Document, preset string,
	changed bool) {
	first := 0
	for i := range l.Step + 1 {
		if name := l.Lesson.Steps[i].Open; name != "" {
			first, preset = i, name
		}
	}
	if doc = open(preset); doc == nil {
		return nil, "", false
	}
	for _, step := range l.Lesson.Steps[first:l.Step] {
		if step.Change != nil {
			doc, changed = withChange(doc, step.Change), true
		}
	}
	return doc, preset, changed
}

// pointOut moves cursor, job, lane and the window to where the present step points, once the result is there.
func (s *State) pointOut() []Effect {
	l := &s.Learn
	step := l.Present()
	if step == nil || !l.waiting || !s.Fresh() {
		return nil
	}
	l.waiting = false
	v := step.View
	if v == nil {
		return []Effect{Reveal{PartHeadline}}
	}
	lane := slices.IndexFunc(s.Result.Lanes, func(l *Lane) bool { return l.Policy.ID == v.Lane })
	if lane < 0 || s.Result.Lanes[lane].Trace == nil || len(s.Result.Lanes[lane].Trace.Rounds) == 0 {
		return nil
	}
	// Decisions of two lanes that are close are one moment, so it is looked up by the lane's round, not by its time.
	last := len(s.Result.Diff.Moments) - 1
	for s.View.Moment = 0; s.View.Moment < last && s.Result.Round(lane, s.View.Moment) < v.Round; {
		s.View.Moment++
	}
	s.View.Pinned, s.View.Playing, s.View.Bar = true, false, NoBar
	s.rememberTime()
	s.View.Job, s.View.WhyLane = v.Job, lane
	return append(s.ask(), Reveal{ShownParts[v.Show]})
}

// answer notes what was chosen for the present step's question.
func (l *Learn) answer(picked int, shown bool) {
	l.Answers[l.Step] = LessonAnswer{Picked: picked, Shown: shown}
	l.Rev++
}

func (a LessonPick) on(s *State) []Effect {
	if l := &s.Learn; l.Present() == nil || l.Answers[l.Step].Shown {
		return nil
	}
	s.Learn.answer(a.Option, false)
	return []Effect{s.save()}
}

func (LessonCheck) on(s *State) []Effect {
	l := &s.Learn
	step := l.Present()
	if step == nil || step.Ask == nil || l.Answers[l.Step].Picked < 0 {
		return nil
	}
	l.answer(l.Answers[l.Step].Picked, true)
	s.Spoken = Verdict(step.Ask, l.Answers[l.Step].Picked) + " " + step.Ask.Because
	return []Effect{s.save(), Focus{PartLessonBecause}}
}

// Verdict says whether an option is right, and which one is.
func Verdict(a *scenarios.Ask, picked int) string {
	if picked == a.Answer {
		return words.T("Right.")
	}
	return words.F("Not quite. The answer is: {0}.", words.T(a.Options[a.Answer]))
}

func (LessonChange) on(s *State) []Effect {
	step := s.Learn.Present()
	if step == nil || step.Change == nil {
		return nil
	}
	effects := Do{changeOf(step.Change)}.on(s)
	if effects != nil {
		s.Learn.waiting = true
		s.Learn.Rev++
	}
	return effects
}

// Changed says whether the present step's change is made in a document.
func (l *Learn) Changed(d *scenario.Document) bool {
	step := l.Present()
	return step != nil && step.Change != nil && changeOf(step.Change).Change(d.Clone()) == ""
}

// changeOf is a lesson's change as an edit of its own.
func changeOf(c *scenarios.Change) edit.Edit { return lessonEdit{c} }

// lessonEdit makes a lesson's change.
type lessonEdit struct{ change *scenarios.Change }

func (lessonEdit) Key() string { return "" }
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
	text, err := text.SetValue(d.Marshal(false), c.Path, c.Value)
	if err != nil {
		return d
	}
	after, diags := scenario.Parse(text, scenario.FileLimits)
	if after == nil || diags.HasErrors() {
		return d
	}
	return after
}
