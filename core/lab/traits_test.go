package lab_test

import (
	"slices"
	"testing"

	"hadarlab/core/jsondoc"
	"hadarlab/core/lab"
	"hadarlab/core/policy"
	"hadarlab/core/scenario"
)

// TestDocumentsKnowTheRegistry: in a document a policy may be called by its alias, which is its id from there on and
// gives the scenario the same identity; and who makes use of racks, and nobody else, is told where there is only one.
func TestDocumentsKnowTheRegistry(t *testing.T) {
	open := func(id string) (*scenario.Document, jsondoc.Diagnostics) {
		d, found := scenario.Parse([]byte(`{"kind":"scenario","version":1,"scenario":{"cluster":{"nodes":[{"id":"n1","gpus":{"v100":2}}]},
			"throughputs":{"rows":[{"model":"m","per_gpu":{"v100":1}}]},"jobs":[{"id":"j","model":"m","gpus":1,"steps":9}],
			"policies":[{"id":"`+id+`"}]}}`), scenario.FileLimits)
		if d == nil || found.HasErrors() {
			t.Fatalf("%s: %v", id, found)
		}
		_, more := scenario.Compile(d, lab.Defaults())
		return d, append(found, more...)
	}
	aliases, racks := 0, 0
	for _, s := range policy.All() {
		plain, found := open(s.ID)
		told := slices.ContainsFunc(found, func(d jsondoc.Diagnostic) bool { return d.Code == "one-rack" })
		if told != s.Needs.Racks {
			t.Errorf("%s: told of a single rack: %v", s.ID, told)
		}
		if s.Needs.Racks {
			racks++
		}
		if s.Alias == "" {
			continue
		}
		aliases++
		named, _ := open(s.Alias)
		if got := named.Scenario.Policies[0].ID; got != s.ID || named.ID(lab.Defaults()) != plain.ID(lab.Defaults()) {
			t.Errorf("%s is %s in a document, and not %s", s.Alias, got, s.ID)
		}
	}
	if aliases == 0 || racks == 0 {
		t.Errorf("%d aliases and %d policies that make use of racks were seen", aliases, racks)
	}
}
