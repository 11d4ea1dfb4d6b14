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

// Two links that never change: the same scenario under the revision of hadar at hand, whose default utility it leaves
// out, and pinned to revision 2, made when nobody knew the defaults of that, so that the utility is written.
const (
	linkOfAnyRevision = "1d.qh7opmMu7mYj1pyTS2YLELKr2KKWmFZeLoEWHjjoAAEAAP__.vjjp5"
	linkOfRevision2   = "1d.qh7opmMu7mYj1pyTS2YLELKr2EIHaadyXn5RbmJOZjF4BBW6X56YRmAugQYgOGQBAQAA__8.6fwsr"
)

const twoRevisions = `{"kind":"scenario","version":1,"scenario":{"round_s":360,
	"cluster":{"nodes":[{"id":"a","gpus":{"v100":2}},{"id":"b","gpus":{"k80":3}}]},
	"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":20,"k80":5}}]},
	"jobs":[{"id":"j1","model":"m","gpus":2,"steps":144000},{"id":"j2","model":"m","gpus":1,"steps":43200}],
	"policies":[{"id":"hadar","params":{"utility":"normalised","beam":8}}]}}`

func TestRevisionsAreRunAsWhatTheyAre(t *testing.T) {
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
	pinned := func(rev string) string {
		t.Helper()
		text := strings.Replace(twoRevisions, `"id":"hadar"`, `"id":"hadar","rev":`+rev, 1)
		doc, diags := scenario.Parse([]byte(text), scenario.FileLimits)
		if diags.HasErrors() {
			t.Fatal(diags)
		}
		return link.Encode(doc, lab.Defaults())
	}
	refused := func(fragment, fix string) {
		t.Helper()
		res, failed := run(fragment)
		if len(res.Runs) != 0 || len(failed) != 1 || failed[0].Diagnostics[0].Code != "policy-revision" ||
			failed[0].Diagnostics[0].Path != "/scenario/policies/0/rev" ||
			!strings.Contains(failed[0].Diagnostics[0].Fix.String(), fix) {
			t.Errorf("want it refused with %q: %+v %v", fix, res.Runs, failed)
		}
	}
	if doc, _ := link.Decode(linkOfRevision2); doc.Scenario.Policies[0].Rev != 2 ||
		doc.Scenario.Policies[0].Params["utility"] != "normalised" {
		t.Errorf("revision 2 has lost something: %+v", doc.Scenario.Policies[0])
	}
	doc, _ := scenario.Parse([]byte(twoRevisions), scenario.FileLimits)
	if got := link.Encode(doc, lab.Defaults()); got != linkOfAnyRevision {
		t.Errorf("the link is %s, want %s", got, linkOfAnyRevision)
	}
	id := doc.ID(lab.Defaults())

	res, failed := run(linkOfAnyRevision)
	if len(failed) > 0 || len(res.Runs) != 1 || res.Runs[0].Rev != 2 || res.ScenarioID != id {
		t.Fatalf("without a revision: %+v %v", res, failed)
	}
	was := res.Runs[0].TraceHash
	if res, failed = run(linkOfRevision2); len(failed) > 0 || res.Runs[0].Rev != 2 || res.Runs[0].TraceHash != was {
		t.Errorf("pinned to the revision at hand: %+v %v", res.Runs, failed)
	}
	refused(pinned("1"), "release 0.1.0")
	refused(pinned("3"), "a later release")

	// Once hadar is at revision 3, what names no revision runs as that, under the same id; a pin stays one.
	spec, _ := policy.Find("hadar")
	rev, past := spec.Rev, spec.LastReleases
	spec.Rev, spec.LastReleases = 3, []string{"0.1.0", "0.2.4"}
	defer func() { spec.Rev, spec.LastReleases = rev, past }()
	if res, failed = run(linkOfAnyRevision); len(failed) > 0 || res.Runs[0].Rev != 3 || res.ScenarioID != id {
		t.Errorf("without a revision, of a later release: %+v %v", res, failed)
	}
	refused(linkOfRevision2, "release 0.2.4")
}

// TestNoIDMovesWhenARevisionRises: the ids of presets are in links, in lessons and in what people cite.
func TestNoIDMovesWhenARevisionRises(t *testing.T) {
	before, after := lab.Defaults(), lab.Defaults()
	for id, d := range after {
		d.Rev++
		after[id] = d
	}
	for _, name := range scenarios.Names {
		data, _ := lab.Preset(name)
		doc, _ := scenario.Parse(data, scenario.FileLimits)
		for i, p := range doc.Scenario.Policies { // as a page writes them that spells everything out
			if doc.Scenario.Policies[i].Params = before[p.ID].Params; p.Rev != 0 {
				t.Fatalf("%s pins %s", name, p.ID)
			}
		}
		if was, is := doc.ID(before), doc.ID(after); was != is {
			t.Errorf("%s: %s became %s", name, was, is)
		}
	}
}

// TestOwnDocumentsPinNoRevision: what the project makes itself runs with every release.
func TestOwnDocumentsPinNoRevision(t *testing.T) {
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
			Cluster:     []scenario.TypeCount{{Type: "v100", Count: 1}},
			Throughputs: []byte(`{"models":{"m-b8":{"batch":8,"v100":{"1":{"consolidated":10}}}}}`)})
	if imported == nil {
		t.Fatal(diags)
	}
	for _, d := range append(docs, imported) {
		for _, p := range d.Scenario.Policies {
			if _, err := policy.Find(p.ID); err != nil || p.Rev != 0 {
				t.Errorf("%s asks for revision %d of %s: %v", d.Meta.Title, p.Rev, p.ID, err)
			}
		}
	}
}

// TestMoreJobsThanNodesIsAWarning: HadarE may give a job whole nodes, and says so where that leaves jobs out.
func TestMoreJobsThanNodesIsAWarning(t *testing.T) {
	text := strings.Replace(twoRevisions, `"id":"hadar","params":{"utility":"normalised","beam":8}`,
		`"id":"hadare","params":{"copy":"node"}`, 1)
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
	if warned(strings.Replace(third, `,"params":{"copy":"node"}`, "", 1)) {
		t.Error("copies of what was asked for share nodes")
	}
}
