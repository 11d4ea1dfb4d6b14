package board

import (
	"encoding/json"
	"math"
	"reflect"
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
		case *[]json.RawMessage: // a preset's name is one more
			if doc := m.Boot.PresetNamed(a.Text); doc != nil {
				*to = append(*to, doc.Marshal(false))
			}
		}
	})
}

func (a SetSwitch) on(m *Model) []room.Effect {
	return m.changeDraft(func(d *class.Assignment) {
		if again, ok := valueAt(d, a.Path).(*bool); ok {
			*again = a.On
		}
		if a.Path == "/task/race" && d.Task != nil {
			if d.Task.Race, d.Task.Changes, d.Task.Works = nil, 1, nil; a.On {
				d.Task.Race, d.Task.Changes = &class.Race{}, 0
			}
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
		case *[]class.Bound:
			*list = append(*list, class.Bound{Metric: "ftf_max", Most: 2})
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

// atEntry moves an entry of a list by some places, or by 0 takes it out; at the list's ends nothing moves.
func atEntry(d *class.Assignment, path string, by int) {
	at := strings.LastIndexByte(path, '/')
	i, err := strconv.Atoi(path[at+1:])
	list := reflect.ValueOf(valueAt(d, path[:at]))
	if err != nil || list.Kind() != reflect.Pointer || list.Elem().Kind() != reflect.Slice {
		return
	}
	list = list.Elem()
	switch n, k := list.Len(), i+by; {
	case i < 0 || k < 0 || max(i, k) >= n:
	case by == 0:
		list.Set(reflect.AppendSlice(list.Slice(0, i), list.Slice(i+1, n)))
	default:
		reflect.Swapper(list.Interface())(i, k)
	}
}

// valueAt is where a value of an assignment is kept: a pointer to a text, a number, a switch or a list; nil where the
// pointer names nothing.
func valueAt(a *class.Assignment, path string) any {
	v := reflect.ValueOf(a).Elem()
	for _, step := range strings.Split(strings.TrimPrefix(path, "/"), "/") {
		if v.Kind() == reflect.Pointer {
			if v = v.Elem(); !v.IsValid() {
				return nil
			}
		}
		i := -1
		switch v.Kind() {
		case reflect.Struct:
			for i = v.NumField() - 1; i >= 0; i-- {
				if name, _, _ := strings.Cut(v.Type().Field(i).Tag.Get("json"), ","); name == step {
					v = v.Field(i)
					break
				}
			}
		case reflect.Slice:
			if at, err := strconv.Atoi(step); err == nil && at >= 0 && at < v.Len() {
				i, v = at, v.Index(at)
			}
		}
		if i < 0 {
			return nil
		}
	}
	switch to := v.Addr().Interface().(type) {
	case *class.Option:
		return &to.From
	case *class.Open:
		return &to.Path
	default:
		return to
	}
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
