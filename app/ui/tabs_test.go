package ui

import (
	"testing"

	"hadarlab/app/share"
)

// TestTabsAreTheStates: a link may name every chart.
func TestTabsAreTheStates(t *testing.T) {
	if len(tabs) != len(share.Tabs) {
		t.Fatalf("%d charts, a link may name %d", len(tabs), len(share.Tabs))
	}
	for i, tab := range tabs {
		if tab.id != share.Tabs[i] {
			t.Errorf("chart %d is %s, a link says %s", i, tab.id, share.Tabs[i])
		}
	}
}
