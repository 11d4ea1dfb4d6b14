package e2e

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"hadarlab/scenarios"

	"github.com/chromedp/chromedp/kb"
)

var (
	inQuotes = regexp.MustCompile(`“([^”]+)”`)
	// ordered is an order to use a control that does not quote its name.
	ordered = regexp.MustCompile(`(?:^|[.,;:] |then |and )(?:[Hh]ide|[Pp]ress|[Cc]lick) (?:the [a-z]+|[A-Z]\w*)`)
)

// controls are the names of what can be pressed, chosen or read as a heading on the page as it stands.
const controls = `[...document.querySelectorAll("button, summary, a, label, option, h1, h2, h3, legend, .line > span, [aria-label]")]
	.flatMap(e => [e.textContent, e.getAttribute("aria-label") || "", e.querySelector("h3")?.textContent || "", e.querySelector("b")?.textContent || "",
		...[...e.children].map(c => c.textContent)]).map(s => s.trim()).filter(s => s)`

// TestTextsNameWhatExists looks up on the page whatever the notes for teachers, the lessons, the manual and the README
// name there: the first two in quotes, the manual in bold, the README in quotes and as paths.
func TestTextsNameWhatExists(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	have := eval[[]string](p, controls)
	more := func() { have = append(have, eval[[]string](p, controls)...) }
	eval[bool](p, "document.querySelectorAll('details').forEach(d => d.open = true) || true")
	p.frames()
	more()
	p.click(test("gallery-open"))
	p.click(test("lesson-start", "lesson", "hadars-price")) // which begins with a question
	p.see(test("why-asked"))
	more()
	// the second has a network, the third Pollux, the others what their names say
	for _, preset := range []string{"odd-gpus-out", "one-slow-link", "batches-that-grow", "one-slow-machine",
		"slowest-no-more", "who-feeds-the-gpus", "a-sweep-of-learning-rates", "rent-by-the-hour",
		"the-only-gpu-that-fits"} {
		p.open(native(t).url + "/")
		p.ready()
		p.openPreset(preset)
		p.click(test("editor-open"))
		p.see(test("editor"))
		eval[bool](p, "document.querySelectorAll('.editor details').forEach(d => d.open = true) || true")
		p.frames()
		more()
	}
	p.choose(test("policy-picker", "lane", "A"), "own") // what is written has fields that other policies have not
	p.see(test("program-template"))
	eval[bool](p, "document.querySelectorAll('.editor details').forEach(d => d.open = true) || true")
	p.frames()
	more()
	p.click(test("editor-close"))
	p.see(test("side-program"))
	more()
	p.click(test("share-link"))
	p.see(test("share-copy"))
	more()
	p.open(native(t).url + "/e?lang=en")
	p.ready()
	more()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	p.open(l.url + "/#board=" + l.Code + "." + l.Key)
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	l.set(`{"phase":"predict"}`)
	p.see(test("reveal"))
	more()
	for _, sheet := range []string{"students", "out"} {
		p.click(test("sheet-" + sheet))
		p.see(".dialog")
		more()
		p.press(kb.Escape)
		p.until("!document.querySelector('.dialog')")
	}
	p.open(native(t).url + "/#teach")
	p.see(test("networks"))
	more()
	p.click(`[data-assignment="hadar-vs-gavel"] ` + test("start-class"))
	p.see(test("start-go"))
	more()

	for _, s := range have { // a button may have a count behind its name
		if name, _, found := strings.Cut(s, " 0 of "); found {
			have = append(have, name)
		}
	}

	names := map[string][]string{} // by text
	quoted := func(where, text string) {
		for _, m := range inQuotes.FindAllStringSubmatch(text, -1) {
			names[where] = append(names[where], m[1])
		}
		// which stands beside the text
		if order := ordered.FindString(text); order != "" && !strings.HasSuffix(order, "the button") &&
			!strings.Contains(text, order+" “") {
			t.Errorf("%s: %q orders to use something without quoting its name", where, order)
		}
	}
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	for i := range cards {
		quoted("notes of "+cards[i].Preset, cards[i].Teacher)
	}
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		quoted("lesson "+l.ID, l.Next)
		for _, s := range l.Steps {
			quoted("lesson "+l.ID, s.Text)
			if c := s.Change; c != nil { // as Sets Edit all › Run › Merge: 60 s.
				path, _, _ := strings.Cut(strings.TrimPrefix(c.Sets, "Sets "), ":")
				names["lesson "+l.ID] = append(names["lesson "+l.ID], strings.Split(path, " › ")...)
			}
		}
	}
	readme, err := os.ReadFile(filepath.Join(root, "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, first, _ := strings.Cut(string(readme), "## Try first")
	first, _, _ = strings.Cut(first, "On the command line")
	for _, m := range regexp.MustCompile(`"([^"]+)"`).FindAllStringSubmatch(first, -1) {
		names["README"] = append(names["README"], m[1])
	}
	pages := []string{"/docs", "/docs/teach", "/docs/networks", "/docs/embed"}
	for _, id := range scenarios.Assignments {
		pages = append(pages, "/docs/teach/"+id)
	}
	for _, page := range pages {
		p.open(native(t).url + page)
		names["manual"] = append(names["manual"], eval[[]string](p,
			"[...document.querySelectorAll('main section :is(p, span, dd) b')].map(b => b.textContent)")...)
	}
	if len(names["manual"]) < 4 || len(names["README"]) < 3 {
		b, _ := json.Marshal(names)
		t.Fatalf("too few names were found: %s", b)
	}
	lane := regexp.MustCompile(`^[A-C] `)
	for where, all := range names {
		for _, name := range all {
			if lane.MatchString(name) { // as A Hadar
				name = "Policy of lane " + name[:1]
			}
			if name = strings.TrimSuffix(name, "…"); !slices.ContainsFunc(have, func(s string) bool {
				return s == name || strings.TrimSuffix(s, "…") == name || strings.HasPrefix(s, name+":")
			}) {
				t.Errorf("%s names %q, which the lab does not have", where, name)
			}
		}
	}
}
