package e2e

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// quietly types a round length and waits for the lanes and charts of the result without taking the page's time.
const quietly = `new Promise(done => {
  window.tasks = [];
  new PerformanceObserver(l => l.getEntries().forEach(e => tasks.push(e.duration))).observe({type: "longtask"});
  const field = document.querySelector("[data-test=editor-round]"), lab = document.querySelector("[data-test=lab]");
  const old = document.querySelector("[data-test=lane]").dataset.hash;
  const look = () => {
    if (lab.dataset.state === "ready" && document.querySelector("[data-test=lane]").dataset.hash !== old)
      setTimeout(() => done(Math.max(0, ...tasks)), 1500);
    else setTimeout(look, 50);
  };
  field.value = 361;
  field.dispatchEvent(new Event("input", {bubbles: true}));
  look();
})`

// BenchmarkEditThread changes the round length of 480 jobs on 60 GPUs and gives what that costs the page's thread until
// all is quiet again, in CPU s, its longest task, and the tab's private memory: medians, of two versions in turn if
// there are.
func BenchmarkEditThread(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	names, urls := versions(b)
	cpu, task, memory := map[string][]float64{}, map[string][]float64{}, map[string][]float64{}
	for b.Loop() {
		for _, name := range names {
			p := newPage(b)
			p.open(urls[name] + "/#" + link.Encode(parsed, lab.Defaults()))
			p.ready()
			eval[bool](p, "new Promise(done => setTimeout(() => done(true), 1500))")
			before := p.counters()["ThreadTime"]
			task[name] = append(task[name], eval[float64](p, quietly))
			cpu[name] = append(cpu[name], p.counters()["ThreadTime"]-before)
			memory[name] = append(memory[name], largest(b, p.renderers()))
		}
	}
	for _, name := range names {
		reportMedian(b, cpu[name], name+"-cpu-s")
		reportMedian(b, task[name], name+"-task-ms")
		reportMedian(b, memory[name], name+"-tab-MB")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkStepThread drags through 80 rounds of 480 jobs on 60 GPUs, a step a frame, and gives what a step costs the
// page's thread in CPU ms: medians, of two versions in turn if there are.
func BenchmarkStepThread(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	names, urls := versions(b)
	cpu := map[string][]float64{}
	for b.Loop() {
		for _, name := range names {
			p := newPage(b)
			p.open(urls[name] + "/#" + link.Encode(parsed, lab.Defaults()))
			p.ready()
			eval[bool](p, "new Promise(done => setTimeout(() => done(true), 1500))")
			before := p.counters()["ThreadTime"]
			frames := eval[[]float64](p, scrubFrames)
			cpu[name] = append(cpu[name], (p.counters()["ThreadTime"]-before)*1000/float64(len(frames)))
		}
	}
	for _, name := range names {
		reportMedian(b, cpu[name], name+"-cpu-ms")
	}
	b.ReportMetric(0, "ns/op")
}

// BenchmarkManyEdits changes the round length of 480 jobs on 60 GPUs 300 times and gives the tab's private memory after
// 20, 100, 200 and 300 of them.
func BenchmarkManyEdits(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	s := native(b)
	for b.Loop() {
		p := newPage(b)
		p.open(s.url + "/#" + link.Encode(parsed, lab.Defaults()))
		p.ready()
		for n := 1; n <= 300; n++ {
			eval[float64](p, strings.Replace(quietly, "361", strconv.Itoa(361+n%7), 1))
			if n == 20 || n%100 == 0 {
				b.ReportMetric(largest(b, p.renderers()), fmt.Sprintf("after-%d-MB", n))
			}
		}
	}
	b.ReportMetric(0, "ns/op")
}
