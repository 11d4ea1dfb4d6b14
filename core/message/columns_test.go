package message

import (
	"encoding/json"
	"math"
	"slices"
	"strings"
	"testing"
)

// TestAFigureThatARunDoesNotHave: where no job starts or finishes there is no mean of any, in no list and no file.
func TestAFigureThatARunDoesNotHave(t *testing.T) {
	var none []string
	for i := range AllMetrics {
		m := &AllMetrics[i]
		if math.IsNaN(m.Of(&Metrics{})) {
			none = append(none, m.Name)
		}
	}
	want := strings.Fields(
		"makespan_s avg_jct_s p50_jct_s p95_jct_s p99_jct_s avg_queue_s ftf_avg ftf_p50 ftf_p95 ftf_max " +
			"rent_usd rent_idle_usd")
	if !slices.Equal(none, want) {
		t.Errorf("a run in which nothing happens does not have %q", none)
	}
	row := (&Lane{Policy: "fifo"}).Row()
	if at := slices.Index(RunHead(), "avg_jct_s"); row[at] != "" {
		t.Errorf("its mean completion is %q in a file", row[at])
	}
	started := &Metrics{BusyGPUS: 7} // at once, and ends with the run
	if v := FindMetric("avg_queue_s").Of(started); v != 0 {
		t.Errorf("a job that starts at once has waited %v", v)
	}
	if v := FindMetric("avg_jct_s").Of(&Metrics{AvgJCTS: 3}); v != 3 {
		t.Errorf("a mean of 3 s is %v", v)
	}
}

// TestAllMetricsAreAll: each figure of a result is in the list, by its name there.
func TestAllMetricsAreAll(t *testing.T) {
	data, err := json.Marshal(&Metrics{RentUSD: 1, RentIdleUSD: 1})
	if err != nil {
		t.Fatal(err)
	}
	var all map[string]float64
	if err := json.Unmarshal(data, &all); err != nil {
		t.Fatal(err)
	}
	for name := range all {
		if FindMetric(name) == nil {
			t.Errorf("%s is not in the list", name)
		}
	}
	if len(all) != len(AllMetrics) {
		t.Errorf("%d figures in a result, %d in the list", len(all), len(AllMetrics))
	}
}
