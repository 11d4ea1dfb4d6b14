package e2e

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp/kb"
)

// A few rows of three kinds of traces, in their own forms.
const (
	gavelRows  = "ResNet-18 (batch size 32)\tpython3 main.py\timage\t--steps\t1\t4000\t1\t1\t-1\t0\nLM (batch size 80)\tx\ty\t--steps\t1\t9000\t2\t1\t-1\t30\n"
	polluxRows = "name,time,application,num_replicas,batch_size\ncifar10-0,0,cifar10,6,2048\nbert-3,90,bert,1,12\n"
	heliosRows = "job_id,user,gpu_num,cpu_num,node_num,state,submit_time,start_time,end_time,duration,queue\n" +
		"1,u1,1,4,1,COMPLETED,2020-04-01 00:00:10,2020-04-01 00:00:12,2020-04-01 00:10:12,600,2\n2,u2,0,4,1,COMPLETED,2020-04-01 00:00:11,2020-04-01 00:00:12,2020-04-01 00:10:12,600,1\n"
)

// TestTraceOfSeveralWorkloads: of a file that holds several, the first is read; another one can be chosen, and none of
// the rows counts as dropped. Its text can be pasted as well.
func TestTraceOfSeveralWorkloads(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	const rows = "workload,job,app,arrival_s,replicas,batch\n1,0,cifar10,5,6,2048\n1,1,ncf,9,1,32768\n2,0,bert,7,8,384\n"
	pasted := func(css string) {
		t.Helper()
		eval[bool](p, fmt.Sprintf(`(e => { const t = new DataTransfer(); t.setData("text/plain", %q);
			e.dispatchEvent(new ClipboardEvent("paste", {clipboardData: t, bubbles: true, cancelable: true})); return true })(%s)`, rows, css))
	}
	pasted("document.body")
	p.see(test("import-report"))
	if got := p.text(test("import-report")); !strings.Contains(got, "2 rows read, 2 kept, 0 dropped; 2 jobs") ||
		!strings.Contains(got, "which are 1, 2; the others are not read") {
		t.Errorf("the report says %q", got)
	}
	p.choose(test("import-workload"), "2")
	p.until(
		"document.querySelector('[data-test=import-report]')?.innerText.includes('1 row read, 1 kept, 0 dropped; 1 job')")
	p.shots("import-workload")
	p.click(test("import-cancel"))
	p.click(test("editor-open"))
	p.see(test("editor"))
	p.click(test("editor-json-tab"))
	p.see(test("editor-json"))
	p.put(test("editor-json"), rows)
	p.click(test("editor-json-apply"))
	p.see(test("import-report"))
	p.click(test("import-use"))
	p.until(
		"document.querySelector('.top .sub')?.innerText && document.querySelectorAll('[data-job=cifar10-0]').length > 0")
	p.ready()
}

func TestTracesArePreviewed(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	for _, c := range []struct{ name, content, says string }{
		{"rows.trace", gavelRows, "2 rows read, 2 kept, 0 dropped; 2 jobs. Format gavel, told from the content."},
		{"workload.csv", polluxRows, "Format pollux-csv, told from the content."},
		{"log.csv", heliosRows, "2 rows read, 1 kept, 1 dropped; 1 job. Format helios"},
	} {
		p.drop(c.name, c.content)
		p.see(test("import-report"))
		if got := p.text(test("import-report")); !strings.Contains(got, c.says) || !strings.Contains(got, "Assumed: ") {
			t.Errorf("%s: the report says %q", c.name, got)
		}
		p.click(test("import-cancel"))
		p.frames()
	}
	if p.hash("hadar") != example || p.count(test("import")) != 0 {
		t.Error("looking at traces changes the scenario")
	}

	p.drop("rows.trace", gavelRows)
	p.see(test("import-report"))
	const narrow = `[...document.querySelectorAll(".asking label")].filter(l => l.clientWidth < 80)
		.map(l => l.innerText).join()`
	if broken := eval[string](p, narrow); broken != "" {
		t.Errorf("names of fields are broken within a word: %s", broken)
	}
	p.accessible("import dialog")
	p.shots("import")
	p.fill(test("import-first"), "1")
	p.until("document.querySelector('[data-test=import-report]')?.innerText.includes('1 row read')")
	p.fill(test("import-cluster"), "v100")
	p.until("document.querySelector('[data-test=import-problem]')?.innerText.includes('v100=8,p100=16')")
	p.fill(test("import-cluster"), "v100=2")
	p.until(
		"document.querySelector('[data-test=import-report]')?.innerText.includes('1 row read') && !document.querySelector('[data-test=import-problem]')")
	p.fill(test("import-first"), "2")
	p.fill(test("import-sample"), "1")
	p.fill(test("import-divisor"), "none")
	p.until("document.querySelector('[data-test=import-problem]')?.innerText.includes('divisor of arrivals')")
	p.fill(test("import-divisor"), "2")
	p.fill(test("import-seed"), "7")
	p.fill(test("import-per-node"), "1")
	p.until(
		"document.querySelector('[data-test=import-report]')?.innerText.includes('2 rows read') && document.querySelector('[data-test=import-report]').innerText.includes('1 job.')")
	p.shots("import-sample")
	p.click(test("import-use"))
	p.settles("hadar", example)
	if got := p.text(test("toast")); !strings.Contains(got, "1 job from rows.trace") {
		t.Errorf("the page says %q", got)
	}
	p.click(test("toast-undo"))
	p.until(fmt.Sprintf("document.querySelector('[data-test=lane]').dataset.hash === %q", example))
}

// TestTraceWhoseReaderDoesNotCome: the dialog says that what reads traces could not be loaded, and reads the trace when
// it is asked again; while it is being loaded it says so and can be left. The scenario stays, and can be run.
func TestTraceWhoseReaderDoesNotCome(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	example := p.hash("hadar")
	eval[bool](p, `(() => { const fetch = window.fetch;
		window.comes = new Promise((_, no) => { window.lose = () => no(new TypeError("Failed to fetch")); });
		window.fetch = (at, ...with_) => String(at).includes("programs.wasm")
			? window.comes.then(() => fetch(at, ...with_)) : fetch(at, ...with_);
		return true })()`)
	p.drop("rows.trace", gavelRows)
	p.see(test("import-reading"))
	p.accessible("import dialog while it reads")
	p.shots("import-reading")
	eval[bool](p, "(window.lose(), true)")
	p.until("document.querySelector('[data-test=import-problem]')?.innerText.includes(" +
		"'The trace was not read: what reads traces could not be loaded: Failed to fetch')")
	if p.count(test("import-use")+"[disabled]") == 0 || p.count(test("import-reading")) != 0 {
		t.Error("what was not read can be used, or is still being read")
	}
	eval[bool](p, "(window.comes = new Promise(yes => { window.come = yes; }), true)")
	p.choose(test("import-format"), "gavel")
	p.see(test("import-reading"))
	p.press(kb.Escape)
	p.until("!document.querySelector('[data-test=import]')")
	eval[bool](p, "(window.come(), true)")
	p.drop("rows.trace", gavelRows)
	p.see(test("import-report"))
	if p.hash("hadar") != example {
		t.Error("what was not used changes the scenario")
	}
	p.click(test("import-use"))
	p.settles("hadar", example)
}

// TestFormatOfARefusedTrace: what is refused for its guessed format can be read as another.
func TestFormatOfARefusedTrace(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	p.drop("words.txt", "nothing but words\nand more\n")
	p.see(test("notice-format"))
	p.click(test("notice-format"))
	p.see(test("import-format"))
	eval[bool](
		p, fmt.Sprintf(
			"(e => { e.value = 'swf'; e.dispatchEvent(new Event('change', {bubbles: true})); return true })(document.querySelector(%q))", test("import-format")))
	p.until("document.querySelector('[data-test=import-problem]')?.innerText.includes('none of the')")
	if p.count(test("import-use")+"[disabled]") == 0 {
		t.Error("what cannot be used can be pressed")
	}
	p.press(kb.Escape)
	p.until("!document.querySelector('[data-test=import]')")
}

// TestHostileTraces: names in a trace are text, wherever the dialog shows them.
func TestHostileTraces(t *testing.T) {
	t.Parallel()
	const evil = `<img src=x onerror=window.hacked=1>`
	p := visit(t, native(t), "/")
	p.drop(evil+".csv", "id,model,gpus,steps,"+evil+"\na,resnet-50,1,5000,1\nb,"+evil+",1,5000,1\n"+evil+
		",resnet-50,1,1,1\n")
	p.see(test("import-report"))
	if got := p.text(test("import-report")); !strings.Contains(got, "2 dropped") || !strings.Contains(got, "<img") {
		t.Errorf("the report says %q", got)
	}
	p.click(test("import-use"))
	p.ready()
	if eval[bool](p, "window.hacked === 1") || p.count("img") != 0 {
		t.Error("a name became markup")
	}
}

// TestLongTraceDoesNotFreezeThePage reads 50 MB and looks at how long the page is held up meanwhile.
func TestLongTraceDoesNotFreezeThePage(t *testing.T) {
	p := odd(t, native(t))
	eval[bool](p, `(() => {
		window.longest = 0;
		let last = performance.now();
		const tick = () => { const now = performance.now(); longest = Math.max(longest, now - last); last = now; setTimeout(tick, 4); };
		const row = ",transformer,60,1,4000" + " ".repeat(480) + "\n";
		const parts = ["id,model,arrival_s,gpus,steps\n"];
		for (let i = 0; i < 100000; i++) parts.push("r" + i + row);
		const t = new DataTransfer(); t.items.add(new File(parts, "long.csv"));
		window.dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true}));
		setTimeout(() => { last = performance.now(); longest = 0; tick(); }, 0);
		return true })()`)
	p.until(
		"document.querySelector('[data-test=import-report]')?.innerText.includes('2000 rows read') || document.querySelector('[data-test=import-report]')?.innerText.includes('2,000 rows read')")
	p.fill(test("import-first"), "0")
	p.until("document.querySelector('[data-test=import-problem]')?.innerText.includes('up to 20000 jobs')")
	if got := p.text(test("import-problem")); !strings.Contains(got, "hadarlab import FILE") {
		t.Errorf("the message says %q", got)
	}
	t.Logf("longest time without the browser's turn: %.0f ms", eval[float64](p, "longest"))
	p.press(kb.Escape)
	eval[bool](p, `(() => { const t = new DataTransfer(); t.items.add(new File([new Uint8Array(70 << 20)], "huge.csv"));
		window.dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true})); return true })()`)
	p.until("document.querySelector('[data-test=notice]')?.innerText.includes('hadarlab import FILE')")
}
