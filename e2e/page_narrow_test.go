package e2e

import (
	"fmt"
	"testing"
)

// overflow is what lies beyond the window's right edge without a part around it that scrolls, and how far the page
// scrolls aside.
const overflow = `(() => { const w = document.documentElement.clientWidth, out = [];
	if (document.documentElement.scrollWidth > w) out.push("the page scrolls aside by " + (document.documentElement.scrollWidth - w) + " px");
	for (const e of document.querySelectorAll("body *")) {
		if (e.closest("svg") && e.tagName !== "svg" || e.matches(".vh, .skip, [hidden], canvas") || e.closest(".vh, [data-part=plot], .stack, datalist, option") || !e.getClientRects().length) continue;
		const b = e.getBoundingClientRect();
		if (b.width === 0 || b.right <= w + 1) continue;
		let up = e.parentElement; // a part that scrolls or cuts keeps it
		while (up && up !== document.body && getComputedStyle(up).overflowX === "visible") up = up.parentElement;
		if (up && up !== document.body) continue;
		out.push(e.tagName.toLowerCase() + "." + e.className + " to " + Math.round(b.right) + ": " + e.textContent.trim().slice(0, 30));
	}
	return out.slice(0, 8) })()`

// TestNothingLiesOverTheEdge walks through every screen in a window of 320 px, in one as wide as a large window is at
// 200 %, and at the middle width: nothing makes the page scroll aside.
func TestNothingLiesOverTheEdge(t *testing.T) {
	t.Parallel()
	for _, s := range []size{{320, 640}, {640, 400}, {768, 1024}} {
		t.Run(fmt.Sprint(s.w), func(t *testing.T) {
			t.Parallel()
			p := newPage(t)
			p.look(s, s.w == 640)
			p.open(native(t).url + "/")
			p.ready()
			check := func(screen string) {
				t.Helper()
				p.frames()
				if got := eval[[]string](p, overflow); len(got) > 0 {
					t.Errorf("%s at %d px: %q", screen, s.w, got)
				}
			}
			check("the lab")
			p.shot(fmt.Sprintf("narrow-lab-%d", s.w))
			p.click(test("spans-toggle"))
			p.click(test("chart-toggle"))
			p.click(test("all-metrics"))
			for _, tab := range []string{"busy", "prices", "queue", "cdf", "winners", "fairness", "types", "shares",
				"overheads"} {
				eval[bool](p, "document.querySelector('[data-test=tab-"+tab+"]').click() || true")
				p.until("document.querySelector('" + test("chart") + "').dataset.chart === '" + tab + "'")
				check("the chart " + tab)
			}
			eval[bool](p, "document.querySelectorAll('.lab details').forEach(d => d.open = true) || true")
			check("the lab with all parts open")
			for _, name := range []string{"Show"} { // How sure, Vary a number
				eval[bool](
					p, fmt.Sprintf(
						"[...document.querySelectorAll('.panel > header button')].filter(b => b.textContent === %q).forEach(b => b.click()) || true", name))
			}
			check("all panels")
			p.shot(fmt.Sprintf("narrow-open-%d", s.w))
			eval[bool](p, "document.querySelector('[data-test=editor-open]').click() || true")
			p.see(test("editor"))
			eval[bool](p, "document.querySelectorAll('.editor details').forEach(d => d.open = true) || true")
			check("the editor")
			p.shot(fmt.Sprintf("narrow-editor-%d", s.w))
			eval[bool](p, "document.querySelector('[data-test=editor-json-tab]').click() || true")
			p.see(test("editor-json"))
			check("the text")
			eval[bool](p, "document.querySelector('[data-test=editor-close]').click() || true")
			p.until("!document.querySelector('[data-test=editor]')")
			eval[bool](p, "document.querySelector('[data-test=presets]').open = true")
			check("the menu")
			eval[bool](p, "document.querySelector('[data-test=gallery-open]').click() || true")
			p.see(test("gallery"))
			check("the gallery")
			p.shot(fmt.Sprintf("narrow-gallery-%d", s.w))
			eval[bool](p, "document.querySelector('[data-test=lesson-start]').click() || true")
			p.see(test("lesson"))
			check("a lesson")
			eval[bool](p, "document.querySelector('[data-test=lesson-leave]').click() || true")
			eval[bool](p, "document.querySelector('[data-test=share-link]')?.click() || true")
			p.see(test("share-copy"))
			check("the share dialog")
			p.press("\x1b")
			p.until("!document.querySelector('[data-test=share-copy]')")
			eval[bool](p, "document.activeElement.blur() || true")
			p.press("?")
			p.until("!!document.querySelector('.keys')")
			check("the keys")
			p.press("\x1b")
			p.drop("rows.trace", gavelRows)
			p.see(test("import-report"))
			check("the import dialog")
			p.click(test("import-cancel"))
			p.open(native(t).url + "/?safe")
			p.ready()
			p.fill(test("editor-job-gpus", "job", "j4"), "500")
			p.state("error")
			check("an error")
			for _, path := range []string{"/docs", "/docs/teach", "/docs/teach/hadar-vs-gavel-45",
				"/docs/networks", "/docs/policies", "/docs/papers", "/docs/papers/hadar", "/docs/papers/pollux",
				"/docs/claims", "/docs/believe",
				"/docs/trust", "/docs/scenario", "/docs/embed", "/docs/http", "/docs/commands", "/e"} {
				p.open(native(t).url + path)
				if path == "/e" {
					p.ready()
				}
				check(path)
			}
		})
	}
}

// TestManyRoundsStandClear: the number of a round among thousands stands clear of the axis, and no cell of a table lies
// over the next.
func TestManyRoundsStandClear(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	hash := p.hash("hadar")
	p.click(test("editor-open"))
	p.fill(test("editor-round"), "1")
	p.settles("hadar", hash)
	p.click(test("editor-close"))
	p.until("!document.querySelector('[data-test=editor]')")
	p.click(test("spans-toggle"))
	p.until("/[0-9]\\/[0-9]{4}/.test(document.querySelector('.axisrow .where').textContent)")
	for _, s := range []size{desktop, tablet, phone, {320, 640}} {
		p.look(s, false)
		p.frames()
		if got := eval[[]string](p, `(() => { const of = e => { const r = document.createRange(); r.selectNodeContents(e); return r.getBoundingClientRect() }, out = [];
			const meets = (a, b) => a.width && b.width && a.left < b.right - 1 && b.left < a.right - 1 && a.top < b.bottom - 1 && b.top < a.bottom - 1;
			const where = [...document.querySelectorAll(".axisrow .where > *")];
			for (const w of where) for (const t of document.querySelectorAll(".axisrow svg text")) if (meets(of(w), t.getBoundingClientRect())) out.push(w.textContent + " over " + t.textContent);
			for (const row of document.querySelectorAll(".lab table tr")) for (let i = 0; i + 1 < row.cells.length; i++)
				if (row.cells[i].getClientRects().length && meets(of(row.cells[i]), of(row.cells[i + 1]))) out.push("table: " + row.cells[i].textContent + " over " + row.cells[i + 1].textContent);
			return out.slice(0, 8) })()`); len(got) > 0 {
			t.Errorf("at %d px: %q", s.w, got)
		}
		p.window(fmt.Sprintf("many-rounds-%d", s.w))
	}
}
