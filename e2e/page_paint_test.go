package e2e

import (
	"strings"
	"testing"
)

// noModule keeps the program from arriving.
const noModule = `window.fetch = (f => (u, o) => String(u).includes("app.wasm") ? new Promise(() => {}) : f(u, o))(window.fetch)`

func TestFirstPaintNeedsNoProgram(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := newPage(t)
	p.first(noModule)
	p.open(s.url + "/")
	p.see(test("bar"))
	if got := p.attr(test("lab"), "data-state"); got != "static" {
		t.Errorf("state %q before the program", got)
	}
	want := natively(t, preset(t, 0))
	for i, run := range want.Runs {
		if got := p.hash(run.Policy); got != run.TraceHash {
			t.Errorf("lane %d shows trace %.12s, the engine gives %.12s", i, got, run.TraceHash)
		}
		same(t, run.Policy+" mean completion", p.number(test("metric", "policy", run.Policy, "metric", "avg_jct_s"),
			"data-value"), run.Metrics.AvgJCTS)
	}
	if p.text(test("finding")) == "" || p.attr(test("divergence"), "data-round") == "-1" {
		t.Error("the first paint says nothing")
	}
	p.see("#load") // the bar that fills while the program arrives
	p.shots("static")
}

// TestControlsLookDeadUntilTheyAct: before the program is live, what would do nothing looks so, and the page says that
// it loads, on a phone too; nothing of it is left once it is live.
func TestControlsLookDeadUntilTheyAct(t *testing.T) {
	t.Parallel()
	const dead = `[...document.querySelectorAll(".page :is(button:not(.job), input, select)")].filter(e => e.checkVisibility() && !e.disabled).map(e => getComputedStyle(e).outlineStyle === 'dashed')`
	for _, live := range []bool{false, true} {
		p := newPage(t)
		p.look(phone, false)
		if !live {
			p.first(noModule)
		}
		p.open(native(t).url + "/")
		p.see(test("bar"))
		if live {
			p.ready()
			if eval[bool](p, "document.querySelector('.loading').checkVisibility()") ||
				eval[bool](p, dead+".some(d => d)") {
				t.Error("the live page still looks as if it loaded")
			}
			continue
		}
		p.see(".loading")
		if !eval[bool](
			p,
			"(b => b.bottom <= innerHeight && b.right <= innerWidth)(document.querySelector('.loading').getBoundingClientRect())") {
			t.Error("a phone's window does not show that it loads")
		}
		if eval[bool](p, dead+".some(d => !d)") {
			t.Error("controls that do nothing yet look live")
		}
		p.window("loading-390")
	}
}

// sameTree compares the markup that the server sends with the page as it stands, and gives the differences.
// Values and selections of fields are properties once the program has drawn them.
const sameTree = `(async () => {
  const sent = new DOMParser().parseFromString(await (await fetch("/")).text(), "text/html").body.firstElementChild;
  const found = [], free = ["data-state", "data-static", "value", "selected"];
  const value = (e, name) => { // an address is that to which it leads
    const v = e.getAttribute(name);
    return v === null || !["href", "src"].includes(name) ? v : new URL(v, document.baseURI).href;
  };
  const walk = (a, b, at) => {
    if (a.nodeType === 3 || b.nodeType === 3) {
      if ((a.data ?? "") !== (b.data ?? "") && !at.includes("state")) found.push(at + ": " + a.data + " / " + b.data);
      return;
    }
    if (a.tagName !== b.tagName) { found.push(at + ": " + a.tagName + " / " + b.tagName); return; }
    for (const name of new Set([...a.getAttributeNames(), ...b.getAttributeNames()]))
      if (!free.includes(name) && value(a, name) !== value(b, name))
        found.push(at + " " + name + ": " + value(a, name) + " / " + value(b, name));
    const inside = e => [...e.childNodes].filter(n => n.nodeType !== 3 || n.data !== "");
    const x = inside(a), y = inside(b);
    if (x.length !== y.length) found.push(at + ": " + x.length + " / " + y.length + " children");
    x.slice(0, y.length).forEach((n, i) => walk(n, y[i], at + ">" + (n.className || n.tagName || "text")));
  };
  walk(sent, document.body.firstElementChild, "");
  return found.slice(0, 20).join("\n");
})()`

// layoutShift adds up how far the page's parts were pushed about so far. The mark comes after all that was noted before
// it.
const layoutShift = `new Promise(done => {
  let shift = 0;
  const observer = new PerformanceObserver(list => {
    for (const e of list.getEntries()) if (e.entryType === "layout-shift") shift += e.value;
    if (list.getEntriesByName("asked").length) done(shift);
  });
  for (const type of ["layout-shift", "mark"]) observer.observe({type, buffered: true});
  performance.mark("asked");
})`

func TestGoingLiveChangesNothing(t *testing.T) {
	t.Parallel()
	for name, open := range map[string]func(testing.TB) *page{"first screen": newVisitor, "evidence": newPage} {
		p := open(t)
		p.alone()
		p.open(native(t).url + "/")
		p.ready()
		// The first paint is drawn for the first screen's width; with evidence the lanes are narrower.
		if diff := eval[string](p, sameTree); diff != "" && name == "first screen" {
			t.Errorf("the live page differs from the first paint:\n%s", diff)
		}
		if shift := eval[float64](p, layoutShift); shift > 0.02 {
			t.Errorf("%s: the layout shifts by %v", name, shift)
		}
	}
}

func TestWithoutWebAssemblyThePageSaysSo(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first("delete window.WebAssembly")
	p.open(native(t).url + "/")
	p.see("#app-wasm-loader")
	if got := p.text("#app-wasm-loader"); !strings.Contains(got, "Editing is unavailable") {
		t.Errorf("it says %q", got)
	}
	p.see(test("spans-table"))
	p.see(test("bar"))
}

func TestNoStyleAttributesAndNothingRemote(t *testing.T) {
	t.Parallel()
	html := cardless([]byte(markup(t, native(t).url+"/"))) // a card has whole addresses, which no page loads
	for _, no := range []string{" style=", "http://", "https://", "<script>"} {
		if strings.Contains(html, no) {
			t.Errorf("the page holds %q", no)
		}
	}
	p := visit(t, native(t), "/")
	if n := eval[int](p,
		"performance.getEntriesByType('resource').filter(r => new URL(r.name).origin !== location.origin).length"); n != 0 {
		t.Errorf("%d files come from elsewhere", n)
	}
	if n := p.count("[style]"); n != 0 {
		t.Errorf("%d elements have a style attribute", n)
	}
}

func TestDefaultRunIsReady(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		p := visit(t, s, "/")
		want := natively(t, preset(t, 0))
		before := p.hash(want.Runs[0].Policy)
		eval[bool](p, `window.began = performance.now(), true`)
		p.click(test("run"))
		p.until("document.querySelector('[data-test=spoken]').innerText.startsWith('Run finished')")
		p.ready()
		for _, run := range want.Runs {
			if got := p.hash(run.Policy); got != run.TraceHash {
				t.Errorf("%s: trace %.12s in the browser, %.12s natively", run.Policy, got, run.TraceHash)
			}
			m := &run.Metrics
			for name, v := range map[string]float64{"avg_jct_s": m.AvgJCTS, "makespan_s": m.MakespanS,
				"gpu_utilization": m.GPUUtilization, "ftf_max": m.FTFMax, "preemptions": float64(m.Preemptions)} {
				same(t, run.Policy+" "+name, p.number(test("metric", "policy", run.Policy, "metric", name),
					"data-value"), v)
			}
		}
		if before != want.Runs[0].TraceHash {
			t.Error("the first paint shows another trace")
		}
		if n := p.count(test("policy-picker")); n != len(want.Runs) {
			t.Errorf("%d policy pickers for %d lanes", n, len(want.Runs))
		}
		p.shots("ready-" + s.name)
	})
}

// crowded lists labels of the pictures that run over one another or out of their bar.
const crowded = `(() => {
  const found = [], box = e => e.getBoundingClientRect(), seen = e => e.checkVisibility() && box(e).width > 0;
  const apart = (list, what) => list.forEach((a, i) => list.slice(i + 1).forEach(b => {
    const x = box(a), y = box(b);
    if (x.left < y.right - 1 && y.left < x.right - 1 && x.top < y.bottom - 3 && y.top < x.bottom - 3) found.push(what + ": " + a.textContent + " / " + b.textContent);
  }));
  for (const plot of document.querySelectorAll("[data-role=plot]")) {
    apart([...plot.querySelectorAll("[data-role=done] text")].filter(seen), "done");
    for (const bar of plot.querySelectorAll("[data-role=bar], [data-role=wait], [data-role=idle]"))
      for (const text of bar.querySelectorAll("text")) if (seen(text) && box(text).right > box(bar.querySelector("rect")).right + 1) found.push("out of its bar: " + text.textContent);
  }
  for (const part of document.querySelectorAll("[data-role=axis-head], [data-role=strip], [data-role=curves]")) apart([...part.querySelectorAll("text")].filter(seen), part.dataset.role);
  for (const gutter of document.querySelectorAll(".tchart > [data-role=gutter]"))
    for (const text of gutter.querySelectorAll("text")) if (box(text).right > box(gutter).right + 1) found.push("beside the chart: " + text.textContent);
  return found.join("\n");
})()`

// TestLabelsStayApart: at every width, before and after the program has come.
func TestLabelsStayApart(t *testing.T) {
	t.Parallel()
	s := native(t)
	for _, live := range []bool{false, true} {
		p := newPage(t)
		if !live {
			p.first(noModule)
		}
		p.open(s.url + "/")
		if p.see(test("bar")); live {
			p.ready()
		}
		for _, size := range []size{desktop, tablet, phone, {320, 700}} {
			p.look(size, false)
			p.frames()
			if got := eval[string](p, crowded); got != "" {
				t.Errorf("live %v, %d px wide:\n%s", live, size.w, got)
			}
		}
		if !live { // the check sees what the style sheet hides
			eval[bool](p, "document.querySelectorAll('[data-need]').forEach(e => e.removeAttribute('data-need')), true")
			if eval[string](p, crowded) == "" {
				t.Error("labels for a wide plot fit a phone, or the check sees nothing")
			}
		}
	}
}
