package e2e

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing"

	cdppage "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"hadarlab/core/claims"
	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/papers"
	"hadarlab/core/results"
	"hadarlab/scenarios"
)

// TestManual walks through the manual: every policy, every preset, and a link that opens one. Both servers have it.
func TestManual(t *testing.T) {
	t.Parallel()
	s := native(t)
	p := newPage(t)
	p.open(s.url + "/docs")
	pages := eval[[]string](p, "[...document.querySelectorAll('nav a')].map(a => a.pathname)")
	if len(pages) < 6 {
		t.Fatalf("the manual has %d pages", len(pages))
	}
	for _, page := range pages {
		p.open(s.url + page)
		if n := p.count("nav a[aria-current=page]"); n != 1 || p.count("section") == 0 {
			t.Errorf("%s: %d current pages, %d sections", page, n, p.count("section"))
		}
		p.shots("manual" + strings.ReplaceAll(page, "/", "-"))
	}
	links := map[string]string{} // to the texts on papers, those of no policy from another page
	for _, from := range []string{"/docs/trust", "/docs/policies"} {
		p.open(s.url + from)
		for _, text := range papers.All() {
			link := "a[href$=\"papers/" + text.Name + "\"]"
			if p.count(link) > 0 {
				links[text.Name] = eval[string](p, "document.querySelector('"+link+"').pathname")
			}
		}
	}
	for _, policy := range lab.Policies() {
		if p.count("[id='"+policy.ID+"']") != 1 {
			t.Errorf("the manual is silent on %s", policy.ID)
		}
	}
	for _, text := range papers.All() {
		p.open(s.url + links[text.Name])
		if title := p.text("h1"); title != text.Title || p.count("section .maths") == 0 ||
			p.count("section .figures") == 0 {
			t.Errorf("the manual leads to %q for the text %s, or it has no formula or example", title, text.Name)
		}
		pages = append(pages, links[text.Name])
	}
	for _, s := range []*server{s, edge(t)} {
		p.open(s.url + "/docs/teach")
		if n := p.count(".card"); n != len(lab.Presets())+len(scenarios.Assignments) {
			t.Errorf("%d presets and assignments are described, there are %d and %d", n, len(lab.Presets()),
				len(scenarios.Assignments))
		}
		p.open(eval[string](p, "document.querySelector('#price-spike a').href"))
		p.ready()
		if title := p.text(test("presets") + " summary"); !strings.Contains(title, "price of the last GPU") {
			t.Errorf("the link opens %q", title)
		}
		p.open(eval[string](p, "document.querySelector('[data-test=trust]').href"))
		if p.count("#exact") != 1 || p.count("#results tbody tr") != len(results.All()) {
			t.Errorf("the numbers do not lead to how far to trust them, or figures are missing there")
		}
	}

	// The edge serves the same pages.
	for _, page := range pages {
		if here, there := markup(t, s.url+page), markup(t, edge(t).url+page); here != there {
			t.Errorf("%s differs at the edge: %.200s", page, there)
		}
	}
}

// TestPaperBoard: the board has every row with its verdict, and its link opens the two lanes, whose figures in the lab
// are what stands beside the link.
func TestPaperBoard(t *testing.T) {
	t.Parallel()
	board, err := claims.Board()
	if err != nil {
		t.Fatal(err)
	}
	onBoth(t, func(t *testing.T, s *server) {
		p := newPage(t)
		p.open(s.url + "/docs/claims")
		for _, c := range board {
			at := "article[id='" + c.Claim.ID + "']"
			if p.count(at) != 1 || p.text(at+" .verdict") != string(c.Verdict) {
				t.Errorf("%s is not there, or not as %s", c.Claim.ID, c.Verdict)
			}
			if links := p.count(at + " a.open"); (links == 1) != (c.Claim.Open(1) != nil) {
				t.Errorf("%s has %d links to the lab", c.Claim.ID, links)
			}
		}
		const id = "hadar-2024-completion-yarn"
		i := slices.IndexFunc(board, func(c *claims.Standing) bool { return c.Claim.ID == id })
		told, small := plain(p.text("article[id='"+id+"'] .open + .mute")), board[i].Record.Small
		want := claims.Times.Say(claims.Times.Figure(-1, small.Of[0][0], small.Against[0][0]))
		if !strings.Contains(told, want) {
			t.Errorf("beside the link stands %q, the first seed comes to %s", told, want)
		}
		p.open(eval[string](p, "document.querySelector('article[id=\""+id+"\"] a.open').href"))
		p.ready()
		res, _, diags := lab.Run(&message.RunRequest{Scenario: board[i].Claim.Open(1).Marshal(false)})
		if res == nil {
			t.Fatal(diags)
		}
		if run := &res.Runs[0]; p.hash(run.Policy) != run.TraceHash || run.Metrics.AvgJCTS != small.Of[0][0] {
			t.Errorf("the lab has another run than the one that the board has a figure of: %v s, %v s",
				run.Metrics.AvgJCTS, small.Of[0][0])
		}
	})
}

// TestHandoutsOnPaper: a page to teach from takes two sheets, or up to three with more than three questions, on
// which its fold is open; on the wall it stays shut.
func TestHandoutsOnPaper(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(`addEventListener("afterprint", () => {
		window.printed = document.querySelector("details.answers").open;
	}, { capture: true })`)
	for _, id := range scenarios.Assignments {
		p.open(native(t).url + "/docs/teach/" + id)
		css := true
		paper := value(p, "print", func(ctx context.Context, _ *chromedp.Target) (cdppage.PrintToPDFResult, error) {
			return chromedp.Call(ctx, cdppage.PrintToPDF, cdppage.PrintToPDFParams{PreferCSSPageSize: &css})
		})
		doc, _ := scenarios.Assignment(id)
		a, diags := class.Parse(doc)
		if a == nil {
			t.Fatal(diags)
		}
		most := 2
		if len(a.Questions) > 3 {
			most = 3
		}
		if n := bytes.Count(paper.Data, []byte("/Type /Page\n")); n < 2 || n > most {
			t.Errorf("%s takes %d sheets, at most %d", id, n, most)
		}
		p.until("window.printed !== undefined")
		if !eval[bool](p, "window.printed") || eval[bool](p, "document.querySelector('details.answers').open") {
			t.Errorf("%s: the fold is shut on paper, or open on the wall", id)
		}
		p.open(eval[string](p, "document.querySelector('figcaption a').href"))
		if p.count("svg[aria-label]") != 1 {
			t.Errorf("%s has no slide", id)
		}
	}
}
