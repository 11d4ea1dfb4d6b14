package lab

import (
	"strings"
	"testing"

	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/sim"
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
					_, rest, found := strings.Cut(says, "On ")
					typ, rest, _ := strings.Cut(rest, " its priority ")
					value, rest, _ := strings.Cut(strings.TrimPrefix(rest, "(target ÷ received) is "), "; ")
					names, _, first := strings.Cut(rest, " came first")
					value, equals, tie := strings.Cut(value, ", as high as that of ")
					if !found || !first && !tie {
						continue
					}
					if tie {
						names = strings.ReplaceAll(strings.ReplaceAll(equals, " …", ""), ",", " (,") + " ("
						ties++
					}
					seen++
					typ = strings.ToLower(typ)
					mine, left := standing(&e.Jobs[i], typ), capacity[typ]
					for k := range e.Jobs {
						if j := &e.Jobs[k]; len(j.Gangs) > 0 && j.Gangs[0][0].Type == typ && standing(j, typ) >= mine {
							left -= gpusOf(j)
						}
						if strings.Contains(" "+names, " "+e.Jobs[k].ID+" (") &&
							(len(e.Jobs[k].Gangs) == 0 || e.Jobs[k].Gangs[0][0].Type != typ ||
								standing(&e.Jobs[k], typ) < mine) {
							t.Errorf("%s, %s, round %d: %q, and %s has %+v", preset.ID, id, round, says, e.Jobs[k].ID,
								e.Jobs[k].Shares)
						}
						if named := strings.Contains(" "+names, " "+e.Jobs[k].ID+" ("); named &&
							(tie || strings.Contains(names, e.Jobs[k].ID+" ("+value+")")) &&
							standing(&e.Jobs[k], typ) != mine {
							t.Errorf("%s, %s, round %d: %q, and their priorities are %v and %v", preset.ID, id, round,
								says, standing(&e.Jobs[k], typ), mine)
						}
					}
					if names == "others" {
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

// standing is a job's priority on a type.
func standing(j *message.JobChoice, typ string) float64 {
	for _, s := range j.Shares {
		if s.Type == typ {
			return s.Priority
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

// TestPrioritiesHaveEqualDigits: numbers that a sentence sets beside each other are written alike, and apart where they
// differ.
func TestPrioritiesHaveEqualDigits(t *testing.T) {
	for _, c := range []struct {
		v    float64
		than []float64
		want string
	}{
		{1.2427, []float64{1.24273}, "1.24270 1.24273"},
		{2.961, []float64{10.31, 11.9}, "2.96 10.31 11.90"},
		{1.5, []float64{1.5}, "1.50 1.50"},
		{0.0004, []float64{2}, "0.0004 2.0000"},
	} {
		var first []*sim.Choice
		for _, v := range c.than {
			first = append(first, &sim.Choice{Num: [3]float64{v}})
		}
		write := enoughDecimals(c.v, first)
		got := write(c.v)
		for _, v := range c.than {
			got += " " + write(v)
		}
		if got != c.want {
			t.Errorf("%v and %v: %s, want %s", c.v, c.than, got, c.want)
		}
	}
}
