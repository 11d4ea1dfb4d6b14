package e2e

import (
	"bufio"
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/simtest"
)

// TestWorkGrowsAsRunsDo: what a command does with a run, in statements executed in the core, grows as the run does, and
// is at most three times the run's own. Statements are counted by the coverage of a program built for it: the same
// number on every machine, and no loop is left out because nobody thought of it.
func TestWorkGrowsAsRunsDo(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	program := filepath.Join(dir, "hadarlab")
	build := exec.Command("go", "build", "-cover", "-covermode=count", "-coverpkg=hadarlab/core/...,hadarlab/worker/cmd/hadarlab", "-o", program,
		"hadarlab/worker/cmd/hadarlab")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	work := func(doc []byte, args ...string) float64 {
		t.Helper()
		counts, err := os.MkdirTemp(dir, "counts")
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command(program, append(args, "-")...)
		c.Stdin, c.Env = bytes.NewReader(doc), append(os.Environ(), "GOCOVERDIR="+counts)
		var problems bytes.Buffer
		c.Stderr = &problems
		if err := c.Run(); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, problems.String())
		}
		return executed(t, counts)
	}
	const short, long = 20_000, 80_000                 // s
	random := func(seed int, horizon float64) []byte { // jobs that last as long as they are let
		doc, diags := scenario.Parse(simtest.Document(seed), scenario.FileLimits)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		sc := &doc.Scenario
		sc.HorizonS, sc.RoundS, sc.Policies = horizon, 20, nil
		for i := range sc.Jobs {
			sc.Jobs[i].Steps *= 1000
		}
		return doc.Marshal(false)
	}
	third := func(horizon float64) []byte { return random(3, horizon) }
	for _, c := range []struct {
		name, policy string
		doc          func(horizon float64) []byte
	}{
		{"long waits", "gavel-makespan", simtest.LongWaits}, {"random, copies", "hadare", third},
	} {
		run := [2]float64{}
		for i, horizon := range []float64{short, long} {
			run[i] = work(c.doc(horizon), "run", "--format", "json", "--policy", c.policy)
		}
		grows := run[1] / run[0]
		if !(grows >= 2.5) {
			t.Errorf("%s: the run grows by %.2f only: the document does not show how work grows", c.name, grows)
		}
		for _, format := range lab.ExportFormats {
			more := [2]float64{}
			for i, horizon := range []float64{short, long} {
				more[i] = work(c.doc(horizon), "export", "--format", format, "--policy", c.policy) - run[i]
				t.Logf("%s, %s, %g s: run %.3g, export %.3g more, %.2f times", c.name, format, horizon, run[i], more[i],
					more[i]/run[i])
			}
			if by := more[1] / max(more[0], run[0]/10); by > 1.5*grows {
				t.Errorf("%s: %s takes %.2f times the work where the run takes %.2f", c.name, format, by, grows)
			}
			if more[1] > 3*run[1] {
				t.Errorf("%s: %s takes %.2f times the work of its run", c.name, format, more[1]/run[1])
			}
		}
	}
	policies := []string{"hadar", "hadare", "gavel-las", "tiresias", "dally", "yarn-cs", "srtf"}
	for seed, id := range policies {
		doc := random(seed, short)
		run := work(doc, "run", "--format", "json", "--policy", id)
		for _, format := range lab.ExportFormats {
			more := work(doc, "export", "--format", format, "--policy", id) - run
			t.Logf("document %d, %s, %s: run %.3g, export %.3g more, %.2f times", seed, id, format, run, more, more/run)
			if more > 3*run {
				t.Errorf("document %d under %s: %s takes %.2f times the work of its run", seed, id, format, more/run)
			}
		}
	}
}

// executed adds up how many statements were executed.
func executed(t *testing.T, counts string) (sum float64) {
	t.Helper()
	text := filepath.Join(counts, "text")
	out, err := exec.Command("go", "tool", "covdata", "textfmt", "-i="+counts, "-o="+text).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	f, err := os.Open(text)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		parts := strings.Fields(lines.Text()) // where, statements, times
		if len(parts) == 3 {
			statements, _ := strconv.ParseFloat(parts[1], 64)
			times, _ := strconv.ParseFloat(parts[2], 64)
			sum += statements * times
		}
	}
	return sum
}
