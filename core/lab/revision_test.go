package lab_test

import (
	"hadarlab/core/study"
	"strings"
	"testing"

	"hadarlab/core/imports"
	"hadarlab/core/lab"
	"hadarlab/core/link"
	"hadarlab/core/message"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
	"hadarlab/scenarios"
)

// Two links that never change: the same scenario under hadar as of revision 1, whose default utility it leaves out, and
// as of a revision 2 that is still to come, of which nobody knows the defaults, so that it is written.
const (
	linkOfRevision1 = "1d.qh7opmMu7mYj1pyTS2YLELKr2KKWmFZeLoEWHjjoAAEAAP__.vjjp5"
	linkOfRevision2 = "1d.qh7opmMu7mYj1pyTS2YLELKr2EIHaadyXn5RbmJOZjF4BBW6X56YRmAugQYgOGQBAQAA__8.6fwsr"
)

const twoRevisions = `{"kind":"scenario","version":1,"scenario":{"round_s":360,
	"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"k80":3}}]},
	"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":20,"k80":5}}]},
	"jobs":[{"id":"j1","model":"m","gpus":2,"steps":144000},{"id":"j2","model":"m","gpus":1,"steps":43200}],
	"policies":[{"id":"hadar","rev":1,"params":{"utility":"normalised","beam":8}}]}}`

func TestRevisionsAreRunAsWhatTheyAre(t *testing.T) {
	for want, text := range map[string]string{linkOfRevision1: twoRevisions,
		linkOfRevision2: strings.Replace(twoRevisions, `"rev":1`, `"rev":2`, 1)} {
		doc, diags := scenario.Parse([]byte(text), scenario.FileLimits)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		if got := link.Encode(doc, lab.Defaults()); got != want {
			t.Errorf("the link is %s, want %s", got, want)
		}
	}
	run := func(fragment string) (*message.Result, []message.Failure) {
		t.Helper()
		doc, diags := link.Decode(fragment)
		if doc == nil {
			t.Fatal(diags)
		}
		res, failed, diags := lab.Run(&message.RunRequest{Scenario: doc.Marshal(false)})
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return res, failed
	}
	res, failed := run(linkOfRevision1)
	if len(failed) > 0 || len(res.Runs) != 1 || res.Runs[0].Rev != 0 {
		t.Fatalf("revision 1: %+v %v", res.Runs, failed)
	}
	was := res.Runs[0].TraceHash
	res, failed = run(linkOfRevision2)
	if len(res.Runs) != 0 || len(failed) != 1 || failed[0].Diagnostics[0].Code != "policy-revision" ||
		failed[0].Diagnostics[0].Path != "/scenario/policies/0/rev" {
		t.Fatalf("revision 2 is run: %+v %v", res.Runs, failed)
	}
	if doc, _ := link.Decode(linkOfRevision2); doc.Scenario.Policies[0].Rev != 2 ||
		doc.Scenario.Policies[0].Params["utility"] != "normalised" {
		t.Errorf("revision 2 has lost something: %+v", doc.Scenario.Policies[0])
	}

	// Once hadar is at revision 2 it is the other way round, and results say so.
	spec, _ := policy.Find("hadar")
	spec.Rev, spec.Past = 2, []string{"0.1.4"}
	defer func() { spec.Rev, spec.Past = 1, nil }()
	if _, failed = run(linkOfRevision1); len(failed) != 1 ||
		!strings.Contains(failed[0].Diagnostics[0].Fix.String(), "release 0.1.4") {
		t.Errorf("revision 1 of a later release: %v", failed)
	}
	if res, failed = run(linkOfRevision2); len(failed) > 0 || res.Runs[0].Rev != 2 || res.Runs[0].TraceHash != was {
		t.Errorf("revision 2 of a later release: %+v %v", res.Runs, failed)
	}
}

// TestOwnDocumentsAskForPresentRevisions: whoever raises a revision has to raise it in what the project makes itself.
func TestOwnDocumentsAskForPresentRevisions(t *testing.T) {
	docs := study.Mixes(1)
	for _, c := range study.Cases(1, 1) {
		docs = append(docs, c.Doc)
	}
	for _, name := range scenarios.Names {
		text, _ := lab.Preset(name)
		doc, _ := scenario.Parse(text, scenario.FileLimits)
		docs = append(docs, doc)
	}
	imported, _, diags := imports.Read(strings.NewReader("id,model,gpus,steps\n1,m-b8,1,600\n"), "csv",
		imports.Options{
			Cluster:     []imports.TypeCount{{Type: "v100", Count: 1}},
			Throughputs: []byte(`{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10}}}}}`)})
	if imported == nil {
		t.Fatal(diags)
	}
	for _, d := range append(docs, imported) {
		for _, p := range d.Scenario.Policies {
			spec, err := policy.Find(p.ID)
			if err != nil || p.Rev != spec.Rev {
				t.Errorf("%s asks for revision %d of %s: %v", d.Meta.Title, p.Rev, p.ID, err)
			}
		}
	}
}

// TestMoreJobsThanNodesIsAWarning: HadarE gives a job whole nodes, and says so where that leaves jobs out.
func TestMoreJobsThanNodesIsAWarning(t *testing.T) {
	text := strings.Replace(twoRevisions, `"id":"hadar","rev":1,"params":{"utility":"normalised","beam":8}`,
		`"id":"hadare"`, 1)
	warned := func(text string) (found bool) {
		_, failed, diags := lab.Run(&message.RunRequest{Scenario: []byte(text)})
		if diags.HasErrors() || len(failed) > 0 {
			t.Fatal(diags, failed)
		}
		for _, d := range diags {
			found = found || d.Code == "jobs-outnumber-nodes" && d.Level == "warning" &&
				strings.Contains(d.Message.String(), "of these 3 jobs no more than 2 run")
		}
		return found
	}
	if warned(text) {
		t.Error("two jobs on two nodes are no risk")
	}
	third := strings.Replace(text, `"jobs":[`, `"jobs":[{"id":"j3","model":"m","gpus":1,"steps":10},`, 1)
	if !warned(third) {
		t.Error("three jobs on two nodes: nothing is said")
	}
}
