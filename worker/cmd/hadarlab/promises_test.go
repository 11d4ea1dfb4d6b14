//go:build !js

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"hadarlab/core/class"
	"hadarlab/core/lab"
	"hadarlab/core/scenario"
	"hadarlab/core/trace"
	"hadarlab/scenarios"
	"hadarlab/worker"
)

// TestEveryFormatSaysItsVersion reads each version of the promise from what the program writes.
func TestEveryFormatSaysItsVersion(t *testing.T) {
	const preset = "preset:two-jobs-three-gpus"
	out := func(args ...string) string {
		code, out, errs := try(args...)
		if code != exitOK {
			t.Fatalf("%v: exit %d %s", args, code, errs)
		}
		return out
	}
	member := func(text string) string {
		var v struct{ Version int }
		if err := json.Unmarshal([]byte(text), &v); err != nil {
			t.Fatalf("%v: %.100s", err, text)
		}
		return fmt.Sprint(v.Version)
	}
	link := out("link", "encode", preset)
	assignment, _ := scenarios.Assignment(scenarios.Assignments[0])
	written := map[string][]string{
		"Scenario document": {member(out("link", "decode", strings.TrimSpace(link)))},
		"Share link":        {link[:1]},
		"Command line":      {strings.Fields(strings.ReplaceAll(out("version"), ",", ""))[1]},
		"Result of run and sweep": {member(out("run", "--format", "json", preset)),
			member(out("sweep", "--format", "json", "--vary", "/scenario/round_s=60", preset))},
		"Trace": {fmt.Sprintf("%d or %d", (&trace.Trace{}).Encode()[3],
			(&trace.Trace{Speeds: []trace.Speed{{}}}).Encode()[3])},
		"Assignment, hand-in and record of a class": {member(string(assignment))},
	}
	var api struct{ Paths map[string]any }
	if err := json.Unmarshal(worker.OpenAPI(), &api); err != nil {
		t.Fatal(err)
	}
	for path := range api.Paths {
		if rest, ok := strings.CutPrefix(path, "/api/"); ok {
			version, _, _ := strings.Cut(rest, "/")
			written["HTTP interface"] = append(written["HTTP interface"], version)
		}
	}
	dir, err := manual()
	if err != nil {
		t.Fatal(err)
	}
	page, err := os.ReadFile(filepath.Join(dir, "docs", "versions.html"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range promises() {
		if len(written[p.Format]) == 0 {
			t.Errorf("nothing says the version of %s", p.Format)
		}
		for _, v := range written[p.Format] {
			if v != p.Version {
				t.Errorf("%s says version %q, and is promised as %q", p.Format, v, p.Version)
			}
		}
		if !strings.Contains(string(page), "<h2>"+p.Format+": version "+p.Version+"</h2>") {
			t.Errorf("the manual does not say the version of %s", p.Format)
		}
	}
}

// TestNewerIsRefusedWell: what is of a later version is refused with the version that is known and the way out.
func TestNewerIsRefusedWell(t *testing.T) {
	dir := t.TempDir()
	file := func(name, text string) string {
		name = filepath.Join(dir, name)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		return name
	}
	preset, _ := lab.Preset("two-jobs-three-gpus")
	newer := func(text string) string { return strings.Replace(text, `"version": 1`, `"version": 9`, 1) }
	_, encoded, _ := try("link", "encode", "preset:two-jobs-three-gpus")
	_, result, _ := try("run", "--format", "json", "preset:two-jobs-three-gpus")
	for name, args := range map[string][]string{
		"document": {"run", file("document.json", newer(string(preset)))},
		"link":     {"run", "9" + strings.TrimSpace(encoded)[1:]},
		"codec":    {"run", "1q" + strings.TrimSpace(encoded)[2:]},
		"result":   {"verify", file("result.json", newer(strings.Replace(result, `"version":1`, `"version": 1`, 1)))},
	} {
		code, out, errs := try(args...)
		if code != exitUsage || out != "" || !strings.Contains(errs, "ersion") && name != "codec" ||
			!strings.Contains(errs, "Open it with a newer release") {
			t.Errorf("%s: exit %d %s%s", name, code, out, errs)
		}
	}
	doc, _ := scenarios.Assignment(scenarios.Assignments[0])
	if _, diags := class.Parse([]byte(newer(string(doc)))); len(diags) != 1 || diags[0].Path != "/version" {
		t.Errorf("assignment: %v", diags)
	}
	if _, diags := scenario.Parse([]byte(newer(string(preset))), scenario.FileLimits); len(diags.Errors()) == 0 ||
		diags.Errors()[0].Path != "/version" {
		t.Errorf("document: %v", diags)
	}
}
