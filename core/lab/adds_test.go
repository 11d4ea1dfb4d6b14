package lab

import (
	"strings"
	"testing"

	"hadarlab/core/figure"
	"hadarlab/core/message"
)

// exported are the objects under a key of a job's export.
func exported(e *message.Explanation, job int, key string) (out []map[string]any) {
	all, _ := e.Export()["jobs"].([]map[string]any)[job][key].([]any)
	for _, o := range all {
		out = append(out, o.(map[string]any))
	}
	return out
}

// number is a figure of a job's export.
func number(e *message.Explanation, job int, key string) float64 {
	v, _ := e.Export()["jobs"].([]map[string]any)[job][key].(float64)
	return v
}

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
			scale := figure.ScaleFor(e.Most, e.Unit)
			for i := range e.Jobs {
				j, copies := &e.Jobs[i], exported(e, i, "copies")
				if len(copies) < 2 || number(e, i, "rounds") == 0 {
					continue
				}
				seen++
				worth := scale.Say(nil, number(e, i, "utility")/number(e, i, "rounds"))
				for _, k := range exported(e, i, "candidates") {
					if k["verdict"] != "chosen" {
						continue
					}
					node, gain := k["gang"].([]message.Shard)[0].Node, k["utility"].(float64)
					says := "the copy on " + node + " adds " + scale.Say(nil, gain)
					if k["phase"] != 2.0 {
						says = "a round of its copy on " + node + " is worth " + worth
					}
					if !strings.Contains(j.Sentence, says) {
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
