package words_test

import (
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	jsontext "hadarlab/core/text"
	"hadarlab/core/words"
)

// findings are the sentences of the findings about the documents and links of scenario's golden cases, and of what
// policies lack.
func findings(t *testing.T) (out []string) {
	add := func(diags jsontext.Diagnostics) {
		for i := range diags {
			out = append(out, diags[i].Message, diags[i].Fix)
		}
	}
	small := scenario.Limits{Limits: jsontext.Limits{Bytes: 600, Depth: 7}, Jobs: 2, Nodes: 2, Name: 20}
	for _, file := range []string{"scenario/testdata/diagnostics.txt", "link/testdata/links.txt"} {
		b, err := os.ReadFile(filepath.Join(root, "core", file))
		if err != nil {
			t.Fatal(err)
		}
		for _, section := range strings.Split("\n"+string(b), "\n== ")[1:] {
			head, body, _ := strings.Cut(section, "\n")
			in, _, _ := strings.Cut(body, "-- want\n")
			in = strings.TrimSuffix(in, "\n")
			if s, err := strconv.Unquote(in); err == nil && strings.HasPrefix(in, `"`) {
				in = s
			}
			limits := scenario.FileLimits
			switch kind, _, _ := strings.Cut(head, "/"); kind {
			case "tiny":
				limits = small
			case "link":
				_, diags := link.Decode(in)
				add(diags)
				continue
			}
			doc, diags := scenario.Parse([]byte(in), limits)
			add(diags)
			if doc != nil && !diags.HasErrors() {
				_, diags = scenario.Compile(doc, nil)
				add(diags)
			}
		}
	}
	out = append(out, imported(t)...)
	text, _ := lab.Preset(lab.Presets()[0].ID)
	doc, _ := scenario.Parse(text, scenario.FileLimits)
	doc.Scenario.Knowledge.Lengths = "unknown"
	_, failures, _ := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false),
		Policies: []message.PolicyRef{{ID: "allox"}, {ID: "srtf"}}})
	for range 200 { // more than are listed one by one
		doc.Scenario.Jobs = append(doc.Scenario.Jobs, scenario.Job{ID: "x"})
	}
	_, diags := scenario.Compile(doc, nil)
	add(diags)
	round, seed := message.Axis{Path: "/scenario/round_s", Values: []float64{60, 360}},
		message.Axis{Path: "/scenario/seed", Values: []float64{1}}
	for _, req := range []message.SweepRequest{{Replicates: 3}, {Replicates: -1},
		{Vary: []message.Axis{{Path: "/scenario/round_s"}}}, {Vary: []message.Axis{round, round}},
		{Vary: []message.Axis{seed}, Replicates: 2}, {Vary: []message.Axis{round}, Replicates: 200_000},
		{Vary: []message.Axis{{Path: "/scenario/nothing", Values: []float64{1}}}}} {
		req.Scenario = text
		_, diags := lab.NewSweep(&req)
		add(diags)
	}
	_, failures2, _ := lab.Run(&message.RunRequest{Scenario: text,
		Policies: []message.PolicyRef{{ID: "hadar", Params: map[string]any{"nothing": 1.0, "eta": "x", "utility": "x",
			"residual_pass": 1.0, "beam": 0.5}}}})
	for i := range failures2 {
		add(failures2[i].Diagnostics)
	}
	for i := range failures {
		add(failures[i].Diagnostics)
	}
	return out
}

// imported is what the reports and findings of the golden traces of imports say.
func imported(t *testing.T) (out []string) {
	const speeds = `{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10},"2":{"consolidated":18}},"k80":{"1":{"consolidated":1},"2":{"consolidated":0}}},"none":{"batch":null,"v100":{"1":{"consolidated":0}}}}}`
	b, err := os.ReadFile(filepath.Join(root, "core/imports/testdata/imports.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split("\n"+string(b), "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		in, _, _ := strings.Cut(body, "-- want\n")
		trace, table, ok := strings.Cut(in, "\n-- table\n")
		given := imports.Options{Cluster: []imports.TypeCount{{Type: "v100", Count: 4},
			{Type: "k80", Count: 4}}}
		format, _, _ := strings.Cut(head, "/")
		switch format {
		case "import":
			format, given.Throughputs = "gavel-csv", []byte(speeds)
		case "csv":
			given.Throughputs = []byte(speeds)
		case "guess":
			format = ""
		}
		if ok {
			given.Throughputs = []byte(table)
		}
		for _, o := range []imports.Options{given, {}, {Workload: "nine"}} {
			_, report, diags := imports.Read(strings.NewReader(trace), format, o)
			for i := range diags {
				out = append(out, diags[i].Message, diags[i].Fix)
			}
			for _, r := range report.Reasons {
				out = append(out, r.Reason, r.First)
			}
			out = append(out, report.Assumptions...)
		}
	}
	return out
}

// TestFindingsInGerman: every finding about a document is said in German, and every pattern for them is of use.
func TestFindingsInGerman(t *testing.T) {
	all := findings(t)
	if len(all) < 400 {
		t.Fatalf("only %d sentences were made", len(all))
	}
	german := catalogue(t)
	var keys []string
	for key := range german {
		if strings.HasPrefix(key, "~") {
			keys = append(keys, key)
		}
	}
	defer words.Use(nil)
	words.Use(german)
	said := map[string]bool{}
	for _, s := range all {
		got := words.Read(s)
		if s != "" && got == s && !said[s] {
			t.Errorf("German lacks %q", s)
		}
		said[s] = true
	}
	whole := make(map[string]string, len(said))
	for s := range said {
		whole[s] = words.Read(s)
	}
	for _, key := range keys { // of use is what is missed when it is left out
		less := maps.Clone(german)
		delete(less, key)
		words.Use(less)
		piece := slices.MaxFunc(places.Split(key[1:], -1), func(a, b string) int { return len(a) - len(b) })
		used := false
		for s := range said {
			used = used || strings.Contains(s, piece) && words.Read(s) != whole[s]
		}
		if !used {
			t.Errorf("no finding needs %q", key)
		}
	}
}

// TestNamesAreNotTranslated: jobs, nodes and models may be called like a label of the page.
func TestNamesAreNotTranslated(t *testing.T) {
	german := catalogue(t)
	defer words.Use(nil)
	words.Use(german)
	name := regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`) // as ids are
	n := 0
	for _, label := range sorted(german) {
		says := german[label]
		if n == 40 {
			break
		}
		if !name.MatchString(label) || strings.Contains(says, label) {
			continue
		}
		n++
		for _, sentence := range []string{"%s: arrival_s is 10000000000 s; the most is 1000000000 s", "%s has no GPU",
			`%s stands twice with the same parameters, as policies 1 and 4; both lanes will be alike`,
			`nodes 1 and 2 have the id "%s"`,
			`the document is the text "%s"; it must be an object`} {
			s := strings.ReplaceAll(sentence, "%s", label)
			if got := words.Read(s); !strings.Contains(got, label) || got == s {
				t.Errorf("%q becomes %q", s, got)
			}
		}
	}
	if n < 20 {
		t.Errorf("only %d labels could be names", n)
	}
}
