package e2e

import (
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/core/words"
)

// TestWordsExplainThemselves: a word of the glossary says what it means under the mouse, the keyboard's focus and a
// finger, beside the word and without moving anything; a heading sorts as before.
func TestWordsExplainThemselves(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.known()
	shown := func() string {
		return eval[string](p, "(e => e.matches(':popover-open') ? e.textContent : '')(document.getElementById('meaning'))")
	}
	says := func(how, want string) {
		t.Helper()
		p.frames()
		if got := shown(); got != want {
			t.Errorf("%s: it says %q, want %q", how, got, want)
		}
	}
	height := "document.documentElement.scrollHeight"
	before := eval[int](p, height)
	term := ".numbers .term" // the first is the mean completion
	meaning := words.Catalogue(nil).Meaning("Mean completion (JCT)")
	p.click(term)
	says("mouse", meaning)
	if eval[int](p, height) != before {
		t.Error("the page has grown")
	}
	if far := eval[float64](p, "(([a, b]) => Math.max(a.top - b.bottom, b.top - a.bottom, b.left - a.right, a.left - b.right))("+
		"['"+term+"', '#meaning'].map(s => document.querySelector(s).getBoundingClientRect()))"); far < 0 || far > 8 {
		t.Errorf("it stands %v px from its word", far)
	}
	p.press(kb.Escape)
	says("Escape", "")
	p.press(kb.Enter)
	says("Enter", meaning)
	p.press(kb.Tab)
	says("the next word", words.Catalogue(nil).Meaning("Last finish (makespan)"))
	if got := p.attr(term, "aria-describedby"); got != "meaning" {
		t.Errorf("the word is described by %q", got)
	}
	p.click(test("tab-prices"))
	says("a chart", words.Catalogue(nil).Meaning("Prices"))
	p.click(test("tab-queue"))
	says("a chart without a term", "")
	if p.count("[data-test=why-table] .sort[data-means]") == 0 {
		t.Fatal("no heading of Why explains itself")
	}
	p.click("[data-test=why-table] .sort[data-means]")
	p.until("document.querySelector('[data-test=why-table] [aria-sort=descending] > [data-means]') !== null")
	says("a heading that sorts", p.attr("[data-test=why-table] .sort[data-means]", "data-means"))
	p.open(native(t).url + "/?lang=de")
	p.ready()
	p.touch(phone)
	p.frames()
	p.click(term)
	if got := shown(); got == "" || strings.HasPrefix(got, "The time") {
		t.Errorf("a finger finds %q in German", got)
	}
}
