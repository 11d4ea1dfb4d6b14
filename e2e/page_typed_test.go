package e2e

import (
	"strings"
	"testing"
)

// TestAProgramIsTyped: by hand, key after key, a program is written in place of the one that stands there, over a bare
// field or over what was chosen; the keyboard stays in it, Enter begins a line, and a program that cannot run leaves
// the way to itself beside its lane.
func TestAProgramIsTyped(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.open(native(t).url + "/")
	p.ready()
	p.choose(test("lane-picker", "lane", "A"), "fifo")
	p.ready()
	p.click(test("first-edit"))
	p.click(test("program-like"))
	p.see(test("editor-program"))
	p.ready()
	anew := func(src string) {
		t.Helper()
		eval[bool](p, "(e => { e.focus(); e.select(); return true })(document.querySelector('.source'))")
		for line := range strings.Lines(src) { // the page takes up a line's beginning by itself
			p.press(strings.TrimLeft(strings.ReplaceAll(line, "\n", "\r"), " "))
			p.frames()
		}
		want := strings.TrimSpace(src)
		p.until("document.activeElement === document.querySelector('.source')")
		if got := strings.TrimSpace(p.input(test("editor-program"))); got != want {
			t.Errorf("typed %q, there stands %q", want, got)
		}
	}
	anew("def decide(view, plan):\n    for job in view.jobs:\n        plan.place(job)\n")
	p.ready()
	anew("def key(job, cluster):\n    if job.age > 1e9:\n        while True:\n            pass")
	p.ready()

	eval[bool](p, "(e => { e.focus(); e.select(); return true })(document.querySelector('.source'))")
	p.press("\b")
	p.until("document.querySelector('" + test("program-says") + "').innerText.includes('cannot be empty')")
	anew("def key(job, cluster):\n    return job.sped")
	p.until("document.querySelector('" + test("program-says") + "').innerText.includes('Did you mean speed?')")
	p.click(test("editor-close"))
	p.see(test("lane-refused"))
	p.click(test("lane-program"))
	p.until("document.activeElement === document.querySelector('.source')")
}

// TestAFormulaIsCompleted: what is there is listed as it is typed, and a press writes it; Tab leaves the field.
func TestAFormulaIsCompleted(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.open(native(t).url + "/")
	p.ready()
	p.choose(test("lane-picker", "lane", "A"), "own")
	p.ready()
	in := test("lane-formula")
	eval[bool](p, "(e => { e.focus(); e.select(); return true })(document.querySelector('"+in+"'))")
	p.press("-job.steps_l")
	p.until("document.querySelector('.margin .hints').innerText.includes('what it still has to do')")
	below := "(e => { const a = e.getBoundingClientRect();" +
		" const b = document.querySelector('.margin .hints').getBoundingClientRect();" +
		" return b.top >= a.bottom && b.right <= a.right + 2 })(document.querySelector('" + in + "'))"
	if !eval[bool](p, below) {
		t.Error("the names do not stand beneath the field")
	}
	p.click(".margin .hints button")
	if got := p.input(in); got != "-job.steps_left" {
		t.Errorf("completed it is %q", got)
	}
	p.ready()
	p.press("\t")
	if got := p.input(in); got != "-job.steps_left" || eval[bool](p, "document.activeElement.matches('"+in+"')") {
		t.Errorf("after Tab it is %q, or the keyboard is in it still", got)
	}
	p.fill(in, "job.s") // leaves it, too
	over := eval[bool](p, "document.querySelector('.margin .hints').checkVisibility()")
	if over || p.count(".margin .hints button") == 0 {
		t.Error("what was listed stays over the page, or was not")
	}
}

// TestAProgramIsCompleted: a program begun from a template has the keyboard, but on a touch screen; and whatever a job
// is called that comes from a list of them, its members are offered after the point.
func TestAProgramIsCompleted(t *testing.T) {
	t.Parallel()
	held := newVisitor(t)
	held.first("const ask = matchMedia; matchMedia = q => q.includes('coarse') ? { ...ask(q), matches: true } : ask(q)")
	for _, p := range []*page{newVisitor(t), held} {
		p.open(native(t).url + "/")
		p.ready()
		p.choose(test("lane-picker", "lane", "A"), "own")
		p.ready()
		p.click(test("lane-program"))
		p.see(test("program-template", "lane", "A"))
		p.choose(test("program-template", "lane", "A"), "fifo")
		p.see(test("editor-program"))
		if p == held {
			p.ready()
			if eval[bool](p, "document.activeElement.matches('.source')") {
				t.Error("a keyboard comes up that nobody asked for")
			}
			return
		}
		p.until("document.activeElement === document.querySelector('.source')")
		for src, want := range map[string]string{
			"def decide(view, plan):\n    for j in view.jobs:\n        j.":                                  "j.arrival",
			"def decide(view, plan):\n    for n, j in enumerate(view.waiting):\n        j.st":               "j.steps",
			"def decide(view, plan):\n    for s in view.slots:\n        s.":                                 "s.id",
			"def decide(view, plan):\n    for it in sorted(view.jobs, key = lambda x: x.age):\n        it.": "it.arrival",
			"def decide(view, plan):\n    a = sorted(view.jobs, key = lambda x: x.":                         "x.arrival",
			"def decide(view, plan):\n    q = [x for x in view.jobs]\n    for y in q:\n        y.":          "y.arrival",
			"def decide(view, plan):\n    best = min(view.jobs, key = lambda x: x.age)\n    best.":          "best.arrival",
			"def decide(view, plan):\n    first = view.jobs[0]\n    first.":                                 "first.arrival",
			"def key(j, c):\n    return j.ag":                                                               "j.age",
			"def decide(view, plan):\n    n = len(view.jobs)\n    n.":                                       "",
			"def decide(view, plan):\n    for j in [1, 2]:\n        j.":                                     "",
		} {
			p.write(src)
			if got := eval[string](p, "document.querySelector('#'+document.querySelector('.source').id+'-hints code')"+
				"?.textContent || ''"); got != want {
				t.Errorf("after %q it offers %q, want %q", src, got, want)
			}
		}
		p.write("def decide(view, plan):\n    print([ for j in view.jobs])")
		eval[bool](p, "(e => { e.selectionStart = e.selectionEnd = e.value.indexOf('[') + 1; return true })"+
			"(document.querySelector('.source'))")
		p.press("j.ag\t")
		if got := p.input(test("editor-program")); !strings.HasSuffix(got, "print([j.age for j in view.jobs])") {
			t.Errorf("completed in a comprehension it is %q", got)
		}
	}
}
