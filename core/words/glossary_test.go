package words_test

import (
	"strings"
	"testing"

	"hadarlab/core/words"
)

// TestGlossary: every heading that a term names stands somewhere and names one term only, each meaning is one sentence,
// and the heading is known in the reader's language and with its unit.
func TestGlossary(t *testing.T) {
	keys, of := collect(t), map[string]string{}
	for _, term := range words.Glossary {
		if strings.Count(term.Means, ".") != 1 || !strings.HasSuffix(term.Means, ".") {
			t.Errorf("%s is told by more or less than a sentence: %s", term.Word, term.Means)
		}
		for _, key := range term.Named {
			if _, used := keys[key]; !used {
				t.Errorf("%s: nothing is headed %q", term.Word, key)
			}
			if other := of[key]; other != "" {
				t.Errorf("%q names %s and %s", key, term.Word, other)
			}
			of[key] = term.Word
		}
	}
	in := words.Catalogue{"Gain": "Gewinn"}
	if in.Meaning("Gewinn, %") != in.Meaning("Gain") || in.Meaning("Gain") == "" ||
		in.Meaning("Gewinnt") != "" {
		t.Error("a heading is not known by its name in the reader's language")
	}
}

// TestMarks: terms are found where they stand first, whole and the longest of those that overlap, in both languages.
func TestMarks(t *testing.T) {
	said := func(in words.Catalogue, text string) (out []string) {
		for _, m := range in.Marks(text) {
			if m.Means == "" {
				t.Errorf("%q: a mark means nothing", text)
			}
			out = append(out, text[m.From:m.To])
		}
		return out
	}
	for text, want := range map[string]string{
		"a round is worth 0.15 and costs 0.07; worthless": "worth costs",
		"least normalised throughput = throughput":        "normalised throughput throughput",
		"E[min(length − a, Δ)] of what it is due":         "E[ due",
		"nothing is named, and overdue is not due-ness":   "due",
	} {
		if got := strings.Join(said(nil, text), " "); got != want {
			t.Errorf("%q names %q, want %q", text, got, want)
		}
	}
	if got := strings.Join(said(catalogue(t), "eine Runde ist 0,15 wert und kostet 0,07"), " "); got != "wert kostet" {
		t.Errorf("the German sentence names %q", got)
	}
}
