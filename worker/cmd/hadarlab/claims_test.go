package main

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/claims"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
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
	data, _, _ := cli(t, "", "claims", "--format", "json")
	var rows []claims.Row
	if err := json.Unmarshal([]byte(data), &rows); err != nil || len(rows) != len(board) {
		t.Errorf("%d rows, %v", len(rows), err)
	}
	for i, r := range rows {
		if !slices.Contains([]string{"reproduced", "direction", "not-reproduced", "cannot-be-tried"}, r.Verdict) {
			t.Errorf("%s has the verdict %s", r.ID, r.Verdict)
		}
		if doc := board[i].Claim.Open(1); doc == nil {
			if r.Scenario != "" {
				t.Errorf("%s has a scenario from nowhere", r.ID)
			}
		} else if to, diags := link.Decode(r.Scenario); to == nil || to.ID(lab.Defaults()) != doc.ID(lab.Defaults()) {
			t.Errorf("%s names another scenario than the page opens: %v", r.ID, diags)
		}
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
		if r.Ours.Value == nil {
			continue
		}
		want := fmt.Sprintf("%s,%.3f,%.3f,%.3f,%s\n", r.ID, *r.Ours.Value, *r.Ours.Low, *r.Ours.High, r.Verdict)
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
	var run []claims.Row
	if err := json.Unmarshal([]byte(first), &run); err != nil || len(run) != 1 {
		t.Fatalf("%d rows, %v", len(run), err)
	}
	for _, s := range board { // what the command runs is what the board, its page and its print have, to the digit
		if s.Claim.ID != run[0].ID {
			continue
		}
		small, _ := s.Record.Small.Figures(s.Unit, s.World.Value.Good)
		if !slices.Equal(run[0].Ours.Seeds, small) {
			t.Errorf("%s: run anew it comes to %v, recorded is %v", s.Claim.ID, run[0].Ours.Seeds, small)
		}
		file := filepath.Join(keep, "seed-1.txt")
		if err := os.WriteFile(file, s.Claim.Open(1).Marshal(false), 0o600); err != nil {
			t.Fatal(err)
		}
		one, errs, code := cli(t, "", "run", "--format", "json", file)
		var result struct {
			Runs []struct{ Metrics message.Metrics }
		}
		if err := json.Unmarshal([]byte(one), &result); err != nil || code != exitOK || len(result.Runs) != 2 {
			t.Fatalf("code %d, %v: %s", code, err, errs)
		}
		a, b := result.Runs[0].Metrics.MakespanS, result.Runs[1].Metrics.MakespanS
		if a != s.Record.Small.Of[0][0] || b != s.Record.Small.Against[0][0] {
			t.Errorf("%s: hadarlab run has %v and %v s, recorded are %v and %v", s.Claim.ID, a, b,
				s.Record.Small.Of[0][0], s.Record.Small.Against[0][0])
		}
	}
	for _, paper := range newClaimsPage(board).Papers {
		for _, r := range paper.Rows {
			line := regexp.MustCompile(`(?m)^` + r.Claim.ID + ` .*$`).FindString(out)
			if !strings.Contains(line, r.Mean) || !strings.Contains(line, r.Interval) {
				t.Errorf("%s: the page has %s (%s), the command line %s", r.Claim.ID, r.Mean, r.Interval, line)
			}
			if r.World != nil && r.World.Alone == nil &&
				(r.Drawn == nil || strings.Contains(string(r.Drawn.SVG), "NaN")) {
				t.Errorf("%s has no picture in the form of its paper, or one of no numbers", r.Claim.ID)
			}
		}
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
