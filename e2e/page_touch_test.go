package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// roomy fails the test for whatever can be pressed and is lower than 32 px. A box to tick is pressed by its label;
// links within sentences are as high as their line.
func (p *page) roomy(where string) {
	p.t.Helper()
	p.frames()
	got := eval[struct {
		All int
		Low []string
	}](p, `(() => {
		const all = [...document.querySelectorAll("button, select, summary, input, textarea, .brand, .manual a")]
			.filter(e => !e.disabled && e.checkVisibility({ visibilityProperty: true })).map(e => e.matches("[type=checkbox], [type=radio]") && e.labels[0] || e);
		return { all: all.length, low: all.filter(e => e.getBoundingClientRect().height < 31.9)
			.map(e => Math.round(e.getBoundingClientRect().height) + " px: " + e.outerHTML.slice(0, 160)) };
	})()`)
	if got.All < 10 {
		p.t.Errorf("%s: only %d things to press", where, got.All)
	}
	for i, low := range got.Low {
		if i == 12 {
			p.t.Errorf("%s: and %d more", where, len(got.Low)-i)
			break
		}
		p.t.Errorf("%s: %s", where, low)
	}
}

// TestFingersFindRoom: on a phone and on a tablet everything that can be pressed is high enough for a finger.
func TestFingersFindRoom(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	open := func(what string) {
		eval[bool](p, "document.querySelectorAll('"+what+" details').forEach(d => d.open = true), true")
	}
	for _, w := range []size{phone, tablet} {
		p.touch(w)
		at := fmt.Sprintf(", %d px", w.w)
		p.known()
		open("main")
		p.click(test("bar", "job", "j3"))
		p.roomy("the page" + at)
		eval[bool](p, "document.querySelector('[data-test=presets]').open = true")
		p.see(test("language"))
		p.roomy("the menu" + at)
		eval[bool](p, "(e => { e.open = false; return true })(document.querySelector('[data-test=presets]'))")
		p.learn("gallery-open")
		p.see(test("gallery"))
		open(".gallery")
		p.roomy("the gallery" + at)
		p.press(kb.Escape)
		p.until("!document.querySelector('.dialog')")
		p.click(test("share-link"))
		p.see(test("share-copy"))
		open(".layers")
		p.roomy("the share dialog" + at)
		p.press(kb.Escape)
		p.until("!document.querySelector('.dialog')")
		p.click(test("editor-open"))
		p.see(test("editor-jobs"))
		open(".editor")
		p.roomy("the editor" + at)
		p.click(test("editor-close"))
		eval[bool](p, "scrollTo(0, 0), true")
		p.frames()
	}
}
