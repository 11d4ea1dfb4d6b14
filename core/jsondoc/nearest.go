package jsondoc

import (
	"slices"
	"strings"

	"hadarlab/core/words"
)

// Meant asks whether s stands for the candidate most like it; without one that is close enough, it is the other advice.
func Meant(s string, candidates []string, otherwise words.Text) words.Text {
	if like := Nearest(s, candidates); like != "" {
		return words.Say("Did you mean {0}?", Clip(like))
	}
	return otherwise
}

// Nearest is the candidate most like s, "" when none is close enough to be a slip of the pen.
func Nearest(s string, candidates []string) string {
	best, least := "", 1+max(2, len(s)/3)
	for _, c := range candidates {
		if len(c) > 2*len(s)+2 || len(s) > 2*len(c)+2 {
			continue
		}
		if d := distance(s, c); d < least {
			best, least = c, d
		}
	}
	return best
}

// NearestName is Nearest for names behind an owner's, as job.steps_left: of the same owner, or of any where s names
// none. Something of the name must stay.
func NearestName(s string, candidates []string) string {
	cut := func(s string) (owner, name string) {
		i := strings.LastIndexByte(s, '.') + 1
		return s[:i], s[i:]
	}
	owner, name := cut(s)
	var names, whole []string
	for _, c := range candidates {
		if of, n := cut(c); owner == "" || of == owner {
			names, whole = append(names, n), append(whole, c)
		}
	}
	if len(names) == 0 {
		return Nearest(s, candidates) // the owner is misspelt
	}
	for i, n := range names {
		if len(name) > 2 && strings.HasPrefix(n, name) {
			return whole[i] // it is only begun
		}
	}
	like := Nearest(name, names)
	if like == "" || distance(name, like) >= len(name) && !strings.EqualFold(name, like) {
		return ""
	}
	return whole[slices.Index(names, like)]
}

// distance is the number of single-byte edits between two short texts.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		diagonal := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			change := diagonal
			if a[i] != b[j] {
				change++
			}
			diagonal = row[j+1]
			row[j+1] = min(change, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
