package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// evil is markup that tells when it was taken for such.
const evil = `<img src=x onerror=hacked=1>`

// hostile is a document in which every free text is markup, and the name of a member that nobody knows. It runs; where
// every id is markup too, it is refused for each of them.
func hostile(t *testing.T, ids bool) []byte {
	t.Helper()
	type object = map[string]any
	id := func(s string) string {
		if ids {
			return s + evil
		}
		return s
	}
	var nodes, jobs []object
	for i := range 3 {
		nodes = append(nodes, object{"id": id(fmt.Sprint("n", i)), "rack": id("r"),
			"gpus": object{id("p100"): 2, "v100": 1}})
	}
	for i := range 6 {
		jobs = append(jobs, object{"id": id(fmt.Sprint("j", i)), "model": id("m"), "gpus": 1 + i%3, "steps": 9000,
			"arrival_s": 300 * i, "tenant": id("team")})
	}
	b, err := json.Marshal(object{"kind": "scenario", "version": 1, evil: evil,
		"meta": object{"title": evil, "question": evil, "notes": evil, "license": evil, evil: evil},
		"scenario": object{"round_s": 360, evil: evil,
			"cluster": object{"nodes": nodes},
			"throughputs": object{"rows": []object{{"model": id("m"), "per_gpu": object{id("p100"): 3, "v100": 5},
				"source": evil}}},
			"tenants": []object{{"id": id("team")}}, "jobs": jobs,
			"policies": []object{{"id": id("hadar")}, {"id": "gavel-las"}, {"id": "gavel-hierarchical"}}}})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// harmless fails the test where a text has become markup.
func (p *page) harmless(where string) {
	p.t.Helper()
	p.frames()
	if eval[bool](p, "window.hacked === 1") || p.count("img[src=x]") != 0 {
		p.t.Errorf("%s: a text became markup", where)
	}
}

// TestHostileNames: every text of a document is text, wherever the page shows it.
func TestHostileNames(t *testing.T) {
	t.Parallel()
	s := native(t)
	doc := hostile(t, false)
	hash := natively(t, doc).Runs[0].TraceHash
	p := visit(t, s, "/")
	p.applyJSON(string(doc))
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", hash))
	p.harmless("the page")
	for _, seen := range []string{".top h1", ".question", ".editor"} {
		if !strings.Contains(eval[string](p, fmt.Sprintf("document.querySelector(%q).textContent", seen)), "<img") {
			t.Errorf("%s shows no text of the document: the test sees nothing", seen)
		}
	}
	p.click(test("editor-form"))
	p.see(test("editor-jobs"))
	eval[bool](p, "document.querySelectorAll('details:not(header *)').forEach(d => d.open = true), true")
	p.harmless("the editor, the list of changes and all that unfolds")
	p.click(test("editor-close"))
	for _, tab := range eval[[]string](p,
		"[...document.querySelectorAll('[role=tab][data-test^=tab-]:not([hidden])')].map(e => e.dataset.test)") {
		p.click(test(tab))
		p.harmless(tab)
		p.click(test("chart-toggle"))
		p.harmless(tab + " as a table")
		p.click(test("chart-toggle"))
	}
	p.click(test("spans-toggle"))
	p.harmless("the table of spans")
	for _, lane := range eval[[]string](p,
		"[...document.querySelectorAll('[data-test=why-lane]')].map(e => e.dataset.lane)") {
		p.click(test("why-lane", "lane", lane))
		p.known()
		eval[bool](p, "document.querySelectorAll('.why details').forEach(d => d.open = true), true")
		p.harmless("why in lane " + lane)
	}
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.harmless("the dialog of links")
	link := strings.TrimPrefix(p.input(test("share-link")), s.url)
	p.click(test("share-make-short"))
	p.see(test("share-short"))
	short := strings.TrimPrefix(p.input(test("share-short")), s.url)
	p.press(kb.Escape)
	for _, at := range []string{link, short, strings.Replace(short, "/s/", "/e/", 1)} {
		other := visit(t, s, at)
		if other.hash("hadar") != hash {
			t.Errorf("%s opens another scenario", at)
		}
		other.harmless(at)
	}
	p.openGallery()
	p.harmless("the gallery")
}

// TestHostileIDs: what is refused is quoted, as text.
func TestHostileIDs(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	for what, doc := range map[string]string{
		"ids":    string(hostile(t, true)),
		"policy": strings.Replace(string(preset(t, 0)), `"hadar"`, fmt.Sprintf("%q", evil), 1),
		"number": strings.Replace(string(preset(t, 0)), `360`, fmt.Sprintf("%q", evil), 1),
	} {
		p.applyJSON(doc)
		p.until(
			"document.querySelector('[data-test=lab]').dataset.state === 'error' || !!document.querySelector('[data-test=notice], [data-test=problem]')")
		if !eval[bool](p, "document.querySelector('main').textContent.includes('<img')") {
			t.Errorf("%s: the page quotes nothing of the document: the test sees nothing", what)
		}
		eval[bool](p, "document.querySelectorAll('details:not(header *)').forEach(d => d.open = true), true")
		p.harmless(what)
	}
}
