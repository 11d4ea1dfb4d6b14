package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/simtest/classroom"

	"github.com/chromedp/chromedp"
)

// boardServer answers in the place of a server that takes classes: it changes the phase, what is revealed and who may
// join as it is told, and says so by its stream.
const boardServer = `
window.update = %s; window.assignment = %s; window.calls = []; window.lost = false;
const real = window.fetch;
window.fetch = async (path, options = {}) => {
	if (!String(path).includes("/classes")) return real(path, options);
	const method = options.method || "GET", body = options.body ? JSON.parse(new TextDecoder().decode(options.body)) : null;
	if (window.lost) throw new TypeError("lost");
	calls.push(method + " " + path + " " + (options.headers?.Authorization || "") + " " + JSON.stringify(body));
	const answer = (of, status = 200) => new Response(status === 204 ? null : JSON.stringify(of), { status });
	const state = update.state;
	if (method === "POST" && path.endsWith("/classes")) return answer({ code: state.code, key: "thekey" }, 201);
	if (path.endsWith("/assignment")) return answer(assignment);
	if (method === "POST" && path.endsWith("/pass")) return answer({ code: "AAAA2222", ends_ms: 0 }, 201);
	if (method === "PATCH") {
		state.seq++;
		if (body.phase) { state.phase = body.phase; state.ends_ms = state.now_ms + 240000; }
		if (body.revealed) state.revealed = body.revealed;
		if (body.locked !== undefined) state.locked = body.locked;
		return answer(state);
	}
	if (method === "DELETE") return answer(null, 204);
	if (path.includes("/board?after=")) {
		const after = Number(path.split("=")[1]);
		return answer({ ...update, students: update.students.filter(s => !s.seq || s.seq > after), entries: update.entries.filter(e => e.seq > after) });
	}
	return answer(state);
};
window.streams = [];
window.EventSource = class { constructor(path) { this.path = path; this.readyState = 1; streams.push(this); } close() { this.readyState = 2; } };
EventSource.CLOSED = 2;
window.news = () => streams.at(-1).onmessage({ data: JSON.stringify(update.state) });
`

// doing has the page do something.
func doing(js string) chromedp.Action[chromedp.Void] { return chromedp.Evaluate[chromedp.Void](js) }

// boardPage is a page with a board of a made class; scripts run before its own.
func boardPage(t *testing.T, phase class.Phase, then func(*class.Update), scripts ...string) *page {
	t.Helper()
	a, u := classroom.Made(30)
	u.State.Phase, u.Joins = phase, []string{"http://192.168.1.20:8080"}
	if then != nil {
		then(u)
	}
	update, _ := json.Marshal(u)
	assignment, _ := json.Marshal(a)
	p := newKeepingPage(t)
	p.first(fmt.Sprintf(boardServer, update, assignment))
	for _, script := range scripts {
		p.first(script)
	}
	p.open(native(t).url + "/#board=" + u.State.Code + ".thekey")
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	return p
}

// TestABoardIsNotLeftWithoutAnAnswer: a request that is never answered, and a stream that never tells anything, are
// given up, and the board asks again; a busy server is asked again to change the phase.
func TestABoardIsNotLeftWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	p := boardPage(t, class.Predict, nil, `
Object.defineProperty(window.hadarlab = {}, "silence", { get: () => 300, set() {} });
window.hung = window.busy = 0;
const made = fetch;
window.fetch = (path, options = {}) => {
	if (options.method === "PATCH" && !busy++) return Promise.resolve(new Response("", { status: 503 }));
	if (hung || !String(path).includes("/board?after=")) return made(path, options);
	hung++;
	return new Promise((_, fail) => options.signal.addEventListener("abort", () => fail(new Error("given up"))));
};`)
	if n := eval[int](p, "hung"); n != 1 {
		t.Errorf("%d requests were left without an answer", n)
	}
	p.until(`calls.some(c => c.startsWith("GET ") && c.split(" ")[1].endsWith("/classes/7KQM3XPA"))`)
	p.nextPhase(class.Discuss)
	if n := eval[int](p, "busy"); n != 2 {
		t.Errorf("the phase was asked for %d times", n)
	}
}

// TestBoard: the teacher leads a class by the board, with the keyboard too, and a lost network is told.
func TestBoard(t *testing.T) {
	t.Parallel()
	p := boardPage(t, class.Predict, func(u *class.Update) { u.State.Revealed = []string{} })
	p.until(`location.hash === "#board=7KQM3XPA"`)
	if said := p.attr(test("code"), "aria-label"); !strings.Contains(said, "7 K Q M 3 X P A") {
		t.Error(said)
	}
	if n := p.count("main [data-conf]"); n != 0 {
		t.Errorf("%d bars are seen before they are revealed", n)
	}
	if says := p.text(test("reveal")); says != "Reveal 28 of 30…" {
		t.Errorf("before all have answered the button says %q", says)
	}
	p.click(test("reveal"))
	p.until(`document.querySelector("[data-test=reveal]").textContent === "Reveal anyway"`)
	p.shots("board-early")
	p.click(test("reveal"))
	p.see(test("options"))
	if p.count("main .right")+p.count(test("ideas")) > 0 {
		t.Error("what is right is shown while others may answer")
	}
	p.click(test("lab-lock-hint") + " summary")
	p.accessible("what phones can find out")
	p.click(test("lab-lock"))
	for _, phase := range []string{"discuss", "vote", "run"} {
		if p.count("main .right")+p.count(test("moves")) > 0 {
			t.Errorf("before %s the board tells", phase)
		}
		p.nextPhase(class.Phase(phase))
	}
	p.see("main .right")
	p.see(test("gained"))
	if p.count(test("lab-lock")) > 0 {
		t.Error("the lab can be locked when what is right is told")
	}
	p.click(test("answers-table"))
	p.see(test("moves-twin"))
	p.accessible("who moved where")
	p.shots("board-moves")
	p.click(test("answers-table"))
	p.see(test("ideas"))
	p.click(test("tries-show"))
	p.see(test("changed"))
	if says := p.text(test("lesson-says")); !strings.Contains(says, "V100 on n1, 3 to 6") {
		t.Error(says)
	}
	p.click(test("tries-table"))
	p.see(test("tries-twin"))
	for i, k := range []string{"1", "2"} {
		p.do("choose", doing(fmt.Sprintf(
			`{ const s = document.querySelector("[data-test=pick-%s]"); s.selectedIndex = %d; s.dispatchEvent(new Event("change", { bubbles: true })); }`, k, i+1)))
	}
	p.until(`document.querySelector("[data-test=lay-together]")?.disabled === false`)
	p.click(test("lay-together"))
	p.until(`document.querySelectorAll("[data-test=pair-lane]").length === 4`)
	p.shots("board-pair")
	p.do("close", doing(`document.querySelector("dialog").close()`))
	p.click(test("sheet-students"))
	p.click(test("give-pass"))
	p.see(test("pass"))
	p.accessible("the students")
	p.shots("board-students")
	p.do("close", doing(`document.querySelector("dialog").close()`))
	if calls := eval[string](p, `calls.filter(c => !c.startsWith("GET")).join("\n")`); calls != strings.Join([]string{
		`PATCH /api/v1/classes/7KQM3XPA Bearer thekey {"revealed":["sooner"]}`,
		`PATCH /api/v1/classes/7KQM3XPA Bearer thekey {"lab_locked":true}`,
		`PATCH /api/v1/classes/7KQM3XPA Bearer thekey {"phase":"discuss"}`,
		`PATCH /api/v1/classes/7KQM3XPA Bearer thekey {"phase":"vote"}`,
		`PATCH /api/v1/classes/7KQM3XPA Bearer thekey {"phase":"run"}`,
		`POST /api/v1/classes/7KQM3XPA/students/1/pass Bearer thekey null`}, "\n") {
		t.Error(calls)
	}
	p.do("lose", doing(`lost = true; streams.at(-1).onerror()`))
	p.see(test("board-lost"))
	p.do("find", doing(`lost = false; update.students.push({ n: 31, name: "late wren", joined_ms: 1, seq: 900 }); update.state.seq = 901; news()`))
	p.until(`document.querySelector("[data-test=count-joined]")?.textContent === "31" && !document.querySelector("[data-test=board-lost]")`)
	p.reload()
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
}

// TestBoardFits: on a projector everything stands in the window, and nowhere is anything wider than it, nor than the
// panel that it is in; in German, too, whose words are longer.
func TestBoardFits(t *testing.T) {
	t.Parallel()
	p := boardPage(t, class.Change, nil)
	p.click(test("tries-show"))
	p.see(test("changed"))
	p.inPanels("board", size{1280, 850})
	german := boardPage(t, class.Change, nil)
	german.inGerman()
	german.click(test("tries-show"))
	german.see(test("changed"))
	german.inPanels("board-de", size{1280, 720}, size{1920, 1080}, phone)
	german = boardPage(t, class.Homework, func(u *class.Update) { u.State.ClosesMS = 1 << 41 })
	german.inGerman()
	german.see(test("homework"))
	german.inPanels("board-homework-de", size{1280, 720}, phone)
	for _, at := range []struct {
		name string
		size
	}{{"1920", size{1920, 1080}}, {"1280", size{1280, 850}}, {"768", size{768, 1024}}, {"390", size{390, 844}}} {
		for _, dark := range []bool{false, true} {
			p.look(at.size, dark)
			p.frames()
			name := "board-" + at.name
			if dark {
				name += "-dark"
			}
			p.shot(name)
			if over := eval[int64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
				t.Errorf("%s: %d px wider than the window", name, over)
			}
			if down := eval[int64](p, `document.documentElement.scrollHeight - innerHeight`); down > 0 && at.size.w >= 1280 {
				t.Errorf("%s: %d px below the window", name, down)
			}
		}
	}
}

// inGerman has the page in German, by the button in the bar.
func (p *page) inGerman() {
	p.t.Helper()
	p.click(test("language-next"))
	p.until(`document.documentElement.lang === "de"`)
}

// inPanels holds what the board says to its panels, and these to the window.
func (p *page) inPanels(name string, windows ...size) {
	p.t.Helper()
	for _, of := range windows {
		p.look(of, false)
		p.frames()
		p.shot(fmt.Sprint(name, "-", of.w))
		if over := eval[string](p, `[...document.querySelectorAll(".board .panel")].flatMap(panel =>
			[...panel.querySelectorAll("span, b, td, th, p, h2, button")].filter(e => e.checkVisibility() &&
				!e.closest(".scroll") && e.getBoundingClientRect().right > panel.getBoundingClientRect().right + 1)
				.map(e => e.textContent)).join("; ")`); over != "" {
			p.t.Errorf("%s at %d px: wider than its panel is %q", name, of.w, over)
		}
		if cut := eval[string](p, `[...document.querySelectorAll(".phase b, .counts span, .changed tbody th")].filter(e => {
			const lines = document.createRange();
			lines.selectNodeContents(e);
			return e.checkVisibility() && lines.getClientRects().length > e.textContent.trim().split(/\s+/).length;
		}).map(e => e.textContent).join("; ")`); cut != "" {
			p.t.Errorf("%s at %d px: a line ends within a word of %q", name, of.w, cut)
		}
		if over := eval[int64](p, `document.documentElement.scrollWidth - innerWidth`); over > 0 {
			p.t.Errorf("%s: %d px wider than a window of %d", name, over, of.w)
		}
	}
}

// TestBoardLobby: while the class gathers its code is what is largest.
func TestBoardLobby(t *testing.T) {
	t.Parallel()
	p := boardPage(t, class.Lobby, func(u *class.Update) { u.Entries, u.Truth = []class.Entry{}, nil })
	for name, of := range map[string]size{"board-lobby-1280": {1280, 850}, "board-lobby-390": {390, 844},
		"board-lobby-1920": {1920, 1080}} {
		p.look(of, false)
		p.shot(name)
	}
}

// TestBoardOfALesson: a teacher starts a class on the page, three students hand in, and the board follows by itself.
func TestBoardOfALesson(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := newPage(t)
	p.open(s.url + "/#teach")
	p.see(test("teach"))
	p.accessible("the page that begins a class")
	p.shots("teach")
	p.click(`[data-assignment="hadar-vs-gavel"] ` + test("start-class"))
	p.click(test("start-go"))
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	code := strings.ToLower(strings.ReplaceAll(p.text(test("code")), " ", "")) // shown in capitals
	if at := eval[string](p, "location.hash"); at != "#board="+code {
		t.Errorf("the board is at %s", at)
	}
	p.accessible("the lobby")
	path := s.url + "/api/v1/classes/" + code
	call := func(method, at, token, body string, status int) []byte {
		t.Helper()
		return ask(t, method, path+at, body, "Content-Type", "application/json", "Authorization",
			"Bearer "+token).want(t, status,
			"application/json").body
	}
	var students []class.Joined
	for range 3 {
		var j class.Joined
		if err := json.Unmarshal(call("POST", "/students", "", `{}`, 201), &j); err != nil {
			t.Fatal(err)
		}
		students = append(students, j)
	}
	p.until(`document.querySelector("[data-test=count-joined]")?.textContent === "3"`)
	p.see(test("names"))
	p.click(test("next-phase"))
	p.until(`document.querySelector("[data-test=board]").dataset.phase === "predict"`)
	for i, option := range []string{"hadar", "gavel-las", "gavel-las"} {
		call("POST", "/entries", students[i].Token, fmt.Sprintf(
			`{"kind":"answers","answers":{"sooner":{"option":%q,"sure":5},"by":{"option":"30","sure":2}}}`, option), 201)
	}
	p.until(`document.querySelector("[data-test=count-committed]")?.textContent === "3"`)
	p.click(test("reveal"))
	p.see(test("options"))
	for _, phase := range []string{"discuss", "vote", "run", "change"} {
		p.nextPhase(class.Phase(phase))
		if phase == "discuss" || phase == "vote" {
			continue
		}
		p.until(`document.querySelector("[data-test=ideas]")?.textContent.includes("Sharing in turns")`)
	}
	p.click(test("works") + " summary")
	p.accessible("the answers")
	p.click(test("sheet-students"))
	p.see(test("students"))

	p.click(test("remove"))
	p.until(`document.querySelectorAll("[data-test=students] tbody tr").length === 2`)
	p.see(test("class-log"))
	for range 3 { // somebody fills the class
		call("POST", "/students", "", `{}`, 201)
	}
	p.until(`document.querySelectorAll("[data-test=students] tbody tr").length === 5`)
	p.pick(test("since"), eval[string](p, `document.querySelector("[data-test=since] option:nth-child(2)").value`))
	p.accessible("the students")
	p.shots("board-students")
	p.click(test("since-remove"))
	p.shots("board-since")
	p.click(test("since-keep"))
	p.until(`document.querySelectorAll("[data-test=students] tbody tr").length === 5`)
	p.pick(test("since"), eval[string](p, `document.querySelector("[data-test=since]").lastElementChild.value`))
	p.click(test("since-remove"))
	p.click(test("since-now"))
	p.until(`document.querySelector("[data-test=count-joined]")?.textContent === "0"`) // the server has removed them
	for range 2 {
		call("POST", "/students", "", `{}`, 201)
	}
	p.do("close", doing(`document.querySelector("dialog").close()`))
	p.reload()
	p.until(`document.querySelector("[data-test=count-joined]")?.textContent === "2"`)
	p.click(test("sheet-out"))
	p.see(test("export-students"))
	p.accessible("the exports")
	p.shots("board-out")
	p.click(test("sheet-delete"))

	p.click(test("delete-now"))
	p.see(test("board-problem"))
	ask(t, "GET", path, "").want(t, 404, "application/problem+json")
}

// TestBoardFromFiles: without a server the teacher's browser makes the board from what the students hand in.
func TestBoardFromFiles(t *testing.T) {
	t.Parallel()
	a, u := classroom.Made(30)
	files := map[string]class.HandIn{}
	for _, s := range u.Students {
		h := class.HandIn{Kind: class.HandInKind, Version: 1, Assignment: a.ContentID(), Name: s.Name,
			Engine: u.State.Engine}
		for _, e := range u.Entries {
			if e.Student == s.N {
				h.Entries = append(h.Entries, e)
			}
		}
		if len(h.Entries) > 0 {
			files[fmt.Sprintf("hand-in-%d.json", s.N)] = h
		}
	}
	data, _ := json.Marshal(files)
	p := newPage(t)
	p.open(native(t).url + "/#board")
	p.see(test("board-files"))
	p.do("drop", doing(fmt.Sprintf(`{
		const all = new DataTransfer();
		for (const [name, of] of Object.entries(%s)) all.items.add(new File([JSON.stringify(of)], name));
		dispatchEvent(new DragEvent("drop", { dataTransfer: all, bubbles: true, cancelable: true }));
	}`, data)))
	p.until(`document.querySelector("header .state")?.textContent.startsWith("28 ")`)
	p.see(test("unproved"))
	p.do("paste", doing(`{
		const f = document.querySelector("[data-test=board-paste]");
		f.value = "nothing of a class";
		f.dispatchEvent(new InputEvent("input", { inputType: "insertFromPaste", bubbles: true }));
	}`))
	p.until(`document.querySelector("[data-test=board-notes]").textContent.startsWith("What was pasted")`)
	p.fill(test("board-paste"), "nor this")
	p.click(test("board-add"))
	p.until(`document.querySelectorAll("[data-test=board-notes] li")[1].textContent.startsWith("What was pasted")`)
	p.click(test("reveal"))
	p.click(test("tries-show"))
	p.until(`document.querySelector("[data-test=lesson-says]")?.textContent.includes("24 verified.")`)
	p.accessible("a board from files")
	p.shots("board-files")
}

// typing types a text into a field of the assignment that is being written, without leaving it.
func typing(at, text string) string {
	return fmt.Sprintf(`{ const f = document.querySelector('[data-at=%q]'); f.focus(); f.value = %q;
		f.dispatchEvent(new Event("input", { bubbles: true })); }`, at, text)
}

// TestOwnAssignment: a teacher writes an assignment, sees what is wrong beside the field, and starts a class with it.
func TestOwnAssignment(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := newPage(t)
	p.open(s.url + "/#teach")
	p.click(test("write-own"))
	p.see(test("writing"))
	p.do("empty the title", doing(typing("/title", "")))
	p.see(test("own-errors"))
	if said := p.text(`[id="a-title"]`); !strings.Contains(said, "It is empty") {
		t.Error(said)
	}
	p.shots("own")
	p.fill(`[data-at="/title"]`, "Our own")
	p.see(test("preview-own"))

	// A reload takes nothing, not even from the field that is being typed in; what is discarded can be put back.
	p.do("type on", doing(typing("/goal", "They know it.")))
	p.reload()
	p.see(test("writing"))
	if title, goal := p.input(`[data-at="/title"]`), p.input(`[data-at="/goal"]`); title != "Our own" ||
		goal != "They know it." {
		t.Errorf("after a reload the title is %q, the goal %q", title, goal)
	}
	p.click(test("discard-own"))
	p.see(test("write-own"))
	p.click(test("put-own-back"))
	p.see(test("writing"))
	if title := p.input(`[data-at="/title"]`); title != "Our own" {
		t.Errorf("put back, the title is %q", title)
	}
	p.click(test("discard-own"))
	p.see(test("write-own"))
	p.reload()
	p.see(test("write-own"))
	p.click(test("write-own"))
	p.fill(`[data-at="/title"]`, "Our own")
	p.see(test("preview-own"))
	p.click(test("find-right"))
	p.until(`!!document.querySelector("[data-test=writing] .right")`)
	p.accessible("the editor of an assignment")
	p.click(test("start-own"))
	p.click(test("start-go"))
	p.until(`document.querySelector("[data-test=board]")?.dataset.state === "ready"`)
	if title := p.text("header h1"); title != "Our own" {
		t.Error(title)
	}
}
