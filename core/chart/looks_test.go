package chart

import (
	"math/rand/v2"
	"slices"
	"strconv"
	"testing"
)

// Who comes, goes or arrives at another time changes nobody's colour: looks follow from the names.
func TestLooksStay(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var names []string
		for i := range 1 + r.IntN(90) {
			name := []string{"j", "job-", "bert-", "a", "b", ""}[r.IntN(6)] + strconv.Itoa(r.IntN(200))
			if r.IntN(8) == 0 {
				name = string(rune('a'+r.IntN(26))) + string(rune('a'+i%26))
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		before := Looks(names)
		most := len(names)
		for _, name := range names {
			if n := lastNumber(name); plain(name) == 1 {
				most = max(most, n)
			}
		}
		// as the page names it
		more := slices.Insert(slices.Clone(names), r.IntN(len(names)+1), "j"+strconv.Itoa(most+1))
		r.Shuffle(len(more), func(i, k int) { more[i], more[k] = more[k], more[i] })
		after := Looks(more)
		for i, name := range names {
			if got := after[slices.Index(more, name)]; got != before[i] {
				t.Fatalf("%s of %v was %v, is %v beside %v", name, names, before[i], got, more)
			}
		}
	}
}

// Jobs that stand together can be told apart.
func TestLooksDiffer(t *testing.T) {
	numbered := func(prefix string, n int) (out []string) {
		for i := range n {
			out = append(out, prefix+strconv.Itoa(i+1))
		}
		return out
	}
	for name, c := range map[string]struct {
		names []string
		hues  int // so many in a row have hues of their own
	}{
		"numbers":      {numbered("j", 56), 8},
		"two letters":  {append(numbered("a", 4), numbered("b", 4)...), 2},
		"two families": {append(numbered("a", 28), numbered("b", 28)...), 4},
		"words":        {[]string{"anna", "ben", "carol", "dave", "eve", "frank", "grace", "heidi"}, 8},
		"applications": {[]string{"cifar10-0", "deepspeech2-1", "ncf-2", "deepspeech2-3", "cifar10-4", "cifar10-5",
			"ncf-6", "bert-7"}, 8},
		"mixed": {append([]string{"bert", "gpt", "resnet"}, numbered("j", 8)...), 3},
	} {
		got := Looks(c.names)
		for i := range got {
			for k := range i {
				if got[i] == got[k] || i-k < c.hues && got[i].Hue == got[k].Hue {
					t.Errorf("%s: %s and %s look alike: %v and %v", name, c.names[k], c.names[i], got[k], got[i])
				}
			}
		}
	}
	if got := Looks(numbered("j", 3)); got[0] != (Look{1, 0}) || got[1] != (Look{2, 1}) {
		t.Errorf("j1 and j2: %v", got)
	}
}

// Every GPU type of a scenario has a mark of its own, and a known one has it everywhere.
func TestMarksDiffer(t *testing.T) {
	types := append([]string{"own", "b200", "tpu-v5"}, known[:]...)
	for i := range 48 {
		types = append(types, "x"+strconv.Itoa(i))
	}
	for _, of := range [][]string{{"h100", "v100"}, {"b200", "h100", "own", "v100"}, types} {
		marks := map[string]string{}
		for _, name := range of {
			m := Mark(of, name)
			if other, twice := marks[m]; twice || m == "" {
				t.Errorf("%s and %s have the same mark", other, name)
			}
			marks[m] = name
			if slices.Contains(known[:], name) && m != Mark([]string{name}, name) {
				t.Errorf("%s has another mark beside %v", name, of)
			}
		}
	}
}
