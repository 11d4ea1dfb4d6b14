//go:build !js

package worker_test

import (
	"net/http"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/worker"
	"hadarlab/worker/sqlite"
	"hadarlab/worker/sqlstore"
	"hadarlab/worker/vault"
)

// titled is the scenario of the tests with what is said of it.
func titled(meta string) string {
	return strings.Replace(scenarioA, `"meta":{"title":"A <b>title</b>"}`, `"meta":{`+meta+`}`, 1)
}

// read is the document at a link.
func read(t *testing.T, h http.Handler, link string) *scenario.Document {
	t.Helper()
	w := do(h, "GET", "/api/v1/scenarios/"+link, "")
	doc, diags := scenario.Parse(w.Body.Bytes(), scenario.FileLimits)
	if w.Code != http.StatusOK || diags.HasErrors() {
		t.Fatalf("%s: %d %v\n%s", link, w.Code, diags, w.Body)
	}
	return doc
}

// TestEveryoneKeepsTheirText: who shares the same content under another title gets the same id, and a link with their
// own words; the id alone shows nobody's.
func TestEveryoneKeepsTheirText(t *testing.T) {
	h := newHandler(t, worker.Options{})
	rude := titled(`"title":"Rude","question":"Says who?","notes":"First!\nAnd loud.","license":"CC0-1.0"`)
	kind := titled(`"title":"Kind","notes":"Second."`)
	links := map[string]string{}
	for _, doc := range []string{rude, kind, titled("")} {
		links[doc] = shareLink(t, do(h, "POST", "/api/v1/scenarios", doc))
		if again := shareLink(t, do(h, "POST", "/api/v1/scenarios", doc)); again != links[doc] {
			t.Errorf("shared twice: %s, then %s", links[doc], again)
		}
	}
	id := links[titled("")]
	if strings.Contains(id, "-") {
		t.Errorf("a scenario without a text has the link %s", id)
	}
	for doc, link := range links {
		want, _ := scenario.Parse([]byte(doc), scenario.FileLimits)
		got := read(t, h, strings.ToUpper(link))
		if !strings.HasPrefix(link, id) || got.ID(lab.Defaults()) != id ||
			string(got.Meta.Canonical()) != string(want.Meta.Canonical()) {
			t.Errorf("%s: %+v, want %+v", link, got.Meta, want.Meta)
		}
		if back := shareLink(t, do(h, "POST", "/api/v1/scenarios", string(got.Marshal(false)))); back != link {
			t.Errorf("what was read at %s is shared as %s", link, back)
		}
	}
	for _, path := range []string{"/api/v1/scenarios/" + id, "/s/" + id + ".json", "/s/" + id + ".svg",
		"/s/" + id + "/diff/" + id, "/s/" + id, "/e/" + id} {
		w := do(h, "GET", path, "")
		if body := w.Body.String(); w.Code != http.StatusOK || strings.Contains(body, "Rude") ||
			strings.Contains(body, "First!") {
			t.Errorf("%s: %d\n%s", path, w.Code, body)
		}
	}
	if a, b := do(h, "GET", "/s/"+links[rude]+".json", ""), do(h, "GET", "/s/"+links[kind]+".json",
		""); a.Header().Get("ETag") == b.Header().Get("ETag") {
		t.Error("two texts have one ETag")
	}
	if w := do(h, "GET", "/s/"+links[kind]+".svg", ""); !strings.Contains(w.Body.String(), "Kind") {
		t.Errorf("the picture of the link lacks its title:\n%s", w.Body)
	}
	for _, path := range []string{"/s/" + links[rude], "/e/" + links[rude],
		"/s/" + links[rude] + "/diff/" + links[kind]} {
		if w := do(h, "GET", path, ""); w.Code != http.StatusOK {
			t.Errorf("%s: %d", path, w.Code)
		}
	}
	for _, missing := range []string{id + "-", id + "-000000000000",
		"000000000000" + strings.TrimPrefix(links[rude], id), id + "-" + id + "-" + id} {
		wantProblem(t, do(h, "GET", "/api/v1/scenarios/"+missing, ""), http.StatusNotFound)
	}
	if w := do(h, "POST", "/api/v1/runs", `{"scenario_id":"`+links[rude]+`"}`, "Accept",
		"text/event-stream"); w.Code != http.StatusOK {
		t.Errorf("a run of a link: %d %s", w.Code, w.Body)
	}
}

// TestOriginTravelsWithTheText: what a scenario was made from is kept when it is a content id other than its own, and
// nothing else of that member, nor of members that nobody knows.
func TestOriginTravelsWithTheText(t *testing.T) {
	plain := shareID(t, do(newHandler(t, worker.Options{}), "POST", "/api/v1/scenarios", scenarioA))
	for given, want := range map[string]string{"0123456789ab": "0123456789ab", "0123456789AB": "0123456789ab",
		"0123456789ab-cdefghjkmnpq": "0123456789ab", "https://me.example/secret": "", plain: "", "": ""} {
		h := newHandler(t, worker.Options{})
		link := shareLink(t, do(h, "POST", "/api/v1/scenarios",
			titled(`"title":"T","mood":"secret","derived_from":"`+given+`"`)))
		got := read(t, h, link).Meta
		if !strings.HasPrefix(link, plain) || got.DerivedFrom != want || got.Title != "T" || got.Extra != nil {
			t.Errorf("made from %q: %s, read back %+v", given, link, got)
		}
	}
}

func TestTextsAreBounded(t *testing.T) {
	h := newHandler(t, worker.Options{})
	for path, text := range map[string]string{
		"/meta/title": strings.Repeat("x", 81), "/meta/question": strings.Repeat("x", 1001),
		"/meta/notes": strings.Repeat("x", 20_001), "/meta/license": `a\u001b[2Jb`,
	} {
		w := do(h, "POST", "/api/v1/scenarios", titled(`"`+strings.TrimPrefix(path, "/meta/")+`":"`+text+`"`))
		if p := wantProblem(t, w, http.StatusUnprocessableEntity); len(p.Errors) != 1 || p.Errors[0].Path != path ||
			p.Errors[0].Fix.IsZero() {
			t.Errorf("%s: %+v", path, p)
		}
	}
	for _, control := range []string{`\u0000`, `\u001b[31m`, `\r`, `\u007f`, `\u009b2J`, `\n`} {
		wantProblem(t, do(h, "POST", "/api/v1/scenarios", titled(`"title":"a`+control+`b"`)),
			http.StatusUnprocessableEntity)
	}
}

// TestChecksumCoversEveryColumn: whatever is changed in a row behind the server's back, it is not shown. Rows that were
// stored before there were texts still are.
func TestChecksumCoversEveryColumn(t *testing.T) {
	db, err := sqlite.Open(t.Context(), t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	h := newHandler(t, worker.Options{Store: sqlstore.New(db)})
	change := func(query string) {
		t.Helper()
		if _, err := db.Exec(query); err != nil {
			t.Fatal(err)
		}
	}
	link := shareLink(t, do(h, "POST", "/api/v1/scenarios", scenarioA))
	for _, table := range []vault.Kind{vault.Scenarios, vault.Texts} {
		rows, err := db.Query(`SELECT name FROM pragma_table_info('` + string(table) + `')`)
		if err != nil {
			t.Fatal(err)
		}
		var columns []string
		for rows.Next() {
			var name string
			if err := rows.Scan(&name); err != nil {
				t.Fatal(err)
			}
			if name != "read_ms" { // it changes by itself
				columns = append(columns, name)
			}
		}
		rows.Close()
		for _, c := range columns {
			value := c + ` || ' '`
			switch c {
			case "created_ms", "size":
				value = c + ` + 1`
			case "id": // of another row's content: the row is found under an id that is not its own
				value = `'00000000' || substr(id, 9)`
			}
			change(`CREATE TABLE before AS SELECT * FROM ` + string(table))
			change(`UPDATE ` + string(table) + ` SET ` + c + ` = ` + value)
			at := link
			if c == "id" && table == vault.Scenarios {
				at = "00000000" + link[8:]
			} else if c == "id" {
				cut := strings.Index(link, "-") + 1
				at = link[:cut] + "00000000" + link[cut+8:]
			}
			if p := wantProblem(t, do(h, "GET", "/api/v1/scenarios/"+at, ""),
				http.StatusInternalServerError); !strings.Contains(p.Detail, "damaged") {
				t.Errorf("%s.%s changed: %s", table, c, p.Detail)
			}
			change(`DELETE FROM ` + string(table))
			change(`INSERT INTO ` + string(table) + ` SELECT * FROM before`)
			change(`DROP TABLE before`)
		}
	}
	if got := read(t, h, link); got.Meta.Title != "A <b>title</b>" {
		t.Errorf("unchanged again it is %+v", got.Meta)
	}
}
