package e2e

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// drop drops a file on the page, as from a folder.
func (p *page) drop(name, content string) {
	p.t.Helper()
	bytes := strings.Trim(strings.ReplaceAll(fmt.Sprint([]byte(content)), " ", ","), "[]")
	eval[bool](
		p, fmt.Sprintf(
			`(() => { const t = new DataTransfer(); t.items.add(new File([new Uint8Array([%s])], %q)); window.dispatchEvent(new DragEvent("drop", {dataTransfer: t, bubbles: true, cancelable: true})); return true })()`, bytes, name))
	p.frames()
}

// savedFiles keeps what the page hands out in place of downloading it.
const savedFiles = `window.saved = [];
let handed;
URL.createObjectURL = (f => blob => { handed = blob.text(); return f.call(URL, blob); })(URL.createObjectURL);
HTMLAnchorElement.prototype.click = function () { const name = this.download; handed.then(text => saved.push({name, text})); };`

type savedFile struct{ Name, Text string }

// save presses a button of the Save menu and gives what comes out.
func (p *page) save(css string) savedFile {
	p.t.Helper()
	before := eval[int](p, "saved.length")
	p.click(test("save") + " summary")
	p.click(css)
	p.until(fmt.Sprintf("saved.length > %d", before))
	return savedFile{eval[string](p, "saved.at(-1).name"), eval[string](p, "saved.at(-1).text")}
}

func TestFilesThatCannotBeOpenedSayWhy(t *testing.T) {
	t.Parallel()
	p := visit(t, native(t), "/")
	hash := p.hash("hadar")
	const head = "id,model,batch,arrival_s,gpus,steps\n"
	for _, c := range []struct{ name, content, says string }{
		{"sheet.xlsx", "PK\x03\x04rest", "a spreadsheet or an archive"},
		{"trace.csv.gz", "\x1f\x8b\x08rest", "compressed"},
		{"picture.png", "\x89PNG\r\n\x1a\n\x00\x00", "not text"},
		{"page.csv", "<!doctype html><title>404</title>", "a web page"},
		{"jobs.csv", "id,model,arrival_s,gpus\nx,resnet-50,0,1\n", "no column steps"},
		{"empty.csv", "", "the trace is empty"},
		{"other.csv", head + "x,unknown,64,0,1,1000\n", "none of the 1 row"},
		{"words.txt", "nothing but words\nand more\n", "of no format that is known"},
		{"broken.json", `{"kind":"scenario",`, "The scenario stays as it was"},
		{"else.json", `{"kind":"result","version":1}`, "The scenario stays as it was"},
	} {
		p.drop(c.name, c.content)
		p.until(fmt.Sprintf("document.querySelector('[data-test=notice]')?.innerText.includes(%q)", c.name))
		if got := p.text(test("notice")); !strings.Contains(got, c.says) || len(got) < len(c.name)+60 {
			t.Errorf("%s: the notice says %q, want %q in it and a way out", c.name, got, c.says)
		}
		if p.hash("hadar") != hash || p.attr(test("lab"), "data-state") != "ready" {
			t.Errorf("%s: the scenario does not stay", c.name)
		}
	}
	p.shots("bad-file")
}

func TestDroppedTablesAndScenarios(t *testing.T) {
	t.Parallel()
	p := odd(t, native(t))
	hash := p.hash("hadar")
	for name, content := range map[string]string{
		"comma.csv":     "id,model,arrival_s,gpus,steps\na,resnet-50,0,2,5000\nb,transformer,60,1,4000\n",
		"semicolon.csv": "id;model;arrival_s;gpus;steps\na;resnet-50;0;2;5000\nb;transformer;60;1;4000\n",
		"marked.csv":    "\ufeffid,model,arrival_s,gpus,steps\r\na,resnet-50,0,2,5000\r\nb,transformer,60,1,4000\r\nc,transformer,60,many,4000\r\n",
	} {
		p.drop(name, content)
		p.see(test("import-report"))
		report := p.text(test("import-report"))
		if !strings.Contains(report, "2 jobs.") || !strings.Contains(report, "Assumed: cluster, speeds") {
			t.Errorf("%s: the report says %q", name, report)
		}
		if left := strings.Contains(report,
			"1 dropped: gpus is not a number; first in line 4"); left != (name == "marked.csv") {
			t.Errorf("%s: of dropped rows the report says %q", name, report)
		}
		if p.hash("hadar") != hash || p.count(".sum tr[data-job]") != 6 {
			t.Errorf("%s: the scenario changes before the trace is used", name)
		}
		p.click(test("import-use"))
		hash = p.settles("hadar", hash)
		if n := p.count(".sum tr[data-job]"); n != 2 {
			t.Errorf("%s: %d jobs, want 2", name, n)
		}
		if said := p.text(test("toast")); !strings.Contains(said, "2 jobs from "+name) {
			t.Errorf("%s: the page says %q", name, said)
		}
		p.click(test("toast-undo"))
		hash = p.settles("hadar", hash)
		if n := p.count(".sum tr[data-job]"); n != 6 {
			t.Errorf("%s: undo does not bring the jobs back", name)
		}
	}
	p.drop("second.json", string(preset(t, 2)))
	p.settles("hadar", hash)
	if !strings.Contains(p.text(test("toast")), "Opened second.json") {
		t.Errorf("the page says %q", p.text(test("toast")))
	}
}

func TestSavedFilesAreWhole(t *testing.T) {
	t.Parallel()
	p := newPage(t)
	p.first(savedFiles)
	p.open(native(t).url + "/")
	p.ready()
	want := natively(t, preset(t, 0))
	f := p.save(test("save-result"))
	var got struct {
		Runs []struct {
			Hash string `json:"trace_hash"`
		} `json:"runs"`
	}
	if err := json.Unmarshal([]byte(f.Text), &got); err != nil || f.Name != "whose-round-is-worth-most-result.json" ||
		len(got.Runs) != 2 || got.Runs[1].Hash != want.Runs[1].TraceHash {
		t.Errorf("%s: %v, %+v", f.Name, err, got)
	}
	f = p.save(test("save-csv"))
	if rows := strings.Count(f.Text, "\n"); f.Name != "whose-round-is-worth-most-jobs.csv" || rows != 9 ||
		!strings.HasPrefix(f.Text, "policy,job,") || !strings.Contains(f.Text, ",done\n") {
		t.Errorf("%s has %d lines: %.80q", f.Name, rows, f.Text)
	}
	f = p.save(test("save-svg", "lane", "B"))
	if f.Name != "whose-round-is-worth-most-gavel-las.svg" || !strings.HasPrefix(f.Text, "<svg xmlns=") ||
		strings.Contains(f.Text, "partial") {
		t.Errorf("%s: %.80q", f.Name, f.Text)
	}
}
