package e2e

import (
	"fmt"
	"regexp"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// watchWorkers counts the engines that the page starts and ends, and has the page believe in so many cores.
const watchWorkers = `window.engines = {made: 0, ended: 0};
window.Worker = class extends Worker {
  constructor(...all) { super(...all); engines.made++; }
  terminate() { engines.ended++; super.terminate(); }
};
Object.defineProperty(navigator, "hardwareConcurrency", {get: () => %d});`

// shownEarly is what is in sight of the main part while its first scenario is being opened: what is known of it should
// be, and nothing else. It is empty once the scenario is open.
const shownEarly = `document.documentElement.hasAttribute("data-opening") ? [...document.querySelectorAll("main *")]
  .filter(e => e.checkVisibility({ visibilityProperty: true }) && !e.children.length).map(e => e.textContent).join("|")
  + (document.querySelector(".opening").checkVisibility() ? "|" + document.querySelector(".opening").textContent : "") : ""`

// fourLanes is a scenario that lasts, under four policies.
func fourLanes(t testing.TB, doc []byte) (text []byte, fragment string) {
	parsed, diags := scenario.Parse(doc, scenario.FileLimits)
	if parsed == nil || diags.HasErrors() {
		t.Fatal(diags)
	}
	parsed.Scenario.Policies = nil
	for _, id := range []string{"hadar", "gavel-las", "gavel-ftf", "fifo"} {
		parsed.Scenario.Policies = append(parsed.Scenario.Policies, scenario.Policy{ID: id})
	}
	return parsed.Marshal(false), link.Encode(parsed, lab.Defaults())
}

// busyScenario is jobs of one GPU at the load of its cluster.
func busyScenario(jobs int) []byte {
	nodes := ""
	for _, typ := range []string{"v100", "p100", "k80"} {
		for n := range 5 {
			nodes += fmt.Sprintf(`,{"id":"%s-%d","gpus":{%q:4}}`, typ, n, typ)
		}
	}
	return fmt.Appendf(nil, `{"kind":"scenario","version":1,"scenario":{"seed":1,"round_s":360,"cluster":{"nodes":[%s]},
"throughputs":{"rows":[]},"jobs":{"generator":{"count":%d,"arrivals":{"process":"poisson","rate_per_h":2.4}}}}}`, nodes[1:], jobs)
}

// TestEnginesShareLanes: on a machine of two cores a second engine helps with lanes that last, what comes of it is what
// one engine gives, and on one core there is no second one.
func TestEnginesShareLanes(t *testing.T) {
	t.Parallel()
	doc, fragment := fourLanes(t, busyScenario(400))
	want := natively(t, doc)
	for _, cores := range []int{1, 2} {
		p := newPage(t)
		p.first(fmt.Sprintf(watchWorkers, cores))
		p.open(native(t).url + "/#" + fragment)
		p.until("Number(document.querySelector('[data-test=progress]')?.value) > 0")
		known := regexp.MustCompile(`^Which policy completes the jobs sooner, and why\?\|400 jobs on 60 GPUs · ` +
			`Hadar, [^|]*FIFO[^|]*\|Round \d+, \d+ of 400 jobs done[^|]*$`)
		if shown := eval[string](p, shownEarly); shown != "" && !known.MatchString(shown) {
			t.Errorf("on the page that is being opened stands %q", shown)
		}
		for k, run := range want.Runs {
			p.until(fmt.Sprintf("document.querySelectorAll('[data-test=lane]')[%d]?.dataset.hash === %q", k, run.TraceHash))
		}
		if made := eval[int](p, "engines.made"); made != cores {
			t.Errorf("on %d cores the page starts %d engines", cores, made)
		}
	}
}

// BenchmarkFourLanes is the time from a live page to the results of 480 jobs on 60 GPUs under four policies, with one
// engine, which is the sum of the four, and with two.
func BenchmarkFourLanes(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	doc, fragment := fourLanes(b, doc)
	want := natively(b, doc).Runs
	s := native(b)
	for _, cores := range []int{1, 2} {
		b.Run(fmt.Sprint(cores), func(b *testing.B) {
			sum, n := 0.0, 0.0
			for b.Loop() {
				p := newPage(b)
				p.first(stopwatch)
				p.first(fmt.Sprintf(watchWorkers, cores))
				p.open(s.url + "/#" + fragment)
				for k, run := range want {
					p.until(fmt.Sprintf("document.querySelectorAll('[data-test=lane]')[%d]?.dataset.hash === %q", k, run.TraceHash))
				}
				sum += eval[float64](p, "performance.now() - bench.live")
				n++
			}
			b.ReportMetric(sum/n, "results-ms")
			b.ReportMetric(0, "ns/op")
		})
	}
}
