package e2e

import (
	"strings"
	"testing"
)

// learns is a scenario of two profiled jobs, one of which may grow and adapt its batch; fifo keeps to what they ask
// for.
const learns = `{"kind":"scenario","version":1,"meta":{"title":"Learns less from more"},"scenario":{"round_s":60,
"cluster":{"nodes":[{"id":"n1","gpus":{"t4":4}},{"id":"n2","gpus":{"t4":4}}]},
"throughputs":{"rows":[],"profiles":[{"model":"m","init_batch":128,"max_batch":4096,
"types":[{"type":"t4","low":16,"high":512,"alpha_c":0.01,"beta_c":0.001,"alpha_n":0.1,"beta_n":0.01,"alpha_r":0.02,"beta_r":0.001,"gamma":2}],
"noise":[{"until":0.5,"phi":{"128":300}},{"until":1,"phi":{"128":3000}}]}]},
"jobs":[{"id":"e","model":"m","gpus":2,"steps":9000,"elastic":{"min":1,"max":8}},
{"id":"big","model":"m","batch":512,"gpus":2,"steps":4000}],
"policies":[{"id":"pollux"},{"id":"fifo"}]}}`

// TestGoodputOverTime: all jobs of a lane and the selected one, with what their examples bring and what brings nothing;
// it is offered where profiles say so.
func TestGoodputOverTime(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	if p.count(test("tab-worth")+"[hidden]") != 1 || p.count(test("tab-timers")+"[hidden]") != 1 {
		t.Error("the example offers goodput without profiles, or timers that nobody has")
	}
	p.applyJSON(learns)
	p.see(test("lane", "policy", "pollux"))
	p.openTab("worth")
	p.until("document.querySelectorAll('[data-role=worth] [data-role=a-strip]').length === 4")
	if n := p.count("[data-role=worth] [data-use=waste]"); n != 4 {
		t.Errorf("%d areas of examples that bring nothing in two lanes of two strips", n)
	}
	if says := p.text(test("chart") + " p"); !strings.Contains(says, "% of the examples bring nothing") {
		t.Errorf("the finding is %q", says)
	}
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	// Half of its work has a noise scale of 300, and half one of 3000: what brings nothing is
	// 1 - 2/((300+512)/(300+128) + (3000+512)/(3000+128)).
	if got := p.text(test("chart-table")); !strings.Contains(got, "33.8 %") {
		t.Errorf("the table has %q", got)
	}
	p.accessible("goodput")
	p.shots("goodput")
}

// TestTimersOverTime: a strip a demand and distance, and a curve a lane that has timers.
func TestTimersOverTime(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("patience-for-locality")
	p.openTab("timers")
	if n := p.count("[data-role=timers] [data-role=a-strip]"); n != 6 {
		t.Errorf("%d strips for jobs of 2, 3 and 4 GPUs in two racks", n)
	}
	if n := p.count(test("chart") + " .legend li"); n != 2 {
		t.Errorf("%d lanes have timers, want the two Dally-style ones", n)
	}
	if says := p.text(test("chart") + " p"); !strings.Contains(says, "no timer changes") {
		t.Errorf("the finding is %q", says)
	}
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	if got := p.text(test("chart-table")); !strings.Contains(got, "4 GPUs, then for a rack") {
		t.Errorf("the table has %q", got)
	}
	p.accessible("timers")
	p.shots("timers")
}

// TestLinksOverTime: where gangs share links, a strip a lane and link that is used, in what it carries; elsewhere there
// is no such chart.
func TestLinksOverTime(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	if !eval[bool](p, "document.querySelector('[data-test=tab-links]')?.hidden ?? true") {
		t.Error("a scenario without a network has a chart of links")
	}
	p.openPreset("two-gangs-one-card")
	p.openTab("links")
	// Under Dally-style nothing crosses nodes: its strips are empty.
	if n := p.count("[data-role=links] [data-role=a-strip]"); n != 6 {
		t.Errorf("%d strips for two lanes and three network cards", n)
	}
	if says := p.text(test("chart") + " p"); !strings.Contains(says, "share “Network card of n2” for 93\u00a0% of the time") {
		t.Errorf("the finding is %q", says)
	}
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	if got := p.text(test("chart-table")); !strings.Contains(got, "Network card of n2") {
		t.Errorf("the table has %q", got)
	}
	p.accessible("links")
	p.shots("links")
}

// TestRacksAreOffered: a policy that weighs distances says that there are none, and one press makes racks.
func TestRacksAreOffered(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	p.pick(".editor "+test("policy-picker", "lane", "A"), "dally")
	p.see(".editor [data-need=racks] " + test("offer"))
	p.until("document.querySelector('[data-test=lane][data-policy=dally]')?.dataset.hash > ''")
	p.shots("offer-racks")
	p.click(".editor [data-need=racks] " + test("offer"))
	p.until("document.querySelectorAll('[data-need=racks]').length === 0")
	p.openTab("timers")
	if n := p.count("[data-role=timers] [data-role=a-strip]"); n < 2 {
		t.Errorf("in two racks there are %d timers", n)
	}
	p.click(test("undo"))
	p.see(".editor [data-need=racks] " + test("offer"))
}

// TestBatchesAreSplit: one press splits all batches by speed, a list takes one job out again.
func TestBatchesAreSplit(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("editor-open"))
	p.see(test("editor-balance"))
	p.click(test("editor-balance"))
	list := `.editor [data-test=editor-word][data-path="/scenario/jobs/1/batch_split"]`
	p.see(list)
	if got := p.input(list); got != "balanced" {
		t.Errorf("the second job is %q", got)
	}
	p.shots("editor-split")
	p.pick(list, "even")
	p.until("document.querySelector('" + list + "').value === 'even'")
	p.accessible("editor with batches split")
	p.click(test("editor-alike"))
	p.see(test("editor-balance"))
	if p.count(list) != 0 {
		t.Error("batches that are split alike have a column")
	}
}
