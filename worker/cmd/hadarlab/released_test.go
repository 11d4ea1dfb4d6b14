//go:build !js

package main

import (
	"regexp"
	"strings"
	"testing"

	"hadarlab/e2e/released"
)

// TestCommandsOfReleases: every command and flag that a release had is there.
func TestCommandsOfReleases(t *testing.T) {
	now := map[string]string{}
	for _, c := range commandHelps() {
		now[c.Name] = c.Help
	}
	flags := regexp.MustCompile(`(?m)^  --[a-z-]+`)
	for _, name := range released.Names() {
		files, _, err := released.Files(name)
		if err != nil {
			t.Fatal(err)
		}
		seen := 0
		for file, help := range files {
			command, ok := strings.CutPrefix(strings.TrimSuffix(file, ".txt"), "help/")
			if !ok {
				continue
			}
			if now[command] == "" {
				t.Errorf("%s: there is no command %s any more", name, command)
			}
			for _, flag := range flags.FindAllString(string(help), -1) {
				seen++
				if !regexp.MustCompile(`(?m)^` + flag + `\b`).MatchString(now[command]) {
					t.Errorf("%s: %s has no%s any more", name, command, flag[1:])
				}
			}
		}
		if seen < 40 {
			t.Errorf("%s: only %d flags", name, seen)
		}
	}
}
