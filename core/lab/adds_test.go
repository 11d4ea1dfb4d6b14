package lab

import (
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestForkedSentenceNamesEveryCopy: the sentence of a forked job gives what a round of its first node is worth, and
// what each further copy adds to it, as the numbers behind it do.
func TestForkedSentenceNamesEveryCopy(t *testing.T) {
	seen := 0
	for _, preset := range Presets() {
		text, _ := Preset(preset.ID)
		s, ref := NewSession(), message.PolicyRef{ID: "hadare"}
		if s.Start(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{ref}}).HasErrors() {
			continue
		}
		for round := range 8 {
			e, _ := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
			if e == nil {
				break
			}
			for i := range e.Jobs {
				j := &e.Jobs[i]
				if len(j.Copies) < 2 || j.Utility == nil {
					continue
				}
				seen++
				if !strings.Contains(j.Sentence, "a round of its first node is worth "+
					rounded(*j.Utility/float64(*j.Rounds))) {
					t.Errorf("%s, round %d: %q, and the first node's utility is %v", preset.ID, round, j.Sentence,
						*j.Utility)
				}
				for _, c := range j.Copies {
					gain := 0.0
					for _, k := range j.Candidates {
						if k.Phase == 2 && k.Gang[0].Node == c.Node {
							gain = k.Utility
						}
					}
					if says := "the copy on " + c.Node + " adds " + minus(rounded(gain)); c.Phase == 2 &&
						!strings.Contains(j.Sentence, says) {
						t.Errorf("%s, round %d: %q lacks %q", preset.ID, round, j.Sentence, says)
					}
				}
			}
		}
	}
	if seen == 0 {
		t.Fatal("no job is forked")
	}
}
