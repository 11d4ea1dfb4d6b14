package scenario

import (
	"cmp"
	"encoding/json"
	"reflect"

	"hadarlab/core/jsondoc"
	"hadarlab/core/words"
)

// reader reads the objects of a document.
type reader struct {
	*jsondoc.Reader
	short bool // the payload of a link: kind and version may be absent
}

func newReader(t *jsondoc.Tree, f *jsondoc.Collector) *reader {
	r := &reader{Reader: jsondoc.NewReader(t, f)}
	r.Singular, r.Keyed = singular, "gpu_types"
	return r
}

// singular names the entries of a document's lists.
var singular = [][2]string{{"nodes", "node {0}"}, {"rows", "row {0}"}, {"jobs", "job {0}"}, {"tenants", "tenant {0}"},
	{"pairs", "pair {0}"}, {"faults", "fault {0}"}, {"stragglers", "spell {0}"},
	{"changes", "change {0}"}, {"groups", "group {0}"}, {"models", "entry {0}"},
	{"policies", "policy {0}"}, {"force", "forced choice {0}"}, {"gangs", "gang {0}"}, {"", "entry {0}"},
	{"requires", "entry {0}"}}

func (r *reader) document(d *Document) {
	if r.has("cluster") && r.has("jobs") {
		r.Ways = map[string]words.Text{"scenario": words.Say(
			`Put cluster, throughputs and jobs inside "scenario":{…}.`)}
	}
	d.Scenario = Scenario{RoundS: DefaultRoundS, Throughputs: Throughputs{Unit: StepsPerS}} // even where it is missing
	r.object(0, reflect.ValueOf(d).Elem())
	if !r.short && !r.has("kind") {
		r.Add(jsondoc.LevelNote, "/kind", codeAssumed, words.Say("kind is missing; scenario is assumed"),
			words.Say(`Add "kind":"scenario".`))
	}
	if !r.short && !r.has("version") {
		r.Add(jsondoc.LevelNote, "/version", codeAssumed, words.Say("version is missing; 1 is assumed"),
			words.Say(`Add "version":1.`))
	}
}

// has says whether the document itself has a member.
func (r *reader) has(name string) bool {
	i := r.Tree.Child(0, name)
	return i >= 0 && r.Tree.Kind(i) != jsondoc.KindNull
}

// object reads an object into the struct that it is described by.
func (r *reader) object(i int, to reflect.Value) {
	o := objects[to.Type()]
	o.fill(to)
	extra := r.Object(i, &o.names, func(name string, v int) {
		m := o.member(name)
		if m.read != nil {
			m.read(r, v, to.Addr().Interface())
			return
		}
		r.value(m, v, to.FieldByIndex(m.field))
	})
	to.FieldByIndex(o.extra).Set(reflect.ValueOf(extra))
}

// fill gives the members of a struct their defaults.
func (o *object) fill(to reflect.Value) {
	for _, m := range o.filled {
		switch p := to.FieldByIndex(m.field).Addr().Interface().(type) {
		case *float64:
			*p = m.def
		case *int:
			*p = int(m.def)
		case *string:
			*p = m.text
		}
	}
}

// value reads what a member holds, or an entry of it.
func (r *reader) value(m *member, v int, to reflect.Value) {
	switch p := to.Addr().Interface().(type) {
	case *string:
		r.Text(v, p)
		if *p = cmp.Or(*p, m.text); len(m.words) > 0 && *p == m.words[0] {
			*p = ""
		}
	case *int:
		r.Count(v, p)
		*p = cmp.Or(*p, int(m.def))
	case *uint64:
		r.unsigned(v, p)
	case *float64:
		r.Number(v, p)
		if m.zero {
			r.above0(m, v, p)
		}
	case *bool:
		r.Bool(v, p)
	case **float64:
		*p = new(float64)
		r.Number(v, *p)
	case *map[string]int:
		*p = jsondoc.Mapping(r.Reader, v, func(v int) (n int) { r.Count(v, &n); return })
	case *map[string]float64:
		*p = r.numbers(v)
	case *map[string]map[string]float64:
		*p = jsondoc.Mapping(r.Reader, v, r.numbers)
	case *map[string][2]float64:
		*p = jsondoc.Mapping(r.Reader, v, r.two)
	case *map[string]any:
		*p = jsondoc.Mapping(r.Reader, v, r.Value)
	case *map[string]GPUType:
		*p = jsondoc.Mapping(r.Reader, v, func(v int) (g GPUType) { r.object(v, reflect.ValueOf(&g).Elem()); return })
	case *json.RawMessage:
		*p = r.Keep(v)
	default:
		r.several(m, v, to)
	}
}

// several reads what holds values: a list or an object.
func (r *reader) several(m *member, v int, to reflect.Value) {
	switch typ := to.Type(); typ.Kind() {
	case reflect.Slice:
		entry := "an object"
		switch typ.Elem().Kind() {
		case reflect.Slice:
			entry = "a list"
		case reflect.String:
			entry = "a text"
		}
		to.SetZero()
		if n := r.Entries(v); n > 0 {
			to.Set(reflect.MakeSlice(typ, n, n))
		}
		k := 0
		r.List(v, entry, func(v int) {
			r.value(m, v, to.Index(k))
			k++
		})
	case reflect.Pointer:
		to.Set(reflect.New(typ.Elem()))
		r.object(v, to.Elem())
	default:
		r.object(v, to)
	}
}

// either reads a list, or an object in its place that says how its entries are drawn. Both are pointers.
func (r *reader) either(v int, list, drawn any) {
	if r.Tree.Kind(v) == jsondoc.KindObject {
		r.object(v, reflect.ValueOf(drawn).Elem())
		return
	}
	r.value(&member{}, v, reflect.ValueOf(list).Elem())
}

// above0 reports a number of 0 in a text, and makes of the default the 0 that stands for it.
func (r *reader) above0(m *member, v int, p *float64) {
	if r.Tree.Kind(v) == jsondoc.KindNumber && *p == 0 {
		r.Fail(r.Pointer(), jsondoc.CodeRange,
			words.Say("{0} is {1}; it must be above 0", jsondoc.Of(r.Who(), r.Label()), 0),
			words.Say("Set {0} to a number above 0, or leave it out.", r.Label()))
	}
	if *p == m.def {
		*p = 0
	}
}

// unsigned reads a whole number that is never rounded.
func (r *reader) unsigned(v int, to *uint64) {
	n, ok := r.Whole(v)
	if ok && n < 0 {
		r.Fail(r.Pointer(), jsondoc.CodeRange,
			words.Say("{0} is {1}; the least is {2}", r.Label(), jsondoc.Number(float64(n)), 0),
			words.Say("Set {0} to {1} or more.", r.Label(), 0))
		return
	}
	if ok {
		*to = uint64(n)
	}
}

func (r *reader) numbers(i int) map[string]float64 {
	return jsondoc.Mapping(r.Reader, i, func(v int) (x float64) { r.Number(v, &x); return })
}

// two reads a list of two numbers.
func (r *reader) two(i int) (out [2]float64) {
	if n := r.Entries(i); r.Tree.Kind(i) == jsondoc.KindList && n != len(out) {
		r.Fail(r.Pointer(), jsondoc.CodeCount,
			words.Say("{0} has {1}; it takes two", jsondoc.Of(r.Who(), r.Label()), jsondoc.Plural(n, "number")),
			words.Say("Give the speeds of a and of b, as in [3.5,2]."))
		return out
	}
	at := 0
	r.List(i, "a number", func(v int) {
		if r.Tree.Kind(v) != jsondoc.KindNull {
			r.Number(v, &out[at])
		}
		at++
	})
	return out
}
