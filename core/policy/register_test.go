package policy_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/model"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
)

// TestRegisterRefuses: what could not be offered, or would stand in for another, ends the program with what is wrong.
func TestRegisterRefuses(t *testing.T) {
	before := len(policy.All())
	good := func() *policy.Spec {
		return &policy.Spec{ID: "toy", Title: "Toy", Rev: 1, Summary: "A toy.", Source: "ours",
			Cadence: policy.Fixed(sim.Cadence{}),
			New:     func(model.Public, policy.Values) (sim.Policy, error) { return nil, nil }}
	}
	for want, spoil := range map[string]func(s *policy.Spec){
		`"Toy 1"`:                 func(s *policy.Spec) { s.ID = "Toy 1" },
		`fifo is taken by "FIFO"`: func(s *policy.Spec) { s.ID = "fifo" },
		"gavel is taken by":       func(s *policy.Spec) { s.Alias = "gavel" },
		"toy has no Title":        func(s *policy.Spec) { s.Title = "" },
		"toy has no Summary":      func(s *policy.Spec) { s.Summary = "" },
		"toy has no Source":       func(s *policy.Spec) { s.Source = "" },
		"toy has no Rev (1 for":   func(s *policy.Spec) { s.Rev = 0 },
		"toy has no Cadence":      func(s *policy.Spec) { s.Cadence = nil },
		"toy has no New":          func(s *policy.Spec) { s.New = nil },
		`parameter 1 ("") of`:     func(s *policy.Spec) { s.Params = []policy.Param{{Title: "X"}} },
		"the default of parameter": func(s *policy.Spec) {
			s.Params = []policy.Param{{Name: "x", Title: "X", Kind: policy.Bool, Default: 1.0}}
		},
	} {
		func() {
			defer func() {
				if got := fmt.Sprint(recover()); !strings.Contains(got, want) {
					t.Errorf("it says %q, not %q", got, want)
				}
			}()
			s := good()
			spoil(s)
			policy.Register(s)
		}()
	}
	if len(policy.All()) != before {
		t.Error("what was refused is registered")
	}
}

// TestAnotherModule: a program of another module adds a policy, which passes the checks of every policy and runs beside
// ours.
func TestAnotherModule(t *testing.T) {
	if _, err := exec.LookPath("go"); err != nil {
		t.Fatal(err)
	}
	for _, args := range [][]string{{"test", "./..."}, {"run", ".", "odd-gpus-out"}} {
		run := exec.Command("go", args...)
		run.Dir = filepath.Join("..", "..", "examples", "policy")
		run.Env = append(slices.Clone(os.Environ()), "GOWORK=off")
		out, err := run.CombinedOutput()
		if err != nil {
			t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
		}
		if args[0] == "run" && !strings.Contains(string(out),
			"odd-gpus-out     smallest   mean completion     1679 s") {
			t.Errorf("it says\n%s", out)
		}
	}
}

// TestSourcesTellWhatIsLeftOut: of a scheduler whose published core is here in part only, Source says what is missing.
func TestSourcesTellWhatIsLeftOut(t *testing.T) {
	for _, id := range []string{"a-srpt", "allox", "elastic-dp", "gandiva", "optimus", "sia", "themis", "tiresias"} {
		if s, err := policy.Find(id); err != nil || !strings.Contains(s.Source, "left out") {
			t.Errorf("%s: %v, %+v", id, err, s)
		}
	}
}

// TestSourcesCallMovesOurs: queues that move running jobs to faster types, which their papers' clusters do not have,
// say that this is ours.
func TestSourcesCallMovesOurs(t *testing.T) {
	seen := 0
	for _, s := range policy.All() {
		for _, p := range s.Params {
			if p.Name == "migrate" {
				seen++
				_, after, ok := strings.Cut(s.Source, "moves to faster types")
				if !ok || !strings.Contains(after, "ours") {
					t.Errorf("%s: %q", s.ID, s.Source)
				}
			}
		}
	}
	if seen < 4 {
		t.Errorf("only %d queues move jobs", seen)
	}
}
