package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestWhyShowsTheNumbersOfExplain compares the panel with what `explain` prints, for several rounds.
func TestWhyShowsTheNumbersOfExplain(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("odd-gpus-out")
	doc := preset(t, 1)
	for range 4 {
		p.until(
			"document.querySelector('[data-test=why]').dataset.known === 'true' && document.querySelector('[data-test=why-other]').dataset.known === 'true'")
		job, round := p.attr(test("why"), "data-job"), int(p.number(test("why"), "data-round"))
		if p.attr(test("why"), "data-policy") != "hadar" {
			t.Fatal("the panel does not begin with the first lane")
		}
		_, want := explained(t, doc, "hadar", round, job)
		panel := test("why-payoff")
		same(t, "utility", p.number(panel, "data-utility"), want.Utility)
		same(t, "cost", p.number(panel, "data-cost"), want.Cost)
		same(t, "payoff", p.number(panel, "data-payoff"), want.Payoff)
		if got := plain(p.text(test("why-sentence"))); strings.TrimSpace(got) != want.Sentence {
			t.Errorf("round %d: the panel says %q, the engine %q", round, got, want.Sentence)
		}
		const row = "[data-table=candidates] [data-payoff]"
		if n := p.count(row); n != len(want.Candidates) {
			t.Errorf("round %d: %d candidates, the engine weighed %d", round, n, len(want.Candidates))
		}
		for i := range want.Candidates {
			same(t, "a candidate's payoff", eval[float64](p,
				fmt.Sprintf("Number(document.querySelectorAll(%q)[%d].dataset.payoff)", row, i)),
				want.Candidates[i].Payoff)
		}
		_, other := explained(t, doc, "gavel-las", round, job)
		if got := plain(p.text(test("why-other"))); !strings.Contains(got, other.Sentence) {
			t.Errorf("round %d: the other lane says %q, the engine %q", round, got, other.Sentence)
		}
		p.click(test("step"))
		p.until(fmt.Sprintf("document.querySelector('[data-test=why]').dataset.round !== '%d'", round))
	}
	p.click(test("why-lane", "lane", "B"))
	p.until(
		"document.querySelector('[data-test=why]').dataset.policy === 'gavel-las' && document.querySelector('[data-test=why]').dataset.known === 'true'")
	job, round := p.attr(test("why"), "data-job"), int(p.number(test("why"), "data-round"))
	_, want := explained(t, doc, "gavel-las", round, job)
	if len(want.Shares) == 0 {
		t.Fatal("the engine gives no shares")
	}
	for _, share := range want.Shares {
		same(t, "priority on "+share.Type, p.number("[data-table=shares] "+test("why-row", "type", share.Type),
			"data-priority"),
			share.Priority)
	}
	p.shots("why-gavel")
}

func TestLandsOnTheFirstDisagreementAndWalksOn(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	first := p.attr(test("divergence"), "data-moment")
	if got := p.input(test("scrub")); got != first {
		t.Errorf("the cursor stands at %s, the first disagreement at %s", got, first)
	}
	p.click(test("next-disagreement"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=scrub]').value > %s", first))
	p.click(test("previous-disagreement"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=scrub]').value === '%s'", first))
	p.click(test("play"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=scrub]').value > %s", first))
	p.click(test("play"))
	p.click(test("tab-prices"))
	p.until("document.querySelector('[data-test=chart]').dataset.chart === 'prices'")
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	p.shots("prices")
}

func TestSelectingAJobSelectsItEverywhere(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(".sum .job[data-job=j1]")
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j1'")
	if eval[int](p, "document.querySelectorAll('[data-role=outline] rect').length") == 0 {
		t.Error("no bar of the selected job is ringed")
	}
	bar := test("bar", "job", "j3")
	p.click(bar)
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")
	if p.attr(".sum .job[data-job=j3]", "aria-pressed") != "true" {
		t.Error("the list does not show the selection")
	}
}

func TestKeyboardWalksTheTimeline(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	eval[bool](p, "document.querySelector('[data-test=timeline]').focus(), true")
	p.press(kb.ArrowRight)
	p.until("document.querySelector('[data-role=outline] [data-part=focus]') !== null")
	said := p.text(test("spoken"))
	if !strings.Contains(said, "Hadar") || !strings.Contains(said, "minute") {
		t.Errorf("the bar is read out as %q", said)
	}
	for range 3 {
		p.press(kb.ArrowDown)
	}
	p.press(kb.ArrowRight)
	p.frames()
	if p.text(test("spoken")) == said {
		t.Error("the arrows do not walk on")
	}
	p.press("n")
	p.frames()
	p.press(kb.Enter)
	p.frames()
	p.press("?")
	p.see(test("keys"))
	p.press(kb.Escape)
	p.until("!document.querySelector('[data-test=keys]')")
}

// TestTheTimelineTellsWhyWhereThePanelIsFarAway: where the Why panel is out of sight, at any width, the reason of what
// was tapped shows at once, leads to the panel and goes when the panel comes.
func TestTheTimelineTellsWhyWhereThePanelIsFarAway(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("bar", "job", "j3"))
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")
	p.frames()
	if p.count(test("peek")) > 0 {
		t.Error("the panel is beside the timeline, and its sentence is told twice")
	}
	p.click(test("all-metrics"))
	p.until("document.querySelector('[data-test=why]').getBoundingClientRect().top > innerHeight")
	p.frames()
	p.click(test("bar", "job", "j2"))
	p.until("document.querySelector('[data-test=peek]')?.innerText.includes('j2')")
	p.window("peek-1280-light")
	p.press(kb.Escape)
	p.until("!document.querySelector('[data-test=peek]')")
	p.click(test("bar", "job", "j3"))
	p.see(test("peek"))
	eval[bool](p, "(document.querySelector('[data-test=why] > header').scrollIntoView({block: 'center'}), true)")
	p.until("!document.querySelector('[data-test=peek]')")
	p.click(test("all-metrics"))
	p.look(phone, false)
	eval[bool](p, "(scrollTo(0, 0), true)")
	p.frames()
	p.click("[data-role=wait][data-job=j1]")
	p.see(test("peek"))
	p.until("document.querySelector('[data-test=peek]').innerText.includes('j1 waits')")
	p.window("peek-390-light")
	p.click(test("peek-why"))
	p.until(
		"!document.querySelector('[data-test=peek]') && document.activeElement === document.querySelector('[data-test=why]')")
	if top := eval[float64](p, "document.querySelector('[data-test=why]').getBoundingClientRect().top"); top < 0 ||
		top > 600 {
		t.Errorf("the panel's top is %v px below the window's", top)
	}
}

// TestALinkTellsOfItsJob: on a phone, where the Why panel is far below, a link that points at a job says its reason at
// once; what it leads to stays where it is while it grows.
func TestALinkTellsOfItsJob(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := odd(t, s)
	p.click(test("bar", "job", "j3"))
	p.click(test("share-link"))
	p.see(test("share-copy"))
	link := p.input(test("share-link"))
	p = newPage(t)
	p.look(phone, false)
	p.open(link)
	p.ready()
	p.until("document.querySelector('[data-test=peek]')?.innerText.includes('j3')")
	p.window("peek-link-390")
	p.click(test("why-here"))
	p.until(
		"!document.querySelector('[data-test=peek]') && document.querySelector('[data-test=why]').dataset.known === 'true'")
	p.frames()
	if top := eval[float64](p, "document.querySelector('[data-test=why]').getBoundingClientRect().top"); top < 0 ||
		top > 200 {
		t.Errorf("the panel's top is %v px below the window's", top)
	}
	// The page holds the panel in its place until the reader scrolls.
	eval[bool](p, "(dispatchEvent(new WheelEvent('wheel')), document.querySelector('[data-test=flip]').scrollIntoView({block: 'center'}), true)")
	p.frames()
	before := eval[float64](p, "document.querySelector('[data-test=flip]').getBoundingClientRect().top")
	p.click(test("flip-ask"))
	p.see(test("flip-says"))
	p.frames()
	if top := eval[float64](p,
		"document.querySelector('[data-test=flip]').getBoundingClientRect().top"); top < before-5 || top > before+5 {
		t.Errorf("the answer begins %v px below the window's top, was asked for at %v", top, before)
	}
	job := ".sum .job[data-job=j1]" // below the panel, which is to be out of sight
	eval[bool](p, fmt.Sprintf(unfold, job))
	eval[bool](p, fmt.Sprintf("(document.querySelector(%q).scrollIntoView({block: 'start'}), true)", job))
	p.frames()
	p.click(job)
	p.until("document.querySelector('[data-test=peek]')?.innerText.includes('j1')")
	p.click(test("editor-open"))
	p.until("!document.querySelector('[data-test=peek]')")
}

// TestWhyLeadsToTheRoundsOfWaiting: a job that runs at the cursor is explained where it waits by one click.
func TestWhyLeadsToTheRoundsOfWaiting(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("odd-gpus-out")
	p.click(".sum .job[data-job=j3]")
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")
	p.shots("why-waits")
	p.click(test("why-waits", "lane", "B") + " button")
	p.until(
		"document.querySelector('[data-test=why]').dataset.policy === 'gavel-las' && document.querySelector('[data-test=why]').dataset.known === 'true'")
	_, want := explained(t, preset(t, 1), "gavel-las", int(p.number(test("why"), "data-round")), "j3")
	if len(want.Gangs) > 0 {
		t.Errorf("the first round named is one in which j3 %s", want.Action)
	}
	if p.count(test("why-waits", "lane", "B")) != 0 {
		t.Error("the rounds of waiting are still named where the job waits")
	}
}
