package e2e

import (
	"strings"
	"testing"
)

// grows is a scenario whose first job grows and shrinks, on two racks; fifo keeps to what jobs ask for.
const grows = `{"kind":"scenario","version":1,"meta":{"title":"Grows and shrinks"},"scenario":{"cluster":{"nodes":[
{"id":"n1","rack":"east","gpus":{"v100":2}},{"id":"n2","rack":"east","gpus":{"v100":2}},
{"id":"n3","rack":"west","gpus":{"v100":2}}]},"throughputs":{"rows":[{"model":"toy","per_gpu":{"v100":1},
"gang":{"v100":{"2":1.8,"3":2.4,"4":2.8,"5":3.2,"6":3.5}}}]},"jobs":[
{"id":"e","model":"toy","gpus":3,"steps":9000,"elastic":{"min":1,"max":6}},
{"id":"a","model":"toy","gpus":2,"steps":2160,"arrival_s":1440},
{"id":"b","model":"toy","gpus":2,"steps":1800,"arrival_s":1800}],
"policies":[{"id":"elastic-dp"},{"id":"fifo"}]}}`

// openTab chooses a chart, in the menu or beside it.
func (p *page) openTab(id string) {
	p.t.Helper()
	p.click(test("tab-" + id))
	p.until("document.querySelector('[data-test=chart]').dataset.chart === '" + id + "'")
}

// TestSizesOfJobsOverTime: a strip a job, a curve a lane and what it asks for; none is offered where no size changes.
func TestSizesOfJobsOverTime(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	if p.count(test("tab-sizes")+"[hidden]") != 1 || p.count(test("tab-network")+"[hidden]") != 0 {
		t.Error("the example offers the sizes of rigid jobs, or has no network")
	}
	p.applyJSON(grows)
	p.see(test("lane", "policy", "elastic-dp"))
	p.openTab("sizes")
	if n := p.count(test("sizes") + " [data-role=size]"); n != 3 {
		t.Errorf("%d strips for three jobs", n)
	}
	if n := p.count(test("sizes") + " [data-role=size][data-job=e] path"); n != 3 {
		t.Errorf("%d lines of e, want one a lane and one of what it asks for", n)
	}
	if says := p.text(test("chart") + " p"); !strings.Contains(says, "e changes its size") ||
		!strings.Contains(says, "no job changes its size") {
		t.Errorf("the finding is %q", says)
	}
	p.click(test("sizes") + " [data-role=size][data-job=a]")
	p.until("document.querySelector('[data-test=sizes] [data-job=a]').dataset.here === '1'")
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	if got := p.text(test("chart-table") + " tr[data-job=e]"); !strings.Contains(got, "6") {
		t.Errorf("the row of e is %q", got)
	}
	p.accessible("sizes of jobs")
	p.shots("sizes")
}

// TestLocalityAndNetwork: how far gangs lie apart, and where they sit at the cursor, which the arrow keys move.
func TestLocalityAndNetwork(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.applyJSON(grows)
	p.see(test("lane", "policy", "elastic-dp"))
	p.openTab("locality")
	if n := p.count(test("chart") + " [data-spent=network]"); n < 2 {
		t.Errorf("%d parts over several racks, and e fills the cluster", n)
	}
	p.accessible("locality")
	p.shots("locality")
	p.openTab("network")
	wires := "document.querySelectorAll('[data-test=tree][data-lane=A] [data-role=wire]').length"
	first := p.text(test("chart") + " p")
	if n := p.count(test("tree") + "[data-lane=A] [data-role=wire][data-job=e][data-far]"); n != 1 {
		t.Errorf("%d dashed lines of e, which holds both racks", n)
	}
	if n := p.count(test("tree") + "[data-lane=A] [data-role=seat][data-job=e]"); n != 3 {
		t.Errorf("e sits on %d nodes", n)
	}
	for range 4 {
		p.click(test("step"))
	}
	p.until(wires + " === 0")
	if p.text(test("chart")+" p") == first {
		t.Error("the sentence stands as before")
	}
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	p.accessible("network")
	p.shots("network")
}

// TestAPolicyOffersWhatItNeeds: chosen for rigid jobs, an elastic policy says so, and one press makes them elastic.
func TestAPolicyOffersWhatItNeeds(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	p.pick(".editor "+test("policy-picker", "lane", "A"), "elastic-dp")
	p.see(".editor [data-need=elastic] " + test("offer"))
	p.until("document.querySelector('[data-test=lane][data-policy=elastic-dp]')?.dataset.hash > ''")
	p.see(test("lane", "policy", "elastic-dp") + " " + test("offer"))
	p.shots("offer")
	rigid := p.hash("elastic-dp")
	p.click(".editor [data-need=elastic] " + test("offer"))
	p.settles("elastic-dp", rigid)
	if p.count("[data-need=elastic]") != 0 || p.input(test("editor-job-min", "job", "j1")) != "1" {
		t.Error("the offer stands, or j1 has no least size")
	}
	most := test("editor-job-max", "job", "j1")
	p.fill(most, "0.5")
	p.until("document.querySelector('.editor [data-test=problem]')?.innerText.includes('must be a whole number')")
	p.fill(most, "3")
	p.accessible("editor with ranges")
	p.shots("editor-ranges")
	p.click(test("editor-rigid"))
	p.see(test("editor-elastic"))
	if p.count(test("editor-job-min")) != 0 {
		t.Error("rigid jobs have columns of ranges")
	}
	p.click(test("undo"))
	p.see(test("editor-rigid"))
	p.pick(".editor "+test("policy-picker", "lane", "A"), "dally")
	p.click(".editor [data-need=racks] " + test("offer"))
	p.until("!document.querySelector('[data-need=racks]')")
	if got := eval[string](p, "document.querySelector('[data-test=history]').textContent"); !strings.Contains(got, "into rack") {
		t.Errorf("the history says %q", got)
	}
}

// TestTablesOfWhyStayInTheirPanel: a table that is too wide scrolls by itself, and its rows are told by their numbers.
func TestTablesOfWhyStayInTheirPanel(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("patience-for-locality")
	p.known()
	if got := p.text(".why [data-table=timers] tbody tr:nth-child(3) th"); got != "4" {
		t.Errorf("the timers of jobs of 4 GPUs are those of %q", got)
	}
	for _, s := range []size{desktop, tablet, phone} {
		p.look(s, false)
		p.frames()
		if over := eval[float64](p, `(right => Math.max(...[...document.querySelectorAll(".why .wide")].map(
			e => e.getBoundingClientRect().right - right)))(document.querySelector(".why").getBoundingClientRect().right)`); over > 0 {
			t.Errorf("at %d px a table ends %g px outside its panel", s.w, over)
		}
	}
	p.openTab("network")
	if got := eval[string](p, "document.querySelector('[data-test=tree][data-lane=B] [data-role=gutter] text').textContent"); !strings.HasPrefix(got, "B ") {
		t.Errorf("the second lane is called %q", got)
	}
}
