package state

import (
	"strconv"
	"strings"
)

func csvNumber(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// csvText quotes a text where the format needs it, and keeps spreadsheets from reading it as a formula.
func csvText(s string) string {
	if s != "" && strings.ContainsRune("=+-@\t\r", rune(s[0])) {
		s = "'" + s
	}
	if strings.ContainsAny(s, ",\"\n\r") {
		return `"` + strings.ReplaceAll(s, `"`, `""`) + `"`
	}
	return s
}
