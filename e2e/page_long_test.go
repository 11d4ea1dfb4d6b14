package e2e

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
)

// longWords is a document whose every name is one word as long as may be, and its title, question and notes as well.
func longWords(t *testing.T) []byte {
	t.Helper()
	type object = map[string]any
	long := func(s string, n int) string { return s + strings.Repeat("w", n-len(s)) }
	id := func(s string) string { return long(s, 64) }
	var nodes, jobs []object
	for i := range 3 {
		nodes = append(nodes, object{"id": id(fmt.Sprint("n", i)), "rack": id("r"),
			"gpus": object{id("t"): 2, "v100": 1}})
	}
	for i := range 6 {
		jobs = append(jobs, object{"id": id(fmt.Sprint("j", i)), "model": id("m"), "gpus": 1 + i%3, "steps": 9000,
			"arrival_s": 300 * i, "tenant": id("team")})
	}
	b, err := json.Marshal(object{"kind": "scenario", "version": 1,
		"meta": object{"title": long("t", 80), "question": long("q", 200), "notes": long("n", 900),
			"license": long("l", 60), long("x", 60): 1},
		"scenario": object{"round_s": 360, "cluster": object{"nodes": nodes},
			"throughputs": object{"rows": []object{{"model": id("m"), "per_gpu": object{id("t"): 3, "v100": 5},
				"source": long("s", 200)}}},
			"tenants": []object{{"id": id("team")}}, "jobs": jobs,
			"policies": []object{{"id": "hadar"}, {"id": "gavel-las"}, {"id": "gavel-hierarchical"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLongWordsStayInside: no name, title, question or note makes a page wider than its window.
func TestLongWordsStayInside(t *testing.T) {
	t.Parallel()
	s := native(t)
	doc := longWords(t)
	hash := natively(t, doc).Runs[0].TraceHash
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	for _, w := range []size{desktop, phone} {
		t.Run(fmt.Sprint(w.w), func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.look(w, false)
			check := func(screen string) {
				t.Helper()
				p.frames()
				if got := eval[[]string](p, overflow); len(got) > 0 {
					t.Errorf("%s at %d px: %q", screen, w.w, got)
				}
			}
			at := ask(t, "POST", s.url+"/api/v1/scenarios", string(parsed.Marshal(false)), "Content-Type",
				"application/json").want(t, 201, "application/json")
			var short struct{ URL string }
			if json.Unmarshal(at.body, &short) != nil || short.URL == "" {
				t.Fatalf("%s", at.body)
			}
			p.open(s.url + short.URL)
			p.until(fmt.Sprintf(
				"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", hash))
			if got := eval[string](p, "document.querySelector('.top h1').textContent"); !strings.Contains(got, "www") {
				t.Errorf("the page is called %q: the test sees no long title", got)
			}
			check("the lab")
			p.shot(fmt.Sprintf("long-lab-%d", w.w))
			p.click(test("spans-toggle"))
			p.click(test("chart-toggle"))
			p.click(test("all-metrics"))
			for _, tab := range eval[[]string](p,
				"[...document.querySelectorAll('[role=tab][data-test^=tab-]:not([hidden])')].map(e => e.dataset.test)") {
				eval[bool](p, "document.querySelector('[data-test="+tab+"]').click() || true")
				check("the chart " + tab)
			}
			eval[bool](p, "document.querySelectorAll('.lab details').forEach(d => d.open = true) || true")
			check("the lab with all parts open")
			p.shot(fmt.Sprintf("long-open-%d", w.w))
			eval[bool](p, "document.querySelector('[data-test=editor-open]').click() || true")
			p.see(test("editor"))
			eval[bool](p, "document.querySelectorAll('.editor details').forEach(d => d.open = true) || true")
			check("the editor")
			p.shot(fmt.Sprintf("long-editor-%d", w.w))
			eval[bool](p, "document.querySelector('[data-test=editor-json-tab]').click() || true")
			p.see(test("editor-json"))
			check("the text")
			eval[bool](p, "document.querySelector('[data-test=editor-close]').click() || true")
			p.until("!document.querySelector('[data-test=editor]')")
			eval[bool](p, "document.querySelector('[data-test=share-link]')?.click() || true")
			p.see(test("share-copy"))
			check("the share dialog")
			p.press("\x1b")
			p.until("!document.querySelector('[data-test=share-copy]')")
			p.openGallery()
			check("the gallery")
			p.open(s.url + strings.Replace(short.URL, "/s/", "/e/", 1))
			p.ready()
			check("the frame")
		})
	}
}

// longAssignment is an assignment on that document whose every text is one word.
func longAssignment(t *testing.T) []byte {
	t.Helper()
	type object = map[string]any
	long := func(n int) string { return strings.Repeat("w", n) }
	option := func(id string) object {
		return object{"id": id, "text": long(90), "note": long(120), "idea": long(90)}
	}
	b, err := json.Marshal(object{"kind": "assignment", "version": 1, "id": "long", "title": long(80),
		"goal":      long(200),
		"situation": long(300), "explain": long(200), "scenario": json.RawMessage(longWords(t)),
		"questions": []object{
			{"id": "sooner", "text": long(200), "kind": "less", "metric": "avg_jct_s", "again": true,
				"options": []object{option("hadar"), option("gavel-las"), option("same")}},
			{"id": "why", "text": long(200), "kind": "fixed", "right": "a",
				"options": []object{option("a"), option("b")}}},
		"task": object{"text": long(200), "metric": "makespan_s", "winner": "gavel-las", "changes": 1},
		"plan": []object{{"phase": "lobby", "minutes": 1}, {"phase": "predict", "minutes": 4, "teacher": long(200)},
			{"phase": "discuss", "minutes": 4, "teacher": long(200)}, {"phase": "vote", "minutes": 1},
			{"phase": "run", "minutes": 4},
			{"phase": "change", "minutes": 9}, {"phase": "closed", "minutes": 0}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// TestLongWordsOfAClassStayInside: nor do those of an assignment, and of what students write and change, on the board,
// in the lab beside it and on a phone.
func TestLongWordsOfAClassStayInside(t *testing.T) {
	t.Parallel()
	s := native(t)
	assignment := longAssignment(t)
	l := beginLesson(t, s, string(assignment))
	call := func(method, at, token, body string, status int) []byte {
		t.Helper()
		return ask(t, method, l.path+at, body, "Content-Type", "application/json", "Authorization", "Bearer "+token).
			want(t, status, "application/json").body
	}
	var tokens []string
	for range 3 {
		var j class.Joined
		if err := json.Unmarshal(call("POST", "/students", "", `{"tag":"`+strings.Repeat("t", class.MaxTag)+`"}`, 201),
			&j); err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, j.Token)
	}
	l.set(`{"phase":"predict"}`)
	for i, option := range []string{"hadar", "gavel-las", "same"} {
		call("POST", "/entries", tokens[i], fmt.Sprintf(`{"kind":"answers","answers":{"sooner":{"option":%q,"sure":5},
			"why":{"option":"b","sure":5}}}`, option), 201)
	}
	l.set(`{"phase":"vote","revealed":["sooner","why"]}`)
	for _, token := range tokens {
		call("POST", "/entries", token, `{"kind":"vote","answers":{"sooner":{"option":"hadar","sure":4}}}`, 201)
	}
	l.set(`{"phase":"run"}`)
	for _, token := range tokens {
		call("POST", "/entries", token, `{"kind":"sentence","text":"`+strings.Repeat("s", class.MaxSentence)+`"}`, 201)
	}
	l.set(`{"phase":"change"}`)
	doc, _ := scenario.Parse(longWords(t), scenario.FileLimits)
	for i, token := range tokens {
		changed := *doc
		changed.Scenario.Jobs = slices.Clone(doc.Scenario.Jobs)
		changed.Scenario.Jobs[0].Steps = float64(9000 * (i + 2))
		handed := class.Handed{Kind: class.Submission, Scenario: changed.Marshal(false)}
		handed.Engine = lab.Engine
		for _, r := range natively(t, handed.Scenario).Runs {
			handed.Lanes = append(handed.Lanes, class.LaneOf(&r))
		}
		body, _ := json.Marshal(handed)
		call("POST", "/entries", token, string(body), 201)
	}
	for _, w := range []size{desktop, phone} {
		t.Run(fmt.Sprint(w.w), func(t *testing.T) {
			check := func(p *page, screen string) {
				t.Helper()
				p.frames()
				if got := eval[[]string](p, overflow); len(got) > 0 {
					t.Errorf("%s at %d px: %q", screen, w.w, got)
				}
			}
			board := newPage(t)
			board.look(w, false)
			board.open(s.url + "/#board=" + l.Code + "." + l.Key)
			board.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
			if got := board.text("h1"); !strings.Contains(got, "www") {
				t.Errorf("the board is called %q: the test sees no long title", got)
			}
			for _, phase := range class.Phases {
				l.set(fmt.Sprintf(`{"phase":%q}`, phase))
				board.until(fmt.Sprintf(`document.querySelector("[data-test=board]").dataset.phase === %q`, phase))
				eval[bool](board, `document.querySelectorAll("details").forEach(d => d.open = true) || true`)
				check(board, "the board in "+string(phase))
				board.shot(fmt.Sprintf("long-board-%s-%d", phase, w.w))
			}
			l.set(`{"phase":"change"}`)
			board.until(`document.querySelector("[data-test=board]").dataset.phase === "change"`)
			for _, shows := range []string{"tries-show", "tries-table"} {
				board.click(test(shows))
				check(board, "the board after "+shows)
			}
			board.shot(fmt.Sprintf("long-board-tries-%d", w.w))
			for _, sheet := range []string{"students", "sentences", "out"} {
				board.click(test("sheet-" + sheet))
				board.see("dialog[open]")
				check(board, sheet)
				board.shot(fmt.Sprintf("long-sheet-%s-%d", sheet, w.w))
				board.do("close", doing(`document.querySelector("dialog").close()`))
				board.until(`!document.querySelector("dialog")`)
			}

			strip := newKeepingPage(t)
			strip.look(w, false)
			strip.open(s.url + "/healthz")
			eval[bool](strip, fmt.Sprintf(`localStorage.setItem("hadarlab.class", JSON.stringify({code: %q, token: %q, n: 1,
				name: "x"})) || true`, strings.ToUpper(l.Code), tokens[0]))
			strip.open(s.url + "/#class=" + l.Code)
			strip.see(test("class-strip"))
			strip.see(test("class-submission"))
			check(strip, "the strip")
			strip.shot(fmt.Sprintf("long-strip-%d", w.w))
			for _, phase := range []class.Phase{class.Change, class.Discuss, class.Closed} {
				l.set(fmt.Sprintf(`{"phase":%q}`, phase))
				strip.open(s.url + "/join#" + l.Code)
				strip.until(`!!document.querySelector("main")?.dataset.screen && !!document.querySelector("header .me")?.textContent`)
				strip.frames()
				check(strip, "the phone in "+string(phase))
				strip.shot(fmt.Sprintf("long-phone-%s-%d", phase, w.w))
			}
			l.set(`{"phase":"change"}`)

			for _, path := range []string{"/docs", "/docs/teach", "/docs/policies", "/docs/scenario", "/docs/embed",
				"/docs/http", "/docs/commands", "/docs/versions"} {
				board.open(s.url + path)
				check(board, path)
			}
		})
	}
}
