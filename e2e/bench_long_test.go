package e2e

import (
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
)

// BenchmarkLongRun opens a link of 816 characters whose two runs have 241,664 and 69,632 rounds, then steps, scrubs and
// opens charts: how long until the result stands, and the longest task of the page's thread before that and after.
func BenchmarkLongRun(b *testing.B) {
	s := native(b)
	doc, _ := scenario.Parse(simtest.LongWaits(0), scenario.FileLimits)
	for b.Loop() {
		p := newPage(b)
		p.first(stopwatch)
		began := time.Now()
		p.open(s.url + "/#" + link.Encode(doc, lab.Defaults()))
		for range 10 { // each step in the browser has its bound
			if eval[bool](p, `new Promise(done => { const end = performance.now() + 30000, look = () => {
				const is = document.querySelector("[data-test=lab]")?.dataset.state === "ready";
				is || performance.now() > end ? done(is) : setTimeout(look, 100) }; look() })`) {
				break
			}
		}
		p.ready()
		p.frames()
		b.ReportMetric(time.Since(began).Seconds(), "ready-s")
		longest := func(name string) {
			b.ReportMetric(eval[float64](p, "Math.max(0, ...bench.tasks.map(t => t[1]))"), name+"-task-ms")
			eval[bool](p, "bench.tasks = [], true")
		}
		longest("open")
		p.click(test("step"))
		p.frames()
		longest("step")
		eval[bool](p, `(() => { const f = document.querySelector("#scrub"); f.value = Math.floor(f.max / 2);
			f.dispatchEvent(new Event("input", {bubbles: true})); return true })()`)
		p.frames()
		longest("scrub")
		for _, tab := range eval[[]string](p,
			"[...document.querySelectorAll('[role=tab][data-test^=tab-]:not([hidden])')].map(e => e.dataset.test)") {
			p.click(test(tab))
			p.frames()
			longest(tab)
		}
		b.ReportMetric(largest(b, p.renderers()), "tab-MB")
	}
	b.ReportMetric(0, "ns/op")
}
