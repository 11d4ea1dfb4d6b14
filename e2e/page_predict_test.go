package e2e

import (
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
	p.click(test("editor-gpus-more"))
	p.see(test("predict-ask"))
	p.until(`document.querySelector("[data-test=lab]").dataset.state === "ready"`)
	if shown := eval[[]string](p,
		`[".claim", ".lanes", "[aria-labelledby=h-numbers]", ".why"].filter(s => getComputedStyle(document.querySelector(s)).visibility !== "hidden")`); len(shown) > 0 {
		t.Errorf("%v can be seen", shown)
	}
	if tree := eval[string](p,
		`document.querySelector("[data-test=spoken]").textContent + (document.querySelector("[data-test=toast]")?.textContent ?? "")`); strings.Contains(tree, "average") || strings.Contains(tree, "sooner") {
		t.Errorf("it is told: %q", tree)
	}
	p.shots("predict")
	p.click(test("predict-alike"))
	p.until(`!document.querySelector("[data-test=predict-ask]")`)
	p.until(`getComputedStyle(document.querySelector(".lanes")).visibility === "visible"`)
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
