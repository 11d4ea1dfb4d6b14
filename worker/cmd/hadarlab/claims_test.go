package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/claims"
)

// TestClaims: the board is printed as it is recorded, a row is run to the same digits from the start and from what was
// kept, and mistakes are named with their fix.
func TestClaims(t *testing.T) {
	board, err := claims.Board()
	if err != nil {
		t.Fatal(err)
	}
	out, errs, code := cli(t, "", "claims")
	if code != exitOK || errs != "" {
		t.Fatalf("code %d, %s", code, errs)
	}
	for _, s := range board {
		if !strings.Contains(out, s.Claim.ID) || !strings.Contains(out, string(s.Verdict)) {
			t.Errorf("the table lacks %s", s.Claim.ID)
		}
	}
	out, _, _ = cli(t, "", "claims", "--format", "json")
	var rows []claims.Row
	if err := json.Unmarshal([]byte(out), &rows); err != nil || len(rows) != len(board) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	lines, _, _ := cli(t, "", "claims", "--format", "csv")
	if head, _, _ := strings.Cut(lines, "\n"); !strings.HasPrefix(head, "claim,form,choice") {
		t.Errorf("the head is %s", head)
	}

	// A program of forty lines that knows nothing of ours comes to the same verdicts from the CSV.
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatal("python3 is not there: e2e/tools.sh installs it")
	}
	program := exec.Command("python3", "../../../examples/papers/verdicts.py")
	program.Stdin = strings.NewReader(lines)
	theirs, err := program.CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, theirs)
	}
	for _, r := range rows {
		if r.Mean == nil {
			continue
		}
		want := fmt.Sprintf("%s,%.3f,%.3f,%.3f,%s\n", r.ID, *r.Mean, *r.Low, *r.High, r.Verdict)
		if got := regexp.MustCompile(regexp.QuoteMeta(r.ID) + ",.*\n").FindString(string(theirs)); !alike(got, want) {
			t.Errorf("from the CSV follows %s; the board has %s", got, want)
		}
	}

	keep := t.TempDir()
	args := []string{"claims", "--small", "--seeds", "3", "--keep", keep, "--format", "json", "hadar-2025-total-time"}
	first, errs, code := cli(t, "", args...)
	kept, _ := filepath.Glob(filepath.Join(keep, "*.json"))
	if code != exitOK || len(kept) != 6 {
		t.Fatalf("code %d, %d runs are kept, want three seeds of two lanes: %s", code, len(kept), errs)
	}
	if err := os.WriteFile(kept[0], []byte("cut of"), 0o600); err != nil {
		t.Fatal(err)
	}
	if again, _, _ := cli(t, "", args...); again != first || !strings.Contains(first, `"verdict"`) {
		t.Errorf("from what was kept it is\n%s\nnot\n%s", again, first)
	}

	for _, c := range []struct{ args, says string }{
		{"claims no-such", "there is no claim \"no-such\""},
		{"claims --seeds 1 hadar-2025-total-time", "--seeds"},
		{"claims --seeds 3 --record x.json hadar-2025-total-time", "leave --seeds and --small out"},
	} {
		if _, errs, code := cli(t, "", strings.Fields(c.args)...); code != exitUsage ||
			!strings.Contains(errs, c.says) {
			t.Errorf("%s: code %d, %s", c.args, code, errs)
		}
	}
}

// alike says whether two lines of figures have the same words, and figures within 0.2 % or what a digit of them is: the
// table of Student's t there has five digits.
func alike(a, b string) bool {
	x, y := strings.Split(a, ","), strings.Split(b, ",")
	for i := range x {
		v, wrong := strconv.ParseFloat(x[i], 64)
		if wrong != nil {
			if i >= len(y) || x[i] != y[i] {
				return false
			}
			continue
		}
		if w, _ := strconv.ParseFloat(y[i], 64); math.Abs(v-w) > 0.0015+math.Abs(w)/500 {
			return false
		}
	}
	return len(x) == len(y)
}
