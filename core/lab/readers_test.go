package lab_test

import (
	"os"
	"slices"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/chart/draw"
	"hadarlab/core/insights"
	"hadarlab/core/lab"
	"hadarlab/core/message"
	"hadarlab/core/trace"
	"hadarlab/core/words"
)

// TestTwoReaders: one session explains to two readers in turn, and findings and pictures of the same runs are made for
// both in turn. Each reads what they would have read alone, the same figures in their own language.
func TestTwoReaders(t *testing.T) {
	scenario, _ := lab.Preset(lab.Presets()[0].ID)
	refs := []message.PolicyRef{{ID: "hadar"}, {ID: "gavel-las"}}
	begin := func() (s *lab.Session, sides []insights.Side) {
		s = lab.NewSession()
		if diags := s.Start(&message.RunRequest{Scenario: scenario, Policies: refs}); diags.HasErrors() {
			t.Fatal(diags)
		}
		for more := true; more; {
			var out []*message.Message
			out, more = s.Spend(1 << 20)
			for _, m := range out {
				if m.Lane != nil {
					tr, err := trace.Decode(m.Body)
					if err != nil {
						t.Fatal(err)
					}
					sides = append(sides, insights.Side{Title: m.Lane.Policy, Trace: tr, Lane: chart.NewLane(tr),
						Metrics: &m.Lane.Metrics})
				}
			}
		}
		return s, sides
	}
	const rounds = 6
	// read is what a reader is told at a round: the decision, and what the runs show.
	read := func(s *lab.Session, sides []insights.Side, in words.Catalogue, round int) (says []string) {
		s.In = in
		e, diags := s.Explain(&message.ExplainRequest{Policy: refs[round%2], Round: round / 2})
		if e == nil {
			t.Fatal(diags)
		}
		for i := range e.Jobs {
			says = append(says, e.Jobs[i].Sentence)
		}
		a, b := sides[0], sides[1]
		f := insights.Find(in, a, b, chart.Compare(a.Trace, b.Trace, a.Lane, b.Lane), 2)
		axis := chart.NewAxis(a.Trace.End, a.Trace.Round)
		p := draw.Picture{In: in, Lane: a.Lane, Trace: a.Trace, Axis: &axis, Frame: chart.NewFrame(a.Lane, 800)}
		return append(says, f.Claim, f.Because, p.SVG())
	}
	file, err := os.ReadFile("../../app/web/words/de.json")
	if err != nil {
		t.Fatal(err)
	}
	german, err := words.Read(file)
	if err != nil {
		t.Fatal(err)
	}
	readers := []words.Catalogue{nil, german}
	var alone [2][][]string
	for i, in := range readers {
		s, sides := begin()
		for round := range rounds {
			alone[i] = append(alone[i], read(s, sides, in, round))
		}
	}
	s, sides := begin()
	for round := range rounds {
		for i, in := range readers {
			if got := read(s, sides, in, round); !slices.Equal(got, alone[i][round]) {
				t.Errorf("round %d in %s: beside the other reader it says\n%q, alone\n%q", round, in.Tag(), got,
					alone[i][round])
			}
		}
	}
	for i, wants := range [][]string{
		{"j4 starts on 2 V100 of n1: a round there is worth 1 and costs 0.00037.",
			"hadar’s mean completion is 41 % below gavel-las’s."},
		{"j4 startet auf 2 V100 von n1: eine Runde dort ist 1 wert und kostet 0,00037.",
			"Die mittlere Bearbeitungszeit von hadar liegt 41 % unter der von gavel-las."}} {
		for _, want := range wants {
			if !slices.Contains(alone[i][0], want) {
				t.Errorf("nobody says %q, but %q", want, alone[i][0])
			}
		}
	}
}
