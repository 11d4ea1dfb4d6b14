package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestForceAChoice: a candidate is forced by keyboard, a third lane with the same past appears, the cursor stays
// and the sentence names the reader; the link keeps it, and undo and Remove take it away.
func TestForceAChoice(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := odd(t, s)
	p.allowClipboard(s.url)
	own := p.hash("hadar")
	for i := 0; i == 0 || p.count(test("force")) == 0; i++ { // a later round, so that there is a past
		if i == 20 {
			t.Fatal("no round of twenty offers a choice")
		}
		before := p.attr(test("why"), "data-round")
		p.click(test("step"))
		p.until(
			fmt.Sprintf(
				"(d => d.round !== %q && d.known === 'true')(document.querySelector('[data-test=why]').dataset)",
				before))
	}
	at, round := p.input(test("scrub")), p.attr(test("why"), "data-round")
	words := strings.TrimPrefix(p.attr(test("force"), "aria-label"), "Force this here: ")
	eval[bool](p, "document.querySelector('[data-test=force]').focus(), true")
	p.press(kb.Enter)
	p.until(
		"document.querySelectorAll('[data-test=lane]').length === 3 && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	// it is in sight
	p.until(
		"(b => b.top >= 0 && b.top < innerHeight / 2 || b.bottom <= innerHeight)(document.querySelector('[data-test=lane][data-forced]').getBoundingClientRect())")
	if p.hash("hadar") != own || p.attr(test("lane", "forced", "true"), "data-hash") == own {
		t.Error("the forced choice changes the lane it is forced upon, or nothing")
	}
	if p.input(test("scrub")) != at || !strings.Contains(p.text(test("toast")), "forced") {
		t.Errorf("the cursor stands at %s, was at %s; the toast says %q", p.input(test("scrub")), at,
			p.text(test("toast")))
	}
	if got := p.text(test("forced")); !strings.Contains(got, words) && !strings.Contains(got, "has to wait") {
		t.Errorf("the lane says %q, forced was %q", got, words)
	}
	// a curve for each lane
	p.until("document.querySelectorAll('[data-test=chart] [data-role=curves] path[data-series]').length === 3")
	p.known()
	if got := p.text(test("why-sentence")); !strings.Contains(got, " by you; Hadar had ") ||
		p.attr(test("why"), "data-round") != round {
		t.Errorf("in round %s the panel says %q", round, got)
	}
	n, err := strconv.Atoi(round)
	if err != nil {
		t.Fatal(err)
	}
	e, _ := explained(t, preset(t, 1), "hadar", n, p.attr(test("why"), "data-job"))
	past := func(lane string) string { // bars that begin before the round
		return eval[string](p, fmt.Sprintf(`[...document.querySelectorAll('[data-test=lane]%s [data-test=bar]')].map(b => b.dataset).filter(d => Number(d.from) < %v)
			.map(d => [d.job, d.node, d.type, d.from, Math.min(Number(d.to), %v)].join(' ')).sort().join('|')`, lane, e.TimeS, e.TimeS))
	}
	if a, b := past("[data-policy=hadar]:not([data-forced])"), past("[data-forced]"); a != b || a == "" {
		t.Errorf("the past differs:\n%s\n%s", a, b)
	}
	mean := func(lane string) float64 {
		return eval[float64](p,
			"Number([...document.querySelectorAll('[data-test=metric][data-policy=hadar][data-metric=avg_jct_s]')]["+
				lane+"].dataset.value)")
	}
	want := "alike"
	switch c, a := mean("1"), mean("0"); {
	case c < a:
		want = "below"
	case c > a:
		want = "above"
	}
	if head, cell := p.text(".numbers thead th:last-child"),
		p.text(".numbers tbody tr:first-child td:last-child"); head != "C against A" || !strings.HasSuffix(cell, want) {
		t.Errorf("the numbers end with %q: %q, want %s", head, cell, want)
	}
	if got := p.text(test("side-forced")); !strings.Contains(got, "Hadar, forced") ||
		!strings.Contains(got, "In the policy’s round ") || p.count(test("side-forced")+" "+test("force-remove")) != 1 {
		t.Errorf("the list of policies says %q", got)
	}
	eval[bool](p, "(scrollTo(0, document.body.scrollHeight), true)")
	p.click(test("toast-show"))
	p.until(
		"(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('[data-test=lane][data-forced]').getBoundingClientRect())")
	p.accessible("a forced lane")
	for _, s := range []size{desktop, tablet, phone} {
		p.look(s, false)
		p.frames()
		if over := eval[int](p,
			"document.querySelector('.numbers').scrollWidth - document.querySelector('.numbers').parentElement.clientWidth"); over > 0 {
			t.Errorf("at %d px the numbers of three lanes are %d px too wide", s.w, over)
		}
	}
	p.shots("forced")

	forced := p.attr(test("lane", "forced", "true"), "data-hash")
	p.click(test("share-link"))
	p.see(test("share-copy"))
	link := p.input(test("share-link"))
	other := visit(t, s, strings.TrimPrefix(link, s.url))
	if other.attr(test("lane", "forced", "true"), "data-hash") != forced {
		t.Error("the link gives another trace")
	}
	p.press(kb.Escape)
	p.click(test("undo"))
	p.until("document.querySelectorAll('[data-test=lane]').length === 2")
	p.click(test("redo"))
	p.until(
		"document.querySelector('[data-test=lane][data-forced]') !== null && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	p.frames()
	p.click(test("force-remove"))
	p.until("document.querySelectorAll('[data-test=lane]').length === 2")
}

// TestForceWithoutCandidates: a policy that weighs no candidates offers nodes with room and to wait, but not what it
// does.
func TestForceWithoutCandidates(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("why-lane", "lane", "B"))
	p.until(
		"document.querySelector('[data-test=why]').dataset.policy === 'gavel-las' && document.querySelector('details.force') !== null")
	p.click("details.force > summary")
	if p.count("details.force tr[aria-selected=true]") != 1 ||
		p.count("details.force tr[aria-selected=true] [data-test=force]") != 0 {
		t.Error("what the policy does is not marked, or can be forced")
	}
	p.shots("force-without-candidates")
	p.click("details.force [data-test=force]")
	p.until(
		"document.querySelector('[data-test=lane][data-forced]') !== null && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	if got := p.attr(test("lane", "forced", "true"), "data-policy"); got != "gavel-las" {
		t.Errorf("%s is forced", got)
	}
}
