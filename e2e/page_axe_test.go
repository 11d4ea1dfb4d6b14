package e2e

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/scenarios"
)

// axe is axe-core, which `make tools` installs beside the edge runtime.
func axe(t testing.TB) string {
	t.Helper()
	const at = "worker/cmd/edge/node_modules/axe-core/axe.min.js"
	if err := need(at, "make tools"); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(filepath.Join(root, at))
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// audit is what axe found, and how many texts it saw with enough contrast.
type audit struct {
	Texts int
	Found []string
}

// accessible fails the test for every rule of WCAG 2.2, levels A and AA, that the page breaks as it stands.
func (p *page) accessible(where string) {
	p.t.Helper()
	p.keeps(where, `{type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}`)
}

// legible is accessible by the rules on colours alone: what another theme can break of a page that keeps the others.
func (p *page) legible(where string) {
	p.t.Helper()
	p.keeps(where, `["color-contrast", "link-in-text-block"]`)
}

// inBothThemes takes the page as it stands, at the desktop's size, by all rules, and in the dark by those on colours.
func (p *page) inBothThemes(where string) {
	p.t.Helper()
	p.accessible(where + ", light")
	p.look(desktop, true)
	p.frames()
	p.until("!document.getAnimations().some(a => a instanceof CSSTransition)") // colours fade from one to the other
	p.legible(where + ", dark")
	p.look(desktop, false)
	p.frames()
}

// keeps fails the test for each of axe's rules that the page breaks.
func (p *page) keeps(where, rules string) {
	p.t.Helper()
	if !eval[bool](p, "typeof axe === 'object'") {
		eval[bool](p, axe(p.t)+"; true")
	}
	eval[bool](p, "scrollTo(0, 0), true") // what is half under the bar that stays is no target there
	got := eval[audit](p, `axe.run(document, {runOnly: `+rules+`}).then(r => ({
		texts: r.passes.filter(v => v.id === "color-contrast").flatMap(v => v.nodes).length,
		found: r.violations.flatMap(v => v.nodes.map(n => v.id + ": " + n.target.join(" ") + ": " + n.failureSummary + " in " + n.html.slice(0, 200)))}))`)
	if got.Texts < 5 {
		p.t.Errorf("%s: only %d texts could be seen", where, got.Texts)
	}
	for i, f := range got.Found {
		if i == 12 {
			p.t.Errorf("%s: and %d more", where, len(got.Found)-i)
			break
		}
		p.t.Errorf("%s: %s", where, f)
	}
}

// TestAccessible runs axe over every part of the page, in both themes.
func TestAccessible(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/")
	p.inBothThemes("ready page")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	eval[bool](p, "document.querySelectorAll('.editor details').forEach(d => d.open = true), true")
	p.frames()
	p.inBothThemes("editor")
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	p.inBothThemes("JSON tab")
	p.click(test("editor-form"))
	p.click(test("editor-close"))
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.inBothThemes("share dialog")
	p.press(kb.Escape)
	p.frames()
	field, old := test("editor-job-gpus", "job", "j4"), p.input(test("editor-job-gpus", "job", "j4"))
	p.fill(field, "500")
	p.state("error")
	p.inBothThemes("error")
	p.fill(field, old)
	p.ready()
	for _, w := range []size{tablet, phone} {
		p.look(w, false)
		p.frames()
		p.accessible(fmt.Sprintf("ready page, %d px", w.w))
	}
}

// TestAxeFindsFaults keeps the tests around it honest.
func TestAxeFindsFaults(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.open(native(t).url + "/docs")
	eval[bool](p, axe(t)+`; document.querySelector("main, section").insertAdjacentHTML("beforeend", "<p id='pale'>pale</p><input>");
		Object.assign(document.getElementById("pale").style, {color: "#999", background: "#fff"}); true`)
	got := eval[[]string](p,
		`axe.run(document, {runOnly: ["color-contrast", "label"]}).then(r => r.violations.map(v => v.id).sort())`)
	if strings.Join(got, " ") != "color-contrast label" {
		t.Errorf("of pale text and a field without a name axe finds %v", got)
	}
}

// TestFirstPaintIsAccessible looks at the page before any program runs.
func TestFirstPaintIsAccessible(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(
		"window.Worker = undefined; WebAssembly.instantiateStreaming = WebAssembly.instantiate = () => new Promise(() => {})")
	p.open(native(t).url + "/")
	for scheme, dark := range map[string]bool{"light": false, "dark": true} {
		p.look(desktop, dark)
		p.accessible("first paint, " + scheme)
	}
}

// TestManualIsAccessible looks at every page of the manual, and at each fifth in the dark, too: all take their colours
// from one sheet.
func TestManualIsAccessible(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.open(native(t).url + "/docs")
	pages := eval[[]string](p, "[...document.querySelectorAll('nav a')].map(a => a.pathname)")
	p.look(desktop, false)
	for i, at := range append(pages, "/docs/teach/"+scenarios.Assignments[0], "/docs/papers/hadar") {
		p.open(native(t).url + at)
		eval[bool](p, "document.querySelectorAll('details').forEach(d => d.open = true) || true")
		if i%5 == 0 || i >= len(pages) {
			p.inBothThemes(strings.TrimPrefix(at, "/"))
		} else {
			p.accessible(strings.TrimPrefix(at, "/") + ", light")
		}
	}
}
