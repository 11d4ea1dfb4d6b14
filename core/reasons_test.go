package core

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// reasons are the texts that say why, by their path from the root: RATIONALE.md, and the WHY.md of some folders.
func reasons(t *testing.T) map[string]string {
	t.Helper()
	texts := map[string]string{"RATIONALE.md": ""}
	eachText(t, func(path string) {
		if filepath.Base(path) == "WHY.md" {
			texts[path] = ""
		}
	})
	for path := range texts {
		b, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		texts[path] = string(b)
	}
	return texts
}

// eachText calls f with every file of the sources, by its path from the root.
func eachText(t *testing.T, f func(path string)) {
	t.Helper()
	err := fs.WalkDir(os.DirFS(".."), ".", func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.Type().IsRegular():
			f(path)
		case !d.IsDir():
		case slices.Contains([]string{"node_modules", ".git", ".wrangler"}, d.Name()), path == "build", path == "bin":
			return fs.SkipDir
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestReasonsStandOnce: what a newcomer asks stands in RATIONALE.md, some twenty questions; every other one beside its
// package, in a file that RATIONALE.md names and that has three reasons at least; and none in two places.
func TestReasonsStandOnce(t *testing.T) {
	texts := reasons(t)
	heading := regexp.MustCompile(`(?m)^(?:## |### |- \*\*)(.+)$`)
	at := map[string]string{}
	for path, text := range texts {
		own := "](" + path + ")"
		if path != "RATIONALE.md" && strings.Count(texts["RATIONALE.md"], own) != 1 {
			t.Errorf("RATIONALE.md does not name %s once", path)
		}
		found := heading.FindAllStringSubmatch(text, -1)
		if len(found) < 3 {
			t.Errorf("%s has %d reasons: they stand in the file of the folder above", path, len(found))
		}
		for _, m := range found {
			if other, ok := at[m[1]]; ok {
				t.Errorf("%q stands in %s and in %s", m[1], other, path)
			}
			at[m[1]] = path
		}
	}
	if n := strings.Count(texts["RATIONALE.md"], "\n### "); n > 25 {
		t.Errorf("RATIONALE.md has %d questions: the others stand beside what they are about", n)
	}
}

// TestReasonsAreNarrow: lines of these texts are as long as those of the code at most, but for rows of tables.
func TestReasonsAreNarrow(t *testing.T) {
	for path, text := range reasons(t) {
		for line := range strings.Lines(text) {
			if w := utf8.RuneCountInString(strings.TrimRight(line, "\n")); w > 120 && line[0] != '|' {
				t.Errorf("%s: %d columns: %.60s", path, w, line)
			}
		}
	}
}

// TestLinksOfTextsLead: each link between the texts of the sources leads to a file, and to a heading of it.
func TestLinksOfTextsLead(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s:]+)\)`)
	notInAnchor := regexp.MustCompile(`[^\p{L}\p{N} _-]`)
	seen := 0
	eachText(t, func(path string) {
		// The archive's and the images' texts lie in other folders there.
		if filepath.Ext(path) != ".md" || strings.HasPrefix(path, "worker/deploy/") {
			return
		}
		text, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(string(text), -1) {
			seen++
			file, anchor, _ := strings.Cut(m[1], "#")
			to := filepath.Join("..", filepath.Dir(path), file)
			if file == "" {
				to = filepath.Join("..", path)
			}
			if _, err := os.Stat(to); err != nil {
				t.Errorf("%s leads to %s, which is not there", path, m[1])
				continue
			}
			if anchor == "" {
				continue
			}
			there, err := os.ReadFile(to)
			if err != nil {
				t.Fatal(err)
			}
			anchors := []string{}
			for line := range strings.Lines(string(there)) {
				if title := strings.TrimLeft(line, "#"); title != line {
					title = notInAnchor.ReplaceAllString(strings.ToLower(strings.TrimSpace(title)), "")
					anchors = append(anchors, strings.ReplaceAll(title, " ", "-"))
				}
			}
			if !slices.Contains(anchors, anchor) {
				t.Errorf("%s leads to %s, and there is no such heading", path, m[1])
			}
		}
	})
	if seen < 30 {
		t.Errorf("only %d links were seen", seen)
	}
}

// TestReasonsNameWhatIsThere: what these texts set as code are names of the code of today, and tests that there are.
func TestReasonsNameWhatIsThere(t *testing.T) {
	word := regexp.MustCompile(`[\p{L}_][\p{L}\p{N}_]*`)
	there, files := map[string]bool{}, []string{}
	eachText(t, func(path string) {
		files = append(files, "/"+path)
		switch filepath.Ext(path) {
		case ".go", ".js", ".mjs", ".css", ".html", ".json", ".mod", ".sh", "":
		default:
			return
		}
		if path == "core/reasons_test.go" || path == "worker/cmd/hadarlab/docs.html" {
			return // the one names what is not there, the other is a text
		}
		b, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, w := range word.FindAllString(string(b), -1) {
			there[w] = true
		}
	})
	code := regexp.MustCompile("`([^`]+)`")
	tests := regexp.MustCompile(`^go test (\./\S+) (?:.* )?-(?:run|bench) (\S+)`)
	seen := 0
	for path, text := range reasons(t) {
		for _, m := range code.FindAllStringSubmatch(strings.ReplaceAll(text, "\n", " "), -1) {
			name := strings.Join(strings.Fields(m[1]), " ")
			seen++
			if run := tests.FindStringSubmatch(name); run != nil {
				if !hasTest(t, run[1], run[2]) {
					t.Errorf("%s: no test for `%s`", path, name)
				}
				continue
			}
			if slices.ContainsFunc(files, func(f string) bool {
				return strings.HasSuffix(f, "/"+name) || strings.Contains(f, "/"+name+"/")
			}) {
				continue
			}
			for _, w := range word.FindAllString(name, -1) {
				if !there[w] {
					t.Errorf("%s: `%s` has %s, which is in no source", path, name, w)
				}
			}
		}
	}
	if seen < 150 {
		t.Errorf("only %d names were seen", seen)
	}
}

// hasTest says whether a folder has a test, or a benchmark, that go test would run for a pattern without signs.
func hasTest(t *testing.T, dir, pattern string) bool {
	t.Helper()
	found := false
	list, err := filepath.Glob(filepath.Join("..", dir, "*_test.go"))
	if err != nil {
		t.Fatal(err)
	}
	for _, path := range list {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		found = found || regexp.MustCompile(`(?m)^func (?:Test|Benchmark)\w*`+pattern).Match(b)
	}
	return found
}

// TestOneTypeIsAtATime: policies that share time, as Gavel's, give a job GPUs of one type in a round and of another in
// the next, so that no text says of a job that it is kept on one type, but on one at a time. (A gang keeps to one.)
func TestOneTypeIsAtATime(t *testing.T) {
	kept := regexp.MustCompile(
		`keeps?\s(?:a\sjob|jobs|it|each\sjob|every\sjob)\s(?:to|on)\sone\s(?:GPU\s)?type(\sat\sa\stime)?`)
	read := 0
	eachText(t, func(path string) {
		if !slices.Contains([]string{".md", ".json", ".html"}, filepath.Ext(path)) ||
			filepath.Base(path) == "CHANGELOG.md" || strings.HasPrefix(path, "e2e/") {
			return
		}
		b, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range kept.FindAllStringSubmatch(string(b), -1) {
			if read++; m[1] == "" {
				t.Errorf("%s: %q", path, m[0])
			}
		}
	})
	if read < 2 {
		t.Errorf("only %d texts say what Gavel keeps a job on", read)
	}
}

// TestBoundsOfSizesAreToldAlike: the bounds of the page's program and of the edge's modules are those of the Makefile
// wherever a text names them, and what was measured, which stands in BENCHMARKS.md alone, keeps within them.
func TestBoundsOfSizesAreToldAlike(t *testing.T) {
	read := func(path string) string {
		b, err := os.ReadFile(filepath.Join("..", path))
		if err != nil {
			t.Fatal(err)
		}
		return strings.Join(strings.Fields(string(b)), " ")
	}
	bound := map[string]string{}
	for _, m := range regexp.MustCompile(`(\w+) := (\d{7})\b`).FindAllStringSubmatch(read("Makefile"), -1) {
		bound[m[1]] = m[2][:1] + "." + m[2][1:2] + strings.TrimRight(m[2][2:], "0")
	}
	page, worker, simulator, upload := bound["PAGE_BUDGET"], bound["PAGE_WORKER_BUDGET"], bound["SIMULATOR_BUDGET"],
		bound["EDGE_UPLOAD"]
	for path, says := range map[string][]string{
		"worker/deploy/cloudflare.md": {"the page's is held below " + worker + ", the simulator's below " + simulator +
			", uploads below " + upload},
		"wasm/WHY.md": {"bound is " + page + " MB by plain `gzip -9`"},
	} {
		for _, s := range says {
			if !strings.Contains(read(path), s) {
				t.Errorf("%s does not say that %s", path, s)
			}
		}
	}
	m := regexp.MustCompile("by `gzip -9` ([\\d.]+) MB of ([\\d.]+),.* the page's Worker ([\\d.]+) MB of ([\\d.]+), " +
		"the simulator ([\\d.]+) of ([\\d.]+), uploads of ([\\d.]+) and ([\\d.]+) MB of the 3 ").
		FindStringSubmatch(read("BENCHMARKS.md"))
	if m == nil || m[2] != page || m[4] != worker || m[6] != simulator || m[1] > page || m[3] > worker ||
		m[5] > simulator || max(m[7], m[8]) > upload {
		t.Errorf("BENCHMARKS.md has other sizes than the Makefile's %s, %s, %s and %s: %q", page, worker, simulator,
			upload, m)
	}
	if s := regexp.MustCompile(`uploads of [\d.]+`).FindString(read("RATIONALE.md")); s != "" {
		t.Errorf("RATIONALE.md has sizes of its own: %s", s)
	}
}
