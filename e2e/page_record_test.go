package e2e

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/message"
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
	p := visit(t, native(t), "/")
	eval[bool](p, savedFiles+" true")
	p.drop("mine.jsonl", record)
	p.see(test("lane", "policy", "recorded"))
	p.ready()
	if got := p.hash("recorded"); got != want.Runs[0].TraceHash {
		t.Errorf("the page's trace is %s, the command line's %s", got, want.Runs[0].TraceHash)
	}
	if got := p.text(test("lane", "policy", "recorded")); !strings.Contains(got, "Record of python3 srtf.py") {
		t.Errorf("the lane is called %q", got)
	}
	if got := p.text(test("toast")); !strings.Contains(got, "A saved scenario holds the record: ") {
		t.Errorf("its size is not told: %q", got)
	}
	mean := eval[float64](p,
		`Number(document.querySelector("[data-test=metric][data-policy=recorded][data-metric=avg_jct_s]").dataset.value)`)
	if mean != want.Runs[0].Metrics.AvgJCTS {
		t.Errorf("the mean completion is %v s, the command line's %v s", mean, want.Runs[0].Metrics.AvgJCTS)
	}
	p.shots("record")

	p.click(test("lane", "policy", "recorded") + " " + test("bar"))
	p.until(`!!document.querySelector("[data-test=why-sentence]")?.innerText.includes("a recorded decision, taken at")`)
	if p.has(test("flip-ask")) || p.has(test("force")) || !p.has(test("why-recorded")) {
		t.Error("the panel asks what no record can say")
	}

	saved := p.save(test("save-scenario"))
	file := filepath.Join(t.TempDir(), "saved.json")
	if err := os.WriteFile(file, []byte(saved.Text), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := commanded(t, "run", "--format", "csv", file); !strings.Contains(got, want.Runs[0].TraceHash) {
		t.Errorf("the saved scenario runs otherwise: %s", got)
	}
	p.click(test("share"))
	p.see(test("share-stays"))
	if p.has(test("share-link")) || p.has(test("share-make-short")) {
		t.Error("there is a link to a record")
	}
	p.key("Escape")

	p.click(test("first-gpus") + " [data-by='1']")
	p.until(`!!document.querySelector("[data-test=lane-refused]")?.innerText.includes("The record is of another cluster")`)
	p.ready()
	if p.hash("recorded") != "" {
		t.Error("a lane whose record does not fit shows a run")
	}
	p.german(test("lane-refused"), "Die Aufzeichnung ist von einem anderen Cluster", "record")
	_ = fmt.Sprint
}
