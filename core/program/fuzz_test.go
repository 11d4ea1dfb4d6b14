package program

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzText: whatever a text is, its pieces are the text, a number of it that is set has the value and moves nothing
// else, what is told of it has its place within it, and a comment makes no other program of it.
func FuzzText(f *testing.F) {
	files, err := filepath.Glob("templates/*.star")
	if err != nil || len(files) == 0 {
		f.Fatal("there are no templates: ", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(string(text))
	}
	for _, src := range []string{"A = 1\nA = 2\nB=-1e3#x", "NAME = 'a'\nx = NAME", "job.step_left\r\n\tjob.sped(",
		"'''a\n'", "def key(job, cluster):\n  pass", "é.job.x = \"\\\n", "A = 1e\nB = 1_0\nC = 0x1\nD = +-1"} {
		f.Add(src)
	}
	known := []string{"job.steps_left", "job.speed_on(type, gpus)", "cluster.gpus", "why(job, text)"}
	f.Fuzz(func(t *testing.T, src string) {
		if Check(src) != nil {
			return
		}
		whole := ""
		for _, token := range Tokens(src) {
			whole += token.Text
		}
		if whole != src {
			t.Fatalf("%q is cut into %q", src, whole)
		}
		for i, k := range Knobs(src) {
			turned, ok := Turn(src, k.Name, 0.25)
			now := Knobs(turned)
			if !ok || len(now) != len(Knobs(src)) || now[i].Value != 0.25 || now[i].Means != k.Means ||
				strings.Count(turned, "\n") != strings.Count(src, "\n") {
				t.Fatalf("%s set to 0.25 in %q gives %q", k.Name, src, turned)
			}
		}
		lines := strings.Split(src, "\n")
		for _, e := range Slips(src, known) {
			if e.Line < 1 || e.Line > len(lines) || e.Col < 1 || e.Col > utf8.RuneCountInString(lines[e.Line-1]) {
				t.Fatalf("%q: %v", src, e)
			}
		}
		if n := utf8.RuneCountInString(Name(src)); n > longestName {
			t.Fatalf("%q has a name of %d characters", src, n)
		}
		if Shape("# on top\n"+src) != Shape(src) {
			t.Fatalf("%q is another program under a comment", src)
		}
	})
}
