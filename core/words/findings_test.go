package words_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"hadarlab/core/imports"
	jsontext "hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/scenario"
	"hadarlab/core/words"
)

// findings are the sentences of the findings about the documents and links of scenario's golden cases, and of what
// policies lack.
func findings(t *testing.T) (out []words.Text) {
	add := func(diags jsontext.Diagnostics) {
		for i := range diags {
			out = append(out, diags[i].Message, diags[i].Fix)
		}
	}
	small := scenario.Limits{Limits: jsontext.Limits{Bytes: 600, Depth: 7}, Jobs: 2, Drawn: 2, Nodes: 2, Name: 20}
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
func imported(t *testing.T) (out []words.Text) {
	const speeds = `{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10},"2":{"consolidated":18}},"k80":{"1":{"consolidated":1},"2":{"consolidated":0}}},"none":{"batch":null,"v100":{"1":{"consolidated":0}}}}}`
	b, err := os.ReadFile(filepath.Join(root, "core/imports/testdata/imports.txt"))
	if err != nil {
		t.Fatal(err)
	}
	for _, section := range strings.Split("\n"+string(b), "\n== ")[1:] {
		head, body, _ := strings.Cut(section, "\n")
		in, _, _ := strings.Cut(body, "-- want\n")
		trace, table, ok := strings.Cut(in, "\n-- table\n")
		given := imports.Options{Cluster: []scenario.TypeCount{{Type: "v100", Count: 4},
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

// TestFindingsInGerman: every finding about a document is a sentence whose parts German has all.
func TestFindingsInGerman(t *testing.T) {
	all, german := findings(t), catalogue(t)
	if len(all) < 400 {
		t.Fatalf("only %d sentences were made", len(all))
	}
	told := map[string]bool{}
	var look func(part any)
	look = func(part any) {
		list, ok := part.([]any)
		if !ok {
			return // somebody's own word
		}
		if key := list[0].(string); german[key] == "" && strings.ContainsFunc(key, unicode.IsLetter) && !told[key] {
			t.Errorf("German lacks %q", key)
			told[key] = true
		}
		for _, arg := range list[1:] {
			look(arg)
		}
	}
	for _, s := range all {
		b, err := json.Marshal(words.Parts(s))
		var part any
		if err != nil || json.Unmarshal(b, &part) != nil {
			t.Fatal(s, err)
		}
		if own, ok := part.(string); ok && own != "" {
			t.Errorf("%q cannot be translated", own)
		}
		look(part)
	}
}

// TestNamesAreNotTranslated: jobs, nodes and models may be called like a label of the page.
func TestNamesAreNotTranslated(t *testing.T) {
	german := catalogue(t)
	name := regexp.MustCompile(`^[a-z0-9][a-z0-9._-]*$`) // as ids are
	n := 0
	for _, label := range sorted(german) {
		if says := german[label]; !name.MatchString(label) || strings.Contains(says, label) {
			continue
		}
		n++
		if got, want := words.Say("{0} has no GPU", label).In(german), label+" hat keine GPU"; got != want {
			t.Errorf("it says %q, not %q", got, want)
		}
	}
	if n < 20 {
		t.Errorf("only %d labels could be names", n)
	}
}
