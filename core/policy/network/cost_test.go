package network

import (
	"strings"
	"testing"

	"hadarlab/core/results"
)

// TestTheOrderSaysWhatItCosts: where who is asked first is chosen stands what the default costs in mean completion
// where gangs share links, in the figures of the table of results.
func TestTheOrderSaysWhatItCosts(t *testing.T) {
	plain, congested, _ := strings.Cut(results.Figure("tiers-dally-shared"), ", ")
	short, less, _ := strings.Cut(results.Figure("tiers-dally-arrival-shared"), ", ")
	for _, says := range []string{short + " and not " + plain, less + " and not " + congested} {
		if !strings.Contains(dallyOrder.Help, says) {
			t.Errorf("the order's help does not say %q", says)
		}
	}
}
