//go:build !js

// Package licences finds the licence texts of all that is compiled into a program: those of Go, and of every module of
// which a package is linked in, as `go list -deps` knows them. Nothing is listed by hand, so that a new module cannot
// be forgotten; one without a licence text is an error.
package licences

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// Target is a program and what it is compiled for.
type Target struct{ OS, Arch, Tags, Package string }

// Page are the programs that browsers load: the page, and the engine that also runs programs of users.
func Page() []Target {
	return []Target{{"js", "wasm", "", "./wasm"}, {"js", "wasm", "", "./wasm/programs"}}
}

// Edge are the two programs of the edge runtime.
func Edge() (page, simulator Target) {
	t := Target{"js", "wasm", "small,nethttpomithttp2", "./worker/cmd/edge/page"}
	page, simulator = t, t
	simulator.Package = "./worker/cmd/edge/simulator"
	return page, simulator
}

// Native is the server and command line.
func Native(system, arch string) Target { return Target{system, arch, "", "./worker/cmd/hadarlab"} }

// Module is one that is compiled in, with its licence texts by name. Go's own has the path "go".
type Module struct {
	Path, Version string
	Texts         []Text
}

// Text is a file below the module's folder.
type Text struct {
	Name string
	Data []byte
}

// goModule is the path under which Go itself and its standard library stand.
const goModule = "go"

// named are the files and folders that hold licence texts and notices; programs are no texts.
var named = regexp.MustCompile(`(?i)licen[cs]e|^copying|^notice|^patents$|^copyright`)

// Of returns what is compiled into the targets, by path: Go first, then the modules. root is the folder of the project.
func Of(root string, targets ...Target) ([]Module, error) {
	type place struct{ path, version, dir string }
	packages := map[place]map[string]bool{} // the folders of the packages that are compiled in
	for _, t := range targets {
		const each = `{{if .Standard}}go{{"\t\t\t"}}{{else}}{{with .Module}}{{.Path}}{{"\t"}}{{.Version}}{{"\t"}}` +
			`{{if .Main}}{{else}}{{.Dir}}{{end}}{{end}}{{"\t"}}{{.Dir}}{{end}}`
		out, err := golang(root, t, "list", "-deps", "-f", each, "-tags="+t.Tags, t.Package)
		if err != nil {
			return nil, err
		}
		for line := range strings.Lines(string(out)) {
			f := strings.Split(strings.TrimRight(line, "\r\n"), "\t")
			if len(f) != 4 {
				return nil, fmt.Errorf("go list says %q of a package of %s", line, t.Package)
			}
			at := place{f[0], f[1], f[2]}
			if at.path != goModule && at.dir == "" {
				continue // our own
			}
			if packages[at] == nil {
				packages[at] = map[string]bool{}
			}
			packages[at][f[3]] = true
		}
	}
	var list []Module
	for at, dirs := range packages {
		if at.path == goModule {
			own, err := ofGo(root)
			if err != nil {
				return nil, err
			}
			list = append(list, own)
			continue
		}
		m := Module{Path: at.path, Version: at.version}
		var err error
		if m.Texts, err = texts(at.dir, dirs); err != nil {
			return nil, err
		}
		if len(m.Texts) == 0 {
			return nil, fmt.Errorf("no licence text lies in %s %s, which is compiled in", m.Path, m.Version)
		}
		list = append(list, m)
	}
	slices.SortFunc(list, func(a, b Module) int {
		return cmp.Or(-cmp.Compare(b2i(a.Path == goModule), b2i(b.Path == goModule)), cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Version, b.Version))
	})
	return list, nil
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}

// golang runs the Go tool for a target. A workspace of a folder above is another project's.
func golang(root string, t Target, args ...string) ([]byte, error) {
	cmd := exec.Command("go", args...)
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off", "CGO_ENABLED=0", "GOOS="+t.OS, "GOARCH="+t.Arch)
	cmd.Stderr = os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go %s: %w", args[0], err)
	}
	return out, nil
}

// ofGo is Go's licence, which lies beside its tools. Some systems' packages leave it out; the modules of the same
// authors carry the same text.
func ofGo(root string) (Module, error) {
	out, err := golang(root, Target{}, "env", "GOROOT", "GOVERSION")
	if err != nil {
		return Module{}, err
	}
	goroot, version, _ := strings.Cut(strings.TrimSpace(string(out)), "\n")
	m := Module{Path: goModule, Version: strings.TrimPrefix(strings.TrimSpace(version), "go")}
	if m.Texts, err = texts(strings.TrimSpace(goroot), nil); err != nil || len(m.Texts) > 0 {
		return m, err
	}
	const same = "golang.org/x/sys"
	out, err = golang(root, Target{}, "list", "-m", "-f", "{{.Dir}}", same)
	if err != nil {
		return Module{}, err
	}
	if dir := strings.TrimSpace(string(out)); dir != "" {
		m.Texts, err = texts(dir, nil)
	}
	if err == nil && len(m.Texts) == 0 {
		err = fmt.Errorf("no licence text of Go: neither in %s nor in %s (run `go mod download %s`)",
			strings.TrimSpace(goroot), same, same)
	}
	return m, err
}

// texts reads the licence texts of a module: those in its folder, in folders there that are named as such, and beside
// the packages that are compiled in.
func texts(dir string, packages map[string]bool) ([]Text, error) {
	at := map[string]bool{".": true}
	for p := range packages {
		below, err := filepath.Rel(dir, p)
		if err != nil {
			return nil, err
		}
		for below = filepath.ToSlash(below); below != "."; below = path.Dir(below) {
			at[below] = true
		}
	}
	found := map[string][]byte{}
	for folder := range at {
		entries, err := os.ReadDir(filepath.Join(dir, filepath.FromSlash(folder)))
		if err != nil {
			return nil, err
		}
		for _, e := range entries {
			name := path.Join(folder, e.Name())
			switch {
			case !named.MatchString(e.Name()) || strings.HasSuffix(name, ".go"):
			case e.Type().IsRegular():
				if found[name], err = os.ReadFile(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
					return nil, err
				}
			case e.IsDir() && folder == ".":
				inner, err := filepath.Glob(filepath.Join(dir, e.Name(), "*"))
				if err != nil {
					return nil, err
				}
				for _, file := range inner {
					if info, err := os.Stat(file); err != nil || !info.Mode().IsRegular() ||
						strings.HasSuffix(file, ".go") {
						continue
					}
					b, err := os.ReadFile(file)
					if err != nil {
						return nil, err
					}
					found[path.Join(name, filepath.Base(file))] = b
				}
			}
		}
	}
	var list []Text
	for _, name := range slices.Sorted(maps.Keys(found)) {
		list = append(list, Text{name, found[name]})
	}
	return list, nil
}

// Joined is all texts in one file, for people who only get the page. What several modules carry stands once.
func Joined(head string, list []Module) []byte {
	var b bytes.Buffer
	fmt.Fprintln(&b, strings.TrimSpace(head))
	said := map[string]string{}
	for _, m := range list {
		for _, t := range m.Texts {
			name := strings.TrimSpace(m.Path+" "+m.Version) + ", " + t.Name
			fmt.Fprintf(&b, "\n\n======== %s\n\n", name)
			text := string(bytes.TrimSpace(t.Data))
			if first := said[text]; first != "" {
				fmt.Fprintf(&b, "The same as %s, above.\n", first)
				continue
			}
			said[text] = name
			fmt.Fprintln(&b, text)
		}
	}
	return b.Bytes()
}
