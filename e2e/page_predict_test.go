package e2e

import (
	"fmt"
	"strings"
	"testing"
)

// TestPredictFirst: what an edit does cannot be seen, by nobody, until it was predicted; then the page says how it
// came.
func TestPredictFirst(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("predict-first"))
	p.see(test("predict"))
	const lanes = `[...document.querySelectorAll("[data-test=lane]")].map(e => e.dataset.hash).join()`
	old := eval[string](p, lanes)
	p.click(test("editor-gpus-more"))
	p.see(test("predict-ask"))
	p.until(`document.querySelector("[data-test=lab]").dataset.state === "ready"`)
	if eval[bool](p, `getComputedStyle(document.querySelector(".claim")).visibility !== "hidden"`) {
		t.Error("the finding can be seen")
	}
	if now := eval[string](p, lanes); now != old {
		t.Error("the lanes show what is to be predicted")
	}
	if tree := eval[string](p,
		`document.querySelector("[data-test=spoken]").textContent + (document.querySelector("[data-test=toast]")?.textContent ?? "")`); strings.Contains(tree, "average") || strings.Contains(tree, "mean completion") {
		t.Errorf("it is told: %q", tree)
	}
	p.shots("predict")
	p.click(test("predict-alike"))
	p.until(`!document.querySelector("[data-test=predict-ask]")`)
	if eval[string](p, lanes) == old {
		t.Error("the old lanes stay")
	}
	if says := p.text(test("predict")); !strings.Contains(says, "on average.") ||
		!strings.Contains(says, "of 1 right") {
		t.Errorf("it says %q", says)
	}
	p.shots("predicted")
	p.click(test("predict-stop"))
	p.click(test("editor-gpus-less"))
	p.until(
		`!document.querySelector("[data-test=predict-ask]") && document.querySelector("[data-test=lab]").dataset.state === "ready"`)
}

// leaks watches every frame from before the page's own scripts on: what tells a result must not be seen or said.
const leaks = `window.leaked = new Set();
(function watch() {
	for (const s of ["main .question", ".claim", ".lanes", "[data-test=lane]", "[data-test=chart]", "[aria-labelledby=h-numbers]", ".why", "[data-test=peek]", ".sofar"])
		for (const e of document.querySelectorAll(s)) if (e.checkVisibility({ visibilityProperty: true })) leaked.add(s);
	const said = (document.querySelector("[data-test=spoken]")?.textContent ?? "") + (document.querySelector("[data-test=toast]")?.textContent ?? "") + document.title;
	if (/sooner|average|later than/.test(said)) leaked.add(said);
	requestAnimationFrame(watch);
})();`

// TestLinkIsPredictedFirst: from the first frame on nothing of a result is seen before the question is answered, by the
// whole link, the short one and in a frame, at every width; a page that does not know the key opens the same scenario.
func TestLinkIsPredictedFirst(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/")
	p.openPreset("sixty-measured-jobs")
	p.click(test("share-link"))
	p.see(test("share-predict"))
	p.click(test("share-predict"))
	p.until("document.querySelector('input[data-test=share-link]').value.endsWith('&v=p')")
	p.shots("share-predict")
	link := strings.TrimPrefix(p.input(test("share-link")), s.url)
	p.click(test("share-make-short"))
	p.see(test("share-short"))
	short := strings.TrimPrefix(p.input(test("share-short")), s.url)
	if !strings.HasSuffix(short, "#v=p") {
		t.Errorf("the short link is %s", short)
	}
	for i, c := range []struct {
		path  string
		width size
	}{{link, desktop}, {link, phone}, {short, phone}, {strings.Replace(short, "/s/", "/e/", 1), desktop},
		{strings.Replace(link, "/#", "/e#", 1), desktop}} {
		r := newPage(t)
		r.look(c.width, false)
		r.first(leaks)
		r.open(s.url + c.path)
		r.see(test("predict-ask"))
		r.ready()
		r.frames()
		if got := eval[[]string](r, "[...leaked]"); len(got) > 0 {
			t.Errorf("%s at %v shows %q", c.path[:3], c.width, got)
		}
		r.until(`(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector("[data-test=predict-ask]").getBoundingClientRect())`)
		r.window(fmt.Sprintf("predict-link-%d", i))
		r.click(test("predict-lane"))
		r.until(`leaked.has(".claim") && leaked.has(".lanes")`)
		if says := r.text(test("predict")); !strings.Contains(says, "You were right: Hadar") {
			t.Errorf("%s says %q", c.path[:3], says)
		}
	}
}
