package state

import (
	"encoding/json"
	"strings"
	"testing"

	"hadarlab/app/edit"
	"hadarlab/app/words"
)

// TestReworded: another language says anew what stands, and changes nothing else.
func TestReworded(t *testing.T) {
	defer words.Use(nil)
	d := newDesk(t)
	d.edit(edit.SetGPUs{Node: 0, Type: edit.Types(d.s.Doc)[0], N: 7})
	before, doc, entries, hash := d.s.Result, d.s.Doc, len(d.s.History.Entries), d.hash(0)
	d.s.View.Job = before.Lanes[0].Trace.Jobs[0].Name
	english, _ := explained(d.s, 0)

	german := map[string]string{"@lang": "de", "Change a number to see where they part.": "…",
		"{0} on {1}: {2} to {3}": "{0} auf {1}: von {2} auf {3}"}
	for i := range d.s.Boot.Policies {
		german[d.s.Boot.Policies[i].Title] = "Strategie " + d.s.Boot.Policies[i].Title
	}
	file, err := json.Marshal(german)
	if err != nil {
		t.Fatal(err)
	}
	if err := words.Load(file); err != nil {
		t.Fatal(err)
	}
	d.do(Reworded{})
	d.pass(1000)
	r := d.s.Result
	if !strings.HasPrefix(r.Lanes[0].Title, "Strategie ") {
		t.Errorf("lane A is called %q", r.Lanes[0].Title)
	}
	if !strings.Contains(r.Finding.Claim, "Strategie ") {
		t.Errorf("the finding stays as it was: %q", r.Finding.Claim)
	}
	if d.s.Doc != doc || len(d.s.History.Entries) != entries || !d.s.Fresh() || d.hash(0) != hash || r != before {
		t.Error("another language changes the scenario, its history or its result")
	}
	if says := d.s.History.Entries[entries-1].Sentence; !strings.HasSuffix(says, " auf 7") {
		t.Errorf("the edit is called %q", says)
	}
	if e, _ := explained(d.s, 0); e == nil || e == english {
		t.Error("the engine was not asked again why")
	}
	d.do(Reworded{Lost: true})
	if d.s.Toast == nil || r != d.s.Result {
		t.Error("a language that cannot be had is not told, or changes something")
	}
}

// TestSweepsAreReworded: what has been run many times is named in the new language.
func TestSweepsAreReworded(t *testing.T) {
	defer words.Use(nil)
	d := newDesk(t)
	d.do(ChooseVariable{Path: "/scenario/overheads/restart_s"})
	d.do(RunVary{})
	d.sweeps(-1)
	d.do(StartWinnerSearch{})
	d.search(3)
	d.edit(edit.SetFigure{Figure: edit.RunForm()[edit.Restart], Value: 20})
	v := &d.s.Vary
	title, first := d.s.Boot.Policy(d.s.Doc.Scenario.Policies[0].ID).Title, d.s.WinnerSearch.Tries[0]
	words.Use(map[string]string{"@lang": "de", "Restart": "Neustart", "{0} on {1}": "{0} auf {1}", title: "Strategie"})
	d.do(Reworded{})
	if v.Variables[0].Name != "Neustart" || v.Titles[0] != "Strategie" {
		t.Errorf("%+v %v", v.Variables[0], v.Titles)
	}
	if now := &d.s.WinnerSearch.Tries[0]; now.Name != strings.Replace(first.Name, " on ", " auf ", 1) ||
		now.Value != first.Value || d.s.WinnerSearch.Titles[0] != "Strategie" {
		t.Errorf("%+v, before %+v", now, first)
	}
}
