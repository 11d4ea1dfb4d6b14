package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// The most that the first screen may hold, in a window of 1280 × 900: what is pressed or typed into, and words. Job
// names, ticks and what is drawn do not count as words, closed menus count as one control.
const (
	mostControls = 24
	mostWords    = 220
)

// crowd counts what is seen of the controls and words in the window.
const crowd = `(() => {
	const seen = e => e.checkVisibility({ visibilityProperty: true }) && (b => b.width > 1 && b.height > 1 &&
		b.top < 900 && b.bottom > 0 && b.right > 0)(e.getBoundingClientRect());
	const controls = [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
		.filter(e => !e.matches(".job") && seen(e));
	let words = 0;
	const walk = document.createTreeWalker(document.querySelector(".page"), NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) {
		const e = walk.currentNode.parentElement;
		if (e.closest("svg, option, .job, .vh, :popover-open") || !seen(e)) continue;
		words += walk.currentNode.data.trim().split(/\s+/).filter(Boolean).length;
	}
	return [controls.length, words];
})()`

// TestFirstScreen: whoever comes first sees one question with its answer and check, one picture, three figures and one
// number to change; everything else is a click away, and that is remembered.
func TestFirstScreen(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.alone()
	p.look(size{1280, 900}, false)
	p.open(native(t).url + "/")
	p.ready()
	p.until("document.querySelector('[data-test=check]').innerText.includes('>')")
	p.uncrowded()
	for _, css := range []string{".question", test("answer"), test("firsts"), test("first-gpus"), test("lane-picker"),
		test("evidence")} {
		if !eval[bool](p, inWindow(css)) {
			t.Errorf("%s is not in the first window", css)
		}
	}
	p.shots("first")
	p.look(size{1280, 900}, false)
	p.accessible("first screen")

	// Why lies over the later rounds: nothing that is in view moves.
	const places = `[...document.querySelectorAll(".question, .firsts, .lane")].map(e => e.getBoundingClientRect().top).join()`
	before := eval[string](p, places)
	p.click(test("why-here"))
	p.see(test("why"))
	if after := eval[string](p, places); after != before {
		t.Errorf("to open Why moves the page: %s, before %s", after, before)
	}
	if eval[bool](p, `document.documentElement.dataset.evidence === "true"`) {
		t.Error("to open Why brings out everything")
	}
	p.shot("first-why")
	p.press(kb.Escape)
	p.until(`!document.querySelector("[data-test=why]").checkVisibility()`)

	// Bars of one list have one scale, whatever is written beside them.
	if n := eval[int](p, `Math.max(...[...document.querySelectorAll(".lengths ul")].map(ul =>
		new Set([...ul.querySelectorAll("li > svg")].map(e => Math.round(e.getBoundingClientRect().width))).size))`); n != 1 {
		t.Errorf("the bars of one list are drawn in %d widths", n)
	}

	// The one number is changed in view of the lanes' ends, and stays under the pointer.
	was, stood := p.text(test("firsts")), eval[float64](p, numberAt)
	p.click(test("first-gpus") + " " + test("editor-gpus-more"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=firsts]').innerText !== %q", was))
	p.frames()
	if now := eval[float64](p, numberAt); now < stood-4 || now > stood+4 {
		t.Errorf("the number moves from %g to %g by a change", stood, now)
	}
	p.shots("first-edited")
	p.look(size{1280, 900}, false)

	// The question that stands after an edit is answered: which is better by what, and then why, in the same room.
	p.until(`document.querySelector(".question").innerText.includes("sooner, and why")`)
	p.see(test("answer")) // the engine is asked anew for why
	for _, css := range []string{test("answer"), test("check"), test("firsts")} {
		if !eval[bool](p, inWindow(css)) {
			t.Errorf("after an edit %s is not in the first window", css)
		}
	}
	p.uncrowded()

	for _, s := range []size{{768, 1000}, phone, {1280, 900}} {
		p.look(s, false)
		p.frames()
		was, stood := p.text(test("firsts")), eval[float64](p, numberAt)
		p.click(test("undo"))
		p.until(fmt.Sprintf("document.querySelector('[data-test=firsts]').innerText !== %q", was))
		p.frames()
		if now := eval[float64](p, numberAt); now < stood-4 || now > stood+4 {
			t.Errorf("at %d px the number moves from %g to %g by a change", s.w, stood, now)
		}
		p.click(test("redo"))
		p.until(fmt.Sprintf("document.querySelector('[data-test=firsts]').innerText === %q", was))
		p.ready()
		p.frames()
	}

	// What keeps the scenario from being run is told there, with the way back.
	p.fill(test("first-gpus")+" input", "many")
	p.see(test("first-problem"))
	p.click(test("first-problem") + " button")
	p.until(`!document.querySelector(".faults")`)

	// On a phone, too, the number and both lanes' ends are in view together.
	p.look(phone, false)
	p.frames()
	p.click(test("why-here"))
	p.see(test("why") + " .proof b")
	if over := eval[float64](p, `Math.max(...[...document.querySelectorAll(".proof b")].map(b =>
		b.getBoundingClientRect().right)) - innerWidth`); over > 0 {
		t.Errorf("on a phone the check stands %v px beyond the window", over)
	}
	p.click(test("why-close"))
	p.until(`!document.querySelector("[data-test=why]").checkVisibility()`)
	if room := eval[float64](p, `(bar => innerHeight - bar - document.querySelectorAll(".lane")[1].getBoundingClientRect().bottom +
		document.querySelector(".one").getBoundingClientRect().top)(document.querySelector(".top").offsetHeight)`); room < 0 {
		t.Errorf("on a phone %v px are lacking to see the number and both lanes together", -room)
	}
	p.look(size{1280, 900}, false)

	if eval[bool](p, `document.querySelector(".side").checkVisibility()`) {
		t.Error("the scenario's column stands on the first screen")
	}
	p.click(test("first-edit"))
	p.see(test("editor-jobs"))
	p.click(test("editor-close"))
	p.until(`!document.querySelector(".side").checkVisibility()`)
	p.click(test("evidence"))
	p.see(".side")
	p.reload()
	p.ready()
	p.see(".side")
	p.click(test("evidence"))
	p.until(`!document.querySelector(".side").checkVisibility()`)
}

// uncrowded holds the first window to the most that it may hold.
func (p *page) uncrowded() {
	p.t.Helper()
	if n := eval[[]int](p, crowd); n[0] > mostControls || n[1] > mostWords {
		p.t.Errorf("the first screen has %d controls and %d words, at most %d and %d are meant", n[0], n[1],
			mostControls, mostWords)
	}
}

// numberAt is how far below the window's top the first screen's number is.
const numberAt = `document.querySelector("[data-test=first-gpus]").getBoundingClientRect().top`

// slowProgram holds the page's program back until release() is called.
const slowProgram = `{
	const fetched = window.fetch, go = new Promise(done => { window.release = done; });
	window.fetch = (what, ...rest) => String(what).includes("app.wasm") ? go.then(() => fetched(what, ...rest)) : fetched(what, ...rest);
}`

// TestFirstNumberWorksAtOnce: before the program is there one changes the first screen's number and sees what comes of
// it, for several values; the program goes on from there, with the same lanes, and knows the edit.
func TestFirstNumberWorksAtOnce(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.alone()
	p.first(slowProgram)
	p.look(size{1280, 900}, false)
	p.open(native(t).url + "/")
	const lanes = `[...document.querySelectorAll("[data-test=lane]")].map(e => e.dataset.hash).join()`
	seen := map[string]bool{eval[string](p, lanes): true}
	for range 2 {
		p.click(test("first-gpus") + " " + test("editor-gpus-more"))
		seen[eval[string](p, lanes)] = true
	}
	if len(seen) != 3 {
		t.Errorf("two changes show %d pictures, not 3", len(seen))
	}
	early := eval[string](p, lanes)
	figures := p.text(test("firsts"))
	p.window("first-early")
	eval[bool](p, `window.others = new Set(), new MutationObserver(() => others.add(`+lanes+`)).observe(document.body,
		{ childList: true, subtree: true, attributes: true }), release(), true`)
	p.ready()
	p.frames()
	if got := eval[[]string](p, "[...others]"); len(got) != 1 || got[0] != early {
		t.Errorf("the program jumps from %s to %v", early, got)
	}
	if now := p.text(test("firsts")); now != figures {
		t.Errorf("the figures were %q, with the program %q", figures, now)
	}
	p.click(test("undo"))
	p.until(fmt.Sprintf("%s !== %q", lanes, early))
}

// TestWhatWasOpenedBeforeTheProgramStaysSo: menus open by a press before the program is there, and are left as they
// are when it comes, with the keyboard; a link that was followed meanwhile leads where it says.
func TestWhatWasOpenedBeforeTheProgramStaysSo(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.first(slowProgram)
	p.look(size{1280, 900}, false)
	for _, menu := range []string{test("learn"), test("presets"), test("more")} {
		p.open(native(t).url + "/")
		p.reload()
		p.see(test("bar"))
		p.click(menu + " summary")
		stands := fmt.Sprintf(`(d => d.open && document.activeElement === d.firstElementChild)(document.querySelector(%q))`, menu)
		if !eval[bool](p, stands) {
			t.Errorf("%s does not open before the program is there", menu)
		}
		eval[bool](p, "release(), true")
		p.ready()
		p.frames()
		if !eval[bool](p, stands) {
			t.Errorf("%s is shut, or left by the keyboard, when the program comes", menu)
		}
	}
	p.reload()
	p.see(test("bar"))
	p.click(test("learn") + " summary")
	p.click(test("class-open"))
	eval[bool](p, "release(), true")
	p.see(test("teach"))
}

// evidence brings out what the first screen leaves out, where that is not remembered.
func (p *page) evidence() {
	p.t.Helper()
	if !eval[bool](p, "!!document.documentElement.dataset.evidence") {
		p.click(test("evidence"))
	}
	p.see(".side")
}

// inWindow says whether an element is seen within the window.
func inWindow(css string) string {
	return `(b => b.width > 0 && b.top >= 0 && b.bottom <= innerHeight)(document.querySelector(` + "'" + css +
		"'" + `).getBoundingClientRect())`
}
