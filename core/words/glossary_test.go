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
	defer words.Use(nil)
	words.Use(map[string]string{"Gain": "Gewinn"})
	if words.Meaning("Gewinn, %") != words.Meaning("Gain") || words.Meaning("Gain") == "" ||
		words.Meaning("Gewinnt") != "" {
		t.Error("a heading is not known by its name in the reader's language")
	}
}
