package scenario

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"hadarlab/core/simtest/golden"
	"hadarlab/core/text"
	"hadarlab/scenarios"
)

type tree = map[string]any

func schemaTree(t testing.TB) tree {
	t.Helper()
	var s tree
	if err := json.Unmarshal(Schema(), &s); err != nil {
		t.Fatal(err)
	}
	return s
}

// resolve follows a reference; what stands beside it goes before what it names.
func resolve(root, s tree) tree {
	ref, ok := s["$ref"].(string)
	if !ok {
		return s
	}
	out := tree{}
	for k, v := range root["$defs"].(tree)[strings.TrimPrefix(ref, "#/$defs/")].(tree) {
		out[k] = v
	}
	for k, v := range s {
		out[k] = v
	}
	delete(out, "$ref")
	return out
}

// plain is a name without what differs between Go and JSON.
func plain(s string) string { return strings.ToLower(strings.NewReplacer("_", "", "$", "").Replace(s)) }

// TestSchemaDescribesEveryMember walks the Go structs beside the schema: what one has, the other has too.
func TestSchemaDescribesEveryMember(t *testing.T) {
	root := schemaTree(t)
	seen := map[reflect.Type]bool{}
	described(t, root, root, reflect.TypeFor[Document](), "", seen)
	if len(seen) < 12 {
		t.Errorf("only %d structs were walked", len(seen))
	}
}

func described(t *testing.T, root, s tree, typ reflect.Type, path string, seen map[reflect.Type]bool) {
	s = resolve(root, s)
	if d, _ := s["description"].(string); d == "" || !strings.HasSuffix(d, ".") {
		t.Errorf("%s has no description that is a sentence", path)
	}
	if seen[typ] {
		return
	}
	seen[typ] = true
	agrees(t, root, s, objects[typ], typ)
	fields := map[string]reflect.StructField{}
	for _, f := range reflect.VisibleFields(typ) {
		if f.Type == reflect.TypeFor[*Generator]() { // stands inside jobs
			described(t, root, resolve(root,
				s["properties"].(tree)["jobs"].(tree)["properties"].(tree)["generator"].(tree)), f.Type.Elem(),
				path+"/jobs/generator", seen)
		} else if f.IsExported() && !f.Anonymous && f.Type != reflect.TypeFor[text.Extra]() {
			fields[plain(f.Name)] = f
		}
	}
	for name, p := range s["properties"].(tree) {
		f, ok := fields[plain(name)]
		if !ok {
			t.Errorf("%s/%s is in the schema and not in %v", path, name, typ)
			continue
		}
		delete(fields, plain(name))
		holds(t, root, resolve(root, p.(tree)), f.Type, path+"/"+name, seen)
	}
	for _, f := range fields {
		t.Errorf("%v.%s is not in the schema", typ, f.Name)
	}
}

// holds checks the schema of one member against its Go type.
func holds(t *testing.T, root, s tree, typ reflect.Type, path string, seen map[reflect.Type]bool) {
	if d, _ := s["description"].(string); !strings.HasSuffix(d, ".") {
		t.Errorf("%s has no description that is a sentence", path)
	}
	for typ.Kind() == reflect.Pointer {
		typ = typ.Elem()
	}
	want := map[reflect.Kind]string{reflect.String: "string", reflect.Float64: "number", reflect.Int: "integer",
		reflect.Uint64: "integer",
		reflect.Slice:  "array", reflect.Map: "object", reflect.Struct: "object"}[typ.Kind()]
	if typ == reflect.TypeFor[json.RawMessage]() {
		return
	}
	if typ == reflect.TypeFor[Faults]() { // a list, or an object with a generator
		described(t, root, s["items"].(tree), reflect.TypeFor[Fault](), path+"/0", seen)
		described(t, root, s["properties"].(tree)["generator"].(tree), reflect.TypeFor[FaultGenerator](),
			path+"/generator", seen)
		return
	}
	if got := fmt.Sprint(s["type"]); got != want && got != "["+want+" object]" && got != "["+want+" <nil>]" &&
		got != "["+want+" null]" {
		t.Errorf("%s has type %s, and its field is %v", path, got, typ)
	}
	switch {
	case typ.Kind() == reflect.Struct:
		described(t, root, s, typ, path, seen)
	case typ.Kind() == reflect.Slice && typ.Elem().Kind() == reflect.Struct:
		described(t, root, s["items"].(tree), typ.Elem(), path+"/0", seen)
	case typ.Kind() == reflect.Map && typ.Elem().Kind() == reflect.Struct:
		described(t, root, s["additionalProperties"].(tree), typ.Elem(), path+"/key", seen)
	case want == "number" || want == "integer":
		if s["maximum"] == nil || s["minimum"] == nil && s["exclusiveMinimum"] == nil {
			t.Errorf("%s has no limits", path)
		}
	}
}

// agrees holds the schema of an object to its description: which members it must have, limits, defaults and choices.
func agrees(t *testing.T, root, s tree, o *object, typ reflect.Type) {
	var required []string
	for _, r := range listOf(s["required"]) {
		required = append(required, r.(string))
	}
	if !slices.Equal(required, o.names.Need) || len(s["properties"].(tree)) != len(o.members) {
		t.Errorf("%v: required %v, want %v; %d members, want %d", typ, required, o.names.Need,
			len(s["properties"].(tree)), len(o.members))
	}
	for i := range o.members {
		m := &o.members[i]
		p, ok := s["properties"].(tree)[m.name].(tree)
		if !ok {
			t.Errorf("%v.%s is not in the schema", typ, m.name)
			continue
		}
		if p = resolve(root, p); m.name == "version" { // readVersion and Check say what it may be
			continue
		}
		want := tree{}
		switch kind := typ.FieldByIndex(m.field).Type.Kind(); {
		case kind == reflect.String:
			if m.words != nil {
				want["default"] = m.words[0]
			} else if m.text != "" {
				want["default"] = m.text
			} else if m.high > 0 {
				want["maxLength"] = m.high
			}
			for i, word := range m.words {
				if choices := listOf(p["enum"]); len(choices) != len(m.words) || choices[i] != word {
					t.Errorf("%v.%s: choices %v, want %v", typ, m.name, choices, m.words)
				}
			}
		case m.high == 0: // a list or an object
		default:
			for p["type"] == "object" {
				p = resolve(root, p["additionalProperties"].(tree))
			}
			if items, ok := p["items"].(tree); ok {
				p = items
			}
			want["maximum"] = m.high
			if m.above || m.zero && m.low == 0 {
				want["exclusiveMinimum"] = m.low
			} else {
				want["minimum"] = m.low
			}
			if m.def != 0 {
				want["default"] = m.def
			}
		}
		for key, v := range want {
			if p[key] != v {
				t.Errorf("%v.%s: %s is %v, want %v", typ, m.name, key, p[key], v)
			}
		}
	}
}

// TestSchemaCountsAreTheParsers holds how many entries lists may have to the constants, and what else no description of
// a member says.
func TestSchemaCountsAreTheParsers(t *testing.T) {
	root := schemaTree(t)
	defs := root["$defs"].(tree)
	at := func(def, name string) tree { return defs[def].(tree)["properties"].(tree)[name].(tree) }
	for _, c := range []struct {
		s    tree
		key  string
		want float64
	}{
		{at("scenario", "jobs"), "maxItems", float64(FileLimits.Jobs)},
		{at("scenario", "policies"), "maxItems", MaxPolicies},
		{at("cluster", "nodes"), "maxItems", float64(FileLimits.Nodes)},
		{at("throughputs", "rows"), "maxItems", MaxRows},
		{at("throughputs", "pairs"), "maxItems", maxPairs},
		{at("scenario", "tenants"), "maxItems", maxTenants},
		{at("scenario", "faults"), "maxItems", maxFaults},
		{at("cluster", "changes"), "maxItems", maxFaults},
		{at("policy", "force"), "maxItems", maxForces},
		{at("force", "gangs"), "maxItems", maxGangs},
		{at("meta", "title"), "maxLength", float64(FileLimits.Name)},
		{root["properties"].(tree)["requires"].(tree), "maxItems", maxRequires},
		{root["properties"].(tree)["version"].(tree), "maximum", Version},
	} {
		if c.s[c.key] != c.want {
			t.Errorf("%v: %s is %v, want %v", c.s["description"], c.key, c.s[c.key], c.want)
		}
	}
	if at("throughputs", "unit")["const"] != StepsPerS || root["properties"].(tree)["kind"].(tree)["const"] != Kind {
		t.Error("a constant differs")
	}
}

// TestSchemaAgreesWithParse holds presets, and documents with one fault each, to both.
func TestSchemaAgreesWithParse(t *testing.T) {
	root := schemaTree(t)
	check := func(text []byte) []string {
		var v any
		if err := json.Unmarshal(text, &v); err != nil {
			t.Fatal(err)
		}
		return validate(root, root, v, "")
	}
	for _, name := range scenarios.Names {
		data, _ := scenarios.Preset(name)
		if faults := check(data); len(faults) > 0 {
			t.Errorf("%s: %v", name, faults)
		}
	}
	const good = `{"kind":"scenario","version":1,"requires":[],"meta":{"title":"T","derived_from":null},"scenario":{"seed":1,"round_s":60,
"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}}],"gpu_types":{"v100":{"watts":300}}},"network":{"intra_node_gbps":300},
"throughputs":{"rows":[{"model":"m","batch":8,"per_gpu":{"v100":2},"gang":{"v100":{"2":3}}}],
"pairs":[{"a":{"model":"m","batch":8},"b":{"model":"m","batch":8},"rates":{"v100":[1,1]}}]},"tenants":[{"id":"t1","weight":3,"order":"fifo"}],
"jobs":[{"id":"j1","model":"m","batch":8,"gpus":2,"steps":5,"weight":2,"tenant":"t1","slo_s":60,"elastic":{"min":1,"max":2}}],
"overheads":{"restart_s":1,"models":[{"model":"m","merge_s":2}]},"faults":[{"node":"n1","at_s":5,"gpus":1}],"knowledge":{"lengths":"noisy","error":0.5},"policies":[{"id":"hadar","rev":1,"params":{"beam":4},"force":[{"round":3,"job":"j1","gangs":[[{"node":"n1","type":"v100","count":2}]]}]}]},"x":{"y":1}}`
	if faults := check([]byte(good)); len(faults) > 0 {
		t.Errorf("%v", faults)
	}
	for _, c := range [][2]string{{`"kind":"scenario"`, `"kind":"class"`}, {`"version":1`, `"version":2`},
		{`"title":"T"`, `"title":5`}, {`"seed":1`, `"seed":-1`},
		{`"seed":1`, `"seed":1.5`}, {`"round_s":60`, `"round_s":0.5`}, {`"id":"n1"`, `"id":"N1"`},
		{`"v100":2}}]`, `"v100":-2}}]`}, {`"watts":300`, `"watts":"300"`},
		{`"model":"m","batch":8,"per`, `"batch":8,"per`}, {`{"2":3}`, `{"two":3}`}, {`"gpus":2,`, ``},
		{`"gpus":2,`, `"gpus":0,`}, {`"steps":5`, `"steps":0`},
		{`"weight":2`, `"weight":0`}, {`"min":1,`, ``}, {`"restart_s":1`, `"restart_s":-1`}, {`"id":"hadar",`, ``},
		{`[1,1]`, `[1]`}, {`[1,1]`, `[1,-1]`}, {`"b":{"model":"m"`, `"b":{"model":""`},
		{`"weight":3`, `"weight":0`}, {`"fifo"`, `"lifo"`}, {`"merge_s":2`, `"merge_s":-2`}, {`"node":"n1","at`, `"at`},
		{`"at_s":5`, `"at_s":-5`}, {`"noisy"`, `"loud"`}, {`"error":0.5`, `"error":0`},
		{`[{"node":"n1","at_s":5,"gpus":1}]`, `{"generator":{"mtbf_h":5}}`},
		{`[{"node":"n1","at_s":5,"gpus":1}]`, `{}`}, {`[{"node":"n1","at_s":5,"gpus":1}]`,
			`{"generator":{"mtbf_h":5,"mttr_s":0}}`}, {`"tenant":"t1"`, `"tenant":"T 1"`},
		{`"slo_s":60`, `"slo_s":-60`}, {`"rev":1`, `"rev":0.5`},
		{`"round":3`, `"round":-3`}, {`"round":3,`, ``}, {`"job":"j1"`, `"job":"J 1"`}, {`"count":2`, `"count":0`},
		{`"count":2`, `"count":20000`}, {`[{"node":"n1","type":"v100","count":2}]`, `[]`},
		{`,"gangs":[[{"node":"n1","type":"v100","count":2}]]`, ``}} {
		bad := strings.Replace(good, c[0], c[1], 1)
		if bad == good {
			t.Fatalf("%s is not in the document", c[0])
		}
		_, diags := Parse([]byte(bad), FileLimits)
		if faults := check([]byte(bad)); len(faults) == 0 || !diags.HasErrors() {
			t.Errorf("%s: schema %v, parser %s", c[1], faults, golden.Lines(diags))
		}
	}
}

func listOf(v any) []any { l, _ := v.([]any); return l }

// validate is as much of JSON Schema as ours uses.
func validate(root, s tree, v any, path string) (faults []string) {
	s = resolve(root, s)
	fail := func(what string) { faults = append(faults, path+" "+what) }
	if types := listOf(s["type"]); types != nil && !slices.ContainsFunc(types,
		func(t any) bool { return isType(t.(string), v) }) {
		fail("is none of " + fmt.Sprint(types))
	} else if typ, ok := s["type"].(string); ok && !isType(typ, v) {
		fail("is not of type " + typ)
	}
	if c, ok := s["const"]; ok && c != v {
		fail("is not " + fmt.Sprint(c))
	}
	if words := listOf(s["enum"]); words != nil && !slices.Contains(words, v) {
		fail("is none of " + fmt.Sprint(words))
	}
	switch v := v.(type) {
	case string:
		if p, ok := s["pattern"].(string); ok && !regexp.MustCompile(p).MatchString(v) {
			fail("does not match " + p)
		}
		if n, ok := s["maxLength"].(float64); ok && utf8.RuneCountInString(v) > int(n) {
			fail("is too long")
		}
	case float64:
		for key, bad := range map[string]func(limit float64) bool{"minimum": func(l float64) bool { return v < l },
			"maximum":          func(l float64) bool { return v > l },
			"exclusiveMinimum": func(l float64) bool { return v <= l }} {
			if l, ok := s[key].(float64); ok && bad(l) {
				fail("breaks its " + key)
			}
		}
	case []any:
		if n, ok := s["minItems"].(float64); ok && len(v) < int(n) {
			fail("has too few entries")
		}
		if n, ok := s["maxItems"].(float64); ok && len(v) > int(n) {
			fail("has too many entries")
		}
		if items, ok := s["items"].(tree); ok {
			for i, e := range v {
				faults = append(faults, validate(root, items, e, fmt.Sprintf("%s/%d", path, i))...)
			}
		}
	case tree:
		for _, r := range listOf(s["required"]) {
			if v[r.(string)] == nil {
				fail("lacks " + r.(string))
			}
		}
		properties, _ := s["properties"].(tree)
		for name, e := range v {
			at := path + "/" + name
			if names, ok := s["propertyNames"].(tree); ok {
				faults = append(faults, validate(root, names, name, at)...)
			}
			if p, ok := properties[name].(tree); ok {
				faults = append(faults, validate(root, p, e, at)...)
			} else if p, ok := s["additionalProperties"].(tree); ok {
				faults = append(faults, validate(root, p, e, at)...)
			}
		}
	}
	return faults
}

func isType(typ string, v any) bool {
	switch v := v.(type) {
	case nil:
		return typ == "null"
	case string:
		return typ == "string"
	case float64:
		return typ == "number" || typ == "integer" && v == float64(int64(v))
	case []any:
		return typ == "array"
	case tree:
		return typ == "object"
	case bool:
		return typ == "boolean"
	}
	return false
}
