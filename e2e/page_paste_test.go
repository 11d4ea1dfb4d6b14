package e2e

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// paste pastes a text into the field with the keyboard.
func (p *page) paste(css, text string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(e => { e.focus(); e.select(); const t = new DataTransfer(); t.setData("text/plain", %q);
		e.dispatchEvent(new ClipboardEvent("paste", {clipboardData: t, bubbles: true, cancelable: true})); return true })(document.querySelector(%q))`, text, css))
	p.frames()
}

// TestSheets pastes into the tables of the editor and walks through their cells.
func TestSheets(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	example := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	cell := func(table string, row, column int) string {
		return fmt.Sprintf("%s [data-cell='%d,%d']", test(table), row, column)
	}
	p.paste(cell("editor-speeds", 0, 0), "1\t2\t3\r\n4\t5\t6\r\n")
	hash := p.settles("hadar", example)
	if got := p.input(cell("editor-speeds", 1, 2)); got != "6" {
		t.Errorf("the last cell holds %q", got)
	}
	p.paste(cell("editor-jobs", 5, 0), "1\t100\n2\t200\n")
	p.settles("hadar", hash)
	if got := p.input(cell("editor-jobs", 6, 1)); got != "200" {
		t.Errorf("the added job has %q steps", got)
	}
	p.paste(cell("editor-jobs", 0, 0), "many\t100\n")
	p.see(test("notice"))
	p.click(test("notice") + " .btn")
	rows := p.count(test("editor-speeds") + " tbody tr")
	p.pick(test("editor-add-measured"), "0")
	p.until(fmt.Sprintf("document.querySelectorAll('[data-test=editor-speeds] tbody tr').length === %d", rows+1))

	at := func() string { return eval[string](p, "document.activeElement.dataset.cell || ''") }
	eval[bool](p, fmt.Sprintf("(e => { e.focus(); e.select(); return true })(document.querySelector(%q))",
		cell("editor-speeds", 0, 0)))
	for _, step := range []struct{ key, want string }{{kb.ArrowDown, "1,0"}, {kb.ArrowRight, "1,1"},
		{kb.ArrowUp, "0,1"}, {kb.Enter, "1,1"}, {kb.ArrowLeft, "1,0"}} {
		p.press(step.key)
		p.frames()
		if got := at(); got != step.want {
			t.Errorf("the keyboard is in cell %s, want %s", got, step.want)
		}
	}
	p.shots("editor-sheets")
	p.look(phone, false)
	p.frames()
	if w := eval[int](p, "document.documentElement.scrollWidth - innerWidth"); w > 0 {
		t.Errorf("the page is %d px too wide", w)
	}
}
