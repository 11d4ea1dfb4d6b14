package e2e

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestCandidatesAreSorted: a heading sorts the candidates with the wait among them, by mouse and keyboard, for the
// decisions that follow too, and gives the policy's own order back.
func TestCandidatesAreSorted(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	known := "document.querySelector('[data-test=why]').dataset.known === 'true'"
	eval[bool](p, "document.querySelector('.sum .job[data-job=j1]').click(), true")
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j1' && " + known)
	payoffs := func() (out []float64) {
		return eval[[]float64](p,
			"[...document.querySelectorAll('[data-table=candidates] tbody tr')].map(r => Number(r.children[3].dataset?.value ?? -1e9))")
	}
	for range 20 {
		if len(payoffs()) > 2 {
			break
		}
		round := p.attr(test("why"), "data-round")
		p.click(test("step"))
		p.until(fmt.Sprintf("document.querySelector('[data-test=why]').dataset.round !== '%s' && %s", round, known))
	}
	own := payoffs()
	if len(own) < 3 {
		t.Fatalf("only %d rows to sort", len(own))
	}
	heading := "[data-table=candidates] th:nth-child(4) button"
	sorted := func(way string) string {
		return fmt.Sprintf("document.querySelector(%q).parentElement.ariaSort === %q", heading, way)
	}
	p.click(heading)
	p.until(sorted("descending"))
	down := slices.Clone(own)
	slices.SortStableFunc(down, func(a, b float64) int { return cmp.Compare(b, a) })
	if got := payoffs(); !slices.Equal(got, down) {
		t.Errorf("descending the payoffs are %v, want %v", got, down)
	}
	p.press(kb.Enter) // the heading still has the focus
	p.until(sorted("ascending"))
	up := slices.Clone(own)
	slices.SortStableFunc(up, cmp.Compare)
	if got := payoffs(); !slices.Equal(got, up) {
		t.Errorf("ascending the payoffs are %v, want %v", got, up)
	}
	if said := p.text(test("spoken")); !strings.HasPrefix(said, "By Gain, ascending") {
		t.Errorf("it is told as %q", said)
	}
	p.shots("why-sorted")
	round := p.attr(test("why"), "data-round")
	p.click(test("step"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=why]').dataset.round !== '%s' && %s", round, known))
	if p.count("[data-table=candidates]") > 0 {
		if got := payoffs(); !slices.IsSorted(got) || !eval[bool](p, sorted("ascending")) {
			t.Errorf("after a step the payoffs are %v", got)
		}
	}
	p.click(test("step-back"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=why]').dataset.round === '%s' && %s", round, known))
	p.click(heading)
	p.until(sorted("none"))
	if got := payoffs(); !slices.Equal(got, own) {
		t.Errorf("the policy's own order is %v, want %v", got, own)
	}
	p.click(test("why-lane", "lane", "B"))
	p.see("[data-table=shares]")
	p.click("[data-table=shares] th:nth-child(2) button")
	p.until("document.querySelector('[data-table=shares] th:nth-child(2)').ariaSort === 'descending'")
	p.look(phone, false)
	p.frames()
	for _, box := range eval[[][]float64](p,
		"[...document.querySelectorAll('.sort')].map(b => [b.offsetWidth, b.offsetHeight])") {
		if box[0] < 24 || box[1] < 24 {
			t.Errorf("a heading is %v by %v px", box[0], box[1])
		}
	}
}
