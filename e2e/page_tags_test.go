package e2e

import "testing"

// TestClassOfAList: a teacher pastes a list of tags; students of it join, others are told why not, a tag that comes
// again is told on both sides; and an assistant's link opens the board without what is the teacher's alone.
func TestClassOfAList(t *testing.T) {
	t.Parallel()
	l := newLesson(t, native(t), "hadar-vs-gavel")
	b := openBoard(t, l)
	b.allow("403|409")
	b.click(test("sheet-students"))
	b.click(test("sheet-tags"))
	b.fill(test("tags-list"), "m4711\nm4712\nM4711\nm4713")
	b.click(test("tags-set"))
	b.shows("tags-fault", "Line 3 has the tag of line 1 again")
	if typed := b.input(test("tags-list")); typed != "m4711\nm4712\nM4711\nm4713" {
		t.Errorf("beside the fault stands %q", typed)
	}
	b.shots("tags-fault")
	b.fill(test("tags-list"), "m4711\nm4712\nm4713")
	b.click(test("tags-set"))
	b.shows("tags-count", "0 of 3 on the list have joined.")
	b.shut()
	b.shows("roll", "0 of 3 on the list have joined.")

	join := func(tag string) *page {
		p := newPage(t)
		p.allow("409")
		p.look(phone, false)
		p.open(l.url + "/join#" + l.Code)
		p.until("document.querySelector('#tag')?.checkVisibility()") // the class asks for one
		p.fill("#tag", tag)
		p.click(test("do-join"))
		return p
	}
	one := join("4711")
	one.until("document.querySelector('.wrong').textContent.includes('your teacher’s list')")
	one.accessible("a tag that is not on the list")
	one.shot("join-tag-390")
	one.fill("#tag", "M4711 ")
	one.click(test("do-join"))
	one.screen("lobby")
	other := join("m4711")
	other.until("document.querySelector('.wrong').textContent.includes('with this tag already')")
	join("m4713").screen("lobby")
	b.shows("roll", "2 of 3 on the list have joined.")
	b.see(test("roll-again"))
	b.shots("board-roll")
	b.click(test("roll"))
	b.shows("tags-missing", "m4712")
	if n := b.count(test("tags-missing") + " li"); n != 1 {
		t.Errorf("%d are missing, want 1", n)
	}
	b.see(test("tag-again"))
	b.accessible("the list")
	b.shots("tags")
	b.shut()

	b.click(test("sheet-students"))
	b.click(test("sheet-assistants"))
	b.click(test("assistant-make"))
	b.see(test("assistant-link"))
	b.accessible("the assistants' link")
	b.shots("assistants")
	link := b.input(test("assistant-link"))
	b.shut()
	a := newPage(t)
	a.allow("403")
	a.open(link)
	a.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready" && location.hash === "#board=` + l.Code + `"`)
	a.reload()
	a.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	a.accessible("the assistants' board")
	a.shots("board-assistant")
	for _, name := range []string{"lock", "next-phase", "timer-more", "lab-lock", "reveal"} {
		if a.count(test(name)) != 0 {
			t.Errorf("the assistants' board has %s", name)
		}
	}
	if a.count(test("phase")+":not([disabled])") != 0 {
		t.Error("the assistants' board has phases to press")
	}
	a.click(test("wall-question"))
	a.until(`document.querySelector("[data-test=wall-question]").ariaPressed === "true"`)
	a.click(test("sheet-students"))
	a.see(test("students"))
	for _, name := range []string{"remove", "give-pass", "since", "sheet-assistants"} {
		if a.count(test(name)) != 0 {
			t.Errorf("the assistants' list of students has %s", name)
		}
	}
	a.do("close", doing(`document.querySelector("dialog").close()`))
	a.click(test("sheet-out"))
	a.see(test("export-grades"))
	if a.count(test("sheet-delete")) != 0 {
		t.Error("assistants are offered to delete the class")
	}

	b.click(test("sheet-students"))
	b.click(test("sheet-assistants"))
	b.click(test("assistant-drop"))
	b.until(`!document.querySelector("[data-test=assistant-drop]")`)
	a.reload()
	a.until(`document.querySelector("[data-test=board-problem]")?.textContent.includes("key")`)
}
