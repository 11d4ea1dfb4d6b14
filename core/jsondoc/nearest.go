package jsondoc

import "hadarlab/core/words"

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
