package e2e

import (
	"fmt"
	"strings"
	"testing"

	"hadarlab/core/link"
)

func TestLinkCopiedInOnePageOpensInAnother(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		p := odd(t, s)
		p.allowClipboard(s.url)
		before := p.hash("hadar")
		p.fill(test("editor-job-gpus", "job", "j4"), "3")
		hash := p.settles("hadar", before)
		gavel := p.hash("gavel-las")
		p.click(test("share-link"))
		p.see(test("share-copy"))
		p.shots("share-" + s.name)
		p.click(test("share-copy"))
		p.until("document.querySelector('[data-test=share-copy]').innerText === 'Copied'")
		link := eval[string](p, "navigator.clipboard.readText()")
		if link != p.input(test("share-link")) || !strings.HasPrefix(link, s.url+"/#1d.") {
			t.Fatalf("the clipboard holds %q", link)
		}
		if got := p.text(test("lineage")); !strings.Contains(got, "Odd GPUs out” by 1 change") {
			t.Errorf("the dialog says of the lineage %q", got)
		}
		if got := p.text(test("share-grade")); !strings.Contains(got, "Only this computer can open it") ||
			p.count(test("share-qr")) != 0 {
			t.Errorf("the address is local, and the dialog says %q with %d QR codes", got, p.count(test("share-qr")))
		}
		other := visit(t, s, strings.TrimPrefix(link, s.url))
		if got := other.text(test("lineage")); !strings.Contains(got, "by 1 change") {
			t.Errorf("the opened link says of its lineage %q", got)
		}
		if other.hash("hadar") != hash || other.hash("gavel-las") != gavel {
			t.Error("the link gives another trace")
		}
		if !strings.Contains(other.text(".top .sub"), "shared link") {
			t.Errorf("the bar says %q", other.text(".top .sub"))
		}

		p.click(test("share-make-short"))
		p.see(test("share-short"))
		short := p.input(test("share-short"))
		third := visit(t, s, strings.TrimPrefix(short, s.url))
		if third.hash("hadar") != hash {
			t.Error("the short link gives another trace")
		}
		if third.text("h1") != p.text("h1") || third.text("p.question") != p.text("p.question") {
			t.Errorf("the short link opens as %q", third.text("h1"))
		}
		if got := visit(t, s, strings.TrimPrefix(short, s.url)+"%23v=c0.kqueue.jj2").attr(test("why"),
			"data-job"); got != "j2" {
			t.Errorf("the short link with a view, its # escaped, opens on %s", got)
		}
	})
}

// TestOpeningTheDialogSendsNothing: only the button of the short link does.
func TestOpeningTheDialogSendsNothing(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.click(test("share-link"))
	p.see(test("share-copy"))
	p.frames()
	if n := eval[int](p,
		"performance.getEntriesByType('resource').filter(r => r.name.includes('/api/')).length"); n != 0 {
		t.Errorf("%d requests went to the server", n)
	}
}

func TestBadLinksSayWhatIsWrong(t *testing.T) {
	t.Parallel()
	s := native(t)
	good := visit(t, s, "/")
	good.click(test("share-link"))
	good.see(test("share-copy"))
	fragment := strings.TrimPrefix(good.input(test("share-link")), s.url+"/#")
	hash := good.hash("hadar")
	within := fragment[:8] + "AAAA" + fragment[12:]
	_, faults := link.Decode(within)
	if !faults.HasErrors() {
		t.Fatal("the damaged link is a good one")
	}
	other := map[bool]string{true: "1", false: "0"}[strings.HasSuffix(fragment, "0")]
	for name, c := range map[string]struct{ link, says string }{
		"cut":       {"#" + fragment[:len(fragment)/2], "cut short"},
		"damaged":   {"#" + within, faults[0].Message.String()[1:]}, // its first letter is a capital on the page
		"retyped":   {"#" + fragment[:len(fragment)-1] + other, "changed on its way"},
		"too new":   {"#9z.abc.def", "version 9"},
		"nonsense":  {"#hello", "not a scenario link"},
		"malformed": {"#1z.%zz", "link"},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPage(t)
			p.open(s.url + "/" + c.link)
			p.see(test("notice"))
			p.ready()
			got := p.text(test("notice"))
			if !strings.Contains(got, c.says) {
				t.Errorf("the notice says %q, want %q in it", got, c.says)
			}
			if len(got) < 60 {
				t.Errorf("the notice %q has no next step", got)
			}
			if p.hash("hadar") != hash {
				t.Error("the example does not stay")
			}
		})
	}
	t.Run("repaired", func(t *testing.T) {
		p := visit(t, s, "/#"+strings.ReplaceAll(fragment, "=", "%3D"))
		if p.count(test("notice")) != 0 || p.hash("hadar") != hash {
			t.Error("a link that mail programs have touched is not repaired")
		}
	})
	t.Run("escaped mark", func(t *testing.T) {
		for _, path := range []string{"/%23", "/%2523"} {
			p := visit(t, s, path+fragment)
			if p.count(test("notice")) != 0 || p.hash("hadar") != hash ||
				!strings.Contains(p.text(test("toast")), "log") {
				t.Errorf("a link with %s is not repaired, or the page does not say that it was logged", path)
			}
		}
	})
	t.Run("last resort", func(t *testing.T) {
		p := visit(t, s, "/o?s="+fragment)
		p.see(test("toast"))
		if p.hash("hadar") != hash || !strings.Contains(p.text(test("toast")), "log") {
			t.Error("the last resort does not open, or does not say that it was logged")
		}
	})
	t.Run("unknown short link", func(t *testing.T) {
		p := newPage(t)
		p.allow("404")
		p.open(s.url + "/s/zzzzzzzzzzzz")
		p.until("document.body.innerText.length > 20")
	})
}

// TestImportOfFiveThousandJobsIsShared: no link holds them, and the dialog offers the short link in its place, or a
// file. Who opens that computes the same.
func TestImportOfFiveThousandJobsIsShared(t *testing.T) {
	t.Parallel()
	onBoth(t, func(t *testing.T, s *server) {
		t.Parallel()
		var rows strings.Builder
		rows.WriteString("id,model,arrival_s,gpus,steps\n")
		for i := range 5000 { // one after the other, so that they are soon computed
			fmt.Fprintf(&rows, "job-%04d,transformer,%d,%d,%d\n", i, i*1800, 1+i%2, 1000+i*7919%3000)
		}
		p := odd(t, s) // whose speeds the trace takes
		before := p.hash("hadar")
		p.drop("five-thousand.csv", rows.String())
		p.see(test("import-report"))
		p.fill(test("import-first"), "5000")
		p.until("document.querySelector('[data-test=import-report]')?.innerText.includes('5,000 jobs.')")
		p.click(test("import-use"))
		hash := p.settles("hadar", before)
		p.click(test("share-link"))
		p.see(test("share-too-long"))
		p.shots("share-too-long-" + s.name)
		if got := p.text(test("share-too-long")); !strings.Contains(got, "24,576 is the most") ||
			p.count(test("share-copy"))+p.count(test("share-code")) != 0 {
			t.Errorf("of a link that nobody can open the dialog says %q", got)
		}
		p.click(test("share-make-short"))
		p.see(test("share-short"))
		short := p.input(test("share-short"))
		other := visit(t, s, strings.TrimPrefix(short, s.url))
		other.until(fmt.Sprintf( // the lanes of a large result are drawn one a frame, after it is there
			"document.querySelector('[data-test=lane][data-policy=hadar]')?.dataset.hash === %q", hash))
		if got := other.text("h1"); got != p.text("h1") {
			t.Errorf("%s opens as %q", short, got)
		}
	})
}
