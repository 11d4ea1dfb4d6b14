//go:build !js

package worker_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"hadarlab/worker"
)

// spec is as much of an OpenAPI document as its tests need.
type spec struct {
	Info     struct{ Version string }
	Servers  []struct{ URL string }
	Security []map[string][]string
	Paths    map[string]map[string]json.RawMessage

	Components struct {
		SecuritySchemes map[string]json.RawMessage
		Responses       map[string]response
	}

	// answers and requests hold documents to the schemas. What the program sends has no member that is not described,
	// so that nothing stays undescribed; clients must expect new ones, and the schemas say nothing against them.
	answers, requests schemas
}

type operation struct {
	OperationID string `json:"operationId"`
	Parameters  []json.RawMessage
	RequestBody *struct{ Required bool }
	Responses   map[string]response
	Security    *[]map[string][]string
	at          string // pointer into the document
}

type response struct {
	Ref         string `json:"$ref"`
	Description string
	Content     map[string]struct {
		Schema struct {
			ContentSchema struct{ Properties map[string]json.RawMessage }
		}
	}
	at string
}

// secured says whether a request needs a token: every way to be authorised names one. Hadarlab-Client, by which clients
// are told apart, is never needed.
func (o *operation) secured(s *spec) bool {
	ways := s.Security
	if o.Security != nil {
		ways = *o.Security
	}
	return len(ways) > 0 && !slices.ContainsFunc(ways, func(way map[string][]string) bool { return len(way) == 0 })
}

// escaped makes a step of a JSON pointer.
var escaped = strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D")

// readSpec reads the document, with its responses resolved.
func readSpec(t *testing.T) (*spec, map[string]operation) {
	t.Helper()
	s, ops := &spec{}, map[string]operation{}
	if err := json.Unmarshal(worker.OpenAPI(), s); err != nil {
		t.Fatal(err)
	}
	for path, item := range s.Paths {
		for method, raw := range item {
			if method == "parameters" {
				continue
			}
			op := operation{at: "/paths/" + escaped.Replace(path) + "/" + method}
			if err := json.Unmarshal(raw, &op); err != nil {
				t.Fatal(path, method, err)
			}
			for status, r := range op.Responses {
				r.at = op.at + "/responses/" + status
				if name, ok := strings.CutPrefix(r.Ref, "#/components/responses/"); ok {
					r = s.Components.Responses[name]
					r.at = "/components/responses/" + name
				}
				if r.Description == "" {
					t.Errorf("%s %s: %s has no description", method, path, status)
				}
				op.Responses[status] = r
			}
			ops[strings.ToUpper(method)+" "+path] = op
		}
	}
	s.answers, s.requests = newSchemas(t, true), newSchemas(t, false)
	return s, ops
}

// schemas holds JSON to the schemas of the document, by their pointers.
type schemas struct{ compiler *jsonschema.Compiler }

const specAddress = "urn:hadarlab:openapi"

func newSchemas(t *testing.T, closed bool) schemas {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(worker.OpenAPI()))
	if err != nil {
		t.Fatal(err)
	}
	if closed {
		closeObjects(doc)
	}
	c := jsonschema.NewCompiler()
	if err := c.AddResource(specAddress, doc); err != nil {
		t.Fatal(err)
	}
	return schemas{c}
}

// closeObjects lets objects have no other members than those that are described, where nothing is said of others.
func closeObjects(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	case map[string]any:
		_, has := v["properties"].(map[string]any)
		if _, says := v["additionalProperties"]; has && !says {
			v["additionalProperties"] = false
		}
		for _, e := range v {
			closeObjects(e)
		}
	}
}

func (s schemas) fits(at string, data []byte) error {
	schema, err := s.compiler.Compile(specAddress + "#" + at)
	if err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		return err
	}
	return schema.Validate(v)
}

// described is a handler that holds every request and answer of any test to the document: the answer's status is one
// of those described; what was done had a body as described, and a token wherever one is described.
func described(t *testing.T, next http.Handler) http.Handler {
	s, ops := readSpec(t)
	var mu sync.Mutex
	faults := map[string]bool{}
	t.Cleanup(func() { // a stream may end after its test
		mu.Lock()
		defer mu.Unlock()
		for _, fault := range slices.Sorted(maps.Keys(faults)) {
			t.Error(fault)
		}
	})
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		seen, sent := &answered{ResponseWriter: w}, &bytes.Buffer{}
		token := r.Header.Get("Authorization") != ""
		if r.Body != nil {
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.TeeReader(r.Body, sent), r.Body}
		}
		defer func() {
			op, ok := ops[strings.Replace(r.Pattern, "HEAD ", "GET ", 1)]
			if !ok || seen.status == 0 { // no such path or method, a file of the page, or a connection given up
				return
			}
			mu.Lock()
			defer mu.Unlock()
			fault := func(format string, args ...any) {
				faults[fmt.Sprintf("%s → %d ", r.Pattern, seen.status)+fmt.Sprintf(format, args...)] = true
			}
			if _, ok := op.Responses[fmt.Sprint(seen.status)]; !ok {
				fault("is not described")
			}
			if seen.status >= 300 {
				return
			}
			if !token && op.secured(s) {
				fault("without a token")
			}
			if op.RequestBody != nil {
				if err := s.requests.fits(op.at+"/requestBody/content/application~1json/schema", sent.Bytes()); err != nil {
					fault("for %.200s: %v", sent, err)
				}
			}
		}()
		next.ServeHTTP(seen, r)
	})
}

// answered notes the status of an answer.
type answered struct {
	http.ResponseWriter
	status int
}

func (a *answered) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
	a.ResponseWriter.WriteHeader(status)
}

func (a *answered) Write(b []byte) (int, error) {
	if a.status == 0 {
		a.status = http.StatusOK
	}
	return a.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController flush and set deadlines.
func (a *answered) Unwrap() http.ResponseWriter { return a.ResponseWriter }
