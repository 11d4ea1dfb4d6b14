package e2e

import (
	"math"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestTheSliderIsTakenUnderItsAxis: the thumb is under the cursor to the pixel, at every zoom; a hand that takes the
// slider and goes on past its end moves the cursor to the round that is above it, and the keys are the slider's then.
func TestTheSliderIsTakenUnderItsAxis(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	middle := func(css string) float64 {
		return eval[float64](p, `(b => b.left + b.width / 2)(document.querySelector("`+css+`").getBoundingClientRect())`)
	}
	stands := func(when string) {
		t.Helper()
		thumb, knob := middle("[data-role=slider] [data-part=thumb]"), middle("[data-role=cursor-knob]")
		if math.Abs(thumb-knob) > 0.5 {
			t.Errorf("%s the thumb stands at %v px, the cursor at %v", when, thumb, knob)
		}
	}
	stands("at first")
	p.click(test("step"))
	p.frames()
	stands("a round on")
	p.click(test("zoom-in"))
	p.see(test("zoom-fit"))
	p.frames()
	stands("zoomed in")
	p.click(test("zoom-fit"))
	p.frames()

	eval[bool](p, `(document.querySelector(".scrub").scrollIntoView({block: "center"}), true)`)
	box := eval[[]float64](p,
		`(b => [b.left, b.top + b.height / 2, b.width])(document.querySelector("[data-role=slider]").getBoundingClientRect())`)
	mouse := func(kind input.DispatchMouseEventType, share float64) {
		p.do("move the hand", chromedp.MouseEvent(kind, box[0]+share*box[2], box[1], chromedp.ButtonLeft,
			func(m *input.DispatchMouseEventParams) { m.Buttons, m.ClickCount = 1, 1 }))
		p.frames()
	}
	at := func() string { return p.input(test("scrub")) }
	mouse(chromedp.MousePressed, 0)
	if at() != "0" {
		t.Errorf("at the start of the axis it is in round %s, from 0", at())
	}
	mouse(chromedp.MouseMoved, 0.5)
	half := at()
	stands("in a hand")
	mouse(chromedp.MouseMoved, 1.01)
	last := eval[string](p, `document.querySelector("[data-test=scrub]").max`)
	if half == "0" || half == last || at() != last {
		t.Errorf("in the middle it is in round %s, past its end in %s of 0 to %s", half, at(), last)
	}
	mouse(chromedp.MouseReleased, 1.01)
	p.press(kb.ArrowLeft)
	p.frames()
	if at() == last {
		t.Error("the keys are not the slider's")
	}
	stands("by keys")
}
