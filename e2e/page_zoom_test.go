package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/scenario"
)

// zoomed is the seen part of the time axis in s, as the page says it.
func zoomed(p *page) (from, to float64) {
	p.t.Helper()
	return p.number(test("zoombar"), "data-from"), p.number(test("zoombar"), "data-to")
}

// wheel turns the wheel over the first lane, at a share of its width, and waits until the program has drawn it.
func wheel(p *page, keys string, dx, dy int, at float64) {
	p.t.Helper()
	eval[bool](
		p, fmt.Sprintf(
			`(e => { const b = e.getBoundingClientRect(); e.dispatchEvent(new WheelEvent("wheel", {bubbles: true, cancelable: true, %s, deltaX: %d, deltaY: %d, clientX: b.left + %v * b.width, clientY: b.top + 20})); return true })(document.querySelector("[data-part=plot]"))`, keys, dx, dy, at))
	// in which a gesture says that it is one
	eval[bool](p, "new Promise(done => requestAnimationFrame(() => done(true)))")
	p.until("!document.documentElement.hasAttribute('data-zooming')")
	p.frames()
}

// TestZoomWithButtonsAndKeys: the window halves and doubles, all pictures follow, and what is selected stays.
func TestZoomWithButtonsAndKeys(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	_, whole := zoomed(p)
	if p.count(test("zoom-fit")) != 0 {
		t.Error("Fit is offered while everything is seen")
	}
	job, round, address := p.attr(test("why"), "data-job"), p.attr(test("why"), "data-round"),
		eval[string](p, "location.href")
	bars := p.count(test("bar"))
	p.click(test("zoom-in"))
	p.see(test("zoom-fit"))
	p.click(test("zoom-in"))
	p.until(
		fmt.Sprintf(
			"Math.abs(%v / 4 - (d => d.to - d.from)(document.querySelector('[data-test=zoombar]').dataset)) < 1",
			whole))
	if n := p.count(test("bar")); n >= bars || n == 0 {
		t.Errorf("%d bars of %d are drawn in a quarter of the time", n, bars)
	}
	from, to := zoomed(p)
	for _, b := range eval[[][]float64](p,
		`[...document.querySelectorAll("[data-test=bar]")].map(b => [Number(b.dataset.from), Number(b.dataset.to)])`) {
		if b[0] >= to || b[1] <= from {
			t.Errorf("a bar from %v to %v is drawn, and %v to %v is seen", b[0], b[1], from, to)
		}
	}
	if got := p.text(test("zoom-says")); !strings.HasPrefix(got, "Shown: ") {
		t.Errorf("it says %q", got)
	}
	if p.attr(test("why"), "data-job") != job || p.attr(test("why"), "data-round") != round ||
		eval[string](p, "location.href") != address {
		t.Error("zooming moves the selection, the cursor or the address")
	}
	p.shots("zoom")

	eval[bool](p, `(document.querySelector("[data-test=timeline]").focus(), true)`)
	p.press("d")
	p.until(fmt.Sprintf("Number(document.querySelector('[data-test=zoombar]').dataset.from) !== %v", from))
	p.press("a")
	p.press("+")
	p.until(
		fmt.Sprintf(
			"Math.abs(%v / 8 - (d => d.to - d.from)(document.querySelector('[data-test=zoombar]').dataset)) < 1",
			whole))
	p.press("0")
	p.until("!document.querySelector('[data-test=zoom-fit]')")
	// a button, and a field that takes letters
	for _, css := range []string{test("share-link"), test("policy-picker")} {
		eval[bool](p, fmt.Sprintf(`(document.querySelector(%q).focus(), true)`, css))
		p.press("w")
		p.frames()
		if zooms := p.count(test("zoom-fit")) != 0; zooms != (css == test("share-link")) {
			t.Errorf("a letter zooms with the keyboard on %s: %v", css, zooms)
		}
		p.press("0")
		p.frames()
	}
}

// TestZoomWithWheelAndDrag: what is under the pointer stays there, a drag moves the window and is no click.
func TestZoomWithWheelAndDrag(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	_, whole := zoomed(p)
	round := p.attr(test("why"), "data-round")
	wheel(p, "ctrlKey: true", 0, -60, 0.75)
	wheel(p, "ctrlKey: true", 0, -60, 0.75)
	from, to := zoomed(p)
	if at := from + 0.75*(to-from); to-from > 0.6*whole || at < 0.74*whole || at > 0.76*whole {
		t.Errorf("after the wheel %v to %v of %v are seen, the pointer was at three quarters", from, to, whole)
	}
	wheel(p, "shiftKey: true", 0, -100, 0.5)
	if left, right := zoomed(p); left >= from || right-left < 0.99*(to-from) || right-left > 1.01*(to-from) {
		t.Errorf("the wheel with Shift moved %v to %v to %v to %v", from, to, left, right)
	}
	from, _ = zoomed(p)
	eval[bool](p, `(e => {
  const b = e.getBoundingClientRect(), send = (type, x, made) => e.dispatchEvent(new made(type, {bubbles: true, cancelable: true, button: 0, pointerId: 1, clientX: b.left + x, clientY: b.top + 20}));
  send("pointerdown", 200, PointerEvent);
  for (let x = 190; x >= 100; x -= 10) send("pointermove", x, PointerEvent);
  send("pointerup", 100, PointerEvent);
  send("click", 100, MouseEvent);
  return true;
})(document.querySelector("[data-part=plot]"))`)
	p.until(fmt.Sprintf("Number(document.querySelector('[data-test=zoombar]').dataset.from) > %v", from))
	if got := p.attr(test("why"), "data-round"); got != round {
		t.Errorf("dragging moved the cursor from round %s to %s", round, got)
	}
	wheel(p, "ctrlKey: false", 0, -60, 0.5)
	if again, _ := zoomed(p); again < from {
		t.Error("the wheel alone zooms; it must scroll the page")
	}
}

// TestZoomedCanvasShowsWhatIsSeen: the canvas follows the window, in each frame of a gesture and at rest.
func TestZoomedCanvasShowsWhatIsSeen(t *testing.T) {
	t.Parallel()
	doc, err := physical()
	if err != nil {
		t.Skipf("the 96-job trace is not here: %v", err)
	}
	parsed, _ := scenario.Parse(doc, scenario.FileLimits)
	p := visit(t, native(t), "/#"+link.Encode(parsed, lab.Defaults()))
	p.until(
		"document.querySelectorAll('.lane canvas').length >= 2 && document.querySelector('[data-test=lab]').dataset.state === 'ready'")
	const sum = `(c => { const d = c.getContext("2d").getImageData(0, 0, c.width, c.height).data; let h = 0; for (let i = 0; i < d.length; i += 4) h = (h * 31 + d[i] + d[i + 1] * 3 + d[i + 2] * 7) | 0; return h })(document.querySelector(".lane canvas"))`
	p.frames()
	before := eval[float64](p, sum)
	wheel(p, "ctrlKey: true", 0, -60, 0.5)
	wheel(p, "ctrlKey: true", 0, -60, 0.5)
	p.frames()
	near := eval[float64](p, sum)
	if near == before {
		t.Error("the canvas does not follow")
	}
	p.click(test("zoom-fit"))
	p.until("!document.querySelector('[data-test=zoom-fit]')")
	p.frames()
	if eval[float64](p, sum) != before {
		t.Error("the canvas is not as before after Fit")
	}
}
