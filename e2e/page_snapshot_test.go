package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
)

// control presses a key together with Ctrl.
func (p *page) control(key string) {
	p.t.Helper()
	p.do("press Ctrl "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// TestSnapshotsStayInTheBrowser: Ctrl S keeps the scenario for all tabs; it opens from the menu, and what is forgotten
// comes back.
func TestSnapshotsStayInTheBrowser(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/")
	first := p.hash("hadar")
	p.control("s")
	p.see(test("toast"))
	p.fill(test("editor-job-gpus", "job", "j4"), "3")
	changed := p.settles("hadar", first)
	p.click(test("presets") + " summary")
	p.see(test("snapshot"))
	p.accessible("the menu with a snapshot")
	p.shots("snapshots")
	p.click(test("snapshot"))
	p.settles("hadar", changed)
	if p.hash("hadar") != first {
		t.Error("the snapshot is another scenario")
	}
	p.click(test("presets") + " summary")
	p.click(test("snapshot-forget"))
	p.until(fmt.Sprintf("document.querySelectorAll(%q).length === 0", test("snapshot")))
	p.click(test("toast-keep"))
	p.see(test("snapshot"))
}

// TestLettersCanBeSwitchedOff: single characters are keys until the reader says no, and stay as they were chosen.
func TestLettersCanBeSwitchedOff(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/")
	timeline := func(key string) string {
		eval[bool](p, "document.querySelector('[data-test=timeline]').focus(), true")
		p.press(key)
		p.frames()
		return p.input(test("scrub"))
	}
	at := timeline("n")
	if next := timeline("n"); next == at {
		t.Fatal("n does not go on")
	} else {
		at = next
	}
	p.click(test("keys-open"))
	p.click(test("keys-letters"))
	p.press("\x1b")
	p.until("!document.querySelector('[data-test=keys]')")
	if got := timeline("n"); got != at {
		t.Error("n is still a key")
	}
	p.press("?")
	p.frames()
	if p.count(test("keys")) != 0 {
		t.Error("? is still a key")
	}
	p.open(s.url + "/")
	p.ready()
	if at = p.input(test("scrub")); timeline("n") != at {
		t.Error("n is a key again after a reload")
	}
}
