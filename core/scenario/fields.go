package scenario

import (
	"hadarlab/core/text"
	"hadarlab/core/words"
)

// field describes a member that holds one number or text: how it is read, checked and written. A
// table of fields stands beside its struct, whose method at gives pointers to the members in the
// same order: *float64, *int or *string, or **float64 where absence is not a value. Parse fills in
// defaults, but where 0 or "" stands for one.
type field struct {
	name string
	need bool // must be there, and is always written

	low, high float64 // of a number
	above     bool    // low itself is out
	def       float64
	zero      bool // 0 stands for def in a document made in code; in a text it is a mistake
	unit      string

	words []string // choices of a text; the first is the default, and "" stands for it
	id    string   // what a text that is an id names, for messages
	model bool     // a text that is the name of a model
}

// table is the fields of one kind of object.
type table []field

// members are the names of the fields, and those of other members.
func (t table) members(others ...string) text.Members {
	m := text.Members{May: others}
	for i := range t {
		if t[i].need {
			m.Need = append(m.Need, t[i].name)
		} else {
			m.May = append(m.May, t[i].name)
		}
	}
	return m
}

// fields reads the members of node i that t describes; rest reads the others and may be nil.
func (r *reader) fields(i int, m *text.Members, t table, at []any, rest func(name string, v int)) text.Extra {
	for k := range t {
		if p, ok := at[k].(*float64); ok && !t[k].zero {
			*p = t[k].def
		}
	}
	return r.Object(i, m, func(name string, v int) {
		for k := range t {
			if t[k].name == name {
				r.field(&t[k], at[k], v)
				return
			}
		}
		rest(name, v)
	})
}

func (r *reader) field(f *field, at any, v int) {
	switch p := at.(type) {
	case *string:
		r.Text(v, p)
		if len(f.words) > 0 && *p == f.words[0] {
			*p = ""
		}
	case *int:
		r.Count(v, p)
	case **float64:
		*p = new(float64)
		r.Number(v, *p)
	case *float64:
		r.Number(v, p)
		if !f.zero {
			return
		}
		if r.Tree.Kind(v) == text.KindNumber && *p == 0 {
			r.Fail(r.Pointer(), text.CodeRange,
				words.Say("{0} is {1}; it must be above 0", text.Of(r.Who(), r.Label()), 0),
				words.Say("Set {0} to a number above 0, or leave it out.", r.Label()))
		}
		if *p == f.def {
			*p = 0
		}
	}
}

// fields checks the members that t describes.
func (c *checker) fields(p text.Place, who words.Text, t table, at []any) {
	for k := range t {
		f := &t[k]
		switch v := at[k].(type) {
		case *string:
			c.textField(p.At(f.name), who, f, *v)
		case *int:
			c.numberField(p.At(f.name), who, f, float64(*v))
		case *float64:
			if !f.zero || *v != 0 {
				c.numberField(p.At(f.name), who, f, *v)
			}
		case **float64:
			if *v != nil {
				c.numberField(p.At(f.name), who, f, **v)
			}
		}
	}
}

func (c *checker) numberField(p text.Place, who words.Text, f *field, v float64) {
	if f.above && !(v > f.low) {
		c.above0(p, who, f.name, v, f.high)
		return
	}
	c.Within(p, who, f.name, v, f.low, f.high, f.unit)
}

func (c *checker) textField(p text.Place, who words.Text, f *field, v string) {
	switch {
	case f.model:
		c.name(p, v)
	case f.words != nil && v != "":
		c.choice(p, who, f.name, v, f.words)
	case f.id != "" && (f.need || v != ""):
		c.id(p, f.id, v)
	case f.high > 0:
		c.long(p, text.Of(who, f.name), v, int(f.high), f.name == "title")
	}
}

// fields writes the members that t describes, but those with their defaults.
func (w *writer) fields(t table, at []any) {
	for k := range t {
		f := &t[k]
		switch v := at[k].(type) {
		case *string:
			if f.need || *v != "" && !(len(f.words) > 0 && *v == f.words[0]) {
				w.Member(f.name)
				w.Text(*v)
			}
		case *int:
			if f.need || *v != int(f.def) {
				w.Member(f.name)
				w.Whole(*v)
			}
		case *float64:
			if x := text.Round9(*v); f.need || x != f.def && !(f.zero && x == 0) {
				w.Member(f.name)
				w.Quantity(x)
			}
		case **float64:
			if *v != nil {
				w.Member(f.name)
				w.Quantity(**v)
			}
		}
	}
}

// fieldsIn writes an object of such members and unknown ones, unless it is empty.
func (w *writer) fieldsIn(name string, t table, at []any, extra text.Extra) {
	w.Filled(name, func() { w.entry(t, at, extra) })
}

// entry writes an object of such members and unknown ones.
func (w *writer) entry(t table, at []any, extra text.Extra) {
	w.Begin()
	w.fields(t, at)
	w.Extra(extra)
	w.End()
}
