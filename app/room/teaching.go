package room

import (
	"encoding/json"

	"hadarlab/app/words"
	"hadarlab/core/class"
	"hadarlab/scenarios"
)

// TeachingFile is where the page finds what teaches, as scenarios.Teaching has made it.
const TeachingFile = "/web/teaching.json"

// Teaching is what teaches. It is fetched when it is first needed, and never changed then.
type Teaching struct {
	Cards       []scenarios.Card
	Lessons     []scenarios.Lesson
	Assignments []*class.Assignment
}

// readTeaching reads the file, nil = it is none of this page's.
func readTeaching(data []byte) *Teaching {
	var file struct {
		Cards       []scenarios.Card
		Lessons     []scenarios.Lesson
		Assignments []json.RawMessage
	}
	if json.Unmarshal(data, &file) != nil || len(file.Lessons) == 0 {
		return nil
	}
	t := &Teaching{Cards: file.Cards, Lessons: file.Lessons}
	for _, doc := range file.Assignments {
		a, _ := class.Parse(doc)
		if a == nil {
			return nil
		}
		t.Assignments = append(t.Assignments, a)
	}
	return t
}

// Lesson is a lesson by its id, nil = there is none, or it is not here yet.
func (t *Teaching) Lesson(id string) *scenarios.Lesson {
	for i := range t.lessons() {
		if t.Lessons[i].ID == id {
			return &t.Lessons[i]
		}
	}
	return nil
}

// Next is the lesson after l, nil after the last.
func (t *Teaching) Next(l *scenarios.Lesson) *scenarios.Lesson {
	for i := range t.lessons() {
		if t.Lessons[i].ID == l.ID && i+1 < len(t.Lessons) {
			return &t.Lessons[i+1]
		}
	}
	return nil
}

// Shipped are the assignments that come with the page, none before they are here.
func (s *Shared) Shipped() []*class.Assignment {
	if s.Teaching == nil {
		return nil
	}
	return s.Teaching.Assignments
}

func (t *Teaching) lessons() []scenarios.Lesson {
	if t == nil {
		return nil
	}
	return t.Lessons
}

// Taught is what came of fetching what teaches; status 0 = the server was not reached.
type Taught struct {
	Status int
	Body   []byte
}

// Need fetches what teaches, unless it is here or on its way.
func (s *Shared) Need() []Effect {
	if s.Teaching != nil || s.fetching {
		return nil
	}
	s.fetching, s.Untaught = true, false
	return []Effect{Call{Method: "GET", Path: TeachingFile,
		Then: func(status int, body []byte) Action { return Taught{status, body} }}}
}

// Take takes what has come.
func (s *Shared) Take(a Taught) {
	s.fetching = false
	if a.Status == 200 {
		s.Teaching = readTeaching(a.Body)
	}
	if s.Untaught = s.Teaching == nil; s.Untaught {
		s.Announcement = words.T("The lessons and assignments could not be loaded.")
	}
}
