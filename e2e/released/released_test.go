package released

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	app "hadarlab/app/class"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/worker"
	"hadarlab/worker/release"
	"hadarlab/worker/runs"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
)

// each opens every archive.
func each(t *testing.T, test func(t *testing.T, files map[string][]byte)) {
	for _, name := range Names() {
		t.Run(name, func(t *testing.T) {
			files, _, err := Files(name)
			if err != nil {
				t.Fatal(err)
			}
			test(t, files)
		})
	}
}

func read[T any](t *testing.T, b []byte) (v T) {
	t.Helper()
	if err := json.Unmarshal(b, &v); err != nil {
		t.Fatalf("%v: %.100s", err, b)
	}
	return v
}

// TestFrozen: archives are those that SHA256SUMS names, byte for byte, and the present release has one. What `make
// corpus` writes is the present release's alone.
func TestFrozen(t *testing.T) {
	sums, present := Sums(), false
	for _, name := range Names() {
		_, sum, err := Files(name)
		if err != nil || sums[name] != sum {
			t.Errorf("%s: %v, its sum is %s, and SHA256SUMS has %q: take the archive from the release's tag", name, err, sum,
				sums[name])
		}
		version, _, _ := strings.Cut(name, "-")
		present = present || version == release.Version
		delete(sums, name)
	}
	if len(sums) > 0 {
		t.Errorf("archives of %v are gone", slices.Sorted(maps.Keys(sums)))
	}
	if !present {
		t.Errorf("release %s has no archive: run `make corpus`", release.Version)
	}
}

// TestDocuments: every document opens in each of its forms, as it came, for people and canonical, and its link does;
// all of them are the same scenario, with the id that the release gave.
func TestDocuments(t *testing.T) {
	def := lab.Defaults()
	each(t, func(t *testing.T, files map[string][]byte) {
		docs := read[[]Document](t, files["documents.json"])
		if len(docs) < 9 {
			t.Errorf("only %d documents", len(docs))
		}
		for _, d := range docs {
			for _, form := range []string{".json", ".human.json", ".canonical.json"} {
				doc, diags := scenario.Parse(files["documents/"+d.Name+form], scenario.FileLimits)
				if diags.HasErrors() {
					t.Errorf("%s%s: %v", d.Name, form, diags.Errors())
				} else if id := doc.ID(def); id != d.ID {
					t.Errorf("%s%s is now %s, and was %s", d.Name, form, id, d.ID)
				}
			}
			opens(t, d.Link, d.ID, "")
		}
	})
}

func opens(t *testing.T, address, id, title string) {
	t.Helper()
	doc, diags := link.Decode(address)
	switch {
	case diags.HasErrors():
		t.Errorf("%.60s…: %v", address, diags.Errors())
	case doc.ID(lab.Defaults()) != id, title != "" && doc.Meta.Title != title:
		t.Errorf("%.60s… is now %s %q, and was %s %q", address, doc.ID(lab.Defaults()), doc.Meta.Title, id, title)
	}
}

// TestLinks: links of every codec that a release has written or read open as they did.
func TestLinks(t *testing.T) {
	each(t, func(t *testing.T, files map[string][]byte) {
		codecs := map[string]bool{}
		for _, d := range read[[]Document](t, files["links.json"]) {
			opens(t, d.Link, d.ID, d.Name)
			for _, m := range regexp.MustCompile(`1([a-z])\.`).FindAllStringSubmatch(d.Link, -1) {
				codecs[m[1]] = true
			}
		}
		if !codecs["d"] || !codecs["z"] || !codecs["j"] {
			t.Errorf("links of the codecs %v", codecs)
		}
	})
}

// TestResults: results open, with the scenario that they name, and traces have the hash that their result says.
func TestResults(t *testing.T) {
	each(t, func(t *testing.T, files map[string][]byte) {
		seen := 0
		for name, b := range files {
			if !strings.HasPrefix(name, "results/") || name == "results/sweep.json" {
				continue
			}
			seen++
			f, diags := lab.ParseResult(b)
			if f == nil {
				t.Errorf("%s: %v", name, diags)
				continue
			}
			doc, diags := scenario.Parse(f.Scenario, scenario.FileLimits)
			if diags.HasErrors() || doc.ID(lab.Defaults()) != f.ScenarioID {
				t.Errorf("%s: its scenario is no longer %s: %v", name, f.ScenarioID, diags)
			}
			for i := range f.Runs {
				r := &f.Runs[i]
				if r.Outcome != "done" || r.Metrics["avg_jct_s"] <= 0 || len(r.Jobs) == 0 || r.Jobs[0].FinishS == nil {
					t.Errorf("%s: run %d lost its figures: %+v", name, i, r.Metrics)
				}
			}
		}
		f, diags := lab.ParseResult(files["traces/result.json"])
		if f == nil || seen < 3 {
			t.Fatalf("%d results, %v", seen, diags)
		}
		for i := range f.Runs {
			tr, err := trace.Decode(files[fmt.Sprintf("traces/%d.trace", i)])
			if err != nil || tr.Hash() != f.Runs[i].TraceHash || len(tr.Jobs) != len(f.Runs[i].Jobs) {
				t.Errorf("trace %d: %v", i, err)
			}
		}
	})
}

// TestClasses: assignments, records and hand-ins open in the board, with all that is in them, and the tables keep their
// columns.
func TestClasses(t *testing.T) {
	each(t, func(t *testing.T, files map[string][]byte) {
		doc, ok := files["class/assignment.json"]
		if !ok && strings.HasPrefix(t.Name(), "TestClasses/0.1.0-8de8a50") {
			return // it had no classes
		}
		a, diags := class.Parse(doc)
		if a == nil {
			t.Fatal(diags)
		}
		h, diags := class.ParseHandIn(files["class/handin.json"])
		if h == nil || h.Assignment != a.ContentID() || len(h.Entries) != 3 {
			t.Fatalf("the hand-in is %+v: %v", h, diags)
		}
		known := func(id string) *class.Assignment {
			if id == a.ContentID() {
				return a
			}
			return nil
		}
		for _, file := range []string{"record", "handin"} {
			b, says, bad := app.NewLocal(nil).Open(files["class/"+file+".json"], known, lab.Engine, lab.Defaults())
			if bad || len(b.Students) != 1 || len(b.Entries) != 3 || b.Assignment.ContentID() != a.ContentID() {
				t.Errorf("%s: %s; %d students, %d entries", file, says, len(b.Students), len(b.Entries))
			}
		}
		r := read[class.Record](t, files["class/record.json"])
		clock := func(int64) string { return "" }
		for file, now := range map[string][]byte{"students": r.StudentsCSV(true, clock),
			"attempts": r.AttemptsCSV(true, clock)} {
			was, is := header(files["class/"+file+".csv"]), header(now)
			if !slices.Equal(was, is[:min(len(is), len(was))]) {
				t.Errorf("%s.csv had the columns %v, now %v", file, was, is)
			}
		}
	})
}

func header(table []byte) []string {
	line, _, _ := strings.Cut(strings.TrimPrefix(string(table), "\ufeff"), "\n")
	return strings.Split(strings.TrimSpace(line), ",")
}

// TestRequests sends this server every request that a release took, in their order, and every document; all are taken.
func TestRequests(t *testing.T) {
	each(t, func(t *testing.T, files map[string][]byte) {
		db, err := sqlite.Open(t.Context(), t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		defer db.Close()
		store := sqlstore.New(db)
		runner := runs.NewPool(runs.Options{Store: store, Table: store})
		defer func() { _ = runner.Close(t.Context()) }()
		h := worker.New(worker.Options{Store: store, Runner: runner, RunBytes: 1 << 20})
		code, tokens := "", map[string]string{}
		send := func(op, as string, body []byte) []byte {
			method, path, _ := strings.Cut(op, " ")
			req := httptest.NewRequest(method, strings.Replace(path, "{code}", code, 1), bytes.NewReader(body))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Authorization", "Bearer "+tokens[as])
			w := httptest.NewRecorder()
			h.ServeHTTP(w, req)
			if w.Code >= 300 {
				t.Errorf("%s %.200s: %d %s", op, body, w.Code, w.Body)
			}
			return w.Body.Bytes()
		}
		requests := read[[]Request](t, files["requests.json"])
		if len(requests) < 3 {
			t.Errorf("only %d requests", len(requests))
		}
		for _, r := range requests {
			told := read[struct{ Code, Key, Token string }](t, send(r.Op, r.As, r.Body))
			if told.Key != "" {
				code, tokens["key"] = told.Code, told.Key
			}
			if told.Token != "" {
				tokens["student"] = told.Token
			}
		}
		for _, d := range read[[]Document](t, files["documents.json"])[:5] {
			stored := read[struct{ ID string }](t, send("POST /api/v1/scenarios", "",
				files["documents/"+d.Name+".json"]))
			if stored.ID != d.ID {
				t.Errorf("%s is stored as %s, and was %s", d.Name, stored.ID, d.ID)
			}
		}
	})
}

// TestNothingIsGone: operations of the interface with their good answers, policies with their parameters, and members
// of the document that a release had are there.
func TestNothingIsGone(t *testing.T) {
	type api struct {
		Paths map[string]map[string]json.RawMessage
	}
	type policy struct {
		ID     string
		Params []struct{ Name string }
	}
	policies, err := json.Marshal(lab.Policies())
	if err != nil {
		t.Fatal(err)
	}
	each(t, func(t *testing.T, files map[string][]byte) {
		now := read[api](t, worker.OpenAPI())
		for path, methods := range read[api](t, files["openapi.json"]).Paths {
			for method, raw := range methods {
				if method == "parameters" {
					continue
				}
				is := struct{ Responses map[string]any }{}
				if here, ok := now.Paths[path][method]; ok {
					is = read[struct{ Responses map[string]any }](t, here)
				}
				for status := range read[struct{ Responses map[string]any }](t, raw).Responses {
					if _, ok := is.Responses[status]; !ok && status[0] == '2' {
						t.Errorf("%s %s no longer answers %s", method, path, status)
					}
				}
			}
		}
		have := map[string]bool{}
		for _, p := range read[[]policy](t, policies) {
			have[p.ID] = true
			for _, q := range p.Params {
				have[p.ID+"."+q.Name] = true
			}
		}
		for _, p := range read[[]policy](t, files["policies.json"]) {
			if !have[p.ID] {
				t.Errorf("there is no policy %s any more", p.ID)
			}
			for _, q := range p.Params {
				if !have[p.ID+"."+q.Name] {
					t.Errorf("there is no parameter %s.%s any more", p.ID, q.Name)
				}
			}
		}
		members(t, "", read[any](t, files["schema.json"]), read[any](t, scenario.Schema()))
	})
}

// members compares the members that two schemas describe.
func members(t *testing.T, at string, was, is any) {
	old, _ := was.(map[string]any)
	now, _ := is.(map[string]any)
	for key, v := range old {
		switch key {
		case "properties", "$defs":
			had, _ := v.(map[string]any)
			has, _ := now[key].(map[string]any)
			for name, s := range had {
				if has[name] == nil {
					t.Errorf("%s/%s is no longer described", at, name)
					continue
				}
				members(t, at+"/"+name, s, has[name])
			}
		}
	}
}
