package e2e

import (
	"encoding/json"
	"fmt"
	"strconv"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// wallOver is by how many px a wall is higher and wider than its window, "0 0" = nothing is cut.
const wallOver = `(w => (w.scrollHeight - w.clientHeight) + " " + (w.scrollWidth - w.clientWidth))(
	document.querySelector(".wall"))`

// smallest is the least size of a text that is to be read on the wall, in px at the window's size, with what it says;
// pictures are scaled.
const smallest = `(() => {
	let least = [1e9, ""];
	const walk = document.createTreeWalker(document.querySelector(".wall"), NodeFilter.SHOW_TEXT);
	for (let n; n = walk.nextNode();) {
		const of = n.parentElement, at = of.getBoundingClientRect();
		if (!n.data.trim() || !at.width || !at.height || of.closest("title, .vh")) continue;
		const svg = of.closest("[data-role=stage]");
		let scale = 1;
		if (svg) scale = Math.min(svg.clientWidth / svg.viewBox.baseVal.width, svg.clientHeight / svg.viewBox.baseVal.height);
		const size = parseFloat(getComputedStyle(of).fontSize) * scale;
		if (size < least[0]) least = [size, n.data];
	}
	return least[0].toFixed(1) + " " + least[1];
})()`

// TestWall: a class on its wall, picture by picture, as its teacher's remote sets them: nothing scrolls at 1280 × 720,
// nothing that is to be read is below 28 px at 1080p, two walls follow, and none says what is right before the run.
func TestWall(t *testing.T) {
	t.Parallel()
	for _, id := range scenarios.Assignments {
		t.Run(id, func(t *testing.T) {
			t.Parallel()
			onTheWall(t, id)
		})
	}
}

func onTheWall(t *testing.T, id string) {
	s := native(t)
	l := newLesson(t, s, id)
	text, _ := scenarios.Assignment(id)
	a, _ := class.Parse(text)
	call := func(token, path, body string, status int) []byte {
		return ask(t, "POST", l.path+path, body, "Content-Type", "application/json", "Authorization",
			"Bearer "+token).want(t, status, "application/json").body
	}
	var tokens []string
	for range 40 {
		var j class.Joined
		if err := json.Unmarshal(call("", "/students", `{}`, 201), &j); err != nil {
			t.Fatal(err)
		}
		tokens = append(tokens, j.Token)
	}
	p := newPage(t)
	p.look(size{1920, 1080}, false)
	p.open(s.url + "/#wall=" + l.Code)
	p.see(test("wall-code"))
	fits := func(picture string) {
		t.Helper()
		p.until(`document.querySelector("[data-test=wall]")?.dataset.picture === "` + picture + `"`)
		p.frames()
		p.window("wall-" + id + "-" + picture)
		var least float64
		said := eval[string](p, smallest)
		fmt.Sscanf(said, "%f", &least)
		if least < 27.9 { // halves of a pixel
			t.Errorf("%s: %s px at 1080p", picture, said)
		}
		p.look(size{1280, 720}, false)
		p.frames()
		p.window("wall-" + id + "-" + picture + "-720")
		if over := eval[string](p, wallOver); over != "0 0" {
			t.Errorf("%s: %s px over at 1280 × 720", picture, over)
		}
		p.look(size{1920, 1080}, false)
	}
	fits("join")
	if n := p.count(test("wall-names") + " li"); n != len(tokens) {
		t.Errorf("%d names of %d", n, len(tokens))
	}

	l.set(`{"phase":"predict"}`)
	fits("question")
	for i, token := range tokens {
		given := map[string]class.Answer{}
		for _, q := range a.Questions {
			given[q.ID] = class.Answer{Option: q.Options[i%len(q.Options)].ID, Sure: 1 + i%5}
		}
		answers, _ := json.Marshal(map[string]any{"kind": "answers", "answers": given})
		call(token, "/entries", string(answers), 201)
	}
	p.until(`document.querySelector("[data-test=wall-count]").textContent.startsWith("40")`)
	for i, q := range a.Questions {
		l.set(fmt.Sprintf(`{"wall":{"question":%q}}`, q.ID))
		p.until(fmt.Sprintf(`document.querySelector("[data-test=wall-question]").textContent
			.replace(/\u00a0/g, " ") === %q`, q.Text)) // a number and its unit stay in one line
		if i > 0 {
			fits("question")
		}
	}
	if n := eval[int](p, `new Set([...document.querySelectorAll("[data-test=wall-case] .jobs svg")].map(e =>
		Math.round(e.getBoundingClientRect().width))).size`); n != 1 {
		t.Errorf("the bars of the jobs’ lengths are drawn by %d scales", n)
	}
	l.set(`{"phase":"discuss"}`)
	if n := p.count(test("wall-share")); n != 0 {
		t.Errorf("%d bars before they are revealed", n)
	}
	for i, q := range a.Questions { // first votes as bars, and nothing of what is right
		l.set(fmt.Sprintf(`{"wall":{"question":%q},"revealed":[%q]}`, q.ID, q.ID))
		p.until(fmt.Sprintf(`document.querySelectorAll("[data-test=wall-share]").length === %d`, len(q.Options)))
		want := 0
		for k := range tokens {
			if k%len(q.Options) == 0 {
				want++
			}
		}
		if got := p.text(test("wall-share") + " b"); got != strconv.Itoa(want) {
			t.Errorf("question %d: %s chose the first option, not %d", i, got, want)
		}
		fits("question")
	}
	l.set(`{"phase":"run"}`)
	fits("lanes")
	p.see(test("wall-why")) // they have come to where they part
	fits("lanes")
	l.set(`{"wall":{"shows":"lanes","whole":true}}`)
	p.see(test("wall-claim"))
	fits("lanes")
	l.set(`{"wall":{"shows":"votes"}}`)
	fits("votes")
	l.set(`{"wall":{"shows":"sentence","sentence":"Because a gang of two types runs at the pace of its slower member."}}`)
	fits("sentence")
	l.set(`{"phase":"change"}`)
	fits("task")
	if a.Races() {
		written := a.Entered(map[string]any{"key": "job.steps_left / job.speed", "preempt": true})[0]
		call(tokens[0], "/entries", handed(t, written), 201)
		l.set(`{"wall":{"shows":"changes"}}`)
		p.until(`document.querySelectorAll("[data-test=wall-places] li").length === 3`)
		fits("changes")
		l.set(`{"phase":"closed"}`)
		p.see(test("race-program"))
		fits("learned")
		p.accessible("the wall")
		return
	}
	changed := map[string]bool{}
	for i := range a.Task.Works {
		call(tokens[i], "/entries", submitted(t, a, &a.Task.Works[i]), 201)
		changed[a.Task.Works[i].Path] = true
	}
	l.set(`{"wall":{"shows":"changes"}}`)
	p.until(fmt.Sprintf(`document.querySelectorAll("[data-test=wall-changes] li:not(.head)").length === %d`, len(changed)))
	fits("changes")
	l.set(`{"wall":{"shows":"change"}}`)
	p.see(test("wall-change"))
	fits("change")
	l.set(`{"phase":"closed"}`)
	fits("learned")
	p.see(test("wall-podium"))
	p.accessible("the wall")
}

// submitted is a submission of one change of an assignment's scenario, with what this engine makes of it.
func submitted(t *testing.T, a *class.Assignment, change *class.Edit) string {
	t.Helper()
	doc, ok := a.Apply([]class.Edit{*change})
	if !ok {
		t.Fatalf("%+v does not apply", change)
	}
	return handed(t, doc)
}

// handed is a submission of a scenario, with what this engine makes of it.
func handed(t *testing.T, doc *scenario.Document) string {
	t.Helper()
	h := class.Handed{Kind: class.Submission, Scenario: doc.Marshal(false)}
	h.Engine = lab.Engine
	result, failures, diags := lab.Run(&message.RunRequest{Scenario: h.Scenario})
	if result == nil || len(failures) > 0 {
		t.Fatal(failures, diags)
	}
	for i := range result.Runs {
		h.Lanes = append(h.Lanes, class.LaneOf(&result.Runs[i]))
	}
	data, err := json.Marshal(h)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

// TestRemote: the board drives two walls, back too, and the wall of a browser that has the key is a remote.
func TestRemote(t *testing.T) {
	t.Parallel()
	s := native(t)
	l := newLesson(t, s, "hadar-vs-gavel")
	wall := newPage(t)
	wall.open(s.url + "/#wall=" + l.Code)
	wall.see(test("wall-code"))
	if n := wall.count(test("remote")); n != 0 {
		t.Error("who has the code alone has a remote")
	}
	p := newKeepingPage(t)
	p.open(s.url + "/#board=" + l.Code + "." + l.Key)
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	p.click(test("wall-question"))
	wall.until(`document.querySelector("[data-test=wall]").dataset.picture === "question"`)
	p.click(test("wall-question-2"))
	p.until(`document.querySelector("[data-test=wall-question-2]").ariaPressed === "true"`)
	wall.until(`document.querySelector("[data-test=wall-question]").textContent.startsWith("How far")`)
	const backAt = `document.querySelector("[data-test=wall-back]").getBoundingClientRect().left`
	stood := eval[float64](p, backAt)
	p.click(test("wall-larger"))
	wall.until(`document.querySelector("[data-test=wall]").dataset.larger === "1"`)
	p.until(`!document.querySelector("[data-test=wall-smaller]").disabled`)
	if now := eval[float64](p, backAt); now != stood {
		t.Errorf("larger words move the button beside them from %v to %v px", stood, now)
	}
	p.click(test("wall-back"))
	wall.until(`document.querySelector("[data-test=wall]").dataset.larger === "0"`)
	p.shots("board-remote")
	p.open(s.url + "/#wall=" + l.Code)
	p.see(test("remote"))
	p.click(test("wall-next"))
	wall.until(`document.querySelector("[data-test=wall]").dataset.phase === "predict"`)
	wall.until(`document.querySelector("[data-test=wall]").dataset.picture === "question"`)
}
