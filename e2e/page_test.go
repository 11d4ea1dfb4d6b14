package e2e

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
)

// This file holds what the tests of the page share: words for what a visitor does and sees.

// visit opens the page of a server and waits until it is live.
func visit(t testing.TB, s *server, path string) *page {
	t.Helper()
	p := newPage(t)
	p.open(s.url + path)
	p.ready()
	return p
}

// ready waits until the result belongs to the scenario.
func (p *page) ready() { p.t.Helper(); p.state("ready") }

// state waits for a state of the lab.
func (p *page) state(want string) {
	p.t.Helper()
	p.until(fmt.Sprintf("document.querySelector('[data-test=lab]')?.dataset.state === %q", want))
}

// keptText is the scenario that the tab keeps.
const keptText = "(k => sessionStorage.getItem('hadarlab-step-' + k.steps[k.pos].id))(JSON.parse(sessionStorage.getItem('hadarlab')))"

// hash is the trace hash of a lane.
func (p *page) hash(policy string) string {
	p.t.Helper()
	return p.attr(test("lane", "policy", policy), "data-hash")
}

// settles waits until a lane shows another trace than before, and the page is ready.
func (p *page) settles(policy, before string) string {
	p.t.Helper()
	p.until(
		fmt.Sprintf(
			"document.querySelector('[data-test=lane][data-policy=%q]')?.dataset.hash !== %q && document.querySelector('[data-test=lab]').dataset.state === 'ready'", policy, before))
	return p.hash(policy)
}

// put sets a text area's text as a paste does.
func (p *page) put(css, text string) {
	p.t.Helper()
	b, err := json.Marshal(text)
	if err != nil {
		p.t.Fatal(err)
	}
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.focus(); e.value = %s; e.dispatchEvent(new Event('input', {bubbles: true})); return true })(document.querySelector(%q))", b, css))
	p.frames()
}

// frames waits until the page has drawn what has happened, and the browser that. The first frame lets in a new size of
// the window.
func (p *page) frames() {
	p.t.Helper()
	eval[bool](p, `new Promise(done => requestAnimationFrame(() => {
		const drawn = () => requestAnimationFrame(() => setTimeout(done, 0, true));
		window.hadarlab?.drawn ? hadarlab.drawn(drawn) : drawn();
	}))`)
}

// applyJSON replaces the scenario by a text, in the editor.
func (p *page) applyJSON(text string) {
	p.t.Helper()
	if p.count(test("editor")) == 0 {
		p.click(test("editor-open"))
		p.see(test("editor-json-tab"))
	}
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	p.put(test("editor-json"), text)
	p.click(test("editor-json-apply"))
	p.frames()
}

// number is a number in an attribute.
func (p *page) number(css, name string) float64 {
	p.t.Helper()
	text := p.attr(css, name)
	v, err := strconv.ParseFloat(text, 64)
	if err != nil {
		p.t.Fatalf("%s of %s is %q", name, css, text)
	}
	return v
}

// preset is a preset's document, by its place.
func preset(t testing.TB, i int) []byte {
	t.Helper()
	b, ok := lab.Preset(lab.Presets()[i].ID)
	if !ok {
		t.Fatalf("there is no preset %d", i)
	}
	return b
}

// natively runs a document in this process.
func natively(t testing.TB, doc []byte) *message.Result {
	t.Helper()
	res, failures, diags := lab.Run(&message.RunRequest{Scenario: doc})
	if diags.HasErrors() || len(failures) > 0 {
		t.Fatal(diags, failures)
	}
	return res
}

// explained asks the engine in this process.
func explained(t testing.TB, doc []byte, policy string, round int, job string) (*message.Explanation, *export) {
	t.Helper()
	e, diags := lab.NewSession().Explain(&message.ExplainRequest{Scenario: doc, Policy: message.PolicyRef{ID: policy},
		Round: round, Job: job})
	if e == nil {
		t.Fatal(diags)
	}
	var out struct{ Jobs []export }
	b, err := json.Marshal(e.Export())
	if err == nil {
		err = json.Unmarshal(b, &out)
	}
	if err != nil {
		t.Fatal(err)
	}
	return e, &out.Jobs[0]
}

// export is what other programs are told of a job's decision.
type export struct {
	Action, Sentence              string
	Utility, Cost, Payoff, Rounds float64
	Gangs                         [][]message.Shard
	Candidates                    []struct {
		Payoff, Utility float64
		Phase           int
	}
	Shares []struct {
		Type     string
		Priority float64
	}
	Copies []struct {
		Node     string
		RatePerS float64 `json:"rate_per_s"`
		Quota    float64 `json:"quota_steps"`
		Weight   float64 `json:"merge_weight"`
	}
}

// same compares with the precision that a double keeps in text.
func same(t testing.TB, what string, got, want float64) {
	t.Helper()
	if got != want {
		t.Errorf("%s is %v, the engine says %v", what, got, want)
	}
}

// markup is what the server sends for an address.
func markup(t testing.TB, url string) string {
	t.Helper()
	res, err := http.Get(url)
	if err != nil {
		t.Fatal(err)
	}
	defer res.Body.Close()
	var b strings.Builder
	buf := make([]byte, 1<<16)
	for {
		n, err := res.Body.Read(buf)
		b.Write(buf[:n])
		if err != nil {
			return b.String()
		}
	}
}
