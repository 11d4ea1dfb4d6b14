package e2e

import (
	"strconv"
	"strings"
	"testing"
)

// TestAProgramIsALane: a lane is written anew as a program from a template, run by an engine that is loaded for it, and
// mended where it is wrong; its numbers have fields, the panel tells what it says, and a link has it, on a phone too.
func TestAProgramIsALane(t *testing.T) {
	t.Parallel()
	p := newVisitor(t)
	p.open(native(t).url + "/")
	p.ready()
	p.choose(test("lane-picker", "lane", "A"), "own")
	p.ready()
	p.click(test("lane-program"))
	p.see(test("program-template"))
	p.click(test("editor-close"))
	p.choose(test("lane-picker", "lane", "A"), "srtf")
	p.ready()
	builtIn := eval[string](p, `document.querySelector(".lane[data-policy=srtf] .facts").textContent`)
	p.click(test("first-edit"))
	p.click(test("program-like"))
	p.see(test("editor-program"))
	p.ready()
	if got := eval[string](p, `document.querySelector(".lane[data-policy=own] .facts").textContent`); got != builtIn {
		t.Errorf("SRTF as a program shows %q, built in %q", got, builtIn)
	}

	const line = "WEIGHT = 0.5  # of age\n\ndef key(job, cluster):\n"
	p.write(line + "    return job.steps_left / job.sped")
	p.until("!!document.querySelector('" + test("program-says") + " .fault')?.innerText.includes('line 4, character 33')")
	if got := p.text(test("lane-refused")); !strings.Contains(got, "job has no sped. Did you mean speed?") {
		t.Errorf("the lane says %q", got)
	}
	p.write(line + "    return job.age if job.age >= 0 else job.step_left") // where no run comes by
	p.until("document.querySelector('" + test("program-says") +
		" .fault')?.innerText === 'line 4, character 45: job has no step_left. Did you mean steps_left?'")
	p.write(line + "    why(job, \"who waits goes first\", age = job.age)\n    return job.steps_left / job.speed - WEIGHT * job.age")
	p.until("!document.querySelector('" + test("program-says") + " .fault')")
	p.ready()
	if got := p.input(test("editor-knob")); got != "0.5" {
		t.Errorf("the number of the program is %q", got)
	}
	p.fill(test("editor-knob"), "0.75")
	p.ready()
	if got := p.input(test("editor-program")); !strings.HasPrefix(got, "WEIGHT = 0.75  # of age") {
		t.Errorf("after its number was changed the program is %q", got)
	}
	diff := eval[string](p, `document.querySelector("[data-test=program-diff]").textContent`)
	for _, line := range []string{"+ WEIGHT = 0.75  # of age", "−     return job."} {
		if !strings.Contains(diff, line) {
			t.Errorf("that it differs by %q is not told: %q", line, diff)
		}
	}
	p.click(test("program-test"))
	p.until("document.querySelectorAll('" + test("program-trials") + " tbody tr').length === 4")
	p.see(test("program-test")) // in place of Stop, once all is done
	if got := p.text(test("program-trials")); !strings.Contains(got, "A burst") || strings.Contains(got, "–") ||
		strings.Contains(got, "line") {
		t.Errorf("the program is tested: %q", got)
	}
	p.accessible("a program's editor")
	p.shots("program")

	p.reload()
	p.ready()
	p.click(test("share-link"))
	p.see(test("share-copy"))
	link := p.input(test("share-link"))
	if n := len(link); n > 1500 {
		t.Errorf("the link has %d characters", n)
	}
	p.press("\x1b")
	p.click(test("why-here"))
	p.see(test("why"))
	if why := p.text(test("why")); !strings.Contains(why, "who waits goes first") {
		t.Errorf("the panel does not tell what the program says: %q", why)
	}
	p.until(`[...document.querySelectorAll("[data-test=why-folded]")].every(d => d.open = true)`)
	if got := p.text(test("why")); !strings.Contains(got, "job.steps_left") || !strings.Contains(got, "cluster.gpus") {
		t.Errorf("the panel does not tell what the program was given: %q", got)
	}
	p.accessible("a program's lane")
	p.shots("program-why")

	other := newVisitor(t)
	other.look(phone, false)
	other.open(link)
	other.ready()
	other.see(test("lane-program"))
	if got := other.input(test("lane-knob")); got != "0.75" {
		t.Errorf("on a phone its number is %q", got)
	}
}

// write types a program in place of what stands there. A key's own text would be typed beside what the script types.
func (p *page) write(src string) {
	p.t.Helper()
	p.until("(e => { e.focus(); e.select(); return document.execCommand('insertText', false, " + strconv.Quote(src) +
		"); })(document.querySelector('.source'))")
	p.frames()
}

// TestProgramsWithoutNetwork: the engine that runs programs is kept once it was loaded, and lives without a server.
func TestProgramsWithoutNetwork(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.publish(t, "One")
	s.up(t)
	p := newKeepingPage(t)
	p.allow("ERR_CONNECTION_REFUSED|Failed to update a ServiceWorker|error occurred when fetching the script")
	p.open(s.url + "/")
	p.ready()
	p.until("navigator.serviceWorker.ready.then(r => !!r.active)")
	p.reload() // from now on by way of what is kept
	p.ready()
	p.choose(test("policy-picker", "lane", "A"), "own")
	p.ready()
	p.click(test("editor-open"))
	p.see(test("program-template", "lane", "A"))
	p.choose(test("program-template", "lane", "A"), "las")
	p.ready()
	hash := p.hash("own")
	if hash == "" {
		t.Fatal("the program did not run")
	}
	s.stop()
	p.reload()
	p.ready()
	if got := p.hash("own"); got != hash {
		t.Errorf("without a server the program gives the trace %q, before %q", got, hash)
	}
}
