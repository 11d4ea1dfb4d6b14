package lab_test

import (
	"regexp"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/simtest"
	"hadarlab/scenarios"
)

// unread is what nobody reads in a sentence: exponents, what is no number, a place that was not filled, a doubled
// mark, one of several (1 rounds).
var unread = regexp.MustCompile(`\d[eE][-−+]?\d|NaN|Inf|\{\d\}|\.\.|;;|: \.|  |(?:^|[ (])1 (?:GPU-)?[a-z]{2,}s(?:[ .,;:)]|$)|` +
	`(?:^|[ (])1 (?:that )?are\b`)

// numbered takes out an ellipsis, and what a 1 stands before without counting it.
var numbered = strings.NewReplacer("…", "", "Queue 1 goes", "", "is 1 times that", "is that")

// TestExplanationsCanBeRead: whatever a policy says of a decision in a preset or a random scenario, in words, ends as a
// sentence does, and holds no exponent and no gap. Who waits is told a reason, and not only what is free, unless nobody
// holds anything.
func TestExplanationsCanBeRead(t *testing.T) {
	docs := [][]byte{}
	for _, name := range scenarios.Names {
		doc, _ := lab.Preset(name)
		docs = append(docs, doc)
	}
	for n := 0; n < simtest.Documents; n += 3 {
		docs = append(docs, simtest.Document(n))
	}
	told := map[string]int{}
	for n, doc := range docs {
		for at, ref := range allPolicies(doc) {
			s := lab.NewSession()
			for _, round := range []int{0, 1, 3 + (n+at)%5} {
				e, _ := s.Explain(&message.ExplainRequest{Scenario: doc, Policy: ref, Round: round})
				if e == nil {
					break
				}
				check := func(where, says string) {
					if says = numbered.Replace(says); unread.MatchString(says) {
						t.Errorf("%d, %s, round %d, %s: %q", n, ref.ID, round, where, says)
					}
				}
				sections := func(list []message.Section) {
					for i := range list {
						s := &list[i]
						check("title", s.Title)
						check("note", s.Note)
						for _, f := range s.Formula {
							check("formula", f)
						}
						for _, w := range s.Weighed {
							check("placement", w.Who)
						}
						if s.Curve != nil {
							check("curve", s.Curve.Says)
						}
						for k := 0; s.Table != nil && k < len(s.Table.Rows); k++ {
							check("verdict", s.Table.Rows[k].Verdict)
						}
					}
				}
				sections(e.Sections)
				for i := range e.Jobs {
					j := &e.Jobs[i]
					check("sentence", j.Sentence)
					told[j.Action]++
					if !strings.HasSuffix(j.Sentence, ".") || j.Action != "placed" && j.Action != "moved" &&
						!strings.Contains(j.Sentence, ": ") {
						t.Errorf("%d, %s, round %d: %q gives no reason", n, ref.ID, round, j.Sentence)
					}
					sections(j.Sections)
				}
			}
		}
	}
	for _, does := range []string{"placed", "kept", "moved", "preempted", "waits"} {
		if told[does] < 20 {
			t.Errorf("only %d sentences of jobs that are %s: %v", told[does], does, told)
		}
	}
}
