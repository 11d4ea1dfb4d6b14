package class

import "strconv"

// Students have names that are given, never typed: a quality and an animal, in an order of their own in every class.
var (
	Qualities = []string{"quiet", "bright", "brave", "calm", "clever", "eager", "fair", "gentle", "glad", "golden",
		"honest", "jolly", "keen", "kind", "lively", "lucky", "merry", "mild", "neat", "nimble", "noble", "patient",
		"polite", "proud", "quick", "ready", "round", "silver", "steady", "sunny", "swift", "warm"}
	Animals = []string{"heron", "otter", "badger", "beaver", "bison", "crane", "curlew", "dolphin", "eagle", "falcon",
		"finch", "gecko", "gull", "hare", "ibex", "jackdaw", "kestrel", "lark", "lynx", "marten", "newt", "osprey",
		"owl", "plover", "puffin", "raven", "robin", "seal", "sparrow", "stork", "swallow", "swan", "tern", "thrush",
		"tortoise", "trout", "turtle", "vole", "walrus", "wren"}
)

// MaxStudents is how many a class may have: every one has a name of its own.
const MaxStudents = 1000

// Name is the name of the n-th student, from 1, of a class with this seed. No two are alike: where many were removed
// there are more than MaxStudents, and the second thousand has a 2 behind the name.
func Name(seed uint64, n int) string {
	if again := (n - 1) / MaxStudents; n > MaxStudents {
		return Name(seed, n-again*MaxStudents) + " " + strconv.Itoa(again+1)
	}
	all := uint64(len(Qualities) * len(Animals)) // 1280 = 2^8 · 5: every odd factor that 5 does not divide permutes it
	factor := 2*(seed%500) + 301
	for factor%5 == 0 {
		factor += 2
	}
	k := (uint64(n)*factor + seed/500) % all
	return Qualities[k%uint64(len(Qualities))] + " " + Animals[k/uint64(len(Qualities))]
}
