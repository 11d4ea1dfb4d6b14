package class

import (
	"slices"
	"testing"
)

// TestReadTags: spaces, empty lines and the line ends of other systems are forgiven; each fault is told by its line.
func TestReadTags(t *testing.T) {
	tags, diags := ReadTags([]string{" a7\r", "", "b2", "\t", "C3"})
	if len(diags) > 0 || !slices.Equal(tags, []string{"a7", "b2", "C3"}) {
		t.Errorf("%v %v", tags, diags)
	}
	if tag, ok := FindTag(tags, " c3 "); !ok || tag != "C3" {
		t.Errorf("c3 is found as %q", tag)
	}
	if _, ok := FindTag(tags, ""); ok {
		t.Error("no tag is found in the list")
	}
	_, diags = ReadTags([]string{"a", "x\u200by", "A", "ok"})
	if len(diags) != 2 || diags[0].Path != "/tags/1" || diags[0].Code != "bad-tag" || diags[1].Path != "/tags/2" ||
		diags[1].Code != "same-tag" {
		t.Errorf("%v", diags)
	}
}
