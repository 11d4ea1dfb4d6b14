package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/lab"
)

func TestEditGivesANewResult(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		p := odd(t, s)
		before := p.hash("hadar")
		field := test("editor-job-gpus", "job", "j4")
		old := p.input(field)
		p.fill(field, "2")
		after := p.settles("hadar", before)
		if after == before {
			t.Fatal("the edit gives the same trace")
		}
		if !strings.Contains(p.text(".top .sub"), "edited") {
			t.Error("the bar does not say that the preset was edited")
		}
		p.click(test("undo"))
		p.settles("hadar", after)
		if p.hash("hadar") != before || p.input(field) != old {
			t.Error("undo does not come back to the result before")
		}
		p.click(test("redo"))
		p.settles("hadar", before)
		if p.hash("hadar") != after || p.input(field) != "2" {
			t.Error("redo does not come back to the edit")
		}
	})
}

func TestStepperAndPickerAndParameters(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	hash := p.hash("hadar")
	p.click(test("stepper", "node", "n1") + ", [data-node=n1] " + test("editor-gpus-less"))
	hash = p.settles("hadar", hash)
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = 'fifo'; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelectorAll(%q)[1])", test("policy-picker")))
	p.see(test("lane", "policy", "fifo"))
	p.ready()
	p.click(test("editor-open"))
	p.see(test("editor-add-lane"))
	p.click(".lanecard summary")
	eval[bool](p, fmt.Sprintf("(e => { e.click(); return true })(document.querySelector(%q))",
		test("editor-param", "param", "homogeneous")))
	p.settles("hadar", hash)
	p.click(test("editor-add-lane"))
	p.until("document.querySelectorAll('[data-test=lane]').length === 3")
	p.ready()
	p.shots("editor")
	for range 4 {
		p.click(test("undo"))
		p.frames()
	}
	p.until("document.querySelectorAll('[data-test=lane]').length === 2")
	p.ready()
	if p.count(test("lane", "policy", "gavel-las")) != 1 {
		t.Error("undo does not bring the policies back")
	}
}

func TestErrorNamesTheWayOutAndKeepsTheResult(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	p.fill(test("editor-job-gpus", "job", "j4"), "500")
	p.state("error")
	// typed digit by digit
	p.until("document.querySelector('[data-test=problem]')?.innerText.includes('j4 asks for 500 GPUs')")
	if p.hash("hadar") != before || p.attr(test("lane", "policy", "hadar"), "data-stale") != "true" {
		t.Error("the old result does not stay, marked stale")
	}
	p.shots("error")
	p.click(test("fix"))
	p.settles("hadar", before)
	p.fill(test("editor-job-gpus", "job", "j4"), "many")
	p.until("document.querySelector('[data-test=problem]')?.innerText.includes('many')")
	if got := p.text(test("problem")); !strings.Contains(got, "must be a whole number from 1 to") ||
		!strings.Contains(got, "many") {
		t.Errorf("the message says %q", got)
	}
	if p.attr(test("lab"), "data-state") != "error" || p.attr(test("lane", "policy", "hadar"), "data-stale") == "true" {
		t.Error("a text that cannot be read spoils the result, or the page says Ready over it")
	}
}

// TestEnterRefusesAsTabDoes: a number out of range is refused with field, limit and the way back, on Enter as on Tab;
// what stood in the field on the way to it is not run.
func TestEnterRefusesAsTabDoes(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	field := `[data-path="/scenario/cluster/nodes/0/gpus/v100"]`
	for _, c := range []struct{ text, key, says string }{
		{"999999999", "\r", "it says 999,999,999"}, {"-5", "\r", "it says -5"},
		{"999999999", "\t", "it says 999,999,999"}, {"4097", "\r", "it says 4,097"},
	} {
		old := p.input(field)
		eval[bool](p, fmt.Sprintf(unfold, field))
		eval[bool](p, fmt.Sprintf("(e => { e.focus(); e.select(); return true })(document.querySelector(%q))", field))
		p.press(c.text + c.key)
		p.state("error")
		p.see(test("problem"))
		if got := p.text(test("problem")); !strings.Contains(got, "V100 on n1") ||
			!strings.Contains(got, "0 to 4,096") || !strings.Contains(got, c.says) {
			t.Errorf("%s: the message says %q", c.text, got)
		}
		if got := p.text(".top .state"); strings.Contains(got, "Ready") {
			t.Errorf("%s: the page says %q", c.text, got)
		}
		if p.attr(field, "aria-invalid") != "true" || p.hash("hadar") != before {
			t.Errorf("%s: the field is not marked, or the scenario has changed", c.text)
		}
		p.click(test("problem") + " button")
		p.ready()
		if p.input(field) != old || p.hash("hadar") != before {
			t.Errorf("%s: the field holds %q, not %q again", c.text, p.input(field), old)
		}
	}
	eval[bool](p, fmt.Sprintf("(e => { e.focus(); e.select(); return true })(document.querySelector(%q))", field))
	p.press("4\r")
	p.settles("hadar", before)
}

func TestJobsAndSpeedsInTheEditor(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("editor-open"))
	p.see(test("editor-jobs"))
	rows := p.count(test("editor-jobs") + " tbody tr")
	hash := p.hash("hadar")
	p.click(test("editor-copy-job"))
	hash = p.settles("hadar", hash)
	if n := p.count(test("editor-jobs") + " tbody tr"); n != rows+1 {
		t.Errorf("%d jobs after copying one of %d", n, rows)
	}
	p.click(test("editor-delete-job"))
	hash = p.settles("hadar", hash)
	p.fill(test("editor-speed", "type", "p100"), "40")
	hash = p.settles("hadar", hash)
	p.fill(test("editor-round"), "120")
	p.settles("hadar", hash)
	if n := p.count(test("history") + " li"); n != 5 {
		t.Errorf("the history lists %d entries, want the opening and four edits", n)
	}
}

// TestAnEditTellsItsOutcome: where the numbers are out of sight, the page says what an edit did to them and leads
// there.
func TestAnEditTellsItsOutcome(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	// calmed counts how often the page has looked whether to tell an outcome, which it does some time after the edit.
	// What it tells stays, however long the test takes to look.
	eval[bool](p, `window.calmed = 0, (after => hadarlab.after = (ms, f) => ms === 8000 ||
		after(ms, () => { f(); if (ms === 600) calmed++; }))(hadarlab.after), true`)
	own := p.hash("hadar")
	p.click(test("editor-gpus-more"))
	own = p.settles("hadar", own)
	p.until("calmed > 0")
	p.frames()
	if p.count(test("toast")) > 0 {
		t.Errorf("the numbers are in sight, and the page says %q", p.text(test("toast")))
	}
	for _, s := range []size{phone, {768, 500}} {
		p.look(s, s != phone)
		p.frames()
		p.click(test("editor-gpus-more"))
		own = p.settles("hadar", own)
		p.see(test("toast-show"))
		said := plain(p.text(test("toast") + " > span"))
		for _, lane := range []string{"hadar", "gavel-las"} {
			if want := eval[string](p,
				fmt.Sprintf("document.querySelector('[data-metric=avg_jct_s][data-policy=%s]').firstChild.data",
					lane)) + " min"; !strings.Contains(said, want) {
				t.Errorf("%q lacks %q", said, want)
			}
		}
		p.window(fmt.Sprintf("outcome-%d", s.w))
		p.click(test("toast-show"))
		p.until(
			"(b => b.top >= 0 && b.top < innerHeight / 2)(document.querySelector('[aria-labelledby=h-numbers]').getBoundingClientRect())")
		p.click(test("toast-undo"))
		own = p.settles("hadar", own)
		p.frames()
	}
}

func TestBadJSONKeepsTheScenario(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	p.applyJSON(`{"kind":"scenario","version":1,"scenario":{"jobs":[{]}}`)
	p.see(test("notice"))
	if got := p.text(test("notice")); !strings.Contains(got, "The scenario stays as it was") {
		t.Errorf("the notice says %q", got)
	}
	if p.hash("hadar") != before || p.attr(test("lab"), "data-state") != "ready" {
		t.Error("bad JSON spoils the result")
	}
	p.shots("bad-json")
	p.applyJSON(string(preset(t, 1)))
	p.settles("hadar", before)
	if p.count(test("notice")) != 0 {
		t.Error("the notice stays after good JSON")
	}
	p.click(test("toast-undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", before))
}

func TestEveryPresetOpens(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	for i := range lab.Presets() {
		want := natively(t, preset(t, i))
		p.click(test("presets") + " summary")
		eval[bool](p, fmt.Sprintf("(e => { e.click(); return true })(document.querySelectorAll(%q)[%d])",
			test("preset"), i))
		p.until(
			fmt.Sprintf(
				"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", want.Runs[0].TraceHash))
		if p.text(".question") == "" {
			t.Errorf("preset %d has no question", i)
		}
		p.frames()
		p.shots(fmt.Sprintf("preset-%d", i+1))
	}
}

func TestReloadKeepsTheEdits(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	p.fill(test("editor-job-steps", "job", "j1"), "999")
	after := p.settles("hadar", before)
	p.reload()
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane]')?.dataset.hash === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", after))
	p.open(native(t).url + "/?safe")
	p.ready()
	if p.hash("hadar") != before {
		t.Error("?safe does not ignore what the tab kept")
	}
}
