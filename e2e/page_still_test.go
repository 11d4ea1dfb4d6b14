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
			eval[bool](p, fmt.Sprintf("document.documentElement.style.overflowAnchor = %q, true", anchors))
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
				p.frames()
				if now := eval[float64](p, y); math.Abs(now-was) > 8 {
					t.Errorf("%s, anchors %s: a tap on button %d of number %d moves it from %.0f to %.0f px", in,
						anchors, of[1], of[0], was, now)
				}
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
