package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// Ways to end the page's program. None of them is known to the page: the browser's own functions break, and the machine
// that wasm_exec.js makes is taken hold of as it is made.
const (
	holdProgram = `let made; Object.defineProperty(window, "Go", { configurable: true, get: () => made, set(Go) { made = class extends Go { constructor() { super(); window.program = this; } }; } })`
	panics      = `Element.prototype.setAttribute = () => { throw new Error("no attributes today") }`
	exits       = `program._resolveExitPromise()`
	traps       = `program._inst = { exports: { ...program._inst.exports, resume() { throw new RangeError("no stack today") } } }`
)

// mortal visits a page whose program may be ended.
func mortal(t *testing.T, path string) *page {
	t.Helper()
	p := newPage(t)
	p.allow(`today|panic|exit code|Go program has already exited`)
	p.first(holdProgram)
	p.open(native(t).url + path)
	p.ready()
	return p
}

// over waits for the notice of the program's end, and checks that nothing else claims that the page is well.
func (p *page) over(want string) {
	p.t.Helper()
	p.see("#app-wasm-loader")
	if got := p.text("#app-wasm-loader-label"); !strings.Contains(got, want) {
		p.t.Errorf("the notice says %q", got)
	}
	if state := p.attr(test("lab"), "data-state"); state != "error" {
		p.t.Errorf("the dead page is %q", state)
	}
	if said := p.text("header .state"); strings.Contains(said, "Ready") || strings.Contains(said, "Run") {
		p.t.Errorf("the dead page says %q", said)
	}
	if !eval[bool](
		p,
		`(b => { const r = b.getBoundingClientRect(); return document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2) === b })(document.getElementById("reload"))`) {
		p.t.Error("something lies over the button that reloads")
	}
}

// TestTheEndIsToldOnEveryScreen: however the program ends, whatever is open.
func TestTheEndIsToldOnEveryScreen(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(p *page){
		"lab":    func(p *page) {},
		"editor": func(p *page) { p.click(test("editor-open")); p.see(test("editor-json-tab")) },
		"dialog": func(p *page) { p.click(test("share-link")); p.see(test("share-copy")) },
		"gallery": func(p *page) {
			p.learn("gallery-open")
			p.see(".gallery")
		},
		"phone": func(p *page) { p.look(phone, true) },
	} {
		ways := map[string]string{"panic": panics}
		if name == "lab" {
			ways["exit"], ways["trap"] = exits, traps
		}
		for way, how := range ways {
			t.Run(name+" "+way, func(t *testing.T) {
				p := mortal(t, "/")
				open(p)
				p.frames()
				eval[bool](p, how+"; true")
				// the program dies of what it does next: it closes what is open, or opens the list of keys
				if way != "exit" {
					p.press(kb.Escape)
					p.press("?")
				}
				p.over("Reload, your work is kept")
			})
		}
	}
	t.Run("embed", func(t *testing.T) {
		p := mortal(t, "/e")
		eval[bool](p, exits+"; true")
		p.over("Reload it")
	})
}

// TestAnEditOutlivesTheProgram: what is typed is kept before it is drawn, so that the drawing that ends the program
// loses nothing.
func TestAnEditOutlivesTheProgram(t *testing.T) {
	t.Parallel()
	p := mortal(t, "/")
	field := test("editor-job-steps")
	eval[bool](p, fmt.Sprintf(unfold, field))
	p.do("type a number", chromedp.Focus(chromedp.CSS(field)),
		chromedp.Evaluate[chromedp.Void]("document.querySelector('"+field+"').select(); "+panics),
		chromedp.KeyEvent("7"))
	p.over("Reload, your work is kept")
	p.click("#reload")
	p.see(test("lab", "state", "ready")) // of the page that comes: the dead one stays in error
	p.until("document.querySelector('" + field + "')?.value.replace(/\\D/g, '') === '7'")
	if p.count("#app-wasm-loader:not([hidden])") != 0 {
		t.Error("the notice is there after the reload")
	}
}

// TestAFaultOfAHandlerIsToldAndThePageGoesOn: a browser's function that breaks is no end.
func TestAFaultOfAHandlerIsToldAndThePageGoesOn(t *testing.T) {
	t.Parallel()
	p := mortal(t, "/")
	eval[bool](
		p,
		`window.was = hadarlab.closest; for (const name of ["copy", "closest"]) hadarlab[name] = () => { throw new Error("no " + name + " today") }; true`)
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.click(test("share-copy"))
	p.until("document.querySelector('main').innerText.includes('no copy today')")
	if got := p.text("main"); !strings.Contains(got, "Your scenario is kept") {
		t.Errorf("the notice says %.300q", got)
	}
	p.press(kb.Escape) // the listener of the whole window
	p.until("document.querySelector('main').innerText.includes('no closest today')")
	eval[bool](p, "hadarlab.closest = was; true")
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog[open]')")
	before := p.hash("hadar")
	p.fill(test("editor-job-steps"), "77777")
	p.settles("hadar", before)
	if p.count("#app-wasm-loader:not([hidden])") != 0 {
		t.Error("the page says that its program has ended")
	}
}

// TestKeysOfTheChartTabs: each key leads from the tab that is open, not from the one that was open first.
func TestKeysOfTheChartTabs(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	var names []string
	for _, id := range strings.Split(eval[string](p,
		`[...document.querySelectorAll("[role=tab]:not([hidden])")].map(t => t.dataset.test).join()`), ",") {
		names = append(names, strings.TrimPrefix(id, "tab-"))
	}
	last := len(names) - 1
	p.click(test("tab-" + names[0]))
	for _, step := range []struct {
		key, name string
		to        int
	}{{kb.ArrowRight, "Right", 1}, {kb.ArrowRight, "Right", 2}, {kb.ArrowRight, "Right", 3}, {kb.ArrowLeft, "Left", 2},
		{kb.End, "End", last},
		{kb.ArrowRight, "Right", 0}, {kb.ArrowLeft, "Left", last}, {kb.ArrowLeft, "Left", last - 1},
		{kb.Home, "Home", 0}, {kb.ArrowRight, "Right", 1}} {
		p.press(step.key)
		p.frames()
		if got := eval[string](p,
			`document.querySelector("[role=tab][aria-selected=true]").dataset.test + " " + document.activeElement.dataset.test + " tab-" + document.querySelector("[data-test=chart]").dataset.chart`); got != strings.TrimSpace(strings.Repeat("tab-"+names[step.to]+" ", 3)) {
			t.Fatalf("%s leads to %s, want %s", step.name, got, names[step.to])
		}
	}
}
