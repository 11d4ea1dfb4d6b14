package message

import "testing"

func TestOldByMinorAndOwnRevision(t *testing.T) {
	for _, c := range []struct {
		name   string
		engine string
		rev    int
		now    string
		have   int
		old    bool
	}{
		{"nothing rose", "0.2.0", 2, "0.2.0", 2, false},
		{"a patch", "0.2.0", 2, "0.2.11", 2, false},
		{"revision 1 is left out", "0.2.0", 0, "0.2.1", 1, false},
		{"the minor version", "0.2.9", 2, "0.3.0", 2, true},
		{"the major version", "0.2.0", 2, "1.2.0", 2, true},
		{"two digits are no prefix", "0.2.0", 1, "0.20.0", 1, true},
		{"the lane's revision", "0.2.0", 0, "0.2.1", 2, true},
		{"made by a later program", "0.3.0", 1, "0.2.0", 1, true},
		{"a later revision", "0.2.0", 3, "0.2.0", 2, true},
		{"a policy that is gone", "0.2.0", 0, "0.2.0", 0, true},
		{"no version at all", "", 0, "0.2.0", 1, true},
	} {
		if got := Old(c.engine, c.rev, c.now, c.have); got != c.old {
			t.Errorf("%s: old %v", c.name, got)
		}
	}
}
