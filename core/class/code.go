package class

import "strings"

// FoldCode is a class's code written in one way, however somebody typed it: in capitals, without what stands between
// groups, and with digits for the letters that are taken for them. The pages' scripts do the same (lab.code in
// app/web/class.js), held to the same table, testdata/codes.json.
func FoldCode(typed string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case 'a' <= r && r <= 'z':
			r -= 'a' - 'A'
		case r < '0' || r > '9' && r < 'A' || r > 'Z':
			return -1
		}
		switch r {
		case 'O':
			return '0'
		case 'I', 'L':
			return '1'
		}
		return r
	}, strings.ReplaceAll(typed, "%20", "")) // an address that was copied has these
}
