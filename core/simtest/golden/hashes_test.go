package golden

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"hadarlab/core/message"
)

func TestHashesMoveOnlyWithAVersion(t *testing.T) {
	was := Hash{"odd", "fifo", "aaaa", "f1", []string{"done", "1.000"}, "0.9", 2, "c1"}
	other := Hash{"odd", "srtf", "cccc", "f1", []string{"done"}, "0.9", 1, "c1"}
	recorded := []Hash{was, other}
	for name, c := range map[string]struct {
		edit    func(h *Hash)
		refused bool
	}{
		"the same":                          {func(h *Hash) {}, false},
		"another hash":                      {func(h *Hash) { h.Hash = "bbbb" }, true},
		"other figures of the same trace":   {func(h *Hash) { h.Figures = "f2" }, true},
		"other figures with a revision":     {func(h *Hash) { h.Figures, h.Rev = "f2", 3 }, false},
		"other figures with a version":      {func(h *Hash) { h.Figures, h.Engine = "f2", "0.10" }, false},
		"other figures of another scenario": {func(h *Hash) { h.Figures, h.Content = "f2", "c2" }, false},
		"what is shown is worded otherwise": {func(h *Hash) { h.Shows = []string{"finished"} }, false},
		"with a revision":                   {func(h *Hash) { h.Hash, h.Rev = "bbbb", 3 }, false},
		"with a revision that fell":         {func(h *Hash) { h.Hash, h.Rev = "bbbb", 1 }, true},
		"with a minor version":              {func(h *Hash) { h.Hash, h.Engine = "bbbb", "0.10" }, false},
		"with a major version":              {func(h *Hash) { h.Hash, h.Engine = "bbbb", "1.0" }, false},
		"with a minor version that fell":    {func(h *Hash) { h.Hash, h.Engine = "bbbb", "0.8" }, true},
		"with the scenario":                 {func(h *Hash) { h.Hash, h.Content = "bbbb", "c2" }, false},
		"with both the scenario and itself": {func(h *Hash) { h.Content = "c2" }, false},
		"of a scenario that was not there":  {func(h *Hash) { h.Hash, h.Scenario = "bbbb", "even" }, false},
		"of a policy that was not there":    {func(h *Hash) { h.Hash, h.Policy = "bbbb", "las" }, false},
	} {
		is := was
		c.edit(&is)
		moved := Unexplained(recorded, []Hash{is, other})
		if (len(moved) > 0) != c.refused {
			t.Errorf("%s: %v", name, moved)
		}
		want := "odd under fifo: aaaa was recorded by engine 0.9, revision 2"
		if is.Hash == was.Hash {
			want = "odd under fifo: figures f1 was recorded by engine 0.9, revision 2"
		}
		if c.refused && !strings.HasPrefix(moved[0], want) {
			t.Errorf("%s: %s", name, moved[0])
		}
	}
	if moved := Unexplained(recorded, []Hash{was}); moved != nil {
		t.Errorf("a line that goes: %v", moved)
	}
}

// TestFiguresAreHashed: any number that a result says of a lane, and no word.
func TestFiguresAreHashed(t *testing.T) {
	lane := func() *message.Lane {
		at := 2.5
		return &message.Lane{Policy: "fifo", TraceHash: "a", Metrics: message.Metrics{AvgJCTS: 1.5},
			Bounds: &message.Bounds{MakespanS: 1}, Jobs: []message.JobRow{{ID: "j0", FinishS: &at}},
			Measured: []message.NamedValue{{Name: "ratio", Value: 3}}}
	}
	was, err := FiguresOf(lane())
	if err != nil || len(was) != 12 {
		t.Fatal(was, err)
	}
	for name, c := range map[string]struct {
		edit  func(r *message.Lane)
		moves bool
	}{
		"restarts":         {func(r *message.Lane) { r.Metrics.Restarts++ }, true},
		"the last bit":     {func(r *message.Lane) { r.Metrics.AvgJCTS = math.Nextafter(1.5, 2) }, true},
		"a job's restarts": {func(r *message.Lane) { r.Jobs[0].Restarts++ }, true},
		"a job's finish":   {func(r *message.Lane) { r.Jobs[0].FinishS = nil }, true},
		"a bound":          {func(r *message.Lane) { r.Bounds.AvgJCTS++ }, true},
		"no bounds":        {func(r *message.Lane) { r.Bounds = nil }, true},
		"what is measured": {func(r *message.Lane) { r.Measured[0].Value++ }, true},
		"its name":         {func(r *message.Lane) { r.Measured[0].Name = "worst ratio" }, false},
		"a bound's name":   {func(r *message.Lane) { r.Bounds.Names.AvgJCTS = "by size" }, false},
		"the trace":        {func(r *message.Lane) { r.TraceHash = "b" }, false},
	} {
		r := lane()
		c.edit(r)
		if is, err := FiguresOf(r); err != nil || is != was != c.moves {
			t.Errorf("%s: %s was %s, %v", name, is, was, err)
		}
	}
}

func TestMergeLeavesOtherPoliciesAlone(t *testing.T) {
	line := func(scenario, policy, hash string) Hash {
		return Hash{scenario, policy, hash, "f", []string{"done"}, "0.2", 1, "c"}
	}
	recorded := []Hash{line("b", "a", "1"), line("b", "fifo", "2"), line("b", "las", "3"), line("a", "fifo", "4"),
		line("a", "las", "5")}
	for name, c := range map[string]struct {
		now      []Hash
		policies []string
		want     string
	}{
		"one anew": {[]Hash{line("b", "fifo", "x"), line("b", "las", "never"), line("a", "fifo", "y")},
			[]string{"fifo"}, "1 x 3 y 5"},
		"a new one": {[]Hash{line("b", "gittins", "x"), line("a", "gittins", "y")}, []string{"gittins"},
			"1 2 x 3 4 y 5"},
		"the first and last": {[]Hash{line("b", "a", "x"), line("a", "a", "y"), line("a", "z", "z")},
			[]string{"a", "z"}, "x 2 3 y 4 5 z"},
		"one that serves less":  {[]Hash{line("a", "fifo", "y")}, []string{"fifo"}, "1 3 y 5"},
		"a scenario of its own": {[]Hash{line("c", "fifo", "x")}, []string{"fifo"}, "1 3 5 x"},
	} {
		var got []string
		for _, h := range Merge(recorded, c.now, c.policies) {
			got = append(got, h.Hash)
		}
		if strings.Join(got, " ") != c.want {
			t.Errorf("%s: %v, want %s", name, got, c.want)
		}
	}
}

func TestHashesAreReadAsWritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "hashes.txt")
	list := []Hash{{"odd", "fifo", "aaaa", "f1", []string{"done", "1.000"}, "0.2", 1, "c1"},
		{"0", "a-srpt", "bbbb", "f2", []string{"starved"}, "0.10", 12, "c2"}}
	if err := WriteHashes(path, list); err != nil {
		t.Fatal(err)
	}
	got, err := ReadHashes(path)
	if err != nil || !slices.EqualFunc(got, list, func(a, b Hash) bool { return a.String() == b.String() }) {
		t.Errorf("%v %v", got, err)
	}
	if d := Different(got, list); d != "" {
		t.Errorf("the same list differs: %s", d)
	}
	if d := Different(got, list[:1]); !strings.HasPrefix(d, "line 2\n") {
		t.Errorf("a line is missing: %q", d)
	}
	if none, err := ReadHashes(path + "x"); none != nil || err != nil {
		t.Errorf("a file that is not there: %v %v", none, err)
	}
}
