package e2e

import (
	"strconv"
	"strings"
	"testing"
)

// TestAFormulaIsALane: who goes first is typed beside the lane and simulated as it is typed; what cannot be read is
// told at its place and changes nothing; the Why panel fills it in, and the link has it.
func TestAFormulaIsALane(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.open(native(t).url + "/")
	p.ready()
	p.choose(test("lane-picker", "lane", "A"), "own")
	p.ready()
	arrival := p.text(test("firsts"))
	if p.input(test("lane-formula")) != "job.arrival" {
		t.Errorf("a new formula is %q", p.input(test("lane-formula")))
	}
	p.fill(test("lane-formula"), "job.steps_left / job.speed")
	p.until("document.querySelector('" + test("firsts") + "').innerText !== " + strconv.Quote(arrival))
	p.ready()
	shortest := p.text(test("firsts"))

	p.fill(test("lane-formula"), "job.steps_lef")
	p.until("document.querySelector('.written .fault')?.innerText.includes('There is no job.steps_lef')")
	if got := p.text(test("firsts")); got != shortest {
		t.Errorf("a formula that cannot be read changed the figures to %q", got)
	}
	p.fill(test("lane-formula"), "job.steps_left / job.speed")
	p.until("!document.querySelector('.written .fault')")
	p.ready()
	p.reload()
	p.ready()
	if got := p.input(test("lane-formula")); got != "job.steps_left / job.speed" {
		t.Errorf("after the page was loaded again the formula is %q", got)
	}
	p.click(test("why-here"))
	p.see(test("why"))
	if why := p.text(test("why")); !strings.Contains(why, "key = job.steps_left / job.speed =") {
		t.Errorf("the Why panel does not fill the formula in: %q", why)
	}
}
