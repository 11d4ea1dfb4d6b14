package e2e

import (
	"fmt"
	"testing"
)

func TestNodesRacksAndModelsInTheEditor(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	before := p.hash("hadar")
	p.click(test("editor-open"))
	p.see(test("editor-add-rack"))
	p.fill(test("editor-node-name"), "fast")
	hash := p.settles("hadar", before)
	p.click(test("editor-copy-node"))
	hash = p.settles("hadar", hash)
	if n := p.count(".node[data-node]"); n != 5 {
		t.Errorf("%d nodes after copying one of four", n)
	}
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = ''; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelector(%q))", test("editor-rack", "node", "n5")))
	p.until("document.querySelectorAll('.rack').length === 2")
	p.click(test("editor-copy-rack"))
	p.settles("hadar", hash)
	p.fill(".rack[data-rack=r2] input", "spare")
	p.until("document.querySelector('.rack[data-rack=spare]') !== null")
	p.ready()
	p.shots("cluster")
	p.click(".rack[data-rack=spare] " + test("editor-remove-rack"))
	p.until("document.querySelector('.rack[data-rack=spare]') === null")
	p.ready()
	p.fill(test("editor-model"), "vision")
	p.until("[...document.querySelectorAll('[data-test=editor-job-model]')].some(e => e.value.startsWith('vision'))")
	p.click(test("editor-add-row"))
	p.frames()
	if n := p.count(test("editor-speeds") + " tbody tr"); n != 3 {
		t.Errorf("%d models after adding one to two", n)
	}
	p.click(test("editor-move-lane"))
	p.until("document.querySelector('[data-test=lane]').dataset.policy === 'gavel-las'")
	p.ready()
	edits := p.count(test("history") + " li")
	if edits != 11 {
		t.Errorf("the history lists %d entries, want two openings and nine edits", edits)
	}
	for range edits - 2 {
		p.click(test("undo"))
		p.frames()
	}
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]').dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", before))
	if p.input(test("editor-node-name")) != "n1" || p.count(".rack") != 1 {
		t.Error("undo does not bring the cluster back")
	}
}
