package e2e

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/performance"
	"github.com/chromedp/cdproto/systeminfo"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// This file is the only one that knows the browser driver.

// patience bounds every single step in the browser. It is long, because only a test that fails waits for it, and a
// machine may be busy with other things.
const patience = 120 * time.Second

var chromium struct {
	once  sync.Once
	err   error
	ctx   context.Context
	close []context.CancelFunc
}

// school is a name under which the browser finds this machine, and which is no secure context for it, as the name or
// address of a teacher's laptop is none for a student's.
const school = "school.test"

// startBrowser starts one browser for all tests. Nothing it asks for leaves this machine: every name
// but that and the loopback's fails inside it.
func startBrowser() error {
	path, err := findBrowser()
	if err != nil {
		return err
	}
	options := []chromedp.ExecAllocatorOption{
		chromedp.ExecPath(path), chromedp.Headless, chromedp.NoFirstRun, chromedp.NoDefaultBrowserCheck,
		chromedp.NoSandbox, chromedp.DisableGPU,
		chromedp.UserDataDir(filepath.Join(scratch, "profile")),
		chromedp.Flag("host-resolver-rules", "MAP "+school+" 127.0.0.1, MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost"),
		chromedp.Flag("force-color-profile", "srgb"),
	}
	for _, name := range []string{
		"disable-dev-shm-usage", "disable-background-networking", "disable-component-update", "disable-sync",
		"disable-default-apps", "disable-extensions", "disable-domain-reliability", "no-pings",
		"disable-background-timer-throttling", "disable-renderer-backgrounding", "metrics-recording-only",
	} {
		options = append(options, chromedp.Flag(name, true))
	}
	if flag.Lookup("test.bench").Value.String() == "" {
		// To optimise the page's program takes longer than the short visits of the tests have of it; benchmarks do.
		options = append(options, chromedp.Flag("js-flags", "--liftoff-only"))
	}
	ctx, closeBrowser := chromedp.NewExecAllocator(context.Background(), options...)
	tab, closeTab := chromedp.NewContext(ctx)
	chromium.ctx, chromium.close = tab, []context.CancelFunc{closeTab, closeBrowser}
	return chromedp.Do(tab) // the browser lives as long as this first tab
}

func stopBrowser() {
	for _, f := range chromium.close {
		f()
	}
}

func findBrowser() (string, error) {
	if path := os.Getenv("CHROMIUM"); path != "" {
		return path, nil
	}
	for _, name := range []string{"chromium-headless-shell", "chromium", "chromium-browser", "google-chrome"} {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New(
		"there is no Chromium: run `make tools`, or `apt-get install chromium-headless-shell`, or name one in CHROMIUM")
}

// page is one tab with its own storage. At the end of the test every error on its console fails it.
type page struct {
	t       testing.TB
	ctx     context.Context
	mu      sync.Mutex
	console []chromedp.ConsoleMessage
	allowed []*regexp.Regexp
}

// size is a window's width and height in CSS pixels.
type size struct{ w, h int64 }

// The three widths that the page is made for.
var (
	desktop = size{1280, 800}
	tablet  = size{768, 1024}
	phone   = size{390, 844}
)

// newPage opens an empty tab, in which no service worker can be registered: a test sees the server's files.
func newPage(t testing.TB) *page {
	t.Helper()
	p := newKeepingPage(t)
	p.alone()
	return p
}

// alone keeps service workers from the tab.
func (p *page) alone() {
	p.t.Helper()
	p.first("Object.defineProperty(navigator, 'serviceWorker', { value: undefined })")
}

// newKeepingPage opens an empty tab that may keep the page for use without a network, of somebody who has asked for
// more evidence than the first screen has.
func newKeepingPage(t testing.TB) *page {
	t.Helper()
	p := newVisitor(t)
	p.first("try { localStorage.setItem('evidence', 'true') } catch { /* without */ }")
	return p
}

// newVisitor opens an empty tab of somebody who was never here.
func newVisitor(t testing.TB) *page {
	t.Helper()
	chromium.once.Do(func() { chromium.err = startBrowser() })
	if chromium.err != nil {
		t.Fatalf("the browser did not start: %v", chromium.err)
	}
	ctx, cancel := chromedp.NewContext(chromium.ctx, chromedp.WithNewBrowserContext())
	p := &page{t: t, ctx: ctx}
	if err := chromedp.Do(ctx); err != nil {
		cancel()
		t.Fatalf("no new tab: %v", err)
	}
	messages := chromedp.Console(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for m, err := range messages {
			if err != nil {
				return
			}
			p.mu.Lock()
			p.console = append(p.console, m)
			p.mu.Unlock()
		}
	}()
	t.Cleanup(func() {
		for _, text := range p.consoleErrors() {
			t.Errorf("console: %s", text)
		}
		cancel()
		<-done
	})
	p.look(desktop, false)
	return p
}

// allow keeps console errors that match from failing the test, for tests that provoke them.
func (p *page) allow(pattern string) { p.allowed = append(p.allowed, regexp.MustCompile(pattern)) }

// consoleErrors lists the errors so far that are not allowed. A marker makes sure that all before it
// have come.
func (p *page) consoleErrors() (found []string) {
	const marker = "e2e: marker"
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	seen := strings.Count(p.consoleText(), marker)
	if err := chromedp.Do(ctx, chromedp.Evaluate[chromedp.Void](fmt.Sprintf("console.debug(%q)", marker))); err != nil {
		return []string{"the page does not answer: " + err.Error()}
	}
	for ctx.Err() == nil && strings.Count(p.consoleText(), marker) == seen {
		time.Sleep(5 * time.Millisecond)
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, m := range p.console {
		text := fmt.Sprintf("%s (%s:%d)", m, m.URL, m.Line+1)
		if (m.Type == chromedp.ConsoleError || m.IsException()) && !p.isAllowed(text) {
			found = append(found, text)
		}
	}
	return found
}

func (p *page) isAllowed(text string) bool {
	for _, re := range p.allowed {
		if re.MatchString(text) {
			return true
		}
	}
	return false
}

// consoleText is all that the page has written to its console.
func (p *page) consoleText() string {
	p.mu.Lock()
	defer p.mu.Unlock()
	var b strings.Builder
	for _, m := range p.console {
		fmt.Fprintln(&b, m)
	}
	return b.String()
}

// do runs steps, each of which must end within the patience.
func (p *page) do(what string, steps ...chromedp.Action[chromedp.Void]) {
	p.t.Helper()
	for _, step := range steps {
		ctx, cancel := context.WithTimeout(p.ctx, patience)
		err := chromedp.Do(ctx, step)
		cancel()
		if err != nil {
			p.fail(what, err)
		}
	}
}

// lastLook is what a page shows that kept a test waiting, and whether its clock and its drawing still go on.
const lastLook = `(async () => {
	const goesOn = what => Promise.race([new Promise(what), new Promise(no => {
		const { port1, port2 } = new MessageChannel(), until = performance.now() + 2000;
		port1.onmessage = () => performance.now() < until ? port2.postMessage(0) : no("STANDS STILL");
		port2.postMessage(0);
	})]);
	return [location.pathname + location.hash, document.readyState,
		"lab " + document.querySelector("[data-test=lab]")?.dataset.state,
		"timers " + await goesOn(f => setTimeout(f, 50, "go on")),
		"frames " + await goesOn(f => requestAnimationFrame(() => f("go on")))].join(", ") + "\n" +
		document.body.innerText.slice(0, 2000);
})()`

// fail ends the test with what the page shows and its console.
func (p *page) fail(what string, err error) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience/6)
	defer cancel()
	shows, none := chromedp.Run(ctx, chromedp.Evaluate[string](lastLook, chromedp.EvalAwaitPromise))
	if none != nil {
		shows = "it does not answer: " + none.Error()
	}
	p.t.Fatalf("%s: %v\nthe page: %s\nconsole:\n%s", what, err, shows, p.consoleText())
}

// value runs one action and returns its value.
func value[T any](p *page, what string, action chromedp.Action[T]) T {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.ctx, patience)
	defer cancel()
	v, err := chromedp.Run(ctx, action)
	if err != nil {
		p.fail(what, err)
	}
	return v
}

func (p *page) open(url string) { p.t.Helper(); p.do("open "+url, chromedp.Navigate(url)) }
func (p *page) reload()         { p.t.Helper(); p.do("reload", chromedp.Reload()) }

// unfold opens the folded parts around an element, as a reader does who looks for it.
const unfold = `(e => { for (let d = e?.closest("details:not([open])"); d; d = d.parentElement.closest("details:not([open])"))
	if (e.closest("summary")?.parentElement !== d) d.open = true; return true })(document.querySelector(%[1]q))`

// aim waits until an element lies still, for a second at most, and notes whether the next click is one there.
const aim = `new Promise(done => {
	let was = "", left = 60;
	const look = () => {
		const e = document.querySelector(%[1]q), b = e?.getBoundingClientRect();
		const now = b ? [b.x, b.y, b.width, b.height].join() : "";
		if (now && now === was || !--left) return done(true);
		was = now;
		requestAnimationFrame(look);
	};
	look();
	window.hit = false;
	addEventListener("click", e => { // by place: a thin curve is hit beside it too; what is folded away is not there
		const aimed = document.querySelector(%[1]q), x = e.clientX, y = e.clientY;
		const b = aimed?.checkVisibility() && aimed.getBoundingClientRect();
		window.hit = !!b && x >= b.left - 1 && x <= b.right + 1 &&
			y >= b.top - 1 && y <= b.bottom + 1 &&
			y >= 0 && y < innerHeight; // a page that takes the focus elsewhere scrolls back
	}, {capture: true, once: true});
})`

// missed says whether the click was one elsewhere, while the element is still there.
const missed = `window.hit === false && !!document.querySelector(%q)`

// click clicks on what a visitor sees there. What a drawing moves or replaces between look and click is looked for
// again, as a visitor does who has missed.
func (p *page) click(css string) {
	p.t.Helper()
	p.do("click "+css, func(ctx context.Context, t *chromedp.Target) (v chromedp.Void, err error) {
		for {
			if _, err = chromedp.Evaluate[bool](fmt.Sprintf(unfold, css))(ctx, t); err != nil {
				return v, err
			}
			if _, err = chromedp.Evaluate[bool](fmt.Sprintf(aim, css), chromedp.EvalAwaitPromise)(ctx, t); err != nil {
				return v, err
			}
			v, err = chromedp.Click(chromedp.CSS(css))(ctx, t)
			if err != nil && !strings.Contains(err.Error(), "Could not find node with given id") {
				return v, err
			}
			again, lost := chromedp.Evaluate[bool](fmt.Sprintf(missed, css))(ctx, t)
			if err == nil && (lost != nil || !again) { // a page that has gone was clicked away
				return v, nil
			}
		}
	})
}
func (p *page) see(css string) {
	p.t.Helper()
	p.do("see "+css, chromedp.WaitVisible(chromedp.CSS(css)))
}
func (p *page) press(keys string) { p.t.Helper(); p.do("press a key", keyboard(keys)) }
func (p *page) text(css string) string {
	p.t.Helper()
	return value(p, "text of "+css, chromedp.Text(chromedp.CSS(css)))
}
func (p *page) input(css string) string {
	p.t.Helper()
	return value(p, "value of "+css, chromedp.Value(chromedp.CSS(css)))
}

// keyboard presses keys as one does: what a key writes comes with its being pressed, so that a page that takes the
// press takes the letter, too. The driver's own sends the letter apart, and it is written whoever took the press.
func keyboard(keys string) chromedp.Action[chromedp.Void] {
	return func(ctx context.Context, t *chromedp.Target) (v chromedp.Void, err error) {
		for _, r := range keys {
			events := kb.Encode(r)
			if len(events) == 3 { // down, what is written, up
				down, written := events[0], events[1]
				down.Text, down.UnmodifiedText = written.Text, written.UnmodifiedText
				events = []*input.DispatchKeyEventParams{down, events[2]}
			}
			for _, e := range events {
				if _, err = cdp.Call(ctx, t, input.DispatchKeyEvent, *e); err != nil {
					return v, err
				}
			}
		}
		return v, nil
	}
}

// fill replaces a field's text as a person would: select all, type, leave. The page draws what it says of the text
// before anything else is aimed at.
func (p *page) fill(css, text string) {
	p.t.Helper()
	p.until(fmt.Sprintf("!!document.querySelector(%q)", css))
	eval[bool](p, fmt.Sprintf(unfold, css))
	p.frames() // what is unfolded is drawn anew
	p.do("fill "+css, chromedp.Focus(chromedp.CSS(css)),
		chromedp.Evaluate[chromedp.Void](fmt.Sprintf("document.querySelector(%q).select()", css)),
		keyboard(text), chromedp.Blur(chromedp.CSS(css)))
	p.frames()
}

// attr is an element's attribute, empty when it has none.
func (p *page) attr(css, name string) string {
	p.t.Helper()
	return value(p, name+" of "+css, chromedp.AttributeValue(chromedp.CSS(css), name)).Value
}

// count is the number of elements that match now.
func (p *page) count(css string) int {
	p.t.Helper()
	return eval[int](p, fmt.Sprintf("document.querySelectorAll(%q).length", css))
}

// until waits for a JavaScript condition, through a page's change to another: a poll ends with the page it is in,
// and begins anew in the next.
func (p *page) until(condition string) {
	p.t.Helper()
	p.do("wait until "+condition, func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		for {
			_, err := chromedp.Poll[bool](condition, chromedp.WithPollingTimeout(patience))(ctx, t)
			if left := new(cdproto.Error); !errors.As(err, &left) || left.Code != leftPage || ctx.Err() != nil {
				return chromedp.Void{}, err
			}
		}
	})
}

// leftPage is the protocol's error code for work in a page that the tab has left meanwhile.
const leftPage = -32000

// known waits until the engine's reason for what is selected is told.
func (p *page) known() {
	p.t.Helper()
	p.until("document.querySelector('[data-test=why]')?.dataset.known === 'true'")
}

// eval evaluates JavaScript; a promise is awaited.
func eval[T any](p *page, js string) T {
	p.t.Helper()
	return value(p, "evaluate "+js, chromedp.Evaluate[T](js, chromedp.EvalAwaitPromise))
}

// test is the selector of a page hook, and of one with an attribute.
func test(name string, attr ...string) string {
	s := fmt.Sprintf("[data-test=%q]", name)
	for i := 0; i+1 < len(attr); i += 2 {
		s += fmt.Sprintf("[data-%s=%q]", attr[i], attr[i+1])
	}
	return s
}

// first has a script run before any other on every page that is opened from now on.
func (p *page) first(js string) {
	p.t.Helper()
	p.do("prepare a script", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		_, err := chromedp.Call(ctx, cdppage.AddScriptToEvaluateOnNewDocument,
			cdppage.AddScriptToEvaluateOnNewDocumentParams{Source: js})
		return chromedp.Void{}, err
	})
}

// renderers lists the process ids of the browser's tabs.
func (p *page) renderers() (pids []int64) {
	p.t.Helper()
	p.do("list processes", func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
		info, err := chromedp.CallBrowser(ctx, systeminfo.GetProcessInfo, cdp.Empty{})
		if err == nil {
			for _, x := range info.ProcessInfo {
				if x.Type == "renderer" {
					pids = append(pids, int64(x.ID))
				}
			}
		}
		return chromedp.Void{}, err
	})
	return pids
}

// counters are the browser's own counts of what the page's main thread did: times in seconds by name, as
// ScriptDuration.
func (p *page) counters() map[string]float64 {
	p.t.Helper()
	out := map[string]float64{}
	p.do("read the counters", func(ctx context.Context, t *chromedp.Target) (chromedp.Void, error) {
		if _, err := chromedp.Call(ctx, performance.Enable, performance.EnableParams{}); err != nil {
			return chromedp.Void{}, err
		}
		r, err := chromedp.Call(ctx, performance.GetMetrics, cdp.Empty{})
		for _, m := range r.Metrics {
			out[m.Name] = m.Value
		}
		return chromedp.Void{}, err
	})
	return out
}

// look sets the window's size and the colour scheme the reader prefers.
func (p *page) look(s size, dark bool) {
	p.t.Helper()
	scheme := "light"
	if dark {
		scheme = "dark"
	}
	p.do("resize", chromedp.EmulateViewport(s.w, s.h), func(ctx context.Context, t *chromedp.Target) (chromedp.Void,
		error) {
		_, err := chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
		})
		return chromedp.Void{}, err
	})
}

// touch makes the window that of a device that is pressed with fingers.
func (p *page) touch(s size) {
	p.t.Helper()
	p.do("take fingers", chromedp.EmulateViewport(s.w, s.h, chromedp.EmulateMobile, chromedp.EmulateTouch))
	p.until("matchMedia('(pointer: coarse)').matches")
}

// plain is a text of the page with plain spaces: the page keeps a number and its unit together.
func plain(text string) string { return strings.ReplaceAll(text, "\u00a0", " ") }

// clipboard is the browser's one, which all tabs share.
var clipboard sync.Mutex

// allowClipboard lets the page of this address read and write the clipboard. Until the test's end no other tab may.
func (p *page) allowClipboard(origin string) {
	p.t.Helper()
	clipboard.Lock()
	p.t.Cleanup(clipboard.Unlock)
	for _, name := range []string{"clipboard-read", "clipboard-write"} {
		p.do("allow "+name, func(ctx context.Context, _ *chromedp.Target) (chromedp.Void, error) {
			_, err := chromedp.CallBrowser(ctx, browser.SetPermission, browser.SetPermissionParams{
				Permission: &browser.PermissionDescriptor{Name: name}, Setting: browser.PermissionSettingGranted,
				Origin: origin, BrowserContextID: chromedp.FromContext(ctx).BrowserContextID,
			})
			return chromedp.Void{}, err
		})
	}
}

// pictures has the tests write pictures of the page to e2e/shots, for people to look at. Nothing compares them, and six
// of a page take longer than its test.
var pictures = flag.Bool("shots", false, "write pictures of the pages to e2e/shots")

// shot takes the whole page, where pictures are wanted.
func (p *page) shot(name string) { p.picture(name, chromedp.FullScreenshot(100)) }

// window takes what the window shows, where pictures are wanted.
func (p *page) window(name string) { p.picture(name, chromedp.CaptureScreenshot()) }

func (p *page) picture(name string, take chromedp.Action[[]byte]) {
	p.t.Helper()
	if *pictures { // else it is not even taken
		writeShot(p.t, name, value(p, "take a picture", take))
	}
}

// shots takes the page at every width, light and dark, and returns to the desktop.
func (p *page) shots(name string) {
	p.t.Helper()
	if !*pictures {
		return
	}
	for _, s := range []size{desktop, tablet, phone} {
		for scheme, dark := range map[string]bool{"light": false, "dark": true} {
			p.look(s, dark)
			p.frames() // the page measures its plots anew
			p.shot(fmt.Sprintf("%s-%d-%s", name, s.w, scheme))
		}
	}
	p.look(desktop, false)
}
