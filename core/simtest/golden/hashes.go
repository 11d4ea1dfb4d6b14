package golden

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"

	"hadarlab/core/message"
)

// Hash is one line of a file of trace hashes: what a policy made of a scenario, and what decided it.
type Hash struct {
	Scenario, Policy string
	Hash             string   // of the trace, or the first digits
	Figures          string   // hash of what a result says of it in numbers
	Shows            []string // how the run ended, and figures, for who reads the difference
	Engine           string   // major and minor part of the engine's version
	Rev              int      // revision of the policy
	Content          string   // content id of the scenario without policies
}

func (h *Hash) String() string {
	fields := slices.Concat([]string{h.Scenario, h.Policy, h.Hash, h.Figures}, h.Shows,
		[]string{h.Engine, strconv.Itoa(h.Rev), h.Content})
	return strings.Join(fields, " ") + "\n"
}

// FiguresOf is a short hash of a lane's figures as its result writes them: one that is counted otherwise is another
// result, though the trace is the same. A new figure moves it too, for stored results lack that. Names may be reworded.
func FiguresOf(r *message.Lane) (string, error) {
	figures := []any{r.Metrics, r.Jobs}
	if r.Bounds != nil {
		figures = append(figures, r.Bounds.MakespanS, r.Bounds.AvgJCTS)
	}
	for _, v := range r.Measured {
		figures = append(figures, v.Value)
	}
	b, err := json.Marshal(figures)
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:6]), err
}

// ReadHashes reads a file of hashes. One that is not there has none.
func ReadHashes(path string) ([]Hash, error) {
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return nil, nil
	}
	var list []Hash
	for line := range strings.Lines(string(b)) {
		f := strings.Fields(line)
		if len(f) < 7 {
			return nil, fmt.Errorf("%s: %q is no line of scenario, policy, hashes of trace and figures, what it shows, "+
				"engine, revision, content", path, line)
		}
		rest := f[len(f)-3:]
		rev, wrong := strconv.Atoi(rest[1])
		if wrong != nil {
			return nil, fmt.Errorf("%s: revision of %q: %w", path, line, wrong)
		}
		list = append(list, Hash{f[0], f[1], f[2], f[3], f[4 : len(f)-3], rest[0], rev, rest[2]})
	}
	return list, err
}

// WriteHashes writes a file of hashes.
func WriteHashes(path string, list []Hash) error {
	return os.WriteFile(path, []byte(lines(list)), 0o644)
}

func lines(list []Hash) string {
	var b strings.Builder
	for i := range list {
		b.WriteString(list[i].String())
	}
	return b.String()
}

// Merge puts the new lines of some policies in the place of their recorded ones. All others stay as they are.
func Merge(recorded, now []Hash, policies []string) []Hash {
	merged := slices.DeleteFunc(slices.Clone(recorded),
		func(h Hash) bool { return slices.Contains(policies, h.Policy) })
	for _, h := range now {
		if !slices.Contains(policies, h.Policy) {
			continue
		}
		at := len(merged)
		for i := range merged { // behind the scenario's policies that come before it
			if merged[i].Scenario == h.Scenario && (merged[i].Policy < h.Policy || at == len(merged)) {
				at = i
				if merged[i].Policy < h.Policy {
					at++
				}
			}
		}
		merged = slices.Insert(merged, at, h)
	}
	return merged
}

// Unexplained names the lines whose hash of the trace or of the figures is another than the recorded one though the
// scenario is the same and nothing has risen since: results that readers keep would be taken for what the program
// makes today.
func Unexplained(recorded, now []Hash) (out []string) {
	for _, is := range now {
		i := slices.IndexFunc(recorded,
			func(h Hash) bool { return h.Scenario == is.Scenario && h.Policy == is.Policy })
		if i < 0 {
			continue
		}
		was := recorded[i]
		what, before, now := "", was.Hash, is.Hash
		switch {
		case was.Content != is.Content || is.Rev > was.Rev || later(was.Engine, is.Engine):
			continue
		case was.Hash == is.Hash && was.Figures == is.Figures:
			continue
		case was.Hash == is.Hash:
			what, before, now = "figures ", was.Figures, is.Figures
		}
		out = append(out, fmt.Sprintf("%s under %s: %s%.16s was recorded by engine %s, revision %d, and it is %.16s",
			is.Scenario, is.Policy, what, before, was.Engine, was.Rev, now))
	}
	return out
}

// later tells whether the minor version b comes after a.
func later(a, b string) bool {
	parts := func(s string) (major, minor int) {
		fmt.Sscanf(s, "%d.%d", &major, &minor)
		return major, minor
	}
	aMajor, aMinor := parts(a)
	bMajor, bMinor := parts(b)
	return bMajor > aMajor || bMajor == aMajor && bMinor > aMinor
}

// Advice is what to do about unexplained lines.
const Advice = `Hashes have moved under the same version, so that old results would pass for new ones.
Raise Rev of each policy that decides otherwise on purpose, and name in its Past the last release that ran the revision
before; after a change of the kernel or of how figures are counted, which moves policies that are not to blame, raise
the minor part of lab.Engine.
Then make golden POLICY=ID, or make golden. Of a policy that is still being written nobody has results: for that one
restore the golden files as they were committed without it, and make its lines again.`

// Different says where two lists part first, "" where they are the same.
func Different(recorded, now []Hash) string {
	was, is := strings.SplitAfter(lines(recorded), "\n"), strings.SplitAfter(lines(now), "\n")
	for i := range max(len(was), len(is)) {
		a, b := "no line\n", "no line\n"
		if i < len(was) && was[i] != "" {
			a = was[i]
		}
		if i < len(is) && is[i] != "" {
			b = is[i]
		}
		if a != b {
			return fmt.Sprintf("line %d\nrecorded %snow      %s", i+1, a, b)
		}
	}
	return ""
}
