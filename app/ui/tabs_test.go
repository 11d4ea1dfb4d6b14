package ui

import (
	"testing"

	"hadarlab/app/state"
)

// TestTabsAreTheStates: a link may name every chart.
func TestTabsAreTheStates(t *testing.T) {
	if len(tabs) != len(state.Tabs) {
		t.Fatalf("%d charts, a link may name %d", len(tabs), len(state.Tabs))
	}
	for i, tab := range tabs {
		if tab.id != state.Tabs[i] {
			t.Errorf("chart %d is %s, a link says %s", i, tab.id, state.Tabs[i])
		}
	}
}
