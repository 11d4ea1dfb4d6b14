//go:build !js

package main

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"hadarlab/core/scenario"
	"hadarlab/e2e/released"
	"hadarlab/worker"
	"hadarlab/worker/release"
)

// TestThePresentArchiveIsOfToday: what the archive of this release says of itself and of policies, and the results in
// it, are those of the program as it is now: it was made by the last step before a tag, and not by an earlier one.
func TestThePresentArchiveIsOfToday(t *testing.T) {
	files, _, err := released.Files(release.Version)
	if err != nil {
		t.Fatal(err)
	}
	policies, errs, code := cli(t, "", "policies", "--format", "json")
	if code != 0 {
		t.Fatal(errs)
	}
	now := map[string][]byte{"policies.json": []byte(policies), "schema.json": scenario.Schema(),
		"openapi.json": worker.OpenAPI()}
	for _, c := range commandHelps() {
		now["help/"+c.Name+".txt"] = []byte(c.Help)
	}
	for name, b := range now {
		if !bytes.Equal(bytes.TrimSpace(files[name]), bytes.TrimSpace(b)) {
			t.Errorf("%s is of another program: run `make corpus`", name)
		}
	}
	for name := range files {
		if command, ok := strings.CutPrefix(name, "help/"); ok && now[name] == nil {
			t.Errorf("%s: there is no such command", command)
		}
	}
	for _, name := range []string{"run", "replicates", "tie"} {
		if out, errs, code := cli(t, string(files["results/"+name+".json"]), "verify", "-"); code != 0 {
			t.Errorf("results/%s.json is of another program: run `make corpus`: %s%s", name, out, errs)
		}
	}
}

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
