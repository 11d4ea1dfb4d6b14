package simtest

import (
	"regexp"
	"strings"
)

// blemishes are numbers that no picture may hold: what is none, and lengths below zero.
var blemishes = regexp.MustCompile(`\b(NaN|Inf)\b|\b(width|height|r|rx|ry)="-`)

// Blemish is the first number in markup that no picture may hold, with what is around it; empty where all is well.
// It looks for what each of them has before it asks the expression, which takes a hundred times as long.
func Blemish(markup string) string {
	for _, sign := range []string{"NaN", "Inf", `="-`} {
		for from := 0; ; from++ {
			i := strings.Index(markup[from:], sign)
			if i < 0 {
				break
			}
			from += i
			around := func(before, after int) string {
				return markup[max(0, from-before):min(len(markup), from+len(sign)+after)]
			}
			if blemishes.MatchString(around(len(" height"), 1)) {
				return around(120, 60)
			}
		}
	}
	return ""
}
