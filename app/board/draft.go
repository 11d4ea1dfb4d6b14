package board

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"hadarlab/app/room"
	"hadarlab/core/class"
)

// What changes the assignment that is being written. A value is named by its pointer in the assignment's document, as
// its diagnostics name it.
type (
	// WriteValue writes what a field holds: a text, or a number as typed. An option by itself stands for the lower end
	// of its band, an open value for its pointer.
	WriteValue struct{ Path, Text string }
	// SetSwitch asks a question again after the discussion, or gives the class a task.
	SetSwitch struct {
		Path string
		On   bool
	}
	// AddEntry adds to a list: a question, an option, an open value.
	AddEntry struct{ Path string }
	// MoveEntry moves an entry of a list by one place.
	MoveEntry struct {
		Path string
		By   int
	}
	// DropEntry takes an entry out of its list.
	DropEntry struct{ Path string }
)

func (a WriteValue) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) {
		switch to := valueAt(d, a.Path).(type) {
		case *string:
			*to = a.Text
		case *float64:
			*to = decimal(a.Text)
		case *int:
			*to = int(decimal(a.Text))
		}
	})
}

func (a SetSwitch) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) {
		if again, ok := valueAt(d, a.Path).(*bool); ok {
			*again = a.On
		}
		if a.Path != "/task" {
			return
		}
		d.Task = nil
		d.Plan = slices.DeleteFunc(d.Plan, func(p class.Step) bool { return !a.On && p.Phase == class.Change })
		if a.On {
			d.Task = &class.Task{Metric: "avg_jct_s", Changes: 1}
		}
	})
}

func (a AddEntry) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) {
		switch list := valueAt(d, a.Path).(type) {
		case *[]class.Question:
			*list = append(*list, class.Question{ID: "q" + itoa(len(*list)+1), Kind: class.Fixed, Right: "a",
				Options: []class.Option{{ID: "a"}, {ID: "b"}}})
		case *[]class.Option:
			*list = append(*list, class.Option{ID: "o" + itoa(len(*list)+1)})
		case *[]class.Open: // the first number that is in none
			for i := range m.Draft.Opens {
				k := &m.Pages.Draft.Opens[i]
				if !slices.ContainsFunc(*list, func(o class.Open) bool { return o.Path == k.Path }) {
					*list = append(*list, class.Open{Path: k.Path, From: max(k.Range.Min, 0), To: max(2*k.Value, 1)})
					return
				}
			}
		}
	})
}

func (a MoveEntry) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) { atEntry(d, a.Path, a.By) })
}

func (a DropEntry) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) { atEntry(d, a.Path, 0) })
}

// atEntry moves an entry of a list, or by 0 takes it out.
func atEntry(d *class.Assignment, path string, by int) {
	at := strings.LastIndexByte(path, '/')
	i, err := strconv.Atoi(path[at+1:])
	if err != nil {
		return
	}
	switch list := valueAt(d, path[:at]).(type) {
	case *[]class.Question:
		*list = movedIn(*list, i, by)
	case *[]class.Option:
		*list = movedIn(*list, i, by)
	case *[]class.Open:
		*list = movedIn(*list, i, by)
	}
}

// movedIn is a list with one entry moved by some places, or by 0 taken out; at its ends nothing moves.
func movedIn[T any](list []T, i, by int) []T {
	if k := i + by; i < 0 || k < 0 || max(i, k) >= len(list) {
		return list
	} else if by != 0 {
		list[i], list[k] = list[k], list[i]
		return list
	}
	return slices.Delete(list, i, i+1)
}

// valueAt is where a value of an assignment is kept: a pointer to a text, a number, a switch or a list; nil where the
// pointer names nothing that can be changed.
func valueAt(a *class.Assignment, path string) any {
	step := strings.Split(strings.TrimPrefix(path, "/"), "/")
	at := func(i, n int) int {
		if i < len(step) {
			if k, err := strconv.Atoi(step[i]); err == nil && k >= 0 && k < n {
				return k
			}
		}
		return -1
	}
	switch field := step[len(step)-1]; step[0] {
	case "title":
		return &a.Title
	case "id":
		return &a.ID
	case "goal":
		return &a.Goal
	case "situation":
		return &a.Situation
	case "explain":
		return &a.Explain
	case "questions":
		if i := at(1, len(a.Questions)); i >= 0 && len(step) > 2 {
			q := &a.Questions[i]
			if k := at(3, len(q.Options)); k >= 0 {
				o := &q.Options[k]
				return map[string]any{"text": &o.Text, "id": &o.ID, "note": &o.Note, "idea": &o.Idea,
					"preset": &o.Preset, "to": &o.To, step[3]: &o.From}[field]
			}
			return map[string]any{"text": &q.Text, "kind": &q.Kind, "right": &q.Right, "metric": &q.Metric,
				"within": &q.Within, "again": &q.Again, "options": &q.Options}[field]
		}
		return &a.Questions
	case "task":
		if a.Task != nil {
			return map[string]any{"text": &a.Task.Text, "winner": &a.Task.Winner, "metric": &a.Task.Metric,
				"changes": &a.Task.Changes}[field]
		}
	case "open":
		if i := at(1, len(a.Open)); i >= 0 {
			return map[string]any{"from": &a.Open[i].From, "to": &a.Open[i].To, step[1]: &a.Open[i].Path}[field]
		}
		return &a.Open
	case "plan":
		if i := at(1, len(a.Plan)); i >= 0 {
			return map[string]any{"minutes": &a.Plan[i].Minutes, "teacher": &a.Plan[i].Teacher}[field]
		}
	}
	return nil
}

// decimal is a number as typed.
func decimal(v string) float64 {
	f, err := strconv.ParseFloat(strings.Replace(strings.TrimSpace(v), ",", ".", 1), 64)
	if err != nil || math.IsInf(f, 0) {
		return 0 // what is wrong with that is said, where it is
	}
	return f
}

func itoa(n int) string { return strconv.Itoa(n) }
