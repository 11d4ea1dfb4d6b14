package chart

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/trace"
)

// Look is a job's colour, 1 to 8, and the pattern over it, 0 = plain to 6. Together they tell 56 jobs apart; names
// tell all.
type Look struct{ Hue, Hatch int }

// Fills are the colours of hues 1 to 8 on white, after Okabe and Ito.
var Fills = [8]string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#f0e442", "#9aa0a6"}

// looks is how many there are. The hue goes round with every step, so that neighbours differ.
const looks = 56

func look(n int) Look { return Look{n%8 + 1, (n + n/8) % 7} }

// twins are how many looks apart jobs of one number stand: other hues, and as far as can be from the numbers around.
var twins = [8]int{0, 28, 14, 42, 7, 21, 35, 49}

// Looks are the looks of jobs, by what they are called and by nothing else: who comes, goes or arrives at another
// time changes nobody's colour. A number at the end of a name counts, so that j1 to j56 all differ; of jobs with one
// number, as a2 and b2, each has its own. Names without a number have looks of their own, one hue after another.
func Looks(names []string) []Look {
	out := make([]Look, len(names))
	var words, numbered []int32
	number := make([]int, len(names))
	for i, name := range names {
		if number[i] = lastNumber(name); number[i] < 0 {
			words = append(words, int32(i))
		} else {
			numbered = append(numbered, int32(i))
		}
	}
	slices.SortFunc(numbered, func(a, b int32) int {
		return cmp.Or(cmp.Compare(number[a], number[b]),
			cmp.Compare(plain(names[a]), plain(names[b])), // the page's own j7 comes last and displaces nobody
			strings.Compare(names[a], names[b]))
	})
	rank := 0
	for i, j := range numbered {
		if rank++; i == 0 || number[numbered[i-1]] != number[j] {
			rank = 0
		}
		out[j] = look((number[j] + looks - 1 + twins[rank%len(twins)]) % looks)
	}
	slices.SortFunc(words, func(a, b int32) int { return strings.Compare(names[a], names[b]) })
	var taken [looks]bool
	for n, j := range words {
		at := letters(names[j]) % 8
		for ; taken[at] && n < looks; at = (at + 1) % looks {
		}
		taken[at] = true
		out[j] = look((at + looks - 8) % looks) // away from j1, j2 and so on
	}
	return out
}

// lastNumber is the number that a name ends with, −1 = none. Its last six digits are enough.
func lastNumber(name string) int {
	digits := name[len(strings.TrimRight(name, "0123456789")):]
	if digits == "" {
		return -1
	}
	n := 0
	for _, d := range digits[max(0, len(digits)-6):] {
		n = 10*n + int(d-'0')
	}
	return n
}

// plain is 1 for a name as the page gives it, a j and a number, else 0.
func plain(name string) int {
	if strings.TrimRight(name, "0123456789") == "j" {
		return 1
	}
	return 0
}

// letters is a number made of a name.
func letters(name string) int {
	n := uint32(2166136261)
	for i := range len(name) {
		n = (n ^ uint32(name[i])) * 16777619
	}
	return int(n >> 8)
}

// LooksOf are the looks of a run's jobs.
func LooksOf(t *trace.Trace) []Look {
	names := make([]string, len(t.Jobs))
	for i := range t.Jobs {
		names[i] = t.Jobs[i].Name
	}
	return Looks(names)
}

// Diamond is one of the outlines, for what is marked so wherever it stands.
const Diamond = "M6 .3 11.700 6 6 11.700.3 6z"

// marks are the outlines of GPU types in a box of 12 by 12. Those of the known types come first, in their order.
var marks = [...]string{
	"M6 1 11.500 11H.5z", // triangle
	"M1 1h10v10H1z",      // square
	"M6 .8a5.200 5.200 0 1 1 0 10.400A5.200 5.200 0 1 1 6 .8z", // circle
	Diamond,
	"M3.200 1h5.600L11.600 6 8.800 11H3.200L.4 6z",                             // hexagon
	"M4.200.8h3.600v3.400h3.400v3.600H7.800v3.400H4.200V7.800H.8V4.200h3.400z", // cross
	"M6 11 .5 1h11z", // triangle on its tip
	// star
	"M6 .3 7.600 4.300 11.700 4.600 8.600 7.300 9.600 11.500 6 9.200 2.400 11.500 3.400 7.300.3 4.600 4.400 4.300z",
	"M1 1h10L7 6l4 5H1l4-5z",   // hourglass
	"M1 8.500a5 5 0 0 1 10 0z", // half a disc
	"M2.800.8 6 4 9.200.8l2 2L8 6l3.200 3.200-2 2L6 8l-3.200 3.200-2-2L4 6 .8 2.800z", // x
	"M6 .8 11.400 5v6.200H.6V5z",                  // house
	"M2.500.5h4L11 6l-4.500 5.500h-4L7 6z",        // chevron
	"M6 .8 11.300 4.700 9.300 11H2.700L.7 4.700z", // pentagon
}

// known are the GPU types whose mark is the same in every scenario.
var known = [len(marks)]string{"v100", "p100", "k80", "t4", "a100", "a10g", "h100", "l4", "a100-80", "rtx3090",
	"rtx-a2000", "titan-rtx", "t400", "h200"}

// Mark is the outline that stands for one of a scenario's GPU types, as path data in a box of 12 by 12. No two of them
// have the same: a type that is not known takes an outline that is left, then dots that spell which one it is.
func Mark(types []string, name string) string {
	if i := slices.Index(known[:], name); i >= 0 {
		return marks[i]
	}
	nth := 0
	for _, t := range types {
		if t == name {
			break
		}
		if !slices.Contains(known[:], t) {
			nth++
		}
	}
	for i, k := range known {
		if slices.Contains(types, k) {
			continue
		}
		if nth == 0 {
			return marks[i]
		}
		nth--
	}
	var d []byte
	for bit := range 7 {
		if (nth+1)>>bit&1 == 1 {
			d = append(append(append(append(append(d, 'M'), strconv.Itoa(1+bit%3*4)...), ' '),
				strconv.Itoa(bit/3*4)...), "h3v3h-3z"...)
		}
	}
	return string(d)
}
