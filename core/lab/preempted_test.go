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
					if !found || !named || !strings.Contains(lead, " loses its GPU") ||
						strings.Contains(names, "others") {
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

// TestWhoGetsGPUsThatOneLost: a job that loses one GPU loses it not to two, where another was idle beside it; and one
// whose GPUs go out of service by plan is not said to suffer from a fault.
func TestWhoGetsGPUsThatOneLost(t *testing.T) {
	const rows = `"throughputs":{"rows":[{"model":"m","per_gpu":{"k80":1,"v100":8},"source":"x"},
		{"model":"m2","per_gpu":{"k80":1,"v100":4},"source":"x"},{"model":"m3","per_gpu":{"k80":2,"v100":8},"source":"x"}]}`
	for _, c := range []struct {
		policy, cluster, jobs, want string
	}{
		{"hadar", `"nodes":[{"id":"n1","gpus":{"k80":2}},{"id":"n2","gpus":{"v100":1}}]`,
			`{"id":"j0","model":"m2","gpus":1,"steps":3000,"arrival_s":0},{"id":"j1","model":"m3","gpus":1,"steps":20000,
			"arrival_s":0},{"id":"j2","model":"m","gpus":1,"steps":3000,"arrival_s":100},
			{"id":"j3","model":"m","gpus":1,"steps":3000,"arrival_s":100},
			{"id":"j4","model":"m","gpus":1,"steps":20000,"arrival_s":200}`,
			"j1 loses its GPU and waits, while j2 and j3 get GPUs there: "},
		{"fifo", `"nodes":[{"id":"n1","gpus":{"v100":2}}],"changes":[{"at_s":100,"node":"n1","type":"v100","gpus":1}]`,
			`{"id":"j0","model":"m","gpus":1,"steps":9000,"arrival_s":0},
			{"id":"j1","model":"m","gpus":1,"steps":9000,"arrival_s":0}`,
			"GPUs of j1 went away, and it waits: "},
	} {
		doc := `{"kind":"scenario","version":1,"meta":{"title":"x"},"scenario":{"round_s":300,"cluster":{` + c.cluster +
			`},` + rows + `,"jobs":[` + c.jobs + `],"policies":[{"id":"` + c.policy +
			`"}],"overheads":{},"horizon_s":2000}}`
		e, diags := NewSession().Explain(&message.ExplainRequest{Scenario: []byte(doc),
			Policy: message.PolicyRef{ID: c.policy}, Round: 1, Job: "j1"})
		if e == nil {
			t.Fatal(diags)
		}
		if got := e.Jobs[0].Sentence; !strings.HasPrefix(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
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
