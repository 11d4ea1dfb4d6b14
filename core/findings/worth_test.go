package findings

import (
	"strings"
	"testing"

	"hadarlab/core/chart"
	"hadarlab/core/simtest"
)

func TestWorthSentence(t *testing.T) {
	run := simtest.TwoNodes().Job("a", 0, 100).Job("b", 0, 100).Rounds(0)
	all := []chart.Worth{
		{Jobs: []chart.Amount{{Read: 200, Worth: 150}, {}}, Sum: chart.Amount{Read: 200, Worth: 150}},
		{Jobs: []chart.Amount{{Read: 150, Worth: 150}, {}}, Sum: chart.Amount{Read: 150, Worth: 150}}}
	sides := []Side{{Title: "P", Trace: run}, {Title: "Q", Trace: run}}
	f := Worth(nil, sides, all, 0)
	if f.Claim != "Under P, 25.0 % of the examples bring nothing. Under Q every example counts in full." ||
		!strings.HasSuffix(f.Because, "Of a it is 25.0 % under P. Of a every one counts under Q.") {
		t.Errorf("%+v", f)
	}
	if f := Worth(nil, sides, all, 1); strings.Contains(f.Because, "Of b") {
		t.Errorf("of a job that has no examples it says %q", f.Because)
	}
}
