package scenario

import (
	"bytes"
	"encoding/json"
	"strconv"
	"strings"

	"hadarlab/core/text"
)

// reader moves values from a tree into a Document and reports types that do not match. null counts
// as absent everywhere.
type reader struct {
	*findings
	t     *tree
	path  []step
	short bool   // the payload of a link: kind and version may be absent
	loose string // the way out when "scenario" is missing
}

// step is a member name, or an index when name is empty.
type step struct {
	name  string
	index int
	value int // node
}

// members are the names an object may have; those of need must be there.
type members struct{ need, may []string }

func (m *members) all() []string { return append(append([]string{}, m.need...), m.may...) }

// known gives the name of a member as m spells it, and whether it is one.
func (m *members) known(t *tree, k int) (string, bool) {
	raw := t.raw(k)
	in := raw[1 : len(raw)-1]
	for _, names := range [...][]string{m.need, m.may} {
		for _, name := range names {
			if string(in) == name {
				return name, true
			}
		}
	}
	s := t.text(k)
	for _, name := range m.all() { // a name with needless escapes
		if s == name {
			return name, true
		}
	}
	return s, false
}

// object reads the members of node i, calling read for each known one that is not null, and gives
// the unknown ones.
func (r *reader) object(i int, m *members, read func(name string, v int)) Extra {
	if r.t.kind(i) != kObject {
		r.wrongType(i, "an object")
		return nil
	}
	var extra Extra
	var seen uint32
	for k, end := i+1, r.t.next(i); k < end; k = r.t.next(k + 1) {
		v := k + 1
		name, ok := m.known(r.t, k)
		if ok && r.t.kind(v) == kNull {
			continue
		}
		r.push(step{name, -1, v})
		if ok {
			for n, need := range m.need {
				if name == need {
					seen |= 1 << n
				}
			}
			read(name, v)
		} else {
			if extra == nil {
				extra = Extra{}
			}
			extra[name] = r.keep(v)
			fix := ""
			if like := nearest(name, m.all()); like != "" {
				fix = "Did you mean " + like + "?"
			}
			r.add(LevelNote, r.pointer(), codeUnknown, r.who()+text.Quote(name)+
				" is not known here; it is kept and has no effect", fix)
		}
		r.pop()
	}
	for n, need := range m.need {
		if seen&(1<<n) == 0 {
			fix := "Add " + text.Quote(need) + "."
			if need == "scenario" && r.loose != "" {
				fix = r.loose
			}
			r.fail(r.pointer()+"/"+need, codeMissing, r.who()+need+" is missing", fix)
		}
	}
	return extra
}

// list reads the entries of node i.
func (r *reader) list(i int, entry string, read func(v int)) {
	if r.t.kind(i) != kList {
		r.wrongType(i, "a list")
		return
	}
	n := 0
	for v, end := i+1, r.t.next(i); v < end; v, n = r.t.next(v), n+1 {
		r.push(step{"", n, v})
		if r.t.kind(v) == kNull {
			r.wrongType(v, entry)
		}
		read(v) // whatever it is, so that entries keep their numbers
		r.pop()
	}
}

// entries is the number of entries of a list.
func (r *reader) entries(i int) (n int) {
	if r.t.kind(i) == kList {
		for v, end := i+1, r.t.next(i); v < end; v = r.t.next(v) {
			n++
		}
	}
	return n
}

// mapping reads an object whose names are data, nil when it is empty.
func mapping[T any](r *reader, i int, read func(v int) T) map[string]T {
	if r.t.kind(i) != kObject {
		r.wrongType(i, "an object")
		return nil
	}
	var m map[string]T
	for k, end := i+1, r.t.next(i); k < end; k = r.t.next(k + 1) {
		v := k + 1
		if r.t.kind(v) == kNull {
			continue
		}
		if m == nil {
			m = map[string]T{}
		}
		name := r.t.text(k)
		r.push(step{name, -1, v})
		m[name] = read(v)
		r.pop()
	}
	return m
}

func (r *reader) text(v int, to *string) {
	if r.t.kind(v) != kText {
		r.wrongType(v, "a text")
		return
	}
	*to = r.t.text(v)
}

// number reads a quantity and rounds it.
func (r *reader) number(v int, to *float64) {
	if r.exact(v, to) {
		*to = text.Round9(*to)
	}
}

// exact reads a number with all its digits.
func (r *reader) exact(v int, to *float64) bool {
	if r.t.kind(v) != kNumber {
		r.wrongType(v, "a number")
		return false
	}
	x, ok := r.t.number(v)
	if !ok {
		r.tooLarge(v, "numbers end at 1.8e308")
		return false
	}
	*to = x
	return true
}

// whole reads a count, which is never rounded.
func (r *reader) whole(v int) (n int64, ok bool) {
	if r.t.kind(v) != kNumber {
		r.wrongType(v, "a whole number")
		return 0, false
	}
	x, ok := r.t.number(v)
	switch {
	case !ok || x > text.MaxSafe || x < -text.MaxSafe:
		r.tooLarge(v, "whole numbers end at ±9007199254740991")
		return 0, false
	case x != float64(int64(x)):
		low := int64(x)
		if x < 0 {
			low--
		}
		r.fail(r.pointer(), codeInteger, r.who()+r.label()+" is "+text.Number(x)+"; it must be a whole number",
			"Set "+r.label()+" to "+strconv.FormatInt(low, 10)+" or "+strconv.FormatInt(low+1, 10)+".")
		return 0, false
	}
	return int64(x), true
}

func (r *reader) count(v int, to *int) {
	if n, ok := r.whole(v); ok {
		*to = int(n)
	}
}

// value reads anything, for parameters: texts, booleans, rounded numbers, and lists and objects of them.
func (r *reader) value(v int) any {
	switch r.t.kind(v) {
	case kText:
		return r.t.text(v)
	case kTrue, kFalse:
		return r.t.kind(v) == kTrue
	case kNumber:
		x, ok := r.t.number(v)
		if !ok || x > text.MaxSafe || x < -text.MaxSafe {
			r.unsafe(v)
		}
		return text.Round9(x)
	case kList:
		out := []any{}
		for c, end := v+1, r.t.next(v); c < end; c = r.t.next(c) {
			out = append(out, r.value(c))
		}
		return out
	case kObject:
		out := map[string]any{}
		for k, end := v+1, r.t.next(v); k < end; k = r.t.next(k + 1) {
			out[r.t.text(k)] = r.value(k + 1)
		}
		return out
	}
	return nil
}

// keep copies an unknown value as compact JSON. Its numbers must mean the same to every reader.
func (r *reader) keep(v int) json.RawMessage {
	for i := v; i < r.t.next(v); i++ {
		if r.t.kind(i) == kNumber {
			if x, ok := r.t.number(i); !ok || x > text.MaxSafe || x < -text.MaxSafe {
				r.unsafe(i)
			}
		}
	}
	var b bytes.Buffer
	_ = json.Compact(&b, r.t.raw(v)) // valid by construction
	return b.Bytes()
}

func (r *reader) unsafe(i int) {
	r.fail(r.t.pointer(i), codeUnsafe, "the number "+text.Clip(string(r.t.raw(i)))+
		" is beyond 9007199254740991, where programs stop agreeing on numbers",
		"Write a smaller number, or a text.")
}

// tooLarge reports a number beyond what limit names.
func (r *reader) tooLarge(v int, limit string) {
	r.fail(r.pointer(), codeRange, r.who()+r.label()+" is "+text.Clip(string(r.t.raw(v)))+"; "+limit,
		"Set "+r.label()+" to a number nearer to 0.")
}

// asExample shows how a value of each type is written.
var asExample = map[string]string{
	"a text":         `Write it in double quotes, as in "v100".`,
	"a number":       "Write a number, as in 7.2.",
	"a whole number": "Write a whole number, as in 4.",
	"a list":         "Write it as a list: […].",
	"an object":      "Write it as an object: {…}.",
}

func (r *reader) wrongType(v int, want string) {
	r.fail(r.pointer(), codeType, r.who()+r.label()+" is "+describe(r.t, v)+"; it must be "+want, rewrite(r.t, v, want))
}

// rewrite says how a value of another type would be written.
func rewrite(t *tree, v int, want string) string {
	if t.kind(v) == kText && strings.HasSuffix(want, "number") {
		s := strings.TrimSpace(t.text(v))
		if _, err := strconv.ParseFloat(s, 64); err == nil && json.Valid([]byte(s)) {
			return "Write " + text.Clip(s) + " without quotes."
		}
	}
	return asExample[want]
}

func (r *reader) push(s step) { r.path = append(r.path, s) }
func (r *reader) pop()        { r.path = r.path[:len(r.path)-1] }

func (r *reader) pointer() string {
	var b strings.Builder
	for _, s := range r.path {
		b.WriteByte('/')
		if s.index >= 0 {
			b.WriteString(strconv.Itoa(s.index))
		} else {
			b.WriteString(escape(s.name))
		}
	}
	return b.String()
}

// singular names the entries of a list.
var singular = map[string]string{"nodes": "node", "rows": "row", "jobs": "job", "tenants": "tenant", "pairs": "pair",
	"faults": "fault", "changes": "change", "models": "entry", "policies": "policy", "force": "forced choice",
	"gangs": "gang", "": "entry", "requires": "entry",
	"gpu_types": "type", "capacity": "capacity", "cost_per_gpu_hour": "cost", "throughput": "throughput"}

// who names the list entry that is being read, for the front of a message: "j4: ", or "job 4: "
// while its id is unreadable.
func (r *reader) who() string {
	for n := len(r.path) - 1; n > 0; n-- {
		s := r.path[n]
		if s.index < 0 {
			continue
		}
		if r.t.kind(s.value) == kObject {
			for _, name := range [...]string{"id", "model"} {
				if id := r.t.child(s.value, name); id >= 0 && r.t.kind(id) == kText {
					return text.Clip(r.t.text(id)) + ": "
				}
			}
		}
		return singular[r.path[n-1].name] + " " + strconv.Itoa(s.index+1) + ": "
	}
	if len(r.path) > 3 && r.path[2].name == "gpu_types" {
		return text.Clip(r.path[3].name) + ": "
	}
	return ""
}

// label names the member that is being read, with the map keys above it: "gang v100 4".
func (r *reader) label() string {
	first := len(r.path)
	for first > 0 && r.path[first-1].index < 0 {
		first--
	}
	if first == len(r.path) {
		return "the entry"
	}
	if first == 0 { // not inside a list: the name alone is clear
		first = len(r.path) - 1
	}
	names := make([]string, 0, 3)
	for _, s := range r.path[first:] {
		names = append(names, text.Clip(s.name))
	}
	return strings.Join(names, " ")
}

// describe words a value that cannot stay.
func describe(t *tree, i int) string {
	switch t.kind(i) {
	case kNull:
		return "null"
	case kTrue, kFalse:
		return string(t.raw(i))
	case kNumber:
		return "the number " + text.Clip(string(t.raw(i)))
	case kText:
		return "the text " + text.Quote(t.text(i))
	case kList:
		return "a list"
	}
	return "an object"
}
