// tell runs `go test -json` and says what a person wants of it: a line a package, all that failed, the tests that took
// long, and by name each test that was skipped, since go test itself counts that as passed.
//
//	tell -skipped build/skipped/unit.txt go test -json ./...
package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// slow is from when on a test is named with its time, in s.
const slow = 5

func main() {
	skipped := flag.String("skipped", "", "file that takes the names of skipped tests, and why they were")
	flag.Parse()
	if err := run(*skipped, flag.Args()); err != nil {
		fmt.Fprintln(os.Stderr, "tell:", err)
		os.Exit(1)
	}
}

// run fails where the command does, and where a test has failed.
func run(skipped string, args []string) error {
	if len(args) == 0 {
		return errors.New("it needs a command, as go test -json ./...")
	}
	cmd := exec.Command(args[0], args[1:]...)
	cmd.Stderr = os.Stderr
	out, err := cmd.StdoutPipe()
	if err != nil {
		return err
	}
	if err := cmd.Start(); err != nil {
		return err
	}
	r := newReader(os.Stdout)
	err = errors.Join(r.read(out), cmd.Wait())
	if skipped != "" {
		err = errors.Join(err, keep(skipped, r.skipped))
	}
	if err == nil && r.failed {
		err = errors.New("tests have failed")
	}
	return err
}

// keep writes the list, an empty one too: the one of an earlier run would mislead.
func keep(path string, skipped []string) error {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(strings.Join(skipped, "")), 0o644)
}

// event is a line of go test -json.
type event struct {
	Action, Package, ImportPath, Test, Output string
	Elapsed                                   float64
}

// reader gathers what tests print until it is known how they end.
type reader struct {
	to      io.Writer
	printed map[string]map[string]*strings.Builder // by package and test, "" = the package itself
	skipped []string
	failed  bool
}

func newReader(to io.Writer) *reader {
	return &reader{to: to, printed: map[string]map[string]*strings.Builder{}}
}

func (r *reader) read(from io.Reader) error {
	lines := bufio.NewReader(from)
	for {
		line, err := lines.ReadBytes('\n')
		var e event
		if len(line) > 0 && json.Unmarshal(line, &e) == nil && e.Action != "" {
			r.take(&e)
		} else {
			r.to.Write(line)
		}
		if err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

func (r *reader) take(e *event) {
	tests := r.printed[e.Package]
	if tests == nil {
		tests = map[string]*strings.Builder{}
		r.printed[e.Package] = tests
	}
	switch e.Action {
	case "build-output":
		io.WriteString(r.to, e.Output)
	case "output":
		if tests[e.Test] == nil {
			tests[e.Test] = &strings.Builder{}
		}
		tests[e.Test].WriteString(e.Output)
	case "pass", "skip", "fail":
		r.end(e, tests)
	}
}

// end tells how a test or a package ended. A package that fails takes along the tests that have not ended, one of which
// has brought it down.
func (r *reader) end(e *event, tests map[string]*strings.Builder) {
	said := ""
	if b := tests[e.Test]; b != nil {
		said = b.String()
	}
	delete(tests, e.Test)
	name := strings.TrimSuffix(e.Package+"."+e.Test, ".")
	switch {
	case e.Action == "fail":
		r.failed = true
		if e.Test == "" {
			for _, b := range tests {
				io.WriteString(r.to, b.String())
			}
		}
		io.WriteString(r.to, said)
	case e.Test == "" && e.Action == "pass":
		fmt.Fprintf(r.to, "ok %8.1f s  %s\n", e.Elapsed, e.Package)
	case e.Action == "skip" && e.Test != "":
		r.skipped = append(r.skipped, fmt.Sprintf("skipped: %s: %s\n", name, reason(said)))
		io.WriteString(r.to, r.skipped[len(r.skipped)-1])
	}
	if e.Test != "" && !strings.Contains(e.Test, "/") && e.Elapsed >= slow {
		fmt.Fprintf(r.to, "   %8.1f s  %s\n", e.Elapsed, name)
	}
}

// reason is what a test said when it was skipped, without the lines that go test adds.
func reason(said string) string {
	for line := range strings.Lines(said) {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "===") &&
			!strings.HasPrefix(line, "---") {
			return line
		}
	}
	return "no reason given"
}
