package e2e

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tabTo presses Tab until the keyboard is on an element that matches; it must be seen there.
func (p *page) tabTo(css string) {
	p.t.Helper()
	for range 250 {
		p.press(kb.Tab)
		if eval[bool](p, fmt.Sprintf("document.activeElement.matches(%q)", css)) {
			if !eval[bool](
				p,
				"(r => r.width > 0 && r.bottom > 0 && r.top < innerHeight)(document.activeElement.getBoundingClientRect())") {
				p.t.Fatalf("%s has the keyboard and is out of sight", css)
			}
			return
		}
	}
	p.t.Fatalf("Tab does not reach %s", css)
}

// TestTheMarginKeepsItsKeys: beside a lane, in the timeline whose keys are letters, digits and Enter, a number that is
// typed arrives whole, Enter presses a button, and an arrow chooses from a list.
func TestTheMarginKeepsItsKeys(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.open(native(t).url + "/")
	p.ready()
	gpus := ".lanes " + test("editor-gpus")
	p.fill(gpus, "10")
	p.until(fmt.Sprintf("document.querySelector(%q).value === '10'", gpus))
	p.ready()
	p.do("focus +", chromedp.Focus(chromedp.CSS(".lanes "+test("editor-gpus-more"))))
	p.press(kb.Enter)
	p.until(fmt.Sprintf("document.querySelector(%q).value === '11'", gpus))
	p.ready()
	list := ".lanes " + test("lane-picker")
	was := p.input(list)
	p.do("focus the list", chromedp.Focus(chromedp.CSS(list)))
	p.press(kb.ArrowDown)
	p.until(fmt.Sprintf("document.querySelector(%q).value !== %q", list, was))
}

// TestKeyboardAlone opens a preset, changes a number, finds why a job waits and shares, by keys only.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.allowClipboard(native(t).url)
	want := natively(t, preset(t, 1))

	p.tabTo(test("presets") + " summary")
	p.press(kb.Enter)
	p.tabTo(test("preset"))
	p.press(kb.Tab)
	p.press(kb.Enter)
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]')?.dataset.hash === %q", want.Runs[0].TraceHash))
	p.ready()

	p.tabTo(".sum details:nth-child(2) > summary") // the jobs, which are folded
	p.press(kb.Enter)
	p.tabTo(test("editor-job-steps")) // Tab selects what is in the field
	before := eval[string](p, "document.querySelector('[data-test=lane]').dataset.hash")
	p.press("77777")
	p.press(kb.Tab)
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]').dataset.hash !== %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", before))

	waits := func() bool {
		p.known()
		said := p.text(test("why-sentence"))
		return strings.Contains(said, "wait") || strings.Contains(said, "moves")
	}
	p.tabTo(test("timeline") + ", [data-test=lane] [tabindex='0'], [data-part=plot][tabindex='0']")
	p.press(kb.Home)
	for i := 0; !waits(); i++ {
		if i == 40 {
			t.Fatalf("no round of forty explains a wait or a move: %q", p.text(test("why-sentence")))
		}
		p.press(kb.ArrowDown)
		p.press(kb.Enter)
		p.frames()
	}

	p.tabTo(test("share-link"))
	p.press(kb.Enter)
	p.see(test("share-copy"))
	if !eval[bool](p, "!!document.activeElement.closest('dialog[open]')") {
		t.Error("the dialog does not take the keyboard")
	}
	p.tabTo(test("share-copy"))
	p.press(kb.Enter)
	p.until("document.querySelector('[data-test=share-copy]').innerText === 'Copied'")
	p.press(kb.Escape)
	p.until("!document.querySelector('dialog[open]')")
	if !eval[bool](p, "document.activeElement.matches('[data-test=share-link], [data-test=share-open]')") {
		t.Error("the keyboard does not come back to the button of the dialog")
	}
}

// TestDialogsGiveTheKeyboardBack: Tab stays within a dialog, and what had the keyboard before has it again, however the
// dialog is closed. Nothing else that Escape does is done.
func TestDialogsGiveTheKeyboardBack(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.tabTo(test("share-link"))
	for name, closes := range map[string]func(){
		"by Escape":     func() { p.press(kb.Escape) },
		"by its button": func() { p.click("#d-keys > header .btn") },
	} {
		p.press("?")
		p.until("document.querySelector('#d-keys:modal')?.contains(document.activeElement)")
		p.press("?") // open already
		for range 12 {
			p.press(kb.Tab)
			if !eval[bool](p, "document.activeElement === document.body || !!document.activeElement.closest('#d-keys')") {
				t.Fatal("Tab leaves the dialog for the page below")
			}
		}
		closes()
		p.until("!document.querySelector('dialog')")
		if !eval[bool](p, "document.activeElement.id === 'share'") {
			t.Errorf("closed %s, the keyboard is at %s", name,
				eval[string](p, "document.activeElement.outerHTML.slice(0, 120)"))
		}
	}
}

// TestEscapeShutsTheMenu: the menu of presets is shut, and the keyboard is where it was opened.
func TestEscapeShutsTheMenu(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("presets") + " > summary")
	p.until("document.querySelector('[data-test=presets]').open")
	p.press("\t")
	p.press(kb.Escape)
	p.until(
		"!document.querySelector('[data-test=presets]').open && document.activeElement.matches('[data-test=presets] > summary')")
}

// TestReducedMotion: nothing on the page glides for those who asked for rest.
func TestReducedMotion(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	moving := `[...document.querySelectorAll("*")].filter(e => [getComputedStyle(e), getComputedStyle(e, "::before"), getComputedStyle(e, "::after")].some(s =>
		s.transitionProperty !== "none" && s.transitionDuration.split(", ").some(d => parseFloat(d) > 0) || s.animationName !== "none" && parseFloat(s.animationDuration) > 0)).length`
	if eval[int](p, moving) == 0 {
		t.Error("nothing glides even without the wish: the test sees nothing")
	}
	p.do("ask for rest", func(ctx context.Context, target *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-reduced-motion", Value: "reduce"}},
		})
		return chromedp.Void{}, err
	})
	p.frames()
	if n := eval[int](p, moving); n != 0 {
		t.Errorf("%d elements still glide", n)
	}
	if n := eval[int](p, "getComputedStyle(document.documentElement).scrollBehavior === 'smooth' ? 1 : 0"); n != 0 {
		t.Error("scrolling glides")
	}
}

// Storage that a browser forbids, and storage that is full.
const (
	forbidden = `for (const name of ["localStorage", "sessionStorage"]) Object.defineProperty(window, name, {get() { throw new DOMException("denied", "SecurityError"); }, configurable: true});`
	full      = `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); };`
)

// TestWithoutStorage: the page works, says that a reload forgets, and ?safe opens the example.
func TestWithoutStorage(t *testing.T) {
	t.Parallel()
	for name, script := range map[string]string{"forbidden": forbidden, "full": full} {
		t.Run(name, func(t *testing.T) {
			p := newPage(t)
			p.first(script)
			p.open(native(t).url + "/")
			p.ready()
			p.evidence()
			example := p.hash("hadar")
			p.fill(test("editor-job-steps", "job", "j1"), "999")
			p.settles("hadar", example)
			p.until("document.querySelector('.sum')?.innerText.includes('a reload forgets your edits')")
			p.click(test("theme"))
			p.open(native(t).url + "/?safe")
			p.ready()
			if p.hash("hadar") != example {
				t.Error("?safe does not open the example")
			}
		})
	}
}

// TestTabsKeepTheirOwn: what one tab edits is not what another opens.
func TestTabsKeepTheirOwn(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	p.fill(test("editor-job-steps", "job", "j1"), "999")
	edited := p.settles("hadar", example)
	p.until("!!sessionStorage.getItem('hadarlab')?.includes('999')")
	if text := eval[string](p, keptText); !strings.Contains(text, `"steps":999`) {
		t.Errorf("the tab keeps %.80q", text)
	}
	if eval[bool](p, "Object.values(localStorage).some(v => v.includes('999'))") {
		t.Error("the edits are where other tabs read them")
	}
	p.reload()
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]')?.dataset.hash === %q", edited))
}

// TestOwnLetters: a letter of the timeline can be given another key, which this browser keeps, and the list of keys
// says so.
func TestOwnLetters(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.press("?")
	p.click(test("keys-change") + " summary")
	p.fill(`[data-test=keys-own][data-key=n]`, "j")
	p.press("\t")
	p.until(`[...document.querySelectorAll("dl.keys kbd")].some(k => k.textContent === "j")`)
	p.fill(`[data-test=keys-own][data-key=p]`, "w")
	p.press("\t")
	p.see(test("keys") + " .ownkeys [role=alert]:not([hidden])")
	p.shots("keys")
	p.reload()
	p.until(`document.querySelector("[data-test=lab]")?.dataset.state === "ready"`)
	eval[bool](p, `(document.querySelector("[data-test=timeline]").focus(), true)`)
	at := p.attr(test("why"), "data-round")
	p.press("n")
	p.press("j")
	p.until(`document.querySelector("[data-test=why]").dataset.round !== ` + "'" + at + "'")
	p.press("p")
	p.until(`document.querySelector("[data-test=why]").dataset.round === ` + "'" + at + "'")
}
