package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// pick chooses an entry of a list.
func (p *page) pick(css, value string) {
	p.t.Helper()
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelector(%q))", value, css))
	p.frames()
}

// TestPartsThatMostDoWithout edits knowledge, tenants, faults, growth, overheads and generated jobs.
func TestPartsThatMostDoWithout(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	if n := p.count(".extra details[open]"); n != 0 || p.count(".extra summary") != 12 {
		t.Errorf("%d parts are open, of %d", n, p.count(".extra summary"))
	}
	eval[bool](p, "document.querySelectorAll('.extra details').forEach(d => d.open = true), true")
	p.pick("[data-path='/scenario/knowledge/lengths']", "noisy")
	p.fill("[data-path='/scenario/knowledge/error']", "0.8")
	p.click(test("editor-add-tenant"))
	p.see(test("editor-job-tenant"))
	p.pick(test("editor-job-tenant", "job", "j1"), "team-1")
	p.fill(test("editor-job-slo", "job", "j1"), "7200")
	p.pick(test("editor-add-fault"), "0")
	p.fill("[data-path='/scenario/faults/0/at_s']", "120")
	p.pick(test("editor-add-change"), "1")
	p.pick(test("editor-add-overheads"), "resnet-50")
	p.fill("[data-path='/scenario/overheads/models/0/restart_s']", "25")
	p.fill("[data-path='/scenario/overheads/checkpoint_every_s']", "900")
	p.settles("hadar", example)
	eval[bool](p, "scrollTo(0, 0), true") // no field lies half below the bar
	p.accessible("editor with everything")
	p.shots("editor-extras")
	p.fill("[data-path='/scenario/knowledge/error']", "9")
	p.until("document.querySelector('.editor [data-test=problem]')?.innerText.includes('Error of lengths must be')")
	p.fill("[data-path='/scenario/knowledge/error']", "0.8")
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	text := strings.Join(strings.Fields(p.input(test("editor-json"))), "")
	for _, want := range []string{`"lengths":"noisy"`, `"error":0.8`, `"id":"team-1"`, `"tenant":"team-1"`,
		`"slo_s":7200`, `"at_s":120`, `"changes":[`, `"restart_s":25`, `"checkpoint_every_s":900`} {
		if !strings.Contains(text, want) {
			t.Errorf("the document lacks %s", want)
		}
	}
	p.click(test("editor-form"))
	p.see(test("editor-generate"))
}

func TestJobsAreDrawnAndFrozen(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	p.click(test("editor-generator") + " summary")
	p.click(test("editor-generate"))
	drawn := p.settles("hadar", example)
	p.fill("[data-path='/scenario/jobs/generator/count']", "8")
	drawn = p.settles("hadar", drawn)
	p.click(test("editor-sizes"))
	p.see(test("editor-remove-size"))
	p.fill("[data-path='/scenario/jobs/generator/gpus/2']", "60")
	p.pick(test("editor-add-size"), "3")
	p.see("[data-path='/scenario/jobs/generator/gpus/3']")
	p.click(test("editor-mix"))
	p.see(test("editor-remove-mix"))
	p.fill("[data-path='/scenario/jobs/generator/models/0/share']", "4")
	p.fill("[data-path='/scenario/jobs/generator/lengths/median_s']", "900")
	p.pick("[data-path='/scenario/jobs/generator/reference']", "p100")
	p.ready()
	eval[bool](p, "window.scrollTo(0, 0), true") // where nothing stands over the fields
	p.accessible("generated jobs")
	p.shots("editor-generator")
	text := eval[string](p, "JSON.stringify(JSON.parse("+keptText+").scenario.jobs.generator)")
	for _, want := range []string{`"count":8`, `"2":60`, `"3":1`, `"share":4`, `"median_s":900`, `"reference":"p100"`} {
		if !strings.Contains(text, want) {
			t.Errorf("the generator lacks %s: %s", want, text)
		}
	}
	for range 7 {
		p.click(test("undo"))
		p.frames()
	}
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", drawn))
	p.click(test("editor-freeze"))
	p.until("document.querySelectorAll('[data-test=editor-jobs] tbody tr').length === 8")
	p.ready()
	if p.hash("hadar") != drawn {
		t.Error("the frozen jobs give another run")
	}
	for range 3 {
		p.click(test("undo"))
		p.frames()
	}
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", example))
}

// TestANetworkIsAdded puts a network between the nodes, whose links are shared, and takes it away again.
func TestANetworkIsAdded(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	p.click(test("editor-network") + " summary")
	p.click(test("editor-add-network"))
	p.until("document.querySelector('[data-path=\"/scenario/cluster/network/shared_links\"]')?.value === 'true'")
	p.see("[data-path='/scenario/throughputs/rows/0/gradient_mb']")
	p.shots("editor-add-network")
	p.click(test("editor-remove-network"))
	p.see(test("editor-add-network"))
}

// TestLinksAreShared lets gangs share links, from the network's form, and takes it back.
func TestLinksAreShared(t *testing.T) {
	t.Parallel()
	doc, _ := lab.Preset("one-slow-link")
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	p := visit(t, native(t), "/#"+link.Encode(parsed, lab.Defaults()))
	apart := p.hash("fifo")
	p.click(test("editor-open"))
	p.see(test("editor-network"))
	p.click(test("editor-network") + " summary")
	at := "[data-path='/scenario/cluster/network/shared_links']"
	p.pick(at, "true")
	shared := p.settles("fifo", apart)
	p.shots("editor-network")
	p.pick(at, "false")
	if again := p.settles("fifo", shared); again != apart {
		t.Errorf("taken back, the run is %s, was %s", again, apart)
	}
}

// TestHostsCount: one press gives nodes and models CPUs and memory, which change the run; their fields stand with what
// they belong to, and one press takes all of it away.
func TestHostsCount(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	plain := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor-hosts"))
	p.click(test("editor-hosts") + " summary")
	p.click(test("editor-add-hosts"))
	fair := p.settles("hadar", plain)
	p.pick("[data-path='/scenario/cluster/host_split']", "tuned")
	p.fill(".editor [data-path='/scenario/cluster/nodes/0/cpus']", "3")
	p.settles("hadar", fair)
	curve := test("editor-curve") + "[data-path$='/cpus']"
	if got := p.input(curve); got != "1 0.348, 2 0.643, 3 0.87, 4 1" {
		t.Errorf("the curve of ResNet-50 is %q", got)
	}
	p.shots("editor-hosts")
	p.accessible("editor with hosts")
	p.fill(curve, "1 0,35, 4 1")
	p.until("document.querySelector('.editor [data-test=problem]')?.innerText.includes('must be two numbers')")
	p.fill(curve, "1 0.5, 4 1")
	p.click(test("editor-no-hosts"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", plain))
	if p.count(curve) != 0 {
		t.Error("without hosts there is a curve")
	}
}
