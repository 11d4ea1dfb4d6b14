package logs

import (
	"errors"
	"log/slog"
	"strings"
	"testing"
)

var _ Logger = (*slog.Logger)(nil)

// TestAMessageIsOneLine: a value cannot begin a line of its own, and a key without a value is left out.
func TestAMessageIsOneLine(t *testing.T) {
	var b strings.Builder
	l := lines{&b}
	l.Error("damaged row", "run", 7, "error", errors.New("two\nlines"), "alone")
	l.Warn("slow")
	if got, want := b.String(), "ERROR damaged row run=\"7\" error=\"two\\nlines\"\nWARN slow\n"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
