package e2e

import (
	"strings"
	"testing"
)

// TestStorageThatThrows: where the browser refuses to keep anything, or has no room left, the page says once, at the
// first edit, that edits do not survive a reload and what to do; everything else works.
func TestStorageThatThrows(t *testing.T) {
	t.Parallel()
	for name, stub := range map[string]string{
		"blocked": `for (const of of ["sessionStorage", "localStorage"])
			Object.defineProperty(window, of, {get() { throw new DOMException("blocked", "SecurityError"); }})`,
		"full": `Storage.prototype.setItem = () => { throw new DOMException("full", "QuotaExceededError"); }`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.first(stub)
			p.open(native(t).url + "/")
			p.ready()
			if p.count(test("toast")) > 0 {
				t.Error("something is said before there is anything to lose")
			}
			p.evidence()
			hash := p.hash("hadar")
			p.click(test("editor-gpus-more"))
			hash = p.settles("hadar", hash)
			p.see(test("toast"))
			for _, want := range []string{"will not survive a reload", "link", "file"} {
				if got := p.text(test("toast")); !strings.Contains(got, want) {
					t.Errorf("the page says %q", got)
				}
			}
			p.click(test("toast") + " > button:last-child")
			p.until("!document.querySelector('[data-test=toast]')")
			p.click(test("editor-gpus-more"))
			p.settles("hadar", hash)
			if p.count(test("toast")) > 0 && strings.Contains(p.text(test("toast")), "survive") {
				t.Error("it is said again")
			}
		})
	}
}
