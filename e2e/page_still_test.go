package e2e

import (
	"fmt"
	"math"
	"testing"
)

// TestTheFingerStaysOnItsButton: on a phone, while a class changes something, a tap on + or − that turns the winner
// moves nothing from under the finger, whether the numbers stand below the lanes or in the editor, and whether the
// browser anchors what it scrolls or not.
func TestTheFingerStaysOnItsButton(t *testing.T) {
	t.Parallel()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	p := newPage(t)
	p.look(phone, false)
	p.join(l, "lobby")
	l.set(`{"phase":"predict"}`)
	p.screen("predict")
	p.answers("answers", "sooner", "hadar", "5", "by", "10-30", "3")
	p.screen("wait")
	l.set(`{"phase":"change"}`)
	p.screen("done")
	p.click(test("open-lab"))
	p.see(test("class-submit"))
	p.ready()
	p.click(test("class-change"))
	p.until("!!document.activeElement.closest('[data-field^=\"gpus/\"]')")
	for _, in := range []string{".sum", ".editor"} {
		if in == ".editor" {
			p.click(test("editor-open"))
			p.see(test("editor"))
		}
		for _, anchors := range []string{"auto", "none"} {
			// A style of its own: a program's style would be over, and on the root alone it does nothing.
			p.do("to anchor or not", doing(fmt.Sprintf(`(sheet => {
				sheet.replaceSync("* { overflow-anchor: %s !important }");
				document.adoptedStyleSheets = [sheet];
			})(new CSSStyleSheet())`, anchors)))
			p.do("to the numbers", doing(fmt.Sprintf(
				`document.querySelector(%q).scrollIntoView({ block: "center", behavior: "instant" })`, in+" .stepper")))
			p.frames()
			turned := 0
			for _, of := range [][2]int{{0, 0}, {0, 0}, {0, 1}, {0, 1}, {1, 0}, {1, 0}, {1, 1}, {1, 1}} {
				at := fmt.Sprintf(`document.querySelectorAll('%s .stepper')[%d].querySelectorAll('button')[%d]`, in,
					of[0], of[1])
				y := fmt.Sprintf("(%s).getBoundingClientRect().top", at)
				high := "document.documentElement.scrollHeight"
				was, tall := eval[float64](p, y), eval[float64](p, high)
				p.do("tap", doing(at+`.dispatchEvent(new PointerEvent("pointerdown", { bubbles: true }))`),
					doing(at+".click()"))
				p.frames()
				p.ready()
				// What is drawn after the run, a part a turn, may move it for a frame, and not for ten.
				eval[bool](p, "window.stood = 0, true")
				p.until(fmt.Sprintf("(stood = Math.abs(%s - %f) <= 8 ? stood + 1 : 0) >= 10", y, was))
				if math.Abs(eval[float64](p, high)-tall) > 200 {
					turned++
				}
			}
			if turned == 0 {
				t.Errorf("%s: nothing that was tapped has changed how high the page is", in)
			}
		}
	}
}
