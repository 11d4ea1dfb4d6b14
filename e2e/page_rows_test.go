package e2e

import (
	"fmt"
	"testing"
)

// barsOf are the heights in px of a node's bars in the first lane.
func barsOf(p *page, node string) []float64 {
	p.t.Helper()
	return eval[[]float64](p,
		fmt.Sprintf(
			`[...document.querySelector("[data-test=lane]").querySelectorAll("[data-test=bar][data-node=%s]")].map(b => b.getBoundingClientRect().height)`, node))
}

// topOf is how far below the plot's top a node's first bar lies in each lane.
func topOf(p *page, node string) []float64 {
	p.t.Helper()
	return eval[[]float64](p,
		fmt.Sprintf(
			`[...document.querySelectorAll("[data-test=lane]")].map(l => Math.min(...[...l.querySelectorAll("[data-test=bar][data-node=%s]")].map(b => b.getBoundingClientRect().top)) - l.querySelector("[data-role=plot]").getBoundingClientRect().top)`, node))
}

// TestRowsFoldAndPin: a node folds by its name, by the menu and by a key, in all lanes alike, and its bars stay what
// they are.
func TestRowsFoldAndPin(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	node := p.attr(test("bar"), "data-node")
	bars := p.count(test("bar"))
	high := barsOf(p, node)
	p.click("[data-role=folds] [data-node=" + node + "]")
	p.until(fmt.Sprintf(`document.querySelector("[data-test=bar][data-node=%s]").getBoundingClientRect().height < %v`,
		node, high[0]))
	for i, h := range barsOf(p, node) {
		if h > 18.5 || h >= high[i] { // a line of text
			t.Errorf("bar %d of the folded node is %v px high, and was %v", i, h, high[i])
		}
	}
	if n := p.count(test("bar")); n != bars {
		t.Errorf("%d bars of %d are drawn", n, bars)
	}
	p.click("[data-test=bar][data-node=" + node + "] rect")
	job := p.attr("[data-test=bar][data-node="+node+"]", "data-job")
	p.until(fmt.Sprintf("document.querySelector('[data-test=why]').dataset.job === %q", job))

	p.click(test("rows") + " summary")
	p.click(test("rows-types"))
	p.until(`document.querySelectorAll("[data-role=folds]")[0].querySelectorAll("rect:not([data-node])").length > 1`)
	p.shots("rows-types")
	p.click(test("rows-nodes"))
	p.until(`document.querySelector("[data-test=rows-nodes]").getAttribute("aria-pressed") === "true"`)
	p.shots("rows-nodes")
	p.click(test("rows-gpus"))
	last := eval[string](p, `[...document.querySelectorAll("[data-test=bar]")].at(-1).dataset.node`)
	before := topOf(p, last)
	p.click(test("rows") + " [data-node=" + last + "] " + test("rows-pin"))
	p.until(
		fmt.Sprintf(
			`document.querySelector("[data-test=rows] [data-node=%s] [data-test=rows-pin]").getAttribute("aria-pressed") === "true"`, last))
	for i, y := range topOf(p, last) {
		if y > 40 || y >= before[i] {
			t.Errorf("in lane %d the pinned node begins %v px below the top, and %v before", i, y, before[i])
		}
	}
	p.press("\x1b")
	p.until(`!document.querySelector("[data-test=rows]").open`)

	// by keyboard: the first bar is one of the pinned node, whose pin a key takes away
	eval[bool](p, `(document.querySelector("[data-test=timeline]").focus(), true)`)
	p.press("x")
	p.until(
		fmt.Sprintf(
			`document.querySelector("[data-test=rows] [data-node=%s] [data-test=rows-fold]").getAttribute("aria-pressed") === "false"`, node))
	p.press("c")
	p.until(`document.querySelector("[data-test=rows] [data-test=rows-fold][aria-pressed=true]") !== null`)
	p.shots("rows-key")
}
