package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestTheTextsCursorLeadsToTheForm: the text says where its cursor is and leads to the field there, folded or on
// another page; the field that had the focus is selected in the text.
func TestTheTextsCursorLeadsToTheForm(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.openPreset("odd-gpus-out")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	text := func(needle, after string) { // puts the cursor there as a mouse does
		p.click(test("editor-json-tab"))
		p.see(test("editor-json"))
		p.frames()
		eval[bool](
			p, fmt.Sprintf(
				`(a => { const i = a.value.indexOf(%q, a.value.indexOf(%q)); a.focus(); a.setSelectionRange(i, i); a.click(); return i >= 0 })(document.querySelector(%q))`, needle, after, test("editor-json")))
	}
	focused := func(path string) string {
		return fmt.Sprintf("document.activeElement.dataset.path === %q && document.activeElement.checkVisibility()",
			path)
	}
	selected := "(a => a?.value.slice(a.selectionStart, a.selectionEnd))(document.querySelector('[data-test=editor-json]'))"
	for _, c := range []struct{ needle, after, at, field string }{
		{`"gpus": 4`, `"j3"`, "GPUs of j3 /scenario/jobs/2/gpus", "/scenario/jobs/2/gpus"},
		{`"p100"`, `"per_gpu"`, "resnet-50, batch 64 on P100 /scenario/throughputs/rows/0/per_gpu/p100",
			"/scenario/throughputs/rows/0/per_gpu/p100"},
		{`"j2"`, "", "j2 /scenario/jobs/1/id", "/scenario/jobs/1/model"}, // an id has no field
		{`"round_s"`, "", "Round length /scenario/round_s", "/scenario/round_s"},
		{`"nodes"`, "", "/scenario/cluster/nodes", "/scenario/cluster/nodes/0/id"},
		{`"cluster"`, "", "/scenario/cluster", "/scenario/cluster"}, // a part's heading
	} {
		text(c.needle, c.after)
		p.until(
			fmt.Sprintf(
				"(a => a.children[0].innerText + ' ' + a.children[1].innerText)(document.querySelector(%q)) === %q",
				test("editor-at"), "At the cursor: "+c.at))
		p.click(test("editor-show"))
		p.until(focused(c.field))
	}
	// The keyboard alone: to the field, back to its text, on by an arrow.
	p.press(kb.Tab)
	p.until(focused("/scenario/cluster/nodes/0/id"))
	eval[bool](p, fmt.Sprintf("document.querySelector(%q).focus(), true", test("editor-job-steps", "job", "j5")))
	eval[bool](p, fmt.Sprintf("(b => { b.focus(); return true })(document.querySelector(%q))", test("editor-json-tab")))
	p.press(kb.Enter)
	p.until(selected + " === '5800' && document.activeElement === document.querySelector('[data-test=editor-json]')")
	if shown := eval[bool](p,
		"(a => a.scrollTop > 0 && a.scrollTop + a.clientHeight <= a.scrollHeight)(document.querySelector('[data-test=editor-json]'))"); !shown {
		t.Error("the text is not scrolled to the selection")
	}
	p.press(kb.ArrowDown)
	p.press(kb.ArrowUp)
	p.press(kb.Home)
	p.until("document.querySelector('[data-test=editor-at]').innerText.includes('/scenario/jobs/4')")
	p.shots("json-cursor")
	p.click(test("editor-form"))
	p.see(test("editor-jobs"))
	for _, name := range eval[[]string](p,
		"[...document.querySelectorAll('.editor :is(input, select):not([data-path])')].map(f => f.dataset.test)") {
		if !strings.HasPrefix(name, "editor-add-") && name != "editor-rack-name" { // a rack is a name that nodes share
			t.Errorf("the field %s says for no value that it stands for it", name)
		}
	}
	// Jobs on other pages, what is folded, and a problem.
	var jobs []string
	for i := range 45 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"k%d","model":"m","gpus":1,"steps":1000}`, i))
	}
	before := p.hash("hadar")
	p.applyJSON(`{"kind":"scenario","version":1,"meta":{"title":"Köln 😀"},"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},
"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"knowledge":{"lengths":"noisy","error":0.5},"jobs":[` + strings.Join(jobs, ",") + `],"policies":[{"id":"hadar","params":{"eta":2}},{"id":"fifo"}]}}`)
	p.settles("hadar", before)
	for needle, path := range map[string]string{`"k43"`: "/scenario/jobs/43/model",
		`"error"`: "/scenario/knowledge/error", `"eta"`: "/scenario/policies/0/params/eta", "ln 😀": "/meta/title"} {
		text(needle, "")
		p.until(fmt.Sprintf("document.querySelector(%q).innerText.includes(%q)", test("editor-at"),
			path[:strings.LastIndex(path, "/")]))
		p.click(test("editor-show"))
		p.until(focused(path))
	}
	p.fill(test("editor-job-gpus", "job", "k40"), "9")
	p.see(test("show-problem"))
	p.click(test("show-problem"))
	p.until(focused("/scenario/jobs/40/gpus"))
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	p.click(test("show-problem"))
	p.until(selected + " === '9'")
	p.look(phone, false)
	p.frames()
	p.window("json-cursor-390-window")
	if wide := eval[int](p, "document.documentElement.scrollWidth"); wide > 390 {
		t.Errorf("the page is %d px wide on a phone", wide)
	}
}
