package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/lab"
)

// odd opens the page with six jobs of two models on four nodes, which has more to edit than the first preset.
func odd(t testing.TB, s *server) *page {
	t.Helper()
	p := visit(t, s, "/")
	p.openPreset("odd-gpus-out")
	return p
}

// openPreset opens a preset by its name and waits for its result.
func (p *page) openPreset(name string) {
	p.t.Helper()
	before := p.attr(test("lane"), "data-hash")
	p.click(test("presets") + " summary")
	p.click(test("preset", "preset", name))
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash !== %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", before))
	p.frames()
}

func TestCopiesAreTiedAndMergesNamed(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	if p.count(test("fork-legend")) != 0 {
		t.Error("the legend of copies stands where there are none")
	}
	p.openPreset("two-jobs-three-gpus")
	lane := test("lane", "policy", "hadare")
	if n := p.count(lane + " [data-role=fork][data-job=b] [data-part=tie]"); n == 0 {
		t.Error("the copies of b are not tied together")
	}
	if n := p.count(lane + " [data-role=fork][data-job=b][data-from='0'] [data-part=knot]"); n != 2 {
		t.Errorf("%d knots in b's first round, want one on each of two copies", n)
	}
	if merges, stalls := p.count(lane+" [data-part=merge]"),
		p.count(lane+" [data-part=stall]"); merges == 0 || stalls == 0 {
		t.Errorf("%d merges and %d starts are drawn, want both, apart", merges, stalls)
	}
	if n := p.count(test("lane", "policy", "hadar") + " [data-part=merge]"); n != 0 {
		t.Errorf("Hadar's lane shows %d merges", n)
	}
	if got := p.text(test("fork-legend")); !strings.Contains(got, "merge") ||
		!strings.Contains(got, "copies of one job") {
		t.Errorf("the legend says %q", got)
	}
	title := eval[string](p, fmt.Sprintf("document.querySelector(%q).textContent",
		lane+" [data-role=bar][data-job=b][data-node=n3] title"))
	for _, want := range []string{"copy 2 of 2", "680", "merged"} {
		if !strings.Contains(title, want) {
			t.Errorf("the copy's tooltip %q lacks %q", title, want)
		}
	}
	if got := eval[string](p, fmt.Sprintf("[...document.querySelectorAll(%q)].map(e => e.textContent).join(' ')",
		lane+" [data-role=bar][data-job=b][data-node=n2] text")); !strings.Contains(got, "1,020") {
		t.Errorf("the bar of b's copy on n2 says %q, want its steps", got)
	}
	if got := eval[string](p, fmt.Sprintf("document.querySelector(%q).textContent",
		test("spans-table"))); !strings.Contains(got, "copy 1 of 2") || !strings.Contains(got, "merged") {
		t.Error("the table says nothing of copies and merges")
	}
	p.click(lane + " [data-role=bar][data-job=b][data-node=n2]")
	p.until("document.querySelector('[data-role=fork-ring][data-job=b]') !== null")
}

func TestWhyShowsBothPhasesOfHadarE(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("two-jobs-three-gpus")
	doc, _ := lab.Preset("two-jobs-three-gpus")
	p.click(test("lane", "policy", "hadare") + " [data-role=bar][data-job=b][data-node=n3]")
	p.frames()
	p.until(
		"document.querySelector('[data-test=why]').dataset.job === 'b' && document.querySelector('[data-test=why]').dataset.known === 'true'")
	round := int(p.number(test("why"), "data-round"))
	_, want := explained(t, doc, "hadare", round, "b")
	if len(want.Copies) != 2 {
		t.Fatalf("b has %d copies in round %d", len(want.Copies), round)
	}
	for _, k := range want.Copies {
		row := "[data-table=copies] " + test("why-row", "node", k.Node)
		same(t, "quota on "+k.Node, p.number(row, "data-quota-steps"), k.Quota)
		same(t, "weight of "+k.Node, p.number(row, "data-merge-weight"), k.Weight)
		same(t, "rate on "+k.Node, p.number(row, "data-rate-per-s"), k.RatePerS)
	}
	const placed = "[data-table=candidates] [data-phase='%d']" // one that has no place has no price, and no payoff
	for phase := 1; phase <= 2; phase++ {
		n := 0
		for _, k := range want.Candidates {
			if k.Phase != phase {
				continue
			}
			same(t, "a node's payoff", eval[float64](p, fmt.Sprintf("Number(document.querySelectorAll(%q)[%d].dataset.payoff ?? 0)",
				fmt.Sprintf(placed, phase), n)), k.Payoff)
			n++
		}
		if got := p.count(fmt.Sprintf(placed, phase)); got != n || n == 0 {
			t.Errorf("%d rows of phase %d, the engine has %d", got, phase, n)
		}
	}
	if got := p.text(test("why")); !strings.Contains(got, "Phase 2: what is left goes to the job") {
		t.Errorf("phase 2 is explained as %q", got)
	}
	p.shots("hadare")
	p.click(".sum .job[data-job=a]") // which does not get what is left
	p.until(
		"document.querySelector('[data-test=why]').dataset.job === 'a' && document.querySelector('[data-phase=\"2\"] [data-test=force]') !== null")
	p.click("[data-phase='2'] " + test("force"))
	p.until(
		"document.querySelector('[data-test=lane][data-forced]') !== null && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	if got := p.text(test("forced")); strings.Contains(got, "no effect") {
		t.Errorf("the node of phase 2 is forced in vain: %q", got)
	}
}
