package e2e

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/message"

	"github.com/chromedp/chromedp/kb"
)

// commanded runs the native server's program as a command, in a folder of its own.
func commanded(t *testing.T, args ...string) string {
	t.Helper()
	native(t) // which builds it
	cmd := exec.Command(filepath.Join(scratch, "hadarlab"), args...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(args, err)
	}
	return string(out)
}

// TestARecordOpensInThePage: what a program in Python decided on the command line is a lane of the page, with the same
// mean completion; its decisions are told as recorded, an edit ends it with a reason, links refuse it, and what is
// saved runs on the command line.
func TestARecordOpensInThePage(t *testing.T) {
	t.Parallel()
	const program = "exec:python3 examples/exec/srtf.py"
	record := commanded(t, "export", "--format", "decisions", "--policy", program, "preset:whose-round")
	var want message.Result
	if err := json.Unmarshal([]byte(commanded(t, "run", "--format", "json", "--policy", program, "preset:whose-round")),
		&want); err != nil {
		t.Fatal(err)
	}
	p := newVisitor(t)
	p.first(savedFiles)
	p.open(native(t).url + "/")
	p.ready()
	p.drop("mine.jsonl", record)
	p.until(`!!document.querySelector("[data-test=toast]")?.innerText.includes("A saved scenario holds the record: ")`)
	p.see(test("lane", "policy", "recorded"))
	p.ready()
	if got := p.hash("recorded"); got != want.Runs[0].TraceHash {
		t.Errorf("the page's trace is %s, the command line's %s", got, want.Runs[0].TraceHash)
	}
	if got := p.text(test("lane", "policy", "recorded")); !strings.Contains(got, "Record of python3 srtf.py") {
		t.Errorf("the lane is called %q", got)
	}
	mean := eval[float64](p,
		`Number(document.querySelector("[data-test=metric][data-policy=recorded][data-metric=avg_jct_s]").dataset.value)`)
	if mean != want.Runs[0].Metrics.AvgJCTS {
		t.Errorf("the mean completion is %v s, the command line's %v s", mean, want.Runs[0].Metrics.AvgJCTS)
	}
	p.shots("record")

	p.click(test("lane", "policy", "recorded") + " " + test("bar"))
	p.until(`!!document.querySelector("[data-test=why-sentence]")?.innerText.includes("a recorded decision, taken at")`)
	if p.count(test("flip-ask"))+p.count(test("force")) > 0 || p.count(test("why-recorded")) == 0 {
		t.Error("the panel asks what no record can say")
	}

	p.click(test("share-link"))
	p.see(test("share-stays"))
	if p.count(test("share-copy"))+p.count(test("share-make-short")) > 0 {
		t.Error("there is a link to a record")
	}
	p.click(test("share-save"))
	p.until("saved.length > 0")
	saved := eval[string](p, "saved.at(-1).text")
	file := filepath.Join(t.TempDir(), "saved.json")
	if err := os.WriteFile(file, []byte(saved), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := commanded(t, "run", "--format", "csv", file); !strings.Contains(got, want.Runs[0].TraceHash) {
		t.Errorf("the saved scenario runs otherwise: %s", got)
	}
	p.press(kb.Escape)

	p.click(test("first-gpus") + " " + test("editor-gpus-more"))
	p.until(`!!document.querySelector("[data-test=lane-refused]")?.innerText.includes("The record is of another cluster")`)
	p.ready()
	if p.hash("recorded") != "" {
		t.Error("a lane whose record does not fit shows a run")
	}
	p.click(test("language-next"))
	p.german(test("lane-refused"), "Die Aufzeichnung ist von einem anderen Cluster", "The record")
}
