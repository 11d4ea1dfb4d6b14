package text

import (
	"maps"
	"slices"
	"strconv"
)

// Within checks low ≤ v ≤ high.
func (f *Findings) Within(p Place, who, name string, v, low, high float64, unit string) {
	if v >= low && v <= high {
		return
	}
	bound, word := high, "most"
	if !(v >= low) {
		bound, word = low, "least"
	}
	f.Fail(p.String(), CodeRange,
		Colon(who)+name+" is "+Number(v)+unit+"; the "+word+" is "+Number(bound)+unit,
		"Set "+name+" to "+Number(bound)+" or "+map[string]string{"most": "less", "least": "more"}[word]+".")
}

// Most checks that there are at most so many entries of a kind at a path.
func (f *Findings) Most(path, what string, n, most int) {
	if n > most {
		f.Fail(path, CodeMany, "there are "+strconv.Itoa(n)+" "+what+"; the most is "+strconv.Itoa(most),
			"Take some out.")
	}
}

// Colon sets a name off from the message behind it; without a name there is none.
func Colon(who string) string {
	if who == "" {
		return ""
	}
	return who + ": "
}

// Keys are the names of a map in order, so that no result depends on Go's order.
func Keys[T any](m map[string]T) []string { return slices.Sorted(maps.Keys(m)) }
