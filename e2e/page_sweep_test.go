package e2e

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// sweepDone waits until a section's runs are over.
func (p *page) sweepDone(section string) {
	p.t.Helper()
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=%s] [data-test=many-progress]').innerText.endsWith(' done') && !document.querySelector('[data-test=%s] [data-test=many-stop]')", section, section))
}

// TestHowSureIsThis: what a seed draws is said beforehand: nothing without noise, with it other lengths of the same
// jobs; then the seeds' numbers are the engine's, and the scenario is as it was.
func TestHowSureIsThis(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	eval[bool](
		p,
		"(e => { scrollBy(0, e.getBoundingClientRect().bottom - innerHeight); e.click(); return true })(document.querySelector('[data-test=sure-open]'))")
	p.see(test("sure-seeds"))
	// opened below the fold, it is brought into sight
	p.until(
		"(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('[data-test=sure]').getBoundingClientRect())")
	p.fill(test("sure-seeds"), "1")
	p.until("document.querySelector('[data-test=sure] [data-test=many-problem]')?.innerText.includes('from 2 to 200')")
	p.fill(test("sure-seeds"), "6")
	p.fill(test("sure-noise"), "0")
	// before anything has run
	p.until(
		"document.querySelector('[data-test=sure] [data-test=many-problem]')?.innerText.includes('Nothing in this scenario is random')")
	p.until("document.querySelector('[data-test=sure] [data-test=many-run]').disabled")
	p.shots("sure-no-chance")
	p.fill(test("sure-noise"), "20")
	p.until("document.querySelector('[data-test=sure-draws]')?.innerText.includes('two in three between 0.82 and 1.22')")
	p.click(test("sure") + " " + test("many-run"))
	p.sweepDone("sure")
	p.see(test("sure-says"))

	doc, _ := scenario.Parse(preset(t, 0), scenario.FileLimits)
	want := swept(t, &message.SweepRequest{Scenario: doc.Marshal(false), Replicates: 6, LengthNoise: 0.2})
	d := want.Points[0].Summary.Policies[1].Differences[0]
	sooner := "later"
	if d.Mean > 0 { // the second minus the first
		sooner = "sooner"
	}
	if got := p.text(test("sure-says")); !strings.Contains(got, fmt.Sprintf("agrees in %d of 6 seeds", d.SameSign)) ||
		!strings.HasPrefix(got, "On average a job completes ") ||
		!strings.Contains(got, sooner+" under Hadar than the same job under Gavel") {
		t.Errorf("%q, the engine says %+v", got, d)
	}
	if n := p.count(test("whiskers")); n != 5 {
		t.Errorf("%d pictures of intervals", n)
	}
	for _, row := range eval[[]string](p,
		"[...document.querySelectorAll('[data-test=sure-table] td')].map(e => e.innerText)") {
		if _, frac, ok := strings.Cut(row, "."); ok &&
			len(strings.FieldsFunc(frac, func(r rune) bool { return r < '0' || r > '9' })[0]) > 2 {
			t.Errorf("%q has more decimals than are sure", row)
		}
	}
	p.accessible("replicates")
	p.shots("sure")
	if p.count(test("sure")+" "+test("many-stale")) != 0 || !eval[bool](p, "document.querySelector('[data-test=undo]').disabled") {
		t.Error("the scenario was changed")
	}
	p.click(test("editor-gpus-more"))
	p.until("!!document.querySelector('[data-test=sure] [data-test=many-stale]')")
}

// swept runs a sweep in this process.
func swept(t testing.TB, req *message.SweepRequest) *message.SweepResult {
	t.Helper()
	w, diags := lab.NewSweep(req)
	if w == nil {
		t.Fatal(diags)
	}
	for w.Spend(1 << 20) {
	}
	res, faults := w.Result()
	if faults != nil {
		t.Fatal(faults)
	}
	return res
}

// TestVaryANumber: points are the engine's, the file is that of the command line, and a point becomes the scenario.
func TestVaryANumber(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	p.click(test("vary-open"))
	p.see(test("axis-0"))
	path := "/scenario/overheads/restart_s"
	p.pick(test("axis-0"), path)
	p.until("document.querySelector('[data-test=axis-0-values]').value.startsWith('0, ')")
	p.fill(test("axis-0-values"), "0 to 300 in 6")
	p.until(
		"document.querySelector('[data-test=vary] [data-test=many-amount]').innerText === '6 values × 2 policies = 12 runs'")
	p.click(test("vary") + " " + test("many-run"))
	p.sweepDone("vary")
	p.until(
		"(b => b.top >= 0 && b.bottom + 100 <= innerHeight)(document.querySelector('[data-test=vary-says]').getBoundingClientRect())")
	if n := p.count(test("multiple")); n != 4 {
		t.Errorf("%d pictures", n)
	}
	p.click(test("vary-toggle"))
	p.see(test("vary-table"))
	want := swept(t, &message.SweepRequest{Scenario: preset(t, 0),
		Vary: []message.Axis{{Path: path, Values: []float64{0, 60, 120, 180, 240, 300}}}})
	if n := p.count(test("vary-table") + " tbody tr"); n != 12 {
		t.Errorf("%d rows", n)
	}
	p.accessible("varied number")
	p.shots("vary")

	eval[bool](
		p,
		`(() => { const make = URL.createObjectURL; URL.createObjectURL = b => { b.text().then(t => window.saved = t); return make(b) }; return true })()`)
	p.click(test("vary") + " " + test("many-csv"))
	p.until("!!window.saved")
	file := filepath.Join(t.TempDir(), "doc.json")
	if err := os.WriteFile(file, preset(t, 0), 0o644); err != nil {
		t.Fatal(err)
	}
	out, err := exec.Command(filepath.Join(root, "bin/hadarlab"), "sweep", "--vary", path+"=0,60,120,180,240,300",
		"--format", "csv", file).Output()
	if got := eval[string](p, "window.saved"); err != nil || !bytes.Equal(out, []byte(got)) {
		t.Errorf("the page's file is not that of the command line (%v):\n%s\n%s", err, got, out)
	}

	eval[bool](
		p,
		`(document.querySelector("[data-test=multiple] [data-role=value][data-value='2']").dispatchEvent(new MouseEvent("click", {bubbles: true})), true)`)
	if got := p.settles("hadar", example); got != want.Points[2].Runs[0].TraceHash {
		t.Errorf("the point's scenario runs to %s, the sweep to %s", got, want.Points[2].Runs[0].TraceHash)
	}
	if p.count(test("many-stale")) != 0 {
		t.Error("the sweep is called stale beside one of its own points")
	}
	eval[bool](p, `(document.querySelector("[data-test=vary-walk]").focus(), true)`)
	p.press(kb.ArrowRight)
	p.until("document.querySelectorAll('[data-role=value][data-here][data-value=\"3\"]').length === 4")
	p.press(kb.Enter)
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q",
		want.Points[3].Runs[0].TraceHash))
	p.click(test("toast-undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q",
		want.Points[2].Runs[0].TraceHash))
	p.click(test("undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", example))
}

// TestLongSweep: with two numbers and a larger scenario the page stays free, a stop is quick, and the points stay.
func TestLongSweep(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	doc, _ := scenario.Parse(preset(t, 0), scenario.FileLimits)
	doc.Scenario.Jobs = nil
	doc.Scenario.Generator = &scenario.Generator{Count: 30}
	doc.Scenario.Generator.Arrivals.Process, doc.Scenario.Generator.Arrivals.RatePerH = "poisson", 20
	p.drop("long.json", string(doc.Marshal(false)))
	p.settles("hadar", example)
	p.click(test("vary-open"))
	p.see(test("axis-0"))
	p.pick(test("axis-0"), "/scenario/jobs/generator/arrivals/rate_per_h")
	p.fill(test("axis-0-values"), "2 to 40 in 20")
	p.pick(test("axis-1"), "/scenario/round_s")
	p.fill(test("axis-1-values"), "120, 360, 720")
	eval[bool](
		p,
		`(() => { window.tasks = []; new PerformanceObserver(l => l.getEntries().forEach(e => tasks.push(Math.round(e.duration)))).observe({type: "longtask"}); return true })()`)
	p.click(test("vary") + " " + test("many-run"))
	p.until("Number(document.querySelector('[data-test=vary] [data-test=many-progress]').dataset.done) >= 8")
	long := eval[[]float64](p, "window.tasks")
	t.Logf("tasks over 50 ms while points came, in ms: %v", long)
	took := eval[float64](p, `(() => { const at = performance.now(); document.querySelector("[data-test=vary] [data-test=many-stop]").click();
		return new Promise(done => { const look = () => document.querySelector("[data-test=vary] [data-test=many-stop]") ? setTimeout(look, 2) : done(performance.now() - at); look(); }) })()`)
	t.Logf("stopped after %.0f ms", took)
	if got := p.text(test("vary") + " " + test("many-progress")); !strings.HasPrefix(got, "Stopped: ") ||
		p.count(test("multiple")) != 12 {
		t.Errorf("%q, %d pictures", got, p.count(test("multiple")))
	}
	p.shots("vary-stopped")
}

// TestWhichNumberChangesTheWinner: a student who wants the other policy to win the mean completion finds the number,
// tries it and sees its curve; where none does, the page says so and what was tried.
func TestWhichNumberChangesTheWinner(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	p.click(test("vary-open"))
	p.see(test("hunt-run"))
	p.click(test("hunt-run"))
	p.until("!!document.querySelector('[data-test=hunt-progress][data-over]')")
	says := p.text(test("hunt-says"))
	t.Log(says)
	p.click(test("hunt") + " summary")
	if n := p.count(test("hunt-tried") + " li"); n < 30 {
		t.Errorf("%d numbers were tried", n)
	}
	if p.count(test("hunt-table")) == 0 {
		if !strings.HasPrefix(says, "None of the ") {
			t.Errorf("nothing is found, and the page says %q", says)
		}
		return
	}
	p.accessible("the search for a number")
	p.shots("hunt")
	p.look(phone, false)
	p.frames()
	if !eval[bool](
		p,
		"[...document.querySelectorAll('[data-test=hunt-table] button')].every(e => e.getBoundingClientRect().right <= innerWidth - 8)") {
		t.Error("on a phone the buttons of what was found are cut")
	}
	p.look(desktop, false)
	p.frames()
	name := p.text(test("hunt-table") + " tbody tr:nth-child(2) td")
	p.click(test("hunt-table") + " [data-try]")
	p.settles("hadar", example)
	if said := p.text(test("toast")); !strings.Contains(said, strings.Split(name, ",")[0]) {
		t.Errorf("%s was tried, and the page says %q", name, said)
	}
	if p.count(test("hunt")+" "+test("many-stale")) != 0 {
		t.Error("the search is called stale beside what it found")
	}
	better := "(c => c.map(e => parseFloat(e.innerText.replace(/,/g, ''))))([...document.querySelectorAll('[data-test=hunt-table] tbody tr:nth-child(%d) .num')].slice(1))"
	was, is := eval[[]float64](p, fmt.Sprintf(better, 1)), eval[[]float64](p, fmt.Sprintf(better, 2))
	if (was[0] < was[1]) == (is[0] < is[1]) {
		t.Errorf("%v and %v have one winner", was, is)
	}
	p.click(test("undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", example))
	p.click(test("hunt-table") + " [data-curve]")
	p.sweepDone("vary")
	if says := p.text(test("vary-says")); !strings.Contains(says, " becomes better than ") {
		t.Errorf("the curve says %q", says)
	}
	if n := p.count("[data-role=vary] [data-role=now]"); n != 4 {
		t.Errorf("%d marks of the scenario's own value", n)
	}
	p.shots("hunt-curve")

	p.click(test("vary-toggle")) // what is open changes its language with the page
	p.see(test("vary-table"))
	p.click(test("sure-open"))
	p.see(test("sure-seeds"))
	number := strings.Split(name, ",")[0]
	p.speak("de")
	p.german(test("hunt"), "Welche Zahl ändert den Sieger?", "winner")
	p.german(test("hunt-table"), "Unverändert", number)
	p.german(test("vary-table"), "fertig", "done")
	p.german(test("multiple"), ", s", number)
	p.german(test("vary-says"), "besser als", "better")
	p.german(test("sure"), "Die Jobs bleiben", "The jobs")
	p.accessible("many runs in German")
	p.shots("sweeps-german")
}
