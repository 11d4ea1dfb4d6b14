package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// large is a document that is offered to a server by its size alone: more than 4,000 jobs × policies.
func large(policies string) string {
	doc := strings.Replace(busy(2100), `[{"id":"hadar"},{"id":"gavel-las"}]`, policies, 1)
	return strings.Replace(doc, `"Busy"`, `"Large"`, 1)
}

// sendToServer presses the button that hands the run over, and returns the path of the run there.
func (p *page) sendToServer() string { return p.sends("/api/v1/runs", test("run-on-server")) }

// sends presses a button that has the server run something, and returns the path of that there.
func (p *page) sends(to, button string) string {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`window.sent = "", window.fetch = (real => async (path, options) => {
		const answer = await real(path, options);
		if (path === %q) answer.clone().json().then(run => { window.sent = path + "/" + run.id; });
		return answer;
	})(window.fetch), true`, to))
	p.click(button)
	p.until(`!!window.sent`)
	return eval[string](p, `window.sent`)
}

// TestRunOnTheServer: a large run goes on the server with one click, and looks like one of the page's own.
func TestRunOnTheServer(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	doc := large(`[{"id":"las"},{"id":"hadar"}]`) // seconds in the page, so that it is not done before the click
	p.applyJSON(doc)
	run := p.sendToServer()
	p.until(`document.querySelector("[data-test=lab]").dataset.state === "ready"`)
	var want runResult
	if err := json.Unmarshal([]byte(cli(t, doc, "run")), &want); err != nil {
		t.Fatal(err)
	}
	for _, r := range want.Runs {
		if got := p.hash(r.Policy); got != r.TraceHash {
			t.Errorf("%s: the page shows %s, the command line prints %s", r.Policy, got, r.TraceHash)
		}
	}
	if got := ask(t, "GET", native(t).url+run, "").want(t, 200,
		"application/json"); !strings.Contains(string(got.body), `"done"`) {
		t.Errorf("the server's run is %s", got.body)
	}
	// The engine of the page explains what it has not run.
	p.known()
	// It goes on with runs of its own.
	p.applyJSON(string(preset(t, 0)))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]')?.dataset.hash === %q",
		natively(t, preset(t, 0)).Runs[0].TraceHash))
}

// endlessly is a large document that neither the page nor the server is done with in a test.
func endlessly() string {
	return strings.Replace(large(`[{"id":"hadar"},{"id":"gavel-las"}]`), `"steps":2`, `"steps":22222`, -1)
}

func TestCancelOnTheServer(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.applyJSON(endlessly())
	p.see(test("run-on-server"))
	p.until(`document.querySelector("[data-test=so-far] path")?.getAttribute("d").includes("H")`)
	p.accessible("the offer of the server")
	p.shots("offer")
	run := p.sendToServer()
	p.until(
		`document.querySelector("[data-test=so-far]")?.textContent.includes("On the server") && /^Round/.test(document.querySelector(".top .state").textContent)`)
	p.until(`document.querySelector(".lane .facts").textContent.includes("stopped at round")`)
	here := p.hash("hadar")
	p.shots("on-server")
	took := eval[float64](p, `new Promise(done => {
		const began = performance.now();
		new MutationObserver((_, o) => { if (document.querySelector("[data-test=lab]").dataset.state !== "running") { o.disconnect(); done(performance.now() - began); } })
			.observe(document.querySelector("[data-test=lab]"), {attributes: true});
		document.querySelector("[data-test=cancel]").click();
	})`)
	t.Logf("cancelled after %.0f ms", took)
	awaitPath(t, native(t), run, "cancelled")
	// What the server had done by then is more, and comes to stand in the page.
	p.until(fmt.Sprintf(`document.querySelector("[data-test=lane]").dataset.hash !== %q`, here))
	var got runResult
	ask(t, "GET", native(t).url+run+"/result", "").want(t, 200, "application/json").decode(t, &got)
	if p.hash("hadar") != got.Runs[0].TraceHash || p.attr(test("lane"), "data-outcome") != "stopped" {
		t.Errorf("the page shows %s, the server has %s", p.hash("hadar"), got.Runs[0].TraceHash)
	}
}

// TestServerRefuses: its words are shown, what was done stays, and the run can go on here.
func TestServerRefuses(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.allow("429")
	p.first(`window.fetch = (real => (path, options) => path === "/api/v1/runs" ?
		Promise.resolve(new Response(JSON.stringify({detail: "too many runs are waiting", errors: [{message: "32 runs are waiting, which is the most"}]}), {status: 429})) :
		real(path, options))(window.fetch)`)
	p.open(native(t).url + "/")
	p.ready()
	p.applyJSON(endlessly())
	p.click(test("run-on-server"))
	p.see(test("server-problem"))
	if got := p.text(test("server-problem")); !strings.Contains(got,
		"The server refused: 32 runs are waiting, which is the most.") {
		t.Errorf("the page says %q", got)
	}
	p.accessible("a server that refuses")
	p.shots("server-refuses")
	p.click(test("run-here"))
	p.until(`["running", "ready"].includes(document.querySelector("[data-test=lab]").dataset.state) &&
		!document.querySelector("[data-test=server-problem]")`)
}

// TestCancelKeepsCompletedRounds: 480 jobs, stopped in the middle, are drawn as far as they came and say so.
func TestCancelKeepsCompletedRounds(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	p.applyJSON(strings.Replace(busy(480), `"steps":`, `"steps":777`, -1))
	p.until(`Number(document.querySelector("[data-test=progress]").dataset.round) > 40`)
	p.press(kb.Escape)
	p.until(
		`document.querySelector("[data-test=lab]").dataset.state === "stale" && document.querySelector("[data-test=lane]").dataset.outcome === "stopped"`)
	p.until(`/stopped at round \d\d+, kept/.test(document.querySelector(".lane .facts").textContent)`)
	p.until(
		`document.querySelector(".lane canvas, .lane [data-job]") && document.querySelector("[data-series=a]").getAttribute("d").includes("H")`)
	if got := p.text(test("finding")); !strings.Contains(got, "Stopped before it was done.") {
		t.Errorf("the page says %q", got)
	}
	p.until(`!document.querySelector(".numbers [data-better]")`) // it is drawn last
}

// TestReplicatesOnTheServer: many seeds, and a varied number, go on the server by a button of their own, and give what
// the page's own runs give.
func TestReplicatesOnTheServer(t *testing.T) { onBoth(t, replicatesOnTheServer) }

func replicatesOnTheServer(t *testing.T, s *server) {
	t.Parallel()
	p := visit(t, s, "/")
	p.click(test("sure-open"))
	here := func(section string) string {
		return eval[string](p, fmt.Sprintf(`document.querySelector("[data-test=%s] table")?.textContent || ""`, section))
	}
	done := func(section string, runs int) {
		p.until(fmt.Sprintf(`document.querySelector("[data-test=%s] [data-test=many-progress]").dataset.done === "%d"`,
			section, runs))
	}
	p.click(`[data-test=sure] [data-test=many-run]`)
	done("sure", 40)
	want := here("sure")
	p.sends("/api/v1/runs", `[data-test=sure] [data-test=many-server]`)
	done("sure", 40)
	if got := here("sure"); got != want || want == "" {
		t.Errorf("the server's table is\n%s\nthe page's\n%s", got, want)
	}
	p.click(test("vary-open"))
	p.see(`[data-test=vary] [data-test=many-server]`)
	p.click(`[data-test=vary] [data-test=many-run]`)
	p.until(`!!document.querySelector("[data-says=vary-says]")`)
	p.until(`/^\d+ runs done$/.test(document.querySelector("[data-test=vary] [data-test=many-progress]").textContent)`)
	want = p.text(`[data-says=vary-says]`)
	p.sends("/api/v1/sweeps", `[data-test=vary] [data-test=many-server]`)
	p.until(`/^\d+ runs done$/.test(document.querySelector("[data-test=vary] [data-test=many-progress]").textContent)`)
	if got := p.text(`[data-says=vary-says]`); got != want {
		t.Errorf("the server's sweep says %q, the page's %q", got, want)
	}
}
