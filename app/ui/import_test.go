package ui

import (
	"slices"
	"testing"

	"hadarlab/core/imports"
)

// TestEveryFormatIsOffered: the import's list has the formats that are read, in their order.
func TestEveryFormatIsOffered(t *testing.T) {
	var has, want []string
	for _, f := range formatWords {
		has = append(has, f.id)
	}
	for _, f := range imports.Formats() {
		want = append(want, f.ID)
	}
	if !slices.Equal(has, want) {
		t.Errorf("offered are %q, read %q", has, want)
	}
}
