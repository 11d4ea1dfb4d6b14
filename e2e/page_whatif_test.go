package e2e

import (
	"fmt"
	"math"
	"testing"
)

// TestWhatWouldChangeThis: the search answers, and what it found can be tried and undone.
func TestWhatWouldChangeThis(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	hash := p.hash("hadar")
	p.click(test("flip-ask"))
	p.see(test("flip-found"))
	if p.text(test("flip-says")) == "" {
		t.Error("the search says nothing")
	}
	if mean := p.number(test("metric", "policy", "hadar", "metric", "avg_jct_s"),
		"data-value"); p.number(test("flip-mean"), "data-value") == mean {
		t.Error("the first change leaves the mean completion as it is, or shows that of before")
	}
	p.shots("flip")
	p.click(test("flip-try"))
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lab]').dataset.state === 'ready' && document.querySelector('[data-test=lane]').dataset.hash !== %q", hash))
	if p.count(test("flip-found")) != 0 {
		t.Error("changes of the old run are still offered")
	}
	p.see(test("toast"))
	p.click(test("toast-undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", hash))
}

// TestComparisonChartsSelectAndList: every new chart has a sentence and a table, and selects what is clicked.
func TestComparisonChartsSelectAndList(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	want := natively(t, preset(t, 0))
	p.click(test("chart-toggle"))
	eval[bool](p, `(document.querySelector("[data-test=timeline]").focus(), true)`)
	for _, c := range []struct{ key, tab string }{{"5", "winners"}, {"6", "fairness"}, {"8", "shares"},
		{"9", "overheads"}} {
		p.press(c.key)
		p.until(fmt.Sprintf("document.querySelector('[data-test=chart]').dataset.chart === %q", c.tab))
		p.see(test("chart-table"))
		if p.text(test("chart")+" p") == "" {
			t.Errorf("%s says nothing", c.tab)
		}
		switch c.tab {
		case "winners":
			if n := p.count("[data-role=gain]"); n != len(want.Runs[0].Jobs) {
				t.Errorf("%d jobs gain or lose", n)
			}
			eval[bool](
				p,
				`(document.querySelector("[data-role=gain][data-job=j3] [data-part=hit]").dispatchEvent(new MouseEvent("click", {bubbles: true})), true)`)
			p.until(
				"document.querySelector('[data-test=why]').dataset.job === 'j3' && document.querySelector('[data-role=gain][data-here]').dataset.job === 'j3'")
		case "fairness":
			if n := p.count(test("compared") + " [data-role=step]"); n != 2*len(want.Runs[0].Jobs) {
				t.Errorf("%d steps", n)
			}
		case "overheads":
			m := want.Runs[0].Metrics
			whole := m.BusyGPUS + m.StalledGPUS + m.HoldGPUS + m.IdleNobodyGPUS + m.IdleFitsGPUS + m.IdleMisfitGPUS +
				m.DownGPUS
			if got := p.number(test("chart-table")+" tr[data-cause=busy]",
				"data-share"); math.Abs(got-m.BusyGPUS/whole) > 1e-9 {
				t.Errorf("the busy share is %v, the engine says %v", got, m.BusyGPUS/whole)
			}
		}
		p.shots(c.tab)
	}
}

// TestGermanWhyFits: German words are long; no table of the panel runs over its edge, at any width, for either lane,
// with what would change the choice and with what may be forced.
func TestGermanWhyFits(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("language-next"))
	p.until("document.documentElement.lang === 'de'")
	p.frames()
	p.ready()
	for _, lane := range []string{"A", "B"} {
		p.click(test("why-lane", "lane", lane))
		p.until(
			"document.querySelector('[data-test=why]').dataset.known === 'true' && document.querySelector('[data-test=why-lane][data-lane=" + lane + "]').ariaPressed === 'true'")
		p.click(test("flip-ask"))
		p.see(test("flip-found"))
		eval[bool](p, "document.querySelectorAll('.why details').forEach(d => d.open = true), true")
		for _, s := range []size{desktop, tablet, phone} {
			p.look(s, false)
			p.frames()
			if over := eval[string](p, `[...document.querySelectorAll(".why :is(table, .btn, dl, p)")].filter(e => e.getBoundingClientRect().right > e.closest(".panel").getBoundingClientRect().right + 1)
				.map(e => e.tagName + " " + e.textContent.slice(0, 40)).join("; ")`); over != "" {
				t.Errorf("lane %s at %d px: over the edge lie %s", lane, s.w, over)
			}
			eval[bool](p, "document.querySelector('[data-test=why]').scrollIntoView(), true")
		}
		p.shots("why-german-" + lane)
	}
}
