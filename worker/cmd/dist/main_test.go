//go:build !js

package main

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"hadarlab/core/lab"
	"hadarlab/worker/licences"
)

// tree writes files below a new folder, each a little later and with other rights than the last time.
func tree(t *testing.T, at time.Time, mode fs.FileMode, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		path := filepath.Join(dir, name)
		err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(text), mode),
			os.Chtimes(path, at, at))
		if err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

// TestSameFilesGiveTheSameBytes: times and rights of the machine stay out, names are sorted, the program may be run.
func TestSameFilesGiveTheSameBytes(t *testing.T) {
	var all [2]map[string][]byte
	for i := range all {
		at := time.Unix(int64(1e9*(i+1)), 0)
		mode := []fs.FileMode{0o644, 0o700}[i]
		programs := tree(t, at, mode, map[string]string{"linux-amd64/hadarlab": "elf",
			"windows-arm64/hadarlab.exe": "pe"})
		out := filepath.Join(t.TempDir(), "dist")
		common := []file{{"examples/jobs.csv", false, []byte("id")}, {"LICENSE", false, []byte("free")}}
		if i == 1 {
			slices.Reverse(common)
		}
		if err := pack(out, programs, common, usual); err != nil {
			t.Fatal(err)
		}
		all[i] = map[string][]byte{}
		entries, err := os.ReadDir(out)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range entries {
			if all[i][e.Name()], err = os.ReadFile(filepath.Join(out, e.Name())); err != nil {
				t.Fatal(err)
			}
		}
	}
	name := "hadarlab-" + lab.Engine + "-linux-amd64.tar.gz"
	for file, b := range all[0] {
		if !bytes.Equal(b, all[1][file]) {
			t.Errorf("%s differs from run to run", file)
		}
	}
	if sum := fmt.Sprintf("%x  %s\n", sha256.Sum256(all[0][name]), name); len(all[0]) != 3 ||
		!strings.Contains(string(all[0]["SHA256SUMS"]), sum) {
		t.Errorf("%d files, sums %s", len(all[0]), all[0]["SHA256SUMS"])
	}

	z, err := gzip.NewReader(bytes.NewReader(all[0][name]))
	if err != nil || !z.ModTime.IsZero() || z.Name != "" {
		t.Fatalf("%v, head %+v", err, z)
	}
	var names []string
	for r := tar.NewReader(z); ; {
		h, err := r.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		_, short, _ := strings.Cut(h.Name, "/")
		names = append(names, short)
		if h.ModTime.Unix() != 0 || h.Uid != 0 || h.Gid != 0 || h.Uname != "" ||
			(h.Mode == 0o755) != (short == "hadarlab") {
			t.Errorf("%+v", h)
		}
	}
	want := []string{"LICENSE", "examples/jobs.csv", "hadarlab", "SHA256SUMS"}
	if !slices.Equal(names, want) {
		t.Errorf("it holds %q", names)
	}

	name = "hadarlab-" + lab.Engine + "-windows-arm64.zip"
	zr, err := zip.NewReader(bytes.NewReader(all[0][name]), int64(len(all[0][name])))
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range zr.File {
		if f.Modified.Year() != 1980 || len(f.Extra) > 0 {
			t.Errorf("%s is of %v, extra %x", f.Name, f.Modified, f.Extra)
		}
	}
}

// TestContents: an archive holds what a packager needs; every relative link in its texts leads to something in it, and
// no text speaks of what only the sources have.
func TestContents(t *testing.T) {
	list, err := collect("../../..", []licences.Target{licences.Native("linux", "amd64")})
	if err != nil {
		t.Fatal(err)
	}
	has := map[string]string{"hadarlab": "the program", "SHA256SUMS": "made when it is packed"}
	for _, f := range list {
		if has[f.name] != "" {
			t.Errorf("%s is there twice", f.name)
		}
		has[f.name] = string(f.data)
		for dir := path.Dir(f.name); dir != "."; dir = path.Dir(dir) {
			has[dir] = "a folder"
		}
	}
	for _, name := range []string{"README.md", "LICENSE", "THIRD_PARTY.md", "CHANGELOG.md", "CITATION.cff", "DATA.md",
		"SECURITY.md", "lab.png", "deploy/school.md", "deploy/static.md",
		"deploy/hadarlab.service", "deploy/Containerfile",
		"examples/jobs.csv", "licences/go/LICENSE", "licences/modernc.org/sqlite/LICENSE-SQLITE",
		"licences/github.com/dustin/go-humanize/LICENSE",
		"licences/github.com/maxence-charriere/go-app/v9/LICENSE", "licences/gonum.org/v1/gonum/LICENSE"} {
		if has[name] == "" {
			t.Errorf("it lacks %s", name)
		}
	}
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	source := regexp.MustCompile("worker/|scenarios/|build/|`make ")
	links := 0
	for name, text := range has {
		if strings.HasPrefix(name, "licences/") || path.Ext(name) == ".png" {
			continue
		}
		// What is new, which test holds it, and which file has a figure, is told of the sources.
		if found := source.FindString(text); found != "" &&
			!slices.Contains([]string{"CHANGELOG.md", "SECURITY.md", "DATA.md"}, name) {
			t.Errorf("%s speaks of %q, which only the sources have", name, found)
		}
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			to, _, _ := strings.Cut(m[1], "#")
			if to == "" || strings.Contains(to, "://") {
				continue
			}
			links++
			if has[path.Join(path.Dir(name), to)] == "" {
				t.Errorf("%s: the link to %s leads nowhere", name, m[1])
			}
		}
	}
	if links < 10 {
		t.Errorf("only %d relative links were seen", links)
	}
}

// TestVersions: what is cited and what is told as new is the version that is packed.
func TestVersions(t *testing.T) {
	for name, line := range map[string]string{"CITATION.cff": "version: " + lab.Engine,
		"CHANGELOG.md": "## " + lab.Engine} {
		b, err := os.ReadFile(filepath.Join("../../..", name))
		if err != nil {
			t.Fatal(err)
		}
		if !strings.Contains(string(b), "\n"+line+"\n") {
			t.Errorf("%s lacks the line %q", name, line)
		}
	}
}

// TestContainerfile: it takes nothing but what an archive holds, runs as nobody in particular, and follows the rules of
// hadolint that can be told from the text: no other image and so no tag (DL3006), one entry point and command in the
// form of a list (DL3025, DL4003, DL4004), COPY and not ADD (DL3020), absolute places (DL3045), the last user is not
// root (DL3002), a real port (DL3011), no MAINTAINER (DL4000).
func TestContainerfile(t *testing.T) {
	list, err := collect("../../..", nil)
	if err != nil {
		t.Fatal(err)
	}
	list = append(list, file{"hadarlab", true, nil})
	var text string
	for _, f := range list {
		if f.name == "deploy/Containerfile" {
			text = string(f.data)
		}
	}
	said := map[string]int{}
	user := ""
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		if len(f) == 0 || strings.HasPrefix(f[0], "#") {
			continue
		}
		said[f[0]]++
		switch rest := strings.TrimSpace(strings.TrimPrefix(line, f[0])); f[0] {
		case "FROM":
			if rest != "scratch" {
				t.Errorf("it begins with the image %q, which a registry would have to send", rest)
			}
		case "COPY":
			sources, to := f[1:len(f)-1], f[len(f)-1]
			if !path.IsAbs(to) || len(sources) > 1 && !strings.HasSuffix(to, "/") {
				t.Errorf("%s copies to %q", line, to)
			}
			for _, from := range sources {
				if !slices.ContainsFunc(list, func(f file) bool {
					return f.name == from || strings.HasPrefix(f.name, strings.TrimSuffix(from, "/")+"/")
				}) {
					t.Errorf("it copies %s, which no archive holds", from)
				}
			}
		case "ENTRYPOINT", "CMD":
			var args []string
			if err := json.Unmarshal([]byte(rest), &args); err != nil {
				t.Errorf("%s is no list: %v", line, err)
			}
		case "USER":
			user = rest
		case "EXPOSE":
			if port, err := strconv.ParseUint(rest, 10, 16); err != nil || port == 0 {
				t.Errorf("%s: %v", line, err)
			}
		case "VOLUME", "LABEL":
		default:
			t.Errorf("%s is not looked at by this test", f[0])
		}
	}
	id, err := strconv.Atoi(strings.Split(user, ":")[0])
	if said["FROM"] != 1 || said["COPY"] == 0 || said["ENTRYPOINT"] != 1 || said["CMD"] > 1 || err != nil || id < 1000 {
		t.Errorf("it says %v, and its user is %q", said, user)
	}
}
