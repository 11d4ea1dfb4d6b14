package e2e

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"hadarlab/core/class"
)

// TestHomework: a teacher gives a homework on the page; two phones go through it, each at its own pace, from before it
// opens to the feedback, and neither hears what is right, or what the other has done, before that.
func TestHomework(t *testing.T) {
	t.Parallel()
	s := native(t)
	b := newPage(t)
	b.look(desktop, false)
	b.open(s.url + "/#teach")
	b.click(`[data-assignment="hadar-vs-gavel"] ` + test("start-class"))
	b.click("label:has(> " + test("start-homework") + ")")
	b.see(test("start-closes"))
	b.accessible("how a class is to begin")
	b.shots("homework-start")
	local := func(d time.Duration) string { return time.Now().Add(d).Format("2006-01-02T15:04") }
	b.setField("#start-closes", local(-time.Hour))
	b.until(fmt.Sprintf("document.querySelector(%q).disabled", test("start-go")))
	if got := b.text(test("start-problem")); !strings.Contains(got, "It closes before it opens") {
		t.Errorf("a closing time that is past is called %q", got)
	}
	b.setField("#start-opens", local(24*time.Hour))
	b.setField("#start-closes", local(72*time.Hour))
	b.until(fmt.Sprintf("!document.querySelector(%q).disabled", test("start-go")))
	b.click(test("start-go"))
	b.until(`document.querySelector("[data-test=board]")?.dataset.phase === "homework"`)
	b.see(test("homework-open"))
	l := &lesson{t: t, url: s.url}
	l.Code = strings.ToLower(strings.ReplaceAll(b.text(test("code")), " ", ""))
	b.accessible("the board of a homework")
	b.shots("homework-board")

	one, two := newPage(t), newPage(t)
	for _, p := range []*page{one, two} {
		p.look(phone, false)
		p.join(l, "soon")
	}
	one.accessible("before it opens")
	one.shots("homework-soon")
	one.look(phone, false)
	one.fits("before it opens")
	b.until(`document.querySelector("[data-test=count-joined]")?.textContent === "2"`)
	wall := newPage(t)
	wall.look(size{1280, 720}, false)
	wall.open(s.url + "/#wall=" + l.Code)
	wall.see(test("wall-hours"))
	wall.window("homework-wall-soon")
	if over := eval[string](wall, wallOver); over != "0 0" {
		t.Errorf("before the homework opens, the wall is %s px over at 1280 × 720", over)
	}

	// It opens: the first goes through all of it, the second stays behind.
	b.click(test("homework-open"))
	one.screen("predict")
	two.screen("predict")
	one.see(test("deadline"))
	one.shots("homework-predict")
	one.look(phone, false)
	one.open(s.url + "/#class=" + l.Code) // the lab is shut until the answers are in
	one.screen("predict")
	one.answers("answers", "sooner", "gavel-las", "4", "by", "30", "2")
	one.screen("work")
	one.until("document.querySelector('h1').textContent === 'Your answers are in. Now run it.' && " +
		"document.querySelector('main').innerText.includes('The task')")
	if says := one.text("main"); strings.Contains(says, "✓") || strings.Contains(says, "it is") ||
		!strings.Contains(says, "The task") {
		t.Errorf("with the answers in, the phone says %q", says)
	}
	one.accessible("the answers are in")
	one.shots("homework-run")
	one.look(phone, false)
	one.fits("the answers are in")
	one.click(test("open-lab"))
	one.see(test("class-submit"))
	one.ready()
	says := eval[string](one, fmt.Sprintf("document.querySelector(%q).textContent", test("class-strip")))
	if strings.Contains(says, "✓") || !strings.Contains(says, "is told with the feedback") {
		t.Errorf("the lab says %q", says)
	}
	one.shots("homework-lab")
	one.look(phone, false)
	one.accessible("the lab in a homework")
	one.fits("the lab in a homework")
	before := one.hash("hadar")
	one.click(test("editor-open"))
	one.see(test("editor"))
	one.fill(`[data-path="/scenario/cluster/nodes/0/gpus/v100"]`, "6")
	one.settles("hadar", before)
	one.click(test("class-submit"))
	one.see(test("class-submission"))
	if says := one.text(test("class-submission")); !strings.Contains(says, "told with the feedback") ||
		strings.Contains(says, "Verified") {
		t.Errorf("of the change the lab says %q", says)
	}
	one.fill("#class-sentence", "Because j3 takes one of both.")
	one.click(test("class-send-sentence"))
	one.see(test("class-said-why"))
	one.open(l.url + "/join#" + l.Code)
	one.screen("work")
	one.see(test("done"))
	one.see(test("said-submission"))
	if says := one.text(test("said-submission")); !strings.Contains(says, "V100 on n1: 4 to 6") &&
		!strings.Contains(says, "V100 on n1: 3 to 6") {
		t.Errorf("of the change the phone says %q", says)
	}
	one.shots("homework-done")
	one.look(phone, false)
	b.until(`document.querySelector("[data-test=count-explained]")?.textContent === "1"`)
	wall.until(`document.querySelector("[data-test=wall-count]").textContent.includes("1 changed")`)
	wall.shot("homework-wall-open")

	// It closes, which the phones hear of; it is made longer, and closes for good.
	b.click(test("homework-close"))
	two.screen("over")
	one.screen("over")
	b.click(test("sheet-longer"))
	b.see(test("longer-closes"))
	b.shots("homework-longer")
	b.click(test("longer-go"))
	two.screen("predict")
	two.answers("answers", "sooner", "hadar", "5", "by", "10-30", "3")
	two.screen("work")
	b.click(test("homework-close"))
	two.screen("over")
	two.accessible("it has closed")
	two.shots("homework-over")
	two.look(phone, false)
	two.open(s.url + "/#class=" + l.Code)
	two.see(test("class-said"))
	if n := two.count(test("class-submit")); n > 0 {
		t.Error("what has closed takes changes")
	}
	two.shots("homework-lab-over")
	two.look(phone, false)
	two.open(l.url + "/join#" + l.Code)
	two.screen("over")

	// The feedback, for all at one time.
	b.shots("homework-closed-board")
	b.click(test("homework-release"))
	b.see(test("release-now"))
	b.click(test("release-now"))
	for _, p := range []*page{one, two} {
		p.screen("closed")
		p.until("document.querySelector('[data-test=said-answers]').textContent.includes('it is')")
	}
	one.shots("homework-report")
	one.look(phone, false)
	one.click(test("open-lab"))
	for _, told := range []string{"It does what the task asks.", "Verified"} {
		one.until(fmt.Sprintf("document.querySelector('[data-test=class-change-was]')?.textContent.includes(%q)", told))
	}
	b.until(fmt.Sprintf("document.querySelector('[data-test=board]').dataset.phase === %q", class.Closed))
	b.see(test("reveal") + ", " + test("hide"))
	b.shots("homework-released")
	b.click(test("sheet-out"))
	b.click(test("same-again"))
	b.see(test("start-go"))
	if !eval[bool](b, "document.getElementById('start-homework').checked") {
		t.Error("next year’s copy of a homework is none")
	}
	b.click("label:has(> " + test("start-now") + ")")
	b.click(test("start-go"))
	b.until(`document.querySelector("[data-test=board]")?.dataset.phase === "lobby"`)
}

// setField sets a field as a browser's own picker does.
func (p *page) setField(selector, value string) {
	p.t.Helper()
	eval[bool](p, fmt.Sprintf(`(e => { e.value = %q; e.dispatchEvent(new Event("change", { bubbles: true })); return true; })(document.querySelector(%q))`,
		value, selector))
}
