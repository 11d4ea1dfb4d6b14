package insights_test

import (
	"strings"
	"testing"

	"hadarlab/core/insights"
	"hadarlab/core/message"
)

// TestMeans: means over seeds are set against the second lane of two and the next best of more, in the words of
// headlines; what stands behind it is the interval of their difference, where there is one.
func TestMeans(t *testing.T) {
	point := func(low, high float64, means ...float64) *message.SweepPoint {
		s := &message.Summary{Replicates: 20}
		for i, mean := range means {
			p := message.PolicySummary{Metrics: []message.Estimate{{Metric: "avg_jct_s", Mean: mean, N: 20}}}
			if i > 0 {
				p.Differences = []message.Estimate{{Metric: "avg_jct_s", Mean: mean - means[0], Low: &low, High: &high}}
			}
			s.Policies = append(s.Policies, p)
		}
		return &message.SweepPoint{Summary: s}
	}
	names := []string{"Hadar", "Gavel", "SRTF"}
	cut := point(20, 30, 75, 100)
	cut.Runs = []message.Lane{{Outcome: "done"}, {Outcome: "horizon"}}
	none := point(1, 2, 75, 100)
	none.Summary.Policies[1].Metrics = nil
	for _, c := range []struct {
		of            *message.SweepPoint
		claim, behind string
	}{
		{point(20, 30, 75, 100), "Over 20 seeds Hadar’s mean completion is 25 % below Gavel’s.", "does not contain 0"},
		{point(-30, -20, 125, 100), "Over 20 seeds Hadar’s mean completion is 25 % above Gavel’s.", "does not contain 0"},
		{point(-5, 60, 75, 100), "Over 20 seeds Hadar’s mean completion is 25 % below Gavel’s.", "contains 0"},
		{point(1, 1, 99, 100), "Over 20 seeds Hadar and Gavel tie: Hadar’s mean completion is 1 % below Gavel’s, and up " +
			"to 2 % is a tie.", "Every seed gives the same"},
		{point(0, 0, 100, 100), "Over 20 seeds Hadar and Gavel have the same mean completion.", "Every seed"},
		{point(1, 2, 100, 80, 60), "Over 20 seeds SRTF has the best mean completion of 3, 25 % below the next, Gavel.", ""},
		{point(10, 20, 60, 100, 80), "Over 20 seeds Hadar has the best mean completion of 3, 25 % below the next, SRTF.",
			"does not contain 0"},
		{cut, "Over 20 seeds Hadar’s mean completion is 25 % below Gavel’s.", "Some runs end before"},
		{none, "Not every lane completes a job, so that their means cannot be compared.", ""},
		{point(1, 2, 100), "", ""},
		{&message.SweepPoint{}, "", ""},
	} {
		f := insights.Means(nil, names, c.of)
		if f.Claim != c.claim || !strings.Contains(f.Because, c.behind) || c.behind == "" && f.Because != "" {
			t.Errorf("%q, %q\nwant %q, %q", f.Claim, f.Because, c.claim, c.behind)
		}
	}
}
