package simtest

import "regexp"

// blemishes are numbers that no picture may hold: what is none, and lengths below zero.
var blemishes = regexp.MustCompile(`\b(NaN|Inf)\b|\b(width|height|r|rx|ry)="-[^"]*"`)

// Blemish is the first number in markup that no picture may hold, with what is around it; empty where all is well.
func Blemish(markup string) string {
	at := blemishes.FindStringIndex(markup)
	if at == nil {
		return ""
	}
	return markup[max(0, at[0]-120):min(len(markup), at[1]+60)]
}
