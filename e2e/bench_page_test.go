package e2e

import (
	"fmt"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// vitals records what the browser measures of a page for its visitor: first and largest paint, moves of the layout,
// the slowest answer to a key or click, and when the program's bytes were there.
const vitals = `window.vitals = {fcp: 0, lcp: 0, cls: 0, inp: 0};
new PerformanceObserver(l => l.getEntries().forEach(e => { if (e.name === "first-contentful-paint") vitals.fcp = e.startTime; })).observe({type: "paint", buffered: true});
new PerformanceObserver(l => l.getEntries().forEach(e => { vitals.lcp = e.startTime; })).observe({type: "largest-contentful-paint", buffered: true});
new PerformanceObserver(l => l.getEntries().forEach(e => { if (!e.hadRecentInput) vitals.cls += e.value; })).observe({type: "layout-shift", buffered: true});
new PerformanceObserver(l => l.getEntries().forEach(e => { if (e.interactionId) vitals.inp = Math.max(vitals.inp, e.duration); })).observe({type: "event", buffered: true, durationThreshold: 16});`

// BenchmarkVitals opens the page cold, and then uses it as a visitor would: steps, a bar, a chart, an edit.
func BenchmarkVitals(b *testing.B) {
	s := native(b)
	for b.Loop() {
		p := newPage(b)
		p.first(vitals)
		p.open(s.url + "/")
		p.ready()
		p.frames()
		for _, css := range []string{test("step"), test("next-disagreement"), test("play"), test("play"), "#tab-cdf",
			"#tab-prices", test("editor-gpus-more"), test("undo"), test("share-link")} {
			p.click(css)
			p.frames()
		}
		p.ready()
		for _, name := range []string{"fcp", "lcp", "inp"} {
			b.ReportMetric(eval[float64](p, "vitals."+name), name+"-ms")
		}
		b.ReportMetric(eval[float64](p, "vitals.cls"), "cls")
		b.ReportMetric(eval[float64](p,
			`performance.getEntriesByType("resource").find(e => e.name.endsWith("app.wasm")).responseEnd`),
			"wasm-there-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// edited types a round length and gives the times in ms from the last key to the first curve of the run and to the
// lanes and charts of the new result, drawn.
const edited = `new Promise(done => {
  const field = document.querySelector("[data-test=editor-round]"), lab = document.querySelector("[data-test=lab]"), old = document.querySelector("[data-test=lane]").dataset.hash;
  let first = 0;
  const began = performance.now();
  const look = () => {
    const now = performance.now() - began;
    if (!first && document.querySelector("[data-test=so-far] path")) first = now;
    if (lab.dataset.state === "ready" && document.querySelector("[data-test=lane]").dataset.hash !== old && document.querySelector("[data-test=chart]")) done([first || now, now]);
    else requestAnimationFrame(look);
  };
  field.value = %s;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  requestAnimationFrame(look);
})`

// BenchmarkEdit changes the round length of 60 measured jobs under two policies, and of 480 jobs on 60 GPUs: medians,
// of two versions in turn if there are.
func BenchmarkEdit(b *testing.B) {
	sixty, _ := lab.Preset("sixty-measured-jobs")
	docs := map[string][]byte{"60-jobs": sixty}
	docs["480-jobs"], _ = generated480()
	names, urls := versions(b)
	for _, size := range []string{"60-jobs", "480-jobs"} {
		if docs[size] == nil {
			continue
		}
		b.Run(size, func(b *testing.B) {
			parsed, _ := scenario.Parse(docs[size], scenario.FileLimits)
			first, all := map[string][]float64{}, map[string][]float64{}
			for b.Loop() {
				for _, name := range names {
					p := newPage(b)
					p.open(urls[name] + "/#" + link.Encode(parsed, lab.Defaults()))
					p.ready()
					p.frames()
					ms := eval[[]float64](p, fmt.Sprintf(edited, `"361"`))
					first[name] = append(first[name], ms[0])
					all[name] = append(all[name], ms[1])
				}
			}
			for _, name := range names {
				reportMedian(b, first[name], name+"-first-chart-ms")
				reportMedian(b, all[name], name+"-all-ms")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// BenchmarkPolluxSearch runs Pollux alone on its 160 jobs in the page, with either search, as a visitor waits for it.
func BenchmarkPolluxSearch(b *testing.B) {
	doc, _ := lab.Preset("pollux-world")
	s := native(b)
	for _, search := range []string{"fast", "paper"} {
		b.Run(search, func(b *testing.B) {
			parsed, _ := scenario.Parse(doc, scenario.FileLimits)
			parsed.Scenario.Policies = []scenario.Policy{{ID: "pollux", Params: map[string]any{"search": search}}}
			address := s.url + "/#" + link.Encode(parsed, lab.Defaults())
			for b.Loop() {
				p := newPage(b)
				p.open(address)
				p.see(test("cancel")) // it says that it works, and can be ended
				for eval[string](p, "document.querySelector('[data-test=lab]').dataset.state") != "ready" {
					p.frames()
				}
			}
		})
	}
}
