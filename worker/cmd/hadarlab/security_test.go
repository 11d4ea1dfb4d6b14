//go:build !js

package main

import (
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	course "hadarlab/core/class"
	"hadarlab/core/scenario"
	"hadarlab/worker/class"
	"hadarlab/worker/queue"
	"hadarlab/worker/vault"
)

// TestSecurityHasTheNumbers: bounds that SECURITY.md names are those of the program.
func TestSecurityHasTheNumbers(t *testing.T) {
	text, err := os.ReadFile("../../../SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, says := range []string{
		fmt.Sprintf("more than %d of them", scenario.MaxPolicies),
		fmt.Sprintf("of bodies above %d KiB", vault.SmallDoc>>10),
		fmt.Sprintf("Scenarios above %d KiB", vault.SmallDoc>>10),
		fmt.Sprintf("| %d students a class and classes a day, %d entries a student", course.MaxStudents,
			class.MaxEntries),
		fmt.Sprintf("%d join in a minute", class.JoinsAMinute),
		fmt.Sprintf("and %d classes begin a day", class.MaxBegun),
		fmt.Sprintf("everything goes after %d days", class.Kept/(24*time.Hour)),
		map[int]string{4: "four runs at most have the same turn"}[queue.PerTurn],
	} {
		if says == "" || !strings.Contains(string(text), says) {
			t.Errorf("SECURITY.md does not say %q", says)
		}
	}
	if course.MaxStudents != class.MaxLiving {
		t.Error("SECURITY.md names one number of students and of classes")
	}
}

// TestSecurityNamesItsTests: every promise of SECURITY.md names a test, and each of those is there.
func TestSecurityNamesItsTests(t *testing.T) {
	root := os.DirFS("../../..")
	text, err := fs.ReadFile(root, "SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	named := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)`")
	there := map[string]bool{}
	for _, dir := range []string{"core", "app", "worker", "e2e"} {
		err := fs.WalkDir(root, dir, func(path string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && d.Name() == "node_modules":
				return fs.SkipDir
			case !strings.HasSuffix(path, "_test.go"):
				return nil
			}
			code, err := fs.ReadFile(root, path)
			for _, m := range regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)\w+)\(`).FindAllSubmatch(code, -1) {
				there[string(m[1])] = true
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	promises := 0
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| Against ") {
			continue
		}
		promises++
		tests := named.FindAllStringSubmatch(line, -1)
		if tests == nil {
			t.Errorf("no test is named: %s", line)
		}
		for _, m := range tests {
			if !there[m[1]] {
				t.Errorf("there is no %s: %s", m[1], line)
			}
		}
	}
	if promises < 10 {
		t.Errorf("only %d promises were seen", promises)
	}
}
