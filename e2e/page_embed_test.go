package e2e

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// holder is another site's page with a frame, and a record of what the frame tells it.
const holder = `<!doctype html><meta charset="utf-8"><title>holder</title><iframe width="1000" height="700" src="%s"></iframe><script>
const lab = %q, frame = document.querySelector("iframe");
window.got = [];
addEventListener("message", event => {
  if (event.source !== frame.contentWindow) return;
  got.push(event.data);
  if (event.data.type === "hadarlab:ready") for (const type of ["hadarlab:early", "hadarlab:hello"]) frame.contentWindow.postMessage({ type, round: 1 }, lab);
});
window.say = message => { frame.contentWindow.postMessage(message, lab); return true; };
const stranger = document.body.appendChild(document.createElement("iframe"));
window.sayAsStranger = message => { stranger.contentWindow.eval("parent.frames[0].postMessage(" + JSON.stringify(message) + ", '*')"); return true; };
</script>`

// TestEmbed: another site shows a scenario on both servers, by id and by link; the two talk; nothing can be
// edited, the frame's address stays and nothing is kept.
func TestEmbed(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		whole := visit(t, s, "/")
		hash := whole.hash("hadar")
		whole.click(test("share-link"))
		whole.see(test("share-copy"))
		link := strings.TrimPrefix(whole.input(test("share-link")), s.url+"/")
		whole.click(test("share-make-short"))
		whole.see(test("share-short"))
		id := strings.TrimPrefix(whole.input(test("share-short")), s.url+"/s/")

		for name, src := range map[string]string{"id": s.url + "/e/" + id, "link": s.url + "/e" + link} {
			t.Run(name, func(t *testing.T) {
				site := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
					w.Header().Set("Content-Type", "text/html")
					fmt.Fprintf(w, holder, src, s.url)
				}))
				defer site.Close()
				p := newPage(t)
				p.open(site.URL)
				p.until("window.got && got.some(m => m.type === 'hadarlab:select')")
				if first := eval[string](p,
					"JSON.stringify(got[0])"); first != `{"type":"hadarlab:ready","version":1}` {
					t.Errorf("the first message is %s", first)
				}
				eval[bool](p, "say({ type: 'hadarlab:setRound', round: 3 })")
				p.until("got.at(-1).round === 3 && got.at(-1).time_s > 0")
				eval[bool](p, "say({ type: 'hadarlab:select', job: 'j2' })")
				p.until("got.at(-1).job === 'j2'")
				// A frame beside it has the holder's origin and is not the holder.
				eval[bool](p, "sayAsStranger({ type: 'hadarlab:setRound', round: 1 })")
				eval[bool](p, "say({ type: 'hadarlab:select', job: 'j1' })")
				p.until("got.at(-1).job === 'j1'")
				if round := eval[int](p, "got.at(-1).round"); round != 3 {
					t.Errorf("a stranger moved the cursor to round %d", round)
				}

				own := newPage(t) // the same address without a frame
				own.first(
					"for (const s of ['sessionStorage', 'localStorage']) Object.defineProperty(window, s, { configurable: true, get() { throw new Error('no storage') } })")
				own.open(src)
				own.ready()
				if own.hash("hadar") != hash {
					t.Error("the embed gives another trace")
				}
				for _, hook := range []string{"editor-open", "editor-job-gpus", "share-link", "presets", "run",
					"undo"} {
					if own.count(test(hook)) != 0 {
						t.Errorf("the embed has %s", hook)
					}
				}
				if at := eval[string](own, "location.href"); at != src {
					t.Errorf("the embed's address became %s", at)
				}
				if href := own.attr(test("open-lab"),
					"href"); href != strings.Replace(strings.TrimPrefix(strings.Replace(src, "/e#", "/#", 1), s.url),
					"/e/", "/s/", 1) {
					t.Errorf("the whole lab is at %s", href)
				}
				if s.name == "native" {
					own.shots("embed-" + name)
				}
			})
		}
	})
}
