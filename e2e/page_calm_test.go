package e2e

import (
	"testing"

	"github.com/chromedp/chromedp/kb"

	"hadarlab/core/lab"
)

// learn chooses what the bar's Learn has.
func (p *page) learn(hook string) {
	p.t.Helper()
	p.click(test("learn") + " > summary")
	p.click(test(hook))
}

// TestGuidesAreInSight: what one learns from, the gallery with the lessons, the manual and the class, is in sight at
// every width, and opens.
func TestGuidesAreInSight(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	for _, s := range []size{{320, 640}, phone, tablet, desktop} {
		p.look(s, false)
		p.frames()
		inSight := func(css string) {
			t.Helper()
			if !eval[bool](p, "(e => { const b = e.getBoundingClientRect(); return e.checkVisibility() && b.left >= 0 && "+
				"b.right <= innerWidth && b.top >= 0 && b.bottom <= 280 })(document.querySelector('"+css+"'))") {
				t.Errorf("%s is out of sight at %d px", css, s.w)
			}
		}
		inSight(test("learn") + " > summary")
		p.click(test("learn") + " > summary")
		for _, hook := range []string{"gallery-open", "papers", "manual", "class-open"} {
			inSight(test(hook))
		}
		p.click(test("gallery-open"))
		p.see(test("gallery"))
		p.press(kb.Escape)
		p.until("!document.querySelector('[data-test=gallery]')")
	}
	p.shots("guides")
	p.learn("class-open")
	p.see(test("start-class"))
	p.click(test("teach-join"))
	p.see("input")
	p.open(native(t).url + "/")
	p.learn("manual")
	p.see("#words")
}

// TestPoliciesAreGroupedByIdea: the picker has every policy once, under an idea, Hadar's and Gavel's first.
func TestPoliciesAreGroupedByIdea(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	groups := eval[[][]string](p, "[...document.querySelector('"+test("policy-picker")+
		"').children].map(g => [...g.children].map(o => o.value))")
	if len(groups) < 4 || groups[0][0] != "hadar" || groups[1][0][:5] != "gavel" && groups[1][1][:5] != "gavel" {
		t.Errorf("the groups are %q", groups)
	}
	seen := map[string]bool{}
	for _, g := range groups {
		for _, id := range g {
			if seen[id] {
				t.Errorf("%s stands twice", id)
			}
			seen[id] = true
		}
	}
	if len(seen) != len(lab.Policies()) {
		t.Errorf("%d policies can be chosen", len(seen))
	}
}
