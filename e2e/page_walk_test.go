package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// linkTo is a link to a preset under another title.
func linkTo(t testing.TB, i int, title string) (doc *scenario.Document, address string) {
	t.Helper()
	doc, diags := scenario.Parse(preset(t, i), scenario.FileLimits)
	if diags.HasErrors() {
		t.Fatal(diags)
	}
	doc.Meta.Title = title
	return doc, "/#" + link.Encode(doc, lab.Defaults())
}

// stands waits until a scenario stands, with its result.
func (p *page) stands(title string) {
	p.t.Helper()
	p.until(
		fmt.Sprintf(
			"document.querySelector('h1').innerText === %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", title))
}

// at is the address.
func (p *page) at() string { p.t.Helper(); return eval[string](p, "location.pathname + location.hash") }

// TestOpeningLosesNothing: a link that is opened over an edit is one command, Back and Forward walk what was opened,
// and undo survives a reload, also one that opens something else.
func TestOpeningLosesNothing(t *testing.T) {
	t.Parallel()
	s := native(t)
	a, linkA := linkTo(t, 1, "Link A")
	_, linkB := linkTo(t, 2, "Link B")
	p := newPage(t)
	p.open(s.url + linkA)
	p.stands("Link A")
	job := a.Scenario.Jobs[0]
	field := test("editor-job-gpus", "job", job.ID)
	edit := func(gpus int) {
		t.Helper()
		p.fill(field, fmt.Sprint(gpus))
		p.until(
			"location.pathname + location.hash === '/' && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	}
	edited := fmt.Sprint(job.GPUs + 1)
	edit(job.GPUs + 1)
	keeps := func(how string) {
		t.Helper()
		p.stands("Link A, changed")
		if got := p.input(field); got != edited || p.at() != "/" {
			t.Errorf("%s: %s GPUs at %s, want the edited %s", how, got, p.at(), edited)
		}
	}

	p.open(s.url + linkB) // in the same page: only what is behind the # differs
	p.stands("Link B")
	if p.at() != linkB {
		t.Errorf("the address is %s", p.at())
	}
	p.click(test("toast-undo"))
	keeps("undone")
	p.click(test("redo"))
	p.stands("Link B")
	eval[bool](p, "history.back(), true")
	keeps("back")
	eval[bool](p, "history.forward(), true")
	p.stands("Link B")

	p.reload()
	p.stands("Link B")
	if p.at() != linkB {
		t.Errorf("after a reload the address is %s", p.at())
	}
	p.click(test("undo"))
	keeps("undone after a reload")

	p.openPreset(lab.Presets()[0].ID)
	first := preset(t, 0)
	doc, _ := scenario.Parse(first, scenario.FileLimits)
	p.stands(doc.Meta.Title)
	if p.at() != "/" {
		t.Errorf("the address of a preset is %s", p.at())
	}
	eval[bool](p, "history.back(), true")
	keeps("back from the preset")
	p.reload()
	keeps("reloaded there")
	eval[bool](p, "history.forward(), true")
	p.stands(doc.Meta.Title)

	eval[bool](p, "history.back(), true")
	keeps("back once more")
	p.open(s.url + "/s/" + shareLink(t, s, small("Link C", 93))) // a page of its own, in the same tab
	p.stands("Link C")
	p.click(test("undo"))
	keeps("undone after another page")
	if n := eval[int](p, "Object.keys(sessionStorage).filter(n => n.startsWith('hadarlab-step-')).length"); n < 4 {
		t.Errorf("%d steps are kept", n)
	}
}

// TestLateAnswerIsOffered: a short link that arrives after an edit waits for the reader.
func TestLateAnswerIsOffered(t *testing.T) {
	t.Parallel()
	s := native(t)
	link := shareLink(t, s, small("Late", 94))
	p := visit(t, s, "/")
	title := p.text("h1") + " (changed)" // its title is a question
	eval[bool](p, `(() => {
		const now = window.fetch;
		window.fetch = (path, options) => String(path).includes("/scenarios/") ? new Promise(done => { window.arrive = () => done(now(path, options)); }) : now(path, options);
		history.pushState(null, "", "/s/`+link+`");
		dispatchEvent(new PopStateEvent("popstate"));
		return true;
	})()`)
	p.until("!!window.arrive")
	before := p.hash("hadar")
	p.fill(test("editor-job-gpus", "job", "j4"), "3")
	eval[bool](p, "window.arrive(), true")
	p.see(test("offer"))
	p.until("document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	if got := p.input(test("editor-job-gpus", "job", "j4")); got != "3" || p.text("h1") != title || p.at() != "/" ||
		p.hash("hadar") == before {
		t.Errorf("the late answer has replaced the edit: %s GPUs of %q at %s", got, p.text("h1"), p.at())
	}
	p.accessible("an offer")
	p.click(test("offer-take"))
	p.stands("Late")
	if !strings.HasPrefix(p.at(), "/s/") || p.count(test("offer")) != 0 {
		t.Errorf("taken, it is at %s", p.at())
	}
	p.click(test("toast-undo"))
	p.stands(title)
	if got := p.input(test("editor-job-gpus", "job", "j4")); got != "3" {
		t.Errorf("undone, the edit is %s", got)
	}
}
