package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestProgramsOutside: a scheduler in Python is a lane beside the others, explained too; its process ends with the run,
// and what is wrong with a command is told.
func TestProgramsOutside(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Fatal("python3 is not there: e2e/tools.sh installs it")
	}
	const preset = "preset:whose-round"
	example := func(program string, rest ...string) []string {
		return append([]string{"--policy", program}, append(rest, preset)...)
	}
	out, errs, code := apart(t, append([]string{"run"},
		example("exec:python3 ../../../examples/exec/srtf.py,srtf", "--format", "csv")...)...)
	if rows := strings.Count(out, ",done,"); code != exitOK || rows != 2 || errs != "" {
		t.Errorf("code %d, %d lanes:\n%s%s", code, rows, out, errs)
	}
	out, _, _ = apart(t, append([]string{"run"}, example("exec:python3 ../../../examples/exec/srtf.py,srtf")...)...)
	if named := `exec: "SRTF in Python": Gangs that were refused`; !strings.Contains(out, named) {
		t.Errorf("the name that the program gives itself is not shown:\n%s", out)
	}
	out, _, code = apart(t, append([]string{"explain", "--round", "1"},
		example("exec:python3 ../../../examples/exec/srtf.py")...)...)
	if code != exitOK || !strings.Contains(out, "s left at best") {
		t.Errorf("code %d, it is not explained:\n%s", code, out)
	}
	whole, _, _ := apart(t, append([]string{"run"}, example("exec:python3 ../../../examples/exec/srtf.py,srtf",
		"--with-scenario", "--format", "json")...)...)
	file := filepath.Join(t.TempDir(), "result.json")
	if err := os.WriteFile(file, []byte(whole), 0o600); err != nil {
		t.Fatal(err)
	}
	out, errs, code = apart(t, "verify", file)
	if code != exitFailed || !strings.Contains(out, "exec, seed 0: not run again") ||
		!strings.Contains(out, "srtf, seed 0: same") || errs != "" {
		t.Errorf("verify: code %d\n%s%s", code, out, errs)
	}
	for command, want := range map[string]string{
		"exec:":              "has no command behind it",
		"exec:no-such-thing": "executable file not found",
		"exec:true":          "/scenario/policies/0: The program",
	} {
		if _, errs, code := apart(t, append([]string{"run"}, example(command)...)...); code == exitOK ||
			!strings.Contains(errs, want) {
			t.Errorf("%s: code %d, %q", command, code, errs)
		}
	}
}

// apart runs the program in a process of its own: what it registers is known to that one alone.
func apart(t *testing.T, args ...string) (out, errs string, code int) {
	t.Helper()
	cmd := exec.Command(os.Args[0], args...)
	cmd.Env = append(os.Environ(), "HADARLAB_AS_PROGRAM=1")
	var o, e strings.Builder
	cmd.Stdout, cmd.Stderr = &o, &e
	if err := cmd.Run(); err != nil && cmd.ProcessState == nil {
		t.Fatal(err)
	}
	return o.String(), e.String(), cmd.ProcessState.ExitCode()
}

// TestCountsAreWhole: a figure that is a count, such as that of refused gangs, is printed with all its digits.
func TestCountsAreWhole(t *testing.T) {
	var out strings.Builder
	writeTerms(&out, "", []message.NamedValue{{Name: "refused", Value: 1530760}, {Name: "price", Value: 0.1234567}})
	if got := out.String(); got != "refused 1530760; price 0.123457\n" {
		t.Errorf("printed %q", got)
	}
}
