package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestFuzzTellsFindingsFromDelays runs the script with a Go command that acts five targets: all are run, and only those
// with a finding make it fail.
func TestFuzzTellsFindingsFromDelays(t *testing.T) {
	t.Parallel()
	acted := filepath.Join(t.TempDir(), "go")
	script := `#!/bin/sh
case "$*" in
list*) echo a b;;
*-list*b) echo FuzzLast; echo ok;;
*-list*) printf "FuzzLate\nFuzzFine\nFuzzCrash\nFuzzSeed\nok a\n";;
*FuzzLate*) printf -- "--- FAIL: FuzzLate (30.03s)\n    context deadline exceeded\nFAIL\n"; exit 1;;
*FuzzCrash*) printf -- "--- FAIL: FuzzCrash (1.03s)\n"
	printf "    --- FAIL: FuzzCrash (0.00s)\n"
	printf "    Failing input written to testdata/fuzz/FuzzCrash/1\n    context deadline exceeded\nFAIL\n"; exit 1;;
*FuzzSeed*) printf -- "--- FAIL: FuzzSeed (0.03s)\n    --- FAIL: FuzzSeed/seed#0 (0.00s)\nFAIL\n"; exit 1;;
*) echo "ok $*";;
esac
`
	if err := os.WriteFile(acted, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	run := func(of string) (string, error) {
		c := exec.Command("./fuzz.sh", of)
		c.Env = append(os.Environ(), "GO="+acted)
		out, err := c.CombinedOutput()
		return string(out), err
	}
	out, err := run("./...")
	if err == nil || !strings.Contains(out, "b FuzzLast") ||
		!strings.Contains(out, "failed: a.FuzzCrash a.FuzzSeed\n") ||
		!strings.Contains(out, "without a finding: a.FuzzLate\n") {
		t.Errorf("%v\n%s", err, out)
	}
	script = strings.ReplaceAll(strings.ReplaceAll(script, `FuzzCrash\n`, ""), `FuzzSeed\n`, "")
	if err := os.WriteFile(acted, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	if out, err := run("./..."); err != nil || !strings.Contains(out, "b FuzzLast") {
		t.Errorf("a delay alone: %v\n%s", err, out)
	}
}
