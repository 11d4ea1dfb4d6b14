package e2e

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/core/imports"
	"hadarlab/core/link"
	_ "hadarlab/core/policy/own/starlark"
	"hadarlab/core/program/templates"
)

// stopwatch records, inside the page, when it becomes live, which is when it runs its scenario or shows
// the result, and every long task of its main thread.
const stopwatch = `window.bench = {live: 0, tasks: []};
new PerformanceObserver(list => list.getEntries().forEach(e => bench.tasks.push([e.startTime, e.duration]))).observe({type: "longtask", buffered: true});
new MutationObserver(() => {
  const main = document.querySelector("[data-test=lab]");
  if (!bench.live && main && ["running", "ready"].includes(main.dataset.state)) bench.live = performance.now();
}).observe(document, {subtree: true, childList: true, attributes: true, attributeFilter: ["data-state"]});`

// longTask is the longest task in ms of the main thread before the page was live, or since; 0 when none
// took 50 ms.
func longTask(p *page, since string) float64 {
	return eval[float64](p, "Math.max(0, ...bench.tasks.filter(t => t[0] "+since+" bench.live).map(t => t[1]))")
}

// BenchmarkPageLoad is the time from navigation to a live page with the default run, cold (an empty
// cache) and warm (the second visit), the longest main-thread task before and after that, and the
// tab's private memory.
func BenchmarkPageLoad(b *testing.B) {
	s := native(b)
	for b.Loop() {
		p := newPage(b)
		p.first(stopwatch)
		visit := func(name string) {
			p.open(s.url + "/")
			p.until("window.bench && bench.live > 0")
			b.ReportMetric(eval[float64](p, "bench.live"), name+"-ms")
		}
		visit("cold")
		b.ReportMetric(longTask(p, "<"), "start-task-ms")
		for range 5 { // a visitor walks through the rounds
			p.click(test("step"))
			eval[bool](p, "new Promise(done => requestAnimationFrame(() => setTimeout(() => done(true), 50)))")
		}
		b.ReportMetric(longTask(p, ">="), "live-task-ms")
		b.ReportMetric(largest(b, p.renderers()), "tab-MB")
		visit("warm")
	}
	b.ReportMetric(0, "ns/op") // one visit is not an operation to be averaged
}

// BenchmarkLargeRun opens the 96-job trace by its link, runs its policies and walks through the rounds: the
// longest main-thread task after the page became live, and the time until both results stand.
func BenchmarkLargeRun(b *testing.B) {
	doc, err := physical()
	if err != nil {
		b.Skipf("the 96-job trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	link := link.Encode(parsed, lab.Defaults())
	want := natively(b, doc).Runs[0].TraceHash
	s := native(b)
	for b.Loop() {
		p := newPage(b)
		p.first(stopwatch)
		p.open(s.url + "/#" + link)
		p.until(
			fmt.Sprintf(
				"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", want))
		b.ReportMetric(eval[float64](p, "performance.now()"), "results-ms")
		for range 20 {
			p.press(kb.ArrowRight)
			p.frames()
		}
		b.ReportMetric(longTask(p, ">="), "live-task-ms")
		b.ReportMetric(largest(b, p.renderers()), "tab-MB")
	}
	b.ReportMetric(0, "ns/op")
}

// largest is the private memory in MB of the largest of the processes.
func largest(b *testing.B, pids []int64) (mb float64) {
	for _, pid := range pids {
		status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		if err != nil {
			continue
		}
		for line := range strings.Lines(string(status)) {
			if f := strings.Fields(line); len(f) > 1 && f[0] == "RssAnon:" {
				kb, _ := strconv.ParseFloat(f[1], 64)
				mb = max(mb, kb/1000)
			}
		}
	}
	return mb
}

// BenchmarkBrowserRuns is the time in the Web Worker from request to finished lane, for the default
// scenario, the 96-job trace, and 480 jobs of one GPU on 60.
func BenchmarkBrowserRuns(b *testing.B) {
	docs := map[string][]byte{}
	docs["default"], _ = lab.Preset(lab.Presets()[0].ID)
	if doc, err := physical(); err == nil {
		docs["96-jobs"] = doc
	} else {
		b.Logf("the 96-job trace is left out: %v", err)
	}
	s := native(b)
	if doc, err := generated480(); err == nil {
		docs["480-jobs"] = doc
	}
	for _, name := range []string{"default", "96-jobs", "480-jobs"} {
		doc, ok := docs[name]
		if !ok {
			continue
		}
		for _, policy := range lab.Policies() {
			b.Run(name+"/"+policy.ID, func(b *testing.B) {
				p := newPage(b)
				p.open(s.url + "/healthz")
				sum, n := 0.0, 0.0
				for b.Loop() {
					sum += runInWorker(p, doc, `["`+policy.ID+`"]`).MS[policy.ID]
					n++
				}
				b.ReportMetric(sum/n, "run-ms")
			})
		}
	}
}

// BenchmarkPrograms is the time in the Web Worker that runs programs, from request to finished lane, of the programs to
// begin with on 480 jobs of one GPU on 60; the first run of each, whose trace is the one that they have natively.
func BenchmarkPrograms(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the trace is not here: %v", err)
	}
	s := native(b)
	for i := range templates.All {
		of := &templates.All[i]
		parsed, _ := scenario.Parse(doc, scenario.FileLimits)
		parsed.Scenario.Policies = []scenario.Policy{{ID: "own", Params: of.Values()}}
		want := natively(b, parsed.Marshal(false)).Runs[0].TraceHash
		b.Run(of.ID, func(b *testing.B) {
			sum, n := 0.0, 0.0
			for b.Loop() {
				p := newPage(b)
				p.open(s.url + "/healthz")
				got := runBy(p, "programs", parsed.Marshal(false), "[]")
				if got.Hashes["own"] != want {
					b.Fatalf("the browser gives the trace %s, this machine %s", got.Hashes["own"], want)
				}
				sum, n = sum+got.MS["own"], n+1
			}
			b.ReportMetric(sum/n, "run-ms")
		})
	}
	b.ReportMetric(0, "ns/op")
}

// physical is the 96-job trace on 8 V100, 16 P100 and 24 K80, from the reference material beside the
// checkout.
func physical() ([]byte, error) {
	return gavelTrace("gavel_physical_continuous.csv", imports.Options{})
}

// gavelTrace is a trace of Gavel, or of its generator, from the reference material beside the checkout, as a document;
// with policies, in the place of those that the import names.
func gavelTrace(name string, o imports.Options, policies ...string) ([]byte, error) {
	const shared = "../../shared/"
	trace, err := os.Open(shared + "traces/" + name)
	if err != nil {
		return nil, err
	}
	defer trace.Close()
	if o.Throughputs, err = os.ReadFile(shared + "facts/gavel_throughputs.json"); err != nil {
		return nil, err
	}
	doc, _, diags := imports.Read(trace, "gavel-csv", o)
	if diags.HasErrors() {
		return nil, fmt.Errorf("%v", diags)
	}
	if len(policies) > 0 {
		doc.Scenario.Policies = nil
	}
	for _, id := range policies {
		doc.Scenario.Policies = append(doc.Scenario.Policies, scenario.Policy{ID: id})
	}
	return doc.Marshal(false), nil
}

// zoomFrames turns the wheel once a frame, in and out again; scrubFrames drags the slider of the rounds by one step a
// frame. Both give the times between frames in ms.
const (
	zoomFrames = `new Promise(done => {
  const plot = document.querySelector("[data-part=plot]"), box = plot.getBoundingClientRect();
  let last = 0; const frames = [];
  const turn = at => {
    if (last) frames.push(at - last);
    last = at;
    if (frames.length === 80) { done(frames); return; }
    plot.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, ctrlKey: true, deltaY: frames.length < 40 ? -10 : 10, clientX: box.left + box.width / 2, clientY: box.top + 9}));
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})`
	scrubFrames = `new Promise(done => {
  const slider = document.querySelector("[data-test=scrub]");
  let last = 0; const frames = [];
  const turn = at => {
    if (last) frames.push(at - last);
    last = at;
    if (frames.length === 80) { done(frames); return; }
    slider.value = +slider.value + 1;
    slider.dispatchEvent(new Event("input", {bubbles: true}));
    requestAnimationFrame(turn);
  };
  requestAnimationFrame(turn);
})`
)

// BenchmarkGestures zooms 480 jobs on 60 GPUs by a step a frame, and drags through the rounds: script time a frame, and
// the times between frames, median and 95 of 100.
func BenchmarkGestures(b *testing.B) {
	doc, err := generated480()
	if err != nil {
		b.Skipf("the generated trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	s := native(b)
	for _, gesture := range []struct{ name, frames string }{{"zoom", zoomFrames}, {"scrub", scrubFrames}} {
		b.Run(gesture.name, func(b *testing.B) {
			for b.Loop() {
				p := newPage(b)
				p.open(s.url + "/#" + link.Encode(parsed, lab.Defaults()))
				p.until(
					"document.querySelector('.lane canvas') && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
				p.frames()
				before := p.counters()
				frames := eval[[]float64](p, gesture.frames)
				after := p.counters()
				for _, part := range []string{"Script", "RecalcStyle", "Layout", "Task"} {
					b.ReportMetric((after[part+"Duration"]-before[part+"Duration"])*1000/float64(len(frames)),
						strings.ToLower(part)+"-ms/frame")
				}
				slices.Sort(frames)
				b.ReportMetric(frames[len(frames)/2], "frame-p50-ms")
				b.ReportMetric(frames[len(frames)*95/100], "frame-p95-ms")
			}
			b.ReportMetric(0, "ns/op")
		})
	}
}

// generated480 is the first 480 jobs of one GPU of Gavel's generator on 20 GPUs of each type, under Gavel and a
// queue.
func generated480() ([]byte, error) {
	return gavelTrace("gavel_gen_single_seed0.csv", imports.Options{First: 480, ArrivalDivisor: 2.4,
		Cluster: []scenario.TypeCount{{Type: "v100", Count: 20}, {Type: "p100", Count: 20}, {Type: "k80", Count: 20}}},
		"gavel-las", "srtf")
}
