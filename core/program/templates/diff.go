package templates

import "strings"

// Line is a line of a comparison: as it stands in both, only in the program (Added), or only in the template (Gone).
type Line struct {
	Text        string
	Added, Gone bool
}

// Nearest is the template from which a program differs in the fewest lines, and how; nil if it has not one line of any.
func Nearest(src string) (of *Template, lines []Line) {
	least := -1
	for i := range All {
		d := Compare(All[i].Text, src)
		changed := 0
		for _, l := range d {
			if l.Added || l.Gone {
				changed++
			}
		}
		if changed < len(d) && (least < 0 || changed < least) {
			of, lines, least = &All[i], d, changed
		}
	}
	return of, lines
}

// Compare is how one text becomes another, line by line, with as few changes as possible. Empty lines are alike, and
// count for nothing.
func Compare(from, to string) (lines []Line) {
	a, b := whole(from), whole(to)
	// common[i][k] is how many lines a[i:] and b[k:] have in common, in their order.
	common := make([][]int, len(a)+1)
	common[len(a)] = make([]int, len(b)+1)
	for i := len(a) - 1; i >= 0; i-- {
		common[i] = make([]int, len(b)+1)
		for k := len(b) - 1; k >= 0; k-- {
			common[i][k] = max(common[i+1][k], common[i][k+1])
			if a[i] == b[k] {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	for i, k := 0, 0; i < len(a) || k < len(b); {
		switch {
		case i < len(a) && k < len(b) && a[i] == b[k]:
			lines = append(lines, Line{Text: a[i]})
			i, k = i+1, k+1
		case k == len(b) || i < len(a) && common[i+1][k] >= common[i][k+1]:
			lines = append(lines, Line{Text: a[i], Gone: true})
			i++
		default:
			lines = append(lines, Line{Text: b[k], Added: true})
			k++
		}
	}
	return lines
}

// whole are a text's lines but for the empty ones, without spaces at their ends.
func whole(text string) (lines []string) {
	for line := range strings.Lines(text) {
		if line = strings.TrimRight(line, " \t\r\n"); line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
