package scenario

import (
	"math"
	"reflect"
	"strconv"
	"strings"

	"hadarlab/core/jsondoc"
)

// Value is one number, text or switch of a document that has a name of its own: what it may be, and where it is.
type Value struct {
	Low, High float64 // of a number
	Above     bool    // Low itself is not allowed
	Whole     bool
	Unit      string   // of a number, "" = none
	Default   float64  // of a number that is left out
	Choices   []string // of a text, the default first; nil = any. A switch is the text false or true

	at  reflect.Value // the field, or the mapping that has it; invalid = the document has no such object
	key string        // its name in the mapping
}

// Value finds what is at an RFC 6901 pointer, as /scenario/jobs/0/gpus. What it may be does not depend on the document.
// ok is false where no object has a number, text or switch under that name.
func (d *Document) Value(pointer string) (v Value, ok bool) {
	s := &d.Scenario
	steps := strings.Split(strings.TrimPrefix(pointer, atScenario+"/"), "/")
	p := place{at: reflect.ValueOf(s).Elem(), found: true}
	switch {
	case !strings.HasPrefix(pointer, atScenario+"/"):
		return v, false
	case strings.HasPrefix(pointer, atGenerator+"/"): // it stands where the list would
		p.at, steps = reflect.ValueOf(&s.Generator).Elem(), steps[2:]
	case steps[0] == "faults" && len(steps) > 1 && steps[1] != "generator":
		p.at, steps = reflect.ValueOf(s.Faults.List), steps[1:]
	case steps[0] == "stragglers" && len(steps) > 1 && steps[1] != "generator":
		p.at, steps = reflect.ValueOf(s.Stragglers.List), steps[1:]
	}
	for k, step := range steps {
		if p.at.Kind() == reflect.Map && k == len(steps)-1 {
			v.key = jsondoc.Unescape(step)
		} else if !p.enter(step) {
			return v, false
		}
	}
	typ := p.at.Type()
	if v.key != "" || typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	m := p.member
	switch typ.Kind() {
	case reflect.Bool:
		v.Choices = []string{"false", "true"}
	case reflect.String, reflect.Int, reflect.Uint64, reflect.Float64:
		v.Low, v.High, v.Above = m.low, m.high, m.above || m.zero && m.low == 0
		v.Whole = typ.Kind() == reflect.Int || typ.Kind() == reflect.Uint64
		v.Unit, v.Default, v.Choices = strings.TrimSpace(m.unit), m.def, m.words
	default:
		return v, false
	}
	if p.found && !(m.bySize && p.at.IsNil()) { // without shares of its own, a generator has those of its kind
		v.at = p.at
	}
	return v, true
}

// place is where a pointer leads from one step to the next.
type place struct {
	at     reflect.Value
	member *member // the last one
	found  bool    // the document has at; otherwise it is an empty value of the same type
}

// enter takes a step into an object, a list or a mapping. It says whether one of that name is described.
func (p *place) enter(step string) bool {
	nothing := func(typ reflect.Type) reflect.Value {
		p.found = false
		return reflect.New(typ).Elem()
	}
	if p.at.Kind() == reflect.Pointer && p.at.IsNil() {
		p.at = nothing(p.at.Type().Elem())
	} else if p.at.Kind() == reflect.Pointer {
		p.at = p.at.Elem()
	}
	switch p.at.Kind() {
	case reflect.Struct:
		if p.member = objects[p.at.Type()].member(step); p.member != nil {
			p.at = p.at.FieldByIndex(p.member.field)
		}
		return p.member != nil
	case reflect.Slice:
		i := indexOf(step, math.MaxInt)
		if 0 <= i && i < p.at.Len() {
			p.at = p.at.Index(i)
		} else {
			p.at = nothing(p.at.Type().Elem())
		}
		return i >= 0
	case reflect.Map:
		entry := p.at.MapIndex(reflect.ValueOf(jsondoc.Unescape(step)))
		if !entry.IsValid() {
			entry = nothing(p.at.Type().Elem())
		}
		p.at = entry
		return entry.Kind() == reflect.Map
	}
	return false
}

// Number is the number as the document has it; has is false where it has none.
func (v *Value) Number() (n float64, has bool) {
	at := v.at
	if at.Kind() == reflect.Map {
		if at = at.MapIndex(reflect.ValueOf(v.key)); !at.IsValid() {
			return 0, true // as good as 0
		}
	}
	switch at.Kind() {
	case reflect.Float64:
		return at.Float(), true
	case reflect.Int:
		return float64(at.Int()), true
	case reflect.Uint64:
		return float64(at.Uint()), true
	case reflect.Pointer:
		if !at.IsNil() {
			return at.Elem().Float(), true
		}
	}
	return 0, false
}

// Found says whether the document has the object of the value.
func (v *Value) Found() bool { return v.at.IsValid() }

// SetNumber sets the number, where the document has its object. Whether it is allowed, Check says.
func (v *Value) SetNumber(n float64) {
	at := v.at
	switch at.Kind() {
	case reflect.Float64, reflect.Int, reflect.Uint64:
		at.Set(reflect.ValueOf(n).Convert(at.Type()))
	case reflect.Pointer:
		at.Set(reflect.ValueOf(&n))
	case reflect.Map:
		if at.IsNil() {
			at.Set(reflect.MakeMap(at.Type()))
		}
		at.SetMapIndex(reflect.ValueOf(v.key), reflect.ValueOf(n).Convert(at.Type().Elem()))
	}
}

// Text is the text, its default where it is left out; "" where the document has no such object.
func (v *Value) Text() string {
	switch {
	case v.at.Kind() == reflect.Bool:
		return strconv.FormatBool(v.at.Bool())
	case v.at.Kind() != reflect.String:
		return ""
	case v.at.Len() == 0 && v.Choices != nil:
		return v.Choices[0]
	}
	return v.at.String()
}

// SetText sets the text, where the document has its object.
func (v *Value) SetText(s string) {
	switch v.at.Kind() {
	case reflect.String:
		v.at.SetString(s)
	case reflect.Bool:
		v.at.SetBool(s == "true")
	}
}

// Alter sets the value at an RFC 6901 pointer: a number or switch of a described object, or a parameter of a policy. It
// says whether the document has such a value and is changed. Whether the new value is allowed, Parse says.
func (d *Document) Alter(pointer string, value any) bool {
	n, number := value.(float64)
	if v, ok := d.Value(pointer); ok {
		if on, ok := value.(bool); ok && v.at.Kind() == reflect.Bool && v.at.Bool() != on {
			v.at.SetBool(on)
			return true
		}
		old, has := v.Number()
		if !number || !has || old == n {
			return false
		}
		v.SetNumber(n)
		return true
	}
	p := strings.Split(strings.TrimPrefix(pointer, atPolicies+"/"), "/")
	if len(p) != 3 || p[1] != "params" {
		return false
	}
	lanes, name := d.Scenario.Policies, jsondoc.Unescape(p[2])
	i := indexOf(p[0], len(lanes))
	if i < 0 || lanes[i].Params[name] == value {
		return false
	}
	if lanes[i].Params == nil {
		lanes[i].Params = map[string]any{}
	}
	lanes[i].Params[name] = value
	return true
}

// indexOf reads a place in a list of n, -1 for any other text.
func indexOf(step string, n int) int {
	if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < n && strconv.Itoa(i) == step {
		return i
	}
	return -1
}
