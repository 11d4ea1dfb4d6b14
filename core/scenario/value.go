package scenario

import (
	"math"
	"strconv"
	"strings"

	"hadarlab/core/text"
)

// Value is one number or text of a document that has a name of its own: what it may be, and where it is.
type Value struct {
	Low, High float64 // of a number
	Above     bool    // Low itself is not allowed
	Whole     bool
	Unit      string   // of a number, "" = none
	Default   float64  // of a number that is left out
	Choices   []string // of a text, the default first; nil = any

	at any // *float64, *int, *uint64, *string, **float64 or sizeShare; nil = the document has no such object
}

// sizeShare is the share of a gang size in a generator.
type sizeShare struct {
	of   map[string]float64
	size string
}

// Value finds what is at an RFC 6901 pointer, as /scenario/jobs/0/gpus. What it may be does not depend on the document.
// ok is false where no object has a number or text under that name.
func (d *Document) Value(pointer string) (v Value, ok bool) {
	cut := max(strings.LastIndexByte(pointer, '/'), 0)
	if g := d.Scenario.Generator; pointer[:cut] == atGenerator+"/gpus" {
		if v.High = MaxWeight; g != nil && g.GPUs != nil {
			v.at = sizeShare{g.GPUs, pointer[cut+1:]}
		}
		return v, true
	}
	t, at, found := d.object(strings.TrimPrefix(pointer[:cut], atScenario))
	for k := range t {
		f := &t[k]
		if pointer[cut:] != "/"+f.name {
			continue
		}
		v = Value{Low: f.low, High: f.high, Above: f.above || f.zero && f.low == 0, Unit: strings.TrimSpace(f.unit),
			Default: f.def, Choices: f.words}
		switch at[k].(type) {
		case *int, *uint64:
			v.Whole = true
		}
		if found {
			v.at = at[k]
		}
		return v, true
	}
	return v, false
}

// object is the description of the object at a pointer below /scenario, and its members, which are those of nothing
// where the document has no such object.
func (d *Document) object(pointer string) (t table, at []any, found bool) {
	s, i := &d.Scenario, -1
	steps := strings.Split(pointer, "/")
	for k := range steps {
		if n := indexOf(steps[k], math.MaxInt); n >= 0 {
			i, steps[k] = n, "#"
		}
	}
	g, drawn := s.Generator, s.Generator != nil
	if !drawn {
		g = &Generator{}
	}
	switch strings.Join(steps, "/") {
	case "":
		return runFields, s.at(), true
	case "/overheads":
		return overheadsFields, s.Overheads.at(), true
	case "/overheads/models/#":
		return entryAt(modelFields, s.Overheads.Models, i, (*ModelOverheads).at)
	case "/knowledge":
		return knowledgeFields, s.Knowledge.at(), true
	case "/tenants/#":
		return entryAt(tenantFields, s.Tenants, i, (*Tenant).at)
	case "/jobs/#":
		return entryAt(jobFields, s.Jobs, i, (*Job).at)
	case "/jobs/generator":
		return jobsGenFields, g.at(), drawn
	case "/jobs/generator/arrivals":
		return arrivalsFields, g.Arrivals.at(), drawn
	case "/jobs/generator/lengths":
		return lengthsFields, g.Lengths.at(), drawn
	case "/jobs/generator/models/#":
		return entryAt(shareFields, g.Models, i, (*ModelShare).at)
	case "/faults/#":
		return entryAt(faultFields, s.Faults.List, i, (*Fault).at)
	case "/faults/generator":
		if f := s.Faults.Generator; f != nil {
			return generatorFields, f.at(), true
		}
		return generatorFields, new(FaultGenerator).at(), false
	case "/cluster/changes/#":
		return entryAt(changeFields, s.Cluster.Changes, i, (*Change).at)
	}
	return nil, nil, false
}

// entryAt is object for entry i of a list.
func entryAt[T any](t table, list []T, i int, at func(*T) []any) (table, []any, bool) {
	if i < 0 || i >= len(list) {
		return t, at(new(T)), false
	}
	return t, at(&list[i]), true
}

// Number is the number as the document has it; has is false where it has none.
func (v *Value) Number() (n float64, has bool) {
	switch p := v.at.(type) {
	case *float64:
		return *p, true
	case *int:
		return float64(*p), true
	case *uint64:
		return float64(*p), true
	case **float64:
		if *p != nil {
			return **p, true
		}
	case sizeShare:
		return p.of[p.size], true
	}
	return 0, false
}

// Found says whether the document has the object of the value.
func (v *Value) Found() bool { return v.at != nil }

// SetNumber sets the number, where the document has its object. Whether it is allowed, Check says.
func (v *Value) SetNumber(n float64) {
	switch p := v.at.(type) {
	case *float64:
		*p = n
	case *int:
		*p = int(n)
	case *uint64:
		*p = uint64(n)
	case **float64:
		*p = &n
	case sizeShare:
		p.of[p.size] = n
	}
}

// Text is the text, its default where it is left out; "" where the document has no such object.
func (v *Value) Text() string {
	p, ok := v.at.(*string)
	switch {
	case ok && *p == "" && v.Choices != nil:
		return v.Choices[0]
	case ok:
		return *p
	}
	return ""
}

// SetText sets the text, where the document has its object.
func (v *Value) SetText(s string) {
	if p, ok := v.at.(*string); ok {
		*p = s
	}
}

// Alter sets the value at an RFC 6901 pointer: a number of a described object, the GPUs of a node, or a parameter of a
// policy. It says whether the document has such a value and is changed. Whether the new value is allowed, Parse says.
func (d *Document) Alter(pointer string, value any) bool {
	n, number := value.(float64)
	if v, ok := d.Value(pointer); ok {
		old, has := v.Number()
		if !number || !has || old == n {
			return false
		}
		v.SetNumber(n)
		return true
	}
	p := strings.Split(pointer, "/")
	if len(p) < 6 || p[0] != "" || p[1] != "scenario" {
		return false
	}
	s := &d.Scenario
	last := text.Unescape(p[len(p)-1])
	switch {
	case len(p) == 7 && p[2] == "cluster" && p[3] == "nodes" && p[5] == "gpus":
		i := indexOf(p[4], len(s.Cluster.Nodes))
		if i < 0 || !number || s.Cluster.Nodes[i].GPUs[last] == int(n) {
			return false
		}
		if s.Cluster.Nodes[i].GPUs == nil {
			s.Cluster.Nodes[i].GPUs = map[string]int{}
		}
		s.Cluster.Nodes[i].GPUs[last] = int(n)
	case len(p) == 6 && p[2] == "policies" && p[4] == "params":
		i := indexOf(p[3], len(s.Policies))
		if i < 0 || s.Policies[i].Params[last] == value {
			return false
		}
		if s.Policies[i].Params == nil {
			s.Policies[i].Params = map[string]any{}
		}
		s.Policies[i].Params[last] = value
	default:
		return false
	}
	return true
}

// indexOf reads a place in a list of n, -1 for any other text.
func indexOf(step string, n int) int {
	if i, err := strconv.Atoi(step); err == nil && 0 <= i && i < n && strconv.Itoa(i) == step {
		return i
	}
	return -1
}
