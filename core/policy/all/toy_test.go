package all_test

import (
	"os"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/model"
	"hadarlab/core/place"
	"hadarlab/core/policy"
	"hadarlab/core/sim"
	"hadarlab/core/simtest"
	"hadarlab/core/trace"
	"hadarlab/core/unit"
	"hadarlab/core/words"
)

// toySpec is a stranger's policy in one file, all of whose texts are English.
var toySpec = &policy.Spec{
	ID: "toy", Title: "Toy of a stranger", Rev: 1,
	Summary: "Whoever wants most goes first, says the toy.",
	Source:  "a test's own",
	Formula: "a toy's wish, most first",
	Cadence: policy.Fixed(sim.Cadence{On: sim.Arrival | sim.Finish | sim.Capacity}),
	Params: []policy.Param{{Name: "ahead", Title: "Toys ahead", Kind: policy.Int, Default: 40.0, Min: 1, Max: 99,
		Help: "How many toys are looked at."}},
	Needs: policy.Needs{Lengths: true},
	New: func(m model.Public, v policy.Values) (sim.Policy, error) {
		return &toy{cluster: m.Cluster, ahead: v.Int("ahead")}, nil
	},
}

func init() { policy.Register(toySpec) }

// Texts of its explanation.
const (
	toySays    = "the toy wishes for {0} at place {1}"
	toySection = "What the toy wishes"
	toyTerm    = "wish of the toy"
	toyUnit    = "toys"
)

type toy struct {
	cluster *model.Cluster
	ahead   int
	placer  place.Placer
}

func (q *toy) Clone() sim.Policy { return &toy{cluster: q.cluster, ahead: q.ahead} }

func (q *toy) Decide(v sim.View, p *sim.Plan, w *sim.Why) {
	queue := slices.Clone(v.Waiting())
	slices.SortStableFunc(queue, func(a, b model.JobID) int { return int(v.Shape(b).Size - v.Shape(a).Size) })
	for at, j := range queue {
		size := v.Shape(j).Size
		if at < q.ahead && q.placer.Fastest(q.cluster, v, p, j) {
			w.Chose(j, 0, 0, 0)
		} else {
			free, most := place.Free(q.cluster, p)
			w.Wait(j, trace.WaitShape, float64(size), float64(free), float64(most))
		}
		if w.Detail != nil && at%2 == 0 { // of the others the kernel speaks
			c := w.Detail.Of(j)
			c.Says = words.Say(toySays, int(size), at+1)
			c.Sections = append(c.Sections, &sim.Section{Title: words.Say(toySection),
				Terms: []sim.Term{{Name: toyTerm, Value: float64(size), Unit: toyUnit}}})
		}
	}
}

// TestToyNeedsNoGerman: a policy of which the German catalogue has no text is listed, runs, explains itself and refuses
// bad parameters to a German reader: its own words are English, those of everybody else German, and none is missing.
func TestToyNeedsNoGerman(t *testing.T) {
	file, err := os.ReadFile("../../../app/web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := words.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	for _, own := range []string{toySpec.Title, toySpec.Summary, toySpec.Source, toySpec.Formula,
		toySpec.Params[0].Title, toySpec.Params[0].Help, toySays, toySection, toyTerm, toyUnit} {
		if _, held := german[own]; held {
			t.Errorf("German has %q: it is not the toy's own", own)
		}
	}
	if !slices.ContainsFunc(lab.Policies(), func(p lab.PolicyInfo) bool { return p.Title == toySpec.Title }) {
		t.Error("it is not offered")
	}

	doc, _ := lab.Preset("odd-gpus-out")
	ref := message.PolicyRef{ID: "toy"}
	s := lab.NewSession()
	s.In = german
	if diags := s.Start(&message.RunRequest{Scenario: doc, Policies: []message.PolicyRef{ref}}); diags.HasErrors() {
		t.Fatal(diags)
	}
	ran := false
	for more := true; more; {
		var news []*message.Message
		news, more = s.Spend(1 << 20)
		for _, m := range news {
			if m.Failure != nil {
				t.Fatal(m.Failure.Message)
			}
			ran = ran || m.Lane != nil && m.Lane.Policy == "toy" && m.Lane.Metrics.AvgJCTS > 0
		}
	}
	if !ran {
		t.Error("it has no result")
	}
	own, others := 0, 0
	for round := range s.Trace(0).Rounds {
		e, diags := s.Explain(&message.ExplainRequest{Policy: ref, Round: round})
		if e == nil {
			t.Fatal(diags)
		}
		for i := range e.Jobs {
			j := &e.Jobs[i]
			does := slices.ContainsFunc([]string{" startet auf ", " läuft weiter mit ", " wartet: "},
				func(does string) bool { return strings.HasPrefix(j.Sentence, j.ID+does) })
			if !does || strings.Contains(j.Sentence, words.Untranslated) || strings.Contains(j.Sentence, "{") {
				t.Errorf("round %d of %s: %q", round, j.ID, j.Sentence)
			}
			if len(j.Sections) == 0 {
				others++
				continue
			}
			own++
			if x := &j.Sections[0]; !strings.Contains(j.Sentence, "the toy wishes for ") || x.Title != toySection ||
				x.Terms[0].Name != toyTerm || x.Terms[0].Unit != toyUnit {
				t.Errorf("round %d of %s: %q, %+v", round, j.ID, j.Sentence, x)
			}
		}
	}
	if own == 0 || others == 0 {
		t.Errorf("it spoke of %d choices, the kernel of %d", own, others)
	}

	_, bad := toySpec.Check(map[string]any{"ahead": 100.0, "behind": true})
	for i, want := range []string{"ahead muss eine ganze Zahl von 1 bis 99 sein.",
		"Toy of a stranger hat keinen Parameter behind."} {
		if got := bad[i].Message.In(german); got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
}

// TestToyKeepsTheInvariants: what holds of every policy is asked of a stranger's in the same way.
func TestToyKeepsTheInvariants(t *testing.T) {
	for seed := range uint64(20) {
		simtest.Run(t, simtest.Random(unit.Stream(seed, "toy")), "toy", nil)
	}
}
