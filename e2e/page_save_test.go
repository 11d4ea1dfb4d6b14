package e2e

import (
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/simtest"
)

// twoMillion is a document that fits into a link, and whose jobs would take turns for two million rounds.
const twoMillion = `{"kind":"scenario","version":1,"scenario":{"round_s":1,
"cluster":{"nodes":[{"id":"n","gpus":{"v100":1}}]},"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},
"jobs":[{"id":"a","model":"m","gpus":1,"steps":1e6},{"id":"b","model":"m","gpus":1,"steps":1e6}],
"policies":[{"id":"gavel-las"},{"id":"fifo"}]}}`

// TestNoDocumentStopsThePage: of two documents whose runs are too long to be looked at as a whole the page says so; the
// one that no page can hold ends, and says what to do; every button that saves gives its file, and what is being
// written can be given up by a button in the page, which therefore goes on.
func TestNoDocumentStopsThePage(t *testing.T) {
	t.Parallel()
	long := strings.Replace(string(simtest.LongWaits(0)), `"overheads"`,
		`"policies":[{"id":"gavel-makespan"},{"id":"gavel-las"}],"overheads"`, 1)
	for name, doc := range map[string]string{"two million rounds": twoMillion, "long waits": long} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := visit(t, native(t), "/")
			eval[bool](p, `(() => { window.saved = {}; window.tasks = [];
				new PerformanceObserver(l => l.getEntries().forEach(e => tasks.push(Math.round(e.duration))))
					.observe({type: "longtask"});
				hadarlab.download = (name, type, ...parts) => { saved[name] = parts.reduce((n, b) => n + b.length, 0) };
				hadarlab.downloadPNG = (name, svg) => { saved[name] = svg.length };
				return true })()`)
			p.drop("long.json", doc)
			p.until("!!document.querySelector('[data-test=lane-long]') &&" +
				"document.querySelector('[data-test=lab]').dataset.state === 'ready'")
			if want := name == "two million rounds"; (p.count(test("lane-overloaded")) == 1) != want {
				t.Errorf("%s: that a page cannot hold the run is said %d times", name, p.count(test("lane-overloaded")))
			} else if want && !strings.Contains(p.text(test("lane-overloaded")), "command line") {
				t.Errorf("%s: %q does not say what to do", name, p.text(test("lane-overloaded")))
			}
			t.Logf("%s: tasks until it is open, ms: %v", name, eval[[]float64](p, "tasks.splice(0)"))
			eval[bool](p, "document.querySelector('[data-test=tab-busy]').click() || true")
			p.until("document.querySelector('[data-test=chart]').dataset.chart === 'busy'")
			const buttons = "[data-test^=save-]:not([data-test=save-session]):is(button)"
			names := eval[[]string](p, `[...document.querySelectorAll("`+buttons+`")].map(b => b.dataset.test)`)
			if len(names) < 9 {
				t.Errorf("only %v save", names)
			}
			for i, button := range names {
				before := eval[int](p, "Object.keys(saved).length")
				press := `[...document.querySelectorAll("` + buttons + `")][` + strconv.Itoa(i) + `].click() || true`
				if button == "save-chrome" { // the longest is given up once
					eval[bool](p, press)
					p.see(test("writing"))
					p.click(test("writing-cancel"))
					p.until("!document.querySelector('[data-test=writing]')")
					if n := eval[int](p, "Object.keys(saved).length"); n != before {
						t.Errorf("%s: %s comes, though it was given up", name, button)
					}
				}
				eval[bool](p, press)
				p.until("!document.querySelector('[data-test=writing]') && Object.keys(saved).length > " +
					strconv.Itoa(before))
				t.Logf("%s: %s, tasks in ms: %v", name, button, eval[[]float64](p, "tasks.splice(0)"))
			}
			for file, size := range eval[map[string]float64](p, "saved") {
				if size == 0 {
					t.Errorf("%s: %s is empty", name, file)
				}
			}
			t.Logf("%s: %v", name, eval[map[string]float64](p, "saved"))
		})
	}
}
