package main

import (
	"encoding/json"
	"os"
	"path/filepath"
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
