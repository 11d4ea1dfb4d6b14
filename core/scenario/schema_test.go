package scenario

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hadarlab/core/jsondoc"
	"hadarlab/core/simtest/golden"
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
		} else if f.IsExported() && !f.Anonymous && f.Type != reflect.TypeFor[jsondoc.Extra]() {
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
		reflect.Uint64: "integer", reflect.Bool: "boolean",
		reflect.Slice: "array", reflect.Map: "object", reflect.Struct: "object"}[typ.Kind()]
	if typ == reflect.TypeFor[json.RawMessage]() {
		return
	}
	if typ == reflect.TypeFor[Faults]() { // a list, or an object with a generator
		described(t, root, s["items"].(tree), reflect.TypeFor[Fault](), path+"/0", seen)
		described(t, root, s["properties"].(tree)["generator"].(tree), reflect.TypeFor[FaultGenerator](),
			path+"/generator", seen)
		return
	}
	if typ == reflect.TypeFor[Stragglers]() {
		described(t, root, s["items"].(tree), reflect.TypeFor[Spell](), path+"/0", seen)
		described(t, root, s["properties"].(tree)["generator"].(tree), reflect.TypeFor[SpellGenerator](),
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
				choices := listOf(p["enum"])
				if len(choices) != len(m.words)+1 || choices[i] != word || choices[len(m.words)] != "" {
					t.Errorf("%v.%s: choices %v, want %v and an empty text", typ, m.name, choices, m.words)
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

// TestSchemaAgreesWithParse holds documents with one fault each to both.
func TestSchemaAgreesWithParse(t *testing.T) {
	schema := compiled(t)
	const good = `{"kind":"scenario","version":1,"requires":[],"meta":{"title":"T","derived_from":null},"scenario":{"seed":1,"round_s":60,
"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}}],"gpu_types":{"v100":{"watts":300}}},"network":{"intra_node_gbps":300},
"throughputs":{"rows":[{"model":"m","batch":8,"per_gpu":{"v100":2},"gang":{"v100":{"2":3}}}],
"pairs":[{"a":{"model":"m","batch":8},"b":{"model":"m","batch":8},"rates":{"v100":[1,1]}}]},"tenants":[{"id":"t1","weight":3,"order":"fifo"}],
"jobs":[{"id":"j1","model":"m","batch":8,"gpus":2,"steps":5,"weight":2,"tenant":"t1","slo_s":60,"elastic":{"min":1,"max":2}}],
"overheads":{"restart_s":1,"models":[{"model":"m","merge_s":2}]},"faults":[{"node":"n1","at_s":5,"gpus":1}],"knowledge":{"lengths":"noisy","error":0.5},"policies":[{"id":"hadar","rev":1,"params":{"beam":4},"force":[{"round":3,"job":"j1","gangs":[[{"node":"n1","type":"v100","count":2}]]}]}]},"x":{"y":1}}`
	if err := valid(t, schema, []byte(good)); err != nil {
		t.Error(err)
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
		if err := valid(t, schema, []byte(bad)); err == nil || !diags.HasErrors() {
			t.Errorf("%s: schema %v, parser %s", c[1], err, golden.Lines(diags))
		}
	}
}

func listOf(v any) []any { l, _ := v.([]any); return l }

// compiled is the schema as another program reads it, which also holds it to the rules of JSON Schema 2020-12.
func compiled(t testing.TB) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(Schema()))
	if err != nil {
		t.Fatal(err)
	}
	id := doc.(tree)["$id"].(string)
	if u, err := url.Parse(id); err != nil || !u.IsAbs() || u.Fragment != "" {
		t.Errorf("$id is %q, which is no absolute URI", id)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(id, doc); err != nil {
		t.Fatal(err)
	}
	s, err := c.Compile(id)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// valid holds a text to the schema. What is null counts as absent, which the schema says in words alone.
func valid(t testing.TB, s *jsonschema.Schema, data []byte) error {
	t.Helper()
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	return s.Validate(present(v))
}

func present(v any) any {
	switch v := v.(type) {
	case tree:
		maps.DeleteFunc(v, func(_ string, e any) bool { return e == nil })
		for k, e := range v {
			v[k] = present(e)
		}
	case []any:
		for i, e := range v {
			v[i] = present(e)
		}
	}
	return v
}

// whole are documents that have every member between them.
var whole = []string{"testdata/sample.json", "testdata/drawn.json", "testdata/linked.json"}

// TestEveryMemberIsTried: every member that the schema has stands in a document whose values tests replace one by one.
func TestEveryMemberIsTried(t *testing.T) {
	var root tree
	if err := json.Unmarshal(Schema(), &root); err != nil {
		t.Fatal(err)
	}
	var docs []any
	for _, file := range whole {
		var doc any
		if err := json.Unmarshal(shipped(t)[file], &doc); err != nil {
			t.Fatal(err)
		}
		docs = append(docs, doc)
	}
	seen := 0
	var walk func(node tree, at string, values []any)
	walk = func(node tree, at string, values []any) {
		if ref, ok := node["$ref"].(string); ok {
			node = root["$defs"].(tree)[strings.TrimPrefix(ref, "#/$defs/")].(tree)
		}
		for _, either := range []string{"anyOf", "oneOf"} {
			list, _ := node[either].([]any)
			for _, one := range list {
				walk(one.(tree), at, values)
			}
		}
		within := map[string][]any{} // values of the objects and lists that stand here
		for _, v := range values {
			switch v := v.(type) {
			case tree:
				for k, e := range v {
					within[k], within["*"] = append(within[k], e), append(within["*"], e)
				}
			case []any:
				within["-"] = append(within["-"], v...)
			}
		}
		members, _ := node["properties"].(tree)
		for name, member := range members {
			seen++
			if within[name] == nil && !endsIn(at+"/"+name, apart) {
				t.Errorf("no document has %s/%s", at, name)
			}
			walk(member.(tree), at+"/"+name, within[name])
		}
		for part, key := range map[string]string{"items": "-", "additionalProperties": "*"} {
			if of, ok := node[part].(tree); ok {
				walk(of, at+"/"+key, within[key])
			}
		}
	}
	walk(root, "", docs)
	if seen < 100 {
		t.Errorf("only %d members", seen)
	}
}

// apart are members that cannot stand beside another that the documents have.
var apart = []string{"/generator/duration_s"}

// shipped are all documents that come with the program.
func shipped(t testing.TB) map[string][]byte {
	docs := map[string][]byte{}
	for _, name := range scenarios.Names {
		docs[name], _ = scenarios.Preset(name)
	}
	for _, id := range scenarios.Assignments {
		b, _ := scenarios.Assignment(id)
		var a struct{ Scenario json.RawMessage }
		if err := json.Unmarshal(b, &a); err != nil {
			t.Fatal(err)
		}
		docs["assignment "+id] = a.Scenario
	}
	for _, file := range []string{"../../scenarios/examples/generated.json", "testdata/sample.json",
		"testdata/drawn.json", "testdata/linked.json"} {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		docs[file] = b
	}
	return docs
}

// sayable are the findings of the parser that a schema can say too.
var sayable = []string{jsondoc.CodeKind, jsondoc.CodeTooNew, jsondoc.CodeVersion, jsondoc.CodeMissing,
	"wrong-type", "not-integer",
	codeID, codeLong, codeName, codeSize, codeUnit, codeNoJobs, codeChoice, jsondoc.CodeRange, jsondoc.CodeMany,
	jsondoc.CodeCount}

// reckoned are where limits hang on several figures: how many jobs or faults would be drawn.
var reckoned = []string{"/faults/generator/mtbf_h", "/stragglers/generator/per_h",
	"/arrivals/burst_gap_s", "/arrivals/rate_per_h", "/generator/gpus"}

// forgiven are a kind and a unit that are an empty text and a revision that is 0: the parser takes them as absent.
var forgiven = []string{"/kind=0", "/throughputs/unit=0", "/rev=4"}

func endsIn(s string, ends []string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(s, end) })
}

// TestSchemaAndParserAgree: a document without errors is valid, and one with an error that a schema can say is not. So
// it is for what is shipped, for all documents of the parser's own tests, and for those with a value of another kind.
func TestSchemaAndParserAgree(t *testing.T) {
	schema := compiled(t)
	tried := 0
	agree := func(name string, data []byte) {
		tried++
		doc, diags := Parse(data, FileLimits)
		err := valid(t, schema, data)
		if err != nil && !diags.HasErrors() { // what only Compile finds
			_, diags = Compile(doc, nil)
		}
		says := slices.ContainsFunc(diags.Errors(), func(d jsondoc.Diagnostic) bool {
			return slices.Contains(sayable, d.Code) && !endsIn(d.Path, reckoned)
		})
		switch {
		case err != nil && !diags.HasErrors() && !endsIn(name, forgiven):
			t.Errorf("%s: only the schema refuses it: %v\n%.300s", name, err, data)
		case err == nil && says:
			t.Errorf("%s: only the parser refuses it: %s\n%.300s", name, golden.Lines(diags.Errors()), data)
		}
	}
	for name, data := range shipped(t) {
		agree(name, data)
		if err := valid(t, schema, data); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, file := range []string{"testdata/diagnostics.txt", "testdata/forms.txt"} {
		for _, c := range golden.Read(t, file) {
			if data := []byte(c.Input()); json.Valid(data) {
				agree(c.Kind+"/"+c.Name, data)
			}
		}
	}
	for _, file := range whole {
		var whole any
		if err := json.Unmarshal(shipped(t)[file], &whole); err != nil {
			t.Fatal(err)
		}
		for at, other := range replaced(whole, "", "X 1", 1.5, -1.0, 0.0, 1e300, true, []any{}, tree{}, []any{1.5},
			tree{"x": 1.5}) {
			data, err := json.Marshal(other)
			if err != nil {
				t.Fatal(err)
			}
			agree(file+at, data)
		}
	}
	if tried < 1000 {
		t.Errorf("only %d documents", tried)
	}
}

// replaced gives v with each of its values in turn replaced by each of the others, by a pointer and the other's place.
func replaced(v any, by ...any) iter.Seq2[string, any] {
	return func(yield func(string, any) bool) {
		for i, other := range by {
			if !yield(fmt.Sprint("=", i), other) {
				return
			}
		}
		switch v := v.(type) {
		case tree:
			for _, key := range jsondoc.Keys(v) {
				for at, other := range replaced(v[key], by...) {
					c := maps.Clone(v)
					c[key] = other
					if !yield("/"+key+at, c) {
						return
					}
				}
			}
		case []any:
			for i := range v {
				for at, other := range replaced(v[i], by...) {
					c := slices.Clone(v)
					c[i] = other
					if !yield(fmt.Sprint("/", i, at), c) {
						return
					}
				}
			}
		}
	}
}
