package e2e

import (
	"fmt"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"hadarlab/core/class"
)

// TestClassOverPlainHTTP: a class that one command begins is gone through in pages that are no secure context, as those
// of a classroom's network: board, student, lab, report, and what copies.
func TestClassOverPlainHTTP(t *testing.T) {
	native(t) // has built the program
	s := &server{name: "school"}
	if err := s.launch(exec.Command(filepath.Join(scratch, "hadarlab"), "serve", "--class", "hadar-vs-gavel", "--host",
		school, "--addr", "127.0.0.1:0", "--data", t.TempDir(), "--web", filepath.Join(root,
			"build/web"))); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.stop)
	if err := s.announces(); err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}
	told := regexp.MustCompile(`(?s)Students open (http://` + school + `:\d+)/join .*/#board=(\w+)\.(\w+)\s`)
	var found []string
	if err := s.await(func() bool {
		found = told.FindStringSubmatch(s.log.String())
		return found != nil
	}); err != nil {
		t.Fatalf("%v\n%s", err, s.log.String())
	}
	l := &lesson{t: t, url: found[1], path: s.url + "/api/v1/classes/" + found[2],
		Created: class.Created{Code: strings.ToUpper(found[2]), Key: found[3]}}

	b, p := openBoard(t, l), newPage(t)
	for _, page := range []*page{b.page, p} {
		page.allow("Cross-Origin-Opener-Policy header has been ignored") // as it must be here
	}
	p.first(savedFiles)
	p.look(phone, false)
	p.open(l.url + "/join")
	for of, p := range map[string]*page{"board": b.page, "student": p} {
		if eval[bool](p, "window.isSecureContext || 'clipboard' in navigator || 'subtle' in crypto") {
			t.Errorf("the %s's page is a secure context", of)
		}
	}
	p.fill("#code", l.Code)
	p.click(test("do-join"))
	p.screen("lobby")
	b.counts("joined", 1)
	b.next(class.Predict)
	p.screen("predict")
	p.answers("answers", "sooner", "hadar", "4", "by", "10-30", "2")
	p.screen("wait")
	b.counts("committed", 1)
	b.click(test("reveal"))
	b.see(test("options"))
	b.next(class.Discuss)
	b.next(class.VoteAgain)
	p.screen("vote")
	b.next(class.Run)
	p.screen("done")
	p.click(test("open-lab"))
	p.until("document.querySelector('[data-test=class-said]')?.textContent.includes('2 of 2 right')")
	p.ready()
	p.reload()
	p.ready()
	p.fill("#class-sentence", "Because of the gangs.")
	p.click(test("class-send-sentence"))
	p.see(test("class-said-why"))
	b.next(class.Change)
	p.see(test("class-submit"))
	p.changes("/scenario/jobs/2/gpus", "1")
	b.counts("submitted", 1)
	p.until("!!document.querySelector('[data-verdict=verified]')")
	p.click(test("class-report"))
	p.until("saved.length > 0")
	if got := eval[string](p, "saved[0].text"); !strings.Contains(got, "Because of the gangs.") {
		t.Errorf("the report says %s", got)
	}

	// What copies selects its field, from which a browser copies by itself or its reader by hand.
	clipboard.Lock()
	t.Cleanup(clipboard.Unlock)
	b.open(l.url + "/#teach")
	row := `[data-assignment="hadar-vs-gavel"] `
	b.click(row + test("link") + " summary")
	b.click(row + test("link-hadar-vs-gavel") + " + button")
	b.until(fmt.Sprintf("(e => document.activeElement === e && e.selectionStart === 0 && e.selectionEnd === e.value.length)(document.querySelector(%q))",
		test("link-hadar-vs-gavel")))
	if got := b.input(test("link-hadar-vs-gavel")); !strings.HasPrefix(got, l.url+"/join#") {
		t.Errorf("the link to copy is %s", got)
	}
}
