package scenarios

import "encoding/json"

// Teaching is the file of what teaches: the gallery's cards, the lessons and the assignments. The page fetches it when
// it is first needed.
func Teaching() ([]byte, error) {
	var docs []json.RawMessage
	for _, id := range Assignments {
		doc, _ := Assignment(id)
		docs = append(docs, doc)
	}
	return json.Marshal(map[string]any{"cards": json.RawMessage(gallery), "lessons": json.RawMessage(lessons),
		"assignments": docs})
}

// Index is what the page knows of that without the file.
type Index struct {
	Focus   map[string]View `json:"focus"` // what is shown first of a preset, by its name
	Lessons []Title         `json:"lessons"`
}

// Title is what a lesson is called.
type Title struct {
	ID    string `json:"id"`
	Title string `json:"title"`
}

// NewIndex makes the index.
func NewIndex() (Index, error) {
	cards, err := Gallery()
	if err != nil {
		return Index{}, err
	}
	list, err := Lessons()
	x := Index{Focus: map[string]View{}}
	for _, c := range cards {
		x.Focus[c.Preset] = c.Focus
	}
	for _, l := range list {
		x.Lessons = append(x.Lessons, Title{l.ID, l.Title})
	}
	return x, err
}
