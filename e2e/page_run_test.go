package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// busy is a scenario that keeps the engine at work for long: many jobs on a small mixed cluster.
func busy(jobs int) string {
	var b strings.Builder
	b.WriteString(
		`{"kind":"scenario","version":1,"meta":{"title":"Busy"},"scenario":{"round_s":360,"cluster":{"nodes":[`)
	for i := range 12 {
		if i > 0 {
			b.WriteString(",")
		}
		fmt.Fprintf(&b, `{"id":"n%d","gpus":{%q:4}}`, i+1, [...]string{"v100", "p100", "k80"}[i%3])
	}
	b.WriteString(
		`]},"throughputs":{"rows":[{"model":"m","batch":64,"per_gpu":{"v100":9,"p100":5,"k80":2}},{"model":"o","per_gpu":{"v100":3,"p100":4,"k80":1}}]},"jobs":[`)
	for i := range jobs {
		if i > 0 {
			b.WriteString(",")
		}
		model := `"m","batch":64`
		if i%3 == 0 {
			model = `"o"`
		}
		fmt.Fprintf(&b, `{"id":"j%d","model":%s,"arrival_s":%d,"gpus":%d,"steps":%d}`, i+1, model, i*97%7000, 1+i%4,
			20000+i*7919%90000)
	}
	b.WriteString(`],"policies":[{"id":"hadar"},{"id":"gavel-las"}]}}`)
	return b.String()
}

func TestCancelOfALongRun(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	p.applyJSON(busy(1500))
	p.state("running")
	p.until("getComputedStyle(document.querySelector('[data-test=cancel]')).visibility === 'visible'")
	p.until(
		"document.querySelector('[data-test=progress]').value > 0 || Number(document.querySelector('[data-test=progress]').dataset.round) > 0")
	if got := p.hash("hadar"); got != before {
		t.Error("the old result is gone while the new one is computed")
	}
	p.until("document.querySelector('[data-test=so-far] path')?.getAttribute('d').includes('H')")
	if lines := eval[[]float64](p,
		`[...document.querySelectorAll(".sofar .names > *")].map(e => e.getBoundingClientRect().top)`); len(
		lines) < 2 || lines[1] <= lines[0] {
		t.Errorf("the lines over the curve lie at %v px", lines)
	}
	p.shots("running")
	took := eval[float64](p, `new Promise(done => {
		const began = performance.now();
		new MutationObserver((_, o) => { if (document.querySelector("[data-test=lab]").dataset.state !== "running") { o.disconnect(); done(performance.now() - began); } })
			.observe(document.querySelector("[data-test=lab]"), {attributes: true});
		document.querySelector("[data-test=cancel]").click();
	})`)
	t.Logf("cancelled after %.0f ms", took)
	if state := p.attr(test("lab"), "data-state"); state != "stale" && state != "ready" {
		t.Errorf("state %q after the cancel", state)
	}
	if p.count(test("so-far")) != 0 {
		t.Error("curves of a run that is over")
	}
	// The engine takes the next run at once.
	p.applyJSON(string(preset(t, 1)))
	want := natively(t, preset(t, 1)).Runs[0]
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", want.TraceHash))
}

func TestEscapeCancels(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.applyJSON(busy(1500))
	p.state("running")
	eval[bool](p, "document.activeElement.blur(), true") // Escape works wherever the keyboard is
	p.press(kb.Escape)
	p.until("document.querySelector('[data-test=lab]').dataset.state === 'stale'")
}

// TestLargeRunIsPaintedAndListed: thousands of bars go to a canvas, and stand in the table.
func TestLargeRunIsPaintedAndListed(t *testing.T) {
	t.Parallel()
	doc, err := physical()
	if err != nil {
		t.Skipf("the 96-job trace is not here: %v", err)
	}
	p := visit(t, native(t), "/")
	p.applyJSON(string(doc))
	want := natively(t, doc)
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", want.Runs[0].TraceHash))
	p.until("document.querySelectorAll('.lane canvas').length >= 2")
	p.click(test("editor-close"))
	p.until(
		`(c => c && c.width > 0 && c.getContext("2d").getImageData(0, 0, c.width, Math.min(c.height, 60)).data.some(v => v > 0))(document.querySelector(".lane canvas"))`)
	p.until(`Number(document.querySelector("[data-test=spans-table]").dataset.rows) > 1000`) // it is drawn last
	if n := p.count(test("spans-table") + " tbody tr"); n != 200 {
		t.Errorf("the page holds %d rows at once, want 200", n)
	}
	p.frames()
	p.shots("large")
}

func TestEngineCrashIsSurvived(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.allow("boom")
	p.first(
		`window.Worker = (W => class extends W { constructor(...a) { super(...a); (window.workers ??= []).push(this); } })(window.Worker)`)
	p.open(native(t).url + "/")
	p.ready()
	before := p.hash("hadar")
	p.applyJSON(busy(800))
	p.state("running")
	eval[bool](p, `workers[0].onerror(Object.assign(new Event("error"), {message: "boom"})), true`)
	p.state("error")
	if !strings.Contains(p.text(".head"), "boom") {
		t.Errorf("the page says %q", p.text(".head"))
	}
	p.applyJSON(string(preset(t, 0)))
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", before))
}

// TestAnEngineThatDoesNotStartIsNotWaitedFor: one that finds no room, or is not what it should be, is told as one that
// dies, and another is started in its place.
func TestAnEngineThatDoesNotStartIsNotWaitedFor(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.allow("the engine|instantiate")
	p.first(`window.Worker = (W => class extends W {
		postMessage(what, ...rest) {
			const first = !window.begun;
			window.begun = true;
			super.postMessage(first ? "no module" : what, ...rest);
		}
	})(window.Worker)`)
	p.open(native(t).url + "/")
	p.ready()
	p.click(test("run"))
	p.ready()
	p.until("document.querySelector('.state').innerText.startsWith('Ready, ')")
}

// TestAllMetricsNameTheBounds: the long list says what no schedule beats, and what Hadar reached.
func TestAllMetricsNameTheBounds(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	if eval[bool](p, "document.querySelector('[data-test=measured]').checkVisibility()") {
		t.Error("the short list shows what belongs to the long one")
	}
	p.click(test("all-metrics"))
	p.until("document.querySelector('[data-test=measured]').checkVisibility()")
	if got := p.text(test("measured")); !strings.Contains(got, "Hadar, measured on this run") ||
		!strings.Contains(got, "competitive ratio") || !strings.Contains(got, "No schedule of one gang a job that finishes every job beats the bounds of Hadar") {
		t.Errorf("the page says %q", got)
	}
	if v := p.number(test("metric", "policy", "hadar", "metric", "makespan_over_bound"), "data-value"); !(v >= 1) {
		t.Errorf("the last finish is %g times a bound that nobody beats", v)
	}
	p.shots("all-metrics")
}

// TestLaneThatCannotRun: a policy that does not fit the scenario is told once, in words; headline, charts, numbers and
// Why agree with it.
func TestLaneThatCannotRun(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = 'allox'; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelectorAll(%q)[1])", test("policy-picker")))
	p.see(test("lane-refused"))
	p.ready()
	if got := p.text(test("lane-refused")); strings.Count(got, "one GPU only") != 1 ||
		!strings.Contains(got, "Choose another policy") || strings.Contains(got, "/scenario") {
		t.Errorf("the lane says %q", got)
	}
	if got := p.text(
		test(
			"finding")); got != "Only Hadar has run. AlloX cannot run this scenario; its lane says why, and what would help." {
		t.Errorf("the headline says %q", got)
	}
	if got := p.text(".top .state"); got != "Ready, 1 of 2 runs" {
		t.Errorf("the bar says %q", got)
	}
	for _, tab := range []string{"busy", "prices", "queue", "cdf", "winners", "fairness", "types", "shares",
		"overheads"} {
		p.click(test("tab-" + tab))
		p.until("document.querySelector('" + test("chart") + "').dataset.chart === '" + tab + "'")
		got := eval[string](p, "document.querySelector('"+test("chart")+" p b').textContent")
		if strings.Count(got, "Hadar") > 1 || strings.Contains(got, "Add a second") ||
			strings.Contains(got, "one lane") {
			t.Errorf("the chart %s says %q", tab, got)
		}
	}
	p.click(test("tab-busy"))
	if got := p.text(test("why")); strings.Contains(got, "nothing to say") ||
		!strings.Contains(got, "cannot run the scenario") {
		t.Errorf("Why says %q", got)
	}
	if got := eval[string](p, "document.body.innerText"); strings.Count(got, "one GPU only") != 1 {
		t.Error("the reason stands more than once on the page")
	}
	p.shots("refused")
}
