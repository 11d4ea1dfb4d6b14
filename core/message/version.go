package message

import "strings"

// Minor is the part of an engine's version that decides results: "0.2" of "0.2.3". A patch changes none.
func Minor(engine string) string {
	if parts := strings.SplitN(engine, ".", 3); len(parts) == 3 {
		return parts[0] + "." + parts[1]
	}
	return engine
}

// Old tells whether a run may come out otherwise today: it was made by an engine of another minor version, or by
// another revision of its policy than the one at hand. rev 0 is revision 1, as results leave it out; have 0 is of a
// policy that is not there any more. What other policies have become makes no run old.
func Old(engine string, rev int, now string, have int) bool {
	return Minor(engine) != Minor(now) || max(rev, 1) != have
}
