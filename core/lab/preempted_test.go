package lab

import (
	"strings"
	"testing"

	"hadarlab/core/message"
)

// TestPreemptedSaysWhoTookTheGPUs: wherever a preset preempts a job, the jobs named begin to hold GPUs of a node and
// type that it gave up.
func TestPreemptedSaysWhoTookTheGPUs(t *testing.T) {
	seen := 0
	for _, preset := range Presets() {
		text, _ := Preset(preset.ID)
		for _, id := range []string{"gavel-las", "tiresias"} {
			s := NewSession()
			ref := message.PolicyRef{ID: id}
			if s.Start(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{ref}}).HasErrors() {
				continue
			}
			for _, more := s.Spend(1 << 20); more; _, more = s.Spend(1 << 20) {
			}
			var before *message.Explanation
			for round := 0; round < 60; round++ {
				e, _ := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
				if e == nil {
					break
				}
				for i := range e.Jobs {
					lead, _, found := strings.Cut(e.Jobs[i].Sentence, " and waits: ")
					_, names, named := strings.Cut(lead, " to ")
					if !found || !named || !strings.Contains(lead, " loses its GPU") || strings.Contains(names, "others") {
						continue
					}
					seen++
					lost := places(before, e.Jobs[i].ID)
					for _, name := range strings.FieldsFunc(names, func(r rune) bool { return r == ',' || r == ' ' }) {
						if name == "and" {
							continue
						}
						if !overlaps(places(e, name), lost) {
							t.Errorf("%s, %s, round %d: %q, and %s holds none of %v", preset.ID, id, round, lead, name,
								lost)
						}
					}
				}
				before = e
			}
		}
	}
	if seen == 0 {
		t.Error("no preset preempts a job for another")
	}
}

// places are the nodes and types that a job holds by an explanation.
func places(e *message.Explanation, job string) map[string]bool {
	out := map[string]bool{}
	for i := range e.Jobs {
		for _, g := range e.Jobs[i].Gangs {
			for _, sh := range g {
				if e.Jobs[i].ID == job {
					out[sh.Node+" "+sh.Type] = true
				}
			}
		}
	}
	return out
}

func overlaps(a, b map[string]bool) bool {
	for k := range a {
		if b[k] {
			return true
		}
	}
	return false
}
