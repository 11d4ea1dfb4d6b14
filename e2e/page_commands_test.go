package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// TestCommands: Ctrl K opens the list; what is typed finds commands, presets, policies and jobs; arrows and Enter
// choose, Escape closes, and the keyboard is back where it was.
func TestCommands(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	list := func(typed string) []string {
		p.control("k")
		p.see(test("commands") + "[open]")
		p.until("document.activeElement.dataset.test === 'command'")
		if typed != "" {
			p.press(typed)
		}
		p.frames()
		return eval[[]string](p, "[...document.querySelectorAll('.found li')].map(e => e.textContent)")
	}
	gone := "!document.querySelector('[data-test=commands]')"
	if got := list(""); len(got) < 20 {
		t.Errorf("without a word it offers %q", got)
	}
	p.accessible("the list of commands")
	p.shots("commands")
	if marked := eval[string](p, "document.getElementById(document.activeElement.getAttribute('aria-activedescendant'))"+
		".getAttribute('aria-selected')"); marked != "true" {
		t.Errorf("the marked command is %q to a screen reader", marked)
	}
	p.press(kb.Escape)
	p.until(gone)

	if got := list("zzz"); len(got) != 0 {
		t.Errorf("zzz finds %q", got)
	}
	p.press(kb.Escape)
	p.until(gone)

	if got := list("lane b srtf"); len(got) != 1 {
		t.Fatalf("a policy is found as %q", got)
	}
	p.press(kb.Enter)
	p.until(gone)
	p.until("document.querySelectorAll('[data-test=lane]')[1].dataset.policy === 'srtf'")

	list("undo")
	p.press(kb.Enter)
	p.until("document.querySelectorAll('[data-test=lane]')[1].dataset.policy === 'gavel-las'")

	if got := list("j3"); len(got) == 0 || !strings.HasSuffix(got[0], "j3") {
		t.Fatalf("a job is found as %q", got)
	}
	p.press(kb.Enter)
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")

	list("disagreement")
	p.press(kb.ArrowDown)
	p.frames()
	if got := eval[string](p, "document.querySelector('.found [aria-selected=true]').textContent"); !strings.Contains(got,
		"Previous") {
		t.Errorf("the arrow leads to %q", got)
	}
	p.press(kb.Escape)
	p.until(gone)

	list("keys") // from dialog to dialog
	p.press(kb.Enter)
	p.see(test("keys") + "[open]")
	if got := p.text(test("keys")); !strings.Contains(got, "Ctrl K") {
		t.Errorf("the list of keys does not name that of commands: %q", got)
	}
	p.press(kb.Escape)

	p.touch(phone)
	p.click(test("commands-open"))
	p.see(test("commands") + "[open]")
	p.press("predict first")
	p.frames()
	p.click(".found li")
	p.see(test("predict"))
}

// TestFindsAJobOfThousands: the last of 10,000 jobs is found by its name and brought into view.
func TestFindsAJobOfThousands(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	var jobs []string
	for i := range 10000 {
		jobs = append(jobs, fmt.Sprintf(`{"id":"job%05d","model":"m","batch":1,"arrival_s":%d,"gpus":1,"steps":600}`, i,
			10*i))
	}
	p.applyJSON(`{"format":"hadarlab.scenario","version":1,"scenario":{"round_s":360,"cluster":{"nodes":[{"id":"n1","gpus":{"v100":8}}]},"throughputs":{"unit":"steps_per_s","rows":[{"model":"m","batch":1,"per_gpu":{"v100":20}}]},"jobs":[` +
		strings.Join(jobs, ",") + `],"policies":[{"id":"fifo"},{"id":"srtf"}]}}`)
	p.until("document.querySelector('[data-test=lane][data-policy=fifo]') && document.querySelector('main').dataset.state === 'ready'")
	p.click(test("editor-close"))
	p.control("k")
	p.until("document.activeElement.dataset.test === 'command'")
	p.press("job09999")
	p.frames()
	p.press(kb.Enter)
	p.until("document.querySelector('[data-test=why]').dataset.job === 'job09999'")
	p.frames()
	if !eval[bool](p, "(b => b && b.width > 2 && b.left >= 0 && b.right <= innerWidth && b.top >= 0 && b.bottom <= innerHeight)(document.querySelector('[data-role=outline] [data-part=focus]')?.getBoundingClientRect())") {
		t.Error("the job is not in view")
	}
	p.shot("found-job")
}
