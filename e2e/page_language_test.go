package e2e

import (
	"strings"
	"testing"
)

// speak chooses the page's language in its menu, and waits until it is in force.
func (p *page) speak(tag string) {
	p.t.Helper()
	p.choose(test("language"), tag)
	p.until("document.documentElement.lang === '" + tag + "'")
	p.frames()
}

// german fails the test unless a part of the page holds a text of the German catalogue and none of the English.
func (p *page) german(css, want, not string) {
	p.t.Helper()
	p.until("document.querySelector('" + css + "')?.textContent.includes('" + want + "')")
	if got := p.text(css); strings.Contains(got, not) {
		p.t.Errorf("%s still says %q: %s", css, not, got)
	}
}

// TestGerman: the reader chooses German; labels, findings and the engine's reasons are German at once, nothing else
// changes, the choice outlasts a reload, and English comes back.
func TestGerman(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	p.known()
	english := p.text(test("finding"))
	why := p.text(test("why-sentence"))
	first := p.hash("hadar")
	p.fill(test("editor-job-gpus", "job", "j4"), "3")
	hash := p.settles("hadar", first)
	p.press("\t") // out of the field, which would keep what is typed

	p.click(test("language-next")) // the button in the bar
	p.until("document.documentElement.lang === 'de'")
	p.frames()
	p.ready()
	if p.hash("hadar") != hash || eval[bool](p, "document.querySelector('[data-test=undo]').disabled") {
		t.Error("the language changes the scenario, its result or its history")
	}
	p.german(test("finding"), "mittlere", "mean")
	p.german(test("run"), "Starten", "Run")
	p.german(test("why"), "Warum", "Why")
	p.german(test("lane")+" .facts", "Mittel", "mean")
	p.known()
	p.german(test("why-sentence"), "kostet", "costs") // the engine's, not the picture's
	if title := eval[string](p, "document.title"); !strings.Contains(title, "nebeneinander") {
		t.Errorf("the window is called %q", title)
	}
	for _, s := range []size{desktop, tablet, phone} {
		p.look(s, false)
		p.frames()
		if over := eval[string](p, `[...document.querySelectorAll(".panel :is(table, .btn, .tabbar, h2, .facts)")].filter(e => e.getBoundingClientRect().right > e.closest(".panel").getBoundingClientRect().right + 1)
			.map(e => e.tagName + " " + e.textContent.slice(0, 40)).join("; ")`); over != "" || eval[int](p, "document.documentElement.scrollWidth - innerWidth") > 0 {
			t.Errorf("at %d px German words lie over the edge: %s", s.w, over)
		}
	}
	p.look(desktop, false)
	p.accessible("German")
	p.shots("german")
	for _, tab := range []string{"prices", "queue", "cdf", "winners", "fairness", "types", "shares", "overheads"} {
		p.click(test("tab-" + tab))
		p.until("document.querySelector('" + test("chart") + "').dataset.chart === '" + tab + "'")
		eval[bool](p, "scrollTo(0, 0); true") // nothing lies under the bar then
		p.accessible("German, " + tab)
		p.shot("german-chart-" + tab)
	}
	p.click(test("editor-open"))
	p.see(test("editor"))
	p.accessible("German editor")
	p.shots("german-editor")
	p.click(test("editor-close"))
	p.until("document.activeElement.dataset.test === 'editor-open'")
	p.openGallery()
	p.accessible("German gallery")
	p.shots("german-gallery")
	p.press("\x1b")

	p.reload()
	p.ready()
	p.until("document.documentElement.lang === 'de'")
	p.german(test("lane")+" .facts", "Mittel", "mean")
	if p.hash("hadar") != hash {
		t.Error("the scenario is lost on the way")
	}
	p.speak("en")
	p.click(test("presets") + " > summary")
	p.click(test("preset", "preset", "odd-gpus-out"))
	p.until("document.querySelector('[data-test=lane][data-policy=hadar]').dataset.hash === '" + first + "'")
	p.ready()
	p.known()
	if p.text(test("finding")) != english || p.text(test("why-sentence")) != why {
		t.Errorf("English does not come back: %s %s", p.text(test("finding")), p.text(test("why-sentence")))
	}
}

// english lists the texts and labels in sight that are English though the catalogue has them in German.
func (p *page) english(where string) {
	p.t.Helper()
	if got := eval[[]string](p, `(async () => {
		const words = await (await fetch("/web/words/de.json")).json();
		const bad = new Set(), check = s => { s = s.trim(); if (/[a-z]{2}/.test(s) && words[s] && words[s] !== s && !Object.values(words).includes(s)) bad.add(s) };
		const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
		while (walk.nextNode()) { const e = walk.currentNode.parentElement; if (!e.closest("script, style, textarea, code, [lang=en], [data-job]") && e.getClientRects().length) check(walk.currentNode.data) }
		for (const e of document.querySelectorAll("[aria-label], [title], [placeholder]")) for (const a of ["aria-label", "title", "placeholder"]) if (e.getAttribute(a)) check(e.getAttribute(a));
		return [...bad] })()`); len(got) > 0 {
		p.t.Errorf("%s still says in English: %q", where, got)
	}
}

// TestNothingIsLeftInEnglish walks through the charts, the editor and the dialogs in German, and holds that a job keeps
// its name, whatever the page calls so.
func TestNothingIsLeftInEnglish(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.open(native(t).url + "/?lang=de")
	p.ready()
	p.until("document.documentElement.lang === 'de'")
	p.english("the page")
	for _, tab := range []string{"busy", "prices", "queue", "cdf", "winners", "fairness", "types", "shares",
		"overheads"} {
		p.click(test("tab-" + tab))
		p.until("document.querySelector('" + test("chart") + "').dataset.chart === '" + tab + "'")
		p.frames()
		p.english("the chart " + tab)
	}
	p.click(test("tab-types"))
	p.german(test("usage-legend"), "belegt", "busy")
	p.click(test("editor-open"))
	p.see(test("editor"))
	p.english("the editor")
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	p.put(test("editor-json"), strings.ReplaceAll(eval[string](p, "document.querySelector('#editor-json').value"),
		`"j4"`, `"free"`))
	p.click(test("editor-json-apply"))
	p.ready()
	p.click(test("editor-form"))
	p.fill(test("editor-job-gpus", "job", "free"), "500")
	p.state("error")
	p.until("document.querySelector('" + test("problem") +
		"')?.innerText.startsWith('Free verlangt 500') || document.querySelector('" + test("problem") +
		"')?.innerText.startsWith('free verlangt 500')")
	p.english("the editor with an error")
	p.click(test("undo"))
	p.ready()
	p.openGallery()
	p.english("the gallery")
	p.press("\x1b")
	p.open(native(t).url + "/?lang=de&safe#")
	p.ready()
	p.click(test("presets") + " > summary")
	p.click(test("preset", "preset", "two-jobs-three-gpus"))
	p.ready()
	p.choose(test("policy-picker"), "hadare")
	p.see(test("fork-legend"))
	p.ready()
	p.english("copies")
}

// TestLanguageOfBrowserAndAddress: the browser's language is the page's, an address outranks it, and what the page
// lacks is English.
func TestLanguageOfBrowserAndAddress(t *testing.T) {
	t.Parallel()
	s := native(t)
	for _, c := range []struct{ browser, path, want string }{{"de-AT", "/", "de"}, {"fr", "/", "en"},
		{"de", "/?lang=en", "en"}, {"en-US", "/?lang=de", "de"}, {"en-US", "/e?lang=de", "de"}, {"de", "/e", "de"}} {
		p := newPage(t)
		p.first("Object.defineProperty(navigator, 'language', { value: '" + c.browser + "' })")
		p.open(s.url + c.path)
		p.ready()
		p.until("document.documentElement.lang === '" + c.want + "'")
		if got := strings.Contains(p.text(test("lane")+" .facts"), "Mittel"); got != (c.want == "de") {
			t.Errorf("%s in a browser that speaks %s says %s", c.path, c.browser, p.text(test("lane")+" .facts"))
		}
	}
}

// TestLanguageThatCannotBeHad: without its catalogue the page speaks English and says so, at the start and when it is
// chosen.
func TestLanguageThatCannotBeHad(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(
		"Object.defineProperty(navigator, 'language', { value: 'de' }); const real = fetch; window.fetch = (what, ...rest) => String(what).includes('/words/') ? Promise.reject(new Error('cut')) : real(what, ...rest)")
	p.open(native(t).url + "/")
	p.ready()
	p.until("document.querySelector('" + test("toast") + "')?.textContent.includes('could not be loaded')")
	if lang := eval[string](p, "document.documentElement.lang"); lang != "en" {
		t.Errorf("the page says that its language is %s", lang)
	}
	p.press("\x1b")
	p.until("!document.querySelector('" + test("toast") + "')")
	p.choose(test("language"), "de")
	p.see(test("toast"))
	p.until("document.querySelector('" + test("language") + "').value === 'en'")
}

// TestEditedFiguresFit: the figures of before an edit stand on one line each, and the table stays in its panel, in both
// languages, with two lanes and with three.
func TestEditedFiguresFit(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	fits := func(what string) {
		t.Helper()
		for _, s := range []size{desktop, tablet, phone} {
			p.look(s, false)
			p.frames()
			if bad := eval[string](p, `(() => {
				const table = document.querySelector(".numbers"), panel = table.parentElement.getBoundingClientRect();
				const was = [...table.querySelectorAll(".was")].filter(e => e.checkVisibility());
				if (!was.length) return "there is none";
				if (table.getBoundingClientRect().right > panel.right - 4) return "the table is too wide";
				return was.filter(e => e.offsetHeight > 1.5 * parseFloat(getComputedStyle(e).fontSize)).map(e => e.textContent + " is broken").join();
			})()`); bad != "" {
				t.Errorf("%s at %d px: %s", what, s.w, bad)
			}
		}
		p.look(desktop, false)
		p.frames()
	}
	own := p.hash("hadar")
	p.click(test("editor-gpus-more"))
	own = p.settles("hadar", own)
	fits("two lanes")
	p.speak("de")
	fits("two lanes in German")
	p.click(test("why-lane", "lane", "B"))
	p.until(
		"document.querySelector('[data-test=why]').dataset.policy === 'gavel-las' && document.querySelector('details.force') !== null")
	p.click("details.force > summary")
	p.click("details.force [data-test=force]")
	p.until(
		"document.querySelectorAll('[data-test=lane]').length === 3 && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	p.click(test("editor-gpus-more"))
	p.settles("hadar", own)
	fits("three lanes in German")
	p.speak("en")
	fits("three lanes")
}
