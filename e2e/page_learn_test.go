package e2e

import (
	"context"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"hadarlab/scenarios"
)

// openGallery opens it as a keyboard does: the next stop after the title.
func (p *page) openGallery() {
	p.t.Helper()
	p.do("focus the title", chromedp.Focus(chromedp.CSS(test("presets")+" > summary")))
	p.press("\t")
	p.press("\r")
	p.press("\t")
	p.until("document.activeElement.dataset.test === 'gallery-open'")
	p.press("\r")
	p.see(test("gallery"))
}

// choose sets a select as a reader does.
func (p *page) choose(css, value string) {
	p.t.Helper()
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = %q; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelector(%q))", value, css))
	p.frames()
}

func TestGalleryByKeyboard(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	before := p.hash("hadar")
	cards, err := scenarios.Gallery()
	if err != nil {
		t.Fatal(err)
	}
	p.openGallery()
	p.until("document.activeElement.dataset.test === 'lesson-start'") // what a newcomer needs comes first
	p.until(
		"(d => d.querySelector('.lessons').getBoundingClientRect().bottom < d.querySelector('.cards').getBoundingClientRect().top)(document.querySelector('[data-test=gallery]'))")
	eval[bool](p, "document.querySelector('.gallery .dialog').scrollTo(0, 1e6), true")
	// the way out stays in sight
	p.until(
		"(b => b.top >= 0 && b.bottom < 100)(document.querySelector('[data-test=gallery] > header button').getBoundingClientRect())")
	eval[bool](p, "document.querySelector('.gallery .dialog').scrollTo(0, 0), true")
	if n := p.count(test("card")); n != len(cards) {
		t.Errorf("%d cards, want %d", n, len(cards))
	}
	for i, c := range cards {
		text := p.text(test("card", "preset", c.Preset))
		for _, want := range append([]string{c.Goal}, c.Ideas...) {
			if !strings.Contains(text, want) {
				t.Errorf("%s: the card lacks %q", c.Preset, want)
			}
		}
		if strings.Contains(text, c.Surprise) {
			t.Errorf("%s: the card gives the surprise away", c.Preset)
		}
		if strings.Contains(text, c.Teacher) {
			t.Errorf("card %d shows the teacher's note before it is opened", i)
		}
	}
	eval[bool](
		p,
		`(async () => { for (const i of document.querySelectorAll('.thumb')) { i.loading = 'eager'; await i.decode(); } return true })()`)
	p.shots("gallery")

	p.press("\x1b")
	p.until(
		"!document.querySelector('[data-test=gallery]') && document.activeElement.parentElement.dataset.test === 'presets'")

	p.openGallery()
	p.choose(test("gallery-idea"), "copies")
	want := 0
	for _, c := range cards {
		if slices.Contains(c.Ideas, "copies") {
			want++
		}
	}
	if n := p.count(test("card")); n != want || want == 0 {
		t.Errorf("%d cards for copies, want %d", n, want)
	}
	p.choose(test("gallery-policy"), "gavel-las")
	both := p.count(test("card"))
	p.choose(test("gallery-idea"), "")
	if n := p.count(test("card")); n <= both || n == len(cards) {
		t.Errorf("%d cards compare Gavel, %d of them about copies", n, both)
	}
	p.choose(test("gallery-policy"), "")
	p.do("focus a card", chromedp.Focus(chromedp.CSS(test("card", "preset", "price-spike")+" "+test("card-open"))))
	p.press("\r")
	p.until("!document.querySelector('[data-test=gallery]')")
	p.settles("hadar", before)
	p.click(test("undo"))
	if got := p.settles("hadar", p.hash("hadar")); got != before {
		t.Error("undo does not bring the scenario back")
	}
}

// TestTeachingThatCannotBeHad: what teaches is fetched when it is first needed; where it is refused, gallery and lesson
// say so, and a second try goes on with what was wanted.
func TestTeachingThatCannotBeHad(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(`const real = fetch; window.asked = 0; window.cut = true;
		window.fetch = (what, ...rest) => {
			if (!String(what).includes("/teaching.json")) return real(what, ...rest);
			window.asked++;
			return window.cut ? Promise.reject(new Error("cut")) : real(what, ...rest);
		}`)
	p.open(native(t).url + "/")
	p.ready()
	if n := eval[int](p, "window.asked"); n != 0 {
		t.Errorf("the first screen has asked for it %d times", n)
	}
	p.openGallery()
	p.see(test("gallery") + " " + test("teaching-lost"))
	p.click(test("teaching-again"))
	p.until("window.asked === 2")
	p.see(test("gallery") + " " + test("teaching-lost"))
	eval[bool](p, "window.cut = false, true")
	p.click(test("teaching-again"))
	p.until("document.activeElement.dataset.test === 'lesson-start'")
	p.click(test("lesson-start", "lesson", "hadars-price"))
	p.until("document.querySelector('[data-test=lesson]')?.dataset.step === '1'")
	p.ready()
	p.reload() // the network is cut again
	p.see(test("lesson") + " " + test("teaching-lost"))
	eval[bool](p, "window.cut = false, true")
	p.click(test("teaching-again"))
	p.until("document.querySelector('[data-test=lesson]')?.dataset.step === '1'")
}

// TestLessons walks every lesson with answers and changes, and leaves it.
func TestLessons(t *testing.T) {
	t.Parallel()
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lessons {
		t.Run(l.ID, func(t *testing.T) {
			t.Parallel()
			p := visit(t, native(t), "/")
			own := p.hash("hadar")
			p.fill(test("editor-job-gpus", "job", "j4"), "3")
			own = p.settles("hadar", own)
			p.openGallery()
			p.click(test("lesson-start", "lesson", l.ID))
			for i := range l.Steps {
				p.until(fmt.Sprintf("document.querySelector('[data-test=lesson]')?.dataset.step === '%d'", i+1))
				p.ready()
				p.lessonStep(&l.Steps[i], i, len(l.Steps))
				if i == len(l.Steps)-1 {
					p.see(test("lesson-ends"))
					got := plain(p.text(test("lesson-ends")))
					if !strings.Contains(got, l.Learned) || !strings.Contains(got, l.Next) {
						t.Errorf("it ends with %q", got)
					}
					p.shots("lesson-end-" + l.ID)
				}
				if i == 0 {
					p.shots("lesson-" + l.ID)
					p.look(desktop, false)
				}
				if i+1 < len(l.Steps) {
					p.click(test("lesson-next"))
				}
			}
			p.click(test("lesson-back"))
			p.until(fmt.Sprintf("document.querySelector('[data-test=lesson]').dataset.step === '%d'", len(l.Steps)-1))
			p.ready()
			p.click(test("lesson-leave"))
			p.until("!document.querySelector('[data-test=lesson]')")
			p.click(test("undo"))
			p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", own))
		})
	}
}

// TestFinishedLessonLeadsToTheNext: the report of its end has a button that begins the one after it.
func TestFinishedLessonLeadsToTheNext(t *testing.T) {
	t.Parallel()
	lessons, err := scenarios.Lessons()
	if err != nil {
		t.Fatal(err)
	}
	p := visit(t, native(t), "/")
	p.openGallery()
	p.click(test("lesson-start", "lesson", lessons[0].ID))
	for i := range lessons[0].Steps[1:] {
		p.click(test("lesson-next"))
		p.until(fmt.Sprintf("document.querySelector('[data-test=lesson]')?.dataset.step === '%d'", i+2))
	}
	p.click(test("lesson-end"))
	p.see(test("toast-lesson"))
	if got := p.text(test("toast")); !strings.Contains(got, "Lesson finished. Next: "+lessons[1].Title) {
		t.Errorf("the report says %q", got)
	}
	p.window("lesson-finished")
	p.click(test("toast-lesson"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lesson]')?.dataset.lesson === %q", lessons[1].ID))
	p.ready()
}

// shown is where the parts are that steps speak of.
var shown = map[string]string{"curve": ".why [data-role=price-curve]", "payoff": test("why-payoff"),
	"phases":      ".why [data-table]",
	"differences": test("divergence")}

// lessonStep checks where a step points, answers it wrongly and makes its change.
func (p *page) lessonStep(step *scenarios.Step, i, n int) {
	t := p.t
	t.Helper()
	if got := p.text(test("lesson-progress")); got != fmt.Sprintf("%d of %d", i+1, n) {
		t.Errorf("the progress is %q", got)
	}
	if v := step.View; v != nil {
		id, letter, lettered := strings.Cut(v.Lane, ":")
		p.until(fmt.Sprintf("(w => w.dataset.job === %q && w.dataset.round === '%d' && w.dataset.policy === %q &&"+
			" (%t || w.dataset.lane === %q))(document.querySelector('[data-test=why]'))",
			v.Job, v.Round, id, !lettered, letter))
		if v.Show != "" {
			p.until(
				fmt.Sprintf(
					"(b => b.top >= 0 && b.bottom <= innerHeight)(document.querySelector(%q).getBoundingClientRect())",
					shown[v.Show]))
		}
	}
	if a := step.Ask; a != nil {
		if strings.Contains(p.text(test("lesson")), a.Because) || p.count(test("lesson-option")+":checked") != 0 {
			t.Errorf("step %d gives its answer away", i+1)
		}
		if p.count(test("why-asked")+":not([open])") != 1 {
			t.Errorf("the Why panel stands open beside the question of step %d", i+1)
		}
		if p.count(test("lesson-ends")) != 0 {
			t.Errorf("step %d tells what is learned before it is answered", i+1)
		}
		p.click(test("lesson-option") + fmt.Sprintf("[value='%d']", (a.Answer+1)%len(a.Options)))
		p.until("!document.querySelector('[data-test=lesson-check]').disabled")
		p.click(test("lesson-check"))
		p.see(test("lesson-because"))
		got := plain(p.text(test("lesson-because")))
		if !strings.Contains(got, "Not quite") || !strings.Contains(got, a.Options[a.Answer]) ||
			!strings.Contains(got, a.Because) {
			t.Errorf("step %d says %q", i+1, got)
		}
	}
	if step.Change == nil {
		return
	}
	const hashes = "[...document.querySelectorAll('[data-test=lane]')].map(l => l.dataset.hash).join()"
	before := eval[string](p, hashes)
	p.click(test("lesson-change"))
	if !step.Change.Same {
		p.until(fmt.Sprintf("%s !== %q", hashes, before))
	}
	p.until("document.querySelector('[data-test=lesson-change]').disabled")
	p.ready()
	if step.Change.Same && eval[string](p, hashes) != before {
		t.Errorf("step %d says that nothing changes, and the lanes do", i+1)
	}
	if got := plain(eval[string](p, "document.querySelector('[data-test=history]').textContent")); !strings.Contains(got,
		step.Change.Say) {
		t.Errorf("the history says %q", got)
	}
	p.click(test("undo"))
	p.until(fmt.Sprintf("%s === %q && !document.querySelector('[data-test=lesson-change]').disabled", hashes, before))
	p.ready()
}

// TestLessonLeavesItsLaneInSight: on a phone a lesson is a line with its step's title, under nearly all of the lanes. A
// tap unfolds the step, which does not cover the lane that it is about, and another folds it.
func TestLessonLeavesItsLaneInSight(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.look(phone, false)
	p.openGallery()
	p.click(test("lesson-start", "lesson", "hadars-price"))
	p.see(test("lesson"))
	p.ready()
	p.until("document.querySelector('[data-test=why]').dataset.job === 'j3'")
	p.frames()
	uncovered := `(() => {
		const lane = document.querySelector('[data-test=lane][data-policy=hadar] .grid').getBoundingClientRect();
		const sheet = document.querySelector('[data-test=lesson]').getBoundingClientRect();
		return lane.top >= 0 && Math.min(lane.bottom, lane.top + 200) <= sheet.top && sheet.bottom <= innerHeight + 1;
	})()`
	p.until(uncovered)
	inSight := func(hook string) {
		t.Helper()
		p.until(
			fmt.Sprintf(
				"(b => b.height > 0 && b.bottom <= innerHeight && document.elementFromPoint(b.x + b.width / 2, b.y + b.height / 2)?.closest('button')?.dataset.test === %q)(document.querySelector('[data-test=%s]').getBoundingClientRect())", hook, hook))
	}
	high := "document.querySelector('[data-test=lesson]').getBoundingClientRect().height"
	if got := eval[float64](p, high); got > 72 || p.text(test("lesson")+" h2") == "" {
		t.Errorf("the step takes %v px before anybody asks for it", got)
	}
	p.window("lesson-phone-folded")
	p.click(test("lesson-fold"))
	p.until(high + " > 200")
	p.click(test("lesson-fold"))
	p.until(high + " <= 72")
	p.click(test("lesson-fold"))
	p.until(uncovered)
	inSight("lesson-check") // the way on from a question is its answer
	if p.attr(test("lesson-check"), "data-kind") != "primary" || p.attr(test("lesson-next"), "data-kind") != "" ||
		p.text(test("lesson-next")) != "Skip" {
		t.Error("the way on is not the answer")
	}
	p.window("lesson-phone-asked")
	p.click(test("lesson-option") + "[value='0']")
	p.until("!document.querySelector('[data-test=lesson-check]').disabled")
	inSight("lesson-check")
	p.click(test("lesson-check"))
	p.see(test("lesson-because"))
	p.until(
		"!document.querySelector('[data-test=lesson-check]') && document.querySelector('[data-test=lesson-next]').dataset.kind === 'primary'")
	inSight("lesson-next")
	p.window("lesson-phone")
}

func TestChromeTraceHasNoOverlaps(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(savedFiles)
	p.open(native(t).url + "/")
	p.ready()
	f := p.save(test("save-chrome"))
	var got struct {
		TraceEvents []struct {
			Ph       string
			Ts, Dur  int64
			Pid, Tid int
		} `json:"traceEvents"`
	}
	if err := json.Unmarshal([]byte(f.Text), &got); err != nil || f.Name != "whose-round-is-worth-most-chrome.json" {
		t.Fatalf("%s: %v", f.Name, err)
	}
	type stretch struct{ from, to int64 }
	threads := map[[2]int][]stretch{}
	for _, e := range got.TraceEvents {
		if e.Ph == "X" {
			at := [2]int{e.Pid, e.Tid}
			threads[at] = append(threads[at], stretch{e.Ts, e.Ts + e.Dur})
		}
	}
	gpus := 0
	for _, r := range natively(t, preset(t, 0)).Runs {
		gpus += len(r.Jobs)
	}
	if len(threads) < gpus/2 {
		t.Errorf("only %d threads have events", len(threads))
	}
	for at, all := range threads {
		slices.SortFunc(all, func(a, b stretch) int { return int(a.from - b.from) })
		for i := 1; i < len(all); i++ {
			if all[i].from < all[i-1].to {
				t.Errorf("thread %v: %v overlaps %v", at, all[i-1], all[i])
			}
		}
	}
	f = p.save(test("save-events", "lane", "A"))
	if f.Name != "whose-round-is-worth-most-hadar-events.csv" || !strings.HasPrefix(f.Text,
		"time_s,event,job,gpus,placement\n0,arrival,") || strings.Count(f.Text, ",finish,") != 4 {
		t.Errorf("%s: %.120q", f.Name, f.Text)
	}
	p.click(test("tab-busy"))
	for css, want := range map[string][2]string{
		"save-chart-csv":  {"-busy.csv", "policy,from_s,gpus_busy\n"},
		"save-chart-vega": {"-busy.json", `{"$schema":"https://vega.github.io/schema/vega-lite/v6.json","title":"`},
	} {
		before := eval[int](p, "saved.length")
		p.click(".tabbar .drop.right summary")
		p.click(test(css))
		p.until(fmt.Sprintf("saved.length > %d", before))
		name, text := eval[string](p, "saved.at(-1).name"), eval[string](p, "saved.at(-1).text")
		if name != "whose-round-is-worth-most"+want[0] || !strings.HasPrefix(text, want[1]) {
			t.Errorf("%s: %.120q", name, text)
		}
	}
}

func TestTimelineAsPNG(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(`window.saved = [];
URL.createObjectURL = (f => blob => { blob.arrayBuffer().then(b => saved.push(btoa(Array.from(new Uint8Array(b), c => String.fromCharCode(c)).join("")))); return f.call(URL, blob); })(URL.createObjectURL);
HTMLAnchorElement.prototype.click = function () { window.savedName = this.download; };
window.svgs = []; Image.prototype; const src = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
Object.defineProperty(HTMLImageElement.prototype, "src", { ...src, set(v) { if (v.startsWith("data:image/svg")) svgs.push(decodeURIComponent(v.slice(v.indexOf(",") + 1))); src.set.call(this, v); } });`)
	p.open(native(t).url + "/")
	p.ready()
	p.click(test("save") + " summary")
	p.click(test("save-png"))
	p.until("saved.length > 0")
	b, err := base64.StdEncoding.DecodeString(eval[string](p, "saved[0]"))
	if err != nil || len(b) < 24 || string(b[:8]) != "\x89PNG\r\n\x1a\n" {
		t.Fatalf("no PNG: %v, %.8q", err, b)
	}
	svg := eval[string](p, "svgs[0]")
	wide, high := binary.BigEndian.Uint32(b[16:]), binary.BigEndian.Uint32(b[20:])
	var w, h float64
	if _, err := fmt.Sscanf(svg, `<svg xmlns="http://www.w3.org/2000/svg" width="%g" height="%g"`, &w,
		&h); err != nil || wide != uint32(2*w) || high < uint32(2*h)-2 || high > uint32(2*h)+2 {
		t.Errorf("the picture has %d by %d pixels, the drawing %v by %v (%v)", wide, high, w, h, err)
	}
	for _, want := range []string{native(t).url + "/#1", "engine ", `>Hadar<`, `>Gavel`} {
		if !strings.Contains(svg, want) {
			t.Errorf("the picture lacks %q", want)
		}
	}
	if got := eval[string](p, "savedName"); got != "whose-round-is-worth-most.png" {
		t.Errorf("the file is called %q", got)
	}
	writeShot(t, "timeline-png", b)
}

// TestPrint looks at the page as paper would show it.
func TestPrint(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := visit(t, s, "/?theme=dark")
	p.do("print media", func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Media: "print"})
		return chromedp.Void{}, err
	})
	eval[bool](p, "dispatchEvent(new Event('beforeprint'))")
	for _, css := range []string{".question", test("finding"), test("lane", "policy", "hadar"),
		test("lane", "policy", "gavel-las"), test("chart"), ".numbers", test("why"), test("colophon")} {
		if !eval[bool](p, fmt.Sprintf("document.querySelector(%q).checkVisibility()", css)) {
			t.Errorf("%s is not printed", css)
		}
	}
	if shown := eval[[]string](p,
		`[...document.querySelectorAll('button, input, select, .side, .tabbar, .acts, .scrub, .twin, .skip, .menu')].filter(e => e.checkVisibility() && !e.matches('.job, .sort, .term')).map(e => e.outerHTML.slice(0, 90))`); len(shown) > 0 {
		t.Errorf("printed too: %s", strings.Join(shown, "\n"))
	}
	if got := p.text(test("colophon")); !strings.Contains(got, s.url+"/#1") || !strings.Contains(got, "engine ") {
		t.Errorf("the page ends with %q", got)
	}
	for _, part := range []string{"trace " + p.attr(test("lane", "policy", "gavel-las"), "data-hash"),
		"Utility normalised", "round_s: 360", "nodes: id n2, gpus p100 3",
		"jobs: id j4, model resnet-50, batch 64, gpus 2, steps 7200"} {
		if got := p.text("#print-scenario"); !strings.Contains(got, part) {
			t.Errorf("from paper nobody can tell %q: %s", part, got)
		}
	}
	if got := eval[string](p,
		"getComputedStyle(document.body).backgroundColor + ' ' + getComputedStyle(document.body).color"); got != "rgb(255, 255, 255) rgb(20, 24, 29)" {
		t.Errorf("in the dark theme ground and ink of the paper are %s", got)
	}
	p.shot("print-" + strconv.FormatInt(desktop.w, 10))
}

// writeShot keeps a picture, where pictures are wanted.
func writeShot(t testing.TB, name string, png []byte) {
	t.Helper()
	if !*pictures {
		return
	}
	if err := os.MkdirAll("shots", 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("shots", name+".png"), png, 0o644); err != nil {
		t.Fatal(err)
	}
}
