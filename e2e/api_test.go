package e2e

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	_ "modernc.org/sqlite"
)

// small is a scenario of two types and three jobs. The title makes each test's own.
func small(title string, seed int) string {
	return fmt.Sprintf(`{"kind":"scenario","version":1,"meta":{"title":%q},"scenario":{"seed":%d,"round_s":360,
"cluster":{"nodes":[{"id":"n1","rack":"r1","gpus":{"v100":2}},{"id":"n2","rack":"r1","gpus":{"k80":2}}]},
"throughputs":{"rows":[{"model":"resnet50","batch":64,"per_gpu":{"v100":4,"k80":1}}]},
"jobs":[{"id":"j1","model":"resnet50","batch":64,"arrival_s":0,"gpus":2,"steps":4000},
{"id":"j2","model":"resnet50","batch":64,"arrival_s":60,"gpus":1,"steps":2500},
{"id":"j3","model":"resnet50","batch":64,"arrival_s":120,"gpus":2,"steps":9000}],
"policies":[{"id":"fifo"},{"id":"srtf"}]}}`, title, seed)
}

// share stores a scenario and returns its id.
func share(t testing.TB, s *server, doc string) string {
	t.Helper()
	id, _, _ := strings.Cut(shareLink(t, s, doc), "-")
	return id
}

// shareLink stores a scenario and returns what its short link names: its id and, behind a dash, that of its text.
func shareLink(t testing.TB, s *server, doc string) string {
	t.Helper()
	var got struct{ ID, Text, URL string }
	post(t, s.url+"/api/v1/scenarios", doc).want(t, 201, "application/json").decode(t, &got)
	link := got.ID
	if got.Text != "" {
		link += "-" + got.Text
	}
	if len(got.ID) < 12 || got.URL != s.base+"/s/"+link {
		t.Fatalf("got %+v", got)
	}
	return link
}

func TestHealth(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		var got struct{ Status, Engine, Version, Commit string }
		a := ask(t, "GET", s.url+"/healthz", "").want(t, 200, "application/json")
		a.decode(t, &got)
		if got.Status != "ok" || strings.Count(got.Engine, ".") != 2 || strings.Count(got.Version, ".") != 2 ||
			got.Commit == "" {
			t.Errorf("got %+v", got)
		}
		if head := ask(t, "HEAD", s.url+"/healthz", ""); head.status != 200 || len(head.body) != 0 {
			t.Errorf("HEAD: %d with %d bytes", head.status, len(head.body))
		}
	})
}

func TestShareAndRead(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		link := shareLink(t, s, small("first", 11))
		id, _, _ := strings.Cut(link, "-")
		if again := share(t, s, strings.ReplaceAll(small("another title", 11), "\n", " \t\n ")); again != id {
			t.Errorf("the same content got %s, then %s", id, again)
		}
		if other := share(t, s, small("first", 12)); other == id {
			t.Errorf("another content got the same id %s", id)
		}

		if bare := ask(t, "GET", s.url+"/s/"+id+".json", "").want(t, 200, "application/json"); bytes.Contains(bare.body,
			[]byte("title")) {
			t.Errorf("the id alone shows a text: %s", bare.body)
		}
		a := ask(t, "GET", s.url+"/api/v1/scenarios/"+link, "").want(t, 200, "application/json")
		var doc struct {
			Kind     string
			Meta     struct{ Title string }
			Scenario struct {
				Seed int
				Jobs []struct{ ID string }
			}
		}
		a.decode(t, &doc)
		if doc.Kind != "scenario" || doc.Meta.Title != "first" || doc.Scenario.Seed != 11 ||
			len(doc.Scenario.Jobs) != 3 {
			t.Errorf("read back %s", a.body)
		}
		if back := shareLink(t, s, string(a.body)); back != link {
			t.Errorf("sharing what was read gives %s, want %s", back, link)
		}
		if !strings.Contains(a.header.Get("Cache-Control"), "immutable") {
			t.Errorf("Cache-Control %q", a.header.Get("Cache-Control"))
		}
		etag := a.header.Get("ETag")
		if c := ask(t, "GET", s.url+"/api/v1/scenarios/"+link, "", "If-None-Match",
			`"other", `+etag); c.status != 304 || len(c.body) != 0 {
			t.Errorf("with its ETag: %d with %d bytes", c.status, len(c.body))
		}

		ask(t, "GET", s.url+"/s/"+link+".svg", "").want(t, 200, "image/svg+xml")
		ask(t, "GET", s.url+"/e/"+link, "").want(t, 200, "text/html")
		page := ask(t, "GET", s.url+"/s/"+link, "").want(t, 200, "text/html")
		root := ask(t, "GET", s.url+"/", "")
		if own, a, b := bytes.Equal(page.body, root.body), cardless(page.body), cardless(root.body); own || a != b {
			t.Errorf("/s/ID has a card of its own: %v; else it is the page of /: %v", !own, a == b)
		}
		ask(t, "GET", s.url+"/s/"+strings.ToUpper(link), "").want(t, 200, "text/html")
		ask(t, "GET", s.url+"/s/"+id+"-000000000000", "").want(t, 404, "text/html")
		ask(t, "GET", s.url+"/s/000000000000", "").want(t, 404, "text/html")
		ask(t, "GET", s.url+"/api/v1/scenarios/000000000000", "").problem(t, 404)
		ask(t, "GET", s.url+"/api/v1/scenarios/"+strings.Repeat("a", 5000), "").problem(t, 404)
	})
}

func TestSameIDOnBothServers(t *testing.T) {
	doc := small("everywhere", 21)
	if n, e := shareLink(t, native(t), doc), shareLink(t, edge(t), doc); n != e {
		t.Errorf("native %s, edge %s", n, e)
	}
}

func TestTwoSharesAtOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		doc := small("at once", 31)
		ids := make([]string, 4)
		var wg sync.WaitGroup
		for i := range ids {
			wg.Go(func() {
				res, err := client.Post(s.url+"/api/v1/scenarios", "application/json", strings.NewReader(doc))
				if err != nil {
					return // an empty id fails below
				}
				defer res.Body.Close()
				var got struct{ ID string }
				_ = json.NewDecoder(res.Body).Decode(&got)
				ids[i] = got.ID
			})
		}
		wg.Wait()
		for _, id := range ids {
			if id == "" || id != ids[0] {
				t.Fatalf("ids %q", ids)
			}
		}
	})
}

// cardless is a page without what a pasted link shows of it, and without where it lies.
func cardless(page []byte) string {
	b := regexp.MustCompile(`(?s)<(title>.*?</title|meta [^>]*(?:property="|name="description")[^>]*|!-- /?card --)>\s*`).
		ReplaceAllString(string(page), "")
	return regexp.MustCompile(`(\.\./)+|\./`).ReplaceAllString(b, "")
}

func TestBadInput(t *testing.T) {
	const scenarios, runs = "/api/v1/scenarios", "/api/v1/runs"
	const tooLarge = 9 << 20 // bytes, for either server
	valid := small("bad input", 41)
	edit := func(from, to string) string {
		if !strings.Contains(valid, from) {
			t.Fatalf("no %q in the scenario", from)
		}
		return strings.Replace(valid, from, to, 1)
	}
	tests := []struct {
		name, path, body string
		status           int
		at               string // path of the first finding, "" = any
	}{
		{"cut short", scenarios, valid[:len(valid)/2], 400, ""},
		{"empty", scenarios, "", 400, ""},
		{"not an object", scenarios, "[]", 400, ""},
		{"not a number", scenarios, edit(`"seed":41`, `"seed":NaN`), 400, ""},
		{"negative time", scenarios, edit(`"arrival_s":60`, `"arrival_s":-60`), 422, "/scenario/jobs/1/arrival_s"},
		{"job larger than the cluster", scenarios, edit(`"gpus":2,"steps":9000`, `"gpus":64,"steps":9000`), 422,
			"/scenario/jobs/2/gpus"},
		{"duplicate job", scenarios, edit(`"id":"j2"`, `"id":"j1"`), 422, "/scenario/jobs/1/id"},
		{"newer version", scenarios, edit(`"version":1`, `"version":99`), 422, "/version"},
		{"too large", scenarios, edit("bad input", strings.Repeat("x", tooLarge)), 413, ""},
		{"run of nothing", runs, `{}`, 422, "/scenario"},
		{"run cut short", runs, `{"scenario":`, 400, ""},
		{"run of a bad type", runs, `{"scenario_id":7}`, 400, ""},
		{"run of an unknown id", runs, `{"scenario_id":"000000000000"}`, 404, ""},
		{"run of an unknown policy", runs, `{"scenario":` + valid + `,"policies":["no-such-policy"]}`, 422, ""},
	}
	onBoth(t, func(t *testing.T, s *server) {
		for _, tt := range tests {
			t.Run(tt.name, func(t *testing.T) {
				at, fix := post(t, s.url+tt.path, tt.body).problem(t, tt.status)
				if tt.at != "" && at != tt.at {
					t.Errorf("the finding is at %q, want %q", at, tt.at)
				}
				if tt.status == 422 && fix == "" {
					t.Error("the finding offers no fix")
				}
			})
		}
		t.Run("chunked and too large", func(t *testing.T) {
			req, err := http.NewRequest("POST", s.url+scenarios, io.LimitReader(spaces{}, tooLarge)) // no length known
			if err != nil {
				t.Fatal(err)
			}
			req.Header.Set("Content-Type", "application/json")
			res, err := client.Do(req)
			if err != nil {
				t.Fatal(err)
			}
			defer res.Body.Close()
			if res.StatusCode != 413 {
				t.Errorf("status %d", res.StatusCode)
			}
		})
		t.Run("no type", func(t *testing.T) { ask(t, "POST", s.url+scenarios, valid).problem(t, 415) })
		t.Run("wrong type", func(t *testing.T) {
			ask(t, "POST", s.url+scenarios, valid, "Content-Type", "text/plain").problem(t, 415)
		})
		t.Run("wrong method", func(t *testing.T) {
			a := ask(t, "PUT", s.url+scenarios, valid)
			a.problem(t, 405)
			if a.header.Get("Allow") != "POST" {
				t.Errorf("Allow %q", a.header.Get("Allow"))
			}
		})
		t.Run("no such API", func(t *testing.T) { ask(t, "GET", s.url+"/api/v2/scenarios", "").problem(t, 404) })
		if !s.healthy() {
			t.Error("the server is down afterwards")
		}
	})
}

type spaces struct{}

func (spaces) Read(b []byte) (int, error) {
	for i := range b {
		b[i] = ' '
	}
	return len(b), nil
}

// TestDamagedRow edits a row behind the server's back.
func TestDamagedRow(t *testing.T) {
	onBoth(t, func(t *testing.T, s *server) {
		doc := small("damaged", 81)
		id := share(t, s, doc)
		damage(t, s, id)
		ask(t, "GET", s.url+"/api/v1/scenarios/"+id, "").problem(t, 500)
		post(t, s.url+"/api/v1/runs", `{"scenario_id":"`+id+`"}`).problem(t, 500)
		ask(t, "GET", s.url+"/s/"+id, "").want(t, 200, "text/html")
		if !s.healthy() {
			t.Fatal("the server is down afterwards")
		}
		again := share(t, s, doc)
		if again == id || !strings.HasPrefix(again, id[:8]) {
			t.Errorf("shared again as %s beside the damaged %s", again, id)
		}
		ask(t, "GET", s.url+"/api/v1/scenarios/"+again, "").want(t, 200, "application/json")
	})
}

func damage(t *testing.T, s *server, id string) {
	t.Helper()
	pattern := filepath.Join(s.data, "*.db")
	if s.name == "edge" {
		pattern = filepath.Join(s.data, "v3/d1/*/*.sqlite")
	}
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no database at %s", pattern)
	}
	changed := int64(0)
	for _, path := range paths {
		db, err := sql.Open("sqlite", "file:"+path+"?_pragma=busy_timeout(5000)")
		if err != nil {
			t.Fatal(err)
		}
		res, err := db.Exec(`UPDATE scenarios SET doc = substr(doc, 1, length(doc) / 2) WHERE id = ?`, id)
		if err == nil { // the runtime keeps databases of its own beside ours
			n, _ := res.RowsAffected()
			changed += n
		}
		db.Close()
	}
	if changed != 1 {
		t.Fatalf("%d rows changed in %v", changed, paths)
	}
}
