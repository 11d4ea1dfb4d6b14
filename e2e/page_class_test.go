package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/core/class"
	"hadarlab/core/figure"
	"hadarlab/core/link"
	"hadarlab/core/words"
	"hadarlab/scenarios"
)

// lesson is a class on a server, with what its teacher does.
type lesson struct {
	t         testing.TB
	url, path string
	class.Created
}

// newLesson begins a class on a shipped assignment.
func newLesson(t testing.TB, s *server, assignment string) *lesson {
	t.Helper()
	return beginLesson(t, s, fmt.Sprintf("%q", assignment))
}

// beginLesson does so on an assignment, which is an id or a document as JSON.
func beginLesson(t testing.TB, s *server, assignment string) *lesson {
	t.Helper()
	l := &lesson{t: t, url: s.url}
	a := ask(t, "POST", s.url+"/api/v1/classes", `{"assignment":`+assignment+`}`, "Content-Type",
		"application/json").want(t, 201, "application/json")
	if err := json.Unmarshal(a.body, &l.Created); err != nil {
		t.Fatal(err)
	}
	l.path = s.url + "/api/v1/classes/" + l.Code
	return l
}

// set changes the class's settings, as {"phase":"predict"}.
func (l *lesson) set(settings string) {
	l.t.Helper()
	ask(l.t, "PATCH", l.path, settings, "Content-Type", "application/json", "Authorization",
		"Bearer "+l.Key).want(l.t, 200, "application/json")
}

// join joins with the code in the address, and waits for the lobby or what stands in its place.
func (p *page) join(l *lesson, screen string) {
	p.t.Helper()
	p.open(l.url + "/join#" + l.Code)
	p.click(test("do-join"))
	p.screen(screen)
}

// screen waits for a screen of the page in which students join.
func (p *page) screen(name string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelector('main')?.dataset.screen === %q", name))
}

// answers chooses in the form of questions, as question, option and confidence in turn, and commits.
func (p *page) answers(kind string, choices ...string) {
	p.t.Helper()
	for i := 0; i+2 < len(choices); i += 3 {
		for _, id := range []string{"option-" + choices[i+1], "sure-" + choices[i+2]} {
			p.click(fmt.Sprintf("label:has(> [id=%q])", kind+"-"+choices[i]+"-"+id))
		}
	}
	p.click(test("commit"))
}

// fits fails the test where a screen makes a phone's window scroll aside.
func (p *page) fits(screen string) {
	p.t.Helper()
	for _, w := range []int64{320, phone.w} {
		p.look(size{w, phone.h}, false)
		p.frames()
		if got := eval[[]string](p, overflow); len(got) > 0 {
			p.t.Errorf("%s at %d px: %q", screen, w, got)
		}
	}
}

// named is what a student is called.
var named = regexp.MustCompile(`^[a-z]+ [a-z]+$`)

// TestClassOnAPhone: a student goes through a whole class on a phone, and every reload comes back to where it was.
func TestClassOnAPhone(t *testing.T) {
	t.Parallel()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	p := newPage(t)
	p.look(phone, false)
	p.open(l.url + "/join")
	p.see(test("do-join"))
	p.accessible("the code")
	p.shots("class-code")
	p.look(phone, false)
	p.fill("#code", strings.ToLower(l.Code[:4]+" "+l.Code[4:]))
	p.press(kb.Tab)
	p.click(test("do-join"))
	p.screen("lobby")
	name := p.text(test("name"))
	if !named.MatchString(name) || !strings.Contains(p.text(test("me")), name) {
		t.Errorf("the student is called %q, above %q", name, p.text(test("me")))
	}
	p.accessible("the lobby")
	p.shots("class-lobby")
	p.look(phone, false)
	p.reload()
	p.screen("lobby")

	l.set(`{"phase":"predict"}`)
	p.screen("predict")
	p.click(test("commit"))
	if got := eval[string](p, "document.activeElement.id"); got != "answers-sooner-option-hadar" {
		t.Errorf("an answer is missing, and the focus is on %q", got)
	}
	if got := p.text("#need-sooner"); got != "Choose an answer." {
		t.Errorf("what is missing is told as %q", got)
	}
	p.press(" ") // the first radio, by keyboard
	p.click(`label:has(> [id="answers-sooner-sure-4"])`)
	p.reload()
	p.screen("predict")
	if !eval[bool](p, "document.getElementById('answers-sooner-option-hadar').checked && document.getElementById('answers-sooner-sure-4').checked") {
		t.Error("a reload has lost what was chosen")
	}
	p.accessible("the questions")
	p.shots("class-predict")
	p.look(phone, false)
	p.fits("the questions")

	// The network goes, and comes back: nothing is lost.
	eval[bool](p, "window.truly = fetch, window.fetch = () => Promise.reject(new TypeError('lost')), true")
	p.answers("answers", "by", "30", "2")
	p.until("!document.querySelector('[data-test=lost]').hidden")
	p.shot("class-lost-390")
	eval[bool](p, "window.fetch = truly, dispatchEvent(new Event('online')), true")
	p.screen("wait")
	receipt := p.text(test("receipt"))
	if !strings.Contains(receipt, "receipt") || !strings.Contains(p.text(test("said-answers")), "over 40 %") {
		t.Errorf("it was committed as %q, %q", p.text(test("said-answers")), receipt)
	}
	p.until("document.querySelector('[data-test=counts]').textContent.startsWith('1 of 1')")
	p.accessible("the receipt")
	p.shots("class-committed")
	p.look(phone, false)
	p.reload()
	p.screen("wait")
	if got := p.text(test("receipt")); got != receipt {
		t.Errorf("after a reload the receipt is %q, before %q", got, receipt)
	}

	// The discussion, with first answers as bars, and no way to the lab, which leads back; then the second vote.
	l.set(`{"phase":"discuss","revealed":["sooner"]}`)
	p.see(test("bars"))
	if strings.Contains(p.text("main"), "✓") || p.count(test("open-lab")) > 0 {
		t.Errorf("before the run the page says %q", p.text("main"))
	}
	p.accessible("the discussion")
	p.shots("class-discuss")
	p.look(phone, false)
	p.fits("the discussion")
	p.open(l.url + "/#class=" + l.Code)
	p.screen("wait")
	l.set(`{"phase":"vote"}`)
	p.screen("vote")
	p.accessible("the second vote")
	p.shots("class-vote")
	p.look(phone, false)
	p.answers("vote", "sooner", "gavel-las", "3")
	p.screen("wait")
	p.see(test("said-vote"))

	// The lab.
	l.set(`{"phase":"run"}`)
	p.screen("done")
	p.until("document.querySelector('[data-test=bars]').textContent.includes('✓')")
	p.click(test("open-lab"))
	p.see(test("class-said"))
	p.see(test("class-bars"))
	p.ready()
	p.until("document.querySelector('[data-test=class-said]').textContent.includes('1 of 2 right')")
	if got := p.text(test("class-name")); got != name {
		t.Errorf("in the lab the student is called %q", got)
	}
	p.fill("#class-sentence", "Because j3 takes one of both.")
	p.reload()
	p.see(test("class-sentence"))
	if got := p.input("#class-sentence"); got != "Because j3 takes one of both." {
		t.Errorf("after a reload the sentence is %q", got)
	}
	p.ready()
	p.shots("class-lab-run")
	p.look(phone, false)
	p.accessible("what is right")
	p.fits("what is right")
	p.click(test("class-send-sentence"))
	p.see(test("class-said-why"))

	l.set(`{"phase":"change"}`)
	p.see(test("class-submit"))
	p.do("scroll", doing("scrollTo(0, document.body.scrollHeight)"))
	p.shot("class-begun-390")
	p.click(test("toast-show"))
	p.until("document.activeElement.matches('.class .now h2') && !document.querySelector('[data-test=toast]')")
	p.open(l.url + "/join#" + l.Code)
	p.screen("done")
	p.until("document.querySelector('h1').textContent === 'Now change one thing.'")
	p.click(test("open-lab"))
	p.see(test("class-submit"))
	p.ready()
	if home := p.attr("a.brand", "href"); home != "/join" {
		t.Errorf("the name in the bar leads out of the class, to %s", home)
	}
	if got := p.text(test("class-task") + " " + test("class-why")); got != "Nothing is changed yet." {
		t.Errorf("an unchanged scenario is not submitted because %q", got)
	}
	p.click(test("class-change"))
	p.until("!!document.activeElement.closest('[data-field^=\"gpus/\"]')")
	p.shot("class-change-one-390")
	p.click(test("editor-open"))
	p.see(test("editor"))
	if p.count(test("policy-picker", "lane", "A")+":enabled") > 0 || p.count(test("editor-add-node")+":enabled") > 0 {
		t.Error("the editor's locked fields are not disabled")
	}
	before := p.hash("hadar")
	p.fill(`[data-path="/scenario/jobs/2/gpus"]`, "1")
	p.settles("hadar", before)
	if got := p.text(test("class-edit")); got != "GPUs of j3, 2 to 1" {
		t.Errorf("the change is told as %q", got)
	}
	p.shots("class-lab-change")
	p.look(phone, false)
	p.accessible("the task")
	p.fits("the task")
	p.click(test("class-submit"))
	p.see(test("class-submission"))
	p.until("!!document.querySelector('[data-verdict=verified]')")
	if got := p.text(test("class-task") + " " + test("class-why")); got != "This is what you have handed in." {
		t.Errorf("what was submitted is not submitted again because %q", got)
	}
	p.reload()
	p.see(test("class-submission"))
	p.ready()
	if got := p.text(test("class-edit")); got != "GPUs of j3, 2 to 1" {
		t.Errorf("after a reload the change is %q", got)
	}
	p.click(test("class-restart"))
	p.until("document.querySelectorAll('[data-test=class-edit]').length === 0")
	p.click(test("undo"))
	p.see(test("class-edit"))

	l.set(`{"phase":"closed"}`)
	p.until("document.querySelector('.class .now h2').textContent === 'The class is over.'")
	p.see(test("class-change-was"))
	p.shots("class-lab-closed")
	p.look(phone, false)
	p.fits("the end")
	p.open(l.url + "/join#" + l.Code)
	p.screen("closed")
	p.shots("class-report")
	p.look(phone, false)
	p.click(test("open-lab"))
	p.see(test("class-leave"))
	p.ready()
	p.click(test("class-leave"))
	p.until("!document.querySelector('[data-test=class-strip]') && location.hash === ''")
	if kept := eval[string](p, "localStorage.getItem('hadarlab.class') || ''"); kept != "" {
		t.Errorf("after leaving the browser keeps %s", kept)
	}
}

// TestClassRefusals: what cannot be joined says why, and what to do.
func TestClassRefusals(t *testing.T) {
	t.Parallel()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	p := newPage(t)
	p.allow("404|409|403")
	p.look(phone, true)
	p.open(l.url + "/join#ZZZZZZZZ")
	p.see(test("trouble"))
	p.accessible("no such class")
	p.shot("class-none-390")
	l.set(`{"locked":true}`)
	p.open(l.url + "/join#" + l.Code)
	p.reload()
	p.click(test("do-join"))
	p.until("document.querySelector('.wrong').textContent.includes('locked')")
	l.set(`{"locked":false}`)
	eval[bool](p, `window.truly = fetch, window.fetch = () => { window.fetch = truly; return Promise.resolve(new Response("", {status: 503})); }, true`)
	p.click(test("do-join")) // it is asked once more
	p.screen("lobby")

	// A one-time code goes on with the name on another device, and this one is out.
	name := p.text(test("name"))
	pass := class.Pass{}
	a := ask(t, "POST", l.path+"/students/1/pass", "", "Authorization", "Bearer "+l.Key)
	if err := json.Unmarshal(a.body, &pass); err != nil {
		t.Fatalf("%s: %v", a.body, err)
	}
	q := newPage(t)
	q.look(phone, false)
	q.allow("404|403")
	q.open(l.url + "/join#" + l.Code)
	q.click(test("lost-phone") + " summary")
	q.fill("#once", "WRONGWRONG")
	q.click(test("lost-phone") + " button.big")
	q.until("document.querySelectorAll('.wrong')[1].textContent.includes('one-time code')")
	q.fill("#once", pass.Code)
	q.click(test("lost-phone") + " button.big")
	q.screen("lobby")
	if got := q.text(test("name")); got != name {
		t.Errorf("on the other device the student is %q, not %q", got, name)
	}
	p.reload()
	p.see(test("trouble"))
	if got := p.text("h1"); got != "This device is no longer in the class" {
		t.Errorf("the old device says %q", got)
	}

	// Removed by the teacher: the lab leads back, too.
	ask(t, "DELETE", l.path+"/students/1", "", "Authorization", "Bearer "+l.Key).want(t, 204, "")
	q.reload()
	q.see(test("trouble"))
	q.open(l.url + "/#class=" + l.Code)
	q.see(test("class-join"))
}

// TestClassWithoutStorage: where a browser keeps nothing, a student goes from the questions to the lab and back under
// the same name, and both student and teacher are told.
func TestClassWithoutStorage(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"forbidden": forbidden, "full": full} {
		t.Run(name, func(t *testing.T) {
			l := newLesson(t, native(t), "hadar-vs-gavel")
			p, b := newPage(t), newPage(t)
			p.first(script)
			b.first(script)
			b.open(l.url + "/#board=" + l.Code + "." + l.Key)
			b.see(test("board-key"))
			b.reload()
			b.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
			p.look(phone, false)
			p.join(l, "lobby")
			if got := p.text("[role=note]"); !strings.Contains(got, "keeps nothing") {
				t.Errorf("the student is told %q", got)
			}
			who := p.text(test("name"))
			l.set(`{"phase":"predict"}`)
			p.screen("predict")
			p.answers("answers", "sooner", "hadar", "5", "by", "10-30", "3")
			p.screen("wait")
			l.set(`{"phase":"run"}`)
			p.screen("done")
			p.click(test("open-lab"))
			p.see(test("class-said"))
			if got := p.text(test("class-name")); got != who {
				t.Errorf("in the lab %s is %s", who, got)
			}
			p.ready()
			p.open(l.url + "/join#" + l.Code)
			p.screen("done")
		})
	}
}

// TestClassWithoutAServer: an assignment in a link goes the same way, and ends in a hand-in.
func TestClassWithoutAServer(t *testing.T) {
	t.Parallel()
	doc, _ := scenarios.Assignment("hadar-vs-gavel")
	p := newPage(t)
	p.look(phone, false)
	p.open(native(t).url + "/join#" + link.Pack(class.LinkJoin, doc))
	p.screen("predict")
	p.answers("answers", "sooner", "hadar", "5", "by", "10-30", "3")
	p.screen("vote")
	p.answers("vote", "sooner", "hadar", "5")
	p.screen("done")
	p.reload()
	p.screen("done")
	p.click(test("open-lab"))
	p.see(test("class-said"))
	p.until("document.querySelector('[data-test=class-said]')?.textContent.includes('2 of 2 right')")
	p.ready()
	p.shot("class-alone-390")
	p.fill("#class-sentence", "One of both.")
	p.click(test("class-send-sentence"))
	p.see(test("class-said-why"))
	p.click(test("class-next"))
	p.see(test("class-submit"))
	p.until("document.activeElement.matches('.class .now h2') && document.activeElement.getBoundingClientRect().top < innerHeight")
	p.see(test("class-unsent"))
	if kind := p.attr(test("class-next"), "data-kind"); kind == "primary" {
		t.Error("before anything is submitted the page urges to go on")
	}
	before := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor"))
	p.fill(`[data-path="/scenario/jobs/2/gpus"]`, "1")
	p.settles("hadar", before)
	p.click(test("class-submit"))
	p.see(test("class-submission"))
	p.until("document.querySelector('[data-test=class-unsent]').hidden")
	p.reload()
	p.see(test("class-submission"))
	p.click(test("class-next"))
	p.see(test("class-handin-file"))
	p.see(test("local"))
	if says := p.text(".class .now h2"); says != "Now hand in." ||
		strings.Contains(p.text(test("class-handin")), "Works anywhere") {
		t.Errorf("at the end it says %q, and of the link %q", says, p.text(test("class-handin")))
	}
	p.fill(test("class-tag"), " m4711")
	p.reload()
	p.see(test("class-handin-file"))
	if tag := p.input(test("class-tag")); tag != "m4711" {
		t.Errorf("after a reload the tag is %q", tag)
	}
	p.shot("class-handin-390")
	text, diags := link.Unpack(p.input(test("class-handin-link")), class.MaxHandIn, class.LinkHandIn)
	h, more := class.ParseHandIn(text)
	if h == nil || len(h.Entries) != 4 || h.Tag != "m4711" || !named.MatchString(h.Name) {
		t.Fatalf("the hand-in's link holds %s\n%v %v", text, diags, more)
	}
	a, _ := class.Parse(doc)
	for _, e := range h.Entries {
		if e.Kind == class.Submission && (len(e.Changes) != 1 || len(e.Lanes) != 2) {
			t.Errorf("the change is handed in as %+v", e)
		}
		if diags := a.Check(e.Kind, &e.Body); diags.HasErrors() {
			t.Errorf("%s: %v", e.Kind, diags)
		}
	}
	if h.Assignment != a.ContentID() {
		t.Errorf("the hand-in is of %s, the assignment is %s", h.Assignment, a.ContentID())
	}
	p.open(native(t).url + "/join#" + link.Pack(class.LinkJoin, doc)[:400])
	p.reload()
	p.see(test("trouble"))
}

// TestJoinIsSmall: all that a phone loads before a student commits is under 150 KB, uncompressed, and German.
func TestJoinIsSmall(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		l := newLesson(t, s, "hadar-vs-gavel")
		l.set(`{"phase":"predict"}`)
		p := newPage(t)
		p.first("localStorage.setItem('language', 'de')")
		p.join(l, "predict")
		if got := p.text("h1"); got != "Was wird geschehen?" {
			t.Errorf("in German the page asks %q", got)
		}
		if got := p.text(test("commit")); got != "Antwort abgeben" {
			t.Errorf("in German the button says %q", got)
		}
		if got := p.text(test("facts")); !strings.Contains(strings.ReplaceAll(got, "\u00a0", " "),
			"2 GPUs, 18\u202f000 Schritte") || !strings.Contains(got, "V100 10, P100 6") {
			t.Errorf("the situation has no lengths and speeds: %q", got)
		}
		p.shot("class-predict-german")
		loaded := eval[map[string]int](p, `Object.fromEntries(performance.getEntriesByType("resource").filter(e => !e.name.endsWith(".wasm") && !e.name.endsWith("/events")).map(e => [new URL(e.name).pathname, e.decodedBodySize]))`)
		page, err := os.ReadFile(filepath.Join(root, "build/web/join.html"))
		if err != nil {
			t.Fatal(err)
		}
		sum := len(page)
		for _, n := range loaded {
			sum += n
		}
		if sum > 150_000 || loaded["/web/join.js"] == 0 || loaded["/web/words/join.de.json"] == 0 {
			t.Errorf("before the commit %d bytes are loaded: %v", sum, loaded)
		}

		// It goes on by itself, by polling too. The lab's program comes no sooner than from the discussion on.
		p.answers("answers", "sooner", "hadar", "5", "by", "10-30", "1")
		p.screen("wait")
		const program = "performance.getEntriesByName(new URL('/web/app.wasm', location).href).length"
		if n := eval[int](p, program); n > 0 {
			t.Error("the lab's program is loaded before the discussion")
		}
		l.set(`{"phase":"discuss"}`)
		p.until(program + " > 0")
		p.until("performance.getEntriesByType('resource').some(e => e.name.endsWith('/ready'))")
		l.set(`{"phase":"vote"}`)
		p.until("document.querySelector('h1').textContent === 'Und was sagst du jetzt?'")
	})
}

// TestAPhonePaysLittle: until its answers are in a phone loads at most 60 kB, as they are sent, and from the run on the
// runs as a picture of at most 100 kB, with their figures, and without the lab's program.
func TestAPhonePaysLittle(t *testing.T) {
	t.Parallel()
	for _, language := range []string{"en", "de"} {
		l := newLesson(t, native(t), "hadar-vs-gavel-45")
		p := newPage(t)
		p.first("localStorage.setItem('language', '" + language + "')")
		p.first("Object.defineProperty(navigator, 'connection', { value: { saveData: true } })") // no program at all
		p.look(phone, false)
		p.join(l, "lobby")
		l.set(`{"phase":"predict"}`)
		p.screen("predict")
		a := answersOf(t, "hadar-vs-gavel-45")
		p.answers("answers", a...)
		p.screen("wait")
		const sent = `performance.getEntries().filter(e => e.transferSize && !e.name.endsWith("/events"))`
		sum := func() int { return eval[int](p, sent+".reduce((n, e) => n + e.transferSize, 0)") }
		first := sum()
		t.Logf("%s: %d bytes until the answers are in", language, first)
		if first > 60_000 || first < 10_000 {
			t.Errorf("%d bytes are sent until the answers are in: %v", first, eval[[]string](p, sent+
				".map(e => new URL(e.name).pathname + ' ' + e.transferSize)"))
		}
		l.set(`{"phase":"run"}`)
		p.screen("done")
		p.until("document.querySelector('[data-test=runs] img')?.complete")
		if w := eval[int](p, "document.querySelector('[data-test=runs] img').naturalWidth"); w < 300 {
			t.Errorf("the picture is %d px wide", w)
		}
		then := sum() - first
		t.Logf("%s: %d bytes with the run", language, then)
		const program = "performance.getEntriesByName(new URL('/web/app.wasm', location).href).length"
		if then > 100_000 || eval[int](p, program) > 0 {
			t.Errorf("with the run %d bytes are sent, or the lab's program", then)
		}
		alt := p.attr(test("runs")+" img", "alt")
		want := map[string]string{"en": "jobs end after", "de": "Jobs enden im Mittel nach"}[language]
		if !strings.Contains(alt, want) || strings.Count(alt, ".") < 2 {
			t.Errorf("the picture's text is %q", alt)
		}
		p.accessible("the runs on a phone")
		p.shot("class-runs-" + language + "-390")
		p.fits("the runs")
	}
}

// TestTheLabComesInTurns: in the discussion the first phone has the lab's program at once and the second does not,
// which the board counts; the class goes on all the same, and the second sees the runs and may open the lab.
func TestTheLabComesInTurns(t *testing.T) {
	t.Parallel()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	one, two, b := newPage(t), newPage(t), newPage(t)
	for _, p := range []*page{one, two} {
		p.look(phone, false)
		p.join(l, "lobby")
	}
	l.set(`{"phase":"predict"}`)
	for _, p := range []*page{one, two} {
		p.screen("predict")
		p.answers("answers", answersOf(t, "hadar-vs-gavel")...)
		p.screen("wait")
	}
	l.set(`{"phase":"discuss"}`)
	const program = "performance.getEntriesByName(new URL('/web/app.wasm', location).href).length > 0"
	one.until(program)
	b.open(l.url + "/#board=" + l.Code + "." + l.Key)
	b.until(`document.querySelector("[data-test=count-ready]")?.textContent === "1"`)
	if eval[bool](two, program) {
		t.Error("the second phone has not waited for its turn")
	}
	l.set(`{"phase":"change"}`)
	two.screen("done")
	two.until("document.querySelector('[data-test=runs] img')?.complete")
	if eval[bool](two, program) {
		t.Error("the second phone has not waited for its turn")
	}
	two.click(test("open-lab"))
	two.see(test("class-submit"))
	b.until(`document.querySelector("[data-test=count-ready]")?.textContent === "2"`)
}

// TestPhonesRoundAsWallsDo: what stands on the wall with three digits stands so on a phone, also where a number lies in
// the middle of two, or a hair beside it in binary.
func TestPhonesRoundAsWallsDo(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.open(native(t).url + "/join")
	p.see(test("do-join"))
	for _, v := range []float64{4.395, 2.625, 2.635, 5.525, 11.25, 11.35, 112.5, 113.5, 999.6, 25, 100, 0.982,
		0.0012345} {
		got := eval[string](p, fmt.Sprintf("window.hadarlab.join.digits3(%v)", v))
		if want := figure.Sig(words.Catalogue{}, v, 3); got != want {
			t.Errorf("%v is %s on a phone and %s on the wall", v, got, want)
		}
	}
}

// answersOf are the first answers to the questions of a shipped assignment, as (*page).answers takes them.
func answersOf(t *testing.T, id string) (choices []string) {
	doc, _ := scenarios.Assignment(id)
	a, diags := class.Parse(doc)
	if a == nil {
		t.Fatal(diags)
	}
	for _, q := range a.Questions {
		choices = append(choices, q.ID, q.Options[0].ID, "3")
	}
	return choices
}
