package compare

import (
	"slices"
	"testing"
)

func TestTheNearestValuesComeFirst(t *testing.T) {
	if got := Outward([]float64{1, 2, 3, 4, 8}, 2); !slices.Equal(got, []float64{2, 3, 1, 4, 8}) {
		t.Errorf("%v", got)
	}
}
