package lab

import (
	"regexp"
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
)

// TestWaitingNamesWhoCameFirst: whoever a policy that shares time names as having come first holds GPUs of that type at
// no lower a priority, and all who do leave fewer than the waiting job needs.
func TestWaitingNamesWhoCameFirst(t *testing.T) {
	seen, unnamed, ties := 0, 0, 0
	for _, preset := range Presets() {
		text, _ := Preset(preset.ID)
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		if doc.Scenario.Generator != nil || len(doc.Scenario.Faults.List) > 0 || doc.Scenario.Faults.Generator != nil {
			continue
		}
		capacity, needs := map[string]int{}, map[string]int{}
		for _, n := range doc.Scenario.Cluster.Nodes {
			for typ, k := range n.GPUs {
				capacity[typ] += k
			}
		}
		for _, j := range doc.Scenario.Jobs {
			needs[j.ID] = j.GPUs
		}
		for _, id := range []string{"gavel-las", "gavel-makespan", "gandiva"} {
			s := NewSession()
			ref := message.PolicyRef{ID: id}
			if s.Start(&message.RunRequest{Scenario: text, Policies: []message.PolicyRef{ref}}).HasErrors() {
				continue
			}
			for _, more := s.Spend(1 << 20); more; _, more = s.Spend(1 << 20) {
			}
			for round := 0; round < 40; round++ {
				e, _ := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
				if e == nil {
					break
				}
				for i := range e.Jobs {
					says := e.Jobs[i].Sentence
					m := turn.FindStringSubmatch(says)
					if m == nil {
						continue
					}
					seen++
					typ, value, tie := strings.ToLower(m[1]), m[2], strings.Contains(m[4], "among equals")
					if tie {
						ties++
					}
					named := first.FindAllStringSubmatch(m[3], -1)
					mine, left := standing(e, i, typ), capacity[typ]
					for k := range e.Jobs {
						if j := &e.Jobs[k]; len(j.Gangs) > 0 && j.Gangs[0][0].Type == typ && standing(e, k,
							typ) >= mine {
							left -= gpusOf(j)
						}
						for _, n := range named {
							if n[1] != e.Jobs[k].ID {
								continue
							}
							if len(e.Jobs[k].Gangs) == 0 || e.Jobs[k].Gangs[0][0].Type != typ || standing(e, k,
								typ) < mine {
								t.Errorf("%s, %s, round %d: %q, and %s has %v", preset.ID, id, round, says, n[1],
									standing(e, k, typ))
							}
							if n[2] == value && standing(e, k, typ) != mine {
								t.Errorf("%s, %s, round %d: %q, and their priorities are %v and %v", preset.ID, id, round,
									says, standing(e, k, typ), mine)
							}
						}
					}
					if len(named) == 0 {
						unnamed++
					} else if left >= needs[e.Jobs[i].ID] {
						t.Errorf("%s, %s, round %d: %q, and %d are left of those before it", preset.ID, id, round, says,
							left)
					}
				}
			}
		}
	}
	t.Logf("%d sentences, %d without a name, %d ties", seen, unnamed, ties)
	if seen == 0 || ties == 0 || unnamed > 0 {
		t.Errorf("%d of %d sentences name nobody", unnamed, seen)
	}
}

// turn is the sentence of a job that waits for its turn on a type; first are those who came before it.
var (
	turn  = regexp.MustCompile(`on (\w+) its priority is ([\d.,]+); (.*?) comes? first(.*)`)
	first = regexp.MustCompile(`([\w-]+) \(([\d.,]+)\)`)
)

// standing is a job's priority on a type.
func standing(e *message.Explanation, job int, typ string) float64 {
	for _, s := range exported(e, job, "shares") {
		if s["type"] == typ {
			return s["priority"].(float64)
		}
	}
	return 0
}

func gpusOf(j *message.JobChoice) (n int) {
	for _, g := range j.Gangs {
		for _, sh := range g {
			n += sh.Count
		}
	}
	return n
}

// TestIdleThoughTooFewAreLeft: where all GPUs idle because whoever was picked has no place on them, nobody is told only
// that too few are left.
func TestIdleThoughTooFewAreLeft(t *testing.T) {
	doc := `{"kind":"scenario","version":1,"scenario":{"round_s":300,
"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}},{"id":"n2","gpus":{"v100":3}}]},
"throughputs":{"rows":[{"model":"a","per_gpu":{"v100":4}},
{"model":"b","per_gpu":{"v100":5},"spread":{"v100":{"3":0}}}]},
"jobs":[{"id":"j1","model":"a","gpus":3,"steps":14400},{"id":"j2","model":"b","gpus":3,"steps":1800}]}}`
	for id, round := range map[string]int{"gavel-las": 1, "gavel-maxsum": 0} {
		e, diags := NewSession().Explain(&message.ExplainRequest{Scenario: []byte(doc),
			Policy: message.PolicyRef{ID: id}, Round: round})
		if e == nil {
			t.Fatal(diags)
		}
		if j := e.Jobs[0]; len(j.Gangs)+len(e.Jobs[1].Gangs) > 0 ||
			!strings.Contains(j.Sentence, "left; those meant for j2, for which there is no place on V100, idle") {
			t.Errorf("%s: %v, %s", id, e.Jobs, j.Sentence)
		}
	}
}
