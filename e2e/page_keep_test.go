package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/scenarios"
)

// TestLinkKeepsWhereToLook: once the cursor was moved the link points at it, and the box takes that away.
func TestLinkKeepsWhereToLook(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/")
	first := p.input(test("scrub"))
	p.click(test("share-link"))
	p.see(test("share-copy"))
	if strings.Contains(p.input(test("share-link")), "&v=") ||
		eval[bool](p, "document.querySelector('[data-test=share-view]').checked") {
		t.Errorf("nothing was moved, and the link is %s", p.input(test("share-link")))
	}
	p.press("\x1b")
	p.until("!document.querySelector('[data-test=share]')") // else the click is the backdrop's
	p.click(test("step"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=scrub]').value !== %q", first))
	p.click(test("tab-queue"))
	p.until("document.querySelector('[data-test=chart]').dataset.chart === 'queue'")
	at := p.input(test("scrub"))
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.accessible("the dialog of links")
	p.shots("share-view")
	link := p.input(test("share-link"))
	if !strings.Contains(link, "&v=c") {
		t.Fatalf("the link is %s", link)
	}
	p.click(test("share-view"))
	p.until("!document.querySelector('input[data-test=share-link]').value.includes('&v=')")

	other := visit(t, s, strings.TrimPrefix(link, s.url))
	other.until("document.querySelector('[data-test=chart]').dataset.chart === 'queue'")
	if got := other.input(test("scrub")); got != at {
		t.Errorf("the link opens at moment %s, want %s", got, at)
	}
	if other.hash("hadar") != p.hash("hadar") {
		t.Error("the view changes the trace")
	}
}

// TestReloadGoesOnWithTheLesson: step and answer are there again; where storage is forbidden the lesson still works.
func TestReloadGoesOnWithTheLesson(t *testing.T) {
	t.Parallel()
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	start := func(p *page) {
		p.openGallery()
		p.click(test("lesson-start", "lesson", lessons[0].ID))
		p.until("document.querySelector('[data-test=lesson]')?.dataset.step === '1'")
		p.ready()
		p.click(test("lesson-next"))
		p.until("document.querySelector('[data-test=lesson]').dataset.step === '2'")
		p.ready()
	}
	p := visit(t, native(t), "/")
	start(p)
	p.reload()
	p.until("document.querySelector('[data-test=lesson]')?.dataset.step === '2'")
	p.ready()
	p.click(test("lesson-leave"))
	p.until("!document.querySelector('[data-test=lesson]')")
	p.reload()
	p.ready()
	if p.count(test("lesson")) != 0 {
		t.Error("a lesson that was left comes back")
	}

	q := newPage(t)
	q.first(forbidden)
	q.open(native(t).url)
	q.ready()
	start(q)
}
