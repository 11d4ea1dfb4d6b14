package templates

import (
	"strings"
	"testing"

	"hadarlab/core/program"
)

// TestTemplatesAreShort: each can be read on one screen, its pieces are the text, and it is nearest to itself.
func TestTemplatesAreShort(t *testing.T) {
	for i := range All {
		of := &All[i]
		if n := strings.Count(of.Text, "\n"); n < 2 || n > 45 {
			t.Errorf("%s has %d lines", of.ID, n)
		}
		for line := range strings.Lines(of.Text) {
			if len(line) > 121 {
				t.Errorf("%s has a line of %d characters", of.ID, len(line))
			}
		}
		whole := ""
		for _, token := range program.Tokens(of.Text) {
			whole += token.Text
		}
		if whole != of.Text {
			t.Errorf("%s is drawn as %q", of.ID, whole)
		}
		near, lines := Nearest(of.Text)
		if near != of {
			t.Errorf("%s is nearest to %v", of.ID, near)
		}
		for _, l := range lines {
			if l.Added || l.Gone {
				t.Errorf("%s differs from itself in %q", of.ID, l.Text)
			}
		}
	}
}

// TestCompare: what is left out and what is added makes one text of the other.
func TestCompare(t *testing.T) {
	srtf := All[1].Text
	mine := strings.Replace(srtf, "    return job.steps_left / job.speed", "    x = 1\n\n    return job.age", 1)
	near, lines := Nearest(mine)
	var was, is, changed []string
	for _, l := range lines {
		if !l.Added {
			was = append(was, l.Text)
		}
		if !l.Gone {
			is = append(is, l.Text)
		}
		if l.Added || l.Gone {
			changed = append(changed, l.Text)
		}
	}
	if near != &All[1] || strings.Join(was, "\n") != strings.Join(whole(srtf), "\n") ||
		strings.Join(is, "\n") != strings.Join(whole(mine), "\n") || len(changed) != 3 {
		t.Errorf("%v: %v", near, lines)
	}
	if near, _ := Nearest("nothing of them\n"); near != nil {
		t.Errorf("a program of its own is near %s", near.ID)
	}
}
