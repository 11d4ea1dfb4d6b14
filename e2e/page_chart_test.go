package e2e

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// TestCompletionCurvesSelectTheirJobs: every finished job is a step of each lane's curve.
func TestCompletionCurvesSelectTheirJobs(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	want := natively(t, preset(t, 0))
	p.click(test("tab-cdf"))
	p.see(test("cdf"))
	if n := p.count(test("cdf") + " [data-role=step]"); n != len(want.Runs[0].Jobs)+len(want.Runs[1].Jobs) {
		t.Errorf("%d steps for the jobs of two lanes", n)
	}
	if got := p.text(test("chart") + " p"); !strings.Contains(got, "Half of the jobs are complete within") {
		t.Errorf("the finding is %q", got)
	}
	eval[bool](
		p,
		`(e => { const b = e.getBoundingClientRect(); e.scrollIntoView(); return true })(document.querySelector('[data-test=cdf] [data-role=step][data-job=j3]'))`)
	p.click(test("cdf") + " [data-role=step][data-job=j3]")
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")
	if n := p.count("[data-role=cdf-here] [data-role=here]"); n != 2 {
		t.Errorf("the selected job is marked %d times, want once a lane", n)
	}
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	if n := p.count(test("chart-table") + " tbody tr"); n != len(want.Runs[0].Jobs) {
		t.Errorf("the table has %d rows", n)
	}
	p.shots("completion")
}

// TestUsageByTypeAddsUp: the shares of the types, weighed by their GPUs, are the lane's utilisation.
func TestUsageByTypeAddsUp(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("tab-types"))
	p.see(test("usage"))
	p.click(test("chart-toggle"))
	p.see(test("chart-table"))
	for _, run := range natively(t, preset(t, 0)).Runs {
		got := eval[float64](p,
			fmt.Sprintf(
				`(rows => rows.reduce((n, r) => n + Number(r.dataset.busy) * Number(r.children[2].textContent), 0) / rows.reduce((n, r) => n + Number(r.children[2].textContent), 0))([...document.querySelectorAll(%q)])`,
				test("chart-table")+" tr[data-policy="+run.Policy+"]"))
		if math.Abs(got-run.Metrics.GPUUtilization) > 1e-9 {
			t.Errorf("%s: the types add up to %v, the engine says %v", run.Policy, got, run.Metrics.GPUUtilization)
		}
	}
	if n := p.count(test("usage") + " [data-use=waste]"); n == 0 {
		t.Error("no GPU is shown idle while a job waits, and Gavel leaves some so")
	}
	p.shots("usage")
}

// TestPricesAreLinearUnlessAsked: the scale begins at 0, a press makes it one of powers of ten, and a link keeps that.
func TestPricesAreLinearUnlessAsked(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	lowest := "document.querySelector('[data-test=chart] [data-role=gutter] text')?.textContent"
	p.click(test("tab-busy"))
	p.until("document.querySelector('[data-test=chart]').dataset.chart === 'busy'")
	if p.count(test("chart-log")+":not([hidden])") > 0 {
		t.Error("a chart without prices offers their scale")
	}
	p.click(test("tab-prices"))
	p.until(lowest + " === '0'")
	linear := p.attr(test("chart")+" [data-role=curves] path[data-series]", "d")
	p.click(test("chart-log"))
	p.until(lowest + " !== '0'")
	if p.attr(test("chart-log"), "aria-pressed") != "true" ||
		p.attr(test("chart")+" [data-role=curves] path[data-series]", "d") == linear {
		t.Error("the curve stands as before")
	}
	p.click(test("step"))
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.open(p.input(test("share-link")))
	p.ready()
	p.until(lowest + " !== undefined && " + lowest + " !== '0'")
}
