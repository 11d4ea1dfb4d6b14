//go:build !js

package main

import (
	"bytes"
	"context"
	"flag"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestHelpExamples runs every example of the help as it is printed, at the root of a copy of the files they name.
func TestHelpExamples(t *testing.T) {
	dir := t.TempDir()
	if err := os.CopyFS(filepath.Join(dir, "scenarios/examples"), os.DirFS("../../../scenarios/examples")); err != nil {
		t.Fatal(err)
	}
	t.Chdir(dir)
	list := commands()
	for i := len(list) - 1; i >= 0; i-- { // the server first: it makes the data that `data` looks at
		for line := range strings.Lines(list[i].example) {
			runExample(t, strings.TrimSpace(line))
		}
	}
}

// runExample runs a line as a shell would: words, pipes, and a file for the output.
func runExample(t *testing.T, line string) {
	t.Helper()
	line, file, _ := strings.Cut(line, " > ")
	var in, out, errs bytes.Buffer
	for part := range strings.SplitSeq(line, " | ") {
		words := strings.Fields(part)
		if words[0] != "hadarlab" {
			t.Fatalf("%s: %s is no program of ours", line, words[0])
		}
		in.Reset()
		in.Write(out.Bytes())
		out.Reset()
		code := exitOK
		if std := (streams{&in, &out, &errs}); words[1] == "serve" {
			code = serveOnce(std, words[2:])
		} else {
			code = run(std, words[1:])
		}
		if words[1] == "site" && carried() == nil { // it says how to come by a program that has one
			if code != exitUsage || !strings.Contains(errs.String(), "make site") {
				t.Errorf("%s: exit %d, %s", line, code, errs.String())
			}
			return
		}
		if code != exitOK || out.Len() == 0 && words[1] != "docs" {
			t.Errorf("%s: exit %d, %d bytes, %s", line, code, out.Len(), errs.String())
			return
		}
	}
	if file != "" {
		if err := os.WriteFile(file, out.Bytes(), 0o600); err != nil {
			t.Error(err)
		}
	}
}

// serveOnce starts the server on a free port in place of the one in args, and stops it when it has announced itself.
func serveOnce(std streams, args []string) int {
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	w := &announced{std.out, stop}
	for i := range args {
		args[i] = regexp.MustCompile(`^(127\.0\.0\.1):\d+$`).ReplaceAllString(args[i], "$1:0")
	}
	return serveUntil(ctx, command{name: "serve"}, streams{std.in, w, std.err}, args)
}

type announced struct {
	io.Writer
	stop func()
}

func (a *announced) Write(b []byte) (int, error) {
	a.stop()
	return a.Writer.Write(b)
}

// TestHelpNamesValues: a flag that takes no value shows none, help of a command is the same however it is asked for,
// and its usage names every flag, or says that there are more.
func TestHelpNamesValues(t *testing.T) {
	for _, c := range commands() {
		_, asked, _ := try("help", c.name)
		if _, out, _ := try(c.name, "--help"); out != asked || !strings.Contains(out, "Usage: hadarlab "+c.name) {
			t.Errorf("help %s prints %q", c.name, asked)
		}
		for _, m := range regexp.MustCompile(`(?m)^  --(\S+) (.*)$`).FindAllStringSubmatch(asked, -1) {
			if strings.HasPrefix(strings.TrimSpace(m[2]), "hadarlab") {
				t.Errorf("%s --%s: %q is no name of a value", c.name, m[1], m[2])
			}
			named := regexp.MustCompile(`--` + m[1] + `\b`).MatchString(c.args)
			if !named && !strings.Contains(c.args, "[FLAGS]") {
				t.Errorf("%s: the usage leaves out --%s", c.name, m[1])
			}
		}
	}
	if code, _, errs := try("help", "fly"); code != exitUsage || !strings.Contains(errs, `"fly"`) {
		t.Errorf("help of no command: %d %s", code, errs)
	}
}

// TestHelpIsTheSameEverywhere: what help says, which the manual prints, does not hang on the cores of a machine.
func TestHelpIsTheSameEverywhere(t *testing.T) {
	said := func(cores int) (all string) {
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
		for _, c := range commands() {
			_, out, _ := try("help", c.name)
			all += out
		}
		return all
	}
	if said(1) != said(7) {
		t.Error("the help of a command names a default of this machine")
	}
}

// TestTextsNameWhatIsThere: each command that a text of the project writes out is there, with the flags that stand
// behind it.
func TestTextsNameWhatIsThere(t *testing.T) {
	help := map[string]string{"help": ""}
	for _, c := range commands() {
		_, out, _ := try("help", c.name)
		help[c.name] = out + "\n  --help "
	}
	written := regexp.MustCompile("hadarlab(?:\\.exe)? ([a-z]+)\\b([^`\n<\"”|;]*)")
	flagged := regexp.MustCompile(`(?:^| )--[a-z][a-z-]*`)
	root, seen := os.DirFS("../../.."), 0
	err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains([]string{"build", "bin", "data", "dist", ".git"}, path) ||
			d.Name() == "node_modules"):
			return fs.SkipDir
		case !slices.Contains([]string{".md", ".html"}, filepath.Ext(path)):
			return nil
		}
		text, err := fs.ReadFile(root, path)
		for _, m := range written.FindAllStringSubmatch(string(text), -1) {
			says, there := help[m[1]]
			for _, flag := range flagged.FindAllString(m[2], -1) {
				there = there && strings.Contains(says, "\n  "+strings.TrimSpace(flag)+" ")
			}
			if seen++; !there {
				t.Errorf("%s: there is no %q", path, m[0])
			}
		}
		return err
	})
	if err != nil || seen < 50 {
		t.Errorf("%d commands are written out, %v", seen, err)
	}
}

// TestWrongValues: whatever value a flag does not take is refused with flag, value and what it takes.
func TestWrongValues(t *testing.T) {
	folder := t.TempDir()
	for _, tt := range []struct {
		args string
		want string
	}{
		{"run --seed -5 " + preset, `--seed: "-5" is not a whole number from 0`},
		{"run --seed 1e3 " + preset, `--seed: "1e3" is not`},
		{"sweep --seed -1 --vary /scenario/round_s=60 " + preset, "--seed: "},
		{"export --seed 9007199254740992 --format svg --policy hadar " + preset, "--seed: "},
		{"mixes --seed -1", "--seed: "},
		{"import --seed x f", "--seed: "},
		{"run --replicates 0 " + preset, `--replicates: "0" is not a whole number of at least 1`},
		{"run --replicates 99999999999999999999 " + preset, "--replicates: "},
		{"run --timing=x " + preset, `--timing: "x" is neither true nor false`},
		{"run --policy , " + preset, "--policy: "},
		{"run --speed 9 " + preset, "--speed"},
		{"run --policy", "--policy"},
		{"explain --round -1 " + preset, `--round: "-1" is not a whole number of at least 0`},
		{"explain --policy hadar,fifo " + preset, "--policy: one decision has one policy"},
		{"mixes --show 11", "--show: "},
		{"mixes --show -1", "--show: "},
		{"import --first -2 f", "--first: "},
		{"import --sample -2 f", "--sample: "},
		{"import --gpus-per-node -2 f", "--gpus-per-node: "},
		{"import --arrival-divisor x f", `--arrival-divisor: "x" is not a number`},
		{"sweep --vary x " + preset, `--vary: "x" is not PATH=`},
		{"sweep --vary /scenario/round_s=a,3 " + preset, `"a", which is not a number`},
		{"allocate f", "--policy: no program is named"},
		{"run " + folder, "it is a folder"},
		{"explain " + folder, "it is a folder"},
		{"sweep --vary /scenario/round_s=60 " + folder, "it is a folder"},
		{"export --format svg --policy hadar " + folder, "it is a folder"},
		{"allocate --policy gavel-las " + folder, "it is a folder"},
		{"import " + folder, "it is a folder"},
		{"import --throughputs " + folder + " f", "it is a folder"},
		{"import --template " + folder + " f", "it is a folder"},
		{"verify " + folder, "it is a folder"},
		{"verify --scenario " + folder + " " + folder, "it is a folder"},
		{"link encode " + folder, "it is a folder"},
		{"freeze " + folder, "it is a folder"},
	} {
		code, out, errs := try(strings.Fields(tt.args)...)
		line, more, _ := strings.Cut(errs, "\n")
		if code != exitUsage || out != "" || more != "" || !strings.Contains(line, tt.want) ||
			!strings.HasSuffix(line, ")") {
			t.Errorf("%s: exit %d, %q", tt.args, code, errs)
		}
	}
}

// TestEveryFlagRefusesNonsense: no flag of a number takes what is none, in any command there will be.
func TestEveryFlagRefusesNonsense(t *testing.T) {
	for _, c := range commands() {
		_, help, _ := try("help", c.name)
		for _, m := range regexp.MustCompile(`(?m)^  --(\S+) [NX] `).FindAllStringSubmatch(help, -1) {
			for _, value := range []string{"x", "", "1e999"} {
				if code, out, errs := try(c.name, "--"+m[1]+"="+value); code != exitUsage || out != "" ||
					!strings.Contains(errs, "--"+m[1]+": ") {
					t.Errorf("%s --%s=%q: exit %d %s %s", c.name, m[1], value, code, out, errs)
				}
			}
		}
	}
}

// TestZeroFlags: the package compares zero values of flags with defaults, which must not panic.
func TestZeroFlags(t *testing.T) {
	for _, v := range []flag.Value{&seed{}, &whole{}, &list{}, &axes{}} {
		if v.String() != "" {
			t.Errorf("%T: %q", v, v.String())
		}
	}
}
