package e2e

import (
	"strings"
	"testing"
)

// TestARaceOfPrograms: a student writes the own lane in the lab and hands it in; the server runs it where nobody looks,
// its place stands on board and wall, and its text only when the class is closed.
func TestARaceOfPrograms(t *testing.T) {
	t.Parallel()
	s := native(t)
	l := newLesson(t, s, "write-an-order")
	p := newVisitor(t)
	p.join(l, "lobby")
	name := p.text(test("name"))
	l.set(`{"phase":"predict"}`)
	p.screen("predict")
	p.answers("answers", "sooner", "hadar", "4")
	p.screen("wait")
	l.set(`{"phase":"change"}`)
	p.open(s.url + "/#class=" + l.Code)
	p.see(test("class-submit"))
	p.ready()
	why := test("class-task") + " " + test("class-why")
	if got := p.text(why); got != "Nothing is written yet." {
		t.Errorf("what the class begins with is not handed in because %q", got)
	}
	p.shots("race-begin")
	p.click(test("race-write"))
	p.see(test("editor-program"))
	const soonest = "def key(job, cluster):\n    return job.steps_left / job.speed"
	p.write(soonest)
	p.until("!document.querySelector('" + test("class-submit") + "').disabled")
	p.click("#param-1-preempt")
	p.ready()
	p.shots("race-written")
	p.accessible("a race")
	p.click(test("class-submit"))
	p.until("!!document.querySelector('[data-verdict=verified]')")
	said := p.text(test("class-submission"))
	if !strings.Contains(said, "Score: ") || !strings.Contains(p.text(test("race-left")), "9 attempts left") {
		t.Errorf("it came to %q, %q", said, p.text(test("race-left")))
	}
	p.shots("race-handed-in")

	b := newVisitor(t)
	b.open(s.url + "/#board=" + l.Code + "." + l.Key)
	b.see(test("race-places"))
	if places := b.text(test("race-places")); !strings.Contains(places, name) || !strings.Contains(places, "Hadar") {
		t.Errorf("the board's places: %q", places)
	}
	if b.count(test("race-program")) > 0 {
		t.Error("the board shows a program that nobody asked for")
	}
	b.click(test("race-show"))
	b.see(test("race-program"))
	b.accessible("a race's board")
	b.shots("race-board")

	wall := newVisitor(t)
	wall.open(s.url + "/#wall=" + l.Code)
	l.set(`{"wall":{"shows":"changes"}}`)
	wall.see(test("wall-places"))
	if places := wall.text(test("wall-places")); !strings.Contains(places, name) {
		t.Errorf("the wall's places: %q", places)
	}
	wall.window("race-wall")
	l.set(`{"phase":"closed"}`)
	wall.see(test("race-program"))
	wall.window("race-wall-closed")
	p.see(test("class-change-was"))
	if was := p.text(test("class-change-was")); !strings.Contains(was, "job.steps_left / job.speed") {
		t.Errorf("at the end the student reads %q", was)
	}
	p.shots("race-closed")
}
